// The operators of the expression language, one row each: name, arity, value, derivative, notation, domain.
// Adding an operator takes an enumerator in Node.h, a row in Operators.cpp and a builder in Functions.cpp.
#pragma once

#include <cmath>
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

/// Why base ^ exponent is no finite number, in words.
std::string powerDomain(double base, double exponent);

// Values that let no NaN vanish: a comparison with NaN is NaN.
inline double signValue(double a)
{
    if (a > 0)
        return 1;
    return a < 0 ? -1 : a;
}

inline double minValue(double a, double b)
{
    if (a < b)
        return a;
    return b <= a ? b : a + b;
}

inline double maxValue(double a, double b)
{
    if (a > b)
        return a;
    return b >= a ? b : a + b;
}

inline double lessValue(double a, double b)
{
    if (a < b)
        return 1;
    return a >= b ? 0 : std::numeric_limits<double>::quiet_NaN();
}

inline double lessEqualValue(double a, double b)
{
    if (a <= b)
        return 1;
    return a > b ? 0 : std::numeric_limits<double>::quiet_NaN();
}

inline double chosenValue(double condition, double whenTrue, double whenFalse)
{
    if (condition == 0)
        return whenFalse;
    return std::isnan(condition) ? condition : whenTrue;
}

} // namespace driftless::expr
