// S = B W A^T for the multipliers of constraints, where the masses W^-1 stand on a diagonal: what is left of
//
//   [ W^-1  A^T ] [ v      ]   [ p ]        S lambda = B W p - r
//   [ B     0   ] [ lambda ] = [ r ]        v = W (p - A^T lambda)
//
// once the velocities are eliminated. A and B are the gradients of the same m constraints on n coordinates at two points, so S
// is symmetric in structure, and as good as symmetric and positive definite for a short step. Of a chain it is tridiagonal, of
// a tree it has no fill: rows are eliminated in the order of least degree, those of equal degree in turns, so that a chain is
// eliminated from both of its ends. Pivots stay on the diagonal. Where one has lost half of its digits the factorisation says
// so, and whoever asked solves the whole system with a pivoting solver.
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
    /// b, a: on the places; w: n. False where a pivot is no number to rely on. Does not allocate.
    bool factor(const double* b, const double* w, const double* a);
    /// lambda := S^-1 (B y - r); y: n, r and lambda: m, which may be the same.
    void multipliers(const double* y, const double* r, double* lambda);
    /// out := A^T lambda; n numbers.
    void force(const double* lambda, double* out) const;
    /// Smallest against largest pivot of the last factorisation.
    double pivotRatio() const { return ratio_; }

private:
    /// S_e += b_k (w a)_l, by place of S; of the diagonal both run over the entries of a row.
    struct Term {
        std::uint32_t b, a;
    };
    struct Update {
        std::uint32_t to, lower, upper; ///< places among the values
    };
    bool eliminateStructure(std::vector<std::vector<int>> neighbours);
    void placeTerms(std::span<const MatrixPlace> places);
    std::uint32_t placeOf(int row, int column) const;

    int n_ = 0, m_ = 0;
    std::vector<int> order_, step_;                  ///< row of each step, step of each row
    std::vector<std::size_t> starts_, updateStarts_; ///< of the steps
    std::vector<int> later_;                         ///< steps that a step reaches, in order
    std::vector<Update> updates_;                    ///< by step
    std::vector<Term> terms_;                        ///< by place of S beside the diagonal
    std::vector<std::size_t> termStarts_;            ///< of these places: L, then U
    std::vector<double> values_, inverse_, b_, a_, weighted_, x_;
    std::vector<std::uint32_t> byRow_, byColumn_; ///< entries of the gradients in these orders
    std::vector<std::size_t> rowStarts_, columnStarts_;
    std::vector<int> columns_, rows_; ///< of the entries in these orders
    double ratio_ = 0;
};

} // namespace driftless::solve
