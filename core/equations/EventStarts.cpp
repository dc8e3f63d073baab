#include "core/equations/EventStarts.h"

#include <optional>

namespace driftless::model {

void startConditions(EquationSystem& system, const std::map<std::string, double, std::less<>>& parameters)
{
    std::map<std::string, double, std::less<>> starts = parameters;
    for (const EquationUnknown& x : system.unknowns)
        starts.emplace(x.quantity.name, x.quantity.value);
    for (HeldVariable& held : system.held) {
        if (held.kind == HeldVariable::Kind::Condition) {
            const auto z = expr::evaluate(held.difference, [&starts](const expr::Symbol& s) -> std::optional<double> {
                const auto known = starts.find(s.name);
                return known == starts.end() || s.order > 0 ? 0 : known->second;
            });
            held.quantity.value = z && (*z > 0 || (*z == 0 && !held.strict)) ? 1 : 0;
        } else if (held.of >= 0) {
            const HeldVariable& of = system.held[static_cast<std::size_t>(held.of)];
            held.quantity.value = of.quantity.value;
            held.quantity.unit = of.quantity.unit;
            held.quantity.description = of.quantity.description;
            held.startFrom = of.startFrom;
        }
        starts.emplace(held.quantity.name, held.quantity.value);
    }
}

} // namespace driftless::model
