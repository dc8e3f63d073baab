// What a study keeps of a finished run: its report and its record, in memory and as two files that can be read back, so that a
// study can be stopped and go on, be computed in parts and be put together.
#pragma once

#include <nlohmann/json.hpp>

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/Result.h"
#include "core/run/Recording.h"

namespace driftless::study {

/// The derivatives of other variables became dummies.
struct SelectionChange {
    double t = 0;                      ///< [s]
    std::vector<std::string> from, to; ///< names of the variables
    bool operator==(const SelectionChange&) const = default;
};

struct RunData {
    std::string name;
    std::string fingerprint; ///< of everything the numbers depend on
    /// The JSON of `run` without wall times, then "parameters", and "record_every": each so manyth step is in the rows.
    nlohmann::ordered_json report;
    std::vector<SelectionChange> selections;
    double wallSeconds = 0;
    std::vector<run::Column> columns; ///< behind t
    std::size_t positions = 0;        ///< the first columns are q, then as many v
    std::vector<double> values;       ///< row by row: t, then the columns; NaN where there is no value

    std::size_t width() const { return columns.size() + 1; }
    std::size_t rowCount() const { return columns.empty() ? 0 : values.size() / width(); }
    double time(std::size_t row) const { return values[row * width()]; }
    std::span<const double> row(std::size_t r) const { return {values.data() + r * width(), width()}; }
    /// Place in a row (0 is t), -1 if there is none; the last part of a name counts where it is unambiguous.
    int find(std::string_view name) const;
    std::string status() const { return report.at("status").get<std::string>(); }
};

/// FOLDER/NAME.csv and FOLDER/NAME.json, each whole or not at all, the JSON last.
Result<void> saveRun(const RunData& data, const std::string& folder);
/// Reads them back to the same bits. Fails where they are absent, damaged or of another fingerprint.
Result<RunData> loadRun(const std::string& folder, const std::string& name, const std::string& fingerprint);

/// The record as CSV: t and every column, numbers that read back to the same bits, empty where there is no value.
std::string csvOf(const RunData& data);

} // namespace driftless::study
