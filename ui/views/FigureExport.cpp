#include "ui/views/FigureExport.h"

#include <QBuffer>
#include <QClipboard>
#include <QGuiApplication>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/integrate/Integrator.h"
#include "ui/figures/SaveFile.h"

namespace driftless::ui {

namespace {

constexpr int kFigureBuckets = 800; // a printed panel resolves no more columns

QString number(double value) { return QString::number(value, 'g', 6); }

/// "1e-8" instead of "1e-08".
QString tolerance(double value)
{
    QString text = number(value);
    return text.replace(QLatin1String("e-0"), QLatin1String("e-")).replace('-', QStringLiteral("−"));
}

void appendNumber(QByteArray& out, double value)
{
    if (std::isnan(value))
        return;
    char buffer[32];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
    out.append(buffer, static_cast<qsizetype>(end - buffer));
}

QByteArray quoted(const QString& name)
{
    QByteArray bytes = name.toUtf8();
    if (!bytes.contains(',') && !bytes.contains('"') && !bytes.contains('\n'))
        return bytes;
    return '"' + bytes.replace("\"", "\"\"") + '"';
}

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

bool writeRows(QIODevice& device, const std::vector<PlotRun>& runs, double t0, double t1)
{
    constexpr qsizetype kBlock = 1 << 20;
    const std::vector<std::string> names = columnNames(runs);
    QByteArray out = "run,t";
    for (const std::string& name : names)
        out += ',' + quoted(QString::fromStdString(name));
    out += '\n';
    for (const PlotRun& run : runs) {
        const QByteArray lead = quoted(run.name) + ',';
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
            out += lead;
            appendNumber(out, t);
            for (const int column : columns) {
                out += ',';
                if (column >= 0)
                    appendNumber(out, run.recording.value(row, column));
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

FigurePanel panelOf(const PlotSpec& spec, const std::vector<PlotRun>& runs, double t0, double t1)
{
    const PlotLabels labels = plotLabels(spec, runs);
    FigurePanel panel;
    panel.title = labels.title;
    panel.xAxis = labels.xAxis;
    panel.yAxis = labels.yAxis;
    panel.levels = labels.levels;
    panel.logarithmic = isLogarithmic(spec.kind);
    panel.roundOffBand = spec.kind == PlotKind::Residuals;
    panel.empty = plotEmptyText(spec, runs);
    std::vector<PlotCurve> curves = plotCurves(spec, runs, t0, t1, kFigureBuckets);
    const PlotRange range = ordinateRange(curves, panel.logarithmic);
    panel.yLow = range.low;
    panel.yHigh = range.high;
    panel.xLow = t0;
    panel.xHigh = t1;
    if (spec.kind == PlotKind::Phase) {
        const PlotRange across = abscissaRange(curves);
        panel.xLow = across.low;
        panel.xHigh = across.high;
    }
    for (PlotCurve& curve : curves) {
        const int colour = runs[static_cast<std::size_t>(curve.run)].colour;
        panel.series.push_back({colour, labels.levels.isEmpty() ? -1 : curve.level, curve.dense, curve.bucket, std::move(curve.points)});
    }
    return panel;
}

} // namespace

QString legendText(const run::RunSettings& settings, std::uint64_t steps)
{
    QString text = QString::fromStdString(settings.formulation);
    for (const auto& [name, value] : settings.gains)
        text += QStringLiteral(", %1 = %2").arg(QString::fromStdString(name), number(value));
    if (!settings.pivot.automatic) {
        QStringList pinned;
        for (const std::string& name : settings.pivot.dummies)
            pinned << QString::fromStdString(name);
        text += QStringLiteral(", pivot ") + pinned.join(QStringLiteral(", "));
    }
    text += QStringLiteral(" · ") + QString::fromStdString(settings.integrator);
    const integrate::IntegratorInfo* method = integrate::findIntegrator(settings.integrator);
    if (method && !method->adaptive)
        text += QStringLiteral(", h = %1 s").arg(number(settings.options.step));
    else
        text += QStringLiteral(", rtol %1, atol %2").arg(tolerance(settings.options.relativeTolerance), tolerance(settings.options.absoluteTolerance));
    return text + QStringLiteral(" · %1 step%2").arg(steps).arg(steps == 1 ? "" : "s");
}

ComparisonFigure composeFigure(const ExportRequest& request)
{
    const std::vector<PlotRun> runs = plotRuns(request);
    double t0 = request.t0, t1 = request.t1;
    if (!(t1 > t0)) {
        t0 = 0;
        t1 = latestTime(runs, 0);
        if (t1 <= t0)
            t1 = t0 + 1;
    }
    ComparisonFigure figure;
    figure.title = request.model;
    if (!request.parameters.isEmpty())
        figure.subtitles << request.parameters.join(QStringLiteral(",  ")).replace(QStringLiteral("^2"), QStringLiteral("²"));
    figure.subtitles << request.notes;
    for (const ExportRun& run : request.runs) {
        QString detail = legendText(run.settings, run.steps);
        if (!run.outcome.isEmpty())
            detail += QStringLiteral(" · ") + run.outcome;
        figure.legend.push_back({run.plot.colour, run.plot.name, detail});
    }
    for (const PlotSpec& spec : request.plots)
        figure.panels.push_back(panelOf(spec, runs, t0, t1));
    figure.scene = request.scene;
    if (!request.scene.isNull())
        figure.sceneCaption = QStringLiteral("t = %1 s").arg(number(request.sceneTime));
    figure.footer = QStringLiteral("t = %1 s to %2 s. Driftless").arg(number(t0), number(t1));
    figure.dark = request.dark;
    return figure;
}

Result<void> writeCsv(const std::vector<PlotRun>& runs, double t0, double t1, const QString& path)
{
    return figures::saveFile(path, [&](QIODevice& device) { return writeRows(device, runs, t0, t1); });
}

Result<void> writeImage(const QImage& image, const QString& path)
{
    if (image.isNull())
        return Diagnostic{"There is no picture to write", path.toStdString(), "the picture is empty", "open a model first", {}};
    return figures::saveFile(path, [&image](QIODevice& device) { return image.save(&device, "PNG"); });
}

void copyFigure(const ComparisonFigure& figure) { QGuiApplication::clipboard()->setImage(figureImage(figure)); }

} // namespace driftless::ui
