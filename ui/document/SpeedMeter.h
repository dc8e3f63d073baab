// How fast time really goes while playing. The clock waits for runs that are computed slower than they are to be played; who
// watches should not take that for the speed that was asked for.
#pragma once

#include <deque>
#include <optional>

#include "core/run/Laboratory.h"

namespace driftless::ui {

class SpeedMeter {
public:
    static constexpr double kWindow = 1.5; ///< [s] of wall time over which the speed is measured: a short stall is no speed
    static constexpr double kBehind = 0.8; ///< of the speed asked for: below it is said
    static constexpr double kKept = 0.95;  ///< and said until it is above this again

    /// After each frame: wall time since the last one [s], and the clock. The speed that is kept [simulated seconds per second]
    /// where it stays behind that asked for; nothing where it is kept, and until there is something to measure.
    std::optional<double> frame(double wallSeconds, const run::ClockStatus& clock);

private:
    struct Sample {
        double wall = 0, t = 0; ///< [s]
    };
    std::deque<Sample> samples_;
    double wall_ = 0;  ///< [s] since the first frame
    double asked_ = 0; ///< speed of the samples
    bool behind_ = false;
};

} // namespace driftless::ui
