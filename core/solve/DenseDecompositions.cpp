#define DRIFTLESS_INSTANTIATION template
#include "core/solve/DenseDecompositions.h"

namespace driftless::solve {

using Eigen::MatrixXd;
using Eigen::VectorXd;

VectorXd leastSquares(const MatrixXd& A, const VectorXd& b, double threshold)
{
    Eigen::CompleteOrthogonalDecomposition<MatrixXd> decomposed;
    if (threshold > 0)
        decomposed.setThreshold(threshold);
    return decomposed.compute(A).solve(b);
}

VectorXd solution(const Eigen::ColPivHouseholderQR<MatrixXd>& A, const VectorXd& b) { return A.solve(b); }
VectorXd solution(const Eigen::FullPivLU<MatrixXd>& A, const VectorXd& b) { return A.solve(b); }
MatrixXd solution(const Eigen::FullPivLU<MatrixXd>& A, const MatrixXd& B) { return A.solve(B); }

void applyQ(const Eigen::ColPivHouseholderQR<MatrixXd>& qr, MatrixXd& X) { X.applyOnTheLeft(qr.householderQ()); }
void applyQ(const Eigen::ColPivHouseholderQR<MatrixXd>& qr, VectorXd& x) { x.applyOnTheLeft(qr.householderQ()); }
void applyQTransposed(const Eigen::ColPivHouseholderQR<MatrixXd>& qr, VectorXd& x)
{
    x.applyOnTheLeft(qr.householderQ().adjoint());
}

MatrixXd orthonormalised(const MatrixXd& A)
{
    return Eigen::HouseholderQR<MatrixXd>(A).householderQ() * MatrixXd::Identity(A.rows(), A.cols());
}

MatrixXd orthogonalComplement(const MatrixXd& A)
{
    const Eigen::Index freedom = A.rows() - A.cols();
    const Eigen::HouseholderQR<MatrixXd> qr(A);
    MatrixXd out = MatrixXd::Zero(A.rows(), freedom);
    out.bottomRows(freedom).setIdentity();
    out.applyOnTheLeft(qr.householderQ());
    return out;
}

} // namespace driftless::solve
