// Words beside points of a picture that do not lie over each other.
#pragma once

#include <QFontMetricsF>
#include <QRectF>
#include <QString>

#include <algorithm>
#include <optional>
#include <vector>

namespace driftless::ui {

inline bool isFree(const QRectF& box, const std::vector<QRectF>& taken)
{
    return std::ranges::none_of(taken, [&](const QRectF& other) { return other.intersects(box); });
}

/// Where words beside a point have room, which they take: right of it, left of it, each above and below; none: nowhere. Seen
/// from the side many arrows end in one place.
inline std::optional<QPointF> freePlace(QPointF at, const QString& words, const QFontMetricsF& metrics,
                                        std::vector<QRectF>& taken)
{
    constexpr double kApart = 6, kLift = 4; // [px]
    const double width = metrics.horizontalAdvance(words), drop = metrics.ascent() + kLift;
    for (const QPointF place :
         {QPointF(kApart, -kLift), QPointF(-kApart - width, -kLift), QPointF(kApart, drop), QPointF(-kApart - width, drop)}) {
        const QRectF box(at.x() + place.x(), at.y() + place.y() - metrics.ascent(), width, metrics.height());
        if (!isFree(box, taken))
            continue;
        taken.push_back(box);
        return at + place;
    }
    return {};
}

} // namespace driftless::ui
