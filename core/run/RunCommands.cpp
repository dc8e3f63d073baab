// Commands between steps, and what each may change: a command is worked out completely before anything is touched.
#include <algorithm>
#include <cmath>

#include "core/consistency/Nearest.h"
#include "core/formulation/Formulation.h"
#include "core/run/RunImpl.h"
#include "core/run/Times.h"

namespace driftless::run {

namespace {

/// The levels a form enforces are the levels a switch to it restores: forms that hold the positions also the velocities.
Levels levelsOf(const formulation::Dae& form)
{
    Levels out;
    out.position = form.enforces.position || form.projection.position;
    out.velocity = out.position || form.enforces.velocity || form.projection.velocity;
    return out;
}

template <class... F>
struct Overloaded : F... {
    using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;

/// A value this far from what was asked, against the size of the positions, was changed and not rounded.
constexpr double kReportedMiss = 1e-9;

} // namespace

Result<void> Run::Impl::check(const CommandPayload& payload) const
{
    const RunSettings& now = core->settings;
    const auto carries = [&](const std::string& form, const std::string& integrator) -> Result<void> {
        const auto formulation = formulation::requireFormulation(form);
        if (!formulation)
            return formulation.error();
        auto dae = (*formulation)->build(system->model(), form == now.formulation ? now.choices : formulation::OptionValues{});
        if (!dae)
            return dae.error();
        auto method = integrate::makeIntegrator(integrator);
        if (!method)
            return method.error();
        return integrate::canCarry((*method)->info(), dae->index, dae->projection.any(), dae->semiExplicit,
                                   formulation::mechanicsOf(*dae, system->system()));
    };
    return std::visit(
        Overloaded{
            [&](const SetFormulation& c) { return carries(c.id, now.integrator); },
            [&](const SetIntegrator& c) { return carries(now.formulation, c.id); },
            [&](const SetOptions& c) -> Result<void> {
                if (auto known = checkTolerances(system->system(), c.options.tolerances); !known)
                    return known.error();
                if (auto sound = c.options.check(); !sound)
                    return sound;
                return checkSteps(core->integrator->info(), c.options, system->model().run.end, {});
            },
            [&](const SetPivot& c) -> Result<void> {
                if (chooser && !c.pivot.automatic) {
                    if (auto pinned = pinnedValues(c.pivot); !pinned)
                        return pinned.error();
                } else if (!c.pivot.automatic)
                    if (auto pinned = pinnedDummies(core->form(), c.pivot); !pinned)
                        return pinned.error();
                return {};
            },
            [&](const SetParameter& c) -> Result<void> {
                const auto target = model::resolveName(system->system(), c.name);
                if (!target)
                    return target.error();
                if (target->kind != model::TargetKind::Parameter)
                    return Diagnostic{c.name + " is not a parameter", {}, {}, "a parameter of the model", {}};
                std::vector<double> next = core->parameters;
                next[static_cast<std::size_t>(target->index)] = c.value;
                if (auto bad = model::checkParameters(system->model(), next))
                    return *std::move(bad);
                return {};
            },
            [&](const SetChoice& c) -> Result<void> {
                const auto formulation = formulation::requireFormulation(now.formulation);
                if (!formulation)
                    return formulation.error();
                return formulation::checkOptions((*formulation)->info(), {{c.name, c.value}});
            },
            [&](const SetGain& c) -> Result<void> {
                for (const auto& g : core->form().gains)
                    if (g.quantity.name == c.name)
                        return {};
                return Diagnostic{"The formulation has no gain " + c.name, now.formulation, {}, {}, {}};
            },
            [&](const Branch& c) -> Result<void> {
                const RecordingView view = recording.view();
                if (!view.empty() && c.to >= view.firstTime() && c.to <= view.lastTime())
                    return {};
                return Diagnostic{"There is no recording at t = " + plain(c.to), {}, {}, "a time within the recording", {}};
            },
            [&](const SetState& c) -> Result<void> {
                if (c.values.empty())
                    return Diagnostic{"No value is set", {}, {}, "the name of a position or velocity and its value", {}};
                for (const auto& [name, value] : c.values) {
                    const auto target = model::resolveName(system->system(), name);
                    if (!target)
                        return target.error();
                    if (target->kind != model::TargetKind::Position && target->kind != model::TargetKind::Velocity
                        && target->kind != model::TargetKind::Dynamic && target->kind != model::TargetKind::Value)
                        return Diagnostic{target->fullName + " cannot be set while a run goes on",
                                          {},
                                          "only positions, velocities and dynamic variables are the state",
                                          "the name of a coordinate",
                                          {}};
                    if (!std::isfinite(value))
                        return Diagnostic{"The value of " + target->fullName + " is not a finite number", {}, {}, {}, {}};
                }
                return {};
            },
            [](const SetRows&) -> Result<void> { return {}; },
            [](const Reset&) -> Result<void> { return {}; },
            [&](const SetStart& c) -> Result<void> {
                for (const auto& [name, value] : c.values)
                    if (const auto target = model::resolveName(system->system(), name); !target)
                        return target.error();
                return {};
            },
            [](const Restart&) -> Result<void> { return {}; },
        },
        payload);
}

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
    if (auto again = work(Restart{}); again)
        commit(std::move(*again), Restart{});
}

Result<std::vector<Command>> applyTogether(const std::vector<Run*>& runs, double t, std::span<const CommandPayload> payloads)
{
    const auto payload = [&](std::size_t k) -> const CommandPayload& { return payloads[payloads.size() == 1 ? 0 : k]; };
    for (std::size_t k = 0; k < runs.size(); ++k)
        if (auto checked = runs[k]->impl_->check(payload(k)); !checked)
            return checked.error();
    std::vector<Command> commands;
    for (std::size_t k = 0; k < runs.size(); ++k)
        commands.push_back(runs[k]->impl_->stand(t, payload(k)));
    std::vector<Pending> pending;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        auto worked = runs[i]->impl_->work(payload(i));
        if (!worked) {
            for (std::size_t k = 0; k < runs.size(); ++k)
                runs[k]->impl_->stayAt(commands[k]);
            return worked.error();
        }
        pending.push_back(std::move(*worked));
    }
    for (std::size_t k = 0; k < runs.size(); ++k)
        runs[k]->impl_->commit(std::move(pending[k]), payload(k));
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
    if (auto checked = check(command.payload); !checked)
        return checked.error();
    auto pending = work(command.payload);
    // The restart after a refusal is logged for the step that was made to end here, also where it cannot be done: then the run
    // goes on (stayAt).
    if (!pending && std::holds_alternative<Restart>(command.payload))
        return {};
    if (!pending)
        return pending.error();
    commit(std::move(*pending), command.payload);
    return {};
}

