#include "ui/views/PlotData.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "ui/document/NumberText.h"
#include "ui/views/Theme.h"

namespace driftless::ui {

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
/// The last one is recorded by models of which rows were set aside because they follow from others.
constexpr std::array<const char*, 4> kResidualColumns{"residual.position", "residual.velocity", "residual.acceleration",
                                                      "residual.set_aside"};
/// This share of a curve's lowest points may leave a logarithmic plot at its bottom: passing zeros, not a level.
constexpr double kDipShare = 0.02;
constexpr double kHighestDecade = 300;
constexpr std::uint64_t kDensePortrait = 500; ///< steps from which a portrait is drawn thin

/// Errors are judged by their worst: where steps are dense on a logarithmic ordinate only the maximum of |y| is drawn.
bool worstOnly(PlotKind kind) { return kind == PlotKind::Residuals || kind == PlotKind::EnergyError; }

QString withUnit(const QString& name, const QString& unit)
{
    return unit.isEmpty() ? name : name + QStringLiteral(" [") + unit + ']';
}

QString unitText(const std::string& unit)
{
    return QString::fromStdString(unit).replace(QLatin1String("^2"), QStringLiteral("²")).replace('*', QStringLiteral("·"));
}

const run::Column* columnOf(const std::vector<PlotRun>& runs, const QString& name)
{
    for (const PlotRun& run : runs) {
        const int index = run.recording.findColumn(name.toStdString());
        if (index >= 0)
            return &run.recording.columns()[static_cast<std::size_t>(index)];
    }
    return nullptr;
}

/// Columns of a run that a kind plots against time; -1 where the recording has none.
std::vector<int> columnsOf(const PlotSpec& spec, const run::RecordingView& recording)
{
    switch (spec.kind) {
    case PlotKind::Residuals: {
        std::vector<int> out;
        for (const char* name : kResidualColumns)
            out.push_back(recording.findColumn(name));
        return out;
    }
    case PlotKind::EnergyError:
        return {recording.findColumn("energy_error")};
    case PlotKind::StepSize:
        return {recording.findColumn("h")};
    case PlotKind::Order:
        return {recording.findColumn("order")};
    case PlotKind::Quantity:
        return {recording.findColumn(spec.quantity.toStdString())};
    case PlotKind::Multipliers: {
        std::vector<int> out;
        for (int i = 0; i < static_cast<int>(recording.columns().size()); ++i)
            if (recording.columns()[static_cast<std::size_t>(i)].kind == run::ColumnKind::Multiplier)
                out.push_back(i);
        return out;
    }
    default:
        return {};
    }
}

/// Scratch of the curves, so that a refresh asks for little memory.
struct Buffer {
    std::vector<double> t;
    std::vector<run::MinMax> values;
};

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
            const double t = between.time(row), y = between.value(row, column);
            if (t <= curve.points[i - 1].x() || !std::isfinite(y))
                continue;
            full.points.push_back({t, y});
            full.between.push_back(true);
        }
        full.points.push_back(step);
        full.between.push_back(false);
    }
    curve = std::move(full);
}

