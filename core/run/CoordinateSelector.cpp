#include "core/run/CoordinateSelector.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/integrate/LongSteps.h"
#include "core/run/Exchanges.h"
#include "core/run/Plain.h"

namespace driftless::run {

using formulation::Dummies;

namespace {

/// The selection is changed when a better one lowers kappa by this factor. The pendulum (L/|x| against L/|y|) then
/// changes at |x| = 2 |y|, well past 45 degrees, and never back at once.
constexpr double kHysteresis = 2.0;
constexpr int kMaxExchangeSize = 32;  // constraints up to which kappa is exact and exchanges are tried every step
constexpr int kMostExchangesTold = 6; // the same for a selection that is only told: m (n - m) of them cost m^3 each
constexpr int kLookedEvery = 8; // judgements of a selection that is only told, from one search for a better one to the next
constexpr double kWorthwhile = 0.99; // an exchange must lower kappa by a percent
/// A basis is renewed when the tangent plane has turned by 60 degrees: cos = 1/2.
constexpr double kBasisDue = 2.0;
/// A frozen basis is given up where hardly half of the digits of a direction of motion remain in it.
constexpr double kBasisLimit = 1e4;

// How often the selections of a form that does not use them are judged: constraints up to which it costs next to nothing, up to
// which it costs less than a step, and those beyond which it costs many; and the rows between judgements elsewhere, near a loss
// of rank and far from one.
constexpr int kJudgedAtOnce = 2, kJudgedSmall = 6, kJudgedAlone = 32;
constexpr std::uint64_t kJudgedNear = 4, kJudgedFar = 8, kJudgedLarge = 32;
constexpr double kCloser = 0.7;      // of the minor at the row before
constexpr double kNearRankLoss = 10; // kappa beyond which rows are judged more often
constexpr double kRisen = 2; // times the least kappa of the run: mechanisms of unlike lengths have more than that anywhere

} // namespace

CoordinateSelector::CoordinateSelector(std::shared_ptr<const model::CompiledSystem> system, ConstraintMatrices& matrices,
                                       Explanation whyNone)
    : Selector(system), matrices_(matrices), whyNone_(std::move(whyNone)), velocities_(matrices.velocities(), system->m()),
      positions_(matrices.positions(), system->holonomic()), rank_(matrices), predicted_(static_cast<std::size_t>(system->n())),
      rate_(predicted_)
{
}

/// Whether positions and velocities are selected apart.
bool CoordinateSelector::apart(const formulation::Dae& form) const { return selectsApart(*system(), form); }

bool CoordinateSelector::load(const model::ModelState& at, const formulation::Dae& form)
{
    return matrices_.load(at, form.pivot && form.pivot->throughMass);
}

Dummies CoordinateSelector::selection(const Core& core) const
{
    return core.form().pivot ? core.instance->dummies() : Dummies{velocities_.followed, velocities_.followed};
}

bool CoordinateSelector::needsEveryStep(const Core& core) const
{
    return core.pinned || core.form().pivot || core.instance->hasBases();
}

bool CoordinateSelector::takesLongSteps(const Core& core) { return core.integrator->insideDegree() >= Interval::kOfTheEnds; }

/// Eight long steps are a swing, and a place where the constraints lose their rank lies between two of them. kappa would tell,
/// which costs as much as such a step; one minor is enough to see that it is time to ask.
bool CoordinateSelector::closer(const Core& core, const model::ModelState& state)
{
    if (!takesLongSteps(core) || system()->m() > kJudgedAlone || core.form().pivot)
        return false;
    if (again_ > 0) {
        --again_;
        return true;
    }
    if (!matrices_.loadMeasured(state, false, false))
        return false;
    const double before = std::exchange(share_, velocities_.chooser.share(velocities_.followed));
    if (share_ * before > 0 && std::abs(share_) >= kCloser * std::abs(before))
        return false;
    again_ = 2; // a peak of kappa is seen from the row behind it
    return true;
}

/// Rows from one judgement of the selections to the next. Forms that select dummies, hold bases or are pinned need every one of
/// a small system; elsewhere kappa is told, not used, and telling it would cost more than a step.
std::uint64_t CoordinateSelector::rowsBetween(const Core& core) const
{
    const int m = system()->m();
    if (core.pinned || core.instance->hasBases())
        return 1;
    if (m > kJudgedAlone)
        return takesLongSteps(core) ? kJudgedFar : kJudgedLarge;
    if (integrate::passesOverSelections(core.integrator->info())) // a place may lie between two rows that look alike
        return 1;
    if (core.form().pivot || m <= kJudgedAtOnce)
        return 1;
    const std::uint64_t rows = kappa() > kNearRankLoss && kappa() > kRisen * leastKappa_ ? kJudgedNear : kJudgedFar;
    return m <= kJudgedSmall ? rows : 2 * rows;
}

void CoordinateSelector::judge(const Core& core, const model::ModelState& state)
{
    if (system()->m() == 0 || !load(state, core.form()))
        return;
    if (!core.form().pivot)
        velocities_.followed = velocities_.chooser.choose();
    judgeLoaded(core);
    if (core.instance->hasBases() && core.form().basisUpdate != formulation::BasisUpdate::Continuous)
        setKappa(core.instance->basisKappa(state));
}

void CoordinateSelector::reset(double t)
{
    leastKappa_ = std::numeric_limits<double>::infinity();
    sinceLooked_ = kLookedEvery; // the next judgement looks
    rank_.restart(t);
}

/// Of a large system, where choosing costs as much as many steps: its selection stays while it is as good as one that is
/// followed.
bool CoordinateSelector::keeps(const Core& core, const PivotChoice& pivot, const model::ModelState& from)
{
    const formulation::Dae& form = core.form();
    if (!form.pivot || !pivot.automatic || core.pinned || system()->m() <= kMaxExchangeSize || !load(from, form))
        return false;
    const Dummies& now = core.instance->dummies();
    if (!(velocities_.chooser.kappa(now.velocities) <= kHysteresis * kappa()))
        return false;
    return !apart(form) || system()->holonomic() == 0 || positions_.chooser.kappa(now.positions) <= kHysteresis * kappa();
}

/// kappa (and the orientation of a pinned selection) of what is in force, from loaded matrices.
void CoordinateSelector::judgeLoaded(const Core& core)
{
    const formulation::Dae& form = core.form();
    const bool pivoting = form.pivot.has_value();
    const Dummies& dummies = core.instance->dummies();
    const std::span<const int> v = pivoting ? std::span<const int>(dummies.velocities) : velocities_.followed;
    velocities_.kappa = static_cast<int>(v.size()) == system()->m() ? velocities_.chooser.kappa(v) : kForever;
    positions_.kappa = 1;
    const bool two = pivoting && apart(form) && system()->holonomic() > 0;
    if (two)
        positions_.kappa = positions_.chooser.kappa(dummies.positions);
    setKappa(std::max(velocities_.kappa, positions_.kappa));
    leastKappa_ = std::min(leastKappa_, kappa());
    velocities_.orientation = core.pinned ? velocities_.chooser.orientation(v) : 0;
    positions_.orientation = core.pinned && two ? positions_.chooser.orientation(dummies.positions) : 0;
}

/// The best selection that single exchanges reach from the given one, into track.better; returns its kappa. told: it is only
/// told, the form has no choice. No allocation: large systems, whose exchanges would be too dear, take the chooser's
/// factorisation instead.
double CoordinateSelector::improve(Track& track, std::span<const int> selection, bool told)
{
    const int n = track.chooser.columns(), m = track.chooser.rows();
    if (m > (told ? kMostExchangesTold : kMaxExchangeSize) || static_cast<int>(selection.size()) != m) {
        track.chooser.chooseInto(track.better, !told);
        return track.better.empty() ? kForever : track.chooser.kappa(track.better);
    }
    track.better.assign(selection.begin(), selection.end());
    double least = track.chooser.kappa(track.better);
    for (int pass = 0; pass < m; ++pass) {
        track.trial = track.better;
        std::size_t place = 0;
        int enters = -1;
        for (std::size_t k = 0; k < track.trial.size(); ++k) {
            for (int c = 0; c < n; ++c) {
                if (std::find(track.better.begin(), track.better.end(), c) != track.better.end())
                    continue;
                track.trial[k] = c;
                const double candidate = track.chooser.kappa(track.trial, least);
                if (candidate < kWorthwhile * least) {
                    least = candidate;
                    place = k;
                    enters = c;
                }
            }
            track.trial[k] = track.better[k];
        }
        if (enters < 0)
            break;
        track.better[place] = enters;
        std::sort(track.better.begin(), track.better.end());
    }
    return least;
}

/// Whether a selection is found that is better by the factor, into the tracks. kappa is never below 1, so nothing can be while
/// the present one is below it.
bool CoordinateSelector::seekBetter(const Core& core)
{
    const bool pivoting = core.form().pivot.has_value();
    const bool two = pivoting && apart(core.form());
    const Dummies& now = core.instance->dummies();
    // A selection that is only told may be a little worse than the best: looking for that costs more than a step.
    const bool looks = pivoting || system()->m() <= kJudgedAtOnce || ++sinceLooked_ >= kLookedEvery;
    sinceLooked_ = looks ? 0 : sinceLooked_;
    bool found = false;
    for (Track* track : {&velocities_, &positions_}) {
        const bool ofPositions = track == &positions_;
        track->better.clear();
        if (!looks || (ofPositions && !two) || track->kappa <= kHysteresis || track->chooser.rows() == 0)
            continue;
        const std::vector<int>& inForce = ofPositions ? now.positions : now.velocities;
        const double best = improve(*track, pivoting ? inForce : track->followed, !pivoting);
        if (track->better.empty() || !(track->kappa > kHysteresis * best)) {
            track->better.clear();
            continue;
        }
        found = true;
        if (!pivoting)
            track->followed = track->better;
    }
    return found;
}

/// What was found in place of the present selection. two: positions and velocities are chosen apart.
Dummies CoordinateSelector::betterThan(const Dummies& now, bool two) const
{
    Dummies next = now;
    if (!velocities_.better.empty())
        next.velocities = velocities_.better;
    if (!two)
        next.positions = next.velocities;
    else if (!positions_.better.empty())
        next.positions = positions_.better;
    return next;
}

Followed CoordinateSelector::follow(Stepper& stepper, model::ModelState& state)
{
    const Core& core = stepper.core();
    const formulation::Dae& form = core.form();
    Followed out;
    if (core.instance->hasBases())
        out.failure = followBases(core, state, out);
    const bool throughMass = form.pivot && form.pivot->throughMass;
    measuredLoaded_ = false;
    if (system()->m() == 0 || out.failure
        || !matrices_.loadMeasured(state, form.pivot && apart(form) && system()->holonomic() > 0, throughMass))
        return out;
    measuredLoaded_ = !throughMass;
    const double ofBasis = kappa();
    judgeLoaded(core);
    if (core.instance->hasBases() && form.basisUpdate != formulation::BasisUpdate::Continuous)
        setKappa(ofBasis);
    if (core.pinned || !seekBetter(core))
        return out;
    out.shows = true;
    const double before = kappa();
    if (!form.pivot) {
        judgeLoaded(core);
        return out;
    }
    const Dummies now = core.instance->dummies();
    const Dummies next = betterThan(now, apart(form));
    std::string why;
    if (!stepper.exchange(next, state, why))
        out.failure = Failure{.diagnostic = {"The run cannot go on after a change of pivot",
                                             "t = " + plain(state.t),
                                             why,
                                             "an integrator that swaps roles, such as radau-iia-5",
                                             {}}};
    judgeLoaded(core);
    out.change = PivotChange{.from = names(now), .to = names(next), .kappaBefore = before, .kappa = kappa()};
    return out;
}

/// A form with numeric bases: carried values, continuous bases, and a renewal where one is due.
std::optional<Failure> CoordinateSelector::followBases(const Core& core, const model::ModelState& state, Followed& out)
{
    using formulation::BasisUpdate;
    formulation::DaeInstance& instance = *core.instance;
    const BasisUpdate update = core.form().basisUpdate;
    setKappa(update == BasisUpdate::Continuous ? 1 : instance.basisKappa(state));
    const auto refused = [&](const char* what) {
        return Failure{
            .diagnostic = {what, "t = " + plain(state.t), instance.domainMessage(), "another start or formulation", {}}};
    };
    if (update == BasisUpdate::WhenDue && kappa() > kBasisDue) {
        if (!instance.refreshBases(state))
            return refused("The basis cannot be renewed");
        out.renewed = BasisRenewed{kappa()};
        setKappa(1);
    }
    if (update == BasisUpdate::Frozen && !(kappa() < kBasisLimit))
        return Failure{.diagnostic = {"The frozen basis has become singular",
                                      "t = " + plain(state.t, 8),
                                      "the tangent plane has turned by 90 degrees since the basis was taken (kappa = "
                                          + plain(kappa(), 3) + ")",
                                      "a basis that is renewed when due, or switch the formulation on again to renew it here",
                                      {}},
                       .stuck = true};
    if (!instance.followBases(state))
        return refused("The basis cannot follow the motion");
    return std::nullopt;
}

std::optional<RankLost> CoordinateSelector::rankLost(const Core& core, const model::ModelState& state,
                                                     const RankFollower::Past& past)
{
    const std::vector<int>& selection = core.form().pivot ? core.instance->dummies().velocities : velocities_.followed;
    return rank_.follow(state, selection, velocities_.kappa, leastKappa_, past, std::exchange(measuredLoaded_, false));
}

/// det G_sel changed its sign, or it should have. At such a point the constraints have a second, mirrored solution; an
/// iteration that falls onto it bounces back from the singular point, which shows against the motion carried on from the state
/// before.
bool CoordinateSelector::passedSingular(const Core& core, const model::ModelState& before, const model::ModelState& now)
{
    if (!core.pinned || !core.form().pivot)
        return false;
    const Dummies& selection = core.instance->dummies();
    const bool throughMass = core.form().pivot->throughMass;
    const auto turned = [&](double t, const double* q) {
        if (!matrices_.load(t, q, throughMass))
            return false;
        return (velocities_.orientation != 0
                && velocities_.chooser.orientation(selection.velocities) != velocities_.orientation)
               || (positions_.orientation != 0
                   && positions_.chooser.orientation(selection.positions) != positions_.orientation);
    };
    if (turned(now.t, now.q.data()))
        return true;
    const bool near = velocities_.chooser.kappa(selection.velocities) > kNearlySingularPivot
                      || (positions_.orientation != 0 && positions_.chooser.kappa(selection.positions) > kNearlySingularPivot);
    auto& evaluator = matrices_.metrics().evaluator();
    if (!near || !evaluator.coordinateRates(before.t, before.q.data(), before.v.data(), rate_.data()))
        return false;
    const double h = now.t - before.t;
    for (std::size_t i = 0; i < predicted_.size(); ++i)
        predicted_[i] = before.q[i] + h * (rate_[i] + (system()->plainRates() ? 0.5 * h * before.a[i] : 0.0));
    return turned(now.t, predicted_.data());
}

Published::Exchanges CoordinateSelector::exchanges(const Core& core, const Published& published)
{
    return exchangesAt(matrices_, core.form(), selection(core),
                       {.t = published.lastTime(), .q = published.lastPositions().data(), .kappa = kappa()});
}

void CoordinateSelector::show(const Core& core, Published& published)
{
    if (core.form().pivot)
        published.tellDummies(core.instance->dummies());
    else
        published.tellFollowed(velocities_.followed);
}

} // namespace driftless::run
