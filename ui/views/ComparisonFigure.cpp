#include "ui/views/ComparisonFigure.h"

#include <QBuffer>
#include <QFileInfo>
#include <QPageSize>
#include <QPainter>
#include <QPainterPath>
#include <QPdfWriter>
#include <QSvgGenerator>

#include <algorithm>
#include <cmath>

#include "ui/views/CurveMarkers.h"
#include "ui/views/PlotData.h"
#include "ui/figures/SaveFile.h"
#include "ui/views/Theme.h"

namespace driftless::ui {

namespace {

// Lengths in logical pixels (1/96 inch).
constexpr double kWidth = 900, kMargin = 28, kGap = 30, kPanelHeight = 250, kLonePanelHeight = 360;
constexpr double kTitleHeight = 28, kLineHeight = 18, kLegendHeight = 21, kFooterHeight = 22;
constexpr double kLegendSample = 44;
constexpr double kAxisLeft = 62, kAxisTop = 26, kAxisBottom = 38;
constexpr double kCurve = 1.5, kMarker = 3.4;
constexpr int kMarkersPerCurve = 7;
constexpr int kPdfDotsPerPixel = 12; // 1152 dpi: positions in the PDF finer than any printer
constexpr int kLargestPicture = 16384;

const Theme& themeOf(const ComparisonFigure& figure) { return figure.dark ? Theme::darkTheme() : Theme::light(); }

QColor gridColour(const Theme& theme) { return theme.dark ? theme.line : theme.line.lighter(104); }

/// The part of a segment inside a rectangle (Liang and Barsky); false when there is none. SVG written by Qt knows no
/// clipping, so curves are cut here, the same for every format.
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
    const QPointF start = a;
    a = start + from * d;
    b = start + to * d;
    return true;
}

/// One panel: where its axes lie and how values become positions.
class PanelPainter {
public:
    PanelPainter(QPainter& painter, const QRectF& area, const FigurePanel& panel, const Theme& theme)
        : p_(painter), area_(area), panel_(panel), theme_(theme),
          plot_(area.left() + kAxisLeft, area.top() + kAxisTop, area.width() - kAxisLeft, area.height() - kAxisTop - kAxisBottom)
    {
    }

    void paint()
    {
        p_.save();
        paintHead();
        paintBand();
        paintAbscissa();
        paintOrdinate();
        for (const FigureSeries& series : panel_.series)
            paintSeries(series);
        paintBandName();
        p_.setPen(QPen(theme_.secondary, 1));
        p_.setBrush(Qt::NoBrush);
        p_.drawRect(plot_);
        if (!panel_.empty.isEmpty()) {
            p_.setFont(uiFont(kTextPixels));
            p_.drawText(plot_, Qt::AlignCenter | Qt::TextWordWrap, panel_.empty);
        }
        p_.restore();
    }

private:
    double xOf(double x) const { return plot_.left() + (x - panel_.xLow) / (panel_.xHigh - panel_.xLow) * plot_.width(); }
    double yOf(double y) const
    {
        const auto share = panel_.logarithmic ? std::log10(y / panel_.yLow) / std::log10(panel_.yHigh / panel_.yLow)
                                              : (y - panel_.yLow) / (panel_.yHigh - panel_.yLow);
        return plot_.bottom() - share * plot_.height();
    }

