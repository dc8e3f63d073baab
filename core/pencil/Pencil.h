// The linear DAE laboratory: E x' = A x + f(t) with square constant E and A ([DN] chapter 2).
//
// E, A n x n; f(t) right-hand side, an expression in t; nu Kronecker index; P E Q = diag(N, I), P A Q = diag(I, J) Weierstrass
// canonical form ([DN] (2.10)): N nilpotent of size n1 in Jordan blocks, J of size n2 = n - n1 in real Jordan form.
// Where every entry is rational all decisions are exact. Otherwise ranks are decided from singular values, and every
// decision is recorded with its gap.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/Result.h"
#include "core/expr/Expr.h"
#include "core/text/Budget.h"

namespace driftless::pencil {

/// Dense, by rows.
struct Matrix {
    int rows = 0, columns = 0;
    std::vector<double> values;

    Matrix() = default;
    Matrix(int r, int c) : rows(r), columns(c), values(static_cast<std::size_t>(r) * static_cast<std::size_t>(c)) {}
    double& operator()(int i, int j)
    {
        return values[static_cast<std::size_t>(i) * static_cast<std::size_t>(columns) + static_cast<std::size_t>(j)];
    }
    double operator()(int i, int j) const
    {
        return values[static_cast<std::size_t>(i) * static_cast<std::size_t>(columns) + static_cast<std::size_t>(j)];
    }
};

/// Beyond these sizes a file is refused, or analysed in floating point although it is rational.
struct Limits {
    static constexpr int kMost = budget::kPencilUnknowns; ///< a step of the staircase costs n^3
    static constexpr int kMostExact = 40;                 ///< unknowns in rational arithmetic, whose numbers grow with n
    static constexpr int kMostDigits = static_cast<int>(budget::kExactDigits); ///< digits of an exact entry
    static constexpr std::size_t kMostText = 4u << 20;                         ///< characters of recorded exact matrices
    static constexpr std::size_t kMostNodes = 4'000;                           ///< of a derivative of f
};

struct LinearDae {
    int n = 0;
    Matrix E, A;
    /// The same entries as fractions "p/q", by rows; empty when some entry is not rational.
    std::vector<std::string> exactE, exactA;
    std::vector<expr::Expr> f; ///< n expressions in t
    std::vector<double> x0;    ///< wished initial values at t = 0; empty: none
    double end = 1;            ///< up to where solutions are given

    bool exact() const { return !exactE.empty(); }
};

struct Options {
    double tolerance = 0; ///< singular values below tolerance * largest norm count as zero; 0 chooses from round-off and gaps
};

/// One rank decision in floating point: sigma_rank / sigma_(rank + 1), the latter not below round-off.
struct RankDecision {
    std::string matrix; ///< which, in words
    int rank = 0, full = 0;
    double kept = 0;      ///< smallest singular value that counts (0: none)
    double dropped = 0;   ///< largest that does not, or the round-off level when none is dropped
    double gap = 0;       ///< kept / dropped
    double tolerance = 0; ///< absolute, at which the cut was made
};
/// Below this gap a decision is called uncertain.
inline constexpr double kCertainGap = 1e3;
/// A form is given where it reproduces E and A to this, relative to |P| |E| |Q| and |P| |A| |Q|: half of the digits.
inline constexpr double kReproduced = 1e-8;

/// One step of the Gauss-like reduction ([DN] 2.3): E^(k) x^(k)' + A^(k) x^(k) = f^(k), E^(k) = diag(Lambda, 0), where step k >
/// 0 starts from the rows of step k - 1 with the algebraic ones differentiated. Entries as exact fractions.
struct ReductionStep {
    int rank = 0;
    std::vector<std::string> L, U, E, A;  ///< by rows, L M U = E^(k); empty when too long to record
    std::vector<expr::Expr> f;            ///< empty when too long to record
    std::vector<std::string> constraints; ///< the algebraic rows in x, as equations
};

/// From the consistent start on, at equal distances in time.
struct Solution {
    double end = 0;
    std::vector<double> t;
    std::vector<std::vector<double>> closed; ///< (2.31), n values at each time
    double closedEstimate = 0; ///< how far the steps of its integral are from their halves, in all, relative to 1 + |z2|
    std::vector<std::vector<double>> numerical; ///< of the three-stage Radau IIA method; empty where it is of no use
    /// Of the numerical one: largest |closed form - numerical| over components and times, relative to 1 + |x|.
    double difference = 0;
    double estimate = 0; ///< how far the numerical one itself is from its own refinement
};

struct Analysis {
    int n = 0;
    bool exact = false;
    bool regular = false;
    bool uncertain = false;
    double tolerance = 0; ///< relative, 0 in exact arithmetic
    double margin =
        0; ///< of a regular pencil: relative changes of E and A below this cannot make it singular; rows and columns scaled
    std::string why; ///< why the pencil is singular or nearly so, a decision uncertain, or the form withheld
    int rankE = 0;
    int index = 0, n1 = 0, n2 = 0;                      ///< of a regular pencil
    std::vector<int> nilpotentBlocks;                   ///< sizes, largest first
    std::vector<std::pair<double, double>> eigenvalues; ///< finite ones, by real, then imaginary part
    std::vector<std::string> determinant;               ///< exact: coefficients of det(A - lambda E), constant first
    std::vector<RankDecision> decisions;                ///< floating point
    std::vector<ReductionStep> steps;                   ///< exact
    Matrix P, Q, N, J;                                  ///< empty where no form reproduces E and A (see why)
    bool jordan = false;                                ///< J is in real Jordan form; else in real Schur form
    double formResidual = 0; ///< largest entry of P E Q - diag(N, I), P A Q - diag(I, J) against the factors' size
    std::vector<std::string> exactP, exactQ, exactJ; ///< where all finite eigenvalues are rational
    std::vector<expr::Expr>
        constraints;           ///< n1 expressions h(t) with B x = h(t), (2.32); empty when f is too long to differentiate
    Matrix constraintRows;     ///< B, n1 x n
    std::vector<double> start; ///< the consistent x(0) nearest to the wished one (to zero when there is none)
    bool startWasConsistent = true;
    std::optional<Solution> solution;
    std::string solutionNote;      ///< why there is none, or none of the numerical method
    std::optional<double> breakAt; ///< [s] where f has a pole, or jumps and is differentiated: no solution passes
};

/// Analyses a system of at most Limits::kMost unknowns.
Result<Analysis> analyse(const LinearDae& system, const Options& options = {});

} // namespace driftless::pencil
