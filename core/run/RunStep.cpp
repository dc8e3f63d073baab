// One accepted step: read the state, judge it, record it, follow the pivot, watch the run's health; and what a failure
// means in the model's own words.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "core/base/Thread.h"
#include "core/run/RunImpl.h"
#include "core/text/Names.h"

namespace driftless::run {

namespace {

/// A step that fails with a pinned selection this bad is attributed to the pivot.
constexpr double kPinnedKappaSuspect = 30;
constexpr int kApproachSteps = 40;      // bisections of a step that passes a singular pivot
constexpr double kApproachWidth = 1e-6; // where the bisection ends, of the nominal time or of t, whichever is larger
constexpr double kLostPosition = 1e-2;  // of the rows' nominal sizes: with a residual this large it is a different mechanism
constexpr double kSwing = 0.1;          // a velocity residual of this part of the velocities is no round-off any more
constexpr double kNearRankLoss = 10;    // kappa beyond which rows are judged more often
constexpr double kRisen = 2; // times the least kappa of the run: mechanisms of unlike lengths have more than that anywhere
constexpr double kWeakestKnown = 1e-2;  // chains of ten links have rows as dependent as this anywhere
constexpr double kSingularRatio = 0.12; // a step that fails with constraints this dependent is attributed to them
constexpr double kChainRatio = 0.6;     // the same times the number of constraints: a straight chain of m links has 0.8 anyway
constexpr double kOfUsual =
    0.5; // of what the ratio has been: Andrews' mechanism has 0.003 anywhere, by its lengths of millimetres
constexpr double kRankless = 1e-6;        // dependent whatever the ratio has been
constexpr std::uint64_t kLookedBack = 16; // rows of the recording that tell what it has been
constexpr std::size_t kNamedJoints = 8;   // in a sentence

/// Shorter steps than this are timed one for as many as take that long: asking the clocks takes as long as such a step.
constexpr double kTimedAlone = 1e-4;   // [s]
constexpr double kShortestStep = 1e-8; // [s] where the clock has not moved

/// Adds the time its scope takes, and that of the steps before it that were not timed.
class Stopwatch {
public:
    explicit Stopwatch(Run::Impl::Timing& timing) : timing_(timing), timed_(++timing.untimed * timing.last >= kTimedAlone)
    {
        if (!timed_)
            return;
        cpuStart_ = threadSeconds();
        wallStart_ = Clock::now();
    }
    ~Stopwatch()
    {
        if (!timed_)
            return;
        const int steps = timing_.untimed;
        const double wall = std::chrono::duration<double>(Clock::now() - wallStart_).count();
        timing_.last = std::max(kShortestStep, threadSeconds() - cpuStart_);
        timing_.cpu += steps * timing_.last;
        timing_.wall += wall + (steps - 1) * timing_.last; // that the thread had to wait is no property of every step
        timing_.untimed = 0;
    }
    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;

private:
    using Clock = std::chrono::steady_clock;
    Run::Impl::Timing& timing_;
    bool timed_;
    double cpuStart_ = 0;
    Clock::time_point wallStart_;
};

// How often the selections of a form that does not use them are judged: constraints up to which it costs next to nothing, up to
// which it costs less than a step, and those beyond which it costs many; and the rows between judgements elsewhere, near a loss
// of rank and far from one.
constexpr int kJudgedAtOnce = 2, kJudgedSmall = 6, kJudgedAlone = 32;
constexpr std::uint64_t kJudgedNear = 4, kJudgedFar = 8, kJudgedLarge = 32;

} // namespace

integrate::Statistics Run::Impl::totals() const
{
    integrate::Statistics out = base;
    const integrate::Statistics& now = core->integrator->statistics();
    out.steps += now.steps - atRestart.steps;
    out.rejected += now.rejected - atRestart.rejected;
    out.residualEvaluations += now.residualEvaluations - atRestart.residualEvaluations;
    out.jacobianEvaluations += now.jacobianEvaluations - atRestart.jacobianEvaluations;
    out.factorizations += now.factorizations - atRestart.factorizations;
    out.newtonIterations += now.newtonIterations - atRestart.newtonIterations;
    return out;
}

bool Run::Impl::step(double tStop)
{
    if (hasFailed || (cancel.load(std::memory_order_relaxed) && cancel.exchange(false)))
        return false;
    const Stopwatch watchTime(timing);
    if (sinceRow == 0) {
        previous.t = state.t;
        previous.q = state.q;
        previous.v = state.v;
        previous.a = state.a;
        previous.lambda = state.lambda;
    }
    const integrate::StepOutcome outcome = core->integrator->step(tStop);
    if (outcome.status == integrate::StepStatus::Cancelled) {
        cancel = false;
        restartHere(RestartCause::StepInterrupted);
        return false;
    }
    if (outcome.status == integrate::StepStatus::Failed) {
        if (settle())
            fail(translate(outcome));
        return false;
    }
    if (!readState())
        return false;
    if (core->pinned && core->form().pivot && crossesSingularity()) {
        approachSingularity();
        return false;
    }
    return acceptStep(tStop);
}

/// The model's state from the integrator's unknowns.
bool Run::Impl::readState()
{
    const integrate::Integrator& integrator = *core->integrator;
    state.t = integrator.t();
    if (core->instance->toState(state.t, integrator.y().data(), integrator.yp().data(), state)) // false unless finite
        return true;
    const double t = state.t;
    fallBack();
    fail({"The state is no longer a finite number",
          "t = " + plain(t),
          core->instance->domainMessage(),
          advice(Trouble::NotFinite, integrator.lastStep()),
          {}});
    return false;
}

/// Back to the last row; steps since then do not count.
void Run::Impl::fallBack()
{
    state = previous;
    accepted -= static_cast<std::uint64_t>(sinceRow);
    sinceRow = 0;
}

bool Run::Impl::acceptStep(double tStop)
{
    accepted.store(accepted.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed); // written by this thread alone
    ++sinceRow;
    return (state.t < tStop && passesOver()) || acceptRow();
}

/// The state as it stands becomes a row: before anything that builds on what is measured of it. False when that failed the run.
bool Run::Impl::settle() { return sinceRow == 0 || hasFailed || acceptRow(); }

bool Run::Impl::acceptRow()
{
    if (!metrics.measure(state, core->lambdaGiven) || !metrics.accumulate(previous, state)) {
        const std::string why = metrics.message();
        const double t = state.t;
        fallBack();
        const auto singular = singularConfiguration();
        fail(singular ? *singular
                      : Diagnostic{"The run left the domain of an expression of the model",
                                   "t = " + plain(t),
                                   why,
                                   advice(Trouble::OutsideDomain),
                                   {}});
        return false;
    }
    if (!askMonitors(Monitor::Turn::BeforeRow, sinceRow))
        return false;
    const ResidualNorms& now = metrics.norms();
    maxNorms.position = std::max(maxNorms.position, now.position);
    maxNorms.velocity = std::max(maxNorms.velocity, now.velocity);
    maxNorms.acceleration = std::max(maxNorms.acceleration, now.acceleration);
    maxNorms.setAside = std::max(maxNorms.setAside, now.setAside);
    recordBetween();                      // before roles may be swapped
    if (++sinceJudged >= judgedEvery()) { // rows
        sinceJudged = 0;
        followPivot();
        followRank();
    }
    appendRow();
    const int steps = std::exchange(sinceRow, 0);
    time = state.t;
    publish();
    if (!hasFailed)
        askMonitors(Monitor::Turn::AfterRow, steps);
    return true;
}

void Run::Impl::appendRow()
{
    double* out = row.data();
    out = std::copy(state.q.begin(), state.q.end(), out);
    out = std::copy(state.v.begin(), state.v.end(), out);
    out = std::copy(state.lambda.begin(), state.lambda.end(), out);
    if (!system->plainRates()) {
        metrics.evaluator().coordinateRates(state.t, state.q.data(), state.v.data(), coordinateRate.data());
        out = std::copy(coordinateRate.begin(), coordinateRate.end(), out);
    }
    const ResidualNorms& norms = metrics.norms();
    *out++ = norms.position;
    *out++ = norms.velocity;
    *out++ = norms.acceleration;
    *out++ = metrics.energy();
    *out++ = metrics.energyError();
    *out++ = metrics.work();
    *out++ = core->integrator->lastStep();
    *out++ = core->integrator->currentOrder();
    *out++ = std::isfinite(kappa) ? kappa : std::numeric_limits<double>::quiet_NaN();
    *out++ = core->projected;
    if (!metrics.setAside().empty())
        *out++ = norms.setAside;
    recording.append(state.t, row);
}

void Run::Impl::publish()
{
    const std::lock_guard lock(mutex);
    RunStatus& s = shared.status;
    s.t = state.t;
    s.statistics = totals();
    s.pivots = pivots;
    s.residual = metrics.norms();
    s.maxResidual = maxNorms;
    s.energy = metrics.energy();
    s.energyError = metrics.energyError();
    s.stepSize = core->integrator->lastStep();
    s.order = core->integrator->currentOrder();
    s.cpuSeconds = timing.cpu;
    s.wallSeconds = timing.wall;
    s.kappa = kappa;
    shared.mark = {state.t, accepted};
    shared.last.t = state.t;
    std::copy(state.q.begin(), state.q.end(), shared.last.q.begin());
}

void Run::Impl::resetMonitors()
{
    leastKappa = std::numeric_limits<double>::infinity();
    judged = {};
    judged.passed = state.t;
    sinceJudged = kJudgedLarge; // the next step is judged
    sinceLooked = kJudgedLarge;
    beginMonitors();
}

/// Whether the step just taken passed a singular point of the pinned selection: det G_sel changed its sign, or it should
/// have. At such a point the constraints have a second, mirrored solution; an iteration that falls onto it bounces back
/// from the singular point, which shows against the motion carried on from the step before.
bool Run::Impl::crossesSingularity()
{
    const formulation::Dummies& selection = core->instance->dummies();
    const bool throughMass = core->form().pivot->throughMass;
    const auto turned = [&](double t, const double* q) {
        if (!loadTracks(t, q, throughMass))
            return false;
        return (velocities.orientation != 0 && velocities.chooser.orientation(selection.velocities) != velocities.orientation)
               || (positions.orientation != 0 && positions.chooser.orientation(selection.positions) != positions.orientation);
    };
    if (turned(state.t, state.q.data()))
        return true;
    const bool near = velocities.chooser.kappa(selection.velocities) > kPinnedKappaSuspect
                      || (positions.orientation != 0 && positions.chooser.kappa(selection.positions) > kPinnedKappaSuspect);
    if (!near || !metrics.evaluator().coordinateRates(previous.t, previous.q.data(), previous.v.data(), coordinateRate.data()))
        return false;
    const double h = state.t - previous.t;
    for (std::size_t i = 0; i < predicted.size(); ++i)
        predicted[i] = previous.q[i] + h * (coordinateRate[i] + (system->plainRates() ? 0.5 * h * previous.a[i] : 0.0));
    return turned(state.t, predicted.data());
}

/// Rows from one judgement of the selections to the next. Forms that select dummies, hold bases or are pinned need every one of
/// a small system; elsewhere kappa is told, not used, and telling it would cost more than a step.
std::uint64_t Run::Impl::judgedEvery() const
{
    if (chooser || core->pinned || core->instance->hasBases())
        return 1;
    if (system->m() > kJudgedAlone)
        return kJudgedLarge;
    if (core->form().pivot || system->m() <= kJudgedAtOnce)
        return 1;
    const std::uint64_t rows = kappa > kNearRankLoss && kappa > kRisen * leastKappa ? kJudgedNear : kJudgedFar;
    return system->m() <= kJudgedSmall ? rows : 2 * rows;
}

/// The step that passed the singular point is discarded; halved steps then lead up to it, so that the recording ends
/// where the equations do, whatever the step size was.
void Run::Impl::approachSingularity()
{
    double until = state.t;
    state = previous;
    for (int k = 0; k < kApproachSteps && until - state.t > kApproachWidth * std::max(metrics.scales().time, std::abs(state.t));
         ++k) {
        std::string why;
        previous = state;
        base = totals();
        const bool entered = enter(*core, state, why);
        atRestart = core->integrator->statistics();
        if (!entered)
            break;
        const double middle = state.t + 0.5 * (until - state.t);
        if (core->integrator->step(middle).status != integrate::StepStatus::Accepted) {
            until = middle;
            continue;
        }
        if (!readState())
            return;
        if (crossesSingularity()) {
            until = state.t;
            state = previous;
        } else if (!acceptStep(middle) || hasFailed) {
            return;
        }
    }
    fail(pinnedSingular(until), true);
}

Diagnostic Run::Impl::pinnedSingular(double until)
{
    if (chooser)
        return pinnedValuesSingular();
    const std::string pinned = dummyNames(core->instance->dummies());
    std::string other;
    if (loadPivots(state)) {
        const std::vector<int> best = velocities.chooser.choose();
        other = dummyNames({apart(core->form()) ? positions.chooser.choose() : best, best});
    }
    Diagnostic d;
    d.what = "The pinned pivot " + pinned + " becomes singular";
    d.where = "t = " + plain(state.t, 8) + (until > state.t ? " to " + plain(until, 8) : "");
    d.why = "the constraint matrix columns of " + pinned + " vanish there (kappa = " + plain(kappa, 3)
            + "), so its derivatives are no longer determined by the constraints";
    d.remedy = other.empty() || other == pinned ? "choose automatic pivoting or pin the other one"
                                                : "choose automatic pivoting or pin the other one, " + other;
    return d;
}

/// Of [G; L] alone where G keeps its rank, else of G.
std::optional<Diagnostic> Run::Impl::lostRank()
{
    double weakness = 1;
    weakJoints(&weakness);
    const auto rates = singularRates();
    if (rates && weakness > kWeakestKnown)
        return rates;
    const auto singular = singularConfiguration();
    return singular ? singular : rates;
}

/// Loss of rank of G at the present state, with the joints that lose their independence.
std::optional<Diagnostic> Run::Impl::singularConfiguration()
{
    if (system->m() == 0 || !loadTracks(state.t, state.q.data(), false))
        return std::nullopt;
    double ratio = 1;
    const std::string joints = weakJoints(&ratio);
    if (joints.empty() || ratio > std::min(kSingularRatio, kChainRatio / system->m()))
        return std::nullopt;
    if (ratio > kRankless && !(ratio <= kOfUsual * usualRatio()))
        return std::nullopt;
    return Diagnostic{"The mechanism is in a singular configuration, or close to one",
                      "t = " + plain(state.t),
                      "the constraints of " + joints + " do not determine their forces here: G loses rank (condition "
                          + plain(1 / ratio, 3) + ")",
                      advice(Trouble::SingularConfiguration),
                      {}};
}

/// The largest ratio of weakJoints on the way here; 0 where no way lies behind.
double Run::Impl::usualRatio()
{
    const RecordingView past = recording.view();
    const std::uint64_t rows = past.rowCount();
    double usual = 0;
    for (std::uint64_t k = 0; k < std::min(kLookedBack, rows); ++k) {
        const std::uint64_t then = k * rows / std::min(kLookedBack, rows);
        for (std::size_t i = 0; i < predicted.size(); ++i)
            predicted[i] = past.value(then, static_cast<int>(i));
        double ratio = 0;
        if (past.time(then) < state.t && loadTracks(past.time(then), predicted.data(), false)) {
            velocities.chooser.weakestRows(ratio);
            usual = std::max(usual, ratio);
        }
    }
    return usual;
}

/// The constraints that take part in the weakest combination of rows of W, by name; ratio: against the norm of W.
std::string Run::Impl::weakJoints(double* ratio)
{
    double weakness = 1;
    std::string joints;
    if (loadTracks(state.t, state.q.data(), false))
        joints = text::firstOf(constraintNames(velocities.chooser.weakestRows(weakness)), kNamedJoints);
    if (ratio)
        *ratio = weakness;
    return joints;
}

/// A form that holds the positions alone leaves an error of the velocities to the method; one that does not damp it (the
/// trapezoidal rule) turns its sign in every step and lets it grow, until no state on the constraints lies near the next step
/// ([St02] section 6).
std::optional<Diagnostic> Run::Impl::swingingVelocities(const integrate::StepOutcome& o)
{
    const formulation::Enforces& holds = core->form().enforces;
    double speed = 0, share = 0;
    for (std::size_t i = 0; i < state.v.size(); ++i) {
        speed = std::max(speed, std::abs(state.v[i]));
        share = std::max(share, std::abs(state.v[i]) / metrics.scales().velocities[i]);
    }
    if (o.failure != integrate::StepFailure::NewtonDiverged || !holds.position || holds.velocity
        || !(metrics.relativeVelocity() > kSwing * share))
        return std::nullopt;
    return Diagnostic{"The velocities have left their constraints",
                      "t = " + plain(state.t, 8) + ", h = " + plain(o.h, 3),
                      core->settings.formulation + " holds the positions only; the residual of the velocities has grown to "
                          + plain(metrics.norms().velocity, 3) + " (largest velocity " + plain(speed, 3)
                          + "), and the equations of the next step could not be solved: " + o.reason,
                      advice(Trouble::VelocitiesLost, o.h),
                      {}};
}

/// Whether what fails now is attributed to the pinned selection.
bool Run::Impl::suspectsPivot() const { return core->pinned && kappa > kPinnedKappaSuspect; }

Diagnostic Run::Impl::translate(const integrate::StepOutcome& o)
{
    using integrate::StepFailure;
    const std::string where = "t = " + plain(state.t, 8) + (o.h > 0 ? ", h = " + plain(o.h, 3) : "");
    if (suspectsPivot())
        return pinnedSingular(state.t);
    if (o.failure == StepFailure::NewtonDiverged && !core->form().enforces.position
        && metrics.relativePosition() > kLostPosition)
        return {"The constraint error exceeded its limit",
                where,
                "the position residual has grown to " + plain(metrics.norms().position, 3) + ", " + core->settings.formulation
                    + " does not hold it down, and the equations of a step have no solution near the last state any more",
                advice(Trouble::ConstraintsLost, o.h),
                {}};
    if (const auto lost = lostRank())
        return *lost;
    if (const auto swinging = swingingVelocities(o))
        return *swinging;
    const auto because = [&](const char* what, Trouble trouble) {
        return Diagnostic{what, where, o.reason, advice(trouble, o.h), {}};
    };
    switch (o.failure) {
    case StepFailure::NewtonDiverged:
        return because("The equations of a step could not be solved", Trouble::NotSolved);
    case StepFailure::SingularMatrix:
        return because("The iteration matrix is singular", Trouble::SingularMatrix);
    case StepFailure::ErrorTest:
    case StepFailure::StepTooSmall:
        return because("The tolerances cannot be met with the smallest step", Trouble::Tolerances);
    case StepFailure::DomainError:
        return because("The run left the domain of an expression of the model", Trouble::OutsideDomain);
    case StepFailure::ProjectionFailed:
        return because("The projection onto the constraints did not converge", Trouble::NotProjected);
    default:
        return because("The integrator cannot go on", Trouble::Other);
    }
}

void Run::Impl::fail(Diagnostic diagnostic, bool stuck)
{
    hasFailed = true;
    addEvent(Failure{.diagnostic = diagnostic, .stuck = stuck});
    publish();
    const std::lock_guard lock(mutex);
    shared.status.state = RunState::Failed;
    shared.status.diagnostic = std::move(diagnostic);
}

} // namespace driftless::run
