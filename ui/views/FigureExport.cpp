#include "ui/views/FigureExport.h"

#include <QBuffer>
#include <QClipboard>
#include <QGuiApplication>
#include <QRegularExpression>

#include <algorithm>
#include <cmath>

#include "core/run/EventWords.h"
#include "core/text/Escapes.h"
#include "core/text/Numbers.h"
#include "ui/document/NumberText.h"
#include "ui/figures/SaveFile.h"
#include "ui/views/FigureHistory.h"
#include "ui/views/TimeLine.h"

namespace driftless::ui {

namespace {

constexpr int kFigureBuckets = 2400; // more columns than a page at 300 dots per inch has: the engine reduces to what it shows
constexpr int kErrorBuckets = 1000;  // twice as many as columns that an eye tells apart on a page

/// Names of all columns of all runs, in the order in which they first occur.
std::vector<std::string> columnNames(const std::vector<PlotRun>& runs)
{
    std::vector<std::string> names;
    for (const PlotRun& run : runs)
        for (const run::Column& column : run.recording.columns())
            if (std::find(names.begin(), names.end(), column.name) == names.end())
                names.push_back(column.name);
    return names;
}

bool writeRows(QIODevice& device, const std::vector<PlotRun>& runs, double t0, double t1, CsvWritten& written)
{
    constexpr qsizetype kBlock = 1 << 20;
    const std::vector<std::string> names = columnNames(runs);
    QByteArray out = "run,t";
    for (const std::string& name : names)
        out += ',' + QByteArray::fromStdString(text::csvCell(name));
    out += '\n';
    for (const PlotRun& run : runs) {
        const QByteArray lead = QByteArray::fromStdString(text::csvCell(run.name.toStdString())) + ',';
        std::vector<int> columns;
        for (const std::string& name : names)
            columns.push_back(run.recording.findColumn(name));
        const bool all = !(t1 > t0);
        std::uint64_t row = all ? 0 : run.recording.rowAt(t0);
        while (!all && row > 0 && run.recording.time(row - 1) >= t0)
            --row;
        for (; row < run.recording.rowCount(); ++row) {
            const double t = run.recording.time(row);
            if (!all && t < t0)
                continue;
            if (!all && t > t1)
                break;
            written.from = written.rows == 0 ? t : std::min(written.from, t);
            written.to = written.rows == 0 ? t : std::max(written.to, t);
            ++written.rows;
            out += lead;
            out.append(QByteArray::fromStdString(text::csvNumber(t)));
            for (const int column : columns) {
                out += ',';
                if (column >= 0)
                    out.append(QByteArray::fromStdString(text::csvNumber(run.recording.value(row, column))));
            }
            out += '\n';
            if (out.size() >= kBlock) {
                if (device.write(out) != out.size())
                    return false;
                out.clear();
            }
        }
    }
    return device.write(out) == out.size();
}

std::vector<PlotRun> plotRuns(const ExportRequest& request)
{
    std::vector<PlotRun> runs;
    for (const ExportRun& run : request.runs)
        runs.push_back(run.plot);
    return runs;
}

using figures::Axis;
using figures::mathName;
using figures::Panel;
using figures::plain;

Axis timeAxis() { return {QStringLiteral("$t$"), QStringLiteral("s")}; }

QString unitOf(const std::vector<PlotRun>& runs, const QString& name)
{
    for (const PlotRun& run : runs)
        if (const int column = run.recording.findColumn(name.toStdString()); column >= 0) {
            const std::string& unit = run.recording.columns()[static_cast<std::size_t>(column)].unit;
            return plain(QString::fromStdString(unit))
                .replace(QLatin1String("^2"), QStringLiteral("²"))
                .replace('*', QStringLiteral("·"));
        }
    return {};
}

Axis quantityAxis(const std::vector<PlotRun>& runs, const QString& name) { return {mathName(name), unitOf(runs, name)}; }

/// What plotLabels says in words, set as mathematics.
void label(const PlotSpec& spec, const std::vector<PlotRun>& runs, Panel& panel)
{
    const PlotLabels labels = plotLabels(spec, runs);
    panel.title = plain(labels.title);
    panel.x = timeAxis();
    for (const QString& name : labels.levels)
        panel.levels << mathName(name);
    switch (spec.kind) {
    case PlotKind::Residuals:
        panel.y = {QStringLiteral("max norm"), QStringLiteral("SI")};
        panel.levels = QStringList{"$g$", "$\\dot g$", "$\\ddot g$"};
        if (recordsSetAside(runs))
            panel.levels << QStringLiteral("$g$ set aside");
        break;
    case PlotKind::EnergyError:
        panel.y = {QStringLiteral("$|E - E_0 - W|$"), QStringLiteral("J")};
        break;
    case PlotKind::ErrorAgainstReference:
        panel.y = {QStringLiteral("$\\max|q - q_{\\mathrm{ref}}|$"), {}};
        break;
    case PlotKind::Quantity:
        panel.y = quantityAxis(runs, spec.quantity);
        panel.title = mathName(labels.title);
        break;
    case PlotKind::Phase:
        panel.x = quantityAxis(runs, spec.phaseX);
        panel.y = quantityAxis(runs, spec.phaseY);
        panel.title = mathName(spec.phaseY) + QStringLiteral(" over ") + mathName(spec.phaseX);
        panel.equalScales = panel.x.unit == panel.y.unit && panel.x.unit == QLatin1String("m"); // the picture of a path
        break;
    case PlotKind::StepSize:
        panel.y = {QStringLiteral("$h$"), QStringLiteral("s")};
        break;
    case PlotKind::Multipliers:
        panel.y = {QStringLiteral("$\\lambda$"), QStringLiteral("SI")};
        break;
    case PlotKind::Order:
        panel.y = {QStringLiteral("order"), {}};
        break;
    }
    panel.y.logarithmic = isLogarithmic(spec.kind);
}

figures::Series seriesOf(const PlotCurve& curve, int style, int level, bool steps, bool measured)
{
    figures::Series series;
    series.style = style;
    series.level = level;
    series.kind = steps && !curve.dense ? figures::SeriesKind::Steps : figures::SeriesKind::Line;
    if (measured && !curve.dense)
        series.kind = figures::SeriesKind::Marks;
    const auto count = static_cast<std::size_t>(curve.points.size());
    series.x.reserve(count);
    series.y.reserve(count);
    for (qsizetype i = 0; i < curve.points.size(); ++i) {
        series.x.push_back(curve.points[i].x());
        // Step size and order are recorded where a step ends, and hold from where it began.
        const bool ahead = series.kind == figures::SeriesKind::Steps && i + 1 < curve.points.size();
        const double y = curve.points[ahead ? i + 1 : i].y();
        series.y.push_back(y);
    }
    series.zeros.assign(curve.zeros.begin(), curve.zeros.end());
    return series;
}

/// From the minimum to the maximum of the columns that hold several steps.
figures::Series bandOf(const PlotCurve& curve, int style, int level)
{
    figures::Series series{.style = style, .level = level, .kind = figures::SeriesKind::Band};
    for (const PlotBand& band : curve.band) {
        series.x.push_back(band.t);
        series.y.push_back(band.low);
        series.upper.push_back(band.high);
    }
    return series;
}

void addEvents(const ExportRequest& request, double t0, double t1, Panel& panel)
{
    for (const ExportRun& run : request.runs)
        for (const run::Event& event : run.events)
            if (event.kind() == run::EventKind::Command && event.t > 0 && event.t >= t0 && event.t <= t1)
                panel.events.push_back({event.t,
                                        plain(run.plot.name + QStringLiteral(": ") + QString::fromStdString(run::words(event))),
                                        run.plot.colour});
}

Panel panelOf(const PlotSpec& spec, const ExportRequest& request, const std::vector<PlotRun>& runs, double t0, double t1)
{
    Panel panel;
    label(spec, runs, panel);
    panel.empty = plain(plotEmptyText(spec, runs));
    if (spec.kind == PlotKind::Residuals)
        panel.shades.push_back({Qt::Horizontal, 0, kRoundOff, QStringLiteral("round-off")});
    if (spec.kind != PlotKind::Phase) {
        panel.x.low = t0;
        panel.x.high = t1;
        if (request.eventMarks)
            addEvents(request, t0, t1, panel);
    }
    const bool steps = spec.kind == PlotKind::StepSize || spec.kind == PlotKind::Order;
    const bool error =
        spec.kind == PlotKind::Residuals || spec.kind == PlotKind::EnergyError || spec.kind == PlotKind::ErrorAgainstReference;
    const auto curves = plotCurves(spec, runs, t0, t1, error ? kErrorBuckets : kFigureBuckets);
    for (const PlotCurve& curve : curves) {
        const int style = runs[static_cast<std::size_t>(curve.run)].colour, level = panel.levels.isEmpty() ? -1 : curve.level;
        if (!curve.band.empty())
            panel.series.push_back(bandOf(curve, style, level));
        panel.series.push_back(seriesOf(curve, style, level, steps, runs[static_cast<std::size_t>(curve.run)].measured));
    }
    if (panel.empty.isEmpty() && onlyZeros(curves))
        panel.empty = kExactlyZero;
    const auto inside = [&](const figures::Series& series) {
        return spec.kind == PlotKind::Phase || std::ranges::any_of(series.x, [&](double t) { return t >= t0 && t <= t1; });
    };
    const auto spans = [&](const figures::Series& series) { // a chord that passes over the range
        return !series.x.empty() && series.x.front() < t0 && series.x.back() > t1;
    };
    if (panel.empty.isEmpty()
        && std::ranges::none_of(panel.series, [&](const auto& series) { return inside(series) || spans(series); }))
        panel.empty = QStringLiteral("Nothing is recorded in this range of time.");
    return panel;
}

/// One row per run that has pivots; none when no run has.
Panel pivotPanel(const ExportRequest& request, double t0, double t1)
{
    Panel panel;
    panel.title = QStringLiteral("Variables chosen as dummies");
    panel.x = timeAxis();
    panel.x.low = t0;
    panel.x.high = t1;
    QStringList names;
    for (const ExportRun& run : request.runs) {
        const double reached = run.plot.recording.empty() ? 0 : run.plot.recording.lastTime();
        figures::Strip strip{plain(run.plot.name), {}};
        for (const PivotSegment& segment : pivotSegments(run.events, run.pivots, reached)) {
            if (!names.contains(segment.dummies))
                names << segment.dummies;
            strip.spans.push_back({segment.from, segment.to, static_cast<int>(names.indexOf(segment.dummies))});
        }
        if (!strip.spans.empty())
            panel.strips.push_back(std::move(strip));
    }
    for (const QString& name : names) {
        QStringList parts;
        for (const QString& part : name.split(QStringLiteral(", ")))
            parts << mathName(part);
        panel.categories << parts.join(QStringLiteral(", "));
    }
    return panel;
}

Panel scenePanel(const ExportRequest& request)
{
    Panel panel;
    panel.title = QStringLiteral("Scene");
    panel.picture = request.scene;
    panel.pictureCaption = QStringLiteral("$t$ = %1 s").arg(numberText(request.sceneTime));
    return panel;
}

/// "1e−8" and "2.5e−8" as powers of ten.
QString withPowers(QString text)
{
    static const QRegularExpression lone(QStringLiteral("\\b1e(−?)(\\d+)")),
        factor(QStringLiteral("\\b(\\d[\\d.]*)e(−?)(\\d+)"));
    text.replace(lone, QStringLiteral("$10^{\\1\\2}$"));
    return text.replace(factor, QStringLiteral("$\\1\\cdot10^{\\2\\3}$"));
}

/// What a run was computed by and what was done to it, in the time shown.
QString detailOf(const ExportRequest& request, const ExportRun& run, double t0, double t1)
{
    if (run.plot.measured)
        return QStringLiteral("measured");
    QStringList parts{methodText(run, t0, t1)};
    if (const std::uint64_t steps = run.regimes.empty() ? run.steps : stepsUntil(run, t1); steps > 0)
        parts << QStringLiteral("%1 step%2").arg(steps).arg(steps == 1 ? "" : "s");
    constexpr double kRoundoff = 1e-9; // of the range: a run that ends there ends with it
    if (const auto& rows = run.plot.recording; !rows.empty() && rows.lastTime() < t1 - kRoundoff * std::abs(t1 - t0))
        parts << QStringLiteral("ends at t = %1 s").arg(numberText(rows.lastTime()));
    const bool ended = run.plot.recording.empty() || run.plot.recording.lastTime() <= t1;
    parts << otherParameterTexts(request, run, t0, t1) << movesText(run, t0, t1) << (ended ? run.outcome : QString());
    parts.removeAll(QString());
    return parts.join(QStringLiteral(" · "));
}

QString captionOf(const ExportRequest& request, const figures::Figure& figure, const QString& parameters, double t0, double t1)
{
    QStringList sentences;
    QString head = plain(request.model);
    if (!parameters.isEmpty())
        head += QStringLiteral(" (%1)").arg(parameters);
    sentences << head;
    QStringList titles;
    for (const Panel& panel : figure.panels)
        titles << panel.title;
    if (!titles.isEmpty())
        sentences << titles.join(QStringLiteral("; "))
                         + (latestTime(plotRuns(request), 0) > 0
                                ? QStringLiteral(" from $t$ = %1 s to %2 s").arg(numberText(t0), numberText(t1))
                                : QStringLiteral(" at $t$ = 0 s, where the runs begin"));
    for (const figures::LegendEntry& entry : figure.legend)
        sentences << entry.name + QStringLiteral(": ") + entry.detail;
    for (const QString& note : request.notes)
        sentences << plain(note);
    return sentences.join(QStringLiteral(". ")) + '.';
}

} // namespace

figures::Figure composeFigure(const ExportRequest& request)
{
    const std::vector<PlotRun> runs = plotRuns(request);
    double t0 = request.t0, t1 = request.t1;
    if (!(t1 > t0)) {
        t0 = 0;
        t1 = latestTime(runs, 0);
        if (t1 <= t0)
            t1 = t0 + 1;
    }
    figures::Figure figure;
    figure.style = request.style;
    figure.layout = request.layout;
    figure.columns = request.columns;
    for (const ExportRun& run : request.runs)
        figure.legend.push_back({run.plot.colour, plain(run.plot.name), withPowers(plain(detailOf(request, run, t0, t1)))});
    const QString parameters = withPowers(
        plain(parameterTexts(request, t0, t1).join(QStringLiteral(", "))).replace(QStringLiteral("^2"), QStringLiteral("²")));
    if (!request.scene.isNull())
        figure.panels.push_back(scenePanel(request));
    for (const PlotSpec& spec : request.plots)
        figure.panels.push_back(panelOf(spec, request, runs, t0, t1));
    if (request.pivots)
        if (Panel strips = pivotPanel(request, t0, t1); !strips.strips.empty())
            figure.panels.push_back(std::move(strips));
    if (request.heading) {
        figure.title = plain(request.model);
        if (!parameters.isEmpty())
            figure.notes << parameters;
        for (const QString& note : request.notes)
            figure.notes << plain(note);
    }
    figure.caption = captionOf(request, figure, parameters, t0, t1);
    return figure;
}

Result<CsvWritten> writeCsv(const std::vector<PlotRun>& runs, double t0, double t1, const QString& path)
{
    CsvWritten out;
    const auto done = figures::saveFile(path, [&](QIODevice& device) { return writeRows(device, runs, t0, t1, out); });
    return done ? Result<CsvWritten>(out) : done.error();
}

Result<void> writeImage(const QImage& image, const QString& path)
{
    if (image.isNull())
        return Diagnostic{.what = "There is no picture to write",
                          .where = path.toStdString(),
                          .why = "the picture is empty",
                          .remedy = "open a model first"};
    return figures::saveFile(path, [&image](QIODevice& device) { return image.save(&device, "PNG"); });
}

void copyFigure(const figures::Figure& figure) { QGuiApplication::clipboard()->setImage(figures::figureImage(figure)); }

} // namespace driftless::ui
