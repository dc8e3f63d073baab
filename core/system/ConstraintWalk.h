// Places that satisfy the constraints, one after the other along the motion that they leave free.
//
//   x' = x + h d,  d along the rows' null space;  then back to g^ = 0 by steps of least length (Gauss and Newton)
//
// h is as long as the way back stays a fraction of it, a third of a radian for a body that turns.
#pragma once

#include <functional>
#include <vector>

#include "core/system/ConstraintRows.h"

namespace driftless::model {

/// What is left of a row that depends on others, against the longest: the way back to the constraints leaves 1e-12 of
/// round-off.
constexpr double kDependentRow = 1e-7;

struct ConstraintPlace {
    Eigen::VectorXd x; ///< x^ of ConstraintRows
    RowRank rows;      ///< of G^
    Eigen::Index rank = 0;
};

/// Rows that hardly differ from a combination of others: so far from the manifold, rows that depend on it are not told apart.
constexpr double kNearlyDependentRow = 1e-3;
/// At how many places a walk looks at a system: many rows are decided densely at fewer.
int placesFor(const ConstraintRows& rows);

/// The nearest place; none where the iteration ends elsewhere.
std::optional<ConstraintPlace> nearestPlace(ConstraintRows& rows, Eigen::VectorXd x);

/// The nearest place, with so many of the rows by pivots: none where the others are not met there, or it is far away.
std::optional<ConstraintPlace> placeBeside(ConstraintRows& rows, Eigen::VectorXd x, Eigen::Index rank);

/// A place and the one before it on its way. Put in place of it, that one ends this way; false ends the walk.
using PlaceVisitor = std::function<bool(ConstraintPlace& at, const ConstraintPlace& before)>;

/// Visits places on both sides of `from`: of one degree of freedom along its only direction, of more along a few that are drawn
/// with a fixed seed. At most `most` places.
void walkPlaces(ConstraintRows& rows, const ConstraintPlace& from, int most, const PlaceVisitor& visit);

} // namespace driftless::model
