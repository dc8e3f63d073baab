// Forms that are ordinary differential equations in q, v and, for the first, lambda.
//
//   underlying-ode        [St02] (19): q' = Z v, v' = a, and d3g/dt3 = 0 for lambda'. a, its rate j and the rates of the
//   efforts
//                         stand for M^-1 and (W M^-1 W^T)^-1:  M a = f - W^T lambda,  d/dt of that row,  W j + ... = 0
//   penalty               springs and dampers in place of constraints: M v' = f - W^T (k g + c g')
//   augmented-lagrangian  Bayo, Garcia de Jalon, Serna 1988: M v' = f - W^T lambda with
//                         lambda = lambda* + alpha (g'' + 2 xi omega g' + omega^2 g), lambda* carried over from the last step.
//                         lambda stays an unknown and its row is divided by alpha, so that a Newton iterate off the constraints
//                         meets no force of size alpha; the matrix [M W^T; W -1/alpha] is regular whatever the rank of W.
#include "core/formulation/Forms.h"
#include "core/system/ConstraintLevels.h"

namespace driftless::formulation {
namespace {

/// Of the multiplier "rod.lambda0" the one carried from the last step is "rod.lambda_0carried", which is set as λ with a
/// subscript.
std::string carriedName(const std::string& multiplier)
{
    const std::size_t dot = multiplier.rfind('.');
    if (multiplier.find('_', dot == std::string::npos ? 0 : dot) != std::string::npos)
        return multiplier + "carried";
    const std::size_t digits = multiplier.find_last_not_of("0123456789") + 1;
    return multiplier.substr(0, digits) + "_" + multiplier.substr(digits) + "carried";
}

using expr::Expr;
using expr::Symbol;
using model::ConstrainedSystem;

Symbol jerkOf(const model::Coordinate& c) { return Symbol{c.a.kind, c.a.name, c.a.order + 1}; }

/// Along the motion with accelerations and multipliers as states, too: der(a) = j, der(lambda) stays.
expr::RateRule motionOfOrderThree(const ConstrainedSystem& s)
{
    expr::Substitution further;
    for (const model::Coordinate& c : s.coordinates)
        further.emplace(c.a, expr::symbol(jerkOf(c)));
    for (const model::Constraint& c : s.constraints)
        further.emplace(c.multiplier, expr::rate(c.multiplier));
    return [motion = model::motionRule(s), further](const Symbol& symbol) {
        const auto found = further.find(symbol);
        return found == further.end() ? motion(symbol) : std::optional<Expr>(found->second);
    };
}

/// a, with der(v) = a, and its rate j.
void addAccelerations(const ConstrainedSystem& s, Dae& dae)
{
    for (const model::Coordinate& c : s.coordinates) {
        dae.rows.push_back(kinematicRow(c));
        dae.unknowns.push_back(accelerationUnknown(c));
        dae.unknowns.back().solvedAtStart = true;
    }
    for (const model::Coordinate& c : s.coordinates) {
        dae.rows.push_back({.residual = expr::rate(c.v) - expr::symbol(c.a),
                            .provenance = Provenance::Kinematic,
                            .name = c.name + ": acceleration",
                            .origin = c.body});
        Unknown j = auxiliaryUnknown(jerkOf(c).text(), 1);
        j.symbol = jerkOf(c);
        j.kind = UnknownKind::Acceleration;
        j.solvedAtStart = true;
        dae.unknowns.push_back(j);
        dae.a.push_back(expr::symbol(c.a));
    }
}

class UnderlyingOde final : public Formulation {
public:
    const FormulationInfo& info() const override
    {
        static const FormulationInfo info{
            .id = "underlying-ode",
            .title = "Underlying ordinary differential equation",
            .source = "[St02] (19)",
            .index = 0,
            .requirements = "full rank of G, M regular",
            .keeps =
                "Keeps no constraint: from inconsistent values the position residual grows with t^2; any start has a solution.",
            .massAlone = true};
        return info;
    }

