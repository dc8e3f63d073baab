// Units of coordinates for which the file states none.
#include <algorithm>
#include <unordered_set>

#include "core/expr/Node.h"
#include "core/mechanism/Mechanism.h"

namespace driftless::model {

namespace {

using expr::Expr;
using expr::Symbol;

/// Everything that is said of the positions.
std::vector<Expr> statementsOf(const ConstrainedSystem& system)
{
    std::vector<Expr> out;
    for (const Constraint& c : system.constraints)
        out.push_back(c.g);
    for (const MassEntry& e : system.mass)
        out.push_back(e.value);
    out.insert(out.end(), system.force.begin(), system.force.end());
    for (const Coordinate& c : system.coordinates)
        out.push_back(c.rate);
    for (const DynamicVariable& d : system.dynamics)
        out.push_back(d.rate);
    for (const Effort& e : system.efforts)
        out.push_back(e.equation);
    return out;
}

} // namespace

void settleUnits(ConstrainedSystem& system)
{
    std::unordered_set<Symbol, expr::SymbolHash> open;
    for (const Coordinate& c : system.coordinates)
        if (c.unit.empty())
            open.insert(c.q);
    if (open.empty())
        return;
    std::unordered_set<Symbol, expr::SymbolHash> angles;
    const std::vector<Expr> statements = statementsOf(system);
    for (const Expr* e : expr::postorder(statements)) {
        const expr::Node& n = e->node();
        if (n.op != expr::Op::Sin && n.op != expr::Op::Cos && n.op != expr::Op::Tan)
            continue;
        for (const Symbol& s : expr::symbolsOf(n.args[0]))
            if (open.contains(s) && expr::derivative(n.args[0], s).constantValue())
                angles.insert(s);
    }
    for (Coordinate& c : system.coordinates) {
        if (!angles.contains(c.q))
            continue;
        c.unit = c.position.unit = "rad";
        if (c.velocity.unit.empty() && c.velocity.name == c.name + "'")
            c.velocity.unit = rateUnit(c.unit);
    }
}

} // namespace driftless::model
