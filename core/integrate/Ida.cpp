// SUNDIALS IDA behind the family's face: BDF of orders 1 to 5 with variable step, Jacobian dF/dy + c_j dF/dy'.
//
// Forms of index 2 and 3: unknowns of index order 2 and above leave the error test, because their error estimates do not
// tend to zero with the step, and their weights in Newton's test carry h^(order - 1), as in Hairer, Lubich and Roche,
// The Numerical Solution of Differential-Algebraic Systems by Runge-Kutta Methods (1989), section 7. What follows from
// positions and velocities at every instant is outside of it, too (ErrorTest.h); neither there nor in Newton's test it is asked
// for more than the tolerances of the differential unknowns determine (AlgebraicFloor.h).
//
// Over a jump of a right-hand side every step begins anew (JumpWatch.h).
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <new>
#include <utility>

#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include "core/integrate/AlgebraicFloor.h"
#include "core/integrate/ErrorTest.h"
#include "core/integrate/IdaNewton.h"
#include "core/integrate/JumpWatch.h"
#include "core/integrate/Makers.h"
#include "core/integrate/Messages.h"
#include "core/integrate/ShortestStep.h"
#include "core/solve/Norm.h"
#include "core/text/Numbers.h"

namespace driftless::integrate {
namespace {

constexpr double kScaleBeforeFirstStep = 1e-3; ///< stands for h in the weights while IDA has chosen none [s]
constexpr double kShareOfOpen = 0.07; ///< to be tolerated at least; with 0.25 double pendula end half a digit less accurate
constexpr int kMostRestarts = 2;      ///< at one place; each allows ten failures, which cut the step by six orders
constexpr double kHorizon =
    1.0; ///< IDA starts with a thousandth of this at most [s]; a fixed one, so that stop times do not matter

template <auto kFree>
struct Free {
    template <class T>
    void operator()(T* p) const
    {
        kFree(p);
    }
};
void freeIda(void* memory) { IDAFree(&memory); }
void freeContext(_SUNContext* context) { SUNContext_Free(&context); }
using Context = std::unique_ptr<_SUNContext, Free<freeContext>>;
using Vector = std::unique_ptr<_generic_N_Vector, Free<N_VDestroy>>;
using Matrix = std::unique_ptr<_generic_SUNMatrix, Free<SUNMatDestroy>>;
using Linear = std::unique_ptr<_generic_SUNLinearSolver, Free<SUNLinSolFree>>;
using Memory = std::unique_ptr<void, Free<freeIda>>;

void silent(int, const char*, const char*, char*, void*) {}

class Ida final : public Integrator {
public:
    explicit Ida(const IntegratorInfo& info) : info_(info) {}

    const IntegratorInfo& info() const override { return info_; }
    Result<void> prepare(solve::DaeSystem& system, const IntegratorOptions& options) override;
    Result<void> restart(double t, std::span<const double> y, std::span<const double> yp) override;
    Result<void> setOptions(const IntegratorOptions& options) override;
    StepOutcome step(double tStop) override;

    double t() const override { return t_; }
    std::span<const double> y() const override { return y_; }
    std::span<const double> yp() const override { return yp_; }
    void interpolate(double t, std::span<double> y) const override;
    bool followsAlgebraic() const override { return true; }
    int currentOrder() const override { return order_; }
    double lastStep() const override { return lastStep_; }
    double nextStep() const override { return nextStep_; }
    const Statistics& statistics() const override { return statistics_; }

private:
    static Ida& of(void* data) { return *static_cast<Ida*>(data); }
    static int residual(realtype t, N_Vector y, N_Vector yp, N_Vector F, void* data);
    static int jacobian(realtype t, realtype cj, N_Vector y, N_Vector yp, N_Vector, SUNMatrix J, void* data, N_Vector, N_Vector,
                        N_Vector);
    static int weigh(N_Vector y, N_Vector weights, void* data) { return of(data).weigh(y, weights); }

