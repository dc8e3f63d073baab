#include "core/reduction/Combination.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "core/base/Index.h"
#include "core/expr/Node.h"
#include "core/expr/Print.h"
#include "core/solve/DenseDecompositions.h"

namespace driftless::reduction {

namespace {

using expr::Expr;
using expr::Number;

/// Rational rows over one column for each pair (unknown, function).
struct Multiples {
    std::vector<std::vector<Number>> rows;
    bool exact = true;
};

Multiples multiplesOf(const LeadingJacobian& jacobian, const structure::Block& block)
{
    const auto m = block.equations.size();
    Multiples out{std::vector<std::vector<Number>>(m), true};
    std::vector<std::pair<int, Expr>> columns;
    const auto columnOf = [&](int unknown, const Expr& function) {
        const auto found = std::find_if(columns.begin(), columns.end(),
                                        [&](const auto& c) { return c.first == unknown && c.second.sameAs(function); });
        if (found != columns.end())
            return static_cast<std::size_t>(found - columns.begin());
        columns.emplace_back(unknown, function);
        for (auto& row : out.rows)
            row.resize(columns.size());
        return columns.size() - 1;
    };
    for (const LeadingEntry& e : jacobian.entries()) {
        const auto row = std::find(block.equations.begin(), block.equations.end(), e.row);
        if (row == block.equations.end()
            || std::find(block.unknowns.begin(), block.unknowns.end(), e.column) == block.unknowns.end())
            continue;
        for (const Expr& term : expr::termsOf(expr::expand(e.value))) {
            const expr::Node& n = term.node();
            const bool number = n.op == expr::Op::Constant, scaledProduct = n.op == expr::Op::Mul;
            const Number factor = number || scaledProduct ? n.number : Number::integer(1);
            const Expr rest = scaledProduct ? expr::product(n.args) : term;
            const Expr function = number ? Expr(1) : rest;
            Number& place = out.rows[static_cast<std::size_t>(row - block.equations.begin())][columnOf(e.column, function)];
            place = place + factor;
            out.exact = out.exact && place.exact();
        }
    }
    return out;
}

/// Rows of `m` reduced to echelon form, pivots 1; false where a number outgrows its fraction.
bool toEchelonForm(std::vector<std::vector<Number>>& m, std::vector<std::size_t>& pivots)
{
    const std::size_t columns = m.empty() ? 0 : m.front().size();
    for (std::size_t column = 0, row = 0; column < columns && row < m.size(); ++column) {
        std::size_t from = row;
        while (from < m.size() && m[from][column].isZero())
            ++from;
        if (from == m.size())
            continue;
        std::swap(m[from], m[row]);
        const Number inverse = Number::ratio(m[row][column].denominator, m[row][column].numerator);
        for (Number& v : m[row]) {
            v = v * inverse;
            if (!v.exact())
                return false;
        }
        for (std::size_t i = 0; i < m.size(); ++i) {
            const Number factor = -m[i][column];
            if (i == row || factor.isZero())
                continue;
            for (std::size_t j = column; j < columns; ++j) {
                m[i][j] = m[i][j] + factor * m[row][j];
                if (!m[i][j].exact())
                    return false;
            }
        }
        pivots.push_back(column);
        ++row;
    }
    return true;
}

/// det of the k x k matrix whose rows and columns are given, by expansion: k is small.
Expr determinant(const std::vector<std::vector<Expr>>& m, const std::vector<int>& rows)
{
    const std::size_t k = rows.size();
    if (k == 0)
        return Expr(1);
    std::vector<Expr> terms;
    for (std::size_t i = 0; i < k; ++i) {
        const Expr& entry = m[at(rows[i])][k - 1];
        if (entry.isZero())
            continue;
        std::vector<int> rest = rows;
        rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
        const Expr minor = entry * determinant(m, rest);
        terms.push_back((i + k - 1) % 2 == 0 ? minor : -minor);
    }
    return expr::sum(terms);
}

/// The smallest support among the null vectors of the block at the first point; rows of the block.
std::vector<int> smallestSupport(const std::vector<double>& dense, int m)
{
    std::vector<int> best;
    for (const auto& u : leftNullVectors(dense, m)) {
        std::vector<int> support;
        for (int i = 0; i < m; ++i)
            if (u[at(i)] != 0)
                support.push_back(i);
        if (best.empty() || support.size() < best.size())
            best = support;
    }
    return best;
}

bool dividesByState(const Expr& e)
{
    const auto nodes = expr::postorder(std::span(&e, 1));
    return std::any_of(nodes.begin(), nodes.end(), [](const Expr* x) {
        const expr::Node& n = x->node();
        if (n.op != expr::Op::Pow)
            return false;
        const auto exponent = n.args[1].constantValue();
        const auto symbols = expr::symbolsOf(n.args[0]);
        const bool state = std::any_of(symbols.begin(), symbols.end(),
                                       [](const expr::Symbol& s) { return s.kind != expr::SymbolKind::Parameter; });
        return !exponent || (*exponent < 0 && state);
    });
}

std::string factorText(const Expr& u)
{
    const std::string text = expr::printShort(u);
    return expr::termsOf(u).size() > 1 ? "(" + text + ")" : text;
}

} // namespace

std::optional<Combination> constantCombination(const LeadingJacobian& jacobian, const structure::Block& block)
{
    const Multiples multiples = multiplesOf(jacobian, block);
    const std::size_t m = multiples.rows.size();
    if (!multiples.exact || m == 0)
        return std::nullopt;
    const std::size_t columns = multiples.rows.front().size();
    std::vector<std::vector<Number>> transposed(columns, std::vector<Number>(m));
    for (std::size_t i = 0; i < m; ++i)
        for (std::size_t k = 0; k < multiples.rows[i].size(); ++k)
            transposed[k][i] = multiples.rows[i][k];
    std::vector<std::size_t> pivots;
    if (!toEchelonForm(transposed, pivots))
        return std::nullopt;
    std::optional<Combination> best;
    for (std::size_t free = 0; free < m; ++free) {
        if (std::find(pivots.begin(), pivots.end(), free) != pivots.end())
            continue;
        Combination candidate;
        for (std::size_t k = 0; k < pivots.size(); ++k)
            if (const Number u = -transposed[k][free]; !u.isZero())
                candidate.emplace_back(block.equations[pivots[k]], expr::constant(u));
        candidate.emplace_back(block.equations[free], Expr(1));
        if (!best || candidate.size() < best->size())
            best = candidate;
    }
    return best;
}

std::optional<Combination> stateCombination(const LeadingJacobian& jacobian, const structure::Block& block)
{
    const int m = static_cast<int>(block.equations.size());
    const auto dense = jacobian.dense(block.equations, block.unknowns, 0);
    const std::vector<int> support = smallestSupport(dense, m);
    const int k = static_cast<int>(support.size());
    if (k < 2 || k > kMostSupport)
        return std::nullopt;
    std::vector<double> rows;
    for (const int i : support)
        rows.insert(rows.end(), dense.begin() + i * m, dense.begin() + (i + 1) * m);
    const RankResult rank = rankOf(rows, k, m);
    if (rank.rank != k - 1)
        return std::nullopt;
    std::vector<std::vector<Expr>> entries(at(k), std::vector<Expr>(at(k - 1)));
    for (const LeadingEntry& e : jacobian.entries())
        for (int i = 0; i < k; ++i)
            for (int j = 0; j < k - 1; ++j)
                if (e.row == block.equations[at(support[at(i)])] && e.column == block.unknowns[at(rank.pivotColumns[at(j)])])
                    entries[at(i)][at(j)] = e.value;
    Combination out;
    for (int i = 0; i < k; ++i) {
        std::vector<int> others;
        for (int other = 0; other < k; ++other)
            if (other != i)
                others.push_back(other);
        const Expr minor = determinant(entries, others);
        if (!minor.isZero())
            out.emplace_back(block.equations[at(support[at(i)])], i % 2 == 0 ? minor : -minor);
    }
    return out.size() < 2 ? std::nullopt : std::optional(out);
}

int replacedRow(const EquationAnalysis& analysis, const Combination& combination)
{
    const auto& c = analysis.structure.pantelides.c;
    return std::min_element(combination.begin(), combination.end(),
                            [&c](const auto& a, const auto& b) { return c[at(a.first)] < c[at(b.first)]; })
        ->first;
}

std::optional<Combination> normalised(const Combination& combination, int row)
{
    Combination order = combination;
    std::stable_partition(order.begin(), order.end(), [row](const auto& p) { return p.first == row; });
    for (const auto& [i, divisor] : order) {
        Combination out = combination;
        for (auto& [k, u] : out)
            u = u / divisor;
        if (std::none_of(out.begin(), out.end(), [](const auto& p) { return dividesByState(p.second); }))
            return out;
    }
    return std::nullopt;
}

Elimination eliminate(model::EquationSystem& system, const EquationAnalysis& analysis, const Combination& combination)
{
    const auto& c = analysis.structure.pantelides.c;
    const int row = replacedRow(analysis, combination), theta = c[at(row)];
    Elimination out;
    std::vector<Expr> terms;
    for (const auto& [i, u] : combination) {
        const int times = c[at(i)] - theta;
        terms.push_back(u * expr::timeDerivative(system.equations[at(i)].residual, times));
        const auto value = u.constantValue();
        const bool negative = (value && *value < 0) || (u.node().op == expr::Op::Mul && u.node().number.negative());
        const std::string factor = factorText(negative ? -u : u);
        if (out.combination.empty())
            out.combination += negative ? "-" : "";
        else
            out.combination += negative ? " - " : " + ";
        out.combination +=
            (factor == "1" ? "" : factor + " ") + structure::derivativeName(analysis.names.equations[at(i)], times);
        if (i == row && !value)
            out.condition = expr::printShort(u) + " is not zero";
    }
    const Expr residual = expr::expand(expr::sum(terms));
    out.equation = system.equations[at(row)].name;
    out.result = "0 = " + expr::printShort(residual);
    system.equations[at(row)].residual = residual;
    return out;
}

bool coefficientsStayBelow(const Combination& combination, int row, const EquationAnalysis& next)
{
    const auto& p = next.structure.pantelides;
    for (const auto& [i, u] : combination)
        for (const expr::Symbol& s : expr::symbolsOf(u))
            for (std::size_t j = 0; s.kind == expr::SymbolKind::Variable && j < next.names.unknowns.size(); ++j)
                if (next.names.unknowns[j] == s.name && s.order >= p.d[j] - p.c[at(row)])
                    return false;
    return true;
}

Differentiations::Differentiations(const model::EquationSystem& system) : rows_(system.equations.size())
{
    for (std::size_t i = 0; i < rows_.size(); ++i)
        rows_[i][i] = {1};
    for (const auto& p : system.parameters)
        start_[p.quantity.name] = p.quantity.value;
    for (const auto& held : system.held)
        start_[held.quantity.name] = held.quantity.value;
    for (const auto& x : system.unknowns)
        start_[x.quantity.name] = x.quantity.value;
}

/// Each symbol has one value, so that what cancels cancels: the start, moved by a number between 0.1 and 1 that its name gives.
std::optional<double> Differentiations::valueOf(const expr::Expr& e) const
{
    return expr::evaluate(e, [this](const expr::Symbol& s) -> std::optional<double> {
        const auto found = start_.find(s.name);
        const double start = found == start_.end() || s.order > 0 ? 0 : found->second;
        if (s.kind == expr::SymbolKind::Parameter)
            return start;
        std::uint32_t hash = 2166136261u; // FNV-1a: the same in every build
        for (const char letter : s.text())
            hash = (hash ^ static_cast<std::uint32_t>(static_cast<unsigned char>(letter))) * 16777619u;
        return start
               + (0.1 + 0.9 * static_cast<double>(hash % 1'000'003u) / 1'000'003) * (start == 0 ? 1 : 0.1 * std::abs(start));
    });
}

void Differentiations::add(Row& to, const Row& from, double factor, int shift) const
{
    for (const auto& [equation, coefficients] : from) {
        std::vector<double>& sum = to[equation];
        sum.resize(std::max(sum.size(), coefficients.size() + at(shift)));
        for (std::size_t d = 0; d < coefficients.size(); ++d) {
            double& place = sum[d + at(shift)];
            const double term = factor * coefficients[d], size = std::abs(place) + std::abs(term);
            place += term;
            if (std::abs(place) <= 1e-9 * size) // round-off of a few hundred operations
                place = 0;
        }
        while (!sum.empty() && sum.back() == 0)
            sum.pop_back();
        if (sum.empty())
            to.erase(equation);
    }
}

void Differentiations::replace(const EquationAnalysis& before, const Combination& combination, int row)
{
    const auto& c = before.structure.pantelides.c;
    Row out;
    for (const auto& [i, u] : combination)
        add(out, rows_[at(i)], valueOf(u).value_or(1), c[at(i)] - c[at(row)]);
    rows_[at(row)] = std::move(out);
}

namespace {

/// Rows and columns by powers of two to a largest entry near 1; returns the inverse of the matrix as it was, entries that are
/// round-off as zeros, whatever the units of equations and unknowns. Nothing where it is singular.
std::optional<Eigen::MatrixXd> inverseOf(Eigen::MatrixXd J)
{
    const Eigen::Index n = J.rows();
    Eigen::VectorXd rows = Eigen::VectorXd::Ones(n), columns = rows;
    const auto scale = [](double largest) { return largest > 0 ? std::exp2(-std::round(std::log2(largest))) : 1.0; };
    for (int sweep = 0; sweep < 3; ++sweep)
        for (Eigen::Index i = 0; i < n; ++i) {
            const double ofRow = scale(J.row(i).cwiseAbs().maxCoeff());
            J.row(i) *= ofRow;
            rows(i) *= ofRow;
            const double ofColumn = scale(J.col(i).cwiseAbs().maxCoeff());
            J.col(i) *= ofColumn;
            columns(i) *= ofColumn;
        }
    const Eigen::FullPivLU<Eigen::MatrixXd> lu(J);
    if (!lu.isInvertible())
        return std::nullopt;
    const Eigen::MatrixXd inverse = lu.inverse(), size = inverse.cwiseAbs();
    constexpr double kRoundoff = 1e-13; // of what the terms of an entry's own error come to: some hundred roundings
    const Eigen::MatrixXd zero = kRoundoff * (size * J.cwiseAbs() * size);
    return columns.asDiagonal() * (size.array() <= zero.array()).select(0, inverse) * rows.asDiagonal();
}

} // namespace

std::optional<int> Differentiations::index(const model::EquationSystem& system, const EquationAnalysis& analysis) const
{
    const auto n = static_cast<Eigen::Index>(rows_.size());
    const auto& p = analysis.structure.pantelides;
    Eigen::MatrixXd J = Eigen::MatrixXd::Zero(n, n);
    const LeadingJacobian jacobian(system, {}, analysis.signature, p.c, p.d);
    for (const LeadingEntry& e : jacobian.entries()) {
        const auto value = valueOf(e.value);
        if (!value || !std::isfinite(*value))
            return std::nullopt;
        J(e.row, e.column) = *value;
    }
    const auto known = inverseOf(std::move(J));
    if (!known)
        return std::nullopt;
    const Eigen::MatrixXd& inverse = *known;
    std::size_t highest = 0;
    for (Eigen::Index j = 0; j < n; ++j) {
        Row out;
        for (Eigen::Index i = 0; i < n; ++i)
            if (inverse(j, i) != 0)
                add(out, rows_[static_cast<std::size_t>(i)], inverse(j, i),
                    p.c[static_cast<std::size_t>(i)] + (p.d[static_cast<std::size_t>(j)] == 0 ? 1 : 0));
        for (const auto& [equation, coefficients] : out)
            highest = std::max(highest, coefficients.size());
    }
    return static_cast<int>(highest) - 1;
}

} // namespace driftless::reduction
