// One run as measures see it: what it came to (RunReport) and its rows, in memory.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/Result.h"
#include "core/run/OutputsAtTimes.h"
#include "core/run/Recording.h"
#include "core/run/RunReport.h"

namespace driftless::measure {

struct Record {
    run::RunReport report;
    double wallSeconds = 0;           ///< [s]
    std::vector<run::Column> columns; ///< behind t
    std::size_t positions = 0;        ///< the first columns are q, then as many v
    bool endsBetween = false;         ///< the last row is no step: it is interpolated at the time of measuring
    std::vector<double> values;       ///< row by row: t, then the columns; NaN where there is no value
    /// In the order of report.parameters; empty: those of the report all along.
    std::vector<run::ParametersSince> parameters;

    std::size_t width() const { return columns.size() + 1; }
    std::size_t rowCount() const { return columns.empty() ? 0 : values.size() / width(); }
    double time(std::size_t row) const { return values[row * width()]; }
    std::span<const double> row(std::size_t r) const { return {values.data() + r * width(), width()}; }
    /// Place in a row (0 is t), -1 if there is none; the last part of a name counts where it is unambiguous.
    int find(std::string_view name) const;
    const std::string& status() const { return report.status; }
    /// Data from elsewhere in place of a run: some columns alone.
    bool isMeasured() const { return report.formulation == run::kMeasured; }
};

/// Place of a name among columns, counted from 0; -1 where there is none. The last part of a name counts where it is
/// unambiguous.
int findColumn(std::span<const run::Column> columns, std::string_view name);

/// An expression of columns, t and parameters over all rows, with the parameters in force at each; NaN where a row has no
/// value.
Result<std::vector<double>> overRows(const Record& data, const std::string& expression);
/// The values that `expression` has in `other` at the times of `data`: the rows where they have the same time (of several,
/// those on the same side of the jump), else interpolated (Between.h); NaN beyond its end.
Result<std::vector<double>> atTimesOf(const Record& data, const Record& other, const std::string& expression);
/// The expression at a time between the rows, as atTimesOf has it; NaN beyond them.
Result<double> valueAt(const Record& data, double t, const std::string& expression);

} // namespace driftless::measure
