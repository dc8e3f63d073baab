// Writing pictures.
#pragma once

#include <string>

#include "core/base/Result.h"
#include "ui/scene/SceneTypes.h"

namespace driftless::scene {

/// Writes a PNG beside the target and renames it, so that the file appears whole or not at all.
Result<void> writePng(const Pixels& pixels, const std::string& path);

} // namespace driftless::scene
