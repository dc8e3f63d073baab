// How dense eliminations calculate with real and with complex numbers.
#pragma once

#include <cmath>
#include <complex>
#include <type_traits>

namespace driftless::solve {

using Complex = std::complex<double>;

/// What pivots are chosen by.
inline double magnitude(double x) { return std::abs(x); }
inline double magnitude(const Complex& x) { return std::abs(x.real()) + std::abs(x.imag()); }

/// Without the care for infinities that std::complex takes: what is not finite is refused before and caught at the pivots.
inline double product(double a, double b) { return a * b; }
inline Complex product(const Complex& a, const Complex& b)
{
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

/// Divides many numbers by one: complex ones by its inverse, taken once.
struct RealDivisor {
    explicit RealDivisor(double by) : by_(by) {}
    double operator()(double x) const { return x / by_; }

private:
    double by_;
};
struct ComplexDivisor {
    explicit ComplexDivisor(const Complex& by) : inverse_(1.0 / by) {}
    Complex operator()(const Complex& x) const { return product(x, inverse_); }

private:
    Complex inverse_;
};

template <class Number>
struct Arithmetic {
    using Divisor = std::conditional_t<std::is_same_v<Number, double>, RealDivisor, ComplexDivisor>;
};

} // namespace driftless::solve
