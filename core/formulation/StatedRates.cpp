// The rates of unknowns that the unknowns themselves state: q' = Z v, and v' where the form has accelerations. Forms whose
// differential unknowns are tied by algebraic equations (a selector for positions and another one for velocities, a basis of
// the tangent plane) do not determine the rates of each of them at one instant, but hold velocities and accelerations among
// their unknowns.
#include <algorithm>

#include "core/formulation/CompiledDae.h"

namespace driftless::formulation {

void DaeInstance::prepareStatedRates()
{
    if (semiExplicit())
        return;
    stated_.resize(compiled_->system().n(), compiled_->system().w());
    statedValues_.resize(dae().unknowns.size());
    statedRates_ = statedValues_;
}

bool DaeInstance::statedRates(double t, const double* y, double* yp)
{
    if (semiExplicit() || dae().a.empty() || !toState(t, y, yp, stated_)
        || !fromState(stated_, statedValues_.data(), statedRates_.data()))
        return false;
    for (std::size_t i = 0; i < roles_.size(); ++i)
        if (roles_[i].differential)
            yp[i] = statedRates_[i];
    return true;
}

} // namespace driftless::formulation