PlotCurve timeCurve(const PlotSpec& spec, const run::RecordingView& recording, int column, double t0, double t1, int buckets,
                    Buffer& buffer)
{
    PlotCurve curve;
    // Pixel columns on a fixed raster of time: a pan then moves the curve and does not redraw it differently.
    const double width = (t1 - t0) / buckets;
    const double start = width > 0 ? std::floor(t0 / width) * width : t0;
    recording.envelope(column, start, start + (buckets + 1) * width, buckets + 1, buffer.t, buffer.values);
    const bool logarithmic = isLogarithmic(spec.kind), worst = worstOnly(spec.kind);
    const auto level = [logarithmic](double y) { return logarithmic ? std::max(std::abs(y), kFloor) : y; };
    curve.points.reserve(static_cast<int>(2 * buffer.t.size()));
    for (std::size_t i = 0; i < buffer.t.size(); ++i) {
        const auto [low, high] = buffer.values[i];
        if (!std::isfinite(low) || !std::isfinite(high))
            continue;
        if (low == high) {
            curve.points.push_back({buffer.t[i], level(high)});
            continue;
        }
        curve.dense = true;
        if (worst) {
            curve.points.push_back({buffer.t[i] + width / 2, std::max(level(low), level(high))});
            continue;
        }
        // Enter at the end that is nearer to where the curve comes from.
        const bool upFirst =
            !curve.points.empty() && std::abs(curve.points.back().y() - high) < std::abs(curve.points.back().y() - low);
        curve.points.push_back({buffer.t[i] + width / 4, level(upFirst ? high : low)});
        curve.points.push_back({buffer.t[i] + 3 * width / 4, level(upFirst ? low : high)});
    }
    curve.bucket = width;
    if (!curve.dense && !logarithmic)
        addBetween(curve, recording, column, buckets);
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

/// At the run's own steps where they are few (there only the reference is interpolated), else once per pixel column.
PlotCurve deviationCurve(const run::RecordingView& run, const run::RecordingView& reference, double t0, double t1, int buckets)
{
    PlotCurve curve;
    if (run.empty() || reference.empty())
        return curve;
    std::vector<double> scratch;
    const auto add = [&](double t) {
        const double d = deviation(run, reference, t, scratch);
        if (std::isfinite(d))
            curve.points.push_back({t, std::max(d, kFloor)});
    };
    const std::uint64_t from = run.rowAt(t0);
    const std::uint64_t to = std::min(run.rowAt(t1) + 1, run.rowCount() - 1);
    if (to - from <= 2 * static_cast<std::uint64_t>(buckets)) {
        for (std::uint64_t row = from; row <= to; ++row)
            add(run.time(row));
        return curve;
    }
    curve.dense = true;
    curve.bucket = (t1 - t0) / buckets;
    const double first = std::floor(t0 / curve.bucket) * curve.bucket;
    for (int b = 0; b <= buckets; ++b)
        add(first + b * curve.bucket);
    return curve;
}

PlotCurve phaseCurve(const PlotSpec& spec, const run::RecordingView& recording, double t0, double t1)
{
    PlotCurve curve;
    const int x = recording.findColumn(spec.phaseX.toStdString()), y = recording.findColumn(spec.phaseY.toStdString());
    if (recording.empty() || x < 0 || y < 0)
        return curve;
    const std::uint64_t to = recording.rowAt(t1);
    const std::uint64_t from = std::max(recording.rowAt(t0), to > kPhaseSteps ? to - kPhaseSteps : 0);
    curve.dense = to - from >= kDensePortrait;
    const run::RecordingView between = recording.between();
    const bool filled = !curve.dense && !between.empty() && std::max(x, y) < between.columnCount();
    std::uint64_t inner = filled ? between.rowAt(recording.time(from)) : 0;
    const auto add = [&curve, x, y](const run::RecordingView& view, std::uint64_t row, bool inside) {
        const QPointF p(view.value(row, x), view.value(row, y));
        if (!std::isfinite(p.x()) || !std::isfinite(p.y()))
            return;
        curve.points.push_back(p);
        curve.between.push_back(inside);
    };
    for (std::uint64_t row = from; row <= to; ++row) {
        for (; filled && inner < between.rowCount() && between.time(inner) < recording.time(row); ++inner)
            if (row > from && between.time(inner) > recording.time(row - 1))
                add(between, inner, true);
        add(recording, row, false);
    }
    return curve;
}

} // namespace

std::optional<PlotKind> plotKindOf(run::PanelKind kind)
{
    switch (kind) {
    case run::PanelKind::Residuals:
        return PlotKind::Residuals;
    case run::PanelKind::EnergyError:
        return PlotKind::EnergyError;
    case run::PanelKind::Difference:
        return PlotKind::ErrorAgainstReference;
    case run::PanelKind::Curve:
        return PlotKind::Quantity;
    case run::PanelKind::Phase:
        return PlotKind::Phase;
    case run::PanelKind::Step:
        return PlotKind::StepSize;
    case run::PanelKind::Order:
        return PlotKind::Order;
    case run::PanelKind::Multipliers:
        return PlotKind::Multipliers;
    case run::PanelKind::Pivots:
    case run::PanelKind::Scatter:
    case run::PanelKind::Strobe:
        break;
    }
    return {};
}

