// A system of equations as text in the Modelica subset that EquationModel.h reads.
#pragma once

#include <string>

#include "core/equations/EquationModel.h"

namespace driftless::model {

/// Parameters, unknowns with their start values, and every equation as `residual = 0`. Names become identifiers: bob.x is
/// bob_x. Reading the text gives the same equations in the same order.
std::string modelicaText(const EquationSystem& system, const std::string& name, const std::string& description = {},
                         double end = 10);

} // namespace driftless::model
