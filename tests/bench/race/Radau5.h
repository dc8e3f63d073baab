// RADAU5 of Hairer and Wanner on the rows of a form of index 3 or 2, where the person running the race has it.
//
//   q' = v (- G^T nu),  v' = a,  0 = M a - f + G^T lambda,  0 = constraints,   y = (q, v, a, lambda, nu)
//
// as its authors state Andrews' mechanism: a mass matrix that depends on the positions stands in algebraic rows. Rows and their
// derivatives are those of the form in machine code, as our own methods call them; without nu the code is told that the first
// 2 n rows are y_i' = y_{i+n}.
#pragma once

#include <vector>

#include "core/formulation/CompiledDae.h"

namespace driftless::bench {

/// Whether it was there when the program was built.
bool hasRadau5();

class Radau5 {
public:
    /// Borrows the form. start: q, v, a and lambda at t = 0.
    Radau5(formulation::DaeInstance& instance, const model::ModelState& start);
    bool solve(double end, double tolerance);
    const double* positions() const { return y_.data(); }
    long steps() const { return iwork_[15]; }
    long evaluations() const { return iwork_[13]; }

    void rates(double t, const double* y, double* f);
    void jacobian(double t, const double* y, double* dfdy, int rows);

private:
    void spread(const double* y);

    formulation::DaeInstance& instance_;
    std::size_t n_, m_, nu_, size_; ///< nu_: multipliers of the kinematic rows; size_: of y
    std::vector<double> start_, y_, form_, rate_, rows_, ofValues_, ofRates_, work_;
    std::vector<int> iwork_;
};

} // namespace driftless::bench
