// driftless study: a comparison from its file to tables, figures and a report; in parallel, in parts, and on from where it
// stopped.
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <thread>

#include "app/Commands.h"
#include "app/Output.h"
#include "app/StudyFigures.h"
#include "app/StudyProgress.h"
#include "core/reduction/Reduced.h"
#include "core/run/SettingKeys.h"
#include "core/study/Execute.h"
#include "core/study/Measure.h"
#include "core/study/Report.h"
#include "core/text/WholeFile.h"

namespace driftless::app {

namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

struct StudyOptions {
    std::vector<std::string> studies;
    bool all = false;
    std::string out;
    std::string shard;
    std::vector<std::string> merge;
    bool fresh = false;
    bool check = false;
    bool noFigures = false;
    std::string sheet;
    int jobs = 0;
};

std::atomic<bool> stopAsked{false};

/// The first Ctrl-C ends after what is under way; the second one ends the program.
void askToStop(int)
{
    stopAsked = true;
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
}

struct Part {
    std::size_t index = 1, count = 1;
};

Result<Part> parsePart(const std::string& text)
{
    Part out;
    if (text.empty())
        return out;
    const char* end = text.data() + text.size();
    const auto first = std::from_chars(text.data(), end, out.index);
    const bool good = first.ec == std::errc() && first.ptr != end && *first.ptr == '/'
                      && std::from_chars(first.ptr + 1, end, out.count).ptr == end && out.index >= 1 && out.index <= out.count;
    if (!good)
        return Diagnostic{
            .what = "'" + text.substr(0, 40) + "' names no part of a study", .where = "--shard", .remedy = "--shard 2/8"};
    return out;
}

Result<void> makeFolder(const fs::path& folder)
{
    std::error_code error, ignored;
    fs::create_directories(folder, error);
    if (!fs::is_directory(folder, ignored))
        return Diagnostic{
            .what = "The folder cannot be made", .where = folder.string(), .why = error.message(), .remedy = "check --out"};
    return {};
}

/// One study with its folder.
class StudyJob {
public:
    StudyJob(study::Study study, fs::path folder, const StudyOptions& options, Part part)
        : study_(std::move(study)), folder_(std::move(folder)), options_(options), part_(part)
    {
    }

    Result<void> prepare()
    {
        auto made = study::Executor::create(study_, DRIFTLESS_VERSION);
        if (!made)
            return made.error();
        executor_ = std::move(*made);
        data_.resize(study_.runs.size());
        if (auto ready = makeFolder(folder_ / "runs"); !ready)
            return ready;
        for (const study::Executor::File& file : executor_->files()) {
            if (auto ready = makeFolder((folder_ / file.path).parent_path()); !ready)
                return ready;
            if (auto written = writeWholeFile((folder_ / file.path).string(), file.text); !written)
                return written;
        }
        return writeWholeFile((folder_ / "study.toml").string(), study_.text);
    }

    /// What is there already, here or in the folders to merge, is not computed again.
    Result<void> takeFinished()
    {
        std::vector<fs::path> places{folder_ / "runs"};
        for (const std::string& other : options_.merge)
            for (const fs::path& candidate : {fs::path(other) / study_.id / "runs", fs::path(other) / "runs"})
                places.push_back(candidate);
        if (options_.fresh)
            places.erase(places.begin());
        for (std::size_t i = 0; i < study_.runs.size(); ++i)
            for (const fs::path& place : places) {
                auto loaded = study::loadRun(place.string(), study_.runs[i].name, executor_->fingerprint(i));
                if (!loaded)
                    continue;
                data_[i] = std::make_unique<study::RunData>(std::move(*loaded));
                ++taken_;
                if (place != places.front() || options_.fresh)
                    if (auto saved = study::saveRun(*data_[i], (folder_ / "runs").string()); !saved)
                        return saved;
                break;
            }
        return {};
    }

    Result<void> run(StudyProgress& progress, int threads)
    {
        std::vector<std::size_t> open;
        for (std::size_t i = 0; i < study_.runs.size(); ++i)
            if (!data_[i] && i % part_.count == part_.index - 1)
                open.push_back(i);
        if (!options_.merge.empty() && !open.empty())
            return Diagnostic{
                .what = "The study is not complete",
                .where = "run " + study_.runs[open.front()].name,
                .why = std::to_string(open.size())
                       + " of its runs are in none of the folders, or are of another version of study, model or program",
                .remedy = "run the missing parts with --shard, or without --merge to compute them now"};
        progress.begin(study_.id, open.size());
        auto done = executor_->runAll(
            open, threads, stopAsked,
            [&](std::size_t index, study::RunData data) -> Result<void> {
                if (auto saved = study::saveRun(data, (folder_ / "runs").string()); !saved)
                    return saved;
                data_[index] = std::make_unique<study::RunData>(std::move(data));
                progress.finished(index);
                return {};
            },
            [&](std::size_t index, double share) { progress.share(index, share); });
        return done;
    }

    bool complete() const
    {
        return std::all_of(data_.begin(), data_.end(), [](const auto& d) { return d != nullptr; });
    }

