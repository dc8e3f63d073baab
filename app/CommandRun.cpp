// driftless run: one run, or the repetition of a recorded session, as JSON.
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>

#include "app/Commands.h"
#include "app/Output.h"
#include "app/Progress.h"
#include "app/RunOptions.h"
#include "app/RunReport.h"
#include "core/base/DiagnosticJson.h"
#include "core/integrate/Integrator.h"
#include "core/reduction/Reduced.h"
#include "core/run/Laboratory.h"
#include "core/run/Run.h"
#include "core/run/RunJson.h"
#include "core/text/Budget.h"
#include "core/text/RegularFile.h"
#include "core/text/WholeFile.h"

namespace driftless::app {

namespace {

using nlohmann::ordered_json;

struct RunCommand {
    RunOptions run;
    int samples = 0;
    std::string csv, replay;
    int memory = static_cast<int>(run::Recording::kDefaultBudgetBytes >> 20); ///< [MiB] of the recording
};

/// All rows of a run, on disk as they come: what is recorded may be thinned beyond its memory, what is written is whole.
class Table {
public:
    explicit Table(WholeFile file) : file_(std::move(file)) {}

    /// Fails as soon as the disk refuses, so that no run goes on for a table that nobody gets.
    Result<void> follow(const run::RecordingView& view)
    {
        if (written_ == 0)
            run::writeCsvHead(out_, view);
        // The newest rows are never thinned.
        run::writeCsvRows(out_, view, view.rowCount() - std::min(view.rowCount(), view.stepCount() - written_),
                          view.rowCount());
        written_ = view.stepCount();
        auto done = file_.write(out_.view());
        out_.str({});
        return done;
    }
    Result<void> finish() { return file_.commit(); }

private:
    WholeFile file_;
    std::ostringstream out_; ///< the rows of one step
    std::uint64_t written_ = 0;
};

int refuse(const PreparedRun& prepared, const Diagnostic& reason)
{
    printJson(ordered_json::parse(run::refusalJson(prepared.system->model().name, prepared.settings, reason)));
    return complain(reason);
}

/// Of a session: everything is there before anything is written.
int finish(const run::Run& first, const ordered_json& report, const std::string& csv, int exitCode)
{
    if (!csv.empty()) {
        std::ostringstream table;
        const run::RecordingView steps = first.recording();
        run::writeCsv(table, steps, steps.firstTime(), steps.lastTime());
        if (const auto written = writeWholeFile(csv, table.view()); !written)
            exitCode = complain(written.error());
    }
    return printJson(report) ? exitCode : kExitBadInput;
}

/// Equations that can be read but not reduced are refused like a model that a form cannot carry.
void refuseEquations(const RunOptions& asked, const Diagnostic& reason)
{
    if (!model::namesEquationModel(asked.model))
        return;
    const auto text = model::openEquationModel(asked.model);
    if (!text || reduction::reduce((*text)->system, run::numbersOf(asked.set)))
        return;
    printJson(ordered_json::parse(run::refusalJson((*text)->name, run::settingsOf({}, asked), reason)));
}

/// To the end, or to where the table can no longer be written, which is the error.
Result<void> integrate(run::Run& run, const PreparedRun& prepared, Table* table)
{
    Progress progress(prepared.system->model().name);
    const auto follow = [&] { return table ? table->follow(run.recording()) : Result<void>{}; };
    auto written = follow();
    while (written && run.t() < prepared.end && run.step(prepared.end)) {
        progress.show(run.t(), prepared.end);
        written = follow();
    }
    if (!written)
        return written;
    // Marks the run as completed, also when it had no step to make.
    if (!run.failed())
        run.advanceTo(prepared.end);
    written = follow();
    return written && table ? table->finish() : written;
}

/// As it is asked for. The pair that a model has for the command may be refused where numbers are set that its author did not
/// foresee. Then the file's own pair counts, and a note says so.
Result<std::unique_ptr<run::Run>> created(const RunCommand& command, PreparedRun& prepared)
{
    const auto create = [&] {
        return run::Run::create(prepared.system, prepared.start, prepared.settings,
                                static_cast<std::uint64_t>(command.memory) << 20);
    };
    auto first = create();
    const model::RunDefaults& file = prepared.system->model().run;
    const run::RunSettings& taken = prepared.settings;
    if (first || !run::takesCommandPair(file, command.run)
        || (taken.formulation == file.formulation && taken.integrator == file.integrator))
        return first;
    RunOptions usual = command.run;
    usual.byCommand = false;
    auto again = prepareRun(usual);
    if (!again)
        return first;
    const std::string refused = taken.formulation + " with " + taken.integrator + " is refused (" + first.error().what + ')';
    prepared = std::move(*again);
    auto second = create();
    if (second)
        std::cerr << "driftless: note: " << printable(refused) << "; the run takes " << prepared.settings.formulation
                  << " with " << prepared.settings.integrator << '\n';
    return second;
}

/// Paths of the tables that a model reads beside its file.
std::vector<std::string> tablesOf(const model::Model& model)
{
    std::vector<std::string> out;
    for (const model::InputFile& file : model.system.inputFiles)
        out.push_back((std::filesystem::path(model.path).parent_path() / file.name).string());
    return out;
}

/// The same run again, asked for samples of the time that it came to: the times were set for the end that was asked for, and a
/// run that ends earlier has passed those of its own without a look. Null where that is not needed, or is another run.
std::unique_ptr<run::Run> repeatedForSamples(const RunCommand& command, const PreparedRun& prepared, const run::Run& first)
{
    if (command.samples < 2 || first.t() >= prepared.end)
        return {};
    auto again =
        run::Run::create(prepared.system, prepared.start, prepared.settings, static_cast<std::uint64_t>(command.memory) << 20);
    if (!again)
        return {};
    (*again)->sampleAt(run::sampleTimes((*again)->t(), first.t(), command.samples));
    (void)integrate(**again, prepared, nullptr);
    return (*again)->t() == first.t() ? std::move(*again) : nullptr;
}

int runModel(const RunCommand& command)
{
    auto prepared = prepareRun(command.run);
    if (!prepared) {
        refuseEquations(command.run, prepared.error());
        return complain(prepared.error());
    }
    auto made = created(command, *prepared);
    noteUnused(command.run, *prepared);
    if (!made)
        return refuse(*prepared, made.error());
    run::Run& run = **made;
    run.sampleAt(run::sampleTimes(run.t(), prepared->end, command.samples));
    std::optional<Table> table;
    if (!command.csv.empty()) {
        if (const auto allowed = checkOutput(command.csv, tablesOf(prepared->system->model())); !allowed)
            return complain(allowed.error());
        auto file = WholeFile::create(command.csv);
        if (!file)
            return complain(file.error());
        table.emplace(std::move(*file));
    }
    const Result<void> written = integrate(run, *prepared, table ? &*table : nullptr);
    const bool stopped = !run.failed() && run.t() < prepared->end;
    const auto again = stopped ? nullptr : repeatedForSamples(command, *prepared, run);
    ordered_json report = reportOf(again ? *again : run, command.samples);
    if (stopped) {
        report["status"] = "stopped";
        report["diagnostic"] = ordered_json::parse(diagnosticJson(written.error()));
    }
    // What was computed is told, whatever became of the table.
    const bool printed = printJson(report);
    if (!written)
        return complain(written.error());
    return printed ? verdict(run) : kExitBadInput;
}

/// MODEL beside a session is a promise about what the session contains.
Result<void> checkSessionModel(const std::string& model, const run::ReplayedSession& session)
{
    if (model.empty())
        return {};
    const auto opened = reduction::openModel(model);
    if (!opened)
        return opened.error();
    if ((*opened)->name != session.system->model().name)
        return Diagnostic{.what = "The session is of another model",
                          .where = session.system->model().name,
                          .why = "it was asked for with " + (*opened)->name,
                          .remedy = "driftless run " + session.system->model().name + " --replay FILE"};
    if ((*opened)->text != session.system->model().text)
        std::cerr << "driftless: note: the session carries its own version of the model, which is what is repeated\n";
    return {};
}

int replaySession(const RunCommand& command)
{
    const auto bytes = readRegularFile(command.replay, budget::kSessionBytes);
    if (!bytes)
        return complain(bytes.error());
    const auto session = run::replaySession(*bytes, command.replay);
    if (!session)
        return complain(session.error());
    if (const auto matches = checkSessionModel(command.run.model, *session); !matches)
        return complain(matches.error());
    if (session->runs.empty())
        return complain({.what = "The session has no runs left at its end", .where = command.replay});
    ordered_json all = ordered_json::array();
    int exitCode = kExitDone;
    for (const auto& run : session->runs) {
        all.push_back(reportOf(*run, command.samples));
        exitCode = std::max(exitCode, verdict(*run));
    }
    ordered_json report = all.front();
    report["runs"] = std::move(all);
    return finish(*session->runs.front(), report, command.csv, exitCode);
}

/// What a session fixes itself cannot be asked for beside it.
bool asksForSettings(const RunOptions& run)
{
    return run.formulation || run.integrator || run.step || run.relativeTolerance || run.absoluteTolerance
           || run.multiplierTolerance || run.maxStep || !run.tolerances.empty() || run.end || run.pivot || run.allowInconsistent
           || !run.set.empty();
}

int execute(const RunCommand& command)
{
    if (!command.csv.empty())
        if (const auto allowed = checkOutput(command.csv, {command.run.model, command.replay}); !allowed)
            return complain(allowed.error());
    if (command.replay.empty()) {
        if (command.run.model.empty())
            return complain({.what = "run needs a model", .remedy = "driftless run pendulum"});
        return runModel(command);
    }
    if (asksForSettings(command.run))
        return complain({.what = "--replay repeats a session as it was recorded",
                         .why = "settings of a run cannot be given beside it",
                         .remedy = "--samples and --csv only"});
    return replaySession(command);
}

} // namespace

void addRunCommand(CLI::App& root, int& exitCode)
{
    auto options = std::make_shared<RunCommand>();
    options->run.byCommand = true;
    auto* command = root.add_subcommand("run", "One run of a model, reported as JSON");
    addModelArgument(*command, options->run.model, false);
    addRunOptions(*command, options->run);
    command->add_option("--samples", options->samples, "Add the state at N equally spaced times")
        ->check(CLI::Range(0, budget::kSamples));
    command->add_option("--csv", options->csv, "Write every accepted step to FILE")->type_name("FILE");
    command
        ->add_option("--memory", options->memory,
                     "Memory of the recording [MiB]; beyond it, older steps are thinned, but not in the file of --csv")
        ->check(CLI::Range(16, 1 << 20));
    command->add_option("--replay", options->replay, "Repeat a session saved by the window")->type_name("FILE");
    command->callback([options, &exitCode] { exitCode = execute(*options); });
}

} // namespace driftless::app
