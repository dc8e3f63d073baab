// Roots of a rational polynomial: square-free parts by Yun's algorithm, so that multiplicities are exact and every root that
// is sought is simple; rational roots by exact arithmetic; the others by the simultaneous iteration of Ehrlich and Aberth in
// multiple precision, which leaves double precision for the result whatever the conditioning of the coefficients.
//
// The result is proved before it is returned: around each approximation z the disc of radius n |p(z) / p'(z)| holds a root
// (Henrici 1974, 6.4); n disjoint discs hold one root each; as many discs meet the real axis as there are real roots
// (Sturm), and as many meet the imaginary axis as there are purely imaginary ones. Where a proof fails the precision is
// doubled.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/pencil/Polynomial.h"

namespace driftless::pencil {

namespace {

struct BigComplex {
    mpf_class re, im;
};

BigComplex times(const BigComplex& a, const BigComplex& b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }

BigComplex over(const BigComplex& a, const BigComplex& b)
{
    const mpf_class size = b.re * b.re + b.im * b.im;
    return {(a.re * b.re + a.im * b.im) / size, (a.im * b.re - a.re * b.im) / size};
}

mp_bitcnt_t bitsFor(const Polynomial& p)
{
    mp_bitcnt_t bits = 256;
    for (const mpq_class& c : p)
        bits = std::max<mp_bitcnt_t>(bits,
                                     128 + 2 * (mpz_sizeinbase(c.get_num_mpz_t(), 2) + mpz_sizeinbase(c.get_den_mpz_t(), 2)));
    return bits;
}

/// Logarithms of the radii of the starting circles, from the upper convex hull of log |coefficients| (Bini 1996).
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
            radii.push_back(-steepest);
        from = to;
    }
    return radii;
}

/// exp(logarithm), which may lie beyond the doubles, times a factor of size one.
mpf_class scaledExponential(double logarithm, double factor, mp_bitcnt_t bits)
{
    const double twos = std::floor(logarithm / std::numbers::ln2);
    mpf_class out(std::exp(logarithm - twos * std::numbers::ln2) * factor, bits);
    if (twos >= 0)
        mpf_mul_2exp(out.get_mpf_t(), out.get_mpf_t(), static_cast<mp_bitcnt_t>(twos));
    else
        mpf_div_2exp(out.get_mpf_t(), out.get_mpf_t(), static_cast<mp_bitcnt_t>(-twos));
    return out;
}

class Iteration {
public:
    /// p has only simple roots and p(0) != 0.
    Iteration(const Polynomial& p, mp_bitcnt_t bits) : bits_(bits), p_(p)
    {
        const std::size_t n = p.size() - 1;
        for (const mpq_class& v : p)
            c_.emplace_back(v, bits);
        const std::vector<double> radii = startRadii(p);
        for (std::size_t k = 0; k < n; ++k) {
            const double angle =
                2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n) + 0.7; // off the axes of symmetry
            z_.push_back(
                {scaledExponential(radii[k], std::cos(angle), bits), scaledExponential(radii[k], std::sin(angle), bits)});
        }
    }

    void run()
    {
        constexpr int kMostSweeps = 300;
        bool moved = true;
        for (int sweep = 0; sweep < kMostSweeps && moved; ++sweep) {
            moved = false;
            for (std::size_t k = 0; k < z_.size(); ++k)
                moved = improve(k) || moved;
        }
    }

    /// Every root lies in a disc of its own, far smaller than a double's last digit, and the axes hold the roots they must.
    bool proved()
    {
        radii_.clear();
        for (const BigComplex& z : z_) {
            radii_.push_back(radiusAt(z));
            mpf_class limit = sqrt(normOf(z));
            mpf_div_2exp(limit.get_mpf_t(), limit.get_mpf_t(), 64); // a double keeps 53
            if (radii_.back() > limit)
                return false;
        }
        int real = 0, imaginary = 0;
        for (std::size_t k = 0; k < z_.size(); ++k) {
            real += isReal(k);
            imaginary += isImaginary(k);
            for (std::size_t j = 0; j < k; ++j) {
                const mpf_class reach = radii_[k] + radii_[j];
                if (normOf({z_[k].re - z_[j].re, z_[k].im - z_[j].im}) <= reach * reach)
                    return false;
            }
        }
        return real == countReal(p_) && imaginary == 2 * countImaginaryPairs(p_);
    }

    std::size_t size() const { return z_.size(); }
    const BigComplex& at(std::size_t k) const { return z_[k]; }
    /// Whether the disc of a root meets the real, or the imaginary, axis.
    bool isReal(std::size_t k) const { return abs(z_[k].im) <= radii_[k]; }
    bool isImaginary(std::size_t k) const { return abs(z_[k].re) <= radii_[k]; }

