// Random pencils made from a known Kronecker form, rational or floating, hidden by random regular transformations.
#pragma once

#include <algorithm>
#include <complex>
#include <cstdlib>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "core/expr/Expr.h"
#include "core/pencil/Rational.h"
#include "tests/pencil/Hidden.h"

namespace driftless::testing {

/// A real Jordan block: one real eigenvalue, or the two roots of x^2 + b x + c, irrational or complex.
struct FiniteBlock {
    bool pair = false;
    mpq_class value; ///< of a single eigenvalue
    mpq_class b, c;  ///< of a pair
    int size = 1;    ///< length of its chain

    int n() const { return pair ? 2 * size : size; }
    std::vector<std::complex<double>> eigenvalues() const
    {
        if (!pair)
            return {pencil::nearestDouble(value)};
        const mpq_class discriminant = b * b - 4 * c;
        const std::complex<double> root = std::sqrt(std::complex<double>(discriminant.get_d()));
        return {(-b.get_d() - root) / 2.0, (-b.get_d() + root) / 2.0};
    }
};

struct RandomPencil {
    std::vector<int> nilpotent; ///< largest first
    std::vector<FiniteBlock> finite;
    std::vector<int> free,
        dependent;               ///< minimal indices of the columns and of the rows: as many of each; none in a regular pencil
    pencil::RationalMatrix E, A; ///< after the transformations
    pencil::LinearDae system;
    double conditions = 1; ///< of the two transformations together, floating only

    bool regular() const { return free.empty(); }
    int n() const { return E.rows; }
    int n1() const
    {
        int sum = 0;
        for (const int s : nilpotent)
            sum += s;
        return sum;
    }
    int n2() const
    {
        int sum = 0;
        for (const FiniteBlock& f : finite)
            sum += f.n();
        return sum;
    }
    int rankE() const
    {
        int rank = n2() + n1() - static_cast<int>(nilpotent.size());
        for (const int s : free)
            rank += s;
        for (const int s : dependent)
            rank += s;
        return rank;
    }
    std::vector<std::complex<double>> eigenvalues() const
    {
        std::vector<std::complex<double>> out;
        for (const FiniteBlock& f : finite)
            for (const auto& z : f.eigenvalues())
                out.insert(out.end(), static_cast<std::size_t>(f.size), z);
        return out;
    }
    std::string told() const
    {
        std::string out = "nilpotent";
        for (const int s : nilpotent)
            out += " " + std::to_string(s);
        for (const FiniteBlock& f : finite)
            out += f.pair ? "; roots of x^2 + " + f.b.get_str() + " x + " + f.c.get_str() + " size " + std::to_string(f.size)
                          : "; " + f.value.get_str() + " size " + std::to_string(f.size);
        for (const int s : free)
            out += "; free " + std::to_string(s);
        for (const int s : dependent)
            out += "; dependent " + std::to_string(s);
        return out;
    }
};

class PencilGenerator {
public:
    explicit PencilGenerator(unsigned seed) : random_(seed) {}
    int upTo(int least, int most) { return std::uniform_int_distribution<int>(least, most)(random_); }
    bool chance(double p) { return std::bernoulli_distribution(p)(random_); }
    std::mt19937& random() { return random_; }

    /// Blocks of at most `most` rows in all.
    RandomPencil form(int most, bool singular, bool apart)
    {
        RandomPencil p;
        int room = upTo(1, most);
        if (singular) {
            const int pairs = upTo(1, 2);
            for (int k = 0; k < pairs; ++k) {
                p.free.push_back(upTo(0, 2));
                p.dependent.push_back(upTo(0, 2));
            }
        }
        while (room > 0 && chance(0.55)) {
            p.nilpotent.push_back(upTo(1, std::min(room, 4)));
            room -= p.nilpotent.back();
        }
        std::sort(p.nilpotent.rbegin(), p.nilpotent.rend());
        while (room > 0 && (chance(0.8) || (p.nilpotent.empty() && p.finite.empty())))
            room -= addFinite(p, room, apart);
        fill(p);
        return p;
    }

