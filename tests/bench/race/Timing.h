// How the races measure: processor time of this process, medians and quartiles of runs that take turns.
#pragma once

#include <algorithm>
#include <cstddef>
#include <ctime>
#include <vector>

namespace driftless::bench {

/// Of this process [s]: what else the machine does counts little.
inline double processorTime()
{
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// The clock is read in less than a thousandth of it [s]: what is shorter is repeated.
constexpr double kShortestMeasurement = 2e-3;

inline double quantile(std::vector<double> values, double share)
{
    if (values.empty())
        return 0;
    std::sort(values.begin(), values.end());
    const double place = share * static_cast<double>(values.size() - 1);
    const auto k = static_cast<std::size_t>(place);
    return k + 1 < values.size() ? values[k] + (place - static_cast<double>(k)) * (values[k + 1] - values[k]) : values[k];
}

} // namespace driftless::bench
