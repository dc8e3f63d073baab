// Runge-Kutta methods as data: Y_i = y_n + h sum_j a_ij Y'_j at t_n + c_i h, y_{n+1} = y_n + h sum_i b_i Y'_i.
//
// A method stands in the catalogue with exact entries (TableauExplicit.h, TableauImplicit.h), so that its order conditions are
// decided and not estimated; a stepper runs the same numbers in double precision (RungeKuttaTableau), as it runs a tableau of
// one's own.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace driftless::integrate {

/// p/pd + (q/qd) sqrt(d) with the radicand d of the tableau.
struct Surd {
    std::int64_t p = 0, pd = 1;
    std::int64_t q = 0, qd = 1;
};

/// "1/2 - sqrt(3)/6", which also is an expression; radicand 0 for rational numbers.
std::string textOf(const Surd& number, int radicand);

enum class Stability { Bounded, AStable, LStable };
/// "bounded region", "A-stable", "L-stable".
std::string_view stabilityName(Stability stability);

struct ExactTableau {
    static constexpr int kMostStages = 7;

    std::string_view id;     ///< "heun3"
    std::string_view title;  ///< "Heun, order 3"
    std::string_view source; ///< "[DN] (1.29)"
    int stages = 1;
    int order = 1;
    int stageOrder = 1;    ///< largest q with sum_j a_ij c_j^(k-1) = c_i^k / k for k = 1..q in all stages, order permitting
    int embeddedOrder = 0; ///< 0: no embedded rule
    Stability stability = Stability::Bounded;
    Surd atInfinity{}; ///< R(infinity) of methods whose stability function has a limit there
    int radicand = 0;  ///< 0: rational
    Surd c[kMostStages]{};
    Surd a[kMostStages][kMostStages]{};
    Surd b[kMostStages]{};
    Surd embedded[kMostStages]{};
};

/// All tableaus with exact entries, explicit ones first. One-parameter families stand in TableauFamilies.h.
std::span<const ExactTableau> exactTableaus();
/// nullptr for an unknown id.
const ExactTableau* findExactTableau(std::string_view id);

/// A method as a stepper takes it, and as a person may enter it.
struct RungeKuttaTableau {
    static constexpr std::size_t kMostStages = 16;

    std::string name;
    std::string source;
    std::size_t stages = 0;
    std::vector<double> c, b;
    std::vector<double> a;        ///< stages x stages, by rows
    std::vector<double> embedded; ///< weights of the comparison rule, empty without one
    int order = 0;                ///< 0: not known
    int embeddedOrder = 0;

    double at(std::size_t i, std::size_t j) const { return a[i * stages + j]; }
    /// No stage depends on itself or a later one.
    bool isExplicit() const;
    /// No stage depends on a later one.
    bool isDiagonallyImplicit() const;
    /// The last stage is the end of the step: its row is b and c = 1.
    bool endsInLastStage() const;
    /// Stage 1 is the state at the start of the step.
    bool startsInFirstStage() const;
    /// A has an inverse.
    bool isRegular() const;
};

RungeKuttaTableau inDoubles(const ExactTableau& exact);

/// What the end of a step makes of stage values Z_i of unknowns that have no rate, and of rates, where the equations at that
/// instant do not determine them: z_{n+1} = memory z_n + sum_i weights_i Z_i.
struct EndRule {
    double memory = 0;
    std::vector<double> weights;
};
/// memory = R(infinity), weights = b^T A^-1, the rule of Hairer, Lubich and Roche (1989); where |R(infinity)| = 1, so that this
/// would carry errors on undamped, the polynomial through the stages instead. Empty weights when neither exists.
EndRule endRule(const RungeKuttaTableau& tableau);

/// Radau IIA of order five as its own steppers use it, [DN] (1.48), and the inverse of its matrix: h times the stage rates are
/// the inverse times the stage increments.
namespace radau {

inline constexpr double kRootOf6 = 2.4494897427831780981972840747058914; ///< sqrt(6)
inline constexpr std::array<double, 3> kNodes{(4 - kRootOf6) / 10, (4 + kRootOf6) / 10, 1};
inline constexpr std::array<std::array<double, 3>, 3> kInverse{
    {{2 + kRootOf6 / 2, -6.0 / 5 + 29 * kRootOf6 / 30, 2.0 / 5 - 4 * kRootOf6 / 15},
     {-6.0 / 5 - 29 * kRootOf6 / 30, 2 - kRootOf6 / 2, 2.0 / 5 + 4 * kRootOf6 / 15},
     {-1 + 8 * kRootOf6 / 3, -1 - 8 * kRootOf6 / 3, 5}}};

} // namespace radau

} // namespace driftless::integrate
