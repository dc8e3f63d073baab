// How conditions lie to one that has fired. Two limits a hair apart, and two ways to write one limit, have the same gradient
// but for a factor: then their order is known to round-off, much better than where each comes to zero.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/reduction/Reduced.h"

namespace driftless::reduction {

enum class Beside : signed char {
    Elsewhere, ///< another gradient, or far away
    Same,      ///< it becomes true where the one does
    Opposite,  ///< it becomes true where the one ceases to be
    Holds,     ///< beside the surface of the one, and true there
    Fails      ///< and false there
};

/// Conditions at one place.
struct ConditionsAt {
    double t = 0;
    const std::vector<double>& values;
    const std::vector<double>& sizes;     ///< usual ones of the values; empty: 1
    std::span<const double> z;            ///< left - right of each
    std::span<const double> tolerances;   ///< below what each touches
    const std::vector<double>& gradients; ///< of each: its partial derivatives by the values
    std::span<const double> ofTime;       ///< of each that depends on t alone: its rate, else 0
};

/// Of each condition, how it lies to `one`. Those further away than they touch are elsewhere. Between values that are tied by
/// the rows a gradient is that along what they leave free. Allocates.
std::vector<Beside> besides(int one, ReducedEvaluator& rows, const ConditionsAt& conditions);

/// What is known of each condition where some have fired: on the surface of one they fire, too, and beside it they are on one
/// side. becomes: of each, what it is behind its firing.
std::vector<std::optional<bool>> knownBeside(std::span<const int> fired, const std::vector<char>& becomes,
                                             ReducedEvaluator& rows, const ConditionsAt& conditions);

} // namespace driftless::reduction
