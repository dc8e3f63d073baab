// Eigen's dense decompositions, instantiated once: whoever needs one includes this header in place of Eigen/Dense, and the
// thousands of lines behind each are compiled in DenseDecompositions.cpp alone.
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
