#include "core/study/WorkPrecision.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "core/base/Thread.h"
#include "core/text/Escapes.h"
#include "core/text/Numbers.h"

namespace driftless::study {

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kCheckFactor = 10;                 ///< the reference is repeated at so many times its tolerance
constexpr double kReferenceSeconds = 30;            ///< [s] of processor time for one run of a reference
constexpr double kGoodReference = 1e-7;             ///< a reference this certain is taken without trying the next
constexpr std::uint64_t kRecordingBytes = 4u << 20; ///< only the last row is read
constexpr int kStepsBetweenLooks = 32;              ///< at the clock
constexpr int kPointsBelow = 1;                     ///< that a curve goes on below the uncertainty of the reference
constexpr double kStall = 0.5;    ///< an error that is not halved by a tighter setting has met round-off, below kGoodReference
constexpr int kPointsStalled = 1; ///< that a curve goes on then

bool adaptive(const run::RunSettings& settings)
{
    const auto* method = integrate::findIntegrator(settings.integrator);
    return method && method->adaptive;
}

std::optional<ErrorGroup> groupOf(run::ColumnKind kind)
{
    switch (kind) {
    case run::ColumnKind::Position:
        return ErrorGroup::Positions;
    case run::ColumnKind::Velocity:
        return ErrorGroup::Velocities;
    case run::ColumnKind::Multiplier:
    case run::ColumnKind::Auxiliary:
        return ErrorGroup::Others;
    default:
        return std::nullopt;
    }
}

/// What a run left at its end.
struct Finished {
    std::vector<double> values;
    std::vector<ErrorGroup> groups;
    integrate::Statistics work;
    double seconds = 0, reached = 0;
    std::optional<Diagnostic> failure;
};

GroupErrors errorOf(const std::vector<double>& x, const std::vector<double>& r, const std::vector<ErrorGroup>& groups)
{
    GroupErrors error;
    error.fill(kNaN);
    for (std::size_t i = 0; i < r.size() && i < x.size(); ++i) {
        double& worst = error[static_cast<std::size_t>(groups[i])];
        const double e = std::abs(x[i] - r[i]) / (1 + std::abs(r[i]));
        worst = std::isnan(worst) ? e : std::max(worst, e);
    }
    return error;
}

run::RunSettings atTolerance(run::RunSettings settings, double tolerance)
{
    auto& o = settings.options;
    if (!(o.relativeTolerance > 0)) // the absolute one alone
        o.relativeTolerance = o.absoluteTolerance;
    const double ratio = tolerance / o.relativeTolerance;
    o.absoluteTolerance *= ratio;
    o.multiplierTolerance *= ratio;
    for (auto& [name, single] : o.tolerances)
        single *= ratio;
    o.relativeTolerance = tolerance;
    return settings;
}

} // namespace

/// The run that a sign can interrupt, for as long as it exists.
class StoppedRun {
public:
    StoppedRun(StopSign& sign, run::Run& run) : sign_(sign), run_(run)
    {
        const std::lock_guard lock(sign_.mutex_);
        sign_.running_ = &run;
        if (sign_.raised())
            run.interrupt();
    }
    ~StoppedRun()
    {
        const std::lock_guard lock(sign_.mutex_);
        sign_.running_ = nullptr;
    }
    StoppedRun(const StoppedRun&) = delete;
    StoppedRun& operator=(const StoppedRun&) = delete;

    /// To the end, a failure, the sign, or the time that is given. True: at the end.
    bool to(double end, double seconds, bool& late)
    {
        const double from = threadSeconds();
        for (int k = 1; run_.t() < end; ++k) {
            if (sign_.raised() || !run_.step(end))
                return false;
            if (k % kStepsBetweenLooks == 0 && threadSeconds() - from > seconds) {
                late = true;
                return false;
            }
        }
        return true;
    }

private:
    StopSign& sign_;
    run::Run& run_;
};

void StopSign::raise()
{
    raised_ = true;
    const std::lock_guard lock(mutex_);
    if (running_)
        running_->interrupt();
}

std::string workMeasureName(WorkMeasure measure)
{
    switch (measure) {
    case WorkMeasure::Residuals:
        return "residual evaluations";
    case WorkMeasure::Jacobians:
        return "Jacobians";
    case WorkMeasure::Steps:
        return "accepted steps";
    case WorkMeasure::Seconds:
        return "seconds";
    }
    return {};
}

double WorkPrecisionPoint::amount(WorkMeasure measure) const
{
    switch (measure) {
    case WorkMeasure::Residuals:
        return static_cast<double>(work.residualEvaluations);
    case WorkMeasure::Jacobians:
        return static_cast<double>(work.jacobianEvaluations);
    case WorkMeasure::Steps:
        return static_cast<double>(work.steps);
    case WorkMeasure::Seconds:
        return seconds;
    }
    return 0;
}

