// The time of a model: how long its motion is watched, and how fast.
#pragma once

#include "core/system/Model.h"

namespace driftless::ui {

/// The range of time that a window begins with [s]: the model's own where it states one ([run] end) below ten seconds, else
/// ten.
double firstRange(const model::Model& model);
/// The playing speed that a model begins with: 1, or, where its motion is over within a second, one at which it lasts some ten.
double firstSpeed(const model::Model& model);

} // namespace driftless::ui
