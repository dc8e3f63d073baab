#include "core/run/SetAsideMonitor.h"

#include <algorithm>
#include <cmath>

namespace driftless::run {

namespace {

constexpr double kShare = 1e2, kResidualRoundoff = 1e-8;

/// The largest |rows| against their scale; at: which one.
double largestShare(std::span<const double> rows, std::span<const double> scale, std::size_t& at)
{
    double out = 0;
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (const double share = std::abs(rows[i]) / (scale.empty() ? 1.0 : scale[i]); !(share <= out)) {
            out = share;
            at = i;
        }
    return out;
}

} // namespace

SetAsideMonitor::SetAsideMonitor(std::size_t kept, std::size_t aside, std::vector<double> scale, bool velocities)
    : Monitor(Turn::BeforeRow), any_(aside > 0 || velocities)
{
    if (scale.size() != kept + aside)
        return;
    asideScale_.assign(scale.begin() + static_cast<std::ptrdiff_t>(kept), scale.end());
    scale.resize(kept);
    keptScale_ = std::move(scale);
}

std::optional<LeftSetAside> SetAsideMonitor::leaves(std::span<const double> kept, std::span<const double> aside) const
{
    LeftSetAside out;
    std::size_t of = 0;
    out.share = largestShare(aside, asideScale_, out.row);
    out.rest = largestShare(kept, keptScale_, of);
    out.limit = kResidualRoundoff + kShare * out.rest;
    if (out.share <= out.limit)
        return std::nullopt;
    out.residual = aside[out.row];
    return out;
}

Verdict SetAsideMonitor::look(const Observation& row, MonitorProbe& probe)
{
    std::size_t of = 0;
    std::span<const double> g;
    if (const auto left = velocitiesLeave(row))
        return StopCause(*left);
    if (largestShare(row.setAside, asideScale_, of) <= kResidualRoundoff
        || !probe.positionRows(g)) // who needs the rows kept says that they cannot be computed
        return {};
    const auto left = leaves(g, row.setAside);
    return left ? Verdict(StopCause(*left)) : Verdict();
}

std::optional<LeftSetAside> SetAsideMonitor::velocitiesLeave(const Observation& row)
{
    LeftSetAside out{.velocity = true};
    out.share = largestShare(row.velocityShares, {}, out.row);
    out.rest = std::max(row.relativePosition, row.relativeVelocity);
    out.limit = kResidualRoundoff + kShare * out.rest;
    if (out.share <= out.limit)
        return std::nullopt;
    out.residual = row.velocitiesSetAside[out.row];
    return out;
}

} // namespace driftless::run
