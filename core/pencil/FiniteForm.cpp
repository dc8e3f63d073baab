// The finite part of a rational pencil, W, taken apart over the rationals.
//
//   chi = det(W - x I) up to a factor; chi = product of p^m over square-free parts p with roots of multiplicity m.
// A rational eigenvalue s gets its Jordan chains from the kernels of (W - s I)^k, whatever the others are. The irrational roots
// of one p span ker p(W)^m, which is rational; their chains are not, but the sizes of their blocks are known exactly from the
// invariant factors d1, d2, ... of W there (the next divides the one before): a root of multiplicity k in d_i has a block of
// size k. Roots of different sizes are separated by greatest common divisors; no factorisation is needed.
#include "core/pencil/ExactForm.h"
#include "core/pencil/Polynomial.h"

#include <algorithm>
#include <numeric>

namespace driftless::pencil {

namespace {

RationalMatrix valueAt(const Polynomial& p, const RationalMatrix& W)
{
    RationalMatrix value(W.rows, W.rows);
    for (std::size_t i = p.size(); i-- > 0;)
        value = value * W + scaled(RationalMatrix::identity(W.rows), p[i]);
    return value;
}

int degree(const Polynomial& p) { return static_cast<int>(p.size()) - 1; }

/// Columns that span ker p(W)^m.
RationalMatrix kernelOfPower(const RationalMatrix& W, const Polynomial& p, int m)
{
    const RationalMatrix value = valueAt(p, W);
    RationalMatrix power = value;
    for (int k = 1; k < m; ++k)
        power = power * value;
    return kernelOf(power);
}

/// The same where chi = p^m rest: it is also the image of rest(W), which is taken where its degree is lower.
RationalMatrix invariantColumns(const RationalMatrix& W, const Polynomial& chi, const Polynomial& p, int m)
{
    Polynomial rest = chi;
    for (int k = 0; k < m; ++k)
        rest = quotientOf(rest, p);
    if (degree(rest) >= m * degree(p))
        return kernelOfPower(W, p, m);
    const RationalMatrix value = valueAt(rest, W);
    RationalMatrix reduced = value;
    return columnsOf(value, reduceRows(reduced));
}

/// The monic polynomial p of least degree with p(B) v = 0, and v, B v, ... up to one power before it.
struct Krylov {
    Polynomial annihilator;
    RationalMatrix columns;
};
Krylov krylov(const RationalMatrix& B, const RationalMatrix& v)
{
    RationalMatrix all = v, next = v;
    for (int k = 0; k < B.rows; ++k) {
        next = B * next;
        all = beside(all, next);
    }
    RationalMatrix reduced = all;
    const int d = static_cast<int>(reduceRows(reduced).size()); // once a power depends on those before, all later ones do
    Krylov out{Polynomial(static_cast<std::size_t>(d) + 1), all.block(0, 0, B.rows, d)};
    for (int i = 0; i < d; ++i)
        out.annihilator[static_cast<std::size_t>(i)] = -reduced(i, d);
    out.annihilator.back() = 1;
    return out;
}

/// (1, c, c^2, ...): any n of them are independent, so that a proper subspace holds fewer than n of them.
RationalMatrix momentColumn(int n, int c)
{
    RationalMatrix v(n, 1);
    mpq_class power = 1;
    for (int i = 0; i < n; ++i, power *= c)
        v(i, 0) = power;
    return v;
}

/// Of a vector whose annihilator is the minimal polynomial of B. The others lie in at most n proper subspaces, the kernels of
/// the minimal polynomial without one of its irreducible factors: among n^2 moment columns is one that does not.
std::optional<Krylov> cyclicVector(const RationalMatrix& B)
{
    const int n = B.rows;
    for (int c = 1; c <= n * n; ++c) {
        Krylov found = krylov(B, momentColumn(n, c));
        if (found.columns.columns == n || valueAt(found.annihilator, B).isZero())
            return found;
    }
    return std::nullopt;
}

/// Largest degree first, nothing where B contradicts itself. The minimal polynomial is that of a vector; the others are those
/// of the quotient by what the vector spans.
std::optional<std::vector<Polynomial>> invariantFactors(RationalMatrix B)
{
    std::vector<Polynomial> out;
    while (B.rows > 0) {
        const int n = B.rows;
        const auto found = cyclicVector(B);
        if (!found)
            return std::nullopt;
        out.push_back(found->annihilator);
        const int d = found->columns.columns;
        const RationalMatrix all = beside(found->columns, RationalMatrix::identity(n));
        RationalMatrix reduced = all;
        const RationalMatrix basis = columnsOf(all, reduceRows(reduced));
        const auto turned = solve(basis, B * basis);
        if (!turned)
            return std::nullopt;
        B = turned->block(d, d, n - d, n - d);
    }
    return out;
}

/// Roots that have blocks of the same sizes.
struct RootGroup {
    Polynomial p;
    std::vector<int> blocks;
};

/// p square-free, p^m the characteristic polynomial of B. Empty where they contradict each other.
std::vector<RootGroup> groupsOfEqualBlocks(const RationalMatrix& B, const Polynomial& p, int m)
{
    if (m == 1)
        return {{p, {1}}};
    const auto factors = invariantFactors(B);
    if (!factors)
        return {};
    std::vector<RootGroup> groups{{p, {}}};
    for (const Polynomial& factor : *factors) {
        const std::vector<Polynomial> powers = squareFreeParts(factor);
        std::vector<RootGroup> next;
        for (RootGroup group : groups) {
            for (std::size_t k = 0; k < powers.size(); ++k) {
                const Polynomial common = greatestCommonDivisor(group.p, powers[k]);
                if (degree(common) < 1)
                    continue;
                next.push_back({common, group.blocks});
                next.back().blocks.push_back(static_cast<int>(k) + 1);
                group.p = quotientOf(group.p, common);
            }
            if (degree(group.p) > 0)
                next.push_back(std::move(group));
        }
        groups = std::move(next);
    }
    return groups;
}

/// The irrational roots of multiplicity m, in groups; false where they contradict W.
bool appendIrrationalParts(const RationalMatrix& W, const Polynomial& chi, const std::vector<Root>& roots, const Polynomial& p,
                           int m, std::vector<FinitePart>& parts)
{
    const RationalMatrix Z = invariantColumns(W, chi, p, m);
    const auto B = solve(Z, W * Z);
    if (!B || B->rows != m * degree(p))
        return false;
    const std::vector<RootGroup> groups = groupsOfEqualBlocks(*B, p, m);
    if (groups.empty())
        return false;
    for (const RootGroup& group : groups) {
        if (std::accumulate(group.blocks.begin(), group.blocks.end(), 0) != m)
            return false;
        const auto own = groups.size() == 1 ? std::optional(roots) : rootsOf(group.p);
        if (!own)
            return false;
        parts.push_back({*own, group.blocks, groups.size() == 1 ? Z : Z * kernelOfPower(*B, group.p, group.blocks.front())});
        for (Root& root : parts.back().roots)
            root.multiplicity = m;
    }
    return true;
}

/// W becomes block diagonal with these parts.
bool takeApart(const std::vector<FinitePart>& parts, ExactForm& form)
{
    const int n2 = form.W.rows, n1 = form.N.rows, n = n1 + n2;
    RationalMatrix S(n2, 0);
    for (const FinitePart& part : parts)
        S = beside(S, part.columns);
    if (S.columns != n2)
        return false;
    const RationalMatrix right = beside(form.W * S, form.P.block(n1, 0, n2, n));
    const auto rows = solve(S, right);
    if (!rows)
        return false;
    form.Q.setBlock(0, n1, form.Q.block(0, n1, n, n2) * S);
    form.W = rows->block(0, 0, n2, n2);
    form.P.setBlock(n1, 0, rows->block(0, n2, n2, n));
    return true;
}

} // namespace

std::optional<std::vector<FinitePart>> separateEigenvalues(const Polynomial& determinant, const std::vector<Root>& roots,
                                                           ExactForm& form)
{
    const RationalMatrix& W = form.W;
    const Polynomial chi = monic(determinant);
    std::vector<FinitePart> parts;
    for (const Root& root : roots) {
        if (!root.exact)
            continue;
        Chains chains = jordanChains(W + scaled(RationalMatrix::identity(W.rows), -*root.exact));
        if (chains.columns.columns != root.multiplicity)
            return std::nullopt;
        parts.push_back({{root}, std::move(chains.blocks), std::move(chains.columns)});
    }
    const std::vector<Polynomial> powers = squareFreeParts(chi);
    for (std::size_t k = 0; k < powers.size(); ++k) {
        const int m = static_cast<int>(k) + 1;
        Polynomial p = powers[k];
        std::vector<Root> irrational;
        for (const Root& root : roots) {
            if (root.multiplicity != m)
                continue;
            if (root.exact)
                p = quotientOf(p, {-*root.exact, 1});
            else
                irrational.push_back(root);
        }
        if (!irrational.empty() && !appendIrrationalParts(W, chi, irrational, p, m, parts))
            return std::nullopt;
    }
    if (!takeApart(parts, form))
        return std::nullopt;
    return parts;
}

} // namespace driftless::pencil
