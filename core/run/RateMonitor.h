// The monitor of forms that need [G; L] of full rank: (3.16) and the ssf-solution of (3.1) of [PP92].
//
// Where (3.24) is nearly singular the equations of a step have further solutions with large mu and tau: the positions leave q'
// = Z v by G^T mu + L^T tau, and Newton's iteration may converge to one of them. The step is then accepted, all constraints
// hold, and the motion goes on from another place. It shows against the kinematics: with A the largest acceleration of the last
// states,
//   |q_n - q_{n-1} - h (q'_{n-1} + q'_n) / 2| <= h^2 A / 2      and      |v_n - v_{n-1} - h (a_{n-1} + a_n) / 2| <= h A
// hold up to a small factor for every method of order 1 and above (bdf1 meets the first with equality).
//
// A warning where the smallest singular value of [G; L] is below 1e-2 of the largest, or its determinant has turned; a stop
// where a step moved more than ten times further than its accelerations explain with [G; L] below 0.1 at one end.
#pragma once

#include "core/run/Monitor.h"

namespace driftless::run {

class RateMonitor final : public Monitor {
public:
    explicit RateMonitor(std::size_t coordinates) : Monitor(Turn::BeforeRow), rateBefore_(coordinates), rate_(coordinates) {}

private:
    void restart(const Observation& row, MonitorProbe& probe) override;
    Verdict look(const Observation& row, MonitorProbe& probe) override;
    bool concerns(const Observation& row) const override { return row.needsRateRank; }
    std::optional<RatesJumped> jumped(const Observation& row, MonitorProbe& probe, double ratio);

    bool known_ = false, warned_ = false;
    double ratio_ = 1; ///< of the last row
    int orientation_ = 0;
    double acceleration_ = 0; ///< largest of the last rows, in nominal velocities per nominal time
    std::vector<double> rateBefore_, rate_;
};

} // namespace driftless::run
