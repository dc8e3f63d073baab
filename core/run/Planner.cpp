// What a command changes where it acts: consistent values, dummies, where the integrator starts. Worked out completely before
// anything is touched; only the metrics take the parameters of the plan, and whoever drops a plan gives them the old ones back.
#include <algorithm>

#include "core/run/Plain.h"
#include "core/run/Planner.h"

namespace driftless::run {

namespace {

/// How a command that changes the core is to be carried out.
struct Restored {
    Levels levels{};
    bool asItStands = false; ///< nothing is completed: the state is as it shall be
};

/// Where the recording holds every step, any t between two of them; else the last row before, from which steps lead to t again.
double branchesFrom(const RecordingView& view, double t)
{
    constexpr double kOneStep = 1.5;
    const std::uint64_t r = view.rowAt(t);
    if (r + 1 >= view.rowCount())
        return t;
    const double h = view.value(r + 1, view.metrics() + static_cast<int>(Metric::StepSize));
    return view.time(r + 1) - view.time(r) > kOneStep * h ? view.time(r) : t;
}

/// One command each: from its intent and the state to its plan.
struct Planning {
    const Planner::Parts& run;
    Intent& intent;
    const model::ModelState& now;

    /// The levels restored at a state, then the core made or tuned for it.
    Result<Plan> at(const model::ModelState& from, const Restored& restored)
    {
        Plan out{.command = intent.command, .state = from, .levels = restored.levels};
        run.metrics.setParameters(intent.parameters);
        if (auto done = run.states.restore(restored.levels, !restored.asItStands, out.state, out.moved); !done)
            return done.error();
        auto made = intent.core == CoreChange::Replaced ? replace(out, restored) : retune(out, restored);
        if (!made)
            return made.error();
        return out;
    }
    Result<Plan> here() { return at(now, {.levels = intent.levels}); }

    Result<void> replace(Plan& out, const Restored& restored)
    {
        model::ModelState& s = out.state;
        auto made = run.maker.make(intent.settings, intent.parameters, std::move(intent.form), s,
                                   intent.alike ? intent.alike : run.stepper.inForce());
        if (!made)
            return made.error();
        out.core = std::move(*made);
        if (!restored.asItStands)
            if (auto completed = run.states.complete(*out.core->instance, s, out.moved.positions); !completed)
                return completed;
        std::string why;
        if (!out.core->enter(s, why))
            return Diagnostic{"The formulation cannot start here", "t = " + plain(s.t), why, {}, {}};
        return {};
    }

    Result<void> retune(Plan& out, const Restored& restored)
    {
        auto tuning = run.maker.tune(run.stepper.core(), intent.settings, intent.parameters, out.state, !restored.asItStands,
                                     out.moved.positions);
        if (!tuning)
            return tuning.error();
        out.retuned = std::move(*tuning);
        return {};
    }

    Result<Levels> disturbed(const model::ModelState& state, const std::vector<double>& before) const
    {
        return run.states.disturbed(state, before, intent.parameters, run.stepper.core().parameters);
    }

    Result<Plan> operator()(const SetFormulation&) { return here(); }
    Result<Plan> operator()(const SetChoice&) { return here(); }
    Result<Plan> operator()(const SetIntegrator&) { return here(); }
    Result<Plan> operator()(const SetOptions&) { return here(); }
    Result<Plan> operator()(const SetPivot&) { return here(); }
    Result<Plan> operator()(const SetGain&) { return here(); }
    Result<Plan> operator()(const Restart&)
    {
        if (!intent.atCorner)
            return here();
        const auto next = run.states.behindCorner(now);
        if (!next)
            return next.error();
        auto plan = at(*next, {.levels = intent.levels});
        if (plan)
            plan->moved.velocities = std::max(plan->moved.velocities, run.states.between(now, *next).velocities);
        return plan;
    }

    Result<Plan> operator()(const SetRows&) { return Plan{.command = intent.command, .state = now}; }

    Result<Plan> operator()(const SetParameter&)
    {
        const auto levels = disturbed(now, run.stepper.core().parameters);
        if (!levels)
            return levels.error();
        auto plan = at(now, {.levels = *levels});
        if (plan)
            plan->restartsBalance = run.states.hasEnergy();
        return plan;
    }

    Result<Plan> operator()(const SetState& c)
    {
        const auto next = run.states.set(c, now, run.stepper.core().form().enforces);
        if (!next)
            return next.error();
        auto plan = at(*next, {.asItStands = true});
        if (!plan)
            return plan;
        plan->restartsBalance = run.states.hasEnergy();
        const Moved moved = run.states.between(now, *next);
        plan->moved.positions = std::max(plan->moved.positions, moved.positions);
        plan->moved.velocities = std::max(plan->moved.velocities, moved.velocities);
        plan->corrected = correctionOf(c, run.system.system(), run.gesture.before(c, now, run.published), *next);
        return plan;
    }

    Result<Plan> operator()(const Reset&)
    {
        double moved = 0;
        const auto from = run.states.start(run.published.start(), intent.parameters, moved);
        if (!from)
            return from.error();
        return at(*from, {});
    }

    Result<Plan> operator()(const SetStart& c)
    {
        double moved = 0;
        StartSettings next = startAfter(run.published.start(), c);
        const auto from = run.states.start(next, intent.parameters, moved);
        if (!from)
            return from.error();
        auto plan = at(*from, {.asItStands = c.allowInconsistent});
        if (plan)
            plan->start = std::move(next);
        return plan;
    }

    /// The levels that the form enforces, and those that parameters disturb that were others at that time.
    Result<Plan> operator()(const Branch& c)
    {
        model::ModelState then = now;
        const RecordingView view = run.recorder.view();
        then.t = branchesFrom(view, c.to);
        std::vector<double> recorded(then.lambda.size());
        view.stateAt(then.t, then.q.data(), then.v.data(), recorded.data());
        for (std::size_t i = 0; i < recorded.size(); ++i)
            then.lambda[run.places && !run.places->empty() ? static_cast<std::size_t>((*run.places)[i]) : i] = recorded[i];
        std::vector<double> parameters = intent.parameters;
        for (const Segment& s : run.published.timeLine().segments())
            if (s.t <= then.t)
                parameters = s.parameters;
        const auto moved = disturbed(then, parameters);
        if (!moved)
            return moved.error();
        auto plan = at(then, {.levels = {.position = intent.levels.position || moved->position,
                                         .velocity = intent.levels.velocity || moved->velocity}});
        if (plan)
            plan->restartsBalance = run.states.hasEnergy() && parameters != intent.parameters;
        return plan;
    }
};

} // namespace

Result<Plan> Planner::plan(Intent&& intent, const model::ModelState& now)
{
    const CommandPayload command = intent.command;
    return std::visit(Planning{parts_, intent, now}, command);
}

} // namespace driftless::run
