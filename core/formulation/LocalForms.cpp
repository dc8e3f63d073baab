// Forms that take parts of the equations by a basis or a selector.
//
//   tangent-plane       [PP92] (5.4) with A spanning ker G: A^T (q' - Z v) = 0, A^T (v' - w) = 0, M w = f - W^T lambda,
//                       W w + gamma = 0, W v + g_t = 0, g = 0
//   strangeness-free    [St02] (29): S_p (q' - Z v) = 0, S_v (M v' - f + W^T lambda) = 0 and all three levels of the
//                       constraints, the third with M^-1 behind an auxiliary unknown w. The selectors pick rows, so that
//                       [S_p; G] and [S_v; W M^-1] are regular. (25) is the same for linear equations of motion.
#include "core/formulation/Forms.h"

namespace driftless::formulation {
namespace {

using expr::Expr;
using expr::Symbol;
using model::ConstrainedSystem;

class TangentPlane final : public Formulation {
public:
    const FormulationInfo& info() const override
    {
        static const FormulationInfo info{
            .id = "tangent-plane",
            .title = "Tangent-plane parametrisation",
            .source = "[PP92] (5.4) with A spanning ker G",
            .index = 1,
            .requirements = "full rank of G",
            .keeps =
                "Keeps the constraints at all three levels; the basis turns with the motion, so there is no pivot to cross.",
            .options = {{.name = "basis",
                         .description = "the basis A of the tangent plane",
                         .choices = {"continuous", "renewed when due", "frozen"}}},
            .enforces = kAllLevels};
        return info;
    }

    Result<Dae> rewrite(const model::Model& model, const OptionValues& options) const override
    {
        const ConstrainedSystem& s = model.system;
        if (auto size = checkBasisSize(s, info()); !size)
            return size.error();
        const std::string& choice = optionOf(info(), options, "basis");
        Dae dae;
        dae.formulation = info().id;
        dae.index = claimedIndex(s, 1);
        dae.semiExplicit = s.m() == 0;
        addLocalUnknowns(s, dae);
        const Basis A = makeBasis(BasisKind::PositionKernel, s.n() - s.holonomic(), s.n(), "A");
        const Basis B = makeBasis(BasisKind::VelocityKernel, s.n() - s.m(), s.n(), "B");
        addProjected(s, A, false, dae);
        addProjected(s, B, true, dae);
        dae.bases = {A, B};
        dae.basisUpdate = choice == "frozen" ? BasisUpdate::Frozen : BasisUpdate::WhenDue;
        if (choice == "continuous")
            dae.basisUpdate = BasisUpdate::Continuous;
        addDynamicRows(s, true, dae);
        for (int level = 0; level < 3; ++level)
            addConstraintRows(s, level, true, dae);
        addExtraVariables(s, dae);
        return dae;
    }

private:
    static void addProjected(const ConstrainedSystem& s, const Basis& basis, bool velocity, Dae& dae)
    {
        for (int k = 0; k < basis.rows; ++k) {
            std::vector<Expr> terms;
            for (int i = 0; i < basis.columns; ++i) {
                const model::Coordinate& c = s.coordinates[static_cast<std::size_t>(i)];
                const Expr defect = velocity ? expr::rate(c.v) - expr::symbol(c.a) : expr::rate(c.q) - c.rate;
                terms.push_back(expr::symbol(basis.entries[static_cast<std::size_t>(k * basis.columns + i)]) * defect);
            }
            dae.rows.push_back(
                {.residual = expr::sum(terms),
                 .provenance = Provenance::Reduced,
                 .name = std::string("tangential ") + (velocity ? "acceleration " : "velocity ") + std::to_string(k + 1),
                 .origin = ""});
        }
    }
};

class StrangenessFree final : public Formulation {
public:
    const FormulationInfo& info() const override
    {
        static const FormulationInfo info{
            .id = "strangeness-free",
            .title = "Strangeness-free form",
            .source = "[St02] (29), for linear equations (25)",
            .index = 1,
            .requirements = "holonomic constraints of full rank, M regular; (25): equations of motion linear in q and v",
            .keeps = "Keeps the constraints at all three levels and pulls an inconsistent start onto them in one step; the "
                     "selectors must follow the motion.",
            .pivots = true,
            .options = {{.name = "equations",
                         .description = "the form of the equations of motion",
                         .choices = {"general (29)", "linear (25)"}}},
            .massAlone = true,
            .enforces = kAllLevels};
        return info;
    }

    Result<Dae> rewrite(const model::Model& model, const OptionValues& options) const override
    {
        const ConstrainedSystem& s = model.system;
        if (s.holonomic() < s.m())
            return Diagnostic{.what = "strangeness-free cannot carry the model " + model.name,
                              .where = model.path,
                              .why = "the form is for holonomic systems; " + s.constraints.back().name + " is nonholonomic",
                              .remedy = "dummy-derivatives, tangent-plane or ggl"};
        if (optionOf(info(), options, "equations").starts_with("linear"))
            if (const std::string curved = notLinear(s); !curved.empty())
                return Diagnostic{.what = "(25) cannot carry the model " + model.name,
                                  .where = model.path,
                                  .why = curved + " is not linear in positions and velocities",
                                  .remedy = "the general form (29)"};
        Dae dae;
        dae.formulation = info().id;
        dae.index = claimedIndex(s, 1);
        dae.semiExplicit = s.m() == 0;
        addLocalUnknowns(s, dae);
        addDynamicRows(s, true, dae);
        for (Row& row : dae.rows) {
            row.provenance = Provenance::Definition;
            row.name += " (definition of the acceleration)";
        }
        for (int level = 0; level < 3; ++level)
            addConstraintRows(s, level, true, dae);
        PivotSpec pivot;
        pivot.separate = pivot.throughMass = true;
        Dae motion;
        addKinematicRows(s, motion);
        addDynamicRows(s, false, motion);
        for (int i = 0; i < s.n(); ++i) {
            pivot.positionRows.push_back(i);
            pivot.velocityRows.push_back(s.n() + i);
        }
        dae.choices = std::move(motion.rows);
        dae.pivot = std::move(pivot);
        addExtraVariables(s, dae);
        return dae;
    }

private:
    /// What keeps the equations from being linear; empty when nothing does.
    static std::string notLinear(const ConstrainedSystem& s)
    {
        std::vector<Symbol> x;
        for (const model::Coordinate& c : s.coordinates) {
            x.push_back(c.q);
            x.push_back(c.v);
        }
        const auto constant = [&](const Expr& e) {
            for (const Symbol& symbol : x)
                if (expr::dependsOn(e, symbol))
                    return false;
            return true;
        };
        const auto linear = [&](const Expr& e) {
            for (const Expr& slope : expr::gradient(e, x))
                if (!constant(slope))
                    return false;
            return true;
        };
        for (const model::MassEntry& e : s.mass)
            if (!constant(e.value))
                return "the mass matrix";
        for (std::size_t i = 0; i < s.force.size(); ++i)
            if (!linear(s.force[i]))
                return "the force on " + s.coordinates[i].name;
        for (const model::Constraint& c : s.constraints)
            if (!linear(c.g))
                return "the constraint " + c.name;
        return {};
    }
};

} // namespace

std::unique_ptr<const Formulation> makeTangentPlane() { return std::make_unique<TangentPlane>(); }
std::unique_ptr<const Formulation> makeStrangenessFree() { return std::make_unique<StrangenessFree>(); }

} // namespace driftless::formulation
