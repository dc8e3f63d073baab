// Solves F(t, y, y') = 0 for the rates of the differential and the values of the algebraic unknowns.
//
// In a form of index 0 or 1 these n numbers follow from t and the differential unknowns alone, because the square matrix
// made of the columns dF/dy' (differential) and dF/dy (algebraic) is regular. Explicit methods ask at every stage.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "core/integrate/Integrator.h"
#include "core/solve/Newton.h"

namespace driftless::integrate {

class RateSolver {
public:
    /// Allocates; the system must outlive the solver. corrections: asks the system first for corrections that it solves itself
    /// (DaeSystem::rateCorrection); their round-off is another one than the general solver's.
    void prepare(solve::DaeSystem& system, bool corrections = false);
    /// The pattern or the roles changed.
    void structureChanged();
    /// Reads the differential entries of y and takes the others, and y', as starting values; overwrites those.
    solve::NewtonResult solve(double t, double* y, double* yp, Statistics& statistics, const std::atomic<bool>* cancel);

private:
    struct Problem;
    bool correct(double* y, double* yp) const;
    solve::NewtonResult solveLinear(double t, double* y, double* yp, Statistics& statistics);
    double& unknown(std::size_t i, double* y, double* yp) const { return differential_[i] ? yp[i] : y[i]; }
    solve::DaeSystem* system_ = nullptr;
    bool corrections_ = false;
    std::unique_ptr<solve::LinearSolver> linear_;
    std::vector<char> differential_; ///< by the roles
    std::vector<double> residual_, weights_, start_, dFdy_, dFdyp_, values_;
};

} // namespace driftless::integrate
