// Whether a run loses energy, or gains what nothing gave it.
//
//   |E(t) - E(0) - W|, without what it was where the watch began, against what the motion has exchanged since: largest T +
//   largest |V - V(0)| + largest |W|, without what came out of nothing. N steps of a method that chooses them lose at most N
//   times what the tolerance lets each of them lose, from the start as in every stretch of steps that may lose a hundredth
//   (what is lost at once, as where a linkage folds, would hide in the long run); a method of fixed steps may damp all there
//   is, but what exceeds that was never there, and a quarter that it gains was not either. Springs and dampers in place of
//   constraints may take a quarter.
//
// What violated constraints are worth is no error, lambda g of a small drift: the motion goes on as it was.
//
// Of the mean of what is exchanged, over the time in which something moves, a tenth to a fifth may be lost, as much as the
// steps explain, whatever was exchanged for a moment. Nor may more be lost than all that V and W have changed by, where a
// spin has the rest and nothing changes it; the smaller that change is, the less it matters.
//
// Watches follow each other at events. What the error changes from one to the next has appeared at events: where it sums up to
// more than the largest T and than the usual energy, nothing has given it.
//
// A share that is large for a moment is no loss: it has to last for a tenth of the time, unless it is tenfold. As long as
// nothing has moved further than the tolerances reach there is nothing to compare with. Speaks once a run.
#pragma once

#include <limits>

#include "core/run/Monitor.h"

namespace driftless::run {

class EnergyMonitor final : public Monitor {
public:
    EnergyMonitor() : Monitor(Turn::AfterRow) {}

private:
    void restart(const Observation& row, MonitorProbe& probe) override;
    Verdict look(const Observation& row, MonitorProbe& probe) override;
    bool hasLost() const override { return said_ < kNever; }
    void follow(const Observation& row);
    double tolerated(const Observation& row) const;
    double ofViolation(const Observation& row) const;
    double usual(const Observation& row) const; ///< [J]
    bool appears(const Observation& row) const;
    double exchanged() const { return kinetic_ + fall_ + work_; }
    double besideSpin() const;
    double lossOfAStep(const Observation& row) const;
    bool losesSuddenly(const Observation& row, double each);

    static constexpr double kNever = std::numeric_limits<double>::infinity();

    std::vector<double> origin_;                   ///< q where the watch began
    std::vector<double> originConstraints_;        ///< g there
    double began_ = 0;                             ///< [s]
    double moved_ = 0, speed_ = 0;                 ///< of the coordinate that went furthest or fastest for its nominal size,
    double movedFor_ = 0, speedFor_ = 0;           ///< and in nominal sizes
    double place_ = 0;                             ///< largest |q| of the one that went furthest
    double potential_ = 0, magnitude_ = 0;         ///< [J] where it began; largest |V|
    double kinetic_ = 0, fall_ = 0, work_ = 0;     ///< [J] largest T, change of V and |W|, without what was gained
    double usual_ = 0;                             ///< [J] usual energy of what has moved
    double error_ = 0;                             ///< [J] with what violated constraints are worth
    double errorBefore_ = 0, workBefore_ = 0;      ///< [J] where it began
    double exposure_ = 0, moving_ = 0;             ///< [J s], [s] what was exchanged at each time, over the time that it moved
    std::uint64_t rows_ = 0, stepsBefore_ = 0;     ///< since it began; the run's steps when it did
    double markError_ = 0;                         ///< [J] where the present stretch began
    double markLimit_ = 0;                         ///< share of the exchange that it may lose, once it has
    std::uint64_t markSteps_ = 0;                  ///< the run's steps there
    double suddenSince_ = kNever, since_ = kNever; ///< [s] beyond the limits without a break
    double lastTime_ = -kNever, lastError_ = 0;    ///< [s], [J] of the last row seen
    std::uint64_t lastSteps_ = 0;                  ///< of the run at that row
    double appeared_ = 0, mostKinetic_ = 0;        ///< [J] at events, and the largest T, since the run began
    double said_ = kNever;                         ///< [s] when the warning was given
};

} // namespace driftless::run
