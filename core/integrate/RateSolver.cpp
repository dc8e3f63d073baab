#include "core/integrate/RateSolver.h"

#include <cmath>

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
    double& unknown(std::size_t i) { return s.system_->roles()[i].differential ? yp[i] : y[i]; }
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

void RateSolver::prepare(solve::DaeSystem& system)
{
    system_ = &system;
    const auto n = static_cast<std::size_t>(system.size());
    linear_ = solve::makeLinearSolver(system.size());
    for (auto* v : {&residual_, &weights_, &start_})
        v->assign(n, 0.0);
    if (system.size() <= solve::kDenseLimit)
        for (auto* v : {&dFdy_, &dFdyp_, &values_})
            v->reserve(n * n);
    structureChanged();
}

void RateSolver::structureChanged()
{
    linear_->analyse(system_->pattern());
    for (auto* v : {&dFdy_, &dFdyp_, &values_})
        v->assign(system_->pattern().rowIndices.size(), 0.0);
}

solve::NewtonResult RateSolver::solve(double t, double* y, double* yp, Statistics& statistics,
                                      const std::atomic<bool>* cancel)
{
    Problem problem{*this, t, y, yp, statistics, cancel};
    problem.remember();
    bool factored = false;
    return solve::newton(problem, factored);
}

} // namespace driftless::integrate
