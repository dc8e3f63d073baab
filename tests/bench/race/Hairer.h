// DOPRI5, DOP853 and ODEX of Hairer and Wanner on straight C, where the person running the race has them (HAIRER_OBJECTS).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tests/bench/StraightDae.h"

namespace driftless::bench {

/// Whether they were there when the program was built.
bool hasHairer();

/// Is told of every step.
using StepWatch = std::function<void(double t, const double* y)>;

class HairerOde {
public:
    /// method: "DOPRI5", "DOP853" or "ODEX". The equations outlive it.
    HairerOde(const StraightOde& ode, std::string method);
    bool solve(double end, double tolerance, const StepWatch* watch = nullptr);
    const double* y() const { return y_.data(); }
    long steps() const { return iwork_[18]; }
    long evaluations() const { return iwork_[16]; }

private:
    const StraightOde& ode_;
    std::string method_;
    std::vector<double> y_, work_;
    std::vector<int> iwork_;
};

} // namespace driftless::bench
