// One accepted step: read the state, judge it, record it, follow the selection, watch the run's health.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/run/Plain.h"
#include "core/run/RunImpl.h"

namespace driftless::run {

namespace {

constexpr int kApproachSteps = 40; // bisections of a step that passes a singular pivot
constexpr double kNoStep =
    4 * std::numeric_limits<double>::epsilon(); // of t: as instants that are one (reduction/EventTimes.cpp)
constexpr double kApproachWidth = 1e-6;         // where the bisection ends, of the nominal time or of t, whichever is larger

/// Whether the polynomial of the integrator's last step reaches back to where the step that was cut began: one that was
/// repeated up to an event may have become several.
bool reachesBack(const Run::Impl& run)
{
    const integrate::Integrator& method = *run.stepper.core().integrator;
    const double roundoff = 4 * std::numeric_limits<double>::epsilon() * std::max(std::abs(method.t()), method.lastStep());
    return method.t() - method.lastStep() <= run.previous.t + roundoff;
}

/// From the last row to the present state. The method's polynomial of the last step is not looked up unless it is asked for.
Interval intervalOf(Run::Impl& run, bool withValues = true)
{
    DenseValues* const values =
        withValues && !(run.cut && !reachesBack(run)) ? &run.stepper.values(run.state, run.state.t - run.previous.t) : nullptr;
    return {.before = run.previous,
            .now = run.state,
            .steps = run.sinceRow,
            .step = run.stepper.lastStep(),
            .order = run.stepper.order(),
            .everyStep = run.stepper.core().settings.rows == Rows::EveryStep,
            .values = values,
            .tolerance = run.stepper.core().settings.options.relativeTolerance};
}

/// Whether the step just accepted needs no row. Forms that judge or renew selections or bases in every step have every step
/// recorded, and so have steps with a sample inside.
bool passesOver(Run::Impl& run)
{
    constexpr double kGrows = 10; // no step is so many times as long as the one before it
    const Core& core = run.stepper.core();
    return core.settings.rows != Rows::EveryStep
           && !run.samples.anyIn(run.previous.t, run.state.t + kGrows * run.stepper.lastStep()) && !core.form().needsRateRank
           && !run.kit->selector->needsEveryStep(core)
           && run.recorder.passesOver(intervalOf(run, false), run.kit->metrics.conservative(), core.lambdaGiven);
}

/// What monitors see of the present row. steps: accepted since the row before.
Observation observationOf(const Run::Impl& run, int steps)
{
    const Core& core = run.stepper.core();
    const formulation::Dae& form = core.form();
    const integrate::IntegratorOptions& options = core.settings.options;
    Observation o;
    o.t = run.state.t;
    o.tBefore = run.previous.t;
    o.steps = steps;
    o.accepted = run.published.accepted();
    o.rejected = run.stepper.rejected();
    o.q = run.state.q;
    o.v = run.state.v;
    o.a = run.state.a;
    o.qBefore = run.previous.q;
    o.vBefore = run.previous.v;
    o.aBefore = run.previous.a;
    o.parameters = core.parameters;
    o.scales = &run.kit->metrics.scales();
    o.usualEnd = run.system->model().run.end;
    o.general = !run.kit->states->hasEnergy();
    o.formulation = core.settings.formulation;
    o.holdsPositions = form.enforces.position || form.projection.position;
    o.yields = form.yields;
    o.needsRateRank = form.needsRateRank;
    o.adaptive = core.integrator->info().adaptive;
    o.step = options.step;
    o.relativeTolerance = options.relativeTolerance;
    o.absoluteTolerance = options.absoluteTolerance;
    o.pinned = core.pinned;
    o.kappa = run.kit->selector->kappa();
    o.energy = run.kit->metrics.energy();
    o.kinetic = run.kit->metrics.kineticEnergy();
    o.energyError = run.kit->metrics.energyError();
    o.work = run.kit->metrics.work();
    o.constraints = run.kit->metrics.constraints();
    o.multipliers = run.state.lambda;
    o.relativePosition = run.kit->metrics.relativePosition();
    o.relativeVelocity = run.kit->metrics.relativeVelocity();
    o.setAside = run.kit->metrics.setAside();
    o.velocitiesSetAside = run.kit->metrics.velocitiesSetAside();
    o.velocityShares = run.kit->metrics.velocityShares();
    return o;
}

/// The first corner of an input behind t; infinite behind the last.
double cornerAfter(const std::vector<double>& corners, double t)
{
    if (corners.empty())
        return std::numeric_limits<double>::infinity();
    const auto next = std::ranges::upper_bound(corners, t);
    return next == corners.end() ? std::numeric_limits<double>::infinity() : *next;
}

/// Where the run stands at a corner of an input it begins afresh one rounding error behind it, where the next piece holds: what
/// multistep methods remember belongs to the piece before. Multipliers and accelerations jump with the input; velocities do
/// where it moves a constraint, and positions where it makes one jump. False where that cannot be: the run has failed.
bool passCorner(Run::Impl& run)
{
    const std::vector<double>& corners = run.system->system().corners;
    if (corners.empty() || !std::ranges::binary_search(corners, run.state.t))
        return true;
    run.settle();
    const double error = run.kit->metrics.energyError(), reference = run.kit->metrics.reference();
    model::ModelState behind = run.state;
    behind.t = std::nextafter(run.state.t, std::numeric_limits<double>::infinity());
    const bool due = run.switches && run.switches->nextTime(run.state.t) <= behind.t;
    auto worked = run.planBehindCorner(behind);
    const bool torn = worked && run.plannedMode.has_value();
    if (worked && run.modes) {
        const ModeKit& there = torn ? *run.planned : *run.kit;
        model::ModelState next = worked->state;
        next.lambda = there.toBase(next.lambda);
        if (auto possible = run.modes->checkJump(run.inBase(run.state), next); !possible)
            worked = possible.error();
    }
    if (!worked) {
        run.planned = nullptr;
        run.plannedMode.reset();
        run.kit->metrics.setParameters(run.stepper.core().parameters);
        run.fail(std::move(worked.error()));
        return false;
    }
    const Moved moved = worked->moved;
    ModeKit* const left = run.kit;
    const std::vector<std::string> dummies = run.dummiesInForce();
    const double kappa = run.kit->selector->kappa();
    if (torn) {
        const model::Mode shown = run.modes->mode();
        run.dummiesBefore = dummies;
        run.state.t = behind.t; // from which on the mode is in force
        run.takeMode(Restart{});
        run.modes->tellFrom(shown);
    }
    run.adopt(std::move(*worked));
    if (torn)
        left->left = std::move(run.replaced); // the run comes back to it soon
    if (run.published.failed())
        return false;
    if (run.kit->states->hasEnergy()
        && (moved.positions > 0 || moved.velocities > 0 || run.kit->metrics.energyError() != error))
        run.kit->metrics.resumeBalance(reference, error); // what the jump changes is work of the input
    run.beginMonitors();
    if (!torn) // else the change of the mode tells it
        run.tellChosen(dummies, kappa);
    if (run.events)
        run.events->begin(run.state); // guards are frozen from here on
    run.appendRow();
    run.publish();
    if (torn)
        return run.happen({}, Occasion::Change);
    return !run.switches || run.happen({}, due ? Occasion::Instant : Occasion::Change); // conditions may have, with the input
}

} // namespace

bool Run::Impl::step(double tStop)
{
    if (published.failed() || stepper.takeInterrupt())
        return false;
    if (!passCorner(*this))
        return false;
    if (!(state.t < tStop)) { // behind the corner it is there already
        published.arrive(state.t);
        return true;
    }
    tStop = std::min(tStop, cornerAfter(system->system().corners, state.t));
    if (stepper.core().integrator->info().endsAtKnots)
        tStop = std::min(tStop, cornerAfter(system->system().knots, state.t));
    const StepClock::Step timed(stepper.clock());
    if (sinceRow == 0) {
        previous.t = state.t;
        previous.q = state.q;
        previous.v = state.v;
        previous.a = state.a;
        previous.lambda = state.lambda;
    }
    cut = shortened = slides = false;
    double next = std::numeric_limits<double>::infinity();
    if (events) {
        events->beforeStep(stepper);
        next = events->source().nextTime(state.t);
    }
    if (const double there = std::min(tStop, next); there - state.t <= kNoStep * std::abs(state.t))
        return goTo(there, there == next);
    const bool flies = events && state.t < flightEnds && flightStep > kNoStep * std::abs(state.t);
    const double flightStop = flies ? state.t + flightStep : next;
    const integrate::StepOutcome outcome = stepper.advance(std::min({tStop, next, flightStop, kit->driven.latestEnd(state.t)}));
    if (outcome.status == integrate::StepStatus::Cancelled) {
        stepper.forgetInterrupt();
        restartHere(RestartCause::StepInterrupted);
        return false;
    }
    if (outcome.status == integrate::StepStatus::Failed) {
        if (settle())
            fail(kit->reasons.ofStep(outcome, *kit->selector, state));
        return false;
    }
    if (!read())
        return false;
    if (kit->selector->passedSingular(stepper.core(), previous, state)) {
        approachSingularity();
        return false;
    }
    if (events) {
        bool due = state.t >= next;
        if (!cutAtEvent(due))
            return false;
        due = due && state.t >= next; // an event before it has cut the step
        if (cut || due)
            return acceptStep(state.t) && !published.failed()
                   && happen(cut ? events->fired() : std::span<const int>(), due ? Occasion::Instant : Occasion::Condition);
    }
    kit->driven.followed(state, stepper);
    return acceptStep(tStop);
}

/// As where the run was stopped at 0.3 s and a sampler comes at 3*0.1 s: no step is so short, and the state is that there.
bool Run::Impl::goTo(double t, bool due)
{
    if (!settle())
        return false;
    state.t = t;
    if (std::string why; !stepper.restart(state, why)) {
        fail({"The run cannot go on here", "t = " + plain(state.t), why, {}, {}});
        return false;
    }
    published.arrive(t);
    if (due)
        return happen({});
    appendRow();
    publish();
    return true;
}

/// The model's state from the integrator's unknowns; false where it fails the run.
bool Run::Impl::read()
{
    if (stepper.read(state))
        return true;
    const double t = state.t;
    fallBack();
    fail(kit->reasons.notFinite(t, state));
    return false;
}

/// Back to the last row; steps since then do not count.
void Run::Impl::fallBack()
{
    state = previous;
    published.takeBack(sinceRow);
    sinceRow = 0;
}

bool Run::Impl::acceptStep(double tStop)
{
    published.accept();
    ++sinceRow;
    return (state.t < tStop && passesOver(*this)) || acceptRow();
}

bool Run::Impl::acceptRow()
{
    const Interval interval = intervalOf(*this);
    // Inside a step a method knows multipliers as well as its polynomial does, whose error none of them controls.
    // Nor where a step of any length is made to end: they err by what velocities err over the step.
    const bool given = stepper.core().lambdaGiven, known = (cut || shortened) && given && kit->metrics.measure(state, false);
    if ((!known && !kit->metrics.measure(state, given)) || !kit->metrics.accumulate(interval)) {
        const std::string why = kit->metrics.message();
        const double t = state.t;
        fallBack();
        fail(kit->reasons.notMeasured(t, why, state));
        return false;
    }
    Observation row = observationOf(*this, sinceRow);
    if (!ask(Monitor::Turn::BeforeRow, row))
        return false;
    maxNorms = largerOf(maxNorms, kit->metrics.norms());
    recorder.appendBetween(interval); // before roles may be swapped
    recorder.sampleBetween(interval, samples, [&](model::ModelState& s) {
        const bool complete = kit->metrics.complete(s, stepper.core().lambdaStated);
        if (complete && modes)
            modes->showSliding(s);
        return complete;
    });
    if (kit->selector->due(stepper.core(), state))
        followSelection(interval);
    appendRow();
    sinceRow = 0;
    published.arrive(state.t);
    publish();
    row.kappa = kit->selector->kappa();
    if (!published.failed())
        ask(Monitor::Turn::AfterRow, row);
    return true;
}

/// A better selection where one is due, and whether the constraints lost their rank on the way.
void Run::Impl::followSelection(const Interval& interval)
{
    Followed found = kit->selector->follow(stepper, state);
    // A selection that was exchanged has begun the method anew.
    const bool known = !found.renewed && !found.change && interval.followsMethod();
    if (found.shows)
        kit->selector->show(stepper.core(), published);
    if (found.renewed) {
        published.timeLine().add(state.t, *found.renewed);
        ++pivots;
    }
    if (found.failure)
        fail(std::move(found.failure->diagnostic), found.failure->stuck);
    if (found.change) {
        published.timeLine().add(state.t, std::move(*found.change));
        ++pivots;
    }
    if (published.failed() || kit->monitors.lost())
        return; // not the model's motion any more
    if (auto lost = kit->selector->rankLost(
            stepper.core(), state,
            {.recorder = recorder, .inside = known ? interval.values : nullptr, .since = interval.before.t}))
        published.timeLine().add(state.t, std::move(*lost));
}

/// Sees a run that creeps or loses itself before its user does.
bool Run::Impl::ask(Monitor::Turn turn, const Observation& row)
{
    const auto cause = kit->monitors.ask(turn, row, kit->probe, published);
    if (!cause)
        return true;
    Diagnostic why = chattersBefore(*cause).value_or(kit->reasons.ofCause(*cause, *kit->selector, previous, state));
    if (turn == Monitor::Turn::BeforeRow) {
        fallBack();
        kit->metrics.takeBack();
    }
    fail(std::move(why), isStuck(*cause));
    return false;
}

void Run::Impl::failLost()
{
    const double t = state.t;
    const auto cause = kit->monitors.ask(Monitor::Turn::BeforeRow, observationOf(*this, sinceRow + 1), kit->probe, published);
    auto why = cause ? std::optional(kit->reasons.ofCause(*cause, *kit->selector, previous, state)) : std::nullopt;
    fallBack();
    fail(why ? *std::move(why) : kit->reasons.notFinite(t, state), cause && isStuck(*cause));
}

void Run::Impl::beginMonitors()
{
    kit->driven.begin();
    kit->probe.follow(*kit->selector, stepper.core());
    kit->monitors.begin(observationOf(*this, 1), kit->probe);
}

/// The step that passed the singular point is discarded; halved steps then lead up to it, so that the recording ends
/// where the equations do, whatever the step size was.
void Run::Impl::approachSingularity()
{
    double until = state.t;
    state = previous;
    for (int k = 0;
         k < kApproachSteps && until - state.t > kApproachWidth * std::max(kit->metrics.scales().time, std::abs(state.t));
         ++k) {
        std::string why;
        previous = state;
        if (!stepper.restart(state, why))
            break;
        const double middle = state.t + 0.5 * (until - state.t);
        if (stepper.advance(middle).status != integrate::StepStatus::Accepted) {
            until = middle;
            continue;
        }
        if (!read())
            return;
        if (kit->selector->passedSingular(stepper.core(), previous, state)) {
            until = state.t;
            state = previous;
        } else if (!acceptStep(middle) || published.failed()) {
            return;
        }
    }
    fail(kit->selector->pinnedSingular(stepper.core(), state, until), true);
}

void Run::Impl::appendRow()
{
    if (modes)
        modes->showSliding(state);
    recorder.append(state, {.residual = kit->metrics.norms(),
                            .energy = kit->metrics.energy(),
                            .energyError = kit->metrics.energyError(),
                            .work = kit->metrics.work(),
                            .kinetic = kit->metrics.kineticEnergy(),
                            .potential = kit->metrics.potentialEnergy(),
                            .step = stepper.lastStep(),
                            .order = stepper.order(),
                            .kappa = kit->selector->kappa(),
                            .projected = stepper.core().projected,
                            .steps = sinceRow,
                            .setAside = !system->system().dependent.empty()});
}

void Run::Impl::publish()
{
    published.tell(Standing{.t = state.t,
                            .q = state.q,
                            .statistics = stepper.totals(),
                            .pivots = pivots,
                            .residual = kit->metrics.norms(),
                            .maxResidual = maxNorms,
                            .energy = kit->metrics.energy(),
                            .energyError = kit->metrics.energyError(),
                            .stepSize = stepper.lastStep(),
                            .order = stepper.order(),
                            .cpuSeconds = stepper.clock().cpu(),
                            .wallSeconds = stepper.clock().wall(),
                            .kappa = kit->selector->kappa()});
}

/// For panels: what they may offer in place of the present selection, judged at the last row.
void Run::Impl::judgeExchanges()
{
    if (!published.offersHere())
        published.offer(kit->selector->exchanges(stepper.core(), published));
}

void Run::Impl::fail(Diagnostic diagnostic, bool stuck, bool asked)
{
    publish();
    published.fail(state.t, std::move(diagnostic), stuck, asked);
}

} // namespace driftless::run
