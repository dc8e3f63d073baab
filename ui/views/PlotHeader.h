// The line above a plot (title, what the ordinate is, key of the levels) and the read-out under the pointer.
#pragma once

#include <QPixmap>
#include <QString>

#include <vector>

#include "ui/views/PlotData.h"
#include "ui/views/Theme.h"

class QPainter;

namespace driftless::ui {

struct PlotHeader {
    const PlotLabels& labels;
    const Theme& theme;
    double scale;       ///< of fonts and lengths
    double left, right; ///< where it begins and ends [px]
    double height;
    bool title; ///< false where a chooser stands in its place
};
void paintPlotHeader(QPainter& painter, const PlotHeader& header);

/// The key of the levels as a picture to lay into the plot; none where there is no key, or where the line above has room for
/// it.
QPixmap keyOutsideHeader(const PlotHeader& header, double pixelRatio);

/// The values of all runs at t as a small table in rich text; empty where no run has one.
QString plotReadOut(const PlotSpec& spec, const std::vector<PlotRun>& runs, const Theme& theme, double t);

} // namespace driftless::ui
