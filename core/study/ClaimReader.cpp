#include "core/study/ClaimReader.h"

#include <algorithm>
#include <cmath>

#include "core/measure/Check.h"
#include "core/text/Budget.h"
#include "core/text/Numbers.h"

namespace driftless::study {

namespace {

using model::refuse;
using model::TableReader;
using model::TomlKind;
using model::TomlValue;

constexpr std::size_t kLongestRemark = 1'000;

/// Half a unit of the last of so many digits, and a little for the rounding of the number itself.
double halfUnit(double value, double digits)
{
    constexpr double kRounding = 1 + 1e-9;
    const double exponent = value == 0 ? 0 : std::floor(std::log10(std::abs(value)) + 1e-12);
    return 0.5 * kRounding * std::pow(10, exponent - digits + 1);
}

void readNear(const TableReader& table, Claim& out)
{
    out.near = table.number("near");
    out.within = table.number("within").value_or(0);
    if (out.near.has_value() != (table.find("within") != nullptr) || out.within < 0)
        refuse(table.position(), "\"near\" goes with \"within\"", table.where(), "within is the largest difference allowed",
               "within = 1e-6");
    const auto value = table.number("value"), digits = table.number("digits");
    if (value.has_value() != digits.has_value() || (value && out.near))
        refuse(table.position(), "\"value\" goes with \"digits\"", table.where(),
               "digits says how many of its digits are claimed", "digits = 2");
    if (!value)
        return;
    if (*digits != std::floor(*digits) || *digits < 1 || *digits > 15)
        refuse(table.keyPosition("digits"), "\"digits\" is a whole number from 1 to 15", table.where(), "", "digits = 2");
    out.near = value;
    out.within = halfUnit(*value, *digits);
}

std::string need(const TableReader& table, const char* key, const char* remedy)
{
    table.need(key, remedy);
    std::string text = table.text(key, {}, kLongestRemark);
    if (text.empty())
        refuse(table.find(key)->position, std::string("\"") + key + "\" is empty", table.where(), "", remedy);
    return text;
}

std::string needSentence(const TableReader& table)
{
    return need(table, "sentence", "sentence = \"a part of the text, as it is written there\"");
}

std::string plainText(const std::string& text)
{
    std::string out;
    for (const char c : text)
        if (const bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r'; !blank)
            out += c;
        else if (!out.empty() && out.back() != ' ')
            out += ' ';
    if (!out.empty() && out.back() == ' ')
        out.pop_back();
    return out;
}

} // namespace

std::string asWord(const TomlValue& value, const TableReader& table, const std::string& key, const std::string& expected)
{
    if (value.kind == TomlKind::String)
        return value.text;
    if (!value.isNumber())
        table.wrongKind(value, key, expected);
    return text::exact(value.number);
}

bool hasSentence(const std::vector<std::string>& texts, const std::string& sentence)
{
    const std::string wanted = plainText(sentence);
    return !wanted.empty() && std::any_of(texts.begin(), texts.end(), [&](const std::string& text) {
        return plainText(text).find(wanted) != std::string::npos;
    });
}

const model::KeyList& relationKeys()
{
    static const model::KeyList keys{"measure", "below", "above", "near", "within", "value", "digits", "is", "is_not"};
    return keys;
}

void readRelation(const TableReader& table, Claim& out)
{
    if (const TomlValue* written = table.find("measure"))
        out.measure =
            measure::asWritten(table.text("measure", {}, budget::kMeasureLength), written->textPosition, measure::Place::Study);
    out.below = table.number("below");
    out.above = table.number("above");
    readNear(table, out);
    if (const TomlValue* is = table.find("is"))
        out.is = asWord(*is, table, "is", "a number or a text");
    if (const TomlValue* isNot = table.find("is_not"))
        out.isNot = asWord(*isNot, table, "is_not", "a number or a text");
    if (out.measure.text.empty())
        refuse(table.position(), "The claim measures nothing", table.where(), "",
               "measure = \"max_residual.position\", below = 1e-9");
    if (const auto sound = measure::checkMeasure(out.measure, measure::Place::Study); !sound)
        refuse(sound.error().position, sound.error().what, table.where() + ", " + sound.error().where, sound.error().why,
               sound.error().remedy);
    const int relations = (out.below || out.above) + out.near.has_value() + out.is.has_value() + out.isNot.has_value();
    if (relations != 1)
        refuse(table.position(), "A claim has one relation", table.where(), "below and above may stand together",
               "below, above, value with digits, near with within, is, or is_not");
}

Citation readCitation(const TomlValue& entry, const std::string& where)
{
    const TableReader table(entry, entry.position, where, {"sentence", "author", "year", "number", "checked"});
    Citation out{needSentence(table),
                 need(table, "author", "author = \"Hairer, Lubich and Roche\""),
                 0,
                 need(table, "number", "number = \"Table 2.3\""),
                 need(table, "checked", "checked = \"how the statement was checked\""),
                 entry.position};
    const double year = table.number("year").value_or(0);
    if (year != std::floor(year) || year < 1600 || year > 2200)
        refuse(table.keyPosition("year"), "A citation needs the year", where, "", "year = 1989");
    out.year = static_cast<int>(year);
    return out;
}

Exemption readExemption(const TomlValue& entry, const std::string& where)
{
    const TableReader table(entry, entry.position, where, {"sentence", "reason"});
    return {needSentence(table), need(table, "reason", "reason = \"follows from the line above by arithmetic\""),
            entry.position};
}

} // namespace driftless::study
