// The tables [parameters], [[body]], [[joint]], [[force]] and [chart] of a model file.
#pragma once

#include "core/mechanism/Mechanism.h"
#include "core/mechanism/ReadModel.h"
#include "core/text/TomlValue.h"

namespace driftless::model {

/// Throws ReadError: the chart needs one coordinate for each of `coordinates` that `rows` independent constraints leave.
[[noreturn]] void refuseChartSize(const Mechanism& mechanism, int coordinates, int rows);

/// Throws ReadError at the first defect. root is the whole file.
Mechanism readMechanism(const TomlValue& root, const ReadLimits& limits);

} // namespace driftless::model