    void paintHead()
    {
        p_.setPen(theme_.text);
        p_.setFont(uiFont(14, QFont::DemiBold));
        const double room = panel_.levels.isEmpty() ? area_.width() - kAxisLeft : area_.width() / 2;
        const QString title = QFontMetricsF(p_.font()).elidedText(panel_.title, Qt::ElideRight, room);
        p_.drawText(QPointF(plot_.left(), area_.top() + 14), title);
        p_.setFont(uiFont(kTickPixels));
        const QFontMetricsF metrics(p_.font());
        double x = plot_.right();
        for (int level = static_cast<int>(panel_.levels.size()) - 1; level >= 0; --level) {
            const QString& name = panel_.levels[level];
            x -= metrics.horizontalAdvance(name);
            p_.setPen(theme_.secondary);
            p_.drawText(QPointF(x, area_.top() + 14), name);
            p_.setPen(curvePen(theme_.text, kCurve, levelDashes(level)));
            p_.drawLine(QPointF(x - 34, area_.top() + 10), QPointF(x - 6, area_.top() + 10));
            x -= 48;
        }
        p_.setPen(theme_.secondary);
        p_.drawText(QPointF(plot_.right() - metrics.horizontalAdvance(panel_.xAxis), area_.bottom() - 2), panel_.xAxis);
        p_.save();
        p_.translate(area_.left() + 12, plot_.center().y());
        p_.rotate(-90);
        p_.drawText(QPointF(-metrics.horizontalAdvance(panel_.yAxis) / 2, 0), panel_.yAxis);
        p_.restore();
    }

    /// What a double cannot tell from zero is shaded.
    void paintBand()
    {
        if (!panel_.roundOffBand || !(panel_.yLow < kRoundOff))
            return;
        const double top = std::max(plot_.top(), yOf(kRoundOff));
        p_.fillRect(QRectF(plot_.left(), top, plot_.width(), plot_.bottom() - top), translucent(theme_.secondary, 0.12f));
    }

    /// Over the curves, on a patch of its own: noise below round-off would bury it.
    void paintBandName()
    {
        if (!panel_.roundOffBand || !(panel_.yLow < kRoundOff))
            return;
        p_.setFont(uiFont(kTickPixels - 1));
        const QString text = QStringLiteral("round-off");
        const double height = 15, width = QFontMetricsF(p_.font()).horizontalAdvance(text) + 10;
        if (plot_.bottom() - std::max(plot_.top(), yOf(kRoundOff)) < height)
            return;
        const QRectF patch(plot_.right() - width, plot_.bottom() - height, width, height);
        p_.fillRect(patch, theme_.surface);
        p_.setPen(theme_.secondary);
        p_.drawText(patch, Qt::AlignCenter, text);
    }

    void paintAbscissa()
    {
        p_.setFont(uiFont(kTickPixels));
        const QFontMetricsF metrics(p_.font());
        for (const PlotTick& tick : axisTicks(panel_.xLow, panel_.xHigh, false, static_cast<int>(plot_.width() / 60))) {
            const double x = xOf(tick.value);
            p_.setPen(QPen(gridColour(theme_), 1));
            p_.drawLine(QPointF(x, plot_.top()), QPointF(x, plot_.bottom()));
            p_.setPen(theme_.secondary);
            p_.drawText(QPointF(x - metrics.horizontalAdvance(tick.text) / 2, plot_.bottom() + 16), tick.text);
        }
    }

    void paintOrdinate()
    {
        p_.setFont(uiFont(kTickPixels));
        const QFontMetricsF metrics(p_.font());
        const int most = std::max(2, static_cast<int>(plot_.height() / (panel_.logarithmic ? 24 : 34)));
        for (const PlotTick& tick : axisTicks(panel_.yLow, panel_.yHigh, panel_.logarithmic, most)) {
            const double y = yOf(tick.value);
            p_.setPen(QPen(gridColour(theme_), 1));
            p_.drawLine(QPointF(plot_.left(), y), QPointF(plot_.right(), y));
            p_.setPen(theme_.secondary);
            p_.drawText(QPointF(plot_.left() - 7 - metrics.horizontalAdvance(tick.text), y + 4), tick.text);
        }
    }

    QPolygonF positions(const FigureSeries& series) const
    {
        QPolygonF out;
        out.reserve(series.points.size());
        for (const QPointF& point : series.points)
            out << QPointF(xOf(point.x()), std::isnan(point.y()) ? point.y() : yOf(point.y()));
        return out;
    }

