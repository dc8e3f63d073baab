#include "ui/figures/CurveStyle.h"

#include <QPolygonF>

#include <array>
#include <cmath>
#include <numbers>

namespace driftless::figures {

namespace {

constexpr std::array<const char*, kStyles> kLight{"#1F55D6", "#E04A00", "#14181D", "#2E9468",
                                                  "#3A0C78", "#A0567F", "#623600", "#2487F2"};
constexpr std::array<const char*, kStyles> kDark{"#8FA8FF", "#D9820F", "#FFFFF0", "#1FBA86",
                                                 "#7F60FF", "#CC90B2", "#F7C23A", "#C4F0F8"};
constexpr std::array<const char*, kStyles> kGrey{"#000000", "#707070", "#000000", "#707070",
                                                 "#303030", "#8A8A8A", "#000000", "#707070"};

std::size_t place(int index) { return static_cast<std::size_t>(((index % kStyles) + kStyles) % kStyles); }

/// Behind the eighth the colours come again, each with another dash and another mark. Steps of 3 and 2 meet every pair of
/// dash and mark once in 64 curves, so that these are told apart in grey as well.
std::size_t placeInRound(int index, int step) { return place(index + step * (index / kStyles)); }

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
    path.addPolygon(
        QPolygonF{{-w, -r}, {w, -r}, {w, -w}, {r, -w}, {r, w}, {w, w}, {w, r}, {-w, r}, {-w, w}, {-r, w}, {-r, -w}, {-w, -w}});
    path.closeSubpath();
    return path;
}

} // namespace

QColor curveColour(int index, Theme theme)
{
    const auto& coloured = theme == Theme::Light ? kLight : kDark;
    const auto& table = theme == Theme::Grey ? kGrey : coloured;
    return QColor(QLatin1String(table[place(index)]));
}

QVector<qreal> curveDashes(int index)
{
    static const std::array<QVector<qreal>, kStyles> patterns{QVector<qreal>{}, {6, 3},  {1.5, 2.5}, {8, 3, 1.5, 3},
                                                              {4, 2},           {10, 4}, {1.5, 4},   {8, 2, 2, 2, 2, 2}};
    return patterns[placeInRound(index, 3)];
}

LevelLook levelLook(int level)
{
    static const std::array<LevelLook, 4> looks{LevelLook{1, 1}, {0.75, 0.8}, {0.55, 0.62}, {1.5, 0.45}};
    return level < 0 ? LevelLook{} : looks[static_cast<std::size_t>(level) % looks.size()];
}

QPainterPath markShape(int index, double radius)
{
    constexpr double kUp = -std::numbers::pi / 2;
    switch (placeInRound(index, 2)) {
    case 0: {
        QPainterPath path;
        path.addEllipse(QPointF(0, 0), 0.9 * radius, 0.9 * radius);
        return path;
    }
    case 1:
        return polygon(4, std::numbers::pi / 4, 1.15 * radius);
    case 2:
        return polygon(3, kUp, 1.2 * radius);
    case 3:
        return polygon(4, 0, 1.2 * radius);
    case 4:
        return polygon(3, -kUp, 1.2 * radius);
    case 5:
        return plus(1.1 * radius);
    case 6:
        return polygon(6, 0, 1.05 * radius);
    default:
        return polygon(5, kUp, 1.3 * radius, 0.45);
    }
}

QPen linePen(const QColor& colour, double width, const QVector<qreal>& dashes)
{
    QPen pen(colour, width);
    if (!dashes.isEmpty())
        pen.setDashPattern(dashes);
    pen.setJoinStyle(Qt::BevelJoin);
    pen.setCapStyle(Qt::FlatCap);
    return pen;
}

const Inks& inksOf(Theme theme)
{
    static const Inks light{QColor("#FFFFFF"), QColor("#14181D"), QColor("#4E5866"), QColor("#E3E7EC"), QColor("#4E5866")};
    static const Inks dark{QColor("#14181D"), QColor("#E8ECF1"), QColor("#A3AFBD"), QColor("#2B333D"), QColor("#A3AFBD")};
    static const Inks grey{QColor("#FFFFFF"), QColor("#000000"), QColor("#404040"), QColor("#E6E6E6"), QColor("#404040")};
    const Inks& coloured = theme == Theme::Light ? light : dark;
    return theme == Theme::Grey ? grey : coloured;
}

} // namespace driftless::figures