/// Which levels a change of parameters disturbs: those whose residual it changes at the same state.
Result<Levels> Run::Impl::movedByParameters(const model::ModelState& s, const std::vector<double>& before,
                                            const std::vector<double>& after)
{
    const auto m = static_cast<std::size_t>(system->m());
    std::vector<double> g[2]{std::vector<double>(m), std::vector<double>(m)}, rate[2]{g[0], g[0]};
    auto& e = metrics.evaluator();
    for (int k = 0; k < 2; ++k) {
        e.setParameters(k == 0 ? before : after);
        if (!e.constraints(s.t, s.q.data(), g[k].data()) || !e.constraintRates(s.t, s.q.data(), s.v.data(), rate[k].data())) {
            const std::string why = e.message();
            e.setParameters(core->parameters);
            return Diagnostic{
                "The constraints cannot be computed with the new parameters", "t = " + plain(s.t), why, "another value", {}};
        }
    }
    Levels out;
    out.position = g[0] != g[1];
    out.velocity = out.position || rate[0] != rate[1];
    return out;
}

/// A new core at the given state with the levels restored. Leaves the solver with the new parameters.
Result<Pending> Run::Impl::change(const RunSettings& settings, const std::vector<double>& parameters,
                                  const model::ModelState& from, Levels levels, bool asItStands)
{
    Pending out;
    out.state = from;
    out.levels = levels;
    model::ModelState& s = out.state;
    metrics.setParameters(parameters);
    auto& solver = metrics.solver();
    const auto failed = [&](const char* what) {
        Diagnostic d{what, "t = " + plain(s.t), solver.message(), "another value, or the same change at another time", {}};
        return d;
    };
    if (levels.position && !solver.projectPosition(s.t, s.q.data(), consistency::Metric::Mass, out.positionChange))
        return failed("No position near this one satisfies the constraints");
    if (levels.velocity && !solver.projectVelocity(s.t, s.q.data(), s.v.data(), consistency::Metric::Mass, out.velocityChange))
        return failed("No velocity near this one satisfies the constraints");
    if (!chooser && !asItStands && !solver.accelerations(s.t, s.q.data(), s.v.data(), s.a.data(), s.lambda.data()))
        return failed("Accelerations and multipliers are not determined here");
    auto made = makeCore(settings, parameters, s);
    if (!made)
        return made.error();
    out.core = std::move(*made);
    if (chooser && !asItStands)
        if (auto completed = completeValues(*out.core, s, out.positionChange); !completed)
            return completed.error();
    std::string why;
    if (!enter(*out.core, s, why))
        return Diagnostic{"The formulation cannot start here", "t = " + plain(s.t), why, {}, {}};
    return out;
}

