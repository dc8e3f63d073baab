// The overdetermined systems of [PP92] and the extended systems that square them.
//
//   odae-ssf            (3.1):  q' = Z v,  M v' = f - W^T lambda,  W v' + gamma = 0,  W v + g_t = 0,  g = 0
//   odae-explicit-ssf   (3.4):  the third row made explicit, W w + gamma = 0 with M w = f - W^T lambda: no symbolic inverse
//                       n_lambda + n_lambda rows more than unknowns; combined by the ssf-solution (3.14)
//   extended-3.16       (3.16): q' = Z v - G^T mu - L^T tau,  M v' = f - W^T (lambda + tau),  and the other rows of (3.1)
//   extended-3.17       (3.17): the same with the rows of (3.4)
//   projected-invariants (3.32): q' = Z v - G^T mu,  M (v' + W^T tau) = f - W^T lambda,  W (v' + W^T tau) + gamma = 0, W v +
//   g_t
//                       = 0, g = 0; (5.10): G and W of a past point t_c in place of those that multiply mu and tau
// L = d(W v + g_t)/dq. The matrix (3.24), [G; L] [G; L]^T, is singular where 2 n_lambda > n_p, where a constraint is linear
// (its row of L is zero) and where v = 0 with L linear in v: there mu and tau of (3.16), and the ssf-solution of (3.1), are not
// determined. Corrections of q' are weighed, so that they are the same in all units: D G^T mu, D L^T tau / k, with D = length^2
// for lengths beside angles, else 1, and k the gain stiffness, the nominal one unless it is set. The paper has D = k = 1.
#include <algorithm>

#include "core/formulation/Forms.h"
#include "core/system/ConstraintLevels.h"

namespace driftless::formulation {
namespace {

using expr::Expr;
using expr::Symbol;
using model::ConstrainedSystem;

/// Whether the multiplier row is W v' + gamma = 0 (false) or its explicit form with w = M^-1 (f - W^T lambda).
enum class MultiplierRow { Differential, Explicit };

std::vector<Expr> symbolsNamed(const ConstrainedSystem& s, int count, const char* suffix)
{
    std::vector<Expr> out;
    for (int i = 0; i < count; ++i)
        out.push_back(expr::variable(s.constraints[static_cast<std::size_t>(i)].name + suffix));
    return out;
}

/// Refuses where [G; L] cannot have full row rank.
Result<void> checkRank(const model::Model& model, const FormulationInfo& info)
{
    const ConstrainedSystem& s = model.system;
    const auto refusal = [&](const std::string& why) {
        return Diagnostic{.what = info.id + " cannot carry the model " + model.name,
                          .where = model.path,
                          .why = why + ", so the matrix (3.24) of [PP92] is singular everywhere",
                          .remedy = "projected-invariants or extended-3.17, which do not need it"};
    };
    for (const model::Constraint& c : s.constraints)
        if (!c.drag.empty())
            return Diagnostic{.what = info.id + " cannot carry the friction of " + c.joint,
                              .where = model.path,
                              .why = "it follows from the multiplier of " + c.name
                                     + ", of which this form determines a sum with another one alone",
                              .remedy = "projected-invariants or extended-3.17, which have the multiplier itself"};
    if (const int rows = s.holonomic() + s.m(); rows > s.n())
        return refusal("2 n_lambda <= n_p is needed: [G; L] has " + std::to_string(rows) + " rows for " + std::to_string(s.n())
                       + " coordinates");
    const model::ConstraintLevels levels(s);
    for (int i = 0; i < s.m(); ++i) {
        const Expr rate = levels.at(i, 1);
        if (std::none_of(s.coordinates.begin(), s.coordinates.end(),
                         [&](const model::Coordinate& c) { return expr::dependsOn(rate, c.q); }))
            return refusal("the row of " + s.constraints[static_cast<std::size_t>(i)].name
                           + " in L = d(W v + g_t)/dq is zero (its rate does not "
                             "depend on positions)");
    }
    return {};
}

/// M w - f + W^T lambda = 0 over the symbols a in the role of w.
void addDefinition(const ConstrainedSystem& s, Dae& dae)
{
    for (const model::Coordinate& c : s.coordinates)
        dae.unknowns.push_back(accelerationUnknown(c));
    const std::size_t first = dae.rows.size();
    addDynamicRows(s, true, dae);
    for (std::size_t i = first; i < dae.rows.size(); ++i) {
        dae.rows[i].provenance = Provenance::Definition;
        dae.rows[i].name += " (definition of the acceleration)";
    }
}

Dae descriptorPart(const ConstrainedSystem& s, MultiplierRow kind, int multiplierOrder, const std::string& id)
{
    Dae dae;
    dae.formulation = id;
    dae.index = claimedIndex(s, 2);
    addDescriptorUnknowns(s, multiplierOrder, dae);
    addKinematicRows(s, dae);
    addDynamicRows(s, false, dae);
    addConstraintRows(s, 2, kind == MultiplierRow::Explicit, dae);
    addExtraVariables(s, dae);
    if (kind == MultiplierRow::Explicit) {
        addDefinition(s, dae);
        for (const model::Coordinate& c : s.coordinates)
            dae.a.push_back(expr::symbol(c.a));
    }
    return dae;
}

class SsfForm final : public Formulation {
public:
    SsfForm(FormulationInfo info, MultiplierRow kind) : info_(std::move(info)), kind_(kind) {}
    const FormulationInfo& info() const override { return info_; }

