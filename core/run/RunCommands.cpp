// Commands between steps: a run stands where they act, what they change is worked out (Planner.h), and then put in force.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

#include "core/run/Past.h"
#include "core/run/Plain.h"
#include "core/run/RunImpl.h"

namespace driftless::run {

namespace {

/// How long runs that are behind may take to come where a command acts.
class Patience {
public:
    explicit Patience(double seconds) : seconds_(seconds) {}
    bool ended() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count() > seconds_; }

private:
    double seconds_;
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

enum class Way { There, Failed, TooLong };

/// The last steps are taken whatever time it is, so that runs that go on together are never too late for each other.
Way bringTo(Run::Impl& run, double t, const Patience& patience)
{
    constexpr double kLastSteps = 10; // adaptive runs under one clock are apart by a few of their steps at most
    while (run.state.t < t) {
        const double far = run.state.t + kLastSteps * run.stepper.core().integrator->nextStep();
        if (far < t && patience.ended())
            return Way::TooLong;
        if (!run.step(t) && run.published.failed())
            return Way::Failed;
    }
    return Way::There;
}

Diagnostic tooFarBehind(const Run::Impl& run, double t)
{
    const RunSettings& settings = run.stepper.core().settings;
    return {
        "A run is too far behind for a change of all",
        "t = " + plain(run.state.t),
        "a change acts on all runs at one time, here t = " + plain(t) + ", and " + settings.formulation + " with "
            + settings.integrator + " has come to " + plain(run.state.t) + " s only",
        "wait until it has caught up, change the others one by one, or remove it; where the clock waits for it all the time, "
        "its step or tolerance is too small for this model, or the model is stiff and wants an implicit method",
        {}};
}

struct Arrival {
    Command command; ///< what a log needs
    Way way = Way::There;
};

/// First half of a command: stands where it acts, or as far as it comes.
Arrival stand(Run::Impl& run, double t, const CommandPayload& payload, const Patience& patience)
{
    run.stepper.forgetInterrupt();
    if (run.published.failed())
        run.restartHere(RestartCause::AfterFailure);
    const bool here = run.published.failed() || !actsAtOneTime(payload);
    Arrival out{{here ? run.state.t : std::max(t, run.state.t), run.published.accepted(), payload}};
    if (!here)
        out.way = bringTo(run, t, patience);
    if (out.way != Way::There) {
        // One that failed on the way is changed where it came to its end.
        out.command.t = run.state.t;
        out.command.afterSteps = run.published.accepted();
    }
    run.settle();
    return out;
}

/// After a refusal at the state itself: the step that was made to end here, and with it a restart, stays and is logged.
void stayAt(Run::Impl& run, const Command& command)
{
    run.kit->metrics.setParameters(run.stepper.core().parameters);
    if (run.modes)
        run.modes->setParameters(run.stepper.core().parameters);
    if (run.switches)
        run.switches->setParameters(run.stepper.core().parameters);
    run.planned = nullptr;
    if (run.published.failed())
        return;
    run.restarts.push_back({command.t, command.afterSteps, Restart{}});
    if (auto again = run.kit->planner.plan(run.kit->planner.restart(), run.state); again)
        run.commit(std::move(*again));
}

/// Of each one-sided row; of a run that begins, that of the base.
model::Mode rowsInForce(const Run::Impl& run) { return run.modes ? run.modes->mode() : model::baseMode(run.system->system()); }

std::string modeInForce(const Run::Impl& run)
{
    const model::ConstrainedSystem& s = run.system->system();
    return s.oneSided.empty() ? std::string() : model::modeName(s, rowsInForce(run));
}

/// What other threads read of the settings in force.
InForce inForceOf(const Run::Impl& run)
{
    const Core& core = run.stepper.core();
    const formulation::Dae& form = core.form();
    InForce out{.settings = core.settings,
                .errorTest = integrate::errorTestOf(core.integrator->info(), core.settings.options, form.index),
                .parameters = core.parameters,
                .mode = modeInForce(run),
                .rowsInForce = rowsInForce(run),
                .gains = {},
                .gainQuantities = {},
                .form = formulation::sizeOf(form, run.kit->system->system()),
                .dae = core.dae,
                .dummies = {},
                .positionDummies = {},
                .selection = run.kit->selector->selection(core)};
    const auto gains = core.instance->gains();
    for (std::size_t i = 0; i < gains.size(); ++i) {
        out.gainQuantities.push_back(form.gains[i].quantity);
        out.gains[out.gainQuantities.back().name] = gains[i];
    }
    if (form.pivot) {
        out.dummies = out.selection.velocities;
        out.positionDummies = out.selection.positions;
    }
    return out;
}

/// The energy balance starts afresh at the present state.
void restartBalance(Run::Impl& run)
{
    run.kit->metrics.restartBalance();
    run.published.timeLine().add(Segment{run.state.t, run.stepper.core().parameters, run.kit->metrics.reference()});
}

/// Continues from an earlier time of the recording, which is cut there.
void branch(Run::Impl& run, Plan&& plan)
{
    const double to = plan.state.t;
    const RecordingView view = run.recorder.view();
    const std::uint64_t r = view.rowAt(to);
    const int first = view.metrics();
    const auto at = [&](Metric metric) {
        const int c = first + static_cast<int>(metric);
        const double x0 = view.value(r, c);
        if (r + 1 >= view.rowCount() || to <= view.time(r))
            return x0;
        return x0 + (view.value(r + 1, c) - x0) * (to - view.time(r)) / (view.time(r + 1) - view.time(r));
    };
    const double error = at(Metric::EnergyError);
    const double begin = view.firstTime();
    run.maxNorms = {.position = view.range(first, begin, to).maximum,
                    .velocity = view.range(first + 1, begin, to).maximum,
                    .acceleration = view.range(first + 2, begin, to).maximum};
    run.published.timeLine().forgetAfter(to);
    run.pivots = run.published.timeLine().count(EventKind::Pivot);
    const double reference = run.published.timeLine().reference().value_or(run.kit->metrics.reference());
    const bool balanceGoesOn = !plan.restartsBalance;
    run.recorder.truncateAfter(to);
    run.adopt(std::move(plan));
    if (balanceGoesOn)
        run.kit->metrics.resumeBalance(reference, error);
}

/// Back to the start, in a fresh recording.
void startAfresh(Run::Impl& run, Plan&& plan)
{
    if (plan.start)
        run.published.begin(*plan.start);
    run.recorder.clear();
    run.published.timeLine().forgetAll();
    run.maxNorms = {};
    run.pivots = 0;
    run.adopt(std::move(plan));
    restartBalance(run);
}

void putInForce(Run::Impl& run, const CommandPayload& command, Plan&& plan)
{
    if (std::holds_alternative<Branch>(command))
        return branch(run, std::move(plan));
    if (std::holds_alternative<Reset>(command) || std::holds_alternative<SetStart>(command))
        return startAfresh(run, std::move(plan));
    if (const auto* rows = std::get_if<SetRows>(&command)) {
        run.stepper.setRows(rows->rows);
        run.recorder.forgetSlopes(); // the next step has nothing to be compared with
    }
    run.adopt(std::move(plan));
}

/// On the time line: what a change has moved.
void tellMoved(Run::Impl& run, const Moved& moved)
{
    double size = 1;
    for (const double q : run.state.q)
        size = std::max(size, std::abs(q));
    if (moved.positions > kReportedChange * size || moved.velocities > kReportedChange * size)
        run.published.timeLine().add(run.state.t, Correction{.positions = moved.positions, .velocities = moved.velocities});
}

/// Whether positions of a mechanism are set by hand.
bool movesBodies(const CommandPayload& payload, const model::ConstrainedSystem& system)
{
    const auto* set = std::get_if<SetState>(&payload);
    return set && std::ranges::any_of(system.coordinates, [&](const auto& c) { return set->values.contains(c.name); });
}

/// A change planned where the run stands. What was written in a mode that an event has ended on the way there is written anew.
Result<Plan> plannedThere(Run::Impl& run, Intent&& intent, const ModeKit* wrote, const CommandPayload& payload)
{
    if (run.kit == wrote)
        return run.plan(std::move(intent));
    auto again = run.kit->planner.intend(payload);
    return again ? run.plan(std::move(*again)) : Result<Plan>(again.error());
}

/// Before a command; where it leads back, those of then. Empty where nothing tells them, or all that was is forgotten.
std::vector<std::string> dummiesBehind(const Run::Impl& run, const CommandPayload& payload)
{
    if (std::holds_alternative<Reset>(payload) || std::holds_alternative<SetStart>(payload))
        return {};
    const auto* branch = std::get_if<Branch>(&payload);
    return branch ? dummiesTold(run.published.timeLine().events(), branch->to, run.dummiesInForce()) : run.dummiesInForce();
}

Gesture::Before beforeCommand(const Run::Impl& run, const CommandPayload& payload)
{
    return {.energy = run.kit->metrics.energy(),
            .dummies = dummiesBehind(run, payload),
            .mode = run.modes ? run.modes->mode() : model::Mode(),
            .kappa = run.kappaBehind(payload),
            .pivots = run.pivots};
}

} // namespace

Result<std::vector<Command>> applyTogether(const std::vector<Run*>& runs, double t, std::span<const CommandPayload> payloads,
                                           double patienceSeconds, std::optional<std::size_t>& late)
{
    const auto payload = [&](std::size_t k) -> const CommandPayload& { return payloads[payloads.size() == 1 ? 0 : k]; };
    std::vector<Intent> intents;
    std::vector<const ModeKit*> wrote; // the modes that these were written in
    for (std::size_t k = 0; k < runs.size(); ++k) {
        wrote.push_back(runs[k]->impl_->kit);
        auto intent = runs[k]->impl_->kit->planner.intend(payload(k));
        if (!intent)
            return intent.error();
        intents.push_back(std::move(*intent));
    }
    std::vector<Command> commands;
    const auto allStay = [&] {
        for (std::size_t k = 0; k < commands.size(); ++k)
            stayAt(*runs[k]->impl_, commands[k]);
    };
    const Patience patience(patienceSeconds);
    for (std::size_t k = 0; k < runs.size(); ++k) {
        Arrival arrival = stand(*runs[k]->impl_, t, payload(k), patience);
        commands.push_back(std::move(arrival.command));
        if (arrival.way == Way::TooLong) {
            allStay();
            late = k;
            return tooFarBehind(*runs[k]->impl_, t);
        }
    }
    std::vector<Plan> plans;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        auto plan = plannedThere(*runs[i]->impl_, std::move(intents[i]), wrote[i], payload(i));
        if (!plan) {
            allStay();
            return plan.error();
        }
        plans.push_back(std::move(*plan));
    }
    for (std::size_t k = 0; k < runs.size(); ++k)
        runs[k]->impl_->commit(std::move(plans[k]));
    return commands;
}

