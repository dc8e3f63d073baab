#include "core/study/DataRun.h"

#include <algorithm>
#include <filesystem>
#include <limits>

#include "core/run/Columns.h"
#include "core/system/InputTable.h"
#include "core/text/Budget.h"
#include "core/text/Names.h"
#include "core/text/RegularFile.h"

namespace driftless::study {

namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

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

Result<std::string> textBeside(const Study& study, const PlannedRun& planned)
{
    const std::filesystem::path name(planned.data);
    if (name.has_parent_path() || planned.data.empty() || planned.data == "." || planned.data == "..")
        return Diagnostic{.what = "\"" + text::shortened(planned.data) + "\" is not the name of a file beside the study",
                          .why = "data lies in the folder of its study",
                          .remedy = "data = \"measured.csv\"",
                          .position = planned.position};
    return readRegularFile((std::filesystem::path(study.path).parent_path() / name).string(), budget::kModelBytes);
}

run::RunReport reportOf(const PlannedRun& planned, const model::CompiledSystem& system, const std::vector<double>& times)
{
    run::RunReport out;
    out.model = system.model().name;
    out.formulation = "measured";
    out.integrator = planned.data;
    out.status = "completed";
    out.began = true;
    out.t = times.back();
    out.residual = out.maxResidual = {kNothing, kNothing, kNothing, kNothing};
    out.energy = out.energyError = kNothing;
    for (const auto& parameter : system.system().parameters)
        out.parameters.emplace_back(parameter.quantity.name, parameter.quantity.value);
    return out;
}

} // namespace

Result<RunData> openDataRun(const Study& study, const PlannedRun& planned, const model::CompiledSystem& system,
                            std::string& identity)
{
    const auto text = textBeside(study, planned);
    if (!text)
        return text.error();
    identity += '\n' + *text;
    SourcePosition header{planned.data, 1, 1};
    const auto known = run::recordedColumns(system.system());
    RunData out;
    out.name = planned.name;
    std::vector<double> times;
    std::vector<std::vector<double>> columns;
    for (const std::string& name : namesIn(*text, header)) {
        auto table = model::readInputCsv(*text, planned.data, name);
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
        times = std::move(table->t);
        columns.push_back(std::move(table->u));
    }
    if (columns.empty())
        return model::readInputCsv(*text, planned.data, "x").error(); // says what is wrong with the header
    for (std::size_t row = 0; row < times.size(); ++row) {
        out.values.push_back(times[row]);
        for (const auto& column : columns)
            out.values.push_back(column[row]);
    }
    out.report = reportOf(planned, system, times);
    return out;
}

} // namespace driftless::study
