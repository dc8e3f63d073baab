// Works commands out: from what is asked to an intent, and from an intent, where it acts, to a plan (Plan.h).
#pragma once

#include "core/run/CoreMaker.h"
#include "core/run/Gesture.h"
#include "core/run/Plan.h"
#include "core/run/Published.h"
#include "core/run/Recorder.h"
#include "core/run/Selector.h"
#include "core/run/States.h"
#include "core/run/Stepper.h"

namespace driftless::run {

class Planner {
public:
    /// What a command is worked out from; borrowed. Only the metrics behind them take the parameters of a plan, and whoever
    /// drops a plan gives them the old ones back.
    struct Parts {
        const model::CompiledSystem& system;
        Metrics& metrics;
        States& states;
        CoreMaker& maker;
        const Selector& selector;
        const Stepper& stepper;
        const Recorder& recorder;
        const Published& published;
        const Gesture& gesture;
        const std::vector<int>* places = nullptr; ///< where the recorded multipliers stand in this mode; null or empty: alike
    };
    explicit Planner(const Parts& parts) : parts_(parts) {}

    /// Refuses what cannot be carried out whatever the state (Intent.cpp).
    Result<Intent> intend(const CommandPayload& payload) const;
    /// To begin afresh at the same state.
    Intent restart() const;
    /// The same behind a corner of an input, with the levels that the form enforces where a constraint moves with t.
    Intent atCorner() const;
    /// At the state where the command acts.
    Result<Plan> plan(Intent&& intent, const model::ModelState& now);

private:
    Parts parts_;
};

} // namespace driftless::run