    Result<Dae> rewrite(const model::Model& model, const OptionValues&) const override
    {
        const ConstrainedSystem& s = model.system;
        if (kind_ == MultiplierRow::Differential)
            if (auto enough = checkRank(model, info_); !enough)
                return enough.error();
        Dae dae = descriptorPart(s, kind_, kind_ == MultiplierRow::Differential ? 2 : 1, info_.id);
        addConstraintRows(s, 1, false, dae);
        addConstraintRows(s, 0, false, dae);
        dae.overdetermined = s.m() + s.holonomic();
        for (int k = 0; k < dae.overdetermined; ++k)
            dae.unknowns.push_back(auxiliaryUnknown("sigma" + std::to_string(k + 1), 2));
        dae.combination = forceMetric(s, dae);
        // The force of constraint i is that of lambda + sigma, sigma of its velocity row (Lemma 3.1).
        for (int i = 0; kind_ == MultiplierRow::Differential && i < s.m(); ++i)
            dae.lambda[static_cast<std::size_t>(i)] =
                dae.lambda[static_cast<std::size_t>(i)] + expr::variable("sigma" + std::to_string(i + 1));
        dae.needsRateRank = kind_ == MultiplierRow::Differential && s.m() > 0;
        return dae;
    }

private:
    FormulationInfo info_;
    MultiplierRow kind_;
};

class ExtendedForm final : public Formulation {
public:
    ExtendedForm(FormulationInfo info, MultiplierRow kind) : info_(std::move(info)), kind_(kind) {}
    const FormulationInfo& info() const override { return info_; }

