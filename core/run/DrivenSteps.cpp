#include "core/run/DrivenSteps.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/Index.h"

namespace driftless::run {

namespace {

constexpr double kWhere = 0.43; ///< of the step: far from the stages of all collocation methods, and near the middle
constexpr double kMissed = 10;  ///< times the relative tolerance of a position, or of its usual size: what may be missed
constexpr double kLeastTolerance = 1e-9;                    ///< what a constraint holds to the round-off of its positions
constexpr double kSafety = 0.9, kGrowth = 2, kShrink = 0.1; ///< the derivative that decides may vanish for a moment, or jump

} // namespace

DrivenSteps::DrivenSteps(const model::CompiledSystem& system, Metrics& metrics)
    : system_(system), metrics_(metrics), end_(std::numeric_limits<double>::quiet_NaN())
{
    const expr::Symbol time = *expr::time().symbol();
    for (const model::Constraint& c : system.system().constraints)
        driven_ = driven_ || (c.holonomic && expr::dependsOn(c.g, time));
    if (!driven_)
        return;
    for (auto* rows : {&atEnd_, &before_, &inside_, &allowed_})
        rows->resize(at(system.holonomic()));
    q_.resize(at(system.n()));
    v_ = q_;
    jacobian_.resize(system.positionJacobianPlaces().size());
}

/// The largest violation inside, beside what it is at both ends, in what may be missed.
double DrivenSteps::missed(double relative) const
{
    double most = 0;
    for (std::size_t i = 0; i < inside_.size(); ++i) {
        const double off = std::abs(inside_[i] - (1 - kWhere) * before_[i] - kWhere * atEnd_[i]);
        if (allowed_[i] > 0)
            most = std::max(most, off / (kMissed * relative * allowed_[i]));
    }
    return most;
}

void DrivenSteps::followed(const model::ModelState& now, Stepper& stepper)
{
    const Core& core = stepper.core();
    const integrate::IntegratorInfo& method = core.integrator->info();
    if (!driven_ || !method.adaptive)
        return;
    const double h = stepper.lastStep(), begin = now.t - h;
    const bool follows = std::abs(end_ - begin) <= 4 * std::numeric_limits<double>::epsilon() * std::max(std::abs(now.t), h);
    before_.swap(atEnd_);
    end_ = std::numeric_limits<double>::quiet_NaN();
    model::SystemEvaluator& evaluator = metrics_.evaluator();
    if (!evaluator.constraints(now.t, now.q.data(), atEnd_.data()))
        return;
    end_ = now.t;
    // Methods of several steps grow from short ones by themselves, behind an event from the shortest.
    double longest = method.multistep ? std::numeric_limits<double>::infinity() : kGrowth * h;
    DenseValues& values = stepper.values(now, h);
    const double t = begin + kWhere * h;
    if (follows && values.motion(t, q_.data(), v_.data()) && evaluator.constraints(t, q_.data(), inside_.data())
        && evaluator.positionJacobian(t, q_.data(), jacobian_.data())) {
        std::ranges::fill(allowed_, 0.0);
        const auto places = system_.positionJacobianPlaces();
        for (std::size_t k = 0; k < places.size(); ++k) {
            const std::size_t i = at(places[k].row), j = at(places[k].column);
            const double size = std::max(std::abs(now.q[j]), metrics_.scales().positions[j]);
            allowed_[i] = std::max(allowed_[i], std::abs(jacobian_[k]) * size);
        }
        const double share = missed(std::max(core.settings.options.relativeTolerance, kLeastTolerance));
        if (share > 0)
            longest =
                std::min(longest, h * std::max(kShrink, kSafety * std::pow(share, -1.0 / (std::max(3, values.degree()) + 1))));
    }
    latestEnd_ = now.t + longest;
    if (!method.multistep && core.integrator->nextStep() > longest)
        stepper.suggestStep(longest);
}

} // namespace driftless::run
