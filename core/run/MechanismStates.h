// Consistent states of a mechanism: positions on g = 0, velocities on g' = 0, accelerations and multipliers that follow.
#pragma once

#include "core/consistency/Nearest.h"
#include "core/run/States.h"
#include "core/solve/DenseDecompositions.h"

namespace driftless::run {

class MechanismStates final : public States {
public:
    MechanismStates(std::shared_ptr<const model::CompiledSystem> system, Metrics& metrics);

    Result<void> complete(const formulation::DaeInstance&, model::ModelState&, double&) override { return {}; }
    Result<model::ModelState> set(const SetState& command, const model::ModelState& now,
                                  const formulation::Enforces& enforces) override;
    Moved between(const model::ModelState& before, const model::ModelState& after) const override;
    /// With the velocities behind a kink of an input that moves the coordinates of a Lagrangian model.
    Result<model::ModelState> behindCorner(const model::ModelState& state) override;
    bool hasEnergy() const override { return true; }

private:
    Result<model::ModelState> consistent(const StartSettings& from, const std::vector<double>& parameters,
                                         double& change) override;
    bool solvesAccelerations() const override { return true; }
    Result<void> refuseMisfit(const consistency::Request& request, const std::vector<double>& parameters);
    Result<model::ModelState> recorded(consistency::NearestRequest& wanted, const formulation::Enforces& enforces);

    Eigen::VectorXd momenta(const model::ModelState& state, double t);

    std::vector<double> jacobian_;    ///< nonzeros of G
    std::vector<expr::Expr> momenta_; ///< dT/dv of a Lagrangian model, once they were asked for
};

} // namespace driftless::run
