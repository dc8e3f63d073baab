#include "core/text/Names.h"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <vector>

namespace driftless::text {

namespace {

constexpr std::size_t kLongestName = 64;
constexpr std::size_t kMostCandidates = 2000;

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

/// Row by row of the table of distances between beginnings of a and of b.
std::size_t editDistance(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t above = row[j];
            const std::size_t changed = diagonal + (lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1);
            row[j] = std::min({above + 1, row[j - 1] + 1, changed});
            diagonal = above;
        }
    }
    return row.back();
}

const std::string& itself(const std::string& name) { return name; }

std::size_t farthest(std::size_t letters) { return letters <= 3 ? 1 : std::max<std::size_t>(2, letters / 3); }

} // namespace

NearestName::NearestName(std::string_view typed) : typed_(typed), distance_(farthest(typed.size()) + 1) {}

void NearestName::offer(std::string_view known)
{
    if (++offered_ > kMostCandidates || typed_.size() > kLongestName || known.size() > kLongestName)
        return;
    // A name of which every letter would change has nothing in common with what was typed.
    if (const std::size_t d = editDistance(typed_, known); d < distance_ && d < known.size()) {
        distance_ = d;
        best_ = known;
    }
}

std::string nearestName(std::string_view typed, std::span<const std::string> known)
{
    NearestName nearest(typed);
    for (const std::string& name : known)
        nearest.offer(name);
    return nearest.found();
}

std::string shortened(std::string_view name)
{
    constexpr std::size_t kLongest = 60;
    if (name.size() <= kLongest)
        return std::string(name);
    std::size_t cut = kLongest;
    while (cut > 0 && (static_cast<unsigned char>(name[cut]) & 0xC0) == 0x80)
        --cut;
    return std::string(name.substr(0, cut)) + "...";
}

std::string quoted(std::string_view name) { return '"' + shortened(name) + '"'; }

std::string joined(std::span<const std::string> names, std::string_view between) { return joined(names, itself, between); }

std::string alternatives(std::span<const std::string> names)
{
    if (names.size() < 2)
        return joined(names);
    return joined(names.first(names.size() - 1)) + " or " + names.back();
}

std::string firstOf(std::span<const std::string> names, std::size_t most) { return firstOf(names, itself, most); }

} // namespace driftless::text
