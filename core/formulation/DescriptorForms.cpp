// The forms that keep q, v and lambda and differ in the constraint rows:
//   index-3   g = 0                                     [PP92] (2.1), [St02] (1)
//   index-2   dg/dt = G v + g_t = 0                     [St02] (21), EoM2
//   index-1   d2g/dt2 = G v' + gamma = 0                [St02] (20), EoM1
//   baumgarte d2g/dt2 + 2 xi omega dg/dt + omega^2 g = 0  Baumgarte 1972; [DN] section 4.2
//   projection: index-1, then q and v are moved onto g = 0 and dg/dt = 0 after every accepted step  [DN] section 4.3
//   ggl       q' = Z v - S^2 G^T nu with g = 0, dg/dt = 0, psi = 0  Gear, Gupta, Leimkuhler 1985; [Fa] (5.44) with S = 1; where
//   lengths stand
//             beside angles S is the gain "length" for lengths and 1 for angles
// Nonholonomic constraints begin at the velocity level; dynamic variables and efforts bring their own rows.
#include <algorithm>

#include "core/formulation/Forms.h"
#include "core/system/ConstraintLevels.h"

namespace driftless::formulation {
namespace {

using expr::Expr;

class ConstraintLevelForm : public Formulation {
public:
    ConstraintLevelForm(FormulationInfo info, int level) : info_(std::move(info)), level_(level) {}
    const FormulationInfo& info() const final { return info_; }

    Result<Dae> rewrite(const model::Model& model, const OptionValues& options) const final
    {
        Dae dae;
        dae.formulation = info_.id;
        const int index =
            info_.index == 3 && model.system.holonomic() == 0 ? 2 : info_.index; // velocity constraints alone have no index 3
        dae.index = claimedIndex(model.system, index);
        dae.differentiationIndex =
            claimedIndex(model.system, index > 1 && massSparesConstraints(model.system) ? index - 1 : index);
        addDescriptorUnknowns(model.system, std::max(index, 1), dae);
        if (index == 3)
            for (Unknown& u : dae.unknowns)
                if (u.kind == UnknownKind::Velocity)
                    u.indexOrder = 2;
        addKinematicRows(model.system, dae);
        addDynamicRows(model.system, false, dae);
        if (level_ > 0)
            addConstraintRows(model.system, level_, false, dae);
        const model::ConstraintLevels levels(model.system);
        for (int i = 0, m = model.system.m(), at = model.system.holonomic(); level_ == 0 && i < m; ++i)
            dae.rows.push_back(constraintRow(levels, i, i < at ? 0 : 1, false)); // nonholonomic ones as they are stated
        addExtraVariables(model.system, dae);
        dae.accelerationsStated = level_ == 2;
        extend(model, options, dae);
        return dae;
    }

private:
    virtual void extend(const model::Model&, const OptionValues&, Dae&) const {}
    FormulationInfo info_;
    int level_;
};

class ProjectionForm final : public ConstraintLevelForm {
public:
    ProjectionForm()
        : ConstraintLevelForm(
            {.id = "projection",
             .title = "Index 1 with projection",
             .source = "[DN] section 4.3",
             .index = 1,
             .requirements = "full rank of G; a one-step method",
             .keeps = "Keeps position and velocity constraints to round-off after every step; the energy is not kept.",
             .options = {{.name = "metric",
                          .description = "the correction is smallest in this metric",
                          .choices = {"mass", "identity"}},
                         {.name = "levels",
                          .description = "what is corrected",
                          .choices = {"position and velocity", "position", "velocity"},
                          .enforces = {kAllLevels,
                                       {.position = true, .acceleration = true},
                                       {.velocity = true, .acceleration = true}}}},
             .gains = {{.name = "threshold",
                        .meaning = "the correction acts when a residual exceeds this; 0: after every step",
                        .value = 0,
                        .maximum = 1}},
             .enforces = kAllLevels},
            2)
    {
    }

private:
    void extend(const model::Model& model, const OptionValues& options, Dae& dae) const override
    {
        const std::string& levels = optionOf(info(), options, "levels");
        dae.projection.position = model.system.holonomic() > 0 && levels != "velocity";
        dae.projection.velocity = model.system.m() > 0 && levels != "position";
        dae.projection.massMetric = optionOf(info(), options, "metric") == "mass";
        dae.projection.thresholdGain = 0;
        dae.gains = makeGains(info());
        dae.nominalGains = {{.gain = 0, .row = 1}};
    }
};

class BaumgarteForm final : public ConstraintLevelForm {
public:
    BaumgarteForm()
        : ConstraintLevelForm(
            {.id = "baumgarte",
             .title = "Baumgarte stabilisation",
             .source = "Baumgarte 1972; [DN] section 4.2",
             .index = 1,
             .requirements = "full rank of G",
             .keeps = "Pulls drift back towards the constraints at a rate set by xi and omega; holds none of them exactly.",
             .gains = {{.name = "xi", .meaning = "damping ratio of the constraint error", .value = 1, .maximum = 10},
                       {.name = "omega",
                        .unit = "1/s",
                        .meaning = "frequency at which the constraint error is pulled back",
                        .value = 5,
                        .maximum = 1000}}},
            2)
    {
    }

private:
    void extend(const model::Model& model, const OptionValues&, Dae& dae) const override
    {
        dae.accelerationsStated = false; // there is more in them
        dae.gains = makeGains(info());
        dae.nominalGains = {{.gain = 1, .time = -1}};
        const Expr xi = expr::symbol(dae.gains[0].symbol);
        const Expr omega = expr::symbol(dae.gains[1].symbol);
        const model::ConstraintLevels levels(model.system);
        for (Row& row : dae.rows) {
            if (row.constraint < 0)
                continue;
            // A nonholonomic constraint has no position level: its own residual is the rate that is pulled back.
            const Expr rate = constraintAtLevel(levels, row.constraint, 1, false);
            row.residual = row.residual + Expr(2) * xi * omega * rate;
            if (model.system.constraints[static_cast<std::size_t>(row.constraint)].holonomic)
                row.residual = row.residual + expr::pow(omega, Expr(2)) * constraintAtLevel(levels, row.constraint, 0, false);
            row.provenance = Provenance::Stabilised;
            row.name = model.system.constraints[static_cast<std::size_t>(row.constraint)].name + ": stabilised";
        }
    }
};

class GglForm final : public Formulation {
public:
    const FormulationInfo& info() const override
    {
        static const FormulationInfo info{
            .id = "ggl",
            .title = "Gear-Gupta-Leimkuhler",
            .source = "Gear, Gupta, Leimkuhler 1985; [Fa] (5.44)",
            .index = 2,
            .requirements = "full rank of G",
            .keeps =
                "Keeps position and velocity constraints by extra multipliers nu; the acceleration level holds only in the "
                "limit.",
            .gains = {lengthGain()},
            .enforces = kPositionsAndVelocities};
        return info;
    }

