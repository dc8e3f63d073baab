// One file for a browser, with everything in it: scene, plots, equations and events of runs; of a study its tables and claims,
// of a lesson its texts and questions. Nothing is fetched when it is looked at (resources/web).
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/base/Result.h"
#include "core/lesson/Lesson.h"
#include "core/page/PageRun.h"
#include "core/study/Report.h"
#include "core/system/Model.h"

namespace driftless::page {

/// Colours that a page and its readers can tell apart.
inline constexpr std::size_t kMostRuns = 8;
/// A page that is larger is refused: it would not open at once on a telephone.
inline constexpr std::size_t kMostBytes = 3'000'000;

/// Told what is being computed and which share of it is done, 0 to 1.
using Told = std::function<void(const std::string& what, double share)>;

/// What a page is made of.
class Page {
public:
    Page();
    ~Page();
    Page(Page&&) noexcept;
    Page& operator=(Page&&) noexcept;

    nlohmann::ordered_json& data() { return *data_; } ///< as its script reads it
    const nlohmann::ordered_json& data() const { return *data_; }
    nlohmann::ordered_json& report() { return *report_; } ///< what the command prints of it
    bool sound = true;                                    ///< no run failed; of a study or a lesson: every claim holds

private:
    std::unique_ptr<nlohmann::ordered_json> data_, report_;
};

/// Runs of one model that are finished, or as far as they are.
Result<Page> pageOfRuns(const std::vector<PageRun>& runs, const model::Model& model);
/// Repeats a session that the window saved, and shows the runs that are left at its end.
Result<Page> pageOfSession(const std::string& path);
/// Runs a study. Of its runs the first ones of each family can be played; tables and claims are about all.
Result<Page> pageOfStudy(const std::string& pathOrId, const Told& told);
/// Runs the benches of a lesson's steps, as they play before anybody changes them.
Result<Page> pageOfLesson(const lesson::Lesson& lesson, const Told& told);

/// The whole file; version is the program's. Refused where it would be larger than kMostBytes.
Result<std::string> textOf(const Page& page, const std::string& version);

/// A claim that does not hold, as the report lists it.
nlohmann::ordered_json failedClaimJson(const study::ClaimResult& claim);

/// "index-1 · rk4"
std::string nameOf(const run::RunSettings& settings);
/// The name, with a number where another run of the page has it already.
std::string uniqueName(const std::string& name, std::vector<std::string>& taken);
/// Adds the runs to the page's data and what they came to to its report.
Result<void> addRuns(const std::vector<PageRun>& runs, Page& page);

} // namespace driftless::page
