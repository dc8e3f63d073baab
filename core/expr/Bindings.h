// Names that are computed from each other, in the order in which they can be.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/expr/Expr.h"

namespace driftless::expr {

/// Places of the names, each behind those that its binding mentions. What is part of a circle, or needs it, is missing. Names
/// that are none of these count as known. Linear in the size of the bindings.
std::vector<std::size_t> orderOf(std::span<const std::string> names, std::span<const Expr> bindings);

} // namespace driftless::expr
