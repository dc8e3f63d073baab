#include "core/model/Suggest.h"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <vector>

namespace driftless::model {

namespace {

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

std::size_t distance(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t above = row[j];
            const std::size_t change = diagonal + (lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1);
            row[j] = std::min({above + 1, row[j - 1] + 1, change});
            diagonal = above;
        }
    }
    return row[b.size()];
}

} // namespace

std::string nearestName(std::string_view typed, std::span<const std::string> known)
{
    constexpr std::size_t kLongest = 64;
    constexpr std::size_t kMostCandidates = 2000;
    if (typed.size() > kLongest)
        return {};
    std::string best;
    // Two letters exchanged count as two changes, so that four letters allow two.
    std::size_t bestDistance = (typed.size() <= 3 ? 1 : std::max<std::size_t>(2, typed.size() / 3)) + 1;
    for (const std::string& name : known.first(std::min(known.size(), kMostCandidates))) {
        if (name.size() > kLongest)
            continue;
        const std::size_t d = distance(typed, name);
        if (d < bestDistance && d < name.size()) {
            bestDistance = d;
            best = name;
        }
    }
    return best;
}

std::string joinNames(std::span<const std::string> names)
{
    constexpr std::size_t kMost = 12;
    std::string out;
    for (std::size_t i = 0; i < std::min(names.size(), kMost); ++i)
        out += (i ? ", " : "") + names[i];
    if (names.size() > kMost)
        out += ", and " + std::to_string(names.size() - kMost) + " more";
    return out;
}

} // namespace driftless::model
