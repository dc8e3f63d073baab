// How an error grows over a run: the drift class of docs/monitors.md.
//
// A degree of a polynomial in t counts when it lowers the rms misfit of the samples five times against the last degree that
// counts, the constant to begin with; the class is the highest degree up to 2 that counts. Nothing is smoothed: a trend that
// the oscillations around it hide is no drift. (Against the last that counts, and not against the one below: a parabola alone
// has misfits of 4, 1 and 0 in units of its height / sqrt 180, and is quadratic though its line does not count.)
//
// There are no higher classes. What a step adds to g'' is integrated twice in the forms that hold accelerations alone, once in
// those that hold velocities: constraints of mechanisms drift quadratically at most, as long as the drift is small. What grows
// faster is no drift but an instability; its class is the degree up to 2 that counts.
#pragma once

#include <span>
#include <string>

namespace driftless::run {

/// "none", "linear", "quadratic" for samples x(t), t not decreasing. tolerance is what the run was asked for: an rms below
/// max(10 tolerance, 1e-12) is no drift, nor is what a degree takes away from a misfit below it.
std::string classifyDrift(std::span<const double> t, std::span<const double> x, double tolerance);

} // namespace driftless::run
