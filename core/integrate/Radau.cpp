// Radau IIA of S = 3, 5 or 7 stages, order 2 S - 1, with a step of its own, on F(t, y, y') = 0 of index up to three ([DN]
// (1.48); Hairer and Wanner, Solving ODEs II, 2nd edition, section IV.8; Stiff differential equations solved by Radau methods,
// J. Comput. Appl. Math. 111, 1999).
//
// Unknowns: the stage increments Z_i = Y_i - y_n. Simplified Newton with J = dF/dy, E = dF/dy' of one point: the matrix
// I x J + (1/h) D x E, D the inverse of the tableau's matrix, falls apart by D = T Lambda T^-1 into a real system J + (gamma/h)
// E and the pairs of J + ((alpha +- i beta)/h) E (ConjugatePair.h).
//
// Error: (J + (gamma/h) E) err = E (y'_n - u'(t_n)), u the collocation polynomial: the difference from the quadrature formula
// of order S with the weight 1/gamma at t_n, so that err is of order h^(S + 1); the same once more around y_n + err where a
// step would be rejected
// ((8.19), (8.20) there for S = 3). Unknowns of index order k count with h^(k - 1): the errors of velocities and multipliers of
// higher-index forms are as much larger.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/integrate/ConjugatePair.h"
#include "core/integrate/ErrorTest.h"
#include "core/integrate/Makers.h"
#include "core/integrate/OneStep.h"
#include "core/integrate/RadauMethod.h"
#include "core/solve/Norm.h"

namespace driftless::integrate {
namespace {

/// More stages take longer steps, on which the matrix of one point is less good.
constexpr int mostIterations(std::size_t stages) { return 10 + 5 * static_cast<int>((stages - 3) / 2); }
constexpr int kFewIterations = 4; ///< a step of three stages with more has many
constexpr double kHopeless = 10;  ///< contraction of a correction that is not judged yet
/// Corrections of the stages may be this part of what is tolerated: their error is then none beside that of the step.
constexpr double kNewtonTolerance = 0.01;
/// On index 3 what is left of a position is divided by the step in the velocity, which carries it along: there the part shrinks
/// with the tolerance, as the steps do, kOfIndex3 times its cube root, from a tolerance of 1e-4 on. With it the error of
/// Andrews' mechanism at a tolerance of 1e-7 falls from 1.5e-6 to 1.5e-7. More stages do not gain by it, for their steps hardly
/// shrink.
constexpr double kOfIndex3 = 0.2;
constexpr double kLeastTolerance = 1e-14; ///< a relative one below is round-off
/// A contraction below this leaves the matrix as it is for the next step.
constexpr double kGoodContraction = 1e-3;
/// By this factor the error of multipliers, which counts with h^(k - 1), may exceed that of the unknowns that are integrated.
/// With 10 the slider-crank takes a tenth more corrections; with 100 an arm that is driven through 20 degrees in a step misses
/// its reactions by 1e-4.
constexpr double kLate = 30;
/// An error of round-off, in what is tolerated.
constexpr double kNoError = 1e-6;
/// A step is left alone when it would change by less: the matrices stay.
constexpr double kWorthGrowing = 1.2;
constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr double kRoundoff = 10 * kEpsilon;
/// Round-off may make this part of the estimated error; a tolerance below is taken as the one where it does, or steps would
/// shrink for ever.
constexpr double kMostNoise = 0.25;

template <std::size_t S>
class Radau final : public OneStepIntegrator {
public:
    explicit Radau(const IntegratorInfo& info) : OneStepIntegrator(info) {}

private:
    int errorOrder() const override { return S + 1; }
    /// With three stages and an exact matrix the step after one of many corrections grows by less, or is shorter, in
    /// proportion: one that does not converge at all costs more.
    double steadied(double factor) const override
    {
        if (!kLongSteps && system().exactJacobian() && iterations_ > kFewIterations)
            factor *= static_cast<double>(kFewIterations) / iterations_;
        return factor >= 1 && factor <= kWorthGrowing ? 1 : factor;
    }

