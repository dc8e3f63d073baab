// Roots of a rational polynomial: square-free parts by Yun's algorithm, so that multiplicities are exact and every root that
// is sought is simple; then the simultaneous iteration of Ehrlich and Aberth in multiple precision, which leaves double
// precision for the result whatever the conditioning of the coefficients.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/pencil/Rational.h"

namespace driftless::pencil {

namespace {

void trim(Polynomial& p)
{
    while (!p.empty() && p.back() == 0)
        p.pop_back();
}

Polynomial monic(Polynomial p)
{
    const mpq_class lead = p.empty() ? mpq_class(1) : p.back();
    for (mpq_class& c : p)
        c /= lead;
    return p;
}

Polynomial differentiated(const Polynomial& p)
{
    Polynomial out;
    for (std::size_t i = 1; i < p.size(); ++i)
        out.push_back(p[i] * static_cast<unsigned long>(i));
    return out;
}

/// Quotient; a becomes the remainder.
Polynomial divide(Polynomial& a, const Polynomial& b)
{
    Polynomial quotient(a.size() >= b.size() ? a.size() - b.size() + 1 : 0);
    while (a.size() >= b.size()) {
        const mpq_class factor = a.back() / b.back();
        const std::size_t shift = a.size() - b.size();
        quotient[shift] = factor;
        for (std::size_t i = 0; i < b.size(); ++i)
            a[i + shift] -= factor * b[i];
        a.pop_back();
        trim(a);
    }
    return quotient;
}

Polynomial greatestCommonDivisor(Polynomial a, Polynomial b)
{
    while (!b.empty()) {
        divide(a, b);
        std::swap(a, b);
        b = monic(std::move(b));
    }
    return monic(std::move(a));
}

Polynomial quotientOf(Polynomial a, const Polynomial& b)
{
    return divide(a, b);
}

/// parts[k] holds the roots of multiplicity k + 1.
std::vector<Polynomial> squareFreeParts(const Polynomial& p)
{
    std::vector<Polynomial> parts;
    const Polynomial derivative = differentiated(p);
    const Polynomial common = greatestCommonDivisor(p, derivative);
    Polynomial b = quotientOf(p, common), c = quotientOf(derivative, common);
    while (b.size() > 1) {
        Polynomial d = c;
        const Polynomial db = differentiated(b);
        d.resize(std::max(d.size(), db.size()));
        for (std::size_t i = 0; i < db.size(); ++i)
            d[i] -= db[i];
        trim(d);
        const Polynomial part = greatestCommonDivisor(b, d);
        parts.push_back(part);
        b = quotientOf(b, part);
        c = quotientOf(d, part);
    }
    return parts;
}

struct Complex {
    mpf_class re, im;
};

Complex times(const Complex& a, const Complex& b)
{
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

Complex over(const Complex& a, const Complex& b)
{
    const mpf_class size = b.re * b.re + b.im * b.im;
    return {(a.re * b.re + a.im * b.im) / size, (a.im * b.re - a.re * b.im) / size};
}

mp_bitcnt_t bitsFor(const Polynomial& p)
{
    mp_bitcnt_t bits = 256;
    for (const mpq_class& c : p)
        bits = std::max<mp_bitcnt_t>(bits, 128 + 2 * (mpz_sizeinbase(c.get_num_mpz_t(), 2) + mpz_sizeinbase(c.get_den_mpz_t(), 2)));
    return bits;
}

/// Radii of the starting circles, from the upper convex hull of log |coefficients| (Bini 1996).
std::vector<double> startRadii(const Polynomial& p)
{
    const int n = static_cast<int>(p.size()) - 1;
    const auto size = [&p](int i) {
        long exponentN = 0, exponentD = 0;
        const mpq_class& c = p[static_cast<std::size_t>(i)];
        const double num = mpz_get_d_2exp(&exponentN, c.get_num_mpz_t()), den = mpz_get_d_2exp(&exponentD, c.get_den_mpz_t());
        return std::log(std::abs(num / den)) + static_cast<double>(exponentN - exponentD) * std::numbers::ln2;
    };
    std::vector<double> radii;
    int from = 0;
    while (from < n) {
        int to = n;
        double steepest = -std::numeric_limits<double>::infinity();
        for (int k = from + 1; k <= n; ++k)
            if (p[static_cast<std::size_t>(k)] != 0 && (size(k) - size(from)) / (k - from) >= steepest) {
                steepest = (size(k) - size(from)) / (k - from);
                to = k;
            }
        for (int k = from; k < to; ++k)
            radii.push_back(std::exp(-steepest));
        from = to;
    }
    return radii;
}

/// p has only simple roots and p(0) != 0.
std::vector<Complex> simpleRoots(const Polynomial& p)
{
    const mp_bitcnt_t bits = bitsFor(p);
    const std::size_t n = p.size() - 1;
    std::vector<mpf_class> c;
    for (const mpq_class& v : p)
        c.emplace_back(v, bits);
    std::vector<Complex> z;
    const std::vector<double> radii = startRadii(p);
    for (std::size_t k = 0; k < n; ++k) {
        const double angle = 2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n) + 0.7; // off the axes of symmetry
        z.push_back({mpf_class(radii[k] * std::cos(angle), bits), mpf_class(radii[k] * std::sin(angle), bits)});
    }
    constexpr int kMostSweeps = 300;
    for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
        bool moved = false;
        for (std::size_t k = 0; k < n; ++k) {
            Complex value{mpf_class(0, bits), mpf_class(0, bits)}, slope = value;
            for (std::size_t i = n + 1; i-- > 0;) {
                slope = times(slope, z[k]);
                slope.re += value.re;
                slope.im += value.im;
                value = times(value, z[k]);
                value.re += c[i];
            }
            if (value.re == 0 && value.im == 0)
                continue;
            Complex inverse = over(slope, value); // 1 / Newton's correction, less the pull of the other roots
            for (std::size_t j = 0; j < n; ++j) {
                if (j == k)
                    continue;
                const Complex apart{z[k].re - z[j].re, z[k].im - z[j].im};
                if (apart.re == 0 && apart.im == 0)
                    continue;
                const Complex pull = over({mpf_class(1, bits), mpf_class(0, bits)}, apart);
                inverse.re -= pull.re;
                inverse.im -= pull.im;
            }
            if (inverse.re == 0 && inverse.im == 0)
                continue;
            const Complex step = over({mpf_class(1, bits), mpf_class(0, bits)}, inverse);
            z[k].re -= step.re;
            z[k].im -= step.im;
            // Far below double precision: the next sweep would square the error once more.
            const mpf_class stepSize = step.re * step.re + step.im * step.im, size = z[k].re * z[k].re + z[k].im * z[k].im;
            mpf_class limit = size;
            mpf_div_2exp(limit.get_mpf_t(), limit.get_mpf_t(), 160);
            moved = moved || stepSize > limit;
        }
        if (!moved)
            break;
    }
    return z;
}

/// The fraction of the continued fraction of x that is a root, if one with few digits is.
std::optional<mpq_class> rationalRoot(const Polynomial& p, mpf_class x)
{
    mpz_class h0 = 0, h1 = 1, k0 = 1, k1 = 0;
    for (int term = 0; term < 40; ++term) {
        mpf_class whole = floor(x);
        const mpz_class a(whole);
        mpz_class h = a * h1 + h0, k = a * k1 + k0;
        h0 = h1, h1 = h, k0 = k1, k1 = k;
        mpq_class candidate(h, k);
        candidate.canonicalize();
        if (valueAt(p, candidate) == 0)
            return candidate;
        x -= whole;
        if (mpz_sizeinbase(k.get_mpz_t(), 2) > 64 || x == 0)
            break;
        x = 1 / x;
    }
    return std::nullopt;
}

/// Nearest double; get_d() alone cuts off.
double rounded(const mpf_class& x)
{
    const double cut = x.get_d();
    return cut + mpf_class(x - cut).get_d();
}

} // namespace

