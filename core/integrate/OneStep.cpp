// Step-size control of adaptive methods: proportional-integral, h_new = h * 0.9 * err^-(1/q - 3 beta/4) * errOld^beta with
// q the order and beta = 0.04 (Hairer, Norsett, Wanner, Solving ODEs I, section II.4 and IV.2).
#include "core/integrate/OneStep.h"

#include <algorithm>
#include <cmath>

#include "core/base/Index.h"
#include "core/integrate/ErrorTest.h"
#include "core/integrate/Messages.h"
#include "core/integrate/ShortestStep.h"

namespace driftless::integrate {
namespace {

constexpr int kLevels = 12;                 ///< a fixed step is halved this often before giving up
constexpr int kSubdivisions = 1 << kLevels; ///< 4096
constexpr double kSafety = 0.9;
constexpr double kLargestGrowth = 5, kLargestCut = 0.2;
constexpr double kUnsolvedCut = 0.5; ///< after a Newton iteration that did not converge
constexpr double kSmallestRememberedError = 1e-4;
constexpr int kDoubtful = 4;   ///< steps after one that failed twice whose stages are judged, too
constexpr int kUnsuited = 100; ///< the same where one of these stages was not solved

} // namespace

Result<void> OneStepIntegrator::prepare(solve::DaeSystem& system, const IntegratorOptions& options)
{
    if (auto fits = canCarry(info_, system); !fits)
        return fits;
    system_ = &system;
    y_.clear(); // its size is the system's before: the tolerances are noted below, by this one's roles
    if (auto set = setOptions(options); !set)
        return set;
    const auto n = static_cast<std::size_t>(system.size());
    for (auto* v : {&y_, &yp_, &yNew_, &ypNew_, &error_})
        v->assign(n, 0.0);
    if (system.index() <= 1)
        rates_.prepare(system, takesEliminated());
    revision_ = system.rolesRevision();
    absolute_.reserve(n);
    asked_.rated.reserve(n);
    for (auto* v : {&asked_.algebraic, &asked_.late})
        v->reserve(n);
    noteTolerances();
    allocate();
    return {};
}

Result<void> OneStepIntegrator::restart(double t, std::span<const double> y, std::span<const double> yp)
{
    if (auto fits = checkStart(*system_, t, y, yp); !fits)
        return fits;
    noteStructure();
    noteTolerances();
    t_ = t;
    std::copy(y.begin(), y.end(), y_.begin());
    std::copy(yp.begin(), yp.end(), yp_.begin());
    for (std::size_t i = 0; i < size(); ++i)
        if (const solve::UnknownRole& role = system_->roles()[i]; role.derivative >= 0)
            yp_[i] = role.derivativeUnit * y_[at(role.derivative)];
    grid_.start(t);
    ratesStale_ = !info_.implicitMethod; // k1 of an explicit method must satisfy F
    h_ = info_.adaptive ? 0 : options_.step;
    lastStep_ = longest_ = 0;
    lastError_ = kSmallestRememberedError;
    doubtful_ = 0;
    forget();
    restarted();
    return {};
}

Result<void> OneStepIntegrator::setOptions(const IntegratorOptions& options)
{
    if (auto sound = checkFor(info_, options); !sound)
        return sound;
    if (!info_.adaptive && options.step != options_.step) {
        grid_.start(t_);
        h_ = options.step;
    }
    options_ = options;
    if (!y_.empty())
        noteTolerances();
    return {};
}

void OneStepIntegrator::noteTolerances()
{
    const auto roles = system_->roles();
    tested_.take(roles);
    absolute_.clear();
    for (std::size_t k = 0; k < tested_.size(); ++k)
        absolute_.push_back(absoluteTolerance(roles[tested_[k]], options_, false));
    noteRoles();
}

void OneStepIntegrator::noteRoles()
{
    const auto roles = system_->roles();
    asked_.rated.clear();
    asked_.algebraic.clear();
    asked_.late.clear();
    asked_.powers.assign(size(), 0);
    for (std::size_t i = 0; i < size(); ++i) {
        const int unknown = static_cast<int>(i);
        asked_.powers[i] = static_cast<unsigned char>(std::max(0, roles[i].indexOrder - 1));
        if (roles[i].rate >= 0)
            asked_.rated.emplace_back(unknown, roles[i].rate);
        if (!roles[i].differential)
            asked_.algebraic.push_back(unknown);
        if (!roles[i].differential && roles[i].indexOrder >= 2)
            asked_.late.push_back(unknown);
    }
}

void OneStepIntegrator::stagesUnsuited()
{
    if (doubtsStages())
        doubtful_ = kUnsuited;
}

StepOutcome OneStepIntegrator::step(double tStop)
{
    if (!(tStop > t_))
        return {.status = StepStatus::Accepted, .t = t_};
    if (noteStructure()) {
        forget();
        ratesStale_ = system_->index() <= 1 && !info_.multistep; // a multistep method takes no rate from before
    }
    if (ratesStale_) {
        const auto result = refreshRates();
        if (result.status != solve::NewtonStatus::Converged)
            return failure(result, 0);
    }
    return info_.adaptive ? adaptiveStep(tStop) : fixedStep(tStop);
}

bool OneStepIntegrator::noteStructure()
{
    if (revision_ == system_->rolesRevision())
        return false;
    revision_ = system_->rolesRevision();
    if (system_->index() <= 1)
        rates_.structureChanged();
    noteTolerances();
    structureChanged();
    return true;
}

solve::NewtonResult OneStepIntegrator::solveRates(double t, double* y, double* yp)
{
    return rates_.solve(t, y, yp, statistics_, cancelFlag());
}

bool OneStepIntegrator::solveBetween(double t, double* y, double* yp) const
{
    return rates_.solve(t, y, yp, statistics_, nullptr).status == solve::NewtonStatus::Converged;
}

/// Of a form that is not semi-explicit F does not give them: there the velocities and accelerations among its unknowns are the
/// rates.
solve::NewtonResult OneStepIntegrator::refreshRates()
{
    if (!system_->semiExplicit()) {
        solve::NewtonResult result;
        if (system_->statedRates(t_, y_.data(), yp_.data()))
            ratesStale_ = false;
        else
            result.status = solve::NewtonStatus::OutsideDomain;
        return result;
    }
    yNew_ = y_;
    ypNew_ = yp_;
    const auto result = solveRates(t_, yNew_.data(), ypNew_.data());
    if (result.status == solve::NewtonStatus::Converged) {
        y_ = yNew_;
        yp_ = ypNew_;
        ratesStale_ = false;
    }
    return result;
}

void OneStepIntegrator::roundoffWeights(double h, double* weights) const
{
    const double step = std::min(1.0, h / system_->characteristicTime());
    const double powers[] = {1, step, step * step};
    for (std::size_t i = 0; i < size(); ++i)
        weights[i] = 1 + std::abs(y_[i]);
    double farthest = 0;
    for (const auto& [position, velocity] : asked_.rated) {
        const double place = std::abs(y_[at(position)]);
        farthest = std::max(farthest, place);
        weights[velocity] = std::max(weights[velocity], place);
    }
    double amplified = farthest;
    // What round-off leaves in the constraints of the farthest link moves all of a long chain: one row changes the multipliers
    // of a straight one by up to a quarter of their number.
    if (static_cast<int>(size()) > solve::kDenseLimit && !asked_.late.empty()) {
        amplified *= std::max(1.0, 0.25 * static_cast<double>(asked_.late.size()));
        for (const auto& [position, velocity] : asked_.rated)
            for (const int i : {position, velocity})
                weights[i] = std::max(weights[i], farthest);
    }
    for (const int i : asked_.late)
        weights[i] = std::max(weights[i], amplified);
    for (std::size_t i = 0; i < size(); ++i) {
        const int power = asked_.powers[i];
        weights[i] = (power < 3 ? powers[power] : std::pow(step, power)) / weights[i];
    }
}

void OneStepIntegrator::estimateAlgebraicRates(double h)
{
    const auto roles = system_->roles();
    for (const int k : asked_.algebraic) {
        const std::size_t i = at(k);
        const solve::UnknownRole& role = roles[i];
        ypNew_[i] = role.derivative >= 0 ? role.derivativeUnit * yNew_[at(role.derivative)] : (yNew_[i] - y_[i]) / h;
    }
}

OneStepIntegrator::Target OneStepIntegrator::fixedTarget(double tStop) const
{
    const int place = grid_.place + (kSubdivisions >> grid_.level);
    const double h = options_.step;
    const double end = grid_.origin + (grid_.cells + static_cast<double>(place) / kSubdivisions) * h;
    const double roundoff = timeRoundoff(end, h);
    if (end < tStop - roundoff)
        return {end, false};
    return {tStop, end > tStop + roundoff};
}

void OneStepIntegrator::advanceGrid(const Target& target)
{
    if (target.cut) {
        grid_.start(target.end);
        return;
    }
    grid_.place += kSubdivisions >> grid_.level;
    if (grid_.place == kSubdivisions) {
        grid_.cells += 1;
        grid_.place = grid_.level = 0;
    } else if (grid_.level > 0 && grid_.place % (kSubdivisions >> (grid_.level - 1)) == 0) {
        --grid_.level;
    }
}

StepOutcome OneStepIntegrator::fixedStep(double tStop)
{
    double tried = 0;
    solve::NewtonResult result;
    for (;;) {
        const Target target = fixedTarget(tStop);
        const double h = target.end - t_;
        if (h != tried) {
            tried = h;
            result = attempt(target.end, h);
            if (result.status == solve::NewtonStatus::Converged) {
                StepOutcome outcome;
                if (!finish(target.end, h, outcome))
                    return outcome;
                advanceGrid(target);
                return outcome;
            }
            if (result.status == solve::NewtonStatus::Cancelled)
                return failure(result, h);
            ++statistics_.rejected;
            forget();
        }
        if (grid_.level == kLevels || !mayHalve())
            break;
        ++grid_.level;
    }
    return failure(result, tried);
}

/// The next step, with so much left. On index 3 a multiplier carries what a step leaves of the velocities divided by the next
/// step: where one short step would be left, two equal ones lead to the end.
double OneStepIntegrator::shared(double left) const
{
    constexpr double kLonger = 1 + 1e-9; // what is left over by round-off is no step
    if (system_->index() < 3 || left <= h_ || left >= 2 * h_)
        return h_;
    return left <= kLonger * h_ ? left : 0.5 * left;
}

StepOutcome OneStepIntegrator::adaptiveStep(double tStop)
{
    if (h_ == 0)
        h_ = firstStep();
    bool retried = false;
    for (;;) {
        const double planned = shared(tStop - t_);
        const bool cut = t_ + planned >= tStop - timeRoundoff(t_ + planned, planned);
        const double end = cut ? tStop : t_ + planned;
        const double h = end - t_;
        longest_ = std::max(longest_, h);
        const auto result = attempt(end, h);
        if (result.status == solve::NewtonStatus::Cancelled)
            return failure(result, h);
        const bool solved = result.status == solve::NewtonStatus::Converged;
        const double error = solved ? errorNorm() : 0;
        const double exponent = 1.0 / errorOrder() - 0.75 * integralGain();
        if (solved && error <= 1) {
            StepOutcome outcome;
            if (!finish(end, h, outcome))
                return outcome;
            double factor = kSafety * std::pow(std::max(error, 1e-10), -exponent) * std::pow(lastError_, integralGain());
            factor = steadied(std::clamp(factor, kLargestCut, retried ? 1.0 : kLargestGrowth));
            h_ = cut ? std::max(h_, h * factor) : h * factor;
            if (options_.maxStep > 0)
                h_ = std::min(h_, options_.maxStep);
            lastError_ = std::max(error, kSmallestRememberedError);
            doubtful_ = std::max(0, doubtful_ - 1);
            return outcome;
        }
        ++statistics_.rejected;
        if (std::exchange(retried, true))
            doubtful_ = std::max(doubtful_, kDoubtful);
        double shorter = solved ? kLargestCut : kUnsolvedCut;
        if (solved && std::isfinite(error))
            shorter = std::max(kLargestCut, kSafety * std::pow(error, -exponent));
        h_ = h * shorter;
        if (h_ < shortestStep(options_, t_, longest_))
            return solved ? errorTestFailure(*system_, t_, h, error) : failure(result, h);
    }
}

double OneStepIntegrator::weightedNorm(std::span<const double> error) const
{
    double sum = 0;
    for (std::size_t k = 0; k < tested_.size(); ++k) {
        const std::size_t i = tested_[k];
        const double share = error[i] / tolerated(k, y_[i], yNew_[i]);
        sum += share * share;
    }
    return tested_.size() > 0 ? std::sqrt(sum / static_cast<double>(tested_.size())) : 0;
}

double OneStepIntegrator::firstStep()
{
    // One Euler step gives a second derivative; the first step makes the leading error term a hundredth of what is
    // tolerated (Hairer, Norsett, Wanner, Solving ODEs I, section II.4).
    const auto roles = system_->roles();
    double d0 = 0, d1 = 0, d2 = 0;
    const auto weight = [&](std::size_t i) {
        return 1 / (absoluteTolerance(roles[i], options_, false) + options_.relativeTolerance * std::abs(y_[i]));
    };
    for (std::size_t i = 0; i < size(); ++i)
        if (roles[i].differential) {
            d0 = std::max(d0, std::abs(y_[i] * weight(i)));
            d1 = std::max(d1, std::abs(yp_[i] * weight(i)));
        }
    // A value that passes zero is as small as round-off there, and says nothing: a trial is long enough for t to have digits.
    constexpr double kOfRoundoff = 64;
    const double trial = std::max(d0 < 1e-5 || d1 < 1e-5 ? 1e-6 : 0.01 * d0 / d1, kOfRoundoff * timeRoundoff(t_, 0));
    yNew_ = y_;
    ypNew_ = yp_;
    for (std::size_t i = 0; i < size(); ++i)
        if (roles[i].differential)
            yNew_[i] += trial * yp_[i];
    // A form of higher index gives no rates at a point: its steps grow from a small one.
    if (system_->index() <= 1 && system_->semiExplicit()
        && solveRates(t_ + trial, yNew_.data(), ypNew_.data()).status == solve::NewtonStatus::Converged)
        for (std::size_t i = 0; i < size(); ++i)
            if (roles[i].differential)
                d2 = std::max(d2, std::abs((ypNew_[i] - yp_[i]) * weight(i)) / trial);
    const double steepest = std::max(d1, d2);
    double h = steepest <= 1e-15 ? std::max(1e-6, trial * 1e-3) : std::pow(0.01 / steepest, 1.0 / errorOrder());
    h = std::min(h, 100 * trial);
    if (options_.step > 0)
        h = std::min(h, options_.step);
    return options_.maxStep > 0 ? std::min(h, options_.maxStep) : h;
}

bool OneStepIntegrator::finish(double tEnd, double h, StepOutcome& outcome)
{
    if (system_->hasProjection()) {
        if (!system_->project(tEnd, yNew_.data(), ypNew_.data())) {
            outcome = {.status = StepStatus::Failed,
                       .failure = StepFailure::ProjectionFailed,
                       .t = t_,
                       .h = h,
                       .reason = projectionFailure(tEnd * system_->timeUnit())};
            return false;
        }
        if (system_->index() <= 1) {
            const auto result = solveRates(tEnd, yNew_.data(), ypNew_.data());
            if (result.status != solve::NewtonStatus::Converged) {
                outcome = failure(result, h);
                return false;
            }
        }
    }
    y_.swap(yNew_);
    yp_.swap(ypNew_);
    before_ = t_;
    t_ = tEnd;
    lastStep_ = h;
    ++statistics_.steps;
    accepted(h);
    outcome = {.status = StepStatus::Accepted, .t = t_, .h = h};
    return true;
}

void OneStepIntegrator::interpolate(double t, std::span<double> y) const
{
    const double h = t_ - before_;
    if (lastStep_ == 0 || t == t_) {
        std::copy(y_.begin(), y_.end(), y.begin());
        return;
    }
    const double x = (t - before_) / h, z = 1 - x;
    for (std::size_t i = 0; i < size(); ++i)
        y[i] = z * yNew_[i] + x * y_[i] + x * z * ((x - z) * (y_[i] - yNew_[i]) + h * (z * ypNew_[i] - x * yp_[i]));
}

StepOutcome OneStepIntegrator::failure(const solve::NewtonResult& result, double h) const
{
    return newtonFailure(*system_, result, t_, h);
}

} // namespace driftless::integrate
