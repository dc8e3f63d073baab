// Adams-Bashforth-Moulton of orders 1 to 12 and variable step, in modified divided differences, predictor and corrector
// evaluated (PECE), on F(t, y, y') = 0 of index 0 or 1: rates and algebraic unknowns are solved from F twice a step.
//
// f_n rates of the differential unknowns at t_n; k order of the predictor; h = t_{n+1} - t_n (Krogh 1974; Hairer, Norsett,
// Wanner, Solving ODEs I, (III.5.5)-(III.5.15)):
//
//   phi_0(n) = f_n,  phi_{j+1}(n) = phi_j(n) - beta_j(n-1) phi_j(n-1)
//   beta_0 = 1,  beta_j(n) = beta_{j-1}(n) (t_{n+1} - t_{n-j+1}) / (t_n - t_{n-j})
//   g_j = c_j1,  c_0q = 1/q,  c_1q = 1/(q (q + 1)),  c_jq = c_{j-1,q} - c_{j-1,q+1} h / (t_{n+1} - t_{n-j+1})
//   p   = y_n + h sum_{j<k} g_j beta_j phi_j(n)
//   y_{n+1} = p + h g_k phi_k^p,  phi_k^p = f(p) - sum_{j<k} beta_j phi_j(n)
//
// y_{n+1} has order k + 1; the error that is tested is that of order k, h (g_k - g_{k-1}) phi_k^p. Order and step are chosen as
// by Shampine and Gordon (Computer Solution of ODEs, 1975): steps are doubled or kept, so that past steps are of one length
// most of the time, and cut by a half to nine tenths. Dense output is their polynomial through f_{n+1}, ..., f_{n+1-k}; it
// gives the differential unknowns, and the algebraic ones are solved from F at its values. What is past are rates alone: a
// projection after a step does no harm.
#include <algorithm>
#include <array>
#include <cmath>

#include "core/integrate/Makers.h"
#include "core/integrate/OneStep.h"
#include "core/integrate/StageSums.h"

namespace driftless::integrate {
namespace {

constexpr std::size_t kAdamsHighest = 12;
constexpr std::size_t kDifferences = kAdamsHighest + 2; ///< phi_0, ..., phi_{k+1}

class Adams final : public OneStepIntegrator {
public:
    explicit Adams(const IntegratorInfo& info) : OneStepIntegrator(info) {}

    int currentOrder() const override { return static_cast<int>(usedOrder_); }

    void interpolate(double t, std::span<double> y) const override
    {
        if (lastStep() == 0 || t == this->t())
            return OneStepIntegrator::interpolate(t, y);
        const double s = (t - stepStart()) / lastStep();
        for (std::size_t i = 0; i < size(); ++i)
            y[i] = (1 - s) * yNew_[i] + s * y_[i]; // where F starts from
        const auto weights = integralWeights(t);
        const std::size_t d = integrated_.size();
        for (std::size_t i = 0; i < d; ++i) {
            double sum = 0;
            for (std::size_t j = usedOrder_ + 1; j-- > 0;)
                sum += weights[j] * phi_[j * d + i];
            y[integrated_[i]] = y_[integrated_[i]] + (t - this->t()) * sum;
        }
        solveAlgebraic(t, y);
    }
    int insideDegree() const override
    {
        return integrated_.size() == 0 ? kExact : std::max(kCubic, static_cast<int>(usedOrder_) + 1);
    }

private:
    using Weights = std::array<double, kDifferences + 1>;

    void allocate() override
    {
        integrated_.take(system().roles());
        phi_.resize(kDifferences * size());
        scaled_.resize(kDifferences * size());
        for (auto* v : {&slope_, &difference_, &below_, &between_, &betweenRates_})
            v->resize(size());
        fresh_ = true;
    }
    void forget() override { fresh_ = true; }
    void restarted() override { begin(); }

    bool takesEliminated() const override { return true; }
    int errorOrder() const override { return static_cast<int>(order_) + 1; }

    double* phi(std::size_t j) { return &phi_[j * integrated_.size()]; }
    double* scaled(std::size_t j) { return &scaled_[j * integrated_.size()]; }

    /// Order one, with nothing but the present rates.
    void begin()
    {
        order_ = usedOrder_ = 1;
        known_ = 1;
        steady_ = 0;
        lastH_ = 0;
        rising_ = true;
        tries_ = 0;
    }

