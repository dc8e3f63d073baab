#include "core/integrate/Leaves.h"

namespace driftless::integrate {

std::vector<Method> explicitMethods()
{
    return {
        {{"rk4", "Classical Runge-Kutta, order 4", "[DN] (1.33)", Family::Explicit, 4, false, false, false, 1, true,
          "Explicit with a fixed step; shows the drift of a formulation without damping it."},
         makeClassicalFour},
        {{"dormand-prince", "Dormand-Prince 5(4)", "Dormand and Prince 1980", Family::Explicit, 5, true, false, false, 1, true,
          "Explicit, chooses its step from an embedded error estimate."},
         makeDormandPrince}};
}

} // namespace driftless::integrate
