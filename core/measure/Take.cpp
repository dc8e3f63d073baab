#include "core/measure/Take.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/run/Drift.h"
#include "core/run/RunRequest.h"

namespace driftless::measure {

namespace {

/// The values of an expression where it has one, with their times [s].
struct Samples {
    std::vector<double> t, x;
};

Result<Value> atTime(const Samples& s, const std::string& when, const MeasureText& text)
{
    const auto wanted = run::parseNumber(when);
    if (!wanted)
        return badMeasure(text, wanted.error().text());
    // What is asked for between two rows has a nearest one.
    const double apart = s.t.size() > 1 ? s.t.back() - s.t[s.t.size() - 2] : 0;
    if (*wanted > s.t.back() + apart || *wanted < s.t.front() - apart)
        return badMeasure(text, *wanted > s.t.back() ? "the run ends before t = " + when : "the run begins after t = " + when);
    std::size_t best = 0;
    for (std::size_t i = 0; i < s.t.size(); ++i)
        if (std::abs(s.t[i] - *wanted) <= std::abs(s.t[best] - *wanted))
            best = i;
    return Value{s.x[best]};
}

double sumOf(const std::vector<double>& x, double (*term)(double))
{
    double sum = 0;
    for (const double value : x)
        sum += term(value);
    return sum;
}

double alternationsOf(const std::vector<double>& x)
{
    double changes = 0;
    for (std::size_t i = 1; i < x.size(); ++i)
        changes += x[i] * x[i - 1] < 0;
    return changes;
}

/// Between the rows beside half time, where it has a value there.
double growthOf(const Record& record, const Samples& s, const std::string& expression)
{
    const double half = s.t.front() / 2 + s.t.back() / 2;
    const auto value = valueAt(record, half, expression);
    const auto row = std::lower_bound(s.t.begin(), s.t.end() - 1, half) - s.t.begin();
    return s.x.back() / (value && std::isfinite(*value) ? *value : s.x[static_cast<std::size_t>(row)]);
}

/// Why a measure of the first or the last row has no value; measured data begin and end where they were measured.
const char* missingEnd(const Record& record, const std::vector<double>& values, const std::string& name)
{
    if (record.isMeasured() || values.empty())
        return nullptr;
    if ((name == "last" || name == "growth") && std::isnan(values.back()))
        return "it has no value in the last row";
    return name == "first" && std::isnan(values.front()) ? "it has no value in the first row" : nullptr;
}

Result<Value> reduced(const Record& record, const Samples& s, const std::string& name, const std::string& expression,
                      const MeasureText& text)
{
    const auto count = static_cast<double>(s.x.size());
    if (name == "first")
        return Value{s.x.front()};
    if (name == "last")
        return Value{s.x.back()};
    if (name == "max")
        return Value{*std::ranges::max_element(s.x)};
    if (name == "min")
        return Value{*std::ranges::min_element(s.x)};
    if (name == "mean")
        return Value{sumOf(s.x, [](double x) { return x; }) / count};
    if (name == "rms")
        return Value{std::sqrt(sumOf(s.x, [](double x) { return x * x; }) / count)};
    if (name == "alternations")
        return Value{alternationsOf(s.x)};
    if (name == "drift")
        return Value{run::classifyDrift(s.t, s.x, record.report.tolerance.value_or(0))};
    if (name == "growth")
        return Value{growthOf(record, s, expression)};
    return badMeasure(text, "\"" + name + "\" is no measure",
                      "first, last, max, min, mean, rms, at, alternations, drift, growth, ...");
}

class Taker {
public:
    explicit Taker(const Runs& runs) : runs_(runs) {}

    Result<Value> take(std::size_t run, const MeasureText& text, int depth = 0) const
    {
        if (depth > kDeepestMeasure)
            return badMeasure(text, "it is nested too deeply");
        if (const auto ready = runs_.ready(run, text); !ready)
            return ready.error();
        const std::string trimmed = trimmedMeasure(text.text);
        const auto call = asMeasureCall(trimmed);
        if (const auto number = asNumber(trimmed))
            return Value{*number};
        return call ? function(run, *call, text, depth) : runs_.named(run, trimmed, text);
    }

    Result<double> number(std::size_t run, const MeasureText& text, int depth) const
    {
        const auto value = take(run, text, depth);
        if (!value)
            return value.error();
        if (const double* number = std::get_if<double>(&*value))
            return *number;
        return badMeasure(text, "it is a word, not a number");
    }

private:
    Result<std::size_t> other(const std::string& name, const MeasureText& text) const
    {
        if (const auto found = runs_.find(name))
            return *found;
        return badMeasure(text, "there is no run \"" + name.substr(0, 60) + "\"");
    }

