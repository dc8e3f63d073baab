#include "core/study/Measure.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "core/expr/Parse.h"
#include "core/expr/Tape.h"
#include "core/run/Drift.h"
#include "core/study/MeasureSyntax.h"
#include "core/text/Names.h"
#include "core/text/Numbers.h"

namespace driftless::study {

namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

/// An expression of the columns of a record, evaluated row by row.
class RowExpression {
public:
    static Result<RowExpression> compile(const RunData& data, const std::string& text)
    {
        RowExpression out;
        std::vector<expr::Symbol> columns{{expr::SymbolKind::Time, "t", 0}};
        for (const run::Column& c : data.columns)
            columns.push_back({expr::SymbolKind::Parameter, "column " + c.name, 0});
        std::vector<expr::Symbol> parameters;
        std::vector<std::string> known;
        if (data.report.contains("parameters"))
            for (const auto& [name, value] : data.report.at("parameters").items()) {
                parameters.push_back({expr::SymbolKind::Parameter, name, 0});
                out.parameters_.push_back(value.is_number() ? value.get<double>() : kNothing);
                known.push_back(name);
            }
        for (const run::Column& c : data.columns)
            known.push_back(c.name);
        const auto lookup = [&](std::string_view name, int primes) -> std::optional<expr::Expr> {
            const std::string full = std::string(name) + std::string(static_cast<std::size_t>(primes), '\'');
            if (full == "t")
                return expr::time();
            if (const int column = data.find(full); column > 0)
                return expr::symbol(columns[static_cast<std::size_t>(column)]);
            for (const expr::Symbol& p : parameters)
                if (p.name == full)
                    return expr::symbol(p);
            return std::nullopt;
        };
        const auto parsed = expr::parse(text, lookup, {}, known);
        if (!parsed)
            return parsed.error();
        const std::vector<expr::Expr> outputs{*parsed};
        auto tape = expr::Tape::compile(outputs, {columns, parameters});
        if (!tape)
            return tape.error();
        out.tape_ = std::move(*tape);
        out.workspace_ = out.tape_.workspace();
        return out;
    }

    double operator()(std::span<const double> row)
    {
        double value = kNothing;
        return tape_.evaluate({row.data(), parameters_.data()}, &value, workspace_) ? value : kNothing;
    }

private:
    expr::Tape tape_;
    expr::TapeWorkspace workspace_;
    std::vector<double> parameters_;
};

/// The row of a record at a time between its rows.
class Between {
public:
    explicit Between(const RunData& data) : data_(data), row_(data.width()) {}

    /// nullptr beyond the record.
    const double* at(double t)
    {
        const std::size_t rows = data_.rowCount();
        if (rows == 0)
            return nullptr;
        while (place_ + 1 < rows && data_.time(place_ + 1) <= t)
            ++place_;
        const double t0 = data_.time(place_);
        const double t1 = place_ + 1 < rows ? data_.time(place_ + 1) : t0;
        // Times of equal steps are sums of round-off in another order.
        const double same = 64 * std::numeric_limits<double>::epsilon() * (1 + std::abs(t));
        if (std::abs(t - t0) <= same)
            return data_.row(place_).data();
        if (t1 > t0 && std::abs(t - t1) <= same)
            return data_.row(place_ + 1).data();
        if (!(t1 > t0) || t < t0 || t > t1)
            return nullptr;
        const auto a = data_.row(place_), b = data_.row(place_ + 1);
        const double h = t1 - t0, s = (t - t0) / h;
        for (std::size_t i = 0; i < row_.size(); ++i)
            row_[i] = a[i] + s * (b[i] - a[i]);
        row_[0] = t;
        const double s2 = s * s, s3 = s2 * s;
        for (std::size_t i = 1; i <= data_.positions; ++i) {
            const std::size_t v = i + data_.positions;
            row_[i] =
                (2 * s3 - 3 * s2 + 1) * a[i] + (s3 - 2 * s2 + s) * h * a[v] + (3 * s2 - 2 * s3) * b[i] + (s3 - s2) * h * b[v];
        }
        return row_.data();
    }

private:
    const RunData& data_;
    std::vector<double> row_;
    std::size_t place_ = 0;
};

class Taker {
public:
    explicit Taker(const Finished& finished) : finished_(finished) {}

