// Bounds on times and steps, for whoever asks for a run: a command, a study, a session, a picture.
#pragma once

#include <string>

#include "core/base/Result.h"
#include "core/integrate/Integrator.h"

namespace driftless::run {

/// Two neighbouring doubles there are an eighth of a second apart: no motion can be told.
inline constexpr double kLatestTime = 1e15; ///< [s]

/// Refuses what is no time of a run: before its start at 0, later than kLatestTime, or no finite number. where: "--time".
Result<void> checkTime(double t, const std::string& where);

/// Refuses a fixed step, or a limit of the step, by which time does not move near the end [s] (less than its round-off): such a
/// run never ends.
Result<void> checkSteps(const integrate::IntegratorInfo& method, const integrate::IntegratorOptions& options, double end,
                        const std::string& where);

} // namespace driftless::run