    Result<Value> function(std::size_t run, const MeasureCall& call, const MeasureText& text, int depth) const
    {
        const MeasureFunction* known = findFunction(call);
        if (!known)
            return badMeasure(text, "\"" + call.name.substr(0, 40) + "\" is no measure, or not with so many parts");
        const auto part = [&](std::size_t i) { return MeasureText{call.arguments[i], text.position}; };
        switch (known->kind) {
        case Parts::RunAndMeasure: {
            const auto index = other(call.arguments[0], text);
            return index ? take(*index, part(1), depth + 1) : Result<Value>{index.error()};
        }
        case Parts::TwoMeasures:
            return ratio(run, part(0), part(1), depth);
        case Parts::Measure: {
            const auto x = number(run, part(0), depth + 1);
            return x ? Result<Value>{Value{std::log10(*x)}} : Result<Value>{x.error()};
        }
        case Parts::Slope:
            return slope(run, call.arguments[0], part(1), depth);
        case Parts::EventKind:
            return events(run, call, text);
        case Parts::Run:
        case Parts::RunAndExpression:
            return distance(run, call, text);
        case Parts::Expression:
        case Parts::TimeAndExpression:
            break;
        }
        return rows(run, call, text);
    }

    Result<Value> ratio(std::size_t run, const MeasureText& above, const MeasureText& below, int depth) const
    {
        const auto x = number(run, above, depth + 1);
        if (!x)
            return x.error();
        const auto y = number(run, below, depth + 1);
        return y ? Result<Value>{Value{*x / *y}} : Result<Value>{y.error()};
    }

    /// Least squares.
    Result<Value> slope(std::size_t run, const std::string& variable, const MeasureText& of, int depth) const
    {
        double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
        for (const Runs::Relative& one : runs_.relatives(run, variable)) {
            const auto value = number(one.run, of, depth + 1);
            if (!value)
                return value.error();
            if (!(one.variable > 0) || !(*value > 0))
                return badMeasure(of, "a logarithm needs values above zero");
            const double x = std::log(one.variable), y = std::log(*value);
            n += 1;
            sx += x;
            sy += y;
            sxx += x * x;
            sxy += x * y;
        }
        if (n < 2 || !(n * sxx - sx * sx > 0))
            return badMeasure(of, "a slope needs two runs of the family with different \"" + variable + "\"");
        return Value{(n * sxy - sx * sy) / (n * sxx - sx * sx)};
    }

    Result<Value> events(std::size_t run, const MeasureCall& call, const MeasureText& text) const
    {
        const auto record = runs_.record(run, text);
        if (!record)
            return record.error();
        const auto& all = (*record)->report.events;
        const auto isKind = [&](const run::RunReport::Happened& e) { return e.kind == call.arguments[0]; };
        if (call.name == "count")
            return Value{static_cast<double>(std::ranges::count_if(all, isKind))};
        const auto first = std::ranges::find_if(all, isKind);
        return first == all.end() ? Result<Value>{badMeasure(text, "there was no such event")} : Result<Value>{Value{first->t}};
    }

    /// Names of what two runs differ in, unless an expression says it. Of measured data these are those that were measured.
    static std::vector<std::string> compared(const Record& mine, const Record& theirs, const MeasureCall& call)
    {
        if (call.arguments.size() == 2)
            return {call.arguments[1]};
        std::vector<std::string> out;
        const Record &all = mine.isMeasured() ? theirs : mine, &other = mine.isMeasured() ? mine : theirs;
        const std::size_t count = call.name == "deviation" ? all.positions : 2 * all.positions;
        const auto counts = [&](std::size_t i) {
            if (all.positions > 0)
                return i < count;
            // Equations: what is integrated, and its rates.
            const run::ColumnKind kind = all.columns[i].kind;
            return kind == run::ColumnKind::Position || (kind == run::ColumnKind::Velocity && call.name != "deviation");
        };
        for (std::size_t i = 0; i < all.columns.size(); ++i)
            if (counts(i) && (!other.isMeasured() || other.find(all.columns[i].name) >= 0))
                out.push_back(all.columns[i].name);
        return out;
    }

