#include "core/reduction/EquationsFrom.h"

#include <algorithm>

#include "core/reduction/EquationAnalysis.h"

namespace driftless::reduction {

namespace {

void setStart(model::EquationSystem& system, const std::string& name, double value)
{
    const auto found = std::ranges::find_if(system.unknowns, [&](const auto& x) { return x.quantity.name == name; });
    if (found == system.unknowns.end())
        return;
    found->quantity.value = value;
    found->started = true;
}

/// q' and q'' become v and v', with a row q' = v for each coordinate.
void stateVelocities(model::EquationSystem& equations, const model::ConstrainedSystem& system)
{
    expr::Substitution map;
    std::vector<model::Equation> rates;
    for (const model::Coordinate& c : system.coordinates) {
        const std::string name = c.q.name + ".v";
        map.emplace(expr::Symbol{.kind = expr::SymbolKind::Variable, .name = c.q.name, .order = 1}, expr::variable(name, 0));
        map.emplace(expr::Symbol{.kind = expr::SymbolKind::Variable, .name = c.q.name, .order = 2}, expr::variable(name, 1));
        rates.push_back({"rate of " + c.name, {}, expr::variable(c.q.name, 1) - expr::variable(name, 0), {}});
        model::EquationUnknown v;
        v.quantity.name = name;
        equations.unknowns.push_back(std::move(v));
    }
    for (model::Equation& equation : equations.equations)
        equation.residual = expr::substitute(equation.residual, map);
    equations.equations.insert(equations.equations.end(), rates.begin(), rates.end());
}

} // namespace

model::EquationSystem equationsFrom(const model::ConstrainedSystem& system, const model::ModelState& start)
{
    model::EquationSystem out = equationsOf(system);
    const bool plain = system.plainRates();
    if (plain)
        stateVelocities(out, system);
    for (std::size_t i = 0; i < system.coordinates.size(); ++i) {
        const model::Coordinate& c = system.coordinates[i];
        setStart(out, c.q.name, start.q[i]);
        setStart(out, plain ? c.q.name + ".v" : c.v.name, start.v[i]);
    }
    const std::vector<expr::Symbol> others = system.wSymbols();
    for (std::size_t k = 0; k < others.size() && k < start.lambda.size(); ++k)
        setStart(out, others[k].name, start.lambda[k]);
    return out;
}

} // namespace driftless::reduction
