// Matrices and polynomials of exact rational numbers; private to this room.
#pragma once

#include <gmpxx.h>

#include <optional>
#include <string>
#include <vector>

#include "core/pencil/Pencil.h"

namespace driftless::pencil {

/// get_d() alone cuts off.
double nearestDouble(const mpq_class& q);

struct RationalMatrix {
    int rows = 0, columns = 0;
    std::vector<mpq_class> values;

    RationalMatrix() = default;
    RationalMatrix(int r, int c) : rows(r), columns(c), values(static_cast<std::size_t>(r) * static_cast<std::size_t>(c)) {}
    static RationalMatrix identity(int n);
    static RationalMatrix read(int n, const std::vector<std::string>& fractions);

    mpq_class& operator()(int i, int j)
    {
        return values[static_cast<std::size_t>(i) * static_cast<std::size_t>(columns) + static_cast<std::size_t>(j)];
    }
    const mpq_class& operator()(int i, int j) const
    {
        return values[static_cast<std::size_t>(i) * static_cast<std::size_t>(columns) + static_cast<std::size_t>(j)];
    }

    RationalMatrix block(int row, int column, int r, int c) const;
    void setBlock(int row, int column, const RationalMatrix& part);
    bool isZero() const;
    Matrix toDouble() const;
    std::vector<std::string> texts() const;
};

RationalMatrix operator*(const RationalMatrix& a, const RationalMatrix& b);
RationalMatrix operator+(const RationalMatrix& a, const RationalMatrix& b);
RationalMatrix scaled(const RationalMatrix& a, const mpq_class& factor);
RationalMatrix columnsOf(const RationalMatrix& m, const std::vector<int>& which);
/// [a | b]
RationalMatrix beside(const RationalMatrix& a, const RationalMatrix& b);
/// Reduced row echelon form in place; returns the pivot columns.
std::vector<int> reduceRows(RationalMatrix& m);
int rankOf(RationalMatrix m);
/// Columns span the kernel.
RationalMatrix kernelOf(const RationalMatrix& m);
/// A^-1 B, nullopt when A is singular.
std::optional<RationalMatrix> solve(const RationalMatrix& a, const RationalMatrix& b);
mpq_class determinantOf(const RationalMatrix& m);

/// Coefficients, constant first, no trailing zeros; empty is the zero polynomial.
using Polynomial = std::vector<mpq_class>;
/// det(A - lambda E) by interpolation at n + 1 integers.
Polynomial determinantPolynomial(const RationalMatrix& E, const RationalMatrix& A);
mpq_class valueAt(const Polynomial& p, const mpq_class& x);

struct Root {
    double re = 0, im = 0;
    int multiplicity = 1;
    std::optional<mpq_class> exact; ///< where the root is rational
};
/// All complex roots with exact multiplicities, sorted by real, then imaginary part; nullopt where the irrational ones could
/// not be told apart with the precision that is allowed.
std::optional<std::vector<Root>> rootsOf(const Polynomial& p);

} // namespace driftless::pencil
