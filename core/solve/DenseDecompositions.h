// Eigen's dense decompositions, instantiated once: whoever needs one includes this header in place of Eigen/Dense, and the
// thousands of lines behind each are compiled in DenseDecompositions.cpp alone. So are the solutions and orthogonal factors
// below, which are templates of their own in Eigen: written out where they are used, each would take seconds to compile.
#pragma once

#include <Eigen/Dense>

extern template class Eigen::JacobiSVD<Eigen::MatrixXd>;
extern template class Eigen::PartialPivLU<Eigen::MatrixXd>;
extern template class Eigen::FullPivLU<Eigen::MatrixXd>;
extern template class Eigen::HouseholderQR<Eigen::MatrixXd>;
extern template class Eigen::ColPivHouseholderQR<Eigen::MatrixXd>;
extern template class Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd>;
extern template class Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>;
extern template class Eigen::LDLT<Eigen::MatrixXd>;
extern template class Eigen::LLT<Eigen::MatrixXd>;

namespace driftless::solve {

/// The shortest x of those that bring A x nearest to b, by a complete orthogonal decomposition. threshold: pivots this much
/// below the largest count as zero; 0 is Eigen's choice, epsilon times the shorter side. Allocates.
Eigen::VectorXd leastSquares(const Eigen::MatrixXd& A, const Eigen::VectorXd& b, double threshold = 0);
/// The same for a matrix that is decomposed already: one of the x, not the shortest.
Eigen::VectorXd solution(const Eigen::ColPivHouseholderQR<Eigen::MatrixXd>& A, const Eigen::VectorXd& b);

/// X <- Q X and X <- Q^T X with the orthogonal factor. Allocate.
void applyQ(const Eigen::ColPivHouseholderQR<Eigen::MatrixXd>& qr, Eigen::MatrixXd& X);
void applyQ(const Eigen::ColPivHouseholderQR<Eigen::MatrixXd>& qr, Eigen::VectorXd& x);
void applyQTransposed(const Eigen::ColPivHouseholderQR<Eigen::MatrixXd>& qr, Eigen::VectorXd& x);
/// Orthonormal columns that span those of A, which are independent.
Eigen::MatrixXd orthonormalised(const Eigen::MatrixXd& A);
/// Orthonormal columns that span what is orthogonal to the columns of A, n x m with m <= n and independent: n x (n - m).
Eigen::MatrixXd orthogonalComplement(const Eigen::MatrixXd& A);

} // namespace driftless::solve
