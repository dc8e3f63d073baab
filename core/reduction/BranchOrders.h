// Ideal elements, whose equations change the index: what a branch demands of states is differentiated where the branch holds.
//
//   if off then i = 0; else v = 0; end if;    in a row with a capacitor: v = 0 ties the state, i = 0 does not
//
// A text is analysed once, for all its branches together. Each mode is analysed by itself (the Sigma-method); where it needs an
// equation differentiated once more than another mode does, that branch of it is: der(v) = 0 in place of v = 0. Then one set of
// offsets serves every mode. The branch as written, and its lower derivatives, hold where the mode is entered, and stay by the
// derivative; they are rows that consistent values meet.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/system/EquationSystem.h"

namespace driftless::reduction {

struct BranchOrders {
    model::EquationSystem system;       ///< with branches differentiated
    std::vector<model::Equation> lower; ///< of these what consistent values meet; 0 = 0 where another branch holds
    struct Change {
        std::size_t equation = 0;
        std::string words; ///< " where off is false"
    };
    std::vector<Change> changes; ///< branches that are differentiated
};

/// Nothing where one analysis serves every mode as it is, where there are more than 256 modes, and where no such derivatives
/// make one that does. Modes that are singular by structure are passed over: a short circuit is none that a run reaches.
std::optional<BranchOrders> withBranchOrders(const model::EquationSystem& system);

} // namespace driftless::reduction
