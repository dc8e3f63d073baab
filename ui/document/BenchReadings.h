// Numbers read from the runs of the open bench.
#pragma once

#include "core/consistency/Doctor.h"
#include "ui/document/OpenBench.h"

namespace driftless::ui {

/// Max norm of q - q(reference) at t; NaN for the reference itself and where one of them has no state.
double deviation(const OpenBench& open, int key, double t);

/// A metric ("residual.position", "energy_error", ...) at t from the recording; NaN when there is none.
double metricAt(const OpenBench& open, int key, const char* column, double t);

/// What the initial-condition doctor says of a start at the present parameters; of a text of equations its positions are the
/// values. Fails where the values cannot be computed.
Result<consistency::Diagnosis> diagnoseStart(const OpenBench& open, const run::StartSettings& start);

} // namespace driftless::ui
