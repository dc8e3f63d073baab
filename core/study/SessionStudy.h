// A session recorded in the window as a study: each run with its start, its settings and every command at its time, so that the
// study computes the same numbers without the window.
#pragma once

#include <string>

#include "core/base/Result.h"

namespace driftless::study {

/// The text of a study file. json is that of Laboratory::sessionJson; file is the name for messages. Bounded and checked.
Result<std::string> studyFromSession(const std::string& json, const std::string& file, const std::string& title);

} // namespace driftless::study
