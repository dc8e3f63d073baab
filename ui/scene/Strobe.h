// A strobe picture: one mechanism at several times in one image, the earliest the faintest.
#pragma once

#include <span>
#include <vector>

#include "core/base/Result.h"
#include "core/system/CompiledSystem.h"
#include "core/system/State.h"
#include "ui/scene/SceneTypes.h"

namespace driftless::scene {

constexpr int kMostFlashes = 200;

/// Equal times from first to last, both included; count >= 2 (one flash stands at the end).
std::vector<double> flashTimes(double from, double to, int count);

/// The model at the states in their order, in width x height pixels; colour is an index into Colours::runs.
/// Fails as Stage does, and without states or with more than kMostFlashes.
Result<Pixels> strobePicture(const model::CompiledSystem& system, std::span<const double> parameters,
                             std::span<const model::ModelState> states, int width, int height, bool dark, int colour = 0);

} // namespace driftless::scene
