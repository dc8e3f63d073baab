// Numbers in messages, and two numbers that all parts of a run share.
#pragma once

#include <limits>
#include <string>

namespace driftless::run {

constexpr double kForever = std::numeric_limits<double>::infinity();
/// A projection smaller than this share of the coordinates' size is round-off of the solver, not a correction.
constexpr double kReportedChange = 1e-12;

/// A number in a sentence, rounded to so many significant digits.
std::string plain(double x, int digits = 6);

} // namespace driftless::run
