// Eigen's dense decompositions, instantiated once: whoever needs one includes this header in place of Eigen/Dense, and the
// thousands of lines behind each are compiled in DenseDecompositions.cpp alone. So are the solutions and orthogonal factors
// below, which are templates of their own in Eigen: written out where they are used, each would take seconds to compile.
#pragma once

#include <Eigen/Dense>

#ifndef DRIFTLESS_INSTANTIATION // DenseDecompositions.cpp instantiates what others are told of
#define DRIFTLESS_INSTANTIATION extern template
#endif

DRIFTLESS_INSTANTIATION class Eigen::JacobiSVD<Eigen::MatrixXd>;
DRIFTLESS_INSTANTIATION class Eigen::PartialPivLU<Eigen::MatrixXd>;
DRIFTLESS_INSTANTIATION class Eigen::FullPivLU<Eigen::MatrixXd>;
DRIFTLESS_INSTANTIATION class Eigen::HouseholderQR<Eigen::MatrixXd>;
DRIFTLESS_INSTANTIATION class Eigen::ColPivHouseholderQR<Eigen::MatrixXd>;
DRIFTLESS_INSTANTIATION class Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd>;
DRIFTLESS_INSTANTIATION class Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>;
DRIFTLESS_INSTANTIATION class Eigen::LDLT<Eigen::MatrixXd>;
DRIFTLESS_INSTANTIATION class Eigen::LLT<Eigen::MatrixXd>;
// Members that are templates themselves are not among them.
DRIFTLESS_INSTANTIATION Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>&
Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>::compute(const Eigen::EigenBase<Eigen::MatrixXd>&, int);
DRIFTLESS_INSTANTIATION Eigen::LDLT<Eigen::MatrixXd>&
Eigen::LDLT<Eigen::MatrixXd>::compute(const Eigen::EigenBase<Eigen::MatrixXd>&);
DRIFTLESS_INSTANTIATION Eigen::LLT<Eigen::MatrixXd>&
Eigen::LLT<Eigen::MatrixXd>::compute(const Eigen::EigenBase<Eigen::MatrixXd>&);

