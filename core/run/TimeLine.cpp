#include "core/run/TimeLine.h"

#include <algorithm>
#include <utility>

namespace driftless::run {

std::vector<Event> TimeLine::events() const
{
    const std::lock_guard lock(mutex_);
    return events_;
}

std::vector<Event> TimeLine::events(EventKind kind, double from, double to) const
{
    const std::lock_guard lock(mutex_);
    std::vector<Event> out;
    for (auto event = events_.rbegin(); event != events_.rend() && event->t > from; ++event)
        if (event->t <= to && event->kind() == kind)
            out.push_back(*event);
    std::ranges::reverse(out);
    return out;
}

std::vector<Segment> TimeLine::segments() const
{
    const std::lock_guard lock(mutex_);
    return segments_;
}

void TimeLine::add(double t, EventDetail detail)
{
    const std::lock_guard lock(mutex_);
    events_.push_back({t, std::move(detail)});
}

std::uint64_t TimeLine::count(EventKind kind) const
{
    return static_cast<std::uint64_t>(std::ranges::count(events_, kind, &Event::kind));
}

void TimeLine::keepEvents(std::size_t first)
{
    const std::lock_guard lock(mutex_);
    events_.resize(first);
}

void TimeLine::nameRestart(RestartCause cause)
{
    const std::lock_guard lock(mutex_);
    for (auto event = events_.rbegin(); event != events_.rend(); ++event)
        if (auto* restarted = std::get_if<Restarted>(&event->detail)) {
            restarted->cause = cause;
            return;
        }
}

void TimeLine::add(Segment&& segment)
{
    const std::lock_guard lock(mutex_);
    segments_.push_back(std::move(segment));
}

std::optional<double> TimeLine::reference() const
{
    return segments_.empty() ? std::nullopt : std::optional(segments_.back().reference);
}

void TimeLine::forgetAfter(double t)
{
    const std::lock_guard lock(mutex_);
    std::erase_if(events_, [t](const Event& e) { return e.t > t; });
    std::erase_if(segments_, [t](const Segment& s) { return s.t > t; });
}

void TimeLine::forgetAll()
{
    const std::lock_guard lock(mutex_);
    events_.clear();
    segments_.clear();
}

} // namespace driftless::run
