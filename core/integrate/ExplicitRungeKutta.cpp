// Explicit Runge-Kutta methods on F(t, y, y') = 0 of index 0 or 1: the tableau advances the differential unknowns, and at
// every stage, and at the end of the step, the rates and the algebraic unknowns are solved from F.
#include <algorithm>

#include "core/integrate/OneStep.h"
#include "core/integrate/RungeKutta.h"

namespace driftless::integrate {
namespace {

class ExplicitRungeKutta final : public OneStepIntegrator {
public:
    explicit ExplicitRungeKutta(std::shared_ptr<const RungeKuttaMethod> method)
        : OneStepIntegrator(method->info), method_(std::move(method)), tableau_(method_->tableau),
          endsInLastStage_(tableau_.endsInLastStage())
    {
        for (std::size_t i = 0; i < tableau_.embedded.size(); ++i)
            errorWeights_.push_back(tableau_.b[i] - tableau_.embedded[i]);
        if (!method_->info.adaptive)
            errorWeights_.clear();
    }

private:
    void allocate() override { rates_.resize(tableau_.stages * size()); }

    /// The estimate is that of the weaker of the two rules.
    int errorOrder() const override { return std::min(method_->tableau.order, method_->tableau.embeddedOrder) + 1; }

    /// yNew_ = y_ + h sum_j weights_j k_j in the differential unknowns.
    void combine(const double* weights, std::size_t stages, double h)
    {
        const auto roles = system().roles();
        const std::size_t n = size();
        for (std::size_t i = 0; i < n; ++i) {
            if (!roles[i].differential)
                continue;
            double sum = 0;
            for (std::size_t j = 0; j < stages; ++j)
                sum += weights[j] * rates_[j * n + i];
            yNew_[i] = y_[i] + h * sum;
        }
    }

    solve::NewtonResult attempt(double tEnd, double h) override
    {
        const double t0 = t();
        const std::size_t s = tableau_.stages;
        if (method_->member && options().parameter != parameter_) {
            parameter_ = options().parameter;
            method_->member(parameter_ == 0 ? method_->info.parameter.usual : parameter_, tableau_);
        }
        std::copy(y_.begin(), y_.end(), yNew_.begin());
        std::copy(yp_.begin(), yp_.end(), ypNew_.begin());
        std::copy(yp_.begin(), yp_.end(), rates_.begin());
        for (std::size_t i = 1; i < s; ++i) {
            combine(&tableau_.a[i * s], i, h);
            const double ts = tableau_.c[i] == 1 ? tEnd : t0 + tableau_.c[i] * h;
            const auto result = solveRates(ts, yNew_.data(), ypNew_.data());
            if (result.status != solve::NewtonStatus::Converged)
                return result;
            std::copy(ypNew_.begin(), ypNew_.end(), rates_.begin() + static_cast<std::ptrdiff_t>(i * size()));
        }
        if (!errorWeights_.empty())
            estimateError(h);
        if (!endsInLastStage_) {
            combine(tableau_.b.data(), s, h);
            const auto result = solveRates(tEnd, yNew_.data(), ypNew_.data());
            if (result.status != solve::NewtonStatus::Converged)
                return result;
        }
        estimateAlgebraicRates(h);
        return {};
    }

    void estimateError(double h)
    {
        const std::size_t n = size();
        for (std::size_t i = 0; i < n; ++i) {
            double sum = 0;
            for (std::size_t j = 0; j < tableau_.stages; ++j)
                sum += errorWeights_[j] * rates_[j * n + i];
            error_[i] = h * sum;
        }
    }

    std::shared_ptr<const RungeKuttaMethod> method_;
    RungeKuttaTableau tableau_;
    double parameter_ = 0; ///< of the member in tableau_; 0: that of the catalogue
    bool endsInLastStage_ = false;
    std::vector<double> errorWeights_;
    std::vector<double> rates_; ///< stage by stage
};

} // namespace

std::unique_ptr<Integrator> makeExplicitRungeKutta(std::shared_ptr<const RungeKuttaMethod> method)
{
    return std::make_unique<ExplicitRungeKutta>(std::move(method));
}

} // namespace driftless::integrate
