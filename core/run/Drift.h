// How an error grows over a run: the drift class of docs/monitors.md.
//
// A degree of a polynomial in t counts when it lowers the rms misfit of the samples five times against the last degree that
// counts, the constant to begin with; the class is the highest degree up to 2 that counts. Nothing is smoothed: a trend that
// the oscillations around it hide is no drift. (Against the last that counts, and not against the one below: a parabola alone
// has misfits of 4, 1 and 0 in units of its height / sqrt 180, and is quadratic though its line does not count.)
//
// There are no higher classes. Steps add errors to g in forms that hold velocities and to g' in those that hold accelerations,
// where g grows linearly and quadratically then, as long as the drift is small. The underlying ODE adds them to g'', so its g
// grows with t^3. What grows faster is no drift but an instability. The class of both is the degree up to 2 that counts.
#pragma once

#include <span>
#include <string>

namespace driftless::run {

/// "none", "linear", "quadratic" for samples x(t), t not decreasing. tolerance is what the run was asked for: an rms below
/// max(10 tolerance, 1e-12) is no drift, nor is what a degree takes away from a misfit below it.
std::string classifyDrift(std::span<const double> t, std::span<const double> x, double tolerance);

} // namespace driftless::run
