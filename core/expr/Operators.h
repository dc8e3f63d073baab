// The operators of the expression language, one row each: name, arity, value, derivative, notation, domain.
// Adding an operator takes an enumerator in Node.h, a row in Operators.cpp and a builder in Functions.cpp.
#pragma once

#include <limits>
#include <span>
#include <string>
#include <string_view>

#include "core/expr/Node.h"

namespace driftless::expr {

/// f(-x) = f(x), or f(-x) = -f(x).
enum class Parity : std::uint8_t { None, Even, Odd };

struct Operator {
    Op op;
    std::string_view name;  ///< in text and in the parser; empty when the operator has a notation of its own
    std::string_view latex; ///< command before the bracketed arguments
    std::string_view html;
    int arity; ///< -1: any number
    Parity parity;
    double (*evaluate)(const Node& node, const double* args);
    /// The differential of the node, given those of its arguments.
    Expr (*differentiate)(const Node& node, std::span<const Expr> dArgs);
    /// Why the arguments are outside the domain; null when every finite argument has a value.
    std::string (*domain)(const double* args);
};

const Operator& operatorRow(Op op);
/// The function of this name, or null.
const Operator* functionNamed(std::string_view name);
std::span<const Operator> operatorTable();

/// Shortest text of a double, for messages.
std::string shortNumber(double v);
/// Why base ^ exponent is no finite number, in words.
std::string powerDomain(double base, double exponent);

// Values that let no NaN vanish: a comparison with NaN is NaN.
inline double signValue(double a) { return a > 0 ? 1.0 : a < 0 ? -1.0 : a; }

inline double minValue(double a, double b) { return a < b ? a : b <= a ? b : a + b; }

inline double maxValue(double a, double b) { return a > b ? a : b >= a ? b : a + b; }

inline double lessValue(double a, double b) { return a < b ? 1.0 : a >= b ? 0.0 : std::numeric_limits<double>::quiet_NaN(); }

inline double lessEqualValue(double a, double b)
{
    return a <= b ? 1.0 : a > b ? 0.0 : std::numeric_limits<double>::quiet_NaN();
}

inline double chosenValue(double condition, double whenTrue, double whenFalse)
{
    return condition == 0 ? whenFalse : condition != condition ? condition : whenTrue;
}

} // namespace driftless::expr
