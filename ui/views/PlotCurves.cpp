// The curves of a plot over a range of time: recorded steps where they are few, bands of minimum and maximum where they are
// dense.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "ui/figures/ColumnBand.h"
#include "ui/views/PlotData.h"

namespace driftless::ui {

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr std::uint64_t kDensePortrait = 500;         ///< steps from which a portrait is drawn thin
constexpr int kPiecesOfChord = 16;                    ///< of a portrait between two rows,
constexpr int kMostBetween = 8000;                    ///< states between rows that a portrait may draw,
constexpr std::uint64_t kPortraitNumbers = 2'000'000; ///< and numbers of the states in the middle of its steps
constexpr double kSeenOfChord = 5e-4;   ///< where it is as far from the motion: of the height or the width of the portrait
constexpr int kColumnPixels = 2;        ///< width of a column that may hold a band
constexpr std::uint64_t kLooks = 12;    ///< rows of a column that are looked at where its least is zero
constexpr qsizetype kFewestNoisy = 200; ///< steps in sight from which noise is more than its single values
constexpr double kNoisyRise = 0.1;      ///< [decades] from step to step
constexpr double kNoisyShare = 0.3;     ///< of the steps, at which the curve turns
constexpr double kNoisySteps = 6;       ///< in a column at least, on the average
constexpr int kZeros = 3; ///< zeros in a row that break a curve: a single one between two values is round-off met by chance

/// Scratch of the curves, so that a refresh asks for little memory.
struct Buffer {
    std::vector<double> t;
    std::vector<run::MinMax> values;
};

/// The cubic through the two points around t, of which i is the later one, and one more on either side; the line where there
/// are none, or where the curve jumps.
double throughFour(const QVector<QPointF>& points, qsizetype i, double t)
{
    const QPointF &a = points[i - 1], &b = points[i];
    const double h = b.x() - a.x(), line = a.y() + (t - a.x()) / h * (b.y() - a.y());
    if (i < 2 || i + 1 >= points.size())
        return line;
    const QPointF &before = points[i - 2], &behind = points[i + 1];
    constexpr double kNearest = 0.1; // of the step: what is nearer belongs to another piece
    if (!(a.x() - before.x() > kNearest * h && behind.x() - b.x() > kNearest * h))
        return line;
    double sum = 0;
    const std::array<QPointF, 4> nodes{before, a, b, behind};
    for (std::size_t k = 0; k < nodes.size(); ++k) {
        double term = nodes[k].y();
        for (std::size_t l = 0; l < nodes.size(); ++l)
            if (l != k)
                term *= (t - nodes[l].x()) / (nodes[k].x() - nodes[l].x());
        sum += term;
    }
    return std::isfinite(sum) ? sum : line;
}

/// States inside of steps, where the steps are so few that their chords would be seen.
void addBetween(PlotCurve& curve, const run::RecordingView& recording, int column, int buckets)
{
    const run::RecordingView between = recording.between();
    if (between.empty() || column >= between.columnCount() || curve.points.size() < 2 || curve.points.size() > buckets / 2)
        return;
    PlotCurve full = curve;
    full.points.clear();
    full.between.clear();
    std::uint64_t row = between.rowAt(curve.points.front().x());
    for (qsizetype i = 0; i < curve.points.size(); ++i) {
        const QPointF& step = curve.points[i];
        for (; i > 0 && row < between.rowCount() && between.time(row) < step.x(); ++row) {
            const double t = between.time(row);
            double y = between.value(row, column);
            if (t <= curve.points[i - 1].x())
                continue;
            if (std::isnan(y)) // multipliers that the method does not hold
                y = throughFour(curve.points, i, t);
            if (!std::isfinite(y))
                continue;
            full.points.push_back({t, y});
            full.between.push_back(true);
        }
        full.points.push_back(step);
        full.between.push_back(false);
    }
    curve = std::move(full);
}

/// On a logarithmic ordinate zeros leave the curve: they are kept apart, and several in a row break it.
void setZerosApart(PlotCurve& curve)
{
    QVector<QPointF> line;
    line.reserve(curve.points.size());
    for (qsizetype i = 0; i < curve.points.size();) {
        if (curve.points[i].y() != 0) {
            line.push_back(curve.points[i++]);
            continue;
        }
        const qsizetype first = i;
        for (; i < curve.points.size() && curve.points[i].y() == 0; ++i)
            curve.zeros.push_back(curve.points[i].x());
        if (i - first >= kZeros && !line.isEmpty())
            line.push_back({curve.points[first].x(), kNaN});
    }
    curve.points = std::move(line);
}

/// The least |y| above zero among some rows of a column of time; `otherwise` where all of them are zero.
double leastAboveZero(const run::RecordingView& recording, int column, double from, double to, double otherwise)
{
    const std::uint64_t first = recording.rowAt(from), last = recording.rowAt(to), step = (last - first) / kLooks + 1;
    double least = otherwise;
    for (std::uint64_t row = first; row <= last; row += step)
        if (const double y = std::abs(recording.value(row, column)); y > 0 && y < least)
            least = y;
    return least;
}

/// One column of time as a part of a band; on a logarithmic ordinate |y|.
figures::ColumnSpan spanOf(const run::RecordingView& recording, int column, bool logarithmic, double t, double width,
                           run::MinMax range)
{
    const auto [low, high] = range;
    if (!logarithmic)
        return {.x = t + width / 2, .low = low, .high = high};
    const double most = std::max(std::abs(low), std::abs(high));
    const bool crosses = low <= 0 && high >= 0;
    const double least =
        crosses && most > 0 ? leastAboveZero(recording, column, t, t + width, most) : std::min(std::abs(low), std::abs(high));
    return {.x = t + width / 2, .low = least, .high = most};
}

/// The newest column goes with the one before it until half of its time is there; not where one of them holds zeros alone.
void joinNewest(std::vector<figures::ColumnSpan>& columns, double last)
{
    if (columns.size() < 2 || last >= columns.back().x)
        return;
    figures::ColumnSpan& before = columns[columns.size() - 2];
    const figures::ColumnSpan newest = columns.back();
    if ((before.low == 0 && before.high == 0) || (newest.low == 0 && newest.high == 0))
        return;
    before.low = std::min(before.low, newest.low);
    before.high = std::max(before.high, newest.high);
    columns.pop_back();
}

/// A column of a band, and those before it that a long step passes: there the curve is its chord.
void addColumn(std::vector<figures::ColumnSpan>& columns, const figures::ColumnSpan& next, double width, bool logarithmic)
{
    const auto middle = [logarithmic](const figures::ColumnSpan& span) {
        return logarithmic ? 0.5 * (std::log10(span.low) + std::log10(span.high)) : 0.5 * (span.low + span.high);
    };
    const bool chord = !columns.empty() && (!logarithmic || (columns.back().low > 0 && next.low > 0));
    if (chord && next.x - columns.back().x > 1.5 * width) {
        const figures::ColumnSpan before = columns.back();
        const double from = middle(before), rise = (middle(next) - from) / (next.x - before.x);
        for (double x = before.x + width; x < next.x - 0.5 * width; x += width) {
            const double y = from + rise * (x - before.x), value = logarithmic ? std::pow(10, y) : y;
            columns.push_back({.x = x, .low = value, .high = value});
        }
    }
    columns.push_back(next);
}

/// Columns with their band and the line in their middle; those that the middle needs on both sides are not drawn.
void setBand(PlotCurve& curve, std::vector<figures::ColumnSpan> columns, bool logarithmic, double t0, double t1)
{
    curve.dense = true;
    const double width = curve.bucket;
    std::erase_if(columns, [&](const figures::ColumnSpan& span) {
        if (logarithmic && span.high == 0 && span.x >= t0 && span.x <= t1)
            curve.zeros.push_back(span.x);
        return logarithmic && span.high == 0;
    });
    const std::vector<double> middle = figures::centreLine(columns, logarithmic);
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const figures::ColumnSpan& span = columns[i];
        if (span.x < t0 - width || span.x > t1 + width)
            continue;
        if (!curve.points.isEmpty() && span.x - curve.points.back().x() > kZeros * width)
            curve.points.push_back({span.x - width, kNaN});
        curve.points.push_back({span.x, middle[i]});
        curve.band.push_back({.t = span.x, .low = span.low, .high = span.high});
    }
}

