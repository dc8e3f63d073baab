// A run and its monitors: what they are shown, when they are asked, and what their verdicts mean for the run.
#include <algorithm>
#include <iterator>

#include "core/run/DriftMonitor.h"
#include "core/run/EnergyMonitor.h"
#include "core/run/ExplosionMonitor.h"
#include "core/run/PinnedPivotMonitor.h"
#include "core/run/ProgressMonitor.h"
#include "core/run/RateMonitor.h"
#include "core/run/RunImpl.h"
#include "core/run/SetAsideMonitor.h"

namespace driftless::run {

/// Computes at the run's present state and the row before.
class Run::Impl::Probe final : public MonitorProbe {
public:
    explicit Probe(Impl& run) : run_(run) {}

    bool positionRows(std::span<const double>& g) override
    {
        g = run_.positionRows;
        return run_.metrics.evaluator().constraints(run_.state.t, run_.state.q.data(), run_.positionRows.data());
    }
    bool positionJacobian(std::span<const double>& values) override
    {
        values = run_.positionValues;
        return run_.metrics.evaluator().positionJacobian(run_.state.t, run_.state.q.data(), run_.positionValues.data());
    }
    bool coordinateRates(std::span<double> before, std::span<double> now) override
    {
        const auto at = [this](const model::ModelState& s, std::span<double> out) {
            return run_.metrics.evaluator().coordinateRates(s.t, s.q.data(), s.v.data(), out.data());
        };
        return at(run_.previous, before) && at(run_.state, now);
    }
    Rates rates() override
    {
        if (!run_.rateRank)
            run_.rateRank = std::make_unique<RateRank>(*run_.system);
        const bool known = run_.rateRank->load(run_.metrics.evaluator(), run_.metrics.scales(), run_.state);
        return {.known = known, .ratio = run_.rateRank->ratio(), .orientation = run_.rateRank->orientation()};
    }
    std::vector<std::string> dummies() override { return run_.dummyList(run_.core->instance->dummies()); }

private:
    Impl& run_;
};

void Run::Impl::makeMonitors()
{
    const model::ConstrainedSystem& s = system->system();
    std::vector<std::string> names, units;
    std::ranges::transform(s.constraints.begin(), s.constraints.begin() + system->holonomic(), std::back_inserter(names),
                           &model::Constraint::name);
    std::ranges::transform(s.coordinates, std::back_inserter(units), &model::Coordinate::unit);
    monitors.clear();
    monitors.push_back(std::make_unique<SetAsideMonitor>(positionRows.size(), s.dependent.size(), setAside.scale));
    monitors.push_back(std::make_unique<RateMonitor>(s.coordinates.size()));
    monitors.push_back(std::make_unique<PinnedPivotMonitor>());
    monitors.push_back(std::make_unique<ProgressMonitor>());
    monitors.push_back(std::make_unique<EnergyMonitor>());
    monitors.push_back(std::make_unique<DriftMonitor>(std::move(names), units, system->positionJacobianPlaces()));
    monitors.push_back(std::make_unique<ExplosionMonitor>());
}

/// steps: accepted since the row before.
Observation Run::Impl::observe(int steps)
{
    const formulation::Dae& form = core->form();
    const integrate::IntegratorOptions& options = core->settings.options;
    Observation o;
    o.t = state.t;
    o.tBefore = previous.t;
    o.steps = steps;
    o.accepted = accepted;
    o.rejected = totals().rejected;
    o.q = state.q;
    o.v = state.v;
    o.a = state.a;
    o.qBefore = previous.q;
    o.vBefore = previous.v;
    o.aBefore = previous.a;
    o.scales = &metrics.scales();
    o.usualEnd = system->model().run.end;
    o.general = metrics.general() != nullptr;
    o.formulation = core->settings.formulation;
    o.holdsPositions = form.enforces.position || form.projection.position;
    o.needsRateRank = form.needsRateRank;
    o.adaptive = core->integrator->info().adaptive;
    o.step = options.step;
    o.relativeTolerance = options.relativeTolerance;
    o.absoluteTolerance = options.absoluteTolerance;
    o.pinned = core->pinned;
    o.kappa = kappa;
    o.energy = metrics.energy();
    o.kinetic = metrics.kineticEnergy();
    o.energyError = metrics.energyError();
    o.work = metrics.work();
    o.relativePosition = metrics.relativePosition();
    o.setAside = metrics.setAside();
    return o;
}

void Run::Impl::beginMonitors()
{
    Probe probe(*this);
    const Observation now = observe(1);
    for (const auto& monitor : monitors)
        monitor->begin(now, probe);
}

/// Sees a run that creeps or loses itself before its user does.
bool Run::Impl::askMonitors(Monitor::Turn turn, int steps)
{
    Probe probe(*this);
    const Observation now = observe(steps);
    for (const auto& monitor : monitors) {
        if (monitor->turn() != turn)
            continue;
        Verdict verdict = monitor->judge(now, probe);
        if (auto* warning = std::get_if<EventDetail>(&verdict))
            addEvent(std::move(*warning));
        if (const auto* cause = std::get_if<StopCause>(&verdict)) {
            const bool stuck = std::holds_alternative<PinnedSingular>(*cause) || std::holds_alternative<Standstill>(*cause)
                               || std::holds_alternative<RatesJumped>(*cause);
            Diagnostic why = explain(*cause);
            if (turn == Monitor::Turn::BeforeRow)
                fallBack();
            fail(std::move(why), stuck);
            return false;
        }
    }
    return true;
}

namespace {

std::string reasonOf(const Standstill& found)
{
    if (!found.creep)
        return "its steps have shrunk to " + plain(found.step, 3) + " s and make no progress any more";
    return "its last " + std::to_string(found.creep->steps) + " steps took it " + plain(found.creep->advance, 3)
           + " s further while " + std::to_string(found.creep->rejected)
           + " attempts failed. A right-hand side that jumps back and forth where the motion wants to stay does this (a "
             "sliding "
             "mode)";
}

} // namespace

Diagnostic Run::Impl::explain(const StopCause& cause)
{
    const std::string where = "t = " + plain(state.t);
    if (const auto* found = std::get_if<Standstill>(&cause)) {
        if (suspectsPivot())
            return pinnedSingular(state.t);
        if (const auto lost = lostRank())
            return *lost;
        return {.what = "The run is stuck",
                .where = where,
                .why = reasonOf(*found),
                .remedy = advice(Trouble::Stuck, found->step),
                .position = {}};
    }
    if (const auto* found = std::get_if<EnergyExploded>(&cause))
        return {.what = "The run has lost the energy balance",
                .where = where,
                .why = "the energy error has grown to " + plain(found->error, 3) + " J: the method is unstable here",
                .remedy = advice(Trouble::EnergyLost, found->step),
                .position = {}};
    if (const auto* found = std::get_if<ConstraintsExploded>(&cause))
        return {.what = "The run has lost its constraints",
                .where = where,
                .why = "their residual has grown to " + plain(metrics.norms().position, 3),
                .remedy = advice(Trouble::ConstraintsLost, found->step),
                .position = {}};
    if (const auto* jump = std::get_if<RatesJumped>(&cause))
        return explain(*jump);
    if (const auto* left = std::get_if<LeftSetAside>(&cause))
        return explain(*left);
    return pinnedSingular(state.t);
}

Diagnostic Run::Impl::explain(const RatesJumped& jump)
{
    Diagnostic d = rateDiagnostic(previous);
    d.where = "t = " + plain(previous.t, 8) + " to " + plain(state.t, 8);
    d.why += ". The next step led to another solution: its "
             + std::string(jump.ofPositions ? "positions are " : "velocities are ") + plain(jump.away, 3)
             + " away from the motion, " + plain(jump.away / jump.explained, 3) + " times what the accelerations explain";
    return d;
}

} // namespace driftless::run
