// What a model requires of its parameters, as numbers.
#include <cmath>
#include <limits>
#include <unordered_map>

#include "core/expr/Operators.h"
#include "core/expr/Print.h"
#include "core/system/EquationSystem.h"
#include "core/system/Model.h"
#include "core/text/Numbers.h"

namespace driftless::model {

using expr::Symbol;

Diagnostic unmet(const Requirement& r, double x)
{
    if (r.sentence)
        return {.what = r.what, .where = r.where, .why = r.why, .remedy = r.remedy, .position = r.position};
    if (!std::isfinite(x))
        return {.what = "The " + r.what + " is not a finite number",
                .where = r.where,
                .why = "the expression left its domain",
                .remedy = "check the expression and the parameters",
                .position = r.position};
    return {.what = "The " + r.what + " is " + (x == 0 ? "zero" : "negative"),
            .where = r.where,
            .why = r.why,
            .remedy = r.remedy,
            .position = r.position};
}

std::optional<Diagnostic> firstUnmet(const std::vector<Requirement>& requirements,
                                     const std::function<std::optional<double>(const Symbol&)>& valueOf)
{
    for (const Requirement& r : requirements) {
        const double x = expr::evaluate(r.value, valueOf).value_or(std::numeric_limits<double>::quiet_NaN());
        if (std::isfinite(x) && (x > 0 || (x == 0 && r.mayBeZero)))
            continue;
        return unmet(r, x);
    }
    return std::nullopt;
}

std::optional<Diagnostic> checkParameters(const Model& model, std::span<const double> values)
{
    std::unordered_map<Symbol, double, expr::SymbolHash> known{{*expr::time().symbol(), 0.0}};
    for (std::size_t i = 0; i < values.size(); ++i) {
        const Quantity& q = model.system.parameters[i].quantity;
        const double x = values[i];
        known[model.system.parameters[i].symbol] = x;
        const Parameter& p = model.system.parameters[i];
        const auto refused = [&](const std::string& why) {
            const std::string what = std::isnan(x) ? "The value of " + q.name + " is not a number"
                                                   : "The value " + text::exact(x) + " of " + q.name + " is out of its range";
            return Diagnostic{.what = what,
                              .where = "parameter " + q.name,
                              .why =
                                  why + (p.follows() ? "; unless it is set itself, it is " + expr::printShort(p.binding) : ""),
                              .remedy = p.follows() ? "a value in that range, or other values of what it is computed from"
                                                    : "a value in that range"};
        };
        if (!std::isfinite(x))
            return refused("it must be a finite number");
        if (p.logical && x != 0 && x != 1)
            return refused("it must be 1 (true) or 0 (false)");
        if (p.whole && x != std::trunc(x))
            return refused("it must be a whole number");
        if (p.whole && std::abs(x) >= kLargestWhole)
            return refused("it must be below 2^53");
        if (q.positive && !(x > 0))
            return refused("it must be above zero");
        if (x != q.value && (x < q.minimum || x > q.maximum))
            return refused("it must lie between " + text::exact(q.minimum) + " and " + text::exact(q.maximum));
    }
    return firstUnmet(model.requirements, [&known](const Symbol& s) -> std::optional<double> {
        const auto found = known.find(s);
        return found == known.end() ? std::nullopt : std::optional<double>(found->second);
    });
}

} // namespace driftless::model