const std::vector<PlotKind>& plotKinds()
{
    static const std::vector<PlotKind> kinds{PlotKind::Residuals,   PlotKind::EnergyError, PlotKind::ErrorAgainstReference,
                                             PlotKind::Quantity,    PlotKind::Phase,       PlotKind::StepSize,
                                             PlotKind::Multipliers, PlotKind::Order};
    return kinds;
}

QString plotKindName(PlotKind kind)
{
    switch (kind) {
    case PlotKind::Residuals:
        return QStringLiteral("Constraint residuals");
    case PlotKind::EnergyError:
        return QStringLiteral("Energy error");
    case PlotKind::ErrorAgainstReference:
        return QStringLiteral("Error against reference");
    case PlotKind::Quantity:
        return QStringLiteral("Quantity");
    case PlotKind::Phase:
        return QStringLiteral("Phase portrait");
    case PlotKind::StepSize:
        return QStringLiteral("Step size");
    case PlotKind::Multipliers:
        return QStringLiteral("Multipliers");
    case PlotKind::Order:
        return QStringLiteral("Order of the method");
    }
    return {};
}

bool isLogarithmic(PlotKind kind)
{
    return kind == PlotKind::Residuals || kind == PlotKind::EnergyError || kind == PlotKind::ErrorAgainstReference
           || kind == PlotKind::StepSize;
}

std::vector<PlotCurve> plotCurves(const PlotSpec& spec, const std::vector<PlotRun>& runs, double t0, double t1, int buckets)
{
    std::vector<PlotCurve> out;
    Buffer buffer;
    const auto keep = [&out](PlotCurve curve, int run, int level) {
        curve.run = run;
        curve.level = level;
        if (!curve.points.isEmpty())
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
            keep(phaseCurve(spec, recording, t0, t1), r, 0);
        } else {
            const std::vector<int> columns = columnsOf(spec, recording);
            for (int level = 0; level < static_cast<int>(columns.size()); ++level)
                if (columns[static_cast<std::size_t>(level)] >= 0)
                    keep(timeCurve(spec, recording, columns[static_cast<std::size_t>(level)], t0, t1, buckets, buffer), r,
                         level);
        }
    }
    return out;
}

QVector<qreal> levelDashes(int level) { return runDashes(level); }

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

bool recordsSetAside(const std::vector<PlotRun>& runs)
{
    return columnOf(runs, QString::fromLatin1(kResidualColumns.back())) != nullptr;
}

PlotLabels plotLabels(const PlotSpec& spec, const std::vector<PlotRun>& runs)
{
    PlotLabels labels{plotKindName(spec.kind), QStringLiteral("t [s]"), {}, {}};
    const auto named = [&runs](const QString& name) {
        const run::Column* column = columnOf(runs, name);
        return withUnit(name, column ? unitText(column->unit) : QString());
    };
    switch (spec.kind) {
    case PlotKind::Residuals:
        labels.yAxis = QStringLiteral("max norm [SI]");
        labels.levels = QStringList{QStringLiteral("g"), QStringLiteral("ġ"), QStringLiteral("g̈")};
        if (recordsSetAside(runs))
            labels.levels << QStringLiteral("g set aside");
        break;
    case PlotKind::EnergyError:
        labels.yAxis = QStringLiteral("|E − E₀ − W| [J]");
        break;
    case PlotKind::ErrorAgainstReference:
        labels.yAxis = QStringLiteral("max |q − q(reference)|");
        if (spec.reference >= 0 && spec.reference < static_cast<int>(runs.size()))
            labels.title = QStringLiteral("Error against ") + runs[static_cast<std::size_t>(spec.reference)].name;
        break;
    case PlotKind::Quantity:
        labels.yAxis = named(spec.quantity);
        labels.title = spec.quantity.isEmpty() ? labels.title : spec.quantity;
        break;
    case PlotKind::Phase:
        labels.xAxis = named(spec.phaseX);
        labels.yAxis = named(spec.phaseY);
        break;
    case PlotKind::StepSize:
        labels.yAxis = QStringLiteral("h [s]");
        break;
    case PlotKind::Order:
        labels.yAxis = QStringLiteral("order");
        break;
    case PlotKind::Multipliers:
        labels.yAxis = QStringLiteral("λ [SI]");
        for (const PlotRun& run : runs) {
            const std::vector<int> columns = columnsOf(spec, run.recording);
            if (static_cast<int>(columns.size()) <= labels.levels.size())
                continue;
            labels.levels.clear();
            for (const int c : columns)
                labels.levels << QString::fromStdString(run.recording.columns()[static_cast<std::size_t>(c)].name);
        }
        if (labels.levels.size() == 1) {
            labels.title = labels.levels.front();
            labels.levels.clear();
        }
        break;
    }
    return labels;
}

