// The machine-readable output of `run` (docs/command-line.md) and the CSV of a recording.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <iosfwd>
#include <string>
#include <vector>

#include "core/run/RunReport.h"

namespace driftless::run {

/// The JSON of `run`; samples > 0 adds that many states at equal distances over the recording (one: its end).
std::string runJson(const Run& run, int samples = 0);
nlohmann::ordered_json toJson(const Run& run, int samples = 0);
/// The times of as many samples from one time to another, which a run may be asked to keep its states of (Run::sampleAt).
std::vector<double> sampleTimes(double from, double to, int samples);
/// The JSON of a run that was refused before it began.
std::string refusalJson(const std::string& model, const RunSettings& settings, const Diagnostic& diagnostic);

nlohmann::ordered_json toJson(const RunReport& report);
/// Reads it back; null stands for a number that is none. Throws a std::exception where something is missing or of another kind.
RunReport readReport(const nlohmann::ordered_json& json);

/// All rows between t0 and t1, every column of the recording after t; empty fields where a row is older than a column.
void writeCsv(std::ostream& out, const RecordingView& view, double t0, double t1);
/// The same in two parts, for a table that is written while the run goes on: the names, and rows from (with) to (without).
void writeCsvHead(std::ostream& out, const RecordingView& view);
void writeCsvRows(std::ostream& out, const RecordingView& view, std::uint64_t from, std::uint64_t to);
/// samples states at equal distances.
void writeCsvSamples(std::ostream& out, const RecordingView& view, int samples);

} // namespace driftless::run
