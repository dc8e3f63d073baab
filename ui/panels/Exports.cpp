#include "ui/panels/Exports.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>

#include <algorithm>
#include <set>

#include "core/formulation/Formulation.h"
#include "core/page/Page.h"
#include "core/run/Past.h"
#include "core/run/SetTexts.h"
#include "core/system/NominalScales.h"
#include "core/text/PathText.h"
#include "core/text/WholeFile.h"
#include "ui/document/ModelPace.h"
#include "ui/document/NumberText.h"
#include "ui/panels/ComparisonDialog.h"
#include "ui/panels/FigureDialog.h"
#include "ui/panels/FileDialogs.h"
#include "ui/panels/PlotColumn.h"
#include "ui/views/FigureHistory.h"
#include "ui/views/SceneView.h"

namespace driftless::ui {

namespace {

constexpr QSize kFigurePicture{600, 450};
constexpr QSize kScenePicture{1600, 1200}; ///< 300 dots per inch in a panel of half a slide
constexpr int kMostFigures = 10000;        ///< in one folder, then the last one is written again

Diagnostic nothingToExport()
{
    return {.what = "There is nothing to export", .why = "there is no run", .remedy = "add a run first"};
}

/// Gains that a form had by itself, where one was set at another time: the figure says both.
void stateUsualGains(const Document& document, std::vector<run::Regime>& regimes)
{
    std::set<std::pair<std::string, std::string>> set; // formulation, gain
    for (const run::Regime& regime : regimes)
        for (const auto& [name, value] : regime.settings.gains)
            set.emplace(regime.settings.formulation, name);
    for (run::Regime& regime : regimes) {
        run::RunSettings& settings = regime.settings;
        const bool complete = std::ranges::all_of(
            set, [&](const auto& gain) { return gain.first != settings.formulation || settings.gains.contains(gain.second); });
        const auto* form = formulation::findFormulation(settings.formulation);
        if (complete || !form)
            continue;
        const auto dae = form->build(document.compiled().model(), settings.choices);
        if (!dae)
            continue;
        model::SystemEvaluator evaluator(document.bench().compiledHandle());
        evaluator.setParameters(regime.parameters);
        const auto usual = formulation::usualGains(*dae, model::nominalScales(evaluator));
        for (std::size_t i = 0; i < dae->gains.size(); ++i)
            if (const std::string& name = dae->gains[i].quantity.name; set.contains({settings.formulation, name}))
                settings.gains.try_emplace(name, usual[i]);
    }
}

/// "N = 3", and "bob.x = 0.5 m at the start" where the runs do not begin as the model says.
QStringList settingTexts(const Document& document)
{
    QStringList out;
    for (const std::string& text : run::structureTexts(document.compiled().model()))
        out << QString::fromStdString(text);
    for (const std::string& text : run::startTexts(document.system(), document.bench().startSettings()))
        out << withSigns(text);
    return out;
}

Result<void> writePage(const page::Page& page, const QString& path)
{
    const auto text = page::textOf(page, QCoreApplication::applicationVersion().toStdString());
    return text ? writeWholeFile(textToPath(path.toStdU16String()), *text) : text.error();
}

} // namespace

Exports::Exports(const Exported& what, QWidget& window) : QObject(&window), what_(what), window_(window) {}

ExportRequest Exports::request(QSize scene)
{
    Document& document = what_.document;
    ExportRequest request;
    const auto& model = document.compiled().model();
    request.model = QString::fromStdString(model.title.empty() ? model.name : model.title);
    const double t = document.laboratory().clock().t;
    request.t0 = std::max(0.0, what_.plots.timeStart());
    request.t1 = what_.plots.plot(0).following() ? t : what_.plots.timeEnd();
    const auto values = document.bench().parameters();
    std::size_t i = 0;
    for (const auto& parameter : document.system().parameters) {
        const auto& quantity = parameter.quantity;
        request.quantities.push_back({.name = QString::fromStdString(quantity.name),
                                      .unit = QString::fromStdString(quantity.unit),
                                      .value = values[i++],
                                      .usual = quantity.value});
    }
    request.parameters = settingTexts(document);
    for (const RunEntry& run : document.runs()) {
        if (!run.visible)
            continue;
        const auto status = document.status(run.key);
        ExportRun exported;
        exported.plot = {run.colour, run.name, document.laboratory().recording(run.id)};
        exported.settings = status.settings;
        exported.regimes = run::regimesOf(document.laboratory(), run.id);
        stateUsualGains(document, exported.regimes);
        exported.events = document.laboratory().events(run.id);
        exported.pivots = document.lookBack().pivots(run.key);
        if (status.state == run::RunState::Failed && status.diagnostic)
            exported.outcome = QString::fromStdString(status.diagnostic->what);
        request.runs.push_back(std::move(exported));
    }
    for (PlotRun& data : what_.plots.measured()) {
        request.runs.emplace_back();
        request.runs.back().plot = std::move(data);
    }
    int reference = 0;
    what_.plots.runs(&reference);
    request.plots = what_.plots.specs();
    for (PlotSpec& spec : request.plots)
        spec.reference = reference;
    if (!(request.t1 > request.t0)) // nothing has been played: the range that the window begins with
        request.t1 = request.t0 + firstRange(model);
    request.scene = what_.scene.grabImage(scene, 2);
    request.sceneTime = t;
    request.style.theme = dark_ ? figures::Theme::Dark : figures::Theme::Light;
    return request;
}

void Exports::copy() { copyFigure(composeFigure(request(kFigurePicture))); }

void Exports::arrange()
{
    if (what_.document.runs().empty())
        return;
    auto* dialog = new FigureDialog(request(kFigurePicture), &window_);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &FigureDialog::written, this, [this](const QStringList& files) { emit written(files.join('\n')); });
    dialog->open();
}

