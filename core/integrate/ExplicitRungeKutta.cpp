// Explicit Runge-Kutta methods on F(t, y, y') = 0 of index 0 or 1: the tableau advances the differential unknowns, and at
// every stage, and at the end of the step, the rates and the algebraic unknowns are solved from F.
//
// Where the system eliminates its rates itself (EliminatedStages.h), a step of dormand-prince is written out for up to eight
// differential unknowns.
#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "core/integrate/EliminatedStages.h"
#include "core/integrate/OneStep.h"
#include "core/integrate/RungeKutta.h"
#include "core/integrate/TableauExplicit.h"

namespace driftless::integrate {
namespace {

/// A tableau that ends in its last stage, as terms of the program itself. Numbers are those of inDoubles().
struct WrittenTableau {
    static constexpr std::size_t kStages = 7;
    using Row = std::array<StageTerm, kStages>;
    std::array<Row, kStages> rows{};
    Row error{};
    std::array<std::size_t, kStages> counts{}; ///< of the terms of the rows
    std::size_t errorCount = 0;
    std::array<double, kStages> nodes{};
};

consteval WrittenTableau writtenTableau(std::string_view id)
{
    WrittenTableau out;
    for (const ExactTableau& exact : kExplicitTableaus) {
        if (exact.id != id)
            continue;
        const auto value = [](const Surd& s) { return static_cast<double>(s.p) / static_cast<double>(s.pd); };
        for (std::size_t i = 0; i < WrittenTableau::kStages; ++i) {
            out.nodes[i] = value(exact.c[i]);
            for (std::size_t j = 0; j < i; ++j)
                if (exact.a[i][j].p != 0)
                    out.rows[i][out.counts[i]++] = {static_cast<int>(j), value(exact.a[i][j])};
            if (const double weight = value(exact.b[i]) - value(exact.embedded[i]); weight != 0)
                out.error[out.errorCount++] = {static_cast<int>(i), weight};
        }
    }
    return out;
}

constexpr WrittenTableau kDormandPrince = writtenTableau("dormand-prince");

/// The weights d_i of the method's continuous extension.
constexpr StageTerm kFourthDegree[] = {{0, -12715105075.0 / 11282082432.0}, {2, 87487479700.0 / 32700410799.0},
                                       {3, -10690763975.0 / 1880347072.0},  {4, 701980252875.0 / 199316789632.0},
                                       {5, -1453857185.0 / 822651844.0},    {6, 69997945.0 / 29380423.0}};

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
        isDormandPrince_ = method_->info.id == "dormand-prince";
        listTerms();
    }

    /// The cubic polynomial, of dormand-prince with its term of degree four; where nothing is integrated, steps are as long as
    /// can be, and all unknowns are solved from F.
    void interpolate(double t, std::span<double> y) const override
    {
        OneStepIntegrator::interpolate(t, y);
        if (lastStep() == 0 || t == this->t())
            return;
        if (integrated().size() > 0) {
            if (isDormandPrince_)
                addFourthDegree((t - stepStart()) / lastStep(), y);
            return;
        }
        std::copy(yp_.begin(), yp_.end(), betweenRates_.begin());
        std::copy(y.begin(), y.end(), between_.begin());
        if (solveBetween(t, between_.data(), betweenRates_.data()))
            std::copy(between_.begin(), between_.end(), y.begin());
    }
    /// Dummies are no better than the cubic.
    int insideDegree() const override
    {
        constexpr int kFourth = 4;
        if (integrated().size() == 0)
            return kExact;
        const auto isDummy = [](const solve::UnknownRole& role) { return !role.differential && role.indexOrder == 0; };
        return isDormandPrince_ && std::ranges::none_of(system().roles(), isDummy) ? kFourth : kCubic;
    }

private:
    static constexpr std::size_t kStride = EliminatedStages::kWrittenStride;

    const IntegratedUnknowns& integrated() const { return stages_.integrated(); }
    /// Fixed steps keep the general solver, and their digits.
    bool takesEliminated() const override { return method_->info.adaptive; }
    double errorNorm() const override { return errorOfStep_; }

    void allocate() override
    {
        stages_.allocate(system().roles(), tableau_.stages, eliminatedRoom(), isDormandPrince_ ? kStride : 0);
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
        sumStages(terms, stages_.rates(), stages_.stride(), integrated().size(), sum_.data());
        for (std::size_t k = 0; k < integrated().size(); ++k)
            yNew_[integrated()[k]] = y_[integrated()[k]] + h * sum_[k];
    }

    double timeOf(std::size_t i, double tEnd, double h) const { return tableau_.c[i] == 1 ? tEnd : t() + tableau_.c[i] * h; }

    solve::NewtonResult attempt(double tEnd, double h) override
    {
        const std::size_t s = tableau_.stages;
        if (method_->member && options().parameter != parameter_) {
            parameter_ = options().parameter;
            method_->member(parameter_ == 0 ? method_->info.parameter.usual : parameter_, tableau_);
            listTerms();
        }
        if (eliminates() && !cancelled()) {
            if (attemptEliminated(tEnd, h))
                return {};
            stagesUnsuited();
        }
        std::copy(y_.begin(), y_.end(), yNew_.begin());
        std::copy(yp_.begin(), yp_.end(), ypNew_.begin());
        integrated().gather(yp_.data(), stages_.stage(0));
        for (std::size_t i = 1; i < s; ++i) {
            combine(rows_[i], h);
            const auto result = solveRates(timeOf(i, tEnd, h), yNew_.data(), ypNew_.data());
            if (result.status != solve::NewtonStatus::Converged)
                return result;
            integrated().gather(ypNew_.data(), stages_.stage(i));
        }
        if (!endsInLastStage_) {
            combine(end_, h);
            const auto result = solveRates(tEnd, yNew_.data(), ypNew_.data());
            if (result.status != solve::NewtonStatus::Converged)
                return result;
        }
        if (!errorWeights_.empty())
            estimateError(h);
        estimateAlgebraicRates(h);
        return {};
    }

