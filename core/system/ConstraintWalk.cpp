#include "core/system/ConstraintWalk.h"

#include <algorithm>
#include <cmath>

namespace driftless::model {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kMet = 1e-11; // |g^| on the manifold: sums of some products of numbers of size one
constexpr int kFarIterations = 40, kNearIterations = 8;
constexpr Index kMoreRows = 2; // a singular place leaves more free than its neighbours: so many ranks above its own are tried
constexpr double kFirstStep = 0.02; // of the extent
constexpr double kLongestStep = 0.5;
constexpr double kShortestStep = 1e-5;
constexpr double kWayBack = 0.25, kShortWayBack = 0.1; // of the step: then it is halved, or the next one is longer
constexpr int kManyWays = 4;                           // of more than one degree of freedom
constexpr double kNoDirection = 1e-6;
constexpr int kMostPlaces = 40;
constexpr double kWork = 3e8; // m^2 n of all places of a walk: large systems are looked at in fewer
constexpr int kLeastPlaces = 4;

ConstraintPlace found(const VectorXd& x, const MatrixXd& G)
{
    ConstraintPlace out{.x = x, .rows = RowRank(G)};
    out.rank = out.rows.rank(kDependentRow);
    return out;
}

class Walk {
public:
    Walk(ConstraintRows& rows, const PlaceVisitor& visit) : rows_(rows), visit_(visit) {}

    /// Along `direction` from a place; false when the visitor has seen enough.
    bool go(ConstraintPlace at, VectorXd direction, int most)
    {
        double h = kFirstStep;
        for (int k = 0; k < most; ++k) {
            direction = at.rows.along(direction, at.rank);
            const double length = direction.norm();
            if (!(length > kNoDirection))
                return true;
            direction /= length;
            auto next = step(at, direction, h);
            if (!next)
                return true;
            if (!visit_(*next, at))
                return false;
            direction = next->x - at.x; // the way goes on as it came
            if (direction.isZero(0))
                return true;
            direction /= direction.norm();
            at = *std::move(next);
        }
        return true;
    }

private:
    std::optional<ConstraintPlace> step(const ConstraintPlace& at, const VectorXd& direction, double& h)
    {
        for (; h >= kShortestStep; h /= 2) {
            const VectorXd ahead = at.x + h * direction;
            for (Index more = 0; more <= std::min(kMoreRows, rows_.rows() - at.rank); ++more) {
                auto next = placeBeside(rows_, ahead, at.rank + more);
                const double way = next ? (next->x - ahead).norm() : h;
                if (way > kWayBack * h)
                    continue;
                if (way < kShortWayBack * h)
                    h = std::min(1.5 * h, kLongestStep);
                return next;
            }
        }
        return std::nullopt;
    }

    ConstraintRows& rows_;
    const PlaceVisitor& visit_;
};

} // namespace

int placesFor(const ConstraintRows& rows)
{
    const double work =
        static_cast<double>(rows.rows()) * static_cast<double>(rows.rows()) * static_cast<double>(rows.columns());
    return std::clamp(static_cast<int>(kWork / std::max(work, 1.0)), kLeastPlaces, kMostPlaces);
}

std::optional<ConstraintPlace> nearestPlace(ConstraintRows& rows, VectorXd x)
{
    VectorXd g;
    MatrixXd G;
    for (int iteration = 0; iteration < kFarIterations; ++iteration) {
        if (!rows.evaluate(x, g, G))
            return std::nullopt;
        if (g.size() == 0 || g.lpNorm<Eigen::Infinity>() <= kMet)
            return found(x, G);
        const RowRank factors(G);
        x -= factors.smallest(g, factors.rank(kNearlyDependentRow));
    }
    return std::nullopt;
}

std::optional<ConstraintPlace> placeBeside(ConstraintRows& rows, VectorXd x, Index rank)
{
    VectorXd g;
    MatrixXd G;
    for (int iteration = 0; iteration < kNearIterations; ++iteration) {
        if (!rows.evaluate(x, g, G))
            return std::nullopt;
        if (g.lpNorm<Eigen::Infinity>() <= kMet)
            return found(x, G);
        const RowRank factors(G);
        if (factors.rank(kDependentRow) < rank)
            return std::nullopt;
        x -= factors.smallest(g, rank);
    }
    return std::nullopt;
}

void walkPlaces(ConstraintRows& rows, const ConstraintPlace& from, int most, const PlaceVisitor& visit)
{
    const Index freedom = rows.columns() - from.rank;
    if (freedom <= 0)
        return;
    Walk walk(rows, visit);
    const int ways = freedom == 1 ? 2 : kManyWays;
    unsigned seed = 1;
    VectorXd direction(rows.columns());
    for (int way = 0; way < ways; ++way) {
        if (way % 2 == 0)
            for (double& x : direction) {
                seed = seed * 1664525u + 1013904223u;
                x = static_cast<double>(seed >> 8) / (1 << 23) - 1;
            }
        else
            direction = -direction;
        if (!walk.go(from, direction, std::max(1, most / ways)))
            return;
    }
}

} // namespace driftless::model
