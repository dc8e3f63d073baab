#include "core/run/ProgressMonitor.h"

#include <algorithm>

namespace driftless::run {

namespace {

constexpr std::uint64_t kWindow = 1000;     // accepted steps over which progress is compared
constexpr double kStuckShare = 1e-6;        // of the best progress over a window
constexpr double kCreepShare = 1e-5;        // of the longest step, the mean of a creeping window
constexpr std::uint64_t kCreepAttempts = 6; // steps for each attempt that fails, at most, in a creeping window
constexpr int kCreepingWindows = 3;         // so many in a row; a fast phase of a healthy motion has some hundred steps
constexpr double kLeastUsual = 0.1;         // of the time scale: what the longest step counts as where a run begins in trouble
constexpr double kTinyStep = 1e-9;          // of the longest step
constexpr double kCreepingKappa = 1e3;      // with a pinned selection this bad a milder collapse is enough:
constexpr double kCreepingStep = 1e-3;      // of the longest step
constexpr std::uint64_t kTinySteps = 100;   // so many in a row are a collapse: a restart needs far fewer to recover

} // namespace

void ProgressMonitor::restart(const Observation& row, MonitorProbe&)
{
    windowStart_ = row.t;
    windowSteps_ = tinySteps_ = 0;
    windowRejected_ = row.rejected;
    creepingWindows_ = 0;
    bestAdvance_ = longestStep_ = 0;
}

Verdict ProgressMonitor::look(const Observation& row, MonitorProbe&)
{
    Standstill found{.step = row.h()};
    longestStep_ = std::max(longestStep_, found.step);
    bool stuck = collapses(row);
    windowSteps_ += static_cast<std::uint64_t>(row.steps);
    if (windowSteps_ >= kWindow)
        stuck = endsWindow(row, found) || stuck;
    return stuck ? Verdict(StopCause(found)) : Verdict();
}

bool ProgressMonitor::collapses(const Observation& row)
{
    const double tiny = row.pinned && row.kappa > kCreepingKappa ? kCreepingStep : kTinyStep;
    tinySteps_ = row.h() < tiny * longestStep_ ? tinySteps_ + static_cast<std::uint64_t>(row.steps) : 0;
    return tinySteps_ >= kTinySteps;
}

bool ProgressMonitor::endsWindow(const Observation& row, Standstill& found)
{
    const double advance = row.t - windowStart_;
    bool stuck = advance < kStuckShare * bestAdvance_;
    bestAdvance_ = std::max(bestAdvance_, advance);
    if (creeps(row, advance)) {
        stuck = true;
        found.creep = {.steps = windowSteps_, .rejected = row.rejected - windowRejected_, .advance = advance};
    }
    windowStart_ = row.t;
    windowSteps_ = 0;
    windowRejected_ = row.rejected;
    return stuck;
}

bool ProgressMonitor::creeps(const Observation& row, double advance)
{
    const double usual = std::max(longestStep_, kLeastUsual * std::min(row.scales->time, row.usualEnd));
    const bool creeping = kCreepAttempts * (row.rejected - windowRejected_) >= windowSteps_
                          && advance < kCreepShare * static_cast<double>(windowSteps_) * usual;
    creepingWindows_ = creeping ? creepingWindows_ + 1 : 0;
    return creepingWindows_ >= kCreepingWindows;
}

} // namespace driftless::run
