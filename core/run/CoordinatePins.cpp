// Which coordinates' derivatives are dummies at a state: chosen, or pinned by hand.
#include <algorithm>

#include "core/run/CoordinateSelector.h"
#include "core/run/Plain.h"

namespace driftless::run {

using formulation::Dummies;

/// Names of coordinates choose positions and velocities alike. Where a name of a velocity occurs, those of coordinates choose
/// the positions and those of velocities the velocities.
Result<Dummies> CoordinateSelector::pinned(const formulation::Dae& form, const PivotChoice& choice) const
{
    const model::ConstrainedSystem& s = system()->system();
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

Result<void> CoordinateSelector::check(const formulation::Dae& form, const PivotChoice& pivot) const
{
    const auto named = pinned(form, pivot);
    return named ? Result<void>() : named.error();
}

Result<DummyChoice> CoordinateSelector::choose(formulation::DaeInstance& instance, const PivotChoice& pivot,
                                               const model::ModelState& from)
{
    const formulation::Dae& form = instance.dae();
    if (instance.hasBases() && !instance.refreshBases(from))
        return basisRefused(instance, from.t);
    DummyChoice out;
    if (!form.pivot || system()->m() == 0)
        return out;
    auto dummies = dummiesAt(form, pivot, from);
    if (!dummies)
        return dummies.error();
    out.pinned = !pivot.automatic;
    out.dummies = std::move(*dummies);
    instance.setDummies(out.dummies);
    return out;
}

Diagnostic CoordinateSelector::noneExists(double t)
{
    const auto known = whyNone_ ? whyNone_() : std::nullopt;
    return known ? *known
                 : Diagnostic{"No selection of dummy derivatives exists here",
                              "t = " + plain(t),
                              "the constraint matrix G has not full rank",
                              "another start, or a form that needs no pivot",
                              {}};
}

Result<Dummies> CoordinateSelector::dummiesAt(const formulation::Dae& form, const PivotChoice& pivot,
                                              const model::ModelState& from)
{
    Dummies out;
    if (!pivot.automatic) {
        auto named = pinned(form, pivot);
        if (!named)
            return named.error();
        out = *named;
    }
    if (!load(from, form))
        return Diagnostic{"The constraint matrix cannot be computed",
                          "t = " + plain(from.t),
                          matrices_.metrics().evaluator().message(),
                          {},
                          {}};
    const bool two = apart(form);
    formulation::PivotChooser &W = velocities_.chooser, &G = positions_.chooser;
    if (pivot.automatic) {
        out.velocities = W.choose();
        out.positions = two ? G.choose() : out.velocities;
        if (static_cast<int>(out.velocities.size()) == system()->m()
            && static_cast<int>(out.positions.size()) == system()->holonomic())
            return out;
        return noneExists(from.t);
    }
    if (W.orientation(out.velocities) == 0 || G.orientation(out.positions) == 0) {
        const Dummies best{two ? G.choose() : W.choose(), W.choose()};
        return Diagnostic{"The pinned pivot " + sentence(out) + " is singular here",
                          "t = " + plain(from.t),
                          "the columns of G that belong to it are dependent",
                          "choose automatic pivoting or pin " + sentence(best),
                          {}};
    }
    return out;
}

Diagnostic CoordinateSelector::pinnedSingular(const Core& core, const model::ModelState& at, double until)
{
    const std::string pinned = sentence(core.instance->dummies());
    std::string other;
    if (load(at, core.form())) {
        const std::vector<int> best = velocities_.chooser.choose();
        other = sentence({apart(core.form()) ? positions_.chooser.choose() : best, best});
    }
    Diagnostic d;
    d.what = "The pinned pivot " + pinned + " becomes singular";
    d.where = "t = " + plain(at.t, 8) + (until > at.t ? " to " + plain(until, 8) : "");
    d.why = "the constraint matrix columns of " + pinned + " vanish there (kappa = " + plain(kappa(), 3)
            + "), so its derivatives are no longer determined by the constraints";
    d.remedy = other.empty() || other == pinned ? "choose automatic pivoting or pin the other one"
                                                : "choose automatic pivoting or pin the other one, " + other;
    return d;
}

} // namespace driftless::run
