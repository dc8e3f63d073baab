// Measures of the runs of a study (core/measure), before they are made and when they are finished.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "core/base/Result.h"
#include "core/measure/Check.h"
#include "core/measure/Record.h"
#include "core/study/RunData.h"
#include "core/study/Study.h"

namespace driftless::study {

using measure::Value;

/// A study with the runs that are there: those that are finished.
struct Finished {
    const Study* study = nullptr;
    std::vector<const RunData*> runs; ///< one per run of the study; nullptr where it is missing
};

/// The measure of one run (an index into the study).
Result<Value> measure(const Finished& finished, std::size_t run, const MeasureText& text);
/// The axis of a panel, as the file has it, of one run.
Result<double> measureNumber(const Finished& finished, std::size_t run, const MeasureText& text);

/// Whether all measures and expressions of a study's claims, tables and figures can be taken of its runs, before any of them is
/// made.
Result<void> checkMeasures(const Study& study, const std::function<const measure::RunNames&(std::size_t run)>& namesOf);
/// An event behind the end of its run, which comes at `end` unless the run counts its steps or begins anew.
std::optional<Diagnostic> beyondTheEnd(const PlannedRun& run, const StudyEvent& event, double end);
/// Events and measures at times that their runs do not come to.
std::vector<Diagnostic> beyondTheEnd(const Study& study, const std::function<double(std::size_t run)>& endOf);
/// Measures that a study writes as they were called earlier, with what to write now.
std::vector<Diagnostic> renamedMeasures(const Study& study);

} // namespace driftless::study
