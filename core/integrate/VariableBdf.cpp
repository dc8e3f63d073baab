// Backward differentiation with fixed leading coefficient, orders 1 to 5, on F(t, y, y') = 0 of index up to three (Jackson and
// Sacks-Davis, ACM Trans. Math. Software 6 (1980) 295-318; Brenan, Campbell, Petzold, Numerical Solution of Initial-Value
// Problems in DAEs (1989), chapter 5: DASSL).
//
//   y_P(t)   polynomial of degree k through the k + 1 youngest values: the predictor
//   e        y_n - y_P(t_n)
//   y'_n     y_P'(t_n) + c e, c = (1 - kappa_k) gamma_k / h, gamma_k = 1 + 1/2 + ... + 1/k: the formula of order k on an
//            equidistant past of y_P, whatever the distances of the true past are, so that the matrix dF/dy + c dF/dy' depends
//            on h and k alone
//   kappa_k  turns the backward differentiation formula (0) into a numerical differentiation formula, whose error is
//            (1/(k+1) + kappa_k gamma_k) h^(k+1) y^(k+1) for a few degrees of its sector of stability (Klopfenstein, RCA Review
//            32 (1971) 447-462; Shampine and Reichelt, SIAM J. Sci. Comput. 18 (1997) 1-22, whose values are those of orders 1
//            to 4)
//   psi_j    t_n - t_{n-j};  D_j = psi_1 ... psi_j y[t_{n-1}, ..., t_{n-1-j}], so that y_P(t_n) = D_0 + ... + D_k
//   e_j      y_n minus the prediction of degree j: e_k = e, e_{k-1} = e + D_k, e_{k+1} = e - D_{k+1}
//   E_j      sigma_j |e_j|, sigma_j = j! h^j / (psi_2 ... psi_{j+1}): estimate of |h^(j+1) y^(j+1)| / (j + 1), the local error
//            of order j
//
// Test: max(a, |a + kappa_k gamma_k + sum_j (psi_1 / psi_j - 1/j)|) |e| <= 1 with a = psi_1 / psi_{k+1}, the part of e in the
// error of the interpolation between the points and of the formula. With equal steps the former is the larger: the step does
// not see kappa, the solution does.
//
// Norm: root mean square in units of the tolerances at the last value (those of AlgebraicFloor.h at least), in the error test
// per degree of freedom: a form that carries more algebraic unknowns beside the differential ones, or more of the latter and
// ties them by constraints (an algebraic unknown of index order r >= 2 stands for a tie), does not tolerate more in each. In
// Newton's test an unknown of index order r >= 2 counts with h^(r - 1), the power by which its corrections are larger (Hairer,
// Lubich, Roche 1989, section 7). The error test leaves it out: where steps change, its error jumps by what the errors of lower
// index order leave divided by h, whatever its own smoothness. Counted with h^(r - 1), these jumps hold the order of the
// pendulum's index-3 form near three and take three times the steps for the same error.
#include "core/integrate/VariableBdf.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/integrate/AlgebraicFloor.h"
#include "core/integrate/ErrorTest.h"
#include "core/integrate/Makers.h"
#include "core/integrate/Messages.h"
#include "core/integrate/ShortestStep.h"
#include "core/solve/Norm.h"

