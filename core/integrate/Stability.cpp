#include "core/integrate/Stability.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace driftless::integrate {
namespace {

using Complex = std::complex<double>;
using Polynomial = std::vector<double>; ///< by rising powers

constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// What round-off leaves of a coefficient that is zero, relative to the largest one: sums of products of a few hundred entries.
constexpr double kNothing = 1e-11;

void trim(Polynomial& p)
{
    double largest = 0;
    for (double v : p)
        largest = std::max(largest, std::abs(v));
    for (double& v : p)
        if (std::abs(v) <= kNothing * largest)
            v = 0;
    while (p.size() > 1 && p.back() == 0)
        p.pop_back();
}

/// det(I - z M) by rising powers of z: the reversed characteristic polynomial (Faddeev, LeVerrier).
Polynomial reversedCharacteristic(const std::vector<double>& m, std::size_t n)
{
    std::vector<long double> power(n * n, 0), product(n * n);
    Polynomial out{1};
    long double last = 1;
    for (std::size_t k = 1; k <= n; ++k) {
        // power = M power + last I, then the next coefficient is -trace(M power) / k.
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j) {
                long double sum = i == j ? last : 0;
                for (std::size_t l = 0; l < n; ++l)
                    sum += static_cast<long double>(m[i * n + l]) * power[l * n + j];
                product[i * n + j] = sum;
            }
        power.swap(product);
        long double trace = 0;
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t l = 0; l < n; ++l)
                trace += static_cast<long double>(m[i * n + l]) * power[l * n + i];
        last = -trace / static_cast<long double>(k);
        out.push_back(static_cast<double>(last));
    }
    trim(out);
    return out;
}

template <class Coefficient>
Complex valueAt(const std::vector<Coefficient>& p, Complex z)
{
    Complex sum = 0;
    for (std::size_t k = p.size(); k-- > 0;)
        sum = sum * z + p[k];
    return sum;
}

/// All zeros by simultaneous iteration (Durand, Kerner); a zero of multiplicity m comes with m-th root of round-off.
std::vector<Complex> zeros(std::vector<Complex> p)
{
    while (p.size() > 1 && p.back() == 0.0)
        p.pop_back();
    const std::size_t n = p.size() - 1;
    double radius = 0;
    for (std::size_t k = 0; k < n; ++k) {
        p[k] /= p[n];
        radius = std::max(radius, 2 * std::pow(std::abs(p[k]), 1.0 / static_cast<double>(n - k)));
    }
    std::vector<Complex> x(n);
    for (std::size_t k = 0; k < n; ++k)
        x[k] = std::polar(0.6 * radius + 1e-3, 0.4 + 2 * std::acos(-1.0) * static_cast<double>(k) / static_cast<double>(n));
    p[n] = 1;
    for (int iteration = 0; iteration < 500; ++iteration) {
        double largest = 0;
        for (std::size_t k = 0; k < n; ++k) {
            Complex product = 1;
            for (std::size_t j = 0; j < n; ++j)
                if (j != k)
                    product *= x[k] == x[j] ? Complex(1e-16) : x[k] - x[j];
            const Complex change = valueAt(p, x[k]) / product;
            x[k] -= change;
            largest = std::max(largest, std::abs(change) / (1e-300 + std::abs(x[k])));
        }
        if (largest < 1e-14)
            break;
    }
    return x;
}

std::vector<Complex> zeros(const Polynomial& p) { return zeros(std::vector<Complex>(p.begin(), p.end())); }

