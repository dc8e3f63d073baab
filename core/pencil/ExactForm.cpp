// Weierstrass form of a rational pencil, after the proof of [DN] theorem 4 with exact arithmetic throughout:
//   T = (A - l0 E)^-1 E; R^n = ker T^nu + im T^nu; on the first part T is nilpotent, on the second regular.
//   E V = T0 V diag(T1, T2), A V = T0 V diag(I + l0 T1, I + l0 T2), T0 = A - l0 E, V = [V1 V2]
//   N = (I + l0 T1)^-1 T1, W = T2^-1 + l0 I
#include "core/pencil/ExactForm.h"

#include <algorithm>

#include "core/text/Sums.h"

namespace driftless::pencil {

Chains jordanChains(const RationalMatrix& B)
{
    const int n = B.rows;
    std::vector<RationalMatrix> kernels{RationalMatrix(n, 0)};
    for (RationalMatrix power = B;; power = power * B) {
        RationalMatrix kernel = kernelOf(power);
        if (kernel.columns == kernels.back().columns)
            break;
        kernels.push_back(std::move(kernel));
    }
    Chains out;
    out.columns = RationalMatrix(n, 0);
    RationalMatrix carried(n, 0); // at level k: what the longer chains have become
    std::vector<std::vector<RationalMatrix>> chains;
    for (int level = static_cast<int>(kernels.size()) - 1; level >= 1; --level) {
        const RationalMatrix& below = kernels[static_cast<std::size_t>(level - 1)];
        const RationalMatrix& here = kernels[static_cast<std::size_t>(level)];
        carried = B * carried;
        RationalMatrix all = beside(beside(below, carried), here);
        RationalMatrix reduced = all;
        for (const int pivot : reduceRows(reduced)) {
            if (pivot < below.columns + carried.columns)
                continue;
            const RationalMatrix top = all.block(0, pivot, n, 1);
            chains.push_back({});
            RationalMatrix v = top;
            for (int i = 0; i < level; ++i, v = B * v)
                chains.back().push_back(v);
            out.blocks.push_back(level);
        }
        carried = RationalMatrix(n, 0);
        for (const auto& chain : chains)
            carried = beside(carried, chain[chain.size() - static_cast<std::size_t>(level)]);
    }
    for (const auto& chain : chains)
        for (std::size_t i = chain.size(); i-- > 0;)
            out.columns = beside(out.columns, chain[i]);
    return out;
}

namespace {

/// The integer nearest to zero that is no eigenvalue, and (A - shift E)^-1; at most n eigenvalues are in the way.
std::optional<RationalMatrix> shiftedInverse(const RationalMatrix& E, const RationalMatrix& A, mpq_class& shift)
{
    for (int k = 0; k <= E.rows; ++k) {
        shift = k % 2 == 0 ? -(k / 2) : (k + 1) / 2;
        if (auto inverse = solve(A + scaled(E, -shift), RationalMatrix::identity(E.rows)))
            return inverse;
    }
    return std::nullopt;
}

} // namespace

RationalMatrix jordanBlocks(const std::vector<int>& sizes)
{
    int n = 0, at = 0;
    for (const int size : sizes)
        n += size;
    RationalMatrix out(n, n);
    for (const int size : sizes)
        for (int i = 0; i < size; ++i, ++at)
            if (i > 0)
                out(at - 1, at) = 1;
    return out;
}

std::optional<ExactForm> weierstrassForm(const RationalMatrix& E, const RationalMatrix& A)
{
    const int n = E.rows;
    mpq_class shift;
    const auto inverse = shiftedInverse(E, A, shift);
    if (!inverse)
        return std::nullopt;
    const RationalMatrix T = *inverse * E;
    const Chains zero = jordanChains(T);
    const int n1 = zero.columns.columns, nu = zero.blocks.empty() ? 0 : zero.blocks.front();
    RationalMatrix power = RationalMatrix::identity(n);
    for (int k = 0; k < nu; ++k)
        power = power * T;
    RationalMatrix reduced = power;
    const std::vector<int> pivots = reduceRows(reduced);
    const RationalMatrix& V1 = zero.columns;
    const RationalMatrix V2 = columnsOf(power, pivots);
    if (V1.columns + V2.columns != n)
        return std::nullopt;
    // T V = V X on the span of the columns V.
    const auto T1 = solve(V1, T * V1), T2 = solve(V2, T * V2);
    if (!T1 || !T2)
        return std::nullopt;
    const auto left1 = solve(RationalMatrix::identity(n1) + scaled(*T1, shift), RationalMatrix::identity(n1));
    const auto left2 = solve(*T2, RationalMatrix::identity(n - n1));
    const auto rows = solve(beside(V1, V2), *inverse);
    if (!left1 || !left2 || !rows)
        return std::nullopt;
    const Chains chains = jordanChains(*left1 * *T1);
    const auto top = chains.columns.columns == n1 ? solve(chains.columns, *left1 * rows->block(0, 0, n1, n)) : std::nullopt;
    if (!top)
        return std::nullopt;
    ExactForm out;
    out.blocks = chains.blocks;
    out.N = jordanBlocks(chains.blocks);
    out.W = *left2 + scaled(RationalMatrix::identity(n - n1), shift);
    out.Q = beside(V1 * chains.columns, V2);
    out.P = RationalMatrix(n, n);
    out.P.setBlock(0, 0, *top);
    out.P.setBlock(n1, 0, *left2 * rows->block(n1, 0, n - n1, n));
    return out;
}

bool reproduces(const ExactForm& form, const RationalMatrix& E, const RationalMatrix& A)
{
    const int n = E.rows, n1 = form.N.rows;
    RationalMatrix left = RationalMatrix::identity(n), right = left;
    left.setBlock(0, 0, form.N);
    right.setBlock(n1, n1, form.W);
    // P (A - lambda E) Q is regular where both hold, hence so are P and Q.
    return (form.P * E * form.Q + scaled(left, -1)).isZero() && (form.P * A * form.Q + scaled(right, -1)).isZero();
}

namespace {

/// Smallest degree d with (A - lambda E)(v_0 + v_1 lambda + ... + v_d lambda^d) = 0 and such a polynomial: columns v_i.
std::optional<RationalMatrix> minimalPolynomial(const RationalMatrix& E, const RationalMatrix& A)
{
    constexpr int kMostColumns = 120; // cost grows with the third power
    const int n = E.rows;
    for (int d = 0; d < n && (d + 1) * n <= kMostColumns; ++d) {
        RationalMatrix m((d + 2) * n, (d + 1) * n);
        for (int i = 0; i <= d; ++i) {
            m.setBlock(i * n, i * n, A);
            m.setBlock((i + 1) * n, i * n, scaled(E, -1));
        }
        const RationalMatrix kernel = kernelOf(m);
        if (kernel.columns == 0)
            continue;
        RationalMatrix out(n, d + 1);
        for (int i = 0; i <= d; ++i)
            out.setBlock(0, i, kernel.block(i * n, 0, n, 1));
        return out;
    }
    return std::nullopt;
}

RationalMatrix transposed(const RationalMatrix& m)
{
    RationalMatrix out(m.columns, m.rows);
    for (int i = 0; i < m.rows; ++i)
        for (int j = 0; j < m.columns; ++j)
            out(j, i) = m(i, j);
    return out;
}

/// "2 a - a''", with one prime per power.
std::string operatorText(const RationalMatrix& coefficients, int row, const std::string& name)
{
    std::string out;
    for (int i = 0; i < coefficients.columns; ++i) {
        const mpq_class& c = coefficients(row, i);
        if (c == 0)
            continue;
        out += text::signOf(c < 0, out.empty());
        const mpq_class size = abs(c);
        out += (size == 1 ? "" : size.get_str() + " ") + name
               + (i <= 3 ? std::string(static_cast<std::size_t>(i), '\'') : "^(" + std::to_string(i) + ")");
    }
    return out;
}

} // namespace

std::string whySingular(const RationalMatrix& E, const RationalMatrix& A)
{
    std::string why = "det(A - lambda E) is zero for every lambda";
    if (const auto free = minimalPolynomial(E, A)) {
        std::string parts;
        for (int i = 0; i < free->rows; ++i)
            if (const std::string text = operatorText(*free, i, "a"); !text.empty())
                parts += (parts.empty() ? "" : ", ") + ("x" + std::to_string(i + 1)) + " = " + text;
        why += "; the unknowns are not determined: " + parts + " solves E x' = A x for every function a(t)";
    }
    if (const auto empty = minimalPolynomial(transposed(E), transposed(A))) {
        std::string parts;
        for (int i = 0; i < empty->rows; ++i)
            if (const std::string text = operatorText(*empty, i, "f" + std::to_string(i + 1)); !text.empty()) {
                const bool negative = text.front() == '-';
                parts += text::signOf(negative, parts.empty());
                parts += text.substr(negative ? 1 : 0);
            }
        why += "; the equations are dependent: they have a solution only where 0 = " + parts;
    }
    return why;
}

} // namespace driftless::pencil
