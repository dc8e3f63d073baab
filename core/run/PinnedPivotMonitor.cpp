#include "core/run/PinnedPivotMonitor.h"

namespace driftless::run {

namespace {

constexpr double kPinnedLimit = 1e4, kPinnedWarning = 100; // kappa

} // namespace

void PinnedPivotMonitor::restart(const Observation&, MonitorProbe&) { warned_ = false; }

Verdict PinnedPivotMonitor::look(const Observation& row, MonitorProbe& probe)
{
    if (!row.pinned)
        return {};
    if (!(row.kappa < kPinnedLimit)) // infinite and NaN included
        return StopCause(PinnedSingular{});
    if (warned_ || !(row.kappa > kPinnedWarning))
        return {};
    warned_ = true;
    return EventDetail(PinnedNearSingular{probe.dummies(), row.kappa});
}

} // namespace driftless::run
