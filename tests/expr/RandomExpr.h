// Random expressions with an independent value: every tree is built twice, as an Expr, which simplifies, and as plain
// arithmetic that keeps a bound of its round-off under any reordering of sums and products.
#pragma once

#include <cmath>
#include <limits>
#include <random>

#include "core/expr/Expr.h"

namespace driftless::expr {

struct Valued {
    Expr e;
    double value = 0;
    double magnitude = 0; ///< of the sum of absolute values of all expanded terms
    double error = 0;     ///< absolute, first order
};

class RandomExpr {
public:
    explicit RandomExpr(unsigned seed) : engine_(seed) {}

    static constexpr double kPoint[] = {0.7, -1.3, 0.45, 1.9};
    static Symbol symbolAt(int i)
    {
        const char* const names[] = {"x", "y", "bob.z", "L"};
        return {i == 3 ? SymbolKind::Parameter : SymbolKind::Variable, names[i], i == 1 ? 1 : 0};
    }
    static std::optional<double> valueOf(const Symbol& s)
    {
        for (int i = 0; i < 4; ++i)
            if (s == symbolAt(i))
                return kPoint[i];
        return std::nullopt;
    }

    Valued tree(int depth)
    {
        if (depth == 0)
            return leaf();
        switch (pick(12)) {
        case 0:
        case 1:
            return add(tree(depth - 1), tree(depth - 1), 1);
        case 2:
            return add(tree(depth - 1), tree(depth - 1), -1);
        case 3:
        case 4:
        case 5:
            return times(tree(depth - 1), tree(depth - 1));
        case 6: {
            const Valued a = tree(depth - 1);
            return times(times(a, a), a, pow(a.e, 3));
        }
        case 7:
            return bounded(
                tree(depth - 1), [](const Expr& e) { return sin(e); }, [](double v) { return std::sin(v); });
        case 8:
            return bounded(
                tree(depth - 1), [](const Expr& e) { return cos(e); }, [](double v) { return std::cos(v); });
        case 9:
            return bounded(
                tree(depth - 1), [](const Expr& e) { return atan(e); }, [](double v) { return std::atan(v); });
        case 10:
            return over(tree(depth - 1), tree(depth - 1));
        default:
            return bounded(
                tree(depth - 1), [](const Expr& e) { return max(abs(e), Expr(0.25)); },
                [](double v) { return std::max(std::abs(v), 0.25); });
        }
    }

private:
    static constexpr double kUnit = std::numeric_limits<double>::epsilon();

    int pick(int n) { return std::uniform_int_distribution<int>(0, n - 1)(engine_); }

    Valued leaf()
    {
        if (const int i = pick(6); i < 4)
            return {symbol(symbolAt(i)), kPoint[i], std::abs(kPoint[i]), 0};
        if (pick(2) == 0) {
            const int p = pick(9) - 4;
            const int q = 1 + pick(3);
            const double v = static_cast<double>(p) / q;
            return {rational(p, q), v, std::abs(v), kUnit * std::abs(v)};
        }
        const double v = (pick(41) - 20) / 8.0 + 0.1;
        return {Expr(v), v, std::abs(v), kUnit * std::abs(v)};
    }

    static Valued add(const Valued& a, const Valued& b, int sign)
    {
        const double magnitude = a.magnitude + b.magnitude;
        return {sign > 0 ? a.e + b.e : a.e - b.e, a.value + sign * b.value, magnitude, a.error + b.error + kUnit * magnitude};
    }

    static Valued times(const Valued& a, const Valued& b, std::optional<Expr> e = {})
    {
        const double magnitude = a.magnitude * b.magnitude;
        return {e ? *e : a.e * b.e, a.value * b.value, magnitude,
                a.magnitude * b.error + b.magnitude * a.error + kUnit * magnitude};
    }

    /// a / (2 + b^2), whose denominator does not vanish.
    static Valued over(const Valued& a, const Valued& b)
    {
        const Valued square = times(b, b);
        const double bottom = 2 + square.value;
        const double bottomError = square.error + kUnit * (2 + square.magnitude);
        const double magnitude = a.magnitude / bottom * ((2 + square.magnitude) / bottom);
        return {a.e / (2 + pow(b.e, 2)), a.value / bottom, magnitude,
                a.error / bottom + a.magnitude * bottomError / (bottom * bottom) + 2 * kUnit * magnitude};
    }

    /// A function whose slope is at most 1.
    template <typename Build, typename Value>
    static Valued bounded(const Valued& a, const Build& build, const Value& value)
    {
        const double v = value(a.value);
        return {build(a.e), v, std::max(std::abs(v), 1.0), a.error + 2 * kUnit};
    }

    std::mt19937 engine_;
};

} // namespace driftless::expr
