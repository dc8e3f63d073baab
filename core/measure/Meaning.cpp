#include "core/measure/Meaning.h"

#include <string_view>

namespace driftless::measure {

Meaning meaningOf(const std::string& word, const NamesOfRows& names)
{
    using Kind = Meaning::Kind;
    if (word == "t")
        return {Kind::Time, word};
    const bool column = names.isColumn(word), parameter = names.isParameter(word);
    if (column || parameter)
        return {column && parameter ? Kind::Both : column ? Kind::Column : Kind::Parameter, word};
    constexpr std::string_view state = "state.", of = "parameter.";
    if (word.starts_with(state) && names.isColumn(word.substr(state.size())))
        return {Kind::Column, word.substr(state.size())};
    if (word.starts_with(of) && names.isParameter(word.substr(of.size())))
        return {Kind::Parameter, word.substr(of.size())};
    return {};
}

Diagnostic ambiguous(const std::string& name)
{
    return {.what = "\"" + name + "\" is a column of every run and a parameter of this model",
            .remedy = "parameter." + name + " for the parameter, state." + name + " for the column"};
}

} // namespace driftless::measure
