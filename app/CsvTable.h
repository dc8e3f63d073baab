// A recording as comma-separated values: one row per accepted step, numbers that read back to the same bits.
#pragma once

#include <string>

#include "core/run/Recording.h"

namespace driftless::app {

/// First line: t and the names of the columns; missing values are empty.
std::string csvOf(const run::RecordingView& recording);

} // namespace driftless::app
