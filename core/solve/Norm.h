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

/// The place of the largest |v_i w_i|, -1 in an empty vector.
inline int weightedLargest(std::span<const double> v, std::span<const double> w)
{
    int place = -1;
    double largest = -1;
    for (std::size_t i = 0; i < v.size(); ++i)
        if (const double size = std::abs(v[i] * w[i]); !(size <= largest)) {
            largest = size;
            place = static_cast<int>(i);
        }
    return place;
}

} // namespace driftless::solve
