// What is said of a mechanism when its run begins: constraints that follow from others, and that nothing can move.
#pragma once

#include <optional>
#include <vector>

#include "core/run/ConstraintMatrices.h"
#include "core/run/Event.h"
#include "core/run/RunCore.h"
#include "core/system/DependentRows.h"

namespace driftless::run {

/// In the order in which they are told. state: where the run begins; walk: what is known of the rows set aside.
std::vector<EventDetail> startRemarks(const Core& core, ConstraintMatrices& matrices, const model::SetAsideWalk& walk,
                                      const model::ModelState& state);

} // namespace driftless::run
