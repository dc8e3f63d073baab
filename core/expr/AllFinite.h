// Whether numbers are finite, in the time of a quarter of them.
#pragma once

#include <cstddef>

namespace driftless::expr {

/// Four sums, so that none waits for the last.
inline bool allFinite(const double* values, std::size_t count)
{
    double nothing[4] = {}; // stay so
    std::size_t k = 0;
    for (; k + 4 <= count; k += 4)
        for (std::size_t i = 0; i < 4; ++i)
            nothing[i] += values[k + i] * 0.0;
    for (; k < count; ++k)
        nothing[k % 4] += values[k] * 0.0;
    return (nothing[0] + nothing[1]) + (nothing[2] + nothing[3]) == 0;
}

} // namespace driftless::expr
