#include "core/study/MeasureSyntax.h"

#include <utility>

namespace driftless::study {

Diagnostic badMeasure(const MeasureText& text, std::string why, std::string remedy)
{
    return {"This measure cannot be taken", "\"" + text.text.substr(0, 80) + "\"", std::move(why), std::move(remedy),
            text.position};
}

std::string trimmedMeasure(std::string_view text)
{
    while (!text.empty() && text.front() == ' ')
        text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ')
        text.remove_suffix(1);
    return std::string(text);
}

std::optional<MeasureCall> asMeasureCall(const std::string& text)
{
    const auto open = text.find('(');
    if (open == std::string::npos || open == 0 || text.back() != ')')
        return std::nullopt;
    MeasureCall out{trimmedMeasure(text.substr(0, open)), {}};
    int depth = 0;
    std::size_t from = open + 1;
    for (std::size_t i = open + 1; i < text.size(); ++i) {
        const bool last = i + 1 == text.size();
        if (text[i] == '(')
            ++depth;
        if ((text[i] == ',' && depth == 0) || last) {
            out.arguments.push_back(trimmedMeasure(std::string_view(text).substr(from, i - from)));
            from = i + 1;
        }
        if (text[i] == ')' && !last && --depth < 0)
            return std::nullopt;
    }
    return depth == 0 ? std::optional(out) : std::nullopt;
}

} // namespace driftless::study