    void allocate() override
    {
        const std::size_t n = size();
        const auto& pattern = system().pattern();
        if (!real_ || weights_.size() != n)
            real_ = solve::makeLinearSolver(static_cast<int>(n));
        for (auto* v : {&z_, &lastZ_, &residual_, &w_})
            v->resize(S * n);
        for (auto* v : {&counts_, &weights_, &slope_, &work_, &shifted_})
            v->resize(n);
        for (auto* v : {&dFdy_, &dFdyp_, &realValues_}) {
            if (n <= solve::kDenseLimit) // room for a full pattern, so that a swap of roles allocates nothing
                v->reserve(n * n);
            v->assign(pattern.rowIndices.size(), 0.0);
        }
        real_->analyse(pattern);
        for (auto& pair : pairs_)
            pair.analyse(pattern);
        highestOrder_ = 0;
        for (const auto& role : system().roles())
            highestOrder_ = std::max(highestOrder_, role.indexOrder);
    }

    void forget() override
    {
        haveJacobian_ = factored_ = false;
        lastH_ = 0;
        first_ = true;
    }

    bool evaluateJacobian()
    {
        ++statistics_.jacobianEvaluations;
        if (!system().jacobian(t(), y_.data(), yp_.data(), dFdy_.data(), dFdyp_.data()))
            return false;
        haveJacobian_ = fresh_ = true;
        factored_ = false;
        return true;
    }

    solve::Factorization factor(double h)
    {
        ++statistics_.factorizations;
        const double gamma = method_.gamma / h;
        for (std::size_t k = 0; k < realValues_.size(); ++k)
            realValues_[k] = dFdy_[k] + gamma * dFdyp_[k];
        auto result = real_->factor(realValues_.data());
        for (std::size_t p = 0; p < kPairs && result.ok; ++p)
            result = pairs_[p].factor(system().pattern(), dFdy_, dFdyp_, method_.pairs[p] / h);
        factored_ = result.ok;
        factoredH_ = h;
        return result;
    }

    /// Values and rates of stage s into yNew_, ypNew_.
    void stage(std::size_t s, double h)
    {
        const std::size_t n = size();
        for (std::size_t i = 0; i < n; ++i) {
            yNew_[i] = y_[i] + z_[s * n + i];
            ypNew_[i] = sumOfBlocks(method_.inverse[s], z_.data(), n, i) / h;
        }
    }

    void extrapolate(double h)
    {
        if (lastH_ == 0)
            radauTangent(method_.nodes, h, yp_, system().roles(), z_.data());
        else
            radauExtrapolate(method_.nodes, h, lastH_, lastZ_, size(), z_.data());
    }

    double tolerated(std::size_t i) const
    {
        return absoluteTolerance(system().roles()[i], options(), true) + options().relativeTolerance * std::abs(y_[i]);
    }

    /// counts_: the part of an error that counts, h^(k - 1) for an unknown of index order k. In the long steps of more than
    /// three stages a velocity may move its position far beyond what is tolerated there: then it counts for as much as it moves
    /// the position.
    void weigh(double h)
    {
        const auto roles = system().roles();
        for (std::size_t i = 0; i < size(); ++i)
            counts_[i] = std::pow(std::min(1.0, h / system().characteristicTime()), std::max(0, roles[i].indexOrder - 1));
        if constexpr (kLongSteps)
            for (std::size_t i = 0; i < size(); ++i)
                if (roles[i].rate >= 0
                    && roles[static_cast<std::size_t>(roles[i].rate)].indexOrder > std::max(1, roles[i].indexOrder)) {
                    const auto velocity = static_cast<std::size_t>(roles[i].rate);
                    counts_[velocity] = std::min(1.0, counts_[velocity] * std::max(1.0, tolerated(velocity) / tolerated(i)));
                }
        largest_ = 0;
        for (std::size_t i = 0; i < size(); ++i) {
            weights_[i] = counts_[i] / tolerated(i);
            largest_ = std::max(largest_, (std::abs(y_[i]) + 1e-300) * weights_[i]);
        }
    }

    /// The test looks at the unknowns that are integrated. Where constraints prescribe the motion these show no error, however
    /// long the step is: then the multipliers must not show much of one. On index 3 and in the long steps of more
    /// stages theirs is round-off to a large part, and they are asked only where the others show none.
    double errorNorm() const override
    {
        const double tested = weightedNorm(error_);
        if ((kLongSteps || highestOrder_ > 2) && tested > kNoError)
            return tested;
        const auto roles = system().roles();
        double sum = 0;
        int late = 0;
        for (std::size_t i = 0; i < size(); ++i)
            if (!roles[i].differential && roles[i].indexOrder >= 2) {
                const double share = error_[i] / tolerated(i);
                sum += share * share;
                ++late;
            }
        return late > 0 ? std::max(tested, std::sqrt(sum / late) / kLate) : tested;
    }

