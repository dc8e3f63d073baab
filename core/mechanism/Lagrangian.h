// Euler-Lagrange equations derived from T(q, q', t) and U(q, t), [DN] sections 3.1-3.3.
//
//   T = q'^T M q' / 2 + b^T q' + T0     M(q, t) symmetric, b(q, t) and T0(q, t) only where the coordinates move   (3.15)
//   c_ijk = (dM_ij/dq_k + dM_ik/dq_j - dM_jk/dq_i) / 2     Christoffel symbols of the first kind                  (3.25)
//   C_ij  = sum_k c_ijk q'_k                                                                                      (3.24)
//   g_i   = dU/dq_i
//   r_i   = sum_j (dM_ij/dt + db_i/dq_j - db_j/dq_i) q'_j + db_i/dt - dT0/dq_i     of moving coordinates
//   M q'' + C q' + r + g = tau - G^T lambda                                                              (3.22), (3.32)
//
// [DN] (3.13a) lacks the term -m q1 q2'^2, which C gives. The multipliers of [DN] have the opposite sign of ours. M' - 2 C is
// skew symmetric (3.27), where M' is the derivative along q' at fixed t.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/Result.h"
#include "core/expr/Print.h"
#include "core/system/ConstrainedSystem.h"

namespace driftless::model {

/// c_ijk = c_ikj, listed for j <= k where it is not zero.
struct Christoffel {
    int i, j, k;
    expr::Expr value;
};

struct LagrangianEquations {
    std::vector<std::string> names; ///< of the coordinates
    std::vector<expr::Symbol> q, v, a;
    expr::Expr kinetic, potential;  ///< T, U [J]
    std::vector<MassEntry> mass;    ///< both triangles, nonzero entries
    std::vector<expr::Expr> linear; ///< b, n entries
    expr::Expr rest;                ///< T0
    std::vector<Christoffel> christoffel;
    std::vector<MassEntry> coriolis;      ///< C, nonzero entries
    std::vector<expr::Expr> rheonomic;    ///< r, n entries
    std::vector<expr::Expr> conservative; ///< g, n entries
    std::vector<expr::Expr> applied;      ///< tau, n entries: what is neither of the above nor a constraint force

    int n() const { return static_cast<int>(q.size()); }
    /// Whether T is a quadratic form whose coefficients do not depend on t.
    bool scleronomic() const;
    /// (C q')_i, term by term.
    expr::Expr coriolisForce(int i) const;
};

/// T must be a polynomial of degree two in the velocities; the term that is not is named. tau stays zero.
Result<LagrangianEquations> deriveLagrangian(const expr::Expr& kinetic, const expr::Expr& potential,
                                             std::span<const Coordinate> coordinates);
/// Of a system whose velocities are q': a Lagrangian model, or a mechanism from its energies.
Result<LagrangianEquations> deriveLagrangian(const ConstrainedSystem& system);

/// Whether M' - 2C is skew symmetric.
struct SkewCheck {
    bool symbolic = false; ///< expanding alone shows it
    int points = 0;        ///< random states at which all entries had values
    double largest = 0;    ///< largest entry of the symmetric part there, against the largest entry of M' and 2C
};
SkewCheck checkSkewSymmetry(const LagrangianEquations& equations, std::span<const Parameter> parameters);

/// The derivation for a reader: sections with formulas, left = right, in the format that was asked for.
struct DerivationLine {
    std::string left, right;
};
struct DerivationSection {
    std::string title;
    std::string source; ///< equation numbers
    std::vector<DerivationLine> lines;
    std::string note; ///< a sentence in plain words, may be empty
};
std::vector<DerivationSection> describeDerivation(const ConstrainedSystem& system, const LagrangianEquations& equations,
                                                  const SkewCheck& skew, expr::Format format);

} // namespace driftless::model
