// Whether a run gets on.
//
//   collapse   100 steps in a row below 1e-9 of the longest, or 1e-3 of it near a singular pinned selection: a restart needs
//              far fewer short steps to recover
//   window     1000 steps that bring less than 1e-6 of what the best 1000 did
//   creeping   three windows in a row with a mean step below 1e-5 of the longest (or of a tenth of the time scale) and at least
//              one failed attempt for six steps: a right-hand side that jumps back as soon as it has been stepped over leaves
//              every single step healthy, since steps grow again whenever one is over the jump; a fast phase of a motion has
//              some hundred steps and few failures
#pragma once

#include "core/run/Monitor.h"

namespace driftless::run {

class ProgressMonitor final : public Monitor {
public:
    ProgressMonitor() : Monitor(Turn::AfterRow) {}

private:
    void restart(const Observation& row, MonitorProbe& probe) override;
    Verdict look(const Observation& row, MonitorProbe& probe) override;
    bool collapses(const Observation& row);
    bool endsWindow(const Observation& row, Standstill& found);
    bool creeps(const Observation& row, double advance);

    double windowStart_ = 0, bestAdvance_ = 0; ///< [s]
    double longestStep_ = 0;                   ///< [s]
    std::uint64_t windowSteps_ = 0, tinySteps_ = 0;
    std::uint64_t windowRejected_ = 0; ///< of the run when the window began
    int creepingWindows_ = 0;          ///< in a row
};

} // namespace driftless::run
