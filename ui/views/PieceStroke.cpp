#include "ui/views/PieceStroke.h"

#include <QPainter>
#include <QPen>

#include <algorithm>
#include <cmath>

namespace driftless::ui {

namespace {

constexpr std::size_t kPiece = 25; // segments: fewer cost more calls than they save

bool isPlace(const QPointF& p) { return std::isfinite(p.x()) && std::isfinite(p.y()); }

/// Points that are all places.
void strokeUnbroken(QPainter& painter, std::span<const QPointF> points)
{
    QPen pen = painter.pen();
    const bool dashed = pen.style() != Qt::SolidLine;
    const double unit = std::max(pen.widthF(), 1.0), first = pen.dashOffset(); // offsets count in widths of the pen
    double way = 0;                                                            // [px] from the first point
    for (std::size_t from = 0; from + 1 < points.size(); from += kPiece) {
        const std::size_t count = std::min(kPiece + 2, points.size() - from);
        if (dashed) {
            pen.setDashOffset(first + way / unit);
            painter.setPen(pen);
            for (std::size_t i = from; i + 1 < points.size() && i < from + kPiece; ++i)
                way += std::hypot(points[i + 1].x() - points[i].x(), points[i + 1].y() - points[i].y());
        }
        painter.drawPolyline(points.data() + from, static_cast<int>(count));
    }
    if (dashed) {
        pen.setDashOffset(first);
        painter.setPen(pen);
    }
}

} // namespace

void strokeInPieces(QPainter& painter, std::span<const QPointF> points)
{
    for (auto from = points.begin(); from != points.end();) {
        from = std::find_if(from, points.end(), isPlace);
        const auto to = std::find_if_not(from, points.end(), isPlace);
        strokeUnbroken(painter, {from, to});
        from = to;
    }
}

} // namespace driftless::ui
