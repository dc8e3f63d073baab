// From stated energies to M and f: M q'' = tau - C q' - r - g - G^T lambda ([DN] (3.22), (3.32); signs of lambda as everywhere
// here).
//
// Energy balance: h = sum q'_i dL/dq'_i - L = T2 - T0 + U changes by -dL/dt (partial) and the power of tau. For T a quadratic
// form that does not depend on t, h is T + U.
#include "core/mechanism/Lagrangian.h"
#include "core/mechanism/Mechanism.h"
#include "core/text/TableReader.h"

namespace driftless::model {

using expr::Expr;

void addLagrangian(const LagrangianStatement& stated, ConstrainedSystem& system, std::vector<std::vector<Expr>>& forces,
                   std::vector<Expr>& kinetic, std::vector<Expr>& potential, std::vector<Expr>& power)
{
    const auto derived = deriveLagrangian(stated.kinetic.value, stated.potential.value, system.coordinates);
    if (!derived) {
        const Diagnostic& d = derived.error();
        refuse(stated.kinetic.position, d.what, d.where, d.why, d.remedy);
    }
    const LagrangianEquations& e = *derived;
    system.lagrangian = StatedLagrangian{stated.kinetic.value, stated.potential.value, stated.functions};
    system.mass.insert(system.mass.end(), e.mass.begin(), e.mass.end());
    for (std::size_t i = 0; i < forces.size(); ++i) {
        forces[i].push_back(-e.coriolisForce(static_cast<int>(i)));
        forces[i].push_back(-e.rheonomic[i]);
        forces[i].push_back(-e.conservative[i]);
    }
    kinetic.push_back(stated.kinetic.value);
    if (!e.scleronomic()) {
        std::vector<Expr> carried{Expr(-2) * e.rest};
        for (std::size_t i = 0; i < e.v.size(); ++i)
            carried.push_back(-(e.linear[i] * expr::symbol(e.v[i])));
        system.carried = expr::sum(carried);
    }
    potential.push_back(stated.potential.value);
    const expr::Symbol t = *expr::time().symbol();
    power.push_back(expr::derivative(stated.potential.value, t) - expr::derivative(stated.kinetic.value, t));
}

} // namespace driftless::model
