// Dormand and Prince, order 8 (TableauDop853.h), on F(t, y, y') = 0 of index 0 or 1: at every stage the rates and the algebraic
// unknowns are solved from F, as for the other explicit methods.
//
// The error of a step, with E_5 and E_3 the norms of both estimates in tolerances (Hairer, Norsett, Wanner, (II.10.17)):
//
//   E = E_5^2 / sqrt(E_5^2 + 0.01 E_3^2)
//
// which is O(h^8). The three stages of the continuous extension are made when it is asked for, once a step. It is a polynomial
// in the differential unknowns; the algebraic ones are solved from F at the time that is asked for.
//
// Where the system eliminates its rates itself, a step is written out for up to eight differential unknowns
// (EliminatedStages.h).
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/integrate/EliminatedStages.h"
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
        const std::size_t d = integrated().size();
        OneStepIntegrator::interpolate(t, y); // where F starts from
        for (std::size_t k = 0; k < d; ++k) {
            const double* const c = &extension_[8 * k];
            y[integrated()[k]] = c[0] + s * (c[1] + z * (c[2] + s * (c[3] + z * (c[4] + s * (c[5] + z * (c[6] + s * c[7]))))));
        }
        if (d == size())
            return;
        guess(t);
        std::copy(y.begin(), y.end(), between_.begin());
        if (solveBetween(t, between_.data(), betweenRates_.data()))
            std::copy(between_.begin(), between_.end(), y.begin());
    }

    int insideDegree() const override { return 7; }

