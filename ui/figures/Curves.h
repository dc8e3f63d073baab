// From numbers to lines on the page: mapped, reduced to what the page can show, cut to the panel. Private to the room.
#pragma once

#include <QPointF>
#include <QPolygonF>
#include <QRectF>
#include <QVector>

#include <vector>

#include "ui/figures/Figure.h"
#include "ui/figures/Ticks.h"

namespace driftless::figures {

/// Where values lie in a panel's box.
struct Map {
    QRectF box;
    Range x, y;
    bool logX = false, logY = false;

    /// On a logarithmic axis what is not positive lies on the lower edge.
    double xOf(double value) const;
    double yOf(double value) const;
    QPointF at(double vx, double vy) const { return {xOf(vx), yOf(vy)}; }
};

struct Curve {
    std::vector<QPolygonF> lines; ///< cut to the box, without gaps
    std::vector<QPointF> marks;   ///< inside the box
    std::vector<QPolygonF> areas; ///< of a band, and of noise from its minimum to its maximum
    std::vector<double> zeros;    ///< abscissae [units] of exact zeros on a logarithmic ordinate
    bool dense = false;           ///< noise: the lines are the middle of the areas
};

/// column: width of the finest thing to show.
/// pitch is the distance of a line's sparse marks, 0: none; offset (0 to 1) shifts them. A line that turns back has as many as
/// fit once across the box.
struct CurveRequest {
    double column = 8;
    double pitch = 0, offset = 0;
};
Curve curveOf(const Series& series, const Map& map, const CurveRequest& request);

/// The part of a segment inside a rectangle (Liang and Barsky 1984); false when there is none. SVG written by Qt knows no
/// clipping, so curves are cut here, the same for every format.
bool cutToRect(QPointF& a, QPointF& b, const QRectF& box);

} // namespace driftless::figures
