// Consistent values of a general DAE: values that are given stay where the equations allow it.
#pragma once

#include "core/run/States.h"

namespace driftless::run {

class EquationStates final : public States {
public:
    using States::States;

    Result<void> complete(const formulation::DaeInstance& instance, model::ModelState& state, double& change) override;
    Result<model::ModelState> set(const SetState& command, const model::ModelState& now,
                                  const formulation::Enforces& enforces) override;
    Result<model::ModelState> behindCorner(const model::ModelState& state) override;
    Moved between(const model::ModelState& before, const model::ModelState& after) const override;
    bool hasEnergy() const override { return false; }

private:
    Result<model::ModelState> consistent(const StartSettings& from, const std::vector<double>& parameters,
                                         double& change) override;
    bool solvesAccelerations() const override { return false; }
};

} // namespace driftless::run
