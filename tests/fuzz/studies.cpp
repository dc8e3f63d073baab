// Texts of studies: runs are named once, names select their runs, claims and tables name runs that are there.
#include <algorithm>
#include <set>

#include "core/study/Study.h"
#include "tests/fuzz/Fuzz.h"

using namespace driftless;
using namespace driftless::fuzz;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string text(textOf(data, size));
    study::StudyLimits limits;
    limits.maxRuns = 2'000; // a sweep of 20,000 takes a second under the sanitizers
    const auto read = study::readStudy(text, "input.toml", limits);
    if (!read) {
        check(!read.error().what.empty(), "a refusal says what is wrong", text);
        return 0;
    }
    const study::Study& s = *read;
    check(s.text == text, "a study keeps its text", text);
    check(!s.runs.empty() && s.runs.size() <= limits.maxRuns, "a study has runs, and no more than allowed", text);
    std::set<std::string> names;
    for (const auto& run : s.runs)
        check(names.insert(run.name).second, "names of runs are unique", run.name);
    for (std::size_t i = 0; i < std::min<std::size_t>(s.runs.size(), 40); ++i) {
        const auto selected = study::selectRuns(s, {s.runs[i].name});
        check(selected.ok() && std::find(selected->begin(), selected->end(), i) != selected->end(), "a name selects its run",
              s.runs[i].name);
        const auto family = study::selectRuns(s, {s.runs[i].family});
        check(family.ok() && std::find(family->begin(), family->end(), i) != family->end(), "a family selects its runs",
              s.runs[i].family);
        for (const auto& event : s.runs[i].events)
            check(std::isfinite(event.t), "events have times", text);
    }
    const auto there = [&](const std::vector<std::string>& wanted) {
        check(study::selectRuns(s, wanted).ok(), "what a study names is there", wanted.empty() ? "" : wanted.front());
    };
    for (const auto& table : s.tables)
        there(table.runs);
    for (const auto& claim : s.claims)
        there(claim.runs);
    for (const auto& figure : s.figures) {
        there(figure.runs);
        for (const auto& panel : figure.panels)
            there(panel.runs);
    }
    return 0;
}