Result<void> Run::Impl::replay(const Command& command, const std::function<bool()>& told)
{
    stepper.forgetInterrupt();
    const auto stopped = [&] { return told && !told(); };
    const Diagnostic left{"The replay was stopped", "t = " + plain(state.t), {}, {}, {}};
    while (published.accepted() < command.afterSteps) {
        if (!step(kForever) && published.failed())
            break;
        if (stopped())
            return left;
    }
    if (published.accepted() != command.afterSteps || command.t < state.t)
        return Diagnostic{"The log does not fit the run",
                          "t = " + plain(state.t),
                          "a command after " + std::to_string(command.afterSteps) + " steps at t = " + plain(command.t)
                              + " cannot be repeated",
                          "the build that made the session",
                          {}};
    while (!published.failed() && state.t < command.t) {
        step(command.t);
        if (stopped())
            return left;
    }
    settle();
    auto intent = kit->planner.intend(command.payload);
    if (!intent)
        return intent.error();
    auto worked = plan(std::move(*intent));
    // The restart after a refusal is logged for the step that was made to end here, also where it cannot be done: then the run
    // goes on (stayAt).
    if (!worked && std::holds_alternative<Restart>(command.payload))
        return {};
    if (!worked)
        return worked.error();
    commit(std::move(*worked));
    return {};
}

