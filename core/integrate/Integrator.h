// The integrator family: one accepted step at a time on F(t, y, y') = 0.
//
// A leaf supplies one step of its method; step control, statistics, stopping times, cancelling and dense output exist
// once, outside the leaves. An integrator never owns time: the run asks for one step and says where it must end at most.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/Result.h"
#include "core/solve/DaeSystem.h"

namespace driftless::integrate {

/// The kinds of methods, in the order in which they are listed.
enum class Family { Explicit, Implicit, Multistep, Mechanical };
/// "explicit Runge-Kutta", "implicit Runge-Kutta", "multistep", "structure preserving".
std::string_view familyName(Family family);

/// The parameter of a one-parameter family of methods; without a name there is none.
struct MethodParameter {
    std::string name; ///< "alpha"
    double least = 0, most = 0, usual = 0;
    double excluded = 0; ///< a value inside where there is no method, 0: none
};

/// What a method is and what it can carry; documentation, lists and refusals follow from this data.
struct IntegratorInfo {
    std::string id;     ///< "radau-iia-5"
    std::string title;  ///< "Radau IIA, order 5"
    std::string source; ///< "[DN] (1.48)"
    Family family = Family::Implicit;
    int order = 0;         ///< 0: variable
    bool adaptive = false; ///< chooses its own step from tolerances; else needs a fixed step
    bool implicitMethod = false;
    bool multistep = false;   ///< carries past values, so a projection after each step would spoil it
    int maxIndex = 1;         ///< highest index of a form it can integrate
    bool swapsRoles = true;   ///< goes on without a restart when a pivot swaps roles
    std::string summary;      ///< one sentence for the window
    bool endsAtKnots = false; ///< its long steps look inside at few places: a step ends where an input's third derivative jumps
    bool tiedUnknowns = true; ///< implicit: carries forms whose differential unknowns are tied by algebraic equations
    MethodParameter parameter{};
    solve::Mechanics mechanics =
        solve::Mechanics::None; ///< takes the equations of motion apart: the level of constraints it needs stated
};

struct IntegratorOptions {
    double step = 0.01; ///< fixed step [s]; for adaptive methods the longest first step, 0 = choose
    double relativeTolerance = 1e-6;
    double absoluteTolerance = 1e-6; ///< in a run 0 stands for the relative tolerance times the nominal value of each quantity
    double multiplierTolerance = 0;  ///< absolute tolerance of multipliers, 0 = as the others
    double maxStep = 0;              ///< [s], 0 = no limit
    double minStep = 0;              ///< [s], 0 = from round-off
    int minNewtonIterations = 0;     ///< at least this many Newton iterations a step (ida), 0 = the solver's choice
    double parameter = 0;            ///< of a one-parameter family of methods, 0 = its usual one
    std::map<std::string, double> tolerances{}; ///< absolute ones of single quantities, by full name; the run looks after them

    Result<void> check() const;
};

struct Statistics {
    std::uint64_t steps = 0;
    std::uint64_t rejected = 0;
    std::uint64_t residualEvaluations = 0;
    std::uint64_t jacobianEvaluations = 0;
    std::uint64_t factorizations = 0;
    std::uint64_t newtonIterations = 0;
};

enum class StepStatus {
    Accepted,
    Cancelled, ///< the flag was raised; the unfinished step is discarded, state() is the last accepted one
    Failed     ///< cannot go on from here; reason says why
};

/// Why a step failed, for monitors that know the model to translate.
enum class StepFailure {
    None,
    NewtonDiverged, ///< nonlinear equations did not converge at the smallest step
    SingularMatrix, ///< iteration matrix singular
    ErrorTest,      ///< error test failed down to the smallest step
    StepTooSmall,
    DomainError, ///< an expression left its domain; reason quotes it
    ProjectionFailed,
    Other
};

struct StepOutcome {
    StepStatus status = StepStatus::Accepted;
    StepFailure failure = StepFailure::None;
    double t = 0;     ///< where the integrator stands now [s]
    double h = 0;     ///< step taken, or the last one tried [s]
    double norm = 0;  ///< weighted norm that failed, if any
    double limit = 0; ///< its limit
    std::string reason{};
};

class Integrator {
public:
    virtual ~Integrator() = default;

