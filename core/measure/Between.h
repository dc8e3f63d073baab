// The values of a record between its rows, as smooth as its columns are.
#pragma once

#include <array>
#include <vector>

#include "core/measure/Record.h"

namespace driftless::measure {

/// Of several rows at one time: the first one is before a jump, the last one behind it.
struct Copy {
    std::size_t place = 0, count = 1;
};

/// Positions whose rates stand in the record go by Hermite interpolation of the rows around, of order eight where these are
/// smooth, and their rates by its derivative; the other columns by Lagrange's of order six. What a step, a pivot or a residual
/// is, and measured data, go linearly.
///
/// Rows on the other side of a jump do not count, whether both have one time or follow each other by a rounding error, as at
/// the corner of an input. Where accelerations jump without such rows no polynomial is right. Of the rows to the left and to
/// the right the side is taken whose next term is smaller, and no term that does not fall (the choice of stencils of Harten,
/// Engquist, Osher, Chakravarthy 1987, J. Comput. Phys. 71, 231).
class Between {
public:
    /// The record outlives this.
    explicit Between(const Record& data);

    /// The row at t, given times that do not fall; nullptr beyond the record. A row at this time stands as it is.
    const double* at(double t, Copy copy);

private:
    static constexpr std::size_t kMostTerms = 8;
    /// A polynomial in Newton's form, which grows by a row.
    struct Polynomial {
        std::array<double, kMostTerms> nodes{}, last{}; ///< last: divided differences that end at the last node
        std::size_t terms = 0;
        double value = 0, slope = 0;    ///< at the time asked for
        double product = 1, growth = 0; ///< of t less the nodes, and its derivative
        double added = 0;               ///< size of what the last row added, to the value and to h times the slope
    };
    struct Kind {
        int rate = -1; ///< place of the column's rate
        int of = -1;   ///< place of the column whose rate this is
        bool smooth = false;
    };

    void add(Polynomial& p, double node, double value, double t) const;
    Polynomial with(Polynomial p, std::size_t row, std::size_t column, double t) const;
    Polynomial through(std::size_t column, double t) const;
    int neighbour(std::size_t row, int direction) const;
    const double* sameTime(std::size_t first, Copy copy) const;

    const Record& data_;
    std::vector<Kind> kinds_; ///< by place in a row
    std::vector<double> row_;
    std::size_t place_ = 0;               ///< of the row before the time asked for
    double h_ = 0;                        ///< to the next one
    std::array<int, 4> left_{}, right_{}; ///< rows beside those around t, outwards; -1: none
};

} // namespace driftless::measure