std::vector<Root> rootsOf(const Polynomial& given)
{
    std::vector<Root> roots;
    if (given.size() < 2)
        return roots;
    const std::vector<Polynomial> parts = squareFreeParts(monic(given));
    for (std::size_t k = 0; k < parts.size(); ++k) {
        Polynomial p = parts[k];
        const int multiplicity = static_cast<int>(k) + 1;
        if (p.size() > 1 && p.front() == 0) {
            roots.push_back({0, 0, multiplicity, mpq_class(0)});
            p.erase(p.begin());
        }
        if (p.size() < 2)
            continue;
        for (const Complex& z : simpleRoots(p)) {
            Root root{rounded(z.re), rounded(z.im), multiplicity, std::nullopt};
            if (std::abs(root.im) <= 1e-20 * std::abs(root.re)) { // the iteration's end is 1e-24 relative
                root.im = 0;
                root.exact = rationalRoot(p, z.re);
                if (root.exact)
                    root.re = nearestDouble(*root.exact);
            } else if (std::abs(root.re) <= 1e-20 * std::abs(root.im)) {
                root.re = 0;
            }
            roots.push_back(std::move(root));
        }
    }
    std::sort(roots.begin(), roots.end(), [](const Root& a, const Root& b) {
        return a.re != b.re ? a.re < b.re : a.im < b.im;
    });
    return roots;
}

} // namespace driftless::pencil
