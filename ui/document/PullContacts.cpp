#include "ui/document/PullContacts.h"

#include "core/system/NominalScales.h"

namespace driftless::ui {

namespace {

constexpr double kOnSurface = 1e-10; ///< of a length, as of what is moved while a run stands (run/ModeFollower.cpp)

bool isGap(const model::OneSided& row) { return row.kind == model::OneSidedKind::Contact && row.row.holonomic; }

} // namespace

PullContacts::PullContacts(std::shared_ptr<const model::CompiledSystem> system, std::vector<double> parameters)
    : system_(std::move(system)), parameters_(std::move(parameters))
{
    if (system_->system().oneSided.empty())
        return;
    const auto compiled = model::CompiledOneSided::compile(system_->modelHandle());
    if (!compiled)
        return;
    contacts_ = std::make_unique<model::OneSidedEvaluator>(*compiled);
    contacts_->setParameters(parameters_);
    model::SystemEvaluator evaluator(system_);
    evaluator.setParameters(parameters_);
    surface_ = kOnSurface * model::nominalScales(evaluator).length;
}

Result<const PullContacts::Ground*> PullContacts::ground(const model::Mode& mode)
{
    const auto [place, isNew] = grounds_.try_emplace(mode);
    Ground& out = place->second;
    if (!isNew)
        return &out;
    auto compiled = model::CompiledSystem::compile(model::modelInMode(system_->modelHandle(), mode));
    if (!compiled) {
        grounds_.erase(place);
        return compiled.error();
    }
    out.system = *compiled;
    out.solver = std::make_unique<consistency::ConsistencySolver>(out.system);
    out.evaluator = std::make_unique<model::SystemEvaluator>(out.system);
    out.solver->setParameters(parameters_);
    out.evaluator->setParameters(parameters_);
    return &out;
}

std::vector<std::size_t> PullContacts::passed(const model::ModelState& at, const model::Mode& mode)
{
    std::vector<std::size_t> out;
    if (!contacts_)
        return out;
    const auto& rows = system_->system().oneSided;
    const std::vector<double> still(at.q.size(), 0.0), unloaded(static_cast<std::size_t>(system_->w()), 0.0);
    if (!contacts_->numbers(at.t, at.q.data(), still.data(), unloaded.data()))
        return out;
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (isGap(rows[i]) && mode[i] == model::OneSidedState::Off
            && contacts_->of(i).value / contacts_->of(i).scale < -surface_)
            out.push_back(i);
    return out;
}

Result<consistency::NearestSolution> PullContacts::nearest(const consistency::NearestRequest& request, std::string& inTheWay)
{
    inTheWay.clear();
    model::Mode mode = model::baseMode(system_->system());
    for (std::size_t tries = 0;; ++tries) {
        const auto on = ground(mode);
        if (!on)
            return on.error();
        consistency::NearestRequest there = request;
        there.from.lambda.assign(static_cast<std::size_t>((*on)->system->w()), 0.0);
        auto found = consistency::nearestConsistent(*(*on)->solver, *(*on)->evaluator, there);
        if (!found)
            return found;
        const auto behind = passed(found->state, mode);
        if (behind.empty() || tries >= mode.size())
            return found;
        for (const std::size_t row : behind) {
            mode[row] = model::OneSidedState::On;
            inTheWay += (inTheWay.empty() ? "" : ", ") + system_->system().oneSided[row].row.name;
        }
    }
}

} // namespace driftless::ui