/// What a command changes, worked out in the mode that it leads to.
Result<Plan> Run::Impl::plan(Intent&& intent)
{
    const RunSettings& present = stepper.core().settings;
    const bool otherWay = intent.settings.formulation != present.formulation || intent.settings.integrator != present.integrator
                          || intent.settings.choices != present.choices;
    if (modes && otherWay)
        if (auto carried = checkModes(intent.settings); !carried)
            return carried.error();
    plannedMode.reset();
    if (modes && movesBodies(intent.command, system->system()))
        return planMoved(intent);
    auto into = kitFor(intent.command);
    if (!into)
        return into.error();
    const CommandPayload payload = intent.command;
    const std::vector<double> parameters = intent.parameters;
    auto worked = planIn(**into, std::move(intent));
    const bool elsewhere = std::holds_alternative<SetState>(payload) || std::holds_alternative<SetParameter>(payload)
                           || std::holds_alternative<Reset>(payload) || std::holds_alternative<SetStart>(payload);
    if (!worked || !modes || !elsewhere)
        return worked;
    model::ModelState there = worked->state;
    there.lambda = planned->toBase(there.lambda);
    modes->setParameters(parameters);
    if (auto sound = modes->check(there); !sound)
        return sound.error();
    return worked;
}

/// The same in a mode; what was written for the present one is written anew.
Result<Plan> Run::Impl::planIn(ModeKit& into, Intent&& intent)
{
    planned = &into;
    if (planned == kit)
        return planned->planner.plan(std::move(intent), state);
    model::ModelState now = state;
    now.lambda = planned->fromBase(kit->toBase(state.lambda));
    intent.core = CoreChange::Replaced;
    intent.form.reset();
    return planned->planner.plan(std::move(intent), now);
}

