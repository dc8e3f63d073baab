#include "core/run/ExplosionMonitor.h"

#include <algorithm>
#include <cmath>

namespace driftless::run {

namespace {

constexpr double kExplosion = 1e6; // times the scale of energy or length

/// Largest coordinate in nominal sizes, as the residual; 1 at least.
double extentOf(const Observation& row)
{
    double extent = 1;
    for (std::size_t i = 0; i < row.q.size(); ++i)
        extent = std::max(extent, std::abs(row.q[i]) / row.scales->positions[i]);
    return extent;
}

} // namespace

void ExplosionMonitor::restart(const Observation& row, MonitorProbe&)
{
    energyScale_ = std::max({energyScale_, row.scales->energy, std::abs(row.energy), row.kinetic});
}

Verdict ExplosionMonitor::look(const Observation& row, MonitorProbe&)
{
    if (std::abs(row.energyError) > kExplosion * (energyScale_ + std::abs(row.work)))
        return StopCause(EnergyExploded{.error = row.energyError, .step = row.h()});
    if (row.general || !(row.relativePosition > kExplosion))
        return {};
    const double extent = extentOf(row);
    return row.relativePosition > extent * extent ? Verdict(StopCause(ConstraintsExploded{row.h()})) : Verdict();
}

} // namespace driftless::run
