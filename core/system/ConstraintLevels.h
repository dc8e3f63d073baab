// The constraints of a system differentiated along its motion, one after the other.
#pragma once

#include "core/system/ConstrainedSystem.h"

namespace driftless::model {

/// The constraints of a system at their levels: what their differentiation needs to know of the whole system is asked once.
class ConstraintLevels {
public:
    explicit ConstraintLevels(const ConstrainedSystem& system);
    const ConstrainedSystem& system() const { return system_; }
    bool plainRates() const { return plainRates_; }
    /// Constraint i at level 0 (g), 1 (g' or psi), 2 (g'' or psi'), over q, v, a, t, p. Level 0 of a nonholonomic one: psi.
    expr::Expr at(int i, int level) const;

private:
    const ConstrainedSystem& system_;
    bool plainRates_;
    expr::RateRule rule_; ///< none where derivatives are so by name
};

} // namespace driftless::model
