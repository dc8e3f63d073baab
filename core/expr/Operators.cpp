#include "core/expr/Operators.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/expr/FunctionNames.h"
#include "core/text/Numbers.h"

namespace driftless::expr {

std::string powerDomain(double base, double exponent)
{
    if (base == 0 && exponent < 0)
        return exponent == -1 ? "division by zero" : "0 to the negative power " + text::exact(exponent);
    if (base < 0 && exponent != std::trunc(exponent)) {
        if (exponent == 0.5)
            return "square root of " + text::exact(base);
        return text::exact(base) + " to the power " + text::exact(exponent) + " is no real number";
    }
    return {};
}

namespace {

using Differentials = std::span<const Expr>;

Expr zeroDifferential(const Node&, Differentials) { return {}; }

double evaluateSum(const Node& n, const double* a)
{
    double total = 0;
    for (std::size_t i = 0; i < n.args.size(); ++i)
        total += n.weights[i].value * a[i];
    return total + n.number.value;
}

Expr differentiateSum(const Node& n, Differentials d)
{
    std::vector<std::pair<Expr, Number>> terms;
    for (std::size_t i = 0; i < d.size(); ++i)
        if (!d[i].isZero())
            terms.emplace_back(d[i], n.weights[i]);
    return weightedSum({}, std::move(terms));
}

double evaluateProduct(const Node& n, const double* a)
{
    double total = n.number.value;
    for (std::size_t i = 0; i < n.args.size(); ++i)
        total *= a[i];
    return total;
}

Expr differentiateProduct(const Node& n, Differentials d)
{
    std::vector<std::pair<Expr, Number>> terms;
    for (std::size_t i = 0; i < d.size(); ++i) {
        if (d[i].isZero())
            continue;
        std::vector<Expr> factors = n.args;
        factors[i] = d[i];
        terms.emplace_back(product(factors), n.number);
    }
    return weightedSum({}, std::move(terms));
}

Expr differentiatePower(const Node& n, Differentials d)
{
    const Expr& base = n.args[0];
    const Expr& exponent = n.args[1];
    Expr out;
    if (!d[0].isZero())
        out = exponent * pow(base, exponent - 1) * d[0];
    if (!d[1].isZero())
        out = out + pow(base, exponent) * log(base) * d[1];
    return out;
}

std::string domainOfPower(const double* a) { return powerDomain(a[0], a[1]); }

std::string domainOfArcus(const double* a)
{
    return std::abs(a[0]) > 1 ? "argument " + text::exact(a[0]) + " outside [-1, 1]" : std::string();
}

std::string domainOfLog(const double* a) { return a[0] <= 0 ? "logarithm of " + text::exact(a[0]) : std::string(); }

Expr square(const Expr& a) { return pow(a, 2); }

Expr differentiateAtan2(const Node& n, Differentials d)
{
    const Expr& y = n.args[0];
    const Expr& x = n.args[1];
    return (x * d[0] - y * d[1]) / (square(x) + square(y));
}

Expr differentiateMin(const Node& n, Differentials d) { return ifThenElse(less(n.args[0], n.args[1]), d[0], d[1]); }

Expr differentiateMax(const Node& n, Differentials d) { return ifThenElse(less(n.args[1], n.args[0]), d[0], d[1]); }

constexpr auto kNone = Parity::None;
constexpr auto kOdd = Parity::Odd;
constexpr auto kEven = Parity::Even;

#define VALUE(expression) [](const Node&, const double* a) -> double { return expression; }
#define SLOPE(expression)                                                                                                      \
    [](const Node& n, Differentials d) -> Expr {                                                                               \
        const Expr& a = n.args[0];                                                                                             \
        return (expression)*d[0];                                                                                              \
    }

const Operator kTable[] = {
    {Op::Constant, "", "", "", 0, kNone, [](const Node& n, const double*) { return n.number.value; }, zeroDifferential,
     nullptr},
    {Op::Pi, "pi", "\\pi", "π", 0, kNone, [](const Node&, const double*) { return std::numbers::pi; }, zeroDifferential,
     nullptr},
    {Op::Symbol, "", "", "", 0, kNone, [](const Node&, const double*) { return std::numeric_limits<double>::quiet_NaN(); },
     zeroDifferential, nullptr},
    {Op::Add, "", "", "", -1, kNone, evaluateSum, differentiateSum, nullptr},
    {Op::Mul, "", "", "", -1, kNone, evaluateProduct, differentiateProduct, nullptr},
    {Op::Pow, "", "", "", 2, kNone, VALUE(std::pow(a[0], a[1])), differentiatePower, domainOfPower},
    {Op::Abs, "abs", "", "", 1, kEven, VALUE(std::abs(a[0])), SLOPE(sign(a)), nullptr},
    {Op::Sign, "sign", "\\operatorname{sgn}", "sgn", 1, kOdd, VALUE(signValue(a[0])), zeroDifferential, nullptr},
    {Op::Sin, "sin", "\\sin", "sin", 1, kOdd, VALUE(std::sin(a[0])), SLOPE(cos(a)), nullptr},
    {Op::Cos, "cos", "\\cos", "cos", 1, kEven, VALUE(std::cos(a[0])), SLOPE(-sin(a)), nullptr},
    {Op::Tan, "tan", "\\tan", "tan", 1, kOdd, VALUE(std::tan(a[0])), SLOPE(1 + square(tan(a))), nullptr},
    {Op::Asin, "asin", "\\arcsin", "arcsin", 1, kOdd, VALUE(std::asin(a[0])), SLOPE(1 / sqrt(1 - square(a))), domainOfArcus},
    {Op::Acos, "acos", "\\arccos", "arccos", 1, kNone, VALUE(std::acos(a[0])), SLOPE(-1 / sqrt(1 - square(a))), domainOfArcus},
    {Op::Atan, "atan", "\\arctan", "arctan", 1, kOdd, VALUE(std::atan(a[0])), SLOPE(1 / (1 + square(a))), nullptr},
    {Op::Atan2, "atan2", "\\operatorname{atan2}", "atan2", 2, kNone, VALUE(std::atan2(a[0], a[1])), differentiateAtan2,
     nullptr},
    {Op::Sinh, "sinh", "\\sinh", "sinh", 1, kOdd, VALUE(std::sinh(a[0])), SLOPE(cosh(a)), nullptr},
    {Op::Cosh, "cosh", "\\cosh", "cosh", 1, kEven, VALUE(std::cosh(a[0])), SLOPE(sinh(a)), nullptr},
    {Op::Tanh, "tanh", "\\tanh", "tanh", 1, kOdd, VALUE(std::tanh(a[0])), SLOPE(1 - square(tanh(a))), nullptr},
    {Op::Exp, "exp", "\\exp", "exp", 1, kNone, VALUE(std::exp(a[0])), SLOPE(exp(a)), nullptr},
    {Op::Log, "log", "\\ln", "ln", 1, kNone, VALUE(std::log(a[0])), SLOPE(1 / a), domainOfLog},
    {Op::Min, "min", "\\min", "min", 2, kNone, VALUE(minValue(a[0], a[1])), differentiateMin, nullptr},
    {Op::Max, "max", "\\max", "max", 2, kNone, VALUE(maxValue(a[0], a[1])), differentiateMax, nullptr},
    {Op::Less, "", "<", "&lt;", 2, kNone, VALUE(lessValue(a[0], a[1])), zeroDifferential, nullptr},
    {Op::LessEqual, "", "\\le", "≤", 2, kNone, VALUE(lessEqualValue(a[0], a[1])), zeroDifferential, nullptr},
    {Op::IfThenElse, "", "", "", 3, kNone, VALUE(chosenValue(a[0], a[1], a[2])),
     [](const Node& n, Differentials d) { return ifThenElse(n.args[0], d[1], d[2]); }, nullptr},
};

#undef VALUE
#undef SLOPE

static_assert(std::size(kTable) == kOpCount, "one row per operator");

} // namespace

const Operator& operatorRow(Op op)
{
    const Operator& row = kTable[static_cast<std::size_t>(op)];
    assert(row.op == op);
    return row;
}

const Operator* functionNamed(std::string_view name)
{
    for (const Operator& row : kTable)
        if (row.arity > 0 && !row.name.empty() && row.name == name)
            return &row;
    return nullptr;
}

std::span<const Operator> operatorTable() { return kTable; }

const std::vector<std::string>& functionNames()
{
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all{"sqrt"}; // a power in the graph
        for (const Operator& row : kTable)
            if (row.arity > 0 && !row.name.empty())
                all.emplace_back(row.name);
        std::sort(all.begin(), all.end());
        return all;
    }();
    return names;
}

} // namespace driftless::expr
