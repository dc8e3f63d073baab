// Whether the motion has come to rest for good: what is still recorded then says nothing.
//
// The kinetic energy stays below 1e-12 of its largest value, a millionth of the speed, for a tenth of the time so far: at the
// end of a swing it is that small for a millionth of the period only. Speaks once a run.
#pragma once

#include "core/run/Monitor.h"

namespace driftless::run {

class RestMonitor final : public Monitor {
public:
    RestMonitor() : Monitor(Turn::AfterRow) {}

private:
    void restart(const Observation& row, MonitorProbe& probe) override;
    Verdict look(const Observation& row, MonitorProbe& probe) override;

    double began_ = 0, restsSince_ = 0; ///< [s]
    double largest_ = 0;                ///< [J] kinetic energy
    bool said_ = false;
};

} // namespace driftless::run