/// FOLDER/MODEL-1, with the first number that no picture there has.
QString Exports::freeBase(const QString& folder) const
{
    const QString name = fileBase(QString::fromStdString(what_.document.compiled().model().name));
    const auto taken = [&](int number) {
        const QString base = QStringLiteral("%1/%2-%3").arg(folder, name).arg(number);
        return QFileInfo::exists(base + ".pdf") || QFileInfo::exists(base + ".svg") || QFileInfo::exists(base + ".png");
    };
    int number = 1;
    while (number < kMostFigures && taken(number))
        ++number;
    return QStringLiteral("%1/%2-%3").arg(folder, name).arg(number);
}

ExportRequest Exports::comparison(bool dark)
{
    what_.scene.setDark(dark);
    ExportRequest asked = request(kScenePicture);
    what_.scene.setDark(dark_);
    asked.style.theme = dark ? figures::Theme::Dark : figures::Theme::Light;
    asked.changedAlone = true;
    const QString from = numberText(asked.t0), to = numberText(asked.t1);
    asked.notes << (parameterTexts(asked, asked.t0, asked.t1).isEmpty() ? tr("Parameters as in the model.")
                                                                        : tr("The other parameters as in the model."))
                       + ' ' + tr("Scene at t = %1 s, plots from %2 s to %3 s.").arg(numberText(asked.sceneTime), from, to);
    if (asked.runs.empty())
        asked.plots.clear();
    return asked;
}

void Exports::compare()
{
    if (folder_.isEmpty()) {
        const QString pictures = QStandardPaths::writableLocation(QStandardPaths::PicturesLocation);
        folder_ = QFileInfo(pictures).isDir() ? pictures : QDir::homePath();
    }
    auto* dialog = new ComparisonDialog(
        {.request = [this](bool dark) { return comparison(dark); }, .base = freeBase(folder_), .dark = dark_}, &window_);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ComparisonDialog::written, this, [this](const QString& file) {
        folder_ = QFileInfo(file).absolutePath();
        emit written(file);
    });
    connect(dialog, &ComparisonDialog::copied, this, &Exports::copied);
    dialog->open();
}

Result<QString> Exports::now(const QString& folder)
{
    if (what_.document.runs().empty())
        return nothingToExport();
    const QString base = freeBase(folder);
    const figures::Figure figure = composeFigure(request(kFigurePicture));
    if (auto done = figures::writeFigure(figure, base); !done)
        return done.error();
    for (const char* ending : {".txt", ".tex"})
        if (auto done = figures::writeCaption(figure, base + ending, QFileInfo(base).fileName()); !done)
            return done.error();
    return base;
}

Result<CsvWritten> Exports::csv(const QString& path)
{
    if (what_.document.runs().empty())
        return nothingToExport();
    return writeCsv(what_.plots.runs(), std::max(0.0, what_.plots.timeStart()), what_.plots.timeEnd(), path);
}

Result<void> Exports::page(const QString& path)
{
    const Document& document = what_.document;
    const run::ClockStatus clock = document.laboratory().clock();
    const double until = document.lookBack().looksBack() ? clock.reached : clock.t;
    std::vector<page::PageRun> runs;
    for (const RunEntry& run : document.runs()) {
        if (!run.visible)
            continue;
        const std::string method = page::nameOf(document.status(run.key).settings);
        runs.push_back(page::pageRunOf(document.laboratory(), run.id, run.name.toStdString() + ": " + method, until));
        runs.back().colour = run.colour;
    }
    if (runs.empty())
        return nothingToExport();
    if (!(until > 0))
        return Diagnostic{.what = "There is nothing to share yet", .why = "no time has passed", .remedy = "press play first"};
    for (const PlotRun& data : what_.plots.measured()) {
        if (runs.size() >= page::kMostRuns)
            break;
        runs.push_back(page::pageRunOfData(data.name.toStdString(), data.recording, document.laboratory().systemHandle()));
        runs.back().colour = data.colour;
    }
    const auto made = page::pageOfRuns(runs, document.compiled().model());
    return made ? writePage(*made, path) : made.error();
}

Result<void> Exports::lesson(const lesson::Lesson& lesson, const QString& path)
{
    const auto made = page::pageOfLesson(lesson, [](const std::string&, double) {});
    return made ? writePage(*made, path) : made.error();
}

Result<void> Exports::scene(const QString& path) { return writeImage(what_.scene.grabImage(kScenePicture, 2), path); }

} // namespace driftless::ui
