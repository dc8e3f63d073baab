#include "core/system/ConstrainedSystem.h"

#include <algorithm>

#include "core/expr/Node.h"
#include "core/system/ConstraintLevels.h"

namespace driftless::model {

int ConstrainedSystem::holonomic() const
{
    return static_cast<int>(
        std::count_if(constraints.begin(), constraints.end(), [](const Constraint& c) { return c.holonomic; }));
}

bool ConstrainedSystem::plainRates() const
{
    // An expression that is a symbol is told by its one node, without a copy of the name.
    return std::all_of(coordinates.begin(), coordinates.end(), [](const Coordinate& c) {
        const expr::Node& n = c.rate.node();
        return n.op == expr::Op::Symbol && n.symbol == c.v && c.v.order == c.q.order + 1 && c.v.name == c.q.name;
    });
}

std::vector<expr::Symbol> ConstrainedSystem::wSymbols() const
{
    std::vector<expr::Symbol> out;
    for (const Constraint& c : constraints)
        out.push_back(c.multiplier);
    for (const DynamicVariable& d : dynamics)
        out.push_back(d.s);
    for (const Effort& e : efforts)
        out.push_back(e.e);
    for (const GeneralValue& x : values)
        out.push_back(x.symbol);
    out.insert(out.end(), idle.begin(), idle.end());
    for (const HeldValue& x : held)
        out.push_back(x.symbol);
    return out;
}

std::vector<std::string> ConstrainedSystem::wNames() const
{
    std::vector<std::string> out;
    for (const expr::Symbol& s : wSymbols())
        out.push_back(s.name);
    for (std::size_t i = 0; i < values.size(); ++i)
        out[out.size() - held.size() - idle.size() - values.size() + i] = values[i].name;
    return out;
}

expr::RateRule motionRule(const ConstrainedSystem& system)
{
    auto rates = std::make_shared<expr::Substitution>();
    for (const Coordinate& c : system.coordinates) {
        rates->emplace(c.q, c.rate);
        rates->emplace(c.v, expr::symbol(c.a));
    }
    for (const DynamicVariable& d : system.dynamics)
        rates->emplace(d.s, d.rate);
    return [rates](const expr::Symbol& s) -> std::optional<expr::Expr> {
        const auto found = rates->find(s);
        return found == rates->end() ? std::nullopt : std::optional<expr::Expr>(found->second);
    };
}

ConstraintLevels::ConstraintLevels(const ConstrainedSystem& system)
    : system_(system), plainRates_(system.plainRates()),
      rule_(plainRates_ && system.dynamics.empty() ? expr::RateRule() : motionRule(system))
{
}

expr::Expr ConstraintLevels::at(int i, int level) const
{
    const Constraint& c = system_.constraints[static_cast<std::size_t>(i)];
    const int order = c.holonomic ? level : std::max(0, level - 1);
    if (order == 0)
        return c.g;
    return rule_ ? expr::timeDerivative(c.g, order, rule_) : expr::timeDerivative(c.g, order);
}

expr::Expr constraintAtLevel(const ConstrainedSystem& system, int i, int level)
{
    return ConstraintLevels(system).at(i, level);
}

} // namespace driftless::model
