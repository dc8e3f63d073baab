// Expression to text: plain (parses back), LaTeX, and rich text (HTML subset with Unicode dots, primes, subscripts, Greek).
#pragma once

#include <string>

#include "core/expr/Expr.h"

namespace driftless::expr {

enum class Format { Text, Latex, Html };

std::string print(const Expr& e, Format format = Format::Text);
/// Plain text for messages, cut to a readable length.
std::string printShort(const Expr& e);
/// One symbol as the format writes it: bob.x' is bob.x', \dot{x}_{bob}, ẋ<sub>bob</sub>.
std::string print(const Symbol& s, Format format);

} // namespace driftless::expr
