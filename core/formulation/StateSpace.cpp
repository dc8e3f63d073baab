// The state-space form in the minimal coordinates s of a chart q = phi(s, t), with J = dphi/ds and M, f of the model:
//   s' = w,   J^T (M (J w' + c) - f) = 0,   c = d2phi/dt2 without the terms in w'                    [MS91] (5.1)
// With a velocity basis v = nu(s, w, t) stands in place of dphi/dt, and J = dnu/dw.
#include "core/formulation/Forms.h"

namespace driftless::formulation {
namespace {

using expr::Expr;

class StateSpace final : public Formulation {
public:
    const FormulationInfo& info() const override
    {
        static const FormulationInfo info{.id = "state-space",
                                          .title = "State space (minimal coordinates)",
                                          .source = "[MS91] (5.1); [DN] section 3.1",
                                          .index = 0,
                                          .requirements = "a chart",
                                          .keeps = "Keeps every constraint by construction, wherever its chart is regular; the "
                                                   "energy drifts with the integrator.",
                                          .needsChart = true,
                                          .fullRank = false,
                                          .enforces = kAllLevels};
        return info;
    }

    Result<Dae> rewrite(const model::Model& model, const OptionValues&) const override
    {
        const model::ConstrainedSystem& s = model.system;
        if (!s.chart && s.m() > 0)
            return Diagnostic{.what = "state-space cannot carry the model " + model.name,
                              .where = model.path,
                              .why = "the model has no chart, that is no minimal coordinates with q = phi(s)",
                              .remedy = s.holonomic() < s.m()
                                            ? "choose dummy-derivatives: a nonholonomic system has no such coordinates"
                                            : "add a [chart] to the model file, or choose dummy-derivatives, which needs none"};
        return s.chart ? reduce(s, *s.chart) : unconstrained(s);
    }

private:
    /// Without constraints the coordinates themselves are minimal.
    static Dae unconstrained(const model::ConstrainedSystem& s)
    {
        Dae dae;
        dae.formulation = "state-space";
        dae.index = claimedIndex(s, 0);
        addDescriptorUnknowns(s, 1, dae);
        addKinematicRows(s, dae);
        addDynamicRows(s, false, dae);
        for (std::size_t i = s.coordinates.size(); i < dae.rows.size(); ++i)
            dae.rows[i].provenance = Provenance::Reduced;
        addExtraVariables(s, dae);
        return dae;
    }

    static void addUnknowns(const model::ConstrainedSystem& s, const model::Chart& chart, Dae& dae)
    {
        const expr::RateRule rule = model::motionRule(s);
        for (const bool velocity : {false, true})
            for (const model::ChartCoordinate& c : chart.coordinates) {
                Unknown u;
                u.symbol = velocity ? c.ds : c.s;
                u.name = u.symbol.text();
                u.unit = velocity ? model::rateUnit(c.unit) : c.unit;
                u.kind = velocity ? UnknownKind::Velocity : UnknownKind::Position;
                const int order = velocity ? 1 : 0;
                u.start = order ? expr::timeDerivative(c.inverse, order, rule) : c.inverse;
                u.startRate = expr::timeDerivative(c.inverse, order + 1, rule);
                dae.unknowns.push_back(u);
            }
    }

    static Result<Dae> reduce(const model::ConstrainedSystem& s, const model::Chart& chart)
    {
        Dae dae;
        dae.formulation = "state-space";
        dae.index = s.efforts.empty() ? 0 : 1;
        addUnknowns(s, chart, dae);
        const std::size_t k = chart.coordinates.size();
        const std::size_t n = s.coordinates.size();
        expr::Substitution motion; // q, v over the chart
        std::vector<Expr> acceleration(n);
        expr::Substitution rates;
        for (const model::ChartCoordinate& c : chart.coordinates)
            rates.emplace(c.dds, expr::rate(c.ds));
        for (std::size_t i = 0; i < n; ++i) {
            dae.q.push_back(chart.map[i]);
            dae.v.push_back(chart.velocity.empty() ? expr::timeDerivative(chart.map[i]) : chart.velocity[i]);
            motion.emplace(s.coordinates[i].q, dae.q[i]);
            motion.emplace(s.coordinates[i].v, dae.v[i]);
            acceleration[i] = expr::substitute(expr::timeDerivative(dae.v[i]), rates);
        }
        std::vector<Expr> balance(n);
        std::vector<std::vector<Expr>> inertia(n);
        for (const model::MassEntry& e : s.mass)
            inertia[static_cast<std::size_t>(e.row)].push_back(expr::substitute(e.value, motion)
                                                               * acceleration[static_cast<std::size_t>(e.column)]);
        for (std::size_t i = 0; i < n; ++i)
            balance[i] = expr::sum(inertia[i]) - expr::substitute(s.force[i], motion);
        for (const model::ChartCoordinate& c : chart.coordinates)
            dae.rows.push_back({.residual = expr::rate(c.s) - expr::symbol(c.ds),
                                .provenance = Provenance::Kinematic,
                                .name = c.name + ": kinematics",
                                .origin = c.name});
        for (std::size_t j = 0; j < k; ++j) {
            std::vector<Expr> terms;
            for (std::size_t i = 0; i < n; ++i)
                terms.push_back(expr::derivative(dae.v[i], chart.coordinates[j].ds) * balance[i]);
            dae.rows.push_back({.residual = expr::sum(terms),
                                .provenance = Provenance::Reduced,
                                .name = chart.coordinates[j].name + ": balance",
                                .origin = chart.coordinates[j].name});
        }
        const std::size_t first = dae.rows.size();
        addExtraVariables(s, dae);
        for (std::size_t i = first; i < dae.rows.size(); ++i)
            dae.rows[i].residual = expr::substitute(dae.rows[i].residual, motion);
        return dae;
    }
};

} // namespace

std::unique_ptr<const Formulation> makeStateSpace() { return std::make_unique<StateSpace>(); }

} // namespace driftless::formulation
