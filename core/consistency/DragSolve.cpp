#include "core/consistency/DragSolve.h"

namespace driftless::consistency {

using Eigen::Index;

DragSolve::DragSolve(std::shared_ptr<const model::CompiledSystem> system) : system_(std::move(system))
{
    values_.resize(system_->dragPlaces().size());
    for (const solve::MatrixPlace& place : system_->dragPlaces()) // row by row
        if (rows_.empty() || rows_.back() != place.row)
            rows_.push_back(place.row);
    const auto count = static_cast<Index>(rows_.size());
    response_.setZero(system_->n() + system_->m(), count);
    matrix_.setZero(count, count);
    multipliers_ = free_ = Eigen::VectorXd::Zero(count);
    if (any())
        lu_ = Eigen::PartialPivLU<Eigen::MatrixXd>(count);
}

void DragSolve::subtract(const double* lambda, Eigen::VectorXd& force) const
{
    const auto places = system_->dragPlaces();
    for (std::size_t k = 0; k < places.size(); ++k)
        force(places[k].column) -= values_[k] * lambda[places[k].row];
}

bool DragSolve::correct(SaddlePoint& factors, Eigen::VectorXd& x)
{
    if (!any())
        return true;
    const auto places = system_->dragPlaces();
    response_.setZero();
    for (std::size_t k = 0, column = 0; k < places.size(); ++k) {
        while (rows_[column] != places[k].row)
            ++column;
        response_(places[k].column, static_cast<Index>(column)) += values_[k];
    }
    for (Index c = 0; c < response_.cols(); ++c)
        factors.solve(response_.col(c).data());
    for (Index r = 0; r < response_.cols(); ++r) {
        const Index row = system_->n() + rows_[static_cast<std::size_t>(r)];
        free_(r) = x(row);
        for (Index c = 0; c < response_.cols(); ++c)
            matrix_(r, c) = (r == c ? 1 : 0) + response_(row, c);
    }
    lu_.compute(matrix_);
    multipliers_ = lu_.solve(free_);
    x.noalias() -= response_ * multipliers_;
    return x.allFinite();
}

} // namespace driftless::consistency
