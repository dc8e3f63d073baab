// How conditions and pre() of discrete variables begin.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "core/system/EquationSystem.h"

namespace driftless::model {

/// As they are at the start values of the text, where these have a value for them. parameters: their values.
void startConditions(EquationSystem& system, const std::map<std::string, double, std::less<>>& parameters);

} // namespace driftless::model
