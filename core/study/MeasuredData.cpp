#include "core/study/MeasuredData.h"

#include "core/measure/Record.h"
#include "core/run/Columns.h"
#include "core/system/CsvColumns.h"
#include "core/text/Budget.h"
#include "core/text/Names.h"
#include "core/text/Numbers.h"

namespace driftless::study {

namespace {

/// What the model calls it: the last part of a name counts where it is unambiguous.
Result<run::Column> columnOf(const std::string& name, const std::vector<run::Column>& known, const SourcePosition& file)
{
    if (const int found = measure::findColumn(known, name); found >= 0)
        return known[static_cast<std::size_t>(found)];
    std::vector<std::string> names;
    for (const run::Column& column : known)
        names.push_back(column.name);
    const std::string near = text::nearestName(name, names);
    return Diagnostic{.what = "The model records nothing called \"" + text::shortened(name) + '"',
                      .why = "it records " + text::firstOf(names),
                      .remedy = near.empty() ? "name the column as the model does" : "did you mean \"" + near + "\"?",
                      .position = file};
}

/// Two rows at least, at times that rise.
Result<void> checkTimes(const model::CsvColumns& read)
{
    const std::vector<double>& t = read.t;
    if (t.size() < 2)
        return Diagnostic{.what = "The file has " + std::string(t.empty() ? "no rows" : "one row"),
                          .why = "it needs two at least: times and values",
                          .remedy = "a row for each time at which something was measured",
                          .position = t.empty() ? read.columns.front().position : read.places.front()};
    for (std::size_t k = 1; k < t.size(); ++k)
        if (!(t[k] > t[k - 1]))
            return Diagnostic{.what = "The times do not increase",
                              .why = text::rounded(t[k]) + " s follows " + text::rounded(t[k - 1]) + " s",
                              .remedy = "sort the rows by time, each time once",
                              .position = read.places[k]};
    return {};
}

} // namespace

Result<MeasuredData> readMeasuredData(const std::string& text, const std::string& file, const model::ConstrainedSystem& system)
{
    const auto known = run::recordedColumns(system);
    auto read =
        model::readCsvColumns(text, file,
                              {.rows = budget::kMeasuredRows,
                               .what = "what was measured",
                               .column = {},
                               .example = known.empty() ? "x [m]" : known.front().name + " [" + known.front().unit + ']'});
    if (!read)
        return read.error();
    if (auto sound = checkTimes(*read); !sound)
        return sound.error();
    MeasuredData out;
    out.file = file;
    for (model::CsvColumn& one : read->columns) {
        const auto column = columnOf(one.name, known, one.position);
        if (!column)
            return column.error();
        if (!one.unit.empty() && one.unit != column->unit)
            return Diagnostic{.what =
                                  "The unit of \"" + text::shortened(one.name) + "\" is \"" + text::shortened(one.unit) + '"',
                              .why = "the model has it in " + (column->unit.empty() ? "no unit" : column->unit),
                              .remedy = "write the numbers in the unit of the model",
                              .position = one.position};
        out.columns.push_back(*column);
        out.values.push_back(std::move(one.numbers));
    }
    out.t = std::move(read->t);
    return out;
}

std::shared_ptr<const run::Recording> recordingOf(const MeasuredData& data)
{
    std::vector<run::Column> columns = data.columns;
    for (run::Column& column : columns)
        column.kind = run::ColumnKind::Other; // one measured force is not all multipliers
    auto out = std::make_shared<run::Recording>(0, 0, std::move(columns));
    std::vector<double> row(data.values.size());
    for (std::size_t i = 0; i < data.t.size(); ++i) {
        for (std::size_t c = 0; c < row.size(); ++c)
            row[c] = data.values[c][i];
        out->append(data.t[i], row);
    }
    return out;
}

} // namespace driftless::study