    Result<Value> take(std::size_t run, const MeasureText& text, int depth = 0) const
    {
        if (depth > kDeepestMeasure)
            return badMeasure(text, "it is nested too deeply");
        const RunData* data = finished_.runs[run];
        if (!data)
            return badMeasure(text, "the run " + finished_.study->runs[run].name + " is not finished");
        const std::string trimmedText = trimmedMeasure(text.text);
        double number = 0;
        if (std::sscanf(trimmedText.c_str(), "%lf", &number) == 1)
            if (const auto value = run::parseNumber(trimmedText))
                return Value{*value};
        if (const auto call = asMeasureCall(trimmedText))
            return function(run, *data, *call, text, depth);
        return counter(run, *data, trimmedText, text);
    }

private:
    Result<Value> counter(std::size_t run, const RunData& data, const std::string& name, const MeasureText& text) const
    {
        const auto& variables = finished_.study->runs[run].variables;
        if (const auto found = variables.find(name); found != variables.end())
            return Value{found->second};
        if (name == "wall_seconds")
            return Value{data.wallSeconds};
        const auto& report = data.report;
        if (report.contains("stats") && report.at("stats").contains(name))
            return scalar(report.at("stats").at(name), text);
        const auto* at = &report;
        std::string rest = name;
        if (rest.rfind("state.", 0) == 0 && report.contains("state") && report.at("state").contains(rest.substr(6)))
            return scalar(report.at("state").at(rest.substr(6)), text);
        if (rest.rfind("parameter.", 0) == 0 && report.contains("parameters")
            && report.at("parameters").contains(rest.substr(10)))
            return scalar(report.at("parameters").at(rest.substr(10)), text);
        for (;;) {
            const auto dot = rest.find('.');
            const std::string part = rest.substr(0, dot);
            if (!at->is_object() || !at->contains(part))
                return badMeasure(text, data.status() == "refused" ? "the run was refused" : "a run has no \"" + part + "\"",
                                  "steps, energy_error, max_residual.position, max(EXPRESSION), ...");
            at = &at->at(part);
            if (dot == std::string::npos)
                break;
            rest = rest.substr(dot + 1);
        }
        return scalar(*at, text);
    }

    static Result<Value> scalar(const nlohmann::ordered_json& j, const MeasureText& text)
    {
        if (j.is_number())
            return Value{j.get<double>()};
        if (j.is_string())
            return Value{j.get<std::string>()};
        return badMeasure(text, j.is_null() ? "it has no value in this run" : "this is no number and no word");
    }

    Result<std::size_t> other(const std::string& name, const MeasureText& text) const
    {
        for (std::size_t i = 0; i < finished_.study->runs.size(); ++i)
            if (finished_.study->runs[i].name == name)
                return i;
        return badMeasure(text, "there is no run \"" + name.substr(0, 60) + "\"");
    }

    Result<Value> function(std::size_t run, const RunData& data, const MeasureCall& call, const MeasureText& text,
                           int depth) const
    {
        const auto& a = call.arguments;
        if (call.name == "of" && a.size() == 2) {
            const auto index = other(a[0], text);
            return index ? take(*index, {a[1], text.position}, depth + 1) : Result<Value>{index.error()};
        }
        if (call.name == "ratio" && a.size() == 2) {
            const auto x = number(run, {a[0], text.position}, depth), y = number(run, {a[1], text.position}, depth);
            return !x ? Result<Value>{x.error()} : !y ? Result<Value>{y.error()} : Result<Value>{Value{*x / *y}};
        }
        if (call.name == "log10" && a.size() == 1) {
            const auto x = number(run, {a[0], text.position}, depth);
            return x ? Result<Value>{Value{std::log10(*x)}} : Result<Value>{x.error()};
        }
        if (call.name == "slope" && a.size() == 2)
            return slope(run, a[0], {a[1], text.position}, depth);
        if ((call.name == "count" || call.name == "time") && a.size() == 1)
            return events(data, call, text);
        if ((call.name == "difference" || call.name == "error") && (a.size() == 1 || a.size() == 2))
            return distance(data, call, text);
        return rows(data, call, text);
    }

