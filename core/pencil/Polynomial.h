// Exact facts about a rational polynomial: square-free parts, rational roots, counts of real and of purely imaginary roots.
// Private to this room.
#pragma once

#include "core/pencil/Rational.h"

namespace driftless::pencil {

/// Leading coefficient 1; the zero polynomial stays.
Polynomial monic(Polynomial p);
Polynomial differentiated(const Polynomial& p);
Polynomial quotientOf(Polynomial a, const Polynomial& b);
/// Monic.
Polynomial greatestCommonDivisor(Polynomial a, Polynomial b);

/// parts[k] is monic and holds the roots of multiplicity k + 1, each once (Yun 1976).
std::vector<Polynomial> squareFreeParts(const Polynomial& p);

/// Every rational root of a square-free polynomial, ascending. Complete and exact: the roots modulo a prime are lifted (Hensel)
/// beyond the bound of the roots, and each candidate is put into p.
std::vector<mpq_class> rationalRootsOf(const Polynomial& p);

/// Distinct real roots of a polynomial (Sturm 1829).
int countReal(const Polynomial& p);
/// Distinct pairs +-iw, w != 0, of a square-free polynomial with p(0) != 0.
int countImaginaryPairs(const Polynomial& p);

} // namespace driftless::pencil