    /// Tables, figures, result.json and the page; the claims that fail are counted.
    Result<ordered_json> report()
    {
        study::Finished finished{&study_, {}};
        for (const auto& data : data_)
            finished.runs.push_back(data.get());
        const auto claims = study::judge(finished);
        const auto tables = study::tabulate(finished);
        std::vector<std::string> files;
        std::vector<std::pair<std::string, std::string>> figures;
        if (!options_.noFigures && !study_.figures.empty()) {
            if (auto ready = makeFolder(folder_ / "figures"); !ready)
                return ready.error();
            auto drawn = drawFigures(finished, *executor_, (folder_ / "figures").string());
            if (!drawn)
                return drawn.error();
            files = *drawn;
            for (const study::StudyFigure& figure : study_.figures)
                figures.emplace_back(figure.name, figure.caption);
        }
        if (!tables.empty())
            if (auto ready = makeFolder(folder_ / "tables"); !ready)
                return ready.error();
        for (const study::TableResult& table : tables) {
            const std::string base = (folder_ / "tables" / table.name).string();
            for (const auto& [ending, text] :
                 {std::pair{".csv", study::csvOf(table)}, std::pair{".md", study::markdownOf(table)}})
                if (auto written = writeWholeFile(base + ending, text); !written)
                    return written.error();
        }
        const auto json = study::resultJson(finished, DRIFTLESS_VERSION, claims, tables, files);
        if (auto written = writeWholeFile((folder_ / "result.json").string(),
                                          json.dump(1, ' ', false, ordered_json::error_handler_t::replace) + '\n');
            !written)
            return written.error();
        if (auto written = writeWholeFile((folder_ / "README.md").string(),
                                          study::reportPage(study_, DRIFTLESS_VERSION, claims, tables, figures));
            !written)
            return written.error();
        ordered_json failed = ordered_json::array();
        for (const study::ClaimResult& claim : claims)
            if (!claim.holds)
                failed.push_back({{"text", claim.text},
                                  {"run", claim.run},
                                  {"measured", claim.measured},
                                  {"relation", claim.relation},
                                  {"why", claim.why}});
        double seconds = 0;
        for (const auto& data : data_)
            seconds += data->wallSeconds;
        return ordered_json{{"study", study_.id},        {"folder", folder_.string()}, {"runs", study_.runs.size()},
                            {"taken_over", taken_},      {"claims", claims.size()},    {"failed_claims", std::move(failed)},
                            {"figures", figures.size()}, {"run_seconds", seconds}};
    }

    /// PNG and "study: figure" of every figure.
    void addPictures(std::vector<std::pair<std::string, std::string>>& to) const
    {
        for (const study::StudyFigure& figure : study_.figures)
            to.emplace_back((folder_ / "figures" / (figure.name + ".png")).string(), study_.id + ": " + figure.name);
    }

