#include "ui/panels/Exports.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>

#include <algorithm>

#include "core/page/Page.h"
#include "core/run/Past.h"
#include "core/text/PathText.h"
#include "core/text/WholeFile.h"
#include "ui/document/ModelPace.h"
#include "ui/document/NumberText.h"
#include "ui/panels/ComparisonDialog.h"
#include "ui/panels/FigureDialog.h"
#include "ui/panels/PlotColumn.h"
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

/// What a run was computed by from t0 to t1 [s], but for the last of it: its curve is of all of these.
QString formsBefore(const std::vector<run::Regime>& regimes, double t0, double t1)
{
    QStringList out;
    for (std::size_t k = 0; k + 1 < regimes.size() && regimes[k + 1].from <= t1; ++k) {
        const run::RunSettings &now = regimes[k].settings, &next = regimes[k + 1].settings;
        if (regimes[k + 1].from <= t0 || (now.formulation == next.formulation && now.integrator == next.integrator))
            continue;
        out << QObject::tr("%1 · %2 until %3 s")
                   .arg(QString::fromStdString(now.formulation), QString::fromStdString(now.integrator),
                        numberText(regimes[k + 1].from, 4));
    }
    return out.join(QStringLiteral(", "));
}

/// " (1 m until 12.3 s)": values that a parameter had before in what is drawn.
QString valuesBefore(const std::vector<run::Regime>& regimes, std::size_t parameter, const QString& unit, double t0, double t1)
{
    QStringList out;
    for (std::size_t k = 0; k + 1 < regimes.size() && regimes[k + 1].from <= t1; ++k) {
        const auto &now = regimes[k].parameters, &next = regimes[k + 1].parameters;
        if (regimes[k + 1].from > t0 && parameter < now.size() && parameter < next.size() && now[parameter] != next[parameter])
            out << QObject::tr("%1 until %2 s")
                       .arg((numberText(now[parameter]) + ' ' + unit).trimmed(), numberText(regimes[k + 1].from, 4));
    }
    return out.isEmpty() ? QString() : QStringLiteral(" (%1)").arg(out.join(QStringLiteral(", ")));
}

/// Accepted steps up to t [s]; 0 where the recording does not have them all.
std::uint64_t stepsUntil(const run::RecordingView& view, const run::RunSettings& settings, double t)
{
    if (view.empty() || settings.rows != run::Rows::EveryStep || view.rowCount() != view.stepCount())
        return 0;
    std::uint64_t steps = 0;
    for (std::uint64_t row = view.rowAt(view.firstTime()), last = view.rowAt(t); row < last; ++row)
        steps += view.time(row + 1) > view.time(row); // an event has a row of its own
    return steps;
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
    const auto firstRegimes = document.runs().empty() ? std::vector<run::Regime>{}
                                                      : run::regimesOf(document.laboratory(), document.runs().front().id);
    const auto values =
        firstRegimes.empty() ? document.bench().parameters() : run::regimeAt(firstRegimes, std::min(t, request.t1)).parameters;
    std::size_t i = 0;
    for (const auto& parameter : document.system().parameters) {
        const QString unit = QString::fromStdString(parameter.quantity.unit);
        request.parameters << QStringLiteral("%1 = %2 %3")
                                      .arg(QString::fromStdString(parameter.quantity.name), numberText(values[i]), unit)
                                      .trimmed()
                                  + valuesBefore(firstRegimes, i, unit, request.t0, std::min(t, request.t1));
        ++i;
    }
    for (const RunEntry& run : document.runs()) {
        if (!run.visible)
            continue;
        const auto status = document.status(run.key);
        ExportRun exported;
        exported.plot = {run.colour, run.name, document.laboratory().recording(run.id)};
        const auto regimes = run::regimesOf(document.laboratory(), run.id);
        const double until = std::min(t, request.t1);
        exported.settings = regimes.empty() ? status.settings : run::regimeAt(regimes, until).settings;
        exported.before = formsBefore(regimes, request.t0, until);
        exported.steps = stepsUntil(exported.plot.recording, status.settings, std::min(t, request.t1));
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
    return QStringLiteral("%1/%2-%3").arg(folder, name).arg(number);
}

/// "L = 1.2 m (model: 1 m)", of those that differ from the model's at the displayed time.
QStringList Exports::changedParameters() const
{
    QStringList changed;
    const auto values = what_.document.lookBack().parameters();
    const auto& parameters = what_.document.system().parameters;
    for (std::size_t i = 0; i < std::min(values.size(), parameters.size()); ++i) {
        const auto& quantity = parameters[i].quantity;
        if (values[i] == quantity.value)
            continue;
        const QString unit = quantity.unit.empty() ? QString() : ' ' + QString::fromStdString(quantity.unit);
        changed << QStringLiteral("%1 = %2%3 (model: %4%3)")
                       .arg(QString::fromStdString(quantity.name), numberText(values[i]), unit, numberText(quantity.value));
    }
    return changed;
}

ExportRequest Exports::comparison(bool dark)
{
    what_.scene.setDark(dark);
    ExportRequest asked = request(kScenePicture);
    what_.scene.setDark(dark_);
    asked.style.theme = dark ? figures::Theme::Dark : figures::Theme::Light;
    asked.parameters = changedParameters();
    std::size_t i = 0;
    for (const RunEntry& run : what_.document.runs())
        if (run.visible)
            asked.runs[i++].settings = what_.document.lookBack().status(run.key).settings;
    const QString from = numberText(asked.t0), to = numberText(asked.t1);
    asked.notes << (asked.parameters.isEmpty() ? tr("Parameters as in the model.")
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

Result<void> Exports::csv(const QString& path)
{
    if (what_.document.runs().empty())
        return nothingToExport();
    const ExportRequest asked = request(kFigurePicture);
    return writeCsv(what_.plots.runs(), asked.t0, asked.t1, path);
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
