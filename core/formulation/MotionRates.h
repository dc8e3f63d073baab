// Accelerations and multipliers of large systems whose masses stand alone on the diagonal of M:
//
//   M v' = f - G^T lambda,  G v' + gamma = 0   =>   G M^-1 G^T lambda = G M^-1 f + gamma,  v' = M^-1 (f - G^T lambda)
//
// For explicit methods on forms that consist of these rows: what is left is as large as the constraints, and tridiagonal for a
// chain. A general sparse solver takes some times as long.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/formulation/Dae.h"
#include "core/solve/ConstraintSchur.h"
#include "core/system/CompiledSystem.h"

namespace driftless::formulation {

/// Whether positions are described by coordinates with q' = v, held by position constraints alone, and nothing else is solved
/// for: then the equations of motion are all there is.
bool motionAlone(const model::ConstrainedSystem& system);

class MotionRates {
public:
    /// nullptr where the rows are others, or a general solver is as good.
    static std::unique_ptr<MotionRates> make(const Dae& dae, std::shared_ptr<const model::CompiledSystem> system);
    /// From q and v (n each) the accelerations (n) and multipliers (m). False where a value left its domain or the pivots do
    /// not suit the numbers. Does not allocate.
    bool rates(double t, const double* q, const double* v, std::span<const double> parameters, double* a, double* lambda);

private:
    explicit MotionRates(std::shared_ptr<const model::CompiledSystem> system);

    std::shared_ptr<const model::CompiledSystem> system_;
    model::SystemEvaluator evaluator_;
    solve::ConstraintSchur schur_;
    std::vector<double> mass_, inverse_, gradient_, force_, held_, gamma_, unused_;
};

} // namespace driftless::formulation