namespace driftless::integrate {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr double kLongestFirst = 1e-3; ///< [s] where nothing is known of the motion
constexpr double kGuessedTime = 1;     ///< [s] over which rates change, guessed for the first step; its error test corrects it
constexpr double kTooClose = 0.1;      ///< a stop time this near, in steps, makes the last value give way to the one there
constexpr double kSameStep = 1e-9;     ///< steps that differ by round-off of t
/// The matrix is good for leading coefficients within these ratios of its own (as in DASSL).
constexpr double kLowestRatio = 0.6, kHighestRatio = 1 / kLowestRatio;
/// Corrections may be this part of what is tolerated (DASSL: 0.33). What the iteration leaves in the multipliers of a form with
/// rates in its constraints enters their predictions as noise: at 0.03 model b of [MS91] takes a tenth more steps and as many
/// evaluations.
constexpr double kNewton = 0.005;
constexpr double kNegligible = 0.01; ///< a first correction this small, in tolerances of Newton, needs no second
constexpr double kHopeless = 2;      ///< contraction of the second correction
constexpr double kSlowest = 0.9;     ///< of the later ones
constexpr int kMostIterations = 5, kMostLinear = 25;
constexpr double kAgeing = 0.15; ///< contraction beyond which the next step takes a new matrix
constexpr double kRoundoff = 10 * kEpsilon;
/// kappa_k. Orders 3 and 4 give 6 and 7 degrees of their sectors of stability (86 and 73) for errors less by 60 and 43 percent,
/// order 5 gives 5 of 52 for 20 percent.
constexpr std::array<double, 6> kKappa{0, -0.1850, -1.0 / 9, -0.0823, -0.0415, -0.0150};
// Step control. Local errors are aimed at a fifth of the tolerance; a step changes seldom, because every change costs accuracy
// (the past is no longer equidistant) and often a matrix. The numbers are the middle of a range in which [MS91] Tables 1 and 2
// are met in steps, energies and drift (kAim 5.0 to 5.3, kNewton 0.004 to 0.006, kAgeing 0.12 to 0.15, kappa_5 -0.013 to
// -0.02).
constexpr double kAim = 5.2; ///< one over the part of the tolerance
constexpr double kShareOfOpen =
    0.5 / kAim; ///< of what is open of an algebraic unknown, to be tolerated at least (AlgebraicFloor.h)
constexpr double kWorthGrowing = 1.4, kMostGrowth = 2;
constexpr std::size_t kSettled = 2; ///< more steps than the order with one step size before it or the order may grow
constexpr double kLeastCut = 0.5, kMostCut = 0.95; ///< of a step that was accepted and is a little too long
constexpr double kUnsolvedCut = 0.25;
constexpr double kSafety = 0.9;                          ///< in place of a rejected step
constexpr double kLargestCut = 0.25, kSmallestCut = 0.9; ///< of a rejected one
constexpr double kFirstCut = 1e-3;                       ///< the first step is a guess
constexpr int kDistrusted = 3;                           ///< attempts failed, then order 1
constexpr int kForgotten = 6;                            ///< attempts failed, then without a past

/// How many times as long the step may be, by an estimated error of order k.
double stepFactor(double error, std::size_t k) { return std::pow(kAim * error + 1e-4, -1.0 / static_cast<double>(k + 1)); }

/// (1 - kappa_k) gamma_k
double leadingOf(std::size_t k)
{
    double sum = 0;
    for (std::size_t j = 1; j <= k; ++j)
        sum += 1 / static_cast<double>(j);
    return (1 - kKappa[k]) * sum;
}

} // namespace

Result<void> VariableBdf::prepare(solve::DaeSystem& system, const IntegratorOptions& options)
{
    if (auto fits = canCarry(info_, system.index(), system.hasProjection()); !fits)
        return fits;
    if (auto set = setOptions(options); !set)
        return set;
    system_ = &system;
    const auto n = static_cast<std::size_t>(system.size());
    for (auto* v : {&y_, &yp_, &yNew_, &ypNew_, &predicted_, &predictedRate_, &correction_, &residual_, &weights_, &tested_,
                    &open_, &leastOpen_, &seen_})
        v->assign(n, 0.0);
    one_.allocate(n);
    two_.allocate(n);
    if (n <= solve::kDenseLimit) { // room for a full pattern, so that a swap of roles allocates nothing
        dFdy_.reserve(n * n);
        dFdyp_.reserve(n * n);
    }
    linear_ = solve::makeLinearSolver(system.size());
    takeStructure();
    return {};
}

