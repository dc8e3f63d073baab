// What a failure means in the model's own words, and what to try: outcomes of the integrator, causes that a monitor has found,
// states that are no numbers.
#pragma once

#include <optional>
#include <string>

#include "core/run/Advice.h"
#include "core/run/ConstraintMatrices.h"
#include "core/run/Monitor.h"
#include "core/run/Recorder.h"
#include "core/run/Selector.h"
#include "core/run/Stepper.h"

namespace driftless::run {

class FailureReasons {
public:
    /// What it looks at; borrowed.
    struct Parts {
        ConstraintMatrices& matrices;
        const Stepper& stepper;
        const Recorder& recorder;
    };
    explicit FailureReasons(const Parts& parts);

    /// A step that failed at a state.
    Diagnostic ofStep(const integrate::StepOutcome& outcome, Selector& selector, const model::ModelState& state);
    /// What a monitor has found in the row from `before` to `state`.
    Diagnostic ofCause(const StopCause& cause, Selector& selector, const model::ModelState& before,
                       const model::ModelState& state);
    /// The state after a step to t is no number any more, and the run is back at `state`.
    Diagnostic notFinite(double t, const model::ModelState& state);
    /// The row at t cannot be measured, and the run is back at `state`.
    Diagnostic notMeasured(double t, const std::string& why, const model::ModelState& state);
    /// Loss of rank of W at a state, with the joints that lose their independence.
    std::optional<Diagnostic> singularConfiguration(const model::ModelState& state);

private:
    bool energyGone();
    const Core& core() const { return parts_.stepper.core(); }
    const model::CompiledSystem& system() const { return parts_.matrices.system(); }
    Metrics& metrics() { return parts_.matrices.metrics(); }
    std::string advice(Trouble trouble, double t, double step = 0) const;
    bool suspectsPivot(const Selector& selector) const;
    std::string weakJoints(const model::ModelState& state, double& ratio);
    std::optional<Diagnostic> badlySetAside(const model::ModelState& state, const std::string& joints);
    double usualRatio(double t);
    std::optional<Diagnostic> lostRank(const model::ModelState& state);
    std::optional<Diagnostic> singularRates(const model::ModelState& state);
    Diagnostic rateDiagnostic(const model::ModelState& at) const;
    std::optional<Diagnostic> swingingVelocities(const integrate::StepOutcome& outcome, const model::ModelState& state);
    Diagnostic jumped(const RatesJumped& jump, const model::ModelState& before, const model::ModelState& state) const;
    Diagnostic leftSetAside(const LeftSetAside& left, double t) const;

    Parts parts_;
    std::vector<double> past_; ///< positions of a row
};

} // namespace driftless::run
