#include "core/integrate/Leaves.h"

namespace driftless::integrate {

std::vector<Method> implicitMethods()
{
    return {
        {{"implicit-trapezoidal", "Implicit trapezoidal rule", "[DN] (1.40); [St02] section 6", Family::Implicit, 2, false, true, false, 3, true,
          "Implicit with a fixed step and no damping; hidden constraints of higher-index forms oscillate."},
         makeImplicitTrapezoidal},
        {{"radau-iia-5", "Radau IIA, order 5", "[DN] (1.48)", Family::Implicit, 5, false, true, false, 3, true,
          "Implicit, stiffly accurate, fixed step; carries every formulation up to index 3."},
         makeRadauIIA5},
        {{"radau", "Radau IIA, order 5, adaptive", "[DN] (1.48); Hairer and Wanner 1996, IV.8", Family::Implicit, 5, true, true, false, 3, true,
          "Implicit, stiffly accurate, chooses its step; errors are weighed by the index of each unknown."},
         makeRadau}};
}

} // namespace driftless::integrate
