// What integrates a run: a compiled form with values for its parameters, and the integrator on it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/formulation/CompiledDae.h"
#include "core/integrate/Integrator.h"
#include "core/run/Settings.h"
#include "core/structure/DummySelection.h"
#include "core/system/NominalScales.h"
#include "core/system/State.h"

namespace driftless::run {

/// Which derivatives are dummies, and who says so.
struct DummyChoice {
    formulation::Dummies dummies;
    structure::DummySelection selection; ///< of a general DAE
    bool pinned = false;
};

/// Numbers that a core can take without being built again: no row, no tape and no integrator is made.
struct Tuning {
    RunSettings settings{}; ///< with the formulation, options of the formulation and integrator that are in force
    std::vector<double> parameters{}, gains{};
    DummyChoice choice{};
    std::vector<double> unknowns{}, rates{}; ///< where the integrator starts
};

struct Core {
    RunSettings settings;
    std::vector<double> parameters;
    std::shared_ptr<const formulation::CompiledDae> dae;
    std::unique_ptr<formulation::DaeInstance> instance;
    std::shared_ptr<model::NominalScales> scales;      ///< in which the integrator counts
    std::unique_ptr<integrate::Integrator> integrator; ///< refers to instance and scales, so it goes first
    bool lambdaGiven = false;                          ///< the form carries the multipliers
    bool lambdaStated = false;                         ///< they are the form's own, as those of penalty and baumgarte
    bool pinned = false;
    structure::DummySelection selection; ///< of a general DAE: which derivatives are dummies
    double projected = 0;                ///< size of the last projection [coordinates' units]
    model::ModelState scratch;
    std::vector<double> positionRows, velocityRows; ///< of the projection's threshold

    const formulation::Dae& form() const { return dae->dae(); }
    /// Starts the integrator at a state of the model; where it cannot, why says so.
    bool enter(const model::ModelState& from, std::string& why);
    /// Puts numbers in force that were tried at this state before, and starts the integrator there as a new one would start. An
    /// error where the basis or the integrator refuses here what was tried: the numbers are in force then, and the integrator
    /// has not started.
    Result<void> retune(Tuning&& tuning, const model::ModelState& at, const model::NominalScales& sizes);
};

/// Unknowns and rates of a form at a state of the model. sizes: in which unknowns are solved for of which the state says
/// nothing.
bool startOf(formulation::DaeInstance& instance, const model::NominalScales& sizes, const model::ModelState& from,
             std::vector<double>& unknowns, std::vector<double>& rates, std::string& why);

Diagnostic basisRefused(const formulation::DaeInstance& instance, double t);

} // namespace driftless::run
