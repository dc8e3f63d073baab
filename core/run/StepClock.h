// How long steps take. Shorter steps than a tenth of a millisecond are timed one for as many as take that long: asking the
// clocks takes as long as such a step.
#pragma once

#include <chrono>

namespace driftless::run {

class StepClock {
public:
    double cpu() const { return cpu_; }   ///< [s] of the thread, in all steps
    double wall() const { return wall_; } ///< [s]

    /// Adds the time its scope takes, and that of the steps before it that were not timed.
    class Step {
    public:
        explicit Step(StepClock& clock);
        ~Step();
        Step(const Step&) = delete;
        Step& operator=(const Step&) = delete;

    private:
        using Clock = std::chrono::steady_clock;
        StepClock& clock_;
        bool timed_;
        double cpuStart_ = 0;
        Clock::time_point wallStart_;
    };

private:
    double cpu_ = 0, wall_ = 0;
    double last_ = 1; ///< [s] of the last step that was timed, of this thread
    int untimed_ = 0; ///< steps begun since the clocks were asked
};

} // namespace driftless::run
