// Friction of contacts that slide in the equations of motion: [M (W + D)^T; W 0] x = b by the factors of the symmetric matrix.
// With K that one and x0 = K^-1 b, the multipliers l of the rows with drag solve (I + P) l = l0, P their answers to the columns
// of D^T; then x = x0 - K^-1 [D^T; 0] l.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/consistency/SaddlePoint.h"
#include "core/solve/DenseDecompositions.h"
#include "core/system/CompiledSystem.h"

namespace driftless::consistency {

class DragSolve {
public:
    explicit DragSolve(std::shared_ptr<const model::CompiledSystem> system);

    bool any() const { return !rows_.empty(); }
    /// Where a value of D leaves its domain the evaluator says it.
    bool load(model::SystemEvaluator& evaluator, double t, const double* q)
    {
        return !any() || evaluator.drag(t, q, values_.data());
    }
    void take(std::span<const double> values) { std::copy(values.begin(), values.end(), values_.begin()); }
    /// force -= D^T lambda.
    void subtract(const double* lambda, Eigen::VectorXd& force) const;
    /// x = K^-1 b on entry. False where the forces are not determined. No allocation.
    bool correct(SaddlePoint& factors, Eigen::VectorXd& x);

private:
    std::shared_ptr<const model::CompiledSystem> system_;
    std::vector<double> values_; ///< of D, on the system's dragPlaces()
    std::vector<int> rows_;      ///< with drag
    Eigen::MatrixXd response_, matrix_;
    Eigen::VectorXd multipliers_, free_;
    Eigen::PartialPivLU<Eigen::MatrixXd> lu_;
};

} // namespace driftless::consistency
