// Monitors of what a run loses on the way without failing: its energy, its constraints, and the rank of these. Each speaks once.
//
//   energy       |E(t) - E(0) - W| against what the motion has exchanged: largest T + largest |V - V(0)| + largest |W|. N steps of a method that
//                chooses them lose at most N times what the tolerance lets each of them lose; a method of fixed steps may damp all there
//                is, but what exceeds that was never there.
//   constraints  |g_i| against max_j |G_ij| X_j, X_j the way that the coordinates of the unit of q_j have gone: the share of the motion
//                by which the constraint is violated.
// A share that is large for a moment is no loss: it has to last for a tenth of the time, unless it is tenfold. As long as nothing has moved
// further than the tolerances reach there is nothing to compare with.
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/run/RunImpl.h"

namespace driftless::run {

namespace {

constexpr std::size_t kMostNamedLosses = 8; // constraints in a sentence
constexpr int kPeaks = 32;            // constraints up to which a peak of kappa is looked at; beyond, only a turned minor
constexpr double kPeak = 2;           // times the least kappa of the run
// An accepted step errs by the tolerance in positions and velocities at most: by twice that share of the energy exchanged, since E is
// quadratic; what is lost later by what is lost now, and forms of higher index, get the same ten times again.
constexpr double kOfTolerance = 20;
constexpr double kSeenLoss = 0.01;    // a loss that no curve shows is not worth a word,
constexpr double kTolerable = 0.5;    // and one of half of all is, whatever the tolerance
constexpr double kAllThereIs = 1;     // of what was exchanged: damping ends there
constexpr double kGross = 10;         // of what was exchanged: no moment, whatever comes
constexpr double kLeastExchange = 1e-9;    // of T and |V|: at rest nothing has been exchanged yet
constexpr double kHeld = 1e-2;        // of the way: a form that holds its positions, to a hundred tolerances,
constexpr double kOfHeld = 100;
constexpr double kDrifted = 0.05;     // and one that does not: a pendulum that swings through is a tenth too long then
constexpr double kOfSize = 1e-2;      // of the coordinates, for a mechanism that hardly moves
constexpr double kLasts = 0.1;        // of the time
constexpr std::uint64_t kEveryRow = 64, kDriftEvery = 16; // rows judged one by one, and how often later

/// "12 % of" or "34 times".
std::string shareOf(double share) { return share < 10 ? plain(100 * share, 3) + " % of" : plain(share, 3) + " times"; }

} // namespace

/// From here on losses are judged against the present state.
void Run::Impl::resetLosses()
{
    LossWatch& w = losses;
    w.driftSaid = state.t < w.driftSaid ? LossWatch::kNever : w.driftSaid; // gone with a branch or a new start
    w.lossSaid = state.t < w.lossSaid ? LossWatch::kNever : w.lossSaid;
    w.driftSince = w.lossSince = LossWatch::kNever;
    if (metrics.general())
        return;
    const auto& coordinates = system->system().coordinates;
    w.group.resize(coordinates.size());
    for (std::size_t i = 0; i < coordinates.size(); ++i) {
        std::size_t first = 0;
        while (coordinates[first].unit != coordinates[i].unit)
            ++first;
        w.group[i] = static_cast<int>(first);
    }
    w.origin = state.q;
    w.way.assign(coordinates.size(), 0.0);
    w.size = w.way;
    w.originResidual.assign(positionRows.size(), 0.0);
    if (metrics.evaluator().constraints(state.t, state.q.data(), positionRows.data()))
        std::transform(positionRows.begin(), positionRows.end(), w.originResidual.begin(), [](double g) { return std::abs(g); });
    w.began = state.t;
    w.moved = w.speed = 0;
    w.kinetic = metrics.kineticEnergy();
    w.potential = metrics.energy() - metrics.kineticEnergy();
    w.magnitude = std::abs(w.potential);
    w.fall = w.work = 0;
    w.rows = 0;
    w.stepsBefore = accepted;
}

void Run::Impl::followLosses()
{
    if (metrics.general() || system->n() == 0)
        return;
    LossWatch& w = losses;
    const double potential = metrics.energy() - metrics.kineticEnergy(), gained = std::max(0.0, metrics.energyError());
    w.kinetic = std::max(w.kinetic, metrics.kineticEnergy() - gained); // what came out of nothing was not exchanged
    w.fall = std::max(w.fall, std::abs(potential - w.potential) - gained);
    w.work = std::max(w.work, std::abs(metrics.work()) - gained);
    w.magnitude = std::max(w.magnitude, std::abs(potential));
    followEnergy();
    if (++w.rows <= kEveryRow || w.rows % kDriftEvery == 0)
        followDrift();
}

void Run::Impl::followEnergy()
{
    LossWatch& w = losses;
    for (std::size_t i = 0; i < state.q.size(); ++i) {
        w.moved = std::max(w.moved, std::abs(state.q[i] - w.origin[i]));
        w.speed = std::max(w.speed, std::abs(state.v[i]));
    }
    const double error = metrics.energyError(), exchanged = w.kinetic + w.fall + w.work;
    const integrate::IntegratorOptions& o = core->settings.options;
    const bool adaptive = core->integrator->info().adaptive;
    const double steps = static_cast<double>(accepted - w.stepsBefore);
    // Without a tolerance of its own a quantity is held to rtol times its nominal size (Settings.h), which a motion that is seen reaches.
    const double absolute = o.absoluteTolerance > 0 ? o.absoluteTolerance / std::min(w.moved, w.speed) : o.relativeTolerance;
    const double explained = adaptive ? kOfTolerance * steps * (o.relativeTolerance + absolute) : 0;
    const double limit = adaptive ? std::clamp(explained, kSeenLoss, kTolerable) : kAllThereIs;
    if (!(std::abs(error) > limit * exchanged) || !(std::abs(error) > kLeastExchange * (w.kinetic + w.magnitude)) || !(explained < kGross)) {
        w.lossSince = LossWatch::kNever;
        return;
    }
    w.lossSince = std::min(w.lossSince, state.t);
    const bool gross = std::abs(error) > kGross * exchanged;
    if (w.lossSaid < LossWatch::kNever || (!gross && state.t - w.lossSince < kLasts * (state.t - w.began)))
        return;
    w.lossSaid = state.t;
    addEvent(EventKind::Warning, "the energy error is " + plain(error, 3) + " J, " + shareOf(std::abs(error) / exchanged) + " the " +
                                     plain(exchanged, 3) + " J that the motion has exchanged: " +
                                     (adaptive ? "more than the tolerances explain" : "the step of " + plain(o.step, 3) + " s is too long") +
                                     ", and the motion shown is not that of the model");
}

void Run::Impl::followDrift()
{
    LossWatch& w = losses;
    const auto places = system->positionJacobianPlaces();
    if (positionRows.empty() || !metrics.evaluator().constraints(state.t, state.q.data(), positionRows.data()) ||
        !metrics.evaluator().positionJacobian(state.t, state.q.data(), positionValues.data()))
        return;
    for (std::size_t i = 0; i < state.q.size(); ++i) {
        const auto g = static_cast<std::size_t>(w.group[i]);
        w.way[g] = std::max(w.way[g], std::abs(state.q[i] - w.origin[i]));
        w.size[g] = std::max(w.size[g], std::abs(state.q[i]));
    }
    std::vector<double>& reach = driftReach; // of each constraint: what it would be, had its coordinates moved apart
    std::fill(reach.begin(), reach.end(), 0.0);
    for (std::size_t k = 0; k < places.size(); ++k) {
        const auto g = static_cast<std::size_t>(w.group[static_cast<std::size_t>(places[k].column)]);
        double& of = reach[static_cast<std::size_t>(places[k].row)];
        of = std::max(of, std::abs(positionValues[k]) * std::max(w.way[g], kOfSize * w.size[g]));
    }
    double worst = 0;
    std::size_t worstRow = 0;
    for (std::size_t i = 0; i < positionRows.size(); ++i)
        if (const double share = (std::abs(positionRows[i]) - w.originResidual[i]) / reach[i]; reach[i] > 0 && share > worst) {
            worst = share;
            worstRow = i;
        }
    const formulation::Dae& form = core->form();
    const bool held = form.enforces.position || form.projection.position;
    const integrate::IntegratorOptions& o = core->settings.options;
    const double tolerance = core->integrator->info().adaptive ? std::max(o.relativeTolerance, o.absoluteTolerance) : 0;
    if (!(worst > (held ? std::clamp(kOfHeld * tolerance, kHeld, kDrifted) : kDrifted))) {
        w.driftSince = LossWatch::kNever;
        return;
    }
    w.driftSince = std::min(w.driftSince, state.t);
    if (w.driftSaid < LossWatch::kNever || state.t - w.driftSince < kLasts * (state.t - w.began))
        return;
    w.driftSaid = state.t;
    const std::string share = "the constraint " + system->system().constraints[worstRow].name + " is violated by " + plain(positionRows[worstRow], 3) + ", " +
                              shareOf(worst) + " the way that the mechanism has moved";
    addEvent(EventKind::Warning, held ? share + ", although " + core->settings.formulation + " holds the positions: the motion shown is not that of the model"
                                      : core->settings.formulation + " does not hold the positions, and they have drifted: " + share);
}

/// Where the rank is lost every minor of G vanishes: the sign of that of the selection in force turns, and kappa of the best one has a peak.
/// Either asks for a close look at the rows since.
void Run::Impl::followRank()
{
    const int m = system->m();
    const bool lost = losses.driftSaid < LossWatch::kNever || losses.lossSaid < LossWatch::kNever; // this is not the model's motion any more
    if (hasFailed || lost || m == 0 || system->n() <= m)
        return;
    const std::vector<int>& selection = core->form().pivot ? core->instance->dummies().velocities : velocities.followed;
    if (static_cast<int>(selection.size()) != m)
        return;
    velocities.chooser.load(system->jacobianPlaces(), metrics.jacobian());
    const int orientation = velocities.chooser.orientation(selection);
    if (orientation == 0)
        return; // the next state is compared with the one before
    Judged& j = judged;
    const int carried = j.known == 0 || j.selection == selection ? orientation : velocities.chooser.orientation(j.selection);
    const bool turned = j.known > 0 && carried * j.orientation < 0;
    const bool peak = j.known > 1 && m <= kPeaks && j.kappa > kPeak * leastKappa && j.kappa >= j.kappaBefore && j.kappa >= velocities.kappa;
    if (turned || peak)
        lookForSingularity(peak ? j.before : j.t);
    j.known = std::min(2, j.known + 1);
    j.before = std::exchange(j.t, state.t);
    j.kappaBefore = std::exchange(j.kappa, velocities.kappa);
    j.selection = selection;
    j.orientation = orientation;
}

/// The motion at a row of the recording.
RankWatch::Point Run::Impl::recordedPoint(const RecordingView& past, std::uint64_t r) const
{
    RankWatch::Point out{past.time(r), state.q, state.q, state.q};
    const int rates = system->plainRates() ? past.n() : 2 * past.n() + past.m();
    for (int i = 0; i < past.n(); ++i) {
        const auto k = static_cast<std::size_t>(i);
        out.q[k] = past.value(r, i);
        out.v[k] = past.value(r, past.n() + i);
        out.rate[k] = past.value(r, rates + i);
    }
    return out;
}

/// Says so where the rank was lost since a time.
void Run::Impl::lookForSingularity(double from)
{
    if (!metrics.evaluator().coordinateRates(state.t, state.q.data(), state.v.data(), coordinateRate.data()))
        return;
    const RecordingView past = recording.view();
    std::vector<RankWatch::Point> way;
    for (std::uint64_t r = past.empty() ? 0 : past.rowAt(from); r < past.rowCount(); ++r)
        if (past.time(r) >= from)
            way.push_back(recordedPoint(past, r));
    way.push_back({state.t, state.q, coordinateRate, state.v});
    RankWatch watch(metrics.evaluator(), velocities.chooser);
    std::span<const RankWatch::Point> stretch = way;
    if (system->m() > kPeaks) // a singular value takes as long as a step there: halves tell where the kernel turned
        while (stretch.size() > 2) {
            const std::size_t middle = stretch.size() / 2;
            stretch = watch.turns(stretch.front(), stretch[middle]) ? stretch.first(middle + 1) : stretch.subspan(middle);
        }
    const RankWatch::Nearest nearest = watch.nearest(stretch);
    if (!(nearest.sigma <= nearest.limit) || !(nearest.t > judged.passed))
        return;
    judged.passed = state.t; // what is left of the peak lies in these rows, too
    addEvent(EventKind::Warning, "a singular configuration was passed at t = " + plain(nearest.t) + ": " + constraintNames(nearest.rows) +
                                     " lost their independence there, so that their forces were not determined and the motion had more than "
                                     "one continuation");
}

/// In a sentence: "left, right and 3 more".
std::string Run::Impl::constraintNames(const std::vector<int>& rows) const
{
    std::string out;
    for (std::size_t k = 0; k < std::min(rows.size(), kMostNamedLosses); ++k)
        out += (out.empty() ? "" : ", ") + system->system().constraints[static_cast<std::size_t>(rows[k])].name;
    return rows.size() > kMostNamedLosses ? out + " and " + std::to_string(rows.size() - kMostNamedLosses) + " more" : out;
}

} // namespace driftless::run
