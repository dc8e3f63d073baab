// What expressions divide by, and what they switch with: where one of these is zero, an expression may have a pole, a jump or a
// kink.
#pragma once

#include <span>
#include <vector>

#include "core/expr/Expr.h"

namespace driftless::expr {

/// Bases of negative powers, and the cosine of what stands under a tangent; none without a symbol.
std::vector<Expr> divisorsOf(std::span<const Expr> expressions);
/// Arguments of abs and sign, and the difference of what is compared, also by min and max; none without a symbol.
std::vector<Expr> switchesOf(std::span<const Expr> expressions);

} // namespace driftless::expr
