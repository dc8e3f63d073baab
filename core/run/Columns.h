// What a run of a system records, known before any run is made.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/run/Recording.h"
#include "core/system/ConstrainedSystem.h"

namespace driftless::run {

/// The columns of a recording behind t, in their order (Recording.h).
std::vector<Column> recordedColumns(const model::ConstrainedSystem& system);
/// Names for readers that know columns by them alone: where an unknown of the model is called as a column of the run, as h or
/// kappa, that of the run is run.h.
std::vector<std::string> headingsOf(std::span<const Column> columns);
/// The outputs with columns of their own, which are the last ones: a value of a general DAE has one already.
std::vector<int> outputColumns(const model::ConstrainedSystem& system);

} // namespace driftless::run
