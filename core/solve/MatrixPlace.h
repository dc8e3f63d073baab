// Where a nonzero of a sparse matrix stands. Patterns are lists of places, values stand beside them in the same order.
#pragma once

namespace driftless::solve {

struct MatrixPlace {
    int row = 0;
    int column = 0;

    friend bool operator==(const MatrixPlace&, const MatrixPlace&) = default;
};

} // namespace driftless::solve
