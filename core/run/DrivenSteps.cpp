#include "core/run/DrivenSteps.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/base/Index.h"
#include "core/run/CubicWeights.h"

namespace driftless::run {

namespace {

constexpr double kWhere = 0.43; ///< of the step: far from the stages of all collocation methods, and near the middle
constexpr double kMissed = 10;  ///< times the relative tolerance of a position, or of its usual size: what may be missed
constexpr double kLeastTolerance = 1e-9; ///< what a constraint holds to the round-off of its positions
constexpr int kAhead = 16,
              kNodes = 4; ///< pieces of the next step at whose ends rows are looked at; those between nodes of a quartic
constexpr int kMostHalvings = 20;
constexpr double kOfHigher = 30, kOfCubic = 0.2; ///< what the quartic may miss where the method's polynomial is another
constexpr double kSafety = 0.9, kGrowth = 2, kShrink = 0.2; ///< the derivative that decides may vanish for a moment, or jump

/// Of the values at the nodes 0 to kNodes, for that of the quartic through them at s.
std::array<double, kNodes + 1> quarticWeights(double s)
{
    std::array<double, kNodes + 1> out{};
    for (int i = 0; i <= kNodes; ++i) {
        out[at(i)] = 1;
        for (int j = 0; j <= kNodes; ++j)
            if (j != i)
                out[at(i)] *= (s - j) / (i - j);
    }
    return out;
}

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
    ahead_.resize(inside_.size() * (kAhead + 1));
    q_.resize(at(system.n()));
    v_ = place_ = rate_ = rateNow_ = q_;
    jacobian_.resize(system.positionJacobianPlaces().size());
}

/// Of a step behind a start or an event, where none has ended.
bool DrivenSteps::lookAtBeginning(const model::ModelState& now, Stepper& stepper, double h)
{
    model::SystemEvaluator& evaluator = metrics_.evaluator();
    const double t = now.t - h;
    if (!stepper.values(now, h).motion(t, q_.data(), v_.data()) || !evaluator.constraints(t, q_.data(), before_.data()))
        return false;
    std::ranges::copy(q_, place_.begin());
    if (!system_.plainRates())
        return evaluator.coordinateRates(t, q_.data(), v_.data(), rate_.data());
    std::ranges::copy(v_, rate_.begin());
    return true;
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

/// Of the state that is looked at: by how much of each row a place may be off.
bool DrivenSteps::allow(const model::ModelState& now, double t)
{
    if (!metrics_.evaluator().positionJacobian(t, q_.data(), jacobian_.data()))
        return false;
    std::ranges::fill(allowed_, 0.0);
    const auto places = system_.positionJacobianPlaces();
    for (std::size_t k = 0; k < places.size(); ++k) {
        const std::size_t i = at(places[k].row), j = at(places[k].column);
        const double size = std::max(std::abs(now.q[j]), metrics_.scales().positions[j]);
        allowed_[i] = std::max(allowed_[i], std::abs(jacobian_[k]) * size);
    }
    return true;
}

/// The cubic through places and rates at both ends of the last step, which is recorded where the method knows no better.
void DrivenSteps::cubic(const model::ModelState& now, double h)
{
    const auto [h00, h10, h01, h11] = CubicWeights(kWhere, h);
    for (std::size_t i = 0; i < q_.size(); ++i)
        q_[i] = h00 * place_[i] + h10 * rate_[i] + h01 * now.q[i] + h11 * rateNow_[i];
}

/// What the next step may be long, by the last one of h; infinity where nothing tells.
double DrivenSteps::longest(const model::ModelState& now, Stepper& stepper, double h)
{
    model::SystemEvaluator& evaluator = metrics_.evaluator();
    DenseValues& values = stepper.values(now, h);
    const double t = now.t - h + kWhere * h, relative = stepper.core().settings.options.relativeTolerance;
    double out = std::numeric_limits<double>::infinity();
    const auto look = [&](int degree) {
        if (!evaluator.constraints(t, q_.data(), inside_.data()) || !allow(now, t))
            return;
        if (const double share = missed(std::max(relative, kLeastTolerance)); share > 0)
            out = std::min(out, h * std::max(kShrink, kSafety * std::pow(share, -1.0 / (degree + 1))));
    };
    // Events are found on the method's polynomial.
    if (values.motion(t, q_.data(), v_.data()))
        look(std::max(integrate::Integrator::kCubic, values.degree()));
    if (values.degree() <= integrate::Integrator::kCubic) {
        cubic(now, h);
        look(integrate::Integrator::kCubic);
    }
    return out;
}

/// The next step of h, halved until what time alone does to the rows is a quartic: a ramp that begins inside of it is seen
/// before it is passed.
double DrivenSteps::ahead(const model::ModelState& now, double h, double relative, double missed)
{
    model::SystemEvaluator& evaluator = metrics_.evaluator();
    std::ranges::copy(now.q, q_.begin());
    if (!allow(now, now.t))
        return h;
    const std::size_t rows = inside_.size();
    for (int halvings = 0; halvings < kMostHalvings; ++halvings, h *= 0.5) {
        for (int k = 0; k <= kAhead; ++k)
            if (!evaluator.constraints(now.t + h * k / kAhead, q_.data(), &ahead_[at(k) * rows]))
                return h;
        double most = 0;
        for (int k = 0; k <= kAhead; ++k) {
            const auto weights = quarticWeights(static_cast<double>(k * kNodes) / kAhead);
            for (std::size_t row = 0; row < rows; ++row) {
                double off = ahead_[at(k) * rows + row];
                for (int i = 0; i <= kNodes; ++i)
                    off -= weights[at(i)] * ahead_[at(i * kAhead / kNodes) * rows + row];
                if (allowed_[row] > 0)
                    most = std::max(most, std::abs(off) / allowed_[row]);
            }
        }
        if (most <= missed * kMissed * std::max(relative, kLeastTolerance))
            return h;
    }
    return h;
}

/// A method of several steps raises its order while its steps stay as they are, and grows from short ones by itself, behind an
/// event from the shortest. What takes no limit is ended there.
double DrivenSteps::limited(double most, double h, Stepper& stepper)
{
    if (most < kGrowth * h)
        most = std::min(most, h);
    stepper.limitStep(most);
    return stepper.core().integrator->nextStep() <= most ? std::numeric_limits<double>::infinity() : most;
}

void DrivenSteps::followed(const model::ModelState& now, Stepper& stepper)
{
    const Core& core = stepper.core();
    const integrate::IntegratorInfo& method = core.integrator->info();
    if (!driven_ || !method.adaptive)
        return;
    const double h = stepper.lastStep();
    const bool follows =
        std::abs(end_ - (now.t - h)) <= 4 * std::numeric_limits<double>::epsilon() * std::max(std::abs(now.t), h);
    before_.swap(atEnd_);
    end_ = std::numeric_limits<double>::quiet_NaN();
    model::SystemEvaluator& evaluator = metrics_.evaluator();
    if (!evaluator.constraints(now.t, now.q.data(), atEnd_.data()))
        return;
    if (system_.plainRates())
        std::ranges::copy(now.v, rateNow_.begin());
    else if (!evaluator.coordinateRates(now.t, now.q.data(), now.v.data(), rateNow_.data()))
        return;
    end_ = now.t;
    const bool known = follows || lookAtBeginning(now, stepper, h);
    double most = known ? longest(now, stepper, h) : std::numeric_limits<double>::infinity();
    const double next = std::min({most, kGrowth * h, core.integrator->nextStep()});
    const int degree = stepper.values(now, h).degree();
    const double share = degree > kNodes ? kOfHigher : degree < kNodes ? kOfCubic : 1;
    if (const double seen = ahead(now, next, core.settings.options.relativeTolerance, share); seen < next)
        most = seen;
    std::ranges::copy(now.q, place_.begin());
    rate_.swap(rateNow_);
    latestEnd_ = std::numeric_limits<double>::infinity();
    if (method.multistep)
        latestEnd_ = now.t + limited(most, h, stepper);
    else if (core.integrator->nextStep() > std::min(most, kGrowth * h))
        stepper.suggestStep(std::min(most, kGrowth * h));
}

} // namespace driftless::run
