// Whether a selection of dummies that was pinned comes close to a point where it is singular.
//
// kappa above 100: two digits of what the tolerances ask for are gone, a warning. Above 1e4 half of double precision's digits
// are: the run stops, for behind that point lies the mirrored solution. The pendulum pinned to y at small amplitude passes 930
// at t = 1.56 and reaches the limit 1e-3 s before x = 0. A step across the point itself is caught before its row is accepted:
// Selector::passedSingular.
#pragma once

#include "core/run/Monitor.h"

namespace driftless::run {

class PinnedPivotMonitor final : public Monitor {
public:
    PinnedPivotMonitor() : Monitor(Turn::AfterRow) {}

private:
    void restart(const Observation& row, MonitorProbe& probe) override;
    Verdict look(const Observation& row, MonitorProbe& probe) override;
    bool concerns(const Observation& row) const override { return row.pinned; }

    bool warned_ = false;
};

} // namespace driftless::run
