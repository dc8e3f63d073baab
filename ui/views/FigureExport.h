// From runs to files: the comparison as a figure, the recorded numbers as CSV, the scene as a picture.
//
// Used by the window and by the headless commands alike. Every file is written beside its target and renamed, so it
// appears whole or not at all.
#pragma once

#include <QImage>
#include <QString>
#include <QStringList>

#include <cstdint>
#include <vector>

#include "core/base/Result.h"
#include "core/run/Past.h"
#include "core/run/Run.h"
#include "core/run/Settings.h"
#include "ui/document/PivotStretch.h"
#include "ui/figures/WriteFigure.h"
#include "ui/views/PlotData.h"

namespace driftless::ui {

/// One run with what its legend says.
struct ExportRun {
    PlotRun plot;
    run::RunSettings settings;        ///< the present ones; those of the whole run where there are no regimes
    std::vector<run::Regime> regimes; ///< how it was integrated so far: of these the legend says those of the time shown
    std::uint64_t steps = 0; ///< accepted in the whole run; 0: not known. Counted from the recording where there are regimes
    QString outcome;         ///< "completed" or why it stopped; may be empty
    std::vector<run::Event> events;
    std::vector<PivotStretch> pivots{}; ///< empty: it never chose dummies
};

/// A parameter of the model. Its values over time stand in the regimes of the runs.
struct ExportParameter {
    QString name, unit;
    double value = 0; ///< where no run tells
    double usual = 0; ///< the model's
};

struct ExportRequest {
    QString model;                           ///< "pendulum"
    QStringList parameters;                  ///< "g = 1 m/s²", ...: said as they are
    std::vector<ExportParameter> quantities; ///< one per parameter of the model: said with their values in the time shown
    bool changedAlone = false;               ///< of the quantities those alone that were otherwise than in the model
    QStringList notes;                       ///< more lines under the title
    std::vector<ExportRun> runs;
    std::vector<PlotSpec> plots;
    double t0 = 0, t1 = 0;   ///< visible time [s]; t1 <= t0 means everything recorded
    QImage scene;            ///< optional
    double sceneTime = 0;    ///< [s]
    bool pivots = false;     ///< a strip of the variables chosen as dummies, for runs whose form has them
    bool eventMarks = false; ///< what was changed while a run went on, above every panel over time
    bool heading = true;     ///< title, parameters and notes in the figure; the caption has them in any case
    figures::Style style;
    figures::Layout layout = figures::Layout::Overlay;
    int columns = 0; ///< panels side by side, 0: what the width allows
};

/// "dummy-derivatives · ida, rtol 1e-8, atol 1e-8 · 1234 steps", without the last part where there are none.
QString legendText(const run::RunSettings& settings, std::uint64_t steps);

/// The figure as plain data; ui/figures draws and writes it. Its caption says model, parameters, panels and runs.
figures::Figure composeFigure(const ExportRequest& request);

struct CsvWritten {
    std::uint64_t rows = 0;
    double from = 0, to = 0; ///< [s] of these rows
};
/// The rows of all runs between t0 and t1 [s] (t1 <= t0: all) with all columns: run, t, columns. Numbers read back to the
/// same bits; missing values are empty.
Result<CsvWritten> writeCsv(const std::vector<PlotRun>& runs, double t0, double t1, const QString& path);
/// A PNG.
Result<void> writeImage(const QImage& image, const QString& path);
/// The figure as a picture on the clipboard.
void copyFigure(const figures::Figure& figure);

} // namespace driftless::ui
