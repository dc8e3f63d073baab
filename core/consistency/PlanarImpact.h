// The impact of one contact with Coulomb friction in the plane, along its normal impulse p (Routh 1860; Stronge, Impact
// Mechanics, 2000):
//
//   du/dp = N + C f,   ds/dp = C + T f          u, s the speeds along normal and tangent; [N C; C T] = [w; t] M^-1 [w; t]^T
//   f = -mu sign(s) while it slips;   f = -C / T while it sticks, |C| <= mu T;   else it slips on to the side of C
//
// Positions stand still, so N, C, T do too, and all is piecewise linear in p. Compression ends where u = 0. The end is where
//   the normal impulse has given back e^2 of the work that compression took   (Stronge: it never gains energy)
//   the impulse is 1 + e times that of compression                            (Poisson)
//   u+ = -e u-                                                                (Newton: may gain energy where s turns)
// At most five pieces: slip, stick or slip back, each before or behind the end of compression.
#pragma once

#include "core/system/Model.h"

namespace driftless::consistency {

struct PlanarImpact {
    double normal = 0, mixed = 0, tangential = 0; ///< N, C, T [1/kg where u, s are in m/s]
    double approach = 0, slip = 0;                ///< u and s before; u <= 0
    double friction = 0;                          ///< mu
    double restitution = 0;                       ///< e
    double still = 0;                             ///< a slower slip is none
    model::ImpactLaw law = model::ImpactLaw::Energetic;
};

struct PlanarImpulse {
    double normal = 0, tangential = 0;
    bool stuck = false;    ///< the slip has come to an end and stayed there
    bool reversed = false; ///< it has turned
    bool ended = false;    ///< false: numbers that no mass matrix has
};

PlanarImpulse impulseOf(const PlanarImpact& impact);

} // namespace driftless::consistency
