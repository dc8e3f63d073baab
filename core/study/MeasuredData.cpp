#include "core/study/MeasuredData.h"

#include <algorithm>

#include "core/measure/Record.h"
#include "core/run/Columns.h"
#include "core/system/InputTable.h"
#include "core/text/Names.h"

namespace driftless::study {

namespace {

std::string_view trimmed(std::string_view text)
{
    const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '"'; };
    while (!text.empty() && blank(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && blank(text.back()))
        text.remove_suffix(1);
    return text;
}

/// The names in the header behind the time's, without their units; the reader of tables judges everything else.
std::vector<std::string> namesIn(std::string_view text, SourcePosition& header)
{
    std::string_view line;
    header.line = 0;
    while (!text.empty() && (trimmed(line).empty() || trimmed(line).front() == '#')) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        line = text.substr(0, end);
        ++header.line;
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    std::vector<std::string> out;
    for (std::size_t at = 0; at <= line.size(); ++at) {
        const std::size_t end = std::min(line.find(',', at), line.size());
        const std::string_view cell = trimmed(line.substr(at, end - at));
        out.emplace_back(trimmed(cell.substr(0, std::min(cell.find('['), cell.size()))));
        at = end;
    }
    if (!out.empty())
        out.erase(out.begin());
    return out;
}

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

} // namespace

Result<MeasuredData> readMeasuredData(const std::string& text, const std::string& file, const model::ConstrainedSystem& system)
{
    SourcePosition header{file, 1, 1};
    const auto known = run::recordedColumns(system);
    MeasuredData out;
    out.file = file;
    for (const std::string& name : namesIn(text, header)) {
        auto table = model::readInputCsv(text, file, name);
        if (!table)
            return table.error();
        const auto column = columnOf(name, known, header);
        if (!column)
            return column.error();
        if (!table->unit.empty() && table->unit != column->unit)
            return Diagnostic{.what =
                                  "The unit of \"" + text::shortened(name) + "\" is \"" + text::shortened(table->unit) + '"',
                              .why = "the model has it in " + (column->unit.empty() ? "no unit" : column->unit),
                              .remedy = "write the numbers in the unit of the model",
                              .position = header};
        out.columns.push_back(*column);
        out.t = std::move(table->t);
        out.values.push_back(std::move(table->u));
    }
    if (out.columns.empty())
        return model::readInputCsv(text, file, "x").error(); // says what is wrong with the header
    return out;
}

} // namespace driftless::study