// What is behind products, triangular solutions and orthogonal factors. These have no stable names: another version of Eigen
// makes them where they are used.
#if EIGEN_WORLD_VERSION == 3 && EIGEN_MAJOR_VERSION == 4
namespace Eigen::internal {
using Columns = const_blas_data_mapper<double, Index, ColMajor>;
using Rows = const_blas_data_mapper<double, Index, RowMajor>;
using Target = blas_data_mapper<double, Index, ColMajor>;
using Kernel = gebp_traits<double, double>;
using Reflectors = Block<MatrixXd, Dynamic, Dynamic, false>;
using Factor = Matrix<double, Dynamic, Dynamic, RowMajor>;
DRIFTLESS_INSTANTIATION struct gebp_kernel<double, double, Index, Target, Kernel::mr, Kernel::nr, false, false>;
DRIFTLESS_INSTANTIATION struct gemm_pack_lhs<double, Index, Columns, Kernel::mr, Kernel::LhsProgress, Kernel::LhsPacket4Packing,
                                             ColMajor>;
DRIFTLESS_INSTANTIATION struct gemm_pack_lhs<double, Index, Rows, Kernel::mr, Kernel::LhsProgress, Kernel::LhsPacket4Packing,
                                             RowMajor>;
DRIFTLESS_INSTANTIATION struct gemm_pack_rhs<double, Index, Columns, Kernel::nr, ColMajor>;
DRIFTLESS_INSTANTIATION struct gemm_pack_rhs<double, Index, Rows, Kernel::nr, RowMajor>;
DRIFTLESS_INSTANTIATION struct general_matrix_vector_product<Index, double, Columns, ColMajor, false, double, Columns, false>;
DRIFTLESS_INSTANTIATION struct general_matrix_vector_product<Index, double, Columns, ColMajor, false, double, Rows, false>;
DRIFTLESS_INSTANTIATION struct general_matrix_vector_product<Index, double, Rows, RowMajor, false, double, Columns, false>;
DRIFTLESS_INSTANTIATION struct general_matrix_vector_product<Index, double, Rows, RowMajor, false, double, Rows, false, 1>;
DRIFTLESS_INSTANTIATION struct triangular_solve_vector<double, double, Index, OnTheLeft, Upper, false, ColMajor>;
DRIFTLESS_INSTANTIATION struct triangular_solve_vector<double, double, Index, OnTheLeft, UnitLower, false, ColMajor>;
DRIFTLESS_INSTANTIATION struct triangular_solve_matrix<double, Index, OnTheLeft, Upper, false, ColMajor, ColMajor, 1>;
DRIFTLESS_INSTANTIATION struct triangular_solve_matrix<double, Index, OnTheLeft, UnitLower, false, ColMajor, ColMajor, 1>;
DRIFTLESS_INSTANTIATION struct triangular_matrix_vector_product<Index, UnitUpper, double, false, double, false, RowMajor, 0>;
DRIFTLESS_INSTANTIATION struct product_triangular_matrix_matrix<double, Index, UnitUpper, true, RowMajor, false, ColMajor,
                                                                false, ColMajor, 1>;
DRIFTLESS_INSTANTIATION struct product_triangular_matrix_matrix<double, Index, UnitLower, true, ColMajor, false, ColMajor,
                                                                false, ColMajor, 1>;
DRIFTLESS_INSTANTIATION struct product_triangular_matrix_matrix<double, Index, Upper, true, RowMajor, false, ColMajor, false,
                                                                ColMajor, 1>;
DRIFTLESS_INSTANTIATION struct product_triangular_matrix_matrix<double, Index, Lower, true, ColMajor, false, ColMajor, false,
                                                                ColMajor, 1>;
DRIFTLESS_INSTANTIATION void make_block_householder_triangular_factor(Factor&, const Reflectors&,
                                                                      const VectorBlock<const VectorXd>&);
DRIFTLESS_INSTANTIATION void make_block_householder_triangular_factor(Factor&, const Reflectors&,
                                                                      const Block<const VectorXd, Dynamic, 1, false>&);
DRIFTLESS_INSTANTIATION void apply_block_householder_on_the_left(Reflectors&, const Reflectors&,
                                                                 const VectorBlock<const VectorXd>&, bool);
} // namespace Eigen::internal
#endif

namespace driftless::solve {

/// The shortest x of those that bring A x nearest to b, by a complete orthogonal decomposition. threshold: pivots this much
/// below the largest count as zero; 0 is Eigen's choice, epsilon times the shorter side. Allocates.
Eigen::VectorXd leastSquares(const Eigen::MatrixXd& A, const Eigen::VectorXd& b, double threshold = 0);
/// The same for a matrix that is decomposed already: one of the x, not the shortest.
Eigen::VectorXd solution(const Eigen::ColPivHouseholderQR<Eigen::MatrixXd>& A, const Eigen::VectorXd& b);
/// A x = b, or one x for each column of B.
Eigen::VectorXd solution(const Eigen::FullPivLU<Eigen::MatrixXd>& A, const Eigen::VectorXd& b);
Eigen::MatrixXd solution(const Eigen::FullPivLU<Eigen::MatrixXd>& A, const Eigen::MatrixXd& B);

/// X <- Q X and X <- Q^T X with the orthogonal factor. Allocate.
void applyQ(const Eigen::ColPivHouseholderQR<Eigen::MatrixXd>& qr, Eigen::MatrixXd& X);
void applyQ(const Eigen::ColPivHouseholderQR<Eigen::MatrixXd>& qr, Eigen::VectorXd& x);
void applyQTransposed(const Eigen::ColPivHouseholderQR<Eigen::MatrixXd>& qr, Eigen::VectorXd& x);
/// Orthonormal columns that span those of A, which are independent.
Eigen::MatrixXd orthonormalised(const Eigen::MatrixXd& A);
/// Orthonormal columns that span what is orthogonal to the columns of A, n x m with m <= n and independent: n x (n - m).
Eigen::MatrixXd orthogonalComplement(const Eigen::MatrixXd& A);

} // namespace driftless::solve
