// What is asked of determinants: their signs.
#pragma once

#include "core/solve/DenseDecompositions.h"

namespace driftless::solve {

/// Sign of the determinant of what was decomposed, 0 where it is singular. Pivot by pivot: the product of many may leave the
/// range of a double. No allocation.
int signOfDeterminant(const Eigen::PartialPivLU<Eigen::MatrixXd>& lu);

} // namespace driftless::solve
