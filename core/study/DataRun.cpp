#include "core/study/DataRun.h"

#include <filesystem>
#include <limits>

#include "core/text/Budget.h"
#include "core/text/Names.h"
#include "core/text/RegularFile.h"

namespace driftless::study {

namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

Result<std::string> textBeside(const Study& study, const PlannedRun& planned)
{
    const std::filesystem::path name(planned.data);
    if (name.has_parent_path() || planned.data.empty() || planned.data == "." || planned.data == "..")
        return Diagnostic{.what = "\"" + text::shortened(planned.data) + "\" is not the name of a file beside the study",
                          .why = "data lies in the folder of its study",
                          .remedy = "data = \"measured.csv\"",
                          .position = planned.position};
    return readRegularFile((std::filesystem::path(study.path).parent_path() / name).string(), budget::kMeasuredBytes);
}

run::RunReport reportOf(const PlannedRun& planned, const model::CompiledSystem& system, const std::vector<double>& times)
{
    run::RunReport out;
    out.model = system.model().name;
    out.formulation = run::kMeasured;
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

Result<MeasuredData> openMeasuredData(const Study& study, const PlannedRun& planned, const model::CompiledSystem& system,
                                      std::string* text)
{
    auto read = textBeside(study, planned);
    if (!read)
        return read.error();
    auto data = readMeasuredData(*read, planned.data, system.system());
    if (text)
        *text = std::move(*read);
    return data;
}

Result<RunData> openDataRun(const Study& study, const PlannedRun& planned, const model::CompiledSystem& system,
                            std::string& text)
{
    auto data = openMeasuredData(study, planned, system, &text);
    if (!data)
        return data.error();
    RunData out;
    out.name = planned.name;
    for (std::size_t row = 0; row < data->t.size(); ++row) {
        out.values.push_back(data->t[row]);
        for (const auto& column : data->values)
            out.values.push_back(column[row]);
    }
    out.report = reportOf(planned, system, data->t);
    out.columns = std::move(data->columns);
    return out;
}

} // namespace driftless::study
