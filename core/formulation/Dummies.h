// A choice of dummies: h coordinates for the positions, m for the velocities.
#pragma once

#include <vector>

namespace driftless::formulation {

struct Dummies {
    std::vector<int> positions;  ///< sorted; their kinematic rows are out of force
    std::vector<int> velocities; ///< sorted
    bool operator==(const Dummies&) const = default;
};

} // namespace driftless::formulation
