#include "core/reduction/EventTold.h"

#include <algorithm>
#include <cmath>

#include "core/base/Index.h"
#include "core/text/Names.h"
#include "core/text/Numbers.h"

namespace driftless::reduction {

namespace {

using model::EventAction;
using model::HeldVariable;

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

Diagnostic comesToNoEnd(const std::vector<HeldVariable>& held, const std::vector<double>& before,
                        const std::vector<double>& after, const std::string& instant)
{
    std::size_t others = 0;
    for (std::size_t k = 0; k < before.size(); ++k)
        others += before[k] != after[k];
    return {.what = "The event comes to no end",
            .where = instant,
            .why = others == 0
                       ? "what is reinitialised goes on changing at one instant"
                       : namesOfChanged(held, before, after) + (others == 1 ? " goes" : " go") + " on changing at one instant",
            .remedy = "conditions that do not undo each other, such as one with pre(), or two limits instead of one",
            .position = {}};
}

std::optional<Diagnostic> takeKind(const HeldVariable& variable, double& number, const std::string& instant,
                                   const SourcePosition& position)
{
    if (variable.kind == HeldVariable::Kind::Real)
        return std::nullopt;
    const auto refused = [&](std::string why, std::string remedy, int digits = 8) {
        return Diagnostic{.what = variable.quantity.name + " would become " + text::rounded(number, digits),
                          .where = instant,
                          .why = std::move(why),
                          .remedy = std::move(remedy),
                          .position = position};
    };
    if (std::abs(number - std::round(number)) > kWhole * std::max(1.0, std::abs(number)))
        return refused("it is an Integer", "a whole number, or declare it as discrete Real");
    if (variable.kind == HeldVariable::Kind::Integer && std::abs(number) >= model::kLargestWhole)
        return refused("from 2^53 on a whole number is not told apart from its neighbours",
                       "a smaller number, or declare it as discrete Real", 17);
    number = variable.kind == HeldVariable::Kind::Boolean ? number != 0 : std::round(number);
    return std::nullopt;
}

std::optional<Diagnostic> beyondLimits(const std::vector<HeldVariable>& held, const std::vector<double>& values,
                                       const std::string& instant)
{
    for (std::size_t k = 0; k < held.size(); ++k) {
        const model::Quantity& q = held[k].quantity;
        const double number = values[k], room = kWhole * std::max(1.0, std::abs(number));
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

bool isSetByWhen(const CompiledEvents& events, std::size_t held)
{
    return std::ranges::any_of(events.statements, [held](const CompiledEvents::Statement& s) {
        return std::ranges::any_of(s.branches, [held](const CompiledEvents::Branch& b) {
            return std::ranges::any_of(b.actions, [held](const CompiledEvents::Action& a) {
                return a.stated.kind == EventAction::Kind::Set && a.place == static_cast<int>(held);
            });
        });
    });
}

Diagnostic undoesItself(const CompiledEvents& events, std::span<const int> fired, const std::vector<double>& first,
                        const std::vector<double>& last, const std::string& instant)
{
    const CompiledEvents::Condition& fires = events.conditions[at(fired.front())];
    const std::string& condition = events.held[at(fires.held)].quantity.name;
    std::vector<std::string> changed, set;
    for (std::size_t k = 0; k < first.size(); ++k) {
        if (first[k] == last[k] || events.held[k].kind == HeldVariable::Kind::Condition)
            continue;
        changed.push_back(events.held[k].quantity.name);
        if (isSetByWhen(events, k))
            set.push_back(changed.back());
    }
    constexpr std::size_t kShown = 6;
    const bool becomes = last[at(fires.held)] < 0.5;
    return {.what = "The event undoes itself",
            .where = instant,
            .why = "'" + condition + "' becomes " + (becomes ? "true" : "false") + " here. "
                   + (changed.empty() ? "What holds then makes it "
                                      : "Then " + text::firstOf(changed, kShown) + (changed.size() > 1 ? " change" : " changes")
                                            + ", and that makes it ")
                   + (becomes ? "false" : "true") + " again at once",
            .remedy = (set.empty() ? std::string()
                                   : "pre(" + set.front() + ") in place of " + set.front()
                                         + " in the equations, which is its value before the event; or ")
                      + "two limits in place of one",
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
