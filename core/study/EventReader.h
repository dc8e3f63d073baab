// The parts of a study's [[run]] and [[run.event]] that set something.
#pragma once

#include <string>

#include "core/model/TomlValue.h"
#include "core/study/Study.h"

namespace driftless::study {

/// Applies one key of a run table to the request. False for keys that mean something else. Throws model::ReadError.
bool applyRunKey(const std::string& key, const model::TomlValue& value, run::RunRequest& request, const std::string& where);

/// One [[run.event]]: t with any of formulation, integrator, step, tolerances, pivot, set, gains, options, reset; or `do` with
/// the parts of a recorded command.
StudyEvent readEvent(const model::TomlValue& entry, const std::string& run);

} // namespace driftless::study
