// The tables [[start]]: what is fixed at the start beside coordinates.
#pragma once

#include "core/mechanism/MechanismContext.h"

namespace driftless::model {

void readStart(MechanismContext& context, const TomlValue& value, int number);

} // namespace driftless::model