Result<Pending> Run::Impl::work(const CommandPayload& payload)
{
    const RunSettings& now = core->settings;
    const std::vector<double>& parameters = core->parameters;
    const auto with = [&](auto edit, Levels levels = {}) {
        RunSettings next = now;
        edit(next);
        return change(next, parameters, state, levels);
    };
    return std::visit(
        Overloaded{
            [&](const SetFormulation& c) -> Result<Pending> {
                const auto formulation = formulation::requireFormulation(c.id);
                if (!formulation)
                    return formulation.error();
                const auto dae = (*formulation)->build(system->model());
                if (!dae)
                    return dae.error();
                return with(
                    [&](RunSettings& s) {
                        s.formulation = c.id;
                        s.gains.clear();
                        s.choices.clear();
                    },
                    levelsOf(*dae));
            },
            [&](const SetIntegrator& c) { return with([&](RunSettings& s) { takeIntegrator(s, c.id, system->model().run); }); },
            [&](const SetOptions& c) -> Result<Pending> { return with([&](RunSettings& s) { s.options = c.options; }); },
            [&](const SetPivot& c) { return with([&](RunSettings& s) { s.pivot = c.pivot; }); },
            [&](const SetGain& c) { return with([&](RunSettings& s) { s.gains[c.name] = c.value; }); },
            [&](const SetChoice& c) -> Result<Pending> {
                RunSettings next = now;
                next.choices[c.name] = c.value;
                const auto formulation = formulation::requireFormulation(next.formulation);
                if (!formulation)
                    return formulation.error();
                const auto dae = (*formulation)->build(system->model(), next.choices);
                if (!dae)
                    return dae.error();
                return change(next, parameters, state, levelsOf(*dae));
            },
            [&](const SetParameter& c) -> Result<Pending> {
                const auto target = model::resolveName(system->system(), c.name);
                if (!target)
                    return target.error();
                std::vector<double> next = parameters;
                next[static_cast<std::size_t>(target->index)] = c.value;
                const auto levels = movedByParameters(state, parameters, next);
                if (!levels)
                    return levels.error();
                auto pending = change(now, next, state, *levels);
                if (pending)
                    pending->restartsBalance = !chooser;
                return pending;
            },
            [&](const SetRows&) -> Result<Pending> {
                Pending out;
                out.state = state;
                return out;
            },
            [&](const SetState& c) { return moveState(c); },
            [&](const Reset&) -> Result<Pending> {
                double moved = 0;
                const auto from = consistentStart(start, parameters, moved);
                if (!from)
                    return from.error();
                return change(now, parameters, *from, {});
            },
            [&](const SetStart& c) -> Result<Pending> {
                double moved = 0;
                StartSettings next = startAfter(start, c);
                const auto from = consistentStart(next, parameters, moved);
                if (!from)
                    return from.error();
                auto pending = change(now, parameters, *from, {}, c.allowInconsistent);
                if (pending)
                    pending->start = std::move(next);
                return pending;
            },
            [&](const Branch& c) -> Result<Pending> {
                model::ModelState at = state;
                at.t = branchesFrom(c.to);
                recording.view().stateAt(at.t, at.q.data(), at.v.data(), at.lambda.data());
                std::vector<double> then = parameters;
                for (const Segment& s : shared.segments)
                    if (s.t <= at.t)
                        then = s.parameters;
                Levels levels = levelsOf(core->form());
                const auto moved = movedByParameters(at, then, parameters);
                if (!moved)
                    return moved.error();
                levels.position |= moved->position;
                levels.velocity |= moved->velocity;
                auto pending = change(now, parameters, at, levels);
                if (pending)
                    pending->restartsBalance = !chooser && then != parameters;
                return pending;
            },
            [&](const Restart&) -> Result<Pending> { return change(now, parameters, state, {}); },
        },
        payload);
}

