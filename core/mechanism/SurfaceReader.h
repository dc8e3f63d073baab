// Curves and surfaces that joints state by expressions in the frame of a body, and the lines that are drawn of them.
#pragma once

#include <array>
#include <vector>

#include "core/mechanism/JointTable.h"

namespace driftless::model {

/// Local coordinates in the expressions of surfaces, by names that no file can write.
const std::array<expr::Expr, 3>& localSymbols();
/// F over the local symbols, t, p; two of a curve of space.
std::vector<expr::Expr> readSurfaces(const JointTable& owner, const char* key);
/// path = { x = "s", y = "s^2", from = -1, to = 1 }: how the curve is drawn, over a number s.
std::vector<VisualPoint> readPath(const JointTable& owner);

} // namespace driftless::model