    Result<Dae> rewrite(const model::Model& model, const OptionValues&) const override
    {
        const model::ConstrainedSystem& s = model.system;
        Dae dae;
        dae.formulation = "ggl";
        dae.index = claimedIndex(s, 2);
        addDescriptorUnknowns(s, 2, dae);
        addKinematicRows(s, dae);
        addDynamicRows(s, false, dae);
        std::vector<Expr> g;
        std::vector<expr::Symbol> q;
        for (int i = 0; i < s.holonomic(); ++i) {
            const model::Constraint& c = s.constraints[static_cast<std::size_t>(i)];
            dae.unknowns.push_back(auxiliaryUnknown(c.name + ".nu", 2));
            g.push_back(c.g);
        }
        for (const model::Coordinate& c : s.coordinates)
            q.push_back(c.q);
        const std::vector<Expr> metric = lengthMetric(s, false, dae);
        for (const expr::JacobianEntry& e : expr::sparseJacobian(g, q)) {
            Row& row = dae.rows[static_cast<std::size_t>(e.column)];
            row.residual = row.residual
                           + metric[static_cast<std::size_t>(e.column)] * e.value
                                 * expr::variable(s.constraints[static_cast<std::size_t>(e.row)].name + ".nu");
            row.provenance = Provenance::Stabilised;
        }
        addConstraintRows(s, 0, false, dae);
        addConstraintRows(s, 1, false, dae);
        addExtraVariables(s, dae);
        return dae;
    }
};

FormulationInfo levelInfo(const char* id, const char* title, const char* source, int index, const char* keeps,
                          const Enforces& enforces)
{
    return {.id = id,
            .title = title,
            .source = source,
            .index = index,
            .requirements = "full rank of G",
            .keeps = keeps,
            .enforces = enforces};
}

} // namespace

std::unique_ptr<const Formulation> makeIndex3()
{
    return std::make_unique<ConstraintLevelForm>(
        levelInfo(
            "index-3", "Index 3 (as stated)", "[PP92] (2.1); [St02] (1)", 3,
            "Keeps the positions on the constraints; velocities and multipliers are only held indirectly and may oscillate.",
            {.position = true}),
        0);
}

std::unique_ptr<const Formulation> makeIndex2()
{
    return std::make_unique<ConstraintLevelForm>(
        levelInfo(
            "index-2", "Index 2 (velocity constraints)", "[St02] (21)", 2,
            "Keeps the velocity constraints; the positions drift with the errors of the method, at most linearly in time.",
            {.velocity = true}),
        1);
}

std::unique_ptr<const Formulation> makeIndex1()
{
    return std::make_unique<ConstraintLevelForm>(levelInfo("index-1", "Index 1 (acceleration constraints)",
                                                           "[St02] (20); [MS91] (4.1a'', b, c)", 1,
                                                           "Keeps only the acceleration constraints; an error of the velocity "
                                                           "stays, and the positions drift linearly or faster.",
                                                           {.acceleration = true}),
                                                 2);
}

std::unique_ptr<const Formulation> makeBaumgarte() { return std::make_unique<BaumgarteForm>(); }
std::unique_ptr<const Formulation> makeProjection() { return std::make_unique<ProjectionForm>(); }
std::unique_ptr<const Formulation> makeGgl() { return std::make_unique<GglForm>(); }

} // namespace driftless::formulation
