// Expressions of a record's columns, evaluated row by row, and rows between rows.
#include "core/measure/Record.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "core/expr/Parse.h"
#include "core/expr/Tape.h"

namespace driftless::measure {

namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

/// An expression of the columns of a record, evaluated row by row.
class RowExpression {
public:
    static Result<RowExpression> compile(const Record& data, const std::string& text)
    {
        RowExpression out;
        std::vector<expr::Symbol> columns{{expr::SymbolKind::Time, "t", 0}};
        for (const run::Column& c : data.columns)
            columns.push_back({expr::SymbolKind::Parameter, "column " + c.name, 0});
        std::vector<expr::Symbol> parameters;
        std::vector<std::string> known;
        for (const auto& [name, value] : data.report.parameters) {
            parameters.push_back({expr::SymbolKind::Parameter, name, 0});
            out.parameters_.push_back(value);
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
    explicit Between(const Record& data) : data_(data), row_(data.width()) {}

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
    const Record& data_;
    std::vector<double> row_;
    std::size_t place_ = 0;
};

} // namespace

int findColumn(std::span<const run::Column> columns, std::string_view wanted)
{
    int found = -1;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const std::string& full = columns[i].name;
        if (full == wanted)
            return static_cast<int>(i);
        if (full.size() > wanted.size() && full.ends_with(wanted) && full[full.size() - wanted.size() - 1] == '.')
            found = found == -1 ? static_cast<int>(i) : -2;
    }
    return std::max(found, -1);
}

int Record::find(std::string_view wanted) const
{
    if (wanted == "t")
        return 0;
    const int column = findColumn(columns, wanted);
    return column < 0 ? -1 : column + 1;
}

Result<std::vector<double>> overRows(const Record& data, const std::string& expression)
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

Result<std::vector<double>> atTimesOf(const Record& data, const Record& other, const std::string& expression)
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

} // namespace driftless::measure
