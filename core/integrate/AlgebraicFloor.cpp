#include "core/integrate/AlgebraicFloor.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace driftless::integrate {
namespace {

/// Times its own tolerance, an open unknown is tolerated at most: rates of 1000 1/s. At a singular pivot everything is open,
/// and IDA would step over it.
constexpr double kMostOpen = 1000;
/// A difference of states times a constant has one x all along; a value that goes to a pole is to stop the run.
constexpr double kMostGrown = 10;

} // namespace

double flooredTolerance(const solve::UnknownRole& role, double own, double x, double share, double least)
{
    return role.determined ? std::clamp(std::abs(x), own, std::max(own, kMostGrown * least))
                           : std::clamp(share * std::abs(x), own, kMostOpen * own);
}

bool anyFloor(std::span<const solve::UnknownRole> roles) { return std::any_of(roles.begin(), roles.end(), hasFloor); }

void floorRightSide(const solve::SparsePattern& pattern, std::span<const solve::UnknownRole> roles,
                    std::span<const double> dFdy, std::span<const double> weights, std::span<double> b)
{
    std::fill(b.begin(), b.end(), 0.0);
    for (std::size_t j = 0; j < roles.size(); ++j) {
        if (!roles[j].differential || roles[j].indexOrder >= 2)
            continue;
        const bool negative = (static_cast<std::uint32_t>(j) * 2654435761u >> 15) & 1u; // a bit of Knuth's multiplicative hash
        const double open = (negative ? -1 : 1) / weights[j];
        for (int k = pattern.columnStarts[j]; k < pattern.columnStarts[j + 1]; ++k) {
            const auto place = static_cast<std::size_t>(k);
            b[static_cast<std::size_t>(pattern.rowIndices[place])] += dFdy[place] * open;
        }
    }
}

} // namespace driftless::integrate
