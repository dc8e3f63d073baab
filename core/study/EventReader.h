// What is done to a run of a study while it goes on.
#pragma once

#include <string>

#include "core/study/Study.h"
#include "core/text/TomlValue.h"

namespace driftless::study {

/// One [[run.event]]: t with any of formulation, integrator, step, tolerances, pivot, set, gains, options, reset; or `do` with
/// the parts of a recorded command.
StudyEvent readEvent(const model::TomlValue& entry, const std::string& run);

} // namespace driftless::study