Result<void> VariableBdf::restart(double t, std::span<const double> y, std::span<const double> yp)
{
    if (auto fits = checkStart(*system_, t, y, yp); !fits)
        return fits;
    if (revision_ != system_->rolesRevision())
        takeStructure();
    std::copy(y.begin(), y.end(), y_.begin());
    std::copy(yp.begin(), yp.end(), yp_.begin());
    t_ = t;
    now_ = &one_;
    before_ = &two_;
    hasBefore_ = false;
    now_->start(t, y_, yp_);
    h_ = lastStep_ = usedStep_ = longest_ = 0;
    order_ = usedOrder_ = 1;
    steady_ = 0;
    starting_ = true;
    factored_ = stale_ = false;
    jumps_.restart(t);
    std::fill(open_.begin(), open_.end(), 0.0);
    std::fill(seen_.begin(), seen_.end(), 0.0);
    std::fill(leastOpen_.begin(), leastOpen_.end(), std::numeric_limits<double>::infinity());
    return {};
}

Result<void> VariableBdf::setOptions(const IntegratorOptions& options)
{
    if (auto sound = checkFor(info_, options); !sound)
        return sound;
    options_ = options;
    if (options_.maxStep > 0)
        h_ = std::min(h_, options_.maxStep);
    return {};
}

void VariableBdf::takeStructure()
{
    revision_ = system_->rolesRevision();
    linear_->analyse(system_->pattern());
    dFdy_.assign(system_->pattern().rowIndices.size(), 0.0);
    dFdyp_.assign(system_->pattern().rowIndices.size(), 0.0);
    factored_ = false;
}

/// A step whose error is half of what is tolerated, were y'' = y' / kGuessedTime. What is too long fails its error test.
double VariableBdf::firstStep() const
{
    const auto roles = system_->roles();
    double sum = 0;
    for (std::size_t i = 0; i < size(); ++i)
        if (roles[i].differential && roles[i].indexOrder < 2) {
            const double rate =
                yp_[i] / (absoluteTolerance(roles[i], options_, false) + options_.relativeTolerance * std::abs(y_[i]));
            sum += rate * rate;
        }
    const double rate = std::sqrt(sum / static_cast<double>(std::max<std::size_t>(1, size())));
    double h = options_.step > 0 ? std::min(options_.step, kLongestFirst) : kLongestFirst;
    if (rate > 0)
        h = std::min(h, std::sqrt(0.5 * kGuessedTime / rate));
    if (onlyAlgebraic(roles) && !(options_.step > 0))
        h = std::max(std::min(h, kFirstOfAlgebraic), options_.minStep);
    return options_.maxStep > 0 ? std::min(h, options_.maxStep) : h;
}

void VariableBdf::interpolate(double t, std::span<double> y) const
{
    now_->evaluate(t, std::min(usedOrder_, now_->count() - 1), y);
}

VariableBdf::Plan VariableBdf::plan(double tStop, bool mayReplace) const
{
    Plan p;
    // A step is rather stretched to the stop time than that a remainder is left.
    const double reach =
        options_.maxStep > 0 ? std::min((1 + kTooClose) * h_, std::max(h_, options_.maxStep)) : (1 + kTooClose) * h_;
    p.cut = t_ + reach >= tStop - timeRoundoff(t_ + h_, h_);
    p.end = p.cut ? tStop : t_ + h_;
    const bool replaces = p.cut && mayReplace && hasBefore_ && p.end - t_ < kTooClose * usedStep_;
    p.past = replaces ? before_ : now_;
    p.h = p.end - p.past->time(0);
    p.order = std::min(order_, p.past->count() - 1);
    return p;
}

StepOutcome VariableBdf::step(double tStop)
{
    if (!(tStop > t_))
        return {.status = StepStatus::Accepted, .t = t_};
    if (cancelled())
        return {.status = StepStatus::Cancelled, .t = t_};
    if (revision_ != system_->rolesRevision())
        takeStructure();
    if (h_ == 0)
        h_ = firstStep();
    if (tStop - t_ <= timeRoundoff(t_, 0)) { // the state is that of tStop as far as there are digits
        now_->rename(tStop);
        lastStep_ = tStop - t_;
        t_ = tStop;
        return {.status = StepStatus::Accepted, .t = t_, .h = lastStep_};
    }
    Failures failures;
    for (;;) {
        const Plan p = plan(tStop, failures.all() == 0);
        longest_ = std::max(longest_, p.h);
        weigh(p);
        predict(p);
        const auto result = solveStep(p);
        if (result.status == solve::NewtonStatus::Cancelled)
            return newtonFailure(*system_, result, t_, p.h);
        const bool solved = result.status == solve::NewtonStatus::Converged;
        Estimates e;
        if (solved) {
            e = estimate(p);
            if (e.test <= 1)
                return accept(p, e, failures);
        }
        ++statistics_.rejected;
        ++(solved ? failures.ofError : failures.ofNewton);
        jumps_.failed(p.end);
        reject(p, e, failures, solved);
        if (h_ < shortestStep(options_, t_, longest_))
            return solved ? errorTestFailure(*system_, t_, p.h, e.test, solve::weightedLargest(correction_, tested_))
                          : newtonFailure(*system_, result, t_, p.h);
    }
}

