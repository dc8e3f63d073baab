// What a model file states as equations: coordinates, constraints of any kind, dynamic variables, efforts, and velocities
// other than q'.
//
//   general potential       Q_i = -dV/dq_i
//   moving constraint       power = -lambda^T W v = lambda^T (rate at v = 0), on rate = W v + ... = 0
//   velocity basis q' = Z v   M := Z^T M Z,  f := Z^T (f - M d(Z)/dt v),  G^T lambda := Z^T G^T lambda   [St02] (1)
#include <algorithm>

#include "core/mechanism/Mechanism.h"

namespace driftless::model {

using expr::Expr;
using expr::Symbol;

std::vector<std::string> coordinateNames(const Mechanism& mechanism)
{
    std::vector<std::string> out;
    for (const Body& body : mechanism.bodies)
        for (int k = 0; k < body.coordinateCount(); ++k)
            out.push_back(coordinateName(body, k));
    for (const GeneralCoordinate& c : mechanism.general.coordinates)
        out.push_back(c.name);
    return out;
}

void addGeneral(const General& general, ConstrainedSystem& system, std::vector<std::vector<Expr>>& forces,
                std::vector<Expr>& potential, std::vector<Expr>& power)
{
    for (const PlacedExpr& energy : general.potentials) {
        potential.push_back(energy.value);
        for (std::size_t i = 0; i < system.coordinates.size(); ++i) {
            const Expr pull = expr::derivative(energy.value, system.coordinates[i].q);
            if (!pull.isZero())
                forces[i].push_back(-pull);
        }
    }
    for (const GeneralForce& force : general.forces) {
        const auto at = std::find_if(system.coordinates.begin(), system.coordinates.end(),
                                     [&](const Coordinate& c) { return c.name == force.coordinate; });
        forces[static_cast<std::size_t>(at - system.coordinates.begin())].push_back(force.value.value);
        power.push_back(force.value.value * expr::symbol(at->v));
    }
    for (const GeneralConstraint& stated : general.constraints) {
        Constraint c;
        c.name = c.joint = stated.name;
        c.bodies = stated.bodies;
        c.holonomic = stated.holonomic;
        c.g = stated.residual.value;
        c.multiplier = *expr::variable(stated.name + (stated.holonomic ? ".lambda" : ".mu")).symbol();
        c.position = stated.residual.position;
        system.constraints.push_back(std::move(c));
    }
    system.dynamics = general.dynamics;
    system.efforts = general.efforts;
    system.visuals.insert(system.visuals.end(), general.visuals.begin(), general.visuals.end());
}

void finishConstraints(ConstrainedSystem& system, std::vector<Expr>& power)
{
    std::stable_partition(system.constraints.begin(), system.constraints.end(),
                          [](const Constraint& c) { return c.holonomic; });
    expr::Substitution still;
    for (const Coordinate& c : system.coordinates)
        still.emplace(c.v, Expr(0));
    for (const Constraint& c : system.constraints) {
        const Expr rest = c.holonomic ? expr::derivative(c.g, *expr::time().symbol()) : expr::substitute(c.g, still);
        if (!rest.isZero())
            power.push_back(expr::symbol(c.multiplier) * rest);
    }
}

namespace {

/// The velocities of the basis in place of the rates of the coordinates.
void renameVelocities(const VelocityBasis& basis, ConstrainedSystem& system)
{
    for (std::size_t i = 0; i < system.coordinates.size(); ++i) {
        Coordinate& c = system.coordinates[i];
        c.rate = basis.rates[i].value;
        c.v = basis.symbols[i];
        c.a = *expr::variable(basis.names[i], 1).symbol();
        c.velocity.name = basis.names[i];
        c.velocity.unit = basis.units[i];
        c.velocity.description = "velocity " + basis.names[i];
        c.velocityStart = basis.start[i].value;
        c.velocity.position = basis.start[i].position;
    }
}

/// With q' = Z v: Z^T M Z and Z^T (f - M bias) in place of M and f, where q'' = Z a + bias.
void projectDynamics(const VelocityBasis& basis, const expr::Substitution& rates, ConstrainedSystem& system)
{
    const std::size_t n = system.coordinates.size();
    const expr::RateRule rule = motionRule(system);
    expr::Substitution still;
    for (const Coordinate& c : system.coordinates)
        still.emplace(c.a, Expr(0));
    std::vector<std::vector<Expr>> Z(n, std::vector<Expr>(n));
    std::vector<Expr> bias(n);
    for (std::size_t i = 0; i < n; ++i) {
        Z[i] = expr::gradient(basis.rates[i].value, basis.symbols);
        bias[i] = expr::substitute(expr::timeDerivative(basis.rates[i].value, 1, rule), still);
    }
    std::vector<Expr> remainder(n);
    for (std::size_t i = 0; i < n; ++i)
        remainder[i] = expr::substitute(system.force[i], rates);
    std::vector<std::vector<Expr>> MZ(n, std::vector<Expr>(n));
    for (const MassEntry& e : system.mass) {
        const auto r = static_cast<std::size_t>(e.row), c = static_cast<std::size_t>(e.column);
        remainder[r] = remainder[r] - e.value * bias[c];
        for (std::size_t k = 0; k < n; ++k)
            if (!Z[c][k].isZero())
                MZ[r][k] = MZ[r][k] + e.value * Z[c][k];
    }
    system.mass.clear();
    for (std::size_t j = 0; j < n; ++j) {
        std::vector<Expr> force;
        for (std::size_t i = 0; i < n; ++i)
            if (!Z[i][j].isZero())
                force.push_back(Z[i][j] * remainder[i]);
        system.force[j] = expr::sum(force);
        for (std::size_t k = 0; k < n; ++k) {
            std::vector<Expr> terms;
            for (std::size_t i = 0; i < n; ++i)
                if (!Z[i][j].isZero() && !MZ[i][k].isZero())
                    terms.push_back(Z[i][j] * MZ[i][k]);
            const Expr entry = expr::sum(terms);
            if (!entry.isZero())
                system.mass.push_back({static_cast<int>(j), static_cast<int>(k), entry});
        }
    }
}

} // namespace

Expr inBasisVelocities(const Expr& value, const ConstrainedSystem& system)
{
    if (system.plainRates())
        return value;
    const expr::RateRule rule = motionRule(system);
    expr::Substitution rates;
    for (const Coordinate& c : system.coordinates) {
        rates.emplace(*expr::variable(c.name, 1).symbol(), c.rate);
        rates.emplace(*expr::variable(c.name, 2).symbol(), expr::timeDerivative(c.rate, 1, rule));
    }
    return expr::substitute(value, rates);
}

void changeVelocities(const VelocityBasis& basis, ConstrainedSystem& system)
{
    expr::Substitution rates;
    for (std::size_t i = 0; i < system.coordinates.size(); ++i)
        rates.emplace(system.coordinates[i].v, basis.rates[i].value);
    renameVelocities(basis, system);
    projectDynamics(basis, rates, system);
    system.kinetic = expr::substitute(system.kinetic, rates);
    system.carried = expr::substitute(system.carried, rates);
    system.power = expr::substitute(system.power, rates);
    for (Constraint& c : system.constraints)
        if (!c.holonomic)
            c.g = expr::substitute(c.g, rates);
    for (OneSided& row : system.oneSided)
        if (!row.row.holonomic)
            row.row.g = expr::substitute(row.row.g, rates);
    for (DynamicVariable& d : system.dynamics)
        d.rate = expr::substitute(d.rate, rates);
    for (Effort& e : system.efforts)
        e.equation = expr::substitute(e.equation, rates);
    for (Constraint& c : system.startRows)
        c.g = inBasisVelocities(c.g, system);
    for (Output& output : system.outputs)
        output.value = inBasisVelocities(output.value, system);
    for (VelocityArrow& arrow : system.velocities)
        for (Expr* part : {&arrow.velocity.x, &arrow.velocity.y, &arrow.velocity.z})
            *part = inBasisVelocities(*part, system);
    if (system.chart)
        system.chart->velocity = basis.chart;
}

} // namespace driftless::model
