// The linear complementarity problem  w = A z + b,  0 <= z, 0 <= w, z w = 0  of the few contacts that act together.
//
// A is symmetric and positive semidefinite (Delassus' matrix W M^-1 W^T). First Murty's rule (Math. Programming 7, 1974): the
// first index that is infeasible changes sides; it ends with the solution where A is positive definite. Where A is singular on
// a set, or the rule comes back to a set, all sets of up to kMostTried indices are tried, smaller ones first. The rows of a set
// that is returned are independent.
#pragma once

#include <vector>

#include "core/solve/DenseDecompositions.h"

namespace driftless::solve {

inline constexpr int kMostTried = 12; ///< 4096 sets

struct Complementarity {
    bool solved = false;
    Eigen::VectorXd z, w;
    std::vector<char> active; ///< whose w is zero by the choice of the set; z is zero elsewhere
};

/// tolerance: what counts as zero of b and w.
Complementarity solveComplementarity(const Eigen::MatrixXd& A, const Eigen::VectorXd& b, double tolerance);

} // namespace driftless::solve
