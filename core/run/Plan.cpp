// What a command changes where it acts: consistent values, dummies, where the integrator starts. Worked out completely before
// anything is touched; only the metrics take the parameters of the plan, and whoever drops a plan gives them the old ones back.
#include "core/run/Plan.h"

#include <algorithm>
#include <cmath>

#include "core/consistency/Nearest.h"
#include "core/formulation/DaeTrial.h"
#include "core/run/RunImpl.h"

namespace driftless::run {

namespace {

/// How a command that changes the core is to be carried out.
struct Restored {
    Levels levels{};
    bool asItStands = false; ///< nothing is completed: the state is as it shall be
};

/// One command each: from its intent and the state to its plan.
struct Planning {
    Run::Impl& run;
    Intent& intent;

    /// The levels restored at a state, then the core made or tuned for it.
    Result<Plan> at(const model::ModelState& from, const Restored& restored)
    {
        Plan out{.command = intent.command, .state = from, .levels = restored.levels};
        run.metrics.setParameters(intent.parameters);
        if (auto done = restore(out, restored); !done)
            return done.error();
        auto made = intent.core == CoreChange::Replaced ? replace(out, restored) : retune(out, restored);
        if (!made)
            return made.error();
        return out;
    }
    Result<Plan> here() { return at(run.state, {.levels = intent.levels}); }

    Result<void> restore(Plan& out, const Restored& restored)
    {
        model::ModelState& s = out.state;
        auto& solver = run.metrics.solver();
        const auto failed = [&](const char* what) {
            return Diagnostic{
                what, "t = " + plain(s.t), solver.message(), "another value, or the same change at another time", {}};
        };
        const auto metric = consistency::Metric::Mass;
        if (restored.levels.position && !solver.projectPosition(s.t, s.q.data(), metric, out.positionChange))
            return failed("No position near this one satisfies the constraints");
        if (restored.levels.velocity && !solver.projectVelocity(s.t, s.q.data(), s.v.data(), metric, out.velocityChange))
            return failed("No velocity near this one satisfies the constraints");
        if (!run.chooser && !restored.asItStands
            && !solver.accelerations(s.t, s.q.data(), s.v.data(), s.a.data(), s.lambda.data()))
            return failed("Accelerations and multipliers are not determined here");
        return {};
    }

    Result<void> replace(Plan& out, const Restored& restored)
    {
        model::ModelState& s = out.state;
        auto made = run.makeCore(intent.settings, intent.parameters, std::move(intent.form), s);
        if (!made)
            return made.error();
        out.core = std::move(*made);
        if (run.chooser && !restored.asItStands)
            if (auto completed = run.completeValues(*out.core->instance, s, out.positionChange); !completed)
                return completed;
        std::string why;
        if (!run.enter(*out.core, s, why))
            return Diagnostic{"The formulation cannot start here", "t = " + plain(s.t), why, {}, {}};
        return {};
    }

    Result<void> retune(Plan& out, const Restored& restored)
    {
        auto tuning = run.tried(intent, out.state, out.positionChange, restored.asItStands);
        if (!tuning)
            return tuning.error();
        out.retuned = std::move(*tuning);
        return {};
    }

    Result<Plan> operator()(const SetFormulation&) { return here(); }
    Result<Plan> operator()(const SetChoice&) { return here(); }
    Result<Plan> operator()(const SetIntegrator&) { return here(); }
    Result<Plan> operator()(const SetOptions&) { return here(); }
    Result<Plan> operator()(const SetPivot&) { return here(); }
    Result<Plan> operator()(const SetGain&) { return here(); }
    Result<Plan> operator()(const Restart&) { return here(); }

    Result<Plan> operator()(const SetRows&) { return Plan{.command = intent.command, .state = run.state}; }

    Result<Plan> operator()(const SetParameter&)
    {
        const auto levels = run.movedByParameters(run.state, run.core->parameters, intent.parameters);
        if (!levels)
            return levels.error();
        auto plan = at(run.state, {.levels = *levels});
        if (plan)
            plan->restartsBalance = !run.chooser;
        return plan;
    }

    Result<Plan> operator()(const SetState& c) { return run.chooser ? moveValues(c) : moveState(c); }

    Result<Plan> operator()(const Reset&)
    {
        double moved = 0;
        const auto from = run.consistentStart(run.start, intent.parameters, moved);
        if (!from)
            return from.error();
        return at(*from, {});
    }

    Result<Plan> operator()(const SetStart& c)
    {
        double moved = 0;
        StartSettings next = startAfter(run.start, c);
        const auto from = run.consistentStart(next, intent.parameters, moved);
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
        model::ModelState then = run.state;
        then.t = run.branchesFrom(c.to);
        run.recording.view().stateAt(then.t, then.q.data(), then.v.data(), then.lambda.data());
        std::vector<double> parameters = intent.parameters;
        for (const Run::Impl::Segment& s : run.shared.segments)
            if (s.t <= then.t)
                parameters = s.parameters;
        const auto moved = run.movedByParameters(then, parameters, intent.parameters);
        if (!moved)
            return moved.error();
        auto plan = at(then, {.levels = {.position = intent.levels.position || moved->position,
                                         .velocity = intent.levels.velocity || moved->velocity}});
        if (plan)
            plan->restartsBalance = !run.chooser && parameters != intent.parameters;
        return plan;
    }

