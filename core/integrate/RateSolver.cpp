#include "core/integrate/RateSolver.h"

#include <cmath>
#include <utility>

#include "core/solve/Norm.h"

namespace driftless::integrate {

struct RateSolver::Problem {
    RateSolver& s;
    double t;
    double* y;
    double* yp;
    Statistics& statistics;
    const std::atomic<bool>* cancel;

    std::size_t size() const { return s.residual_.size(); }
    double& unknown(std::size_t i) { return s.unknown(i, y, yp); }
    bool cancelled() const { return cancel && cancel->load(std::memory_order_relaxed); }

    void remember()
    {
        for (std::size_t i = 0; i < size(); ++i) {
            s.start_[i] = unknown(i);
            s.weights_[i] = 1 / (1 + std::abs(s.start_[i]));
        }
    }
    void reset()
    {
        for (std::size_t i = 0; i < size(); ++i)
            unknown(i) = s.start_[i];
    }
    bool residual()
    {
        ++statistics.residualEvaluations;
        return s.system_->residual(t, y, yp, s.residual_.data());
    }
    bool assemble()
    {
        ++statistics.jacobianEvaluations;
        if (!s.system_->jacobian(t, y, yp, s.dFdy_.data(), s.dFdyp_.data()))
            return false;
        const auto& pattern = s.system_->pattern();
        const auto roles = s.system_->roles();
        for (std::size_t j = 0; j < size(); ++j)
            for (auto k = static_cast<std::size_t>(pattern.columnStarts[j]);
                 k < static_cast<std::size_t>(pattern.columnStarts[j + 1]); ++k)
                s.values_[k] = roles[j].differential ? s.dFdyp_[k] : s.dFdy_[k];
        return true;
    }
    solve::Factorization factor()
    {
        ++statistics.factorizations;
        return s.linear_->factor(s.values_.data());
    }
    double correct()
    {
        ++statistics.newtonIterations;
        s.linear_->solve(s.residual_.data());
        for (std::size_t i = 0; i < size(); ++i) {
            unknown(i) -= s.residual_[i];
            s.weights_[i] = 1 / (1 + std::abs(unknown(i)));
        }
        return solve::weightedMax(s.residual_, s.weights_);
    }
};

void RateSolver::prepare(solve::DaeSystem& system, bool eliminated)
{
    system_ = &system;
    solves_ = system.size() > solve::kDenseLimit && system.linearRates() && system.solvesRates();
    eliminated_ = eliminated && system.linearRates() && system.eliminatedRoom() > 0;
    const auto n = static_cast<std::size_t>(system.size());
    if (!linear_ || residual_.size() != n)
        linear_ = solve::makeLinearSolver(system.size());
    for (auto* v : {&residual_, &weights_, &start_})
        v->assign(n, 0.0);
    states_.assign(n, 0.0);
    solved_.assign(eliminated_ ? static_cast<std::size_t>(system.eliminatedRoom()) : 0, 0.0);
    if (system.size() <= solve::kDenseLimit)
        for (auto* v : {&dFdy_, &dFdyp_, &values_})
            v->reserve(n * n);
    structureChanged();
}

void RateSolver::structureChanged()
{
    const bool linear = system_->linearRates();
    const auto& pattern = linear ? system_->ratePattern() : system_->pattern();
    analysed_ = !solves_;
    if (analysed_)
        linear_->analyse(pattern);
    values_.assign(pattern.rowIndices.size(), 0.0);
    for (auto* v : {&dFdy_, &dFdyp_})
        v->assign(linear ? 0 : pattern.rowIndices.size(), 0.0);
    const auto roles = system_->roles();
    differential_.resize(roles.size());
    for (std::size_t i = 0; i < roles.size(); ++i)
        differential_[i] = roles[i].differential;
}

/// Subtracts residual_ from what it belongs to; false where a number is not finite any more.
bool RateSolver::correct(double* y, double* yp) const
{
    double nothing = 0; // stays so unless a number is not finite
    const std::size_t n = residual_.size();
    const double* const correction = residual_.data();
    const char* const differential = differential_.data();
    for (std::size_t i = 0; i < n; ++i) {
        double* const value = (differential[i] ? yp : y) + i;
        *value -= correction[i];
        nothing += *value * 0.0;
    }
    return nothing == 0;
}

bool RateSolver::solveEliminated(double t, double* y, double* yp, Statistics& statistics)
{
    const std::size_t n = residual_.size();
    std::size_t d = 0;
    for (std::size_t i = 0; i < n; ++i)
        if (differential_[i])
            states_[d++] = y[i];
    if (!system_->eliminatedRates(t, states_.data(), solved_.data(), true))
        return false;
    std::size_t rate = 0;
    for (std::size_t i = 0; i < n; ++i) {
        if (differential_[i])
            yp[i] = solved_[rate++];
        else
            y[i] = solved_[d++];
    }
    countEliminated(statistics, 1);
    return true;
}

/// Of an affine F one solution of the linear system is all, and its round-off is that of the correction: the last rates are
/// near. Where the matrix has lost half of the digits, a second one brings them back.
solve::NewtonResult RateSolver::solveLinear(double t, double* y, double* yp, Statistics& statistics)
{
    constexpr double kHalfTheDigits = 1e-8;
    solve::NewtonResult result;
    if (eliminated_ && solveEliminated(t, y, yp, statistics)) {
        result.iterations = 1;
        return result;
    }
    if (solves_ && system_->solvedRates(t, y, yp)) {
        countEliminated(statistics, 1);
        result.iterations = 1;
        return result;
    }
    if (!std::exchange(analysed_, true))
        linear_->analyse(system_->ratePattern());
    for (int passes = 1; result.iterations < passes;) {
        ++statistics.residualEvaluations;
        ++statistics.jacobianEvaluations;
        if (!system_->rateSystem(t, y, yp, residual_.data(), values_.data()))
            return result.ended(solve::NewtonStatus::OutsideDomain);
        if (result.iterations == 0) {
            ++statistics.factorizations;
            result.matrix = linear_->factor(values_.data());
            if (!result.matrix.ok)
                return result.ended(solve::NewtonStatus::Singular);
            if (result.matrix.pivotRatio < kHalfTheDigits)
                passes = 2;
        }
        linear_->solve(residual_.data());
        ++statistics.newtonIterations;
        ++result.iterations;
        if (!correct(y, yp))
            return result.ended(solve::NewtonStatus::Diverged);
    }
    return result;
}

solve::NewtonResult RateSolver::solve(double t, double* y, double* yp, Statistics& statistics, const std::atomic<bool>* cancel)
{
    if (cancel && cancel->load(std::memory_order_relaxed)) {
        solve::NewtonResult result;
        result.status = solve::NewtonStatus::Cancelled;
        return result;
    }
    if (system_->linearRates())
        return solveLinear(t, y, yp, statistics);
    Problem problem{*this, t, y, yp, statistics, cancel};
    problem.remember();
    bool factored = false;
    return solve::newton(problem, factored);
}

} // namespace driftless::integrate
