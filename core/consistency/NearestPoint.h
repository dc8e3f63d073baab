// The point of a manifold that is nearest to another point, by repeated linearisation.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace driftless::consistency {

/// The smallest move x from the other point with which the constraints are met as they are linear at q; none where they cannot
/// be evaluated.
using SmallestMove = std::function<std::optional<std::vector<double>>(const std::vector<double>& q)>;

/// q <- from + x(q) from a point q that meets the constraints, until q stays in units of round-off. It stays only where q is
/// stationary: where q - from is normal to the manifold. Where the manifold bends much the way is shortened. None where it does
/// not come to a stop, and where q is so near that the square of the distance is round-off.
std::optional<std::vector<double>> nearestPoint(const std::vector<double>& from, std::vector<double> q,
                                                std::span<const double> units, const SmallestMove& smallest);

} // namespace driftless::consistency
