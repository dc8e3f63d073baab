// Whether the units of equations fit.
#include <optional>
#include <unordered_map>

#include "core/expr/Node.h"
#include "core/expr/Units.h"
#include "core/system/EquationSystem.h"

namespace driftless::model {

namespace {

/// Each branch is an equation of its own: amperes where a diode blocks, volts where it conducts.
std::string conflictOf(const expr::Expr& residual, const expr::DimensionOf& dimensionOf)
{
    const expr::Node& node = residual.node();
    if (node.op != expr::Op::IfThenElse)
        return expr::dimensionConflict(residual, dimensionOf);
    std::string found = expr::dimensionConflict(node.args[0], dimensionOf);
    for (std::size_t branch = 1; branch < node.args.size() && found.empty(); ++branch)
        found = conflictOf(node.args[branch], dimensionOf);
    return found;
}

} // namespace

std::vector<Diagnostic> unitWarnings(const EquationSystem& system)
{
    std::unordered_map<std::string, expr::Dimension> parameters, unknowns;
    std::vector<Diagnostic> out;
    const auto note = [&out](const Quantity& quantity, std::unordered_map<std::string, expr::Dimension>& into) {
        if (quantity.unit.empty())
            return;
        if (const auto dimension = expr::parseUnit(quantity.unit))
            into.emplace(quantity.name, *dimension);
        else
            out.push_back({.what = "The unit \"" + quantity.unit + "\" of " + quantity.name + " is not known",
                           .why = "it is not checked",
                           .remedy = "a unit such as m/s2, kg.m2, N or rad",
                           .position = quantity.position});
    };
    for (const EquationParameter& p : system.parameters)
        note(p.quantity, parameters);
    for (const HeldVariable& d : system.held)
        note(d.quantity, parameters);
    for (const EquationUnknown& x : system.unknowns)
        note(x.quantity, unknowns);
    const auto dimensionOf = [&](const expr::Symbol& s) -> std::optional<expr::Dimension> {
        if (s.kind == expr::SymbolKind::Time)
            return expr::Dimension{0, 0, 1};
        const auto& known = s.kind == expr::SymbolKind::Parameter ? parameters : unknowns;
        const auto found = known.find(s.name);
        if (found == known.end())
            return std::nullopt;
        expr::Dimension out_ = found->second;
        out_[2] -= s.order; // a derivative per second
        return out_;
    };
    if (parameters.empty() && unknowns.empty())
        return out;
    for (const Equation& e : system.equations)
        if (std::string conflict = conflictOf(e.residual, dimensionOf); !conflict.empty())
            out.push_back({.what = "The units of " + e.name + " do not fit",
                           .why = std::move(conflict),
                           .remedy = "correct the equation or the units of its quantities",
                           .position = e.position});
    return out;
}

} // namespace driftless::model