    Result<Dae> rewrite(const model::Model& model, const OptionValues&) const override
    {
        const ConstrainedSystem& s = model.system;
        if (kind_ == MultiplierRow::Differential)
            if (auto enough = checkRank(model, info_); !enough)
                return enough.error();
        Dae dae = descriptorPart(s, kind_, kind_ == MultiplierRow::Differential ? 2 : 1, info_.id);
        const std::vector<Expr> mu = symbolsNamed(s, s.holonomic(), ".mu_extended"), tau = symbolsNamed(s, s.m(), ".tau");
        for (const auto* list : {&mu, &tau})
            for (const Expr& e : *list)
                dae.unknowns.push_back(auxiliaryUnknown(e.symbol()->name, 2));
        std::vector<Expr> positions, rates;
        std::vector<Symbol> q;
        for (const model::Coordinate& c : s.coordinates)
            q.push_back(c.q);
        const model::ConstraintLevels levels(s);
        for (int i = 0; i < s.m(); ++i) {
            if (i < s.holonomic())
                positions.push_back(levels.at(i, 0));
            rates.push_back(levels.at(i, 1));
        }
        const std::vector<Expr> ofPositions = lengthMetric(s, false, dae), ofForces = forceMetric(s, dae);
        const auto join = [&](const std::vector<Expr>& rows, const std::vector<Expr>& multipliers,
                              const std::vector<Expr>& metric) {
            for (const expr::JacobianEntry& e : expr::sparseJacobian(rows, q)) {
                Expr& residual = dae.rows[static_cast<std::size_t>(e.column)].residual;
                residual =
                    residual
                    + metric[static_cast<std::size_t>(e.column)] * e.value * multipliers[static_cast<std::size_t>(e.row)];
            }
        };
        join(positions, mu, ofPositions);
        join(rates, tau, ofForces);
        // The force of constraint i is that of lambda + tau: where (3.24) is singular only the sum is determined (Lemma 3.1).
        for (std::size_t i = 0; kind_ == MultiplierRow::Differential && i < tau.size(); ++i)
            dae.lambda[i] = dae.lambda[i] + tau[i];
        const std::vector<Expr> forces = constraintForces(s, tau);
        const std::size_t n = s.coordinates.size();
        for (std::size_t i = 0; i < n; ++i) {
            dae.rows[n + i].residual = dae.rows[n + i].residual + forces[i];
            dae.rows[i].provenance = dae.rows[n + i].provenance = Provenance::Stabilised;
        }
        addConstraintRows(s, 1, false, dae);
        addConstraintRows(s, 0, false, dae);
        dae.needsRateRank = kind_ == MultiplierRow::Differential && s.m() > 0;
        return dae;
    }

private:
    FormulationInfo info_;
    MultiplierRow kind_;
};

class ProjectedInvariants final : public Formulation {
public:
    const FormulationInfo& info() const override
    {
        static const FormulationInfo info{
            .id = "projected-invariants",
            .title = "Projected invariants",
            .source = "[PP92] (3.32), with a frozen basis (5.10)",
            .index = 2,
            .requirements = "full rank of G, M regular",
            .keeps = "Keeps position and velocity constraints, without a step limit where masses differ widely; works without "
                     "the term L.",
            .options = {{.name = "basis",
                         .description = "the gradients that multiply mu and tau",
                         .choices = {"continuous (3.32)", "renewed when due (5.10)", "frozen (5.10)"}}},
            .gains = {lengthGain()},
            .enforces = kPositionsAndVelocities};
        return info;
    }

    Result<Dae> rewrite(const model::Model& model, const OptionValues& options) const override
    {
        const ConstrainedSystem& s = model.system;
        const std::string& choice = optionOf(info(), options, "basis");
        const bool held = choice.find("(5.10)") != std::string::npos;
        if (held)
            if (auto size = checkBasisSize(s, info()); !size)
                return size.error();
        const int n = s.n(), m = s.m(), h = s.holonomic();
        Dae dae;
        dae.formulation = info().id;
        dae.index = claimedIndex(s, 2);
        addDescriptorUnknowns(s, 1, dae);
        const std::vector<Expr> mu = symbolsNamed(s, h, ".mu_projected"), tau = symbolsNamed(s, m, ".tau");
        for (const auto* list : {&mu, &tau})
            for (const Expr& e : *list)
                dae.unknowns.push_back(auxiliaryUnknown(e.symbol()->name, 2));
        std::vector<Expr> drift(static_cast<std::size_t>(n)), push(static_cast<std::size_t>(n));
        if (held) {
            const Basis G = makeBasis(BasisKind::PositionGradients, h, n, "Gc"),
                        W = makeBasis(BasisKind::VelocityGradients, m, n, "Wc");
            drift = transposed(G, mu);
            push = transposed(W, tau);
            dae.bases = {G, W};
            dae.basisUpdate = choice.starts_with("frozen") ? BasisUpdate::Frozen : BasisUpdate::WhenDue;
        } else {
            drift = positionGradients(s, mu);
            push = constraintForces(s, tau);
        }
        const std::vector<Expr> ofPositions = lengthMetric(s, false, dae), ofVelocities = lengthMetric(s, true, dae);
        for (std::size_t i = 0; i < drift.size(); ++i) {
            drift[i] = ofPositions[i] * drift[i];
            push[i] = ofVelocities[i] * push[i];
        }
        addKinematicRows(s, dae);
        for (int i = 0; i < n; ++i) {
            Row& row = dae.rows[static_cast<std::size_t>(i)];
            row.residual = row.residual + drift[static_cast<std::size_t>(i)];
            row.provenance = Provenance::Stabilised;
        }
        expr::Substitution pushed; // v' + W^T tau in place of the acceleration
        for (int i = 0; i < n; ++i) {
            const model::Coordinate& c = s.coordinates[static_cast<std::size_t>(i)];
            pushed.emplace(c.a, expr::rate(c.v) + push[static_cast<std::size_t>(i)]);
        }
        const std::size_t first = dae.rows.size();
        addDynamicRows(s, true, dae);
        addConstraintRows(s, 2, true, dae);
        for (std::size_t i = first; i < dae.rows.size(); ++i)
            dae.rows[i].residual = expr::substitute(dae.rows[i].residual, pushed);
        addConstraintRows(s, 1, false, dae);
        addConstraintRows(s, 0, false, dae);
        addExtraVariables(s, dae);
        return dae;
    }

private:
    static std::vector<Expr> transposed(const Basis& basis, const std::vector<Expr>& multipliers)
    {
        std::vector<Expr> out(static_cast<std::size_t>(basis.columns));
        for (int j = 0; j < basis.columns; ++j) {
            std::vector<Expr> terms;
            for (int i = 0; i < basis.rows; ++i)
                terms.push_back(expr::symbol(basis.entries[static_cast<std::size_t>(i * basis.columns + j)])
                                * multipliers[static_cast<std::size_t>(i)]);
            out[static_cast<std::size_t>(j)] = expr::sum(terms);
        }
        return out;
    }

