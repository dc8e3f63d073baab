// Inside of a run: its parts, and how they play together. Every part is a class with a header of its own and sees of the others
// only what it is handed; shared by the files Run*.cpp of this room.
#pragma once

#include <algorithm>

#include "core/run/ConstraintMatrices.h"
#include "core/run/CoreMaker.h"
#include "core/run/FailureReasons.h"
#include "core/run/Gesture.h"
#include "core/run/Metrics.h"
#include "core/run/Monitors.h"
#include "core/run/Planner.h"
#include "core/run/Published.h"
#include "core/run/Recorder.h"
#include "core/run/Refusals.h"
#include "core/run/RowProbe.h"
#include "core/run/Run.h"
#include "core/run/Selector.h"
#include "core/run/States.h"
#include "core/run/Stepper.h"

namespace driftless::run {

struct Run::Impl {
    Impl(std::shared_ptr<const model::CompiledSystem> compiled, std::uint64_t budget);
    Result<void> begin(const StartSettings& start, const RunSettings& settings);

    // Stepping (RunStep.cpp)
    bool step(double tStop);
    bool read(); ///< the state from the integrator; false where that failed the run
    bool acceptStep(double tStop);
    bool acceptRow();
    /// The state as it stands becomes a row: before anything that builds on what is measured of it. False when that failed the
    /// run.
    bool settle() { return sinceRow == 0 || published.failed() || acceptRow(); }
    void approachSingularity();
    void followSelection();
    bool ask(Monitor::Turn turn, int steps); ///< the monitors; false where one of them has ended the run
    void beginMonitors();
    void appendRow();
    void publish();
    void judgeExchanges();
    void fallBack();
    void fail(Diagnostic diagnostic, bool stuck = false);

    // Commands (RunCommands.cpp)
    Result<void> replay(const Command& command, const std::function<bool()>& told);
    void restartHere(RestartCause cause);
    void commit(Plan&& plan);
    void adopt(Plan&& plan);

    std::shared_ptr<const model::CompiledSystem> system;
    model::ModelState state, previous; ///< now; of the last row, or of the step before where every step is one
    int sinceRow = 0;                  ///< accepted steps that are not recorded
    std::uint64_t pivots = 0;
    ResidualNorms maxNorms;
    std::vector<Command> restarts; ///< that were not asked for, since they were taken

    Metrics metrics;
    ConstraintMatrices matrices;
    Recorder recorder;
    Published published;
    Stepper stepper;
    FailureReasons reasons;
    std::unique_ptr<Selector> selector;
    std::unique_ptr<States> states;
    Refusals refusals;
    CoreMaker maker;
    Gesture gesture;
    Planner planner;
    RowProbe probe;
    Monitors monitors;
};

/// The larger norms of both.
inline ResidualNorms largerOf(const ResidualNorms& a, const ResidualNorms& b)
{
    return {.position = std::max(a.position, b.position),
            .velocity = std::max(a.velocity, b.velocity),
            .acceleration = std::max(a.acceleration, b.acceleration),
            .setAside = std::max(a.setAside, b.setAside)};
}

} // namespace driftless::run