void VariableBdf::weigh(const Plan& p)
{
    const auto roles = system_->roles();
    const double h = std::min(1.0, p.h / system_->characteristicTime());
    counted_ = 0;
    std::size_t ties = 0;
    for (std::size_t i = 0; i < size(); ++i) {
        const auto& role = roles[i];
        const double absolute = absoluteTolerance(role, options_, true), relative = options_.relativeTolerance;
        double tolerated = absolute + relative * std::abs(y_[i]);
        seen_[i] = std::max(seen_[i], std::abs(y_[i]));
        // What no differential unknown reaches passes no error on, and is tested for what lies between the steps. Where such a
        // force of 300 N passes through zero, a relative error of its own would fail at any step and order.
        const bool prescribed = hasFloor(role) && open_[i] == 0;
        const double ofSeen = prescribed ? tolerated / (absolute + relative * seen_[i]) : 1;
        if (hasFloor(role))
            tolerated = flooredTolerance(role, tolerated, open_[i], kShareOfOpen, leastOpen_[i]);
        weights_[i] = 1 / tolerated;
        for (int r = 2; r <= role.indexOrder; ++r)
            weights_[i] *= h;
        // The rates of algebraic unknowns at a start are estimates, and so would be their errors.
        const bool counts = role.indexOrder < 2 && (role.differential || !p.past->atStart());
        tested_[i] = counts ? ofSeen * weights_[i] : 0.0;
        counted_ += counts && role.differential;
        ties += !role.differential && role.indexOrder >= 2;
    }
    if (ties < counted_)
        counted_ -= ties;
    if (counted_ == 0) { // all of it follows from constraints
        for (std::size_t i = 0; i < size(); ++i) {
            const double absolute = absoluteTolerance(roles[i], options_, true), relative = options_.relativeTolerance;
            // At a start no rate is known that a prediction could be made with.
            tested_[i] = p.past->atStart()
                             ? 0
                             : weights_[i] * (absolute + relative * std::abs(y_[i])) / (absolute + relative * seen_[i]);
        }
        counted_ = std::max<std::size_t>(1, size());
    }
}

void VariableBdf::predict(const Plan& p)
{
    const BackwardDifferences& past = *p.past;
    const std::size_t n = size();
    const auto value = past.difference(0);
    std::copy(value.begin(), value.end(), predicted_.begin());
    std::fill(predictedRate_.begin(), predictedRate_.end(), 0.0);
    std::fill(correction_.begin(), correction_.end(), 0.0);
    double slope = 0;
    product_[0] = 1;
    for (std::size_t j = 1; j <= past.count(); ++j) {
        distance_[j] = p.end - past.time(j - 1);
        product_[j] = product_[j - 1] * distance_[j];
    }
    for (std::size_t j = 1; j <= p.order; ++j) {
        slope += 1 / distance_[j];
        const double ofValue = product_[j], ofRate = slope * product_[j];
        const auto d = past.difference(j);
        for (std::size_t i = 0; i < n; ++i) {
            predicted_[i] += ofValue * d[i];
            predictedRate_[i] += ofRate * d[i];
        }
    }
    leading_ = leadingOf(p.order) / p.h;
}