    Result<Value> distance(std::size_t run, const MeasureCall& call, const MeasureText& text) const
    {
        const auto index = other(call.arguments[0], text);
        if (!index)
            return index.error();
        const auto mine = runs_.record(run, text), theirs = runs_.record(*index, text);
        if (!mine || !theirs || (*theirs)->rowCount() == 0 || (*mine)->rowCount() == 0)
            return badMeasure(text, "one of the two runs has no record");
        double most = 0;
        bool any = false;
        const std::vector<std::string> differ = compared(**mine, **theirs, call);
        if (differ.empty())
            return badMeasure(text, "the two have no position and no velocity in common", "name a column: difference(RUN, E)");
        // Measured data say nothing between their times: there the run is interpolated, not they.
        const bool measured = (*theirs)->isMeasured();
        // What is interpolated is the one with more rows: over the long steps of the other one that would be the larger error.
        const bool fewer = call.name == "difference" && !(*mine)->isMeasured() && (*theirs)->rowCount() < (*mine)->rowCount();
        const Record &rows = measured || fewer ? **theirs : **mine, &between = measured || fewer ? **mine : **theirs;
        for (const std::string& e : differ) {
            const auto here = overRows(rows, e);
            if (!here)
                return badMeasure(text, here.error().text());
            const auto there = atTimesOf(rows, between, e);
            if (!there)
                return badMeasure(text, there.error().text());
            std::size_t r = call.name == "difference" ? 0 : here->size() - 1;
            while (measured && r > 0 && call.name != "difference" && std::isnan((*there)[r]))
                --r; // the run ends before the data
            for (; r < here->size(); ++r)
                if (const double d = std::abs((*here)[r] - (*there)[r]); !std::isnan(d)) {
                    most = std::max(most, d);
                    any = true;
                }
        }
        return any ? Result<Value>{Value{most}} : Result<Value>{badMeasure(text, "the two runs have no time in common")};
    }

    Result<Value> rows(std::size_t run, const MeasureCall& call, const MeasureText& text) const
    {
        if (const auto value = runs_.known(run, call))
            return *value;
        const auto found = runs_.record(run, text);
        if (!found)
            return found.error();
        const Record& record = **found;
        const auto values = overRows(record, call.arguments.back());
        if (!values)
            return badMeasure(text, values.error().text());
        if (const char* missing = missingEnd(record, *values, call.name))
            return badMeasure(text, missing);
        Samples samples;
        // Between two steps of opposite signs the sign is that of either of them: only steps alternate.
        const std::size_t rows = values->size() - (record.endsBetween && call.name == "alternations" ? 1 : 0);
        for (std::size_t r = 0; r < rows; ++r)
            if (!std::isnan((*values)[r])) {
                samples.t.push_back(record.time(r));
                samples.x.push_back((*values)[r]);
            }
        if (samples.x.empty())
            return badMeasure(text, record.rowCount() == 0 ? "the run has no record" : "it has no value in any row");
        return call.name == "at" ? atTime(samples, call.arguments[0], text)
                                 : reduced(record, samples, call.name, call.arguments.back(), text);
    }

    const Runs& runs_;
};

Result<Value> orNothing(const std::optional<Value>& value, const MeasureText& text)
{
    return value ? Result<Value>{*value} : Result<Value>{badMeasure(text, "it has no value in this run")};
}

Result<Value> finite(double x, const MeasureText& text)
{
    if (!std::isfinite(x))
        return badMeasure(text, "it has no value in this run");
    return Value{x};
}

Result<Value> numberNamed(const run::NamedNumbers& numbers, const std::string& name, const MeasureText& text)
{
    const auto found = std::ranges::find(numbers, name, &std::pair<std::string, double>::first);
    if (found == numbers.end())
        return badMeasure(text, "a run has no \"" + name.substr(0, 60) + "\"");
    return finite(found->second, text);
}

} // namespace

Result<Value> take(const Runs& runs, std::size_t run, const MeasureText& text)
{
    auto value = Taker(runs).take(run, text);
    if (const double* number = value ? std::get_if<double>(&*value) : nullptr; number && std::isnan(*number))
        return badMeasure(text, "it has no value in this run");
    return value;
}

Result<double> takeNumber(const Runs& runs, std::size_t run, const MeasureText& text)
{
    return Taker(runs).number(run, text, 0);
}

Result<Value> namedOf(const Record& record, const std::string& name, const MeasureText& text)
{
    const bool refused = !record.report.began;
    const NamedMeasure* named = findNamed(name);
    if (named && named->finished && (named->ofRefused || !refused))
        return orNothing(named->finished(record), text);
    if (refused)
        return badMeasure(text, "the run was refused", "steps, energy_error, max_residual.position, max(EXPRESSION), ...");
    const PrefixedMeasure* prefixed = findPrefixed(name);
    if (prefixed && prefixed->prefix == "state.")
        return numberNamed(record.report.state, name.substr(prefixed->prefix.size()), text);
    if (prefixed && prefixed->prefix == "parameter.")
        return numberNamed(record.report.parameters, name.substr(prefixed->prefix.size()), text);
    if (const int column = record.find(name); column > 0 && record.rowCount() > 0) {
        const double last = record.row(record.rowCount() - 1)[static_cast<std::size_t>(column)];
        return finite(last, text);
    }
    return badMeasure(text, "a run has no \"" + name.substr(0, 60) + "\"",
                      "steps, energy_error, max_residual.position, max(EXPRESSION), ...");
}

} // namespace driftless::measure
