// Newton's iteration for IDA, in the shape SUNDIALS asks of a nonlinear solver.
//
// Things that the one that IDA brings cannot do: a least number of iterations ([MS91] Tables 1 and 2 come from a DASSL
// that always made two), a new matrix on demand (after a pivot swapped roles the old one belongs to other equations),
// leaving between two iterations, and weights that follow the step while IDA cuts it.
#pragma once

#include <atomic>
#include <vector>

#include <sundials/sundials_nonlinearsolver.h>
#include <sundials/sundials_nvector.h>

namespace driftless::integrate {

class IdaNewton {
public:
    IdaNewton(SUNContext context, N_Vector like);
    ~IdaNewton();
    IdaNewton(const IdaNewton&) = delete;
    IdaNewton& operator=(const IdaNewton&) = delete;

    SUNNonlinearSolver handle() { return solver_; }

    std::vector<int> powers;       ///< in the weight of each unknown, of the step over the characteristic time, at most 1
    double weighedStep = 1;        ///< this quotient when IDA's weights were made
    double characteristicTime = 1; ///< [s]
    int minIterations = 0;
    bool setupDemanded = false; ///< the next solve builds a new matrix
    const std::atomic<bool>* cancel = nullptr;

    long iterations = 0; ///< since construction
    double lastNorm = 0; ///< last correction, weighted
    double lastTolerance = 0;
    int largest() const; ///< unknown in which that correction was the largest
    bool wasCancelled = false;
    bool setupFailed = false; ///< the last solve ended because the matrix could not be factorised

private:
    struct Operations;
    int solve(N_Vector correction, N_Vector weights, double tolerance, bool setup, void* ida);
    /// Those of the step that is tried: IDA keeps the weights of the last accepted one however often it shortens the step.
    void scaleWeights(N_Vector weights, void* ida);
    int iterate(N_Vector correction, double tolerance, void* ida);
    /// Converged, to be continued, or hopeless: IDA's own test with the least number of iterations added.
    int judge(double norm, double tolerance, int iteration);
    bool cancelled() const { return cancel && cancel->load(std::memory_order_relaxed); }

    SUNNonlinearSolver solver_ = nullptr;
    N_Vector delta_ = nullptr, weights_ = nullptr;
    SUNNonlinSolSysFn residual_ = nullptr;
    SUNNonlinSolLSetupFn setup_ = nullptr;
    SUNNonlinSolLSolveFn linearSolve_ = nullptr;
    bool matrixIsFresh_ = false;
    int maxIterations_ = 4;
    long lastIterations_ = 0, lastFailures_ = 0;
    double firstNorm_ = 0;
    double rateFactor_ = 20; ///< rho / (1 - rho) with rho the measured contraction; large when unknown
    double lastCj_ = 0;
};

} // namespace driftless::integrate
