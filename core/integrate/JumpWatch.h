// Where a multistep method gives up its past: at a jump of a right-hand side, which its polynomials do not have.
//
// It shows as failures that come back. Steps before the jump pass, every attempt to step over it fails, and what is left of the
// way to it is halved again and again. From there to where the attempts meant to go every step begins anew at order one,
// without the unknowns in its error test that may jump themselves (algebraic ones), and tries kHop times the last step: where
// the jump lies at a state, no step of a length between the distance over the slope before and over the slope behind it has a
// solution, and steps that only double never get over that. Steps of one length say that it has been passed, or that there was
// none: behind a kink of a higher derivative a step that was far too long fails as often, and at order one and a tight
// tolerance the rest of the way that it meant to go would be ten thousands of steps.
#pragma once

#include <algorithm>
#include <limits>

namespace driftless::integrate {

class JumpWatch {
public:
    static constexpr double kHop = 64;

    void restart(double t)
    {
        failures_ = calm_ = 0;
        furthest_ = crossUntil_ = t;
    }
    /// An attempt to step to `end` [s] failed.
    void failed(double end)
    {
        ++failures_;
        calm_ = 0;
        furthest_ = std::max(furthest_, end);
    }
    /// A step of h [s] to t was accepted at its first attempt, or not.
    void accepted(double t, double h, bool atOnce)
    {
        if (crossing(t)) {
            even_ = h >= kEven * lastStep_ ? even_ + 1 : 0;
            lastStep_ = h;
            if (even_ >= kPassed)
                crossUntil_ = furthest_ = t;
        }
        if (atOnce && ++calm_ >= kCalm)
            failures_ = 0;
        if (failures_ == 0 || crossing(t))
            furthest_ = std::max(t, crossUntil_);
        if (crossing(t))
            failures_ = 0;
        else if (failures_ >= kTroubled)
            cross();
    }
    /// Failures of one step are enough, too.
    void cross()
    {
        crossUntil_ = std::max(crossUntil_, furthest_);
        failures_ = even_ = 0;
        lastStep_ = std::numeric_limits<double>::infinity();
    }
    /// Whether the step from t begins anew.
    bool crossing(double t) const { return t < crossUntil_; }

private:
    static constexpr int kTroubled = 12; ///< failures without
    static constexpr int kCalm = 3;      ///< steps in a row that passed at once: at a jump two do
    static constexpr double kEven = 0.5; ///< of the step before: on the way to a jump they become shorter
    static constexpr int kPassed = 12;   ///< such steps in a row
    int failures_ = 0, calm_ = 0, even_ = 0;
    double furthest_ = 0, crossUntil_ = 0, lastStep_ = 0; ///< [s]
};

} // namespace driftless::integrate