    /// One path a curve, broken where it leaves the panel or has a gap.
    QPainterPath pathOf(const QPolygonF& points) const
    {
        QPainterPath path;
        QPointF pen(-1, -1);
        for (qsizetype i = 0; i + 1 < points.size(); ++i) {
            QPointF a = points[i], b = points[i + 1];
            if (std::isnan(a.y()) || std::isnan(b.y()) || !cutToRect(a, b, plot_))
                continue;
            if (a != pen || path.isEmpty())
                path.moveTo(a);
            path.lineTo(b);
            pen = b;
        }
        return path;
    }

    void paintSeries(const FigureSeries& series)
    {
        const bool levelled = series.level >= 0;
        const QVector<qreal> dashes = levelled ? levelDashes(series.level) : runDashes(series.colour);
        QPen pen = curvePen(theme_.run(series.colour), kCurve);
        QPolygonF points = positions(series);
        if (series.dense && series.bucket > 0) {
            PlotCurve curve{0, 0, true, series.bucket, series.points};
            QVector<qreal> wider;
            for (const qreal d : dashes)
                wider << 2 * d;
            cutDashes(curve, wider);
            FigureSeries cut = series;
            cut.points = curve.points;
            points = positions(cut);
        } else if (!dashes.isEmpty()) {
            pen.setDashPattern(dashes);
        }
        p_.setPen(pen);
        p_.setBrush(Qt::NoBrush);
        p_.drawPath(pathOf(points));
        paintMarkers(series);
    }

    /// A few markers along the curve, those of different runs and levels at different places.
    void paintMarkers(const FigureSeries& series)
    {
        const QPolygonF points = positions(series);
        if (points.size() < 2)
            return;
        p_.setPen(QPen(theme_.surface, 0.8));
        p_.setBrush(theme_.run(series.colour));
        const QPainterPath shape = markerShape(series.colour, kMarker);
        const double pitch = plot_.width() / kMarkersPerCurve;
        double next = plot_.left() + pitch * (0.2 + 0.11 * (series.colour % 8) + 0.37 * std::max(series.level, 0));
        for (const QPointF& point : points) {
            if (point.x() < next || std::isnan(point.y()))
                continue;
            if (plot_.contains(point))
                p_.drawPath(shape.translated(point));
            while (next <= point.x())
                next += pitch;
        }
    }

