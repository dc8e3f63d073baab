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
    const model::NominalScales& usual = metrics_.scales();
    velocities_.setUnits(usual.moves, usual.rows);
    positions_.setUnits(usual.positions, usual.rows);
    velocities_.load(system_->jacobianPlaces(), jacobian_);
    positions_.load(system_->positionJacobianPlaces(), positionJacobian_);
    if (!throughMass)
        return true;
    return e.mass(t, q, mass_.data()) && velocities_.throughMass(system_->massPlaces(), mass_);
}

void ConstraintMatrices::loadMeasured() { velocities_.load(system_->jacobianPlaces(), metrics_.jacobian()); }

std::vector<std::string> constraintNames(const model::ConstrainedSystem& system, const std::vector<int>& rows)
{
    std::vector<std::string> out;
    for (const int constraint : rows)
        out.push_back(system.constraints[static_cast<std::size_t>(constraint)].name);
    return out;
}

} // namespace driftless::run
