// Steps of a system whose constraints move in time. What they prescribe is right at the end of each step, and the error test of
// a one-step method sees nothing of it: where little else moves steps grow without bound, and between their ends the motion
// would be anything. Here the constraints are looked at inside of each step, and bound the next one.
#pragma once

#include <limits>
#include <vector>

#include "core/run/Metrics.h"
#include "core/run/Stepper.h"

namespace driftless::run {

class DrivenSteps {
public:
    /// The metrics outlive this.
    DrivenSteps(const model::CompiledSystem& system, Metrics& metrics);

    /// From another state than the last one, or with other parameters.
    void begin() { end_ = std::numeric_limits<double>::quiet_NaN(); }
    /// After a step: the next one is no longer than the method's polynomial can hold the constraints. It is suggested to
    /// one-step methods. No allocation.
    void followed(const model::ModelState& now, Stepper& stepper);
    /// [s] Where a method of several steps, whose step belongs to what it remembers, is to end the one that begins at t.
    double latestEnd(double t) const { return t == end_ ? latestEnd_ : std::numeric_limits<double>::infinity(); }

private:
    bool lookAtBeginning(const model::ModelState& now, Stepper& stepper, double h);
    double missed(double relative) const;
    double ahead(const model::ModelState& now, double h, double relative, double missed);
    bool allow(const model::ModelState& now, double t);
    void cubic(const model::ModelState& now, double h);
    static double limited(double most, double h, Stepper& stepper);
    double longest(const model::ModelState& now, Stepper& stepper, double h);

    const model::CompiledSystem& system_;
    Metrics& metrics_;
    bool driven_ = false;
    double end_ = 0;                              ///< [s] of the last step that was looked at
    double latestEnd_ = 0;                        ///< [s] of the step that begins there
    std::vector<double> atEnd_, before_, inside_; ///< the rows: at that end, at its beginning, between
    std::vector<double> ahead_;                   ///< the rows at points of the next step, one point after the other
    std::vector<double> q_, v_, jacobian_;
    std::vector<double> place_, rate_, rateNow_; ///< q and q' at that end, q' at the next one
    std::vector<double> allowed_;                ///< of each row
};

} // namespace driftless::run
