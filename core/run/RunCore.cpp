// New numbers for a core that stays.
#include "core/run/RunCore.h"

#include "core/run/RunImpl.h"

namespace driftless::run {

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