/// Contacts let go what is moved by hand. Where it would pass an open one it comes to rest on its surface: the nearest place
/// with the rows of all that are passed.
Result<Plan> Run::Impl::planMoved(const Intent& intent)
{
    model::Mode mode = modes->released();
    modes->setParameters(intent.parameters);
    std::string inTheWay;
    for (std::size_t tries = 0;; ++tries) {
        const auto into = kitOf(mode);
        if (!into)
            return into.error();
        auto worked = planIn(**into, Intent(intent));
        if (!worked && !intent.settings.pivot.automatic && planned != kit) { // what is pinned may not fit these rows
            Intent freely = intent;
            freely.settings.pivot = {};
            worked = planIn(**into, std::move(freely));
        }
        if (!worked && !inTheWay.empty())
            return Diagnostic{"There is no place beyond " + inTheWay,
                              "t = " + plain(state.t),
                              worked.error().what,
                              "a place on this side of it",
                              {}};
        if (!worked)
            return worked;
        model::ModelState there = worked->state;
        there.lambda = planned->toBase(there.lambda);
        const auto passed = modes->passed(there, mode);
        if (!passed)
            return passed.error();
        const bool comesBack = std::get<SetState>(intent.command).asRecorded; // from where it has been
        if (passed->empty() || comesBack || tries >= mode.size()) {
            if (auto sound = modes->check(there); !sound)
                return sound.error();
            plannedMode = std::move(mode);
            return worked;
        }
        for (const int row : *passed) {
            mode[static_cast<std::size_t>(row)] = model::OneSidedState::On;
            inTheWay = system->system().oneSided[static_cast<std::size_t>(row)].row.name;
        }
    }
}

/// What the corner of an input leads to. Where it tears contacts or friction, planned and plannedMode say the mode without
/// these rows; else they say nothing.
Result<Plan> Run::Impl::planBehindCorner(model::ModelState behind)
{
    planned = nullptr;
    plannedMode.reset();
    if (!modes || !modes->mayTear())
        return kit->planner.plan(kit->planner.atCorner(), behind);
    auto torn = tornAt(behind);
    if (!torn)
        return torn.error();
    if (!*torn)
        return kit->planner.plan(kit->planner.atCorner(), behind);
    const auto into = kitOf(**torn);
    if (!into)
        return into.error();
    const model::ModelState now = (*into)->fromBase(inBase(behind));
    const auto work = [&](bool pinned) {
        Intent intent = (*into)->planner.atCorner();
        intent.core = CoreChange::Replaced;
        intent.alike = (*into)->left.get();
        if (!pinned)
            intent.settings.pivot = {};
        return (*into)->planner.plan(std::move(intent), now);
    };
    auto worked = work(true);
    if (!worked && !stepper.core().settings.pivot.automatic) // what is pinned may not fit these rows
        worked = work(false);
    if (worked) {
        planned = *into;
        plannedMode = **torn;
    }
    return worked;
}

