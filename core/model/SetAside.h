// Constraints that follow from others wherever the mechanism can go near its start, as a plane loop built in space has them.
//
// A row is set aside when its gradient is a combination of those of the rows before it, at the start and at two other places of the
// manifold g = 0 (at a singular configuration only the start would show it), and it is met there. What remains has full rank, so
// that every formulation carries it; what is set aside stays in the system by name, and its residual can be asked for.
#pragma once

#include <span>
#include <string>

#include "core/model/ConstrainedSystem.h"

namespace driftless::model {

constexpr int kMostSetAside = 400; ///< coordinates: the ranks are decided densely, n m^2

/// Moves dependent rows from constraints to dependent, and takes their multipliers as zero. Larger systems, velocity bases and rows that
/// depend on t are left alone.
void setAsideDependent(ConstrainedSystem& system);

/// "D.y follows from A.y, B.tilt1".
std::string sentence(const Dependent& dependent);

/// The largest |g| of the rows set aside, at positions q and time t, for values of the parameters; not a number where one leaves its domain.
double dependentResidual(const ConstrainedSystem& system, double t, std::span<const double> q, std::span<const double> parameters);

} // namespace driftless::model
