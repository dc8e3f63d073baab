// Constants of the expression graph: exact rationals as long as they fit, doubles beyond.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace driftless::expr {

/// A rational number in lowest terms (denominator > 0), or a double that is no short decimal (denominator 0).
/// A decimal such as 0.1 is kept as the exact 1/10 and remembers that it is read best as a decimal.
struct Number {
    std::int64_t numerator = 0;
    std::int64_t denominator = 1;
    double value = 0;     ///< nearest double, always valid
    bool decimal = false; ///< print as 0.1, not 1/10; no part of the number's identity

    static Number integer(std::int64_t n);
    /// denominator must not be 0.
    static Number ratio(std::int64_t numerator, std::int64_t denominator);
    /// Integers below 2^53 and decimals of at most 15 digits become exact.
    static Number fromDouble(double v);

    bool exact() const { return denominator != 0; }
    bool isInteger() const { return denominator == 1; }
    bool isZero() const { return denominator == 1 && numerator == 0; }
    bool isOne() const { return denominator == 1 && numerator == 1; }
    bool isMinusOne() const { return denominator == 1 && numerator == -1; }
    bool negative() const { return value < 0; }
    std::size_t hash() const;
    /// Shortest text that reads back as the same number: "2", "1/3", "0.1", "1e-20".
    std::string text() const;
};

Number operator+(const Number& a, const Number& b);
Number operator*(const Number& a, const Number& b);
Number operator-(const Number& a);
/// -1, 0, 1; a total order that is 0 only for the same number.
int compare(const Number& a, const Number& b);
inline bool operator==(const Number& a, const Number& b) { return compare(a, b) == 0; }

/// The largest positive rational that divides both to integers; nullopt unless both are exact fractions.
std::optional<Number> commonContent(const Number& a, const Number& b);
/// base^exponent if the result is a number worth writing out: integer powers, and roots that are exact.
std::optional<Number> foldedPower(const Number& base, const Number& exponent);

} // namespace driftless::expr
