// Reads the table [lagrangian]: T, U and functions of the coordinates that abbreviate them.
#pragma once

#include <unordered_set>

#include "core/mechanism/GeneralReader.h"

namespace driftless::model {

/// [lagrangian.functions], before anything over the motion is read: name and name' join the scopes of the positions and of the
/// motion.
void readLagrangianFunctions(const TomlValue& root, Scope& position, Scope& motion, std::unordered_set<std::string>& taken,
                             General& out);
/// T and U; refuses bodies, joints, masses and forces that state the inertia a second time.
void readLagrangian(const TomlValue& root, const Scope& position, const Scope& motion, General& out);

} // namespace driftless::model
