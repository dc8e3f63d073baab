// A figure for print: a title, a legend of runs, panels with curves, an optional picture of the scene. Plain data and a
// painter for it; no widget, no plotting library, so text stays text and lines stay lines in SVG and PDF.
#pragma once

#include <QImage>
#include <QPointF>
#include <QSizeF>
#include <QString>
#include <QStringList>
#include <QVector>

#include <vector>

#include "core/base/Result.h"

class QPainter;

namespace driftless::ui {

/// One curve. Colour, dash and marker come from the run, so curves can be told apart in grey too; where a panel has
/// levels, the dash comes from the level instead.
struct FigureSeries {
    int colour = 0;
    int level = -1;       ///< -1: the panel has no levels
    bool dense = false;   ///< pixel columns of minima and maxima
    double bucket = 0;    ///< their width on the abscissa
    QVector<QPointF> points;
};

struct FigurePanel {
    QString title, xAxis, yAxis;
    bool logarithmic = false;
    bool roundOffBand = false;
    double xLow = 0, xHigh = 1;
    double yLow = 0, yHigh = 1;
    QStringList levels; ///< small key at the panel's top right
    QString empty;      ///< why there is no curve, shown instead
    std::vector<FigureSeries> series;
};

struct FigureLegendEntry {
    int colour = 0;
    QString name;   ///< semibold
    QString detail; ///< formulation, integrator, steps
};

struct ComparisonFigure {
    QString title;
    QStringList subtitles; ///< parameters, start, range of time
    std::vector<FigureLegendEntry> legend;
    std::vector<FigurePanel> panels;
    QImage scene;          ///< optional
    QString sceneCaption;
    QString footer;
    bool dark = false;
};

/// Logical size at which the figure reads well: 900 wide, as high as its parts need.
QSizeF figureSize(const ComparisonFigure& figure);
/// Draws the figure into (0, 0, size).
void paintFigure(QPainter& painter, const QSizeF& size, const ComparisonFigure& figure);

/// Writes .png (twice the logical size), .svg or .pdf by the file's ending, whole or not at all. An invalid size means
/// figureSize(). Needs a QGuiApplication (the offscreen platform will do) for its fonts.
Result<void> writeFigure(const ComparisonFigure& figure, const QString& path, const QSizeF& size = {});
/// The figure as a picture, scale device pixels per logical one.
QImage figureImage(const ComparisonFigure& figure, const QSizeF& size = {}, double scale = 2);

} // namespace driftless::ui
