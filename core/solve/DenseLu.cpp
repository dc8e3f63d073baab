// P D A Q = L U on memory allocated once; D scales each row by a power of two.
//
// Rows and columns that the pattern leaves with a single entry are solved by substitution and never enter the elimination: in
// the equations of motion those of q' = v, of unknowns that are defined by the others, and the like. What is left, the core, is
// eliminated with partial pivoting. Row singletons come first (a row of one unknown gives its value), column singletons last
// (an unknown of one row follows from all others), each in the order in which they are found.
#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "core/solve/LinearSolver.h"

namespace driftless::solve {
namespace {

/// The power of two that brings x > 0 into [1, 2); 1 for what has no such factor (zero, subnormal, huge).
double powerOfTwoScale(double x)
{
    const std::uint64_t exponent = std::bit_cast<std::uint64_t>(x) >> 52;
    if (exponent == 0 || exponent >= 2045)
        return x > 0 && exponent == 0 ? 0x1p1022 : 1.0;
    return std::bit_cast<double>((2046 - exponent) << 52);
}

using Complex = std::complex<double>;

/// What pivots are chosen by.
double magnitude(double x) { return std::abs(x); }
double magnitude(const Complex& x) { return std::abs(x.real()) + std::abs(x.imag()); }

/// Without the care for infinities that std::complex takes: what is not finite is refused before and caught at the pivots.
double product(double a, double b) { return a * b; }
Complex product(const Complex& a, const Complex& b)
{
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

/// Divides many numbers by one: complex ones by its inverse, taken once.
struct Divisor {
    explicit Divisor(double by) : by_(by) {}
    double operator()(double x) const { return x / by_; }

private:
    double by_;
};
struct ComplexDivisor {
    explicit ComplexDivisor(const Complex& by) : inverse_(1.0 / by) {}
    Complex operator()(const Complex& x) const { return product(x, inverse_); }

private:
    Complex inverse_;
};

template <class Number>
class DenseLu final : public LinearSolverOf<Number> {
public:
    explicit DenseLu(int n)
        : n_(n), matrix_(size(n) * size(n)), scale_(size(n)), work_(size(n)), rowOf_(size(n)), coreOfRow_(size(n)),
          coreOfColumn_(size(n))
    {
        // Room for a full matrix, so that a change of pattern allocates nothing either.
        for (auto* v : {&rowStarts_, &openInRow_, &openInColumn_})
            v->reserve(size(n) + 1);
        for (auto* v : {&entryColumn_, &entryPlace_, &columnOfPlace_, &rowOfPlace_})
            v->reserve(size(n) * size(n));
        for (auto* v : {&coreRows_, &coreColumns_})
            v->reserve(size(n));
        for (auto* v : {&first_, &last_})
            v->reserve(size(n));
        values_.reserve(size(n) * size(n));
    }

    void analyse(const SparsePattern& pattern) override
    {
        assert(pattern.rows == n_ && pattern.columns == n_);
        const auto entries = static_cast<int>(pattern.rowIndices.size());
        rowOfPlace_.assign(pattern.rowIndices.begin(), pattern.rowIndices.end());
        columnOfPlace_.resize(size(entries));
        values_.resize(size(entries));
        rowStarts_.assign(size(n_) + 1, 0);
        for (int j = 0; j < n_; ++j)
            for (int k = pattern.columnStarts[size(j)]; k < pattern.columnStarts[size(j) + 1]; ++k) {
                columnOfPlace_[size(k)] = j;
                ++rowStarts_[size(rowOfPlace_[size(k)]) + 1];
            }
        for (int i = 0; i < n_; ++i)
            rowStarts_[size(i) + 1] += rowStarts_[size(i)];
        entryColumn_.resize(size(entries));
        entryPlace_.resize(size(entries));
        openInRow_.assign(rowStarts_.begin(), rowStarts_.end() - 1);
        for (int k = 0; k < entries; ++k) { // by columns, so that each row is sorted
            const int at = openInRow_[size(rowOfPlace_[size(k)])]++;
            entryColumn_[size(at)] = columnOfPlace_[size(k)];
            entryPlace_[size(at)] = k;
        }
        peel();
    }

    Factorization factor(const Number* values) override
    {
        for (int i = 0; i < n_; ++i) {
            double largest = 0;
            for (int e = rowStarts_[size(i)]; e < rowStarts_[size(i) + 1]; ++e) {
                const double v = magnitude(values[entryPlace_[size(e)]]);
                if (!(v <= HUGE_VAL) || v == HUGE_VAL)
                    return {};
                largest = std::max(largest, v);
            }
            scale_[size(i)] = powerOfTwoScale(largest);
        }
        const int core = coreSize();
        std::fill(matrix_.begin(), matrix_.begin() + static_cast<std::ptrdiff_t>(core) * core, Number(0));
        for (std::size_t k = 0; k < values_.size(); ++k) {
            const int row = rowOfPlace_[k];
            const Number v = values_[k] = values[k] * scale_[size(row)];
            const int i = coreOfRow_[size(row)], j = coreOfColumn_[size(columnOfPlace_[k])];
            if (i >= 0 && j >= 0)
                at(i, j) = v;
        }
        double smallest = n_ > 0 ? HUGE_VAL : 1.0, largest = n_ > 0 ? 0.0 : 1.0;
        for (const auto* list : {&first_, &last_})
            for (const Single& s : *list) {
                const double pivot = magnitude(values_[size(s.place)]);
                if (!(pivot > 0))
                    return {.ok = false, .row = s.row, .column = s.column};
                smallest = std::min(smallest, pivot);
                largest = std::max(largest, pivot);
            }
        return eliminate(smallest, largest);
    }

    void solve(Number* b) override
    {
        // x_ shares its place with b by unknown: the right-hand side of a row is read before its unknown is written.
        for (int i = 0; i < n_; ++i)
            work_[size(i)] = b[i] * scale_[size(i)];
        for (const Single& s : first_)
            b[s.column] = rest(s, b) / values_[size(s.place)];
        const int core = coreSize();
        Number* x = core_.data();
        for (int i = 0; i < core; ++i) {
            const int row = coreRows_[size(rowOf_[size(i)])];
            Number value = work_[size(row)];
            if (!first_.empty())
                for (int e = rowStarts_[size(row)]; e < rowStarts_[size(row) + 1]; ++e)
                    if (const int column = entryColumn_[size(e)]; coreOfColumn_[size(column)] == kFirst)
                        value -= product(values_[size(entryPlace_[size(e)])], b[column]);
            x[i] = value;
        }
        for (int k = 0; k < core; ++k)
            for (int i = k + 1; i < core; ++i)
                x[i] -= product(at(i, k), x[k]);
        for (int k = core - 1; k >= 0; --k) {
            x[k] /= at(k, k);
            for (int i = 0; i < k; ++i)
                x[i] -= product(at(i, k), x[k]);
        }
        for (int j = 0; j < core; ++j)
            b[coreColumns_[size(j)]] = x[j];
        for (std::size_t k = last_.size(); k-- > 0;)
            b[last_[k].column] = rest(last_[k], b) / values_[size(last_[k].place)];
    }

private:
    /// Row and column of a pivot outside the core, and its place among the values.
    struct Single {
        int row, column, place;
    };
    static constexpr int kFirst = -1, kLast = -2; ///< in place of a number within the core

    static std::size_t size(int i) { return static_cast<std::size_t>(i); }
    int coreSize() const { return static_cast<int>(coreRows_.size()); }
    Number& at(int i, int j) { return matrix_[size(j) * coreRows_.size() + size(i)]; }

    /// The right-hand side of a peeled row less what its other unknowns, known by now, contribute.
    Number rest(const Single& s, const Number* x) const
    {
        Number value = work_[size(s.row)];
        for (int e = rowStarts_[size(s.row)]; e < rowStarts_[size(s.row) + 1]; ++e)
            if (entryPlace_[size(e)] != s.place)
                value -= product(values_[size(entryPlace_[size(e)])], x[entryColumn_[size(e)]]);
        return value;
    }

    void peel()
    {
        constexpr int kOpen = 0;
        std::fill(coreOfRow_.begin(), coreOfRow_.end(), kOpen);
        std::fill(coreOfColumn_.begin(), coreOfColumn_.end(), kOpen);
        openInRow_.assign(size(n_), 0);
        openInColumn_.assign(size(n_), 0);
        for (std::size_t k = 0; k < values_.size(); ++k) {
            ++openInRow_[size(rowOfPlace_[k])];
            ++openInColumn_[size(columnOfPlace_[k])];
        }
        first_.clear();
        last_.clear();
        const auto take = [&](const Single& s, int part) {
            (part == kFirst ? first_ : last_).push_back(s);
            coreOfRow_[size(s.row)] = coreOfColumn_[size(s.column)] = part;
            for (std::size_t k = 0; k < values_.size(); ++k) {
                openInRow_[size(rowOfPlace_[k])] -= columnOfPlace_[k] == s.column && coreOfRow_[size(rowOfPlace_[k])] == kOpen;
                openInColumn_[size(columnOfPlace_[k])] -=
                    rowOfPlace_[k] == s.row && coreOfColumn_[size(columnOfPlace_[k])] == kOpen;
            }
        };
        for (const bool byRow : {true, false})
            for (bool found = true; found;) {
                found = false;
                for (std::size_t k = 0; k < values_.size(); ++k) {
                    const int i = rowOfPlace_[k], j = columnOfPlace_[k];
                    if (coreOfRow_[size(i)] == kOpen && coreOfColumn_[size(j)] == kOpen
                        && (byRow ? openInRow_[size(i)] : openInColumn_[size(j)]) == 1) {
                        take({i, j, static_cast<int>(k)}, byRow ? kFirst : kLast);
                        found = true;
                    }
                }
            }
        coreRows_.clear();
        coreColumns_.clear();
        for (int i = 0; i < n_; ++i) {
            if (coreOfRow_[size(i)] == kOpen) {
                coreOfRow_[size(i)] = static_cast<int>(coreRows_.size());
                coreRows_.push_back(i);
            }
            if (coreOfColumn_[size(i)] == kOpen) {
                coreOfColumn_[size(i)] = static_cast<int>(coreColumns_.size());
                coreColumns_.push_back(i);
            }
        }
        core_.resize(coreRows_.size());
    }

    Factorization eliminate(double smallest, double largest)
    {
        const int n = coreSize();
        for (int i = 0; i < n; ++i)
            rowOf_[size(i)] = i;
        for (int k = 0; k < n; ++k) {
            int best = k;
            for (int i = k + 1; i < n; ++i)
                if (magnitude(at(i, k)) > magnitude(at(best, k)))
                    best = i;
            const double pivot = magnitude(at(best, k));
            if (!(pivot > 0) || !std::isfinite(pivot))
                return {.ok = false, .row = coreRows_[size(rowOf_[size(k)])], .column = coreColumns_[size(k)]};
            if (best != k) {
                std::swap(rowOf_[size(k)], rowOf_[size(best)]);
                for (int j = 0; j < n; ++j)
                    std::swap(at(k, j), at(best, j));
            }
            smallest = std::min(smallest, pivot);
            largest = std::max(largest, pivot);
            const std::conditional_t<std::is_same_v<Number, double>, Divisor, ComplexDivisor> divided(at(k, k));
            for (int i = k + 1; i < n; ++i)
                at(i, k) = divided(at(i, k));
            for (int j = k + 1; j < n; ++j)
                if (const Number u = at(k, j); u != Number(0))
                    for (int i = k + 1; i < n; ++i)
                        at(i, j) -= product(at(i, k), u);
        }
        return {.ok = true, .pivotRatio = smallest / largest};
    }

    int n_;
    // The pattern by rows: entries rowStarts_[i] to rowStarts_[i + 1] with their column and their place in the given order, by
    // columns.
    std::vector<int> rowStarts_, entryColumn_, entryPlace_;
    std::vector<int> columnOfPlace_, rowOfPlace_;
    std::vector<Number> values_; ///< scaled
    std::vector<Single> first_, last_;
    std::vector<int> coreRows_, coreColumns_;
    std::vector<Number> matrix_; ///< of the core, columns one after another; L below the diagonal, U on and above
    std::vector<Number> core_;   ///< right-hand side and solution of the core
    std::vector<double> scale_;  ///< D, by row
    std::vector<Number> work_;   ///< scaled right-hand side, by row
    std::vector<int> rowOf_;     ///< row of the core at each place after pivoting
    std::vector<int> coreOfRow_, coreOfColumn_; ///< place in the core, or kFirst, kLast
    std::vector<int> openInRow_, openInColumn_; ///< entries of rows and columns that are not taken yet
};

} // namespace

std::unique_ptr<LinearSolver> makeDenseSolver(int n) { return std::make_unique<DenseLu<double>>(n); }

std::unique_ptr<ComplexLinearSolver> makeDenseComplexSolver(int n) { return std::make_unique<DenseLu<Complex>>(n); }

std::unique_ptr<LinearSolver> makeLinearSolver(int n) { return n <= kDenseLimit ? makeDenseSolver(n) : makeSparseSolver(); }

} // namespace driftless::solve
