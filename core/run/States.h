// Consistent states of a model: where a run starts, and what a command makes of the state that it meets. One leaf for
// mechanisms, which have positions, velocities and an energy, and one for the values of a general DAE.
#pragma once

#include <memory>
#include <vector>

#include "core/formulation/CompiledDae.h"
#include "core/run/Metrics.h"
#include "core/run/Settings.h"
#include "core/system/State.h"

namespace driftless::run {

/// Which levels a change restores; lambda always is.
struct Levels {
    bool position = false;
    bool velocity = false;
};

/// How far a change has moved a state: the largest changes of positions (or of values) and of velocities.
struct Moved {
    double positions = 0, velocities = 0;
};

class States {
public:
    /// The metrics evaluate and outlive this.
    States(std::shared_ptr<const model::CompiledSystem> system, Metrics& metrics)
        : system_(std::move(system)), metrics_(metrics)
    {
    }
    virtual ~States() = default;
    States(const States&) = delete;
    States& operator=(const States&) = delete;
    static std::unique_ptr<States> of(std::shared_ptr<const model::CompiledSystem> system, Metrics& metrics);

    /// Parameters of the file and of the settings; refuses names that are none, and values out of their range.
    Result<std::vector<double>> parameters(const StartSettings& from) const;
    /// At t = 0; the metrics take the parameters. change: the largest correction of a start value.
    Result<model::ModelState> start(const StartSettings& from, const std::vector<double>& parameters, double& change);
    /// Restores levels of the constraints at the metrics' parameters. determined: accelerations and multipliers follow from
    /// positions and velocities, else they are as they shall be.
    Result<void> restore(const Levels& levels, bool determined, model::ModelState& state, Moved& moved);
    /// Which levels a change of parameters disturbs: those whose residual it changes at the same state. The metrics' evaluator
    /// has the parameters after the change then, or those in force where it is refused.
    Result<Levels> disturbed(const model::ModelState& state, const std::vector<double>& before,
                             const std::vector<double>& after, const std::vector<double>& inForce);

    /// Of a form whose dummies are chosen: values that follow from those that are integrated.
    virtual Result<void> complete(const formulation::DaeInstance& instance, model::ModelState& state, double& change) = 0;
    /// The state with values set by hand, made consistent; or an earlier state as it was recorded, of which only the levels
    /// that the form enforces are restored.
    virtual Result<model::ModelState> set(const SetState& command, const model::ModelState& now,
                                          const formulation::Enforces& enforces) = 0;
    /// Behind a corner of an input: what is integrated stays where the equations allow it, else it moves as little as possible.
    virtual Result<model::ModelState> behindCorner(const model::ModelState& state) { return state; }
    virtual Moved between(const model::ModelState& before, const model::ModelState& after) const = 0;
    /// Whether there is an energy whose balance starts afresh where the state or a parameter is set.
    virtual bool hasEnergy() const = 0;

protected:
    const model::CompiledSystem& system() const { return *system_; }
    Metrics& metrics() { return metrics_; }

private:
    virtual Result<model::ModelState> consistent(const StartSettings& from, const std::vector<double>& parameters,
                                                 double& change) = 0;
    virtual bool solvesAccelerations() const = 0;

    std::shared_ptr<const model::CompiledSystem> system_;
    Metrics& metrics_;
};

} // namespace driftless::run
