#include "core/run/ConstraintMatrices.h"

namespace driftless::run {

ConstraintMatrices::ConstraintMatrices(std::shared_ptr<const model::CompiledSystem> system, Metrics& metrics)
    : system_(std::move(system)), metrics_(metrics), velocities_(system_->n(), system_->m()),
      positions_(system_->n(), system_->holonomic()), jacobian_(system_->jacobianPlaces().size()),
      positionJacobian_(system_->positionJacobianPlaces().size()), mass_(system_->massPlaces().size())
{
}

bool ConstraintMatrices::load(double t, const double* q, bool throughMass)
{
    auto& e = metrics_.evaluator();
    if (!e.jacobian(t, q, jacobian_.data()) || !e.positionJacobian(t, q, positionJacobian_.data()))
        return false;
    velocities_.setUnits(metrics_.scales().moves, metrics_.scales().rows);
    velocities_.load(system_->jacobianPlaces(), jacobian_);
    loadPositions();
    return !throughMass || loadThroughMass(t, q);
}

bool ConstraintMatrices::loadMeasured(const model::ModelState& at, bool positions, bool throughMass)
{
    const std::span<const double> measured = metrics_.jacobianAt(at.t, at.q);
    if (measured.empty())
        return load(at, throughMass);
    if (positions && !metrics_.evaluator().positionJacobian(at.t, at.q.data(), positionJacobian_.data()))
        return false;
    velocities_.setUnits(metrics_.scales().moves, metrics_.scales().rows);
    velocities_.load(system_->jacobianPlaces(), measured);
    if (positions)
        loadPositions();
    return !throughMass || loadThroughMass(at.t, at.q.data());
}

void ConstraintMatrices::loadPositions()
{
    positions_.setUnits(metrics_.scales().positions, metrics_.scales().rows);
    positions_.load(system_->positionJacobianPlaces(), positionJacobian_);
}

bool ConstraintMatrices::loadThroughMass(double t, const double* q)
{
    return metrics_.evaluator().mass(t, q, mass_.data()) && velocities_.throughMass(system_->massPlaces(), mass_);
}

std::vector<std::string> constraintNames(const model::ConstrainedSystem& system, const std::vector<int>& rows)
{
    std::vector<std::string> out;
    for (const int constraint : rows)
        out.push_back(system.constraints[static_cast<std::size_t>(constraint)].name);
    return out;
}

} // namespace driftless::run
