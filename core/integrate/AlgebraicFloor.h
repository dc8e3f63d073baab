// The least tolerance of algebraic unknowns: what each can be asked for. It is a function of the differential ones, so that
// their tolerances leave it open by (dy_a/dy_d) tau_d, whatever the step is. Where it is a small sum of large terms (the
// acceleration of a top that precesses evenly, 0 of terms of 900 1/s^2), its own tolerance may be far below that; then nothing
// but steps at which the differential unknowns are exact to that tolerance, thousands of times too short, would pass the error
// test. So a share of what is open is tolerated at least, small against the local errors that the integrator aims at.
//
//   (dF/dy + c dF/dy') x = (dF/dy)_d tau_d:   x_a tends to (dy_a/dy_d) tau_d, up to sign, as c = O(1/h) grows
#pragma once

#include <span>

#include "core/solve/DaeSystem.h"

namespace driftless::integrate {

/// Algebraic unknowns of index order 1: accelerations and multipliers; and those that equations determine. Others of order 0
/// are positions and velocities that a pivot made dummies: where they are open, the pivot is singular, which must stop the run
/// rather than be tolerated.
inline bool hasFloor(const solve::UnknownRole& role) { return !role.differential && (role.indexOrder == 1 || role.determined); }
bool anyFloor(std::span<const solve::UnknownRole> roles);

/// What is tolerated of an open unknown. own: by the user's tolerances; x: of the equation above; share: of that. Of what
/// equations determine the whole counts, up to a few times the least x since the start: where x grows the unknown goes to a
/// pole.
double flooredTolerance(const solve::UnknownRole& role, double own, double x, double share, double least);

/// Right side of the equation above. weights: one over the tolerances. Signs vary without order, so that nothing cancels by a
/// symmetry.
void floorRightSide(const solve::SparsePattern& pattern, std::span<const solve::UnknownRole> roles,
                    std::span<const double> dFdy, std::span<const double> weights, std::span<double> b);

} // namespace driftless::integrate
