#include "core/integrate/IdaNewton.h"

#include <algorithm>
#include <cmath>

#include <ida/ida.h>

#include "core/solve/Norm.h"

namespace driftless::integrate {
namespace {

constexpr double kUnknownRate = 20;  ///< after a new matrix (IDA's value)
constexpr double kChangedRate = 100; ///< after a change of the leading coefficient (IDA's value)
constexpr double kNegligible = 1e-4; ///< corrections this much below the tolerance are round-off (IDA's value)
constexpr double kSlowest = 0.9;     ///< contraction at which the iteration is given up (IDA's value)

} // namespace

struct IdaNewton::Operations {
    static IdaNewton& of(SUNNonlinearSolver s) { return *static_cast<IdaNewton*>(s->content); }
    static SUNNonlinearSolver_Type type(SUNNonlinearSolver) { return SUNNONLINEARSOLVER_ROOTFIND; }
    static int initialize(SUNNonlinearSolver) { return SUN_NLS_SUCCESS; }
    static int solve(SUNNonlinearSolver s, N_Vector, N_Vector correction, N_Vector weights, realtype tolerance,
                     booleantype setup, void* ida)
    {
        return of(s).solve(correction, weights, tolerance, setup, ida);
    }
    static int setResidual(SUNNonlinearSolver s, SUNNonlinSolSysFn f)
    {
        of(s).residual_ = f;
        return SUN_NLS_SUCCESS;
    }
    static int setSetup(SUNNonlinearSolver s, SUNNonlinSolLSetupFn f)
    {
        of(s).setup_ = f;
        return SUN_NLS_SUCCESS;
    }
    static int setSolve(SUNNonlinearSolver s, SUNNonlinSolLSolveFn f)
    {
        of(s).linearSolve_ = f;
        return SUN_NLS_SUCCESS;
    }
    static int setMax(SUNNonlinearSolver s, int n)
    {
        of(s).maxIterations_ = n;
        return SUN_NLS_SUCCESS;
    }
    static int iterations(SUNNonlinearSolver s, long* n)
    {
        *n = of(s).lastIterations_;
        return SUN_NLS_SUCCESS;
    }
    static int failures(SUNNonlinearSolver s, long* n)
    {
        *n = of(s).lastFailures_;
        return SUN_NLS_SUCCESS;
    }
};

IdaNewton::IdaNewton(SUNContext context, N_Vector like)
    : solver_(SUNNonlinSolNewEmpty(context)), delta_(N_VClone(like)), weights_(N_VClone(like))
{
    solver_->content = this;
    solver_->ops->gettype = Operations::type;
    solver_->ops->initialize = Operations::initialize;
    solver_->ops->solve = Operations::solve;
    solver_->ops->setsysfn = Operations::setResidual;
    solver_->ops->setlsetupfn = Operations::setSetup;
    solver_->ops->setlsolvefn = Operations::setSolve;
    solver_->ops->setmaxiters = Operations::setMax;
    solver_->ops->getnumiters = Operations::iterations;
    solver_->ops->getnumconvfails = Operations::failures;
}

IdaNewton::~IdaNewton()
{
    N_VDestroy(delta_);
    N_VDestroy(weights_);
    SUNNonlinSolFreeEmpty(solver_);
}

int IdaNewton::solve(N_Vector correction, N_Vector weights, double tolerance, bool setup, void* ida)
{
    lastIterations_ = lastFailures_ = 0;
    lastTolerance = tolerance;
    wasCancelled = setupFailed = false;
    double cj = 0;
    IDAGetCurrentCj(ida, &cj);
    if (cj != lastCj_)
        rateFactor_ = kChangedRate;
    lastCj_ = cj;
    bool retry = setup || setupDemanded;
    booleantype bad = SUNFALSE;
    matrixIsFresh_ = false;
    scaleWeights(weights, ida);
    for (;;) {
        if (int status = residual_(correction, delta_, ida); status != 0)
            return status;
        if (retry) {
            booleantype current = SUNFALSE;
            const int status = setup_(bad, &current, ida);
            setupFailed = status > 0;
            if (status != 0)
                return status;
            setupDemanded = false;
            matrixIsFresh_ = true;
            rateFactor_ = kUnknownRate;
        }
        const int status = iterate(correction, tolerance, ida);
        if (status <= 0)
            return status;
        ++lastFailures_;
        if (matrixIsFresh_)
            return status;
        retry = true;
        bad = SUNTRUE;
        N_VConst(0.0, correction);
    }
}

void IdaNewton::scaleWeights(N_Vector weights, void* ida)
{
    double h = 0;
    IDAGetCurrentStep(ida, &h);
    const double longer = std::min(1.0, h / characteristicTime) / weighedStep;
    const double* given = N_VGetArrayPointer(weights);
    double* scaled = N_VGetArrayPointer(weights_);
    for (std::size_t i = 0; i < powers.size(); ++i) {
        scaled[i] = given[i];
        for (int k = 0; k < powers[i]; ++k)
            scaled[i] *= longer;
    }
}

int IdaNewton::largest() const
{
    return solve::weightedLargest({N_VGetArrayPointer(delta_), powers.size()}, {N_VGetArrayPointer(weights_), powers.size()});
}

int IdaNewton::iterate(N_Vector correction, double tolerance, void* ida)
{
    const int most = std::max(maxIterations_, minIterations + 2);
    for (int k = 0; k < most; ++k) {
        if (cancelled()) {
            wasCancelled = true;
            return IDA_RES_FAIL;
        }
        ++iterations;
        ++lastIterations_;
        N_VScale(-1.0, delta_, delta_);
        if (int status = linearSolve_(delta_, ida); status != 0)
            return status;
        N_VLinearSum(1.0, correction, 1.0, delta_, correction);
        lastNorm = N_VWrmsNorm(delta_, weights_);
        const int verdict = judge(lastNorm, tolerance, k);
        if (verdict != SUN_NLS_CONTINUE)
            return verdict;
        if (k + 1 < most)
            if (int status = residual_(correction, delta_, ida); status != 0)
                return status;
    }
    return SUN_NLS_CONV_RECVR;
}

int IdaNewton::judge(double norm, double tolerance, int iteration)
{
    const bool enough = iteration + 1 >= minIterations;
    if (!std::isfinite(norm))
        return SUN_NLS_CONV_RECVR;
    if (norm <= kNegligible * tolerance) {
        if (enough)
            return SUN_NLS_SUCCESS;
        if (iteration == 0)
            firstNorm_ = norm;
        return SUN_NLS_CONTINUE;
    }
    if (iteration == 0) {
        firstNorm_ = norm;
    } else {
        const double rate = std::pow(norm / firstNorm_, 1.0 / iteration);
        if (rate > kSlowest)
            return SUN_NLS_CONV_RECVR;
        rateFactor_ = rate / (1 - rate);
    }
    return enough && rateFactor_ * norm <= tolerance ? SUN_NLS_SUCCESS : SUN_NLS_CONTINUE;
}

} // namespace driftless::integrate
