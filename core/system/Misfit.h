// Rows that would follow from the others wherever the mechanism goes, were it not for dimensions that miss by a little.
//
// An overconstrained linkage moves where its dimensions fit. Where they miss by e, the rows that are kept leave it its motion,
// and the others are off by about e all along: no place meets all rows, or a single one far away, at which the linkage stands
// still although its equations have full rank. Neither is what its author meant.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/Diagnostic.h"
#include "core/system/ConstrainedSystem.h"

namespace driftless::model {

struct Misfit {
    std::vector<std::string> rows, joints; ///< that nearly follow from the others, and the joints they are of
    double residual = 0; ///< the largest |g^| of them along the motion of the others, of the mechanism's extent
    int freedom = 0;     ///< degrees of freedom without them
};

/// Looks along the motion that the stronger rows leave, from the place nearest to (q, t). None where no row nearly follows,
/// where those that do are met, and of systems that are too large to look at (kMostSetAside).
std::optional<Misfit> findMisfit(const ConstrainedSystem& system, double t, std::span<const double> q,
                                 std::span<const double> parameters);

/// In words, as the reason not to run.
Diagnostic inWords(const Misfit& misfit);

} // namespace driftless::model
