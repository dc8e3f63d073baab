// Whether numbers are finite, many at once.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace driftless::expr {

/// The last ones by themselves: what was stored a moment ago number by number is not there yet for a load of two, which would
/// wait. The others in the time of a quarter of them: four sums, so that none waits for the last.
inline bool allFinite(const double* values, std::size_t count)
{
    constexpr std::size_t kByThemselves = 24;
    constexpr std::uint64_t kInfinity = std::uint64_t{0x7ff} << 53; // without its sign; what is not a number is above
    std::size_t k = 0;
    bool finite = true;
    if (count > kByThemselves) {
        double nothing[4] = {}; // stay so
        for (; k + 4 + kByThemselves <= count; k += 4)
            for (std::size_t i = 0; i < 4; ++i)
                nothing[i] += values[k + i] * 0.0;
        finite = (nothing[0] + nothing[1]) + (nothing[2] + nothing[3]) == 0;
    }
    for (; k < count; ++k)
        finite &= std::bit_cast<std::uint64_t>(values[k]) << 1 < kInfinity;
    return finite;
}

} // namespace driftless::expr
