#include "core/pencil/Rational.h"

#include <cmath>
#include <utility>

namespace driftless::pencil {

RationalMatrix RationalMatrix::identity(int n)
{
    RationalMatrix m(n, n);
    for (int i = 0; i < n; ++i)
        m(i, i) = 1;
    return m;
}

RationalMatrix RationalMatrix::read(int n, const std::vector<std::string>& fractions)
{
    RationalMatrix m(n, n);
    for (std::size_t i = 0; i < fractions.size(); ++i) {
        m.values[i] = mpq_class(fractions[i], 10);
        m.values[i].canonicalize();
    }
    return m;
}

double nearestDouble(const mpq_class& q)
{
    const double cut = q.get_d(); // towards zero
    return std::isfinite(cut) ? cut + mpq_class(q - mpq_class(cut)).get_d() : cut;
}

RationalMatrix RationalMatrix::block(int row, int column, int r, int c) const
{
    RationalMatrix out(r, c);
    for (int i = 0; i < r; ++i)
        for (int j = 0; j < c; ++j)
            out(i, j) = (*this)(row + i, column + j);
    return out;
}

void RationalMatrix::setBlock(int row, int column, const RationalMatrix& part)
{
    for (int i = 0; i < part.rows; ++i)
        for (int j = 0; j < part.columns; ++j)
            (*this)(row + i, column + j) = part(i, j);
}

bool RationalMatrix::isZero() const
{
    for (const mpq_class& v : values)
        if (v != 0)
            return false;
    return true;
}

Matrix RationalMatrix::toDouble() const
{
    Matrix out(rows, columns);
    for (std::size_t i = 0; i < values.size(); ++i)
        out.values[i] = nearestDouble(values[i]);
    return out;
}

std::vector<std::string> RationalMatrix::texts() const
{
    std::vector<std::string> out;
    for (const mpq_class& v : values)
        out.push_back(v.get_str());
    return out;
}

RationalMatrix operator*(const RationalMatrix& a, const RationalMatrix& b)
{
    RationalMatrix out(a.rows, b.columns);
    for (int i = 0; i < a.rows; ++i)
        for (int k = 0; k < a.columns; ++k)
            if (a(i, k) != 0)
                for (int j = 0; j < b.columns; ++j)
                    if (b(k, j) != 0)
                        out(i, j) += a(i, k) * b(k, j);
    return out;
}

RationalMatrix operator+(const RationalMatrix& a, const RationalMatrix& b)
{
    RationalMatrix out = a;
    for (std::size_t i = 0; i < out.values.size(); ++i)
        out.values[i] += b.values[i];
    return out;
}

RationalMatrix scaled(const RationalMatrix& a, const mpq_class& factor)
{
    RationalMatrix out = a;
    for (mpq_class& v : out.values)
        v *= factor;
    return out;
}

RationalMatrix columnsOf(const RationalMatrix& m, const std::vector<int>& which)
{
    RationalMatrix out(m.rows, static_cast<int>(which.size()));
    for (int j = 0; j < out.columns; ++j)
        out.setBlock(0, j, m.block(0, which[static_cast<std::size_t>(j)], m.rows, 1));
    return out;
}

RationalMatrix beside(const RationalMatrix& a, const RationalMatrix& b)
{
    RationalMatrix out(a.rows, a.columns + b.columns);
    out.setBlock(0, 0, a);
    out.setBlock(0, a.columns, b);
    return out;
}

std::vector<int> reduceRows(RationalMatrix& m)
{
    std::vector<int> pivots;
    for (int column = 0; column < m.columns && static_cast<int>(pivots.size()) < m.rows; ++column) {
        const int row = static_cast<int>(pivots.size());
        int from = row;
        while (from < m.rows && m(from, column) == 0)
            ++from;
        if (from == m.rows)
            continue;
        if (from != row)
            for (int j = column; j < m.columns; ++j)
                std::swap(m(from, j), m(row, j));
        const mpq_class pivot = m(row, column);
        for (int j = column; j < m.columns; ++j)
            m(row, j) /= pivot;
        for (int i = 0; i < m.rows; ++i) {
            if (i == row || m(i, column) == 0)
                continue;
            const mpq_class factor = m(i, column);
            for (int j = column; j < m.columns; ++j)
                if (m(row, j) != 0)
                    m(i, j) -= factor * m(row, j);
        }
        pivots.push_back(column);
    }
    return pivots;
}

int rankOf(RationalMatrix m) { return static_cast<int>(reduceRows(m).size()); }

RationalMatrix kernelOf(const RationalMatrix& m)
{
    RationalMatrix reduced = m;
    const std::vector<int> pivots = reduceRows(reduced);
    RationalMatrix out(m.columns, m.columns - static_cast<int>(pivots.size()));
    std::size_t next = 0;
    int at = 0;
    for (int column = 0; column < m.columns; ++column) {
        if (next < pivots.size() && pivots[next] == column) {
            ++next;
            continue;
        }
        out(column, at) = 1;
        for (std::size_t k = 0; k < next; ++k)
            out(pivots[k], at) = -reduced(static_cast<int>(k), column);
        ++at;
    }
    return out;
}

std::optional<RationalMatrix> solve(const RationalMatrix& a, const RationalMatrix& b)
{
    RationalMatrix both(a.rows, a.columns + b.columns);
    both.setBlock(0, 0, a);
    both.setBlock(0, a.columns, b);
    const std::vector<int> pivots = reduceRows(both);
    if (static_cast<int>(pivots.size()) < a.columns
        || (a.columns > 0 && pivots[static_cast<std::size_t>(a.columns - 1)] != a.columns - 1))
        return std::nullopt;
    return both.block(0, a.columns, a.columns, b.columns);
}

namespace {

/// Fraction-free elimination (Bareiss): every intermediate number is a minor of the matrix, so none grows beyond need.
mpz_class determinantOf(std::vector<mpz_class> m, int n)
{
    const auto at = [&m, n](int i, int j) -> mpz_class& {
        return m[static_cast<std::size_t>(i) * static_cast<std::size_t>(n) + static_cast<std::size_t>(j)];
    };
    mpz_class last = 1;
    int sign = 1;
    for (int k = 0; k < n; ++k) {
        int row = k;
        while (row < n && at(row, k) == 0)
            ++row;
        if (row == n)
            return 0;
        if (row != k) {
            for (int j = 0; j < n; ++j)
                std::swap(at(row, j), at(k, j));
            sign = -sign;
        }
        for (int i = k + 1; i < n; ++i)
            for (int j = k + 1; j < n; ++j) {
                mpz_class value = at(i, j) * at(k, k) - at(i, k) * at(k, j);
                mpz_divexact(at(i, j).get_mpz_t(), value.get_mpz_t(), last.get_mpz_t());
            }
        last = at(k, k);
    }
    return sign * last;
}

} // namespace

mpq_class determinantOf(const RationalMatrix& m)
{
    std::vector<mpz_class> integers(m.values.size());
    mpz_class denominator = 1;
    for (int i = 0; i < m.rows; ++i) {
        mpz_class common = 1;
        for (int j = 0; j < m.columns; ++j)
            mpz_lcm(common.get_mpz_t(), common.get_mpz_t(), m(i, j).get_den_mpz_t());
        for (int j = 0; j < m.columns; ++j)
            integers[static_cast<std::size_t>(i) * static_cast<std::size_t>(m.columns) + static_cast<std::size_t>(j)] =
                mpz_class(m(i, j).get_num() * (common / m(i, j).get_den()));
        denominator *= common;
    }
    mpq_class out(determinantOf(std::move(integers), m.rows), denominator);
    out.canonicalize();
    return out;
}

Polynomial determinantPolynomial(const RationalMatrix& E, const RationalMatrix& A)
{
    // Newton's divided differences at 0, 1, -1, 2, -2, ...
    const int points = E.rows + 1;
    std::vector<mpq_class> at, difference;
    for (int k = 0; k < points; ++k) {
        at.emplace_back(k % 2 == 0 ? -(k / 2) : (k + 1) / 2);
        difference.push_back(determinantOf(A + scaled(E, -at.back())));
    }
    for (int order = 1; order < points; ++order)
        for (int k = points - 1; k >= order; --k) {
            const auto i = static_cast<std::size_t>(k), before = static_cast<std::size_t>(k - order);
            difference[i] = (difference[i] - difference[i - 1]) / (at[i] - at[before]);
        }
    Polynomial p;
    for (int k = points - 1; k >= 0; --k) { // p <- p (lambda - at_k) + difference_k
        Polynomial next(p.size() + 1);
        for (std::size_t i = 0; i < p.size(); ++i) {
            next[i + 1] += p[i];
            next[i] -= p[i] * at[static_cast<std::size_t>(k)];
        }
        next[0] += difference[static_cast<std::size_t>(k)];
        p = std::move(next);
        while (!p.empty() && p.back() == 0)
            p.pop_back();
    }
    return p;
}

mpq_class valueAt(const Polynomial& p, const mpq_class& x)
{
    mpq_class value = 0;
    for (std::size_t i = p.size(); i-- > 0;)
        value = value * x + p[i];
    return value;
}

} // namespace driftless::pencil
