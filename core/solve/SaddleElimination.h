// Solves by its structure what Newton's iteration asks of constrained motion with masses that stand alone:
//
//   [ D + E  A^T ] [ x ]   [ p ]      D diagonal, n rows; A and B m constraints each, on the same places;
//   [ B      0   ] [ y ] = [ r ]      E what stiffness and damping add beside the diagonal, h and h^2 times smaller
//
// E is left out: the correction is Newton's but for a share of E D^-1, and the next one makes up for it. Where E is no small
// part of D, or a pivot is none (core/solve/ConstraintSchur.h), whoever asked takes a general solver.
#pragma once

#include <cstdint>
#include <vector>

#include "core/solve/ConstraintSchur.h"
#include "core/solve/SparsePattern.h"

namespace driftless::solve {

class SaddleElimination {
public:
    /// Whether the first n rows and columns of the pattern have this structure. Allocates.
    bool analyse(const SparsePattern& pattern, int n);
    /// values: on the pattern. False where the numbers do not suit. Does not allocate.
    bool factor(const double* values);
    /// Overwrites (p, r) with (x, y).
    void solve(double* b);
    double pivotRatio() const { return schur_.pivotRatio(); }

private:
    bool placeGradients(const SparsePattern& pattern);

    std::size_t n_ = 0, m_ = 0;
    std::vector<std::uint32_t> diagonal_;          ///< places of D
    std::vector<std::uint32_t> beside_;            ///< places of E by column
    std::vector<std::size_t> besideStarts_;        ///< of the columns
    std::vector<std::uint32_t> bPlaces_, aPlaces_; ///< of the entries of B and of A in the order of B
    std::vector<double> inverse_, b_, a_;          ///< D^-1; entries of B and A
    ConstraintSchur schur_;
};

} // namespace driftless::solve