    /// The present state with the values set, made consistent; or an earlier state as it was recorded.
    Result<Plan> moveState(const SetState& c)
    {
        auto wanted = wantedState(c);
        if (!wanted)
            return wanted.error();
        auto moved = c.asRecorded ? recordedState(*wanted) : nearestState(*wanted);
        if (!moved)
            return moved.error();
        const model::ModelState& next = *moved;
        auto plan = at(next, {.asItStands = true});
        if (!plan)
            return plan;
        plan->restartsBalance = true;
        for (std::size_t i = 0; i < next.q.size(); ++i) {
            plan->positionChange = std::max(plan->positionChange, std::abs(next.q[i] - run.state.q[i]));
            plan->velocityChange = std::max(plan->velocityChange, std::abs(next.v[i] - run.state.v[i]));
        }
        plan->corrected = run.correctionOf(c, next);
        return plan;
    }

    Result<consistency::NearestRequest> wantedState(const SetState& c) const
    {
        const auto n = static_cast<std::size_t>(run.system->n());
        consistency::NearestRequest wanted;
        wanted.from = run.state;
        wanted.q = run.state.q;
        wanted.v = run.state.v;
        wanted.qAsked.assign(n, false);
        wanted.vAsked.assign(n, false);
        for (const auto& [name, value] : c.values) {
            const auto target = model::resolveName(run.system->system(), name);
            if (!target)
                return target.error();
            const auto i = static_cast<std::size_t>(target->index);
            if (target->kind == model::TargetKind::Dynamic) {
                wanted.from.lambda[static_cast<std::size_t>(run.system->m()) + i] = value;
                continue;
            }
            const bool position = target->kind == model::TargetKind::Position;
            (position ? wanted.q : wanted.v)[i] = value;
            (position ? wanted.qAsked : wanted.vAsked)[i] = true;
        }
        return wanted;
    }

    Result<model::ModelState> nearestState(const consistency::NearestRequest& wanted)
    {
        auto solution = consistency::nearestConsistent(run.metrics.solver(), run.metrics.evaluator(), wanted);
        return solution ? Result<model::ModelState>(std::move(solution->state)) : solution.error();
    }

    /// Only the levels that the form enforces are restored.
    Result<model::ModelState> recordedState(consistency::NearestRequest& wanted)
    {
        auto& solver = run.metrics.solver();
        const auto n = static_cast<std::size_t>(run.system->n());
        const formulation::Enforces& enforces = run.core->form().enforces;
        const auto metric = consistency::Metric::Mass;
        double change = 0;
        if (!enforces.position && enforces.velocity
            && !solver.projectVelocity(run.state.t, wanted.q.data(), wanted.v.data(), metric, change))
            return Diagnostic{
                "The earlier state cannot be brought back", "t = " + plain(run.state.t), solver.message(), "another time", {}};
        consistency::Request request{
            run.state.t, wanted.q, wanted.v, std::vector<bool>(n, false), std::vector<bool>(n, false), wanted.from.lambda};
        request.allowInconsistent = !enforces.position;
        request.metric = metric;
        auto solution = solver.solve(request);
        return solution ? Result<model::ModelState>(std::move(solution->state)) : solution.error();
    }

    /// Of a general DAE: values set by hand are kept, the rest moves as little as possible.
    Result<Plan> moveValues(const SetState& c)
    {
        model::ModelState out = run.state;
        std::vector<double> weights(out.lambda.size(), 1);
        for (const auto& [name, value] : c.values) {
            const auto target = model::resolveName(run.system->system(), name);
            if (!target)
                return target.error();
            const auto i = static_cast<std::size_t>(target->index);
            out.lambda[i] = value;
            weights[i] = c.asRecorded ? 1 : 0;
        }
        if (auto solved =
                reduction::solveRows(*run.metrics.general(), out.t, out.lambda, weights, run.metrics.scales().valueUnits);
            !solved) {
            Diagnostic d = solved.error();
            if (d.where.empty())
                d.where = "t = " + plain(out.t);
            return d;
        }
        auto plan = at(out, {.asItStands = true});
        for (std::size_t i = 0; plan && i < out.lambda.size(); ++i)
            plan->positionChange = std::max(plan->positionChange, std::abs(out.lambda[i] - run.state.lambda[i]));
        return plan;
    }
};

} // namespace

Result<Plan> Run::Impl::plan(Intent&& intent)
{
    const CommandPayload command = intent.command;
    return std::visit(Planning{*this, intent}, command);
}

/// Other numbers on the core in force at a state, in every respect but the integrator's; all is as it was when this returns.
Result<Tuning> Run::Impl::tried(const Intent& intent, model::ModelState& at, double& change, bool asItStands)
{
    if (auto possible = refuseState(intent.settings, at); !possible)
        return possible.error();
    Tuning out{.settings = intent.settings, .parameters = intent.parameters};
    auto gains = numbersOf(out.settings, core->form());
    if (!gains)
        return gains.error();
    out.gains = std::move(*gains);
    if (auto fits = checkMethod(out.settings.options); !fits)
        return fits.error();
    formulation::DaeInstance& instance = *core->instance;
    const formulation::DaeTrial trial(instance);
    instance.setParameters(out.parameters);
    instance.setGains(out.gains);
    auto choice = choose(instance, out.settings.pivot, at);
    if (!choice)
        return choice.error();
    out.choice = std::move(*choice);
    if (chooser && !asItStands)
        if (auto completed = completeValues(instance, at, change); !completed)
            return completed.error();
    std::string why;
    if (!startOf(instance, at, out.unknowns, out.rates, why))
        return Diagnostic{"The formulation cannot start here", "t = " + plain(at.t), why, {}, {}};
    return out;
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
    return Levels{.position = g[0] != g[1], .velocity = g[0] != g[1] || rate[0] != rate[1]};
}

} // namespace driftless::run