namespace {

/// Nothing when the sign was raised.
std::optional<Finished> drive(const WorkPrecisionRequest& request, const run::RunSettings& settings, double seconds,
                              StopSign& stop, bool& created)
{
    created = false;
    Finished out;
    auto run = run::Run::create(request.system, request.start, settings, kRecordingBytes);
    if (stop.raised())
        return std::nullopt;
    if (!run) {
        out.failure = run.error();
        return out;
    }
    created = true;
    bool late = false, there = false;
    {
        StoppedRun stopped(stop, **run);
        there = stopped.to(request.span, seconds, late);
    }
    if (stop.raised())
        return std::nullopt;
    const run::RunStatus status = (*run)->status();
    out.work = status.statistics;
    out.seconds = status.cpuSeconds;
    out.reached = status.t;
    if (!there) {
        out.failure = status.diagnostic;
        if (late || !out.failure)
            out.failure =
                Diagnostic{.what = "The point was given up",
                           .where = "t = " + std::to_string(status.t) + " s",
                           .why = "it took longer than " + std::to_string(static_cast<int>(seconds)) + " s of processor time",
                           .remedy = "a shorter span"};
        return out;
    }
    const run::RecordingView record = (*run)->recording();
    for (int c = 0; c < record.columnCount(); ++c)
        if (const auto group = groupOf(record.columns()[static_cast<std::size_t>(c)].kind)) {
            out.values.push_back(record.value(record.rowCount() - 1, c));
            out.groups.push_back(*group);
        }
    return out;
}

double worstOf(const GroupErrors& errors)
{
    double worst = 0;
    for (const double e : errors)
        worst = std::isnan(e) ? worst : std::max(worst, e);
    return worst;
}

/// Nothing when the sign was raised.
std::optional<Result<ReferenceSolution>> makeReference(const WorkPrecisionRequest& request, StopSign& stop)
{
    const auto candidates = request.references.empty() ? referenceCandidates(*request.system) : request.references;
    std::optional<ReferenceSolution> best;
    Diagnostic why{
        .what = "There is no reference solution", .why = "no method can serve as one", .remedy = "another model or span"};
    for (const run::RunSettings& settings : candidates) {
        bool created = false;
        const auto checked =
            drive(request, atTolerance(settings, kCheckFactor * kReferenceTolerance), kReferenceSeconds, stop, created);
        if (!checked)
            return std::nullopt;
        if (checked->failure) {
            why = *checked->failure;
            continue;
        }
        const run::RunSettings tight = atTolerance(settings, kReferenceTolerance);
        auto found = drive(request, tight, kReferenceSeconds, stop, created);
        if (!found)
            return std::nullopt;
        if (found->failure) {
            why = *found->failure;
            continue;
        }
        ReferenceSolution reference{tight, std::move(found->values), std::move(found->groups),
                                    {},    kReferenceTolerance,      kCheckFactor * kReferenceTolerance};
        reference.uncertainty = errorOf(checked->values, reference.values, reference.groups);
        for (double& u : reference.uncertainty) // both may have met the same rounding errors: one in each step is the least
            u = std::isnan(u) ? u
                              : std::max(u, std::numeric_limits<double>::epsilon() * static_cast<double>(found->work.steps));
        if (!best || worstOf(reference.uncertainty) < worstOf(best->uncertainty))
            best = std::move(reference);
        if (worstOf(best->uncertainty) < kGoodReference)
            break;
    }
    if (best)
        return Result<ReferenceSolution>(std::move(*best));
    why.where = why.where.empty() ? "reference" : "reference, " + why.where;
    return Result<ReferenceSolution>(why);
}

/// The points of one method, one after the other.
class Curve {
public:
    Curve(std::size_t place, const run::RunSettings& settings)
        : place_(place), settings_(settings), adaptive_(adaptive(settings))
    {
    }

    bool ended() const { return ended_; }
    /// False when the sign was raised.
    bool next(const WorkPrecisionRequest& request, const ReferenceSolution& reference, StopSign& stop,
              const WorkPrecisionSink& sink)
    {
        WorkPrecisionPoint point;
        point.method = place_;
        if (adaptive_) {
            point.setting = kLoosestTolerance * std::pow(10.0, -level_);
            point.settings = atTolerance(settings_, point.setting);
        } else {
            point.setting = request.span / (kFewestSteps * std::pow(2.0, level_));
            point.settings = settings_;
            point.settings.options.step = point.setting;
        }
        bool created = false;
        const auto found = drive(request, point.settings, request.secondsPerPoint, stop, created);
        if (!found)
            return false;
        point.work = found->work;
        point.seconds = found->seconds;
        point.reached = found->reached;
        point.failure = found->failure;
        point.error.fill(kNaN);
        if (!point.failure)
            point.error = errorOf(found->values, reference.values, reference.groups);
        if (!created)
            point.setting = 0;
        follow(point, reference, request.secondsPerPoint);
        sink.point(point);
        return true;
    }

private:
    /// Whether there is any use in a tighter one.
    void follow(const WorkPrecisionPoint& point, const ReferenceSolution& reference, double seconds)
    {
        ++level_;
        const bool tightest = adaptive_ ? point.setting < 3 * kTightestTolerance : level_ > kMostHalvings;
        ended_ =
            point.refused() || tightest || point.seconds > seconds / (adaptive_ ? 1.2 : 2); // the next one would take too long
        if (point.failure)
            return;
        bool below = true;
        for (std::size_t g = 0; g < point.error.size(); ++g)
            below = below && !(point.error[g] > reference.uncertainty[g]); // of groups that are absent, too
        below_ += below;
        const double error = worstOf(point.error);
        stalled_ += best_ < kGoodReference && error > kStall * best_; // round-off
        best_ = std::min(best_, error);
        ended_ = ended_ || below_ > kPointsBelow || stalled_ > kPointsStalled;
    }

