// The consistent start of a run and the pieces a formulation and an integrator need before the first step.
#include <algorithm>
#include <cmath>

#include "core/formulation/Formulation.h"
#include "core/integrate/Scaled.h"
#include "core/run/RunImpl.h"

namespace driftless::run {

namespace {

using model::TargetKind;

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

} // namespace

Result<std::vector<double>> Run::Impl::startParameters() const
{
    std::vector<double> values = system->defaultParameters();
    for (const auto& [name, value] : start.parameters) {
        const auto target = model::resolveName(system->system(), name);
        if (!target)
            return target.error();
        if (target->kind != TargetKind::Parameter)
            return Diagnostic{name + " is not a parameter", {}, "it is a start value of the model", {}, {}};
        values[static_cast<std::size_t>(target->index)] = value;
    }
    if (auto bad = model::checkParameters(system->model(), values))
        return *std::move(bad);
    return values;
}

Result<consistency::Request> startRequest(const StartSettings& start, model::SystemEvaluator& evaluator)
{
    const model::ConstrainedSystem& s = evaluator.compiled().system();
    const auto n = static_cast<std::size_t>(s.n());
    if (evaluator.compiled().model().reduced)
        return Diagnostic{
            "Start values are explained for mechanisms",
            evaluator.compiled().model().name,
            "those of a text of equations are made consistent when its run begins, which says by how much they moved",
            "driftless run, or driftless analyze for the values that are free",
            {}};
    consistency::Request request;
    request.metric = start.massMetric ? consistency::Metric::Mass : consistency::Metric::Identity;
    request.q.resize(n);
    request.v.resize(n);
    request.qFixed.assign(n, false);
    request.vFixed.assign(n, false);
    request.allowInconsistent = start.allowInconsistent;
    const auto domain = [&](const char* what) {
        return Diagnostic{what, s.coordinates.empty() ? "" : "start values", evaluator.message(), "other start values", {}};
    };
    request.lambda.resize(static_cast<std::size_t>(s.w()));
    for (std::size_t i = 0; i < s.constraints.size(); ++i)
        request.lambda[i] = s.constraints[i].multiplierStart;
    if (!evaluator.starts(request.q.data(), request.v.data(), request.lambda.data() + s.m()))
        return domain("The model's start values cannot be computed");

    std::vector<double> chart, chartRate;
    std::vector<std::pair<model::Target, double>> direct;
    for (const auto& [name, value] : start.values) {
        const auto target = model::resolveName(s, name);
        if (!target)
            return target.error();
        if (!std::isfinite(value))
            return Diagnostic{"The start value of " + name + " is not a finite number", {}, {}, {}, {}};
        if (target->kind != TargetKind::ChartPosition && target->kind != TargetKind::ChartVelocity) {
            direct.emplace_back(*target, value);
            continue;
        }
        if (chart.empty()) {
            chart.resize(s.chart->coordinates.size());
            chartRate = chart;
            if (!evaluator.toChart(0, request.q.data(), request.v.data(), chart.data(), chartRate.data()))
                return domain("The chart cannot be computed at the start values");
        }
        (target->kind == TargetKind::ChartPosition ? chart : chartRate)[static_cast<std::size_t>(target->index)] = value;
    }
    if (!chart.empty()) {
        if (!evaluator.fromChart(0, chart.data(), chartRate.data(), request.q.data(), request.v.data()))
            return domain("The chart gives no start values");
        request.qFixed.assign(n, true);
        request.vFixed.assign(n, true);
    } else if (start.values.empty()) {
        for (std::size_t i = 0; i < n; ++i) {
            request.qFixed[i] = s.coordinates[i].positionStatus == model::InitialStatus::Fixed;
            request.vFixed[i] = s.coordinates[i].velocityStatus == model::InitialStatus::Fixed;
        }
    }
    for (const auto& [target, value] : direct) {
        const auto i = static_cast<std::size_t>(target.index);
        if (target.kind == TargetKind::Parameter)
            return Diagnostic{target.fullName + " is a parameter, not a start value", {}, {}, {}, {}};
        if (target.kind == TargetKind::Multiplier) {
            request.lambda[i] = value;
            request.lambdaGiven = true;
        } else if (target.kind == TargetKind::Dynamic || target.kind == TargetKind::Effort) {
            const std::size_t first = s.constraints.size() + (target.kind == TargetKind::Effort ? s.dynamics.size() : 0);
            request.lambda[first + i] = value;
        } else {
            (target.kind == TargetKind::Position ? request.q : request.v)[i] = value;
            (target.kind == TargetKind::Position ? request.qFixed : request.vFixed)[i] = true;
        }
    }
    if (!start.fixed)
        return request;
    request.qFixed.assign(n, false);
    request.vFixed.assign(n, false);
    for (const std::string& name : *start.fixed) {
        const auto target = model::resolveName(s, name);
        if (!target)
            return target.error();
        if (target->kind != TargetKind::Position && target->kind != TargetKind::Velocity)
            return Diagnostic{name + " cannot be fixed at the start",
                              {},
                              "only positions and velocities are",
                              "the name of a coordinate",
                              {}};
        (target->kind == TargetKind::Position ? request.qFixed : request.vFixed)[static_cast<std::size_t>(target->index)] =
            true;
    }
    return request;
}

Result<model::ModelState> Run::Impl::consistentStart(const StartSettings& from, const std::vector<double>& parameters,
                                                     double& positionChange)
{
    metrics.setParameters(parameters);
    if (metrics.general())
        return generalStart(from, positionChange);
    const auto request = startRequest(from, metrics.evaluator());
    if (!request)
        return request.error();
    if (!from.allowInconsistent) // else the values are taken as they stand, and penalties hold rows that contradict one another
        if (auto sound = refuseMisfit(*request, parameters); !sound)
            return sound.error();
    auto solution = metrics.solver().solve(*request);
    if (!solution)
        return solution.error();
    positionChange = std::max(solution->report.positionChange, solution->report.velocityChange);
    solution->state.t = 0;
    return std::move(solution->state);
}

/// Refuses a state from which a form cannot be integrated, whatever its integrator. The metrics have the parameters.
Result<void> Run::Impl::refuseState(const RunSettings& settings, const model::ModelState& from)
{
    const auto formulation = formulation::requireFormulation(settings.formulation);
    if (!formulation)
        return formulation.error();
    if (auto checked = formulation::checkOptions((*formulation)->info(), settings.choices); !checked)
        return checked;
    if (auto checked = checkDependent(from); !checked)
        return checked;
    if ((*formulation)->info().fullRank)
        if (auto redundant = refuseRedundant(settings.formulation, from); !redundant)
            return redundant;
    return refuseSingularMass(settings.formulation, from);
}

/// Refuses options and gains of which one is out of its range; tolerances of single quantities get their full names. Returns
/// the gains in the order of the form.
Result<std::vector<double>> Run::Impl::numbersOf(RunSettings& settings, const formulation::Dae& form) const
{
    if (auto checked = settings.options.check(); !checked)
        return checked.error();
    auto gains = gainValues(form, settings.gains, metrics.scales());
    if (!gains)
        return gains;
    auto single = checkTolerances(system->system(), settings.options.tolerances);
    if (!single)
        return single.error();
    settings.options.tolerances = std::move(*single);
    return gains;
}

/// The form of the settings, compiled: form where it has been rewritten already, that in force where it is the same.
Result<std::shared_ptr<const formulation::CompiledDae>> Run::Impl::compiledForm(const RunSettings& settings,
                                                                                std::optional<formulation::Dae>&& form) const
{
    if (!form && core && core->settings.formulation == settings.formulation && core->settings.choices == settings.choices)
        return core->dae;
    if (!form) {
        auto dae = formulation::findFormulation(settings.formulation)->build(system->model(), settings.choices);
        if (!dae)
            return withFormulation(dae.error(), settings.formulation);
        form = std::move(*dae);
    }
    auto compiled = formulation::CompiledDae::compile(std::move(*form), system);
    return compiled ? compiled : withFormulation(compiled.error(), settings.formulation);
}

/// A core of its own, up to the state from which its integrator starts.
Result<std::unique_ptr<Core>> Run::Impl::makeCore(const RunSettings& settings, const std::vector<double>& parameters,
                                                  std::optional<formulation::Dae>&& rewritten, const model::ModelState& from)
{
    if (auto possible = refuseState(settings, from); !possible)
        return possible.error();
    auto compiled = compiledForm(settings, std::move(rewritten));
    if (!compiled)
        return compiled.error();
    auto out = std::make_unique<Core>();
    Core& c = *out;
    c.settings = settings;
    c.parameters = parameters;
    c.dae = std::move(*compiled);
    const formulation::Dae& form = c.form();
    const auto gains = numbersOf(c.settings, form);
    if (!gains)
        return gains.error();
    auto integrator = integrate::makeIntegrator(settings.integrator);
    if (!integrator)
        return integrator.error();
    c.scales = std::make_shared<model::NominalScales>(metrics.scales());
    c.integrator = scaled(std::move(*integrator), c.settings.options, c.scales);
    if (auto carried = carries(c.integrator->info(), form); !carried)
        return carried.error();
    c.instance = std::make_unique<formulation::DaeInstance>(c.dae, c.parameters, *gains);
    c.lambdaGiven = !form.lambda.empty();
    c.scratch.resize(system->n(), system->w());
    auto choice = choose(*c.instance, settings.pivot, from);
    if (!choice)
        return choice.error();
    c.pinned = choice->pinned;
    c.selection = std::move(choice->selection);
    installProjection(c);
    c.integrator->setCancelFlag(&cancel);
    if (auto prepared = c.integrator->prepare(*c.instance, c.settings.options); !prepared)
        return prepared.error();
    return out;
}

Result<void> Run::Impl::carries(const integrate::IntegratorInfo& method, const formulation::Dae& form) const
{
    return integrate::canCarry(method, form.index, form.projection.any(), form.semiExplicit,
                               formulation::mechanicsOf(form, system->system()));
}

/// Bases and dummies for a state, on an instance that has its parameters: chosen, or those that are pinned.
Result<DummyChoice> Run::Impl::choose(formulation::DaeInstance& instance, const PivotChoice& pivot,
                                      const model::ModelState& from)
{
    const formulation::Dae& form = instance.dae();
    if (instance.hasBases() && !instance.refreshBases(from))
        return basisRefused(instance, from.t);
    DummyChoice out;
    if (form.pivot && system->m() > 0) {
        auto dummies = chooseDummies(form, pivot, from);
        if (!dummies)
            return dummies.error();
        out.pinned = !pivot.automatic;
        out.dummies = std::move(*dummies);
        instance.setDummies(out.dummies);
    }
    if (form.links) {
        auto selection = chooseValues(pivot, from);
        if (!selection)
            return selection.error();
        out.pinned = !pivot.automatic;
        out.selection = std::move(*selection);
        out.dummies.values = chooser->places(out.selection);
        instance.setDummies(out.dummies);
    }
    return out;
}

/// Redundant constraints have no unique multipliers; a form that divides by them is refused, with the dependent joints named.
Result<void> Run::Impl::refuseRedundant(const std::string& id, const model::ModelState& from)
{
    if (system->m() == 0 || !loadTracks(from.t, from.q.data(), false))
        return {};
    const std::vector<int> rows = velocities.chooser.dependentRows();
    if (rows.empty())
        return {};
    std::string joints;
    for (const int i : rows) {
        const model::Constraint& c = system->system().constraints[static_cast<std::size_t>(i)];
        joints += (joints.empty() ? "" : ", ") + c.name;
        for (std::size_t b = 0; b < c.bodies.size(); ++b)
            joints += (b ? " and " : " (between ") + c.bodies[b] + (b + 1 == c.bodies.size() ? ")" : "");
    }
    // Which rows are set aside is decided at the values of the file; elsewhere others may be the better choice.
    const char* const choice =
        system->system().dependent.empty() ? "" : "; or state these values in the file, so that other rows are set aside";
    return Diagnostic{id + " needs constraints of full rank",
                      "t = " + plain(from.t),
                      std::to_string(rows.size()) + " of the " + std::to_string(system->m())
                          + " constraints follow from the others here: " + joints,
                      std::string("remove a redundant joint, or choose augmented-lagrangian or penalty, which carry them")
                          + choice,
                      {}};
}

void Run::Impl::installProjection(Core& c)
{
    const formulation::Projection& kind = c.form().projection;
    if (!kind.any())
        return;
    const auto metric = kind.massMetric ? consistency::Metric::Mass : consistency::Metric::Identity;
    c.instance->setProjection([this, &c, kind, metric](double t, double* unknowns, double* rates) {
        model::ModelState& s = c.scratch;
        s.t = t;
        double dq = 0, dv = 0;
        auto& solver = metrics.solver();
        if (!c.instance->toState(t, unknowns, rates, s))
            return false;
        c.projected = 0;
        if (kind.thresholdGain >= 0) {
            const double allowed = c.instance->gains()[static_cast<std::size_t>(kind.thresholdGain)];
            if (allowed > 0 && withinConstraints(s, allowed))
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

/// Whether g and g' stay below the bound.
bool Run::Impl::withinConstraints(const model::ModelState& s, double bound)
{
    auto& e = metrics.evaluator();
    const auto small = [&](const std::vector<double>& rows) {
        return std::all_of(rows.begin(), rows.end(), [bound](double r) { return std::abs(r) <= bound; });
    };
    return e.constraints(s.t, s.q.data(), positionRows.data()) && small(positionRows)
           && e.constraintRates(s.t, s.q.data(), s.v.data(), velocityRows.data()) && small(velocityRows);
}

/// Unknowns and rates of a form at a state of the model.
bool Run::Impl::startOf(formulation::DaeInstance& instance, const model::ModelState& from, std::vector<double>& unknowns,
                        std::vector<double>& rates, std::string& why)
{
    const auto size = static_cast<std::size_t>(instance.size());
    unknowns.assign(size, 0.0);
    rates.assign(size, 0.0);
    if (!instance.fromState(from, unknowns.data(), rates.data())) {
        why = instance.domainMessage();
        return false;
    }
    if (!solveStart(instance, from.t, unknowns, rates)) {
        why = "the auxiliary unknowns of the form have no solution at the start";
        return false;
    }
    return true;
}

bool Run::Impl::enter(Core& c, const model::ModelState& from, std::string& why)
{
    std::vector<double> unknowns, rates;
    if (!startOf(*c.instance, from, unknowns, rates, why))
        return false;
    if (auto restarted = c.integrator->restart(from.t, unknowns, rates); !restarted) {
        why = restarted.error().text();
        return false;
    }
    return true;
}

/// Values and rates that the rows determine, for unknowns of which the model's state says nothing.
bool Run::Impl::solveStart(formulation::DaeInstance& instance, double t, std::vector<double>& unknowns,
                           std::vector<double>& rates)
{
    const auto& list = instance.dae().unknowns;
    if (std::none_of(list.begin(), list.end(), [](const formulation::Unknown& u) { return u.solvedAtStart; }))
        return true;
    std::vector<double> y = unknowns, yp = rates;
    if (!integrate::solveScaledRates(instance, scaling(instance), t, y, yp))
        return false;
    for (std::size_t i = 0; i < list.size(); ++i)
        if (list[i].solvedAtStart) {
            unknowns[i] = y[i];
            rates[i] = yp[i];
        }
    return true;
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
