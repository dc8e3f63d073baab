#include "core/formulation/MotionRates.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/solve/LinearSolver.h"

namespace driftless::formulation {

namespace {

constexpr double kHalfOfTheDigits = 1e-8; ///< of the largest pivot: a general solver takes a second look at what is worse

} // namespace

bool motionAlone(const model::ConstrainedSystem& system)
{
    return system.n() > 0 && system.plainRates() && system.holonomic() == system.m() && system.dynamics.empty()
           && system.efforts.empty() && system.values.empty()
           && std::ranges::all_of(system.constraints, [](const model::Constraint& c) { return c.drag.empty(); });
}

MotionRates::MotionRates(std::shared_ptr<const model::CompiledSystem> system)
    : system_(std::move(system)), evaluator_(system_), mass_(system_->massPlaces().size()), inverse_(mass_.size()),
      gradient_(system_->positionJacobianPlaces().size()), force_(mass_.size()), held_(mass_.size()),
      gamma_(static_cast<std::size_t>(system_->m())), unused_(static_cast<std::size_t>(system_->w()))
{
}

std::unique_ptr<MotionRates> MotionRates::make(const Dae& dae, std::shared_ptr<const model::CompiledSystem> system)
{
    const auto n = static_cast<std::size_t>(system->n()), m = static_cast<std::size_t>(system->m());
    if (!dae.accelerationsStated || m == 0 || static_cast<int>(2 * n + m) <= solve::kDenseLimit
        || dae.unknowns.size() != 2 * n + m || dae.rows.size() != 2 * n + m || !motionAlone(system->system())
        || system->massPlaces().size() != n)
        return nullptr;
    std::vector<char> seen(n, 0);
    for (const solve::MatrixPlace& p : system->massPlaces())
        if (p.row != p.column || std::exchange(seen[static_cast<std::size_t>(p.row)], 1))
            return nullptr;
    std::unique_ptr<MotionRates> made(new MotionRates(system));
    if (!made->schur_.analyse(system->n(), system->m(), system->positionJacobianPlaces()))
        return nullptr;
    return made;
}

bool MotionRates::rates(double t, const double* q, const double* v, std::span<const double> parameters, double* a,
                        double* lambda)
{
    if (!std::ranges::equal(parameters, evaluator_.parameters()))
        evaluator_.setParameters(parameters);
    if (!evaluator_.mass(t, q, mass_.data()) || !evaluator_.positionJacobian(t, q, gradient_.data())
        || !evaluator_.force(t, q, v, unused_.data(), force_.data()) || !evaluator_.gamma(t, q, v, gamma_.data()))
        return false;
    const auto places = system_->massPlaces();
    for (std::size_t k = 0; k < places.size(); ++k)
        inverse_[static_cast<std::size_t>(places[k].row)] = 1 / mass_[k];
    if (!schur_.factor(gradient_.data(), inverse_.data(), gradient_.data()) || schur_.pivotRatio() < kHalfOfTheDigits)
        return false;
    const std::size_t n = force_.size();
    for (std::size_t i = 0; i < n; ++i)
        held_[i] = inverse_[i] * force_[i];
    for (double& value : gamma_)
        value = -value;
    schur_.multipliers(held_.data(), gamma_.data(), lambda);
    schur_.force(lambda, held_.data());
    double nothing = 0; // stays so unless a number is not finite
    for (std::size_t i = 0; i < n; ++i) {
        a[i] = inverse_[i] * (force_[i] - held_[i]);
        nothing += a[i] * 0.0;
    }
    return nothing == 0;
}

} // namespace driftless::formulation