/// Steps that are fewer than columns of pixels, but go up and down by a good share of a decade from one to the next.
bool isScribble(const QVector<QPointF>& points)
{
    if (points.size() < kFewestNoisy)
        return false;
    const auto rise = [&points](qsizetype i) { return std::log10(points[i].y() / points[i - 1].y()); };
    qsizetype turns = 0;
    for (qsizetype i = 1; i + 1 < points.size(); ++i)
        if (const double before = rise(i), after = rise(i + 1); before * after < 0)
            turns += std::min(std::abs(before), std::abs(after)) > kNoisyRise ? 1 : 0;
    return static_cast<double>(turns) > kNoisyShare * static_cast<double>(points.size());
}

/// Their band, of columns that are wide enough to hold several; doubled, so that the raster stays while a run goes on.
void setNoiseApart(PlotCurve& curve, double t0, double t1)
{
    const double rate = static_cast<double>(curve.points.size()) / (curve.points.back().x() - curve.points.front().x());
    while (rate * curve.bucket < kNoisySteps && curve.bucket < t1 - t0)
        curve.bucket *= 2;
    std::vector<figures::ColumnSpan> columns;
    for (const QPointF& p : curve.points) {
        const double middle = (std::floor(p.x() / curve.bucket) + 0.5) * curve.bucket;
        if (std::isnan(p.y()))
            continue;
        if (columns.empty() || columns.back().x != middle)
            columns.push_back({.x = middle, .low = p.y(), .high = p.y()});
        columns.back().low = std::min(columns.back().low, p.y());
        columns.back().high = std::max(columns.back().high, p.y());
    }
    joinNewest(columns, curve.points.back().x());
    curve.points.clear();
    setBand(curve, std::move(columns), true, t0, t1);
}