    QPainter& p_;
    QRectF area_;
    const FigurePanel& panel_;
    const Theme& theme_;
    QRectF plot_;
};

double textHeight(const QStringList& lines, double width)
{
    const QFontMetricsF metrics(uiFont(kTextPixels));
    double height = 0;
    for (const QString& line : lines)
        height += std::max(kLineHeight, metrics.boundingRect(QRectF(0, 0, width, 1e4), Qt::TextWordWrap, line).height() + 2);
    return height;
}

int cellCount(const ComparisonFigure& figure) { return static_cast<int>(figure.panels.size()) + (figure.scene.isNull() ? 0 : 1); }
int rowCount(const ComparisonFigure& figure) { return cellCount(figure) == 1 ? 1 : (cellCount(figure) + 1) / 2; }

double headHeight(const ComparisonFigure& figure, double width)
{
    const double inner = width - 2 * kMargin;
    return kMargin + kTitleHeight + textHeight(figure.subtitles, inner) + 8 + kLegendHeight * static_cast<double>(figure.legend.size()) + 14;
}

void paintLegend(QPainter& painter, const ComparisonFigure& figure, double width, double top)
{
    const Theme& theme = themeOf(figure);
    double y = top;
    for (const FigureLegendEntry& entry : figure.legend) {
        const double middle = y + kLegendHeight / 2 - 2;
        painter.setPen(curvePen(theme.run(entry.colour), 2, runDashes(entry.colour)));
        painter.drawLine(QPointF(kMargin, middle), QPointF(kMargin + kLegendSample, middle));
        painter.setPen(QPen(theme.surface, 0.8));
        painter.setBrush(theme.run(entry.colour));
        painter.drawPath(markerShape(entry.colour, kMarker + 0.8).translated(kMargin + kLegendSample / 2, middle));
        painter.setBrush(Qt::NoBrush);
        painter.setPen(theme.text);
        painter.setFont(uiFont(kTextPixels, QFont::DemiBold));
        double x = kMargin + kLegendSample + 10;
        painter.drawText(QPointF(x, middle + 5), entry.name);
        x += QFontMetricsF(painter.font()).horizontalAdvance(entry.name) + 10;
        painter.setFont(uiFont(kTextPixels));
        painter.setPen(theme.secondary);
        painter.drawText(QPointF(x, middle + 5),
                         QFontMetricsF(painter.font()).elidedText(entry.detail, Qt::ElideRight, width - kMargin - x));
        y += kLegendHeight;
    }
}

void paintHeadLines(QPainter& painter, const ComparisonFigure& figure, double width)
{
    const Theme& theme = themeOf(figure);
    painter.setPen(theme.text);
    painter.setFont(uiFont(20, QFont::DemiBold));
    painter.drawText(QPointF(kMargin, kMargin + 16), figure.title);
    double y = kMargin + kTitleHeight;
    painter.setFont(uiFont(kTextPixels));
    painter.setPen(theme.secondary);
    const double inner = width - 2 * kMargin;
    for (const QString& line : figure.subtitles) {
        const double height = textHeight({line}, inner);
        painter.drawText(QRectF(kMargin, y, inner, height), Qt::TextWordWrap, line);
        y += height;
    }
    paintLegend(painter, figure, width, y + 8);
}

void paintScene(QPainter& painter, const ComparisonFigure& figure, const QRectF& cell)
{
    const Theme& theme = themeOf(figure);
    QRectF frame = cell.adjusted(0, kAxisTop, 0, -kAxisBottom);
    QSizeF fitted = QSizeF(figure.scene.size()).scaled(frame.size(), Qt::KeepAspectRatio);
    const QRectF box(frame.center() - QPointF(fitted.width() / 2, fitted.height() / 2), fitted);
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    painter.drawImage(box, figure.scene);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.line, 1));
    painter.drawRect(box);
    painter.setPen(theme.text);
    painter.setFont(uiFont(14, QFont::DemiBold));
    painter.drawText(QPointF(box.left(), cell.top() + 14), QStringLiteral("Scene"));
    painter.setPen(theme.secondary);
    painter.setFont(uiFont(kTickPixels));
    const double w = QFontMetricsF(painter.font()).horizontalAdvance(figure.sceneCaption);
    painter.drawText(QPointF(box.right() - w, cell.top() + 14), figure.sceneCaption);
}

Diagnostic cannotPaint(const QString& path, const char* why)
{
    return {"The figure could not be drawn", path.toStdString(), why, "a smaller figure, or another format (.png, .svg or .pdf)", {}};
}

QByteArray asSvg(const ComparisonFigure& figure, const QSizeF& size)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setResolution(96);
    generator.setSize(size.toSize());
    generator.setViewBox(QRectF(QPointF(0, 0), size));
    generator.setTitle(figure.title);
    generator.setDescription(figure.subtitles.join('\n'));
    QPainter painter;
    if (!painter.begin(&generator))
        return {};
    paintFigure(painter, size, figure);
    painter.end();
    return bytes;
}

QByteArray asPdf(const ComparisonFigure& figure, const QSizeF& size)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    if (!buffer.open(QIODevice::WriteOnly))
        return {};
    QPdfWriter writer(&buffer);
    writer.setResolution(96 * kPdfDotsPerPixel);
    writer.setPageSize(QPageSize(size * 72.0 / 96.0, QPageSize::Point, QString(), QPageSize::ExactMatch));
    writer.setPageMargins(QMarginsF(0, 0, 0, 0));
    writer.setTitle(figure.title);
    writer.setCreator(QStringLiteral("Driftless"));
    QPainter painter;
    if (!painter.begin(&writer))
        return {};
    painter.scale(kPdfDotsPerPixel, kPdfDotsPerPixel);
    paintFigure(painter, size, figure);
    painter.end();
    return bytes;
}

} // namespace

