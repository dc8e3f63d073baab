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
constexpr std::span<const StageTerm> termsOf(const Row& row)
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

/// sum_k weights_k rates of its stage, in the order of the terms. Stages stand `stride` numbers apart. Four sums at a time stay
/// in registers.
inline void sumStages(std::span<const StageTerm> terms, const double* rates, std::size_t stride, std::size_t size,
                      double* __restrict sum)
{
    std::size_t i = 0;
    for (; i + 4 <= size; i += 4) {
        double a = 0, b = 0, c = 0, d = 0;
        for (const StageTerm& term : terms) {
            const double* const k = rates + static_cast<std::size_t>(term.stage) * stride + i;
            a += term.weight * k[0];
            b += term.weight * k[1];
            c += term.weight * k[2];
            d += term.weight * k[3];
        }
        sum[i] = a;
        sum[i + 1] = b;
        sum[i + 2] = c;
        sum[i + 3] = d;
    }
    for (; i < size; ++i) {
        double a = 0;
        for (const StageTerm& term : terms)
            a += term.weight * rates[static_cast<std::size_t>(term.stage) * stride + i];
        sum[i] = a;
    }
}

} // namespace driftless::integrate
