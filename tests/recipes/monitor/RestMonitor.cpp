#include "core/run/RestMonitor.h"

#include <algorithm>

namespace driftless::run {

namespace {

constexpr double kAtRest = 1e-12;  // of the largest kinetic energy
constexpr double kRestShare = 0.1; // of the time since the watch began

} // namespace

void RestMonitor::restart(const Observation& row, MonitorProbe&)
{
    began_ = restsSince_ = row.t;
    largest_ = row.kinetic;
    said_ = false;
}

Verdict RestMonitor::look(const Observation& row, MonitorProbe&)
{
    largest_ = std::max(largest_, row.kinetic);
    if (row.general || !(row.kinetic < kAtRest * largest_))
        restsSince_ = row.t;
    if (said_ || !(row.t - restsSince_ > kRestShare * (row.t - began_)))
        return {};
    said_ = true;
    return EventDetail(CameToRest{restsSince_});
}

} // namespace driftless::run
