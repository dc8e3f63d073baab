// The monitors of a run: made for its model, begun and asked together.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/run/Monitor.h"
#include "core/run/Published.h"
#include "core/system/CompiledSystem.h"
#include "core/system/DependentRows.h"

namespace driftless::run {

class Monitors {
public:
    Monitors() = default; ///< none
    /// walk: what is known of the rows set aside.
    Monitors(const model::CompiledSystem& system, const model::SetAsideWalk& walk);

    /// From here on the run is judged against this row. Nobody watches before.
    void begin(const Observation& row, MonitorProbe& probe);
    /// Asks those of a turn, tells their warnings, and ends with the first one that has found a cause to stop.
    std::optional<StopCause> ask(Monitor::Turn turn, const Observation& row, MonitorProbe& probe, Published& published);
    /// Whether one has said that the motion shown is not that of the model.
    bool lost() const;

private:
    std::vector<std::unique_ptr<Monitor>> monitors_;  ///< in the order in which they are asked
    std::vector<Monitor*> watchBefore_, watchBehind_; ///< those that watch, by their turn
};

/// Whether a run that stops for this cannot get on, though nothing has failed numerically.
bool isStuck(const StopCause& cause);

} // namespace driftless::run
