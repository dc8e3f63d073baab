// Sums of stages over the unknowns that an explicit method integrates.
//
// A system's unknowns are integrated or algebraic, in any order (solve::UnknownRole); stages are kept as dense rows of the
// integrated ones, so that sums run along them.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/solve/DaeSystem.h"

namespace driftless::integrate {

/// A weight that is not zero and the place of its stage.
struct StageTerm {
    int stage = 0;
    double weight = 0;
};

/// Where the differential unknowns stand among all.
class IntegratedUnknowns {
public:
    /// Allocates no more than room for all unknowns, once.
    void take(std::span<const solve::UnknownRole> roles)
    {
        places_.reserve(roles.size());
        places_.clear();
        for (std::size_t i = 0; i < roles.size(); ++i)
            if (roles[i].differential)
                places_.push_back(i);
    }
    std::size_t size() const { return places_.size(); }
    std::size_t operator[](std::size_t k) const { return places_[k]; }
    void gather(const double* all, double* integrated) const
    {
        for (std::size_t k = 0; k < places_.size(); ++k)
            integrated[k] = all[places_[k]];
    }
    void scatter(const double* integrated, double* all) const
    {
        for (std::size_t k = 0; k < places_.size(); ++k)
            all[places_[k]] = integrated[k];
    }

private:
    std::vector<std::size_t> places_;
};

/// The terms up to the first weight of zero.
template <class Row>
std::span<const StageTerm> termsOf(const Row& row)
{
    std::size_t count = 0;
    while (count < row.size() && row[count].weight != 0)
        ++count;
    return {row.data(), count};
}

/// The weights that are not zero of a row of `stages` numbers.
inline std::vector<StageTerm> termsOf(const double* row, std::size_t stages)
{
    std::vector<StageTerm> terms;
    for (std::size_t j = 0; j < stages; ++j)
        if (row[j] != 0)
            terms.push_back({static_cast<int>(j), row[j]});
    return terms;
}

/// sum_k weights_k rates of its stage, each of `size` numbers, in the order of the terms.
inline void sumStages(std::span<const StageTerm> terms, const double* rates, std::size_t size, double* __restrict sum)
{
    for (std::size_t i = 0; i < size; ++i)
        sum[i] = 0;
    for (const StageTerm& term : terms) {
        const double* const k = rates + static_cast<std::size_t>(term.stage) * size;
        for (std::size_t i = 0; i < size; ++i)
            sum[i] += term.weight * k[i];
    }
}

} // namespace driftless::integrate