    virtual const IntegratorInfo& info() const = 0;

    /// Takes the system (which must outlive the integrator) and allocates everything a step needs. Refuses what the
    /// method cannot carry: explicit methods need index <= 1, multistep methods no projection, and so on.
    virtual Result<void> prepare(solve::DaeSystem& system, const IntegratorOptions& options) = 0;

    /// Starts or restarts at (t, y, y'); y' counts where the unknown is differential (the others are estimates).
    virtual Result<void> restart(double t, std::span<const double> y, std::span<const double> yp) = 0;

    /// After a restart: the step that is to be tried first where the method chooses its steps [s]. It may have a mind of its
    /// own.
    virtual void suggestStep(double /*h*/) {}

    /// The next step is no longer than this [s], and keeps what the method remembers. Not of methods with steps of their own.
    virtual void limitStep(double /*h*/) {}

    /// New tolerances or step without losing the history; the number of unknowns stays. Commands of a run restart instead.
    virtual Result<void> setOptions(const IntegratorOptions& options) = 0;

    /// One accepted step that ends at tStop at the latest, and exactly at tStop (bit for bit) when it would come within
    /// round-off of it or beyond. tStop may be infinity. After the system's rolesRevision() changed, goes on without a
    /// restart where info().swapsRoles. Does not allocate (our own methods).
    virtual StepOutcome step(double tStop) = 0;

    virtual double t() const = 0;
    virtual std::span<const double> y() const = 0;
    /// Rates at t(); for algebraic unknowns an estimate or zero.
    virtual std::span<const double> yp() const = 0;
    /// y at a time of the last accepted step, t() - lastStep() to t(), by the method's own polynomial or, where it has none, by
    /// the cubic one through values and rates at both ends. It goes on for a ten-thousandth of the step beyond both ends: rates
    /// are differences of it. Valid until step() is called again.
    virtual void interpolate(double t, std::span<double> y) const = 0;
    /// Degree up to which interpolate() follows the motion inside of the last step: 3 where it is no better than the cubic
    /// polynomial through values and rates at both ends.
    virtual int insideDegree() const { return kCubic; }
    /// Whether interpolate() follows algebraic unknowns by a polynomial through their values at stages or past steps. Else they
    /// lie on little more than a line between the ends.
    virtual bool followsAlgebraic() const { return false; }
    static constexpr int kCubic = 3;
    static constexpr int kExact = 15; ///< stated where nothing is integrated: all unknowns follow from the equations
    virtual int currentOrder() const = 0;
    virtual double lastStep() const = 0;
    virtual double nextStep() const = 0; ///< the step it would like to try next
    virtual const Statistics& statistics() const = 0;

    /// Raised from another thread to leave step() early.
    void setCancelFlag(const std::atomic<bool>* flag) { cancel_ = flag; }

protected:
    bool cancelled() const { return cancel_ && cancel_->load(std::memory_order_relaxed); }
    const std::atomic<bool>* cancelFlag() const { return cancel_; }

private:
    const std::atomic<bool>* cancel_ = nullptr;
};

/// All methods, in the order they are listed to users; those of one's own are known beside it (RungeKutta.h, addOwnMethod()).
std::span<const IntegratorInfo> integratorCatalogue();
/// nullptr for an unknown id; else it stays while the program runs.
const IntegratorInfo* findIntegrator(std::string_view id);
Result<std::unique_ptr<Integrator>> makeIntegrator(std::string_view id);
/// Whether the method can carry the system at all, without preparing it; the refusal says why and what to use.
/// mechanics: the level of constraints that the form states where it consists of the equations of motion alone.
Result<void> canCarry(const IntegratorInfo& method, int index, bool hasProjection, bool semiExplicit = true,
                      solve::Mechanics mechanics = solve::Mechanics::None);
/// The same for a compiled system.
Result<void> canCarry(const IntegratorInfo& method, solve::DaeSystem& system);

} // namespace driftless::integrate
