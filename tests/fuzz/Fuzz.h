// What the fuzz targets share: the budgets of one execution, a way to say what an input has broken, and numbers drawn from the
// input.
//
// A target is one source with LLVMFuzzerTestOneInput. It reads the input as the program would, and where an answer can be
// checked it checks it. A check that fails prints what it found and aborts, so that libFuzzer keeps the input and the replay of
// the corpus fails.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "core/mechanism/ReadModel.h"
#include "core/system/Model.h"

namespace driftless::fuzz {

/// One execution stays below these, so that a second holds some hundred. The readers' own limits are far above and have tests
/// of their own. The limits of time and memory stand in scripts/fuzz: they are libFuzzer's.
struct Budget {
    static constexpr std::size_t kBytes = 16u << 10; ///< of an input
    static constexpr double kTerms = 2'000;          ///< of an expression that is written out, differentiated or expanded
    static constexpr int kBodies = 12;               ///< of a mechanism, repeated ones included
    static constexpr int kUnknowns = 10;             ///< of equations or a pencil that are analysed
    static constexpr std::uint64_t kSteps = 60;      ///< of a session's run
    static constexpr std::size_t kRuns = 3;          ///< of a session
    static constexpr int kMilliseconds = 3'000;      ///< of a replay; a session may ask for any number of steps
};

inline model::ReadLimits modelLimits()
{
    model::ReadLimits limits;
    limits.maxBytes = Budget::kBytes;
    limits.maxBodies = Budget::kBodies;
    limits.maxJoints = 2 * Budget::kBodies;
    limits.maxParameters = 8 * Budget::kBodies;
    return limits;
}

inline std::string_view textOf(const std::uint8_t* data, std::size_t size)
{
    return {reinterpret_cast<const char*>(data), size < Budget::kBytes ? size : Budget::kBytes};
}

/// The input broke a promise: says which, and with what.
[[noreturn]] inline void fail(const char* promise, const std::string& found)
{
    std::fprintf(stderr, "BROKEN: %s\n%s\n", promise, found.c_str());
    std::abort();
}

inline void check(bool kept, const char* promise, const std::string& found)
{
    if (!kept)
        fail(promise, found);
}

/// Numbers that depend on the input alone (SplitMix64).
class Drawn {
public:
    explicit Drawn(std::string_view text)
    {
        for (const char c : text)
            state_ = (state_ ^ static_cast<unsigned char>(c)) * 0x100000001b3u; // FNV-1a
    }
    std::uint64_t next()
    {
        std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }
    double between(double low, double high) { return low + (high - low) * static_cast<double>(next() >> 11) * 0x1p-53; }

private:
    std::uint64_t state_ = 0xcbf29ce484222325u;
};

} // namespace driftless::fuzz
