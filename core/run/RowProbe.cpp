#include "core/run/RowProbe.h"

namespace driftless::run {

RowProbe::RowProbe(ConstraintMatrices& matrices, const model::ModelState& before, const model::ModelState& now)
    : matrices_(matrices), before_(before), now_(now), rows_(static_cast<std::size_t>(matrices.system().holonomic())),
      jacobian_(matrices.system().positionJacobianPlaces().size())
{
}

void RowProbe::follow(const Selector& selector, const Core& core)
{
    selector_ = &selector;
    core_ = &core;
}

bool RowProbe::positionRows(std::span<const double>& g)
{
    g = rows_;
    return matrices_.metrics().evaluator().constraints(now_.t, now_.q.data(), rows_.data());
}

bool RowProbe::positionJacobian(std::span<const double>& values)
{
    values = jacobian_;
    return matrices_.metrics().evaluator().positionJacobian(now_.t, now_.q.data(), jacobian_.data());
}

bool RowProbe::coordinateRates(std::span<double> before, std::span<double> now)
{
    const auto at = [this](const model::ModelState& s, std::span<double> out) {
        return matrices_.metrics().evaluator().coordinateRates(s.t, s.q.data(), s.v.data(), out.data());
    };
    return at(before_, before) && at(now_, now);
}

MonitorProbe::Rates RowProbe::rates()
{
    RateRank& rates = matrices_.rates();
    const bool known = rates.load(matrices_.metrics().evaluator(), matrices_.metrics().scales(), now_);
    return {.known = known, .ratio = rates.ratio(), .orientation = rates.orientation()};
}

std::vector<std::string> RowProbe::dummies() { return selector_->names(core_->instance->dummies()); }

} // namespace driftless::run
