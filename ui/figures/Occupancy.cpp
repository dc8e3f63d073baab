#include "ui/figures/Occupancy.h"

#include <algorithm>
#include <cmath>

namespace driftless::figures {

Occupancy::Occupancy(const QRectF& box, double cell)
    : box_(box), cell_(cell), columns_(std::clamp(static_cast<int>(std::ceil(box.width() / cell)), 1, 2000)),
      rows_(std::clamp(static_cast<int>(std::ceil(box.height() / cell)), 1, 2000)),
      cells_(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_), 0)
{
}

int Occupancy::column(double x) const { return static_cast<int>(std::floor((x - box_.left()) / cell_)); }
int Occupancy::row(double y) const { return static_cast<int>(std::floor((y - box_.top()) / cell_)); }

bool Occupancy::cellTaken(int c, int r) const
{
    if (c < 0 || r < 0 || c >= columns_ || r >= rows_)
        return true;
    return cells_[static_cast<std::size_t>(r) * static_cast<std::size_t>(columns_) + static_cast<std::size_t>(c)] != 0;
}

void Occupancy::addRect(const QRectF& rect)
{
    const int c1 = std::min(column(rect.right()), columns_ - 1), r1 = std::min(row(rect.bottom()), rows_ - 1);
    for (int r = std::max(row(rect.top()), 0); r <= r1; ++r)
        for (int c = std::max(column(rect.left()), 0); c <= c1; ++c)
            cells_[static_cast<std::size_t>(r) * static_cast<std::size_t>(columns_) + static_cast<std::size_t>(c)] = 1;
}

void Occupancy::addPoint(const QPointF& point, double radius)
{
    addRect(QRectF(point.x() - radius, point.y() - radius, 2 * radius, 2 * radius));
}

void Occupancy::addLine(const QPolygonF& line)
{
    for (qsizetype i = 0; i + 1 < line.size(); ++i) {
        const QPointF d = line[i + 1] - line[i];
        const int steps = std::max(1, static_cast<int>(std::ceil(2 * std::max(std::abs(d.x()), std::abs(d.y())) / cell_)));
        for (int k = 0; k <= steps; ++k)
            addPoint(line[i] + d * (static_cast<double>(k) / steps), 0);
    }
}

double Occupancy::taken(const QRectF& rect) const
{
    int all = 0, full = 0;
    for (int r = row(rect.top()); r <= row(rect.bottom()); ++r)
        for (int c = column(rect.left()); c <= column(rect.right()); ++c) {
            ++all;
            full += cellTaken(c, r) ? 1 : 0;
        }
    return all == 0 ? 1 : static_cast<double>(full) / all;
}

bool Occupancy::isTaken(const QPointF& point) const { return cellTaken(column(point.x()), row(point.y())); }

double Occupancy::distance(const QPointF& point, double most) const
{
    const int c0 = column(point.x()), r0 = row(point.y()), reach = static_cast<int>(std::ceil(most / cell_));
    double nearest = most;
    for (int r = std::max(0, r0 - reach); r <= std::min(rows_ - 1, r0 + reach); ++r)
        for (int c = std::max(0, c0 - reach); c <= std::min(columns_ - 1, c0 + reach); ++c)
            if (cellTaken(c, r))
                nearest = std::min(nearest, cell_ * std::hypot(c - c0, r - r0));
    return nearest;
}

int Occupancy::best(const std::vector<QRectF>& candidates) const
{
    int found = -1;
    double least = 2;
    for (std::size_t i = 0; i < candidates.size() && least > 0; ++i) {
        const double share = taken(candidates[i]);
        if (share < least) {
            least = share;
            found = static_cast<int>(i);
        }
    }
    return found;
}

} // namespace driftless::figures