    /// Round-off of the largest unknown in the units of the weights after `rates` differentiations by D / h; with three stages
    /// kRoundoff covers it.
    double roundoff(int rates) const
    {
        return kLongSteps ? kEpsilon * largest_ * std::pow(method_.rateNorm, std::max(0, rates)) : 0;
    }

    /// to = (matrix x I) from
    void mix(const typename RadauMethod<S>::Matrix& matrix, const std::vector<double>& from, std::vector<double>& to) const
    {
        const std::size_t n = size();
        for (std::size_t s = 0; s < S; ++s)
            for (std::size_t i = 0; i < n; ++i)
                to[s * n + i] = sumOfBlocks(matrix[s], from.data(), n, i);
    }

    /// One correction of the simplified iteration; its weighted norm. False outside the domain.
    bool correct(double tEnd, double h, double& norm)
    {
        const std::size_t n = size();
        for (std::size_t s = 0; s < S; ++s) {
            stage(s, h);
            ++statistics_.residualEvaluations;
            if (!system().residual(s + 1 == S ? tEnd : t() + method_.nodes[s] * h, yNew_.data(), ypNew_.data(),
                                   residual_.data() + s * n))
                return false;
        }
        mix(method_.toModes, residual_, w_);
        ++statistics_.newtonIterations;
        real_->solve(w_.data());
        for (std::size_t p = 0; p < kPairs; ++p)
            pairs_[p].solve({w_.data() + (1 + 2 * p) * n, 2 * n});
        mix(method_.fromModes, w_, residual_); // the corrections of the stages
        norm = 0;
        for (std::size_t s = 0; s < S; ++s)
            norm = std::max(norm, solve::weightedMax({residual_.data() + s * n, n}, weights_));
        for (std::size_t i = 0; i < z_.size(); ++i)
            z_[i] -= residual_[i];
        return true;
    }

    /// The part of what is tolerated that is left of the corrections.
    double newtonTolerance() const
    {
        const double relative = options().relativeTolerance;
        if (kLongSteps || highestOrder_ < 3 || !(relative > 0))
            return kNewtonTolerance;
        return std::min(kNewtonTolerance, kOfIndex3 * std::cbrt(std::max(relative, kLeastTolerance)));
    }

    solve::NewtonResult iterate(double tEnd, double h)
    {
        solve::NewtonResult result;
        // What round-off leaves of a correction, in the units of the weights, is no reason to go on.
        result.limit = std::max(newtonTolerance(), kRoundoff * largest_);
        const double noise = roundoff(highestOrder_ - 1);
        double last = 0;
        contraction_ = 0;
        for (result.iterations = 0; result.iterations < mostIterations(S);) {
            if (cancelled())
                return result.ended(solve::NewtonStatus::Cancelled);
            if (!correct(tEnd, h, result.norm))
                return result.ended(solve::NewtonStatus::OutsideDomain);
            ++result.iterations;
            if (!std::isfinite(result.norm))
                break;
            if (last > 0) {
                const double theta = contraction_ = result.norm / last;
                if (theta < 1 && result.norm * theta / (1 - theta) <= result.limit)
                    return result;
                // The second correction may be as large as a first one from a good prediction: what the old matrix gets wrong
                // moves from the differential to the algebraic unknowns before it shrinks, and through as many stages as there
                // are.
                const bool early = result.iterations < static_cast<int>(S);
                if (!early && result.norm <= noise) {
                    if (theta >= 1)
                        return result; // what is left is round-off
                } else if (theta >= (early ? kHopeless : 1) && result.norm > result.limit) {
                    break;
                } else if (!early && result.norm * std::pow(theta, mostIterations(S) - result.iterations) > result.limit) {
                    break; // it would not get there
                }
            }
            if (result.norm <= result.limit * (last > 0 ? 1 : 0.01))
                return result;
            last = result.norm;
        }
        result.status = solve::NewtonStatus::Diverged;
        return result;
    }

    solve::NewtonResult attempt(double tEnd, double h) override
    {
        weigh(h);
        solve::NewtonResult result;
        for (;;) {
            if (!haveJacobian_ && !evaluateJacobian())
                return result.ended(solve::NewtonStatus::OutsideDomain);
            if (!factored_ || std::abs(h - factoredH_) > 1e-9 * h) {
                result.matrix = factor(h);
                if (!result.matrix.ok)
                    return result.ended(solve::NewtonStatus::Singular);
            }
            extrapolate(h);
            const auto matrix = result.matrix;
            result = iterate(tEnd, h);
            result.matrix = matrix;
            if (result.status == solve::NewtonStatus::Converged || result.status == solve::NewtonStatus::Cancelled)
                break;
            if (fresh_ || !haveJacobian_) {
                lastH_ = 0; // the polynomial of the last step did not help
                return result;
            }
            haveJacobian_ = false;
        }
        if (result.status != solve::NewtonStatus::Converged)
            return result;
        iterations_ = result.iterations;
        if (!estimateError(h))
            return result.ended(solve::NewtonStatus::OutsideDomain);
        stage(S - 1, h);
        return result;
    }

