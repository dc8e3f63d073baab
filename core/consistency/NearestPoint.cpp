#include "core/consistency/NearestPoint.h"

#include <algorithm>
#include <cmath>

namespace driftless::consistency {

namespace {

constexpr int kMostPasses = 200;
constexpr double kThere = 1e-14, kNearEnough = 1e-7; ///< the square of what is left is round-off
constexpr double kConverges = 0.9;                   ///< of the pass before

} // namespace

std::optional<std::vector<double>> nearestPoint(const std::vector<double>& from, std::vector<double> q,
                                                std::span<const double> units, const SmallestMove& smallest)
{
    double far = 0;
    for (std::size_t j = 0; j < q.size(); ++j)
        far = std::max(far, std::abs(q[j] - from[j]) / units[j]);
    if (far <= kNearEnough)
        return std::nullopt; // as near as can be told
    double last = HUGE_VAL, share = 1;
    for (int pass = 0; pass < kMostPasses && last > kThere; ++pass) {
        const auto x = smallest(q);
        if (!x)
            return std::nullopt;
        double step = 0;
        for (std::size_t j = 0; j < q.size(); ++j) {
            const double move = share * (from[j] + (*x)[j] - q[j]);
            q[j] += move;
            step = std::max(step, std::isfinite(move) ? std::abs(move) / units[j] : HUGE_VAL);
        }
        if (step == HUGE_VAL)
            return std::nullopt;
        if (step > kConverges * last) // it swings about the place
            share *= 0.5;
        last = step;
    }
    return last < kNearEnough ? std::optional(std::move(q)) : std::nullopt;
}

} // namespace driftless::consistency