PlotCurve timeCurve(const PlotSpec& spec, const run::RecordingView& recording, int column, double t0, double t1, int buckets,
                    Buffer& buffer)
{
    PlotCurve curve;
    // Columns on a fixed raster of time: a pan then moves the curve and does not redraw it differently.
    const int wanted = std::max(1, buckets / kColumnPixels), beside = figures::kCalmColumns;
    const double width = (t1 - t0) / wanted;
    const double start = (width > 0 ? std::floor(t0 / width) - beside : 0) * width + (width > 0 ? 0 : t0);
    const int count = wanted + 1 + 2 * beside;
    recording.envelope(column, start, start + count * width, count, buffer.t, buffer.values);
    const bool logarithmic = isLogarithmic(spec.kind);
    curve.bucket = width;
    const bool dense =
        std::ranges::any_of(buffer.values, [](const run::MinMax& range) { return range.minimum != range.maximum; });
    std::vector<figures::ColumnSpan> columns;
    for (std::size_t i = 0; i < buffer.t.size(); ++i) {
        const auto [low, high] = buffer.values[i];
        if (!std::isfinite(low) || !std::isfinite(high))
            continue;
        if (dense)
            addColumn(columns, spanOf(recording, column, logarithmic, buffer.t[i], width, {low, high}), width, logarithmic);
        else
            curve.points.push_back({buffer.t[i], logarithmic ? std::abs(high) : high});
    }
    joinNewest(columns, recording.lastTime());
    if (dense)
        setBand(curve, std::move(columns), logarithmic, t0, t1);
    else if (!logarithmic)
        addBetween(curve, recording, column, buckets);
    if (!dense && logarithmic) {
        setZerosApart(curve);
        if (isScribble(curve.points))
            setNoiseApart(curve, t0, t1);
    }
    return curve;
}

double deviation(const run::RecordingView& run, const run::RecordingView& reference, double t, std::vector<double>& scratch)
{
    const int n = run.n(), m = run.m();
    if (reference.n() != n || reference.m() != m || run.empty() || reference.empty() || t > run.lastTime()
        || t > reference.lastTime())
        return kNaN;
    scratch.resize(static_cast<std::size_t>(2 * (2 * n + m)));
    double* q = scratch.data();
    double* other = q + 2 * n + m;
    if (!run.stateAt(t, q, q + n, q + 2 * n) || !reference.stateAt(t, other, other + n, other + 2 * n))
        return kNaN;
    double worst = 0;
    for (int i = 0; i < n; ++i)
        worst = std::max(worst, std::abs(q[i] - other[i]));
    for (int i = 0; n == 0 && i < m; ++i) // values of a general DAE, without their derivatives
        if (run.columns()[static_cast<std::size_t>(i)].name.find('\'') == std::string::npos)
            worst = std::max(worst, std::abs(q[i] - other[i]));
    return worst;
}

