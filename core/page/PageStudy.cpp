// A study as a page: its tables and claims, and those of its runs that can be played.
#include <nlohmann/json.hpp>

#include <algorithm>
#include <atomic>
#include <set>

#include "core/page/Page.h"
#include "core/study/Execute.h"
#include "core/study/Report.h"

namespace driftless::page {

namespace {

using nlohmann::ordered_json;

/// A study's run as a recording, which knows its states between the rows that were kept.
PageRun pageRunOf(const std::string& name, std::size_t index, const study::RunData& data,
                  const std::shared_ptr<const study::Executor>& executor)
{
    std::shared_ptr<const model::CompiledSystem> system(executor, &executor->system(index));
    const bool measured = !executor->study().runs[index].data.empty(); // some columns alone: curves, and no body in the scene
    const bool apart = !measured && !system->system().plainRates();
    const int n = measured ? 0 : system->n(), w = measured ? 0 : system->w();
    run::Recording recording(n, w, data.columns, run::Recording::kDefaultBudgetBytes, apart);
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
            .parameters = {{0, std::move(parameters)}},
            .moves = !measured,
            .measured = measured};
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

Result<std::vector<study::RunData>> runAll(const study::Study& study, const study::Executor& executor, const Told& told)
{
    const std::atomic<bool> cancel{false};
    std::vector<study::RunData> data;
    for (std::size_t i = 0; i < study.runs.size(); ++i) {
        const std::string what = study.id + ", run " + std::to_string(i + 1) + " of " + std::to_string(study.runs.size());
        auto finished = executor.run(i, cancel, [&](double share) { told(what, share); });
        if (!finished)
            return finished.error();
        data.push_back(std::move(*finished));
    }
    return data;
}

} // namespace

ordered_json failedClaimJson(const study::ClaimResult& claim)
{
    return {{"text", claim.text},
            {"run", claim.run},
            {"measured", claim.measured},
            {"relation", claim.relation},
            {"why", claim.why}};
}

Result<Page> pageOfStudy(const std::string& pathOrId, const Told& told)
{
    const auto study = study::openStudy(pathOrId);
    if (!study)
        return study.error();
    auto made = study::Executor::create(*study, "page");
    if (!made)
        return made.error();
    const std::shared_ptr<const study::Executor> executor = std::move(*made);
    const auto data = runAll(*study, *executor, told);
    if (!data)
        return data.error();
    study::Finished finished{&*study, {}};
    for (const study::RunData& run : *data)
        finished.runs.push_back(&run);
    const auto claims = study::judge(finished);
    std::vector<PageRun> runs;
    std::vector<std::string> taken;
    for (const std::size_t i : playable(*study, *data)) {
        const study::PlannedRun& run = study->runs[i];
        runs.push_back(pageRunOf(uniqueName(run.label.empty() ? run.name : run.label, taken), i, (*data)[i], executor));
    }
    Page page;
    page.data() = {{"kind", "study"}, {"title", study->title}, {"text", study->summary}, {"source", study->source}};
    page.report()["study"] = study->id;
    page.data()["tables"] = tablesJson(study::tabulate(finished));
    page.data()["claims"] = claimsJson(claims);
    page.data()["runs_left_out"] = study->runs.size() - runs.size();
    if (auto added = addRuns(runs, page); !added)
        return added.error();
    // Runs of a study may be meant to fail; its claims say so.
    page.sound = std::all_of(claims.begin(), claims.end(), [](const auto& claim) { return claim.holds; });
    page.report()["failed_claims"] = ordered_json::array();
    for (const study::ClaimResult& claim : claims)
        if (!claim.holds)
            page.report()["failed_claims"].push_back(failedClaimJson(claim));
    return page;
}

} // namespace driftless::page
