// The forms that keep q, v and lambda and differ in the constraint rows:
//   index-3   g = 0                                     [PP92] (2.1), [St02] (1)
//   index-2   dg/dt = G v + g_t = 0                     [St02] (21), EoM2
//   index-1   d2g/dt2 = G v' + gamma = 0                [St02] (20), EoM1
//   baumgarte d2g/dt2 + 2 xi omega dg/dt + omega^2 g = 0  Baumgarte 1972; [DN] section 4.2
//   projection: index-1, then q and v are moved onto g = 0 and dg/dt = 0 after every accepted step  [DN] section 4.3
//   ggl       q' = v - G^T mu with g = 0 and dg/dt = 0  Gear, Gupta, Leimkuhler 1985; [Fa] (5.44)
#include "core/formulation/Forms.h"

namespace driftless::formulation {
namespace {

using expr::Expr;

/// A system without constraints is an ODE in each of these forms.
int claimedIndex(const model::Model& model, int index)
{
    return model.system.m() == 0 ? 0 : index;
}

class ConstraintLevelForm : public Formulation {
public:
    ConstraintLevelForm(FormulationInfo info, int level) : info_(std::move(info)), level_(level) {}
    const FormulationInfo& info() const final { return info_; }

    Result<Dae> build(const model::Model& model) const final
    {
        Dae dae;
        dae.formulation = info_.id;
        dae.index = claimedIndex(model, info_.index);
        const int multiplierOrder = info_.index >= 2 ? info_.index : 1;
        addDescriptorUnknowns(model.system, multiplierOrder, dae);
        if (info_.index == 3)
            for (Unknown& u : dae.unknowns)
                if (u.kind == UnknownKind::Velocity)
                    u.indexOrder = 2;
        addKinematicRows(model.system, dae);
        addDynamicRows(model.system, false, dae);
        for (int i = 0; i < model.system.m(); ++i)
            dae.rows.push_back(constraintRow(model.system, i, level_, false));
        dae.enforces = {level_ == 0, level_ == 1, level_ == 2};
        extend(model, dae);
        return dae;
    }

private:
    virtual void extend(const model::Model&, Dae&) const {}
    FormulationInfo info_;
    int level_;
};

class ProjectionForm final : public ConstraintLevelForm {
public:
    ProjectionForm()
        : ConstraintLevelForm({"projection", "Index 1 with projection", "[DN] section 4.3; [PP92] section 3", 1,
                               "full rank of G; a one-step method",
                               "Keeps position and velocity constraints to round-off after every step; the energy is not kept.",
                               false, false},
                              2)
    {
    }

private:
    void extend(const model::Model& model, Dae& dae) const override
    {
        dae.projectPosition = dae.projectVelocity = model.system.m() > 0;
        dae.enforces = {true, true, true};
    }
};

class BaumgarteForm final : public ConstraintLevelForm {
public:
    BaumgarteForm()
        : ConstraintLevelForm({"baumgarte", "Baumgarte stabilisation", "Baumgarte 1972; [DN] section 4.2", 1, "full rank of G",
                               "Pulls drift back towards the constraints at a rate set by xi and omega; holds none of them exactly.",
                               false, false},
                              2)
    {
    }

private:
    static model::Parameter gain(const char* name, const char* unit, const char* text, double value, double maximum)
    {
        model::Parameter p;
        p.quantity.name = name;
        p.quantity.unit = unit;
        p.quantity.description = text;
        p.quantity.value = value;
        p.quantity.minimum = 0;
        p.quantity.maximum = maximum;
        p.symbol = {expr::SymbolKind::Parameter, std::string("baumgarte.") + name, 0};
        return p;
    }