private:
    static constexpr std::size_t kStride = EliminatedStages::kWrittenStride;

    const IntegratedUnknowns& integrated() const { return stages_.integrated(); }

    void allocate() override
    {
        const std::size_t n = size();
        stages_.allocate(system().roles(), dop853::kAll, eliminatedRoom(), kStride);
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

    bool takesEliminated() const override { return true; }
    int errorOrder() const override { return 8; }
    /// Half of what lower orders have: with 0.04 steps settle at a seventh of the tolerance, with 0.02 at a third, and without
    /// at 0.43 of it.
    double integralGain() const override { return 0.02; }
    double errorNorm() const override { return errorOfStep_; }

    /// From the mean squares of both estimates in tolerances.
    static double errorFrom(double fifth, double third)
    {
        const double both = fifth + 0.01 * third;
        return both > 0 ? fifth / std::sqrt(both) : fifth; // not a number stays so
    }

    /// from + h sum a_ij k_j into the differential unknowns of y.
    void place(std::size_t i, const std::vector<double>& from, double h, std::vector<double>& y) const
    {
        const std::size_t d = integrated().size();
        sumStages(rows_[i], stages_.rates(), stages_.stride(), d, sum_.data());
        for (std::size_t k = 0; k < d; ++k)
            y[integrated()[k]] = from[integrated()[k]] + h * sum_[k];
    }

    static double timeOf(std::size_t i, double t0, double h, double tEnd)
    {
        return dop853::kNodes[i] == 1 ? tEnd : t0 + dop853::kNodes[i] * h;
    }

    solve::NewtonResult attempt(double tEnd, double h) override
    {
        if (eliminates() && !cancelled()) {
            if (attemptEliminated(tEnd, h))
                return {};
            stagesUnsuited();
        }
        const double t0 = t();
        std::copy(y_.begin(), y_.end(), yNew_.begin());
        std::copy(yp_.begin(), yp_.end(), ypNew_.begin());
        integrated().gather(yp_.data(), stages_.stage(0));
        for (std::size_t i = 1; i < dop853::kStages; ++i) {
            place(i, y_, h, yNew_);
            const auto result = solveRates(timeOf(i, t0, h, tEnd), yNew_.data(), ypNew_.data());
            if (result.status != solve::NewtonStatus::Converged)
                return result;
            integrated().gather(ypNew_.data(), stages_.stage(i));
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
        const std::size_t d = integrated().size();
        const auto sumOf = [&](const auto& row) { sumStages(termsOf(row), stages_.rates(), stages_.stride(), d, sum_.data()); };
        for (std::size_t k = 0; k < d; ++k)
            third_[integrated()[k]] = h * sum_[k];
        sumOf(dop853::kThird);
        for (std::size_t k = 0; k < d; ++k)
            third_[integrated()[k]] -= h * sum_[k];
        sumOf(dop853::kFifth);
        for (std::size_t k = 0; k < d; ++k)
            error_[integrated()[k]] = h * sum_[k];
        const double fifth = weightedNorm(error_), third = weightedNorm(third_);
        errorOfStep_ = errorFrom(fifth * fifth, third * third);
    }

    /// False where some stage is to be left to the general solver: then nothing has happened but counting.
    bool attemptEliminated(double tEnd, double h)
    {
        const auto step = [&](auto pairs) { return writtenOut<pairs()>(tEnd, h); };
        if (const auto done = stages_.writtenOut(step))
            return *done;
        stages_.begin(y_.data(), yp_.data());
        for (std::size_t i = 1; i < dop853::kStages; ++i) {
            stages_.advance(rows_[i], h);
            if (!system().eliminatedRates(timeOf(i, t(), h, tEnd), stages_.to(), stages_.stage(i), doubtsStages()))
                return false;
        }
        // Both estimates, each as a difference to the start, and then the end.
        double fifth = 0, third = 0;
        const std::size_t d = stages_.size(), stride = stages_.stride();
        sumStages(termsOf(dop853::kFifth), stages_.rates(), stride, d, sum_.data());
        std::copy_n(sum_.begin(), d, between_.begin());
        sumStages(termsOf(dop853::kThird), stages_.rates(), stride, d, sum_.data());
        std::copy_n(sum_.begin(), d, betweenRates_.begin());
        sumStages(rows_[dop853::kEnd], stages_.rates(), stride, d, sum_.data());
        for (std::size_t k = 0; k < d; ++k) {
            const double from = stages_.from()[k], to = from + h * sum_[k], limit = tolerated(k, from, to);
            stages_.to()[k] = to;
            const double five = h * between_[k] / limit, three = h * (sum_[k] - betweenRates_[k]) / limit;
            fifth += five * five;
            third += three * three;
        }
        return endEliminated(tEnd, h, fifth, third);
    }

    template <std::size_t kPairs>
    bool writtenOut(double tEnd, double h)
    {
        stages_.begin(y_.data(), yp_.data());
        const double t0 = t();
        double* const rates = stages_.stage(0);
        double* const to = stages_.to();
        const double* const from = stages_.from();
        solve::DaeSystem& system = this->system();
        const bool doubted = doubtsStages();
        const auto stage = [&]<std::size_t kStage>(std::integral_constant<std::size_t, kStage>) {
            constexpr const dop853::Row& row = dop853::kRows[kStage];
            advancePairs<kPairs, termsOf(row).size()>(row.data(), 0, rates, kStride, from, h, to);
            return system.eliminatedRates(timeOf(kStage, t0, h, tEnd), to, rates + kStage * kStride, doubted);
        };
        const bool solved = [&]<std::size_t... kBefore>(std::index_sequence<kBefore...>)
        {
            return (stage(std::integral_constant<std::size_t, kBefore + 1>{}) && ...);
        }
        (std::make_index_sequence<dop853::kStages - 1>{});
        if (!solved)
            return false;
        NumberPair end[kPairs], five[kPairs], three[kPairs];
        constexpr const dop853::Row& row = dop853::kRows[dop853::kEnd];
        sumPairs<kPairs, termsOf(row).size()>(row.data(), 0, rates, kStride, end);
        sumPairs<kPairs, termsOf(dop853::kFifth).size()>(dop853::kFifth.data(), 0, rates, kStride, five);
        sumPairs<kPairs, termsOf(dop853::kThird).size()>(dop853::kThird.data(), 0, rates, kStride, three);
        double fifth = 0, third = 0;
        for (std::size_t k = 0; k < stages_.size(); ++k) {
            const double begin = from[k], there = begin + h * end[k / 2][k % 2], limit = tolerated(k, begin, there);
            to[k] = there;
            const double e = h * five[k / 2][k % 2] / limit;
            const double f = h * (end[k / 2][k % 2] - three[k / 2][k % 2]) / limit;
            fifth += e * e;
            third += f * f;
        }
        return endEliminated(tEnd, h, fifth, third);
    }

    /// The sums of the squares of both estimates in tolerances; the rates at the end, with which the step is judged.
    bool endEliminated(double tEnd, double h, double fifth, double third)
    {
        const auto count = static_cast<double>(stages_.size());
        errorOfStep_ = stages_.size() ? errorFrom(fifth / count, third / count) : 0;
        countEliminated(statistics_, dop853::kStages - 1);
        if (!(errorOfStep_ <= 1))
            return true;
        double* const last = stages_.stage(dop853::kEnd);
        if (!system().eliminatedRates(tEnd, stages_.to(), last, true))
            return false;
        countEliminated(statistics_, 1);
        stages_.finish(last, h, y_.data(), yNew_.data(), ypNew_.data());
        return true;
    }

    /// Where F starts from inside of the last step: from its end, dummies may come to the other side of a joint.
    void guess(double t) const
    {
        OneStepIntegrator::interpolate(t, between_);
        const double s = (t - stepStart()) / lastStep();
        for (std::size_t i = 0; i < size(); ++i)
            betweenRates_[i] = (1 - s) * ypNew_[i] + s * yp_[i];
    }

    /// The polynomial of the last step, from yNew_, ypNew_ at its start to y_, yp_ at its end.
    bool extend() const
    {
        if (extended_ != Extension::None)
            return extended_ == Extension::Made;
        extended_ = Extension::Failed;
        const double h = lastStep();
        const std::size_t d = integrated().size();
        integrated().gather(yp_.data(), stages_.stage(dop853::kEnd));
        for (std::size_t i = dop853::kEnd + 1; i < dop853::kAll; ++i) {
            guess(stepStart() + dop853::kNodes[i] * h);
            place(i, yNew_, h, between_);
            if (!solveBetween(stepStart() + dop853::kNodes[i] * h, between_.data(), betweenRates_.data()))
                return false;
            integrated().gather(betweenRates_.data(), stages_.stage(i));
        }
        for (std::size_t k = 0; k < d; ++k) {
            const std::size_t i = integrated()[k];
            const double difference = y_[i] - yNew_[i], bend = h * ypNew_[i] - difference;
            const double ends[]{yNew_[i], difference, bend, difference - h * yp_[i] - bend};
            std::copy(std::begin(ends), std::end(ends), &extension_[8 * k]);
        }
        for (std::size_t m = 0; m < dop853::kDense.size(); ++m) {
            sumStages(termsOf(dop853::kDense[m]), stages_.rates(), stages_.stride(), d, sum_.data());
            for (std::size_t k = 0; k < d; ++k)
                extension_[8 * k + 4 + m] = h * sum_[k];
        }
        extended_ = Extension::Made;
        return true;
    }

    enum class Extension { None, Made, Failed };

    std::array<std::span<const StageTerm>, dop853::kAll> rows_{};
    std::vector<double> third_; ///< the estimate of order 3
    double errorOfStep_ = 0;    ///< of the last attempt
    // Stages and what dense output works in: made anew from the last step whenever they are needed.
    mutable EliminatedStages stages_;
    mutable std::vector<double> sum_;
    mutable std::vector<double> extension_; ///< eight coefficients for each differential unknown
    mutable std::vector<double> between_, betweenRates_;
    mutable Extension extended_ = Extension::None;
};

} // namespace

std::unique_ptr<Integrator> makeDop853(const IntegratorInfo& info) { return std::make_unique<Dop853>(info); }

} // namespace driftless::integrate