/// The rows of a column of time, spread evenly where they are more than looks, as a part of a band.
std::optional<figures::ColumnSpan> deviationSpan(const run::RecordingView& run, const run::RecordingView& reference,
                                                 double from, double to, std::uint64_t looks, std::vector<double>& scratch)
{
    figures::ColumnSpan span{.x = 0.5 * (from + to), .low = 0, .high = 0};
    bool any = false;
    const std::uint64_t first = run.rowAt(from), last = run.rowAt(to), step = (last - first) / looks + 1;
    for (std::uint64_t row = first; row <= last; row += step) {
        const double t = run.time(row), d = t >= from && t < to ? deviation(run, reference, t, scratch) : kNaN;
        if (!std::isfinite(d))
            continue;
        any = true;
        span.high = std::max(span.high, d);
        if (d > 0 && (span.low == 0 || d < span.low))
            span.low = d;
    }
    return any ? std::optional(span) : std::nullopt;
}

/// Least and largest per column of pixels: between two of its values the error swings over decades.
PlotCurve deviationBand(const run::RecordingView& run, const run::RecordingView& reference, double t0, double t1, int buckets)
{
    PlotCurve curve;
    const int wanted = std::max(1, buckets / kColumnPixels), count = wanted + 1 + 2 * figures::kCalmColumns;
    const auto numbers = static_cast<std::uint64_t>(2 * (2 * run.n() + run.m()) * count);
    const std::uint64_t looks = std::clamp<std::uint64_t>(kPortraitNumbers / std::max<std::uint64_t>(numbers, 1), 2, kLooks);
    const double width = (t1 - t0) / wanted, start = std::floor(t0 / width) - figures::kCalmColumns;
    curve.bucket = width;
    std::vector<figures::ColumnSpan> columns;
    std::vector<double> scratch;
    for (int c = 0; c < count; ++c)
        if (const auto span = deviationSpan(run, reference, (start + c) * width, (start + c + 1) * width, looks, scratch))
            addColumn(columns, *span, width, true);
    joinNewest(columns, std::min(run.lastTime(), reference.lastTime()));
    setBand(curve, std::move(columns), true, t0, t1);
    return curve;
}

/// At the run's own steps where they are few (there only the reference is interpolated), else a band.
PlotCurve deviationCurve(const run::RecordingView& run, const run::RecordingView& reference, double t0, double t1, int buckets)
{
    PlotCurve curve;
    if (run.empty() || reference.empty())
        return curve;
    const std::uint64_t from = run.rowAt(t0);
    const std::uint64_t to = std::min(run.rowAt(t1) + 1, run.rowCount() - 1);
    if (to - from > 2 * static_cast<std::uint64_t>(buckets))
        return deviationBand(run, reference, t0, t1, buckets);
    std::vector<double> scratch;
    for (std::uint64_t row = from; row <= to; ++row)
        if (const double d = deviation(run, reference, run.time(row), scratch); std::isfinite(d))
            curve.points.push_back({run.time(row), d});
    setZerosApart(curve);
    return curve;
}