    /// A regular one with these blocks.
    static RandomPencil known(std::vector<int> nilpotent, std::vector<FiniteBlock> finite)
    {
        RandomPencil p;
        p.nilpotent = std::move(nilpotent);
        p.finite = std::move(finite);
        fill(p);
        return p;
    }

    /// Entries stay exact fractions.
    void hideExactly(RandomPencil& p)
    {
        const pencil::RationalMatrix L = regular(p.n()), R = regular(p.n());
        p.E = L * p.E * R;
        p.A = L * p.A * R;
        p.system = floatingSystem(toEigen(p.E), toEigen(p.A));
        p.system.exactE = p.E.texts();
        p.system.exactA = p.A.texts();
    }

    /// Singular values of each transformation from 1 down to 10^-digits; both matrices scaled by up to 10^+-scale.
    void hideInDoubles(RandomPencil& p, double digits, double scale)
    {
        std::uniform_real_distribution<double> power(-scale, scale);
        const double size = std::pow(10.0, power(random_));
        const Eigen::MatrixXd L = size * conditioned(p.n(), digits, random_), R = conditioned(p.n(), digits, random_);
        p.conditions = std::pow(10.0, 2 * digits);
        p.system = floatingSystem(L * toEigen(p.E) * R, L * toEigen(p.A) * R);
    }

    static Eigen::MatrixXd toEigen(const pencil::RationalMatrix& m)
    {
        Eigen::MatrixXd out(m.rows, m.columns);
        for (int i = 0; i < m.rows; ++i)
            for (int j = 0; j < m.columns; ++j)
                out(i, j) = pencil::nearestDouble(m(i, j));
        return out;
    }

private:
    mpq_class fraction(int most, int denominator)
    {
        mpq_class q(upTo(-most, most), upTo(1, denominator));
        q.canonicalize();
        return q;
    }

    /// apart: no two different eigenvalues nearer to each other than 1/4.
    int addFinite(RandomPencil& p, int room, bool apart)
    {
        for (int trial = 0; trial < 50; ++trial) {
            FiniteBlock f;
            if (!p.finite.empty() && chance(0.25)) { // one more block of an eigenvalue
                f = p.finite.back();
            } else if (room >= 2 && chance(0.4)) {
                f.pair = true;
                f.b = chance(0.3) ? mpq_class(0) : fraction(6, 3);
                f.c = fraction(9, 3);
                const mpq_class d = f.b * f.b - 4 * f.c;
                if (d == 0 || (d > 0 && mpz_perfect_square_p(mpz_class(d.get_num() * d.get_den()).get_mpz_t())))
                    continue;
            } else if (chance(0.1)) {
                f.value = 0;
            } else {
                f.value = apart ? fraction(8, 2) : fraction(40, 9);
            }
            f.size = upTo(1, 3);
            if (f.n() > room)
                f.size = 1;
            if (f.n() > room || (apart && tooNear(p, f)))
                continue;
            p.finite.push_back(f);
            return f.n();
        }
        return room;
    }

    static bool tooNear(const RandomPencil& p, const FiniteBlock& f)
    {
        const auto own = f.eigenvalues();
        if (own.size() == 2 && std::abs(own[0] - own[1]) < 0.5)
            return true;
        for (const FiniteBlock& other : p.finite) {
            if (other.pair == f.pair && other.value == f.value && other.b == f.b && other.c == f.c)
                continue;
            for (const auto& x : other.eigenvalues())
                for (const auto& y : own)
                    if (std::abs(x - y) < 0.25)
                        return true;
        }
        return false;
    }

