// Options of the commands that draw.
#pragma once

#include <string>

#include "core/base/Result.h"

namespace driftless::app {

/// Pixels; each side between 16 and 8192.
struct PictureSize {
    int width = 0;
    int height = 0;
};

/// "1280x720"
Result<PictureSize> parseSize(const std::string& text);

} // namespace driftless::app
