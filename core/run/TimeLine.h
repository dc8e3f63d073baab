// What has happened in a run, and the stretches of its recording that have parameters of their own. Written by the thread that
// steps, read by any.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "core/run/Event.h"

namespace driftless::run {

/// A stretch of the recording with one set of parameters.
struct Segment {
    double t; ///< [s] where it begins
    std::vector<double> parameters;
    double reference; ///< E(0) of the energy balance [J]
};

class TimeLine {
public:
    // Any thread.
    std::vector<Event> events() const;
    /// Those of a kind with from < t <= to.
    std::vector<Event> events(EventKind kind, double from, double to) const;
    std::vector<Segment> segments() const;

    // The thread that steps.
    void add(double t, EventDetail detail);
    std::size_t eventCount() const { return events_.size(); }
    std::uint64_t count(EventKind kind) const;
    void keepEvents(std::size_t first);   ///< of those, so many; the others are forgotten
    void nameRestart(RestartCause cause); ///< of the last event that is a restart
    void add(Segment&& segment);
    /// E(0) of the last segment; none before the first.
    std::optional<double> reference() const;
    void forgetAfter(double t);
    void forgetAll();

private:
    mutable std::mutex mutex_;
    std::vector<Event> events_;
    std::vector<Segment> segments_;
};

} // namespace driftless::run
