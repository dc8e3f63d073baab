// What an analysis must say of a pencil whose form is known. Each judge returns what is wrong, nothing where all is right.
#pragma once

#include <sstream>

#include "tests/pencil/RandomPencil.h"

namespace driftless::testing {

inline constexpr double kRoundoff = 2.220446049250313e-16;

inline std::string told(const pencil::Analysis& a)
{
    std::ostringstream out;
    out.precision(17);
    out << (a.regular ? "regular" : "singular") << (a.uncertain ? " uncertain" : "") << " rank E " << a.rankE << " index "
        << a.index << " n1 " << a.n1 << " n2 " << a.n2 << " blocks";
    for (const int b : a.nilpotentBlocks)
        out << ' ' << b;
    out << " eigenvalues";
    for (const auto& [re, im] : a.eigenvalues)
        out << " (" << re << ", " << im << ")";
    out << (a.jordan ? " jordan" : " schur") << " residual " << a.formResidual << " margin " << a.margin << " why " << a.why;
    return out.str();
}

/// Largest distance when each known eigenvalue takes the nearest found one that is left, relative to 1 + |known|.
inline double eigenvalueError(const RandomPencil& p, const pencil::Analysis& a)
{
    auto left = a.eigenvalues;
    double worst = 0;
    for (const auto& z : p.eigenvalues()) {
        const auto distance = [&z](const std::pair<double, double>& e) {
            return std::abs(std::complex<double>(e.first, e.second) - z);
        };
        const auto nearest =
            std::min_element(left.begin(), left.end(), [&](const auto& x, const auto& y) { return distance(x) < distance(y); });
        if (nearest == left.end())
            return INFINITY;
        worst = std::max(worst, distance(*nearest) / (1 + std::abs(z)));
        left.erase(nearest);
    }
    return left.empty() ? worst : INFINITY;
}

/// Sizes of the blocks of J, ascending: chains are coupled by ones beside the diagonal, beside the second for pairs.
inline std::vector<int> blockSizes(const pencil::Matrix& J)
{
    std::vector<int> sizes;
    for (int at = 0; at < J.rows;) {
        const int width = at + 1 < J.rows && J(at + 1, at) != 0 ? 2 : 1;
        int length = 1, next = at + width;
        while (next < J.rows && J(next - width, next) != 0) {
            ++length;
            next += width;
        }
        sizes.push_back(length);
        at = next;
    }
    std::sort(sizes.begin(), sizes.end());
    return sizes;
}

/// The sizes that J must have: an irrational real pair counts as two chains.
inline std::vector<int> blockSizes(const RandomPencil& p)
{
    std::vector<int> sizes;
    for (const FiniteBlock& f : p.finite)
        sizes.insert(sizes.end(), f.pair && f.eigenvalues()[0].imag() == 0 ? 2 : 1, f.size);
    std::sort(sizes.begin(), sizes.end());
    return sizes;
}

inline std::string judgeStructure(const RandomPencil& p, const pencil::Analysis& a)
{
    if (a.regular != p.regular())
        return p.regular() ? "called singular" : "called regular";
    if (a.rankE != p.rankE())
        return "rank of E";
    if (!p.regular())
        return a.why.empty() ? "no reason why it is singular" : "";
    if (a.index != (p.nilpotent.empty() ? 0 : p.nilpotent.front()) || a.n1 != p.n1() || a.n2 != p.n2()
        || a.nilpotentBlocks != p.nilpotent)
        return "nilpotent part";
    if (a.jordan && blockSizes(a.J) != blockSizes(p))
        return "Jordan blocks of the finite part";
    return "";
}

/// P E Q - diag(N, I) and P A Q - diag(I, J) in the fractions that are printed.
inline bool formHoldsExactly(const RandomPencil& p, const pencil::Analysis& a)
{
    const auto P = pencil::RationalMatrix::read(p.n(), a.exactP), Q = pencil::RationalMatrix::read(p.n(), a.exactQ);
    pencil::RationalMatrix left = pencil::RationalMatrix::identity(p.n()), right = left, J(a.n2, a.n2);
    for (std::size_t i = 0; i < a.exactJ.size(); ++i)
        J.values[i] = mpq_class(a.exactJ[i]);
    right.setBlock(a.n1, a.n1, J);
    for (int i = 0; i < a.n1; ++i)
        for (int j = 0; j < a.n1; ++j)
            left(i, j) = a.N(i, j);
    return (P * p.E * Q + pencil::scaled(left, -1)).isZero() && (P * p.A * Q + pencil::scaled(right, -1)).isZero();
}

inline bool allRational(const RandomPencil& p)
{
    return std::none_of(p.finite.begin(), p.finite.end(), [](const FiniteBlock& f) { return f.pair; });
}

inline std::string judgeExact(const RandomPencil& p, const Result<pencil::Analysis>& a)
{
    if (!a)
        return a.error().text();
    if (!a->exact || a->uncertain)
        return "not exact";
    if (const std::string fault = judgeStructure(p, *a); !fault.empty() || !p.regular())
        return fault;
    // Known values and printed ones are each rounded once; the square root of a pair a few times more.
    if (eigenvalueError(p, *a) > (allRational(p) ? 0 : 8 * kRoundoff))
        return "eigenvalues";
    if (allRational(p) && (a->exactP.empty() || !formHoldsExactly(p, *a)))
        return "the exact form";
    return a->P.values.empty() ? "no form" : "";
}

/// A block of size k spreads the round-off of the data, magnified by the transformations, by its k-th root.
inline double allowedError(const RandomPencil& p)
{
    int largest = 1;
    for (const FiniteBlock& f : p.finite) {
        int together = 0; // blocks of one eigenvalue perturb each other too, but not beyond the largest one's root
        for (const FiniteBlock& g : p.finite)
            if (g.pair == f.pair && g.value == f.value && g.b == f.b && g.c == f.c)
                together = std::max(together, g.size);
        largest = std::max(largest, together);
    }
    constexpr double kOperations = 1e5; // magnification by the staircase, the separation of its parts and the chains
    return std::pow(kOperations * p.n() * p.conditions * kRoundoff, 1.0 / largest);
}

inline std::string judgeFloating(const RandomPencil& p, const Result<pencil::Analysis>& a)
{
    if (!a)
        return a.error().text();
    if (a->uncertain)
        return a->why.empty() ? "uncertain without a reason" : "";
    if (const std::string fault = judgeStructure(p, *a); !fault.empty() || !p.regular())
        return fault;
    if (const double error = eigenvalueError(p, *a); error > allowedError(p))
        return "eigenvalues by " + std::to_string(error) + ", allowed " + std::to_string(allowedError(p));
    return a->P.values.empty() || a->formResidual > pencil::kReproduced ? "the form" : "";
}

/// The closed form against the solution that was chosen; relative to 1 + |x|.
inline double solutionError(const ChosenSolution& chosen, const pencil::Analysis& a)
{
    if (!a.solution)
        return INFINITY;
    double worst = 0;
    for (std::size_t k = 0; k < a.solution->t.size(); ++k) {
        const auto x = chosen.at(a.solution->t[k]);
        for (std::size_t i = 0; i < x.size(); ++i)
            worst = std::max(worst, std::abs(a.solution->closed[k][i] - x[i]) / (1 + std::abs(x[i])));
    }
    return worst;
}

inline double largest(const pencil::Matrix& m)
{
    double out = 0;
    for (const double v : m.values)
        out = std::max(out, std::abs(v));
    return out;
}

/// An exact pencil of any index, its solution chosen: the closed form is that solution, whatever the numerical method does.
inline std::string judgeExactSolution(PencilGenerator& generator, int most)
{
    RandomPencil p = generator.form(most, false, true);
    if (p.n() == 0)
        return "";
    generator.hideExactly(p);
    const ChosenSolution chosen = chooseSolution(generator, p);
    p.system.end = 0.25;
    const auto a = pencil::analyse(p.system);
    // x = Q (... P f): sums of n products with numbers of these sizes cancel, four times one in another, and grow by e^2 within
    // J.
    const double n = p.n(),
                 terms = a ? n * n * n * n * largest(a->Q) * largest(a->P) * (largest(p.system.E) + largest(p.system.A)) : 0;
    const double error = a ? solutionError(chosen, *a) : INFINITY;
    const double allowed = 1e-9 + 100 * (kRoundoff + (a ? a->formResidual : 0)) * terms; // irrational eigenvalues are rounded
    if (error <= allowed)
        return "";
    return std::to_string(error) + " of " + std::to_string(allowed) + ": " + p.told() + " -> "
           + (a ? told(*a) + " " + a->solutionNote : a.error().text());
}

/// A solution with a pole, one whose pole lies outside, and one with a zero that cancels.
inline std::string judgePole(PencilGenerator& generator)
{
    RandomPencil p = generator.form(4, false, true);
    if (p.n() == 0 || (!p.nilpotent.empty() && p.nilpotent.front() > 3)) // beyond, round-off hides what cancels
        return "";
    generator.hideInDoubles(p, 0.5, 0);
    p.system.end = 0.25;
    const int kind = generator.upTo(0, 2), power = generator.upTo(1, 3), size = generator.upTo(1, 5);
    const double place =
        kind == 1 ? (generator.chance(0.5) ? -0.5 : 0.75) : 0.25 * (0.0002 + 0.0001428 * generator.upTo(0, 7000));
    const expr::Expr from = expr::time() - expr::Expr(place);
    const expr::Expr divisor = expr::pow(from, expr::Expr(power));
    // Written out, the divisor only touches zero.
    const expr::Expr written = power == 2 && generator.chance(0.5) ? expr::expand(divisor) : divisor;
    const ChosenSolution chosen =
        chooseSolution(generator, p, kind == 2 ? expr::sin(from) / from : expr::Expr(size) / expr::Expr(100) / written);
    const auto a = pencil::analyse(p.system);
    if (!a)
        return a.error().text();
    if (a->uncertain)
        return "";
    const std::string told = "kind " + std::to_string(kind) + " power " + std::to_string(power) + " at " + std::to_string(place)
                             + ": " + p.told() + " -> " + a->solutionNote;
    // Written out, a zero that only touches is known to half of its digits.
    if (kind == 0)
        return !a->solution && a->breakAt && std::abs(*a->breakAt - place) < (power == 2 ? 1e-6 : 1e-9)
                   ? ""
                   : "pole not told, " + told;
    const double error = solutionError(chosen, *a);
    // Beside a zero that cancels f has lost half of its digits, and its second derivative, which index 3 needs, all of them.
    const bool known = kind != 2 || p.nilpotent.empty() || p.nilpotent.front() <= 2;
    return a->solution && (!known || error < (kind == 2 ? 1e-5 : 1e-8))
               ? ""
               : "pole told or error " + std::to_string(error) + ", " + told;
}

/// Fast and stiff: x has waves of any length, J eigenvalues from -1 down to -1e10. The closed form is that solution, or is
/// withheld with a reason.
inline std::string judgeFast(PencilGenerator& generator, bool& given)
{
    std::vector<FiniteBlock> finite;
    for (int k = generator.upTo(1, 3); k > 0; --k)
        finite.push_back({.value = mpq_class(-generator.upTo(1, 9) * static_cast<long>(std::pow(10, generator.upTo(0, 9)))),
                          .b = 0,
                          .c = 0});
    RandomPencil p =
        PencilGenerator::known(generator.chance(0.5) ? std::vector<int>{} : std::vector<int>{generator.upTo(1, 3)}, finite);
    generator.hideExactly(p);
    const expr::Expr wave = expr::sin(expr::Expr(std::pow(10.0, generator.upTo(0, 3))) * expr::time());
    const ChosenSolution chosen = chooseSolution(generator, p, wave);
    p.system.end = generator.chance(0.5) ? 1 : 10;
    const auto a = pencil::analyse(p.system);
    if (!a)
        return a.error().text();
    given = a->solution.has_value();
    const double n = p.n(), terms = n * n * n * n * largest(a->Q) * largest(a->P) * (largest(p.system.E) + largest(p.system.A));
    const double error = given ? solutionError(chosen, *a) : 0;
    if (given ? error > 1e-5 + 1e-13 * terms : a->solutionNote.empty())
        return std::to_string(error) + " of " + p.told() + " to " + std::to_string(p.system.end) + " -> " + told(*a) + " "
               + a->solutionNote;
    return "";
}

} // namespace driftless::testing
