// Explicit Runge-Kutta methods on F(t, y, y') = 0 of index 0 or 1: the tableau advances the differential unknowns, and at
// every stage the rates and the algebraic unknowns are solved from F.
#include <algorithm>

#include "core/integrate/Leaves.h"
#include "core/integrate/OneStep.h"
#include "core/integrate/Tableau.h"

namespace driftless::integrate {
namespace {

template <const auto& kTable>
class ExplicitRungeKutta final : public OneStepIntegrator {
public:
    explicit ExplicitRungeKutta(const IntegratorInfo& info) : OneStepIntegrator(info) {}

private:
    static constexpr int kStages = kTable.kStages;

    void allocate() override
    {
        for (auto& k : rates_)
            k.resize(size());
    }

    /// yNew_ = y_ + h sum_j weights_j k_j in the differential unknowns.
    void combine(const std::array<double, kTable.kStages>& weights, int stages, double h)
    {
        const auto roles = system().roles();
        for (std::size_t i = 0; i < size(); ++i) {
            if (!roles[i].differential)
                continue;
            double sum = 0;
            for (int j = 0; j < stages; ++j)
                sum += weights[static_cast<std::size_t>(j)] * rates_[static_cast<std::size_t>(j)][i];
            yNew_[i] = y_[i] + h * sum;
        }
    }

    solve::NewtonResult attempt(double tEnd, double h) override
    {
        const double t0 = t();
        std::copy(y_.begin(), y_.end(), yNew_.begin());
        std::copy(yp_.begin(), yp_.end(), ypNew_.begin());
        std::copy(yp_.begin(), yp_.end(), rates_[0].begin());
        for (std::size_t s = 1; s < kStages; ++s) {
            combine(kTable.a[s], static_cast<int>(s), h);
            const double ts = kTable.c[s] == 1 ? tEnd : t0 + kTable.c[s] * h;
            const auto result = solveRates(ts, yNew_.data(), ypNew_.data());
            if (result.status != solve::NewtonStatus::Converged)
                return result;
            std::copy(ypNew_.begin(), ypNew_.end(), rates_[s].begin());
        }
        if constexpr (kTable.embeddedOrder > 0)
            estimateError(h);
        if constexpr (!kTable.firstSameAsLast) {
            combine(kTable.b, kStages, h);
            const auto result = solveRates(tEnd, yNew_.data(), ypNew_.data());
            if (result.status != solve::NewtonStatus::Converged)
                return result;
        }
        estimateAlgebraicRates(h);
        return {};
    }

    void estimateError(double h)
    {
        for (std::size_t i = 0; i < size(); ++i) {
            double sum = 0;
            for (std::size_t j = 0; j < kStages; ++j)
                sum += (kTable.b[j] - kTable.bEmbedded[j]) * rates_[j][i];
            error_[i] = h * sum;
        }
    }

    std::array<std::vector<double>, kTable.kStages> rates_;
};

} // namespace

std::unique_ptr<Integrator> makeClassicalFour(const IntegratorInfo& info)
{
    return std::make_unique<ExplicitRungeKutta<kClassicalFour>>(info);
}

std::unique_ptr<Integrator> makeDormandPrince(const IntegratorInfo& info)
{
    return std::make_unique<ExplicitRungeKutta<kDormandPrince>>(info);
}

} // namespace driftless::integrate
