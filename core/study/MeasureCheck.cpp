// Measures and expressions of a study judged by their text and the names of its models, before anything runs.
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <tuple>

#include "core/run/RunRequest.h"
#include "core/study/Measure.h"
#include "core/text/Numbers.h"

namespace driftless::study {

namespace {

using NamesOf = std::function<const measure::RunNames&(std::size_t run)>;

class PlannedStudy final : public measure::PlannedRuns {
public:
    PlannedStudy(const Study& study, const NamesOf& namesOf) : study_(study), namesOf_(namesOf) {}

    std::optional<std::size_t> find(const std::string& name) const override
    {
        const auto found = std::ranges::find(study_.runs, name, &PlannedRun::name);
        return found == study_.runs.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - study_.runs.begin()));
    }
    const measure::RunNames& names(std::size_t run) const override { return namesOf_(run); }
    bool hasVariable(std::size_t run, const std::string& name) const override
    {
        return study_.runs[run].variables.contains(name);
    }
    std::vector<double> familyValues(std::size_t run, const std::string& variable) const override
    {
        std::vector<double> out;
        for (const PlannedRun& one : study_.runs)
            if (const auto at = one.variables.find(variable);
                one.family == study_.runs[run].family && at != one.variables.end())
                out.push_back(at->second);
        return out;
    }

private:
    const Study& study_;
    const NamesOf& namesOf_;
};

Result<void> checkPanelNames(const Study& study, const PlannedStudy& planned, const StudyFigure& figure,
                             const StudyPanel& panel)
{
    const auto runs = selectRuns(study, panel.runs.empty() ? figure.runs : panel.runs);
    if (!runs)
        return runs.error();
    const bool scatter = panel.kind == "scatter";
    if (!scatter && panel.kind != "curve" && panel.kind != "phase")
        return {};
    for (const std::string* text : {&panel.x, &panel.y}) {
        if (text->empty() || (text == &panel.x && panel.kind == "curve"))
            continue;
        Result<void> absent; // from measured data, which a panel passes over where it has no such column
        bool any = false;
        for (const std::size_t run : *runs) {
            const MeasureText measured =
                scatter ? measure::asWritten(*text, panel.position, measure::Place::Study) : MeasureText{*text, panel.position};
            auto sound = scatter ? measure::checkMeasure(planned, run, measured, measure::Place::Study, true)
                                 : measure::checkExpression(planned.names(run), measured);
            any = any || sound;
            if (!sound && study.runs[run].data.empty())
                return sound;
            if (!sound)
                absent = std::move(sound);
        }
        if (!any && !absent)
            return absent;
    }
    return {};
}

} // namespace

Result<void> checkMeasures(const Study& study, const std::function<const measure::RunNames&(std::size_t run)>& namesOf)
{
    const PlannedStudy planned(study, namesOf);
    const auto check = [&planned](std::size_t run, const MeasureText& text, bool number) {
        return measure::checkMeasure(planned, run, text, measure::Place::Study, number);
    };
    // Runs that differ in values only are judged once.
    const auto unlike = [&](const std::vector<std::string>& names) -> Result<std::vector<std::size_t>> {
        auto runs = selectRuns(study, names);
        if (!runs)
            return runs;
        std::set<std::tuple<const measure::RunNames*, std::string, std::string>> seen;
        std::erase_if(*runs, [&](std::size_t run) {
            std::string variables;
            for (const auto& [name, value] : study.runs[run].variables)
                variables += name + '\n';
            return !seen.emplace(&namesOf(run), study.runs[run].family, variables).second;
        });
        return runs;
    };
    for (const Claim& claim : study.claims) {
        const auto runs = unlike(claim.runs);
        if (!runs)
            return runs.error();
        for (const std::size_t run : *runs)
            if (auto sound = check(run, claim.measure, !claim.is && !claim.isNot); !sound)
                return sound;
    }
    for (const StudyTable& table : study.tables) {
        const auto runs = unlike(table.runs);
        if (!runs)
            return runs.error();
        for (const TableColumn& column : table.columns) {
            Result<void> last;
            const auto taken = [&](std::size_t run) { return static_cast<bool>(last = check(run, column.measure, false)); };
            if (!column.measure.text.empty() && std::ranges::none_of(*runs, taken) && !last)
                return last; // a run that has no such value leaves its cell empty, a column has one somewhere
        }
    }
    for (const StudyFigure& figure : study.figures)
        for (const StudyPanel& panel : figure.panels)
            if (auto sound = checkPanelNames(study, planned, figure, panel); !sound)
                return sound;
    return {};
}

