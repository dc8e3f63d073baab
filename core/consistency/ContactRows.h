// The linear algebra of what contacts do: joints that may repeat each other, and which rows follow from others.
#pragma once

#include <vector>

#include "core/solve/DenseDecompositions.h"

namespace driftless::consistency {

/// An entry of the diagonal that is not larger is none: along a unit quaternion there is no inertia, and round-off leaves some.
double noMass(const Eigen::MatrixXd& M);
/// Factors by which light bodies count like heavy ones: 1 / sqrt(M_ii), one where a coordinate has no mass of its own.
Eigen::VectorXd massUnits(const Eigen::MatrixXd& M);

/// [M B^T; B 0] of which redundant rows have multipliers of smallest norm.
class Constrained {
public:
    void factor(const Eigen::MatrixXd& M, const Eigen::MatrixXd& B);
    Eigen::VectorXd solve(const Eigen::VectorXd& right) const;
    /// The change for a unit push along w.
    Eigen::VectorXd response(const Eigen::VectorXd& w) const;

private:
    Eigen::Index n_ = 0;
    Eigen::VectorXd scale_;
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> factors_;
};

/// Rows that were taken one after the other, each if it did not follow from those before.
class RowSpan {
public:
    /// share: of the length of a row; what has less of its own follows from the others. By default round-off alone.
    RowSpan(Eigen::VectorXd units, const Eigen::MatrixXd& rows, double share = kOwnShare);
    static constexpr double kOwnShare = 1e-9; ///< less is round-off of a few projections
    bool follows(const Eigen::VectorXd& row) const { return left(row).size() == 0; }
    /// False where it follows from the others.
    bool take(const Eigen::VectorXd& row);

private:
    /// What no other row has of it, of length one; empty where there is nothing.
    Eigen::VectorXd left(const Eigen::VectorXd& row) const;

    Eigen::VectorXd units_;
    double share_;
    std::vector<Eigen::VectorXd> basis_;
};

} // namespace driftless::consistency
