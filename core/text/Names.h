// Names in messages: the known name that was probably meant, names in quotes, lists of names.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <span>
#include <string>
#include <string_view>

namespace driftless::text {

/// Looks for the known name that is nearest to what was typed: the fewest letters added, left out or changed (Levenshtein's
/// distance, capitals and small letters alike). Near are names at most a third of the typed letters away, two letters from four
/// on, since two letters exchanged count as two changes. The first of equally near names is taken. Names of more than 64
/// letters, and names after the two thousandth, are not looked at.
class NearestName {
public:
    explicit NearestName(std::string_view typed);
    void offer(std::string_view known);
    /// Empty when none is near.
    const std::string& found() const { return best_; }

private:
    std::string typed_;
    std::string best_;
    std::size_t distance_; ///< a nearer name has less
    std::size_t offered_ = 0;
};

/// The nearest of these, empty when none is near.
std::string nearestName(std::string_view typed, std::span<const std::string> known);

/// At most 60 bytes of a name from a stranger, cut between characters of UTF-8, with "..." where something was cut.
std::string shortened(std::string_view name);
/// "name", shortened, in quotation marks.
std::string quoted(std::string_view name);

/// What gives the word of an item.
template <typename Word, typename Items>
concept WordOf = requires(const Word& word, const Items& items)
{
    std::string_view(word(*std::begin(items)));
};

/// word(item) of all items with this between them.
template <typename Items, WordOf<Items> Word>
std::string joined(const Items& items, const Word& word, std::string_view between = ", ")
{
    std::string out;
    bool first = true;
    for (const auto& item : items) {
        if (!first)
            out += between;
        out += word(item);
        first = false;
    }
    return out;
}
/// "a, b, c"
std::string joined(std::span<const std::string> names, std::string_view between = ", ");
/// "a, b and c" of the words of all items, where last is " and ".
template <typename Items, WordOf<Items> Word>
std::string enumerated(const Items& items, const Word& word, std::string_view last)
{
    const std::size_t count = std::size(items), before = count > 0 ? count - 1 : 0;
    std::string out = joined(std::span(std::data(items), before), word);
    if (before > 0)
        out += last;
    return count > 0 ? out + word(std::data(items)[before]) : out;
}
/// "a, b or c"
std::string alternatives(std::span<const std::string> names);
/// word(item) of all items with commas between them, and " and 3 more" in place of those behind the first `most`.
template <typename Items, WordOf<Items> Word>
std::string firstOf(const Items& items, const Word& word, std::size_t most = 12)
{
    const std::size_t count = std::size(items);
    std::string out = joined(std::span(std::data(items), std::min(count, most)), word);
    return count > most ? out + " and " + std::to_string(count - most) + " more" : out;
}
/// The same of names: "a, b, c and 3 more".
std::string firstOf(std::span<const std::string> names, std::size_t most = 12);

} // namespace driftless::text
