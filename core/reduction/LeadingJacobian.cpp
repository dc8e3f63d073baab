#include "core/reduction/LeadingJacobian.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/Index.h"
#include "core/expr/Tape.h"

namespace driftless::reduction {

namespace {

constexpr int kPoints = 3;
constexpr int kTrials = 12;
/// Pivots below this, after equilibration, are zero: round-off of a few hundred operations is 1e-13.
constexpr double kZeroPivot = 1e-10;

/// Scales rows, and columns if asked, to largest entry 1, three times in turn.
void equilibrate(std::vector<double>& m, int rows, int columns, bool scaleColumns)
{
    for (int sweep = 0; sweep < 3; ++sweep) {
        for (int i = 0; i < rows; ++i) {
            double largest = 0;
            for (int j = 0; j < columns; ++j)
                largest = std::max(largest, std::abs(m[at(i * columns + j)]));
            for (int j = 0; j < columns && largest > 0; ++j)
                m[at(i * columns + j)] /= largest;
        }
        for (int j = 0; j < columns && scaleColumns; ++j) {
            double largest = 0;
            for (int i = 0; i < rows; ++i)
                largest = std::max(largest, std::abs(m[at(i * columns + j)]));
            for (int i = 0; i < rows && largest > 0; ++i)
                m[at(i * columns + j)] /= largest;
        }
    }
}

} // namespace

LeadingJacobian::LeadingJacobian(const model::EquationSystem& system, const std::map<std::string, double>& near,
                                 const structure::Signature& signature, const std::vector<int>& c, const std::vector<int>& d)
    : system_(system)
{
    for (int i = 0; i < signature.size(); ++i) {
        rowStarts_.push_back(entries_.size());
        for (const structure::SignatureEntry& e : signature.rows[at(i)])
            if (e.order + c[at(i)] == d[at(e.column)])
                entries_.push_back(
                    {i, e.column,
                     expr::derivative(system.equations[at(i)].residual, {.kind = expr::SymbolKind::Variable,
                                                                         .name = system.unknowns[at(e.column)].quantity.name,
                                                                         .order = e.order})});
    }
    rowStarts_.push_back(entries_.size());
    const auto given = [&near](const model::Quantity& q) {
        const auto found = near.find(q.name);
        return found == near.end() ? q.value : found->second;
    };
    for (const auto& p : system_.parameters)
        start_[p.quantity.name] = given(p.quantity);
    for (const auto& held : system_.held)
        start_[held.quantity.name] = given(held.of < 0 ? held.quantity : system_.held[at(held.of)].quantity);
    for (const auto& x : system_.unknowns) {
        const double value = given(x.quantity);
        start_[x.quantity.name] = value;
        size_[x.quantity.name] = value == 0 ? 1 : std::abs(value);
    }
}

bool LeadingJacobian::take(double span, const Draw& position, const Draw& rate, std::string& why)
{
    std::uniform_real_distribution<double> noise(-1, 1);
    std::vector<double> point;
    for (const expr::Symbol& s : symbols_) {
        if (s.kind == expr::SymbolKind::Parameter)
            point.push_back(start_[s.name]);
        else if (s.kind == expr::SymbolKind::Time)
            point.push_back(span * (1 + 0.5 * noise(generator_)));
        else
            point.push_back(
                (s.order == 0 ? position : rate)(noise(generator_), size_[s.name], s.order == 0 ? start_[s.name] : 0));
    }
    std::vector<double> out(entries_.size());
    if (tape_.evaluate({point.data()}, out.data(), workspace_)) {
        values_.push_back(std::move(out));
        return true;
    }
    if (const auto left = tape_.locate({point.data()}))
        why = left->expression + ": " + left->reason;
    return false;
}

bool LeadingJacobian::evaluate(std::string& why)
{
    std::vector<expr::Expr> outputs;
    symbols_ = {{.kind = expr::SymbolKind::Time, .name = "t"}};
    for (const LeadingEntry& e : entries_) {
        outputs.push_back(e.value);
        for (const expr::Symbol& s : expr::symbolsOf(e.value))
            symbols_.push_back(s);
    }
    std::sort(symbols_.begin(), symbols_.end());
    symbols_.erase(std::unique(symbols_.begin(), symbols_.end()), symbols_.end());
    auto tape = expr::Tape::compile(outputs, {symbols_});
    if (!tape) {
        why = tape.error().text();
        return false;
    }
    tape_ = std::move(*tape);
    workspace_ = tape_.workspace();
    // Near the start first, closely at t = 0 too, because exponentials spread entries beyond what a rank can be told from;
    // where that leaves the domain, at positive values of the start's size.
    for (int trial = 0; trial < kTrials && points() < kPoints; ++trial) {
        const double spread = std::array{0.1, 0.03, 0.3}[at(trial % 3)], span = std::array{0.1, 1e-6, 1.0}[at(trial % 3)];
        const Draw near = [spread](double noise, double size, double start) {
            return start + spread * noise * (start == 0 ? 1 : size);
        };
        const Draw positive = [](double noise, double size, double) { return size * (0.7 + 0.5 * noise); };
        const bool close = trial < kTrials / 2;
        take(span, close ? near : positive, close ? near : positive, why);
    }
    return !values_.empty();
}

void LeadingJacobian::lookFurther()
{
    std::string why;
    for (const double factor : {1.0, 10.0, 100.0, 1000.0}) {
        const Draw far = [factor](double noise, double size, double) {
            return factor * std::max(size, 1.0) * (0.7 + 0.5 * noise);
        };
        const Draw rate = [](double noise, double size, double) { return size * (0.7 + 0.5 * noise); };
        take(1, far, rate, why);
    }
}

std::vector<double> LeadingJacobian::dense(std::span<const int> rows, std::span<const int> columns, int point) const
{
    std::unordered_map<int, std::size_t> place;
    for (std::size_t k = 0; k < columns.size(); ++k)
        place.emplace(columns[k], k);
    std::vector<double> out(rows.size() * columns.size());
    for (std::size_t r = 0; r < rows.size(); ++r)
        for (std::size_t k = rowStarts_[at(rows[r])]; k < rowStarts_[at(rows[r] + 1)]; ++k)
            if (const auto found = place.find(entries_[k].column); found != place.end())
                out[r * columns.size() + found->second] = values_[at(point)][k];
    return out;
}

RankResult rankOf(std::vector<double> m, int rows, int columns, bool scaleColumns)
{
    equilibrate(m, rows, columns, scaleColumns);
    RankResult out;
    std::vector<char> usedRow(at(rows)), usedColumn(at(columns));
    for (int step = 0; step < std::min(rows, columns); ++step) {
        int p = -1, q = -1;
        double largest = kZeroPivot;
        for (int i = 0; i < rows; ++i)
            for (int j = 0; j < columns && !usedRow[at(i)]; ++j)
                if (!usedColumn[at(j)] && std::abs(m[at(i * columns + j)]) > largest) {
                    largest = std::abs(m[at(i * columns + j)]);
                    p = i;
                    q = j;
                }
        if (p < 0)
            break;
        usedRow[at(p)] = usedColumn[at(q)] = 1;
        out.pivotRows.push_back(p);
        out.pivotColumns.push_back(q);
        ++out.rank;
        for (int i = 0; i < rows; ++i) {
            const double factor = m[at(i * columns + q)] / m[at(p * columns + q)];
            if (usedRow[at(i)] || factor == 0)
                continue;
            for (int j = 0; j < columns; ++j)
                m[at(i * columns + j)] -= factor * m[at(p * columns + j)];
        }
    }
    return out;
}

std::vector<std::vector<double>> leftNullVectors(const std::vector<double>& matrix, int n)
{
    // Columns are scaled, rows only for the choice of pivots: a combination of rows must not change its meaning.
    const RankResult pivots = rankOf(matrix, n, n);
    std::vector<std::vector<double>> out;
    for (int free = 0; free < n; ++free) {
        if (std::find(pivots.pivotRows.begin(), pivots.pivotRows.end(), free) != pivots.pivotRows.end())
            continue;
        // Solve u_P^T M_PC = -M_fC on the pivot rows and columns by elimination with partial pivoting.
        const int r = pivots.rank;
        std::vector<double> a(at(r * (r + 1)));
        for (int i = 0; i < r; ++i) {
            for (int k = 0; k < r; ++k)
                a[at(i * (r + 1) + k)] = matrix[at(pivots.pivotRows[at(k)] * n + pivots.pivotColumns[at(i)])];
            a[at(i * (r + 1) + r)] = -matrix[at(free * n + pivots.pivotColumns[at(i)])];
        }
        bool regular = true;
        for (int k = 0; k < r && regular; ++k) {
            int p = k;
            for (int i = k; i < r; ++i)
                if (std::abs(a[at(i * (r + 1) + k)]) > std::abs(a[at(p * (r + 1) + k)]))
                    p = i;
            regular = a[at(p * (r + 1) + k)] != 0;
            for (int j = 0; j <= r; ++j)
                std::swap(a[at(p * (r + 1) + j)], a[at(k * (r + 1) + j)]);
            for (int i = 0; i < r && regular; ++i) {
                const double factor = a[at(i * (r + 1) + k)] / a[at(k * (r + 1) + k)];
                for (int j = k; j <= r && i != k; ++j)
                    a[at(i * (r + 1) + j)] -= factor * a[at(k * (r + 1) + j)];
            }
        }
        if (!regular)
            continue;
        std::vector<double> u(at(n));
        u[at(free)] = 1;
        for (int k = 0; k < r; ++k) {
            const double value = a[at(k * (r + 1) + r)] / a[at(k * (r + 1) + k)];
            u[at(pivots.pivotRows[at(k)])] = std::abs(value) < kZeroPivot ? 0 : value;
        }
        out.push_back(std::move(u));
    }
    return out;
}

} // namespace driftless::reduction