/// Two columns of a recording as points of a portrait.
class Portrait {
public:
    Portrait(const run::RecordingView& recording, int x, int y, std::uint64_t rows) : recording_(recording), x_(x), y_(y)
    {
        const auto states = static_cast<std::size_t>(2 * recording.n() + recording.m());
        if (static_cast<std::size_t>(std::max(x, y)) < states && states * rows <= kPortraitNumbers)
            state_.resize(states);
    }
    QPointF at(std::uint64_t row) const { return {recording_.value(row, x_), recording_.value(row, y_)}; }
    /// Between two rows: as the state moves, or else along the chord.
    QPointF inside(std::uint64_t row, double t)
    {
        const QPointF state = between(t), from = at(row), to = at(row + 1);
        if (std::isfinite(state.x()) && std::isfinite(state.y()))
            return state;
        const double share = (t - recording_.time(row)) / (recording_.time(row + 1) - recording_.time(row));
        return from + share * (to - from);
    }
    /// Nowhere where the two are no numbers of the state, or states are too many and too large.
    QPointF between(double t)
    {
        double* const q = state_.data();
        if (!q || !recording_.stateAt(t, q, q + recording_.n(), q + 2 * recording_.n()))
            return {kNaN, kNaN};
        return {q[x_], q[y_]};
    }

private:
    const run::RecordingView& recording_;
    int x_, y_;
    std::vector<double> state_;
};

/// Whether t lies between this row, the last one before it, and the next.
bool insideStep(const PlotRun& run, std::uint64_t row, double t)
{
    return !run.measured && row + 1 < run.recording.rowCount() && t > run.recording.time(row);
}

/// Rows, and states between them where the chord would be seen; of runs up to t1, be it inside of a step.
PlotCurve phaseCurve(const PlotSpec& spec, const PlotRun& run, double t0, double t1)
{
    PlotCurve curve;
    const run::RecordingView& recording = run.recording;
    const int x = recording.findColumn(spec.phaseX.toStdString()), y = recording.findColumn(spec.phaseY.toStdString());
    if (recording.empty() || x < 0 || y < 0)
        return curve;
    const std::uint64_t to = recording.rowAt(t1);
    const std::uint64_t from = std::max(recording.rowAt(t0), to > kPhaseSteps ? to - kPhaseSteps : 0);
    curve.dense = to - from >= kDensePortrait;
    Portrait portrait(recording, x, y, to - from + 1);
    QRectF extent;
    for (std::uint64_t row = from; row <= to; ++row)
        if (const QPointF p = portrait.at(row); std::isfinite(p.x()) && std::isfinite(p.y()))
            extent = extent.isNull() ? QRectF(p, QSizeF(1e-300, 1e-300)) : extent.united(QRectF(p, QSizeF(1e-300, 1e-300)));
    const auto add = [&curve](const QPointF& p, bool inside) {
        if (!std::isfinite(p.x()) || !std::isfinite(p.y()))
            return;
        curve.points.push_back(p);
        curve.between.push_back(inside);
    };
    const auto apart = [&extent](const QPointF& a, const QPointF& b) {
        return std::max(std::abs(a.x() - b.x()) / extent.width(), std::abs(a.y() - b.y()) / extent.height());
    };
    int left = kMostBetween;
    const auto bend = [&](const QPointF& last, const QPointF& now, double before, double h) {
        if (h > 0 && left > 0 && apart(portrait.between(before + h / 2), (last + now) / 2) > kSeenOfChord)
            for (int k = 1; k < kPiecesOfChord; ++k, --left)
                add(portrait.between(before + k * h / kPiecesOfChord), true);
    };
    for (std::uint64_t row = from; row <= to; ++row) {
        const double before = recording.time(row > from ? row - 1 : row), h = recording.time(row) - before;
        const QPointF now = portrait.at(row);
        bend(portrait.at(row > from ? row - 1 : row), now, before, h);
        add(now, false);
    }
    if (insideStep(run, to, t1)) {
        const QPointF end = portrait.inside(to, t1);
        bend(portrait.at(to), end, recording.time(to), t1 - recording.time(to));
        add(end, true);
    }
    return curve;
}

} // namespace

