// Whether the positions of a run leave their constraints further than its form may let them.
//
//   |g_i| against max_j |G_ij| X_j, X_j the way that the coordinates of the unit of q_j have gone: the share of the motion by
//   which the constraint is violated; an angle goes no further than 2 rad
//
// Forms that do not hold the positions drift by nature; at 5 % a pendulum that swings through is a tenth too long. Forms that
// hold them: 100 tolerances, at least 1 %. A share that is large for a moment is no drift: it has to last for a tenth of the
// time. Springs in place of constraints give way before anything has moved, and they swing: the mean of |g_i| since the
// watch began is judged by the usual size of the coordinates. Speaks once a run.
#pragma once

#include <limits>

#include "core/run/Monitor.h"
#include "core/system/CompiledSystem.h"

namespace driftless::run {

class DriftMonitor final : public Monitor {
public:
    /// names: of the position constraints; units: of the coordinates, which go their way together where they share one; places:
    /// of the nonzeros of the Jacobian.
    DriftMonitor(std::vector<std::string> names, const std::vector<std::string>& units,
                 std::span<const solve::MatrixPlace> places);

private:
    void restart(const Observation& row, MonitorProbe& probe) override;
    Verdict look(const Observation& row, MonitorProbe& probe) override;
    bool hasLost() const override { return said_ < kNever; }
    void follow(const Observation& row);
    void reach(const Observation& row, std::span<const double> jacobian);
    void violations(const Observation& row, std::span<const double> g);
    double against(std::size_t constraint, const Observation& row, double violation) const;
    double limitOf(std::size_t constraint, const Observation& row) const;

    static constexpr double kNever = std::numeric_limits<double>::infinity();

    std::vector<std::string> names_;
    std::vector<solve::MatrixPlace> places_;
    std::vector<int> group_;                                ///< of each coordinate: those of one unit
    std::vector<double> farthest_;                          ///< of each coordinate: no way is longer than that
    std::vector<double> origin_, originResidual_;           ///< q and |g| where the watch began
    std::vector<double> way_, size_;                        ///< of each group: furthest from the origin, largest magnitude
    std::vector<double> reach_, usual_, passed_, roundoff_; ///< of each constraint: see reach()
    std::uint64_t rows_ = 0;                                ///< since it began
    std::vector<double> violation_;                         ///< of each constraint: see violations()
    double lastTime_ = 0;                                   ///< [s] of the last row judged
    double began_ = 0;                                      ///< [s]
    double since_ = kNever;                                 ///< [s] beyond the limit without a break
    double said_ = kNever;                                  ///< [s] when the warning was given
};

} // namespace driftless::run
