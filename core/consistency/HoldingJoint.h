// Which joint holds back a point that is pulled where it cannot go.
//
//   At the nearest consistent position q to asked values q*:   W^2 (q* - q) = G^T mu          (see Nearest.h)
//   The part of joint j in the balance is the sum of mu_i G_i over its rows: the reaction by which it resists the pull. The
//   joint with the largest force on one of its bodies is named; where several carry the same (a chain that is stretched) the
//   one at the ground.
#pragma once

#include <string>

#include "core/consistency/Nearest.h"

namespace driftless::consistency {

/// The name of a joint, or of the constraint where it comes from no joint; empty where nothing resists. except is left out of
/// the search.
std::string holdingJoint(model::SystemEvaluator& evaluator, const NearestRequest& request, const model::ModelState& reached,
                         const std::string& except);

} // namespace driftless::consistency
