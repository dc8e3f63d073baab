// From runs to files: the comparison as a figure, the recorded numbers as CSV, the scene as a picture.
//
// Used by the window and by the headless commands alike. Every file is written beside its target and renamed, so it
// appears whole or not at all.
#pragma once

#include <QImage>
#include <QString>
#include <QStringList>

#include <vector>

#include "core/base/Result.h"
#include "core/run/Settings.h"
#include "ui/views/ComparisonFigure.h"
#include "ui/views/PlotData.h"

namespace driftless::ui {

/// One run with what its legend says.
struct ExportRun {
    PlotRun plot;
    run::RunSettings settings;
    std::uint64_t steps = 0; ///< accepted
    QString outcome;         ///< "completed" or why it stopped; may be empty
};

struct ExportRequest {
    QString model;           ///< "pendulum"
    QStringList parameters;  ///< "g = 1 m/s²", ...
    QStringList notes;       ///< more lines under the title
    std::vector<ExportRun> runs;
    std::vector<PlotSpec> plots;
    double t0 = 0, t1 = 0;   ///< visible time [s]; t1 <= t0 means everything recorded
    QImage scene;            ///< optional
    double sceneTime = 0;    ///< [s]
    bool dark = false;
};

/// "dummy-derivatives · ida, rtol 1e-8, atol 1e-8 · 1234 steps"
QString legendText(const run::RunSettings& settings, std::uint64_t steps);

ComparisonFigure composeFigure(const ExportRequest& request);

/// The rows of all runs between t0 and t1 [s] (t1 <= t0: all) with all columns: run, t, columns. Numbers read back to the
/// same bits; missing values are empty.
Result<void> writeCsv(const std::vector<PlotRun>& runs, double t0, double t1, const QString& path);
/// A PNG.
Result<void> writeImage(const QImage& image, const QString& path);
/// The figure as a picture on the clipboard.
void copyFigure(const ComparisonFigure& figure);

} // namespace driftless::ui
