// driftless figure: several runs of one model, compared in one figure and one table, without a display.
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <QDir>
#include <QFileInfo>
#include <QGuiApplication>
#include <QString>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <set>

#include "app/Commands.h"
#include "app/ComparisonTable.h"
#include "app/FigureLook.h"
#include "app/HandOver.h"
#include "app/Output.h"
#include "app/Progress.h"
#include "app/RunOptions.h"
#include "app/RunReport.h"
#include "core/run/Run.h"
#include "core/run/SetTexts.h"
#include "core/run/SettingKeys.h"
#include "core/text/Names.h"
#include "core/text/PathText.h"
#include "core/text/WholeFile.h"
#include "ui/figures/QtSetting.h"
#include "ui/views/FigureExport.h"
#include "ui/views/FigureHistory.h"

namespace driftless::app {

namespace {

using nlohmann::ordered_json;

struct FigureOptions {
    RunOptions shared;
    std::vector<std::string> runs, out, tables, captions;
    std::optional<double> from, to; ///< [s]
    FigureLook look;
};

struct FinishedRun {
    std::unique_ptr<run::Run> run;
    run::RunSettings settings;
    run::StartSettings start;
};

bool endsWith(const std::string& path, const char* ending)
{
    return QString::fromStdString(path).endsWith(QLatin1String(ending), Qt::CaseInsensitive);
}

Result<void> checkFiles(const FigureOptions& options)
{
    for (const auto& path : options.out)
        if (!endsWith(path, ".png") && !endsWith(path, ".svg") && !endsWith(path, ".pdf"))
            return Diagnostic{.what = "The ending does not say what to write",
                              .where = path,
                              .remedy = "a name that ends in .png, .svg or .pdf"};
    for (const auto& path : options.tables)
        if (!endsWith(path, ".md") && !endsWith(path, ".csv"))
            return Diagnostic{
                .what = "The ending does not say what to write", .where = path, .remedy = "a name that ends in .md or .csv"};
    for (const auto& path : options.captions)
        if (!endsWith(path, ".txt") && !endsWith(path, ".tex"))
            return Diagnostic{
                .what = "The ending does not say what to write", .where = path, .remedy = "a name that ends in .txt or .tex"};
    std::set<std::string> paths;
    for (const auto* list : {&options.out, &options.tables, &options.captions})
        for (const auto& path : *list) {
            if (auto allowed = checkOutput(path, {options.shared.model}); !allowed)
                return allowed;
            if (std::error_code none;
                !paths.insert(std::filesystem::weakly_canonical(std::filesystem::absolute(path), none).string()).second)
                return Diagnostic{.what = "The same file is asked for twice", .where = path, .remedy = "two names"};
        }
    return {};
}

/// All parameters, the numbers of the structure before them and behind them what was set at the start.
QStringList parameterTexts(const model::CompiledSystem& system, const std::vector<double>& values,
                           const run::StartSettings& start)
{
    QStringList out;
    for (const std::string& text : run::structureTexts(system.model()))
        out << QString::fromStdString(text);
    for (std::size_t i = 0; i < system.system().parameters.size(); ++i) {
        const auto& quantity = system.system().parameters[i].quantity;
        out << QString::fromStdString(quantity.name) + QStringLiteral(" = ")
                   + ui::quantityText(values[i], QString::fromStdString(quantity.unit));
    }
    for (const std::string& text : run::startTexts(system.system(), start))
        out << ui::withSigns(text);
    return out;
}

Result<figures::Figure> compose(const FigureOptions& options, const std::vector<FinishedRun>& runs)
{
    const model::CompiledSystem& system = runs.front().run->system();
    ui::ExportRequest request;
    request.model = QString::fromStdString(system.model().title.empty() ? system.model().name : system.model().title);
    request.parameters = parameterTexts(system, runs.front().run->status().parameters, runs.front().start);
    for (const FinishedRun& finished : runs) {
        const run::RunStatus status = finished.run->status();
        ui::ExportRun entry;
        entry.plot.colour = static_cast<int>(request.runs.size());
        entry.plot.name = QString("Run %1").arg(request.runs.size() + 1);
        entry.plot.recording = finished.run->recording();
        entry.settings = finished.settings;
        entry.steps = status.statistics.steps;
        entry.outcome = status.diagnostic ? QString::fromStdString(status.diagnostic->what) : QString();
        entry.events = finished.run->events();
        entry.pivots = {
            {.dummies = ui::dummyNames({status.positionDummies, status.dummies, status.valueDummies}, system.system())}};
        request.runs.push_back(std::move(entry));
    }
    std::vector<ui::PlotRun> plotted;
    for (const ui::ExportRun& run : request.runs)
        plotted.push_back(run.plot);
    request.t0 = options.from.value_or(0);
    request.t1 = options.to.value_or(ui::latestTime(plotted, 0));
    if (options.from && !(request.t1 > request.t0))
        return Diagnostic{.what = "The range of time is empty",
                          .where = "--from, --to",
                          .remedy = "--from T --to T with a later second time"};
    if (auto applied = applyLook(options.look, request); !applied)
        return applied.error();
    return ui::composeFigure(request);
}

/// All runs to their end, in order. The first one that is refused ends the command.
Result<std::vector<FinishedRun>> runAll(const FigureOptions& options,
                                        const std::shared_ptr<const model::CompiledSystem>& system)
{
    std::vector<FinishedRun> finished;
    for (const auto& spec : options.runs) {
        const auto runOptions = parseRunSpec(spec, options.shared);
        if (!runOptions)
            return runOptions.error();
        const auto prepared = prepareRun(system, *runOptions);
        if (!prepared)
            return prepared.error();
        noteUnused(*runOptions, *prepared);
        auto created = run::Run::create(prepared->system, prepared->start, prepared->settings);
        if (!created) {
            Diagnostic refusal = created.error();
            refusal.where = "--run " + spec + (refusal.where.empty() ? "" : ", " + refusal.where);
            return refusal;
        }
        run::Run& run = **created;
        Progress progress(spec);
        while (run.t() < prepared->end && run.step(prepared->end))
            progress.show(run.t(), prepared->end);
        finished.push_back({std::move(*created), prepared->settings, prepared->start});
    }
    return finished;
}

/// What the LaTeX of a caption includes: the first file that LaTeX can include, as seen from the caption, without its ending,
/// so that pdflatex takes the .pdf.
QString graphicFor(const QString& caption, const std::vector<std::string>& files)
{
    const auto known = std::ranges::find_if(files, [](const std::string& path) { return !endsWith(path, ".svg"); });
    if (files.empty())
        return {};
    const QFileInfo file(QString::fromStdU16String(pathToText(known == files.end() ? files.front() : *known)));
    QString folder = QDir::cleanPath(QFileInfo(caption).absoluteDir().relativeFilePath(file.absolutePath()));
    const QString base = file.completeBaseName();
    return (folder == QLatin1String(".") || folder.isEmpty() ? QString() : folder + '/')
           + (base.contains('.') ? file.fileName() : base); // LaTeX takes what is behind a dot for the ending
}

Result<ordered_json> writeAll(const FigureOptions& options, const std::vector<FinishedRun>& runs, const ordered_json& reports)
{
    ordered_json files = ordered_json::array();
    const auto figure = compose(options, runs);
    if (!figure)
        return figure.error();
    for (const auto& path : options.out) {
        if (const auto written = figures::writeFigure(*figure, QString::fromStdU16String(pathToText(path))); !written)
            return written.error();
        files.push_back(path);
    }
    for (const auto& path : options.captions) {
        const QString caption = QString::fromStdU16String(pathToText(path));
        if (const auto written = figures::writeCaption(*figure, caption, graphicFor(caption, options.out)); !written)
            return written.error();
        files.push_back(path);
    }
    for (const auto& path : options.tables) {
        const std::string text = endsWith(path, ".md") ? markdownTable(reports) : csvTable(reports);
        if (const auto written = writeWholeFile(path, text); !written)
            return written.error();
        files.push_back(path);
    }
    return files;
}

int makeFigure(const FigureOptions& options)
{
    if (options.out.empty() && options.tables.empty())
        return complain({.what = "figure needs a file to write", .remedy = "--out figure.svg or --table table.md"});
    if (const auto allowed = checkFiles(options); !allowed)
        return complain(allowed.error());
    if (const auto style = figureStyle(options.look); !style)
        return complain(style.error());
    const auto system = openSystem(options.shared.model);
    if (!system)
        return complain(system.error());
    const auto runs = runAll(options, *system);
    if (!runs)
        return complain(runs.error());
    int exitCode = kExitDone;
    ordered_json reports = ordered_json::array();
    for (const FinishedRun& finished : *runs) {
        ordered_json report = reportOf(*finished.run, 0);
        report["settings"] = ui::legendText(finished.settings, finished.run->acceptedSteps()).toStdString();
        reports.push_back(std::move(report));
        exitCode = std::max(exitCode, verdict(*finished.run));
    }
    // Fonts need an application object, no display.
    ::setenv("QT_QPA_PLATFORM", "offscreen", 0);
    int argc = 1;
    char name[] = "driftless";
    char* argv[] = {name, nullptr};
    QGuiApplication application(argc, argv);
    if (const auto settled = figures::settleQt(); !settled)
        return complain(settled.error());
    const auto files = writeAll(options, *runs, reports);
    if (!files)
        return complain(files.error());
    const bool printed = printJson({{"model", (*system)->model().name}, {"files", *files}, {"runs", reports}});
    return printed ? exitCode : kExitBadInput;
}

} // namespace

void addFigureCommand(CLI::App& root, int& exitCode)
{
    auto options = std::make_shared<FigureOptions>();
    auto* command = root.add_subcommand(kFigure.name, kFigure.does);
    addModelArgument(*command, options->shared.model);
    command
        ->add_option("--run", options->runs,
                     "FORMULATION:INTEGRATOR[:KEY=VALUE]..., where KEY is " + text::alternatives(run::settingsOfOneText())
                         + "; repeatable")
        ->required()
        ->allow_extra_args(false)
        ->type_name("SPEC");
    command->add_option("--out", options->out, "Figure to write: .png, .svg or .pdf; repeatable")
        ->allow_extra_args(false)
        ->type_name("FILE");
    command->add_option("--table", options->tables, "Table to write: .md or .csv; repeatable")
        ->allow_extra_args(false)
        ->type_name("FILE");
    addNumberOption(*command, "--end", options->shared.end, "End of the runs [s]");
    command->add_option("--set", options->shared.set, "NAME=VALUE: a parameter or an initial value")->allow_extra_args(false);
    command->add_flag("--allow-inconsistent", options->shared.allowInconsistent, "Take all initial values as they stand");
    command
        ->add_option("--caption", options->captions,
                     "Caption to write: .txt, or .tex with a LaTeX figure environment; repeatable")
        ->allow_extra_args(false)
        ->type_name("FILE");
    addNumberOption(*command, "--from", options->from, "Start of the time that is drawn [s]");
    addNumberOption(*command, "--to", options->to, "End of the time that is drawn [s]");
    addFigureLook(*command, options->look);
    command->callback([options, &exitCode] { exitCode = makeFigure(*options); });
}

} // namespace driftless::app
