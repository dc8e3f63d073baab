// Rows on velocities that follow from others wherever the mechanism can go: two wheels on one axle, which forbid the same
// sideways motion.
//
//   psi = a(q, t) v + b(q, t).  Such a row follows where (a, b) is a combination of the rows (dg/dq, dg/dt) and (a, b) of the
//   others. That is a statement about each place by itself. It has to hold at all places of a walk.
//
// Later rows of the file are set aside, rows that depend on t never.
#pragma once

#include <span>
#include <vector>

#include "core/expr/Tape.h"
#include "core/system/ConstrainedSystem.h"
#include "core/system/ConstraintWalk.h"

namespace driftless::model {

/// As setAsideDependent, for the rows on velocities.
void setAsideDependentVelocities(ConstrainedSystem& system);

constexpr int kVelocityPlaces = 12; ///< of a walk, at which such rows are looked at

struct VelocityPlace {
    double t = 0;          ///< [s]
    std::vector<double> q; ///< n
};
/// Places near (q, t) that satisfy the holonomic constraints, at several times; the first one is the nearest. None where that
/// is not found. most: so many at most, where constraints on positions guide a walk.
std::vector<VelocityPlace> placesNear(const ConstrainedSystem& system, double t, std::span<const double> q,
                                      std::span<const double> parameters, int most);

/// Whether the rows on velocities that were set aside follow from those kept at all of these places where they have values.
bool velocitiesFollow(const ConstrainedSystem& system, const std::vector<VelocityPlace>& places,
                      std::span<const double> parameters);

/// The rows on velocities that were set aside, as numbers.
class SetAsideVelocities {
public:
    explicit SetAsideVelocities(const ConstrainedSystem& system);
    bool empty() const { return values_.empty(); }
    /// usual: sizes of the velocities, n. False where a value leaves its domain. Does not allocate.
    bool evaluate(double t, std::span<const double> q, std::span<const double> v, std::span<const double> parameters,
                  std::span<const double> usual);
    std::span<const double> values() const { return values_; } ///< psi of each, in the order of ConstrainedSystem::dependent
    std::span<const double> shares() const { return shares_; } ///< |psi| against its largest term at the usual velocities

private:
    struct Term {
        std::size_t row, column;
    };
    std::vector<Term> terms_; ///< of a, behind psi on the tape
    expr::Tape tape_;
    expr::TapeWorkspace workspace_;
    std::vector<double> values_, shares_, out_;
};

} // namespace driftless::model