    Result<Dae> rewrite(const model::Model& model, const OptionValues&) const override
    {
        const ConstrainedSystem& s = model.system;
        Dae dae;
        dae.formulation = info().id;
        dae.index = claimedIndex(s, 0);
        addDescriptorUnknowns(s, 0, dae);
        for (Unknown& u : dae.unknowns)
            if (u.kind == UnknownKind::Multiplier)
                u.differential = u.solvedAtStart = true; // its rate is
        addAccelerations(s, dae);
        const expr::RateRule rule = motionOfOrderThree(s);
        const std::size_t first = dae.rows.size();
        addDynamicRows(s, true, dae);
        const std::size_t last = dae.rows.size();
        for (std::size_t i = first; i < last; ++i) {
            dae.rows[i].provenance = Provenance::Definition;
            Row rate = dae.rows[i];
            rate.residual = expr::timeDerivative(rate.residual, 1, rule);
            rate.name += "'";
            dae.rows.push_back(std::move(rate));
        }
        const model::ConstraintLevels levels(s);
        for (int i = 0; i < s.m(); ++i) {
            Row row = constraintRow(levels, i, 2, true);
            row.residual = expr::timeDerivative(row.residual, 1, rule);
            row.provenance = s.constraints[static_cast<std::size_t>(i)].holonomic ? Provenance::DifferentiatedThrice
                                                                                  : Provenance::DifferentiatedTwice;
            row.name += "'";
            dae.rows.push_back(std::move(row));
        }
        addExtraVariables(s, dae);
        for (const model::Effort& e : s.efforts) {
            Unknown u = auxiliaryUnknown(e.name + "'", 1);
            u.symbol = {.kind = expr::SymbolKind::Variable, .name = e.name, .order = 1};
            u.solvedAtStart = true;
            dae.unknowns.push_back(u);
            dae.rows.push_back({.residual = expr::timeDerivative(e.equation, 1, rule),
                                .provenance = Provenance::Definition,
                                .name = e.name + "'",
                                .origin = e.name});
        }
        return dae;
    }
};

/// position g + velocity g' of constraint i; a nonholonomic one has its second part only.
Expr weighted(const model::ConstraintLevels& levels, int i, const Expr& position, const Expr& velocity)
{
    const Expr rate = velocity * constraintAtLevel(levels, i, 1, false);
    const bool holonomic = levels.system().constraints[static_cast<std::size_t>(i)].holonomic;
    return holonomic ? position * constraintAtLevel(levels, i, 0, false) + rate : rate;
}

class Penalty final : public Formulation {
public:
    const FormulationInfo& info() const override
    {
        static const FormulationInfo info{
            .id = "penalty",
            .title = "Penalty (stiff springs)",
            .source = "Courant 1943; common in games and robotics",
            .index = 0,
            .requirements = "M regular; a step that resolves the springs",
            .keeps = "Keeps no constraint: it yields by lambda/k and rings with the springs, whose energy is missing from the "
                     "balance.",
            .fullRank = false,
            .massAlone = true,
            .gains = {
                {.name = "k", .meaning = "stiffness: force per unit of the constraint residual", .value = 1e4, .maximum = 1e12},
                {.name = "c", .meaning = "damping: force per unit of its rate", .value = 10, .maximum = 1e9}}};
        return info;
    }

