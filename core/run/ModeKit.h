// What a run needs of one system of equations: what measures, selects, judges and makes cores for it. A model without events
// has one; else there is one for each mode that was in force, made when the mode is first entered and kept.
#pragma once

#include <memory>
#include <vector>

#include "core/run/ConstraintMatrices.h"
#include "core/run/CoreMaker.h"
#include "core/run/DrivenSteps.h"
#include "core/run/FailureReasons.h"
#include "core/run/Gesture.h"
#include "core/run/Metrics.h"
#include "core/run/Monitors.h"
#include "core/run/Planner.h"
#include "core/run/Published.h"
#include "core/run/Recorder.h"
#include "core/run/Refusals.h"
#include "core/run/RowProbe.h"
#include "core/run/Selector.h"
#include "core/run/States.h"
#include "core/run/Stepper.h"

namespace driftless::run {

struct ModeKit {
    /// Of the run, which outlives this.
    struct Shared {
        const Recorder& recorder;
        const Published& published;
        const Stepper& stepper;
        const Gesture& gesture;
        const model::ModelState &previous, &now;
    };
    /// inBase: where each number of ModelState::lambda of the base stands here; empty: at the same place.
    ModeKit(std::shared_ptr<const model::CompiledSystem> compiled, const Shared& shared, std::vector<int> inBase);
    ModeKit(const ModeKit&) = delete;
    ModeKit& operator=(const ModeKit&) = delete;

    /// From the order of the base to the one here, and back.
    std::vector<double> fromBase(std::span<const double> lambda) const;
    std::vector<double> toBase(std::span<const double> lambda) const;
    /// A state of the base as one of this mode: what is idle in it has no force.
    model::ModelState fromBase(model::ModelState at) const;

    std::shared_ptr<const model::CompiledSystem> system;
    std::vector<int> places;
    Metrics metrics;
    ConstraintMatrices matrices;
    FailureReasons reasons;
    std::unique_ptr<Selector> selector;
    std::unique_ptr<States> states;
    Refusals refusals;
    CoreMaker maker;
    Planner planner;
    RowProbe probe;
    Monitors monitors;
    DrivenSteps driven;
    std::unique_ptr<Core> left; ///< that was in force when the mode was left: its form is compiled
};

} // namespace driftless::run