    static void fill(RandomPencil& p)
    {
        int n = p.n1() + p.n2();
        for (std::size_t k = 0; k < p.free.size(); ++k)
            n += p.free[k] + p.dependent[k] + 1;
        p.E = pencil::RationalMatrix(n, n);
        p.A = p.E;
        int at = 0;
        for (const int size : p.nilpotent)
            for (int i = 0; i < size; ++i, ++at) {
                p.A(at, at) = 1;
                if (i > 0)
                    p.E(at - 1, at) = 1;
            }
        for (const FiniteBlock& f : p.finite) {
            const int width = f.pair ? 2 : 1;
            for (int i = 0; i < f.n(); ++i) {
                p.E(at + i, at + i) = 1;
                if (i + width < f.n())
                    p.A(at + i, at + i + width) = 1;
            }
            for (int i = 0; i < f.size; ++i, at += width) {
                if (!f.pair) {
                    p.A(at, at) = f.value;
                    continue;
                }
                p.A(at, at + 1) = 1; // companion matrix of the pair
                p.A(at + 1, at) = -f.c;
                p.A(at + 1, at + 1) = -f.b;
            }
        }
        int row = at, column = at;
        for (const int size : p.free) { // size rows, size + 1 columns
            for (int i = 0; i < size; ++i) {
                p.E(row + i, column + i) = 1;
                p.A(row + i, column + i + 1) = 1;
            }
            row += size;
            column += size + 1;
        }
        for (const int size : p.dependent) { // the transposed block
            for (int i = 0; i < size; ++i) {
                p.E(row + i, column + i) = 1;
                p.A(row + i + 1, column + i) = 1;
            }
            row += size + 1;
            column += size;
        }
    }

    /// A product of shears, a permutation's worth of them, and fractions on the diagonal.
    pencil::RationalMatrix regular(int n)
    {
        pencil::RationalMatrix m = pencil::RationalMatrix::identity(n);
        for (int i = 0; i < n; ++i)
            if (chance(0.3))
                m(i, i) = mpq_class(upTo(1, 5) * (chance(0.5) ? 1 : -1), upTo(1, 5));
        for (mpq_class& v : m.values)
            v.canonicalize();
        for (int k = 0; k < 4 * n; ++k) {
            const int i = upTo(0, n - 1), j = upTo(0, n - 1), c = upTo(-2, 2);
            for (int l = 0; l < n && i != j; ++l)
                m(i, l) += c * m(j, l);
        }
        return m;
    }

    std::mt19937 random_;
};

/// x(t) is chosen, f = E x' - A x follows: the solution that starts at x(0) is x, and no other.
struct ChosenSolution {
    std::vector<expr::Expr> x;
    std::vector<double> at(double t) const
    {
        std::vector<double> out;
        for (const expr::Expr& e : x)
            out.push_back(*expr::evaluate(e, [t](const expr::Symbol&) { return t; }));
        return out;
    }
};

/// extra: is added to one unknown, which one is drawn.
inline ChosenSolution chooseSolution(PencilGenerator& generator, RandomPencil& p, const expr::Expr& extra = expr::Expr(0))
{
    ChosenSolution s;
    const expr::Expr t = expr::time();
    for (int i = 0; i < p.n(); ++i) {
        const int a = generator.upTo(-3, 3), b = generator.upTo(-3, 3);
        s.x.push_back(expr::Expr(a) + expr::Expr(b) * t - expr::rational(1, 4) * t * t + expr::Expr(a) * expr::sin(t));
    }
    expr::Expr& changed = s.x[static_cast<std::size_t>(generator.upTo(0, p.n() - 1))];
    changed = changed + extra;
    for (int i = 0; i < p.n(); ++i) {
        std::vector<expr::Expr> terms;
        for (int j = 0; j < p.n(); ++j) {
            terms.push_back(expr::Expr(p.system.E(i, j)) * expr::timeDerivative(s.x[static_cast<std::size_t>(j)]));
            terms.push_back(expr::Expr(-p.system.A(i, j)) * s.x[static_cast<std::size_t>(j)]);
        }
        p.system.f[static_cast<std::size_t>(i)] = expr::sum(terms);
    }
    p.system.x0 = s.at(0);
    return s;
}

/// DRIFTLESS_SEED and DRIFTLESS_COUNT replace what a test draws by default.
inline int fromEnvironment(const char* name, int otherwise)
{
    const char* text = std::getenv(name);
    return text ? std::atoi(text) : otherwise;
}

} // namespace driftless::testing
