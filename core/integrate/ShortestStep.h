// The shortest step: where time has no digits left for it.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/integrate/Integrator.h"

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

} // namespace driftless::integrate
