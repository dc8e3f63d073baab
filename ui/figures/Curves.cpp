#include "ui/figures/Curves.h"

#include <algorithm>
#include <cmath>

#include "ui/figures/ColumnBand.h"

namespace driftless::figures {

namespace {

constexpr double kFar = 1e6;         // [units] beyond any page; keeps arithmetic finite
constexpr double kDenseShare = 0.25; // of the columns hold a zigzag: the curve counts as dense
constexpr double kZigzag = 3;        // turns within a column that make it one
constexpr double kBandColumns = 3;   // columns of the finest thing that one of a band takes: 0.24 mm, as an eye tells apart
constexpr int kZeros = 3;            // zeros in a row that break a line: one between two values is round-off met by chance

double share(double value, Range range, bool logarithmic)
{
    if (logarithmic && !(value > 0))
        return std::isnan(value) ? value : 0;
    if (logarithmic)
        return std::log(value / range.low) / std::log(range.high / range.low);
    return (value - range.low) / (range.high - range.low);
}

/// A zero at x of the data, as a place on the page.
void addZero(const Map& map, double x, std::vector<double>& zeros)
{
    if (const double at = map.xOf(x); at >= map.box.left() && at <= map.box.right())
        zeros.push_back(at);
}

/// The stretches without NaN, on the page. Steps get their corners. Zeros on a logarithmic ordinate leave a line: they stand
/// apart, and several in a row break it.
std::vector<QPolygonF> mapped(const Series& series, const Map& map, std::vector<double>& zeros)
{
    std::vector<QPolygonF> pieces(1);
    const std::size_t count = std::min(series.x.size(), series.y.size());
    const bool apart = map.logY && (series.kind == SeriesKind::Line || series.kind == SeriesKind::Steps);
    int inARow = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const bool zero = apart && series.y[i] <= 0;
        if (zero)
            addZero(map, series.x[i], zeros);
        inARow = zero ? inARow + 1 : 0;
        if (zero && inARow < kZeros)
            continue;
        const QPointF p = map.at(series.x[i], series.y[i]);
        if (zero || !std::isfinite(p.x()) || !std::isfinite(p.y())) {
            if (!pieces.back().isEmpty())
                pieces.emplace_back();
            continue;
        }
        if (series.kind == SeriesKind::Steps && !pieces.back().isEmpty())
            pieces.back() << QPointF(p.x(), pieces.back().back().y());
        pieces.back() << p;
    }
    return pieces;
}

bool ascending(const QPolygonF& points)
{
    return std::is_sorted(points.begin(), points.end(), [](const QPointF& a, const QPointF& b) { return a.x() < b.x(); });
}

/// First, lowest, highest and last point of every column, in their order.
QPolygonF reduceColumns(const QPolygonF& points, double column)
{
    QPolygonF out;
    qsizetype i = 0;
    while (i < points.size()) {
        const double place = std::floor(points[i].x() / column);
        qsizetype low = i, high = i, end = i;
        for (; end < points.size() && std::floor(points[end].x() / column) == place; ++end) {
            if (points[end].y() < points[low].y())
                low = end;
            if (points[end].y() > points[high].y())
                high = end;
        }
        qsizetype kept[] = {i, std::min(low, high), std::max(low, high), end - 1};
        for (int k = 0; k < 4; ++k)
            if (k == 0 || kept[k] != kept[k - 1])
                out << points[kept[k]];
        i = end;
    }
    return out;
}

/// Leaves out points nearer to the last kept one than the page can show.
QPolygonF reduceByDistance(const QPolygonF& points, double distance)
{
    QPolygonF out;
    for (qsizetype i = 0; i < points.size(); ++i) {
        const QPointF d = out.isEmpty() ? QPointF(kFar, 0) : points[i] - out.back();
        if (i + 1 == points.size() || std::hypot(d.x(), d.y()) >= distance)
            out << points[i];
    }
    return out;
}

void cutPiece(const QPolygonF& points, const QRectF& box, std::vector<QPolygonF>& lines)
{
    QPolygonF line;
    for (qsizetype i = 0; i + 1 < points.size(); ++i) {
        QPointF a = points[i], b = points[i + 1];
        const bool visible = cutToRect(a, b, box);
        if (!visible || (!line.isEmpty() && line.back() != a)) {
            if (line.size() > 1)
                lines.push_back(line);
            line.clear();
        }
        if (!visible)
            continue;
        if (line.isEmpty())
            line << a;
        line << b;
    }
    if (line.size() > 1)
        lines.push_back(line);
}

/// Whether so many columns hold a zigzag that a line through the samples would be a scribble.
bool isNoise(const std::vector<QPolygonF>& pieces, double column)
{
    int columns = 0, zigzags = 0;
    for (const QPolygonF& points : pieces) {
        if (!ascending(points))
            continue;
        const double width = kBandColumns * column;
        for (qsizetype i = 0; i < points.size(); ++columns) {
            const double place = std::floor(points[i].x() / width);
            double low = points[i].y(), high = low;
            int turns = 0;
            const qsizetype first = i;
            for (; i < points.size() && std::floor(points[i].x() / width) == place; ++i) {
                low = std::min(low, points[i].y());
                high = std::max(high, points[i].y());
                if (i > first + 1 && (points[i].y() - points[i - 1].y()) * (points[i - 1].y() - points[i - 2].y()) < 0)
                    ++turns;
            }
            zigzags += turns >= kZigzag && high - low > 2 * column ? 1 : 0;
        }
    }
    return zigzags > kDenseShare * columns;
}

/// The samples become the band of their columns and the line in its middle.
void setBand(QPolygonF& points, const QRectF& box, double width, std::vector<QPolygonF>& areas)
{
    std::vector<ColumnSpan> columns;
    for (const QPointF& p : points) {
        const double middle = (std::floor(p.x() / width) + 0.5) * width;
        if (middle < box.left() - kCalmColumns * width || middle > box.right() + kCalmColumns * width)
            continue;
        if (columns.empty() || columns.back().x != middle)
            columns.push_back({.x = middle, .low = p.y(), .high = p.y()});
        columns.back().low = std::min(columns.back().low, p.y());
        columns.back().high = std::max(columns.back().high, p.y());
    }
    const std::vector<double> middles = centreLine(columns, false);
    points.clear();
    QPolygonF lower, upper;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const double x = std::clamp(columns[i].x, box.left(), box.right());
        points << QPointF(x, middles[i]);
        lower << QPointF(x, std::clamp(columns[i].low, box.top(), box.bottom()));
        upper << QPointF(x, std::clamp(columns[i].high, box.top(), box.bottom()));
    }
    std::reverse(upper.begin(), upper.end());
    areas.push_back(lower + upper);
}

