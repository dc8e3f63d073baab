#include "core/study/Report.h"

#include <cmath>

#include "core/measure/Registry.h"
#include "core/run/RunJson.h"
#include "core/text/Escapes.h"
#include "core/text/Numbers.h"

namespace driftless::study {

namespace {

using Json = nlohmann::ordered_json;

std::string exactText(const Value& value)
{
    if (const auto* word = std::get_if<std::string>(&value))
        return *word;
    return text::csvNumber(std::get<double>(value));
}

std::string relationOf(const Claim& c)
{
    if (c.near)
        return exactText(*c.near) + " to within " + exactText(c.within);
    if (c.is)
        return "is " + *c.is;
    if (c.isNot)
        return "is not " + *c.isNot;
    std::string out;
    if (c.above)
        out = "above " + exactText(*c.above);
    if (c.below)
        out += std::string(out.empty() ? "" : " and ") + "below " + exactText(*c.below);
    return out;
}

bool holds(const Claim& c, const Value& value)
{
    if (c.is)
        return measure::shown(value, 17) == *c.is;
    if (c.isNot)
        return measure::shown(value, 17) != *c.isNot;
    const double* x = std::get_if<double>(&value);
    if (!x || std::isnan(*x))
        return false;
    if (c.near)
        return std::abs(*x - *c.near) <= c.within;
    return (!c.below || *x < *c.below) && (!c.above || *x > *c.above);
}

ClaimResult expectedEnds(const Finished& finished)
{
    ClaimResult out{"Every run ends as it is expected to", "", "", "as expected", true, ""};
    for (std::size_t i = 0; i < finished.runs.size(); ++i) {
        const PlannedRun& run = finished.study->runs[i];
        const std::string status = finished.runs[i] ? finished.runs[i]->status() : "not finished";
        if (status == fateName(run.expected))
            continue;
        out.holds = false;
        out.run = run.name;
        out.measured = status;
        out.relation = std::string("is ") + fateName(run.expected);
        if (finished.runs[i] && finished.runs[i]->report.diagnostic)
            out.why = finished.runs[i]->report.diagnostic->what;
        break;
    }
    return out;
}

/// Cells of Markdown tables hold no bars.
std::string cell(std::string text)
{
    for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2)
        text.insert(at, "\\");
    return text;
}

} // namespace

std::vector<ClaimResult> judge(const Finished& finished)
{
    std::vector<ClaimResult> out{expectedEnds(finished)};
    for (const Claim& claim : finished.study->claims) {
        ClaimResult result{claim.text, "", "", relationOf(claim), true, ""};
        const auto runs = selectRuns(*finished.study, claim.runs);
        if (!runs || runs->empty()) {
            result.holds = false;
            result.why = runs ? "it names no run" : runs.error().text();
        } else {
            for (const std::size_t run : *runs) {
                const auto value = measure(finished, run, claim.measure);
                result.run = finished.study->runs[run].name;
                result.measured = value ? measure::shown(*value, 6) : "";
                result.holds = value && holds(claim, *value);
                result.why = value ? "" : value.error().text();
                if (!result.holds)
                    break;
            }
        }
        out.push_back(std::move(result));
    }
    return out;
}

std::vector<TableResult> tabulate(const Finished& finished)
{
    std::vector<TableResult> out;
    for (const StudyTable& table : finished.study->tables) {
        TableResult result{table.name, table.title, {}, {}, {}, {}};
        const auto runs = selectRuns(*finished.study, table.runs);
        for (const TableColumn& column : table.columns)
            result.columns.push_back(column.title);
        for (std::size_t r = 0; runs && r < runs->size(); ++r) {
            const std::size_t run = (*runs)[r];
            result.rows.push_back(finished.study->runs[run].label);
            std::vector<std::string> shownCells, exactCells;
            for (const TableColumn& column : table.columns) {
                if (!column.given.empty()) {
                    shownCells.push_back(column.given[r]);
                    exactCells.push_back(column.given[r]);
                    continue;
                }
                const auto value = measure(finished, run, column.measure);
                shownCells.push_back(value ? measure::shown(*value, column.digits) : "–");
                exactCells.push_back(value ? exactText(*value) : "");
            }
            result.shown.push_back(std::move(shownCells));
            result.exact.push_back(std::move(exactCells));
        }
        out.push_back(std::move(result));
    }
    return out;
}

