// The tables [[input]]: what acts from outside as a function of time.
#pragma once

#include "core/mechanism/MechanismContext.h"

namespace driftless::model {

/// A number becomes a parameter, with a slider; an expression or a table becomes a function of t.
void readInput(MechanismContext& context, const TomlValue& value, int number);

} // namespace driftless::model
