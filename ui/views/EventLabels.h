// Words beside the marks of the time line: which of them have room.
#pragma once

#include <optional>
#include <vector>

namespace driftless::ui {

/// What would like to have words. [px]
struct LabelWish {
    double at = 0;      ///< where its event is
    double width = 0;   ///< of the words; 0: it wants none
    int rank = 0;       ///< those of rank 0 choose first
    bool marked = true; ///< a mark stands there, words or not
};

struct LabelRoom {
    double from = 0, to = 0; ///< [px] where words may stand
    double mark = 0;         ///< [px] half of a mark's width
    double gap = 0;          ///< [px] beside words
};

/// Left ends of the words that have room [px], in the order of the wishes. They stand at the right of their event, else at its
/// left, on no mark and on no other words; of one rank the earlier event chooses first. Where there is no room the mark stays
/// alone.
std::vector<std::optional<double>> placeLabels(const std::vector<LabelWish>& wishes, const LabelRoom& room);

} // namespace driftless::ui
