// Expressions to text in which some symbols are written in another way: dummies, unknowns that stand in place of a derivative
// and are solved for, not integrated; and what conditions of events mention, pre(x) or the instants of a clock.
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

/// How a symbol is written; empty: as print() writes it.
using SymbolWriter = std::function<std::string(const Symbol&)>;
/// As print(), with the symbols of the writer.
std::string printWith(const Expr& e, Format format, const SymbolWriter& writer);
/// The same of an expression that is true or false: with the signs of and, or and not, and 1 and 0 as words.
std::string printLogical(const Expr& e, Format format, const SymbolWriter& writer);

} // namespace driftless::expr