    static std::vector<Expr> positionGradients(const ConstrainedSystem& s, const std::vector<Expr>& mu)
    {
        std::vector<Expr> g;
        std::vector<Symbol> q;
        for (int i = 0; i < s.holonomic(); ++i)
            g.push_back(s.constraints[static_cast<std::size_t>(i)].g);
        for (const model::Coordinate& c : s.coordinates)
            q.push_back(c.q);
        std::vector<Expr> out(s.coordinates.size());
        for (const expr::JacobianEntry& e : expr::sparseJacobian(g, q)) {
            Expr& sum = out[static_cast<std::size_t>(e.column)];
            sum = sum + e.value * mu[static_cast<std::size_t>(e.row)];
        }
        return out;
    }
};

} // namespace

std::unique_ptr<const Formulation> makeOdaeSsf()
{
    return std::make_unique<SsfForm>(
        FormulationInfo{
            .id = "odae-ssf",
            .title = "Overdetermined system, ssf-solution",
            .source = "[PP92] (3.1), (3.14)",
            .index = 1,
            .requirements = "2 n_lambda <= n_p, no linear constraint and v not zero: the matrix (3.24) must be regular",
            .keeps =
                "Keeps position and velocity constraints; stops where v = 0, because the ssf-solution is not determined there.",
            .gains = {lengthGain(), stiffnessGain()},
            .enforces = kPositionsAndVelocities},
        MultiplierRow::Differential);
}

std::unique_ptr<const Formulation> makeOdaeExplicitSsf()
{
    return std::make_unique<SsfForm>(
        FormulationInfo{.id = "odae-explicit-ssf",
                        .title = "Overdetermined system with explicit multipliers, ssf-solution",
                        .source = "[PP92] (3.4), (3.14)",
                        .index = 1,
                        .requirements = "full rank of G, M regular",
                        .keeps = "Keeps position and velocity constraints; with widely different masses its step is limited.",
                        .gains = {lengthGain(), stiffnessGain()},
                        .enforces = kPositionsAndVelocities},
        MultiplierRow::Explicit);
}

std::unique_ptr<const Formulation> makeExtended316()
{
    return std::make_unique<ExtendedForm>(
        FormulationInfo{.id = "extended-3.16",
                        .title = "Extended system with mu and tau",
                        .source = "[PP92] (3.16)",
                        .index = 2,
                        .requirements =
                            "2 n_lambda <= n_p, no linear constraint and v not zero: the matrix (3.24) must be regular",
                        .keeps = "Keeps position and velocity constraints; where (3.24) is singular it has further solutions "
                                 "with mu, tau not zero.",
                        .gains = {lengthGain(), stiffnessGain()},
                        .enforces = kPositionsAndVelocities},
        MultiplierRow::Differential);
}

std::unique_ptr<const Formulation> makeExtended317()
{
    return std::make_unique<ExtendedForm>(
        FormulationInfo{.id = "extended-3.17",
                        .title = "Extended system with explicit multipliers",
                        .source = "[PP92] (3.17)",
                        .index = 2,
                        .requirements = "full rank of G, M regular",
                        .keeps = "Keeps position and velocity constraints; with widely different masses its step is limited.",
                        .gains = {lengthGain(), stiffnessGain()},
                        .enforces = kPositionsAndVelocities},
        MultiplierRow::Explicit);
}

std::unique_ptr<const Formulation> makeProjectedInvariants() { return std::make_unique<ProjectedInvariants>(); }

} // namespace driftless::formulation
