// driftless page: one file for a browser, with everything in it: scene, plots, equations, events; of a study its tables and
// claims.
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <iostream>
#include <memory>
#include <set>
#include <sstream>

#include "app/Commands.h"
#include "app/Output.h"
#include "app/PageRun.h"
#include "app/Progress.h"
#include "app/RunOptions.h"
#include "core/run/Laboratory.h"
#include "core/run/Run.h"
#include "core/study/Execute.h"
#include "core/study/Report.h"
#include "core/system/ShippedModels.h"
#include "core/text/Budget.h"
#include "core/text/Escapes.h"
#include "core/text/RegularFile.h"
#include "core/text/WholeFile.h"

namespace driftless::app {

namespace {

using nlohmann::ordered_json;

/// Colours that a page and its readers can tell apart.
constexpr std::size_t kMostRuns = 8;
/// A page that is larger is refused: it would not open at once on a telephone.
constexpr std::size_t kMostBytes = 3'000'000;
/// Of the files in resources/web.
constexpr std::size_t kPartBytes = 1 << 20;

struct PageOptions {
    RunOptions run;
    std::vector<std::string> runs;
    std::string out;
};

/// What a page is made of; data as its script reads it.
struct Page {
    std::string title;
    ordered_json data;
    ordered_json report; ///< what the command prints
    int exitCode = kExitDone;
};

bool hasRunTables(const std::string& text)
{
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
        if (const auto first = line.find_first_not_of(" \t");
            first != std::string::npos && line.compare(first, 7, "[[run]]") == 0)
            return true;
    return false;
}

/// A name of a shipped model is one even where a study is called the same.
bool namesStudy(const std::string& what)
{
    if (const auto text = readRegularFile(what, budget::kSessionBytes))
        return hasRunTables(*text);
    const auto models = model::shippedModels();
    if (std::any_of(models.begin(), models.end(), [&](const auto& m) { return m.id == what; }))
        return false;
    const auto studies = study::shippedStudies();
    return std::any_of(studies.begin(), studies.end(), [&](const auto& s) { return s.id == what; });
}

/// "index-1 · rk4", and with a number where several runs are called so.
std::string uniqueName(const std::string& name, std::set<std::string>& taken)
{
    std::string out = name;
    for (int k = 2; !taken.insert(out).second; ++k)
        out = name + " (" + std::to_string(k) + ")";
    return out;
}

ordered_json describeModel(const model::Model& model)
{
    return {{"kind", "runs"},
            {"title", model.title.empty() ? model.name : model.title},
            {"text", model.description},
            {"source", model.source}};
}

std::string nameOf(const run::RunSettings& settings) { return settings.formulation + " · " + settings.integrator; }

Result<void> addRuns(const std::vector<PageRun>& runs, Page& page)
{
    auto json = runsJson(runs);
    if (!json)
        return json.error();
    page.data.update(*json);
    page.report["runs"] = ordered_json::array();
    for (const PageRun& run : runs) {
        page.report["runs"].push_back({{"name", run.name}, {"status", run.report.status}, {"t", run.report.t}});
        if (run.report.status == "failed")
            page.exitCode = kExitNumericalFailure;
    }
    return {};
}

/// --run names formulation, integrator and tolerances itself: what else was said of them would be lost.
Result<void> refuseMethodBesideRuns(const PageOptions& options)
{
    if (options.runs.empty())
        return {};
    const std::pair<const char*, bool> said[] = {
        {"--formulation", options.run.formulation.has_value()},
        {"--integrator", options.run.integrator.has_value()},
        {"--rtol", options.run.relativeTolerance.has_value()},
        {"--atol", options.run.absoluteTolerance.has_value()},
    };
    for (const auto& [option, given] : said)
        if (given)
            return Diagnostic{
                .what = std::string(option)
                        + " has no effect beside --run, which has a formulation, an integrator and tolerances of its own",
                .where = "page",
                .remedy = "put it into each --run FORMULATION:INTEGRATOR[:KEY=VALUE]..., or leave --run out"};
    return {};
}

Result<Page> pageOfModel(const PageOptions& options)
{
    const auto system = openSystem(options.run.model);
    if (!system)
        return system.error();
    std::vector<RunOptions> asked;
    if (auto refused = refuseMethodBesideRuns(options); !refused)
        return refused.error();
    for (const std::string& spec : options.runs) {
        auto parsed = parseRunSpec(spec, options.run);
        if (!parsed)
            return parsed.error();
        asked.push_back(std::move(*parsed));
    }
    if (asked.empty())
        asked.push_back(options.run);
    std::vector<PageRun> runs;
    std::set<std::string> taken;
    for (const RunOptions& request : asked) {
        const auto prepared = prepareRun(*system, request);
        if (!prepared)
            return prepared.error();
        const auto created = run::Run::create(prepared->system, prepared->start, prepared->settings);
        if (!created)
            return created.error();
        run::Run& run = **created;
        Progress progress(nameOf(prepared->settings));
        while (run.t() < prepared->end && run.step(prepared->end))
            progress.show(run.t(), prepared->end);
        if (!run.failed())
            run.advanceTo(prepared->end);
        runs.push_back(pageRunOf(run, prepared->system, uniqueName(nameOf(prepared->settings), taken)));
    }
    Page page{.title = {}, .data = describeModel((*system)->model()), .report = {}};
    page.report["model"] = (*system)->model().name;
    if (auto added = addRuns(runs, page); !added)
        return added.error();
    return page;
}

Result<Page> pageOfSession(const std::string& path)
{
    const auto bytes = readRegularFile(path, budget::kSessionBytes);
    if (!bytes)
        return bytes.error();
    const auto session = run::replaySession(*bytes, path);
    if (!session)
        return session.error();
    if (session->runs.empty())
        return Diagnostic{.what = "The session has no runs left at its end", .where = path};
    std::vector<PageRun> runs;
    std::set<std::string> taken;
    for (std::size_t i = 0; i < std::min(session->runs.size(), kMostRuns); ++i) {
        const run::Run& run = *session->runs[i];
        runs.push_back(pageRunOf(run, session->system, uniqueName(nameOf(run.status().settings), taken)));
    }
    Page page{.title = {}, .data = describeModel(session->system->model()), .report = {}};
    page.report["session"] = path;
    if (auto added = addRuns(runs, page); !added)
        return added.error();
    return page;
}

/// A study's run as a recording, which knows its states between the rows that were kept.
PageRun pageRunOf(const std::string& name, std::size_t index, const study::RunData& data,
                  const std::shared_ptr<const study::Executor>& executor)
{
    std::shared_ptr<const model::CompiledSystem> system(executor, &executor->system(index));
    const bool apart = !system->system().plainRates();
    run::Recording recording(system->n(), system->w(), data.columns, run::Recording::kDefaultBudgetBytes, apart);
    for (std::size_t r = 0; r < data.rowCount(); ++r)
        recording.append(data.time(r), data.row(r).subspan(1));
    std::vector<double> parameters = system->defaultParameters();
    for (std::size_t i = 0; i < parameters.size(); ++i)
        for (const auto& [parameter, value] : data.report.parameters)
            if (parameter == system->system().parameters[i].quantity.name)
                parameters[i] = value;
    return {.name = name,
            .detail = {},
            .system = std::move(system),
            .recording = recording.view(),
            .report = data.report,
            .parameters = {{0, std::move(parameters)}}};
}

ordered_json tablesJson(const std::vector<study::TableResult>& tables)
{
    ordered_json out = ordered_json::array();
    for (const study::TableResult& table : tables)
        out.push_back({{"title", table.title.empty() ? table.name : table.title},
                       {"columns", table.columns},
                       {"rows", table.rows},
                       {"shown", table.shown}});
    return out;
}

ordered_json claimsJson(const std::vector<study::ClaimResult>& claims)
{
    ordered_json out = ordered_json::array();
    for (const study::ClaimResult& claim : claims)
        out.push_back({{"text", claim.text},
                       {"run", claim.run},
                       {"measured", claim.measured},
                       {"relation", claim.relation},
                       {"holds", claim.holds},
                       {"why", claim.why}});
    return out;
}

/// Runs that can be played: those with two rows at least, the first ones of each family before others of it.
std::vector<std::size_t> playable(const study::Study& study, const std::vector<study::RunData>& data)
{
    std::vector<std::size_t> first, others;
    std::set<std::string> families;
    for (std::size_t i = 0; i < data.size(); ++i)
        if (data[i].rowCount() > 1)
            (families.insert(study.runs[i].family).second ? first : others).push_back(i);
    first.insert(first.end(), others.begin(), others.end());
    first.resize(std::min(first.size(), kMostRuns));
    std::sort(first.begin(), first.end());
    return first;
}

Result<Page> pageOfStudy(const std::string& name)
{
    const auto study = study::openStudy(name);
    if (!study)
        return study.error();
    auto made = study::Executor::create(*study, DRIFTLESS_VERSION);
    if (!made)
        return made.error();
    const std::shared_ptr<const study::Executor> executor = std::move(*made);
    const std::atomic<bool> cancel{false};
    std::vector<study::RunData> data;
    for (std::size_t i = 0; i < study->runs.size(); ++i) {
        Progress progress(study->id + ", run " + std::to_string(i + 1) + " of " + std::to_string(study->runs.size()));
        auto finished = executor->run(i, cancel, [&](double share) { progress.show(share, 1); });
        if (!finished)
            return finished.error();
        data.push_back(std::move(*finished));
    }
    study::Finished finished{&*study, {}};
    for (const study::RunData& run : data)
        finished.runs.push_back(&run);
    const auto claims = study::judge(finished);
    std::vector<PageRun> runs;
    std::set<std::string> taken;
    for (const std::size_t i : playable(*study, data)) {
        const study::PlannedRun& run = study->runs[i];
        runs.push_back(pageRunOf(uniqueName(run.label.empty() ? run.name : run.label, taken), i, data[i], executor));
    }
    Page page{.title = {},
              .data = {{"kind", "study"}, {"title", study->title}, {"text", study->summary}, {"source", study->source}},
              .report = {{"study", study->id}}};
    page.data["tables"] = tablesJson(study::tabulate(finished));
    page.data["claims"] = claimsJson(claims);
    page.data["runs_left_out"] = study->runs.size() - runs.size();
    if (auto added = addRuns(runs, page); !added)
        return added.error();
    // Runs of a study may be meant to fail; its claims say so.
    const bool holds = std::all_of(claims.begin(), claims.end(), [](const auto& claim) { return claim.holds; });
    page.exitCode = holds ? kExitDone : kExitNumericalFailure;
    return page;
}

Result<std::string> part(const std::string& name)
{
    const std::string folder = model::resourceFolder();
    return readRegularFile(folder + "/web/" + name, kPartBytes);
}

void replaceMark(std::string& page, const std::string& mark, const std::string& text)
{
    if (const auto at = page.find(mark); at != std::string::npos)
        page.replace(at, mark.size(), text);
}

/// The parts in one file. In a script element "<" of the data is written as an escape of JSON, so that no text ends it.
Result<std::string> assemble(Page page)
{
    page.data["version"] = DRIFTLESS_VERSION;
    std::string data = page.data.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
    for (auto at = data.find('<'); at != std::string::npos; at = data.find('<', at))
        data.replace(at, 1, "\\u003c");
    auto out = part("page.html");
    if (!out)
        return out.error();
    static constexpr std::array<std::pair<const char*, const char*>, 4> kParts{
        {{"/*STYLE*/", "page.css"}, {"/*SCENE*/", "scene.js"}, {"/*PLOTS*/", "plots.js"}, {"/*PAGE*/", "page.js"}}};
    for (const auto& [mark, file] : kParts) {
        const auto text = part(file);
        if (!text)
            return text.error();
        replaceMark(*out, mark, *text);
    }
    replaceMark(*out, "<!--TITLE-->", text::html(page.data["title"].get<std::string>()));
    replaceMark(*out, "/*DATA*/", data);
    if (out->size() > kMostBytes)
        return Diagnostic{.what = "The page would be too large",
                          .why = std::to_string(out->size()) + " bytes, and at most " + std::to_string(kMostBytes)
                                 + " open at once",
                          .remedy = "fewer runs, or a shorter --end"};
    return out;
}

bool asksForRuns(const PageOptions& options)
{
    return !options.runs.empty() || options.run.formulation || options.run.integrator || options.run.step || options.run.end
           || options.run.relativeTolerance || options.run.absoluteTolerance || !options.run.set.empty();
}

Result<Page> pageOf(const PageOptions& options)
{
    const std::string& what = options.run.model;
    const bool session = what.ends_with(".driftless");
    const bool study = !session && namesStudy(what);
    if ((session || study) && asksForRuns(options))
        return Diagnostic{.what = "Runs cannot be given beside a session or a study",
                          .where = what,
                          .why = "it says itself which runs there are",
                          .remedy = "driftless page " + what + " --out FILE.html"};
    if (options.runs.size() > kMostRuns)
        return Diagnostic{.what = "A page tells eight runs apart", .where = "--run", .remedy = "fewer runs"};
    if (session)
        return pageOfSession(what);
    return study ? pageOfStudy(what) : pageOfModel(options);
}

int execute(const PageOptions& options)
{
    if (!options.out.ends_with(".html"))
        return complain({.what = "A page is an HTML file", .where = options.out, .remedy = "a name that ends in .html"});
    if (const auto allowed = checkWritable(options.out); !allowed)
        return complain(allowed.error());
    auto page = pageOf(options);
    if (!page)
        return complain(page.error());
    const auto text = assemble(*page);
    if (!text)
        return complain(text.error());
    if (const auto written = writeWholeFile(options.out, *text); !written)
        return complain(written.error());
    page->report["file"] = options.out;
    page->report["bytes"] = text->size();
    return printJson(page->report) ? page->exitCode : kExitBadInput;
}

} // namespace

void addPageCommand(CLI::App& root, int& exitCode)
{
    auto options = std::make_shared<PageOptions>();
    auto* command = root.add_subcommand("page", "One self-contained page for a browser: scene, plots, equations, events");
    command
        ->add_option("WHAT", options->run.model,
                     "A model, a session saved by the window, or a study: a path, or the name of a shipped one")
        ->required();
    command->add_option("--out", options->out, "File to write, .html")->required()->type_name("FILE");
    command
        ->add_option("--run", options->runs,
                     "FORMULATION:INTEGRATOR[:KEY=VALUE]... of a model, repeatable; without it one run as the model states it")
        ->allow_extra_args(false);
    addRunOptions(*command, options->run);
    command->callback([options, &exitCode] { exitCode = execute(*options); });
}

} // namespace driftless::app