namespace {

/// The latest time that a measure asks for, as at(T, ...) does; 0 where it asks for none.
double latestTime(const std::string& text, int depth = 0)
{
    const auto call = measure::asMeasureCall(measure::trimmedMeasure(text));
    if (!call || depth > measure::kDeepestMeasure)
        return 0;
    if (call->name == "at" && call->arguments.size() == 2) {
        const auto t = run::parseNumber(call->arguments[0]);
        return t ? *t : 0;
    }
    double latest = 0;
    for (const std::string& part : call->arguments)
        latest = std::max(latest, latestTime(part, depth + 1));
    return latest;
}

/// Times at or before the end by less than this are the end.
bool isBeyond(double t, double end) { return t > end + 1e-9 * std::abs(end); }

/// Whatever is counted in steps or begins anew ends somewhere else.
bool endsAtItsTime(const PlannedRun& run) { return !run.steps && std::ranges::none_of(run.events, &StudyEvent::reset); }

} // namespace

std::optional<Diagnostic> beyondTheEnd(const PlannedRun& run, const StudyEvent& event, double end)
{
    if (event.afterSteps || !event.command.empty() || !isBeyond(event.t, end) || !endsAtItsTime(run))
        return std::nullopt;
    return Diagnostic{.what = "The event at t = " + text::rounded(event.t) + " s comes after the end of its run",
                      .where = "run " + run.name,
                      .why = "the run ends at t = " + text::rounded(end) + " s",
                      .remedy = "an earlier event, or a later end",
                      .position = event.position};
}

std::vector<Diagnostic> beyondTheEnd(const Study& study, const std::function<double(std::size_t run)>& endOf)
{
    std::vector<Diagnostic> out;
    const auto ends = [&](std::size_t run) {
        return endsAtItsTime(study.runs[run]) ? endOf(run) : std::numeric_limits<double>::infinity();
    };
    for (std::size_t i = 0; i < study.runs.size(); ++i)
        for (const StudyEvent& event : study.runs[i].events)
            if (auto late = beyondTheEnd(study.runs[i], event, endOf(i)))
                out.push_back(*std::move(late));
    const auto look = [&](const MeasureText& measured, const std::vector<std::string>& names) {
        const double t = latestTime(measured.text);
        const auto runs = selectRuns(study, names);
        double latest = 0;
        for (const std::size_t run : runs ? *runs : std::vector<std::size_t>{})
            latest = std::max(latest, ends(run));
        if (runs && !runs->empty() && isBeyond(t, latest))
            out.push_back(measure::badMeasure(measured, "its runs end at t = " + text::rounded(latest) + " s",
                                              "an earlier time, or a later end"));
    };
    for (const Claim& claim : study.claims)
        look(claim.measure, claim.runs);
    for (const StudyTable& table : study.tables)
        for (const TableColumn& column : table.columns)
            look(column.measure, table.runs);
    return out;
}

std::vector<Diagnostic> renamedMeasures(const Study& study)
{
    std::vector<Diagnostic> out;
    const auto look = [&out](const MeasureText& text) {
        if (auto hint = measure::renameHint(text))
            out.push_back(*std::move(hint));
    };
    for (const StudyTable& table : study.tables)
        for (const TableColumn& column : table.columns)
            look(column.measure);
    for (const Claim& claim : study.claims)
        look(claim.measure);
    for (const StudyFigure& figure : study.figures)
        for (const StudyPanel& panel : figure.panels)
            if (panel.kind == "scatter")
                for (const std::string* text : {&panel.x, &panel.y})
                    look(measure::asWritten(*text, panel.position, measure::Place::Study));
    return out;
}

} // namespace driftless::study