solve::NewtonResult VariableBdf::renewMatrix(double t)
{
    solve::NewtonResult result;
    ++statistics_.jacobianEvaluations;
    if (!system_->jacobian(t, predicted_.data(), predictedRate_.data(), dFdy_.data(), dFdyp_.data()))
        return result.ended(solve::NewtonStatus::OutsideDomain);
    const bool asked = anyFloor(system_->roles());
    if (asked)
        floorRightSide(system_->pattern(), system_->roles(), dFdy_, weights_, open_);
    for (std::size_t k = 0; k < dFdy_.size(); ++k)
        dFdy_[k] += leading_ * dFdyp_[k];
    ++statistics_.factorizations;
    result.matrix = linear_->factor(dFdy_.data());
    factored_ = result.matrix.ok;
    stale_ = false;
    factoredLeading_ = leading_;
    if (!factored_)
        result.status = solve::NewtonStatus::Singular;
    else if (asked) {
        linear_->solve(open_.data());
        for (std::size_t i = 0; i < size(); ++i)
            leastOpen_[i] = std::min(leastOpen_[i], std::abs(open_[i]));
    }
    return result;
}

solve::NewtonResult VariableBdf::solveStep(const Plan& p)
{
    const double ratio = leading_ / factoredLeading_;
    if (stale_ || !(ratio > kLowestRatio && ratio < kHighestRatio))
        factored_ = false;
    for (;;) {
        const bool fresh = !factored_;
        if (fresh) {
            const auto renewed = renewMatrix(p.end);
            if (renewed.status != solve::NewtonStatus::Converged)
                return renewed;
        }
        const auto result = iterate(p, fresh);
        if (result.status == solve::NewtonStatus::Converged || result.status == solve::NewtonStatus::Cancelled)
            return result;
        factored_ = false;
        if (fresh || (result.status == solve::NewtonStatus::OutsideDomain && result.iterations == 0))
            return result; // a matrix of this very step, or no state to iterate from
        std::fill(correction_.begin(), correction_.end(), 0.0);
    }
}

/// Newton's iteration with the matrix as it is. How fast it converges is measured in this step: a rate of an earlier step, kept
/// while the matrix ages, would end it too soon and leave residuals that look like drift. So there are two iterations at least,
/// but where the first correction is nothing.
solve::NewtonResult VariableBdf::iterate(const Plan& p, bool fresh)
{
    solve::NewtonResult result;
    const double floor = roundoffOfCorrections();
    result.limit = std::max(kNewton, floor);
    const int most = std::max(system_->exactJacobian() ? kMostIterations : kMostLinear, options_.minNewtonIterations + 2);
    double last = 0;
    while (result.iterations < most) {
        if (cancelled())
            return result.ended(solve::NewtonStatus::Cancelled);
        for (std::size_t i = 0; i < size(); ++i) {
            yNew_[i] = predicted_[i] + correction_[i];
            ypNew_[i] = predictedRate_[i] + leading_ * correction_[i];
        }
        ++statistics_.residualEvaluations;
        if (!system_->residual(p.end, yNew_.data(), ypNew_.data(), residual_.data()))
            return result.ended(solve::NewtonStatus::OutsideDomain);
        result.norm = correct();
        ++result.iterations;
        if (!std::isfinite(result.norm))
            break;
        const bool enough = result.iterations >= options_.minNewtonIterations;
        if (last > 0) {
            const double rate = result.norm / last;
            if (rate < 1 && result.norm * rate / (1 - rate) <= result.limit && enough) {
                stale_ = !fresh && rate > kAgeing;
                break;
            }
            if (rate > (result.iterations == 2 ? kHopeless : kSlowest) && result.norm > floor) {
                result.status = solve::NewtonStatus::Diverged;
                result.largest = solve::weightedLargest(residual_, weights_);
                return result;
            }
        }
        if (enough && result.norm <= std::max(kNegligible * kNewton, floor))
            break;
        last = result.norm;
    }
    if (!std::isfinite(result.norm) || (result.iterations == most && result.norm > result.limit)) {
        result.status = solve::NewtonStatus::Diverged;
        result.largest = solve::weightedLargest(residual_, weights_);
    }
    for (std::size_t i = 0; i < size(); ++i) {
        yNew_[i] = predicted_[i] + correction_[i];
        ypNew_[i] = predictedRate_[i] + leading_ * correction_[i];
    }
    return result;
}

