// The consistent start of a run and the pieces a formulation and an integrator need before the first step.
#include <algorithm>
#include <cmath>

#include "core/formulation/Formulation.h"
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

Result<std::vector<double>> gainValues(const formulation::Dae& dae, const std::map<std::string, double>& wanted)
{
    std::vector<double> values;
    for (const model::Parameter& g : dae.gains) {
        const auto found = wanted.find(g.quantity.name);
        const double value = found == wanted.end() ? g.quantity.value : found->second;
        if (!std::isfinite(value) || value < g.quantity.minimum || value > g.quantity.maximum)
            return Diagnostic{"The gain " + g.quantity.name + " is out of its range", "formulation " + dae.formulation,
                              plain(value) + " is not between " + plain(g.quantity.minimum) + " and " + plain(g.quantity.maximum),
                              "a value in that range", {}};
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
        const model::Quantity& q = system->system().parameters[static_cast<std::size_t>(target->index)].quantity;
        if (!std::isfinite(value) || (q.positive && !(value > 0)) || value < q.minimum || value > q.maximum)
            return Diagnostic{"The value " + plain(value) + " of " + q.name + " is out of its range", {},
                              q.positive && !(value > 0) ? std::string("it must be positive")
                                                         : "it must lie between " + plain(q.minimum) + " and " + plain(q.maximum),
                              "a value in that range", {}};
        values[static_cast<std::size_t>(target->index)] = value;
    }
    return values;
}

Result<model::ModelState> Run::Impl::consistentStart(const std::vector<double>& parameters, double& positionChange)
{
    const model::ConstrainedSystem& s = system->system();
    const auto n = static_cast<std::size_t>(s.n());
    metrics.setParameters(parameters);
    consistency::Request request;
    request.q.resize(n);
    request.v.resize(n);
    request.qFixed.assign(n, false);
    request.vFixed.assign(n, false);
    request.allowInconsistent = start.allowInconsistent;
    auto& evaluator = metrics.evaluator();
    const auto domain = [&](const char* what) { return Diagnostic{what, s.coordinates.empty() ? "" : "start values", evaluator.message(), "other start values", {}}; };
    if (!evaluator.starts(request.q.data(), request.v.data()))
        return domain("The model's start values cannot be computed");
    for (const model::Constraint& c : s.constraints)
        request.lambda.push_back(c.multiplierStart);

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
        } else {
            (target.kind == TargetKind::Position ? request.q : request.v)[i] = value;
            (target.kind == TargetKind::Position ? request.qFixed : request.vFixed)[i] = true;
        }
    }
    auto solution = metrics.solver().solve(request);
    if (!solution)
        return solution.error();
    positionChange = std::max(solution->report.positionChange, solution->report.velocityChange);
    solution->state.t = 0;
    return std::move(solution->state);
}

Result<std::unique_ptr<Core>> Run::Impl::makeCore(const RunSettings& settings, const std::vector<double>& parameters,
                                                  const model::ModelState& from, const std::vector<int>* keepDummies)
{
    auto out = std::make_unique<Core>();
    out->settings = settings;
    out->parameters = parameters;
    if (core && core->settings.formulation == settings.formulation) {
        out->dae = core->dae;
    } else {
        const auto formulation = formulation::requireFormulation(settings.formulation);
        if (!formulation)
            return formulation.error();
        auto dae = (*formulation)->build(system->model());
        if (!dae)
            return withFormulation(dae.error(), settings.formulation);
        auto compiled = formulation::CompiledDae::compile(std::move(*dae), system);
        if (!compiled)
            return withFormulation(compiled.error(), settings.formulation);
        out->dae = std::move(*compiled);
    }
    if (auto prepared = prepareCore(*out, from, keepDummies); !prepared)
        return prepared.error();
    return out;
}

Result<void> Run::Impl::prepareCore(Core& c, const model::ModelState& from, const std::vector<int>* keepDummies)
{
    const formulation::Dae& form = c.form();
    if (auto checked = c.settings.options.check(); !checked)
        return checked.error();
    const auto gains = gainValues(form, c.settings.gains);
    if (!gains)
        return gains.error();
    auto integrator = integrate::makeIntegrator(c.settings.integrator);
    if (!integrator)
        return integrator.error();
    c.integrator = std::move(*integrator);
    const bool projects = form.projectPosition || form.projectVelocity;
    if (auto carried = integrate::canCarry(c.integrator->info(), form.index, projects); !carried)
        return carried.error();
    c.instance = std::make_unique<formulation::DaeInstance>(c.dae, c.parameters, *gains);
    c.lambdaGiven = !form.lambda.empty();
    c.scratch.resize(system->n(), system->m());
    if (form.pivot && system->m() > 0) {
        c.pinned = !c.settings.pivot.automatic;
        auto dummies = keepDummies ? Result<std::vector<int>>(*keepDummies) : chooseDummies(c.settings, from);
        if (!dummies)
            return dummies.error();
        c.instance->setDummies(*dummies);
    }
    installProjection(c);
    c.integrator->setCancelFlag(&cancel);
    return c.integrator->prepare(*c.instance, c.settings.options);
}

void Run::Impl::installProjection(Core& c)
{
    const formulation::Dae& form = c.form();
    if (!form.projectPosition && !form.projectVelocity)
        return;
    const bool position = form.projectPosition, velocity = form.projectVelocity;
    c.instance->setProjection([this, &c, position, velocity](double t, double* unknowns, double* rates) {
        model::ModelState& s = c.scratch;
        s.t = t;
        double dq = 0, dv = 0;
        auto& solver = metrics.solver();
        if (!c.instance->toState(t, unknowns, rates, s))
            return false;
        if (position && !solver.projectPosition(t, s.q.data(), consistency::Metric::Mass, dq))
            return false;
        if (velocity && !solver.projectVelocity(t, s.q.data(), s.v.data(), consistency::Metric::Mass, dv))
            return false;
        c.projected = std::max(dq, dv);
        return solver.accelerations(t, s.q.data(), s.v.data(), s.a.data(), s.lambda.data()) &&
               c.instance->fromState(s, unknowns, rates);
    });
}

bool Run::Impl::enter(Core& c, const model::ModelState& from, std::string& why)
{
    const auto size = static_cast<std::size_t>(c.dae->size());
    std::vector<double> unknowns(size), rates(size);
    if (!c.instance->fromState(from, unknowns.data(), rates.data())) {
        why = c.instance->domainMessage();
        return false;
    }
    if (auto restarted = c.integrator->restart(from.t, unknowns, rates); !restarted) {
        why = restarted.error().text();
        return false;
    }
    return true;
}

} // namespace driftless::run
