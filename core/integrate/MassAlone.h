// Methods that solve with the mass matrix alone.
#pragma once

#include "core/integrate/Integrator.h"

namespace driftless::integrate {

/// Whether a step solves with M alone, and not with M and the constraints together: a quaternion, which has no inertia along
/// itself, cannot be carried.
bool solvesWithMassAlone(const IntegratorInfo& method);

} // namespace driftless::integrate
