#include "core/run/Monitors.h"

#include <algorithm>
#include <iterator>

#include "core/run/DriftMonitor.h"
#include "core/run/EnergyMonitor.h"
#include "core/run/ExplosionMonitor.h"
#include "core/run/PinnedPivotMonitor.h"
#include "core/run/ProgressMonitor.h"
#include "core/run/RateMonitor.h"
#include "core/run/RequirementMonitor.h"
#include "core/run/SetAsideMonitor.h"

namespace driftless::run {

Monitors::Monitors(const model::CompiledSystem& system, const model::SetAsideWalk& walk)
{
    const model::ConstrainedSystem& s = system.system();
    std::vector<std::string> names, units;
    std::ranges::transform(s.constraints.begin(), s.constraints.begin() + system.holonomic(), std::back_inserter(names),
                           &model::Constraint::name);
    std::ranges::transform(s.coordinates, std::back_inserter(units), &model::Coordinate::unit);
    monitors_.push_back(std::make_unique<RequirementMonitor>(system.model()));
    const auto aside = static_cast<std::size_t>(
        std::ranges::count_if(s.dependent, [](const model::Dependent& d) { return d.constraint.holonomic; }));
    monitors_.push_back(std::make_unique<SetAsideMonitor>(static_cast<std::size_t>(system.holonomic()), aside, walk.scale,
                                                          aside < s.dependent.size()));
    monitors_.push_back(std::make_unique<RateMonitor>(s.coordinates.size()));
    monitors_.push_back(std::make_unique<PinnedPivotMonitor>());
    monitors_.push_back(std::make_unique<ProgressMonitor>());
    monitors_.push_back(std::make_unique<EnergyMonitor>());
    monitors_.push_back(std::make_unique<DriftMonitor>(std::move(names), units, system.positionJacobianPlaces()));
    monitors_.push_back(std::make_unique<ExplosionMonitor>());
}

void Monitors::begin(const Observation& row, MonitorProbe& probe)
{
    watchBefore_.clear();
    watchBehind_.clear();
    for (const auto& monitor : monitors_) {
        monitor->begin(row, probe);
        if (monitor->watches(row))
            (monitor->turn() == Monitor::Turn::BeforeRow ? watchBefore_ : watchBehind_).push_back(monitor.get());
    }
}

std::optional<StopCause> Monitors::ask(Monitor::Turn turn, const Observation& row, MonitorProbe& probe, Published& published)
{
    for (Monitor* const monitor : turn == Monitor::Turn::BeforeRow ? watchBefore_ : watchBehind_) {
        Verdict verdict = monitor->judge(row, probe);
        if (auto* warning = std::get_if<EventDetail>(&verdict))
            published.timeLine().add(row.t, std::move(*warning));
        if (auto* cause = std::get_if<StopCause>(&verdict))
            return std::move(*cause);
    }
    return std::nullopt;
}

bool Monitors::lost() const
{
    return std::ranges::any_of(monitors_, [](const auto& monitor) { return monitor->lost(); });
}

bool isStuck(const StopCause& cause)
{
    return std::holds_alternative<PinnedSingular>(cause) || std::holds_alternative<Standstill>(cause)
           || std::holds_alternative<RatesJumped>(cause);
}

} // namespace driftless::run
