// Index reduction by dummy derivatives ([MS91] Example 4, (4.4)): the constraints stand beside both their derivatives,
//   M a - f + G^T lambda = 0,  g = 0,  G v + g_t = 0,  G a + gamma = 0,
// over (q, v, a, lambda). Of the links der(q_i) = v_i, der(v_i) = a_i only those of n - m coordinates are integrated; the
// derivatives of the other m coordinates are the dummies. Which they are is data, so a pivot compiles nothing.
#include <algorithm>

#include "core/formulation/Forms.h"

namespace driftless::formulation {
namespace {

class DummyDerivatives final : public Formulation {
public:
    const FormulationInfo& info() const override
    {
        static const FormulationInfo info{
            "dummy-derivatives", "Dummy derivatives", "[MS91] section 3, (4.2), (4.3), (4.4)", 1, "full rank of G",
            "Keeps the constraints at all three levels to the solver's tolerance; the energy drifts as in a state-space form.",
            false, true};
        return info;
    }

    Result<Dae> build(const model::Model& model) const override
    {
        const model::ConstrainedSystem& s = model.system;
        const int n = s.n();
        Dae dae;
        dae.formulation = "dummy-derivatives";
        dae.index = 1;
        for (const model::Coordinate& c : s.coordinates)
            dae.unknowns.push_back(positionUnknown(c, false));
        for (const model::Coordinate& c : s.coordinates)
            dae.unknowns.push_back(velocityUnknown(c, false));
        for (const model::Coordinate& c : s.coordinates)
            dae.unknowns.push_back(accelerationUnknown(c));
        for (const model::Constraint& c : s.constraints)
            dae.unknowns.push_back(multiplierUnknown(c, 1));
        addDynamicRows(s, true, dae);
        for (int level = 0; level < 3; ++level)
            for (int i = 0; i < s.m(); ++i)
                dae.rows.push_back(constraintRow(s, i, level, true));
        PivotSpec pivot;
        for (int i = 0; i < n; ++i) {
            dae.links.push_back({i, n + i});
            dae.links.push_back({n + i, 2 * n + i});
            pivot.linksOfCoordinate.push_back({2 * i, 2 * i + 1});
        }
        dae.pivot = std::move(pivot);
        dae.enforces = {true, true, true};
        for (const model::Coordinate& c : s.coordinates) {
            dae.q.push_back(expr::symbol(c.q));
            dae.v.push_back(expr::symbol(c.v));
            dae.a.push_back(expr::symbol(c.a));
        }
        for (const model::Constraint& c : s.constraints)
            dae.lambda.push_back(expr::symbol(c.multiplier));
        return dae;
    }
};

} // namespace

std::unique_ptr<const Formulation> makeDummyDerivatives() { return std::make_unique<DummyDerivatives>(); }

} // namespace driftless::formulation
