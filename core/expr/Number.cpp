#include "core/expr/Number.h"

#include <bit>
#include <cassert>
#include <charconv>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

namespace driftless::expr {
namespace {

__extension__ using Wide = __int128;

constexpr std::int64_t kDecimalLimit = 1'000'000'000'000'000; // 10^15: up to here a decimal survives a double
constexpr int kDecimalDigits = 15;
constexpr double kExactIntegers = 9007199254740992.0; // 2^53

Wide magnitude(Wide a) { return a < 0 ? -a : a; }

Wide gcd(Wide a, Wide b)
{
    a = magnitude(a);
    b = magnitude(b);
    constexpr Wide kNarrow = std::numeric_limits<std::uint64_t>::max();
    if (a <= kNarrow && b <= kNarrow) // divisions of 128 bits take ten times as long
        return std::gcd(static_cast<std::uint64_t>(a), static_cast<std::uint64_t>(b));
    while (b != 0) {
        const Wide r = a % b;
        a = b;
        b = r;
    }
    return a;
}

/// Whether n/d is a decimal of at most 15 digits on either side of the point.
bool shortDecimal(std::int64_t n, std::int64_t d)
{
    int twos = 0;
    int fives = 0;
    while (d % 2 == 0) {
        d /= 2;
        ++twos;
    }
    while (d % 5 == 0) {
        d /= 5;
        ++fives;
    }
    const int places = twos > fives ? twos : fives;
    if (d != 1 || places > kDecimalDigits)
        return false;
    Wide digits = magnitude(n);
    for (int i = twos; i < places; ++i)
        digits *= 2;
    for (int i = fives; i < places; ++i)
        digits *= 5;
    return digits < kDecimalLimit;
}

Number makeExact(Wide n, Wide d, bool decimal)
{
    assert(d != 0);
    if (d != 1)
        if (const Wide common = gcd(n, d); common != 1) {
            n /= common;
            d /= common;
        }
    if (d < 0) {
        n = -n;
        d = -d;
    }
    const Wide limit = decimal && d != 1 ? Wide(kDecimalLimit) : Wide(std::numeric_limits<std::int64_t>::max());
    if (magnitude(n) > limit || d > limit)
        return Number::fromDouble(static_cast<double>(n) / static_cast<double>(d));
    Number out;
    out.numerator = static_cast<std::int64_t>(n);
    out.denominator = static_cast<std::int64_t>(d);
    out.value = static_cast<double>(static_cast<long double>(out.numerator) / static_cast<long double>(out.denominator));
    if (out.denominator < kExactIntegers && magnitude(n) < Wide(kExactIntegers)) // one rounding only
        out.value = static_cast<double>(out.numerator) / static_cast<double>(out.denominator);
    out.decimal = decimal && d != 1 && shortDecimal(out.numerator, out.denominator);
    return out;
}

Number inexact(double v)
{
    Number out;
    out.denominator = 0;
    out.value = v;
    return out;
}

std::optional<std::int64_t> exactRoot(std::int64_t a, std::int64_t degree)
{
    if (a < 0 || degree < 2 || degree > 64)
        return std::nullopt;
    const auto guess =
        static_cast<std::int64_t>(std::llround(std::pow(static_cast<double>(a), 1.0 / static_cast<double>(degree))));
    Wide power = 1;
    for (std::int64_t i = 0; i < degree; ++i) {
        power *= guess;
        if (power > std::numeric_limits<std::int64_t>::max())
            return std::nullopt;
    }
    return power == a ? std::optional(guess) : std::nullopt;
}

std::optional<Number> integerPower(Number base, std::int64_t n)
{
    if (base.value == 0 && n < 0)
        return std::nullopt;
    if (base.isOne() || (base.value == -1 && base.exact()))
        return n % 2 == 0 ? Number::integer(1) : base;
    if (n < -1024 || n > 1024)
        return std::nullopt;
    if (n < 0)
        base = base.exact() ? makeExact(base.denominator, base.numerator, base.decimal) : Number::fromDouble(1 / base.value);
    const bool zero = base.value == 0; // its squares may be 0 and it not
    Number out = Number::integer(1);
    for (std::uint64_t k = static_cast<std::uint64_t>(n < 0 ? -n : n); k > 0; k >>= 1) {
        if (k & 1)
            out = out * base;
        if (k > 1)
            base = base * base;
    }
    return zero || std::isnormal(out.value) ? std::optional(out) : std::nullopt; // below those there are fewer digits
}

/// A whole number that fits, without the detour over fractions.
Number small(std::int64_t n)
{
    Number out;
    out.numerator = n;
    out.value = static_cast<double>(n);
    return out;
}

} // namespace

Number Number::integer(std::int64_t n)
{
    return n == std::numeric_limits<std::int64_t>::min() ? makeExact(n, 1, false) : small(n);
}

Number Number::ratio(std::int64_t numerator, std::int64_t denominator) { return makeExact(numerator, denominator, false); }

Number Number::fromDouble(double v)
{
    if (!std::isfinite(v))
        return inexact(v);
    if (std::abs(v) < kExactIntegers && v == std::trunc(v))
        return integer(static_cast<std::int64_t>(v));
    char text[40];
    const auto end = std::to_chars(text, text + sizeof text, std::abs(v), std::chars_format::scientific).ptr;
    std::int64_t digits = 0;
    int count = 0;
    const char* p = text;
    for (; p != end && *p != 'e'; ++p) {
        if (*p == '.')
            continue;
        if (++count > kDecimalDigits)
            return inexact(v);
        digits = digits * 10 + (*p - '0');
    }
    int exponent = 0;
    if (p != end)
        std::from_chars(p[1] == '+' ? p + 2 : p + 1, end, exponent);
    const int places = count - 1 - exponent;
    if (places <= 0 || places > kDecimalDigits)
        return inexact(v);
    std::int64_t scale = 1;
    for (int i = 0; i < places; ++i)
        scale *= 10;
    return makeExact(v < 0 ? -digits : digits, scale, true);
}

std::size_t Number::hash() const
{
    if (!exact())
        return std::hash<std::uint64_t>()(std::bit_cast<std::uint64_t>(value)) ^ 0x9e3779b97f4a7c15ULL;
    return static_cast<std::size_t>(static_cast<std::uint64_t>(numerator) * 0x9ddfea08eb382d69ULL
                                    ^ static_cast<std::uint64_t>(denominator) * 0xc2b2ae3d27d4eb4fULL);
}

std::string Number::text() const
{
    if (exact() && !decimal) {
        std::string out = std::to_string(numerator);
        if (denominator != 1)
            out += '/' + std::to_string(denominator);
        return out;
    }
    char buffer[64];
    const double a = std::abs(value);
    const bool plain = decimal && a >= 1e-5;
    const auto end = plain ? std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed).ptr
                           : std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
    std::string out(buffer, end);
    // Digits alone would be read as a whole number, which is exact.
    if (!exact() && std::isfinite(value) && out.find_first_of(".e") == std::string::npos)
        out.assign(buffer, std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific).ptr);
    return out;
}

