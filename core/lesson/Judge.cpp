#include "core/lesson/Judge.h"

#include <algorithm>
#include <cmath>

#include "core/measure/Registry.h"
#include "core/text/Numbers.h"

namespace driftless::lesson {

namespace {

Result<measure::Value> quotient(const measure::LiveBench& bench, const Measure& what, const std::optional<Measure>& over,
                                double t)
{
    auto value = measured(bench, what, t);
    if (!over || !value)
        return value;
    auto below = measured(bench, *over, t);
    if (!below)
        return below;
    const double* above = std::get_if<double>(&*value);
    const double* divisor = std::get_if<double>(&*below);
    if (!above || !divisor || *divisor == 0)
        return Diagnostic{.what = "The quotient has no value."};
    return measure::Value(*above / *divisor);
}

bool holds(const Check& check, const measure::Value& value)
{
    if (!check.is.empty()) {
        const auto* word = std::get_if<std::string>(&value);
        return word && std::ranges::find(check.is, *word) != check.is.end();
    }
    const double* number = std::get_if<double>(&value);
    return number && !std::isnan(*number) && (!check.below || *number < *check.below)
           && (!check.above || *number > *check.above);
}

/// How far to play, where a check does not hold because its time has not come; else empty.
std::string tooEarly(const measure::LiveBench& bench, const Check& check, const Result<measure::Value>& value,
                     measure::Nature nature, double t)
{
    double stands = t, wanted = 0;
    if (nature == measure::Nature::Clock && check.above && value) {
        const double* number = std::get_if<double>(&*value);
        if (!number || !(*number <= *check.above))
            return {};
        constexpr double kTenths = 10; // the files say 3.99 for what has to come to 4 s
        stands = *number;
        wanted = std::ceil(kTenths * *check.above) / kTenths;
    } else if (const double at = std::max(check.measure.at.value_or(0), check.over ? check.over->at.value_or(0) : 0); at > t) {
        wanted = at;
    }
    const auto run = static_cast<std::size_t>(check.measure.run - 1);
    if (wanted <= stands || run >= bench.runs.size())
        return {};
    const run::RunStatus there = bench.laboratory.status(bench.runs[run].id);
    if (there.state == run::RunState::Failed && there.t < wanted) // no playing leads there
        return {};
    return bench.runs[run].title + " has only reached t = " + text::fixed(stands, 2) + " s; let it play to "
           + text::rounded(wanted) + " s first.";
}

std::string inWords(const Diagnostic& why) { return why.why.empty() ? why.what : why.text(); }

} // namespace

Result<measure::Value> measured(const measure::LiveBench& bench, const Measure& what, double t)
{
    return measure::measureLive(bench, static_cast<std::size_t>(what.run - 1), what.at.value_or(t), what.what);
}

Result<double> rightAnswer(const measure::LiveBench& bench, const Question& question, double t)
{
    const auto value = quotient(bench, question.measure, question.over, t);
    if (!value)
        return value.error();
    const double* number = std::get_if<double>(&*value);
    if (!number || !std::isfinite(*number))
        return Diagnostic{.what = "There is no value to compare with yet."};
    return *number;
}

Judgement judgeNumber(const measure::LiveBench& bench, const Question& question, double answer, double t)
{
    const auto right = rightAnswer(bench, question, t);
    if (!right)
        return {.right = false, .problem = inWords(right.error())};
    const double allowed = std::max(question.absolute, question.relative * std::abs(*right));
    return {.right = std::isfinite(answer) && std::abs(answer - *right) <= allowed, .problem = {}};
}

Judgement judgeAction(const measure::LiveBench& bench, const Question& question, double t)
{
    Judgement out{.right = true, .problem = {}};
    std::string early;
    bool settingsHold = true;
    for (const Check& check : question.checks) {
        const auto value = quotient(bench, check.measure, check.over, t);
        const bool held = value && holds(check, *value);
        out.right = out.right && held;
        if (!value && out.problem.empty())
            out.problem = inWords(value.error());
        const measure::Nature nature = measure::natureOf(check.measure.what.text);
        if (!held && nature == measure::Nature::Setting)
            settingsHold = false;
        if (!held && early.empty())
            early = tooEarly(bench, check, value, nature, t);
    }
    if (out.right)
        out.problem.clear();
    else if (!early.empty()) { // what a run does is judged at the end; a setting that is wrong, at once
        const bool more = !settingsHold && !out.problem.empty() && out.problem != early;
        out.problem = more ? early + " " + out.problem : early;
        out.early = settingsHold;
    }
    return out;
}

} // namespace driftless::lesson
