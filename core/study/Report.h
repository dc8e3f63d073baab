// What came out of a study: its tables, its claims with the numbers that decide them, and the whole as JSON and Markdown. All
// of it is a function of the finished runs: the same runs give the same bytes.
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

#include "core/study/Measure.h"

namespace driftless::study {

struct ClaimResult {
    std::string text;
    std::string run;      ///< the run that decided: the first that fails it, or the last that holds
    std::string measured; ///< "1.2e-09"
    std::string relation; ///< "below 1e-09"
    bool holds = false;
    std::string why; ///< where the measure could not be taken
};
/// The expected ends of all runs first, as one claim, then the study's own.
std::vector<ClaimResult> judge(const Finished& finished);

struct TableResult {
    std::string name, title;
    std::vector<std::string> columns;
    std::vector<std::string> rows;               ///< labels of the runs
    std::vector<std::vector<std::string>> shown; ///< as Markdown shows them
    std::vector<std::vector<std::string>> exact; ///< as CSV has them
};
/// A measure that cannot be taken leaves its cell empty, or says the run's status.
std::vector<TableResult> tabulate(const Finished& finished);

std::string markdownOf(const TableResult& table);
std::string csvOf(const TableResult& table);

/// The study's result.json; figures are names of files.
nlohmann::ordered_json resultJson(const Finished& finished, const std::string& version, const std::vector<ClaimResult>& claims,
                                  const std::vector<TableResult>& tables, const std::vector<std::string>& figures);
/// The study as a page to read: summary, tables, figures, claims.
std::string reportPage(const Study& study, const std::string& version, const std::vector<ClaimResult>& claims,
                       const std::vector<TableResult>& tables, const std::vector<std::pair<std::string, std::string>>& figures);

} // namespace driftless::study
