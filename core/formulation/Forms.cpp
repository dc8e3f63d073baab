#include "core/formulation/Forms.h"

#include <algorithm>
#include <cmath>

#include "core/expr/Units.h"
#include "core/system/NominalScales.h"

namespace driftless::formulation {

using expr::Expr;
using expr::Symbol;
using model::ConstrainedSystem;
using model::ConstraintLevels;

std::string provenanceName(Provenance p)
{
    switch (p) {
    case Provenance::Kinematic:
        return "kinematic";
    case Provenance::Dynamic:
        return "equation of motion";
    case Provenance::Constraint:
        return "constraint";
    case Provenance::DifferentiatedOnce:
        return "constraint, differentiated once";
    case Provenance::DifferentiatedTwice:
        return "constraint, differentiated twice";
    case Provenance::DifferentiatedThrice:
        return "constraint, differentiated three times";
    case Provenance::Stabilised:
        return "stabilised constraint";
    case Provenance::Link:
        return "integrated link";
    case Provenance::Reduced:
        return "reduced to minimal coordinates";
    case Provenance::Effort:
        return "effort constraint";
    case Provenance::DynamicVariable:
        return "dynamic variable";
    case Provenance::Definition:
        return "definition of an auxiliary unknown";
    case Provenance::Stated:
        return "equation as stated";
    case Provenance::Combined:
        return "combination of equations";
    }
    return {};
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
    u.startRate = c.rate;
    return u;
}

Unknown velocityUnknown(const model::Coordinate& c, bool differential)
{
    Unknown u = coordinateUnknown(c, c.v, UnknownKind::Velocity, differential);
    u.unit = c.velocity.unit;
    u.startRate = expr::symbol(c.a);
    return u;
}

Unknown accelerationUnknown(const model::Coordinate& c)
{
    Unknown u = coordinateUnknown(c, c.a, UnknownKind::Acceleration, false);
    u.indexOrder = 1;
    u.unit = model::rateUnit(c.unit, 2);
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

Unknown auxiliaryUnknown(const std::string& name, int indexOrder, const Expr& start)
{
    Unknown u;
    u.symbol = {.kind = expr::SymbolKind::Variable, .name = name};
    u.name = name;
    u.kind = UnknownKind::Auxiliary;
    u.differential = false;
    u.indexOrder = indexOrder;
    u.start = start;
    return u;
}

void addExtraVariables(const ConstrainedSystem& system, Dae& dae)
{
    for (const model::DynamicVariable& d : system.dynamics) {
        Unknown u = auxiliaryUnknown(d.name, 0, expr::symbol(d.s));
        u.unit = d.unit;
        u.kind = UnknownKind::Dynamic;
        u.differential = true;
        u.startRate = d.rate;
        dae.unknowns.push_back(u);
        dae.rows.push_back({.residual = expr::rate(d.s) - d.rate,
                            .provenance = Provenance::DynamicVariable,
                            .name = d.name,
                            .origin = d.name});
        dae.extra.push_back(expr::symbol(d.s));
    }
    for (const model::Effort& e : system.efforts) {
        Unknown u = auxiliaryUnknown(e.name, 1, expr::symbol(e.e));
        u.unit = e.unit;
        u.kind = UnknownKind::Effort;
        dae.unknowns.push_back(u);
        dae.rows.push_back({.residual = e.equation, .provenance = Provenance::Effort, .name = e.name, .origin = e.name});
        dae.extra.push_back(expr::symbol(e.e));
    }
}

Row kinematicRow(const model::Coordinate& c)
{
    return {.residual = expr::rate(c.q) - c.rate,
            .provenance = Provenance::Kinematic,
            .name = c.name + ": kinematics",
            .origin = c.body};
}

void addKinematicRows(const ConstrainedSystem& system, Dae& dae)
{
    for (const model::Coordinate& c : system.coordinates)
        dae.rows.push_back(kinematicRow(c));
}

std::vector<Expr> constraintForces(const ConstrainedSystem& system, const std::vector<Expr>& multipliers)
{
    const ConstraintLevels levels(system);
    std::vector<Expr> rates;
    for (int i = 0; i < system.m(); ++i)
        rates.push_back(levels.at(i, 1));
    std::vector<Symbol> v;
    for (const model::Coordinate& c : system.coordinates)
        v.push_back(c.v);
    std::vector<std::vector<Expr>> terms(system.coordinates.size());
    for (const expr::JacobianEntry& e : expr::sparseJacobian(rates, v))
        terms[static_cast<std::size_t>(e.column)].push_back(e.value * multipliers[static_cast<std::size_t>(e.row)]);
    std::vector<Expr> out;
    for (const std::vector<Expr>& t : terms)
        out.push_back(expr::sum(t));
    return out;
}

void addDynamicRows(const ConstrainedSystem& system, bool useAcceleration, Dae& dae)
{
    std::vector<std::vector<Expr>> terms(system.coordinates.size());
    for (const model::MassEntry& e : system.mass) {
        const model::Coordinate& c = system.coordinates[static_cast<std::size_t>(e.column)];
        const Expr rate = useAcceleration ? expr::symbol(c.a) : expr::rate(c.v);
        terms[static_cast<std::size_t>(e.row)].push_back(e.value * rate);
    }
    std::vector<Expr> multipliers;
    for (const model::Constraint& c : system.constraints)
        multipliers.push_back(expr::symbol(c.multiplier));
    const std::vector<Expr> forces = constraintForces(system, multipliers);
    std::vector<const model::Constraint*> dragging;
    for (const model::Constraint& c : system.constraints)
        if (!c.drag.empty())
            dragging.push_back(&c);
    for (std::size_t i = 0; i < terms.size(); ++i) {
        terms[i].push_back(forces[i]);
        for (const model::Constraint* c : dragging)
            if (!c->drag[i].isZero())
                terms[i].push_back(c->drag[i] * expr::symbol(c->multiplier));
        terms[i].push_back(-system.force[i]);
        const model::Coordinate& c = system.coordinates[i];
        dae.rows.push_back({.residual = expr::sum(terms[i]),
                            .provenance = Provenance::Dynamic,
                            .name = c.name + ": balance",
                            .origin = c.body});
    }
}

Expr constraintAtLevel(const ConstraintLevels& levels, int i, int level, bool useAcceleration)
{
    const Expr g = levels.at(i, level);
    if (level < 2 || useAcceleration)
        return g;
    expr::Substitution rates;
    if (levels.plainRates()) {
        for (const Symbol& s : expr::symbolsOf(g))
            if (s.kind == expr::SymbolKind::Variable && s.order == 2)
                rates.emplace(s, expr::rate(Symbol{s.kind, s.name, 1}));
    } else {
        for (const model::Coordinate& c : levels.system().coordinates)
            rates.emplace(c.a, expr::rate(c.v));
    }
    return expr::substitute(g, rates);
}

Row constraintRow(const ConstraintLevels& levels, int i, int level, bool useAcceleration)
{
    const model::Constraint& c = levels.system().constraints[static_cast<std::size_t>(i)];
    static constexpr Provenance kLevels[] = {Provenance::Constraint, Provenance::DifferentiatedOnce,
                                             Provenance::DifferentiatedTwice};
    const int order = c.holonomic ? level : std::max(0, level - 1);
    return {.residual = constraintAtLevel(levels, i, level, useAcceleration),
            .provenance = kLevels[order],
            .name = c.name + std::string(static_cast<std::size_t>(order), '\''),
            .origin = c.joint,
            .constraint = i};
}

void addConstraintRows(const ConstrainedSystem& system, int level, bool useAcceleration, Dae& dae)
{
    const ConstraintLevels levels(system);
    for (int i = 0, end = level == 0 ? system.holonomic() : system.m(); i < end; ++i)
        dae.rows.push_back(constraintRow(levels, i, level, useAcceleration));
}

void readOut(const ConstrainedSystem& system, bool accelerations, bool multipliers, Dae& dae)
{
    for (const model::Coordinate& c : system.coordinates) {
        dae.q.push_back(expr::symbol(c.q));
        dae.v.push_back(expr::symbol(c.v));
        if (accelerations)
            dae.a.push_back(expr::symbol(c.a));
    }
    for (const model::Constraint& c : system.constraints)
        if (multipliers)
            dae.lambda.push_back(expr::symbol(c.multiplier));
}

void addDescriptorUnknowns(const ConstrainedSystem& system, int multiplierOrder, Dae& dae)
{
    for (const model::Coordinate& c : system.coordinates)
        dae.unknowns.push_back(positionUnknown(c, true));
    for (const model::Coordinate& c : system.coordinates)
        dae.unknowns.push_back(velocityUnknown(c, true));
    for (const model::Constraint& c : system.constraints)
        dae.unknowns.push_back(multiplierUnknown(c, multiplierOrder));
    readOut(system, false, true, dae);
}

void addLocalUnknowns(const ConstrainedSystem& system, Dae& dae)
{
    for (const model::Coordinate& c : system.coordinates)
        dae.unknowns.push_back(positionUnknown(c, false));
    for (const model::Coordinate& c : system.coordinates)
        dae.unknowns.push_back(velocityUnknown(c, false));
    for (const model::Coordinate& c : system.coordinates)
        dae.unknowns.push_back(accelerationUnknown(c));
    for (const model::Constraint& c : system.constraints)
        dae.unknowns.push_back(multiplierUnknown(c, 1));
    readOut(system, true, true, dae);
}

Basis makeBasis(BasisKind kind, int rows, int columns, const std::string& prefix)
{
    Basis basis{kind, rows, columns, {}};
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j)
            basis.entries.push_back({.kind = expr::SymbolKind::Parameter,
                                     .name = prefix + "[" + std::to_string(i + 1) + "," + std::to_string(j + 1) + "]"});
    return basis;
}

namespace {

bool isLength(const model::Coordinate& c, bool velocities)
{
    return velocities ? expr::isLength(c.velocity.unit, 1) : expr::isLength(c.unit);
}

/// Whether lengths stand beside angles.
bool mixed(const ConstrainedSystem& system, bool velocities)
{
    const auto lengths = std::count_if(system.coordinates.begin(), system.coordinates.end(),
                                       [&](const model::Coordinate& c) { return isLength(c, velocities); });
    return lengths > 0 && lengths < system.n();
}

} // namespace

std::vector<Expr> lengthMetric(const ConstrainedSystem& system, bool velocities, Dae& dae)
{
    std::vector<Expr> out(system.coordinates.size(), Expr(1));
    if (!mixed(system, velocities))
        return out;
    const auto made = std::find_if(dae.nominalGains.begin(), dae.nominalGains.end(),
                                   [&](const NominalGain& g) { return dae.gains[g.gain].quantity.name == "length"; });
    const std::size_t gain = made == dae.nominalGains.end() ? dae.gains.size() : made->gain;
    if (made == dae.nominalGains.end()) {
        dae.nominalGains.push_back({.gain = gain, .length = 1, .usual = true});
        dae.gains.push_back(makeGain(dae.formulation, lengthGain()));
    }
    const Expr squared = expr::pow(expr::symbol(dae.gains[gain].symbol), Expr(2));
    for (std::size_t i = 0; i < out.size(); ++i)
        if (isLength(system.coordinates[i], velocities))
            out[i] = squared;
    return out;
}

std::vector<Expr> forceMetric(const ConstrainedSystem& system, Dae& dae)
{
    std::vector<Expr> out = lengthMetric(system, false, dae);
    const bool lengths = system.n() > 0 && isLength(system.coordinates.front(), false) && !mixed(system, false);
    dae.nominalGains.push_back({.gain = dae.gains.size(), .length = lengths ? -2 : 0, .energy = 1, .usual = true});
    GainInfo info = stiffnessGain();
    if (!lengths)
        info.unit = "N m";
    dae.gains.push_back(makeGain(dae.formulation, info));
    const Expr stiffness = expr::symbol(dae.gains.back().symbol);
    for (Expr& weight : out)
        weight = weight / stiffness;
    return out;
}

namespace {

double unitOf(const NominalGain& gain, const model::NominalScales& scales)
{
    const double row = scales.rows.empty() ? 1 : *std::max_element(scales.rows.begin(), scales.rows.end());
    return std::pow(scales.length, gain.length) * std::pow(scales.energy, gain.energy) * std::pow(scales.time, gain.time)
           * std::pow(row, gain.row);
}

} // namespace

DaeSize sizeOf(const Dae& dae, const ConstrainedSystem& system)
{
    DaeSize out{.index = dae.differentiationIndex,
                .equations = static_cast<int>(dae.rows.size()),
                .unknowns = static_cast<int>(dae.unknowns.size()) - dae.overdetermined,
                .overdetermined = dae.overdetermined};
    if (dae.pivot) // the choices of a pivot less one for each dummy
        out.equations +=
            static_cast<int>(dae.pivot->positionRows.size() + dae.pivot->velocityRows.size()) - system.holonomic() - system.m();
    if (dae.links) // of a text of equations: the links of values with their rates, less one for each dummy
        out.equations += static_cast<int>(dae.links->from.size()) - static_cast<int>(dae.links->dummies.size());
    return out;
}

std::vector<double> usualGains(const Dae& dae, const model::NominalScales& scales)
{
    std::vector<double> values;
    for (const model::Parameter& g : dae.gains)
        values.push_back(g.quantity.value);
    for (const NominalGain& g : dae.nominalGains)
        if (g.usual)
            values[g.gain] *= unitOf(g, scales);
    return values;
}

GainRange gainRange(const Dae& dae, std::size_t i, const model::NominalScales& scales)
{
    GainRange out{dae.gains[i].quantity.minimum, dae.gains[i].quantity.maximum};
    for (const NominalGain& g : dae.nominalGains)
        if (const double unit = unitOf(g, scales); g.gain == i && unit > 0 && std::isfinite(unit)) {
            out.minimum *= std::min(1.0, unit);
            out.maximum *= std::max(1.0, unit);
        }
    return out;
}

model::Parameter makeGain(const std::string& form, const GainInfo& gain)
{
    model::Parameter p;
    p.quantity.name = gain.name;
    p.quantity.unit = gain.unit;
    p.quantity.description = gain.meaning;
    p.quantity.value = gain.value;
    p.quantity.minimum = gain.minimum;
    p.quantity.maximum = gain.maximum;
    p.symbol = {.kind = expr::SymbolKind::Parameter, .name = form + "." + gain.name};
    return p;
}

std::vector<model::Parameter> makeGains(const FormulationInfo& info)
{
    std::vector<model::Parameter> out;
    for (const GainInfo& gain : info.gains)
        if (!gain.byModel)
            out.push_back(makeGain(info.id, gain));
    return out;
}

GainInfo lengthGain()
{
    return {.name = "length",
            .unit = "m",
            .meaning = "length that weighs as much as one radian in the correction; usually that of the model",
            .value = 1,
            .minimum = 1e-12,
            .maximum = 1e12,
            .byModel = true};
}

GainInfo stiffnessGain()
{
    return {.name = "stiffness",
            .unit = "N/m",
            .meaning =
                "force that weighs as much as a unit of displacement where velocities are corrected; usually the nominal "
                "one of the model",
            .value = 1,
            .minimum = 1e-30,
            .maximum = 1e30,
            .byModel = true};
}

int claimedIndex(const ConstrainedSystem& system, int index)
{
    const int least = system.efforts.empty() ? 0 : 1; // efforts are algebraic
    return system.m() > 0 ? std::max(index, least) : least;
}

Result<void> checkBasisSize(const ConstrainedSystem& system, const FormulationInfo& info)
{
    if (system.n() <= kBasisLimit)
        return {};
    return Diagnostic{.what = info.id + " is not built for a system of this size",
                      .why = "its basis is dense: " + std::to_string(system.n())
                             + " coordinates would put as many terms into every row; at most " + std::to_string(kBasisLimit)
                             + " are taken",
                      .remedy = "dummy-derivatives, coordinate-partitioning or ggl, which stay sparse"};
}

} // namespace driftless::formulation