    Result<double> number(std::size_t run, const MeasureText& text, int depth) const
    {
        const auto value = take(run, text, depth + 1);
        if (!value)
            return value.error();
        if (const double* number = std::get_if<double>(&*value))
            return *number;
        return badMeasure(text, "it is a word, not a number");
    }

    Result<Value> slope(std::size_t run, const std::string& variable, const MeasureText& of, int depth) const
    {
        std::vector<double> x, y;
        for (std::size_t i = 0; i < finished_.study->runs.size(); ++i) {
            const PlannedRun& other = finished_.study->runs[i];
            const auto at = other.variables.find(variable);
            if (other.family != finished_.study->runs[run].family || at == other.variables.end())
                continue;
            const auto value = number(i, of, depth);
            if (!value)
                return value.error();
            if (!(at->second > 0) || !(*value > 0))
                return badMeasure(of, "a logarithm needs values above zero");
            x.push_back(std::log(at->second));
            y.push_back(std::log(*value));
        }
        const auto n = static_cast<double>(x.size());
        double sx = 0, sy = 0, sxx = 0, sxy = 0;
        for (std::size_t i = 0; i < x.size(); ++i) {
            sx += x[i];
            sy += y[i];
            sxx += x[i] * x[i];
            sxy += x[i] * y[i];
        }
        if (x.size() < 2 || !(n * sxx - sx * sx > 0))
            return badMeasure(of, "a slope needs two runs of the family with different \"" + variable + "\"");
        return Value{(n * sxy - sx * sy) / (n * sxx - sx * sx)};
    }

    Result<Value> events(const RunData& data, const MeasureCall& call, const MeasureText& text) const
    {
        double count = 0, first = kNothing;
        if (data.report.contains("events"))
            for (const auto& event : data.report.at("events"))
                if (event.at("kind") == call.arguments[0]) {
                    if (count == 0)
                        first = event.at("t").get<double>();
                    ++count;
                }
        if (call.name == "count")
            return Value{count};
        return count > 0 ? Result<Value>{Value{first}} : Result<Value>{badMeasure(text, "there was no such event")};
    }

    Result<Value> distance(const RunData& data, const MeasureCall& call, const MeasureText& text) const
    {
        const auto index = other(call.arguments[0], text);
        if (!index)
            return index.error();
        const RunData* reference = finished_.runs[*index];
        if (!reference || reference->rowCount() == 0 || data.rowCount() == 0)
            return badMeasure(text, "one of the two runs has no record");
        std::vector<std::string> expressions;
        if (call.arguments.size() == 2)
            expressions.push_back(call.arguments[1]);
        else
            for (std::size_t i = 0; i < 2 * data.positions; ++i)
                expressions.push_back(data.columns[i].name);
        double most = 0;
        bool any = false;
        for (const std::string& e : expressions) {
            const auto mine = overRows(data, e);
            if (!mine)
                return badMeasure(text, mine.error().text());
            const auto theirs = atTimesOf(data, *reference, e);
            if (!theirs)
                return badMeasure(text, theirs.error().text());
            for (std::size_t r = call.name == "error" ? mine->size() - 1 : 0; r < mine->size(); ++r)
                if (const double d = std::abs((*mine)[r] - (*theirs)[r]); !std::isnan(d)) {
                    most = std::max(most, d);
                    any = true;
                }
        }
        return any ? Result<Value>{Value{most}} : Result<Value>{badMeasure(text, "the two runs have no time in common")};
    }

    Result<Value> rows(const RunData& data, const MeasureCall& call, const MeasureText& text) const
    {
        const bool at = call.name == "at";
        if (call.arguments.size() != (at ? 2u : 1u))
            return badMeasure(text, "\"" + call.name + "\" is no measure, or not with so many parts");
        const auto values = overRows(data, call.arguments.back());
        if (!values)
            return badMeasure(text, values.error().text());
        std::vector<double> t, x;
        for (std::size_t r = 0; r < values->size(); ++r)
            if (!std::isnan((*values)[r])) {
                t.push_back(data.time(r));
                x.push_back((*values)[r]);
            }
        if (x.empty())
            return badMeasure(text, data.rowCount() == 0 ? "the run has no record" : "it has no value in any row");
        return at ? atTime(t, x, call.arguments[0], text) : reduce(data, t, x, call.name, text);
    }

