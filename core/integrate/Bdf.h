// Backward differentiation formulas as data, and the door through which a proof starts them from exact past values.
//
// rho y_n = (1/h) sum_{i=0}^{k} alpha_i y_{n-i} is the derivative at t_n of the polynomial of degree k through y_n, ...,
// y_{n-k}.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "core/base/Result.h"

namespace driftless::integrate {

inline constexpr std::size_t kBdfHighestOrder = 6; ///< from order 7 on the formulas are unstable for every step (Cryer 1972)
using BdfWeights = std::array<double, kBdfHighestOrder + 1>;

/// alpha_0, ..., alpha_k of order k in row k - 1, for past values at equal distances (Hairer, Norsett, Wanner, Solving ODEs I,
/// (III.1.22')).
inline constexpr std::array<BdfWeights, kBdfHighestOrder> kBdf{
    {{1, -1},
     {3.0 / 2, -2, 1.0 / 2},
     {11.0 / 6, -3, 3.0 / 2, -1.0 / 3},
     {25.0 / 12, -4, 3, -4.0 / 3, 1.0 / 4},
     {137.0 / 60, -5, 5, -10.0 / 3, 5.0 / 4, -1.0 / 5},
     {147.0 / 60, -6, 15.0 / 2, -20.0 / 3, 15.0 / 4, -6.0 / 5, 1.0 / 6}}};

/// weights[i] of y(times[i]) in the derivative at times[0] of the polynomial through all of them [1/s]. Times differ; any
/// order.
void differentiationWeights(std::span<const double> times, std::span<double> weights);
/// weights[i] of y(times[i]) in the value of that polynomial at t; they add up to 1.
void extrapolationWeights(double t, std::span<const double> times, std::span<double> weights);

/// What a fixed-step multistep integrator is besides an Integrator: one that can be handed its past.
class HistoryStart {
public:
    virtual ~HistoryStart() = default;

    /// Starts at the last of the times, which increase, with values[i] of all unknowns at times[i]: at least as many as the
    /// order. So several forms can begin from the same exact values, and no starting procedure comes between.
    virtual Result<void> restartWithHistory(std::span<const double> times, std::span<const std::vector<double>> values) = 0;
};

} // namespace driftless::integrate
