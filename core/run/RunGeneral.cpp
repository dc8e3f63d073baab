// Runs of a general DAE: consistent values, and which derivatives are dummies, block by block.
#include <algorithm>
#include <cmath>

#include "core/base/Index.h"
#include "core/run/RunImpl.h"

namespace driftless::run {

namespace {

/// As for mechanisms: a selection is changed when a better one lowers kappa by this factor.
constexpr double kValueHysteresis = 2.0;
constexpr std::size_t kMostShown = 512;   ///< exchanges times dummies beyond which a panel shows the selection alone
constexpr std::uint64_t kShownEvery = 16; ///< steps
constexpr double kFreely = 1e3;           // what was not given moves first; more would cost digits

Diagnostic atTime(Diagnostic d, double t)
{
    if (d.where.empty())
        d.where = "t = " + plain(t);
    return d;
}

} // namespace

/// Given start values stay where the equations allow it; else they move as little as possible, unless they are fixed.
Result<model::ModelState> Run::Impl::generalStart(const StartSettings& from, double& change)
{
    const auto& values = system->system().values;
    model::ModelState out = state;
    out.t = 0;
    std::vector<double> kept(values.size(), 1), moved(values.size(), kFreely);
    const auto setFixed = [&](std::size_t i, bool fixed, bool given) {
        kept[i] = fixed || given ? 0 : 1;
        moved[i] = fixed ? 0 : given ? 1 : kFreely;
    };
    const auto findValue = [&](const std::string& name) -> Result<std::size_t> {
        const auto target = model::resolveName(system->system(), name);
        if (!target)
            return target.error();
        if (target->kind != model::TargetKind::Value)
            return Diagnostic{name + " is a parameter, not a start value", {}, {}, {}, {}};
        return static_cast<std::size_t>(target->index);
    };
    for (std::size_t i = 0; i < values.size(); ++i) {
        out.lambda[i] = values[i].start;
        setFixed(i, values[i].status == model::InitialStatus::Fixed && !from.fixed, values[i].started);
    }
    for (const auto& [name, value] : from.values) {
        const auto i = findValue(name);
        if (!i)
            return i.error();
        if (!std::isfinite(value))
            return Diagnostic{"The start value of " + name + " is not a finite number", {}, {}, {}, {}};
        out.lambda[*i] = value;
        setFixed(*i, !from.fixed, true);
    }
    if (from.fixed)
        for (const std::string& name : *from.fixed) {
            const auto i = findValue(name);
            if (!i)
                return i.error();
            setFixed(*i, true, true);
        }
    const std::vector<double> given = out.lambda;
    auto solved = reduction::solveRows(*metrics.general(), 0, out.lambda, kept, metrics.scales().valueUnits);
    if (!solved && !from.allowInconsistent) {
        out.lambda = given;
        solved = reduction::solveRows(*metrics.general(), 0, out.lambda, moved, metrics.scales().valueUnits);
        if (!solved)
            return solved.error();
    } else if (!solved) {
        out.lambda = given;
    }
    change = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
        if (kept[i] == 0)
            change = std::max(change, std::abs(out.lambda[i] - given[i]));
    return out;
}

Result<std::vector<int>> Run::Impl::pinnedValues(const PivotChoice& choice) const
{
    std::vector<int> out;
    for (const std::string& name : choice.dummies) {
        const auto target = model::resolveName(system->system(), name);
        if (!target)
            return target.error();
        if (target->kind != model::TargetKind::Value || system->system().values[at(target->index)].symbol.order == 0)
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

bool Run::Impl::loadValues(const model::ModelState& s)
{
    if (!metrics.general()->jacobian(s.t, s.lambda.data(), valuesJacobian.data()))
        return false;
    chooser->load(valuesJacobian, metrics.scales().valueUnits);
    return true;
}

/// The dummies with which the equations are integrated from a state.
Result<structure::DummySelection> Run::Impl::chooseValues(const PivotChoice& pivot, const model::ModelState& from)
{
    if (!loadValues(from))
        return Diagnostic{
            "The Jacobian of the equations cannot be computed", "t = " + plain(from.t), metrics.general()->message(), {}, {}};
    structure::DummySelection out;
    if (!pivot.automatic) {
        const auto wanted = pinnedValues(pivot);
        if (!wanted)
            return wanted.error();
        auto chosen = chooser->choosePinned(*wanted);
        if (!chosen)
            return atTime(chosen.error(), from.t);
        out = std::move(*chosen);
    } else if (!chooser->chooseBest(out)) {
        return Diagnostic{"No selection of dummy derivatives exists here",
                          "t = " + plain(from.t),
                          "the Jacobian with respect to the highest derivatives has not full rank",
                          "another start",
                          {}};
    }
    return out;
}

/// Values that are integrated stay, the others follow from the equations; where that cannot be, all move as little as possible.
Result<void> Run::Impl::completeValues(const formulation::DaeInstance& instance, model::ModelState& s, double& change)
{
    std::vector<double> weights(s.lambda.size());
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
        return atTime(solved.error(), s.t);
    for (std::size_t i = 0; i < weights.size(); ++i)
        if (instance.integrated(static_cast<int>(i)))
            change = std::max(change, std::abs(s.lambda[i] - before[i]));
    return {};
}

/// kappa of what is in force: of the stage that is worst conditioned; 1 where nothing can be chosen.
void Run::Impl::judgeValues()
{
    if (!loadValues(state))
        return;
    chooser->judge(core->selection, stages);
    kappa = 1;
    for (const auto& stage : stages)
        kappa = std::max(kappa, stage.kappa);
}

Diagnostic Run::Impl::pinnedValuesSingular() const
{
    return {"The pinned dummies " + dummyNames(core->instance->dummies()) + " become singular",
            "t = " + plain(state.t, 8),
            "the columns that belong to them are dependent there (kappa = " + plain(kappa, 3) + ")",
            "choose automatic pivoting, or pin others",
            {}};
}

/// After an accepted step: a better selection where one is due. The unknowns change their meaning with it, so the integrator
/// starts again; what was integrated before and still is keeps its value.
void Run::Impl::followValues()
{
    if (hasFailed || stages.empty())
        return;
    judgeValues();
    structure::DummySelection next;
    const bool change = !core->pinned && chooser->due(core->selection, kValueHysteresis) && chooser->chooseBest(next);
    if (!change)
        return shareStages();
    const double before = kappa;
    const formulation::Dummies old = core->instance->dummies();
    formulation::Dummies dummies;
    dummies.values = chooser->places(next);
    if (dummies == old)
        return;
    core->selection = std::move(next);
    core->instance->setDummies(dummies);
    base = totals();
    double moved = 0;
    std::string why;
    const auto completed = completeValues(*core->instance, state, moved);
    const auto prepared = core->integrator->prepare(*core->instance, core->settings.options);
    const bool entered = completed && prepared && enter(*core, state, why);
    atRestart = core->integrator->statistics();
    if (!entered)
        return fail({"The run cannot go on after a change of dummies",
                     "t = " + plain(state.t),
                     !completed  ? completed.error().what
                     : !prepared ? prepared.error().what
                                 : why,
                     "looser tolerances, or pin the dummies",
                     {}});
    judgeValues();
    shareStages();
    addEvent(PivotChange{.from = dummyList(old), .to = dummyList(dummies), .kappaBefore = before, .kappa = kappa});
    ++pivots;
}

/// What a panel shows of the choices.
void Run::Impl::shareStages()
{
    std::size_t work = 0;
    for (const auto& stage : stages)
        work += stage.candidates.size() * stage.selected.size() * stage.selected.size();
    const bool show = work <= kMostShown
                      && (accepted % kShownEvery == 0 || shared.status.exchanges.size() != stages.size()
                          || shared.status.valueDummies != core->instance->dummies().values);
    std::vector<std::vector<reduction::StageExchange>> exchanges;
    if (show)
        exchanges = chooser->exchanges(core->selection);
    const std::lock_guard lock(mutex);
    RunStatus& s = shared.status;
    s.valueDummies = core->instance->dummies().values;
    s.stages = stages;
    if (show)
        s.exchanges = std::move(exchanges);
}

} // namespace driftless::run