/// |p(iy)|^2 as a polynomial in x = y^2.
/// sizes: what the terms of each coefficient come to without their signs is added, for a judgement of round-off.
Polynomial squaredOnAxis(const Polynomial& p, Polynomial& sizes)
{
    Polynomial real, imaginary; // p(iy) = real(x) + i y imaginary(x)
    for (std::size_t k = 0; k < p.size(); ++k)
        (k % 2 ? imaginary : real).push_back(k / 2 % 2 ? -p[k] : p[k]);
    Polynomial out(p.size(), 0.0);
    sizes.resize(std::max(sizes.size(), p.size()), 0.0);
    const auto square = [&](const Polynomial& half, std::size_t shift) {
        for (std::size_t i = 0; i < half.size(); ++i)
            for (std::size_t j = 0; j < half.size(); ++j) {
                out[i + j + shift] += half[i] * half[j];
                sizes[i + j + shift] += std::abs(half[i] * half[j]);
            }
    };
    square(real, 0);
    square(imaginary, 1);
    return out;
}

/// Whether p >= 0 for all x >= 0: signs between its positive zeros and beyond them.
bool notNegative(const Polynomial& p)
{
    std::vector<double> cuts{0};
    for (Complex x : zeros(p))
        if (x.real() > 0 && std::abs(x.imag()) < 1e-3 * std::abs(x))
            cuts.push_back(x.real());
    std::sort(cuts.begin(), cuts.end());
    cuts.push_back(2 * cuts.back() + 1);
    const auto at = [&p](double x) {
        double sum = 0, size = 0;
        for (std::size_t k = p.size(); k-- > 0;) {
            sum = sum * x + p[k];
            size = size * x + std::abs(p[k]);
        }
        return sum >= -1e-12 * size;
    };
    for (std::size_t k = 0; k + 1 < cuts.size(); ++k)
        if (!at((cuts[k] + cuts[k + 1]) / 2))
            return false;
    return p.back() >= 0;
}

/// Where |R| along the ray first exceeds one; infinity if it never does up to a far point.
double limitAlong(const StabilityFunction& r, Complex direction)
{
    constexpr double kFar = 1e4, kSlack = 1e-9; // a modulus of one, as on the axis of symmetric methods, counts as stable
    constexpr double kFine = 1e-3, kSame = 1e-6;
    double inside = 0;
    const auto crossing = [&](double from, double to, double most) {
        for (int k = 0; k < 60; ++k) {
            const double middle = (from + to) / 2;
            (std::abs(r(middle * direction)) > most ? to : from) = middle;
        }
        return from;
    };
    for (double x = kFine; x < kFar; x *= 1.01) {
        if (std::abs(r(x * direction)) > 1 + kSlack) {
            const double limit = crossing(inside, x, 1 + kSlack), sharp = crossing(inside, x, 1);
            if (limit < 2 * kFine)
                return 0;
            return limit - sharp <= kSame * limit ? sharp : limit; // else it is one before, to round-off
        }
        inside = x;
    }
    return kInfinity;
}

} // namespace

std::complex<double> StabilityFunction::operator()(std::complex<double> z) const
{
    // Far out the powers overflow: both polynomials in 1/z then.
    const std::size_t degree = std::max(numerator.size(), denominator.size()) - 1;
    if (std::abs(z) <= 1)
        return valueAt(numerator, z) / valueAt(denominator, z);
    const Complex w = 1.0 / z;
    const auto reversed = [&](const Polynomial& p) {
        Complex sum = 0;
        for (std::size_t k = 0; k < p.size(); ++k)
            sum = sum * w + p[k];
        return sum * std::pow(w, static_cast<double>(degree + 1 - p.size()));
    };
    return reversed(numerator) / reversed(denominator);
}

double StabilityFunction::atInfinity() const
{
    if (numerator.size() > denominator.size())
        return kInfinity;
    return numerator.size() < denominator.size() ? 0 : numerator.back() / denominator.back();
}

/// Stages that the step depends on: others are a factor of numerator and denominator.
static std::vector<std::size_t> stagesThatCount(const RungeKuttaTableau& tableau)
{
    const std::size_t n = tableau.stages;
    std::vector<std::size_t> out;
    std::vector<char> counts(n, 0);
    const auto add = [&](std::size_t stage) {
        if (!counts[stage])
            out.push_back(stage);
        counts[stage] = 1;
    };
    for (std::size_t i = 0; i < n; ++i)
        if (tableau.b[i] != 0)
            add(i);
    for (std::size_t k = 0; k < out.size(); ++k)
        for (std::size_t j = 0; j < n; ++j)
            if (tableau.a[out[k] * n + j] != 0)
                add(j);
    return out;
}