/// What round-off leaves of a correction, in the units of the weights.
double VariableBdf::roundoffOfCorrections() const
{
    double largest = 0;
    for (std::size_t i = 0; i < size(); ++i)
        largest = std::max(largest, std::abs(y_[i]) * weights_[i]);
    return kRoundoff * largest;
}

/// Adds the correction that belongs to residual_; its weighted norm.
double VariableBdf::correct()
{
    ++statistics_.newtonIterations;
    linear_->solve(residual_.data());
    // A matrix of another leading coefficient overdoes what is differential or does too little: halfway between the two
    // (DASSL).
    const double scale = 2 / (1 + leading_ / factoredLeading_);
    for (std::size_t i = 0; i < size(); ++i) {
        residual_[i] *= scale;
        correction_[i] -= residual_[i];
    }
    return solve::weightedRms(residual_, weights_);
}

VariableBdf::Estimates VariableBdf::estimate(const Plan& p) const
{
    const std::size_t k = p.order;
    const BackwardDifferences& past = *p.past;
    Estimates e;
    e.aboveIsKnown = k < kHighestOrder && past.count() >= k + 2;
    const double scale1 = k > 1 ? product_[k] : 0, scale2 = k > 2 ? product_[k - 1] : 0,
                 scaleAbove = e.aboveIsKnown ? product_[k + 1] : 0;
    const auto d1 = past.difference(k), d2 = past.difference(k - 1), above = past.difference(e.aboveIsKnown ? k + 1 : k);
    double sum = 0, sum1 = 0, sum2 = 0, sumAbove = 0;
    for (std::size_t i = 0; i < size(); ++i) {
        const double w = tested_[i], own = correction_[i] * w;
        const double below = own + scale1 * d1[i] * w, below2 = below + scale2 * d2[i] * w,
                     higher = own - scaleAbove * above[i] * w;
        sum += own * own;
        sum1 += below * below;
        sum2 += below2 * below2;
        sumAbove += higher * higher;
    }
    const double count = static_cast<double>(counted_);
    const auto norm = [count](double s) { return std::sqrt(s / count); };
    const auto sigma = [&](std::size_t j) {
        double out = 1;
        for (std::size_t i = 1; i <= j; ++i)
            out *= static_cast<double>(i) * p.h / distance_[i + 1];
        return out;
    };
    e.here = sigma(k) * norm(sum);
    e.below = k > 1 ? sigma(k - 1) * norm(sum1) : 0;
    e.below2 = k > 2 ? sigma(k - 2) * norm(sum2) : 0;
    e.above = e.aboveIsKnown ? sigma(k + 1) * norm(sumAbove) : 0;

    double alpha = p.h / distance_[k + 1], drift = -leadingOf(k);
    for (std::size_t j = 1; j <= k; ++j)
        drift += p.h / distance_[j];
    e.test = std::max(alpha, std::abs(alpha + drift)) * norm(sum);

    // The scaled derivatives must fall with the order, else the lower one is as good.
    const double order = static_cast<double>(k), here = (order + 1) * e.here, below = order * e.below,
                 below2 = (order - 1) * e.below2;
    const bool lower = k > 2 ? std::max(below, below2) <= here : k == 2 && below <= 0.5 * here;
    e.order = lower ? k - 1 : k;
    e.ofOrder = lower ? e.below : e.here;
    return e;
}

