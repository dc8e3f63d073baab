// Linear stability of one-step and BDF methods: y' = lambda y with z = h lambda gives y_{n+1} = R(z) y_n.
//
//   R(z) = det(I - z A + z 1 b^T) / det(I - z A)   (Hairer and Wanner, Solving ODEs II, section IV.3)
//
// A method is A-stable when |R| <= 1 in the whole left half plane: no pole there, and E(y) = |Q(iy)|^2 - |P(iy)|^2 >= 0 on the
// imaginary axis; L-stable when R vanishes at infinity besides.
#pragma once

#include <complex>
#include <vector>

#include "core/integrate/Tableau.h"

namespace driftless::integrate {

/// R(z) = P(z) / Q(z), coefficients by rising powers of z without trailing zeros.
struct StabilityFunction {
    std::vector<double> numerator, denominator;

    std::complex<double> operator()(std::complex<double> z) const;
    /// R(infinity); infinite for polynomials of positive degree.
    double atInfinity() const;
};

/// Coefficients are exact to round-off for the few stages that methods have.
StabilityFunction stabilityFunction(const RungeKuttaTableau& tableau);

struct StabilityReport {
    Stability kind = Stability::Bounded;
    double atInfinity = 0;     ///< R(infinity), or infinity
    double realLimit = 0;      ///< stable for -realLimit <= z <= 0; infinity without a limit
    double imaginaryLimit = 0; ///< stable for z = iy, |y| <= imaginaryLimit; infinity without a limit
};
StabilityReport stabilityOf(const StabilityFunction& r);

/// A window of the complex plane.
struct ComplexWindow {
    double left = -5, right = 2, bottom = -4, top = 4;
};
/// |R| at the centres of columns x rows cells, rows from bottom to top.
std::vector<double> stabilityGrid(const StabilityFunction& r, const ComplexWindow& window, int columns, int rows);

/// The curve of z on which a root of the BDF method of order k has modulus one: z = sum_{j=1}^k (1 - e^{-i theta})^j / j at
/// points equally spaced in theta. The method is stable outside of it.
std::vector<std::complex<double>> bdfRootLocus(int order, int points);
/// Largest modulus of the roots of the BDF method of order k at z: <= 1 where it is stable.
double bdfAmplification(int order, std::complex<double> z);

} // namespace driftless::integrate
