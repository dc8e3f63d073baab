// What a run solves for its start: values, what is fixed, rates.
#pragma once

#include "core/base/Result.h"
#include "core/consistency/Consistency.h"
#include "core/run/Settings.h"
#include "core/system/CompiledSystem.h"

namespace driftless::run {

/// The start values of the file and of the settings, at the evaluator's parameters, with what is fixed: the request that a run
/// solves, and that the initial-condition doctor explains.
Result<consistency::Request> startRequest(const StartSettings& start, model::SystemEvaluator& evaluator);

} // namespace driftless::run
