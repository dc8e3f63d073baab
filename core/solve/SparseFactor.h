// A sparse square matrix written entry by entry, factorised by KLU: what the dense decompositions do for small systems, for any
// size.
#pragma once

#include <memory>
#include <span>

#include "core/solve/MatrixPlace.h"

namespace driftless::solve {

class SparseFactor {
public:
    SparseFactor();
    ~SparseFactor();
    SparseFactor(SparseFactor&&) noexcept;
    SparseFactor& operator=(SparseFactor&&) noexcept;

    /// Fixes size and pattern, entries at one place add up; allocates.
    void analyse(int size, std::span<const MatrixPlace> entries);
    bool analysed() const;
    /// Factorises the matrix with these values, one per entry. Returns the reciprocal of an estimated condition number
    /// (smallest against largest pivot), 0 when singular. Later factorisations reuse the order of the pivots while it is good.
    double factor(std::span<const double> values);
    /// b := A^-1 b. Needs a successful factor().
    void solve(double* b) const;
    /// Estimate of the 1-norm of the inverse (Higham 1988, as KLU's condition estimator), infinity when singular.
    double inverseNorm();

private:
    struct Work;
    std::unique_ptr<Work> work_;
};

} // namespace driftless::solve
