// The collocation polynomial of Radau IIA of order five: through the value before a step and the values at its three stages.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "core/integrate/Tableau.h"

namespace driftless::integrate {

/// Weights of the stage increments Z_1, Z_2, Z_3 in the polynomial's increment at the fraction x of the step (beyond 1 it is continued).
inline std::array<double, 3> radauWeights(double x)
{
    const auto& c = radau::kNodes;
    return {x * (x - c[1]) * (x - c[2]) / (c[0] * (c[0] - c[1]) * (c[0] - c[2])),
            x * (x - c[0]) * (x - c[2]) / (c[1] * (c[1] - c[0]) * (c[1] - c[2])),
            x * (x - c[0]) * (x - c[1]) / (c[2] * (c[2] - c[0]) * (c[2] - c[1]))};
}

/// y = before + the polynomial's increment at the fraction x of a step with the stage increments Z (three blocks of the size of y).
inline void radauInterpolate(double x, std::span<const double> before, std::span<const double> Z, std::span<double> y)
{
    const auto l = radauWeights(x);
    const std::size_t n = y.size();
    for (std::size_t i = 0; i < n; ++i)
        y[i] = before[i] + l[0] * Z[i] + l[1] * Z[n + i] + l[2] * Z[2 * n + i];
}

} // namespace driftless::integrate
