// What a study keeps of a finished run: its report and its record, in memory and as two files that can be read back, so that a
// study can be stopped and go on, be computed in parts and be put together.
#pragma once

#include <string>
#include <vector>

#include "core/base/Result.h"
#include "core/measure/Record.h"

namespace driftless::study {

/// The derivatives of other variables became dummies.
struct SelectionChange {
    double t = 0;                      ///< [s]
    std::vector<std::string> from, to; ///< names of the variables
    bool operator==(const SelectionChange&) const = default;
};

/// report: without wall times, with parameters, tolerance and how many rows are kept.
struct RunData : measure::Record {
    std::string name;
    std::string fingerprint; ///< of everything the numbers depend on
    std::vector<SelectionChange> selections;
};

/// FOLDER/NAME.csv and FOLDER/NAME.json, each whole or not at all, the JSON last.
Result<void> saveRun(const RunData& data, const std::string& folder);
/// Reads them back to the same bits. Fails where they are absent, damaged or of another fingerprint.
Result<RunData> loadRun(const std::string& folder, const std::string& name, const std::string& fingerprint);

/// The record as CSV: t and every column, numbers that read back to the same bits, empty where there is no value.
std::string csvOf(const RunData& data);

} // namespace driftless::study
