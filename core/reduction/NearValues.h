// The values near which equations are judged: those of the text, with some in their places and all that follows from these.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/base/Result.h"
#include "core/system/ConstrainedSystem.h"
#include "core/system/EquationSystem.h"
#include "core/system/Model.h"

namespace driftless::reduction {

/// Values of parameters and unknowns by name, in place of those of the text.
using Values = std::map<std::string, double>;

/// The parameters of a model of these equations.
std::vector<model::Parameter> parametersOf(const model::EquationSystem& system);
/// That parameters stay within bounds that are computed from others.
std::vector<model::Requirement> requirementsOf(const model::EquationSystem& system);
/// The values that are stated, the parameters that follow from them, and the starts of unknowns and discrete variables that
/// follow from parameters. An error where parameters cannot have such values.
Result<Values> nearValues(const model::EquationSystem& system, const Values& stated);

} // namespace driftless::reduction
