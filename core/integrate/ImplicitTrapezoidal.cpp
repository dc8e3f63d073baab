// The implicit trapezoidal rule on F(t, y, y') = 0 of index up to three ([DN] (1.40); [St02] section 6, (38)):
//   y_{n+1} = y_n + h/2 (k1 + k2) in the differential unknowns, F(t_{n+1}, y_{n+1}, k2) = 0 with the algebraic ones at t_{n+1}.
// k1 is y'_n as carried from the last step or given at the start, never solved for: so an inconsistent multiplier at the
// start enters through y'_0, as in the experiment of [St02]. Not L-stable: hidden constraints oscillate, undamped.
#include <algorithm>
#include <cmath>

#include "core/integrate/Makers.h"
#include "core/integrate/OneStep.h"
#include "core/solve/Norm.h"

namespace driftless::integrate {
namespace {

class ImplicitTrapezoidal final : public OneStepIntegrator {
public:
    explicit ImplicitTrapezoidal(const IntegratorInfo& info) : OneStepIntegrator(info) {}

    // Newton's problem in k2 (differential) and y_{n+1} (algebraic); corrections are weighed as changes of y.
    bool cancelled() const { return Integrator::cancelled(); }
    void reset() { start(); }
    bool residual()
    {
        ++statistics_.residualEvaluations;
        return system().residual(tEnd_, yNew_.data(), ypNew_.data(), residual_.data());
    }
    bool assemble()
    {
        ++statistics_.jacobianEvaluations;
        if (!system().jacobian(tEnd_, yNew_.data(), ypNew_.data(), dFdy_.data(), dFdyp_.data()))
            return false;
        const auto& pattern = system().pattern();
        const auto roles = system().roles();
        for (std::size_t j = 0; j < size(); ++j)
            for (auto k = static_cast<std::size_t>(pattern.columnStarts[j]);
                 k < static_cast<std::size_t>(pattern.columnStarts[j + 1]); ++k)
                dFdy_[k] = roles[j].differential ? dFdyp_[k] + h_ / 2 * dFdy_[k] : dFdy_[k];
        return true;
    }
    solve::Factorization factor()
    {
        ++statistics_.factorizations;
        return linear_->factor(dFdy_.data());
    }
    double correct()
    {
        ++statistics_.newtonIterations;
        linear_->solve(residual_.data());
        const auto roles = system().roles();
        for (std::size_t i = 0; i < size(); ++i) {
            if (roles[i].differential) {
                ypNew_[i] -= residual_[i];
                yNew_[i] = y_[i] + h_ / 2 * (yp_[i] + ypNew_[i]);
                residual_[i] *= h_ / 2;
            } else {
                yNew_[i] -= residual_[i];
            }
        }
        return solve::weightedMax(residual_, weights_);
    }

private:
    void allocate() override
    {
        if (!linear_ || residual_.size() != size())
            linear_ = solve::makeLinearSolver(static_cast<int>(size()));
        for (auto* v : {&residual_, &beforeY_, &beforeYp_})
            v->resize(size());
        weights_.resize(size());
        if (size() <= solve::kDenseLimit) {
            dFdy_.reserve(size() * size());
            dFdyp_.reserve(size() * size());
        }
        linear_->analyse(system().pattern());
        dFdy_.assign(system().pattern().rowIndices.size(), 0.0);
        dFdyp_.assign(system().pattern().rowIndices.size(), 0.0);
    }

    void forget() override
    {
        factored_ = false;
        steps_ = 0;
    }

    /// Halving h doubles the undamped oscillation that a form of higher index carries in its multipliers.
    bool mayHalve() const override { return !oscillates(); }
    bool oscillates() const { return system().index() >= 2; }

    /// Starting values: the last ones; where they oscillate from step to step, those of two steps before the new point.
    void start()
    {
        const auto roles = system().roles();
        const bool before = steps_ >= 2 && oscillates();
        for (std::size_t i = 0; i < size(); ++i) {
            ypNew_[i] = before ? beforeYp_[i] : yp_[i];
            if (roles[i].differential)
                yNew_[i] = y_[i] + h_ / 2 * (yp_[i] + ypNew_[i]);
            else
                yNew_[i] = before ? beforeY_[i] : y_[i];
        }
    }

    /// The base has swapped: yNew_ and ypNew_ hold what was there before the step.
    void accepted(double) override
    {
        std::copy(yNew_.begin(), yNew_.end(), beforeY_.begin());
        std::copy(ypNew_.begin(), ypNew_.end(), beforeYp_.begin());
        ++steps_;
    }

    solve::NewtonResult attempt(double tEnd, double h) override
    {
        // Grid steps differ by the round-off of t; the matrix may stay.
        factored_ = factored_ && std::abs(h - h_) <= 1e-9 * h;
        tEnd_ = tEnd;
        h_ = h;
        roundoffWeights(h, weights_.data());
        start();
        const auto result = solve::newton(*this, factored_, newtonControl());
        if (result.status == solve::NewtonStatus::Converged)
            estimateAlgebraicRates(h);
        return result;
    }

    std::unique_ptr<solve::LinearSolver> linear_;
    std::vector<double> residual_, weights_, dFdy_, dFdyp_, beforeY_, beforeYp_;
    bool factored_ = false;
    int steps_ = 0;
    double tEnd_ = 0, h_ = 0;
};

} // namespace

std::unique_ptr<Integrator> makeImplicitTrapezoidal(const IntegratorInfo& info)
{
    return std::make_unique<ImplicitTrapezoidal>(info);
}

} // namespace driftless::integrate
