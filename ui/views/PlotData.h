// What a plot shows, apart from how it is drawn: kinds, runs, and the curves of a kind over a range of time.
//
// The window's plots and the exported figure both take their points from here, so they cannot disagree. A curve comes from
// RecordingView::envelope: where steps are dense a band from the minimum to the maximum of every column of pixels with a line
// in its middle, the recorded steps themselves where they are not; inside of long steps come the states that the run recorded
// there. On a logarithmic ordinate zeros stand apart, at its lower edge. Needs no widget and no display.
#pragma once

#include <QPointF>
#include <QString>
#include <QStringList>
#include <QVector>

#include <functional>
#include <optional>
#include <vector>

#include "core/run/PanelKind.h"
#include "core/run/Recording.h"

namespace driftless::ui {

/// One run as the plots need it; cheap to copy. Hand in fresh views before refreshing.
struct PlotRun {
    int colour = 0; ///< index into Theme::runs, runDashes and the markers
    QString name;
    run::RecordingView recording;
    bool measured = false; ///< data of a file beside the runs: dots without a line, in Quantity and Phase
};

enum class PlotKind {
    Residuals,             ///< max norms of g, dg/dt, d2g/dt2, and of rows set aside; logarithmic
    EnergyError,           ///< |E(t) - E(0) - W(t)| [J]; logarithmic
    ErrorAgainstReference, ///< max norm of q - q(reference) at equal times; logarithmic
    Quantity,              ///< one column against time
    Phase,                 ///< one column against another
    StepSize,              ///< accepted steps h [s]; logarithmic
    Multipliers,           ///< all constraint forces lambda
    Order                  ///< of the accepted steps
};

/// The plot of a panel; none for panels that only studies and figures draw.
std::optional<PlotKind> plotKindOf(run::PanelKind kind);
/// All kinds in the order they are offered to people.
const std::vector<PlotKind>& plotKinds();
/// "Constraint residuals", ...
QString plotKindName(PlotKind kind);
/// Whether the ordinate is logarithmic.
bool isLogarithmic(PlotKind kind);

/// What to draw.
struct PlotSpec {
    PlotKind kind = PlotKind::Residuals;
    int reference = 0; ///< index into the runs, for ErrorAgainstReference
    QString quantity;  ///< column of Quantity
    QString phaseX, phaseY;
};

/// A column of pixels in which there are several steps.
struct PlotBand {
    double t = 0; ///< its middle [s]
    double low = 0, high = 0;
};

struct PlotCurve {
    int run = 0;                ///< index into the runs
    int level = 0;              ///< Residuals: 0 g, 1 dg/dt, 2 d2g/dt2, 3 g of rows set aside; Multipliers: which one; else 0
    bool dense = false;         ///< columns of pixels instead of steps
    double bucket = 0;          ///< width of a column when dense [s]
    QVector<QPointF> points;    ///< (t, y) or, for Phase, (x, y); NaN breaks the line; on a logarithmic ordinate y > 0
    std::vector<PlotBand> band; ///< dense: from minimum to maximum around the points; on a logarithmic ordinate of |y| above 0
    QVector<double> zeros;      ///< [s] where y is exactly 0 on a logarithmic ordinate
    std::vector<bool> between;  ///< of each point: inside of a long step, not a step; empty: all are steps
};

/// Below this a residual is round-off; the plots shade it.
constexpr double kRoundOff = 1e-15;
/// A phase portrait shows at most this many of the last steps before the end of the range.
constexpr int kPhaseSteps = 4000;

/// buckets: one per pixel column of the plot.
std::vector<PlotCurve> plotCurves(const PlotSpec& spec, const std::vector<PlotRun>& runs, double t0, double t1, int buckets);

/// Cuts a dense curve into dashes along the abscissa: where steps are as dense as pixels a pen's own dashes would follow
/// every zigzag. dashes: on, off, ... in pixel columns; gaps become points with NaN.
void cutDashes(PlotCurve& curve, const QVector<qreal>& dashes);
/// Columns of a run that a kind plots against time, one per level; -1 where the recording has none.
std::vector<int> plotColumns(const PlotSpec& spec, const run::RecordingView& recording);

/// Title, axis titles with units, the names of the levels ("g", "ġ", ...) where there is more than one.
struct PlotLabels {
    QString title, xAxis, yAxis;
    QStringList levels;
};
PlotLabels plotLabels(const PlotSpec& spec, const std::vector<PlotRun>& runs);
/// Whether a run watches rows that were set aside because they follow from others.
bool recordsSetAside(const std::vector<PlotRun>& runs);
/// Whether nothing of the curves has a place on a logarithmic ordinate, because all of it is exactly zero.
bool onlyZeros(const std::vector<PlotCurve>& curves);
inline const QString kExactlyZero = QStringLiteral("Exactly zero at every step."); ///< what is said there
/// Why there is nothing to draw, in one sentence; empty when there is something.
QString plotEmptyText(const PlotSpec& spec, const std::vector<PlotRun>& runs);

/// Value of a curve for read-outs: that of the last row at or before t, never interpolated (the error against a reference run
/// is taken at t itself); NaN where there is none.
double plotValueAt(const PlotSpec& spec, const std::vector<PlotRun>& runs, int run, int level, double t);

/// Ordinate around the curves: whole decades (at least two) when logarithmic, else nice round ends.
struct PlotRange {
    double low = 0, high = 1;
};
PlotRange ordinateRange(const std::vector<PlotCurve>& curves, bool logarithmic);
/// Abscissa around a phase portrait.
PlotRange abscissaRange(const std::vector<PlotCurve>& curves);
/// Latest time recorded by any run, at least atLeast [s].
double latestTime(const std::vector<PlotRun>& runs, double atLeast);
/// Where a run stands in the phase portrait at t, be it inside of a step (of measured data the last dot); NaN where it has
/// nothing recorded.
QPointF phasePoint(const PlotSpec& spec, const PlotRun& run, double t);
/// Points of a curve for markers, one per pitch of the abscissa from a raster that is fixed; offset: share of the pitch.
QVector<QPointF> markerPoints(const PlotCurve& curve, double start, double pitch, double offset);

/// Where a time axis from 0 ends that has to show up to reached [s], and never less than shortest: round, so that it grows in
/// steps and rarely.
double niceEnd(double reached, double shortest = 10);
/// Digits behind the point with which times along such an axis are told apart.
int timeDecimals(double span);
/// Ticks at 1, 2 or 5 times a power of ten, at most about count of them, within the range.
std::vector<double> niceTicks(double low, double high, int count);
/// "0.2", "−3", "1.5·10⁶": as many digits as the distance of ticks needs.
QString tickText(double value, double distance);
/// "10⁻⁸"
QString decadeText(int exponent);
/// The ticks of an axis with their texts: whole decades when logarithmic (every one, or as few as most allows).
struct PlotTick {
    double value;
    QString text;
};
std::vector<PlotTick> axisTicks(double low, double high, bool logarithmic, int most);
/// Ticks of a linear axis whose texts have their room: what all of them share, "×10⁻¹² + 0.1025", is taken out of them where
/// they were longer, for a number whose first digits are cut is another number.
struct FittedTicks {
    std::vector<PlotTick> ticks;
    QString common; ///< to be read behind every text; mostly empty
};
using TextWidth = std::function<double(const QString&)>;
FittedTicks fittedTicks(double low, double high, int most, double room, const TextWidth& width);
/// As many of the ticks as stand beside each other without touching, on an axis of this length; two at least.
std::vector<PlotTick> ticksApart(double low, double high, int most, double length, const TextWidth& width);
/// "1.23e-09" for read-outs, with a true minus sign.
QString readOut(double value);

} // namespace driftless::ui
