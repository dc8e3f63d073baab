// Monitors of what a run loses on the way without failing: its energy, its constraints, and the rank of these. Each speaks
// once.
//
//   energy       |E(t) - E(0) - W| against what the motion has exchanged: largest T + largest |V - V(0)| + largest |W|. N steps
//   of a method that
//                chooses them lose at most N times what the tolerance lets each of them lose, from the start as in every
//                stretch of steps that may lose a hundredth (what is lost at once, as where a linkage folds, would hide in the
//                long run); a method of fixed steps may damp all there is, but what exceeds that was never there.
//   constraints  |g_i| against max_j |G_ij| X_j, X_j the way that the coordinates of the unit of q_j have gone: the share of
//   the motion
//                by which the constraint is violated.
// A share that is large for a moment is no loss: it has to last for a tenth of the time, unless it is tenfold. As long as
// nothing has moved further than the tolerances reach there is nothing to compare with.
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/run/RunImpl.h"

namespace driftless::run {

namespace {

constexpr int kPeaks = 32;  // constraints up to which a peak of kappa is looked at; beyond, only a turned minor
constexpr double kPeak = 2; // times the least kappa of the run
// An accepted step errs by the tolerance in positions and velocities at most: by twice that share of the energy exchanged,
// since E is quadratic; what is lost later by what is lost now, and forms of higher index, get the same ten times again.
constexpr double kOfTolerance = 20;
constexpr double kSeenLoss = 0.01;      // a loss that no curve shows is not worth a word,
constexpr double kTolerable = 0.5;      // and one of half of all is, whatever the tolerance
constexpr double kAllThereIs = 1;       // of what was exchanged: damping ends there
constexpr double kGross = 10;           // of what was exchanged: no moment, whatever comes
constexpr std::uint64_t kStretch = 16;  // steps, at least: the error of a single one oscillates
constexpr double kLeastExchange = 1e-9; // of T and |V|: at rest nothing has been exchanged yet
constexpr double kHeld = 1e-2;          // of the way: a form that holds its positions, to a hundred tolerances,
constexpr double kOfHeld = 100;
constexpr double kDrifted = 0.05; // and one that does not: a pendulum that swings through is a tenth too long then
constexpr double kOfSize = 1e-2;  // of the coordinates, for a mechanism that hardly moves
constexpr double kLasts = 0.1;    // of the time
constexpr std::uint64_t kEveryRow = 64, kDriftEvery = 16; // rows judged one by one, and how often later

/// The rows of the recording from a time on, and the present state behind them.
class RecordedWay final : public RankWatch::Way {
public:
    RecordedWay(RecordingView past, double from, bool plainRates, const model::ModelState& now, const std::vector<double>& rate)
        : past_(std::move(past)), rates_(plainRates ? past_.n() : 2 * past_.n() + past_.m()), now_(now), rate_(rate)
    {
        first_ = past_.empty() ? 0 : past_.rowAt(from);
        if (first_ < past_.rowCount() && past_.time(first_) < from)
            ++first_;
    }
    std::size_t size() const override { return static_cast<std::size_t>(past_.rowCount() - first_) + 1; }
    void read(std::size_t k, RankWatch::Point& into) const override
    {
        const std::uint64_t row = first_ + k;
        if (row == past_.rowCount()) {
            into.t = now_.t;
            into.q = now_.q;
            into.rate = rate_;
            into.v = now_.v;
            return;
        }
        into.t = past_.time(row);
        for (int i = 0; i < past_.n(); ++i) {
            const auto c = static_cast<std::size_t>(i);
            into.q[c] = past_.value(row, i);
            into.v[c] = past_.value(row, past_.n() + i);
            into.rate[c] = past_.value(row, rates_ + i);
        }
    }

private:
    RecordingView past_;
    int rates_; ///< first column of q'
    std::uint64_t first_ = 0;
    const model::ModelState& now_;
    const std::vector<double>& rate_;
};

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
        std::transform(positionRows.begin(), positionRows.end(), w.originResidual.begin(),
                       [](double g) { return std::abs(g); });
    w.began = state.t;
    w.moved = w.speed = w.movedFor = w.speedFor = 0;
    w.kinetic = metrics.kineticEnergy();
    w.potential = metrics.energy() - metrics.kineticEnergy();
    w.magnitude = std::abs(w.potential);
    w.fall = w.work = 0;
    w.rows = 0;
    w.stepsBefore = accepted;
    w.suddenSince = LossWatch::kNever;
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
    const auto follow = [](double& most, double& mostFor, double value, double nominal) {
        if (value > mostFor * nominal) {
            most = value;
            mostFor = value / nominal;
        }
    };
    const model::NominalScales& usual = metrics.scales();
    for (std::size_t i = 0; i < state.q.size(); ++i) {
        follow(w.moved, w.movedFor, std::abs(state.q[i] - w.origin[i]), usual.positions[i]);
        follow(w.speed, w.speedFor, std::abs(state.v[i]), usual.velocities[i]);
    }
    const double error = metrics.energyError(), exchanged = w.kinetic + w.fall + w.work;
    const integrate::IntegratorOptions& o = core->settings.options;
    const bool adaptive = core->integrator->info().adaptive;
    const double steps = static_cast<double>(accepted - w.stepsBefore);
    // Without a tolerance of its own a quantity is held to rtol times its nominal size (Settings.h), which a motion that is
    // seen reaches.
    const double absolute = o.absoluteTolerance > 0 ? o.absoluteTolerance / std::min(w.moved, w.speed) : o.relativeTolerance;
    const double each = adaptive ? kOfTolerance * (o.relativeTolerance + absolute) : 0, explained = steps * each;
    const double limit = adaptive ? std::clamp(explained, kSeenLoss, kTolerable) : kAllThereIs;
    const double least = kLeastExchange * (w.kinetic + w.magnitude);
    const bool lost = std::abs(error) > std::max(limit * exchanged, least) && explained < kGross;
    w.lossSince = lost ? std::min(w.lossSince, state.t) : LossWatch::kNever;
    const bool sudden = adaptive && losesSuddenly(error, exchanged, each) && std::abs(error - w.markError) > least;
    const bool gross = lost && std::abs(error) > kGross * exchanged;
    const auto lasts = [&](double since) { return state.t - since >= kLasts * (state.t - w.began); };
    if (w.lossSaid < LossWatch::kNever || !(gross || (lost && lasts(w.lossSince)) || (sudden && lasts(w.suddenSince))))
        return;
    w.lossSaid = state.t;
    const bool atOnce =
        !gross && !(lost && lasts(w.lossSince)); // then the error as a whole may be one that the tolerances explain
    EnergyDrifted said{.error = error, .exchanged = exchanged};
    if (atOnce) {
        said.error = error - w.markError;
        said.withinSteps = accepted - w.markSteps;
    }
    if (!adaptive)
        said.fixedStep = o.step;
    addEvent(said);
}

/// Whether more than a stretch of steps explains is gone since its beginning; each step explains such a share of what was
/// exchanged. Stretches follow each other as long as it is not.
bool Run::Impl::losesSuddenly(double error, double exchanged, double each)
{
    LossWatch& w = losses;
    if (w.rows == 0) {
        w.markSteps = accepted;
        w.markError = error;
    }
    const std::uint64_t since = accepted - w.markSteps;
    if (w.suddenSince == LossWatch::kNever)
        w.markLimit = std::max(kSeenLoss, each * static_cast<double>(since));
    if (std::abs(error - w.markError) > w.markLimit * exchanged && w.markLimit < kTolerable) {
        w.suddenSince = std::min(w.suddenSince, state.t);
        return true;
    }
    w.suddenSince = LossWatch::kNever;
    if (since >= kStretch && each * static_cast<double>(since) >= kSeenLoss) {
        w.markSteps = accepted;
        w.markError = error;
    }
    return false;
}

void Run::Impl::followDrift()
{
    LossWatch& w = losses;
    const auto places = system->positionJacobianPlaces();
    if (positionRows.empty() || !metrics.evaluator().constraints(state.t, state.q.data(), positionRows.data())
        || !metrics.evaluator().positionJacobian(state.t, state.q.data(), positionValues.data()))
        return;
    for (std::size_t i = 0; i < state.q.size(); ++i) {
        const auto g = static_cast<std::size_t>(w.group[i]);
        w.way[g] = std::max(w.way[g], std::abs(state.q[i] - w.origin[i]));
        w.size[g] = std::max(w.size[g], std::abs(state.q[i]));
    }
    // Of each constraint: what it would be, had its coordinates moved apart; and had they the errors that the absolute
    // tolerances let pass.
    std::vector<double>&reach = driftReach, &passed = driftPassed;
    std::fill(reach.begin(), reach.end(), 0.0);
    std::fill(passed.begin(), passed.end(), 0.0);
    const integrate::IntegratorOptions& o = core->settings.options;
    for (std::size_t k = 0; k < places.size(); ++k) {
        const auto j = static_cast<std::size_t>(places[k].column), i = static_cast<std::size_t>(places[k].row),
                   g = static_cast<std::size_t>(w.group[j]);
        const double absolute =
            o.absoluteTolerance > 0 ? o.absoluteTolerance : o.relativeTolerance * metrics.scales().positions[j];
        reach[i] = std::max(reach[i], std::abs(positionValues[k]) * std::max(w.way[g], kOfSize * w.size[g]));
        passed[i] = std::max(passed[i], std::abs(positionValues[k]) * absolute);
    }
    const formulation::Dae& form = core->form();
    const bool held = form.enforces.position || form.projection.position, adaptive = core->integrator->info().adaptive;
    double worst = 0;
    std::size_t worstRow = 0;
    for (std::size_t i = 0; i < positionRows.size(); ++i) {
        if (!(reach[i] > 0))
            continue;
        const double share = (std::abs(positionRows[i]) - w.originResidual[i]) / reach[i];
        const double tolerance = adaptive ? std::max(o.relativeTolerance, passed[i] / reach[i]) : 0;
        if (share > (held ? std::clamp(kOfHeld * tolerance, kHeld, kDrifted) : kDrifted) && share > worst) {
            worst = share;
            worstRow = i;
        }
    }
    if (worst == 0) {
        w.driftSince = LossWatch::kNever;
        return;
    }
    w.driftSince = std::min(w.driftSince, state.t);
    if (w.driftSaid < LossWatch::kNever || state.t - w.driftSince < kLasts * (state.t - w.began))
        return;
    w.driftSaid = state.t;
    addEvent(PositionsDrifted{.formulation = core->settings.formulation,
                              .constraint = system->system().constraints[worstRow].name,
                              .held = held,
                              .residual = positionRows[worstRow],
                              .share = worst});
}

/// Where the rank is lost every minor of G vanishes: the sign of that of the selection in force turns, and kappa of the best
/// one has a peak. Either asks for a close look at the rows since.
void Run::Impl::followRank()
{
    const int m = system->m();
    const bool lost =
        losses.driftSaid < LossWatch::kNever || losses.lossSaid < LossWatch::kNever; // this is not the model's motion any more
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
    const bool peak =
        j.known > 1 && m <= kPeaks && j.kappa > kPeak * leastKappa && j.kappa >= j.kappaBefore && j.kappa >= velocities.kappa;
    if (turned || peak)
        lookForSingularity(peak ? j.before : j.t);
    j.known = std::min(2, j.known + 1);
    j.before = std::exchange(j.t, state.t);
    j.kappaBefore = std::exchange(j.kappa, velocities.kappa);
    j.selection = selection;
    j.orientation = orientation;
}

/// Says so where the rank was lost since a time.
void Run::Impl::lookForSingularity(double from)
{
    if (!metrics.evaluator().coordinateRates(state.t, state.q.data(), state.v.data(), coordinateRate.data()))
        return;
    const RecordedWay way(recording.written(), from, system->plainRates(), state, coordinateRate);
    std::size_t first = 0, last = way.size() - 1;
    if (system->m() > kPeaks) // a singular value takes as long as a step there: halves tell where the kernel turned
        while (last - first > 1) {
            const std::size_t middle = first + (last - first + 1) / 2;
            (rankWatch.turns(way, first, middle) ? last : first) = middle;
        }
    const RankWatch::Nearest nearest = rankWatch.nearest(way, first, last);
    if (!(nearest.sigma <= nearest.limit) || !(nearest.t > judged.passed))
        return;
    judged.passed = state.t; // what is left of the peak lies in these rows, too
    addEvent(RankLost{nearest.t, constraintNames(rankWatch.rows())});
}

std::vector<std::string> Run::Impl::constraintNames(const std::vector<int>& rows) const
{
    std::vector<std::string> out;
    for (const int row : rows)
        out.push_back(system->system().constraints[static_cast<std::size_t>(row)].name);
    return out;
}

} // namespace driftless::run
