// Weighted norms of corrections and errors: every component is measured in units of what is tolerated in it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

namespace driftless::solve {

/// Root mean square of v_i w_i, w_i being one over the tolerated size of component i. 0 for an empty vector.
inline double weightedRms(std::span<const double> v, std::span<const double> w)
{
    double sum = 0;
    for (std::size_t i = 0; i < v.size(); ++i)
        sum += v[i] * w[i] * v[i] * w[i];
    return v.empty() ? 0 : std::sqrt(sum / static_cast<double>(v.size()));
}

/// Largest |v_i w_i|; not a number when one component is not.
inline double weightedMax(std::span<const double> v, std::span<const double> w)
{
    double largest = 0;
    for (std::size_t i = 0; i < v.size(); ++i) {
        const double size = std::abs(v[i] * w[i]);
        if (!(size <= largest))
            largest = size;
        if (std::isnan(size))
            return size;
    }
    return largest;
}

} // namespace driftless::solve