    static Result<Value> atTime(const std::vector<double>& t, const std::vector<double>& x, const std::string& when,
                                const MeasureText& text)
    {
        const auto wanted = run::parseNumber(when);
        if (!wanted)
            return badMeasure(text, wanted.error().text());
        const double apart =
            t.size() > 1 ? t.back() - t[t.size() - 2] : 0; // what is asked for between two rows has a nearest one
        if (*wanted > t.back() + apart || *wanted < t.front() - apart)
            return badMeasure(text,
                              *wanted > t.back() ? "the run ends before t = " + when : "the run begins after t = " + when);
        std::size_t best = 0;
        for (std::size_t i = 0; i < t.size(); ++i)
            if (std::abs(t[i] - *wanted) <= std::abs(t[best] - *wanted))
                best = i;
        return Value{x[best]};
    }

    static Result<Value> reduce(const RunData& data, const std::vector<double>& t, const std::vector<double>& x,
                                const std::string& name, const MeasureText& text)
    {
        if (name == "first")
            return Value{x.front()};
        if (name == "last")
            return Value{x.back()};
        if (name == "max")
            return Value{*std::max_element(x.begin(), x.end())};
        if (name == "min")
            return Value{*std::min_element(x.begin(), x.end())};
        double sum = 0, squares = 0, changes = 0;
        for (std::size_t i = 0; i < x.size(); ++i) {
            sum += x[i];
            squares += x[i] * x[i];
            changes += i > 0 && x[i] * x[i - 1] < 0;
        }
        if (name == "mean")
            return Value{sum / static_cast<double>(x.size())};
        if (name == "rms")
            return Value{std::sqrt(squares / static_cast<double>(x.size()))};
        if (name == "alternations")
            return Value{changes};
        if (name == "drift")
            return Value{run::classifyDrift(t, x, data.report.value("tolerance", 0.0))};
        if (name == "growth") {
            const auto half = std::lower_bound(t.begin(), t.end() - 1, t.front() / 2 + t.back() / 2) - t.begin();
            return Value{x.back() / x[static_cast<std::size_t>(half)]};
        }
        return badMeasure(text, "\"" + name + "\" is no measure",
                          "first, last, max, min, mean, rms, at, alternations, drift, growth, ...");
    }

    const Finished& finished_;
};

} // namespace

std::string shown(const Value& value, int digits)
{
    if (const auto* word = std::get_if<std::string>(&value))
        return *word;
    const double x = std::get<double>(value);
    const bool whole = x == std::floor(x) && std::abs(x) < 1e15;
    return whole ? text::fixed(x, 0) : text::rounded(x, digits);
}

Result<Value> measure(const Finished& finished, std::size_t run, const MeasureText& text)
{
    return Taker(finished).take(run, text);
}

Result<double> measureNumber(const Finished& finished, std::size_t run, const MeasureText& text)
{
    const auto value = measure(finished, run, text);
    if (!value)
        return value.error();
    if (const double* number = std::get_if<double>(&*value))
        return *number;
    return badMeasure(text, "it is a word, not a number");
}

Result<std::vector<double>> overRows(const RunData& data, const std::string& expression)
{
    auto compiled = RowExpression::compile(data, expression);
    if (!compiled)
        return compiled.error();
    std::vector<double> out;
    out.reserve(data.rowCount());
    for (std::size_t r = 0; r < data.rowCount(); ++r)
        out.push_back((*compiled)(data.row(r)));
    return out;
}

Result<std::vector<double>> atTimesOf(const RunData& data, const RunData& other, const std::string& expression)
{
    auto compiled = RowExpression::compile(other, expression);
    if (!compiled)
        return compiled.error();
    Between between(other);
    std::vector<double> out;
    out.reserve(data.rowCount());
    for (std::size_t r = 0; r < data.rowCount(); ++r) {
        const double* row = between.at(data.time(r));
        out.push_back(row ? (*compiled)({row, other.width()}) : kNothing);
    }
    return out;
}

} // namespace driftless::study