    /// False where some stage is to be left to the general solver: then nothing has happened but counting.
    bool attemptEliminated(double tEnd, double h)
    {
        const auto step = [&](auto pairs) { return writtenOut<pairs()>(tEnd, h); };
        if (const auto done = isDormandPrince_ ? stages_.writtenOut(step) : std::nullopt)
            return *done;
        const std::size_t s = tableau_.stages;
        stages_.begin(y_.data(), yp_.data());
        for (std::size_t i = 1; i < s; ++i) {
            stages_.advance(rows_[i], h);
            const bool judged = (endsInLastStage_ && i + 1 == s) || doubtsStages();
            if (!system().eliminatedRates(timeOf(i, tEnd, h), stages_.to(), stages_.stage(i), judged))
                return false;
        }
        if (!endsInLastStage_) {
            stages_.advance(end_, h);
            if (!system().eliminatedRates(tEnd, stages_.to(), stages_.stage(s), true))
                return false;
        }
        if (!errorWeights_.empty()) {
            sumStages(errorTerms_, stages_.rates(), stages_.stride(), stages_.size(), sum_.data());
            normOf(sum_.data(), h);
        }
        countEliminated(statistics_, endsInLastStage_ ? s - 1 : s);
        stages_.finish(stages_.stage(endsInLastStage_ ? s - 1 : s), h, y_.data(), yNew_.data(), ypNew_.data());
        return true;
    }

    template <std::size_t kPairs>
    bool writtenOut(double tEnd, double h)
    {
        constexpr std::size_t kLast = WrittenTableau::kStages - 1;
        stages_.begin(y_.data(), yp_.data());
        const double t0 = t();
        double* const rates = stages_.stage(0);
        double* const to = stages_.to();
        const double* const from = stages_.from();
        solve::DaeSystem& system = this->system();
        const bool doubted = doubtsStages();
        const auto stage = [&]<std::size_t kStage>(std::integral_constant<std::size_t, kStage>) {
            constexpr const WrittenTableau::Row& row = kDormandPrince.rows[kStage];
            constexpr double kNode = kDormandPrince.nodes[kStage];
            advancePairs<kPairs, kDormandPrince.counts[kStage]>(row.data(), 0, rates, kStride, from, h, to);
            return system.eliminatedRates(kNode == 1 ? tEnd : t0 + kNode * h, to, rates + kStage * kStride,
                                          kStage == kLast || doubted);
        };
        const bool solved = [&]<std::size_t... kBefore>(std::index_sequence<kBefore...>)
        {
            return (stage(std::integral_constant<std::size_t, kBefore + 1>{}) && ...);
        }
        (std::make_index_sequence<kLast>{});
        if (!solved)
            return false;
        NumberPair sums[kPairs];
        sumPairs<kPairs, kDormandPrince.errorCount>(kDormandPrince.error.data(), 0, rates, kStride, sums);
        double errors[2 * kPairs];
        std::memcpy(errors, sums, sizeof errors);
        normOf(errors, h);
        countEliminated(statistics_, kLast);
        stages_.finish(rates + kLast * kStride, h, y_.data(), yNew_.data(), ypNew_.data());
        return true;
    }

    /// Of h times the sums, in tolerances.
    void normOf(const double* sums, double h)
    {
        double squares = 0;
        for (std::size_t k = 0; k < stages_.size(); ++k) {
            const double share = h * sums[k] / tolerated(k, stages_.from()[k], stages_.to()[k]);
            squares += share * share;
        }
        errorOfStep_ = stages_.size() > 0 ? std::sqrt(squares / static_cast<double>(stages_.size())) : 0;
    }

    /// s^2 (1 - s)^2 h sum_i d_i k_i with the stages of the last step: then the polynomial is of order four ([HNW] II.6).
    void addFourthDegree(double s, std::span<double> y) const
    {
        const double factor = s * s * (1 - s) * (1 - s) * lastStep();
        for (std::size_t k = 0; k < integrated().size(); ++k) {
            double sum = 0;
            for (const StageTerm& term : kFourthDegree)
                sum += term.weight * stages_.rates()[static_cast<std::size_t>(term.stage) * stages_.stride() + k];
            y[integrated()[k]] += factor * sum;
        }
    }

    /// At the end of a step in yNew_.
    void estimateError(double h)
    {
        sumStages(errorTerms_, stages_.rates(), stages_.stride(), integrated().size(), sum_.data());
        for (std::size_t k = 0; k < integrated().size(); ++k)
            error_[integrated()[k]] = h * sum_[k];
        errorOfStep_ = weightedNorm(error_);
    }

    std::shared_ptr<const RungeKuttaMethod> method_;
    RungeKuttaTableau tableau_;
    double parameter_ = 0; ///< of the member in tableau_; 0: that of the catalogue
    bool endsInLastStage_ = false, isDormandPrince_ = false;
    double errorOfStep_ = 0; ///< of the last attempt, in tolerances
    std::vector<double> errorWeights_;
    std::vector<std::vector<StageTerm>> rows_; ///< of the tableau, stage by stage
    std::vector<StageTerm> end_, errorTerms_;
    EliminatedStages stages_;
    std::vector<double> sum_;
    mutable std::vector<double> between_, betweenRates_; ///< what dense output works in
};

} // namespace

std::unique_ptr<Integrator> makeExplicitRungeKutta(std::shared_ptr<const RungeKuttaMethod> method)
{
    return std::make_unique<ExplicitRungeKutta>(std::move(method));
}

} // namespace driftless::integrate
