// The range of steps, tolerances, times and nominal values that are not zero.
#pragma once

namespace driftless {

/// Squares and ratios of what lies between are numbers, too.
inline constexpr double kSmallestSetting = 1e-100, kLargestSetting = 1e100;
inline bool isSetting(double value) { return value >= kSmallestSetting && value <= kLargestSetting; }

} // namespace driftless
