// Dormand and Prince, order 8 (TableauDop853.h), on F(t, y, y') = 0 of index 0 or 1: at every stage the rates and the algebraic
// unknowns are solved from F, as for the other explicit methods.
//
// The error of a step, with E_5 and E_3 the norms of both estimates in tolerances (Hairer, Norsett, Wanner, (II.10.17)):
//
//   E = E_5^2 / sqrt(E_5^2 + 0.01 E_3^2)
//
// which is O(h^8). The three stages of the continuous extension are made when it is asked for, once a step. It is a polynomial
// in the differential unknowns; the algebraic ones are solved from F at the time that is asked for.
#include <algorithm>
#include <cmath>

#include "core/integrate/Makers.h"
#include "core/integrate/OneStep.h"
#include "core/integrate/TableauDop853.h"

namespace driftless::integrate {
namespace {

class Dop853 final : public OneStepIntegrator {
public:
    explicit Dop853(const IntegratorInfo& info) : OneStepIntegrator(info) {}

    void interpolate(double t, std::span<double> y) const override
    {
        if (lastStep() == 0 || t == this->t() || !extend())
            return OneStepIntegrator::interpolate(t, y);
        const double s = (t - stepStart()) / lastStep(), z = 1 - s;
        const std::size_t d = integrated_.size();
        for (std::size_t i = 0; i < size(); ++i)
            y[i] = z * yNew_[i] + s * y_[i]; // where F starts from
        for (std::size_t k = 0; k < d; ++k) {
            const double* const c = &extension_[8 * k];
            y[integrated_[k]] = c[0] + s * (c[1] + z * (c[2] + s * (c[3] + z * (c[4] + s * (c[5] + z * (c[6] + s * c[7]))))));
        }
        if (d == size())
            return;
        std::copy(yp_.begin(), yp_.end(), betweenRates_.begin());
        std::copy(y.begin(), y.end(), between_.begin());
        if (solveBetween(t, between_.data(), betweenRates_.data()))
            std::copy(between_.begin(), between_.end(), y.begin());
    }

    int insideDegree() const override { return 7; }

private:
    void allocate() override
    {
        integrated_.take(system().roles());
        const std::size_t n = size();
        rates_.resize(dop853::kAll * n);
        sum_.resize(n);
        third_.assign(n, 0.0);
        extension_.resize(8 * n);
        between_.resize(n);
        betweenRates_.resize(n);
        for (std::size_t i = 0; i < dop853::kAll; ++i)
            rows_[i] = termsOf(dop853::kRows[i]);
        extended_ = Extension::None;
    }
    void forget() override { extended_ = Extension::None; }
    void accepted(double) override { extended_ = Extension::None; }

    bool correctsRates() const override { return true; }
    int errorOrder() const override { return 8; }

    double errorNorm() const override
    {
        const double fifth = weightedNorm(error_), third = weightedNorm(third_);
        const double both = fifth * fifth + 0.01 * third * third;
        return both > 0 ? fifth * fifth / std::sqrt(both) : fifth; // not a number stays so
    }

    double* stage(std::size_t i) { return &rates_[i * integrated_.size()]; }

    /// from + h sum a_ij k_j into the differential unknowns of y.
    void place(std::size_t i, const std::vector<double>& from, double h, std::vector<double>& y) const
    {
        const std::size_t d = integrated_.size();
        sumStages(rows_[i], rates_.data(), d, sum_.data());
        for (std::size_t k = 0; k < d; ++k)
            y[integrated_[k]] = from[integrated_[k]] + h * sum_[k];
    }

    solve::NewtonResult attempt(double tEnd, double h) override
    {
        const double t0 = t();
        std::copy(y_.begin(), y_.end(), yNew_.begin());
        std::copy(yp_.begin(), yp_.end(), ypNew_.begin());
        integrated_.gather(yp_.data(), stage(0));
        for (std::size_t i = 1; i < dop853::kStages; ++i) {
            place(i, y_, h, yNew_);
            const auto result =
                solveRates(dop853::kNodes[i] == 1 ? tEnd : t0 + dop853::kNodes[i] * h, yNew_.data(), ypNew_.data());
            if (result.status != solve::NewtonStatus::Converged)
                return result;
            integrated_.gather(ypNew_.data(), stage(i));
        }
        place(dop853::kEnd, y_, h, yNew_);
        estimateErrors(h);
        if (errorNorm() <= 1) {
            const auto result = solveRates(tEnd, yNew_.data(), ypNew_.data());
            if (result.status != solve::NewtonStatus::Converged)
                return result;
            estimateAlgebraicRates(h);
        }
        return {};
    }

    /// Behind the end's place(), which leaves sum b_i k_i.
    void estimateErrors(double h)
    {
        const std::size_t d = integrated_.size();
        for (std::size_t k = 0; k < d; ++k)
            third_[integrated_[k]] = h * sum_[k];
        sumStages(termsOf(dop853::kThird), rates_.data(), d, sum_.data());
        for (std::size_t k = 0; k < d; ++k)
            third_[integrated_[k]] -= h * sum_[k];
        sumStages(termsOf(dop853::kFifth), rates_.data(), d, sum_.data());
        for (std::size_t k = 0; k < d; ++k)
            error_[integrated_[k]] = h * sum_[k];
    }

    /// The polynomial of the last step, from yNew_, ypNew_ at its start to y_, yp_ at its end.
    bool extend() const
    {
        if (extended_ != Extension::None)
            return extended_ == Extension::Made;
        extended_ = Extension::Failed;
        const double h = lastStep();
        const std::size_t d = integrated_.size();
        integrated_.gather(yp_.data(), &rates_[dop853::kEnd * d]);
        std::copy(y_.begin(), y_.end(), between_.begin());
        std::copy(yp_.begin(), yp_.end(), betweenRates_.begin());
        for (std::size_t i = dop853::kEnd + 1; i < dop853::kAll; ++i) {
            place(i, yNew_, h, between_);
            if (!solveBetween(stepStart() + dop853::kNodes[i] * h, between_.data(), betweenRates_.data()))
                return false;
            integrated_.gather(betweenRates_.data(), &rates_[i * d]);
        }
        for (std::size_t k = 0; k < d; ++k) {
            const std::size_t i = integrated_[k];
            const double difference = y_[i] - yNew_[i], bend = h * ypNew_[i] - difference;
            const double ends[]{yNew_[i], difference, bend, difference - h * yp_[i] - bend};
            std::copy(std::begin(ends), std::end(ends), &extension_[8 * k]);
        }
        for (std::size_t m = 0; m < dop853::kDense.size(); ++m) {
            sumStages(termsOf(dop853::kDense[m]), rates_.data(), d, sum_.data());
            for (std::size_t k = 0; k < d; ++k)
                extension_[8 * k + 4 + m] = h * sum_[k];
        }
        extended_ = Extension::Made;
        return true;
    }

    enum class Extension { None, Made, Failed };

    IntegratedUnknowns integrated_;
    std::array<std::span<const StageTerm>, dop853::kAll> rows_{};
    std::vector<double> third_; ///< the estimate of order 3
    // Stages and what dense output works in: made anew from the last step whenever they are needed.
    mutable std::vector<double> rates_; ///< stage by stage
    mutable std::vector<double> sum_;
    mutable std::vector<double> extension_; ///< eight coefficients for each differential unknown
    mutable std::vector<double> between_, betweenRates_;
    mutable Extension extended_ = Extension::None;
};

} // namespace

std::unique_ptr<Integrator> makeDop853(const IntegratorInfo& info) { return std::make_unique<Dop853>(info); }

} // namespace driftless::integrate
