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

/// Solutions along an elimination that was written out count as what a general solver would do.
inline void countEliminated(Statistics& statistics, std::uint64_t solutions)
{
    for (auto* count : {&statistics.residualEvaluations, &statistics.jacobianEvaluations, &statistics.factorizations,
                        &statistics.newtonIterations})
        *count += solutions;
}

class RateSolver {
public:
    /// Allocates; the system must outlive the solver. eliminated: asks the system first for an elimination of its own
    /// (DaeSystem::eliminatedRates); its round-off is another one than the general solver's.
    void prepare(solve::DaeSystem& system, bool eliminated = false);
    /// Whether that elimination is there.
    bool eliminates() const { return eliminated_; }
    /// The pattern or the roles changed.
    void structureChanged();
    /// Reads the differential entries of y and takes the others, and y', as starting values; overwrites those.
    solve::NewtonResult solve(double t, double* y, double* yp, Statistics& statistics, const std::atomic<bool>* cancel);

private:
    struct Problem;
    bool correct(double* y, double* yp) const;
    bool solveEliminated(double t, double* y, double* yp, Statistics& statistics);
    solve::NewtonResult solveLinear(double t, double* y, double* yp, Statistics& statistics);
    double& unknown(std::size_t i, double* y, double* yp) const { return differential_[i] ? yp[i] : y[i]; }
    solve::DaeSystem* system_ = nullptr;
    bool eliminated_ = false;
    bool solves_ = false;   ///< the system solves for its rates itself
    bool analysed_ = false; ///< the pattern by the general solver
    std::unique_ptr<solve::LinearSolver> linear_;
    std::vector<char> differential_;      ///< by the roles
    std::vector<double> states_, solved_; ///< the differential unknowns, and what follows from them
    std::vector<double> residual_, weights_, start_, dFdy_, dFdyp_, values_;
};

} // namespace driftless::integrate
