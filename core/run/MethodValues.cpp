#include "core/run/MethodValues.h"

#include <algorithm>
#include <utility>

namespace driftless::run {

namespace {

constexpr double kDifference = 1e-4; ///< of a step: rates from differences of the polynomial

} // namespace

void MethodValues::follow(const Core& core, const model::ModelState& now, double h)
{
    core_ = &core;
    now_ = &now;
    h_ = h;
    prepared_ = false;
    t_ = std::numeric_limits<double>::quiet_NaN();
}

bool MethodValues::known() const
{
    // Multipliers of a mechanism are computed from the state, at steps; one without coordinates has other values alone.
    if (!core_->lambdaGiven && !general_ && !now_->q.empty())
        return false;
    const auto rates = core_->integrator->yp();
    const auto roles = core_->instance->roles();
    bool algebraic = false;
    for (std::size_t i = 0; i < rates.size() && i < roles.size(); ++i) {
        algebraic = algebraic || !roles[i].differential;
        if (!roles[i].differential && rates[i] != 0)
            return true;
    }
    return !algebraic;
}

bool MethodValues::at(double t, double* lambda)
{
    if (!read(t))
        return false;
    std::copy(state_.lambda.begin(), state_.lambda.end(), lambda);
    return true;
}

/// Of algebraic unknowns a method may know little between its steps, above all where nothing is integrated and no error bounds
/// a step.
bool MethodValues::solved(double t, double* lambda)
{
    if (!at(t, lambda))
        return false;
    formulation::DaeInstance& system = *core_->instance;
    if (!(general_ || core_->lambdaStated) || system.index() > 1 || !system.semiExplicit())
        return true;
    if (!std::exchange(prepared_, true)) // a command may have put another form in force since the last step
        solver_.prepare(system);
    integrate::Statistics apart;
    std::vector<double> y = y_, yp = rates_;
    model::ModelState state = *now_;
    if (solver_.solve(t, y.data(), yp.data(), apart, nullptr).status == solve::NewtonStatus::Converged
        && system.toState(t, y.data(), yp.data(), state))
        std::ranges::copy(state.lambda, lambda);
    return true;
}

int MethodValues::degree() const { return general_ ? 0 : core_->integrator->insideDegree(); }

bool MethodValues::motion(double t, double* q, double* v)
{
    if (!read(t))
        return false;
    std::copy(state_.q.begin(), state_.q.end(), q);
    std::copy(state_.v.begin(), state_.v.end(), v);
    return true;
}

/// The state at a time of the step; that of the time read last is there already.
bool MethodValues::read(double t)
{
    if (t == t_)
        return true;
    const integrate::Integrator& integrator = *core_->integrator;
    const std::size_t unknowns = integrator.y().size();
    for (auto* values : {&y_, &early_, &late_, &rates_})
        values->resize(unknowns);
    integrator.interpolate(t, y_);
    if (core_->dae->readsRates()) {
        const double reach = kDifference * h_;
        integrator.interpolate(t - reach, early_);
        integrator.interpolate(t + reach, late_);
        for (std::size_t j = 0; j < unknowns; ++j)
            rates_[j] = (late_[j] - early_[j]) / (2 * reach);
    }
    state_ = *now_; // with what is idle, which the form does not give
    t_ = std::numeric_limits<double>::quiet_NaN();
    if (!core_->instance->toState(t, y_.data(), rates_.data(), state_))
        return false;
    t_ = t;
    return true;
}

} // namespace driftless::run
