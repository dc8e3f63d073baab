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
    if (!a.comparison)
        return INFINITY;
    double worst = 0;
    for (std::size_t k = 0; k < a.comparison->t.size(); ++k) {
        const auto x = chosen.at(a.comparison->t[k]);
        for (std::size_t i = 0; i < x.size(); ++i)
            worst = std::max(worst, std::abs(a.comparison->closed[k][i] - x[i]) / (1 + std::abs(x[i])));
    }
    return worst;
}

} // namespace driftless::testing
