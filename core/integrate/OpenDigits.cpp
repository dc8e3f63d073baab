#include "core/integrate/OpenDigits.h"

#include <algorithm>
#include <cstdint>

namespace driftless::integrate {

bool hasTestedAlgebraic(std::span<const solve::UnknownRole> roles)
{
    return std::any_of(roles.begin(), roles.end(), [](const auto& role) { return !role.differential && role.indexOrder < 2; });
}

void openRightSide(const solve::SparsePattern& pattern, std::span<const solve::UnknownRole> roles, std::span<const double> dFdy,
                   std::span<const double> weights, std::span<double> b)
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