QString plotEmptyText(const PlotSpec& spec, const std::vector<PlotRun>& runs)
{
    const auto started = std::count_if(runs.begin(), runs.end(), [](const PlotRun& r) { return !r.recording.empty(); });
    if (runs.empty())
        return QStringLiteral("Add a run to see it here.");
    if (started == 0)
        return QStringLiteral("Nothing recorded yet. Press space to play.");
    switch (spec.kind) {
    case PlotKind::ErrorAgainstReference:
        if (started < 2)
            return QStringLiteral("An error needs a second run to compare with.");
        break;
    case PlotKind::Quantity:
        if (!columnOf(runs, spec.quantity))
            return spec.quantity.isEmpty() ? QStringLiteral("Choose a quantity.")
                                           : QStringLiteral("No run records %1.").arg(spec.quantity);
        break;
    case PlotKind::Phase:
        if (!columnOf(runs, spec.phaseX) || !columnOf(runs, spec.phaseY))
            return QStringLiteral("Choose two quantities.");
        break;
    case PlotKind::Residuals:
    case PlotKind::Multipliers:
        if (std::all_of(runs.begin(), runs.end(), [](const PlotRun& r) { return r.recording.m() == 0; }))
            return QStringLiteral("This model has no constraints.");
        break;
    default:
        break;
    }
    return {};
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
    const std::vector<int> columns = columnsOf(spec, recording);
    if (level >= static_cast<int>(columns.size()) || columns[static_cast<std::size_t>(level)] < 0)
        return kNaN;
    return recording.value(recording.rowAt(t), columns[static_cast<std::size_t>(level)]);
}

PlotRange ordinateRange(const std::vector<PlotCurve>& curves, bool logarithmic)
{
    double low = std::numeric_limits<double>::infinity(), high = -low;
    std::vector<double> sorted;
    for (const PlotCurve& curve : curves) {
        sorted.clear();
        for (const QPointF& p : curve.points)
            sorted.push_back(p.y());
        if (sorted.empty())
            continue;
        high = std::max(high, *std::max_element(sorted.begin(), sorted.end()));
        const auto dips = logarithmic ? static_cast<std::ptrdiff_t>(kDipShare * static_cast<double>(sorted.size())) + 1 : 0;
        const auto place = sorted.begin() + std::min<std::ptrdiff_t>(dips, static_cast<std::ptrdiff_t>(sorted.size()) - 1);
        std::nth_element(sorted.begin(), place, sorted.end());
        low = std::min(low, *place);
    }
    if (!(low <= high))
        return logarithmic ? PlotRange{1e-8, 1} : PlotRange{-1, 1};
    if (logarithmic) {
        double from = std::floor(std::log10(low) - 0.02), to = std::ceil(std::log10(high) + 0.02);
        to = std::min(to, kHighestDecade);
        if (to - from < 2)
            from = to - 2;
        return {std::pow(10.0, from), std::pow(10.0, to)};
    }
    if (high - low <= 1e-12 * std::max(std::abs(low), std::abs(high))) {
        const double room = high == 0 ? 1 : 0.1 * std::abs(high);
        return {low - room, high + room};
    }
    const auto ticks = niceTicks(low, high, 6);
    const double distance = ticks.size() > 1 ? (ticks[1] - ticks[0]) / 2 : (high - low) / 4;
    const double room = 0.04 * (high - low);
    return {std::floor((low - room) / distance) * distance, std::ceil((high + room) / distance) * distance};
}

PlotRange abscissaRange(const std::vector<PlotCurve>& curves)
{
    std::vector<PlotCurve> turned = curves;
    for (PlotCurve& curve : turned)
        for (QPointF& p : curve.points)
            p = p.transposed();
    return ordinateRange(turned, false);
}

double latestTime(const std::vector<PlotRun>& runs, double atLeast)
{
    for (const PlotRun& run : runs)
        if (!run.recording.empty())
            atLeast = std::max(atLeast, run.recording.lastTime());
    return atLeast;
}

