#include "ui/views/CurveMarkers.h"

#include <QPolygonF>

#include <cmath>
#include <numbers>

namespace driftless::ui {

namespace {

QPainterPath polygon(int corners, double start, double radius, double inner = 1)
{
    QPolygonF points;
    const int count = inner < 1 ? 2 * corners : corners;
    for (int i = 0; i < count; ++i) {
        const double a = start + 2 * std::numbers::pi * i / count, r = i % 2 == 1 && inner < 1 ? radius * inner : radius;
        points << QPointF(r * std::cos(a), r * std::sin(a));
    }
    QPainterPath path;
    path.addPolygon(points);
    path.closeSubpath();
    return path;
}

QPainterPath plus(double r)
{
    const double w = 0.36 * r;
    QPainterPath path;
    path.addPolygon(QPolygonF{{-w, -r}, {w, -r}, {w, -w}, {r, -w}, {r, w}, {w, w}, {w, r}, {-w, r}, {-w, w}, {-r, w}, {-r, -w}, {-w, -w}});
    path.closeSubpath();
    return path;
}

} // namespace

QPainterPath markerShape(int index, double radius)
{
    constexpr double kUp = -std::numbers::pi / 2;
    switch (index % 8) {
    case 0: {
        QPainterPath path;
        path.addEllipse(QPointF(0, 0), 0.9 * radius, 0.9 * radius);
        return path;
    }
    case 1: return polygon(4, std::numbers::pi / 4, 1.15 * radius);
    case 2: return polygon(3, kUp, 1.2 * radius);
    case 3: return polygon(4, 0, 1.2 * radius);
    case 4: return polygon(3, -kUp, 1.2 * radius);
    case 5: return plus(1.1 * radius);
    case 6: return polygon(6, 0, 1.05 * radius);
    default: return polygon(5, kUp, 1.3 * radius, 0.45);
    }
}

QPen curvePen(const QColor& colour, double width, const QVector<qreal>& dashes)
{
    QPen pen(colour, width);
    if (!dashes.isEmpty())
        pen.setDashPattern(dashes);
    pen.setJoinStyle(Qt::BevelJoin);
    pen.setCapStyle(Qt::FlatCap);
    return pen;
}

QColor translucent(QColor colour, float opacity)
{
    colour.setAlphaF(opacity);
    return colour;
}

} // namespace driftless::ui
