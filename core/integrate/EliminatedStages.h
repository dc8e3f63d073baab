// What an explicit method works in where the system solves for its rates itself (solve::DaeSystem::eliminatedRates).
//
// Then a step touches the differential unknowns alone, in their order and without gaps: a stage is a sum of rates and one call.
// Sums run over pairs of numbers, each with the bits that it would get alone. An odd one out is paired with whatever stands
// behind it, and nobody looks at what comes out.
#pragma once

#include <cmath>
#include <cstring>
#include <optional>
#include <type_traits>
#include <vector>

#include "core/integrate/StageSums.h"

namespace driftless::integrate {

using NumberPair = double __attribute__((vector_size(16)));

inline NumberPair pairAt(const double* from)
{
    NumberPair pair;
    std::memcpy(&pair, from, sizeof pair);
    return pair;
}
/// Of numbers that were stored one by one a moment ago: a load of both would wait until they are written.
inline NumberPair freshPairAt(const double* from)
{
    double second = from[1];
#if defined(__GNUC__) && defined(__SSE2__)
    asm("" : "+x"(second)); // no load of both is made of it
#endif
    return NumberPair{from[0], second};
}
inline void putPair(NumberPair pair, double* to) { std::memcpy(to, &pair, sizeof pair); }

/// The sums of kPairs pairs, first in `terms` and in `rates`. With kTerms, the number of terms, loops are written out. kFresh:
/// the last term is of the stage that was made last.
template <std::size_t kPairs, std::size_t kTerms = 0, bool kFresh = false>
[[gnu::always_inline]] inline void sumPairs(const StageTerm* terms, std::size_t count, const double* rates, std::size_t stride,
                                            NumberPair* sums)
{
    for (std::size_t p = 0; p < kPairs; ++p)
        sums[p] = NumberPair{};
    const auto add = [&](const StageTerm& term, auto at) {
        const double* const k = rates + static_cast<std::size_t>(term.stage) * stride;
        const NumberPair weight{term.weight, term.weight};
#pragma GCC unroll 8
        for (std::size_t p = 0; p < kPairs; ++p)
            sums[p] += weight * at(k + 2 * p);
    };
    if constexpr (kTerms > 0) {
        constexpr std::size_t kLast = kTerms - (kFresh ? 1 : 0);
#pragma GCC unroll 16
        for (std::size_t j = 0; j < kLast; ++j)
            add(terms[j], pairAt);
        if constexpr (kFresh)
            add(terms[kLast], freshPairAt);
    } else {
        for (std::size_t j = 0; j < count; ++j)
            add(terms[j], pairAt);
    }
}

/// to = from + h sum_j weights_j k_j.
template <std::size_t kPairs, std::size_t kTerms = 0>
[[gnu::always_inline]] inline void advancePairs(const StageTerm* terms, std::size_t count, const double* rates,
                                                std::size_t stride, const double* from, double h, double* to)
{
    NumberPair sums[kPairs];
    sumPairs<kPairs, kTerms, (kTerms > 0)>(terms, count, rates, stride, sums);
    const NumberPair step{h, h};
#pragma GCC unroll 8
    for (std::size_t p = 0; p < kPairs; ++p)
        putPair(pairAt(from + 2 * p) + step * sums[p], to + 2 * p);
}

/// The same for any number of pairs, four at a time.
inline void advanceAll(std::span<const StageTerm> terms, const double* rates, std::size_t stride, std::size_t pairs,
                       const double* from, double h, double* to)
{
    std::size_t p = 0;
    for (; p + 4 <= pairs; p += 4)
        advancePairs<4>(terms.data(), terms.size(), rates + 2 * p, stride, from + 2 * p, h, to + 2 * p);
    switch (pairs - p) {
    case 3:
        return advancePairs<3>(terms.data(), terms.size(), rates + 2 * p, stride, from + 2 * p, h, to + 2 * p);
    case 2:
        return advancePairs<2>(terms.data(), terms.size(), rates + 2 * p, stride, from + 2 * p, h, to + 2 * p);
    case 1:
        return advancePairs<1>(terms.data(), terms.size(), rates + 2 * p, stride, from + 2 * p, h, to + 2 * p);
    default:
        return;
    }
}

class EliminatedStages {
public:
    /// Stages stand so far apart where a step is written out, so that their places are numbers of the program.
    static constexpr std::size_t kWrittenStride = 32;

    /// step(p) with the number of pairs p as an integral_constant, where a step is written out for so many; else none.
    template <class Step>
    std::optional<bool> writtenOut(Step&& step) const
    {
        if (stride_ != kWrittenStride)
            return std::nullopt;
        switch (pairs()) {
        case 1:
            return step(std::integral_constant<std::size_t, 1>{});
        case 2:
            return step(std::integral_constant<std::size_t, 2>{});
        case 3:
            return step(std::integral_constant<std::size_t, 3>{});
        case 4:
            return step(std::integral_constant<std::size_t, 4>{});
        default:
            return std::nullopt;
        }
    }

    /// room: of the system, 0 where it eliminates nothing; least: how far stages stand apart at least.
    void allocate(std::span<const solve::UnknownRole> roles, std::size_t stages, int room, std::size_t least = 0)
    {
        integrated_.take(roles);
        algebraic_.clear();
        algebraic_.reserve(roles.size());
        for (std::size_t i = 0; i < roles.size(); ++i)
            if (!roles[i].differential)
                algebraic_.push_back(i);
        const std::size_t padded = roles.size() + 1;
        stride_ = std::max({padded, static_cast<std::size_t>(room), least});
        rates_.assign((stages + 1) * stride_, 0.0);
        for (auto* v : {&from_, &to_})
            v->assign(padded + 1, 0.0);
    }

    const IntegratedUnknowns& integrated() const { return integrated_; }
    std::size_t size() const { return integrated_.size(); }
    std::size_t pairs() const { return (size() + 1) / 2; }
    std::size_t stride() const { return stride_; }
    double* stage(std::size_t i) { return &rates_[i * stride_]; }
    const double* rates() const { return rates_.data(); }
    double* from() { return from_.data(); }
    double* to() { return to_.data(); }

    /// Where a step begins, and its first stage.
    void begin(const double* y, const double* yp)
    {
        integrated_.gather(y, from_.data());
        integrated_.gather(yp, rates_.data());
    }
    void advance(std::span<const StageTerm> terms, double h)
    {
        advanceAll(terms, rates_.data(), stride_, pairs(), from_.data(), h, to_.data());
    }
    /// to() and the stage of its rates as the end of a step that began at y: with slopes for the algebraic unknowns.
    void finish(const double* stage, double h, const double* y, double* yNew, double* ypNew) const
    {
        integrated_.scatter(to_.data(), yNew);
        integrated_.scatter(stage, ypNew);
        const double* const values = stage + size();
        for (std::size_t k = 0; k < algebraic_.size(); ++k) {
            const std::size_t i = algebraic_[k];
            yNew[i] = values[k];
            ypNew[i] = (values[k] - y[i]) / h;
        }
    }

private:
    IntegratedUnknowns integrated_;
    std::vector<std::size_t> algebraic_;
    std::size_t stride_ = 0;
    std::vector<double> rates_;     ///< stage by stage: rates of the differential unknowns, then algebraic values and a rest
    std::vector<double> from_, to_; ///< differential unknowns
};

} // namespace driftless::integrate
