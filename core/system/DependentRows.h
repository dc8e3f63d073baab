// Constraints that follow from others wherever the mechanism can go, as a plane loop built in space has them, or Bennett's
// linkage.
//
//   G^ (m x n) of rank r along the motion, N (m x k) with N^T G^ = 0, k = m - r: any k rows I with N_I regular can be set
//   aside, and sigma_min(G^ without I) >= sigma_r(G^) sigma_min(N_I). Taken are the rows with the largest weights in N, judged
//   at all places of a walk along the motion (ConstraintWalk.h) by the worst of them: never the norm of a quaternion, never a
//   row that depends on t. Weights are divided by sigma_r(G^) against its largest value: close to where all rows lose rank no
//   choice is good, and it has to be good elsewhere.
//
// That the rows kept imply those set aside is confirmed by a second walk, with the rows kept alone. What is set aside stays in
// the system by name; every run watches its residual.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/expr/Tape.h"
#include "core/solve/DenseDecompositions.h"
#include "core/system/ConstrainedSystem.h"

namespace driftless::model {

constexpr int kMostSetAside = 400; ///< coordinates: the ranks are decided densely, n m^2

/// Moves dependent rows from constraints to dependent, and takes their multipliers as zero: those on positions, then those on
/// velocities (DependentVelocities.h). Larger systems and velocity bases are left alone.
void setAsideDependent(ConstrainedSystem& system);

/// Moves these of the constraints, ascending, to dependent, each with the rows it follows from.
void moveAside(ConstrainedSystem& system, const std::vector<Eigen::Index>& aside,
               const std::vector<std::vector<Eigen::Index>>& origins);

/// "D.y follows from A.y and B.tilt1"; of many rows the first six are named.
std::string sentence(const Dependent& dependent);

/// The rows on positions that were set aside, as numbers.
class SetAsideRows {
public:
    explicit SetAsideRows(const ConstrainedSystem& system);
    bool empty() const { return values_.empty(); }
    /// False where a value leaves its domain. Does not allocate.
    bool evaluate(double t, std::span<const double> q, std::span<const double> parameters);
    std::span<const double> values() const { return values_; } ///< g of each, in the order of ConstrainedSystem::dependent

private:
    expr::Tape tape_;
    expr::TapeWorkspace workspace_;
    std::vector<double> values_;
};

/// What a walk from (q, t) with the rows kept says of those set aside. Numbers are without dimensions (ConstraintRows.h).
struct SetAsideWalk {
    bool holds = false;       ///< the rows set aside are met at all places, those on velocities follow there
    bool independent = false; ///< the rows kept are, at all places
    bool moves = true;        ///< false: no degree of freedom, only (q, t) itself was looked at
    int places = 0;
    double residual = 0;       ///< the largest |g^| of a row set aside
    double weakest = 1;        ///< the smallest pivot of the rows kept, against the largest: near their smallest singular value
    std::vector<double> scale; ///< what g^ is measured in: of the holonomic rows kept, then of those set aside [units of g]
};
SetAsideWalk walkSetAside(const ConstrainedSystem& system, double t, std::span<const double> q,
                          std::span<const double> parameters);

/// How independent the holonomic rows are at (q, t): the smallest pivot against the largest, of those kept and of as many of
/// all.
struct RankThere {
    double kept = 0, all = 0;
};
std::optional<RankThere> rankThere(const ConstrainedSystem& system, double t, std::span<const double> q,
                                   std::span<const double> parameters);

} // namespace driftless::model
