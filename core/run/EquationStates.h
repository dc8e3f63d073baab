// Consistent values of a general DAE: values that are given stay where the equations allow it.
#pragma once

#include <functional>

#include "core/reduction/Events.h"
#include "core/run/States.h"

namespace driftless::run {

class EquationStates final : public States {
public:
    EquationStates(std::shared_ptr<const model::CompiledSystem> system, Metrics& metrics);

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
    Result<void> hold(const std::vector<double>& parameters, const std::function<Result<void>(std::vector<double>&)>& solve,
                      std::vector<double>& values);
    bool heldBeforeSolving(const std::vector<double>& given, std::vector<double>& values);
    struct StartWeights {
        const std::vector<double>&kept, &moved;
        const std::vector<char>& guessed; ///< nobody has stated them
        bool relations = true;            ///< initial equations count
        bool asItStands = false;          ///< what is given is not moved, met or not
    };
    void letRest(std::vector<double>& y, const StartWeights& weights, bool each);
    Result<void> keepGiven(std::vector<double>& y, const StartWeights& weights);
    Result<void> solveStart(std::vector<double>& y, const StartWeights& weights);
    void keepWhole(std::vector<double>& values) const;

    std::unique_ptr<reduction::EventEvaluator> events_; ///< null: nothing happens
};

} // namespace driftless::run
