// Which derivatives are dummies, and when a basis is renewed: automatic choice with hysteresis on kappa, or by hand.
#include <algorithm>
#include <cmath>

#include "core/base/Index.h"
#include "core/run/RunImpl.h"
#include "core/text/Names.h"

namespace driftless::run {

using formulation::Dummies;

namespace {

/// The selection is changed when a better one lowers kappa by this factor. The pendulum (L/|x| against L/|y|) then
/// changes at |x| = 2 |y|, well past 45 degrees, and never back at once.
constexpr double kHysteresis = 2.0;
constexpr int kMostExchangeWork = 4096; // n m^2 beyond which only the selection itself is judged for a panel
constexpr int kMaxExchangeSize = 32;    // constraints up to which kappa is exact and exchanges are tried every step
constexpr int kMostExchangesTold = 6;   // the same for a selection that is only told: m (n - m) of them cost m^3 each
constexpr int kLookedEvery = 8; // judgements of a selection that is only told, from one search for a better one to the next
constexpr double kWorthwhile = 0.99; // an exchange must lower kappa by a percent
/// A basis is renewed when the tangent plane has turned by 60 degrees: cos = 1/2.
constexpr double kBasisDue = 2.0;
/// A frozen basis is given up where hardly half of the digits of a direction of motion remain in it.
constexpr double kBasisLimit = 1e4;

} // namespace

/// The variables whose derivatives are dummies: values of a general DAE, coordinates chosen for positions and velocities alike,
/// or coordinates and then velocities that are chosen apart.
std::vector<std::string> Run::Impl::dummyList(const Dummies& dummies) const
{
    const model::ConstrainedSystem& s = system->system();
    std::vector<std::string> out;
    for (const int p : dummies.values)
        out.push_back(s.values[at(p)].name);
    if (!out.empty())
        return out;
    for (const int i : dummies.positions)
        out.push_back(s.coordinates[at(i)].name);
    if (dummies.positions != dummies.velocities)
        for (const int i : dummies.velocities)
            out.push_back(s.coordinates[at(i)].velocity.name);
    return out;
}

std::string Run::Impl::dummyNames(const Dummies& dummies) const { return text::joined(dummyList(dummies)); }

bool Run::Impl::apart(const formulation::Dae& form) const
{
    return (form.pivot && form.pivot->separate) || !system->plainRates() || system->holonomic() != system->m();
}

bool Run::Impl::loadTracks(double t, const double* q, bool throughMass)
{
    auto& e = metrics.evaluator();
    if (!e.jacobian(t, q, jacobianValues.data()) || !e.positionJacobian(t, q, positionValues.data()))
        return false;
    const model::NominalScales& usual = metrics.scales();
    velocities.chooser.setUnits(usual.moves, usual.rows);
    positions.chooser.setUnits(usual.positions, usual.rows);
    velocities.chooser.load(system->jacobianPlaces(), jacobianValues);
    positions.chooser.load(system->positionJacobianPlaces(), positionValues);
    if (!throughMass)
        return true;
    return e.mass(t, q, massValues.data()) && velocities.chooser.throughMass(system->massPlaces(), massValues);
}

bool Run::Impl::loadPivots(const model::ModelState& s, const formulation::Dae& form)
{
    return loadTracks(s.t, s.q.data(), form.pivot && form.pivot->throughMass);
}

/// Names of coordinates choose positions and velocities alike. Where a name of a velocity occurs, those of coordinates choose
/// the positions and those of velocities the velocities.
Result<Dummies> Run::Impl::pinnedDummies(const formulation::Dae& form, const PivotChoice& choice) const
{
    const model::ConstrainedSystem& s = system->system();
    Dummies out;
    bool velocitiesNamed = false;
    for (const std::string& name : choice.dummies) {
        const auto target = model::resolveName(s, name);
        if (!target)
            return target.error();
        if (target->kind != model::TargetKind::Position && target->kind != model::TargetKind::Velocity)
            return Diagnostic{name + " cannot be pinned as a dummy",
                              {},
                              "only the derivatives of coordinates can be dummies",
                              "the name of a coordinate",
                              {}};
        const bool velocity = target->kind == model::TargetKind::Velocity;
        velocitiesNamed = velocitiesNamed || velocity;
        (velocity ? out.velocities : out.positions).push_back(target->index);
    }
    if (!velocitiesNamed || out.positions.empty()) {
        if (out.positions.empty())
            std::swap(out.positions, out.velocities);
        out.velocities = out.positions;
        if (apart(form) && s.holonomic() < s.m())
            out.positions.resize(std::min<std::size_t>(out.positions.size(), static_cast<std::size_t>(s.holonomic())));
    }
    const auto check = [](std::vector<int>& list, int needed, const std::string& what) -> Result<void> {
        std::sort(list.begin(), list.end());
        const bool repeated = std::adjacent_find(list.begin(), list.end()) != list.end();
        if (!repeated && static_cast<int>(list.size()) == needed)
            return {};
        return Diagnostic{"The pinned pivot names " + std::to_string(list.size()) + " " + what
                              + (repeated ? ", one of them twice" : ""),
                          {},
                          "the model has " + std::to_string(needed) + " constraints and needs as many dummies",
                          "exactly " + std::to_string(needed) + " different " + what,
                          {}};
    };
    if (auto ok = check(out.velocities, s.m(), "coordinates"); !ok)
        return ok.error();
    if (auto ok = check(out.positions, s.holonomic(), "coordinates for the positions"); !ok)
        return ok.error();
    return out;
}

Result<Dummies> Run::Impl::chooseDummies(const formulation::Dae& form, const PivotChoice& pivot, const model::ModelState& from)
{
    Dummies out;
    if (!pivot.automatic) {
        auto pinned = pinnedDummies(form, pivot);
        if (!pinned)
            return pinned.error();
        out = *pinned;
    }
    if (!loadPivots(from, form))
        return Diagnostic{
            "The constraint matrix cannot be computed", "t = " + plain(from.t), metrics.evaluator().message(), {}, {}};
    const bool two = apart(form);
    if (pivot.automatic) {
        out.velocities = velocities.chooser.choose();
        out.positions = two ? positions.chooser.choose() : out.velocities;
        if (static_cast<int>(out.velocities.size()) == system->m()
            && static_cast<int>(out.positions.size()) == system->holonomic())
            return out;
        const auto singular = singularConfiguration();
        return singular ? *singular
                        : Diagnostic{"No selection of dummy derivatives exists here",
                                     "t = " + plain(from.t),
                                     "the constraint matrix G has not full rank",
                                     "another start, or a form that needs no pivot",
                                     {}};
    }
    if (velocities.chooser.orientation(out.velocities) == 0 || positions.chooser.orientation(out.positions) == 0) {
        const Dummies best{two ? positions.chooser.choose() : velocities.chooser.choose(), velocities.chooser.choose()};
        return Diagnostic{"The pinned pivot " + dummyNames(out) + " is singular here",
                          "t = " + plain(from.t),
                          "the columns of G that belong to it are dependent",
                          "choose automatic pivoting or pin " + dummyNames(best),
                          {}};
    }
    return out;
}

void Run::Impl::swapDummies(const Dummies& dummies)
{
    core->instance->setDummies(dummies);
    if (core->integrator->info().swapsRoles)
        return;
    std::string why;
    if (!enter(*core, state, why))
        fail({"The run cannot go on after a change of pivot",
              "t = " + plain(state.t),
              why,
              "an integrator that swaps roles, such as radau-iia-5",
              {}});
}

/// The best selection that single exchanges reach from the given one, into track.better; returns its kappa. No allocation:
/// large systems, whose exchanges would be too dear, take the chooser's factorisation instead.
double Run::Impl::improve(Track& track, std::span<const int> selection)
{
    const int n = track.chooser.columns(), m = track.chooser.rows();
    const bool told = !core->form().pivot;
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

/// kappa (and the orientation of a pinned selection) of what is in force, from loaded tracks.
void Run::Impl::judgeSelection()
{
    const formulation::Dae& form = core->form();
    const bool pivoting = form.pivot.has_value();
    const Dummies& dummies = core->instance->dummies();
    const std::span<const int> v = pivoting ? std::span<const int>(dummies.velocities) : velocities.followed;
    velocities.kappa = static_cast<int>(v.size()) == system->m() ? velocities.chooser.kappa(v) : kForever;
    positions.kappa = 1;
    const bool two = pivoting && apart(form) && system->holonomic() > 0;
    if (two)
        positions.kappa = positions.chooser.kappa(dummies.positions);
    kappa = std::max(velocities.kappa, positions.kappa);
    leastKappa = std::min(leastKappa, kappa);
    velocities.orientation = core->pinned ? velocities.chooser.orientation(v) : 0;
    positions.orientation = core->pinned && two ? positions.chooser.orientation(dummies.positions) : 0;
}

/// After an accepted step: kappa of the selection, and a better selection where one is due. kappa is never below 1, so
/// nothing can be better by the factor while the present one is below it.
void Run::Impl::followPivot()
{
    if (chooser)
        return followValues();
    if (core->instance->hasBases())
        followBases();
    if (system->m() == 0 || hasFailed || !loadPivots(state))
        return;
    const double basisKappa = kappa;
    judgeSelection();
    if (core->instance->hasBases() && core->form().basisUpdate != formulation::BasisUpdate::Continuous)
        kappa = basisKappa;
    if (core->pinned)
        return;
    const bool pivoting = core->form().pivot.has_value();
    const bool two = pivoting && apart(core->form());
    const Dummies& now = core->instance->dummies();
    bool changed = false;
    // A selection that is only told may be a little worse than the best: looking for that costs more than a step.
    const bool looks = pivoting || system->m() <= 2 || ++sinceLooked >= kLookedEvery;
    sinceLooked = looks ? 0 : sinceLooked;
    for (Track* track : {&velocities, &positions}) {
        const bool ofPositions = track == &positions;
        track->better.clear();
        if (!looks || (ofPositions && !two) || track->kappa <= kHysteresis || track->chooser.rows() == 0)
            continue;
        const std::span<const int> selection = !pivoting     ? std::span<const int>(track->followed)
                                               : ofPositions ? std::span<const int>(now.positions)
                                                             : now.velocities;
        const double best = improve(*track, selection);
        if (track->better.empty() || !(track->kappa > kHysteresis * best)) {
            track->better.clear();
            continue;
        }
        changed = true;
        if (!pivoting)
            track->followed = track->better;
    }
    if (!changed)
        return;
    const double before = kappa;
    if (!pivoting) {
        judgeSelection();
        const std::lock_guard lock(mutex);
        shared.selection.velocities = velocities.followed;
        shared.selection.positions = velocities.followed;
        return;
    }
    Dummies next = now;
    if (!velocities.better.empty())
        next.velocities = velocities.better;
    if (!two)
        next.positions = next.velocities;
    else if (!positions.better.empty())
        next.positions = positions.better;
    PivotChange change{.from = dummyList(now), .to = dummyList(next), .kappaBefore = before};
    swapDummies(next);
    judgeSelection();
    change.kappa = kappa;
    addEvent(std::move(change));
    ++pivots;
    const std::lock_guard lock(mutex);
    shared.selection = next;
    shared.status.dummies = next.velocities;
    shared.status.positionDummies = next.positions;
}

/// After an accepted step of a form with numeric bases: carried values, continuous bases, and a renewal where one is due.
void Run::Impl::followBases()
{
    using formulation::BasisUpdate;
    formulation::DaeInstance& instance = *core->instance;
    const BasisUpdate update = core->form().basisUpdate;
    kappa = update == BasisUpdate::Continuous ? 1 : instance.basisKappa(state);
    if (update == BasisUpdate::WhenDue && kappa > kBasisDue) {
        if (!instance.refreshBases(state))
            return fail({"The basis cannot be renewed",
                         "t = " + plain(state.t),
                         instance.domainMessage(),
                         "another start or formulation",
                         {}});
        addEvent(BasisRenewed{kappa});
        ++pivots;
        kappa = 1;
    }
    if (update == BasisUpdate::Frozen && !(kappa < kBasisLimit))
        return fail({"The frozen basis has become singular",
                     "t = " + plain(state.t, 8),
                     "the tangent plane has turned by 90 degrees since the basis was taken (kappa = " + plain(kappa, 3) + ")",
                     "a basis that is renewed when due, or switch the formulation on again to renew it here",
                     {}},
                    true);
    if (!instance.followBases(state))
        fail({"The basis cannot follow the motion",
              "t = " + plain(state.t),
              instance.domainMessage(),
              "another start or formulation",
              {}});
}

/// For panels: what they may offer in place of the present selection, judged at the last row.
void Run::Impl::judgeExchanges()
{
    const int n = system->n(), m = system->m();
    const formulation::Dummies selection = shared.selection; // only this thread writes what is shared
    const bool none = m == 0 || selection.velocities.empty();
    if (shared.offered && shared.offered->t == shared.last.t && shared.offered->selection == selection)
        return;
    std::vector<formulation::PivotCandidate> candidates, ofPositions;
    if (!none && n * m * m > kMostExchangeWork) {
        candidates = {{-1, -1, kappa}};
    } else if (!none && loadTracks(shared.last.t, shared.last.q.data(), shared.throughMass)) {
        candidates = velocities.chooser.exchanges(selection.velocities);
        if (shared.apart && system->holonomic() > 0)
            ofPositions = positions.chooser.exchanges(selection.positions);
    }
    const std::lock_guard lock(mutex);
    shared.status.candidates = std::move(candidates);
    shared.status.positionCandidates = std::move(ofPositions);
    shared.offered = Offered{shared.last.t, selection};
}

} // namespace driftless::run
