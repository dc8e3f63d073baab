#include "core/consistency/ContactRows.h"

#include <cmath>
#include <utility>

namespace driftless::consistency {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

} // namespace

double noMass(const MatrixXd& M)
{
    constexpr double kNoMass = 1e-14; // of the largest
    return M.rows() > 0 ? kNoMass * M.diagonal().maxCoeff() : 0;
}

VectorXd massUnits(const MatrixXd& M)
{
    VectorXd out = VectorXd::Ones(M.rows());
    const double none = noMass(M);
    for (Index i = 0; i < M.rows(); ++i)
        if (M(i, i) > none)
            out(i) = 1 / std::sqrt(M(i, i));
    return out;
}

void Constrained::factor(const MatrixXd& M, const MatrixXd& B)
{
    n_ = M.rows();
    const Index size = n_ + B.rows();
    MatrixXd K = MatrixXd::Zero(size, size);
    K.topLeftCorner(n_, n_) = M;
    K.bottomLeftCorner(B.rows(), n_) = B;
    K.topRightCorner(n_, B.rows()) = B.transpose();
    scale_ = VectorXd::Ones(size);
    scale_.head(n_) = massUnits(M);
    for (Index i = 0; i < B.rows(); ++i) {
        const double length = (B.row(i).transpose().cwiseProduct(scale_.head(n_))).norm();
        scale_(n_ + i) = length > 0 ? 1 / length : 1;
    }
    factors_.compute(scale_.asDiagonal() * K * scale_.asDiagonal());
}

VectorXd Constrained::solve(const VectorXd& right) const
{
    const VectorXd scaled = scale_.asDiagonal() * right;
    return scale_.asDiagonal() * factors_.solve(scaled);
}

VectorXd Constrained::response(const VectorXd& w) const
{
    VectorXd right = VectorXd::Zero(scale_.size());
    right.head(n_) = w;
    return solve(right);
}

RowSpan::RowSpan(VectorXd units, const MatrixXd& rows, double share) : units_(std::move(units)), share_(share)
{
    for (Index i = 0; i < rows.rows(); ++i)
        take(rows.row(i).transpose());
}

VectorXd RowSpan::left(const VectorXd& row) const
{
    VectorXd out = units_.cwiseProduct(row);
    const double length = out.norm();
    for (int twice = 0; twice < 2; ++twice) // the second time takes what round-off has left
        for (const VectorXd& direction : basis_)
            out -= direction.dot(out) * direction;
    const double rest = out.norm();
    return rest > share_ * length ? VectorXd(out / rest) : VectorXd();
}

bool RowSpan::take(const VectorXd& row)
{
    VectorXd own = left(row);
    if (own.size() == 0)
        return false;
    basis_.push_back(std::move(own));
    return true;
}

} // namespace driftless::consistency
