// The equations of a mechanism as a model of their own, which starts where the mechanism does.
#pragma once

#include "core/system/ConstrainedSystem.h"
#include "core/system/EquationSystem.h"
#include "core/system/State.h"

namespace driftless::reduction {

/// equationsOf() with the velocities as unknowns of their own, so that their start values can be stated, and the values of the
/// state as start values. start: consistent; q, v and lambda of the system.
model::EquationSystem equationsFrom(const model::ConstrainedSystem& system, const model::ModelState& start);

} // namespace driftless::reduction
