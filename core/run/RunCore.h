// What a command replaces in a run: the compiled form with its integrator, and a change that is worked out but not yet in
// force.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/run/Run.h"
#include "core/structure/DummySelection.h"

namespace driftless::run {

/// What a switch of formulation, integrator or pivot replaces as a whole.
struct Core {
    RunSettings settings;
    std::vector<double> parameters;
    std::shared_ptr<const formulation::CompiledDae> dae;
    std::unique_ptr<formulation::DaeInstance> instance;
    std::unique_ptr<integrate::Integrator> integrator; ///< refers to instance, so it goes first
    bool lambdaGiven = false;                          ///< the form carries the multipliers
    bool pinned = false;
    structure::DummySelection selection; ///< of a general DAE: which derivatives are dummies
    double projected = 0;                ///< size of the last projection [coordinates' units]
    model::ModelState scratch;

    const formulation::Dae& form() const { return dae->dae(); }
};

/// Which levels a change restores; lambda always is.
struct Levels {
    bool position = false;
    bool velocity = false;
};

/// A command worked out but not yet in force: committing it cannot fail.
struct Pending {
    std::unique_ptr<Core> core; ///< null: stays, changed in place
    model::ModelState state;
    Levels levels;
    double positionChange = 0, velocityChange = 0;
    bool restartsBalance = false;
    ValuesCorrected corrected;          ///< what had to give way; empty: the sizes of the changes say enough
    std::optional<StartSettings> start; ///< the new start that it brings
};

} // namespace driftless::run