std::vector<PlotCurve> plotCurves(const PlotSpec& spec, const std::vector<PlotRun>& runs, double t0, double t1, int buckets)
{
    std::vector<PlotCurve> out;
    Buffer buffer;
    const auto keep = [&out](PlotCurve curve, int run, int level) {
        curve.run = run;
        curve.level = level;
        if (!curve.points.isEmpty() || !curve.zeros.isEmpty())
            out.push_back(std::move(curve));
    };
    buckets = std::max(buckets, 2);
    for (int r = 0; r < static_cast<int>(runs.size()); ++r) {
        const run::RecordingView& recording = runs[static_cast<std::size_t>(r)].recording;
        if (recording.empty())
            continue;
        if (spec.kind == PlotKind::ErrorAgainstReference) {
            if (r != spec.reference && spec.reference >= 0 && spec.reference < static_cast<int>(runs.size()))
                keep(deviationCurve(recording, runs[static_cast<std::size_t>(spec.reference)].recording, t0, t1, buckets), r,
                     0);
        } else if (spec.kind == PlotKind::Phase) {
            keep(phaseCurve(spec, runs[static_cast<std::size_t>(r)], t0, t1), r, 0);
        } else {
            const std::vector<int> columns = plotColumns(spec, recording);
            for (int level = 0; level < static_cast<int>(columns.size()); ++level)
                if (columns[static_cast<std::size_t>(level)] >= 0)
                    keep(timeCurve(spec, recording, columns[static_cast<std::size_t>(level)], t0, t1, buckets, buffer), r,
                         level);
        }
    }
    return out;
}

void cutDashes(PlotCurve& curve, const QVector<qreal>& dashes)
{
    double period = 0;
    for (const qreal d : dashes)
        period += d;
    if (!curve.dense || period <= 0 || curve.bucket <= 0)
        return;
    QVector<QPointF> cut;
    cut.reserve(curve.points.size());
    bool on = true;
    for (const QPointF& p : curve.points) {
        double phase = std::fmod(std::floor(p.x() / curve.bucket), period);
        if (phase < 0)
            phase += period;
        bool visible = true;
        for (const qreal d : dashes) {
            if (phase < d)
                break;
            phase -= d;
            visible = !visible;
        }
        if (visible)
            cut.push_back(p);
        else if (on)
            cut.push_back({p.x(), kNaN});
        on = visible;
    }
    curve.points = std::move(cut);
}

double plotValueAt(const PlotSpec& spec, const std::vector<PlotRun>& runs, int run, int level, double t)
{
    const run::RecordingView& recording = runs[static_cast<std::size_t>(run)].recording;
    if (recording.empty() || t < recording.firstTime() || t > recording.lastTime())
        return kNaN;
    if (spec.kind == PlotKind::ErrorAgainstReference) {
        std::vector<double> scratch;
        if (spec.reference < 0 || spec.reference >= static_cast<int>(runs.size()))
            return kNaN;
        return deviation(recording, runs[static_cast<std::size_t>(spec.reference)].recording, t, scratch);
    }
    const std::vector<int> columns = plotColumns(spec, recording);
    if (level >= static_cast<int>(columns.size()) || columns[static_cast<std::size_t>(level)] < 0)
        return kNaN;
    return recording.value(recording.rowAt(t), columns[static_cast<std::size_t>(level)]);
}

double latestTime(const std::vector<PlotRun>& runs, double atLeast)
{
    for (const PlotRun& run : runs)
        if (!run.recording.empty() && !run.measured)
            atLeast = std::max(atLeast, run.recording.lastTime());
    return atLeast;
}

QPointF phasePoint(const PlotSpec& spec, const PlotRun& run, double t)
{
    const run::RecordingView& recording = run.recording;
    const int x = recording.findColumn(spec.phaseX.toStdString()), y = recording.findColumn(spec.phaseY.toStdString());
    if (recording.empty() || x < 0 || y < 0)
        return {kNaN, kNaN};
    const std::uint64_t row = recording.rowAt(t);
    Portrait portrait(recording, x, y, 1);
    return insideStep(run, row, t) ? portrait.inside(row, t) : portrait.at(row);
}

QVector<QPointF> markerPoints(const PlotCurve& curve, double start, double pitch, double offset)
{
    QVector<QPointF> out;
    double next = (std::floor(start / pitch) + offset) * pitch;
    for (qsizetype i = 0; i < curve.points.size(); ++i) {
        const QPointF& p = curve.points[i];
        const bool step = curve.between.empty() || !curve.between[static_cast<std::size_t>(i)];
        if (!step || p.x() < next || std::isnan(p.y()))
            continue;
        out.push_back(p);
        next += pitch * (1 + std::floor((p.x() - next) / pitch));
    }
    return out;
}

} // namespace driftless::ui