    void extend(const model::Model& model, Dae& dae) const override
    {
        dae.gains = {gain("xi", "", "damping ratio of the constraint error", 1, 10),
                     gain("omega", "1/s", "frequency at which the constraint error is pulled back", 5, 1000)};
        const Expr xi = expr::symbol(dae.gains[0].symbol);
        const Expr omega = expr::symbol(dae.gains[1].symbol);
        for (Row& row : dae.rows) {
            if (row.constraint < 0)
                continue;
            const Expr g = constraintAtLevel(model.system, row.constraint, 0, false);
            const Expr rate = constraintAtLevel(model.system, row.constraint, 1, false);
            row.residual = row.residual + Expr(2) * xi * omega * rate + expr::pow(omega, Expr(2)) * g;
            row.provenance = Provenance::Stabilised;
            row.name = model.system.constraints[static_cast<std::size_t>(row.constraint)].name + ": stabilised";
        }
        dae.enforces = {};
    }
};

class GglForm final : public Formulation {
public:
    const FormulationInfo& info() const override
    {
        static const FormulationInfo info{
            "ggl", "Gear-Gupta-Leimkuhler", "Gear, Gupta, Leimkuhler 1985; [Fa] (5.44)", 2, "full rank of G",
            "Keeps position and velocity constraints by extra multipliers mu; the acceleration level holds only in the limit.",
            false, false};
        return info;
    }

    Result<Dae> build(const model::Model& model) const override
    {
        const model::ConstrainedSystem& s = model.system;
        Dae dae;
        dae.formulation = "ggl";
        dae.index = claimedIndex(model, 2);
        addDescriptorUnknowns(s, 2, dae);
        addKinematicRows(s, dae);
        addDynamicRows(s, false, dae);
        std::vector<Expr> g;
        std::vector<expr::Symbol> q;
        for (const model::Constraint& c : s.constraints) {
            Unknown mu;
            mu.symbol = {expr::SymbolKind::Variable, c.name + ".mu", 0};
            mu.name = mu.symbol.text();
            mu.kind = UnknownKind::Auxiliary;
            mu.differential = false;
            mu.indexOrder = 2;
            dae.unknowns.push_back(mu);
            g.push_back(c.g);
        }
        for (const model::Coordinate& c : s.coordinates)
            q.push_back(c.q);
        for (const expr::JacobianEntry& e : expr::sparseJacobian(g, q)) {
            Row& row = dae.rows[static_cast<std::size_t>(e.column)];
            row.residual = row.residual
                           + e.value * expr::variable(s.constraints[static_cast<std::size_t>(e.row)].name + ".mu");
            row.provenance = Provenance::Stabilised;
        }
        for (int level = 0; level < 2; ++level)
            for (int i = 0; i < s.m(); ++i)
                dae.rows.push_back(constraintRow(s, i, level, false));
        dae.enforces = {true, true, false};
        return dae;
    }
};

FormulationInfo levelInfo(const char* id, const char* title, const char* source, int index, const char* keeps)
{
    return {id, title, source, index, "full rank of G", keeps, false, false};
}

} // namespace

std::unique_ptr<const Formulation> makeIndex3()
{
    return std::make_unique<ConstraintLevelForm>(
        levelInfo("index-3", "Index 3 (as stated)", "[PP92] (2.1); [St02] (1)", 3,
                  "Keeps the positions on the constraints; velocities and multipliers are only held indirectly and may oscillate."),
        0);
}

std::unique_ptr<const Formulation> makeIndex2()
{
    return std::make_unique<ConstraintLevelForm>(
        levelInfo("index-2", "Index 2 (velocity constraints)", "[St02] (21)", 2,
                  "Keeps the velocity constraints; the positions drift off linearly in time."),
        1);
}

std::unique_ptr<const Formulation> makeIndex1()
{
    return std::make_unique<ConstraintLevelForm>(
        levelInfo("index-1", "Index 1 (acceleration constraints)", "[St02] (20); [MS91] (4.1a'', b, c)", 1,
                  "Keeps only the acceleration constraints; velocities drift linearly and positions quadratically."),
        2);
}

std::unique_ptr<const Formulation> makeBaumgarte() { return std::make_unique<BaumgarteForm>(); }
std::unique_ptr<const Formulation> makeProjection() { return std::make_unique<ProjectionForm>(); }
std::unique_ptr<const Formulation> makeGgl() { return std::make_unique<GglForm>(); }

} // namespace driftless::formulation
