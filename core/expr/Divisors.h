// What expressions divide by: where one of these is zero, an expression may have a pole.
#pragma once

#include <span>
#include <vector>

#include "core/expr/Expr.h"

namespace driftless::expr {

/// Bases of negative powers, and the cosine of what stands under a tangent; none without a symbol.
std::vector<Expr> divisorsOf(std::span<const Expr> expressions);

} // namespace driftless::expr
