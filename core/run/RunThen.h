// A run as another one was at an earlier time: what can only be told by one that stands there.
#pragma once

#include <memory>

#include "core/run/Past.h"

namespace driftless::run {

/// A run of its own that begins with the state that was recorded at t and the settings and parameters of a regime; null where
/// none can begin there. It takes as long as a run takes to begin.
std::unique_ptr<Run> runAsThen(const Laboratory& laboratory, RunId id, const Regime& regime, double t);

} // namespace driftless::run
