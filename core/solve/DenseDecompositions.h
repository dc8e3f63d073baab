// Eigen's dense decompositions, instantiated once: whoever needs one includes this header in place of Eigen/Dense, and the
// thousands of lines behind each are compiled in DenseDecompositions.cpp alone. So are the solutions and orthogonal factors
// below, which are templates of their own in Eigen: written out where they are used, each would take seconds to compile.
#pragma once

#include <Eigen/Dense>

#ifndef DRIFTLESS_INSTANTIATION // DenseDecompositions.cpp says "template": it makes what all others only declare
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
// Members that are templates themselves are not made with their class.
DRIFTLESS_INSTANTIATION Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>&
Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>::compute(const Eigen::EigenBase<Eigen::MatrixXd>&, int);
DRIFTLESS_INSTANTIATION Eigen::LDLT<Eigen::MatrixXd>&
Eigen::LDLT<Eigen::MatrixXd>::compute(const Eigen::EigenBase<Eigen::MatrixXd>&);
DRIFTLESS_INSTANTIATION Eigen::LLT<Eigen::MatrixXd>&
Eigen::LLT<Eigen::MatrixXd>::compute(const Eigen::EigenBase<Eigen::MatrixXd>&);

// What is behind products, triangular solutions and orthogonal factors. These have no stable names: another version of Eigen
// makes them where they are used.
#if EIGEN_WORLD_VERSION == 3 && EIGEN_MAJOR_VERSION == 4 && EIGEN_MINOR_VERSION < 90
namespace driftless::eigen {
using Columns = Eigen::internal::const_blas_data_mapper<double, Eigen::Index, Eigen::ColMajor>;
using Rows = Eigen::internal::const_blas_data_mapper<double, Eigen::Index, Eigen::RowMajor>;
using Target = Eigen::internal::blas_data_mapper<double, Eigen::Index, Eigen::ColMajor>;
using Kernel = Eigen::internal::gebp_traits<double, double>;
using Reflectors = Eigen::Block<Eigen::MatrixXd, Eigen::Dynamic, Eigen::Dynamic, false>;
using Factor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
} // namespace driftless::eigen
DRIFTLESS_INSTANTIATION struct Eigen::internal::gebp_kernel<double, double, Eigen::Index, driftless::eigen::Target,
                                                            driftless::eigen::Kernel::mr, driftless::eigen::Kernel::nr, false,
                                                            false>;
DRIFTLESS_INSTANTIATION struct Eigen::internal::gemm_pack_lhs<
    double, Eigen::Index, driftless::eigen::Columns, driftless::eigen::Kernel::mr, driftless::eigen::Kernel::LhsProgress,
    driftless::eigen::Kernel::LhsPacket4Packing, Eigen::ColMajor>;
DRIFTLESS_INSTANTIATION struct Eigen::internal::gemm_pack_lhs<
    double, Eigen::Index, driftless::eigen::Rows, driftless::eigen::Kernel::mr, driftless::eigen::Kernel::LhsProgress,
    driftless::eigen::Kernel::LhsPacket4Packing, Eigen::RowMajor>;
DRIFTLESS_INSTANTIATION struct Eigen::internal::gemm_pack_rhs<double, Eigen::Index, driftless::eigen::Columns,
                                                              driftless::eigen::Kernel::nr, Eigen::ColMajor>;
DRIFTLESS_INSTANTIATION struct Eigen::internal::gemm_pack_rhs<double, Eigen::Index, driftless::eigen::Rows,
                                                              driftless::eigen::Kernel::nr, Eigen::RowMajor>;
DRIFTLESS_INSTANTIATION struct Eigen::internal::general_matrix_vector_product<
    Eigen::Index, double, driftless::eigen::Columns, Eigen::ColMajor, false, double, driftless::eigen::Columns, false>;
DRIFTLESS_INSTANTIATION struct Eigen::internal::general_matrix_vector_product<
    Eigen::Index, double, driftless::eigen::Columns, Eigen::ColMajor, false, double, driftless::eigen::Rows, false>;
DRIFTLESS_INSTANTIATION struct Eigen::internal::general_matrix_vector_product<
    Eigen::Index, double, driftless::eigen::Rows, Eigen::RowMajor, false, double, driftless::eigen::Columns, false>;
DRIFTLESS_INSTANTIATION struct Eigen::internal::general_matrix_vector_product<
    Eigen::Index, double, driftless::eigen::Rows, Eigen::RowMajor, false, double, driftless::eigen::Rows, false, 1>;
DRIFTLESS_INSTANTIATION struct Eigen::internal::triangular_solve_vector<double, double, Eigen::Index, Eigen::OnTheLeft,
                                                                        Eigen::Upper, false, Eigen::ColMajor>;
DRIFTLESS_INSTANTIATION struct Eigen::internal::triangular_solve_vector<double, double, Eigen::Index, Eigen::OnTheLeft,
                                                                        Eigen::UnitLower, false, Eigen::ColMajor>;
DRIFTLESS_INSTANTIATION struct Eigen::internal::triangular_solve_matrix<double, Eigen::Index, Eigen::OnTheLeft, Eigen::Upper,
                                                                        false, Eigen::ColMajor, Eigen::ColMajor, 1>;
DRIFTLESS_INSTANTIATION struct Eigen::internal::triangular_solve_matrix<
    double, Eigen::Index, Eigen::OnTheLeft, Eigen::UnitLower, false, Eigen::ColMajor, Eigen::ColMajor, 1>;
DRIFTLESS_INSTANTIATION struct Eigen::internal::triangular_matrix_vector_product<Eigen::Index, Eigen::UnitUpper, double, false,
                                                                                 double, false, Eigen::RowMajor, 0>;
DRIFTLESS_INSTANTIATION struct Eigen::internal::product_triangular_matrix_matrix<
    double, Eigen::Index, Eigen::UnitUpper, true, Eigen::RowMajor, false, Eigen::ColMajor, false, Eigen::ColMajor, 1>;
DRIFTLESS_INSTANTIATION struct Eigen::internal::product_triangular_matrix_matrix<
    double, Eigen::Index, Eigen::UnitLower, true, Eigen::ColMajor, false, Eigen::ColMajor, false, Eigen::ColMajor, 1>;
DRIFTLESS_INSTANTIATION struct Eigen::internal::product_triangular_matrix_matrix<
    double, Eigen::Index, Eigen::Upper, true, Eigen::RowMajor, false, Eigen::ColMajor, false, Eigen::ColMajor, 1>;
DRIFTLESS_INSTANTIATION struct Eigen::internal::product_triangular_matrix_matrix<
    double, Eigen::Index, Eigen::Lower, true, Eigen::ColMajor, false, Eigen::ColMajor, false, Eigen::ColMajor, 1>;
DRIFTLESS_INSTANTIATION void
Eigen::internal::make_block_householder_triangular_factor(driftless::eigen::Factor&, const driftless::eigen::Reflectors&,
                                                          const Eigen::VectorBlock<const Eigen::VectorXd>&);
DRIFTLESS_INSTANTIATION void
Eigen::internal::make_block_householder_triangular_factor(driftless::eigen::Factor&, const driftless::eigen::Reflectors&,
                                                          const Eigen::Block<const Eigen::VectorXd, Eigen::Dynamic, 1, false>&);
DRIFTLESS_INSTANTIATION void
Eigen::internal::apply_block_householder_on_the_left(driftless::eigen::Reflectors&, const driftless::eigen::Reflectors&,
                                                     const Eigen::VectorBlock<const Eigen::VectorXd>&, bool);
#endif
#undef DRIFTLESS_INSTANTIATION

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
