// W and G of the constraints at a point, as selections of their columns are judged: of W for the velocities, of G for the
// positions.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/formulation/Pivot.h"
#include "core/run/Metrics.h"
#include "core/run/RateRank.h"
#include "core/system/CompiledSystem.h"
#include "core/system/State.h"

namespace driftless::run {

class ConstraintMatrices {
public:
    /// metrics: evaluates, and knows nominal sizes; outlives this.
    ConstraintMatrices(std::shared_ptr<const model::CompiledSystem> system, Metrics& metrics);

    /// In nominal sizes. throughMass: W M^-1 in place of W. False where they cannot be computed.
    bool load(double t, const double* q, bool throughMass = false);
    bool load(const model::ModelState& at, bool throughMass = false) { return load(at.t, at.q.data(), throughMass); }
    /// The same with W as the metrics have measured it, where this is the state they measured last; G where positions are
    /// judged, else what was loaded of it may stay.
    bool loadMeasured(const model::ModelState& at, bool positions, bool throughMass);

    // What was loaded last; who judges rows in another way loads anew.
    formulation::PivotChooser& velocities() { return velocities_; } ///< W, m x n
    formulation::PivotChooser& positions() { return positions_; }   ///< G, h x n

    RateRank& rates() { return rates_; } ///< [G; L], loaded by whoever asks

    const model::CompiledSystem& system() const { return *system_; }
    const std::shared_ptr<const model::CompiledSystem>& systemHandle() const { return system_; }
    Metrics& metrics() { return metrics_; }

private:
    void loadPositions();
    bool loadThroughMass(double t, const double* q);

    std::shared_ptr<const model::CompiledSystem> system_;
    Metrics& metrics_;
    formulation::PivotChooser velocities_, positions_;
    RateRank rates_;
    std::vector<double> jacobian_, positionJacobian_, mass_;
};

/// Full names of constraints by their rows.
std::vector<std::string> constraintNames(const model::ConstrainedSystem& system, const std::vector<int>& rows);

} // namespace driftless::run