    ordered_json partial() const
    {
        std::size_t there = 0;
        for (const auto& data : data_)
            there += data != nullptr;
        return {{"study", study_.id}, {"folder", folder_.string()}, {"runs", study_.runs.size()}, {"finished", there}};
    }

private:
    study::Study study_;
    fs::path folder_;
    const StudyOptions& options_;
    Part part_;
    std::unique_ptr<study::Executor> executor_;
    std::vector<std::unique_ptr<study::RunData>> data_;
    std::size_t taken_ = 0;
};

Result<std::vector<study::Study>> openAll(const StudyOptions& options)
{
    std::vector<std::string> names = options.studies;
    if (options.all)
        for (const auto& shipped : study::shippedStudies())
            names.push_back(shipped.path);
    std::vector<study::Study> out;
    for (const std::string& name : names) {
        auto opened = study::openStudy(name);
        if (!opened)
            return opened.error();
        out.push_back(std::move(*opened));
    }
    return out;
}

/// Settings that no run which states them has a use for: in a family of methods some may have none.
std::vector<Diagnostic> uselessSettings(const study::Study& study, const study::Executor& executor)
{
    std::map<std::string_view, Diagnostic> useless;
    std::set<std::string_view> used;
    for (std::size_t i = 0; i < study.runs.size(); ++i) {
        const run::RunRequest& request = study.runs[i].request;
        const auto* method = integrate::findIntegrator(executor.prepared(i).settings.integrator);
        const auto unused = method ? run::unusedSettings(request, *method) : std::vector<run::UnusedSetting>{};
        for (const run::UnusedSetting& one : unused)
            useless.try_emplace(one.setting, Diagnostic{.what = one.sentence,
                                                        .where = "run " + study.runs[i].name,
                                                        .remedy = "leave it out, or choose a method that has it",
                                                        .position = study.runs[i].position});
        for (const run::SettingKey& key : run::settingKeys())
            if (run::asksFor(request, key.name)
                && std::ranges::find(unused, key.name, &run::UnusedSetting::setting) == unused.end())
                used.insert(key.name);
    }
    std::vector<Diagnostic> out;
    for (auto& [setting, finding] : useless)
        if (!used.contains(setting))
            out.push_back(std::move(finding));
    return out;
}

/// What the author of a study is to mend, without running it.
ordered_json checked(const study::Study& study)
{
    std::vector<Diagnostic> findings;
    if (const auto possible = study::Executor::create(study, DRIFTLESS_VERSION); !possible) {
        findings.push_back(possible.error());
    } else {
        findings = study::beyondTheEnd(study, [&](std::size_t run) { return (*possible)->prepared(run).end; });
        for (Diagnostic& finding : uselessSettings(study, **possible))
            findings.push_back(std::move(finding));
    }
    return {
        {"study", study.id}, {"findings", findingsJson(findings)}, {"renamed", findingsJson(study::renamedMeasures(study))}};
}

int check(const StudyOptions& options)
{
    const auto studies = openAll(options);
    if (!studies)
        return complain(studies.error());
    ordered_json answers = ordered_json::array();
    for (const study::Study& study : *studies)
        answers.push_back(checked(study));
    const bool several = studies->size() > 1 || options.all;
    const bool printed = printJson(several ? ordered_json{{"studies", answers}} : answers.front());
    return printed ? kExitDone : kExitBadInput;
}

int execute(const StudyOptions& options)
{
    if (options.studies.empty() == !options.all)
        return complain({.what = options.all ? "--all means every shipped study" : "study needs a study",
                         .remedy = "driftless study NAME --out DIR, or --all"});
    if (options.check)
        return check(options);
    if (!options.sheet.empty())
        if (const auto allowed = checkOutput(options.sheet, options.studies); !allowed)
            return complain(allowed.error());
    if (!options.merge.empty() && !options.shard.empty())
        return complain({.what = "--merge puts parts together, --shard makes one", .remedy = "one of them"});
    const auto part = parsePart(options.shard);
    if (!part)
        return complain(part.error());
    auto studies = openAll(options);
    if (!studies)
        return complain(studies.error());
    const bool several = studies->size() > 1 || options.all;
    const int threads = options.jobs > 0 ? options.jobs : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    std::signal(SIGINT, askToStop);
    std::signal(SIGTERM, askToStop);
    ordered_json answers = ordered_json::array();
    bool failed = false;
    StudyProgress progress(studies->size());
    std::vector<std::pair<std::string, std::string>> pictures;
    for (study::Study& study : *studies) {
        const fs::path folder = several ? fs::path(options.out) / study.id : fs::path(options.out);
        StudyJob job(std::move(study), folder, options, *part);
        if (auto ready = job.prepare(); !ready)
            return complain(ready.error());
        if (auto taken = job.takeFinished(); !taken)
            return complain(taken.error());
        if (auto done = job.run(progress, threads); !done) {
            progress.clear();
            complain(done.error());
            return stopAsked ? kExitNumericalFailure : kExitBadInput;
        }
        if (!job.complete()) {
            answers.push_back(job.partial());
            continue;
        }
        auto answer = job.report();
        if (!answer)
            return complain(answer.error());
        failed = failed || !(*answer)["failed_claims"].empty();
        answers.push_back(std::move(*answer));
        job.addPictures(pictures);
    }
    progress.clear();
    if (!options.sheet.empty() && !pictures.empty())
        if (const auto sheet = drawContactSheet(pictures, options.sheet); !sheet)
            return complain(sheet.error());
    if (failed)
        std::cerr << "driftless: some claims do not hold or could not be judged; failed_claims says why\n";
    const bool printed = printJson(several ? ordered_json{{"studies", answers}} : answers.front());
    if (!printed)
        return kExitBadInput;
    return failed ? kExitNumericalFailure : kExitDone;
}

} // namespace

void addStudyCommand(CLI::App& root, int& exitCode)
{
    auto options = std::make_shared<StudyOptions>();
    auto* command = root.add_subcommand("study", "A comparison from its file: tables, figures, result.json and a report");
    command->add_option("STUDY", options->studies, "Path of a study file, or the name of a shipped one; several may be named");
    command->add_flag("--all", options->all, "Every shipped study, each into its own folder");
    auto* out =
        command->add_option("--out", options->out, "Folder for everything that is made; finished runs in it are taken over")
            ->type_name("DIR");
    auto* review = command->add_flag("--check", options->check, "Only say what its author has to mend");
    command->add_option("--shard", options->shard, "Only part I of N of the runs, no tables or figures")->type_name("I/N");
    command->add_option("--merge", options->merge, "Take finished runs from these folders and put the study together")
        ->type_name("DIR");
    command->add_flag("--fresh", options->fresh, "Compute everything again");
    command->add_flag("--no-figures", options->noFigures, "Tables and result.json only");
    command->add_option("--contact-sheet", options->sheet, "All figures on pages: .pdf, or .png")->type_name("FILE");
    command->add_option("--jobs", options->jobs, "Runs at the same time; all cores by default")->check(CLI::Range(1, 1024));
    command->callback([options, out, review, &exitCode] {
        if (out->count() == 0 && review->count() == 0)
            throw CLI::RequiredError("--out or --check");
        exitCode = execute(*options);
    });
}

} // namespace driftless::app
