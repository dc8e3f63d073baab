// Commands between steps, and what each may change: a command is worked out completely before anything is touched.
#include <algorithm>
#include <cmath>

#include "core/consistency/Nearest.h"
#include "core/formulation/Formulation.h"
#include "core/run/RunImpl.h"
#include "core/run/Times.h"

namespace driftless::run {

namespace {

/// A value this far from what was asked, against the size of the positions, was changed and not rounded.
constexpr double kReportedMiss = 1e-9;

} // namespace

bool Run::Impl::bringTo(double t)
{
    while (state.t < t)
        if (!step(t) && hasFailed)
            return false;
    return true;
}

/// First half of a command: stands where it acts. Returns what a log needs.
Command Run::Impl::stand(double t, const CommandPayload& payload)
{
    cancel = false;
    if (hasFailed)
        restartHere(RestartCause::AfterFailure);
    const bool here = hasFailed || std::holds_alternative<Branch>(payload) || std::holds_alternative<Reset>(payload)
                      || std::holds_alternative<SetStart>(payload) || std::holds_alternative<Restart>(payload);
    Command command{here ? state.t : std::max(t, state.t), accepted, payload};
    if (!here && !bringTo(t)) {
        // It failed on the way: the command still acts, where the run came to its end.
        command.t = state.t;
        command.afterSteps = accepted;
    }
    settle();
    return command;
}

/// After a refusal at the state itself: the step that was made to end here, and with it a restart, stays and is logged.
void Run::Impl::stayAt(const Command& command)
{
    metrics.setParameters(core->parameters);
    if (hasFailed)
        return;
    restarts.push_back({command.t, command.afterSteps, Restart{}});
    if (auto again = plan(restartIntent()); again)
        commit(std::move(*again));
}

Result<std::vector<Command>> applyTogether(const std::vector<Run*>& runs, double t, std::span<const CommandPayload> payloads)
{
    const auto payload = [&](std::size_t k) -> const CommandPayload& { return payloads[payloads.size() == 1 ? 0 : k]; };
    std::vector<Intent> intents;
    for (std::size_t k = 0; k < runs.size(); ++k) {
        auto intent = runs[k]->impl_->intend(payload(k));
        if (!intent)
            return intent.error();
        intents.push_back(std::move(*intent));
    }
    std::vector<Command> commands;
    for (std::size_t k = 0; k < runs.size(); ++k)
        commands.push_back(runs[k]->impl_->stand(t, payload(k)));
    std::vector<Plan> plans;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        auto plan = runs[i]->impl_->plan(std::move(intents[i]));
        if (!plan) {
            for (std::size_t k = 0; k < runs.size(); ++k)
                runs[k]->impl_->stayAt(commands[k]);
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
    cancel = false;
    const auto stopped = [&] { return told && !told(); };
    const Diagnostic left{"The replay was stopped", "t = " + plain(state.t), {}, {}, {}};
    while (accepted < command.afterSteps) {
        if (!step(kForever) && hasFailed)
            break;
        if (stopped())
            return left;
    }
    if (accepted != command.afterSteps || command.t < state.t)
        return Diagnostic{"The log does not fit the run",
                          "t = " + plain(state.t),
                          "a command after " + std::to_string(command.afterSteps) + " steps at t = " + plain(command.t)
                              + " cannot be repeated",
                          "the build that made the session",
                          {}};
    while (!hasFailed && state.t < command.t) {
        step(command.t);
        if (stopped())
            return left;
    }
    settle();
    auto intent = intend(command.payload);
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

/// Which asked values the constraints did not allow, what they became, and how far the state moved.
ValuesCorrected Run::Impl::correctionOf(const SetState& c, const model::ModelState& after) const
{
    const auto& coordinates = system->system().coordinates;
    const model::ModelState& before = continuesSample(c) ? sampled->before : state;
    double size = 1;
    for (const double q : after.q)
        size = std::max(size, std::abs(q));
    ValuesCorrected out;
    const auto follow = [&](const std::vector<double>& now, const std::vector<double>& then, bool velocity) {
        ValuesCorrected::Move most;
        for (std::size_t i = 0; i < coordinates.size(); ++i) {
            const std::string& name = velocity ? coordinates[i].velocity.name : coordinates[i].name;
            const auto set = c.values.find(name);
            if (set != c.values.end() && std::abs(now[i] - set->second) > kReportedMiss * size)
                out.missed.push_back({.name = name, .became = now[i], .asked = set->second});
            if (std::abs(now[i] - then[i]) > most.size)
                most = {.name = name, .size = std::abs(now[i] - then[i])};
        }
        if (most.size > kReportedMiss * size)
            (velocity ? out.velocities : out.positions) = std::move(most);
    };
    follow(after.q, before.q, false);
    follow(after.v, before.v, true);
    return out;
}

/// Whether values of the same names were set here just before.
bool Run::Impl::continuesSample(const SetState& c) const
{
    return sampled && !c.asRecorded && sampled->t == state.t
           && std::equal(c.values.begin(), c.values.end(), sampled->names.begin(), sampled->names.end(),
                         [](const auto& value, const std::string& name) { return value.first == name; });
}

/// What an earlier sample left on the time line goes.
void Run::Impl::beginSample(const SetState& c)
{
    const bool continues = continuesSample(c);
    const std::lock_guard lock(mutex);
    if (continues && sampled->events == shared.events.size()) {
        shared.events.resize(sampled->firstEvent);
        return;
    }
    sampled = Sampled{{}, state.t, metrics.energy(), shared.events.size(), 0, state};
    for (const auto& [name, value] : c.values)
        sampled->names.push_back(name);
}

/// Puts a worked-out change in force, with the statistics of the integrator that leaves carried over.
void Run::Impl::adopt(Plan&& plan)
{
    std::optional<Diagnostic> refused;
    const bool changes = plan.changesCore();
    if (changes)
        base = totals();
    if (plan.core)
        core = std::move(plan.core);
    if (plan.retuned) {
        metrics.setParameters(plan.retuned->parameters);
        if (auto tuned = core->retune(std::move(*plan.retuned), plan.state, metrics.scales()); !tuned)
            refused = tuned.error();
    }
    if (changes)
        atRestart = core->integrator->statistics();
    state = std::move(plan.state);
    sinceRow = 0;
    metrics.setParameters(core->parameters);
    if (chooser)
        judgeValues();
    metrics.measure(state, true);
    hasFailed = false;
    if (system->m() > 0 && loadPivots(state)) {
        if (!core->form().pivot)
            velocities.followed = velocities.chooser.choose();
        judgeSelection();
        if (core->instance->hasBases() && core->form().basisUpdate != formulation::BasisUpdate::Continuous)
            kappa = core->instance->basisKappa(state);
        const std::lock_guard lock(mutex);
        shared.status.kappa = kappa;
    }
    time = state.t;
    resetMonitors();
    shareSettings();
    if (chooser)
        shareStages();
    if (refused)
        fail(std::move(*refused));
}

/// Puts a plan in force and tells of it. Nothing here can be refused.
void Run::Impl::commit(Plan&& plan)
{
    const CommandPayload payload = std::move(plan.command);
    const double dq = plan.positionChange, dv = plan.velocityChange;
    const bool restarted = plan.changesCore(), restartsBalance = plan.restartsBalance;
    double energyBefore = metrics.energy();
    ValuesCorrected corrected = std::move(plan.corrected);
    const auto* set = std::get_if<SetState>(&payload);
    if (set) {
        beginSample(*set);
        energyBefore = sampled->energyBefore;
    } else {
        sampled.reset();
    }
    if (std::holds_alternative<Branch>(payload)) {
        commitBranch(plan.state.t, std::move(plan));
    } else if (std::holds_alternative<Reset>(payload) || std::holds_alternative<SetStart>(payload)) {
        if (plan.start) {
            const std::lock_guard lock(mutex);
            start = std::move(*plan.start);
        }
        recording.clear();
        {
            const std::lock_guard lock(mutex);
            shared.events.clear();
            shared.segments.clear();
        }
        maxNorms = {};
        pivots = 0;
        adopt(std::move(plan));
        metrics.restartBalance();
        const std::lock_guard lock(mutex);
        shared.segments.push_back({state.t, core->parameters, metrics.reference()});
    } else {
        if (const auto* rows = std::get_if<SetRows>(&payload)) {
            core->settings.rows = rows->rows;
            between.end = std::numeric_limits<double>::quiet_NaN(); // the next step has nothing to be compared with
        }
        adopt(std::move(plan));
    }
    CommandDone done{.payload = payload};
    if (restartsBalance) {
        done.energyJump = metrics.energy() - energyBefore;
        metrics.restartBalance();
        const std::lock_guard lock(mutex);
        shared.segments.push_back({state.t, core->parameters, metrics.reference()});
    }
    if (std::holds_alternative<Restart>(payload))
        addEvent(Restarted{});
    else
        addEvent(std::move(done));
    double size = 1;
    for (const double q : state.q)
        size = std::max(size, std::abs(q));
    if (set) {
        if (!corrected.empty())
            addEvent(std::move(corrected));
        const std::lock_guard lock(mutex);
        sampled->events = shared.events.size();
    } else if (dq > kReportedChange * size || dv > kReportedChange * size)
        addEvent(Correction{.positions = dq, .velocities = dv});
    if (restarted) {
        const ResidualNorms& norms = metrics.norms();
        maxNorms.position = std::max(maxNorms.position, norms.position);
        maxNorms.velocity = std::max(maxNorms.velocity, norms.velocity);
        maxNorms.acceleration = std::max(maxNorms.acceleration, norms.acceleration);
        appendRow();
    }
    publish();
    if (const auto* branch = std::get_if<Branch>(&payload))
        bringTo(branch->to);
    {
        const std::lock_guard lock(mutex);
        shared.offered.reset();
    }
    judgeExchanges();
}

void Run::Impl::restartHere(RestartCause cause)
{
    settle();
    auto worked = plan(restartIntent());
    if (!worked)
        return; // a failed run stays failed; the command that follows brings its own change
    restarts.push_back({state.t, accepted, Restart{}});
    commit(std::move(*worked));
    const std::lock_guard lock(mutex);
    for (auto event = shared.events.rbegin(); event != shared.events.rend(); ++event)
        if (auto* restarted = std::get_if<Restarted>(&event->detail)) {
            restarted->cause = cause;
            return;
        }
}

} // namespace driftless::run
