#include "core/consistency/NearestPoint.h"

#include <algorithm>
#include <cmath>

namespace driftless::consistency {

namespace {

constexpr int kMostPasses = 100;
constexpr double kNearAnyway = 1e-7; ///< of nominal sizes: the square of the distance is round-off
constexpr double kThere = 1e-11;     ///< of nominal sizes: so is what is left of the distance
constexpr double kShortest = 1e-3;   ///< of the way

double farthest(const std::vector<double>& a, const std::vector<double>& b, std::span<const double> units)
{
    double most = 0;
    for (std::size_t j = 0; j < a.size(); ++j)
        most = std::max(most, std::abs(a[j] - b[j]) / units[j]);
    return most;
}

} // namespace

std::vector<double> nearestPoint(const std::vector<double>& from, std::vector<double> q, std::span<const double> units,
                                 const Manifold& manifold)
{
    if (!(farthest(q, from, units) > kNearAnyway))
        return q;
    double best = manifold.distance(q);
    std::vector<double> target(q.size()), tried;
    for (int pass = 0; pass < kMostPasses; ++pass) {
        const auto x = manifold.smallest(q);
        if (!x)
            return q;
        for (std::size_t j = 0; j < q.size(); ++j)
            target[j] = from[j] + (*x)[j];
        if (!(farthest(q, target, units) > kThere))
            return q;
        bool nearer = false;
        for (double share = 1; share > kShortest && !nearer; share *= 0.5) {
            tried = q;
            for (std::size_t j = 0; j < q.size(); ++j)
                tried[j] += share * (target[j] - q[j]);
            if (!manifold.meet(tried))
                continue;
            const double distance = manifold.distance(tried);
            nearer = distance < best;
            best = nearer ? distance : best;
        }
        if (!nearer)
            return q;
        q = tried;
    }
    return q;
}

} // namespace driftless::consistency
