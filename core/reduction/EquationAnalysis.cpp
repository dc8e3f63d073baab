// Structure first, numbers second. A singular leading Jacobian is treated as [MS91] Example 5 is, by the linear combination method
// (G. Tan, N. S. Nedialkov, J. D. Pryce, 2017) for constant coefficients: with u^T J = 0, theta = min c_i over the support of u and l a
// row with c_l = theta, F_l is replaced by sum u_i d^(c_i - theta) F_i / dt^(c_i - theta), in which the highest derivatives cancel. The
// value of the transversal falls with every replacement, so the loop ends.
#include "core/reduction/EquationAnalysis.h"

#include <algorithm>
#include <cmath>

#include "core/base/Index.h"
#include "core/expr/Print.h"
#include "core/reduction/LeadingJacobian.h"

namespace driftless::reduction {

namespace {

using structure::Signature;


/// Dense linear algebra beyond this size would cost seconds; blocks are then judged by structure alone.
constexpr int kMostDense = 250;
constexpr int kMostEliminations = 60;

Signature signatureOf(const model::EquationSystem& system)
{
    std::unordered_map<std::string, int> column;
    for (std::size_t j = 0; j < system.unknowns.size(); ++j)
        column.emplace(system.unknowns[j].quantity.name, static_cast<int>(j));
    Signature out;
    out.columns = static_cast<int>(system.unknowns.size());
    for (const model::Equation& e : system.equations) {
        std::vector<structure::SignatureEntry> row;
        for (const expr::Symbol& s : expr::symbolsOf(e.residual)) {
            const auto found = s.kind == expr::SymbolKind::Variable ? column.find(s.name) : column.end();
            if (found == column.end())
                continue;
            const auto same = std::find_if(row.begin(), row.end(), [&found](const auto& entry) { return entry.column == found->second; });
            if (same == row.end())
                row.push_back({found->second, s.order});
            else
                same->order = std::max(same->order, s.order);
        }
        std::sort(row.begin(), row.end(), [](const auto& p, const auto& q) { return p.column < q.column; });
        out.rows.push_back(std::move(row));
    }
    return out;
}

structure::Names namesOf(const model::EquationSystem& system)
{
    structure::Names out;
    for (const auto& e : system.equations)
        out.equations.push_back(e.name);
    for (const auto& x : system.unknowns)
        out.unknowns.push_back(x.quantity.name);
    return out;
}

std::vector<int> allOf(int n)
{
    std::vector<int> out(at(n));
    for (int i = 0; i < n; ++i)
        out[at(i)] = i;
    return out;
}

std::string listed(const std::vector<int>& which, const std::vector<std::string>& names)
{
    std::string out;
    for (std::size_t k = 0; k < which.size() && k < 8; ++k)
        out += (k > 0 ? ", " : "") + names[at(which[k])];
    return which.size() > 8 ? out + " and " + std::to_string(which.size() - 8) + " more" : out;
}

/// Rank of the whole where it is small, else of the diagonal blocks; names the first block that is singular.
void judge(LeadingJacobian& jacobian, EquationAnalysis& out)
{
    const int n = out.signature.size();
    const structure::Block* failing = nullptr;
    int deficit = 0;
    for (const structure::Block& block : out.structure.blocks) {
        const int size = static_cast<int>(block.equations.size());
        if (size > kMostDense)
            continue;
        int best = 0;
        for (int p = 0; p < jacobian.points(); ++p)
            best = std::max(best, rankOf(jacobian.dense(block.equations, block.unknowns, p), size, size).rank);
        deficit += size - best;
        if (best < size && !failing)
            failing = &block;
    }
    out.jacobianRank = n - deficit;
    if (n <= kMostDense && failing) {
        const auto all = allOf(n);
        int best = 0;
        out.jacobianRank = 0;
        for (int p = 0; p < jacobian.points(); ++p)
            if (const int rank = rankOf(jacobian.dense(all, all, p), n, n).rank; rank > out.jacobianRank) {
                out.jacobianRank = rank;
                best = p;
            }
        jacobian.promote(best);
    }
    out.jacobianSingular = failing != nullptr;
    if (!failing)
        return;
    Diagnostic d;
    d.what = "The Jacobian of the differentiated equations is singular although its pattern is not";
    d.where = "block of " + listed(failing->equations, out.names.equations) + " for " + listed(failing->unknowns, out.names.unknowns);
    d.why = "at random points near the start it has rank " + std::to_string(out.jacobianRank) + " of " + std::to_string(n)
        + ": the highest derivatives cannot be solved for, so the counts of the structural methods are not those of the system";
    d.remedy = "combine or substitute equations so that the derivatives that cancel do so in the text";
    out.diagnostic = std::move(d);
}

/// A number with a small numerator and denominator, if value is one.
std::optional<std::pair<int, int>> smallFraction(double value)
{
    for (int q = 1; q <= 64; ++q) {
        const double p = std::round(value * q);
        if (std::abs(p) <= 1024 && std::abs(value * q - p) <= 1e-9 * std::max(1.0, std::abs(p))) // solved with about 1e-13
            return std::pair(static_cast<int>(p), q);
    }
    return std::nullopt;
}

using Combination = std::vector<std::pair<int, std::pair<int, int>>>; ///< row, fraction

/// A left null vector with the same small rational coefficients at every point, of smallest support.
std::optional<Combination> constantCombination(const LeadingJacobian& jacobian, int n)
{
    const auto all = allOf(n);
    std::optional<Combination> best;
    const auto first = jacobian.dense(all, all, 0);
    for (const auto& u : leftNullVectors(first, n)) {
        Combination candidate;
        bool constant = true;
        for (int i = 0; i < n && constant; ++i) {
            if (u[at(i)] == 0)
                continue;
            const auto fraction = smallFraction(u[at(i)]);
            constant = fraction.has_value() && fraction->first != 0;
            if (constant)
                candidate.emplace_back(i, *fraction);
        }
        for (int p = 0; p < jacobian.points() && constant; ++p) {
            const auto m = jacobian.dense(all, all, p);
            for (int j = 0; j < n && constant; ++j) {
                double sum = 0, size = 0;
                for (const auto& [i, q] : candidate) {
                    const double term = m[at(i * n + j)] * q.first / q.second;
                    sum += term;
                    size += std::abs(term);
                }
                constant = std::abs(sum) <= 1e-10 * size; // cancels but for round-off
            }
        }
        if (constant && (!best || candidate.size() < best->size()))
            best = candidate;
    }
    return best;
}

/// Carries the combination out.
void eliminate(model::EquationSystem& system, const EquationAnalysis& analysis, const Combination& combination, Elimination& out)
{
    const auto& c = analysis.structure.pantelides.c;
    int row = combination.front().first;
    for (const auto& [i, q] : combination)
        if (c[at(i)] < c[at(row)])
            row = i;
    const int theta = c[at(row)];
    std::vector<expr::Expr> terms;
    for (const auto& [i, q] : combination) {
        const int times = c[at(i)] - theta;
        terms.push_back(expr::rational(q.first, q.second) * expr::timeDerivative(system.equations[at(i)].residual, times));
        const std::string size = std::to_string(std::abs(q.first)) + (q.second == 1 ? "" : "/" + std::to_string(q.second));
        out.combination += (out.combination.empty() ? (q.first < 0 ? "-" : "") : q.first < 0 ? " - " : " + ") + (size == "1" ? "" : size + " ")
            + structure::derivativeName(analysis.names.equations[at(i)], times);
    }
    const expr::Expr residual = expr::expand(expr::sum(terms));
    out.equation = system.equations[at(row)].name;
    out.result = "0 = " + expr::printShort(residual);
    system.equations[at(row)].residual = residual;
}

EquationAnalysis analyseOnce(const model::EquationSystem& system, std::optional<Combination>* combination)
{
    EquationAnalysis out;
    out.signature = signatureOf(system);
    out.names = namesOf(system);
    out.structure = structure::analyse(out.signature);
    if (out.structure.singular) {
        out.diagnostic = Diagnostic{"The system is structurally singular", "", structure::describeSingularity(out.structure.parts, out.names),
                                    "add, remove or correct equations so that every unknown has one of its own", {}};
        return out;
    }
    const auto& c = out.structure.pantelides.c;
    const auto& d = out.structure.pantelides.d;
    LeadingJacobian jacobian(system, out.signature, c, d);
    std::string why;
    out.jacobianKnown = jacobian.evaluate(why);
    if (!out.jacobianKnown) {
        out.diagnostic = Diagnostic{"The Jacobian could not be evaluated near the start values", "", why, "give start values at which all equations are defined", {}};
        return out;
    }
    judge(jacobian, out);
    const int n = out.signature.size();
    if (out.jacobianSingular) {
        if (combination && n <= kMostDense)
            *combination = constantCombination(jacobian, n);
        return out;
    }
    const auto byCondition = [&jacobian](std::span<const int> rows, std::span<const int> columns) {
        const int m = static_cast<int>(rows.size()), k = static_cast<int>(columns.size());
        const RankResult found = rankOf(jacobian.dense(rows, columns, 0), m, k, false);
        return found.rank == m ? found.pivotColumns : std::vector<int>{};
    };
    const bool small = std::all_of(out.structure.blocks.begin(), out.structure.blocks.end(), [](const auto& b) { return static_cast<int>(b.equations.size()) <= kMostDense; });
    if (small) {
        auto chosen = structure::selectDummies(out.signature, c, d, out.structure.blocks, byCondition);
        if (chosen.complete)
            out.structure.selection = std::move(chosen);
    }
    return out;
}

} // namespace

EquationAnalysis analyseEquations(const model::EquationSystem& system)
{
    std::optional<Combination> combination;
    EquationAnalysis out = analyseOnce(system, &combination);
    if (!combination)
        return out;
    model::EquationSystem changed = system, kept;
    EquationAnalysis last = out;
    int value = out.structure.freedom;
    for (int round = 0; combination && round < kMostEliminations; ++round) {
        Elimination step;
        eliminate(changed, last, *combination, step);
        combination.reset();
        EquationAnalysis next = analyseOnce(changed, &combination);
        if (next.structure.singular || next.structure.freedom >= value)
            break; // the terms did not cancel symbolically: nothing was gained
        value = next.structure.freedom;
        kept = changed;
        out.eliminations.push_back(std::move(step));
        last = std::move(next);
    }
    if (!out.eliminations.empty()) {
        out.eliminated = std::make_shared<const EquationAnalysis>(std::move(last));
        out.eliminatedSystem = std::make_shared<const model::EquationSystem>(std::move(kept));
    }
    return out;
}

model::EquationSystem equationsOf(const model::ConstrainedSystem& system)
{
    model::EquationSystem out;
    const auto unknown = [&out](const std::string& name, double start) {
        model::EquationUnknown x;
        x.quantity.name = name;
        x.quantity.value = start;
        out.unknowns.push_back(std::move(x));
    };
    const auto equation = [&out](std::string name, expr::Expr residual) { out.equations.push_back({std::move(name), {}, std::move(residual), {}}); };
    for (const auto& p : system.parameters)
        out.parameters.push_back({p.quantity, expr::Expr(p.quantity.value)});
    const bool plain = system.plainRates();
    for (const auto& q : system.coordinates)
        unknown(q.q.name, q.position.value);
    for (const auto& q : system.coordinates)
        if (!plain) {
            unknown(q.v.name, q.velocity.value);
            equation("rate of " + q.name, expr::variable(q.q.name, 1) - q.rate);
        }
    std::vector<std::vector<expr::Expr>> rows(system.coordinates.size());
    for (const auto& m : system.mass)
        rows[at(m.row)].push_back(m.value * expr::symbol(system.coordinates[at(m.column)].a));
    std::vector<expr::Symbol> velocities;
    for (const auto& q : system.coordinates)
        velocities.push_back(q.v);
    for (int k = 0; k < system.m(); ++k) {
        const auto& constraint = system.constraints[at(k)];
        unknown(constraint.multiplier.name, constraint.multiplierStart);
        const auto W = expr::gradient(model::constraintAtLevel(system, k, 1), velocities);
        for (std::size_t i = 0; i < rows.size(); ++i)
            rows[i].push_back(W[i] * expr::symbol(constraint.multiplier));
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
        rows[i].push_back(-system.force[i]);
        equation("motion of " + system.coordinates[i].name, expr::sum(rows[i]));
    }
    for (const auto& constraint : system.constraints)
        equation("constraint " + constraint.name, constraint.g);
    for (const auto& s : system.dynamics) {
        unknown(s.name, 1);
        equation("rate of " + s.name, expr::variable(s.name, 1) - s.rate);
    }
    for (const auto& e : system.efforts) {
        unknown(e.name, 1);
        equation("effort " + e.name, e.equation);
    }
    return out;
}

} // namespace driftless::reduction
