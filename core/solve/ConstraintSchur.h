// S = B W A^T for the multipliers of constraints, where the masses W^-1 stand on a diagonal: what is left of
//
//   [ W^-1  A^T ] [ v      ]   [ p ]        S lambda = B W p - r
//   [ B     0   ] [ lambda ] = [ r ]        v = W (p - A^T lambda)
//
// once the velocities are eliminated. A and B are the gradients of the same m constraints on n coordinates at two points, so S
// is symmetric in structure, and as good as symmetric and positive definite for a short step. Of a chain it is tridiagonal, of
// a tree it has no fill: rows are eliminated in the order of least degree, those of equal degree in turns, so that a chain is
// eliminated from both of its ends. Its steps then reach the next but one, in whatever order the rows stand, and its blocks are
// three arrays that are walked from end to end. Pivots stay on the diagonal. Where one has lost half of its digits the
// factorisation says so, and whoever asked solves the whole system with a pivoting solver.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/solve/MatrixPlace.h"

namespace driftless::solve {

class ConstraintSchur {
public:
    /// places: of the gradients, row: constraint, column: coordinate. Allocates. False where S would fill in so much that a
    /// general solver is the better choice.
    bool analyse(int n, int m, std::span<const MatrixPlace> places);
    /// b, a: on the places, both to stay as they are until the last solution; w: n. False where a pivot is no number to rely
    /// on. Does not allocate.
    bool factor(const double* b, const double* w, const double* a);
    /// lambda := S^-1 (B y - r); y: n, null where it is zero; r and lambda: m, which may be the same.
    void multipliers(const double* y, const double* r, double* lambda);
    /// out := A^T lambda; n numbers.
    void force(const double* lambda, double* out) const
    {
        forEachForce(a_, lambda, [out](std::size_t c, double sum) { out[c] = sum; });
    }
    /// use(c, (A^T lambda)_c) of all coordinates c in their order; a: any gradient on the places.
    template <class Use>
    void forEachForce(const double* a, const double* lambda, Use&& use) const
    {
        const auto walk = [&](auto entry) {
            const std::size_t n = columnStarts_.size() - 1;
            for (std::size_t c = 0; c < n; ++c) {
                double sum = 0;
                for (std::size_t e = columnStarts_[c]; e < columnStarts_[c + 1]; ++e)
                    sum += entry(e) * lambda[rows_[e]];
                use(c, sum);
            }
        };
        if (byColumn_.empty())
            walk([a](std::size_t e) { return a[e]; });
        else
            walk([&](std::size_t e) { return a[byColumn_[e]]; });
    }
    /// Smallest against largest pivot of the last factorisation.
    double pivotRatio() const { return m_ == 0 ? 1 : least_ / most_; }

private:
    /// Entry of a gradient, and the column in which it stands.
    struct Entry {
        std::uint32_t place, column;
    };
    /// Entries of two rows in the same column.
    struct Term {
        std::uint32_t first, later; ///< in the row that is eliminated first, and in the other one
        std::uint32_t column;
    };
    struct Update {
        std::uint32_t to, lower, upper; ///< places among the values
    };
    bool eliminateStructure(std::vector<std::vector<int>> neighbours);
    bool isPath() const;
    void placeEntries(std::span<const MatrixPlace> places);
    void placeTerms();
    void placeUpdates();
    std::uint32_t placeOf(int row, int column) const;

    void sumUp(const double* b, const double* w, const double* a);
    bool takePivot(std::size_t step, double pivot);
    bool eliminate();
    bool eliminatePath();
    template <class RightSide>
    void solvePath(RightSide&& rightSide, double* lambda);
    template <class RightSide>
    void solve(RightSide&& rightSide, double* lambda);

    int n_ = 0, m_ = 0;
    bool path_ = false;               ///< each step reaches the next but one, the last but one the last
    std::vector<int> order_, step_;   ///< row of each step, step of each row
    std::vector<std::size_t> starts_; ///< of the steps among later_
    std::vector<int> later_;          ///< steps that a step reaches, in order
    std::vector<Update> updates_;     ///< by step
    std::vector<std::size_t> updateStarts_;
    std::vector<Term> terms_; ///< by place of S beside the diagonal, of one triangle
    std::vector<std::size_t> termStarts_;
    std::vector<double> values_; ///< the diagonal of S by step; by later_ what becomes D^-1 times L, and of U
    std::vector<double> inverse_, x_;
    std::vector<Entry> byRow_; ///< entries of the gradients by step
    std::vector<std::size_t> rowStarts_, columnStarts_;
    std::vector<std::uint32_t> byColumn_; ///< the same by column; empty where the places stand so
    std::vector<int> rows_;               ///< by column
    const double *b_ = nullptr, *a_ = nullptr;
    double least_ = 0, most_ = 0; ///< pivots
};

} // namespace driftless::solve
