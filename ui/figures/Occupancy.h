// Which parts of a panel are free of curves: labels go where they hide nothing. Private to the room.
#pragma once

#include <QPointF>
#include <QPolygonF>
#include <QRectF>

#include <vector>

namespace driftless::figures {

class Occupancy {
public:
    Occupancy(const QRectF& box, double cell);

    void addLine(const QPolygonF& line);
    void addPoint(const QPointF& point, double radius);
    void addRect(const QRectF& rect);

    /// Cells of rect that are taken, as a share of all of its cells; parts outside the box count as taken.
    double taken(const QRectF& rect) const;
    bool isTaken(const QPointF& point) const;
    /// Distance from a point to the nearest taken cell, at most `most`.
    double distance(const QPointF& point, double most) const;

    /// The first of the candidates that is wholly free, else the one with the smallest share taken; -1 without candidates.
    int best(const std::vector<QRectF>& candidates) const;

private:
    int column(double x) const;
    int row(double y) const;
    bool cellTaken(int c, int r) const;

    QRectF box_;
    double cell_;
    int columns_, rows_;
    std::vector<char> cells_;
};

} // namespace driftless::figures
