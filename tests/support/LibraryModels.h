// The mechanisms of the library: those that stand in rows [[library]] of the table of outcomes, not in [[case]] rows. What is
// laborious (a thousand seconds, every method) is done with the others.
#pragma once

#include <toml++/toml.h>

#include <set>
#include <string>

#include "core/formulation/Formulation.h"

namespace driftless::testing {

inline const std::set<std::string>& libraryModels()
{
    static const std::set<std::string> names = [] {
        std::set<std::string> out;
        const toml::table file = toml::parse_file(DRIFTLESS_SOURCE_DIR "/resources/expected/outcomes.toml");
        for (const auto& node : *file["library"].as_array())
            out.insert((*node.as_table())["model"].value_or(""));
        return out;
    }();
    return names;
}

/// Forms that need M^-1: a quaternion has no inertia along itself, so that they are refused where there is one.
inline bool solvesWithMassAlone(const std::string& form)
{
    const auto* found = formulation::findFormulation(form);
    return found && found->info().massAlone;
}

/// Whether a model has a quaternion, by the names of its coordinates.
template <class System>
bool hasQuaternion(const System& system)
{
    for (const auto& c : system.coordinates)
        if (c.name.ends_with(".e0"))
            return true;
    return false;
}

} // namespace driftless::testing
