// What legend and caption of a figure say of the past of its runs: every value that held within the time shown, and what was
// moved by hand in it. A curve is of all of these, not of the last one alone.
#pragma once

#include <QString>
#include <QStringList>

#include <cstdint>

#include "ui/views/FigureExport.h"

namespace driftless::ui {

/// "0.5 m", "1.2e−5 N·s/m"; without the unit of what has none.
QString quantityText(double value, const QString& unit);

/// A text of core/run/SetTexts.h with the signs of print: "bob.x = −2e−5 m at the start".
QString withSigns(const std::string& text);

/// "dummy-derivatives · ida, rtol 1e-8, atol 1e-8 until 9.7 s, then index-1 · rk4, h = 0.01 s (0.2 s until 11.8 s)": what the
/// run was integrated with from t0 to t1 [s]. Numbers of a method that hold over a change of form are said once.
QString methodText(const ExportRun& run, double t0, double t1);

/// "bob moved by hand at 7.77 s": states set by a person from t0 to t1 [s]; one that was taken back at the same time is none.
QString movesText(const ExportRun& run, double t0, double t1);

/// "L = 1.5 m (1 m until 12.3 s)" for each parameter from t0 to t1 [s]: those given as text, then those of the first run that
/// tells its regimes.
QStringList parameterTexts(const ExportRequest& request, double t0, double t1);
/// Those that this run had otherwise than the first one.
QStringList otherParameterTexts(const ExportRequest& request, const ExportRun& run, double t0, double t1);

/// Steps accepted up to t [s]; 0 where the recording does not have them all.
std::uint64_t stepsUntil(const ExportRun& run, double t);

} // namespace driftless::ui
