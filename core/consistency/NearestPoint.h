// The point of a manifold that is nearest to another point, by repeated linearisation.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace driftless::consistency {

/// What the search asks of the manifold; from: the other point.
struct Manifold {
    /// The smallest move x from `from` with which the constraints are met as they are linear at q; none where they have no
    /// value.
    std::function<std::optional<std::vector<double>>(const std::vector<double>& q)> smallest;
    /// Moves q onto the manifold; false where that fails.
    std::function<bool(std::vector<double>& q)> meet;
    std::function<double(const std::vector<double>& q)> distance; ///< squared, from `from`
};

/// From a point q of the manifold towards from + x(q), and onto the manifold again, by so much of the way that the distance
/// falls, until q - from is normal to the manifold. Never farther than q.
std::vector<double> nearestPoint(const std::vector<double>& from, std::vector<double> q, std::span<const double> units,
                                 const Manifold& manifold);

} // namespace driftless::consistency
