// The tables [[output]]: expressions over the motion, and sensors.
#pragma once

#include "core/mechanism/MechanismContext.h"

namespace driftless::model {

/// The kinds by their words; "expression" is the first.
const KeyList& outputWords();

/// First pass, with the mechanism: what a sensor looks at.
void readOutput(MechanismContext& context, const TomlValue& value, int number);
/// Second pass: expressions may use multipliers, accelerations and the outputs before them, whose names only the assembled
/// system knows. Throws ReadError.
void readOutputExpressions(const TomlValue& root, Mechanism& mechanism, ConstrainedSystem& system);

} // namespace driftless::model
