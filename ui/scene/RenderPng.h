// One picture of a model in a given state, without a window system: what `driftless render` writes.
#pragma once

#include <span>
#include <string>

#include "core/base/Result.h"
#include "core/system/CompiledSystem.h"
#include "core/system/State.h"

namespace driftless::scene {

/// Draws the model at state (t, q; lambda is not needed) in width x height pixels, supersampled twice, and writes a PNG.
/// The file appears whole or not at all. Fails when the state leaves the domain of a scene expression, when no OpenGL
/// can be had, when the size is not between 16 and 8192 pixels, or when the path cannot be written.
Result<void> renderScenePng(const model::CompiledSystem& system, std::span<const double> parameters,
                            const model::ModelState& state, int width, int height, bool dark, const std::string& path);

} // namespace driftless::scene
