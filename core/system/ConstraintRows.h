// The holonomic constraints of a system as numbers without dimensions: what rank decisions are made on.
//
//   x^ = D^-1 (q, t)     g^ = S^-1 g(q, t)     G^ = S^-1 [dg/dq  dg/dt] D
//   D   one scale for each unit of the coordinates, so that the gradients of rows that mix two units have parts of equal length
//       (median over these rows), times the extent of the mechanism in the units that rows mix with it; t is a column only
//       where a row depends on it
//   S   the length of each row's gradient D where the rows are made: g^ = 0.01 is mended by a move of a hundredth of the extent
//
// A change of units multiplies q, t and g by factors that D and S take up: x^, g^ and G^ stay as they are.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/expr/Tape.h"
#include "core/solve/DenseDecompositions.h"
#include "core/system/ConstrainedSystem.h"

namespace driftless::model {

/// Positions and parameters as the file states them.
struct StatedPlace {
    explicit StatedPlace(const ConstrainedSystem& system);
    std::vector<double> q, parameters;
};

class ConstraintRows {
public:
    /// rows: of holonomic constraints, in any order. None where a value leaves its domain at (q, t).
    static std::optional<ConstraintRows> make(const ConstrainedSystem& system, std::span<const Constraint* const> rows,
                                              double t, std::span<const double> q, std::span<const double> parameters);

    /// From here on the first `count` rows are the constraints; others are only looked at.
    void bindFirst(Eigen::Index count) { bound_ = count; }
    Eigen::Index rows() const { return bound_; }
    Eigen::Index columns() const { return unit_.size(); }
    const Eigen::VectorXd& scale() const { return scale_; }           ///< S of all rows, in the units of g
    Eigen::VectorXd place(double t, std::span<const double> q) const; ///< x^
    void unplace(const Eigen::VectorXd& x, std::span<double> q) const;
    double timeOf(const Eigen::VectorXd& x) const { return moving_ ? x(columns() - 1) * unit_(columns() - 1) : t_; } ///< [s]
    /// g^ and G^ at x^; false where one leaves its domain.
    bool evaluate(const Eigen::VectorXd& x, Eigen::VectorXd& g, Eigen::MatrixXd& G);
    /// The largest |g^| of the rows that are only looked at; not a number where one leaves its domain.
    double others(const Eigen::VectorXd& x);

private:
    ConstraintRows() = default;
    bool raw(const Eigen::VectorXd& x, Eigen::VectorXd& g, Eigen::MatrixXd& G);
    void scaleUnits(const ConstrainedSystem& system, const Eigen::MatrixXd& G, std::span<const double> q);

    struct Place {
        Eigen::Index row, column;
    };
    std::vector<Place> places_;
    std::vector<double> parameters_, q_, out_;
    bool moving_ = false; ///< t is the last column
    double t_ = 0;        ///< [s] where it is not
    Eigen::Index bound_ = 0;
    Eigen::VectorXd unit_, scale_; ///< D, S
    expr::Tape tape_;
    expr::TapeWorkspace workspace_;
};

/// Which rows of a matrix are independent: an orthogonal factorisation with pivots, G^T P = Q R.
class RowRank {
public:
    explicit RowRank(const Eigen::MatrixXd& G) : qr_(G.transpose()) {}
    Eigen::Index rank(double tolerance) const; ///< rows of which more is left than the tolerance, against the longest
    double weakest(Eigen::Index rank) const;   ///< what is left of the last of so many rows, against the longest
    Eigen::Index row(Eigen::Index k) const
    {
        return qr_.colsPermutation().indices()(k);
    } ///< the k-th by pivots, the strongest first
    /// The smallest x with G x = g in the first `rank` rows by pivots.
    Eigen::VectorXd smallest(const Eigen::VectorXd& g, Eigen::Index rank) const;
    /// What is left of a direction without its parts along these rows.
    Eigen::VectorXd along(const Eigen::VectorXd& direction, Eigen::Index rank) const;
    /// An orthonormal basis of the null space of G^T, a column for each of the other rows.
    Eigen::MatrixXd leftNull(Eigen::Index rank) const;

private:
    Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr_;
};

} // namespace driftless::model
