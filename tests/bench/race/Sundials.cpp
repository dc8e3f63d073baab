// IDA and CVODE of SUNDIALS on straight C, as their examples drive them.
#include <algorithm>
#include <cstring>

#include <cvode/cvode.h>
#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "tests/bench/StraightDae.h"
#include "tests/bench/race/Contestant.h"

namespace driftless::bench {
namespace {

constexpr long kMostSteps = 200'000;

/// Dense, analytic matrix, multipliers out of the error test.
class IdaStraight final : public Contestant {
public:
    IdaStraight(const Problem& problem, const StraightDae& dae, const std::string& form, std::size_t n)
        : Contestant("IDA, " + form, false), problem_(problem), dae_(dae), n_(n)
    {
        SUNContext_Create(nullptr, &context_);
        for (N_Vector* v : {&y_, &yp_, &id_})
            *v = N_VNew_Serial(dae.n, context_);
        matrix_ = SUNDenseMatrix(dae.n, dae.n, context_);
        linear_ = SUNLinSol_Dense(y_, matrix_, context_);
        for (int i = 0; i < dae.n; ++i)
            N_VGetArrayPointer(id_)[i] = dae.differential[i] == 'd';
        start();
        ida_ = IDACreate(context_);
        IDAInit(ida_, residual, 0, y_, yp_);
        IDASStolerances(ida_, 1e-6, 1e-6);
        IDASetUserData(ida_, const_cast<StraightDae*>(&dae_));
        IDASetLinearSolver(ida_, linear_, matrix_);
        IDASetJacFn(ida_, jacobian);
        IDASetId(ida_, id_);
        IDASetSuppressAlg(ida_, SUNTRUE);
        IDASetMaxNumSteps(ida_, kMostSteps);
        IDASetErrHandlerFn(ida_, silent, nullptr); // giving up is an answer here
    }
    ~IdaStraight() override
    {
        IDAFree(&ida_);
        SUNLinSolFree(linear_);
        SUNMatDestroy(matrix_);
        for (N_Vector v : {y_, yp_, id_})
            N_VDestroy(v);
        SUNContext_Free(&context_);
    }

    bool solve(double tolerance, Judge* judge) override
    {
        start();
        IDAReInit(ida_, 0, y_, yp_);
        IDASStolerances(ida_, tolerance, tolerance);
        IDASetStopTime(ida_, problem_.end);
        double t = 0;
        if (!judge)
            return IDASolve(ida_, problem_.end, &t, y_, yp_, IDA_NORMAL) >= 0 && t == problem_.end;
        while (t < problem_.end) {
            if (IDASolve(ida_, problem_.end, &t, y_, yp_, IDA_ONE_STEP) < 0 || steps() > kMostSteps)
                return false;
            judge->see(t, N_VGetArrayPointer(y_), N_VGetArrayPointer(y_) + n_);
        }
        return true;
    }
    long steps() const override
    {
        long count = 0;
        IDAGetNumSteps(ida_, &count);
        return count;
    }

private:
    static int residual(realtype t, N_Vector y, N_Vector yp, N_Vector F, void* data)
    {
        static_cast<const StraightDae*>(data)->residual(t, N_VGetArrayPointer(y), N_VGetArrayPointer(yp),
                                                        N_VGetArrayPointer(F));
        return 0;
    }
    static int jacobian(realtype t, realtype c, N_Vector y, N_Vector yp, N_Vector, SUNMatrix J, void* data, N_Vector, N_Vector,
                        N_Vector)
    {
        static_cast<const StraightDae*>(data)->matrix(t, N_VGetArrayPointer(y), N_VGetArrayPointer(yp), c,
                                                      SUNDenseMatrix_Data(J));
        return 0;
    }
    static void silent(int, const char*, const char*, char*, void*) {}
    void start()
    {
        std::copy_n(dae_.y0, dae_.n, N_VGetArrayPointer(y_));
        std::copy_n(dae_.yp0, dae_.n, N_VGetArrayPointer(yp_));
    }

