// The partial derivatives of a system (solve::DaeSystem::partials) by the nonzero to which they belong.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/Index.h"
#include "core/solve/DaeSystem.h"

namespace driftless::integrate {

class PartialsByPlace {
public:
    /// So that sorting that many allocates nothing.
    void reserve(std::size_t partials, std::size_t nonzeros)
    {
        partials_.reserve(partials);
        starts_.reserve(nonzeros + 1);
    }
    /// After roles or pattern changed.
    void sort(const solve::DaeSystem& system)
    {
        const auto count = static_cast<std::uint32_t>(system.partialCount());
        partials_.assign(count, 0);
        starts_.assign(system.pattern().rowIndices.size() + 1, 0);
        const auto place = [&](std::uint32_t k) { return system.partial(k).place; };
        for (std::uint32_t k = 0; k < count; ++k)
            if (place(k) >= 0)
                ++starts_[at(place(k)) + 1];
        for (std::size_t i = 1; i < starts_.size(); ++i)
            starts_[i] += starts_[i - 1];
        for (std::uint32_t k = 0; k < count; ++k)
            if (place(k) >= 0)
                partials_[starts_[at(place(k))]++] = k;
        std::rotate(starts_.begin(), starts_.end() - 1, starts_.end()); // each start stands at the next one now
        starts_[0] = 0;
    }
    /// Those that add up to one nonzero, in their order.
    std::span<const std::uint32_t> of(std::size_t nonzero) const
    {
        return std::span(partials_).subspan(starts_[nonzero], starts_[nonzero + 1] - starts_[nonzero]);
    }

private:
    std::vector<std::uint32_t> partials_, starts_;
};

} // namespace driftless::integrate
