#include "core/run/StepClock.h"

#include <algorithm>

#include "core/base/Thread.h"

namespace driftless::run {

namespace {

constexpr double kTimedAlone = 1e-4;   // [s]
constexpr double kShortestStep = 1e-8; // [s] where the clock has not moved

} // namespace

StepClock::Step::Step(StepClock& clock) : clock_(clock), timed_(++clock.untimed_ * clock.last_ >= kTimedAlone)
{
    if (!timed_)
        return;
    cpuStart_ = threadSeconds();
    wallStart_ = Clock::now();
}

StepClock::Step::~Step()
{
    if (!timed_)
        return;
    const int steps = clock_.untimed_;
    const double wall = std::chrono::duration<double>(Clock::now() - wallStart_).count();
    clock_.last_ = std::max(kShortestStep, threadSeconds() - cpuStart_);
    clock_.cpu_ += steps * clock_.last_;
    clock_.wall_ += wall + (steps - 1) * clock_.last_; // that the thread had to wait is no property of every step
    clock_.untimed_ = 0;
}

} // namespace driftless::run
