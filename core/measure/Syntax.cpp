#include "core/measure/Syntax.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

#include "core/run/RunRequest.h"

namespace driftless::measure {

namespace {

struct Renamed {
    std::string_view before, now;
};

/// Names of lessons of format 1. A measure `max.NAME` without an entry here is max(abs(NAME)).
constexpr std::array<Renamed, 8> kRenamedInLessons{{{"time", "clock"},
                                                    {"end", "t"},
                                                    {"rows", "equations"},
                                                    {"tolerance", "rtol"},
                                                    {"max.kappa", "max(kappa)"},
                                                    {"max.residual.position", "max_residual.position"},
                                                    {"max.residual.velocity", "max_residual.velocity"},
                                                    {"max.residual.acceleration", "max_residual.acceleration"}}};

std::string nameToday(const std::string& name, Place place)
{
    // Paths into the JSON of a run.
    if (name.starts_with("stats."))
        return name.substr(6);
    if (name.starts_with("parameters."))
        return "parameter." + name.substr(11);
    if (place == Place::Study)
        return name;
    const auto known = std::ranges::find(kRenamedInLessons, std::string_view(name), &Renamed::before);
    if (known != kRenamedInLessons.end())
        return std::string(known->now);
    return name.starts_with("max.") ? "max(abs(" + name.substr(4) + "))" : name;
}

/// Which parts of a call are measures themselves: the first such one, those behind it are too. The number of parts: none.
std::size_t firstMeasureOf(const MeasureCall& call)
{
    if (call.name == "ratio" || call.name == "log10")
        return 0;
    return call.name == "of" || call.name == "slope" ? 1 : call.arguments.size();
}

std::string today(const std::string& text, Place place, int depth)
{
    const std::string trimmed = trimmedMeasure(text);
    if (depth > kDeepestMeasure || asNumber(trimmed))
        return text;
    const auto call = asMeasureCall(trimmed);
    if (!call) {
        std::string name = nameToday(trimmed, place);
        return name == trimmed ? text : name;
    }
    const std::size_t from = firstMeasureOf(*call);
    std::string out = call->name + '(';
    bool changed = false;
    for (std::size_t i = 0; i < call->arguments.size(); ++i) {
        const std::string& part = call->arguments[i];
        const std::string now = i < from ? part : today(part, place, depth + 1);
        changed = changed || now != part;
        out += (i == 0 ? "" : ", ") + now;
    }
    return changed ? out + ')' : text;
}

} // namespace

Diagnostic badMeasure(const MeasureText& text, std::string why, std::string remedy)
{
    return {.what = "This measure cannot be taken",
            .where = "\"" + (text.before.empty() ? text.text : text.before).substr(0, 80) + "\"",
            .why = std::move(why),
            .remedy = std::move(remedy),
            .position = text.position};
}

std::string trimmedMeasure(std::string_view text)
{
    while (!text.empty() && text.front() == ' ')
        text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ')
        text.remove_suffix(1);
    return std::string(text);
}

std::optional<double> asNumber(const std::string& trimmed)
{
    double number = 0;
    if (std::sscanf(trimmed.c_str(), "%lf", &number) != 1)
        return {};
    const auto value = run::parseNumber(trimmed);
    return value ? std::optional(*value) : std::nullopt;
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

std::string inTodaysWords(const std::string& text, Place place) { return today(text, place, 0); }

MeasureText asWritten(const std::string& text, const SourcePosition& position, Place place)
{
    MeasureText out{.text = inTodaysWords(text, place), .position = position};
    if (out.text != text)
        out.before = text;
    return out;
}

std::optional<Diagnostic> renameHint(const MeasureText& text)
{
    if (text.before.empty())
        return {};
    return Diagnostic{.what = "This measure has a new name",
                      .where = "\"" + text.before.substr(0, 80) + "\"",
                      .why = "the old one is still read",
                      .remedy = "write \"" + text.text + "\"",
                      .position = text.position};
}

} // namespace driftless::measure