/// The mode without the rows that a corner tears. Both sides of it are compared as joints alone lead there, so that what a form
/// has let drift is no part of the difference. behind: where a surface jumps towards what is on it, that goes along.
Result<std::optional<model::Mode>> Run::Impl::tornAt(model::ModelState& behind)
{
    using Torn = std::optional<model::Mode>;
    auto direct = modes->torn(inBase(state), inBase(behind));
    if (!direct || (!*direct && !rowsJump(behind)))
        return direct; // as where an input is a force
    auto restored = [&](const model::Mode& mode, model::ModelState at, Levels levels) -> Result<model::ModelState> {
        const auto into = kitOf(mode);
        if (!into)
            return into.error();
        (*into)->metrics.setParameters(stepper.core().parameters);
        at = (*into)->fromBase(inBase(at));
        Moved moved;
        if (auto there = (*into)->states->restore(levels, true, at, moved); !there)
            return there.error();
        at.lambda = (*into)->toBase(at.lambda);
        return at;
    };
    const auto carried = modes->carried(inBase(state), inBase(behind));
    if (!carried)
        return carried.error();
    if (*carried) {
        auto moved = restored(**carried, behind, {.position = true});
        if (!moved)
            return moved.error();
        behind.q = std::move(moved->q);
    }
    const formulation::Enforces& holds = stepper.core().form().enforces;
    const Levels levels{.position = holds.position, .velocity = holds.position || holds.velocity};
    auto before = restored(modes->loosened(), state, levels), there = restored(modes->loosened(), behind, levels);
    if (!before || !there)
        return !before ? before.error() : there.error();
    auto torn = modes->torn(*before, *there);
    return torn ? Result<Torn>(std::move(*torn)) : Result<Torn>(torn.error());
}

/// Whether the constraints in force, or their rates, are others on both sides of a corner.
bool Run::Impl::rowsJump(const model::ModelState& behind)
{
    constexpr double kRoundoff = 1e-11; // of their sizes
    model::SystemEvaluator& evaluator = kit->metrics.evaluator();
    const model::NominalScales& scales = kit->metrics.scales();
    std::vector<double> one(static_cast<std::size_t>(kit->system->m())), other(one);
    const auto apart = [&](double time) {
        for (std::size_t i = 0; i < one.size(); ++i)
            if (!(std::abs(one[i] - other[i]) <= kRoundoff * scales.rowUnits[i] / time))
                return true;
        return false;
    };
    if (!evaluator.constraintRates(state.t, state.q.data(), state.v.data(), one.data())
        || !evaluator.constraintRates(behind.t, state.q.data(), state.v.data(), other.data()) || apart(scales.time))
        return true;
    return !evaluator.constraints(state.t, state.q.data(), one.data())
           || !evaluator.constraints(behind.t, state.q.data(), other.data()) || apart(1);
}

model::ModelState Run::Impl::inBase(model::ModelState at) const
{
    at.lambda = kit->toBase(at.lambda);
    return at;
}

/// The mode of the plan is in force, before what it changes is.
void Run::Impl::takeMode(const CommandPayload& payload)
{
    ModeKit* into = std::exchange(planned, nullptr);
    if (!modes || !into)
        return;
    if (const auto* branch = std::get_if<Branch>(&payload))
        modes->forgetAfter(branch->to);
    else if (into == kit) {
        if (std::holds_alternative<Reset>(payload) || std::holds_alternative<SetStart>(payload))
            modes->beginAgain();
        return;
    } else if (plannedMode)
        leaveMode();
    else
        modes->forgetAll();
    model::Mode mode = plannedMode ? *plannedMode : model::baseMode(system->system());
    double from = plannedMode ? state.t : 0;
    if (const auto* branch = std::get_if<Branch>(&payload)) {
        mode = modes->modeAt(branch->to);
        from = branch->to;
    }
    kit = into;
    recorder.follow(&kit->places);
    plannedMode.reset();
    modes->enter(from, mode, {.metrics = &kit->metrics, .places = &kit->places});
}

