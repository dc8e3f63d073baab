#include <algorithm>

#include "core/system/Model.h"
#include "core/text/Names.h"

namespace driftless::model {

namespace {

std::vector<Target> allTargets(const ConstrainedSystem& system)
{
    std::vector<Target> out;
    const auto add = [&out](TargetKind kind, std::size_t i, const std::string& name) {
        out.push_back({kind, static_cast<int>(i), name});
    };
    for (std::size_t i = 0; i < system.parameters.size(); ++i)
        add(TargetKind::Parameter, i, system.parameters[i].quantity.name);
    for (std::size_t i = 0; i < system.coordinates.size(); ++i) {
        add(TargetKind::Position, i, system.coordinates[i].name);
        add(TargetKind::Velocity, i, system.coordinates[i].velocity.name);
    }
    for (std::size_t i = 0; i < system.constraints.size(); ++i)
        add(TargetKind::Multiplier, i, system.constraints[i].multiplier.name);
    for (std::size_t i = 0; i < system.dynamics.size(); ++i)
        add(TargetKind::Dynamic, i, system.dynamics[i].name);
    for (std::size_t i = 0; i < system.efforts.size(); ++i)
        add(TargetKind::Effort, i, system.efforts[i].name);
    for (std::size_t i = 0; i < system.values.size(); ++i)
        add(TargetKind::Value, i, system.values[i].name);
    for (std::size_t i = 0; system.chart && i < system.chart->coordinates.size(); ++i) {
        add(TargetKind::ChartPosition, i, system.chart->coordinates[i].name);
        add(TargetKind::ChartVelocity, i, system.chart->coordinates[i].name + "'");
    }
    return out;
}

std::string_view lastPart(std::string_view name)
{
    const std::size_t dot = name.rfind('.');
    return dot == std::string_view::npos ? name : name.substr(dot + 1);
}

} // namespace

Result<Target> resolveName(const ConstrainedSystem& system, std::string_view name)
{
    const std::vector<Target> targets = allTargets(system);
    std::vector<const Target*> matches;
    for (const Target& target : targets) {
        if (target.fullName == name)
            return target;
        if (lastPart(target.fullName) == name)
            matches.push_back(&target);
    }
    if (matches.size() == 1)
        return *matches.front();
    std::vector<std::string> names;
    const std::string shown = '"' + std::string(name.substr(0, 80)) + '"';
    if (!matches.empty()) {
        for (const Target* match : matches)
            names.push_back(match->fullName);
        return Diagnostic{.what = "The name " + shown + " is ambiguous",
                          .why = "it may mean " + text::firstOf(names),
                          .remedy = "write the full name"};
    }
    if (const auto found = std::ranges::find(system.derived, name, &DerivedParameter::name); found != system.derived.end())
        return Diagnostic{.what = "The parameter " + shown + " is no number of its own",
                          .why = "it follows from " + found->from,
                          .remedy = "name what it follows from"};
    for (const Target& target : targets)
        names.push_back(target.fullName);
    std::string near = text::nearestName(name, names);
    if (near.empty())
        for (const Target& target : targets)
            if (const std::string last(lastPart(target.fullName)); !text::nearestName(name, std::span(&last, 1)).empty()) {
                near = target.fullName;
                break;
            }
    return Diagnostic{.what = "There is no quantity " + shown,
                      .why = "the model has " + text::firstOf(names),
                      .remedy = near.empty() ? "name one of these" : "did you mean \"" + near + "\"?"};
}

} // namespace driftless::model