    /// g_0, ..., g_upTo and beta_j phi_j of the step to `end`.
    void coefficients(double end, std::size_t upTo)
    {
        const double h = end - t();
        Weights c;
        for (std::size_t q = 0; q < c.size(); ++q)
            c[q] = 1.0 / static_cast<double>(q + 1);
        g_[0] = 1;
        for (std::size_t j = 1; j <= upTo; ++j) {
            for (std::size_t q = 0; q + j < c.size(); ++q)
                c[q] = j == 1 ? 1.0 / static_cast<double>((q + 1) * (q + 2)) : c[q] - c[q + 1] * h / (end - times_[j - 1]);
            g_[j] = c[0];
        }
        const std::size_t d = integrated_.size();
        double beta = 1;
        for (std::size_t j = 0; j < std::min(known_, upTo + 1); ++j) {
            if (j > 0)
                beta *= (end - times_[j - 1]) / (times_[0] - times_[j]);
            for (std::size_t i = 0; i < d; ++i)
                scaled(j)[i] = beta * phi(j)[i];
        }
    }

    /// Before the first step, after roles changed, and where failures say that the past is not smooth.
    void startFromHere()
    {
        begin();
        fresh_ = false;
        times_[0] = t();
        integrated_.gather(yp_.data(), phi(0));
    }

    solve::NewtonResult attempt(double tEnd, double h) override
    {
        const int tries = ++tries_;
        if (fresh_ || tries > kPatience) {
            startFromHere();
            tries_ = tries;
        } else if (tries > 1) {
            rising_ = false;
            if (lower_ && order_ > 1)
                --order_;
        }
        lower_ = false;
        const std::size_t k = order_, d = integrated_.size();
        coefficients(tEnd, std::min(k + 1, known_));
        std::copy(y_.begin(), y_.end(), yNew_.begin());
        std::copy(yp_.begin(), yp_.end(), ypNew_.begin());
        for (std::size_t i = 0; i < d; ++i) {
            double sum = 0, past = 0;
            for (std::size_t j = k; j-- > 0;) {
                sum += g_[j] * scaled(j)[i];
                past += scaled(j)[i];
            }
            slope_[i] = sum;
            difference_[i] = past;
            yNew_[integrated_[i]] = y_[integrated_[i]] + h * sum;
        }
        auto result = solveRates(tEnd, yNew_.data(), ypNew_.data());
        if (result.status != solve::NewtonStatus::Converged)
            return result;
        for (std::size_t i = 0; i < d; ++i) {
            difference_[i] = ypNew_[integrated_[i]] - difference_[i];
            yNew_[integrated_[i]] = y_[integrated_[i]] + h * (slope_[i] + g_[k] * difference_[i]);
        }
        estimate(h);
        if (!(errorHere_ <= 1))
            return {};
        result = solveRates(tEnd, yNew_.data(), ypNew_.data());
        estimateAlgebraicRates(h);
        return result;
    }

    /// h |g_j - g_{j-1}| times a difference, in tolerances.
    double inTolerances(std::size_t j, double h, const double* difference)
    {
        const double factor = h * (g_[j] - g_[j - 1]);
        for (std::size_t i = 0; i < integrated_.size(); ++i)
            error_[integrated_[i]] = factor * difference[i];
        return weightedNorm(error_);
    }

    /// Errors at the orders k - 2, k - 1 and k, the last into error_.
    void estimate(double h)
    {
        const std::size_t k = order_;
        double two = 0, one = 0;
        std::copy(difference_.begin(), difference_.end(), below_.begin());
        const auto raise = [this](std::size_t j) {
            for (std::size_t i = 0; i < integrated_.size(); ++i)
                below_[i] += scaled(j)[i];
        };
        if (k >= 2) {
            raise(k - 1);
            one = inTolerances(k - 1, h, below_.data());
        }
        if (k >= 3) {
            raise(k - 2);
            two = inTolerances(k - 2, h, below_.data());
        }
        errorHere_ = inTolerances(k, h, difference_.data());
        errorBelow_ = one;
        lower_ = k > 2 ? std::max(one, two) <= errorHere_ : k == 2 && one <= 0.5 * errorHere_;
    }

