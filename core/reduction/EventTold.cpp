#include "core/reduction/EventTold.h"

#include <algorithm>
#include <cmath>

#include "core/base/Index.h"
#include "core/text/Names.h"
#include "core/text/Numbers.h"

namespace driftless::reduction {

namespace {

using model::HeldVariable;

constexpr double kWholeRoom = 1e-9; ///< an Integer may miss a whole number by round-off

} // namespace

std::string namesOfChanged(const std::vector<HeldVariable>& held, const std::vector<double>& before,
                           const std::vector<double>& after)
{
    std::vector<std::string> names;
    for (std::size_t k = 0; k < before.size(); ++k)
        if (before[k] != after[k])
            names.push_back(held[k].quantity.name);
    constexpr std::size_t kShown = 6;
    return text::firstOf(names, kShown);
}

std::optional<Diagnostic> beyondLimits(const std::vector<HeldVariable>& held, const std::vector<double>& values,
                                       const std::string& instant)
{
    for (std::size_t k = 0; k < held.size(); ++k) {
        const model::Quantity& q = held[k].quantity;
        const double number = values[k], room = kWholeRoom * std::max(1.0, std::abs(number));
        if (!(number < q.minimum - room) && !(number > q.maximum + room))
            continue;
        const bool below = number < q.minimum;
        return Diagnostic{.what = q.name + " would become " + text::rounded(number, 12),
                          .where = instant,
                          .why = (below ? "its min is " : "its max is ") + text::rounded(below ? q.minimum : q.maximum, 12),
                          .remedy = "a condition that keeps it inside, or other limits",
                          .position = q.position};
    }
    return std::nullopt;
}

Diagnostic undoesItself(const CompiledEvents& events, std::span<const int> fired, const std::vector<double>& first,
                        const std::vector<double>& last, const std::string& instant)
{
    const std::string& condition = events.held[at(events.conditions[at(fired.front())].held)].quantity.name;
    std::vector<std::string> names;
    for (std::size_t k = 0; k < first.size(); ++k)
        if (first[k] != last[k] && events.held[k].kind != HeldVariable::Kind::Condition)
            names.push_back(events.held[k].quantity.name);
    constexpr std::size_t kShown = 6;
    const std::string with =
        names.empty() ? "with the branch that then holds" : "with what it changes (" + text::firstOf(names, kShown) + ")";
    return {.what = "The event undoes itself",
            .where = instant,
            .why = "'" + condition + "' changes here, " + with + " it would be as before at once, and then it would change",
            .remedy = names.empty()
                          ? "a Boolean b that a 'when' sets, and pre(b) in the equations; or two limits in place of one"
                          : "pre(" + names.front() + ") in place of " + names.front()
                                + " in the equations: its value before the event; or two limits in place of one",
            .position = {}};
}

void tellChanges(const std::vector<HeldVariable>& held, const std::vector<std::string>& names, const std::vector<int>& jumps,
                 const std::vector<double>& before, const std::vector<double>& after, EventOutcome& out)
{
    const std::size_t own = after.size() - held.size();
    for (std::size_t k = 0; k < held.size(); ++k) {
        const double early = before[own + k], late = after[own + k];
        const HeldVariable::Kind kind = held[k].kind;
        if (early != late && held[k].of < 0)
            (kind == HeldVariable::Kind::Condition ? out.switched : out.set)
                .push_back({.name = held[k].quantity.name,
                            .before = early,
                            .after = late,
                            .logical = kind == HeldVariable::Kind::Boolean || kind == HeldVariable::Kind::Condition});
    }
    for (const int place : jumps)
        out.reinit.push_back({.name = names[at(place)], .before = before[at(place)], .after = after[at(place)]});
}

} // namespace driftless::reduction
