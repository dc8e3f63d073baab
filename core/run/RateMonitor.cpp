#include "core/run/RateMonitor.h"

#include <algorithm>
#include <cmath>

namespace driftless::run {

namespace {

constexpr double kNearSingular = 1e-2; // smallest against largest singular value below which a warning is due
constexpr double kClearAgain = 3e-2;   // beyond, the next approach is worth another warning
constexpr double kSuspectRatio = 0.1;  // a jump is only attributed to (3.24) with a matrix this ill-conditioned at one end
// Times what the accelerations explain: methods of order 1 reach 1, the truncation error that a weak matrix magnifies a few.
constexpr double kJump = 10;
// Of the size of the positions or velocities: what a smaller jump costs is left to the warning, but for a matrix that is
// singular as good as exactly. A run that begins there has no warning before, and takes tiny steps from one wrong place to the
// next.
constexpr double kSeen = 1e-3;
constexpr double kMemory = 0.7; // per row, of the acceleration remembered: a dozen rows back it counts for nothing
constexpr double kTolerancesAStep = 10;

double largestAcceleration(const Observation& row)
{
    double out = 0;
    for (std::size_t i = 0; i < row.a.size(); ++i)
        out = std::max(out, std::abs(row.a[i]) * row.scales->time / row.scales->velocities[i]);
    return out;
}

/// Of nominal sizes, what the tolerances let pass in a step; size: the largest position or velocity.
double toleratedBy(const Observation& row, double size)
{
    if (!row.adaptive)
        return 0;
    double absolute = row.absoluteTolerance > 0 ? 0 : row.relativeTolerance;
    for (std::size_t i = 0; row.absoluteTolerance > 0 && i < row.q.size(); ++i)
        absolute = std::max(
            {absolute, row.absoluteTolerance / row.scales->positions[i], row.absoluteTolerance / row.scales->velocities[i]});
    return kTolerancesAStep * (absolute + row.relativeTolerance * std::max(1.0, size));
}

} // namespace

void RateMonitor::restart(const Observation& row, MonitorProbe& probe)
{
    known_ = warned_ = false;
    ratio_ = 1;
    orientation_ = 0;
    acceleration_ = 0;
    if (!row.needsRateRank)
        return;
    const MonitorProbe::Rates rates = probe.rates();
    known_ = rates.known;
    ratio_ = rates.ratio;
    orientation_ = rates.orientation;
    acceleration_ = largestAcceleration(row);
    warned_ = true; // a start at rest is told by the step that fails, or is passed for good
}

Verdict RateMonitor::look(const Observation& row, MonitorProbe& probe)
{
    if (!row.needsRateRank)
        return {};
    const MonitorProbe::Rates rates = probe.rates();
    if (!rates.known)
        return {};
    const double before = known_ ? ratio_ : 1, least = std::min(before, rates.ratio);
    const bool crossed = known_ && orientation_ * rates.orientation < 0;
    known_ = true;
    ratio_ = rates.ratio;
    orientation_ = rates.orientation;
    if (crossed || least < kSuspectRatio)
        if (const auto jump = jumped(row, probe, least))
            return StopCause(*jump);
    acceleration_ = std::max(kMemory * acceleration_, largestAcceleration(row));
    if (ratio_ > kClearAgain && !crossed)
        warned_ = false;
    if (warned_ || !(crossed || ratio_ < kNearSingular))
        return {};
    warned_ = true;
    RatesNearSingular said{.ratio = least};
    if (crossed)
        said.singularSince = row.tBefore;
    return EventDetail(said);
}

/// Whether the step left the kinematics by more than its accelerations explain. All in nominal sizes, so that lengths and
/// angles may stand side by side. A is not the acceleration at the end of the step alone: a wrong multiplier would explain its
/// own jump.
std::optional<RatesJumped> RateMonitor::jumped(const Observation& row, MonitorProbe& probe, double ratio)
{
    if (!probe.coordinateRates(rateBefore_, rate_))
        return std::nullopt;
    const double h = row.t - row.tBefore;
    const model::NominalScales& usual = *row.scales;
    double away = 0, kick = 0, size = 0, speed = 0;
    for (std::size_t i = 0; i < row.q.size(); ++i) {
        away = std::max(away, std::abs(row.q[i] - row.qBefore[i] - 0.5 * h * (rateBefore_[i] + rate_[i])) / usual.positions[i]);
        kick =
            std::max(kick, std::abs(row.v[i] - row.vBefore[i] - 0.5 * h * (row.aBefore[i] + row.a[i])) / usual.velocities[i]);
        size = std::max(size, std::abs(row.q[i]) / usual.positions[i]);
        speed = std::max(speed, std::abs(row.v[i]) / usual.velocities[i]);
    }
    const double tolerated = toleratedBy(row, std::max(size, speed)), steps = h / usual.time;
    const double seen = kSeen * std::min(1.0, ratio / kNearSingular);
    const double way = 0.5 * steps * steps * acceleration_ + tolerated, change = steps * acceleration_ + tolerated;
    if (away > std::max(kJump * way, seen * size))
        return RatesJumped{.ofPositions = true, .away = away, .explained = way};
    if (kick > std::max(kJump * change, seen * speed))
        return RatesJumped{.ofPositions = false, .away = kick, .explained = change};
    return std::nullopt;
}

} // namespace driftless::run
