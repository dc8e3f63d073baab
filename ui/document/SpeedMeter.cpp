#include "ui/document/SpeedMeter.h"

namespace driftless::ui {

std::optional<double> SpeedMeter::frame(double wallSeconds, const run::ClockStatus& clock)
{
    wall_ += wallSeconds;
    if (!clock.playing || clock.speed != asked_ || (!samples_.empty() && clock.t < samples_.back().t)) {
        samples_.clear();
        behind_ = false;
    }
    asked_ = clock.speed;
    if (!clock.playing || !(asked_ > 0))
        return std::nullopt;
    samples_.push_back({wall_, clock.t});
    while (samples_.size() > 2 && wall_ - samples_[1].wall >= kWindow)
        samples_.pop_front();
    const double measured = wall_ - samples_.front().wall;
    if (measured < kWindow)
        return std::nullopt;
    const double kept = (clock.t - samples_.front().t) / measured;
    behind_ = kept < (behind_ ? kKept : kBehind) * asked_;
    return behind_ ? std::optional(kept) : std::nullopt;
}

} // namespace driftless::ui
