// What is told of a mechanism without asking which mode is in force: of its base, where no contact is closed and nothing rubs.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/system/ConstrainedSystem.h"

namespace driftless::app {

/// Adds "mode", how the base is called, and "left_out", the rows that are not in it; says the latter on standard error, too.
/// Null and empty where the model has one mode.
void addBaseMode(const model::ConstrainedSystem& system, nlohmann::ordered_json& out);

} // namespace driftless::app
