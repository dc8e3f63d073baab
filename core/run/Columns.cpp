#include "core/run/Columns.h"

#include <algorithm>
#include <array>
#include <set>

namespace driftless::run {

namespace {

ColumnKind kindOf(const model::GeneralValue& x)
{
    if (x.symbol.order == 0 && x.followed)
        return ColumnKind::Position;
    return x.symbol.order == 1 ? ColumnKind::Velocity : ColumnKind::Auxiliary;
}

} // namespace

std::vector<int> outputColumns(const model::ConstrainedSystem& s)
{
    std::vector<int> out;
    for (std::size_t i = 0; i < s.outputs.size(); ++i)
        if (std::ranges::none_of(s.values, [&](const model::GeneralValue& x) { return x.name == s.outputs[i].name; })
            && std::ranges::none_of(s.held, [&](const model::HeldValue& x) { return x.name == s.outputs[i].name; }))
            out.push_back(static_cast<int>(i));
    return out;
}

std::vector<std::string> headingsOf(std::span<const Column> columns)
{
    std::vector<std::string> out;
    std::set<std::string> taken;
    for (const Column& column : columns) {
        std::string name = column.name;
        while (!taken.insert(name).second)
            name.insert(0, "run.");
        out.push_back(std::move(name));
    }
    return out;
}

std::vector<Column> recordedColumns(const model::ConstrainedSystem& s)
{
    std::vector<Column> out;
    for (const auto& c : s.coordinates)
        out.push_back({c.name, c.unit, ColumnKind::Position});
    for (const auto& c : s.coordinates)
        out.push_back({c.velocity.name, c.velocity.unit, ColumnKind::Velocity});
    for (const auto& c : s.constraints)
        out.push_back({c.multiplier.name, "", ColumnKind::Multiplier});
    for (const auto& d : s.dynamics)
        out.push_back({d.name, d.unit, ColumnKind::Auxiliary});
    for (const auto& e : s.efforts)
        out.push_back({e.name, e.unit, ColumnKind::Auxiliary});
    for (const auto& x : s.values)
        out.push_back({x.name, x.unit, kindOf(x)});
    for (const auto& multiplier : s.idle)
        out.push_back({multiplier.name, "", ColumnKind::Multiplier});
    for (const auto& x : s.held)
        out.push_back({x.name, x.unit, ColumnKind::Auxiliary});
    if (!s.plainRates())
        for (const auto& c : s.coordinates)
            out.push_back({c.name + "'", model::rateUnit(c.unit), ColumnKind::Velocity});
    const std::array<Column, static_cast<std::size_t>(Metric::Count)> metrics{
        {{"residual.position", "", ColumnKind::Residual},
         {"residual.velocity", "", ColumnKind::Residual},
         {"residual.acceleration", "", ColumnKind::Residual},
         {"energy", "J", ColumnKind::Energy},
         {"energy_error", "J", ColumnKind::Energy},
         {"work", "J", ColumnKind::Energy},
         {"h", "s", ColumnKind::Step},
         {"order", "", ColumnKind::Step},
         {"kappa", "", ColumnKind::Pivot}}};
    out.insert(out.end(), metrics.begin(), metrics.end());
    out.push_back({"projection", "", ColumnKind::Other});
    if (!s.dependent.empty())
        out.push_back({"residual.set_aside", "", ColumnKind::Residual});
    if (s.values.empty()) { // a text of equations states no energy
        out.push_back({"kinetic_energy", "J", ColumnKind::Energy});
        out.push_back({"potential_energy", "J", ColumnKind::Energy});
    }
    for (const int i : outputColumns(s))
        out.push_back({s.outputs[static_cast<std::size_t>(i)].name, s.outputs[static_cast<std::size_t>(i)].unit});
    return out;
}

} // namespace driftless::run
