// Events of a run by their data: what was commanded, corrected or said, whatever words are made of it.
#pragma once

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include "core/run/Event.h"
#include "core/run/Run.h"

namespace driftless::test {

/// Whether an event of this detail is among them of which `holds` is true.
template <class Detail, class Holds>
bool happened(const std::vector<run::Event>& events, const Holds& holds)
{
    return std::ranges::any_of(events, [&](const run::Event& e) {
        const auto* detail = e.as<Detail>();
        return detail && holds(*detail);
    });
}
template <class Detail>
bool happened(const std::vector<run::Event>& events)
{
    return happened<Detail>(events, [](const Detail&) { return true; });
}

/// The modes that a run came to, in their order.
inline std::vector<std::string> modesOf(const run::Run& run)
{
    std::vector<std::string> out;
    for (const run::Event& e : run.events())
        if (const auto* change = e.as<run::ModeChange>())
            out.push_back(change->to);
    return out;
}

/// Whether a command with this payload was carried out of which `holds` is true.
template <class Payload, class Holds>
bool commanded(const std::vector<run::Event>& events, const Holds& holds)
{
    return happened<run::CommandDone>(events, [&](const run::CommandDone& done) {
        const auto* payload = std::get_if<Payload>(&done.payload);
        return payload && holds(*payload);
    });
}
inline bool valueWasSet(const std::vector<run::Event>& events, const std::string& name)
{
    return commanded<run::SetState>(events, [&](const run::SetState& set) { return set.values.contains(name); });
}
/// Values were asked for that the constraints did not allow; with a name, that of one of them.
inline bool valueWasMissed(const std::vector<run::Event>& events, const std::string& name = {})
{
    return happened<run::ValuesCorrected>(events, [&](const run::ValuesCorrected& corrected) {
        return std::ranges::any_of(corrected.missed, [&](const auto& miss) { return name.empty() || miss.name == name; });
    });
}

} // namespace driftless::test
