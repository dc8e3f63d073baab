#include "core/run/Stepper.h"

#include <utility>

namespace driftless::run {

bool Stepper::read(model::ModelState& state) const
{
    const integrate::Integrator& integrator = *core_->integrator;
    state.t = integrator.t();
    return core_->instance->toState(state.t, integrator.y().data(), integrator.yp().data(), state);
}

integrate::Statistics Stepper::totals() const
{
    integrate::Statistics out = base_;
    const integrate::Statistics& now = core_->integrator->statistics();
    out.steps += now.steps - atRestart_.steps;
    out.rejected += now.rejected - atRestart_.rejected;
    out.residualEvaluations += now.residualEvaluations - atRestart_.residualEvaluations;
    out.jacobianEvaluations += now.jacobianEvaluations - atRestart_.jacobianEvaluations;
    out.factorizations += now.factorizations - atRestart_.factorizations;
    out.newtonIterations += now.newtonIterations - atRestart_.newtonIterations;
    return out;
}

void Stepper::leave()
{
    if (core_)
        base_ = totals();
}

std::unique_ptr<Core> Stepper::replace(std::unique_ptr<Core> core)
{
    leave();
    std::swap(core_, core);
    atRestart_ = core_->integrator->statistics();
    return core;
}

Result<void> Stepper::retune(Tuning&& tuning, const model::ModelState& at, const model::NominalScales& sizes)
{
    leave();
    auto tuned = core_->retune(std::move(tuning), at, sizes);
    atRestart_ = core_->integrator->statistics();
    return tuned;
}

bool Stepper::restart(const model::ModelState& from, std::string& why)
{
    leave();
    const bool entered = core_->enter(from, why);
    atRestart_ = core_->integrator->statistics();
    return entered;
}

Result<void> Stepper::restart(double t, std::span<const double> unknowns, std::span<const double> rates)
{
    leave();
    auto restarted = core_->integrator->restart(t, unknowns, rates);
    atRestart_ = core_->integrator->statistics();
    return restarted;
}

bool Stepper::exchange(const formulation::Dummies& dummies, const model::ModelState& at, std::string& why)
{
    core_->instance->setDummies(dummies);
    return core_->integrator->info().swapsRoles || core_->enter(at, why);
}

bool Stepper::exchange(DummyChoice&& choice, model::ModelState& at, const Complete& complete, std::string& why)
{
    core_->selection = std::move(choice.selection);
    core_->instance->setDummies(choice.dummies);
    leave();
    const auto completed = complete(*core_->instance, at);
    const auto prepared = core_->integrator->prepare(*core_->instance, core_->settings.options);
    if (!completed)
        why = completed.error().what;
    else if (!prepared)
        why = prepared.error().what;
    const bool entered = completed && prepared && core_->enter(at, why);
    atRestart_ = core_->integrator->statistics();
    return entered;
}

} // namespace driftless::run
