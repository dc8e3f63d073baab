// What contacts of mechanisms state alike: how they part after an impact, their friction, the disc that touches.
//
//   slip   velocity of the point of `to` that touches against that of `from`, along d, n to its left:
//          d . (p_to' - p_from' - w_from x r) + radius (w_to - w_from),   r = p_to - p_from, touching at r - radius n
#pragma once

#include <vector>

#include "core/mechanism/Assembly.h"
#include "core/mechanism/JointTable.h"

namespace driftless::model {

struct Rebound {
    PlacedExpr restitution, rest;
};

/// Of contacts with friction that follows from their own force.
struct Rubbing {
    bool stated = false;
    PlacedExpr friction, sticking; ///< coefficients, over p
};

Rebound readRebound(const JointTable& table);
/// Without either of both coefficients, or with zeros, there is no friction, and no row of slip.
Rubbing readRubbing(const JointTable& table);
void requireRebound(const Rebound& rebound, const Joint& joint, std::vector<Requirement>& out);
void requireRubbing(const Rubbing& rubbing, const Joint& joint, std::vector<Requirement>& out);
/// Of a disc about the point of a contact.
Requirement notNegative(const PlacedExpr& radius, const Joint& joint);
/// scale: of its gap per metre.
OneSided contactOf(const Rebound& rebound, const expr::Expr& scale, bool angular = false);
/// Plane.
expr::Expr slipAlong(const Assembly& a, const Joint& joint, const Vector& d, const expr::Expr& radius);

/// Those keys, behind others.
std::vector<JointKey> andRebound(std::vector<JointKey> keys, bool angular = false);
std::vector<JointKey> andRubbing(std::vector<JointKey> keys);

} // namespace driftless::model
