#include "core/run/Selector.h"

#include "core/base/Index.h"
#include "core/text/Names.h"

namespace driftless::run {

void Selector::begin(const Core& core, const model::ModelState& state)
{
    judge(core, state);
    reset(state.t);
    sinceJudged_.reset();
}

bool Selector::due(const Core& core, const model::ModelState& state)
{
    if (sinceJudged_ && ++*sinceJudged_ < rowsBetween(core) && !closer(core, state))
        return false;
    sinceJudged_ = 0;
    return true;
}

std::vector<std::string> Selector::names(const formulation::Dummies& dummies) const
{
    const model::ConstrainedSystem& s = system_->system();
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

std::string Selector::sentence(const formulation::Dummies& dummies) const { return text::joined(names(dummies)); }

} // namespace driftless::run
