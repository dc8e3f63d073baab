// The scene of a model as a TikZ picture: vector graphics that a LaTeX document carries in its text.
#pragma once

#include <span>
#include <string>

#include "core/system/Model.h"

namespace driftless::app {

/// points: x, y, z [m] of every point of the model's visuals, in their order. Empty where nothing is drawn or a point has no
/// place. A plane model is seen from the front, a model in space from above at the side.
std::string tikzScene(const model::Model& model, std::span<const double> points);

} // namespace driftless::app