QSizeF figureSize(const ComparisonFigure& figure)
{
    const double cells = cellCount(figure) == 1 ? kLonePanelHeight : kPanelHeight * rowCount(figure) + kGap * (rowCount(figure) - 1);
    return {kWidth, std::ceil(headHeight(figure, kWidth) + cells + kFooterHeight + kMargin / 2)};
}

void paintFigure(QPainter& painter, const QSizeF& size, const ComparisonFigure& figure)
{
    const Theme& theme = themeOf(figure);
    painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
    painter.fillRect(QRectF(QPointF(0, 0), size), theme.surface);
    paintHeadLines(painter, figure, size.width());
    const double top = headHeight(figure, size.width()), bottom = size.height() - kFooterHeight - kMargin / 2;
    const int cells = cellCount(figure), rows = std::max(1, rowCount(figure));
    const double height = (bottom - top - kGap * (rows - 1)) / rows;
    const double inner = size.width() - 2 * kMargin, half = (inner - kGap) / 2;
    for (int i = 0; i < cells; ++i) {
        // A last cell without a neighbour takes the whole width.
        const bool wide = cells == 1 || (i == cells - 1 && i % 2 == 0);
        const QRectF cell(kMargin + (i % 2) * (half + kGap), top + (i / 2) * (height + kGap), wide ? inner : half, height);
        const int panel = i - (figure.scene.isNull() ? 0 : 1);
        if (panel < 0)
            paintScene(painter, figure, cell);
        else
            PanelPainter(painter, cell, figure.panels[static_cast<std::size_t>(panel)], theme).paint();
    }
    painter.setPen(theme.secondary);
    painter.setFont(uiFont(kTickPixels - 1));
    painter.drawText(QPointF(kMargin, size.height() - kMargin / 2), figure.footer);
}

QImage figureImage(const ComparisonFigure& figure, const QSizeF& size, double scale)
{
    const QSizeF logical = size.isEmpty() ? figureSize(figure) : size;
    const QSize pixels = (logical * scale).toSize();
    if (pixels.width() > kLargestPicture || pixels.height() > kLargestPicture)
        return {};
    QImage image(pixels, QImage::Format_RGB32);
    if (image.isNull())
        return image;
    QPainter painter(&image);
    painter.scale(scale, scale);
    paintFigure(painter, logical, figure);
    return image;
}

Result<void> writeFigure(const ComparisonFigure& figure, const QString& path, const QSizeF& size)
{
    const QSizeF logical = size.isEmpty() ? figureSize(figure) : size;
    const QString ending = QFileInfo(path).suffix().toLower();
    QByteArray bytes;
    if (ending == QLatin1String("svg")) {
        bytes = asSvg(figure, logical);
    } else if (ending == QLatin1String("pdf")) {
        bytes = asPdf(figure, logical);
    } else if (ending == QLatin1String("png")) {
        const QImage image = figureImage(figure, logical);
        QBuffer buffer(&bytes);
        if (image.isNull() || !buffer.open(QIODevice::WriteOnly) || !image.save(&buffer, "PNG"))
            return cannotPaint(path, "the picture does not fit into memory");
    } else {
        return Diagnostic{"This kind of figure is not known", path.toStdString(), "the file's name ends in ." + ending.toStdString(),
                          "a name that ends in .png, .svg or .pdf", {}};
    }
    if (bytes.isEmpty())
        return cannotPaint(path, "the painter did not start");
    return figures::saveFile(path, bytes);
}

} // namespace driftless::ui
