// Work against precision: the same motion by several methods at tighter and tighter tolerances (or shorter and shorter steps),
// its error at the end against a reference that is computed first, and what each cost.
//
// Error of a group of components: max |x - r| / (1 + |r|) at t = span, r of the reference. The reference is one run at a
// tolerance that no curve asks for, repeated at ten times that; their difference (at least a rounding error for every step) is
// its uncertainty, below which an error says nothing.
#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/base/Result.h"
#include "core/run/Run.h"

namespace driftless::study {

/// Components that are judged together. Others: multipliers, efforts, dynamic and algebraic variables.
enum class ErrorGroup { Positions, Velocities, Others, Count };
/// One number for each group, NaN where the model has no such component.
using GroupErrors = std::array<double, static_cast<std::size_t>(ErrorGroup::Count)>;

enum class WorkMeasure { Residuals, Jacobians, Steps, Seconds };
/// "residual evaluations", "Jacobians", "accepted steps", "seconds"
std::string workMeasureName(WorkMeasure measure);

struct WorkPrecisionPoint {
    std::size_t method = 0;    ///< place in the request
    double setting = 0;        ///< tolerance, or fixed step [s]; 0 where the method was refused as a whole
    run::RunSettings settings; ///< that were run
    GroupErrors error{};
    integrate::Statistics work;
    double seconds = 0; ///< processor time of the run, its recording and monitors included
    double reached = 0; ///< [s]; less than the span where it failed
    std::optional<Diagnostic> failure;
    bool refused() const { return failure && setting == 0; }
    double amount(WorkMeasure measure) const;
};

struct ReferenceSolution {
    run::RunSettings settings;
    std::vector<double> values;     ///< of the components below, at the end
    std::vector<ErrorGroup> groups; ///< of each value
    GroupErrors uncertainty{};
    double tolerance = 0, checked = 0; ///< of the run, and of the one that it was compared with
};

struct WorkPrecisionRequest {
    std::shared_ptr<const model::CompiledSystem> system;
    run::StartSettings start;
    double span = 10;                         ///< [s]
    std::vector<run::RunSettings> methods;    ///< tolerance and step are replaced; the ratios of the tolerances stay
    std::vector<run::RunSettings> references; ///< tried in this order; empty: referenceCandidates()
    std::optional<ReferenceSolution> known;   ///< taken as it is
    double secondsPerPoint = 5;               ///< [s] of processor time, then the point is given up, and the curve ends
};

/// Cancels from any thread: a step under way is left, what it computed is dropped.
class StopSign {
public:
    void raise();
    bool raised() const { return raised_.load(std::memory_order_relaxed); }

private:
    friend class StoppedRun;
    std::atomic<bool> raised_{false};
    std::mutex mutex_;
    run::Run* running_ = nullptr;
};

/// Told on the thread that computes, in order: the reference (or why there is none, and nothing follows), then points.
struct WorkPrecisionSink {
    std::function<void(const Result<ReferenceSolution>&)> reference;
    std::function<void(const WorkPrecisionPoint&)> point;
};

constexpr double kReferenceTolerance = 1e-12;
constexpr double kLoosestTolerance = 1e-2, kTightestTolerance = 1e-10;
constexpr int kFewestSteps = 16, kMostHalvings = 14; ///< a fixed step is span / 16 and up to 14 times halved

/// Runs that can serve as a reference, the best first: the chart's solution, then forms that keep every level.
std::vector<run::RunSettings> referenceCandidates(const model::CompiledSystem& system);
/// A pure function of the request but for the times, and for where they end a curve. Returns at once when the sign is raised.
void workPrecision(const WorkPrecisionRequest& request, StopSign& stop, const WorkPrecisionSink& sink);

/// Points as a table: formulation, integrator, tolerance or step, errors, work, why it failed. names: of each point's curve.
std::string csvOf(const std::vector<WorkPrecisionPoint>& points, const std::vector<std::string>& names);

/// workPrecision() on a thread of its own at low priority. The destructor raises the sign and waits.
class WorkPrecisionWorker {
public:
    WorkPrecisionWorker(WorkPrecisionRequest request, WorkPrecisionSink sink, std::function<void()> done);
    ~WorkPrecisionWorker();
    WorkPrecisionWorker(const WorkPrecisionWorker&) = delete;
    WorkPrecisionWorker& operator=(const WorkPrecisionWorker&) = delete;
    void cancel() { stop_.raise(); }
    /// Nothing is called any more: it can be destroyed without waiting.
    bool finished() const { return finished_; }

private:
    StopSign stop_;
    std::atomic<bool> finished_{false};
    std::thread thread_;
};

} // namespace driftless::study
