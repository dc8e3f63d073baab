// Compressed-column pattern of a square sparse matrix; the values live with whoever fills them.
#pragma once

#include <vector>

namespace driftless::solve {

struct SparsePattern {
    int rows = 0;
    int columns = 0;
    std::vector<int> columnStarts; ///< columns + 1 entries
    std::vector<int> rowIndices;   ///< sorted within each column

    int nonzeros() const { return static_cast<int>(rowIndices.size()); }
};

} // namespace driftless::solve
