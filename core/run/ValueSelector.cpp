#include "core/run/ValueSelector.h"

#include <algorithm>
#include <cmath>

#include "core/base/Index.h"
#include "core/run/Plain.h"

namespace driftless::run {

namespace {

/// As for mechanisms: a selection is changed when a better one lowers kappa by this factor.
constexpr double kValueHysteresis = 2.0;
constexpr std::size_t kMostShown = 512;   ///< exchanges times dummies beyond which a panel shows the selection alone
constexpr std::uint64_t kShownEvery = 16; ///< steps

Diagnostic dated(Diagnostic d, double t)
{
    if (d.where.empty())
        d.where = "t = " + plain(t);
    return d;
}

} // namespace

Result<void> completeValues(Metrics& metrics, const formulation::DaeInstance& instance, model::ModelState& s, double& change)
{
    std::vector<double> weights(metrics.general()->reduced().names.size()); // what is held stays
    for (std::size_t i = 0; i < weights.size(); ++i)
        weights[i] = instance.integrated(static_cast<int>(i)) ? 0 : 1;
    const std::vector<double> before = s.lambda;
    auto solved = reduction::solveRows(*metrics.general(), s.t, s.lambda, weights, metrics.scales().valueUnits);
    if (!solved) {
        s.lambda = before;
        std::fill(weights.begin(), weights.end(), 1.0);
        solved = reduction::solveRows(*metrics.general(), s.t, s.lambda, weights, metrics.scales().valueUnits);
    }
    if (!solved)
        return dated(solved.error(), s.t);
    for (std::size_t i = 0; i < weights.size(); ++i)
        if (instance.integrated(static_cast<int>(i)))
            change = std::max(change, std::abs(s.lambda[i] - before[i]));
    return {};
}

ValueSelector::ValueSelector(std::shared_ptr<const model::CompiledSystem> system, Metrics& metrics)
    : Selector(system), metrics_(metrics), chooser_(system->model().reduced), jacobian_(system->model().reduced->entries.size())
{
}

Result<std::vector<int>> ValueSelector::pinned(const PivotChoice& choice) const
{
    std::vector<int> out;
    for (const std::string& name : choice.dummies) {
        const auto target = model::resolveName(system()->system(), name);
        if (!target)
            return target.error();
        if (target->kind != model::TargetKind::Value || system()->system().values[at(target->index)].symbol.order == 0)
            return Diagnostic{name + " cannot be pinned as a dummy",
                              {},
                              "only derivatives can be dummies",
                              "the name of a derivative, such as x'",
                              {}};
        out.push_back(target->index);
    }
    std::sort(out.begin(), out.end());
    return out;
}

Result<void> ValueSelector::check(const formulation::Dae&, const PivotChoice& pivot) const
{
    const auto named = pinned(pivot);
    return named ? Result<void>() : named.error();
}

bool ValueSelector::load(const model::ModelState& s)
{
    if (!metrics_.general()->jacobian(s.t, s.lambda.data(), jacobian_.data()))
        return false;
    chooser_.load(jacobian_, metrics_.scales().valueUnits);
    return true;
}

/// The dummies with which the equations are integrated from a state.
Result<structure::DummySelection> ValueSelector::selectionAt(const PivotChoice& pivot, const model::ModelState& from)
{
    if (!load(from))
        return Diagnostic{
            "The Jacobian of the equations cannot be computed", "t = " + plain(from.t), metrics_.general()->message(), {}, {}};
    structure::DummySelection out;
    if (!pivot.automatic) {
        const auto wanted = pinned(pivot);
        if (!wanted)
            return wanted.error();
        auto chosen = chooser_.choosePinned(*wanted);
        if (!chosen)
            return dated(chosen.error(), from.t);
        out = std::move(*chosen);
    } else if (!chooser_.chooseBest(out)) {
        return Diagnostic{"No selection of dummy derivatives exists here",
                          "t = " + plain(from.t),
                          "the Jacobian with respect to the highest derivatives has not full rank",
                          "another start",
                          {}};
    }
    return out;
}

Result<DummyChoice> ValueSelector::choose(formulation::DaeInstance& instance, const PivotChoice& pivot,
                                          const model::ModelState& from)
{
    DummyChoice out;
    if (!instance.dae().links)
        return out;
    auto selection = selectionAt(pivot, from);
    if (!selection)
        return selection.error();
    out.pinned = !pivot.automatic;
    out.selection = std::move(*selection);
    out.dummies.values = chooser_.places(out.selection);
    instance.setDummies(out.dummies);
    return out;
}

/// kappa of what is in force: of the stage that is worst conditioned; 1 where nothing can be chosen.
void ValueSelector::judge(const Core& core, const model::ModelState& state)
{
    if (!load(state))
        return;
    chooser_.judge(core.selection, stages_);
    double worst = 1;
    for (const auto& stage : stages_)
        worst = std::max(worst, stage.kappa);
    setKappa(worst);
}

Diagnostic ValueSelector::pinnedSingular(const Core& core, const model::ModelState& at, double)
{
    return {"The pinned dummies " + sentence(core.instance->dummies()) + " become singular",
            "t = " + plain(at.t, 8),
            "the columns that belong to them are dependent there (kappa = " + plain(kappa(), 3) + ")",
            "choose automatic pivoting, or pin others",
            {}};
}

/// The unknowns change their meaning with the dummies, so the integrator starts again; what was integrated before and still is
/// keeps its value.
Followed ValueSelector::follow(Stepper& stepper, model::ModelState& state)
{
    Followed out;
    if (stages_.empty())
        return out;
    const Core& core = stepper.core();
    judge(core, state);
    structure::DummySelection next;
    out.shows = core.pinned || !chooser_.due(core.selection, kValueHysteresis) || !chooser_.chooseBest(next);
    if (out.shows)
        return out;
    const double before = kappa();
    const formulation::Dummies old = core.instance->dummies();
    formulation::Dummies dummies;
    dummies.values = chooser_.places(next);
    if (dummies == old)
        return out;
    double moved = 0;
    std::string why;
    const auto complete = [&](const formulation::DaeInstance& instance, model::ModelState& s) {
        return completeValues(metrics_, instance, s, moved);
    };
    if (!stepper.exchange({.dummies = dummies, .selection = std::move(next)}, state, complete, why)) {
        out.failure = Failure{.diagnostic = {"The run cannot go on after a change of dummies",
                                             "t = " + plain(state.t),
                                             why,
                                             "looser tolerances, or pin the dummies",
                                             {}}};
        return out;
    }
    judge(core, state);
    out.shows = true;
    out.change = PivotChange{.from = names(old), .to = names(dummies), .kappaBefore = before, .kappa = kappa()};
    return out;
}

void ValueSelector::show(const Core& core, Published& published)
{
    std::size_t work = 0;
    for (const auto& stage : stages_)
        work += stage.candidates.size() * stage.selected.size() * stage.selected.size();
    const std::vector<int>& dummies = core.instance->dummies().values;
    const bool shows =
        work <= kMostShown
        && (published.accepted() % kShownEvery == 0 || shownExchanges_ != stages_.size() || shownDummies_ != dummies);
    shownDummies_ = dummies;
    if (!shows)
        return published.tellStages(dummies, stages_, nullptr);
    auto exchanges = chooser_.exchanges(core.selection);
    shownExchanges_ = exchanges.size();
    published.tellStages(dummies, stages_, &exchanges);
}

} // namespace driftless::run