QPointF phasePoint(const PlotSpec& spec, const run::RecordingView& recording, double t)
{
    const int x = recording.findColumn(spec.phaseX.toStdString()), y = recording.findColumn(spec.phaseY.toStdString());
    if (recording.empty() || x < 0 || y < 0)
        return {kNaN, kNaN};
    const std::uint64_t row = recording.rowAt(t);
    return {recording.value(row, x), recording.value(row, y)};
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

double niceEnd(double reached, double shortest)
{
    const double atLeast = std::max(shortest, reached); // a run that has just started should not fill the axis
    const double power = std::pow(10.0, std::floor(std::log10(atLeast)));
    for (const double step : {1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0})
        if (step * power >= atLeast * (1 - 1e-12))
            return step * power;
    return 10 * power;
}

int timeDecimals(double span)
{
    constexpr int kUsual = 2, kMost = 9;
    return span > 0 ? std::clamp(kUsual - static_cast<int>(std::floor(std::log10(span))), kUsual, kMost) : kUsual;
}

std::vector<double> niceTicks(double low, double high, int count)
{
    std::vector<double> out;
    if (!(high > low) || !std::isfinite(low) || !std::isfinite(high))
        return out;
    const double raw = (high - low) / std::max(count, 1);
    const double power = std::pow(10.0, std::floor(std::log10(raw)));
    double distance = 10 * power;
    for (const double step : {1.0, 2.0, 5.0})
        if (step * power >= raw * (1 - 1e-9)) {
            distance = step * power;
            break;
        }
    const double slack = 1e-9 * distance;
    for (double k = std::ceil((low - slack) / distance); k * distance <= high + slack; ++k)
        out.push_back(k == 0 ? 0.0 : k * distance);
    return out;
}

QString tickText(double value, double distance)
{
    constexpr double kLargest = 1e5, kSmallest = 1e-4;
    if (value == 0)
        return QStringLiteral("0");
    const double size = std::abs(value);
    QString text;
    if (size >= kLargest || distance < kSmallest) {
        const int exponent = static_cast<int>(std::floor(std::log10(size)));
        const int digits = std::clamp(exponent - static_cast<int>(std::floor(std::log10(distance))), 0, 15);
        text = fixedText(size / std::pow(10.0, exponent), digits) + QStringLiteral("·") + decadeText(exponent);
    } else {
        const int digits = std::max(0, -static_cast<int>(std::floor(std::log10(distance) + 1e-9)));
        text = fixedText(size, digits);
    }
    return value < 0 ? QStringLiteral("−") + text : text;
}

QString decadeText(int exponent)
{
    static const QString kDigits = QStringLiteral("⁰¹²³⁴⁵⁶⁷⁸⁹");
    if (exponent == 0)
        return QStringLiteral("1");
    QString text = QStringLiteral("10");
    if (exponent < 0)
        text += QStringLiteral("⁻");
    if (exponent != 1)
        for (const QChar c : QString::number(std::abs(exponent)))
            text += kDigits[c.digitValue()];
    return text;
}

std::vector<PlotTick> axisTicks(double low, double high, bool logarithmic, int most)
{
    std::vector<PlotTick> out;
    if (!logarithmic) {
        const auto values = niceTicks(low, high, most);
        for (const double value : values)
            out.push_back({value, tickText(value, values.size() > 1 ? values[1] - values[0] : high - low)});
        return out;
    }
    const int first = static_cast<int>(std::ceil(std::log10(low) - 1e-9)),
              last = static_cast<int>(std::floor(std::log10(high) + 1e-9));
    int every = 1;
    while ((last - first) / every > most)
        ++every;
    for (int decade = first; decade <= last; ++decade)
        if (decade % every == 0)
            out.push_back({std::pow(10.0, decade), decadeText(decade)});
    return out;
}

QString readOut(double value)
{
    if (std::isnan(value))
        return QStringLiteral("–");
    const double size = std::abs(value);
    const char format = value != 0 && (size < 1e-3 || size >= 1e5) ? 'e' : 'f';
    const int digits = format == 'e' || size >= 100 ? 2 : 4;
    return QString::number(value, format, digits).replace('-', QStringLiteral("−"));
}

} // namespace driftless::ui
