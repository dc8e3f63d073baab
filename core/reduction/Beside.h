// Conditions beside one that has fired. Two limits a hair apart, and two ways to write one limit, have the same gradient but
// for a factor: then their order is known to round-off, much better than where each comes to zero.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/reduction/Reduced.h"

namespace driftless::reduction {

/// Conditions at one place.
struct ConditionsAt {
    double t = 0;
    const std::vector<double>& values;
    const std::vector<double>& sizes;     ///< usual ones of the values; empty: 1
    std::span<const double> z;            ///< left - right of each
    std::span<const double> rates;        ///< of z; not a number where one is not known
    std::span<const double> tolerances;   ///< below what each touches
    const std::vector<double>& gradients; ///< of each: its partial derivatives by the values
    std::span<const char> ofTime;         ///< of each: whether it depends on t alone
};

/// What is known of each condition where some have fired: on the surface of one they fire, too, and a hair beside it they are
/// on one side. becomes: of each, what it is behind its firing. Between values that are tied by the rows a gradient is that
/// along what they leave free. Conditions further away than they touch are not known. Allocates.
std::vector<std::optional<bool>> knownBeside(std::span<const int> fired, const std::vector<char>& becomes,
                                             ReducedEvaluator& rows, const ConditionsAt& conditions);

} // namespace driftless::reduction
