// The matrix [D A^T; A 0] behind projections, starts and accelerations, D the mass matrix or the identity, A the gradients of
// constraints: dense for small systems, sparse (KLU) for large ones.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/system/CompiledSystem.h"

namespace driftless::consistency {

/// Up to this size (coordinates and rows together) dense factorisations are cheaper, and rank is decided by orthogonal ones.
inline constexpr int kDenseSize = 192;
/// A pivot this small against the largest means that the rows depend on each other.
inline constexpr double kSingular = 1e2 * 2.220446049250313e-16;

class SaddlePoint {
public:
    /// Places of M and of A (rows x n).
    SaddlePoint(int n, int rows, std::span<const solve::MatrixPlace> mass, std::span<const solve::MatrixPlace> rowPlaces);
    ~SaddlePoint();
    SaddlePoint(SaddlePoint&&) noexcept;

    /// Usual sizes of the coordinates that A and M belong to, powers of two: the matrix is judged, and the metric of the
    /// identity meant, in these units; ranks and smallest corrections are the same whatever the units of the model. n numbers,
    /// else all are 1.
    void setUnits(std::span<const double> units);

    /// Factorises with these values of A, and of M (null: the identity). False when singular to working precision. No
    /// allocation once used (dense).
    bool factor(std::span<const double> rows, const std::vector<double>* mass);
    /// x (n + rows) := K^-1 x.
    void solve(double* x);

    /// Smallest change dx in the metric D (null: the identity; also where M has no Cholesky factor) with A dx = -residual,
    /// fixed components held; in the least-squares sense where rows depend on each other. n numbers.
    std::vector<double> smallestChange(std::span<const double> rows, const std::vector<double>* mass,
                                       const std::vector<bool>& fixed, std::span<const double> residual);
    /// The solution of smallest norm of K x = b where K is singular but b in its range; false where it is not.
    bool solveSingular(std::span<const double> rows, const std::vector<double>& mass, double* x);
    /// Rows of A that follow from the others.
    std::vector<int> dependentRows(std::span<const double> rows) const;

private:
    struct Work;
    std::unique_ptr<Work> work_;
};

/// M x = b for the mass matrix alone, without the constraints that make it definite.
class MassSolver {
public:
    MassSolver(int n, std::span<const solve::MatrixPlace> mass);
    ~MassSolver();
    MassSolver(MassSolver&&) noexcept;
    /// x: b before, the solution after. False where M is singular in units in which light bodies count like heavy ones; x is
    /// lost then.
    bool solve(std::span<const double> values, double* x);

private:
    struct Work;
    std::unique_ptr<Work> work_;
};

} // namespace driftless::consistency
