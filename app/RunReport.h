// What commands say about a finished run.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/run/Run.h"

namespace driftless::app {

/// The JSON object of `run` as docs/command-line.md states it; samples > 0 adds that many states at equal distances.
nlohmann::ordered_json reportOf(const run::Run& run, int samples);

/// Prints why a run failed, if it did; the exit code that belongs to it.
int verdict(const run::Run& run);

} // namespace driftless::app