std::string markdownOf(const TableResult& table)
{
    std::string out = "| run |", rule = "|---|";
    for (const std::string& column : table.columns) {
        out += ' ' + cell(column) + " |";
        rule += "---:|";
    }
    out += '\n' + rule + '\n';
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
        out += "| " + cell(table.rows[r]) + " |";
        for (const std::string& value : table.shown[r])
            out += ' ' + cell(value) + " |";
        out += '\n';
    }
    return out;
}

std::string csvOf(const TableResult& table)
{
    std::string out = "run";
    for (const std::string& column : table.columns)
        out += ',' + text::csvCell(column);
    out += '\n';
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
        out += text::csvCell(table.rows[r]);
        for (const std::string& value : table.exact[r])
            out += ',' + text::csvCell(value);
        out += '\n';
    }
    return out;
}

Json resultJson(const Finished& finished, const std::string& version, const std::vector<ClaimResult>& claims,
                const std::vector<TableResult>& tables, const std::vector<std::string>& figures)
{
    const Study& study = *finished.study;
    Json out{{"study", study.id}, {"title", study.title}, {"source", study.source}, {"program", "Driftless " + version}};
    out["claims"] = Json::array();
    for (const ClaimResult& c : claims)
        out["claims"].push_back({{"text", c.text},
                                 {"holds", c.holds},
                                 {"run", c.run},
                                 {"measured", c.measured},
                                 {"relation", c.relation},
                                 {"why", c.why}});
    out["tables"] = Json::array();
    for (const TableResult& t : tables)
        out["tables"].push_back(
            {{"name", t.name}, {"title", t.title}, {"columns", t.columns}, {"runs", t.rows}, {"rows", t.exact}});
    out["figures"] = figures;
    out["runs"] = Json::array();
    for (std::size_t i = 0; i < study.runs.size(); ++i) {
        const PlannedRun& plan = study.runs[i];
        Json run{{"name", plan.name}, {"label", plan.label}, {"family", plan.family}, {"variables", Json::object()}};
        for (const auto& [name, value] : plan.variables)
            run["variables"][name] = value;
        if (finished.runs[i]) {
            const Json report = run::toJson(finished.runs[i]->report);
            for (const auto& [key, value] : report.items())
                run[key] = value;
        }
        out["runs"].push_back(std::move(run));
    }
    return out;
}

std::string reportPage(const Study& study, const std::string& version, const std::vector<ClaimResult>& claims,
                       const std::vector<TableResult>& tables, const std::vector<std::pair<std::string, std::string>>& figures)
{
    std::string out = "# " + study.title + "\n\n";
    if (!study.source.empty())
        out += "Source: " + study.source + "\n\n";
    if (!study.summary.empty())
        out += study.summary + "\n\n";
    for (const TableResult& table : tables)
        out += "## " + table.title + "\n\n" + markdownOf(table) + '\n';
    for (const auto& [file, caption] : figures)
        out += "![" + file + "](figures/" + file + ".png)\n\n" + (caption.empty() ? "" : caption + "\n\n");
    out += "## What it shows\n\n| | claim | measured | | run |\n|---|---|---:|---|---|\n";
    for (const ClaimResult& c : claims)
        out += std::string("| ") + (c.holds ? "holds" : "**fails**") + " | " + cell(c.text) + " | " + cell(c.measured) + " | "
               + cell(c.relation) + " | " + cell(c.run) + (c.why.empty() ? "" : ": " + cell(c.why)) + " |\n";
    return out + "\nMade by Driftless " + version + "; `driftless study study.toml --out DIR` in this folder repeats it.\n";
}

} // namespace driftless::study
