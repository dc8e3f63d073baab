#include "app/ComparisonTable.h"

#include <nlohmann/json.hpp>

#include <functional>
#include <vector>

#include "core/text/Escapes.h"
#include "core/text/Numbers.h"

namespace driftless::app {

namespace {

using nlohmann::ordered_json;

/// A column and where its value stands in a report.
struct TableColumn {
    const char* title;
    const char* name;
    const char* pointer;
};

const std::vector<TableColumn>& columns()
{
    static const std::vector<TableColumn> list{
        {"formulation", "formulation", "/formulation"},
        {"integrator", "integrator", "/integrator"},
        {"settings", "settings", "/settings"},
        {"outcome", "status", "/status"},
        {"t [s]", "t", "/t"},
        {"max \\|g\\|", "max_position_residual", "/max_residual/position"},
        {"max \\|dg/dt\\|", "max_velocity_residual", "/max_residual/velocity"},
        {"max \\|d²g/dt²\\|", "max_acceleration_residual", "/max_residual/acceleration"},
        {"energy error [J]", "energy_error", "/energy_error"},
        {"drift of g", "position_drift", "/drift/position"},
        {"steps", "steps", "/stats/steps"},
        {"rejected", "rejected", "/stats/rejected"},
        {"residuals", "residual_evaluations", "/stats/residual_evaluations"},
        {"Jacobians", "jacobian_evaluations", "/stats/jacobian_evaluations"},
        {"pivots", "pivots", "/stats/pivots"},
    };
    return list;
}

std::string shortText(const ordered_json& value)
{
    if (value.is_string())
        return value.get<std::string>();
    if (value.is_number_float())
        return text::rounded(value.get<double>(), 3);
    return value.is_null() ? "" : value.dump();
}

std::string fullText(const ordered_json& value)
{
    if (value.is_string())
        return text::csvQuoted(value.get<std::string>());
    return value.is_null() ? "" : value.dump();
}

std::string lineOf(const ordered_json& report, const char* separator,
                   const std::function<std::string(const ordered_json&)>& text)
{
    std::string line;
    for (const TableColumn& column : columns()) {
        const ordered_json::json_pointer place(column.pointer);
        line += (line.empty() ? "" : separator) + (report.contains(place) ? text(report.at(place)) : std::string());
    }
    return line;
}

} // namespace

std::string markdownTable(const nlohmann::ordered_json& reports)
{
    std::string head = "|", rule = "|";
    for (const TableColumn& column : columns()) {
        head += std::string(" ") + column.title + " |";
        rule += "---|";
    }
    std::string out = head + '\n' + rule + '\n';
    for (const auto& report : reports)
        out += "| " + lineOf(report, " | ", shortText) + " |\n";
    return out;
}

std::string csvTable(const nlohmann::ordered_json& reports)
{
    std::string out;
    for (const TableColumn& column : columns())
        out += (out.empty() ? "" : ",") + std::string(column.name);
    out += '\n';
    for (const auto& report : reports)
        out += lineOf(report, ",", fullText) + '\n';
    return out;
}

} // namespace driftless::app