/// Puts a worked-out change in force. Monitors begin anew behind it, once the energy is booked: what they see first is what
/// they judge by.
void Run::Impl::adopt(Plan&& plan)
{
    std::optional<Diagnostic> refused;
    if (plan.core)
        replaced = stepper.replace(std::move(plan.core));
    if (plan.retuned) {
        kit->metrics.setParameters(plan.retuned->parameters);
        if (auto tuned = stepper.retune(std::move(*plan.retuned), plan.state, kit->metrics.scales()); !tuned)
            refused = tuned.error();
    }
    state = std::move(plan.state);
    sinceRow = 0;
    kit->metrics.setParameters(stepper.core().parameters);
    if (modes) {
        base->metrics.setParameters(stepper.core().parameters); // the recorder evaluates with them
        modes->setParameters(stepper.core().parameters);
    }
    if (switches)
        switches->setParameters(stepper.core().parameters);
    kit->metrics.measure(state, true);
    published.goesOn();
    kit->selector->begin(stepper.core(), state);
    published.arrive(state.t);
    published.tell(inForceOf(*this));
    kit->selector->show(stepper.core(), published);
    if (refused)
        fail(std::move(*refused));
}

/// Puts a plan in force and tells of it. No command is refused any more: where an integrator that stays does not start from
/// what was tried (Core::retune), the command stands and its run has failed.
void Run::Impl::commit(Plan&& plan)
{
    const CommandPayload payload = std::move(plan.command);
    const Moved moved = plan.moved;
    const bool restarted = plan.changesCore(), restartsBalance = plan.restartsBalance;
    ValuesCorrected corrected = std::move(plan.corrected);
    const auto* set = std::get_if<SetState>(&payload);
    Gesture::Before before = beforeCommand(*this, payload);
    const RunSettings left = stepper.core().settings;
    if (set) {
        gesture.begin(*set, state, std::move(before), published);
        before = gesture.beforeAll();
        pivots = before.pivots;
    } else {
        gesture.end();
    }
    takeMode(payload);
    putInForce(*this, payload, std::move(plan));
    CommandDone done{.payload = payload};
    if (restartsBalance) {
        done.energyJump = kit->metrics.energy() - before.energy;
        restartBalance(*this);
    }
    beginMonitors();
    if (std::holds_alternative<Restart>(payload))
        published.timeLine().add(state.t, Restarted{});
    else
        published.timeLine().add(state.t, std::move(done));
    const bool leftMode = set && modes && !(modes->mode() == before.mode); // which is told with its dummies
    if (!leftMode && choosesAlike(left, stepper.core().settings)) // else the command itself says that others are chosen
        tellChosen(before.dummies, before.kappa);
    if (leftMode)
        tellMode(before);
    if (!set)
        tellMoved(*this, moved);
    else if (!corrected.empty())
        published.timeLine().add(state.t, std::move(corrected));
    if (restarted) {
        const double setAside = maxNorms.setAside;
        maxNorms = largerOf(maxNorms, kit->metrics.norms());
        maxNorms.setAside = setAside; // of rows set aside those of steps count alone
        appendRow();
    }
    publish();
    if (events) {
        const bool start = std::holds_alternative<Reset>(payload) || std::holds_alternative<SetStart>(payload);
        const bool elsewhere = start || set || std::holds_alternative<SetParameter>(payload);
        crowded = hasty = 0, tinyFlight = false, flightEnds = 0, lastEvent = std::min(lastEvent, state.t);
        events->begin(state);
        if (elsewhere && !published.failed())
            (void)happen({}, start ? Occasion::Instant : Occasion::Change);
    }
    if (set)
        gesture.told(published);
    if (const auto* branched = std::get_if<Branch>(&payload))
        bringTo(*this, branched->to, Patience(std::numeric_limits<double>::infinity())); // from the row before
    published.withdraw();
    judgeExchanges();
}

void Run::Impl::restartHere(RestartCause cause)
{
    settle();
    auto worked = kit->planner.plan(kit->planner.restart(), state);
    if (!worked)
        return; // a failed run stays failed; the command that follows brings its own change
    restarts.push_back({state.t, published.accepted(), Restart{}});
    commit(std::move(*worked));
    published.timeLine().nameRestart(cause);
}

} // namespace driftless::run