/// Sparse marks: by distance along the abscissa where it ascends, else along the curve.
/// next: abscissa from which the curve may have one, across its gaps.
void addMarks(const QPolygonF& points, const Map& map, const CurveRequest& request, double& next, std::vector<QPointF>& marks)
{
    if (points.size() < 2)
        return;
    // Not on the edge either, where zeros lie on a logarithmic axis.
    const auto inside = [&map](const QPointF& p) { return map.box.adjusted(-1, -1, 1, -1).contains(p); };
    if (ascending(points)) {
        for (const QPointF& p : points) {
            if (p.x() < next)
                continue;
            if (inside(p))
                marks.push_back(p);
            while (next <= p.x())
                next += request.pitch;
        }
        return;
    }
    double length = 0;
    for (qsizetype i = 1; i < points.size(); ++i)
        length += std::hypot(points[i].x() - points[i - 1].x(), points[i].y() - points[i - 1].y());
    const double pitch = std::max(request.pitch, length * request.pitch / map.box.width());
    double along = pitch * (0.9 - 0.8 * request.offset);
    for (qsizetype i = 1; i < points.size(); ++i) {
        const QPointF d = points[i] - points[i - 1];
        along += std::hypot(d.x(), d.y());
        if (along < pitch)
            continue;
        along = 0;
        if (inside(points[i]))
            marks.push_back(points[i]);
    }
}

/// Lower and upper edge as one polygon inside the box.
QPolygonF bandArea(const Series& series, const Map& map)
{
    QPolygonF lower, upper;
    const std::size_t count = std::min({series.x.size(), series.y.size(), series.upper.size()});
    const auto inside = [&map](QPointF p) { return QPointF(p.x(), std::clamp(p.y(), map.box.top(), map.box.bottom())); };
    for (std::size_t i = 0; i < count; ++i) {
        const QPointF a = map.at(series.x[i], series.y[i]), b = map.at(series.x[i], series.upper[i]);
        if (!std::isfinite(a.x() + a.y() + b.y()) || a.x() < map.box.left() - 1e-6 || a.x() > map.box.right() + 1e-6)
            continue;
        lower << inside(a);
        upper << inside(b);
    }
    std::reverse(upper.begin(), upper.end());
    return lower + upper;
}

} // namespace

double Map::xOf(double value) const { return std::clamp(box.left() + share(value, x, logX) * box.width(), -kFar, kFar); }

double Map::yOf(double value) const { return std::clamp(box.bottom() - share(value, y, logY) * box.height(), -kFar, kFar); }

bool cutToRect(QPointF& a, QPointF& b, const QRectF& box)
{
    double from = 0, to = 1;
    const QPointF d = b - a;
    const double p[] = {-d.x(), d.x(), -d.y(), d.y()};
    const double q[] = {a.x() - box.left(), box.right() - a.x(), a.y() - box.top(), box.bottom() - a.y()};
    for (int i = 0; i < 4; ++i) {
        if (p[i] == 0) {
            if (q[i] < 0)
                return false;
            continue;
        }
        const double r = q[i] / p[i];
        if (p[i] < 0)
            from = std::max(from, r);
        else
            to = std::min(to, r);
    }
    if (from > to)
        return false;
    // The ends themselves where nothing is cut, so that pieces join exactly.
    const QPointF start = a, end = b;
    a = from == 0 ? start : start + from * d;
    b = to == 1 ? end : start + to * d;
    return true;
}

Curve curveOf(const Series& series, const Map& map, const CurveRequest& request)
{
    Curve curve;
    if (series.kind == SeriesKind::Band) {
        curve.areas.push_back(bandArea(series, map));
        return curve;
    }
    for (const double x : series.zeros)
        addZero(map, x, curve.zeros);
    std::vector<QPolygonF> pieces = mapped(series, map, curve.zeros);
    double next = map.box.left() + request.pitch * (0.15 + 0.7 * request.offset);
    const bool marked = series.kind == SeriesKind::Marks || series.kind == SeriesKind::LineMarks;
    if (series.kind == SeriesKind::Line && isNoise(pieces, request.column)) {
        curve.dense = true;
        for (QPolygonF& piece : pieces)
            setBand(piece, map.box, kBandColumns * request.column, curve.areas);
    }
    for (const QPolygonF& piece : pieces) {
        if (marked) {
            for (const QPointF& p : piece)
                if (map.box.adjusted(-1, -1, 1, 1).contains(p))
                    curve.marks.push_back(p);
        } else if (request.pitch > 0) {
            addMarks(piece, map, request, next, curve.marks);
        }
        if (series.kind != SeriesKind::Marks)
            cutPiece(ascending(piece) ? reduceColumns(piece, request.column) : reduceByDistance(piece, request.column / 2),
                     map.box, curve.lines);
    }
    return curve;
}

} // namespace driftless::figures
