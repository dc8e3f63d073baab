// How often the program did, since it began, what costs much beside a step: so that a test can say what a change of a run may
// cost, and a bug report whether something is built again and again. Counted always; any thread.
#pragma once

#include <atomic>
#include <cstdint>

namespace driftless {

struct Counters {
    std::atomic<std::uint64_t> rewrites{0};    ///< of a model as the rows of a formulation
    std::atomic<std::uint64_t> tapes{0};       ///< compiled from expressions
    std::atomic<std::uint64_t> instances{0};   ///< of a compiled form, with room for an evaluation
    std::atomic<std::uint64_t> integrators{0}; ///< made
    std::atomic<std::uint64_t> evaluators{0};  ///< of a compiled system, with room for an evaluation
};

inline Counters& counters()
{
    static Counters all;
    return all;
}

inline void count(std::atomic<std::uint64_t>& what) { what.fetch_add(1, std::memory_order_relaxed); }

} // namespace driftless
