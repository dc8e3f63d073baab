// Index reduction by dummy derivatives, and generalized coordinate partitioning, which arrives at the same rows ([PP92] (5.4)
// with A made of unit vectors; q, v of the dependent coordinates follow from the constraints).
// Dummy derivatives ([MS91] Example 4, (4.4)): the constraints stand beside both their derivatives,
//   M a - f + G^T lambda = 0,  g = 0,  G v + g_t = 0,  G a + gamma = 0,
// over (q, v, a, lambda). Of the links der(q_i) = v_i, der(v_i) = a_i only those of n - m coordinates are integrated; the
// derivatives of the other m coordinates are the dummies. Which they are is data, so a pivot compiles nothing.
#include "core/formulation/Forms.h"

namespace driftless::formulation {
namespace {

constexpr const char* kKeeps =
    "Keeps the constraints at all three levels to the solver's tolerance; the energy drifts as in a state-space form.";

class DummyDerivatives final : public Formulation {
public:
    const FormulationInfo& info() const override
    {
        static const FormulationInfo info{.id = "dummy-derivatives",
                                          .title = "Dummy derivatives",
                                          .source = "[MS91] section 3, (4.2), (4.3), (4.4)",
                                          .index = 1,
                                          .requirements = "full rank of G",
                                          .keeps = kKeeps,
                                          .pivots = true,
                                          .general = true,
                                          .enforces = kAllLevels};
        return info;
    }
    Result<Dae> rewrite(const model::Model& model, const OptionValues&) const override
    {
        return model.reduced ? reducedForm(*model.reduced, info().id) : partitioned(model.system, info().id);
    }
};

class CoordinatePartitioning final : public Formulation {
public:
    const FormulationInfo& info() const override
    {
        static const FormulationInfo info{.id = "coordinate-partitioning",
                                          .title = "Generalized coordinate partitioning",
                                          .source = "[PP92] (5.4) with unit vectors",
                                          .index = 1,
                                          .requirements = "full rank of G",
                                          .keeps = "Keeps the constraints at all three levels; the equations are those of "
                                                   "dummy derivatives, reached by choosing independent "
                                                   "coordinates instead of dummies.",
                                          .pivots = true,
                                          .enforces = kAllLevels};
        return info;
    }
    Result<Dae> rewrite(const model::Model& model, const OptionValues&) const override
    {
        Dae dae = partitioned(model.system, info().id);
        for (Row& row : dae.choices)
            row.provenance = Provenance::Reduced;
        return dae;
    }
};

} // namespace

Dae partitioned(const model::ConstrainedSystem& s, const std::string& id)
{
    Dae dae;
    dae.formulation = id;
    dae.index = claimedIndex(s, 1);
    addLocalUnknowns(s, dae);
    addDynamicRows(s, true, dae);
    for (int level = 0; level < 3; ++level)
        addConstraintRows(s, level, true, dae);
    PivotSpec pivot;
    for (const model::Coordinate& c : s.coordinates) {
        for (const bool velocity : {false, true}) {
            const expr::Symbol& u = velocity ? c.v : c.q;
            const expr::Expr rate = velocity ? expr::symbol(c.a) : c.rate;
            (velocity ? pivot.velocityRows : pivot.positionRows).push_back(static_cast<int>(dae.choices.size()));
            dae.choices.push_back({.residual = expr::rate(u) - rate,
                                   .provenance = Provenance::Link,
                                   .name = "link of " + u.text(),
                                   .origin = u.text(),
                                   .link = u});
        }
    }
    dae.pivot = std::move(pivot);
    addExtraVariables(s, dae);
    return dae;
}

std::unique_ptr<const Formulation> makeDummyDerivatives() { return std::make_unique<DummyDerivatives>(); }
std::unique_ptr<const Formulation> makeCoordinatePartitioning() { return std::make_unique<CoordinatePartitioning>(); }

} // namespace driftless::formulation
