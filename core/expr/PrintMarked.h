// Expressions to text with dummies marked: unknowns that stand in place of a derivative and are solved for, not integrated.
#pragma once

#include <functional>
#include <string>

#include "core/expr/Print.h"

namespace driftless::expr {

using IsDummy = std::function<bool(const Symbol&)>;

/// As print(), but dummies as printDummy() writes them. Marked text does not parse back.
std::string printMarked(const Expr& e, Format format, const IsDummy& isDummy);
/// [bob.x'], \boxed{\dot{x}_{bob}}, <span class="dummy">ẋ<sub>bob</sub></span>.
std::string printDummy(const Symbol& s, Format format);

} // namespace driftless::expr
