#include "core/run/RunCore.h"

#include <algorithm>

#include "core/integrate/Scaled.h"
#include "core/run/Plain.h"
#include "core/run/RunScales.h"

namespace driftless::run {

namespace {

/// Values and rates that the rows determine, for unknowns of which the model's state says nothing.
bool solveStart(formulation::DaeInstance& instance, const model::NominalScales& sizes, double t, std::vector<double>& unknowns,
                std::vector<double>& rates)
{
    const auto& list = instance.dae().unknowns;
    if (std::none_of(list.begin(), list.end(), [](const formulation::Unknown& u) { return u.solvedAtStart; }))
        return true;
    std::vector<double> y = unknowns, yp = rates;
    const integrate::Scaling scaling = scalingOf(instance, instance.compiled().system().system(), sizes);
    if (!integrate::solveScaledRates(instance, scaling, t, y, yp))
        return false;
    for (std::size_t i = 0; i < list.size(); ++i)
        if (list[i].solvedAtStart) {
            unknowns[i] = y[i];
            rates[i] = yp[i];
        }
    return true;
}

} // namespace

bool startOf(formulation::DaeInstance& instance, const model::NominalScales& sizes, const model::ModelState& from,
             std::vector<double>& unknowns, std::vector<double>& rates, std::string& why)
{
    const auto size = static_cast<std::size_t>(instance.size());
    unknowns.assign(size, 0.0);
    rates.assign(size, 0.0);
    if (!instance.fromState(from, unknowns.data(), rates.data())) {
        why = instance.domainMessage();
        return false;
    }
    if (!solveStart(instance, sizes, from.t, unknowns, rates)) {
        why = "the auxiliary unknowns of the form have no solution at the start";
        return false;
    }
    return true;
}

bool Core::enter(const model::ModelState& from, std::string& why)
{
    std::vector<double> unknowns, rates;
    if (!startOf(*instance, *scales, from, unknowns, rates, why))
        return false;
    if (auto restarted = integrator->restart(from.t, unknowns, rates); !restarted) {
        why = restarted.error().text();
        return false;
    }
    return true;
}

Diagnostic basisRefused(const formulation::DaeInstance& instance, double t)
{
    return {.what = "The basis cannot be set up here",
            .where = "t = " + plain(t),
            .why = instance.domainMessage(),
            .remedy = "another start or formulation",
            .position = {}};
}

Result<void> Core::retune(Tuning&& tuning, const model::ModelState& at, const model::NominalScales& sizes)
{
    settings = std::move(tuning.settings);
    parameters = std::move(tuning.parameters);
    instance->setParameters(parameters);
    instance->setGains(tuning.gains);
    instance->hold(at);
    if (instance->hasBases() && !instance->refreshBases(at))
        return basisRefused(*instance, at.t);
    if (form().pivot || form().links)
        instance->setDummies(tuning.choice.dummies);
    pinned = tuning.choice.pinned;
    selection = std::move(tuning.choice.selection);
    projected = 0;
    scratch.resize(dae->system().n(), dae->system().w());
    *scales = sizes;
    if (auto prepared = integrator->prepare(*instance, settings.options); !prepared)
        return prepared;
    return integrator->restart(at.t, tuning.unknowns, tuning.rates);
}

} // namespace driftless::run
