// How an error grows over a run: the drift class of CLI.md.
//
// A degree d of a polynomial in t counts when it lowers the rms misfit five times against degree d - 1; the class is the
// highest degree that counts. Oscillations around the trend are averaged away first, with a Hann window of an eighth of
// the run, which maps polynomials to polynomials of the same degree.
#pragma once

#include <span>
#include <string>

namespace driftless::run {

/// "none", "linear", "quadratic", "cubic", "quartic" for samples x(t), t not decreasing. tolerance is what the run was
/// asked for: an rms below max(10 tolerance, 1e-12) is no drift.
std::string classifyDrift(std::span<const double> t, std::span<const double> x, double tolerance);

} // namespace driftless::run
