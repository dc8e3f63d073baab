// Exact arithmetic of polynomials, coefficients constant first.
//
// Rational roots: with p = sum a_i x^i, a_i integer, y = a_n x is a root of the monic q(y) = a_n^(n-1) p(y / a_n), hence an
// integer. A simple root of q modulo a prime is lifted by Newton's iteration modulo the prime's powers until the power exceeds
// twice the bound of all roots; the residue of least size is then the only candidate, and it is tried in q itself.
#include "core/pencil/Polynomial.h"

#include <algorithm>
#include <utility>

namespace driftless::pencil {

namespace {

void trim(Polynomial& p)
{
    while (!p.empty() && p.back() == 0)
        p.pop_back();
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

using Integers = std::vector<mpz_class>;

/// A positive multiple with integer coefficients without a common factor.
Integers primitive(const Polynomial& p)
{
    mpz_class denominator = 1, common = 0;
    for (const mpq_class& c : p)
        mpz_lcm(denominator.get_mpz_t(), denominator.get_mpz_t(), c.get_den_mpz_t());
    Integers out;
    for (const mpq_class& c : p) {
        out.push_back(c.get_num() * (denominator / c.get_den()));
        mpz_gcd(common.get_mpz_t(), common.get_mpz_t(), out.back().get_mpz_t());
    }
    for (mpz_class& c : out)
        mpz_divexact(c.get_mpz_t(), c.get_mpz_t(), common.get_mpz_t());
    return out;
}

/// q(y) = a_n^(n-1) p(y / a_n): monic, its roots are a_n times those of p.
Integers monicInteger(const Integers& a)
{
    Integers q = a;
    q.back() = 1;
    mpz_class power = 1;
    for (std::size_t i = q.size() - 1; i-- > 0; power *= a.back())
        q[i] *= power;
    return q;
}

mpz_class valueModulo(const Integers& p, const mpz_class& x, const mpz_class& modulus)
{
    mpz_class value = 0;
    for (std::size_t i = p.size(); i-- > 0;) {
        value = value * x + p[i];
        mpz_mod(value.get_mpz_t(), value.get_mpz_t(), modulus.get_mpz_t());
    }
    return value;
}

Integers differentiated(const Integers& p)
{
    Integers out;
    for (std::size_t i = 1; i < p.size(); ++i)
        out.push_back(p[i] * static_cast<unsigned long>(i));
    return out;
}

/// Roots modulo a prime at which all of them are simple, of the primes tried the one with the fewest.
std::pair<mpz_class, Integers> simpleRootsModuloAPrime(const Integers& q)
{
    constexpr int kPrimes = 6; // an irreducible factor has no root modulo most primes
    const Integers slope = differentiated(q);
    std::pair<mpz_class, Integers> best;
    mpz_class prime = 100;
    for (int good = 0; good < kPrimes;) {
        mpz_nextprime(prime.get_mpz_t(), prime.get_mpz_t());
        Integers roots;
        bool simple = true;
        for (mpz_class x = 0; x < prime && simple; ++x)
            if (valueModulo(q, x, prime) == 0) {
                roots.push_back(x);
                simple = valueModulo(slope, x, prime) != 0;
            }
        if (!simple)
            continue; // the prime divides the discriminant: only finitely many do
        if (good++ == 0 || roots.size() < best.second.size())
            best = {prime, std::move(roots)};
        if (best.second.empty())
            break;
    }
    return best;
}

/// The integer next to zero that is the root modulo a power of the prime beyond 2 bound.
mpz_class lifted(const Integers& q, mpz_class root, const mpz_class& prime, const mpz_class& bound)
{
    const Integers slope = differentiated(q);
    mpz_class modulus = prime;
    while (modulus <= 2 * bound) {
        modulus *= modulus;
        mpz_class inverse = valueModulo(slope, root, modulus);
        mpz_invert(inverse.get_mpz_t(), inverse.get_mpz_t(), modulus.get_mpz_t());
        root -= valueModulo(q, root, modulus) * inverse;
        mpz_mod(root.get_mpz_t(), root.get_mpz_t(), modulus.get_mpz_t());
    }
    return 2 * root > modulus ? mpz_class(root - modulus) : root;
}

int variations(const std::vector<int>& signs)
{
    int count = 0, last = 0;
    for (const int s : signs) {
        if (s != 0 && last != 0 && s != last)
            ++count;
        last = s != 0 ? s : last;
    }
    return count;
}

/// p, p', and the negative remainders, each up to a positive factor.
std::vector<Polynomial> sturmChain(const Polynomial& p)
{
    const auto plain = [](const Polynomial& from, int sign) {
        Polynomial out;
        for (const mpz_class& c : primitive(from))
            out.emplace_back(sign * c);
        return out;
    };
    std::vector<Polynomial> chain{plain(p, 1), plain(driftless::pencil::differentiated(p), 1)};
    while (chain.back().size() > 1) {
        Polynomial rest = chain[chain.size() - 2];
        divide(rest, chain.back());
        if (rest.empty())
            break;
        chain.push_back(plain(rest, -1));
    }
    return chain;
}

int variationsFarOut(const std::vector<Polynomial>& chain, bool negative)
{
    std::vector<int> signs;
    for (const Polynomial& p : chain)
        signs.push_back(sgn(p.back()) * (negative && p.size() % 2 == 0 ? -1 : 1));
    return variations(signs);
}

} // namespace

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

Polynomial greatestCommonDivisor(Polynomial a, Polynomial b)
{
    while (!b.empty()) {
        divide(a, b);
        std::swap(a, b);
        b = monic(std::move(b));
    }
    return monic(std::move(a));
}

Polynomial quotientOf(Polynomial a, const Polynomial& b) { return divide(a, b); }

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

std::vector<mpq_class> rationalRootsOf(const Polynomial& p)
{
    std::vector<mpq_class> roots;
    if (p.size() < 2)
        return roots;
    const Integers a = primitive(p), q = monicInteger(a);
    mpz_class bound = 1; // Cauchy: |y| < 1 + max |q_i|
    for (const mpz_class& c : q)
        bound = std::max(bound, mpz_class(abs(c) + 1));
    const auto [prime, residues] = simpleRootsModuloAPrime(q);
    for (const mpz_class& residue : residues) {
        mpq_class root(lifted(q, residue, prime, bound), a.back());
        root.canonicalize();
        if (valueAt(p, root) == 0)
            roots.push_back(root);
    }
    std::sort(roots.begin(), roots.end());
    return roots;
}

int countReal(const Polynomial& p)
{
    if (p.size() < 2)
        return 0;
    const auto chain = sturmChain(p);
    return variationsFarOut(chain, true) - variationsFarOut(chain, false);
}

int countImaginaryPairs(const Polynomial& p)
{
    // p(x) = e(x^2) + x o(x^2): e and o vanish together at x^2 = -w^2, a negative number.
    Polynomial even, odd;
    for (std::size_t i = 0; i < p.size(); ++i)
        (i % 2 == 0 ? even : odd).push_back(p[i]);
    trim(even);
    trim(odd);
    const Polynomial both = greatestCommonDivisor(even, odd);
    if (both.size() < 2)
        return 0;
    const auto chain = sturmChain(both);
    std::vector<int> atZero;
    for (const Polynomial& member : chain)
        atZero.push_back(sgn(member.front()));
    return variationsFarOut(chain, true) - variations(atZero);
}

} // namespace driftless::pencil
