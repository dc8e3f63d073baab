// From one recorded row to the next: the states at both ends, and what the method knows of the step between them.
#pragma once

#include "core/integrate/Integrator.h"
#include "core/system/State.h"

namespace driftless::run {

/// The method's polynomial over its last step.
class DenseValues {
public:
    virtual ~DenseValues() = default;
    /// Whether it holds multipliers or values of equations: methods that know no rates of algebraic unknowns would draw stairs.
    virtual bool known() const = 0;
    /// Multipliers and the like (w numbers) at a time of the last step; false where they cannot be computed.
    virtual bool at(double t, double* lambda) = 0;
    /// The same with all solved anew that follows from the differential unknowns at that time, where the form allows it.
    virtual bool solved(double t, double* lambda) { return at(t, lambda); }
    /// Degree up to which it follows positions and velocities; 0 where it holds none.
    virtual int degree() const { return 0; }
    /// Positions and velocities at a time of the last step, where there is such a degree.
    virtual bool motion(double /*t*/, double* /*q*/, double* /*v*/) { return false; }
};

/// From the last row to the step just accepted; borrowed for the call. Both states have q, v, a and lambda.
struct Interval {
    const model::ModelState &before, &now;
    int steps = 1;                 ///< accepted on the way
    double step = 0;               ///< [s] of the integrator's last one
    int order = 0;                 ///< of that
    bool everyStep = true;         ///< every step becomes a row
    DenseValues* values = nullptr; ///< of the last step; null: none
    double tolerance = 0;          ///< relative one of the method

    /// Values and rates at both ends say as much as a polynomial of lower degree: at most degree 5 in the positions.
    static constexpr int kOfTheEnds = 5;
    /// Whether the method's polynomial is the better account of the motion inside.
    bool followsMethod() const { return steps <= 1 && values && values->degree() >= kOfTheEnds; }
    /// Whether it is better than the cubic of positions and velocities at the ends, which is what is drawn else.
    bool knowsInside() const { return steps <= 1 && values && values->degree() > integrate::Integrator::kCubic; }
};

} // namespace driftless::run
