// P D A Q = L U on memory allocated once; D scales each row by a power of two.
//
// Rows and columns that the pattern leaves with a single entry are solved by substitution and never enter the elimination: in
// the equations of motion those of q' = v, of unknowns that are defined by the others, and the like. What is left, the core, is
// eliminated with partial pivoting. Row singletons come first (a row of one unknown gives its value), column singletons last
// (an unknown of one row follows from all others), each in the order in which they are found.
#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "core/solve/DenseElimination.h"
#include "core/solve/EliminationPlan.h"
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

/// A value and the unknown that it multiplies.
struct Term {
    int place, column;
};

/// A right-hand side less what unknowns that are known contribute: the terms from one number to another.
template <class Number>
Number rest(Number value, const std::vector<Term>& terms, int from, int to, const std::vector<Number>& values, const Number* x)
{
    for (const Term *e = terms.data() + from, *const end = terms.data() + to; e != end; ++e)
        value -= product(values[static_cast<std::size_t>(e->place)], x[e->column]);
    return value;
}

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
        for (auto* v : {&ofFirst_, &ofLast_, &ofCore_})
            v->reserve(size(n) * size(n));
        for (auto* v : {&firstStarts_, &lastStarts_, &coreStarts_})
            v->reserve(size(n) + 1);
        inCore_.reserve(size(n) * size(n));
        inRows_.reserve(size(n) * size(n));
        structure_.reserve(size(n) * size(n));
        for (Plan& plan : plans_)
            plan.reserve(n);
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
        listTerms();
    }

    Factorization factor(const Number* values) override
    {
        Number* const planned = plan_ ? plan_->entries() : nullptr;
        const InRow* entry = inRows_.data();
        for (int i = 0; i < n_; ++i) {
            const InRow* const end = inRows_.data() + rowStarts_[size(i) + 1];
            double most = 0;
            for (const InRow* e = entry; e != end; ++e) {
                const double v = magnitude(values[e->place]);
                if (!(v < HUGE_VAL))
                    return {};
                most = v > most ? v : most;
            }
            const double scale = scale_[size(i)] = powerOfTwoScale(most);
            for (; entry != end; ++entry) {
                const Number v = values_[size(entry->place)] = values[entry->place] * scale;
                if (planned)
                    planned[entry->entry] = v;
            }
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
        credit_ = std::min(credit_ + 1, kMostCredit);
        if (plan_) {
            double least = smallest, most = largest;
            planned_ = plan_->factor(least, most);
            if (planned_)
                return {.ok = true, .pivotRatio = least / most};
        }
        planned_ = false;
        return eliminateFreely(smallest, largest);
    }

    void solve(Number* b) override
    {
        // x_ shares its place with b by unknown: the right-hand side of a row is read before its unknown is written.
        for (int i = 0; i < n_; ++i)
            work_[size(i)] = b[i] * scale_[size(i)];
        for (std::size_t k = 0; k < first_.size(); ++k)
            b[first_[k].column] = rest(work_[size(first_[k].row)], ofFirst_, firstStarts_[k], firstStarts_[k + 1], values_, b)
                                  / values_[size(first_[k].place)];
        const int core = coreSize();
        Number* x = core_.data();
        for (int i = 0; i < core; ++i) {
            const int row = rowOf_[size(i)];
            x[i] = rest(work_[size(coreRows_[size(row)])], ofCore_, coreStarts_[size(row)], coreStarts_[size(row) + 1], values_,
                        b);
        }
        if (planned_)
            plan_->solve(x);
        else
            substituteDense(matrix_.data(), core, x);
        for (int j = 0; j < core; ++j)
            b[coreColumns_[size(j)]] = x[j];
        for (std::size_t k = last_.size(); k-- > 0;)
            b[last_[k].column] = rest(work_[size(last_[k].row)], ofLast_, lastStarts_[k], lastStarts_[k + 1], values_, b)
                                 / values_[size(last_[k].place)];
    }

private:
    /// Row and column of a pivot outside the core, and its place among the values.
    struct Single {
        int row, column, place;
    };
    using Plan = EliminationPlan<Number>;
    static constexpr int kMostCredit = 64;
    static constexpr int kFirst = -1, kLast = -2; ///< in place of a number within the core

    static std::size_t size(int i) { return static_cast<std::size_t>(i); }
    int coreSize() const { return static_cast<int>(coreRows_.size()); }
    Number& at(int i, int j) { return matrix_[size(j) * coreRows_.size() + size(i)]; }

    /// Where an entry of the core stands among the values and in the core.
    struct InCore {
        int place, row, column;
    };
    /// Where an entry of a row stands among the values and in the plan.
    struct InRow {
        int place, entry;
    };

    /// The terms of peeled rows besides their pivots, those of the core's rows in unknowns that come first, and the core.
    void listTerms()
    {
        const auto list = [this](const std::vector<Single>& rows, std::vector<Term>& terms, std::vector<int>& starts) {
            terms.clear();
            starts.assign(1, 0);
            for (const Single& s : rows) {
                for (int e = rowStarts_[size(s.row)]; e < rowStarts_[size(s.row) + 1]; ++e)
                    if (entryPlace_[size(e)] != s.place)
                        terms.push_back({entryPlace_[size(e)], entryColumn_[size(e)]});
                starts.push_back(static_cast<int>(terms.size()));
            }
        };
        list(first_, ofFirst_, firstStarts_);
        list(last_, ofLast_, lastStarts_);
        ofCore_.clear();
        coreStarts_.assign(1, 0);
        for (const int row : coreRows_) {
            for (int e = rowStarts_[size(row)]; e < rowStarts_[size(row) + 1]; ++e)
                if (coreOfColumn_[size(entryColumn_[size(e)])] == kFirst)
                    ofCore_.push_back({entryPlace_[size(e)], entryColumn_[size(e)]});
            coreStarts_.push_back(static_cast<int>(ofCore_.size()));
        }
        inCore_.clear();
        structure_.assign(coreRows_.size() * coreRows_.size(), 0);
        for (std::size_t k = 0; k < values_.size(); ++k) {
            const int i = coreOfRow_[size(rowOfPlace_[k])], j = coreOfColumn_[size(columnOfPlace_[k])];
            if (i >= 0 && j >= 0) {
                inCore_.push_back({static_cast<int>(k), i, j});
                structure_[size(j) * coreRows_.size() + size(i)] = 1;
            }
        }
        inRows_.clear();
        for (const int place : entryPlace_)
            inRows_.push_back({place, 0});
        for (Plan& plan : plans_)
            plan.clear();
        plan_ = nullptr;
        credit_ = kMostCredit;
    }

    /// By the general elimination, whose pivots then have a plan.
    Factorization eliminateFreely(double smallest, double largest)
    {
        const int core = coreSize();
        std::fill(matrix_.begin(), matrix_.begin() + static_cast<std::ptrdiff_t>(core) * core, Number(0));
        for (const InCore& e : inCore_)
            at(e.row, e.column) = values_[size(e.place)];
        const int left = eliminateDense(matrix_.data(), core, rowOf_.data(), smallest, largest);
        if (left >= 0) {
            plan_ = nullptr;
            return {.ok = false, .row = coreRows_[size(rowOf_[size(left)])], .column = coreColumns_[size(left)]};
        }
        plan_ = core > 0 && core <= Plan::kMost ? planOfPivots({rowOf_.data(), size(core)}) : nullptr;
        if (plan_)
            for (InRow& e : inRows_)
                e.entry = plan_->place(coreOfRow_[size(rowOfPlace_[size(e.place)])],
                                       coreOfColumn_[size(columnOfPlace_[size(e.place)])]);
        return {.ok = true, .pivotRatio = smallest / largest};
    }

    /// One that is at hand, or a new one in the place of the oldest, unless too many were made of late.
    Plan* planOfPivots(std::span<const int> pivots)
    {
        for (Plan& plan : plans_)
            if (plan.isOf(pivots))
                return &plan;
        constexpr int kPrice = 8; // a plan takes as long as that many factorisations
        if (credit_ < kPrice)
            return nullptr;
        credit_ -= kPrice;
        oldest_ = (oldest_ + 1) % plans_.size();
        plans_[oldest_].build(coreSize(), structure_, pivots);
        return &plans_[oldest_];
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
    std::vector<int> coreOfRow_, coreOfColumn_;   ///< place in the core, or kFirst, kLast
    std::vector<Term> ofFirst_, ofLast_, ofCore_; ///< one row after another
    std::vector<int> firstStarts_, lastStarts_, coreStarts_;
    std::vector<InCore> inCore_;
    std::vector<InRow> inRows_;   ///< row by row
    std::vector<char> structure_; ///< of the core, by columns
    std::array<Plan, 4> plans_;   ///< a motion comes back to the same pivots
    std::size_t oldest_ = 0;
    Plan* plan_ = nullptr;                      ///< of the pivots of the last factorisation, where there is one
    bool planned_ = false;                      ///< the last factorisation is the plan's
    int credit_ = kMostCredit;                  ///< factorisations since plans were made, so that these stay few
    std::vector<int> openInRow_, openInColumn_; ///< entries of rows and columns that are not taken yet
};

} // namespace

std::unique_ptr<LinearSolver> makeDenseSolver(int n) { return std::make_unique<DenseLu<double>>(n); }

std::unique_ptr<ComplexLinearSolver> makeDenseComplexSolver(int n) { return std::make_unique<DenseLu<Complex>>(n); }

std::unique_ptr<LinearSolver> makeLinearSolver(int n) { return n <= kDenseLimit ? makeDenseSolver(n) : makeSparseSolver(); }

} // namespace driftless::solve
