#include "core/reduction/NearValues.h"

#include <optional>
#include <unordered_map>
#include <utility>

#include "core/expr/Print.h"
#include "core/system/ParameterValues.h"

namespace driftless::reduction {

std::vector<model::Parameter> parametersOf(const model::EquationSystem& system)
{
    std::vector<model::Parameter> out;
    for (const model::EquationParameter& p : system.parameters) {
        out.push_back({.quantity = p.quantity,
                       .symbol = {.kind = expr::SymbolKind::Parameter, .name = p.quantity.name},
                       .binding = expr::symbolsOf(p.binding).empty() ? expr::Expr() : p.binding,
                       .whole = p.whole,
                       .logical = p.logical});
        if (p.logical) {
            out.back().quantity.minimum = 0;
            out.back().quantity.maximum = 1;
        }
    }
    return out;
}

std::vector<model::Requirement> requirementsOf(const model::EquationSystem& system)
{
    std::vector<model::Requirement> out;
    for (const model::EquationParameter& p : system.parameters) {
        const expr::Expr value = expr::parameter(p.quantity.name);
        const auto require = [&](const expr::Expr& room, const expr::Expr& bound, const std::string& words) {
            if (!expr::symbolsOf(bound).empty())
                out.push_back({.value = room,
                               .mayBeZero = true,
                               .what = "The value of " + p.quantity.name + " is out of its range",
                               .sentence = true,
                               .where = "parameter " + p.quantity.name,
                               .why = "it must be " + words + " " + expr::printShort(bound),
                               .remedy = "another value of it, or of what the bound is computed from",
                               .position = p.quantity.position});
        };
        require(value - p.minimumFrom, p.minimumFrom, "at least");
        require(p.maximumFrom - value, p.maximumFrom, "at most");
    }
    return out;
}

Result<Values> nearValues(const model::EquationSystem& system, const Values& stated)
{
    Values out = stated;
    if (stated.empty())
        return out;
    model::Model parameters;
    parameters.system.parameters = parametersOf(system);
    parameters.requirements = requirementsOf(system);
    const auto& all = parameters.system.parameters;
    const std::vector<double> values = model::parameterValues(parameters.system, stated);
    if (auto bad = model::checkParameters(parameters, values))
        return *std::move(bad);
    std::unordered_map<std::string, double> known;
    for (std::size_t i = 0; i < all.size(); ++i) {
        known.emplace(all[i].quantity.name, values[i]);
        if (all[i].follows())
            out.try_emplace(all[i].quantity.name, values[i]);
    }
    const auto start = [&](const std::string& name, const expr::Expr& from) {
        if (expr::symbolsOf(from).empty() || out.contains(name))
            return;
        const auto value = expr::evaluate(from, [&known](const expr::Symbol& s) -> std::optional<double> {
            const auto found = known.find(s.name);
            return found == known.end() ? std::nullopt : std::optional(found->second);
        });
        if (value) // a start without one is told where a run is to begin
            out.emplace(name, *value);
    };
    for (const model::EquationUnknown& x : system.unknowns)
        start(x.quantity.name, x.startFrom);
    for (const model::HeldVariable& x : system.held)
        if (x.of < 0)
            start(x.quantity.name, x.startFrom);
    return out;
}

} // namespace driftless::reduction