    /// yNew_, ypNew_ hold the state before the step; the rates at its end are those after a projection.
    void accepted(double h) override
    {
        const std::size_t k = order_, d = integrated_.size();
        const std::size_t upTo = std::min(k + 1, known_); // the differences that the past determines
        integrated_.gather(yp_.data(), slope_.data());
        for (std::size_t i = 0; i < d; ++i) {
            double value = slope_[i];
            for (std::size_t j = 0; j < upTo; ++j) {
                phi(j)[i] = value;
                value -= scaled(j)[i];
            }
            phi(upTo)[i] = value;
        }
        for (std::size_t j = std::min(known_, kDifferences - 1); j > 0; --j)
            times_[j] = times_[j - 1];
        times_[0] = t();
        known_ = std::min(upTo + 1, kDifferences);
        steady_ = std::abs(h - lastH_) <= 1e-9 * h ? steady_ + 1 : 1;
        lastH_ = h;
        usedOrder_ = k;
        chooseOrder(h);
        tries_ = 0;
    }

    void chooseOrder(double h)
    {
        const std::size_t k = order_;
        double error = errorHere_;
        const bool mayRise = k < kAdamsHighest && known_ > k + 1;
        if (k >= kAdamsHighest || lower_)
            rising_ = false;
        if (rising_) {
            ++order_;
            growth_ = 2;
            return;
        }
        if (lower_) {
            --order_;
            error = errorBelow_;
        } else if (mayRise && steady_ > k) {
            const double above = inTolerances(k + 1, h, phi(k + 1));
            if (k > 1 && errorBelow_ <= std::min(errorHere_, above)) {
                --order_;
                error = errorBelow_;
            } else if (above < (k > 1 ? errorHere_ : 0.5 * errorHere_)) {
                ++order_;
                error = above;
            }
        }
        const auto order = static_cast<double>(order_);
        growth_ = 2;
        if (error * std::pow(2.0, order + 1) > 0.5)
            growth_ = error <= 0.5 ? 1.0 : std::clamp(std::pow(0.5 / error, 1 / (order + 1)), 0.5, 0.9);
    }

    double steadied(double) const override { return growth_; }

    /// (1 / (t - t_{n+1})) times the integral from t_{n+1} to t of what multiplies phi_j(n+1) in the polynomial of the rates.
    Weights integralWeights(double t) const
    {
        const double reach = t - this->t();
        const std::size_t count = usedOrder_ + 1;
        Weights w{}, out{};
        for (std::size_t i = 0; i < count; ++i)
            w[i] = 1.0 / static_cast<double>(i + 1);
        out[0] = 1;
        double term = 0;
        for (std::size_t j = 1; j < count; ++j) {
            const double distance = times_[0] - times_[j], gamma = (reach + term) / distance, eta = reach / distance;
            for (std::size_t i = 0; i + j < count; ++i)
                w[i] = gamma * w[i] - eta * w[i + 1];
            out[j] = w[0];
            term = distance;
        }
        return out;
    }

    void solveAlgebraic(double t, std::span<double> y) const
    {
        if (integrated_.size() == size())
            return;
        std::copy(yp_.begin(), yp_.end(), betweenRates_.begin());
        std::copy(y.begin(), y.end(), between_.begin());
        if (solveBetween(t, between_.data(), betweenRates_.data()))
            std::copy(between_.begin(), between_.end(), y.begin());
    }

    static constexpr int kPatience = 3; ///< attempts at a step before the past is given up

    IntegratedUnknowns integrated_;
    std::vector<double> phi_;    ///< phi_0(n), ..., phi_{k+1}(n)
    std::vector<double> scaled_; ///< beta_j phi_j(n)
    Weights g_{};
    std::array<double, kDifferences> times_{}; ///< t_n, t_{n-1}, ... [s]
    std::size_t order_ = 1, usedOrder_ = 1;    ///< of the next predictor, of the last one
    std::size_t known_ = 1;                    ///< differences that the past determines: as many times are known
    std::size_t steady_ = 0;                   ///< steps of one length so far
    double lastH_ = 0, growth_ = 1;
    double errorHere_ = 0, errorBelow_ = 0; ///< of the last attempt, in tolerances: at its order and one below
    bool lower_ = false;                    ///< the order below promised less
    bool rising_ = true;                    ///< from the start on, order and step grow
    bool fresh_ = true;                     ///< there is no past
    int tries_ = 0;                         ///< at the present step
    std::vector<double> slope_, difference_, below_;
    mutable std::vector<double> between_, betweenRates_; ///< dense output's
};

} // namespace

std::unique_ptr<Integrator> makeAdams(const IntegratorInfo& info) { return std::make_unique<Adams>(info); }

} // namespace driftless::integrate
