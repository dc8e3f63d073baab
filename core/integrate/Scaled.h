// A run in units of its own: whatever a method takes for small, long or one is measured by the nominal sizes of the model.
//
//   y = S z,  t = T s,  F_i / R_i as a function of s, z, dz/ds = (T / S) y'
//
// S, T, R powers of two, so that no digit is lost: the same system in other units, by powers of two, gives the same z, bit for
// bit. R_i is the largest |dF_i/dy_j| S_j or |dF_i/dy'_j| S_j / T of the row where the integrator was last restarted.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "core/integrate/Integrator.h"

namespace driftless::integrate {

struct Scaling {
    double time = 1; ///< T [s], exact; rounded to a power of two where it scales
    struct Size {
        double usual = 0; ///< 0: not known, taken from the rows at the restart
        double unit = 1;  ///< S, a power of two near it
    };
    std::vector<Size> unknowns;
    double energy = 1;               ///< [J], a power of two: for methods that take the equations of motion apart
    std::vector<double> constraints; ///< units of the rows of g, for the same; E / R is that of a multiplier
    /// Absolute tolerance of an unknown whose usual size is as given.
    std::function<double(int unknown, double size, const IntegratorOptions& options)> tolerance;
};

/// The method on the scaled system; all that goes in and comes out is in the units of the system. scaling is asked for when the
/// integrator is prepared, with the system as it is then.
std::unique_ptr<Integrator> makeScaled(std::unique_ptr<Integrator> method,
                                       std::function<Scaling(const solve::DaeSystem&)> scaling);

/// The values of the algebraic and the rates of the differential unknowns that the rows determine at t, from those given as a
/// guess; computed in the units of the scaling, all that goes in and comes out in those of the system. False where there is no
/// solution.
bool solveScaledRates(solve::DaeSystem& system, Scaling scaling, double t, std::vector<double>& y, std::vector<double>& yp);

} // namespace driftless::integrate
