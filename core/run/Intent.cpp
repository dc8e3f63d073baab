// What a command asks for, from the settings in force alone: refused before the run makes a step for it.
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/formulation/Formulation.h"
#include "core/run/Plain.h"
#include "core/run/Planner.h"
#include "core/run/RunScales.h"
#include "core/run/Times.h"
#include "core/system/ParameterValues.h"

namespace driftless::run {

namespace {

/// The levels a form enforces are the levels a switch to it restores: forms that hold the positions also the velocities.
Levels levelsRestoredBy(const formulation::Enforces& enforces)
{
    return {.position = enforces.position, .velocity = enforces.position || enforces.velocity};
}

/// One command each: completes an intent that has the settings and parameters in force, or refuses it.
struct Intending {
    const Planner::Parts& run;
    Intent& out;

    const model::ConstrainedSystem& system() const { return run.system.system(); }
    const Core& core() const { return run.stepper.core(); }
    bool countsInSizes(const integrate::IntegratorOptions& options) const
    {
        return run::countsInSizes(options, system(), run.metrics.scales());
    }

    /// The rows of another formulation, or of this one with another option, and whether the integrator carries them.
    Result<void> rewrite(const formulation::Formulation& form)
    {
        auto dae = form.build(run.system.model(), out.settings.choices);
        if (!dae)
            return dae.error();
        const auto* method = integrate::findIntegrator(out.settings.integrator);
        if (auto carried = run.maker.carries(*method, *dae); !carried)
            return carried;
        out.core = CoreChange::Replaced;
        out.levels = levelsRestoredBy(formulation::enforcedBy(form.info(), out.settings.choices));
        out.form = std::move(*dae);
        return {};
    }

    Result<void> operator()(const SetFormulation& c)
    {
        const auto form = formulation::requireFormulation(c.id);
        if (!form)
            return form.error();
        out.settings.formulation = c.id;
        out.settings.gains.clear();
        out.settings.choices.clear();
        return rewrite(**form);
    }

    Result<void> operator()(const SetChoice& c)
    {
        const auto form = formulation::requireFormulation(out.settings.formulation);
        if (!form)
            return form.error();
        if (auto known = formulation::checkOptions((*form)->info(), {{c.name, c.value}}); !known)
            return known;
        out.settings.choices[c.name] = c.value;
        return rewrite(**form);
    }

    Result<void> operator()(const SetIntegrator& c)
    {
        const auto* method = integrate::findIntegrator(c.id);
        if (!method)
            return integrate::makeIntegrator(c.id).error();
        out.core = CoreChange::Replaced;
        takeIntegrator(out.settings, c.id, run.system.model().run);
        return run.maker.carries(*method, core().form());
    }

    Result<void> operator()(const SetOptions& c)
    {
        if (auto known = checkTolerances(system(), c.options.tolerances); !known)
            return known.error();
        if (auto sound = c.options.check(); !sound)
            return sound;
        if (countsInSizes(c.options) != countsInSizes(out.settings.options))
            out.core = CoreChange::Replaced; // other units around the same method
        out.settings.options = c.options;
        return checkSteps(core().integrator->info(), c.options, run.system.model().run.end, {});
    }

    Result<void> operator()(const SetPivot& c)
    {
        out.settings.pivot = c.pivot;
        if (c.pivot.automatic)
            return {};
        return run.selector.check(core().form(), c.pivot);
    }

    Result<void> operator()(const SetGain& c)
    {
        out.settings.gains[c.name] = c.value;
        for (const auto& gain : core().form().gains)
            if (gain.quantity.name == c.name)
                return {};
        return Diagnostic{"The formulation has no gain " + c.name, core().settings.formulation, {}, {}, {}};
    }

