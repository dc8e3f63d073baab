// The consistent state nearest to values that a person asks for, starting from a state near the constraints.
//
//   position   q with g(q, t) = 0 where the asked coordinates have the asked values, the others moved as little as possible;
//              where there is none:  minimise  |W (q - q*)|^2 / 2  subject to g(q, t) = 0
//   velocity   v with G v + g_t = 0 (psi = 0), the same way
// Of mechanisms with more than 150 coordinates the asked values are approached on a straight line instead, up to where they can
// be held. q* holds the asked values and, for the others, the present ones; W = diag(w), 1 for asked and kOtherWeight for the
// others.
#pragma once

#include <memory>
#include <vector>

#include "core/base/Result.h"
#include "core/consistency/Consistency.h"

namespace driftless::consistency {

struct NearestRequest {
    model::ModelState from;           ///< t, the present q and v, and lambda (dynamic variables; guesses of the efforts)
    std::vector<double> q, v;         ///< asked values where marked, the present ones elsewhere
    std::vector<bool> qAsked, vAsked; ///< n each
};

struct NearestSolution {
    model::ModelState state; ///< q, v, a, lambda, consistent at from.t
    bool held = true;        ///< all asked values hold as asked
};

/// The evaluator and the solver have the same parameters. A Diagnostic names the joint that cannot be met; a plain move of a
/// body in a mechanism that is assembled always has an answer.
Result<NearestSolution> nearestConsistent(ConsistencySolver& solver, model::SystemEvaluator& evaluator,
                                          const NearestRequest& request);

} // namespace driftless::consistency