    const Problem& problem_;
    const StraightDae& dae_;
    std::size_t n_; ///< positions
    SUNContext context_ = nullptr;
    N_Vector y_ = nullptr, yp_ = nullptr, id_ = nullptr;
    SUNMatrix matrix_ = nullptr;
    SUNLinearSolver linear_ = nullptr;
    void* ida_ = nullptr;
};

/// Adams' methods with functional iteration, or BDF with Newton's and a dense matrix by differences.
class CvodeStraight final : public Contestant {
public:
    CvodeStraight(const Problem& problem, const StraightOde& ode, bool stiff)
        : Contestant(stiff ? "CVODE BDF" : "CVODE Adams", false), problem_(problem), ode_(ode)
    {
        SUNContext_Create(nullptr, &context_);
        y_ = N_VNew_Serial(ode.n, context_);
        start();
        cvode_ = CVodeCreate(stiff ? CV_BDF : CV_ADAMS, context_);
        CVodeInit(cvode_, rates, 0, y_);
        CVodeSStolerances(cvode_, 1e-6, 1e-6);
        CVodeSetUserData(cvode_, const_cast<StraightOde*>(&ode_));
        CVodeSetMaxNumSteps(cvode_, kMostSteps);
        CVodeSetErrHandlerFn(cvode_, silent, nullptr);
        if (stiff) {
            matrix_ = SUNDenseMatrix(ode.n, ode.n, context_);
            linear_ = SUNLinSol_Dense(y_, matrix_, context_);
            CVodeSetLinearSolver(cvode_, linear_, matrix_);
        } else {
            iteration_ = SUNNonlinSol_FixedPoint(y_, 0, context_);
            CVodeSetNonlinearSolver(cvode_, iteration_);
        }
    }
    ~CvodeStraight() override
    {
        CVodeFree(&cvode_);
        if (iteration_)
            SUNNonlinSolFree(iteration_);
        if (linear_) {
            SUNLinSolFree(linear_);
            SUNMatDestroy(matrix_);
        }
        N_VDestroy(y_);
        SUNContext_Free(&context_);
    }

    bool solve(double tolerance, Judge* judge) override
    {
        start();
        CVodeReInit(cvode_, 0, y_);
        CVodeSStolerances(cvode_, tolerance, tolerance);
        CVodeSetStopTime(cvode_, problem_.end);
        double t = 0;
        if (!judge)
            return CVode(cvode_, problem_.end, y_, &t, CV_NORMAL) >= 0 && t == problem_.end;
        while (t < problem_.end) {
            if (CVode(cvode_, problem_.end, y_, &t, CV_ONE_STEP) < 0 || steps() > kMostSteps)
                return false;
            judge->see(t, N_VGetArrayPointer(y_), N_VGetArrayPointer(y_) + ode_.n / 2);
        }
        return true;
    }
    long steps() const override
    {
        long count = 0;
        CVodeGetNumSteps(cvode_, &count);
        return count;
    }

private:
    static int rates(realtype t, N_Vector y, N_Vector yp, void* data)
    {
        const auto& ode = *static_cast<const StraightOde*>(data);
        ode.rates(&ode.n, &t, N_VGetArrayPointer(y), N_VGetArrayPointer(yp), nullptr, nullptr);
        return 0;
    }
    static void silent(int, const char*, const char*, char*, void*) {}
    void start() { std::copy_n(ode_.y0, ode_.n, N_VGetArrayPointer(y_)); }

    const Problem& problem_;
    const StraightOde& ode_;
    SUNContext context_ = nullptr;
    N_Vector y_ = nullptr;
    SUNMatrix matrix_ = nullptr;
    SUNLinearSolver linear_ = nullptr;
    SUNNonlinearSolver iteration_ = nullptr;
    void* cvode_ = nullptr;
};

} // namespace

void addSundials(const Problem& problem, Contestants& to)
{
    const StraightOde* const ode = straightOde(problem.straight);
    for (const std::string& form : problem.ida)
        for (const StraightDae& dae : straightDaes())
            if (ode && dae.name == problem.straight + " of " + form)
                to.push_back(std::make_unique<IdaStraight>(problem, dae, form, static_cast<std::size_t>(ode->n / 2)));
    if (!ode)
        return;
    to.push_back(std::make_unique<CvodeStraight>(problem, *ode, false));
    if (problem.fewUnknowns)
        to.push_back(std::make_unique<CvodeStraight>(problem, *ode, true));
}

} // namespace driftless::bench
