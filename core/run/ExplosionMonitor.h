// Whether a run has lost itself altogether: an energy error of 1e6 times the energies of the start and the work, or residuals
// of the positions of 1e6 nominal sizes that also exceed the square of the largest coordinate in its own. That is no motion any
// more but an instability of the method.
#pragma once

#include "core/run/Monitor.h"

namespace driftless::run {

class ExplosionMonitor final : public Monitor {
public:
    ExplosionMonitor() : Monitor(Turn::AfterRow) {}

private:
    void restart(const Observation& row, MonitorProbe& probe) override;
    Verdict look(const Observation& row, MonitorProbe& probe) override;

    double energyScale_ = 0; ///< [J] largest energy at any start or change, and the model's own
};

} // namespace driftless::run
