#include "core/page/Page.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

#include "core/run/Laboratory.h"
#include "core/study/MeasuredData.h"
#include "core/study/SessionStudy.h"
#include "core/system/ShippedModels.h"
#include "core/text/Budget.h"
#include "core/text/Escapes.h"
#include "core/text/RegularFile.h"

namespace driftless::page {

namespace {

using nlohmann::ordered_json;

/// Of the files in resources/web.
constexpr std::size_t kPartBytes = 1 << 20;

ordered_json describeModel(const model::Model& model)
{
    return {{"kind", "runs"},
            {"title", model.title.empty() ? model.name : model.title},
            {"text", model.description},
            {"source", model.source}};
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

} // namespace

Page::Page() : data_(std::make_unique<ordered_json>()), report_(std::make_unique<ordered_json>()) {}
Page::~Page() = default;
Page::Page(Page&&) noexcept = default;
Page& Page::operator=(Page&&) noexcept = default;

std::string nameOf(const run::RunSettings& settings) { return settings.formulation + " · " + settings.integrator; }

std::string uniqueName(const std::string& name, std::vector<std::string>& taken)
{
    std::string out = name;
    for (int k = 2; std::ranges::find(taken, out) != taken.end(); ++k)
        out = name + " (" + std::to_string(k) + ")";
    taken.push_back(out);
    return out;
}

Result<void> addRuns(const std::vector<PageRun>& runs, Page& page)
{
    auto json = runsJson(runs);
    if (!json)
        return json.error();
    page.data().update(*json);
    page.report()["runs"] = ordered_json::array();
    for (const PageRun& run : runs) {
        page.report()["runs"].push_back({{"name", run.name}, {"status", run.report.status}, {"t", run.report.t}});
        page.sound = page.sound && run.report.status != "failed";
    }
    return {};
}

Result<Page> pageOfRuns(const std::vector<PageRun>& runs, const model::Model& model)
{
    Page page;
    page.data() = describeModel(model);
    page.report()["model"] = model.name;
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
    std::vector<std::string> taken;
    for (std::size_t i = 0; i < std::min(session->runs.size(), kMostRuns); ++i) {
        const run::Run& run = *session->runs[i];
        runs.push_back(pageRunOf(run, session->system, uniqueName(nameOf(run.status().settings), taken)));
    }
    for (const study::DataFile& file : study::measuredInSession(*bytes)) // what cannot be read is none, as in the window
        if (const auto data = study::readMeasuredData(file.text, file.name, session->system->system());
            data && runs.size() < kMostRuns)
            runs.push_back(pageRunOfData(uniqueName(file.name, taken), study::recordingOf(*data)->view(), session->system));
    Page page;
    page.data() = describeModel(session->system->model());
    page.report()["session"] = path;
    if (auto added = addRuns(runs, page); !added)
        return added.error();
    return page;
}

/// In a script element "<" of the data is written as an escape of JSON, so that no text ends it.
Result<std::string> textOf(const Page& page, const std::string& version)
{
    ordered_json all = page.data();
    all["version"] = version;
    std::string data = all.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
    for (auto at = data.find('<'); at != std::string::npos; at = data.find('<', at))
        data.replace(at, 1, "\\u003c");
    auto out = part("page.html");
    if (!out)
        return out.error();
    static constexpr std::array<std::pair<const char*, const char*>, 6> kParts{{{"/*STYLE*/", "page.css"},
                                                                                {"/*SCENE*/", "scene.js"},
                                                                                {"/*PLOTS*/", "plots.js"},
                                                                                {"/*WORDS*/", "words.js"},
                                                                                {"/*LESSON*/", "lesson.js"},
                                                                                {"/*PAGE*/", "page.js"}}};
    for (const auto& [mark, file] : kParts) {
        const auto text = part(file);
        if (!text)
            return text.error();
        replaceMark(*out, mark, *text);
    }
    replaceMark(*out, "<!--TITLE-->", text::html(page.data()["title"].get<std::string>()));
    replaceMark(*out, "/*DATA*/", data);
    if (out->size() > kMostBytes)
        return Diagnostic{.what = "The page would be too large",
                          .why = std::to_string(out->size()) + " bytes, and at most " + std::to_string(kMostBytes)
                                 + " open at once",
                          .remedy = "fewer runs, or a shorter time (--end)"};
    return out;
}

} // namespace driftless::page