/// The present state with the values set, made consistent; or an earlier state as it was recorded.
Result<Pending> Run::Impl::moveState(const SetState& c)
{
    if (chooser)
        return moveValues(c);
    const auto n = static_cast<std::size_t>(system->n());
    consistency::NearestRequest wanted;
    wanted.from = state;
    wanted.q = state.q;
    wanted.v = state.v;
    wanted.qAsked.assign(n, false);
    wanted.vAsked.assign(n, false);
    for (const auto& [name, value] : c.values) {
        const auto target = model::resolveName(system->system(), name);
        if (!target)
            return target.error();
        const auto i = static_cast<std::size_t>(target->index);
        if (target->kind == model::TargetKind::Dynamic) {
            wanted.from.lambda[static_cast<std::size_t>(system->m()) + i] = value;
            continue;
        }
        const bool position = target->kind == model::TargetKind::Position;
        (position ? wanted.q : wanted.v)[i] = value;
        (position ? wanted.qAsked : wanted.vAsked)[i] = true;
    }
    auto& solver = metrics.solver();
    model::ModelState next;
    if (c.asRecorded) {
        const Levels levels = levelsOf(core->form());
        double change = 0;
        if (!levels.position && levels.velocity
            && !solver.projectVelocity(state.t, wanted.q.data(), wanted.v.data(), consistency::Metric::Mass, change))
            return Diagnostic{
                "The earlier state cannot be brought back", "t = " + plain(state.t), solver.message(), "another time", {}};
        consistency::Request request{
            state.t, wanted.q, wanted.v, std::vector<bool>(n, false), std::vector<bool>(n, false), wanted.from.lambda};
        request.allowInconsistent = !levels.position;
        request.metric = consistency::Metric::Mass;
        auto solution = solver.solve(request);
        if (!solution)
            return solution.error();
        next = std::move(solution->state);
    } else {
        auto solution = consistency::nearestConsistent(solver, metrics.evaluator(), wanted);
        if (!solution)
            return solution.error();
        next = std::move(solution->state);
    }
    auto pending = change(core->settings, core->parameters, next, {}, true);
    if (!pending)
        return pending;
    pending->restartsBalance = true;
    for (std::size_t i = 0; i < n; ++i) {
        pending->positionChange = std::max(pending->positionChange, std::abs(next.q[i] - state.q[i]));
        pending->velocityChange = std::max(pending->velocityChange, std::abs(next.v[i] - state.v[i]));
    }
    pending->corrected = correctionOf(c, next);
    return pending;
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
void Run::Impl::adopt(Pending&& pending)
{
    if (pending.core) {
        base = totals();
        core = std::move(pending.core);
        atRestart = core->integrator->statistics();
    }
    state = std::move(pending.state);
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
}

void Run::Impl::commit(Pending&& pending, const CommandPayload& payload)
{
    const double dq = pending.positionChange, dv = pending.velocityChange;
    const bool rebuilt = pending.core != nullptr, restartsBalance = pending.restartsBalance;
    double energyBefore = metrics.energy();
    ValuesCorrected corrected = std::move(pending.corrected);
    const auto* set = std::get_if<SetState>(&payload);
    if (set) {
        beginSample(*set);
        energyBefore = sampled->energyBefore;
    } else {
        sampled.reset();
    }
    if (std::holds_alternative<Branch>(payload)) {
        commitBranch(pending.state.t, std::move(pending));
    } else if (std::holds_alternative<Reset>(payload) || std::holds_alternative<SetStart>(payload)) {
        if (pending.start) {
            const std::lock_guard lock(mutex);
            start = std::move(*pending.start);
        }
        recording.clear();
        {
            const std::lock_guard lock(mutex);
            shared.events.clear();
            shared.segments.clear();
        }
        maxNorms = {};
        pivots = 0;
        adopt(std::move(pending));
        metrics.restartBalance();
        const std::lock_guard lock(mutex);
        shared.segments.push_back({state.t, core->parameters, metrics.reference()});
    } else {
        if (const auto* rows = std::get_if<SetRows>(&payload)) {
            core->settings.rows = rows->rows;
            between.end = std::numeric_limits<double>::quiet_NaN(); // the next step has nothing to be compared with
        }
        adopt(std::move(pending));
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
    if (rebuilt) {
        const ResidualNorms& norms = metrics.norms();
        maxNorms.position = std::max(maxNorms.position, norms.position);
        maxNorms.velocity = std::max(maxNorms.velocity, norms.velocity);
        maxNorms.acceleration = std::max(maxNorms.acceleration, norms.acceleration);
        appendRow();
    }
    publish();
    if (const auto* branch = std::get_if<Branch>(&payload))
        bringTo(branch->to);
}

void Run::Impl::restartHere(RestartCause cause)
{
    settle();
    auto pending = work(Restart{});
    if (!pending)
        return; // a failed run stays failed; the command that follows brings its own change
    restarts.push_back({state.t, accepted, Restart{}});
    commit(std::move(*pending), Restart{});
    const std::lock_guard lock(mutex);
    for (auto event = shared.events.rbegin(); event != shared.events.rend(); ++event)
        if (auto* restarted = std::get_if<Restarted>(&event->detail)) {
            restarted->cause = cause;
            return;
        }
}

} // namespace driftless::run