    int weigh(N_Vector y, N_Vector weights);
    double tolerated(std::size_t i, double value) const;
    double firstStep();
    void noteAlgebraicFloor(N_Vector y);
    void solveForAlgebraicFloor();
    void fillDense(double cj, SUNMatrix J);
    bool fillSparse(double cj, SUNMatrix J);
    Result<void> create();
    void applyLimits();
    void markUnknowns();
    void takeStructure();
    int solve(double& reached);
    void beginAgain(double h);
    void forgetAlgebraicRates();
    void collect();
    StepOutcome failure(int flag, double h);

    bool dense() const { return y_.size() <= static_cast<std::size_t>(solve::kDenseLimit); }

    const IntegratorInfo& info_;
    solve::DaeSystem* system_ = nullptr;
    IntegratorOptions options_;
    Statistics statistics_;
    std::vector<double> y_, yp_, dFdy_, dFdyp_;
    double t_ = 0, lastStep_ = 0, nextStep_ = 0, longest_ = 0;
    double perTested_ = 1; ///< of the weights
    double stop_ = 0;      ///< [s] no step beyond
    int order_ = 1;
    std::uint64_t revision_ = 0;
    long seenSteps_ = 0, seenRejected_ = 0, seenIterations_ = 0;
    bool structureDirty_ = false; ///< the sparse matrix must take the new pattern
    bool openDue_ = false;        ///< open_ is the right side of its equation, not yet the solution
    std::string domain_;          ///< quoted while it is fresh
    bool outsideDomain_ = false;
    bool crossing_ = false;  ///< the step under way, or the last one, began anew without algebraic unknowns in its test
    bool ratesOpen_ = false; ///< since the restart no step has been judged with algebraic unknowns
    JumpWatch jumps_;

