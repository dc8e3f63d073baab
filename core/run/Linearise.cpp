#include "core/run/Linearise.h"

#include <algorithm>
#include <cmath>

#include "core/consistency/Consistency.h"
#include "core/formulation/Formulation.h"
#include "core/integrate/RateSolver.h"
#include "core/run/Plain.h"

namespace driftless::run {

namespace {

/// Dense matrices of more unknowns than this are of no use to anybody.
constexpr int kMostUnknowns = 2'000;

/// y and y' of the form at a state of the model.
Result<void> pointOf(formulation::DaeInstance& instance, const model::ModelState& at, std::vector<double>& y,
                     std::vector<double>& rates)
{
    if (!instance.fromState(at, y.data(), rates.data()))
        return Diagnostic{
            "The unknowns cannot be computed here", "t = " + plain(at.t), instance.domainMessage(), "another time", {}};
    const auto& unknowns = instance.dae().unknowns;
    if (instance.dae().links
        || std::none_of(unknowns.begin(), unknowns.end(), [](const formulation::Unknown& u) { return u.solvedAtStart; }))
        return {};
    integrate::RateSolver solver;
    solver.prepare(instance);
    std::vector<double> trialY = y, trialRates = rates;
    integrate::Statistics statistics;
    if (solver.solve(at.t, trialY.data(), trialRates.data(), statistics, nullptr).status != solve::NewtonStatus::Converged)
        return Diagnostic{
            "The auxiliary unknowns of the form have no solution here", "t = " + plain(at.t), "", "another time", {}};
    for (std::size_t i = 0; i < unknowns.size(); ++i)
        if (unknowns[i].solvedAtStart) {
            y[i] = trialY[i];
            rates[i] = trialRates[i];
        }
    return {};
}

std::vector<double> gainsOf(const formulation::Dae& dae, const std::map<std::string, double>& wanted,
                            const model::NominalScales& scales)
{
    std::vector<double> out = formulation::usualGains(dae, scales);
    for (std::size_t i = 0; i < out.size(); ++i)
        if (const auto found = wanted.find(dae.gains[i].quantity.name); found != wanted.end())
            out[i] = found->second;
    return out;
}

Result<LinearisedDae> matricesAt(formulation::DaeInstance& instance, const model::ModelState& at)
{
    const auto n = static_cast<std::size_t>(instance.size());
    LinearisedDae out;
    out.formulation = instance.dae().formulation;
    out.index = instance.dae().differentiationIndex;
    out.t = at.t;
    out.y.assign(n, 0);
    std::vector<double> rates(n), F(n);
    if (auto found = pointOf(instance, at, out.y, rates); !found)
        return found.error();
    const solve::SparsePattern& pattern = instance.pattern();
    std::vector<double> dFdy(static_cast<std::size_t>(pattern.nonzeros())), dFdyp = dFdy;
    if (!instance.residual(at.t, out.y.data(), rates.data(), F.data())
        || !instance.jacobian(at.t, out.y.data(), rates.data(), dFdy.data(), dFdyp.data()))
        return Diagnostic{
            "The equations cannot be linearised here", "t = " + plain(at.t), instance.domainMessage(), "another time", {}};
    for (const double r : F)
        out.residual = std::max(out.residual, std::abs(r));
    out.E.assign(n * n, 0);
    out.A.assign(n * n, 0);
    for (std::size_t j = 0; j < n; ++j)
        for (auto k = static_cast<std::size_t>(pattern.columnStarts[j]);
             k < static_cast<std::size_t>(pattern.columnStarts[j + 1]); ++k) {
            const std::size_t place = static_cast<std::size_t>(pattern.rowIndices[k]) * n + j;
            out.E[place] += dFdyp[k];
            out.A[place] -= dFdy[k];
        }
    for (int i = 0; i < instance.size(); ++i) {
        out.unknowns.push_back(instance.unknownName(i));
        out.rows.push_back(instance.rowName(i));
    }
    if (!instance.exactJacobian())
        out.note = "The ssf-solution is that of a Newton step: how its combination of rows changes with y is left out.";
    else if (instance.hasBases())
        out.note = "The basis is held as it is at this instant.";
    return out;
}

} // namespace

Result<LinearisedDae> linearise(const std::shared_ptr<const model::CompiledSystem>& system, const RunSettings& settings,
                                std::span<const double> parameters, const formulation::Dummies& dummies, model::ModelState at)
{
    const auto formulation = formulation::requireFormulation(settings.formulation);
    if (!formulation)
        return formulation.error();
    auto dae = (*formulation)->build(system->model(), settings.choices);
    if (!dae)
        return dae.error();
    if (static_cast<int>(dae->unknowns.size()) > kMostUnknowns)
        return Diagnostic{"The formulation has too many unknowns to linearise",
                          settings.formulation,
                          std::to_string(dae->unknowns.size()) + ", at most " + std::to_string(kMostUnknowns)
                              + " make a matrix",
                          "a smaller model",
                          {}};
    const auto compiled = formulation::CompiledDae::compile(std::move(*dae), system);
    if (!compiled)
        return compiled.error();
    consistency::ConsistencySolver solver(system);
    solver.setParameters(parameters);
    at.a.resize(static_cast<std::size_t>(system->n()));
    at.lambda.resize(static_cast<std::size_t>(system->w()));
    if (system->system().values.empty() && !solver.accelerations(at.t, at.q.data(), at.v.data(), at.a.data(), at.lambda.data()))
        return Diagnostic{
            "The accelerations are not determined here", "t = " + plain(at.t), solver.message(), "another time", {}};
    formulation::DaeInstance instance(*compiled, parameters, gainsOf((*compiled)->dae(), settings.gains, solver.scales()));
    if (instance.hasBases() && !instance.refreshBases(at))
        return Diagnostic{
            "The basis cannot be set up here", "t = " + plain(at.t), instance.domainMessage(), "another time", {}};
    if (instance.dae().links || (instance.dae().pivot && system->m() > 0)) {
        if (!instance.dae().links && static_cast<int>(dummies.velocities.size()) != system->m())
            return Diagnostic{
                "The dummies at this time are not known", "t = " + plain(at.t), "", "a time of the present mode", {}};
        instance.setDummies(dummies);
    }
    return matricesAt(instance, at);
}

Result<LinearisedDae> linearise(const std::shared_ptr<const model::CompiledSystem>& system, const RunStatus& status,
                                const RecordingView& recording, double t)
{
    if (recording.empty())
        return Diagnostic{"The run has recorded nothing yet", "", "", "let it begin", {}};
    model::ModelState at;
    at.resize(system->n(), system->w());
    at.t = std::clamp(t, recording.firstTime(), recording.lastTime());
    if (!recording.stateAt(at.t, at.q.data(), at.v.data(), at.lambda.data()))
        return Diagnostic{"The recording has no state at this time", "t = " + plain(t), "", "another time", {}};
    std::shared_ptr<const model::CompiledSystem> there = system;
    if (!status.rowsInForce.empty() && status.rowsInForce != model::baseMode(system->system())) {
        auto compiled = model::CompiledSystem::compile(model::modelInMode(system->modelHandle(), status.rowsInForce));
        if (!compiled)
            return compiled.error();
        there = std::move(*compiled);
        const std::vector<int> places = model::placesInMode(system->system(), there->system());
        const std::vector<double> recorded = at.lambda;
        for (std::size_t i = 0; i < places.size(); ++i)
            at.lambda[static_cast<std::size_t>(places[i])] = recorded[i];
    }
    RunSettings settings = status.settings;
    settings.gains = status.gains;
    return linearise(there, settings, status.parameters, {status.positionDummies, status.dummies, status.valueDummies},
                     std::move(at));
}

} // namespace driftless::run