    /// follow: what follows from them does; else the values are all that are others.
    Result<void> takeParameters(const std::map<std::string, double>& values, bool follow)
    {
        for (const auto& [name, value] : values) {
            const auto target = model::resolveName(system(), name);
            if (!target)
                return target.error();
            if (target->kind != model::TargetKind::Parameter)
                return Diagnostic{name + " is not a parameter", {}, {}, "a parameter of the model", {}};
            if (const auto index = static_cast<std::size_t>(target->index); follow)
                model::setParameter(system(), out.parameters, index, value);
            else
                out.parameters[index] = value;
        }
        if (auto bad = model::checkParameters(run.system.model(), out.parameters))
            return *std::move(bad);
        return {};
    }

    /// All settings at once, as they were in force at an earlier time. Options and gains are looked at where they are put in
    /// force.
    Result<void> takeUp(const RunSettings& then)
    {
        const auto form = formulation::requireFormulation(then.formulation);
        if (!form)
            return form.error();
        const auto* method = integrate::findIntegrator(then.integrator);
        if (!method)
            return integrate::makeIntegrator(then.integrator).error();
        if (auto known = formulation::checkOptions((*form)->info(), then.choices); !known)
            return known;
        if (auto possible = checkSteps(*method, then.options, run.system.model().run.end, {}); !possible)
            return possible;
        const RunSettings now = std::exchange(out.settings, then);
        out.settings.rows = now.rows;
        if (then.formulation != now.formulation || then.choices != now.choices)
            return rewrite(**form);
        if (then.integrator != now.integrator || countsInSizes(then.options) != countsInSizes(now.options))
            out.core = CoreChange::Replaced;
        return run.maker.carries(*method, core().form());
    }

    Result<void> operator()(const SetParameter& c) { return takeParameters({{c.name, c.value}}, true); }

    Result<void> operator()(const SetState& c)
    {
        if (c.values.empty())
            return Diagnostic{"No value is set", {}, {}, "the name of a position or velocity and its value", {}};
        for (const auto& [name, value] : c.values) {
            const auto target = model::resolveName(system(), name);
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
    }

    Result<void> operator()(const SetStart& c)
    {
        for (const auto& [name, value] : c.values)
            if (const auto target = model::resolveName(system(), name); !target)
                return target.error();
        return {};
    }

    Result<void> operator()(const Branch& c)
    {
        if (c.settings)
            if (auto possible = takeUp(*c.settings); !possible)
                return possible;
        if (!c.parameters.empty())
            if (auto possible = takeParameters(c.parameters, false); !possible)
                return possible;
        out.levels = levelsRestoredBy((out.form ? *out.form : core().form()).enforces);
        const RecordingView view = run.recorder.view();
        if (!view.empty() && c.to >= view.firstTime() && c.to <= view.lastTime())
            return {};
        return Diagnostic{"There is no recording at t = " + plain(c.to), {}, {}, "a time within the recording", {}};
    }

    Result<void> operator()(const SetRows&)
    {
        out.core = CoreChange::Stays;
        return {};
    }
    Result<void> operator()(const Reset&) { return {}; }
    Result<void> operator()(const Restart&) { return {}; }
};

} // namespace

Result<Intent> Planner::intend(const CommandPayload& payload) const
{
    const Core& core = parts_.stepper.core();
    Intent out{.command = payload, .settings = core.settings, .parameters = core.parameters};
    if (auto possible = std::visit(Intending{parts_, out}, payload); !possible)
        return possible.error();
    return out;
}

Intent Planner::restart() const
{
    const Core& core = parts_.stepper.core();
    return {.command = Restart{}, .settings = core.settings, .parameters = core.parameters};
}

Intent Planner::atCorner() const
{
    Intent out = restart();
    out.atCorner = true;
    const auto& constraints = parts_.system.system().constraints;
    if (std::ranges::any_of(constraints,
                            [](const model::Constraint& c) { return expr::dependsOn(c.g, *expr::time().symbol()); }))
        out.levels = levelsRestoredBy(parts_.stepper.core().form().enforces);
    return out;
}

} // namespace driftless::run
