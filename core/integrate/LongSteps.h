// Methods whose steps are too long for a choice that is judged between steps.
#pragma once

#include "core/integrate/Integrator.h"

namespace driftless::integrate {

/// Whether a step may pass over a place where the selected dummies determine nothing, and come out on another branch of the
/// constraints: all lines of an extrapolation agree about it, so that no estimate tells.
bool passesOverSelections(const IntegratorInfo& method);

} // namespace driftless::integrate
