#include "core/run/CoreMaker.h"

#include <algorithm>
#include <cmath>

#include "core/formulation/DaeTrial.h"
#include "core/formulation/Formulation.h"
#include "core/integrate/LongSteps.h"
#include "core/run/Plain.h"
#include "core/run/RunScales.h"

namespace driftless::run {

namespace {

Diagnostic withFormulation(Diagnostic d, const std::string& id)
{
    if (d.where.empty())
        d.where = "formulation " + id;
    return d;
}

Result<std::vector<double>> gainValues(const formulation::Dae& dae, const std::map<std::string, double>& wanted,
                                       const model::NominalScales& scales)
{
    const std::vector<double> defaults = formulation::usualGains(dae, scales);
    std::vector<double> values;
    for (const model::Parameter& g : dae.gains) {
        const auto found = wanted.find(g.quantity.name);
        const double usual = defaults[values.size()];
        const double value = found == wanted.end() ? usual : found->second;
        const formulation::GainRange range = formulation::gainRange(dae, values.size(), scales);
        if (!std::isfinite(value) || value < range.minimum || value > range.maximum)
            return Diagnostic{"The gain " + g.quantity.name + " is out of its range",
                              "formulation " + dae.formulation,
                              plain(value) + " is not between " + plain(range.minimum) + " and " + plain(range.maximum),
                              "a value in that range",
                              {}};
        values.push_back(value);
    }
    return values;
}

/// Whether g and g' stay below the bound at the state in the core's scratch.
bool withinConstraints(Core& c, model::SystemEvaluator& e, double bound)
{
    const model::ModelState& s = c.scratch;
    const auto small = [&](const std::vector<double>& rows) {
        return std::all_of(rows.begin(), rows.end(), [bound](double r) { return std::abs(r) <= bound; });
    };
    return e.constraints(s.t, s.q.data(), c.positionRows.data()) && small(c.positionRows)
           && e.constraintRates(s.t, s.q.data(), s.v.data(), c.velocityRows.data()) && small(c.velocityRows);
}

} // namespace

CoreMaker::CoreMaker(std::shared_ptr<const model::CompiledSystem> system, const Parts& parts)
    : system_(std::move(system)), metrics_(parts.metrics), refusals_(parts.refusals), selector_(parts.selector),
      states_(parts.states), cancel_(parts.cancel)
{
}

/// Refuses options and gains of which one is out of its range; tolerances of single quantities get their full names. Returns
/// the gains in the order of the form.
Result<std::vector<double>> CoreMaker::numbersOf(RunSettings& settings, const formulation::Dae& form) const
{
    if (auto checked = settings.options.check(); !checked)
        return checked.error();
    auto gains = gainValues(form, settings.gains, metrics_.scales());
    if (!gains)
        return gains;
    auto single = checkTolerances(system_->system(), settings.options.tolerances);
    if (!single)
        return single.error();
    settings.options.tolerances = std::move(*single);
    return gains;
}

/// The form of the settings, compiled: form where it has been rewritten already, that in force where it is the same.
Result<std::shared_ptr<const formulation::CompiledDae>>
CoreMaker::compiled(const RunSettings& settings, std::optional<formulation::Dae>&& form, const Core* inForce) const
{
    if (!form && inForce && &inForce->dae->system() == system_.get() && inForce->settings.formulation == settings.formulation
        && inForce->settings.choices == settings.choices)
        return inForce->dae;
    if (!form) {
        auto dae = formulation::findFormulation(settings.formulation)->build(system_->model(), settings.choices);
        if (!dae)
            return withFormulation(dae.error(), settings.formulation);
        form = std::move(*dae);
    }
    auto compiled = formulation::CompiledDae::compile(std::move(*form), system_);
    return compiled ? compiled : withFormulation(compiled.error(), settings.formulation);
}

Result<std::unique_ptr<Core>> CoreMaker::make(const RunSettings& settings, const std::vector<double>& parameters,
                                              std::optional<formulation::Dae>&& rewritten, const model::ModelState& from,
                                              const Core* inForce)
{
    if (auto possible = refusals_.refuse(settings, from); !possible)
        return possible.error();
    auto dae = compiled(settings, std::move(rewritten), inForce);
    if (!dae)
        return dae.error();
    auto out = std::make_unique<Core>();
    Core& c = *out;
    c.settings = settings;
    c.parameters = parameters;
    c.dae = std::move(*dae);
    const formulation::Dae& form = c.form();
    const auto gains = numbersOf(c.settings, form);
    if (!gains)
        return gains.error();
    auto integrator = integrate::makeIntegrator(settings.integrator);
    if (!integrator)
        return integrator.error();
    c.scales = std::make_shared<model::NominalScales>(metrics_.scales());
    c.integrator = scaled(std::move(*integrator), c.settings.options, system_->system(), c.scales);
    if (auto carried = carries(c.integrator->info(), form); !carried)
        return carried.error();
    c.instance = std::make_unique<formulation::DaeInstance>(c.dae, c.parameters, *gains);
    c.lambdaGiven = !form.lambda.empty();
    const bool unknown = std::ranges::any_of(
        form.unknowns, [](const formulation::Unknown& u) { return u.kind == formulation::UnknownKind::Multiplier; });
    const bool stabilised = std::ranges::any_of(form.rows, [](const formulation::Row& row) {
        return row.provenance == formulation::Provenance::Stabilised && row.constraint >= 0;
    });
    c.lambdaStated = c.lambdaGiven && (!unknown || stabilised);
    c.scratch.resize(system_->n(), system_->w());
    c.positionRows.resize(static_cast<std::size_t>(system_->holonomic()));
    c.velocityRows.resize(static_cast<std::size_t>(system_->m()));
    auto choice = selector_.choose(*c.instance, settings.pivot, from);
    if (!choice)
        return choice.error();
    c.pinned = choice->pinned;
    c.selection = std::move(choice->selection);
    installProjection(c);
    c.integrator->setCancelFlag(cancel_);
    if (auto prepared = c.integrator->prepare(*c.instance, c.settings.options); !prepared)
        return prepared.error();
    return out;
}

Result<Tuning> CoreMaker::tune(const Core& core, const RunSettings& settings, const std::vector<double>& parameters,
                               model::ModelState& at, bool completes, double& change)
{
    if (auto possible = refusals_.refuse(settings, at); !possible)
        return possible.error();
    Tuning out{.settings = settings, .parameters = parameters};
    auto gains = numbersOf(out.settings, core.form());
    if (!gains)
        return gains.error();
    out.gains = std::move(*gains);
    if (auto fits = checkMethod(core.integrator->info(), out.settings.options, system_->system(), metrics_.scales()); !fits)
        return fits.error();
    formulation::DaeInstance& instance = *core.instance;
    const formulation::DaeTrial trial(instance);
    instance.setParameters(out.parameters);
    instance.setGains(out.gains);
    if (selector_.keeps(core, out.settings.pivot, at)) {
        out.choice = {instance.dummies(), core.selection, core.pinned};
    } else {
        auto choice = selector_.choose(instance, out.settings.pivot, at);
        if (!choice)
            return choice.error();
        out.choice = std::move(*choice);
    }
    if (completes)
        if (auto completed = states_.complete(instance, at, change); !completed)
            return completed.error();
    std::string why;
    if (!startOf(instance, metrics_.scales(), at, out.unknowns, out.rates, why))
        return Diagnostic{"The formulation cannot start here", "t = " + plain(at.t), why, {}, {}};
    return out;
}

Result<void> CoreMaker::carries(const integrate::IntegratorInfo& method, const formulation::Dae& form) const
{
    if ((form.pivot || (form.links && !form.links->dummies.empty())) && integrate::passesOverSelections(method))
        return Diagnostic{
            .what = method.id + " cannot be combined with dummies that are selected along the motion",
            .why =
                "its steps are long enough to pass over a place where the selection has to change, and then it follows another "
                "branch of the constraints without a sign of it",
            .remedy = "dop853, or " + method.id + " with index-1, projection or state-space"};
    return integrate::canCarry(method, form.index, form.projection.any(), form.semiExplicit,
                               formulation::mechanicsOf(form, system_->system()));
}

void CoreMaker::installProjection(Core& c)
{
    const formulation::Projection& kind = c.form().projection;
    if (!kind.any())
        return;
    const auto metric = kind.massMetric ? consistency::Metric::Mass : consistency::Metric::Identity;
    c.instance->setProjection([&metrics = metrics_, &c, kind, metric](double t, double* unknowns, double* rates) {
        model::ModelState& s = c.scratch;
        s.t = t;
        double dq = 0, dv = 0;
        auto& solver = metrics.solver();
        if (!c.instance->toState(t, unknowns, rates, s))
            return false;
        c.projected = 0;
        if (kind.thresholdGain >= 0) {
            const double allowed = c.instance->gains()[static_cast<std::size_t>(kind.thresholdGain)];
            if (allowed > 0 && withinConstraints(c, metrics.evaluator(), allowed))
                return true;
        }
        if (kind.position && !solver.projectPosition(t, s.q.data(), metric, dq))
            return false;
        if (kind.velocity && !solver.projectVelocity(t, s.q.data(), s.v.data(), metric, dv))
            return false;
        c.projected = std::max(dq, dv);
        return solver.accelerations(t, s.q.data(), s.v.data(), s.a.data(), s.lambda.data())
               && c.instance->fromState(s, unknowns, rates);
    });
}

void takeIntegrator(RunSettings& settings, const std::string& id, const model::RunDefaults& defaults)
{
    settings.integrator = id;
    settings.options.parameter = 0;
    const auto* method = integrate::findIntegrator(id);
    if (method && !method->adaptive && !(settings.options.step > 0))
        settings.options.step = defaults.step.value_or(std::min(0.01, defaults.end / 1000));
}

} // namespace driftless::run