    // In the order of their making; destroyed in reverse.
    Context context_;
    Vector yVector_, ypVector_, id_, estimate_, weights_, open_;
    std::vector<double> leastOpen_; ///< least size of open_ since the start
    Matrix matrix_;
    Linear linear_;
    std::unique_ptr<IdaNewton> newton_;
    Memory ida_;
};

Result<void> Ida::prepare(solve::DaeSystem& system, const IntegratorOptions& options)
{
    if (auto fits = canCarry(info_, system.index(), system.hasProjection()); !fits)
        return fits;
    if (auto sound = checkFor(info_, options); !sound)
        return sound;
    system_ = &system;
    options_ = options;
    ida_.reset();
    y_.assign(static_cast<std::size_t>(system.size()), 0.0);
    yp_ = y_;
    revision_ = system.rolesRevision();
    takeStructure();
    return {};
}

Result<void> Ida::restart(double t, std::span<const double> y, std::span<const double> yp)
{
    if (auto fits = checkStart(*system_, t, y, yp); !fits)
        return fits;
    std::copy(y.begin(), y.end(), y_.begin());
    std::copy(yp.begin(), yp.end(), yp_.begin());
    t_ = t;
    lastStep_ = nextStep_ = longest_ = 0;
    order_ = 1;
    seenSteps_ = seenRejected_ = 0;
    revision_ = system_->rolesRevision();
    takeStructure();
    if (!ida_) {
        if (auto made = create(); !made)
            return made;
    } else {
        std::copy(y_.begin(), y_.end(), N_VGetArrayPointer(yVector_.get()));
        std::copy(yp_.begin(), yp_.end(), N_VGetArrayPointer(ypVector_.get()));
        IDAReInit(ida_.get(), t, yVector_.get(), ypVector_.get());
    }
    N_VConst(0.0, open_.get());
    leastOpen_.assign(y_.size(), std::numeric_limits<double>::infinity());
    openDue_ = crossing_ = false;
    ratesOpen_ = true;
    jumps_.restart(t);
    markUnknowns();
    applyLimits();
    IDASetInitStep(ida_.get(), 0.0);
    return {};
}

/// SUNDIALS uses the clone of a vector before it looks whether there is one.
N_Vector cloneOrThrow(N_Vector like)
{
    N_Vector made = N_VClone_Serial(like);
    if (!made)
        throw std::bad_alloc();
    return made;
}

Result<void> Ida::create()
{
    const Diagnostic noMemory{
        .what = "The solver IDA could not be set up", .why = "it could not allocate its memory", .remedy = "a smaller model"};
    SUNContext context = nullptr;
    if (SUNContext_Create(nullptr, &context) != 0)
        return noMemory;
    ida_.reset();
    newton_.reset();
    linear_.reset();
    matrix_.reset();
    for (auto* v : {&yVector_, &ypVector_, &id_, &estimate_, &weights_, &open_})
        v->reset();
    context_.reset(context);
    const auto n = static_cast<sunindextype>(y_.size());
    for (auto* v : {&yVector_, &ypVector_, &id_, &estimate_, &weights_, &open_})
        v->reset(N_VNew_Serial(n, context));
    if (!yVector_ || !ypVector_ || !id_ || !estimate_ || !weights_ || !open_)
        return noMemory;
    for (auto* v : {&yVector_, &ypVector_, &id_, &estimate_, &weights_, &open_})
        (*v)->ops->nvclone = cloneOrThrow; // and so in their clones
    std::copy(y_.begin(), y_.end(), N_VGetArrayPointer(yVector_.get()));
    std::copy(yp_.begin(), yp_.end(), N_VGetArrayPointer(ypVector_.get()));
    if (dense()) {
        matrix_.reset(SUNDenseMatrix(n, n, context));
        linear_.reset(SUNLinSol_Dense(yVector_.get(), matrix_.get(), context));
    } else {
        matrix_.reset(SUNSparseMatrix(n, n, std::max(1, system_->pattern().nonzeros()), CSC_MAT, context));
        linear_.reset(SUNLinSol_KLU(yVector_.get(), matrix_.get(), context));
    }
    structureDirty_ = false;
    ida_.reset(IDACreate(context));
    if (!matrix_ || !linear_ || !ida_)
        return noMemory;
    newton_ = std::make_unique<IdaNewton>(context, yVector_.get());
    seenIterations_ = 0;
    void* ida = ida_.get();
    IDASetErrHandlerFn(ida, silent, nullptr);
    if (IDAInit(ida, residual, t_, yVector_.get(), ypVector_.get()) != IDA_SUCCESS)
        return noMemory;
    IDASetUserData(ida, this);
    IDAWFtolerances(ida, weigh);
    IDASetLinearSolver(ida, linear_.get(), matrix_.get());
    IDASetJacFn(ida, jacobian);
    IDASetNonlinearSolver(ida, newton_->handle());
    IDASetMaxNumSteps(ida, -1); // one step a call: nothing to limit
    return {};
}

Result<void> Ida::setOptions(const IntegratorOptions& options)
{
    if (auto sound = checkFor(info_, options); !sound)
        return sound;
    options_ = options;
    if (ida_) {
        markUnknowns();
        applyLimits();
    }
    return {};
}

void Ida::applyLimits()
{
    IDASetMaxStep(ida_.get(), 0.0);
    IDASetMinStep(ida_.get(), shortestStep(options_, t_, longest_));
    IDASetMaxStep(ida_.get(), options_.maxStep);
    newton_->minIterations = options_.minNewtonIterations;
}

void Ida::markUnknowns()
{
    const ErrorTest test = errorTestOf(info_, options_, system_->index());
    const auto roles = system_->roles();
    double* id = N_VGetArrayPointer(id_.get()); // IDA leaves out what is marked 0
    newton_->powers.resize(roles.size());
    for (std::size_t i = 0; i < roles.size(); ++i) {
        id[i] = test.takes(roles[i]) && (roles[i].differential || !crossing_) ? 1.0 : 0.0;
        newton_->powers[i] = std::max(0, roles[i].indexOrder - 1);
    }
    IDASetId(ida_.get(), id_.get());
    IDASetSuppressAlg(ida_.get(), SUNTRUE);
    // IDA's norm is the mean over all unknowns: what is left out would make room for errors of the others.
    const auto open =
        std::count_if(roles.begin(), roles.end(), [&](const solve::UnknownRole& r) { return hasFloor(r) && !test.takes(r); });
    const double size = static_cast<double>(roles.size()), tested = size - static_cast<double>(open);
    perTested_ = system_->index() < 2 && tested > 0 ? std::sqrt(size / tested) : 1.0;
}

/// From the last accepted state, without a past. h: the first step [s], 0: as at a start.
void Ida::beginAgain(double h)
{
    std::copy(y_.begin(), y_.end(), N_VGetArrayPointer(yVector_.get()));
    std::copy(yp_.begin(), yp_.end(), N_VGetArrayPointer(ypVector_.get()));
    IDAReInit(ida_.get(), t_, yVector_.get(), ypVector_.get());
    seenSteps_ = seenRejected_ = 0;
    N_VConst(0.0, open_.get());
    openDue_ = false;
    newton_->setupDemanded = true;
    markUnknowns();
    applyLimits();
    IDASetInitStep(ida_.get(), h > 0 ? h : firstStep());
}

/// Those of a jump.
void Ida::forgetAlgebraicRates()
{
    const auto roles = system_->roles();
    for (std::size_t i = 0; i < roles.size(); ++i)
        if (!roles[i].differential)
            yp_[i] = 0;
}

/// One step of IDA, begun again where it fails. IDA's own flag.
int Ida::solve(double& reached)
{
    const auto attempt = [&] {
        IDASetMinStep(ida_.get(), shortestStep(options_, t_, longest_)); // IDA has none, and would creep on where t + h = t
        const int flag = IDASolve(ida_.get(), t_ + kHorizon, &reached, yVector_.get(), ypVector_.get(), IDA_ONE_STEP);
        collect();
        return flag;
    };
    const bool fresh = seenSteps_ == 0;
    double meant = std::min(stop_, t_ + nextStep_);
    const std::uint64_t before = statistics_.rejected;
    std::uint64_t noted = before;
    const auto note = [&] {
        for (; noted < statistics_.rejected; ++noted)
            jumps_.failed(meant);
    };
    int flag = attempt();
    double first = 0;
    if (fresh && IDAGetActualInitStep(ida_.get(), &first) == IDA_SUCCESS) // its own choice
        meant = std::max(meant, std::min(stop_, t_ + first));
    for (int k = 0; k < kMostRestarts && (flag == IDA_ERR_FAIL || flag == IDA_CONV_FAIL) && !newton_->wasCancelled; ++k) {
        note();
        jumps_.cross();
        crossing_ = true;
        forgetAlgebraicRates();
        beginAgain(std::max(nextStep_, shortestStep(options_, t_, longest_)));
        IDASetStopTime(ida_.get(), stop_);
        flag = attempt();
    }
    note();
    jumps_.accepted(reached, reached - t_, statistics_.rejected == before);
    return flag;
}

void Ida::takeStructure()
{
    const auto entries = system_->pattern().rowIndices.size();
    dFdy_.assign(entries, 0.0);
    dFdyp_.assign(entries, 0.0);
    structureDirty_ = true;
    if (newton_)
        newton_->setupDemanded = true;
}

double Ida::tolerated(std::size_t i, double value) const
{
    return absoluteTolerance(system_->roles()[i], options_, true) + options_.relativeTolerance * std::abs(value);
}

int Ida::weigh(N_Vector y, N_Vector weights)
{
    solveForAlgebraicFloor();
    double h = 0;
    IDAGetCurrentStep(ida_.get(), &h);
    h = newton_->weighedStep = h > 0 ? std::min(1.0, h / system_->characteristicTime()) : kScaleBeforeFirstStep;
    newton_->characteristicTime = system_->characteristicTime();
    const double* value = N_VGetArrayPointer(y);
    const double* open = N_VGetArrayPointer(open_.get());
    double* weight = N_VGetArrayPointer(weights);
    const auto roles = system_->roles();
    for (std::size_t i = 0; i < roles.size(); ++i) {
        double tolerance = tolerated(i, value[i]);
        if (!(tolerance > 0))
            return -1;
        if (hasFloor(roles[i]))
            tolerance = flooredTolerance(roles[i], tolerance, open[i], kShareOfOpen, leastOpen_[i]);
        weight[i] = perTested_ * std::pow(h, newton_->powers[i]) / tolerance;
    }
    return 0;
}

/// The one asked for; 0 leaves it to IDA, which takes the way y' h of the step to be half of what is tolerated at most. In
/// index 3 that may be so short that the matrix, where 1/h^2 stands beside 1, is singular in double precision.
double Ida::firstStep()
{
    if (options_.step > 0 && options_.step < kHorizon * 1e-3)
        return options_.step;
    if (onlyAlgebraic(system_->roles()) && !(options_.step > 0))
        return std::max(kFirstOfAlgebraic, options_.minStep);
    if (system_->index() < 3 || weigh(yVector_.get(), weights_.get()) != 0)
        return 0;
    // Round-off of positions over h^2, in multipliers, is as small there as h is against the time of the system.
    const double shortest = std::cbrt(std::numeric_limits<double>::epsilon()) * system_->characteristicTime();
    return N_VWrmsNormMask(ypVector_.get(), weights_.get(), id_.get()) * shortest > 0.5 ? shortest : 0.0;
}

/// With a new Jacobian, the right side; it is solved when IDA has factorised the matrix.
void Ida::noteAlgebraicFloor(N_Vector y)
{
    const auto roles = system_->roles();
    openDue_ = anyFloor(roles);
    if (!openDue_)
        return;
    const double* value = N_VGetArrayPointer(y);
    double* weight = N_VGetArrayPointer(weights_.get());
    for (std::size_t i = 0; i < roles.size(); ++i)
        weight[i] = 1 / tolerated(i, value[i]);
    floorRightSide(system_->pattern(), roles, dFdy_, {weight, roles.size()}, {N_VGetArrayPointer(open_.get()), roles.size()});
}

/// Weights are asked for after an accepted step, whose matrix is still there.
void Ida::solveForAlgebraicFloor()
{
    if (!openDue_)
        return;
    openDue_ = false;
    if (SUNLinSolSolve(linear_.get(), matrix_.get(), open_.get(), open_.get(), 0.0) != SUNLS_SUCCESS) {
        N_VConst(0.0, open_.get());
        return;
    }
    const double* open = N_VGetArrayPointer(open_.get());
    for (std::size_t i = 0; i < leastOpen_.size(); ++i)
        leastOpen_[i] = std::min(leastOpen_[i], std::abs(open[i]));
}

int Ida::residual(realtype t, N_Vector y, N_Vector yp, N_Vector F, void* data)
{
    Ida& self = of(data);
    if (self.cancelled()) {
        self.newton_->wasCancelled = true;
        return -1;
    }
    ++self.statistics_.residualEvaluations;
    self.outsideDomain_ = !self.system_->residual(t, N_VGetArrayPointer(y), N_VGetArrayPointer(yp), N_VGetArrayPointer(F));
    if (self.outsideDomain_)
        self.domain_ = self.system_->domainMessage();
    return self.outsideDomain_ ? 1 : 0;
}

int Ida::jacobian(realtype t, realtype cj, N_Vector y, N_Vector yp, N_Vector, SUNMatrix J, void* data, N_Vector, N_Vector,
                  N_Vector)
{
    Ida& self = of(data);
    ++self.statistics_.jacobianEvaluations;
    ++self.statistics_.factorizations;
    self.outsideDomain_ =
        !self.system_->jacobian(t, N_VGetArrayPointer(y), N_VGetArrayPointer(yp), self.dFdy_.data(), self.dFdyp_.data());
    if (self.outsideDomain_) {
        self.domain_ = self.system_->domainMessage();
        return 1;
    }
    self.noteAlgebraicFloor(y);
    if (self.dense())
        self.fillDense(cj, J);
    else if (!self.fillSparse(cj, J))
        return -1;
    return 0;
}

void Ida::fillDense(double cj, SUNMatrix J)
{
    SUNMatZero(J);
    const auto& pattern = system_->pattern();
    for (std::size_t j = 0; j < y_.size(); ++j) {
        realtype* column = SUNDenseMatrix_Column(J, static_cast<sunindextype>(j));
        for (int k = pattern.columnStarts[j]; k < pattern.columnStarts[j + 1]; ++k) {
            const auto place = static_cast<std::size_t>(k);
            column[pattern.rowIndices[place]] = dFdy_[place] + cj * dFdyp_[place];
        }
    }
}

bool Ida::fillSparse(double cj, SUNMatrix J)
{
    const auto& pattern = system_->pattern();
    if (SUNSparseMatrix_NNZ(J) < pattern.nonzeros() && SUNSparseMatrix_Reallocate(J, pattern.nonzeros()) != 0)
        return false;
    if (structureDirty_) {
        // A new symbolic analysis for the new pattern; the matrix stays the same object.
        SUNLinSol_KLUReInit(linear_.get(), J, pattern.nonzeros(), SUNKLU_REINIT_PARTIAL);
        structureDirty_ = false;
    }
    std::copy(pattern.columnStarts.begin(), pattern.columnStarts.end(), SUNSparseMatrix_IndexPointers(J));
    std::copy(pattern.rowIndices.begin(), pattern.rowIndices.end(), SUNSparseMatrix_IndexValues(J));
    realtype* values = SUNSparseMatrix_Data(J);
    for (std::size_t k = 0; k < dFdy_.size(); ++k)
        values[k] = dFdy_[k] + cj * dFdyp_[k];
    return true;
}

StepOutcome Ida::step(double tStop)
{
    if (!(tStop > t_))
        return {.status = StepStatus::Accepted, .t = t_};
    if (cancelled())
        return {.status = StepStatus::Cancelled, .t = t_};
    if (revision_ != system_->rolesRevision()) {
        revision_ = system_->rolesRevision();
        takeStructure();
        markUnknowns();
    }
    void* ida = ida_.get();
    newton_->cancel = cancelFlag();
    newton_->wasCancelled = false;
    outsideDomain_ = false;
    if (const bool was = std::exchange(crossing_, jumps_.crossing(t_)); was || crossing_) {
        // Behind a restart there may be no jump at all, but algebraic unknowns that are quick: their rates were not known.
        double h = lastStep_;
        if (crossing_ || !ratesOpen_) {
            forgetAlgebraicRates();
            h = crossing_ ? JumpWatch::kHop * lastStep_ : 0;
        }
        beginAgain(h);
    } else if (nextStep_ == 0) {
        IDASetInitStep(ida, firstStep());
    }
    stop_ = tStop;
    if (IDASetStopTime(ida, tStop) != IDA_SUCCESS) {
        // IDA already stands within round-off behind tStop: its polynomial covers it.
        t_ = tStop;
        return {.status = StepStatus::Accepted, .t = t_};
    }
    double reached = t_;
    const int flag = solve(reached);
    const double before = t_;
    if (flag < 0)
        return failure(flag, nextStep_);
    t_ = reached;
    const double* y = N_VGetArrayPointer(yVector_.get());
    const double* yp = N_VGetArrayPointer(ypVector_.get());
    std::copy(y, y + y_.size(), y_.begin());
    std::copy(yp, yp + yp_.size(), yp_.begin());
    lastStep_ = t_ - before;
    longest_ = std::max(longest_, lastStep_);
    ratesOpen_ = ratesOpen_ && crossing_;
    return {.status = StepStatus::Accepted, .t = t_, .h = lastStep_};
}

void Ida::interpolate(double t, std::span<double> y) const
{
    if (!(lastStep_ > 0)) {
        std::copy(y_.begin(), y_.end(), y.begin());
        return;
    }
    // IDA refuses times before its step. Its polynomial goes on there, as differences for rates need it.
    const double begin = t_ - lastStep_, before = std::min(0.0, t - begin);
    std::fill(y.begin(), y.end(), 0.0);
    double factor = 1;
    for (int k = 0; k == 0 || (before < 0 && k <= order_); factor *= before / ++k) {
        if (IDAGetDky(ida_.get(), std::max(t, begin), k, estimate_.get()) != IDA_SUCCESS) {
            std::copy(y_.begin(), y_.end(), y.begin());
            return;
        }
        const double* derivative = N_VGetArrayPointer(estimate_.get());
        for (std::size_t i = 0; i < y_.size(); ++i)
            y[i] += factor * derivative[i];
    }
}

void Ida::collect()
{
    long steps = 0, errorFailures = 0, solveFailures = 0;
    void* ida = ida_.get();
    IDAGetNumSteps(ida, &steps);
    IDAGetNumErrTestFails(ida, &errorFailures);
    IDAGetNumStepSolveFails(ida, &solveFailures);
    IDAGetCurrentStep(ida, &nextStep_);
    IDAGetLastOrder(ida, &order_);
    statistics_.steps += static_cast<std::uint64_t>(steps - seenSteps_);
    statistics_.rejected += static_cast<std::uint64_t>(errorFailures + solveFailures - seenRejected_);
    statistics_.newtonIterations += static_cast<std::uint64_t>(newton_->iterations - seenIterations_);
    seenSteps_ = steps;
    seenRejected_ = errorFailures + solveFailures;
    seenIterations_ = newton_->iterations;
}

StepOutcome Ida::failure(int flag, double h)
{
    solve::NewtonResult newton;
    newton.norm = newton_->lastNorm;
    newton.limit = newton_->lastTolerance;
    newton.largest = newton_->largest();
    newton.status = solve::NewtonStatus::Diverged;
    if (newton_->wasCancelled)
        newton.status = solve::NewtonStatus::Cancelled;
    else if (flag == IDA_ERR_FAIL) {
        IDAGetEstLocalErrors(ida_.get(), estimate_.get());
        IDAGetErrWeights(ida_.get(), weights_.get());
        N_VProd(weights_.get(), id_.get(), weights_.get()); // without what the test leaves out
        const int largest = solve::weightedLargest({N_VGetArrayPointer(estimate_.get()), y_.size()},
                                                   {N_VGetArrayPointer(weights_.get()), y_.size()});
        return errorTestFailure(*system_, t_, h, N_VWrmsNorm(estimate_.get(), weights_.get()), largest);
    } else if (flag == IDA_TOO_MUCH_ACC) {
        return {.status = StepStatus::Failed,
                .failure = StepFailure::StepTooSmall,
                .t = t_,
                .h = h,
                .reason = "the tolerances ask for more digits than there are at t = " + text::rounded(t_ * system_->timeUnit())
                          + " s"};
    } else if (outsideDomain_) {
        newton.status = solve::NewtonStatus::OutsideDomain;
        auto outcome = newtonFailure(*system_, newton, t_, h);
        const double unit = system_->timeUnit();
        outcome.reason = domain_ + " (at t = " + text::rounded(t_ * unit) + " s"
                         + (h > 0 ? " with a step of " + text::rounded(h * unit) + " s)" : ")");
        return outcome;
    } else if (newton_->setupFailed || flag == IDA_LSETUP_FAIL || flag == IDA_LSOLVE_FAIL) {
        newton.status = solve::NewtonStatus::Singular;
        if (dense())
            newton.matrix.column = static_cast<int>(SUNLinSolLastFlag(linear_.get())) - 1;
    }
    return newtonFailure(*system_, newton, t_, h);
}

} // namespace

std::unique_ptr<Integrator> makeIda(const IntegratorInfo& info) { return std::make_unique<Ida>(info); }

} // namespace driftless::integrate
