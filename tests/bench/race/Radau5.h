// RADAU5 and RADAU (orders 5, 9 and 13 in turns) of Hairer and Wanner, where the person running the race has them: on the rows
// of a form of index 3 or 2, and on y' = f(t, y) in straight C. Of a form:
//
//   q' = v (- G^T nu),  v' = a,  0 = M a - f + G^T lambda,  0 = constraints,   y = (q, v, a, lambda, nu)
//
// as its authors state Andrews' mechanism: a mass matrix that depends on the positions stands in algebraic rows. Rows and their
// derivatives are those of the form in machine code, as our own methods call them; without nu the code is told that the first
// 2 n rows are y_i' = y_{i+n}.
#pragma once

#include <vector>

#include "core/formulation/CompiledDae.h"
#include "tests/bench/race/Hairer.h"

namespace driftless::bench {

/// Whether they were there when the program was built.
bool hasRadau5();
bool hasRadau();

class Radau5 {
public:
    /// Borrows the form. start: q, v, a and lambda at t = 0. varied: RADAU in place of RADAU5.
    Radau5(formulation::DaeInstance& instance, const model::ModelState& start, bool varied = false);
    bool solve(double end, double tolerance, const StepWatch* watch = nullptr);
    const double* positions() const { return y_.data(); }
    long steps() const { return iwork_[15]; }
    long evaluations() const { return iwork_[13]; }

    void rates(double t, const double* y, double* f);
    void jacobian(double t, const double* y, double* dfdy, int rows);

private:
    void spread(const double* y);

    formulation::DaeInstance& instance_;
    bool varied_;
    std::size_t n_, m_, nu_, size_; ///< nu_: multipliers of the kinematic rows; size_: of y
    std::vector<double> start_, y_, form_, rate_, rows_, ofValues_, ofRates_, work_;
    std::vector<int> iwork_;
};

/// On straight C, whose matrix they make by differences.
class RadauOde {
public:
    RadauOde(const StraightOde& ode, bool varied);
    bool solve(double end, double tolerance, const StepWatch* watch = nullptr);
    long steps() const { return iwork_[15]; }

private:
    const StraightOde& ode_;
    bool varied_;
    std::vector<double> y_, work_;
    std::vector<int> iwork_;
};

} // namespace driftless::bench
