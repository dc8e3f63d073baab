#include "core/run/Exchanges.h"

namespace driftless::run {

bool selectsApart(const model::CompiledSystem& system, const formulation::Dae& form)
{
    return (form.pivot && form.pivot->separate) || !system.plainRates() || system.holonomic() != system.m();
}

Published::Exchanges exchangesAt(ConstraintMatrices& matrices, const formulation::Dae& form, const formulation::Dummies& now,
                                 const OfferedAt& at)
{
    const model::CompiledSystem& system = matrices.system();
    const int n = system.n(), m = system.m();
    Published::Exchanges out;
    if (m == 0 || now.velocities.empty())
        return out;
    const bool pivoting = form.pivot.has_value();
    if (!triesExchanges(n, m)) {
        out.candidates = {{-1, -1, at.kappa}};
    } else if (matrices.load(at.t, at.q, pivoting && form.pivot->throughMass)) {
        out.candidates = matrices.velocities().exchanges(now.velocities);
        if (pivoting && selectsApart(system, form) && system.holonomic() > 0)
            out.ofPositions = matrices.positions().exchanges(now.positions);
    }
    return out;
}

Published::Exchanges exchangesAt(const std::shared_ptr<const model::CompiledSystem>& system, std::span<const double> parameters,
                                 const formulation::Dae& form, const formulation::Dummies& now, const OfferedAt& at)
{
    Metrics metrics(system);
    metrics.setParameters(parameters);
    ConstraintMatrices matrices(system, metrics);
    return exchangesAt(matrices, form, now, at);
}

} // namespace driftless::run
