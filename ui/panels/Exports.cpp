#include "ui/panels/Exports.h"

#include <QFileInfo>

#include <algorithm>

#include "ui/document/NumberText.h"
#include "ui/panels/FigureDialog.h"
#include "ui/panels/PlotColumn.h"
#include "ui/views/SceneView.h"

namespace driftless::ui {

namespace {

constexpr QSize kScenePicture{1600, 1200};
constexpr double kLookAhead = 1e-9;
constexpr int kMostFigures = 10000; ///< in one folder, then the last one is written again

Diagnostic nothingToExport()
{
    return {.what = "There is nothing to export", .why = "there is no run", .remedy = "add a run first"};
}

} // namespace

Exports::Exports(const Exported& what, QWidget& window) : QObject(&window), what_(what), window_(window) {}

ExportRequest Exports::request()
{
    Document& document = what_.document;
    ExportRequest request;
    const auto& model = document.compiled().model();
    request.model = QString::fromStdString(model.title.empty() ? model.name : model.title);
    const auto values = document.bench().parameters();
    std::size_t i = 0;
    for (const auto& parameter : document.system().parameters)
        request.parameters << QStringLiteral("%1 = %2 %3")
                                  .arg(QString::fromStdString(parameter.quantity.name), numberText(values[i++]),
                                       QString::fromStdString(parameter.quantity.unit))
                                  .trimmed();
    for (const RunEntry& run : document.runs()) {
        if (!run.visible)
            continue;
        const auto status = document.status(run.key);
        ExportRun exported;
        exported.plot = {run.colour, run.name, document.laboratory().recording(run.id)};
        exported.settings = status.settings;
        exported.steps = status.statistics.steps;
        exported.events = document.laboratory().events(run.id);
        exported.dummies = dummyNames(status, document.compiled());
        if (status.state == run::RunState::Failed && status.diagnostic)
            exported.outcome = QString::fromStdString(status.diagnostic->what);
        request.runs.push_back(std::move(exported));
    }
    int reference = 0;
    what_.plots.runs(&reference);
    request.plots = what_.plots.specs();
    for (PlotSpec& spec : request.plots)
        spec.reference = reference;
    const double t = document.laboratory().clock().t;
    request.t0 = std::max(0.0, what_.plots.timeStart());
    request.t1 = what_.plots.plot(0).following() ? std::max(t, request.t0 + kLookAhead) : what_.plots.timeEnd();
    request.scene = what_.scene.grabImage(QSize(600, 450), 2);
    request.sceneTime = t;
    request.style.theme = dark_ ? figures::Theme::Dark : figures::Theme::Light;
    return request;
}

void Exports::copy() { copyFigure(composeFigure(request())); }

void Exports::arrange()
{
    if (what_.document.runs().empty())
        return;
    auto* dialog = new FigureDialog(request(), &window_);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &FigureDialog::written, this, [this](const QStringList& files) { emit written(files.join('\n')); });
    dialog->open();
}

Result<QString> Exports::now(const QString& folder)
{
    if (what_.document.runs().empty())
        return nothingToExport();
    QString name = QString::fromStdString(what_.document.compiled().model().name);
    for (QChar& c : name)
        if (!c.isLetterOrNumber() && c != '-' && c != '_')
            c = '-';
    const auto taken = [&](int number) {
        const QString base = QStringLiteral("%1/%2-%3").arg(folder, name).arg(number);
        return QFileInfo::exists(base + ".pdf") || QFileInfo::exists(base + ".svg") || QFileInfo::exists(base + ".png");
    };
    int number = 1;
    while (number < kMostFigures && taken(number))
        ++number;
    const QString base = QStringLiteral("%1/%2-%3").arg(folder, name).arg(number);
    const figures::Figure figure = composeFigure(request());
    if (auto done = figures::writeFigure(figure, base); !done)
        return done.error();
    for (const char* ending : {".txt", ".tex"})
        if (auto done = figures::writeCaption(figure, base + ending, QFileInfo(base).fileName()); !done)
            return done.error();
    return base;
}

Result<void> Exports::figure(const QString& path)
{
    if (what_.document.runs().empty())
        return nothingToExport();
    const auto written = figures::writeFigure(composeFigure(request()), path);
    return written ? Result<void>() : written.error();
}

Result<void> Exports::csv(const QString& path)
{
    if (what_.document.runs().empty())
        return nothingToExport();
    const ExportRequest asked = request();
    return writeCsv(what_.plots.runs(), asked.t0, asked.t1, path);
}

Result<void> Exports::scene(const QString& path) { return writeImage(what_.scene.grabImage(kScenePicture, 2), path); }

} // namespace driftless::ui
