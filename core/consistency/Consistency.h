// Consistent states: initial values completed or corrected, and projections onto the constraint manifolds.
//
// Position: minimise ||W (q - q0)|| subject to g(q, t) = 0 with the fixed coordinates held (Gauss-Newton);
// velocity: minimise ||W (v - v0)|| subject to G v + g_t = 0; then a, lambda from
//   [ M  G^T ] [ a      ]   [ f      ]
//   [ G   0  ] [ lambda ] = [ -gamma ]                                             [PP92] (2.5), [Fa] section 5.4
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/Result.h"
#include "core/system/CompiledSystem.h"
#include "core/system/NominalScales.h"
#include "core/system/State.h"

namespace driftless::consistency {

enum class Metric { Identity, Mass };

struct Request {
    double t = 0;
    std::vector<double> q, v;         ///< start values (n each)
    std::vector<bool> qFixed, vFixed; ///< n each
    std::vector<double> lambda;       ///< w numbers: multipliers only used when allowInconsistent; then the start
                                      ///< of the dynamic variables, and guesses of the efforts
    bool lambdaGiven = false;
    bool allowInconsistent = false;   ///< take everything as it stands
    Metric metric = Metric::Identity; ///< in which the correction of the free values is smallest
};

struct Report {
    double positionBefore = 0, velocityBefore = 0; ///< max norms of g and g' of the start values
    double positionAfter = 0, velocityAfter = 0, accelerationAfter = 0;
    double positionChange = 0; ///< max norm of the correction of q
    double velocityChange = 0;
    std::vector<int> dependentConstraints; ///< redundant rows, if any
};

struct Solution {
    model::ModelState state; ///< q, v, a, lambda
    Report report;
};

class ConsistencySolver {
public:
    explicit ConsistencySolver(std::shared_ptr<const model::CompiledSystem> system);
    ~ConsistencySolver();
    ConsistencySolver(ConsistencySolver&&) noexcept;
    ConsistencySolver& operator=(ConsistencySolver&&) noexcept;

    /// With them the nominal sizes of the model, by which ranks, residuals and corrections are judged.
    void setParameters(std::span<const double> values);
    const model::NominalScales& scales() const;

    /// Conflicts name the equations and bodies that cannot be met with the fixed values.
    Result<Solution> solve(const Request& request);

    /// Moves q onto g = 0 / v onto g' = 0 in the given metric; in place; false when it does not converge. The change is
    /// the max norm. No allocation once used.
    bool projectPosition(double t, double* q, Metric metric, double& change);
    bool projectVelocity(double t, const double* q, double* v, Metric metric, double& change);
    /// a and the multipliers of a given position and velocity; lambda (w numbers) brings the dynamic variables and guesses
    /// of the efforts, which are solved for. False when the KKT matrix is singular (see message()).
    bool accelerations(double t, const double* q, const double* v, double* a, double* lambda);
    /// a from M a = f - W^T lambda for a given lambda; falls back to the KKT matrix where M alone is singular.
    bool accelerationsFor(double t, const double* q, const double* v, const double* lambda, double* a);
    /// Both from what is known of the state already. Efforts are those that it was evaluated with.
    bool accelerations(const model::SystemEvaluator::Measures& known, double* a, double* lambda);
    bool accelerationsFor(const model::SystemEvaluator::Measures& known, const double* lambda, double* a);
    /// W of the last accelerations() or accelerationsFor(), on the system's jacobianPlaces().
    std::span<const double> jacobianValues() const;
    /// The efforts from Gamma = 0 by Newton's iteration from those in lambda.
    bool solveEfforts(double t, const double* q, const double* v, double* lambda);

    const std::string& message() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace driftless::consistency