    std::size_t place_;
    run::RunSettings settings_;
    bool adaptive_, ended_ = false;
    int level_ = 0, below_ = 0, stalled_ = 0;
    double best_ = HUGE_VAL;
};

} // namespace

std::vector<run::RunSettings> referenceCandidates(const model::CompiledSystem& system)
{
    const auto& defaults = system.model().run;
    run::RunSettings settings;
    settings.options.step = defaults.firstStep.value_or(0);
    settings.options.maxStep = defaults.maxStep.value_or(0);
    settings.options.relativeTolerance = defaults.relativeTolerance.value_or(1);
    settings.options.absoluteTolerance =
        defaults.relativeTolerance ? defaults.absoluteTolerance.value_or(0) : 0; // 0: by the nominal sizes
    std::vector<run::RunSettings> out;
    const auto add = [&](const char* form, const char* method) {
        settings.formulation = form;
        settings.integrator = method;
        out.push_back(settings);
    };
    if (system.system().chart)
        add("state-space", "radau");
    add("dummy-derivatives", "radau");
    if (system.model().reduced)
        return out;
    add("ggl", "radau");
    add("projection", "dormand-prince");
    add("index-1", "dormand-prince");
    return out;
}

void workPrecision(const WorkPrecisionRequest& request, StopSign& stop, const WorkPrecisionSink& sink)
{
    std::optional<ReferenceSolution> reference = request.known;
    if (!reference) {
        const auto made = makeReference(request, stop);
        if (!made)
            return;
        sink.reference(*made);
        if (!*made)
            return;
        reference = made->value();
    } else {
        sink.reference(*reference);
    }
    std::vector<Curve> curves;
    for (std::size_t i = 0; i < request.methods.size(); ++i)
        curves.emplace_back(i, request.methods[i]);
    for (bool busy = true; busy;) { // all curves at the loosest first
        busy = false;
        for (Curve& curve : curves)
            if (!curve.ended()) {
                if (stop.raised() || !curve.next(request, *reference, stop, sink))
                    return;
                busy = true;
            }
    }
}

std::string csvOf(const std::vector<WorkPrecisionPoint>& points, const std::vector<std::string>& names)
{
    const auto quoted = [](std::string text) {
        std::replace(text.begin(), text.end(), '\n', ' ');
        return text::csvQuoted(text);
    };
    const auto number = [](double x) { return std::isnan(x) ? std::string() : text::rounded(x, 17); };
    std::string out = "name,formulation,integrator,tolerance,step,error_positions,error_velocities,error_others,residual_"
                      "evaluations,jacobians,"
                      "factorizations,newton_iterations,steps,rejected,seconds,reached,failure\n";
    for (std::size_t i = 0; i < points.size(); ++i) {
        const WorkPrecisionPoint& p = points[i];
        const std::string setting = p.refused() ? std::string() : number(p.setting);
        out += quoted(i < names.size() ? names[i] : std::string()) + ',' + p.settings.formulation + ',' + p.settings.integrator
               + ',' + (adaptive(p.settings) ? setting + ',' : ',' + setting);
        for (const double e : p.error)
            out += ',' + number(e);
        for (const std::uint64_t n : {p.work.residualEvaluations, p.work.jacobianEvaluations, p.work.factorizations,
                                      p.work.newtonIterations, p.work.steps, p.work.rejected})
            out += ',' + std::to_string(n);
        out += ',' + number(p.seconds) + ',' + number(p.reached) + ',' + (p.failure ? quoted(p.failure->text()) : "") + '\n';
    }
    return out;
}

WorkPrecisionWorker::WorkPrecisionWorker(WorkPrecisionRequest request, WorkPrecisionSink sink, std::function<void()> done)
    : thread_([this, request = std::move(request), sink = std::move(sink), done = std::move(done)] {
          lowerThreadPriority();
          workPrecision(request, stop_, sink);
          if (!stop_.raised())
              done();
          finished_ = true;
      })
{
}

WorkPrecisionWorker::~WorkPrecisionWorker()
{
    cancel();
    thread_.join();
}

} // namespace driftless::study
