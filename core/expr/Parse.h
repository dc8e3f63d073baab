// Text to expression. Grammar: numbers, names with dots (bob.x) and primes (bob.x'), + - * / ^ (right
// associative), comparisons < <= > >=, parentheses, function calls, "if c then a else b".
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/Result.h"
#include "core/expr/Expr.h"
#include "core/text/Budget.h"

namespace driftless::expr {

/// Limits against hostile input.
struct ParseLimits {
    std::size_t maxLength = budget::kExpressionLength; ///< characters
    int maxDepth = budget::kExpressionDepth;           ///< nesting of parentheses, calls and unary operators
};

/// What a name in the text stands for; order is the number of primes behind it. nullopt: unknown name.
using NameLookup = std::function<std::optional<Expr>(std::string_view name, int primes)>;

/// Errors name line and column within the text, offset by origin (whose file, line and column are those of the
/// text's first character), and suggest the nearest known name where candidates are given.
Result<Expr> parse(std::string_view text, const NameLookup& lookup, const SourcePosition& origin = {},
                   const std::vector<std::string>& knownNames = {}, const ParseLimits& limits = {});

} // namespace driftless::expr
