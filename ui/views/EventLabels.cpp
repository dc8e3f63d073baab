#include "ui/views/EventLabels.h"

#include <algorithm>
#include <numeric>

namespace driftless::ui {

namespace {

struct Stretch {
    double from = 0, to = 0;
    bool meets(const Stretch& other) const { return from < other.to && other.from < to; }
};

/// Marks and words that are there already.
class Ground {
public:
    Ground(const std::vector<LabelWish>& wishes, const LabelRoom& room) : room_(room)
    {
        for (const LabelWish& wish : wishes)
            if (wish.marked)
                marks_.push_back(wish.at);
        std::ranges::sort(marks_);
    }

    bool isFree(const Stretch& words) const
    {
        if (words.from < room_.from || words.to > room_.to)
            return false;
        const auto mark = std::ranges::upper_bound(marks_, words.from - room_.mark);
        return (mark == marks_.end() || *mark >= words.to + room_.mark) && isFreeOfWords(words);
    }
    bool isFreeOfWords(const Stretch& words) const
    {
        return std::ranges::none_of(words_, [&](const Stretch& other) { return other.meets(words); });
    }
    void take(const Stretch& words, const LabelWish& of)
    {
        words_.push_back({words.from - room_.gap, words.to + room_.gap});
        if (!of.marked)
            marks_.insert(std::ranges::upper_bound(marks_, of.at), of.at);
    }

private:
    const LabelRoom room_;
    std::vector<double> marks_; ///< in order
    std::vector<Stretch> words_;
};

} // namespace

std::vector<std::optional<double>> placeLabels(const std::vector<LabelWish>& wishes, const LabelRoom& room)
{
    Ground ground(wishes, room);
    std::vector<std::size_t> order(wishes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
        return wishes[a].rank != wishes[b].rank ? wishes[a].rank < wishes[b].rank : wishes[a].at < wishes[b].at;
    });
    std::vector<std::optional<double>> out(wishes.size());
    const double beside = room.mark + room.gap;
    for (const std::size_t i : order) {
        const LabelWish& wish = wishes[i];
        if (wish.width <= 0)
            continue;
        if (!wish.marked && !ground.isFreeOfWords({wish.at - room.mark, wish.at + room.mark}))
            continue;
        for (const double left : {wish.at + beside, wish.at - beside - wish.width}) {
            const Stretch words{left, left + wish.width};
            if (!ground.isFree(words))
                continue;
            ground.take(words, wish);
            out[i] = left;
            break;
        }
    }
    return out;
}

} // namespace driftless::ui
