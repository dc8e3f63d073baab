// Random cases for property tests: drawn from a printed seed, and made smaller where they fail.
//
// DRIFTLESS_SEED and DRIFTLESS_COUNT replace what a test draws by default; a case that failed is drawn again by its own seed
// with count 1.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <vector>

namespace driftless::test {

inline std::uint64_t seedOr(std::uint64_t otherwise)
{
    const char* text = std::getenv("DRIFTLESS_SEED");
    return text ? std::strtoull(text, nullptr, 10) : otherwise;
}
inline int countOr(int otherwise)
{
    const char* text = std::getenv("DRIFTLESS_COUNT");
    return text ? std::atoi(text) : otherwise;
}

/// SplitMix64: the same numbers with every library, which distributions of the standard library do not promise.
class Draw {
public:
    explicit Draw(std::uint64_t seed) : state_(seed) {}

    std::uint64_t bits()
    {
        std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }
    double between(double low, double high) { return low + (high - low) * static_cast<double>(bits() >> 11) * 0x1p-53; }
    /// Three decimals, as a person writes a number.
    double decimal(double low, double high) { return std::round(1000 * between(low, high)) / 1000; }
    int upTo(int low, int high) { return low + static_cast<int>(bits() % static_cast<std::uint64_t>(high - low + 1)); }
    bool chance(double p) { return between(0, 1) < p; }
    template <class List>
    const auto& among(const List& list)
    {
        return list[static_cast<std::size_t>(bits() % std::size(list))];
    }

private:
    std::uint64_t state_;
};

/// The smallest case that still fails: smaller(c) lists cases that are simpler than c, the boldest first.
template <class Case, class Smaller, class Fails>
Case shrunk(Case failing, const Smaller& smaller, const Fails& fails, int mostTries = 200)
{
    for (bool again = true; again;) {
        again = false;
        for (const Case& next : smaller(failing)) {
            if (mostTries-- <= 0)
                return failing;
            if (!fails(next))
                continue;
            failing = next;
            again = true;
            break;
        }
    }
    return failing;
}

} // namespace driftless::test
