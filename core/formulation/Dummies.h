// A choice of dummies: h coordinates for the positions, m for the velocities; or derivatives of a general DAE.
#pragma once

#include <vector>

namespace driftless::formulation {

struct Dummies {
    std::vector<int> positions;  ///< sorted; their kinematic rows are out of force
    std::vector<int> velocities; ///< sorted
    std::vector<int> values{};   ///< of a general DAE: sorted places of the derivatives that are dummies
    bool operator==(const Dummies&) const = default;
};

} // namespace driftless::formulation
