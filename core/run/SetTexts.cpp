#include "core/run/SetTexts.h"

#include <algorithm>

#include "core/run/Columns.h"
#include "core/run/Plain.h"
#include "core/system/ParameterValues.h"

namespace driftless::run {

namespace {

constexpr std::size_t kMostNamed = 4;

std::string withUnit(const std::string& name, double value, const std::string& unit)
{
    return name + " = " + plain(value) + (unit.empty() || unit == "1" ? "" : " " + unit);
}

} // namespace

std::vector<std::string> structureTexts(const model::Model& model)
{
    std::vector<std::string> out;
    for (const model::StructureNumber& number : model.structure)
        out.push_back(number.name + " = " + std::to_string(number.value));
    return out;
}

std::vector<std::string> parameterTexts(const model::ConstrainedSystem& system, std::span<const double> values)
{
    std::vector<std::string> out;
    const auto stated = model::statedValues(system, {values.begin(), values.end()});
    for (const model::Parameter& p : system.parameters)
        if (const auto value = stated.find(p.quantity.name); value != stated.end())
            out.push_back(withUnit(p.quantity.name, value->second, p.quantity.unit));
    return out;
}

std::vector<std::string> startTexts(const model::ConstrainedSystem& system, const StartSettings& start)
{
    if (start.values.size() > kMostNamed)
        return {std::to_string(start.values.size()) + " values set at the start"};
    const std::vector<Column> columns = recordedColumns(system);
    std::vector<std::string> out;
    for (const auto& [name, value] : start.values) {
        const auto target = model::resolveName(system, name);
        const std::string& full = target ? target->fullName : name;
        const auto column = std::ranges::find(columns, full, &Column::name);
        out.push_back(withUnit(full, value, column == columns.end() ? "" : column->unit) + " at the start");
    }
    return out;
}

} // namespace driftless::run
