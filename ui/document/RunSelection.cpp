#include "ui/document/RunSelection.h"

#include <algorithm>

#include "core/formulation/Formulation.h"
#include "core/reduction/EquationAnalysis.h"

namespace driftless::ui {

using structure::DerivativeRef;

namespace {

/// The derivative that is no longer integrated when coordinate i is a dummy: q' of its position, v' of its velocity.
DerivativeRef derivativeOf(const StructureModel& structure, const model::Coordinate& q, bool position)
{
    const expr::Symbol& s = position ? q.q : q.a;
    return {structure.unknown(s.name), position ? s.order + 1 : s.order};
}

bool choosesApart(const run::RunStatus& status) { return !status.positionCandidates.empty(); }

std::vector<int> exchange(std::vector<int> dummies, const std::vector<formulation::PivotCandidate>& candidates, int enters)
{
    const formulation::PivotCandidate* best = nullptr;
    for (const auto& candidate : candidates)
        if (candidate.enters == enters && candidate.leaves >= 0 && (!best || candidate.kappa < best->kappa))
            best = &candidate;
    if (!best)
        return {};
    std::replace(dummies.begin(), dummies.end(), best->leaves, enters);
    std::sort(dummies.begin(), dummies.end());
    return dummies;
}

} // namespace

run::PivotChoice pinOf(const model::ConstrainedSystem& system, const run::RunStatus& status, const std::vector<int>& positions,
                       const std::vector<int>& velocities)
{
    const auto& coordinates = system.coordinates;
    const bool apart = choosesApart(status) || (positions != velocities && !positions.empty());
    run::PivotChoice choice;
    choice.automatic = false;
    for (const int i : apart ? positions : velocities)
        choice.dummies.push_back(coordinates[static_cast<std::size_t>(i)].name);
    if (apart)
        for (const int i : velocities)
            choice.dummies.push_back(coordinates[static_cast<std::size_t>(i)].velocity.name);
    return choice;
}

std::shared_ptr<const model::EquationSystem> equationsOfModel(const model::Model& model)
{
    return model.equations ? model.equations
                           : std::make_shared<const model::EquationSystem>(reduction::equationsOf(model.system));
}

namespace {

/// General equations: places among the model's values.
DerivativeRef derivativeOf(const StructureModel& structure, const model::GeneralValue& value)
{
    return {structure.unknown(value.symbol.name), value.symbol.order};
}

void addGeneral(const StructureModel& structure, const model::ConstrainedSystem& system, const run::RunStatus& status,
                PresentSelection& out)
{
    const auto ref = [&](int place) { return derivativeOf(structure, system.values[static_cast<std::size_t>(place)]); };
    for (const auto& stage : status.stages)
        for (const int place : stage.candidates)
            out.known.push_back(ref(place));
    for (const int place : status.valueDummies)
        out.dummies.push_back(ref(place));
    for (const auto& stage : status.exchanges)
        for (const auto& exchange : stage)
            out.exchanges.push_back({ref(exchange.leaves), ref(exchange.enters), exchange.kappa});
}

void addMechanism(const StructureModel& structure, const model::ConstrainedSystem& system, const run::RunStatus& status,
                  PresentSelection& out)
{
    const auto add = [&](const std::vector<int>& dummies, const std::vector<formulation::PivotCandidate>& candidates,
                         bool position) {
        for (const auto& q : system.coordinates)
            if (const auto known = derivativeOf(structure, q, position); known.unknown >= 0)
                out.known.push_back(known);
        const auto ref = [&](int i) {
            return derivativeOf(structure, system.coordinates[static_cast<std::size_t>(i)], position);
        };
        for (const int i : dummies)
            out.dummies.push_back(ref(i));
        for (const auto& candidate : candidates)
            if (candidate.leaves >= 0 && candidate.enters >= 0)
                out.exchanges.push_back({ref(candidate.leaves), ref(candidate.enters), candidate.kappa});
    };
    add(status.dummies, status.candidates, false);
    add(choosesApart(status) ? status.positionDummies : status.dummies, status.positionCandidates, true);
}

/// What the stage of `wanted` chooses after the best exchange; empty where no exchange is known.
std::vector<int> exchangedStage(const StructureModel& structure, const model::ConstrainedSystem& system,
                                const run::RunStatus& status, const DerivativeRef& wanted)
{
    const reduction::StageExchange* best = nullptr;
    std::vector<int> out;
    for (std::size_t k = 0; k < status.exchanges.size() && k < status.stages.size(); ++k)
        for (const auto& exchange : status.exchanges[k])
            if (derivativeOf(structure, system.values[static_cast<std::size_t>(exchange.enters)]) == wanted
                && (!best || exchange.kappa < best->kappa)) {
                best = &exchange;
                out = status.stages[k].selected;
                std::replace(out.begin(), out.end(), exchange.leaves, exchange.enters);
            }
    return out;
}

run::PivotChoice generalPin(const StructureModel& structure, const model::ConstrainedSystem& system,
                            const run::RunStatus& status, const DerivativeRef& wanted, bool already)
{
    const auto& block = structure.blockOfUnknown();
    const auto blockOf = [&](const DerivativeRef& d) {
        return d.unknown < 0 ? -1 : block[static_cast<std::size_t>(d.unknown)];
    };
    run::PivotChoice choice;
    choice.automatic = false;
    for (const int place : status.valueDummies) {
        const auto& value = system.values[static_cast<std::size_t>(place)];
        if (already || blockOf(derivativeOf(structure, value)) != blockOf(wanted))
            choice.dummies.push_back(value.name);
    }
    if (already)
        return choice;
    const auto stage = exchangedStage(structure, system, status, wanted);
    for (const int place : stage) // the lower stages of the block follow
        choice.dummies.push_back(system.values[static_cast<std::size_t>(place)].name);
    if (stage.empty())
        choice.dummies.push_back(structure.derivativeName(wanted).toStdString());
    return choice;
}

} // namespace

PresentSelection presentSelection(const StructureModel& structure, const model::Model& model, const QString& run,
                                  const run::RunStatus& status)
{
    PresentSelection out;
    out.run = run;
    out.automatic = status.settings.pivot.automatic;
    const auto* form = formulation::findFormulation(status.settings.formulation);
    const bool general = model.equations != nullptr;
    out.pivots = form && form->info().pivots && (general ? !status.stages.empty() : !status.candidates.empty());
    if (!out.pivots)
        return out;
    (general ? addGeneral : addMechanism)(structure, model.system, status, out);
    for (auto* list : {&out.known, &out.dummies}) {
        std::sort(list->begin(), list->end());
        list->erase(std::unique(list->begin(), list->end()), list->end());
    }
    return out;
}

std::optional<run::PivotChoice> pinWith(const StructureModel& structure, const model::Model& model,
                                        const run::RunStatus& status, const DerivativeRef& wanted)
{
    const auto present = presentSelection(structure, model, {}, status);
    if (!present.pivots || !std::binary_search(present.known.begin(), present.known.end(), wanted))
        return std::nullopt;
    const bool already = std::binary_search(present.dummies.begin(), present.dummies.end(), wanted);
    const model::ConstrainedSystem& system = model.system;
    if (model.equations)
        return generalPin(structure, system, status, wanted, already);
    const auto positions = choosesApart(status) ? status.positionDummies : status.dummies;
    if (already)
        return pinOf(system, status, positions, status.dummies);
    for (int i = 0; i < system.n(); ++i) {
        const auto& q = system.coordinates[static_cast<std::size_t>(i)];
        if (derivativeOf(structure, q, false) == wanted) {
            const auto velocities = exchange(status.dummies, status.candidates, i);
            if (!velocities.empty())
                return pinOf(system, status, choosesApart(status) ? positions : velocities, velocities);
        } else if (choosesApart(status) && derivativeOf(structure, q, true) == wanted) {
            const auto changed = exchange(positions, status.positionCandidates, i);
            if (!changed.empty())
                return pinOf(system, status, changed, status.dummies);
        }
    }
    return std::nullopt;
}

} // namespace driftless::ui
