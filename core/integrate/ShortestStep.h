// The shortest step: where time has no digits left for it.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "core/integrate/Integrator.h"
#include "core/solve/DaeSystem.h"

namespace driftless::integrate {

/// Two times closer than this [s] are one time: a step between them would be all round-off. h: step there.
inline double timeRoundoff(double t, double h)
{
    return 16 * std::numeric_limits<double>::epsilon() * std::max(std::abs(t), std::abs(h));
}

/// What a step may be cut down to [s]. longest: of the steps so far.
inline double shortestStep(const IntegratorOptions& options, double t, double longest)
{
    return std::max(options.minStep, timeRoundoff(t, longest));
}

/// The first step of a multistep method [s] where no unknown is differential: their rates are not known yet, so nothing says
/// how fast they move. A longer guess fails so often that it looks like a jump (JumpWatch.h); from this one on steps double.
inline constexpr double kFirstOfAlgebraic = 1e-8;
inline bool onlyAlgebraic(std::span<const solve::UnknownRole> roles)
{
    return std::none_of(roles.begin(), roles.end(), [](const solve::UnknownRole& r) { return r.differential; });
}

} // namespace driftless::integrate
