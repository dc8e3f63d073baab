// Models that state T and U: the equations that are derived are Lagrange's, at any q, v, a and t:
//
//   M a - f = d/dt dL/dv - dL/dq,   L = T - U      (where no other force acts)
#include "tests/fuzz/Energy.h"

#include "core/mechanism/ReadModel.h"

using namespace driftless;
using namespace driftless::fuzz;

namespace {

void checkLagrange(const model::ConstrainedSystem& s, Drawn drawn, const std::string& told)
{
    const expr::Expr L = s.lagrangian->kinetic - s.lagrangian->potential;
    if (expr::derivativeSize(L, 2) > Budget::kTerms)
        return;
    std::vector<double> values;
    for (std::size_t i = 0; i < 3 * s.coordinates.size() + 1; ++i)
        values.push_back(drawn.between(-1.5, 1.5));
    const auto at = [&](const expr::Expr& e) {
        return expr::evaluate(e,
                              [&](const expr::Symbol& wanted) -> std::optional<double> {
                                  if (wanted.kind == expr::SymbolKind::Time)
                                      return values.back();
                                  for (const auto& p : s.parameters)
                                      if (p.symbol == wanted)
                                          return p.quantity.value;
                                  for (std::size_t i = 0; i < s.coordinates.size(); ++i)
                                      for (int order = 0; const expr::Symbol& symbol :
                                                          {s.coordinates[i].q, s.coordinates[i].v, s.coordinates[i].a}) {
                                          if (symbol == wanted)
                                              return values[3 * i + static_cast<std::size_t>(order)];
                                          ++order;
                                      }
                                  return std::nullopt;
                              })
            .value_or(NAN);
    };
    const expr::RateRule rule = model::motionRule(s);
    for (std::size_t i = 0; i < s.coordinates.size(); ++i) {
        const auto& c = s.coordinates[i];
        double left[3], size = 0;
        const std::vector<double> centre = values;
        for (double& l : left) {
            const double momentum = at(expr::timeDerivative(expr::derivative(L, c.v), 1, rule)),
                         slope = at(expr::derivative(L, c.q)), force = at(s.force[i]);
            l = momentum - slope + force;
            size = std::abs(momentum) + std::abs(slope) + std::abs(force);
            for (const auto& m : s.mass)
                if (m.row == static_cast<int>(i))
                    l -= at(m.value * expr::symbol(s.coordinates[static_cast<std::size_t>(m.column)].a));
            for (double& v : values)
                v *= 1 + drawn.between(-1e-9, 1e-9);
        }
        values = centre;
        if (!std::isfinite(left[0]) || !std::isfinite(left[1]) || !std::isfinite(left[2]) || !std::isfinite(size))
            continue;
        const auto [least, most] = std::minmax({left[0], left[1], left[2]});
        const bool same = least * most > 0 && most - least < 0.1 * std::abs(least); // round-off differs from point to point
        check(!same || std::abs(least) <= 1e-6 * size, "the equations are Lagrange's",
              told + "\ncoordinate " + c.name + ", left over " + std::to_string(least) + " of " + std::to_string(size));
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string text(textOf(data, size));
    const auto read = model::readModel(text, "input.toml", modelLimits());
    if (!read || !(*read)->system.lagrangian)
        return 0;
    const model::ConstrainedSystem& s = (*read)->system;
    if (text.find("[[force]]") == std::string::npos && text.find("force") == std::string::npos && s.efforts.empty()
        && s.dynamics.empty() && s.plainRates())
        checkLagrange(s, Drawn(text), text);
    if (const PowerBalance balance(s); balance.applies())
        balance.check(Drawn(text), text);
    return 0;
}