    Result<Dae> rewrite(const model::Model& model, const OptionValues&) const override
    {
        const ConstrainedSystem& s = model.system;
        for (const model::Constraint& c : s.constraints)
            if (!c.drag.empty())
                return Diagnostic{
                    .what = "penalty cannot carry the friction of " + c.joint,
                    .where = model.path,
                    .why = "it follows from the contact's force at the same instant, for which this form has a spring "
                           "that swings",
                    .remedy = "augmented-lagrangian, or another form that has the multiplier of " + c.name};
        for (const model::OneSided& row : s.oneSided)
            if (row.kind == model::OneSidedKind::Contact && !row.row.holonomic)
                return Diagnostic{.what = "penalty cannot carry the ratchet " + row.row.name,
                                  .where = model.path,
                                  .why = "a ratchet holds a velocity, for which this form has a damper, and what it holds "
                                         "turns back slowly",
                                  .remedy = "augmented-lagrangian, or another form that has the multiplier of " + row.row.name};
        Dae dae;
        dae.formulation = info().id;
        dae.index = claimedIndex(s, 0);
        dae.yields = s.m() > 0;
        dae.gains = makeGains(info());
        dae.nominalGains = {{.gain = 0, .energy = 1, .row = -2}, {.gain = 1, .energy = 1, .time = 1, .row = -2}};
        const model::ConstraintLevels levels(s);
        std::vector<Expr> lambda;
        for (int i = 0; i < s.m(); ++i)
            lambda.push_back(weighted(levels, i, expr::symbol(dae.gains[0].symbol), expr::symbol(dae.gains[1].symbol)));
        for (const model::Coordinate& c : s.coordinates)
            dae.unknowns.push_back(positionUnknown(c, true));
        for (const model::Coordinate& c : s.coordinates)
            dae.unknowns.push_back(velocityUnknown(c, true));
        addKinematicRows(s, dae);
        const std::size_t first = dae.rows.size();
        addDynamicRows(s, false, dae);
        expr::Substitution forces;
        for (std::size_t i = 0; i < lambda.size(); ++i)
            forces.emplace(s.constraints[i].multiplier, lambda[i]);
        for (std::size_t i = first; i < dae.rows.size() && !lambda.empty(); ++i) {
            dae.rows[i].residual = expr::substitute(dae.rows[i].residual, forces);
            dae.rows[i].provenance = Provenance::Stabilised;
        }
        readOut(s, false, false, dae);
        dae.lambda = lambda;
        addExtraVariables(s, dae);
        for (Unknown& u : dae.unknowns)
            if (u.kind == UnknownKind::Velocity && s.m() > 0)
                u.solvedAtStart =
                    true; // without deflection the springs pull nothing: the acceleration is not the constrained one
        return dae;
    }
};

class AugmentedLagrangian final : public Formulation {
public:
    const FormulationInfo& info() const override
    {
        static const FormulationInfo info{
            .id = "augmented-lagrangian",
            .title = "Augmented Lagrangian",
            .source = "Bayo, Garcia de Jalon, Serna 1988",
            .index = 1,
            .requirements = "none: redundant constraints and singular configurations are carried",
            .keeps = "Pulls drift back like Baumgarte, with multipliers iterated once a step; stays regular where constraints "
                     "become dependent.",
            .fullRank = false,
            .gains = {{.name = "alpha",
                       .meaning = "penalty on the stabilised acceleration residual",
                       .value = 1e6,
                       .minimum = 1e-3,
                       .maximum = 1e12},
                      {.name = "xi", .meaning = "damping ratio of the constraint error", .value = 1, .maximum = 10},
                      {.name = "omega",
                       .unit = "1/s",
                       .meaning = "frequency at which the constraint error is pulled back",
                       .value = 10,
                       .maximum = 1000}}};
        return info;
    }

    Result<Dae> rewrite(const model::Model& model, const OptionValues&) const override
    {
        const ConstrainedSystem& s = model.system;
        Dae dae;
        dae.formulation = info().id;
        dae.index = claimedIndex(s, 1);
        dae.gains = makeGains(info());
        dae.nominalGains = {{.gain = 0, .energy = 1, .time = 2, .row = -2}, {.gain = 2, .time = -1}};
        Basis carried{BasisKind::Multipliers, 1, s.m(), {}};
        for (const model::Constraint& constraint : s.constraints)
            carried.entries.push_back({.kind = expr::SymbolKind::Parameter, .name = carriedName(constraint.multiplier.name)});
        const Expr alpha = expr::symbol(dae.gains[0].symbol), xi = expr::symbol(dae.gains[1].symbol),
                   omega = expr::symbol(dae.gains[2].symbol);
        addDescriptorUnknowns(s, 1, dae);
        addKinematicRows(s, dae);
        addDynamicRows(s, false, dae);
        const model::ConstraintLevels levels(s);
        for (int i = 0; i < s.m(); ++i) {
            Row row = constraintRow(levels, i, 2, false);
            const Expr excess = expr::symbol(s.constraints[static_cast<std::size_t>(i)].multiplier)
                                - expr::symbol(carried.entries[static_cast<std::size_t>(i)]);
            row.residual = row.residual + weighted(levels, i, expr::pow(omega, Expr(2)), Expr(2) * xi * omega) - excess / alpha;
            row.provenance = Provenance::Stabilised;
            row.name = s.constraints[static_cast<std::size_t>(i)].name + ": stabilised";
            dae.rows.push_back(std::move(row));
        }
        addExtraVariables(s, dae);
        if (s.m() > 0)
            dae.bases = {carried};
        return dae;
    }
};

} // namespace

std::unique_ptr<const Formulation> makeUnderlyingOde() { return std::make_unique<UnderlyingOde>(); }
std::unique_ptr<const Formulation> makePenalty() { return std::make_unique<Penalty>(); }
std::unique_ptr<const Formulation> makeAugmentedLagrangian() { return std::make_unique<AugmentedLagrangian>(); }

} // namespace driftless::formulation
