// Text to expression. Grammar: numbers, names with dots (bob.x) and primes (bob.x'), + - * / ^ (right
// associative), comparisons < <= > >=, parentheses, function calls, "if c then a else b".
#pragma once

#include <functional>
#include <optional>
#include <span>
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

/// A language that says more: comparisons and functions with a meaning of its own, and the words and, or, not, true, false and
/// elseif with the signs == and <>. What is true is 1, what is not is 0.
class Dialect {
public:
    virtual ~Dialect() = default;
    /// left > right, where strict, or left >= right. written: as a person reads it.
    virtual Expr relation(const Expr& left, const Expr& right, bool strict, const std::string& written) = 0;
    virtual bool knows(std::string_view function) const = 0;
    /// Before and behind the arguments of a function that it knows.
    virtual void enter(std::string_view /*function*/) {}
    virtual void leave(std::string_view /*function*/) {}
    /// The error says what alone is wrong: the place is added.
    virtual Result<Expr> call(std::string_view function, std::span<const Expr> arguments) = 0;
    /// Why this cannot be true or false; empty where it can.
    virtual std::string whyNotLogical(const Expr& e) const = 0;
    /// Why these cannot be compared by == and <>; empty where they can.
    virtual std::string whyNotEqual(const Expr& /*left*/, const Expr& /*right*/) const { return {}; }
    /// At the end of a text. truth: it is true or false, and no number.
    virtual void hasRead(bool /*truth*/) {}
};

/// Errors name line and column within the text, offset by origin (whose file, line and column are those of the
/// text's first character), and suggest the nearest known name where candidates are given.
Result<Expr> parse(std::string_view text, const NameLookup& lookup, const SourcePosition& origin = {},
                   const std::vector<std::string>& knownNames = {}, const ParseLimits& limits = {}, Dialect* dialect = nullptr);

/// Whether e can be nothing but 1 or 0. ofSymbol: which symbols are.
bool isLogical(const Expr& e, const std::function<bool(const Symbol&)>& ofSymbol);
/// A condition that a number is made of, as in 2*b: the first one, or nullopt. ofSymbol: which symbols are true or false.
std::optional<Expr> conditionInNumber(const Expr& number, const std::function<bool(const Symbol&)>& ofSymbol);
/// With something else in place of each comparison left < right (strict) or left <= right.
Expr replaceRelations(const Expr& e, const std::function<Expr(const Expr& left, const Expr& right, bool strict)>& by);
/// Of what is true or not: 1 or 0.
Expr logicalAnd(const Expr& a, const Expr& b);
Expr logicalOr(const Expr& a, const Expr& b);
Expr logicalNot(const Expr& a);

} // namespace driftless::expr
