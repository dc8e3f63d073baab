// driftless page: one file for a browser, with everything in it (core/page).
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>

#include "app/Commands.h"
#include "app/Output.h"
#include "app/Progress.h"
#include "app/RunOptions.h"
#include "core/lesson/Lesson.h"
#include "core/page/Page.h"
#include "core/reduction/Reduced.h"
#include "core/run/Run.h"
#include "core/run/SetTexts.h"
#include "core/study/Study.h"
#include "core/system/ShippedModels.h"
#include "core/system/StableName.h"
#include "core/text/Budget.h"
#include "core/text/RegularFile.h"
#include "core/text/WholeFile.h"

namespace driftless::app {

namespace {

using page::Page;

struct PageOptions {
    RunOptions run;
    std::vector<std::string> runs;
    std::string out;
};

enum class Subject { Model, Session, Study, Lesson };

bool hasRunTables(const std::string& text)
{
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
        if (const auto first = line.find_first_not_of(" \t");
            first != std::string::npos && line.compare(first, 7, "[[run]]") == 0)
            return true;
    return false;
}

/// A name of a shipped model is one even where a lesson or a study is called the same: model/NAME, lesson/NAME and study/NAME
/// say which is meant, and are given back without that word.
Subject subjectOf(std::string& what)
{
    if (what.ends_with(".driftless"))
        return Subject::Session;
    const auto text = readRegularFile(what, budget::kSessionBytes);
    if (text && lesson::isLesson(what))
        return Subject::Lesson;
    if (text)
        return hasRunTables(*text) ? Subject::Study : Subject::Model;
    if (const auto named = model::readStableName(what); named && named->step == 0) {
        what = named->id;
        switch (named->kind) {
        case model::StableName::Kind::Model:
            return Subject::Model;
        case model::StableName::Kind::Study:
            return Subject::Study;
        case model::StableName::Kind::Lesson:
            return Subject::Lesson;
        }
    }
    const auto has = [&](const auto& shipped) {
        return std::any_of(shipped.begin(), shipped.end(), [&](const auto& entry) { return entry.id == what; });
    };
    if (has(model::shippedModels()) || has(reduction::shippedEquations()))
        return Subject::Model;
    if (has(study::shippedStudies()))
        return Subject::Study;
    return has(lesson::shippedLessons()) || what.starts_with("try-") ? Subject::Lesson : Subject::Model;
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
    std::vector<page::PageRun> runs;
    std::vector<std::string> taken;
    for (const RunOptions& request : asked) {
        const auto prepared = prepareRun(*system, request);
        if (!prepared)
            return prepared.error();
        const auto created = run::Run::create(prepared->system, prepared->start, prepared->settings);
        if (!created)
            return created.error();
        run::Run& run = **created;
        Progress progress(page::nameOf(prepared->settings));
        while (run.t() < prepared->end && run.step(prepared->end))
            progress.show(run.t(), prepared->end);
        if (!run.failed())
            run.advanceTo(prepared->end);
        runs.push_back(page::pageRunOf(run, prepared->system, page::uniqueName(page::nameOf(prepared->settings), taken)));
        for (const std::string& text : run::startTexts(prepared->system->system(), prepared->start))
            runs.back().set.push_back(text);
        const auto asInFile = run::structureTexts((*system)->model());
        for (const std::string& number : run::structureTexts(prepared->system->model()))
            if (std::ranges::find(asInFile, number) == asInFile.end())
                runs.back().set.push_back(number);
    }
    return page::pageOfRuns(runs, (*system)->model());
}

bool asksForRuns(const PageOptions& options)
{
    return !options.runs.empty() || options.run.formulation || options.run.integrator || options.run.step || options.run.end
           || options.run.relativeTolerance || options.run.absoluteTolerance || !options.run.set.empty();
}

/// A bar for each run.
class Bars {
public:
    void operator()(const std::string& what, double share)
    {
        if (what != what_) {
            bar_.reset();
            bar_.emplace(what);
            what_ = what;
        }
        bar_->show(share, 1);
    }

private:
    std::optional<Progress> bar_;
    std::string what_;
};

Result<Page> pageOf(PageOptions options)
{
    std::string& what = options.run.model;
    const std::string given = what;
    const Subject subject = subjectOf(what);
    if (subject != Subject::Model && asksForRuns(options))
        return Diagnostic{.what = "Runs cannot be given beside a session, a study or a lesson",
                          .where = given,
                          .why = "it says itself which runs there are",
                          .remedy = "driftless page " + given + " --out FILE.html"};
    if (options.runs.size() > page::kMostRuns)
        return Diagnostic{.what = "A page tells eight runs apart", .where = "--run", .remedy = "fewer runs"};
    Bars bars;
    const page::Told told = [&bars](const std::string& run, double share) { bars(run, share); };
    switch (subject) {
    case Subject::Session:
        return page::pageOfSession(what);
    case Subject::Study:
        return page::pageOfStudy(what, told);
    case Subject::Lesson: {
        const auto lesson = lesson::openLesson(what);
        return lesson ? page::pageOfLesson(*lesson, told) : lesson.error();
    }
    case Subject::Model:
        break;
    }
    return pageOfModel(options);
}

int execute(const PageOptions& options)
{
    if (!options.out.ends_with(".html"))
        return complain({.what = "A page is an HTML file", .where = options.out, .remedy = "a name that ends in .html"});
    if (const auto allowed = checkOutput(options.out, {options.run.model}); !allowed)
        return complain(allowed.error());
    auto page = pageOf(options);
    if (!page)
        return complain(page.error());
    const auto text = page::textOf(*page, DRIFTLESS_VERSION);
    if (!text)
        return complain(text.error());
    if (const auto written = writeWholeFile(options.out, *text); !written)
        return complain(written.error());
    page->report()["file"] = options.out;
    page->report()["bytes"] = text->size();
    if (const auto failed = page->report().find("failed_claims"); failed != page->report().end())
        for (const auto& claim : *failed)
            std::cerr << "driftless: a claim does not hold: " << printable(claim["text"].get<std::string>()) << '\n';
    if (!printJson(page->report()))
        return kExitBadInput;
    return page->sound ? kExitDone : kExitNumericalFailure;
}

} // namespace

void addPageCommand(CLI::App& root, int& exitCode)
{
    auto options = std::make_shared<PageOptions>();
    auto* command = root.add_subcommand(
        "page", "One self-contained page for a browser: scene, plots, equations, events; a lesson's questions");
    command
        ->add_option(
            "WHAT", options->run.model,
            "A model, a session saved by the window, a study or a lesson: a path, or the name of a shipped one (lesson/NAME "
            "where a model has the same name)")
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
