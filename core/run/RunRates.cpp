// The monitor of the forms that need [G; L] of full rank: (3.16) and the ssf-solution of (3.1) of [PP92].
//
// Where (3.24) is nearly singular the equations of a step have further solutions with large mu and tau: the positions leave q'
// = Z v by G^T mu + L^T tau, and Newton's iteration may converge to one of them. The step is then accepted, all constraints
// hold, and the motion goes on from another place. It shows against the kinematics: with A the largest acceleration of the last
// states,
//   |q_n - q_{n-1} - h (q'_{n-1} + q'_n) / 2| <= h^2 A / 2      and      |v_n - v_{n-1} - h (a_{n-1} + a_n) / 2| <= h A
// hold up to a small factor for every method of order 1 and above (bdf1 meets the first with equality).
#include <algorithm>
#include <cmath>

#include "core/run/RunImpl.h"

namespace driftless::run {

namespace {

constexpr double kNearSingular = 1e-2; // smallest against largest singular value below which a warning is due
constexpr double kClearAgain = 3e-2;   // beyond, the next approach is worth another warning
constexpr double kSuspectRatio = 0.1;  // a jump is only attributed to (3.24) with a matrix this ill-conditioned at one end
// Times what the accelerations explain: methods of order 1 reach 1, the truncation error that a weak matrix magnifies a few.
constexpr double kJump = 10;
constexpr double kSeen = 1e-3; // of the size of the positions or velocities: what a smaller jump costs is left to the warning
constexpr double kSingularRates = 1e-4; // a step that fails with [G; L] this ill-conditioned is attributed to it
constexpr double kMemory = 0.7;         // per step, of the acceleration remembered: a dozen steps back it counts for nothing

double largest(const std::vector<double>& x)
{
    double out = 0;
    for (const double value : x)
        out = std::max(out, std::abs(value));
    return out;
}

} // namespace

/// Of the present state, in nominal velocities per nominal time.
double Run::Impl::largestAcceleration() const
{
    const model::NominalScales& usual = metrics.scales();
    double out = 0;
    for (std::size_t i = 0; i < state.a.size(); ++i)
        out = std::max(out, std::abs(state.a[i]) * usual.time / usual.velocities[i]);
    return out;
}

/// From here on steps are judged against the present state.
void Run::Impl::resetRates()
{
    rateWatch = {};
    if (!core->form().needsRateRank)
        return;
    if (!rateRank)
        rateRank = std::make_unique<RateRank>(*system);
    rateWatch.known = rateRank->load(metrics.evaluator(), metrics.scales(), state);
    rateWatch.ratio = rateRank->ratio();
    rateWatch.orientation = rateRank->orientation();
    rateWatch.acceleration = largestAcceleration();
    rateWatch.warned = true; // a start at rest is told by the step that fails, or is passed for good
}

/// Judges the step from previous to state. Why it jumped, if it did; else a warning where the matrix is nearly singular.
std::optional<Diagnostic> Run::Impl::followRates()
{
    if (!core->form().needsRateRank || !rateRank || !rateRank->load(metrics.evaluator(), metrics.scales(), state))
        return std::nullopt;
    const double before = rateWatch.known ? rateWatch.ratio : 1;
    const int turned = rateWatch.known ? rateWatch.orientation * rateRank->orientation() : 0;
    rateWatch.known = true;
    rateWatch.ratio = rateRank->ratio();
    rateWatch.orientation = rateRank->orientation();
    const bool crossed = turned < 0;
    if (crossed || std::min(before, rateWatch.ratio) < kSuspectRatio)
        if (auto jump = jumped())
            return jump;
    rateWatch.acceleration = std::max(kMemory * rateWatch.acceleration, largestAcceleration());
    const double least = std::min(before, rateWatch.ratio);
    if (rateWatch.ratio > kClearAgain && !crossed)
        rateWatch.warned = false;
    if (rateWatch.warned || !(crossed || rateWatch.ratio < kNearSingular))
        return std::nullopt;
    rateWatch.warned = true;
    addEvent(RatesNearSingular{.ratio = least, .singularSince = crossed ? std::optional(previous.t) : std::nullopt});
    return std::nullopt;
}

std::optional<Diagnostic> Run::Impl::jumped()
{
    const double h = state.t - previous.t;
    auto& e = metrics.evaluator();
    if (!e.coordinateRates(previous.t, previous.q.data(), previous.v.data(), coordinateRate.data()))
        return std::nullopt;
    predicted = coordinateRate;
    if (!e.coordinateRates(state.t, state.q.data(), state.v.data(), coordinateRate.data()))
        return std::nullopt;
    // All in nominal sizes, so that lengths and angles may stand side by side.
    const model::NominalScales& usual = metrics.scales();
    double away = 0, kick = 0, size = 0, speed = 0;
    for (std::size_t i = 0; i < state.q.size(); ++i) {
        away = std::max(away, std::abs(state.q[i] - previous.q[i] - 0.5 * h * (predicted[i] + coordinateRate[i]))
                                  / usual.positions[i]);
        kick =
            std::max(kick, std::abs(state.v[i] - previous.v[i] - 0.5 * h * (previous.a[i] + state.a[i])) / usual.velocities[i]);
        size = std::max(size, std::abs(state.q[i]) / usual.positions[i]);
        speed = std::max(speed, std::abs(state.v[i]) / usual.velocities[i]);
    }
    // Not the acceleration at the end of the step alone: a wrong multiplier would explain its own jump. Nor less than the
    // tolerances let pass.
    const double A = rateWatch.acceleration;
    const integrate::IntegratorOptions& o = core->settings.options;
    double absolute = o.absoluteTolerance > 0 ? 0 : o.relativeTolerance; // of the nominal sizes
    for (std::size_t i = 0; o.absoluteTolerance > 0 && i < state.q.size(); ++i)
        absolute = std::max({absolute, o.absoluteTolerance / usual.positions[i], o.absoluteTolerance / usual.velocities[i]});
    const double tolerated =
        core->integrator->info().adaptive ? 10 * (absolute + o.relativeTolerance * std::max(1.0, std::max(size, speed))) : 0;
    const double steps = h / usual.time;
    const double explainedWay = 0.5 * steps * steps * A + tolerated, explainedKick = steps * A + tolerated;
    const bool ofPosition = away > std::max(kJump * explainedWay, kSeen * size);
    if (!ofPosition && !(kick > std::max(kJump * explainedKick, kSeen * speed)))
        return std::nullopt;
    Diagnostic d = rateDiagnostic(previous);
    d.where = "t = " + plain(previous.t, 8) + " to " + plain(state.t, 8);
    d.why += ". The next step led to another solution: its " + std::string(ofPosition ? "positions are " : "velocities are ")
             + plain(ofPosition ? away : kick, 3) + " away from the motion, "
             + plain((ofPosition ? away / explainedWay : kick / explainedKick), 3) + " times what the accelerations explain";
    return d;
}

Diagnostic Run::Impl::rateDiagnostic(const model::ModelState& at) const
{
    return {"The matrix (3.24) of [PP92] is singular",
            "t = " + plain(at.t, 8),
            "[G; L] has lost rank (largest velocity " + plain(largest(at.v), 3)
                + "): L = d(W v + g_t)/dq vanishes at rest, and loses "
                  "rank wherever the motion does not turn the constraints. There the multipliers mu and tau, and with them the "
                  "ssf-solution, are not determined",
            "start with a velocity, or choose projected-invariants or extended-3.17, which pass through rest",
            {}};
}

/// Where mu, tau and the ssf-solution are not determined: [G; L] has lost rank, or nearly so ([PP92] (3.24)).
std::optional<Diagnostic> Run::Impl::singularRates()
{
    if (!core->form().needsRateRank || !rateRank || !rateRank->load(metrics.evaluator(), metrics.scales(), state)
        || rateRank->ratio() > kSingularRates)
        return std::nullopt;
    return rateDiagnostic(state);
}

} // namespace driftless::run
