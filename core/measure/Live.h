// Measures of the runs of an open laboratory, at a time that they have reached.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/measure/Take.h"
#include "core/run/Laboratory.h"

namespace driftless::measure {

/// A run at a time, as one row of the registry sees it.
struct LiveRun {
    const run::Laboratory& laboratory;
    run::RunId id;
    double t = 0; ///< [s]
    run::RunStatus status;
    run::RecordingView recording;
    std::optional<double> deviation; ///< from the reference run, where there is one and both have reached t

    /// A column of the last row up to t; none where there is no such column or value.
    std::optional<Value> column(std::string_view name) const;
    /// The largest magnitude of a column from the start to t.
    std::optional<Value> largest(std::string_view name) const;
};

/// The runs that somebody hands over to be measured, in the order in which he counts them: run-1, run-2, ...
struct LiveBench {
    struct Entry {
        run::RunId id;
        std::string title; ///< in messages: "Run 1"
    };
    const run::Laboratory& laboratory;
    std::vector<Entry> runs;
    std::vector<double> parameters;       ///< of all runs, as they are set now
    std::optional<std::size_t> reference; ///< the run that deviations are taken from
};

/// Max norm of the difference of the positions of two runs at t, of a general DAE of its values of order 0; none where one of
/// them has not reached t: the last state of a run that ended early would be a number without meaning.
std::optional<double> deviationOf(const run::Laboratory& laboratory, run::RunId one, run::RunId other, double t);

/// The measure of a run (an index into the bench) at t [s]. The diagnostic says in `what`, as one sentence, why there is none.
Result<Value> measureLive(const LiveBench& bench, std::size_t run, double t, const MeasureText& text);

} // namespace driftless::measure
