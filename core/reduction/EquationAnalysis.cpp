// Structure first, numbers second. A singular leading Jacobian is treated as [MS91] Example 5 is, by the linear combination
// method (G. Tan, N. S. Nedialkov, J. D. Pryce, 2017), block by block: combinations with constant coefficients first, then
// those whose coefficients depend on the state (Combination.h). The value of the transversal falls with every replacement, so
// the loop ends.
//
// The index after eliminations counts the differentiations inside the combinations, too (Differentiations).
#include "core/reduction/EquationAnalysis.h"

#include <algorithm>
#include <cmath>

#include "core/base/Index.h"
#include "core/expr/Print.h"
#include "core/expr/Tape.h"
#include "core/reduction/BranchOrders.h"
#include "core/reduction/Combination.h"
#include "core/reduction/LeadingJacobian.h"
#include "core/text/Names.h"
#include "core/text/Numbers.h"

namespace driftless::reduction {

namespace {

using structure::Signature;

/// Dense linear algebra beyond this size would cost seconds; blocks are then judged by structure alone.
constexpr int kMostDense = 250;
constexpr int kMostEliminations = 60;

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
    constexpr std::size_t kShownNames = 8;
    return text::firstOf(
        which, [&names](int i) { return names[at(i)]; }, kShownNames);
}

/// Diagonal blocks whose rank at the best point is not full; the last points are taken far from the start, and only where the
/// near ones are singular: what is singular there by chance, or because an exponential underflows, is not singular.
std::vector<const structure::Block*> singularBlocks(const LeadingJacobian& jacobian, const EquationAnalysis& analysis,
                                                    int& deficit)
{
    std::vector<const structure::Block*> out;
    deficit = 0;
    for (const structure::Block& block : analysis.structure.blocks) {
        const int size = static_cast<int>(block.equations.size());
        if (size > kMostDense)
            continue;
        int best = 0;
        for (int p = 0; p < jacobian.points() && best < size; ++p)
            best = std::max(best, rankOf(jacobian.dense(block.equations, block.unknowns, p), size, size).rank);
        deficit += size - best;
        if (best < size)
            out.push_back(&block);
    }
    return out;
}

/// Rank of the whole where it is small, else of the diagonal blocks; names the first block that is singular.
std::vector<const structure::Block*> judge(LeadingJacobian& jacobian, EquationAnalysis& out)
{
    const int n = out.signature.size();
    int deficit = 0;
    auto failing = singularBlocks(jacobian, out, deficit);
    if (!failing.empty()) {
        jacobian.lookFurther();
        failing = singularBlocks(jacobian, out, deficit);
    }
    out.jacobianRank = n - deficit;
    if (n <= kMostDense && !failing.empty()) {
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
    out.jacobianSingular = !failing.empty();
    if (failing.empty())
        return failing;
    Diagnostic d;
    d.what = "The Jacobian of the differentiated equations is singular although its pattern is not";
    d.where = "block of " + listed(failing.front()->equations, out.names.equations) + " for "
              + listed(failing.front()->unknowns, out.names.unknowns);
    d.why =
        "at random points near the start it has rank " + std::to_string(out.jacobianRank) + " of " + std::to_string(n)
        + ": the highest derivatives cannot be solved for, so the counts of the structural methods are not those of the system";
    d.remedy = "combine or substitute equations so that the derivatives that cancel do so in the text";
    out.diagnostic = std::move(d);
    return failing;
}

/// Which conditions and discrete variables the equations of a block that is singular depend on, and what they are there: in
/// other branches it may be regular.
void nameBranches(const model::EquationSystem& system, const Values& near, const structure::Block& block, Diagnostic& out)
{
    constexpr std::size_t kShownBranches = 8;
    std::vector<std::string> held;
    for (const model::HeldVariable& h : system.held) {
        const auto in = [&h, &system](int e) {
            const auto symbols = expr::symbolsOf(system.equations[at(e)].residual);
            return std::ranges::find(symbols, model::heldSymbol(h)) != symbols.end();
        };
        if (std::ranges::none_of(block.equations, in))
            continue;
        const auto set = near.find(h.quantity.name);
        const double value = set == near.end() ? h.quantity.value : set->second;
        const bool logical = h.kind == model::HeldVariable::Kind::Boolean || h.kind == model::HeldVariable::Kind::Condition;
        const std::string said = value != 0 ? "true" : "false";
        held.push_back(h.quantity.name + (logical ? " is " + said : " = " + text::exact(value)));
    }
    if (held.empty())
        return;
    out.why += ". This is so in the branches in which " + text::firstOf(held, kShownBranches);
    out.remedy +=
        "; or a small resistance or conductance in place of an ideal element; or starts of the discrete variables with "
        "which the equations can be solved";
}

/// Combinations that may be carried out, the most trusted first.
std::vector<Combination> combinationsOf(const LeadingJacobian& jacobian, const std::vector<const structure::Block*>& failing)
{
    std::vector<Combination> out;
    for (const auto find : {&constantCombination, &stateCombination})
        for (const structure::Block* block : failing)
            if (auto found = find(jacobian, *block))
                out.push_back(*std::move(found));
    return out;
}

/// Of equations that are too many, the place of the one that the text states last; none where there are too few.
SourcePosition lastOf(const std::vector<int>& rows, const model::EquationSystem& system)
{
    SourcePosition last;
    for (const int row : rows)
        if (const auto i = static_cast<std::size_t>(row);
            i < system.equations.size() && system.equations[i].position.line > last.line)
            last = system.equations[i].position;
    return last;
}

EquationAnalysis analyseOnce(const model::EquationSystem& system, const Values& near, std::vector<Combination>& combinations)
{
    combinations.clear();
    EquationAnalysis out;
    out.signature = signatureOf(system);
    out.names = namesOf(system);
    out.structure = structure::analyse(out.signature);
    if (out.structure.singular) {
        out.diagnostic = Diagnostic{.what = "The system is structurally singular",
                                    .why = structure::describeSingularity(out.structure.parts, out.names),
                                    .remedy = "add, remove or correct equations so that every unknown has one of its own",
                                    .position = lastOf(out.structure.parts.overRows, system)};
        return out;
    }
    const auto& c = out.structure.pantelides.c;
    const auto& d = out.structure.pantelides.d;
    LeadingJacobian jacobian(system, near, out.signature, c, d);
    std::string why;
    out.jacobianKnown = jacobian.evaluate(why);
    if (!out.jacobianKnown) {
        out.diagnostic = Diagnostic{.what = "The Jacobian could not be evaluated near the start values",
                                    .why = why,
                                    .remedy = "give start values at which all equations are defined"};
        return out;
    }
    if (const auto failing = judge(jacobian, out); !failing.empty()) {
        combinations = combinationsOf(jacobian, failing);
        nameBranches(system, near, *failing.front(), *out.diagnostic);
        return out;
    }
    const auto byCondition = [&jacobian](std::span<const int> rows, std::span<const int> columns) {
        const int m = static_cast<int>(rows.size()), k = static_cast<int>(columns.size());
        const RankResult found = rankOf(jacobian.dense(rows, columns, 0), m, k, false);
        return found.rank == m ? found.pivotColumns : std::vector<int>{};
    };
    const bool small = std::all_of(out.structure.blocks.begin(), out.structure.blocks.end(),
                                   [](const auto& b) { return static_cast<int>(b.equations.size()) <= kMostDense; });
    if (small) {
        auto chosen = structure::selectDummies(out.signature, c, d, out.structure.blocks, byCondition);
        if (chosen.complete)
            out.structure.selection = std::move(chosen);
    }
    return out;
}

} // namespace

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
            const auto same =
                std::find_if(row.begin(), row.end(), [&found](const auto& entry) { return entry.column == found->second; });
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

namespace {

/// Where no values are known near which the Jacobian could be judged.
EquationAnalysis ofPatternAlone(const model::EquationSystem& system, const Diagnostic& why)
{
    std::vector<Combination> combinations;
    EquationAnalysis out = analyseOnce(system, {}, combinations);
    out.jacobianSingular = out.jacobianKnown = false; // it was judged near the values of the text
    out.diagnostic = why;
    return out;
}

/// A branch that is differentiated, told as an elimination is.
Elimination stepOf(const BranchOrders::Change& change, const model::EquationSystem& system)
{
    const model::Equation& equation = system.equations[change.equation];
    return {equation.name, "derivative of " + equation.name + change.words, "0 = " + expr::printShort(equation.residual), {}};
}

} // namespace

EquationAnalysis analyseEquations(const model::EquationSystem& system, const Values& stated)
{
    std::vector<Combination> combinations, further;
    const auto known = nearValues(system, stated);
    if (!known)
        return ofPatternAlone(system, known.error());
    const Values& near = *known;
    EquationAnalysis out = analyseOnce(system, near, combinations);
    out.near = near;
    model::EquationSystem kept = system;
    EquationAnalysis last = out;
    if (auto branches = withBranchOrders(system)) {
        EquationAnalysis next = analyseOnce(branches->system, near, further);
        if (!next.structure.singular) {
            for (const BranchOrders::Change& change : branches->changes)
                out.eliminations.push_back(stepOf(change, branches->system));
            out.lower = std::move(branches->lower);
            kept = std::move(branches->system);
            last = std::move(next);
            combinations = further;
        }
    }
    Differentiations differentiations(system);
    for (int round = 0; !combinations.empty() && round < kMostEliminations; ++round) {
        bool gained = false;
        for (const Combination& found : combinations) {
            const int row = replacedRow(last, found);
            const auto combination = normalised(found, row);
            if (!combination)
                continue;
            model::EquationSystem changed = kept;
            Elimination step = eliminate(changed, last, *combination);
            EquationAnalysis next = analyseOnce(changed, near, further);
            // The terms did not cancel symbolically, or nothing is left of the equation, or the new Jacobian could not be
            // trusted.
            if (next.structure.singular || next.structure.freedom >= last.structure.freedom
                || !coefficientsStayBelow(*combination, row, next))
                continue;
            out.eliminations.push_back(std::move(step));
            differentiations.replace(last, *combination, row);
            kept = std::move(changed);
            last = std::move(next);
            gained = true;
            break;
        }
        if (!gained)
            break;
        combinations = further;
    }
    if (!out.eliminations.empty()) {
        if (last.signature.size() <= kMostDense && !last.jacobianSingular && out.lower.empty())
            last.structure.structuralIndex = differentiations.index(kept, last).value_or(last.structure.structuralIndex);
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
    const auto equation = [&out](std::string name, expr::Expr residual) {
        out.equations.push_back({std::move(name), {}, std::move(residual), {}});
    };
    for (const auto& p : system.parameters)
        out.parameters.push_back({.quantity = p.quantity, .binding = expr::Expr(p.quantity.value)});
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
    std::vector<expr::Expr> rates; // of the constraints, whose gradients are sparse
    const expr::RateRule rule = model::motionRule(system);
    for (const auto& constraint : system.constraints) {
        unknown(constraint.multiplier.name, constraint.multiplierStart);
        rates.push_back(constraint.holonomic ? expr::timeDerivative(constraint.g, 1, rule) : constraint.g);
    }
    for (const expr::JacobianEntry& e : expr::sparseJacobian(rates, velocities))
        rows[at(e.column)].push_back(e.value * expr::symbol(system.constraints[at(e.row)].multiplier));
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