private:
    static mpf_class normOf(const BigComplex& z) { return z.re * z.re + z.im * z.im; }
    BigComplex number(int re) const { return {mpf_class(re, bits_), mpf_class(0, bits_)}; }

    void evaluate(const BigComplex& z, BigComplex& value, BigComplex& slope) const
    {
        value = slope = number(0);
        for (std::size_t i = c_.size(); i-- > 0;) {
            slope = times(slope, z);
            slope.re += value.re;
            slope.im += value.im;
            value = times(value, z);
            value.re += c_[i];
        }
    }

    /// One correction of Ehrlich and Aberth; false where it is far below double precision already.
    bool improve(std::size_t k)
    {
        BigComplex value, slope;
        evaluate(z_[k], value, slope);
        if (value.re == 0 && value.im == 0)
            return false;
        BigComplex inverse = over(slope, value); // 1 / Newton's correction, less the pull of the other roots
        for (std::size_t j = 0; j < z_.size(); ++j) {
            if (j == k)
                continue;
            const BigComplex apart{z_[k].re - z_[j].re, z_[k].im - z_[j].im};
            if (apart.re == 0 && apart.im == 0)
                continue;
            const BigComplex pull = over(number(1), apart);
            inverse.re -= pull.re;
            inverse.im -= pull.im;
        }
        if (inverse.re == 0 && inverse.im == 0)
            return false;
        const BigComplex step = over(number(1), inverse);
        z_[k].re -= step.re;
        z_[k].im -= step.im;
        mpf_class limit = normOf(z_[k]); // the next sweep would square the error once more
        mpf_div_2exp(limit.get_mpf_t(), limit.get_mpf_t(), 160);
        return normOf(step) > limit;
    }

    /// n |p(z) / p'(z)| with a bound of the rounding of p(z).
    mpf_class radiusAt(const BigComplex& z) const
    {
        BigComplex value, slope;
        evaluate(z, value, slope);
        const mpf_class size = sqrt(normOf(z)), slopeSize = sqrt(normOf(slope));
        mpf_class terms(0, bits_);
        for (std::size_t i = c_.size(); i-- > 0;)
            terms = terms * size + abs(c_[i]);
        terms *= static_cast<unsigned long>(8 * c_.size());
        mpf_div_2exp(terms.get_mpf_t(), terms.get_mpf_t(), bits_);
        if (slopeSize == 0)
            return size + 1;
        return static_cast<unsigned long>(c_.size()) * (sqrt(normOf(value)) + terms) / slopeSize;
    }

    mp_bitcnt_t bits_;
    Polynomial p_;
    std::vector<mpf_class> c_, radii_;
    std::vector<BigComplex> z_;
};

/// Nearest double; get_d() alone cuts off.
double rounded(const mpf_class& x)
{
    const double cut = x.get_d();
    return cut + mpf_class(x - cut).get_d();
}

/// Appends the roots of a square-free polynomial without rational roots; false where they could not be proved.
bool appendIrrational(const Polynomial& p, int multiplicity, std::vector<Root>& roots)
{
    constexpr int kDoublings = 6;
    mp_bitcnt_t bits = bitsFor(p);
    for (int trial = 0; trial < kDoublings; ++trial, bits *= 2) {
        Iteration iteration(p, bits);
        iteration.run();
        if (!iteration.proved())
            continue;
        for (std::size_t k = 0; k < iteration.size(); ++k) {
            const BigComplex& z = iteration.at(k);
            roots.push_back({iteration.isImaginary(k) ? 0 : rounded(z.re), iteration.isReal(k) ? 0 : rounded(z.im),
                             multiplicity, std::nullopt});
        }
        return true;
    }
    return false;
}

} // namespace

std::optional<std::vector<Root>> rootsOf(const Polynomial& given)
{
    std::vector<Root> roots;
    if (given.size() < 2)
        return roots;
    const std::vector<Polynomial> parts = squareFreeParts(monic(given));
    for (std::size_t k = 0; k < parts.size(); ++k) {
        Polynomial rest = parts[k];
        const int multiplicity = static_cast<int>(k) + 1;
        for (const mpq_class& root : rationalRootsOf(rest)) {
            roots.push_back({nearestDouble(root), 0, multiplicity, root});
            rest = quotientOf(rest, {-root, 1});
        }
        if (rest.size() > 1 && !appendIrrational(rest, multiplicity, roots))
            return std::nullopt;
    }
    std::sort(roots.begin(), roots.end(),
              [](const Root& a, const Root& b) { return a.re != b.re ? a.re < b.re : a.im < b.im; });
    return roots;
}

} // namespace driftless::pencil