Number operator+(const Number& a, const Number& b)
{
    if (std::int64_t n = 0; a.denominator == 1 && b.denominator == 1 && !__builtin_add_overflow(a.numerator, b.numerator, &n)
                            && n != std::numeric_limits<std::int64_t>::min())
        return small(n);
    if (a.exact() && b.exact()) {
        const Wide left = Wide(a.numerator) * b.denominator;
        const Wide right = Wide(b.numerator) * a.denominator;
        return makeExact(left + right, Wide(a.denominator) * b.denominator, a.decimal || b.decimal);
    }
    return Number::fromDouble(a.value + b.value);
}

Number operator*(const Number& a, const Number& b)
{
    if (std::int64_t n = 0; a.denominator == 1 && b.denominator == 1 && !__builtin_mul_overflow(a.numerator, b.numerator, &n)
                            && n != std::numeric_limits<std::int64_t>::min())
        return small(n);
    if (a.exact() && b.exact())
        return makeExact(Wide(a.numerator) * b.numerator, Wide(a.denominator) * b.denominator, a.decimal || b.decimal);
    return Number::fromDouble(a.value * b.value);
}

Number operator-(const Number& a)
{
    Number out = a;
    out.numerator = -a.numerator;
    out.value = a.value == 0 ? 0 : -a.value;
    return out;
}

int compare(const Number& a, const Number& b)
{
    if (a.exact() && b.exact()) {
        const Wide left = Wide(a.numerator) * b.denominator;
        const Wide right = Wide(b.numerator) * a.denominator;
        return static_cast<int>(left > right) - static_cast<int>(left < right);
    }
    if (a.value != b.value && !(std::isnan(a.value) && std::isnan(b.value)))
        return a.value < b.value || std::isnan(b.value) ? -1 : 1;
    return static_cast<int>(b.exact()) - static_cast<int>(a.exact());
}

std::optional<Number> commonContent(const Number& a, const Number& b)
{
    if (!a.exact() || !b.exact() || a.decimal || b.decimal)
        return std::nullopt;
    const Wide bottom = Wide(a.denominator) / gcd(a.denominator, b.denominator) * b.denominator;
    if (bottom > std::numeric_limits<std::int64_t>::max())
        return std::nullopt;
    return makeExact(gcd(a.numerator, b.numerator), bottom, false);
}

std::optional<Number> foldedPower(const Number& base, const Number& exponent)
{
    if (!exponent.exact())
        return std::nullopt;
    if (exponent.isInteger())
        return integerPower(base, exponent.numerator);
    if (!base.exact() || base.numerator < 0)
        return std::nullopt;
    if (base.isZero())
        return exponent.numerator > 0 ? std::optional(base) : std::nullopt;
    const auto top = exactRoot(base.numerator, exponent.denominator);
    const auto bottom = exactRoot(base.denominator, exponent.denominator);
    if (!top || !bottom)
        return std::nullopt;
    return integerPower(makeExact(*top, *bottom, base.decimal), exponent.numerator);
}

} // namespace driftless::expr