StabilityFunction stabilityFunction(const RungeKuttaTableau& tableau)
{
    std::vector<std::size_t> stages = stagesThatCount(tableau);
    std::sort(stages.begin(), stages.end());
    const std::size_t n = stages.size();
    std::vector<double> a(n * n), shifted(n * n);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) {
            a[i * n + j] = tableau.a[stages[i] * tableau.stages + stages[j]];
            shifted[i * n + j] = a[i * n + j] - tableau.b[stages[j]];
        }
    return {reversedCharacteristic(shifted, n), reversedCharacteristic(a, n)};
}

StabilityReport stabilityOf(const StabilityFunction& r)
{
    StabilityReport out;
    out.atInfinity = r.atInfinity();
    out.realLimit = limitAlong(r, -1);
    out.imaginaryLimit = limitAlong(r, {0, 1});
    const auto poles = zeros(r.denominator);
    Polynomial sizes;
    Polynomial e = squaredOnAxis(r.denominator, sizes);
    const Polynomial p = squaredOnAxis(r.numerator, sizes);
    e.resize(std::max(e.size(), p.size()), 0.0);
    for (std::size_t k = 0; k < e.size(); ++k) {
        e[k] -= k < p.size() ? p[k] : 0;
        if (std::abs(e[k]) <= kNothing * sizes[k])
            e[k] = 0;
    }
    while (e.size() > 1 && e.back() == 0)
        e.pop_back();
    const auto first = std::find_if(e.begin(), e.end(), [](double v) { return v != 0; });
    e.erase(e.begin(), first); // powers of x are not negative themselves
    if (!e.empty()
        && e.front() < 0) // |R|^2 = 1 + c y^k: above one at once, by less than the search along the axis tells from round-off
        out.imaginaryLimit = 0;
    const bool stableOnAxis = e.empty() || notNegative(e);
    const bool noPole = std::all_of(poles.begin(), poles.end(), [](Complex z) { return z.real() > 0; });
    if (stableOnAxis && noPole && std::isfinite(out.atInfinity))
        out.kind = out.atInfinity == 0 ? Stability::LStable : Stability::AStable;
    return out;
}

std::vector<double> stabilityGrid(const StabilityFunction& r, const ComplexWindow& window, int columns, int rows)
{
    std::vector<double> out;
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column)
            out.push_back(std::abs(r({window.left + (window.right - window.left) * (column + 0.5) / columns,
                                      window.bottom + (window.top - window.bottom) * (row + 0.5) / rows})));
    return out;
}

std::vector<std::complex<double>> bdfRootLocus(int order, int points)
{
    std::vector<Complex> out;
    for (int k = 0; k < points; ++k) {
        const Complex step = 1.0 - std::polar(1.0, -2 * std::acos(-1.0) * k / points);
        Complex z = 0, power = 1;
        for (int j = 1; j <= order; ++j) {
            power *= step;
            z += power / static_cast<double>(j);
        }
        out.push_back(z);
    }
    return out;
}

double bdfAmplification(int order, std::complex<double> z)
{
    // sum_{j=1}^k (1 - w)^j / j - z = 0 in w = 1 / root.
    std::vector<Complex> p(static_cast<std::size_t>(order) + 1, 0.0);
    std::vector<double> power{1};
    for (int j = 1; j <= order; ++j) {
        power.push_back(0);
        for (std::size_t k = power.size() - 1; k > 0; --k)
            power[k] -= power[k - 1];
        for (std::size_t k = 0; k < power.size(); ++k)
            p[k] += power[k] / j;
    }
    p[0] -= z;
    double largest = 0;
    for (Complex w : zeros(p))
        largest = std::max(largest, 1 / std::abs(w));
    return largest;
}

} // namespace driftless::integrate
