#include "core/run/DriftMonitor.h"

#include <algorithm>
#include <cmath>

#include "core/base/Index.h"

namespace driftless::run {

namespace {

constexpr double kHeld = 1e-2; // of the way: a form that holds its positions, to a hundred tolerances,
constexpr double kOfHeld = 100;
constexpr double kDrifted = 0.05;   // and one that does not: a pendulum that swings through is a tenth too long then
constexpr double kOfSize = 1e-2;    // of the coordinates, for a mechanism that hardly moves
constexpr double kTurned = 2;       // [rad]: what turns on has gone no further, for a chord is twice the radius at most
constexpr double kAtRest = 0.5;     // of the way: what has moved by no more than twice its violation is at rest
constexpr double kRoundoff = 1e-13; // of the coordinates: no drift, however short the way
constexpr double kDriftLasts = 0.1; // of the time
constexpr std::uint64_t kEveryRow = 64, kDriftEvery = 16; // rows judged one by one, and how often later

} // namespace

DriftMonitor::DriftMonitor(std::vector<std::string> names, const std::vector<std::string>& units,
                           std::span<const solve::MatrixPlace> places)
    : Monitor(Turn::AfterRow), names_(std::move(names)), places_(places.begin(), places.end())
{
    for (const std::string& unit : units) {
        group_.push_back(static_cast<int>(std::ranges::find(units, unit) - units.begin()));
        farthest_.push_back(unit == "rad" ? kTurned : std::numeric_limits<double>::infinity());
    }
    reach_.resize(names_.size());
    usual_ = passed_ = roundoff_ = violation_ = reach_;
}

void DriftMonitor::restart(const Observation& row, MonitorProbe& probe)
{
    said_ = row.t < said_ ? kNever : said_; // gone with a branch or a new start
    since_ = kNever;
    if (row.general)
        return;
    origin_.assign(row.q.begin(), row.q.end());
    way_.assign(origin_.size(), 0.0);
    size_ = way_;
    originResidual_.assign(names_.size(), 0.0);
    if (std::span<const double> g; probe.positionRows(g))
        std::ranges::transform(g, originResidual_.begin(), [](double x) { return std::abs(x); });
    std::ranges::fill(violation_, 0.0);
    began_ = lastTime_ = row.t;
    rows_ = 0;
}

void DriftMonitor::follow(const Observation& row)
{
    for (std::size_t i = 0; i < row.q.size(); ++i) {
        double &way = way_[at(group_[i])], &size = size_[at(group_[i])];
        way = std::max(way, std::min(std::abs(row.q[i] - origin_[i]), farthest_[i]));
        size = std::max(size, std::min(std::abs(row.q[i]), farthest_[i]));
    }
}

/// Of each constraint: what it would be, had its coordinates moved apart; were they as large as usual; and had they the errors
/// that the absolute tolerances let pass.
void DriftMonitor::reach(const Observation& row, std::span<const double> jacobian)
{
    std::ranges::fill(reach_, 0.0);
    std::ranges::fill(usual_, 0.0);
    std::ranges::fill(passed_, 0.0);
    std::ranges::fill(roundoff_, 0.0);
    for (std::size_t k = 0; k < places_.size(); ++k) {
        const std::size_t j = at(places_[k].column), i = at(places_[k].row), group = at(group_[j]);
        const double absolute =
            row.absoluteTolerance > 0 ? row.absoluteTolerance : row.relativeTolerance * row.scales->positions[j];
        reach_[i] = std::max(reach_[i], std::abs(jacobian[k]) * std::max(way_[group], kOfSize * size_[group]));
        usual_[i] = std::max(usual_[i], std::abs(jacobian[k]) * row.scales->positions[j]);
        passed_[i] = std::max(passed_[i], std::abs(jacobian[k]) * absolute);
        roundoff_[i] =
            std::max(roundoff_[i], kRoundoff * std::abs(jacobian[k]) * std::max(row.scales->positions[j], std::abs(row.q[j])));
    }
}

/// What a violation of constraint i is a share of. Springs give at once, before anything has gone its way: they are judged
/// by the usual size. What moves by its violation alone rests, and that may be a share of the usual size.
double DriftMonitor::against(std::size_t i, const Observation& row, double violation) const
{
    if (row.yields)
        return usual_[i];
    return violation > kAtRest * reach_[i] ? std::max(reach_[i], kOfSize * usual_[i]) : reach_[i];
}

/// Of each constraint, without what it was where the watch began. Springs swing: theirs is the mean since then, which a load
/// that comes at once lets overshoot by a fifth.
void DriftMonitor::violations(const Observation& row, std::span<const double> g)
{
    const double weight = row.t > began_ ? (row.t - lastTime_) / (row.t - began_) : 0;
    for (std::size_t i = 0; i < g.size(); ++i) {
        const double now = std::abs(g[i]) - originResidual_[i];
        violation_[i] = row.yields ? violation_[i] + weight * (now - violation_[i]) : now;
    }
    lastTime_ = row.t;
}

/// The share of its reach by which a constraint may be violated.
double DriftMonitor::limitOf(std::size_t i, const Observation& row) const
{
    const double tolerance = row.adaptive ? std::max(row.relativeTolerance, passed_[i] / reach_[i]) : 0;
    return row.holdsPositions ? std::clamp(kOfHeld * tolerance, kHeld, kDrifted) : kDrifted;
}

Verdict DriftMonitor::look(const Observation& row, MonitorProbe& probe)
{
    if (row.general || row.q.empty() || (++rows_ > kEveryRow && !row.yields && rows_ % kDriftEvery != 0))
        return {};
    std::span<const double> g, jacobian;
    if (names_.empty() || !probe.positionRows(g) || !probe.positionJacobian(jacobian))
        return {};
    follow(row);
    reach(row, jacobian);
    violations(row, g);
    double worst = 0;
    std::size_t worstRow = 0;
    for (std::size_t i = 0; i < g.size(); ++i) {
        // At rest the tolerances would be all of the way.
        const double rest = std::min(kOfHeld * passed_[i], kOfSize / kRoundoff * roundoff_[i]);
        const double none = std::max(roundoff_[i], row.adaptive ? rest : 0), violation = violation_[i];
        if (!(reach_[i] > 0) || violation <= none)
            continue;
        const double share = violation / (row.yields ? usual_[i] : reach_[i]);
        if (violation > limitOf(i, row) * against(i, row, violation) && share > worst) {
            worst = share;
            worstRow = i;
        }
    }
    if (worst == 0) {
        since_ = kNever;
        return {};
    }
    since_ = std::min(since_, row.t);
    if (said_ < kNever || row.t - since_ < kDriftLasts * (row.t - began_))
        return {};
    said_ = row.t;
    return EventDetail(PositionsDrifted{.formulation = std::string(row.formulation),
                                        .constraint = names_[worstRow],
                                        .held = row.holdsPositions,
                                        .yields = row.yields,
                                        .residual = row.yields ? violation_[worstRow] : g[worstRow],
                                        .share = worst});
}

} // namespace driftless::run
