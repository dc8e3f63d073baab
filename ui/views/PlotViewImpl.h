// What a plot is made of. Private to PlotView.cpp (layout, ranges, events), PlotPens.cpp (how data are drawn),
// PlotCorners.cpp (words over them) and PlotDrawing.cpp.
#pragma once

#include <QPointF>
#include <QTimer>

#include <qcustomplot.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "ui/views/BandFill.h"
#include "ui/views/CurveMarkers.h"
#include "ui/views/PlotHeader.h"
#include "ui/views/PlotView.h"
#include "ui/views/Theme.h"

class QLabel;

namespace driftless::ui {

/// The line of the displayed time. A widget of its own: when it moves only two strips are painted again, not the plot.
class CursorBar : public QWidget {
public:
    explicit CursorBar(QWidget* over);
    QColor colour;

protected:
    void paintEvent(QPaintEvent* event) override;
};

/// The bands of all curves, in one picture between the grid and the lines.
class BandsItem : public QCPAbstractItem {
public:
    struct Band {
        QColor colour;
        std::vector<PlotBand> columns;
    };

    explicit BandsItem(QCustomPlot* plot);
    std::vector<Band> bands;
    double selectTest(const QPointF&, bool, QVariant*) const override { return -1; }

protected:
    void draw(QCPPainter* painter) override;

private:
    QImage picture_; // kept: fresh pages cost more than they hold
    std::vector<BandEdge> edges_;
};

/// Lines in pieces (PieceStroke.h).
class CurveGraph : public QCPGraph {
public:
    using QCPGraph::QCPGraph;

protected:
    void drawLinePlot(QCPPainter* painter, const QVector<QPointF>& lines) const override;
};

class PortraitCurve : public QCPCurve {
public:
    using QCPCurve::QCPCurve;

protected:
    void drawCurveLine(QCPPainter* painter, const QVector<QPointF>& lines) const override;
};

struct PlotView::Impl {
    PlotView& view;
    QCustomPlot* plot;
    QLabel* readout;
    QLabel* key; ///< of the levels, where the line above has no room for it
    QWidget* titleWidget = nullptr;
    QTimer soon;   ///< one refresh for many wheel and drag events
    QTimer settle; ///< runs while the range is moved by hand; then everything is drawn well again
    PlotSpec spec;
    std::vector<PlotRun> runs;
    PlotLabels labels;
    const Theme* theme = &Theme::light();
    double scale = 1;
    double t0 = 0, t1 = 10, span = 0, shortest = 10, cursor = 0;
    bool follow = true, ordinateByHand = false;
    bool dragging = false;
    QPointF grabbed;
    double grabbedStart = 0;
    std::vector<QCPGraph*> curves, markers, zeros;
    std::vector<QCPCurve*> portraits;
    std::vector<QCPGraph*> runDots; ///< where the runs are in a phase portrait
    BandsItem* bands;
    QCPItemRect* band;                      ///< of round-off
    QCPItemText *bandText, *empty, *common; ///< common: what all numbers of the ordinate share, "×10⁻¹² + 0.1025"
    QVector<QCPItemText*> dotNames;         ///< of measured data, in the colours of its dots
    int keyCorner = 0, commonCorner = 0;    ///< where they stand, in the order of kCorners
    CursorBar* cursorBar;
    QCPItemStraightLine* hoverLine;
    QSharedPointer<QCPAxisTickerText> xTicks{new QCPAxisTickerText}, yTicks{new QCPAxisTickerText};

    explicit Impl(PlotView& owner);
    QFont font(int pixels, int weight = QFont::Normal) const { return uiFont(qRound(pixels * scale), weight); }
    double px(double length) const { return length * scale; }
    QCPScatterStyle markerStyle(int colour, double radius) const
    {
        return {markerShape(colour, px(radius)), QPen(theme->surface, 1), QBrush(theme->run(colour))};
    }
    bool phase() const { return spec.kind == PlotKind::Phase; }
    int buckets() const { return std::max(2, plot->axisRect()->width()); }

    void layOut();
    PlotHeader header() const;
    void placeKey();
    void placeOverCurves(const std::vector<PlotCurve>& found);
    QPoint corner(int number, const QSize& size) const;
    int freeCorner(int before, const QSize& size, const std::vector<PlotCurve>& found, const QRect& taken) const;
    void applyTheme();
    void followNow();
    void showCurves(std::vector<PlotCurve> found);
    double strokeLength(const PlotCurve& curve) const;
    void showTimeCurve(std::size_t slot, PlotCurve& curve);
    void showBand(const PlotCurve& curve, double opacity);
    void showZeros(std::size_t slot, const PlotCurve& curve);
    figures::LevelLook levelOf(const PlotCurve& curve) const
    {
        return figures::levelLook(labels.levels.isEmpty() ? -1 : curve.level);
    }
    void showMarkers(QCPGraph* graph, const PlotCurve& curve);
    void showDotNames(const std::vector<const PlotRun*>& dots);
    void showMeasured(std::size_t slot, const PlotCurve& curve);
    void showPortrait(std::size_t slot, const PlotCurve& curve);
    void showRunDots();
    void setAxes(const std::vector<PlotCurve>& found);
    void setTicks();
    void placeCursor();
    void hover(const QPointF& position);
    void leave();
    bool wheel(QWheelEvent* event);
    void setRangeByHand(double from, double to);
    QCPGraph* graphAt(std::vector<QCPGraph*>& pool, std::size_t slot, const char* layer);
};

} // namespace driftless::ui
