// How data become lines, markers and portraits, and what that may cost.
#include <algorithm>
#include <cmath>
#include <limits>

#include "ui/figures/BlendColours.h"
#include "ui/figures/ColumnBand.h"
#include "ui/views/PlotViewImpl.h"

namespace driftless::ui {

namespace {

// Lengths in pixels before scaling.
constexpr double kMarkerRadius = 4;
constexpr double kMarkerPitch = 90;
constexpr double kMeasuredDot = 3.5;
constexpr double kZeroTick = 5, kZerosApart = 5;
constexpr double kLongStroke = 4;         // widths of the plot; a longer line, 2 px wide, hides what is behind it
constexpr double kLongMovingStroke = 1.2; // while somebody pans all plots at once

} // namespace

QCPGraph* PlotView::Impl::graphAt(std::vector<QCPGraph*>& pool, std::size_t slot, const char* layer)
{
    while (pool.size() <= slot) {
        auto* graph = new CurveGraph(plot->xAxis, plot->yAxis); // the plot's own from now on
        graph->setAdaptiveSampling(false);
        graph->setLayer(QLatin1String(layer));
        pool.push_back(graph);
    }
    pool[slot]->setVisible(true);
    return pool[slot];
}

/// How far a pen travels along the visible curve [px]; noise on a logarithmic ordinate goes up and down many times.
double PlotView::Impl::strokeLength(const PlotCurve& curve) const
{
    double length = 0, from = std::numeric_limits<double>::quiet_NaN();
    const QRect seen = plot->axisRect()->rect();
    for (const QPointF& p : curve.points) {
        double to = plot->yAxis->coordToPixel(p.y());
        if (std::isfinite(to)) // a zero lies far below a logarithmic axis
            to = std::clamp<double>(to, seen.top(), seen.bottom());
        if (std::isfinite(from) && std::isfinite(to))
            length += std::abs(to - from);
        from = to;
    }
    return length;
}

void PlotView::Impl::showTimeCurve(std::size_t slot, PlotCurve& curve)
{
    QCPGraph* graph = graphAt(curves, slot, "main");
    graph->setLineStyle(QCPGraph::lsLine); // dots of measured data had this place before
    graph->setScatterStyle(QCPScatterStyle());
    const int colour = runs[static_cast<std::size_t>(curve.run)].colour;
    const figures::LevelLook look = levelOf(curve);
    QVector<qreal> dashes = runDashes(colour);
    const bool thin = strokeLength(curve) > (settle.isActive() ? kLongMovingStroke : kLongStroke) * plot->axisRect()->width();
    if ((thin || curve.dense) && !dashes.isEmpty()) {
        const double column = curve.bucket / (t1 - t0) * plot->axisRect()->width(); // [px]
        for (qreal& d : dashes)
            d = std::max(1.0, std::round(px(2 * d) / std::max(column, 1.0)));
        curve.dense = true;
        cutDashes(curve, dashes);
        dashes.clear();
    }
    for (qreal& d : dashes)
        d /= look.width; // as long on every level
    const QColor ink = figures::blended(theme->surface, theme->run(colour), look.strength);
    graph->setPen(curvePen(ink, thin ? std::max(1.0, scale * 0.9) : px(2 * look.width), dashes));
    QVector<QCPGraphData> data;
    data.reserve(curve.points.size());
    for (const QPointF& p : curve.points)
        data.push_back(QCPGraphData(p.x(), p.y()));
    graph->data()->set(data, true);
}

/// From the minimum to the maximum of every column of pixels that holds several steps.
void PlotView::Impl::showBand(const PlotCurve& curve, double opacity)
{
    if (curve.band.empty())
        return;
    const QColor run = theme->run(runs[static_cast<std::size_t>(curve.run)].colour);
    bands->bands.push_back(
        {.colour = translucent(run, static_cast<float>(opacity * levelOf(curve).strength)), .columns = curve.band});
}

/// Exact zeros stand at the lower edge of a logarithmic ordinate, and stretch it by nothing.
void PlotView::Impl::showZeros(std::size_t slot, const PlotCurve& curve)
{
    if (curve.zeros.isEmpty())
        return;
    QCPGraph* graph = graphAt(zeros, slot, "main");
    const int colour = runs[static_cast<std::size_t>(curve.run)].colour;
    graph->setLineStyle(QCPGraph::lsNone);
    QPainterPath tick;
    tick.moveTo(0, 0);
    tick.lineTo(0, -px(kZeroTick));
    graph->setScatterStyle(QCPScatterStyle(tick, QPen(theme->run(colour), px(1.5)), Qt::NoBrush));
    const double floor = plot->yAxis->range().lower,
                 apart = px(kZerosApart) * (t1 - t0) / std::max(1, plot->axisRect()->width());
    QVector<QCPGraphData> data;
    for (const double t : curve.zeros)
        if (data.isEmpty() || t - data.back().key >= apart)
            data.push_back(QCPGraphData(t, floor));
    graph->data()->set(data, true);
}

/// Markers stand on a raster of time that is fixed, each run and level at its own offset.
void PlotView::Impl::showMarkers(QCPGraph* graph, const PlotCurve& curve)
{
    const int colour = runs[static_cast<std::size_t>(curve.run)].colour;
    graph->setLineStyle(QCPGraph::lsNone);
    graph->setScatterStyle(markerStyle(colour, kMarkerRadius));
    const double pitch = (t1 - t0) / std::max(1.0, plot->axisRect()->width() / px(kMarkerPitch));
    QVector<QCPGraphData> data;
    for (const QPointF& p : markerPoints(curve, t0, pitch, std::fmod(0.13 * colour + 0.37 * curve.level + 0.4, 1.0)))
        data.push_back(QCPGraphData(p.x(), p.y()));
    graph->data()->set(data, true);
}

/// Dots; where they are as dense as pixels a thin line through the middle of every column, with its band.
void PlotView::Impl::showMeasured(std::size_t slot, const PlotCurve& curve)
{
    const QColor colour = theme->run(runs[static_cast<std::size_t>(curve.run)].colour);
    QCPGraph* graph = graphAt(curves, slot, "main");
    const bool line = curve.dense && !phase();
    graph->setLineStyle(line ? QCPGraph::lsLine : QCPGraph::lsNone);
    graph->setPen(curvePen(colour, px(1)));
    const QCPScatterStyle dot(QCPScatterStyle::ssDisc, QPen(colour, px(1)), colour, px(kMeasuredDot));
    graph->setScatterStyle(line ? QCPScatterStyle() : dot);
    QVector<QCPGraphData> data;
    data.reserve(curve.points.size());
    for (const QPointF& p : curve.points)
        data.push_back(QCPGraphData(p.x(), p.y()));
    graph->data()->set(data, !phase());
    if (line)
        showBand(curve, figures::bandOpacity(1));
}

/// One below the other in the upper right corner.
void PlotView::Impl::showDotNames(const std::vector<const PlotRun*>& dots)
{
    while (dotNames.size() < static_cast<qsizetype>(dots.size())) {
        auto* name = new QCPItemText(plot);
        name->setLayer(QStringLiteral("overlay"));
        name->setPadding(QMargins(4, 1, 4, 1));
        name->setPositionAlignment(Qt::AlignRight | Qt::AlignTop);
        name->position->setType(dotNames.isEmpty() ? QCPItemPosition::ptAxisRectRatio : QCPItemPosition::ptAbsolute);
        if (!dotNames.isEmpty())
            name->position->setParentAnchor(dotNames.back()->bottomRight);
        name->position->setCoords(dotNames.isEmpty() ? 1 : 0, 0);
        dotNames.push_back(name);
    }
    for (qsizetype i = 0; i < dotNames.size(); ++i) {
        const bool shown = i < static_cast<qsizetype>(dots.size());
        dotNames[i]->setVisible(shown);
        if (!shown)
            continue;
        const PlotRun& run = *dots[static_cast<std::size_t>(i)];
        dotNames[i]->setText(QStringLiteral("\u25cf ") + run.name);
        dotNames[i]->setBrush(theme->surface);
        dotNames[i]->setColor(theme->run(run.colour));
        dotNames[i]->setFont(font(kTickPixels));
    }
}

void PlotView::Impl::showPortrait(std::size_t slot, const PlotCurve& curve)
{
    while (portraits.size() <= slot)
        portraits.push_back(new PortraitCurve(plot->xAxis, plot->yAxis));
    QCPCurve* portrait = portraits[slot];
    portrait->setVisible(true);
    const int colour = runs[static_cast<std::size_t>(curve.run)].colour;
    portrait->setPen(curve.dense ? curvePen(theme->run(colour), std::max(1.0, scale * 0.9))
                                 : curvePen(theme->run(colour), px(2), runDashes(colour)));
    QVector<QCPCurveData> data;
    data.reserve(curve.points.size());
    double k = 0;
    for (const QPointF& p : curve.points)
        data.push_back(QCPCurveData(k++, p.x(), p.y()));
    portrait->data()->set(data, true);
}

void PlotView::Impl::showRunDots()
{
    for (QCPGraph* dot : runDots)
        dot->setVisible(false);
    if (!phase())
        return;
    for (std::size_t r = 0; r < runs.size(); ++r) {
        const QPointF place = phasePoint(spec, runs[r], cursor);
        if (std::isnan(place.x()))
            continue;
        QCPGraph* dot = graphAt(runDots, r, "cursor");
        dot->setLineStyle(QCPGraph::lsNone);
        dot->setScatterStyle(markerStyle(runs[r].colour, kMarkerRadius + 1));
        dot->data()->set({QCPGraphData(place.x(), place.y())}, true);
    }
}

void PlotView::Impl::showCurves(std::vector<PlotCurve> found)
{
    bands->bands.clear();
    for (auto* pool : {&curves, &markers, &zeros})
        for (QCPGraph* graph : *pool)
            graph->setVisible(false);
    for (QCPCurve* portrait : portraits)
        portrait->setVisible(false);
    const auto banded = std::ranges::count_if(found, [](const PlotCurve& curve) { return !curve.band.empty(); });
    const double opacity = figures::bandOpacity(static_cast<int>(banded));
    std::vector<const PlotRun*> dots;
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (const PlotRun& run = runs[static_cast<std::size_t>(found[i].run)]; run.measured) {
            showMeasured(i, found[i]);
            dots.push_back(&run);
            continue;
        }
        if (phase()) {
            showPortrait(i, found[i]);
            continue;
        }
        if (runs.size() > 1)
            showMarkers(graphAt(markers, i, "main"), found[i]);
        showBand(found[i], opacity);
        showTimeCurve(i, found[i]);
        showZeros(i, found[i]);
    }
    showDotNames(dots);
    showRunDots();
}

} // namespace driftless::ui