StepOutcome VariableBdf::accept(const Plan& p, const Estimates& e, const Failures& failures)
{
    const bool replaced = p.past != now_, first = p.past->atStart();
    const double intended = h_, was = t_;
    y_.swap(yNew_);
    yp_.swap(ypNew_);
    t_ = p.end;
    lastStep_ = t_ - was;
    ++statistics_.steps;
    const bool same = std::abs(p.h - usedStep_) <= kSameStep * p.h && p.order == usedOrder_;
    steady_ = same ? steady_ + 1 : 1;
    usedStep_ = p.h;
    usedOrder_ = p.order;
    jumps_.accepted(t_, lastStep_, failures.all() == 0);
    if (jumps_.crossing(t_)) {
        startAgain();
        h_ = options_.maxStep > 0 ? std::min(JumpWatch::kHop * p.h, options_.maxStep) : JumpWatch::kHop * p.h;
        return {.status = StepStatus::Accepted, .t = t_, .h = lastStep_};
    }
    if (first && p.cut && p.h < kTooClose * intended) {
        now_->start(t_, y_, ypNew_); // too short a step to tell anything: still at the start
        return {.status = StepStatus::Accepted, .t = t_, .h = lastStep_};
    }
    if (replaced) {
        now_->extend(*before_, t_, y_);
    } else {
        before_->extend(*now_, t_, y_);
        std::swap(now_, before_);
        hasBefore_ = true;
    }
    if (first) {
        const auto roles = system_->roles();
        for (std::size_t i = 0; i < size(); ++i)
            if (!roles[i].differential)
                now_->straighten(i);
    }
    if (replaced || (p.cut && p.h < 0.5 * intended))
        return {.status = StepStatus::Accepted, .t = t_, .h = lastStep_}; // says little about the step that comes
    if (failures.all() > 0 && !first)
        starting_ = false;
    choose(p, e);
    if (p.cut)
        h_ = std::max(h_, std::min(intended, kMostGrowth * p.h));
    if (options_.maxStep > 0)
        h_ = std::min(h_, options_.maxStep);
    return {.status = StepStatus::Accepted, .t = t_, .h = lastStep_};
}

/// From the present state without a past; what follows from it at this instant may have jumped, and its rate would be that of
/// the jump.
void VariableBdf::startAgain()
{
    const auto roles = system_->roles();
    for (std::size_t i = 0; i < size(); ++i)
        if (!roles[i].differential)
            yp_[i] = 0;
    now_->start(t_, y_, yp_);
    hasBefore_ = false;
    starting_ = true;
    order_ = 1;
    steady_ = 0;
}

/// Order and step that come next.
void VariableBdf::choose(const Plan& p, const Estimates& e)
{
    const std::size_t k = p.order;
    std::size_t order = e.order;
    double error = e.ofOrder;
    if (order < k || k == kHighestOrder)
        starting_ = false;
    if (starting_) {
        const double factor = std::min(kMostGrowth, stepFactor(error, k));
        starting_ = factor >= 1;
        order_ = starting_ ? k + 1 : k;
        h_ = p.h * std::max(kLargestCut, factor);
        return;
    }
    if (order == k && e.aboveIsKnown && steady_ >= k + kSettled) {
        const double scaled = static_cast<double>(k + 1) * e.here, above = static_cast<double>(k + 2) * e.above;
        const double below = static_cast<double>(k) * e.below;
        if (k == 1 ? above < 0.5 * scaled : above < scaled && below > std::min(scaled, above)) {
            order = k + 1;
            error = e.above;
        } else if (k > 1 && below <= std::min(scaled, above)) {
            order = k - 1;
            error = e.below;
        }
    }
    const double factor = stepFactor(error, order);
    order_ = order;
    h_ = p.h;
    if (factor >= kWorthGrowing && (steady_ > k || factor >= kMostGrowth))
        h_ *= std::min(kMostGrowth, factor);
    else if (factor <= 1)
        h_ *= std::clamp(factor, kLeastCut, kMostCut);
}

/// What is tried in place of a step that failed.
void VariableBdf::reject(const Plan& p, const Estimates& e, const Failures& failures, bool solved)
{
    if (p.past != now_)
        return; // the plain step to the stop time instead
    starting_ = starting_ && p.past->atStart();
    double factor = solved ? kLargestCut : kUnsolvedCut;
    if (solved) {
        order_ = e.order;
        if (failures.ofError == 1 && std::isfinite(e.ofOrder))
            factor =
                std::clamp(kSafety * stepFactor(e.ofOrder, order_), p.past->atStart() ? kFirstCut : kLargestCut, kSmallestCut);
    }
    h_ = p.h * factor;
    if (failures.all() >= kDistrusted)
        order_ = 1;
    if (failures.all() == kForgotten) {
        startAgain();
        jumps_.cross();
    }
}

std::unique_ptr<Integrator> makeVariableBdf(const IntegratorInfo& info) { return std::make_unique<VariableBdf>(info); }

} // namespace driftless::integrate
