// The contacts of one impact and the impulses at them: one after the other, or all together (Contacts.h).
#pragma once

#include <vector>

#include "core/consistency/Contacts.h"
#include "core/solve/DenseDecompositions.h"

namespace driftless::consistency {

inline constexpr double kSlips = 100; ///< of the speed of rest: impacts in a row leave so much slip

/// The contacts of one impact, apart from the state that they act on: first their normals, then the tangents of those with
/// friction.
struct Hit {
    std::vector<int> rows;
    Eigen::Index contacts = 0;                ///< of the rows
    std::vector<Eigen::Index> tangent;        ///< of each contact, -1: no friction
    Eigen::MatrixXd A;                        ///< w M^-1 w^T
    std::vector<Eigen::VectorXd> response;    ///< of velocities and multipliers to a unit impulse
    Eigen::VectorXd speed, restitution, rest; ///< g', psi; e, and g' below which there is no rebound
    Eigen::VectorXd friction;                 ///< of the contacts, for a unit of the normal impulse
    Eigen::VectorXd scale;                    ///< of g per metre
    Eigen::VectorXd impulse;                  ///< the sum so far
    Eigen::VectorXd still;                    ///< g', psi: what is slower is none
    double work = 0;                          ///< [J] at the contacts, relative to what they touch
};

/// Impulses by the law that the model states, where some contact approaches. kinetic [J]: of the motion before. False where
/// they have no solution.
bool strike(Hit& hit, const ImpactRule& rule, double kinetic, ImpactOutcome& out);
/// The impact of one contact alone. False where it has friction and its impact has no end.
bool pushOne(Hit& hit, Eigen::Index contact, model::ImpactLaw law);
/// What has happened at one contact; first: speeds before.
ContactImpulse struckContact(const Hit& hit, Eigen::Index contact, const Eigen::VectorXd& first);

} // namespace driftless::consistency
