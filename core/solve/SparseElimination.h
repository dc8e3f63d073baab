// Gaussian elimination of a sparse matrix with any number of rows and columns, with partial pivoting (Gilbert and Peierls, SIAM
// J. Sci. Stat. Comput. 9 (1988) 862-874): which columns depend on others, and which rows make a well-conditioned square block.
//
// Where the pivoted QR decomposition decides for small matrices, this one decides for large ones: its pivots lie within the
// growth factor of those of QR, and its cost grows with the entries of L.
#pragma once

#include <span>
#include <vector>

#include "core/solve/SparseFactor.h"

namespace driftless::solve {

class SparseElimination {
public:
    /// Eliminates the matrix with these entries (at different places). A column whose largest remaining entry is below
    /// tolerance times the largest pivot so far, or that has no row left, depends on those before it.
    void eliminate(int rows, int columns, std::span<const MatrixPlace> entries, std::span<const double> values,
                   double tolerance);

    /// The row chosen for every column, -1 for a dependent one.
    std::span<const int> pivotRows() const { return pivotRow_; }
    std::vector<int> dependentColumns() const;
    /// Smallest against largest pivot among the independent columns; 0 where a column is dependent.
    double pivotRatio() const { return ratio_; }
    /// Sign of the determinant of a square matrix; 0 when singular.
    int sign() const;

private:
    struct Multiplier {
        int row;
        double value;
    };
    void orderColumns(int columns, std::span<const MatrixPlace> entries);

    int rows_ = 0;
    std::vector<int> order_, pivotRow_; ///< columns as eliminated; by column
    std::vector<int> stepOfRow_;        ///< elimination step that took a row, -1 none yet
    std::vector<std::size_t> starts_;   ///< of the multipliers of a step
    std::vector<Multiplier> lower_;
    std::vector<double> pivots_; ///< by step
    std::vector<int> pivotOfStep_, columnOfStep_;
    double ratio_ = 1;
};

} // namespace driftless::solve
