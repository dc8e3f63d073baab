// Which contacts that touch push, stick and slide, where their friction follows from their own forces:
//
//   w = A z + b     w accelerations of gaps and slips, z the forces along them; A = [w; t] M^-1 [w; t]^T, normals first
//   of each contact one of   open      N = F = 0,      w_n >= 0
//                            sticks    w_n = w_t = 0,  N >= 0,  |F| <= grip N
//                            slides    w_n = 0,        N >= 0,  F = -friction N sign, w_t on that side if it begins at rest
//                            shares    sticks by the row of another contact of the same bodies, which bears both limits
//                            where both slip alike
//
// Contacts that do not act on each other are solved apart. Few are left then: all combinations are tried, those that hold on
// first, and the first that meets its conditions is taken. From rest sticking thus comes before sliding. Contacts that move
// already may have no solution or a second one, that pushes where the first does not (Painleve 1895; Genot and Brogliato 1999).
#pragma once

#include <vector>

#include "core/solve/DenseDecompositions.h"

namespace driftless::consistency {

enum class Touch { Open, Pushes, Sticks, Shares, Forwards, Backwards };

struct RubbingContact {
    int tangent = -1;              ///< its row of A; -1: no friction
    double slip = 0;               ///< velocity along the tangent; 0: at rest
    double friction = 0, grip = 0; ///< F for each N
    bool letGo = false;            ///< its friction, or that of its pair, has just reached the limit
    bool byPair = false;           ///< that of its pair, not its own
    int pair = 0;                  ///< the same number: between the same two bodies
};

struct RubbingForces {
    enum class End { Found, None, Several, TooMany };
    End end = End::None;
    int named = -1;           ///< None, Several: the contact of which the paradox comes; -1: none by itself
    std::vector<int> jammed;  ///< the fewest contacts that have no forces together by themselves, that one among them
    double response = 0;      ///< of that contact: acceleration of its gap for a unit of its own force, friction included
    std::vector<Touch> touch; ///< of each contact
    Eigen::VectorXd z;        ///< as A
};

/// tolerance: what counts as zero of b, a number for each row.
RubbingForces solveRubbing(const Eigen::MatrixXd& A, const Eigen::VectorXd& b, const std::vector<RubbingContact>& contacts,
                           double tolerance);

} // namespace driftless::consistency
