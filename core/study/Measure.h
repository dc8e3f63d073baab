// What is measured of a run: one number or word, written as a text in a study.
//
//   steps, rejected, pivots, newton_iterations, ...     counters of the run
//   status, t, energy, energy_error, residual.position, max_residual.velocity, drift.energy, state.NAME, parameter.NAME
//   NAME                                                a number of `vary` or `variables`
//   first(E) last(E) max(E) min(E) mean(E) rms(E) at(T, E)   over the recorded rows; E is an expression of columns, t,
//   parameters alternations(E)                                     how often E changes its sign from one row to the next
//   drift(E)                                            "none", "linear", ...: degree in t that E needs
//   growth(E)                                           E at the end over E at half time: 2 linear, 4 quadratic
//   count(KIND), time(KIND)                             events of a kind ("pivot", "warning", ...), time of the first
//   difference(RUN), difference(RUN, E)                 max over the rows of |E - E of RUN|; without E the largest of q and v
//   error(RUN), error(RUN, E)                           the same at the end only
//   of(RUN, measure), ratio(measure, measure), log10(measure), a number
//   slope(NAME, measure)                                over a family: slope of log measure against log NAME, least squares
#pragma once

#include <functional>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "core/base/Result.h"
#include "core/study/RunData.h"
#include "core/study/Study.h"

namespace driftless::study {

using Value = std::variant<double, std::string>;
/// "1.2e-09", "linear"
std::string shown(const Value& value, int digits = 3);

/// A study with the runs that are there: those that are finished.
struct Finished {
    const Study* study = nullptr;
    std::vector<const RunData*> runs; ///< one per run of the study; nullptr where it is missing
};

/// The measure of one run (an index into the study).
Result<Value> measure(const Finished& finished, std::size_t run, const MeasureText& text);
/// Names that the record of a run has: columns behind t, parameters.
struct RecordNames {
    std::vector<std::string> columns, parameters;
};
/// Whether the text is a measure at all; names of columns, parameters and runs are not judged.
Result<void> checkMeasure(const MeasureText& text);
/// Whether all measures and expressions of a study's claims, tables and figures can be taken of its runs, before any of them is
/// made.
Result<void> checkMeasures(const Study& study, const std::function<const RecordNames&(std::size_t run)>& namesOf);

/// A measure that must be a number.
Result<double> measureNumber(const Finished& finished, std::size_t run, const MeasureText& text);

/// An expression of columns, t and parameters over all rows; NaN where a row has no value.
Result<std::vector<double>> overRows(const RunData& data, const std::string& expression);
/// The values that `expression` has in `other` at the times of `data`: the rows where they have the same time, else positions
/// by cubic Hermite interpolation, everything else linearly; NaN beyond its end.
Result<std::vector<double>> atTimesOf(const RunData& data, const RunData& other, const std::string& expression);

} // namespace driftless::study
