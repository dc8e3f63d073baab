// The initial-condition doctor of a text of equations: what stands against its start values, and what a correction would
// change.
//
//   rows F^(k) = 0, k = 0 ... c_i, and the initial equations, over the values x, x', ...: as a run begins
//   freedom       values less the rank of the rows: how many can be fixed
//   independent   a well-conditioned set to fix, by pivoting on the rows
#pragma once

#include <memory>
#include <span>

#include "core/consistency/Doctor.h"
#include "core/run/Settings.h"
#include "core/system/CompiledSystem.h"

namespace driftless::run {

/// positions are the values in their order, position the largest residual of a row; velocities and forces are empty. Never
/// fails: what cannot be done is in the diagnosis.
consistency::Diagnosis diagnoseValues(std::shared_ptr<const model::CompiledSystem> system, std::span<const double> parameters,
                                      const StartSettings& start);

} // namespace driftless::run
