#include "core/lesson/Judge.h"

#include <algorithm>
#include <cmath>

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
    if (check.is) {
        const auto* word = std::get_if<std::string>(&value);
        return word && *word == *check.is;
    }
    const double* number = std::get_if<double>(&value);
    return number && !std::isnan(*number) && (!check.below || *number < *check.below)
           && (!check.above || *number > *check.above);
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
    for (const Check& check : question.checks) {
        const auto value = quotient(bench, check.measure, check.over, t);
        out.right = out.right && value && holds(check, *value);
        if (!value && out.problem.empty())
            out.problem = inWords(value.error());
    }
    if (out.right)
        out.problem.clear();
    return out;
}

} // namespace driftless::lesson