    /// Into error_, weighed by index so that the step control may compare it with the tolerances.
    bool estimateError(double h)
    {
        const std::size_t n = size();
        const auto& pattern = system().pattern();
        for (std::size_t i = 0; i < n; ++i)
            slope_[i] = yp_[i] - sumOfBlocks(method_.startRate, z_.data(), n, i) / h;
        std::fill(work_.begin(), work_.end(), 0.0);
        for (std::size_t c = 0; c < n; ++c)
            for (int k = pattern.columnStarts[c]; k < pattern.columnStarts[c + 1]; ++k)
                work_[static_cast<std::size_t>(pattern.rowIndices[static_cast<std::size_t>(k)])] +=
                    dFdyp_[static_cast<std::size_t>(k)] * slope_[c];
        std::copy(work_.begin(), work_.end(), error_.begin());
        real_->solve(error_.data());
        if (first_ || rejected_) {
            double size = 0;
            for (std::size_t i = 0; i < n; ++i)
                size = std::max(size, std::abs(error_[i]) * weights_[i]);
            if (size >= 1) {
                for (std::size_t i = 0; i < n; ++i)
                    shifted_[i] = y_[i] + error_[i];
                ++statistics_.residualEvaluations;
                if (system().residual(t(), shifted_.data(), yp_.data(), residual_.data())) {
                    for (std::size_t i = 0; i < n; ++i)
                        error_[i] = work_[i] - residual_[i];
                    real_->solve(error_.data());
                }
            }
        }
        const double noise = std::max(1.0, roundoff(highestOrder_ - 2) * method_.startNorm / kMostNoise);
        for (std::size_t i = 0; i < n; ++i)
            error_[i] *= counts_[i] / noise;
        rejected_ = true; // until accepted() says otherwise
        return true;
    }

    /// The collocation polynomial, through the value before the step and those at its stages.
    void interpolate(double time, std::span<double> y) const override
    {
        if (lastH_ == 0)
            return OneStepIntegrator::interpolate(time, y);
        const double share = (time - stepStart()) / lastH_;
        radauInterpolate(method_.nodes, share, yNew_, lastZ_, y);
        if (system().hasProjection())
            radauFollowProjection<S>(share, yNew_, lastZ_, this->y(), y);
    }

    int insideDegree() const override { return lastH_ == 0 ? kCubic : std::max(kCubic, static_cast<int>(S)); }
    bool followsAlgebraic() const override { return lastH_ != 0; }

    void accepted(double h) override
    {
        lastZ_.swap(z_);
        lastH_ = h;
        first_ = rejected_ = false;
        fresh_ = false;
        if (contraction_ > kGoodContraction)
            haveJacobian_ = false;
    }

    static constexpr std::size_t kPairs = S / 2;
    static constexpr bool kLongSteps = S > 3;

    const RadauMethod<S>& method_ = radauMethod<S>();
    std::unique_ptr<solve::LinearSolver> real_;
    std::array<ConjugatePair, kPairs> pairs_;
    std::vector<double> z_, lastZ_, residual_, w_; ///< a block of n for each stage
    std::vector<double> counts_, weights_, slope_, work_, shifted_;
    std::vector<double> dFdy_, dFdyp_, realValues_;
    bool haveJacobian_ = false, fresh_ = false, factored_ = false, first_ = true, rejected_ = false;
    double factoredH_ = 0, lastH_ = 0, contraction_ = 0, largest_ = 0;
    int highestOrder_ = 0; ///< of all unknowns, by index
    int iterations_ = 0;   ///< of the last step that was solved
};

} // namespace

std::unique_ptr<Integrator> makeRadau(const IntegratorInfo& info)
{
    switch (info.order) {
    case 9:
        return std::make_unique<Radau<5>>(info);
    case 13:
        return std::make_unique<Radau<7>>(info);
    default:
        return std::make_unique<Radau<3>>(info);
    }
}

} // namespace driftless::integrate
