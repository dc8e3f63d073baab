// Explicit Runge-Kutta methods on F(t, y, y') = 0 of index 0 or 1: the tableau advances the differential unknowns, and at
// every stage, and at the end of the step, the rates and the algebraic unknowns are solved from F.
#include <algorithm>

#include "core/integrate/OneStep.h"
#include "core/integrate/RungeKutta.h"
#include "core/integrate/StageSums.h"

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
        listTerms();
    }

    /// The cubic polynomial; where nothing is integrated, steps are as long as can be, and all unknowns are solved from F.
    void interpolate(double t, std::span<double> y) const override
    {
        OneStepIntegrator::interpolate(t, y);
        if (lastStep() == 0 || t == this->t() || integrated_.size() > 0)
            return;
        std::copy(yp_.begin(), yp_.end(), betweenRates_.begin());
        std::copy(y.begin(), y.end(), between_.begin());
        if (solveBetween(t, between_.data(), betweenRates_.data()))
            std::copy(between_.begin(), between_.end(), y.begin());
    }
    int insideDegree() const override { return integrated_.size() == 0 ? kExact : kCubic; }

private:
    void allocate() override
    {
        integrated_.take(system().roles());
        rates_.resize(tableau_.stages * size());
        for (auto* v : {&sum_, &between_, &betweenRates_})
            v->resize(size());
    }

    void listTerms()
    {
        const std::size_t s = tableau_.stages;
        rows_.resize(s);
        for (std::size_t i = 0; i < s; ++i)
            rows_[i] = termsOf(&tableau_.a[i * s], i);
        end_ = termsOf(tableau_.b.data(), s);
        errorTerms_ = termsOf(errorWeights_.data(), errorWeights_.size());
    }

    /// The estimate is that of the weaker of the two rules.
    int errorOrder() const override { return std::min(method_->tableau.order, method_->tableau.embeddedOrder) + 1; }

    /// yNew_ = y_ + h sum_j weights_j k_j in the differential unknowns.
    void combine(const std::vector<StageTerm>& terms, double h)
    {
        sumStages(terms, rates_.data(), integrated_.size(), sum_.data());
        for (std::size_t k = 0; k < integrated_.size(); ++k)
            yNew_[integrated_[k]] = y_[integrated_[k]] + h * sum_[k];
    }

    solve::NewtonResult attempt(double tEnd, double h) override
    {
        const double t0 = t();
        const std::size_t s = tableau_.stages;
        if (method_->member && options().parameter != parameter_) {
            parameter_ = options().parameter;
            method_->member(parameter_ == 0 ? method_->info.parameter.usual : parameter_, tableau_);
            listTerms();
        }
        std::copy(y_.begin(), y_.end(), yNew_.begin());
        std::copy(yp_.begin(), yp_.end(), ypNew_.begin());
        integrated_.gather(yp_.data(), rates_.data());
        for (std::size_t i = 1; i < s; ++i) {
            combine(rows_[i], h);
            const double ts = tableau_.c[i] == 1 ? tEnd : t0 + tableau_.c[i] * h;
            const auto result = solveRates(ts, yNew_.data(), ypNew_.data());
            if (result.status != solve::NewtonStatus::Converged)
                return result;
            integrated_.gather(ypNew_.data(), &rates_[i * integrated_.size()]);
        }
        if (!errorWeights_.empty())
            estimateError(h);
        if (!endsInLastStage_) {
            combine(end_, h);
            const auto result = solveRates(tEnd, yNew_.data(), ypNew_.data());
            if (result.status != solve::NewtonStatus::Converged)
                return result;
        }
        estimateAlgebraicRates(h);
        return {};
    }

    void estimateError(double h)
    {
        sumStages(errorTerms_, rates_.data(), integrated_.size(), sum_.data());
        for (std::size_t k = 0; k < integrated_.size(); ++k)
            error_[integrated_[k]] = h * sum_[k];
    }

    std::shared_ptr<const RungeKuttaMethod> method_;
    RungeKuttaTableau tableau_;
    double parameter_ = 0; ///< of the member in tableau_; 0: that of the catalogue
    bool endsInLastStage_ = false;
    std::vector<double> errorWeights_;
    std::vector<std::vector<StageTerm>> rows_; ///< of the tableau, stage by stage
    std::vector<StageTerm> end_, errorTerms_;
    IntegratedUnknowns integrated_;
    std::vector<double> rates_, sum_;                    ///< stage by stage
    mutable std::vector<double> between_, betweenRates_; ///< what dense output works in
};

} // namespace

std::unique_ptr<Integrator> makeExplicitRungeKutta(std::shared_ptr<const RungeKuttaMethod> method)
{
    return std::make_unique<ExplicitRungeKutta>(std::move(method));
}

} // namespace driftless::integrate
