// Numbers that an instance holds between steps: entries of its bases, and what a general DAE holds between events.
#include <algorithm>
#include <cmath>

#include "core/formulation/CompiledDae.h"

namespace driftless::formulation {

void DaeInstance::useBases()
{
    const auto values = bases_->values();
    std::copy(values.begin(), values.end(),
              parameters_.begin() + static_cast<std::ptrdiff_t>(modelParameterCount_ + gainCount_));
}

bool DaeInstance::refreshBases(const model::ModelState& state)
{
    if (!bases_->refresh(state.t, state.q.data(), state.lambda.data())) {
        message_ = bases_->message();
        return false;
    }
    useBases();
    return true;
}

bool DaeInstance::followBases(const model::ModelState& state)
{
    if (dae().basisUpdate == BasisUpdate::Continuous)
        return refreshBases(state);
    bases_->carry(state.lambda.data());
    useBases();
    return true;
}

double DaeInstance::basisKappa(const model::ModelState& state) { return bases_->kappa(state.t, state.q.data()); }

void DaeInstance::hold(const model::ModelState& state)
{
    const auto& held = compiled_->system().system().held;
    const auto from = state.lambda.end() - static_cast<std::ptrdiff_t>(held.size());
    const auto into = parameters_.end() - static_cast<std::ptrdiff_t>(held.size());
    for (std::size_t k = 0; k < held.size(); ++k) { // round-off of an interpolated state is taken away
        const auto place = static_cast<std::ptrdiff_t>(k);
        into[place] = held[k].whole ? std::round(from[place]) : from[place];
    }
}

} // namespace driftless::formulation
