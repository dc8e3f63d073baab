#include "core/formulation/Forms.h"

namespace driftless::formulation {

using expr::Expr;
using expr::Symbol;
using model::ConstrainedSystem;

std::string provenanceName(Provenance p)
{
    switch (p) {
    case Provenance::Kinematic: return "kinematic";
    case Provenance::Dynamic: return "equation of motion";
    case Provenance::Constraint: return "constraint";
    case Provenance::DifferentiatedOnce: return "constraint, differentiated once";
    case Provenance::DifferentiatedTwice: return "constraint, differentiated twice";
    case Provenance::Stabilised: return "stabilised constraint";
    case Provenance::Link: return "integrated link";
    case Provenance::Reduced: return "reduced to minimal coordinates";
    }
    return {};
}

expr::RateRule motionRule(const ConstrainedSystem& system)
{
    auto rates = std::make_shared<expr::Substitution>();
    for (const model::Coordinate& c : system.coordinates) {
        rates->emplace(c.q, expr::symbol(c.v));
        rates->emplace(c.v, expr::symbol(c.a));
    }
    return [rates](const Symbol& s) -> std::optional<Expr> {
        const auto found = rates->find(s);
        return found == rates->end() ? std::nullopt : std::optional<Expr>(found->second);
    };
}

namespace {

Unknown coordinateUnknown(const model::Coordinate& c, const Symbol& symbol, UnknownKind kind, bool differential)
{
    Unknown u;
    u.symbol = symbol;
    u.name = symbol.text();
    u.kind = kind;
    u.differential = differential;
    u.start = expr::symbol(symbol);
    u.unit = c.unit;
    return u;
}

} // namespace

Unknown positionUnknown(const model::Coordinate& c, bool differential)
{
    Unknown u = coordinateUnknown(c, c.q, UnknownKind::Position, differential);
    u.startRate = expr::symbol(c.v);
    return u;
}

Unknown velocityUnknown(const model::Coordinate& c, bool differential)
{
    Unknown u = coordinateUnknown(c, c.v, UnknownKind::Velocity, differential);
    u.unit += "/s";
    u.startRate = expr::symbol(c.a);
    return u;
}

Unknown accelerationUnknown(const model::Coordinate& c)
{
    Unknown u = coordinateUnknown(c, c.a, UnknownKind::Acceleration, false);
    u.unit += "/s^2";
    return u;
}

Unknown multiplierUnknown(const model::Constraint& c, int indexOrder)
{
    Unknown u;
    u.symbol = c.multiplier;
    u.name = c.multiplier.text();
    u.kind = UnknownKind::Multiplier;
    u.differential = false;
    u.indexOrder = indexOrder;
    u.start = expr::symbol(c.multiplier);
    return u;
}

void addKinematicRows(const ConstrainedSystem& system, Dae& dae)
{
    for (const model::Coordinate& c : system.coordinates)
        dae.rows.push_back({expr::rate(c.q) - expr::symbol(c.v), Provenance::Kinematic, c.name + ": kinematics", c.body, -1});
}

void addDynamicRows(const ConstrainedSystem& system, bool useAcceleration, Dae& dae)
{
    std::vector<std::vector<Expr>> terms(system.coordinates.size());
    for (const model::MassEntry& e : system.mass) {
        const model::Coordinate& c = system.coordinates[static_cast<std::size_t>(e.column)];
        const Expr rate = useAcceleration ? expr::symbol(c.a) : expr::rate(c.v);
        terms[static_cast<std::size_t>(e.row)].push_back(e.value * rate);
    }
    std::vector<Expr> constraints;
    for (const model::Constraint& c : system.constraints)
        constraints.push_back(c.g);
    std::vector<Symbol> q;
    for (const model::Coordinate& c : system.coordinates)
        q.push_back(c.q);
    for (const expr::JacobianEntry& e : expr::sparseJacobian(constraints, q))
        terms[static_cast<std::size_t>(e.column)].push_back(
            e.value * expr::symbol(system.constraints[static_cast<std::size_t>(e.row)].multiplier));
    for (std::size_t i = 0; i < terms.size(); ++i) {
        terms[i].push_back(-system.force[i]);
        const model::Coordinate& c = system.coordinates[i];
        dae.rows.push_back({expr::sum(terms[i]), Provenance::Dynamic, c.name + ": balance", c.body, -1});
    }
}

Expr constraintAtLevel(const ConstrainedSystem& system, int i, int level, bool useAcceleration)
{
    Expr g = system.constraints[static_cast<std::size_t>(i)].g;
    if (level == 0)
        return g;
    g = expr::timeDerivative(g, level, motionRule(system));
    if (level < 2 || useAcceleration)
        return g;
    expr::Substitution rates;
    for (const model::Coordinate& c : system.coordinates)
        rates.emplace(c.a, expr::rate(c.v));
    return expr::substitute(g, rates);
}

Row constraintRow(const ConstrainedSystem& system, int i, int level, bool useAcceleration)
{
    const model::Constraint& c = system.constraints[static_cast<std::size_t>(i)];
    static constexpr Provenance kLevels[] = {Provenance::Constraint, Provenance::DifferentiatedOnce, Provenance::DifferentiatedTwice};
    return {constraintAtLevel(system, i, level, useAcceleration), kLevels[level],
            c.name + std::string(static_cast<std::size_t>(level), '\''), c.joint, i};
}

void addDescriptorUnknowns(const ConstrainedSystem& system, int multiplierOrder, Dae& dae)
{
    for (const model::Coordinate& c : system.coordinates)
        dae.unknowns.push_back(positionUnknown(c, true));
    for (const model::Coordinate& c : system.coordinates)
        dae.unknowns.push_back(velocityUnknown(c, true));
    for (const model::Constraint& c : system.constraints)
        dae.unknowns.push_back(multiplierUnknown(c, multiplierOrder));
    for (const model::Coordinate& c : system.coordinates) {
        dae.q.push_back(expr::symbol(c.q));
        dae.v.push_back(expr::symbol(c.v));
    }
    for (const model::Constraint& c : system.constraints)
        dae.lambda.push_back(expr::symbol(c.multiplier));
}

} // namespace driftless::formulation
