// States from which a form cannot be integrated, whatever its integrator.
#pragma once

#include <string>
#include <vector>

#include "core/run/ConstraintMatrices.h"
#include "core/run/Settings.h"
#include "core/system/DependentRows.h"

namespace driftless::run {

class Refusals {
public:
    /// matrices, and the metrics behind them: with the parameters at which a state is judged.
    explicit Refusals(ConstraintMatrices& matrices);

    /// What is known of the rows set aside, with the parameters of the start.
    void take(const model::SetAsideWalk& walk) { walk_ = walk; }
    const model::SetAsideWalk& walk() const { return walk_; }

    /// Refuses unknown formulations and options, constraints that no longer follow from others, redundant ones where the form
    /// divides by them, and masses that cannot be inverted where it solves with them alone.
    Result<void> refuse(const RunSettings& settings, const model::ModelState& from);

private:
    Result<void> setAside(const model::ModelState& at);
    Result<void> redundant(const std::string& formulation, const model::ModelState& from);
    Result<void> singularMass(const RunSettings& settings, const model::ModelState& from);
    const model::CompiledSystem& system() const { return matrices_.system(); }
    Metrics& metrics() { return matrices_.metrics(); }

    ConstraintMatrices& matrices_;
    model::SetAsideWalk walk_;
    std::vector<double> mass_;     ///< nonzeros of M
    std::vector<double> followed_; ///< parameters with which rows on velocities that were set aside follow
};

/// "A.y, B.tilt1 and 3 more": the rows that were set aside.
std::string namesOfSetAside(const model::ConstrainedSystem& system);

} // namespace driftless::run
