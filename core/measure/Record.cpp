// Expressions of a record's columns, evaluated row by row.
#include "core/measure/Record.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "core/expr/Parse.h"
#include "core/expr/Tape.h"
#include "core/measure/Between.h"
#include "core/measure/Meaning.h"

namespace driftless::measure {

namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

class NamesOfRecord final : public NamesOfRows {
public:
    explicit NamesOfRecord(const Record& data) : data_(data) {}
    bool isColumn(const std::string& name) const override { return data_.find(name) > 0; }
    bool isParameter(const std::string& name) const override
    {
        const auto& all = data_.report.parameters;
        return std::ranges::find(all, name, &std::pair<std::string, double>::first) != all.end();
    }

private:
    const Record& data_;
};

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
        const NamesOfRecord names(data);
        std::optional<Diagnostic> clash;
        const auto lookup = [&](std::string_view name, int primes) -> std::optional<expr::Expr> {
            const Meaning meant = meaningOf(std::string(name) + std::string(static_cast<std::size_t>(primes), '\''), names);
            switch (meant.kind) {
            case Meaning::Kind::Time:
                return expr::time();
            case Meaning::Kind::Column:
                return expr::symbol(columns[static_cast<std::size_t>(data.find(meant.name))]);
            case Meaning::Kind::Parameter:
                return expr::symbol(*std::ranges::find(parameters, meant.name, &expr::Symbol::name));
            case Meaning::Kind::Both:
                clash = ambiguous(meant.name);
                break;
            case Meaning::Kind::Nothing:
                break;
            }
            return std::nullopt;
        };
        const auto parsed = expr::parse(text, lookup, {}, known);
        if (clash)
            return *clash;
        if (!parsed)
            return parsed.error();
        const std::vector<expr::Expr> outputs{*parsed};
        auto tape = expr::Tape::compile(outputs, {columns, parameters});
        if (!tape)
            return tape.error();
        out.tape_ = std::move(*tape);
        out.workspace_ = out.tape_.workspace();
        out.changes_ = data.parameters;
        return out;
    }

    double operator()(std::span<const double> row, Copy copy)
    {
        takeParameters(row[0], copy);
        double value = kNothing;
        return tape_.evaluate({row.data(), parameters_.data()}, &value, workspace_) ? value : kNothing;
    }

private:
    /// Of several rows at one time the first one is before what changes there, the last one behind it.
    void takeParameters(double t, Copy copy)
    {
        if (changes_.empty())
            return;
        const auto before = std::ranges::lower_bound(changes_, t, {}, &run::ParametersSince::t);
        const auto behind = std::ranges::upper_bound(changes_, t, {}, &run::ParametersSince::t);
        const std::ptrdiff_t most = behind - before;
        const std::ptrdiff_t taken =
            copy.place + 1 == copy.count ? most : std::min(static_cast<std::ptrdiff_t>(copy.place), most);
        const auto place = std::max<std::ptrdiff_t>(1, before - changes_.begin() + taken) - 1;
        parameters_ = changes_[static_cast<std::size_t>(place)].values;
    }

    expr::Tape tape_;
    expr::TapeWorkspace workspace_;
    std::vector<double> parameters_;
    std::span<const run::ParametersSince> changes_;
};

/// Calls once for each row.
template <class Visit>
void visitRows(const Record& data, const Visit& visit)
{
    const std::size_t rows = data.rowCount();
    for (std::size_t r = 0; r < rows;) {
        std::size_t end = r + 1;
        while (end < rows && data.time(end) == data.time(r))
            ++end;
        for (Copy copy{.place = 0, .count = end - r}; copy.place < copy.count; ++copy.place)
            visit(r + copy.place, copy);
        r = end;
    }
}

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
    visitRows(data, [&](std::size_t r, Copy copy) { out.push_back((*compiled)(data.row(r), copy)); });
    return out;
}

Result<double> valueAt(const Record& data, double t, const std::string& expression)
{
    auto compiled = RowExpression::compile(data, expression);
    if (!compiled)
        return compiled.error();
    Between between(data);
    const double* row = between.at(t, {});
    return row ? (*compiled)({row, data.width()}, {}) : kNothing;
}

Result<std::vector<double>> atTimesOf(const Record& data, const Record& other, const std::string& expression)
{
    auto compiled = RowExpression::compile(other, expression);
    if (!compiled)
        return compiled.error();
    Between between(other);
    std::vector<double> out;
    out.reserve(data.rowCount());
    visitRows(data, [&](std::size_t r, Copy copy) {
        const double* row = between.at(data.time(r), copy);
        out.push_back(row ? (*compiled)({row, other.width()}, copy) : kNothing);
    });
    return out;
}

} // namespace driftless::measure
