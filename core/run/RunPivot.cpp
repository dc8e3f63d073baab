// Which derivatives are dummies: automatic choice with hysteresis on kappa, or pinned by hand.
#include <algorithm>
#include <cmath>

#include "core/run/RunImpl.h"

namespace driftless::run {

namespace {

/// The selection is changed when a better one lowers kappa by this factor. The pendulum (L/|x| against L/|y|) then
/// changes at |x| = 2 |y|, well past 45 degrees, and never back at once.
constexpr double kHysteresis = 2.0;
constexpr int kMaxExchangeSize = 32; // constraints up to which kappa is exact and exchanges are tried every step
constexpr double kWorthwhile = 0.99; // an exchange must lower kappa by a percent

} // namespace

std::string Run::Impl::coordinateNames(std::span<const int> indices) const
{
    std::string out;
    for (const int i : indices)
        out += (out.empty() ? "" : ", ") + system->system().coordinates[static_cast<std::size_t>(i)].name;
    return out;
}

bool Run::Impl::loadPivots(const model::ModelState& s)
{
    std::vector<double> values(system->jacobianPlaces().size());
    if (!metrics.evaluator().jacobian(s.t, s.q.data(), values.data()))
        return false;
    chooser.load(system->jacobianPlaces(), values);
    return true;
}

Result<std::vector<int>> Run::Impl::pinnedDummies(const PivotChoice& choice) const
{
    const model::ConstrainedSystem& s = system->system();
    std::vector<int> out;
    for (const std::string& name : choice.dummies) {
        const auto target = model::resolveName(s, name);
        if (!target)
            return target.error();
        if (target->kind != model::TargetKind::Position && target->kind != model::TargetKind::Velocity)
            return Diagnostic{name + " cannot be pinned as a dummy", {}, "only the derivatives of coordinates can be dummies",
                              "the name of a coordinate", {}};
        out.push_back(target->index);
    }
    std::sort(out.begin(), out.end());
    const bool repeated = std::adjacent_find(out.begin(), out.end()) != out.end();
    if (repeated || static_cast<int>(out.size()) != s.m())
        return Diagnostic{"The pinned pivot names " + std::to_string(out.size()) + (repeated ? " coordinates, one of them twice" : " coordinates"),
                          {}, "the model has " + std::to_string(s.m()) + " constraints and needs as many dummies",
                          "exactly " + std::to_string(s.m()) + " different coordinates", {}};
    return out;
}

Result<std::vector<int>> Run::Impl::chooseDummies(const RunSettings& settings, const model::ModelState& from)
{
    if (!settings.pivot.automatic)
        if (auto pinned = pinnedDummies(settings.pivot); !pinned)
            return pinned.error();
    if (!loadPivots(from))
        return Diagnostic{"The constraint matrix cannot be computed", "t = " + plain(from.t), metrics.evaluator().message(), {}, {}};
    if (settings.pivot.automatic) {
        auto best = chooser.choose();
        if (!best.empty())
            return best;
        const auto singular = singularConfiguration();
        return singular ? *singular
                        : Diagnostic{"No selection of dummy derivatives exists here", "t = " + plain(from.t),
                                     "the constraint matrix G has not full rank", "another start, or a form that needs no pivot", {}};
    }
    auto pinned = pinnedDummies(settings.pivot);
    if (chooser.orientation(*pinned) == 0)
        return Diagnostic{"The pinned pivot " + coordinateNames(*pinned) + " is singular here", "t = " + plain(from.t),
                          "the columns of G that belong to it are dependent",
                          "choose automatic pivoting or pin " + coordinateNames(chooser.choose()), {}};
    return pinned;
}

void Run::Impl::swapDummies(const std::vector<int>& dummies)
{
    core->instance->setDummies(dummies);
    if (core->integrator->info().swapsRoles)
        return;
    std::string why;
    if (!enter(*core, state, why))
        fail({"The run cannot go on after a change of pivot", "t = " + plain(state.t), why, "an integrator that swaps roles, such as radau-iia-5", {}});
}

/// The best selection that single exchanges reach from the given one, into better; returns its kappa. No allocation: large
/// systems, whose exchanges would be too dear, take the chooser's factorisation instead.
double Run::Impl::improve(std::span<const int> selection)
{
    const int n = system->n(), m = system->m();
    if (m > kMaxExchangeSize || static_cast<int>(selection.size()) != m) {
        better = chooser.choose();
        return better.empty() ? kForever : chooser.kappa(better);
    }
    better.assign(selection.begin(), selection.end());
    double least = chooser.kappa(better);
    for (int pass = 0; pass < m; ++pass) {
        trial = better;
        std::size_t place = 0;
        int enters = -1;
        for (std::size_t k = 0; k < trial.size(); ++k) {
            for (int c = 0; c < n; ++c) {
                if (std::find(better.begin(), better.end(), c) != better.end())
                    continue;
                trial[k] = c;
                const double candidate = chooser.kappa(trial);
                if (candidate < kWorthwhile * least) {
                    least = candidate;
                    place = k;
                    enters = c;
                }
            }
            trial[k] = better[k];
        }
        if (enters < 0)
            break;
        better[place] = enters;
        std::sort(better.begin(), better.end());
    }
    return least;
}

/// After an accepted step: kappa of the selection, and a better selection where one is due. kappa is never below 1, so
/// nothing can be better by the factor while the present one is below it.
void Run::Impl::followPivot()
{
    if (system->m() == 0)
        return;
    chooser.load(system->jacobianPlaces(), metrics.jacobian());
    const bool pivoting = core->form().pivot.has_value();
    const std::span<const int> selection = pivoting ? core->instance->dummies() : std::span<const int>(followed);
    kappa = selection.empty() ? kForever : chooser.kappa(selection);
    if (core->pinned) {
        orientation = chooser.orientation(selection);
        return;
    }
    if (kappa <= kHysteresis)
        return;
    const double bestKappa = improve(selection);
    if (better.empty())
        return;
    if (!(kappa > kHysteresis * bestKappa))
        return;
    if (pivoting) {
        addEvent(EventKind::Pivot, "dummies " + coordinateNames(selection) + " -> " + coordinateNames(better) + " (kappa " +
                                       plain(kappa, 3) + " -> " + plain(bestKappa, 3) + ")");
        ++pivots;
        swapDummies(better);
    } else {
        followed = better;
    }
    kappa = bestKappa;
    const std::lock_guard lock(mutex);
    shared.selection = better;
    if (pivoting)
        shared.status.dummies = better;
}

} // namespace driftless::run
