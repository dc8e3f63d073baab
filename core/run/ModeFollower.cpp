#include "core/run/ModeFollower.h"

#include <algorithm>
#include <cmath>

#include "core/run/Plain.h"

namespace driftless::run {

namespace {

using model::OneSidedKind;
using model::OneSidedState;

// In nominal sizes of the model (NominalScales.h).
constexpr double kTouching =
    1e-9;                         ///< of a length: what is nearer touches. Round-off of a step is far below, a bounce far above
constexpr double kStill = 1e-9;   ///< of a velocity: what is slower stands
constexpr double kRest = 1e-4;    ///< of a velocity: a rebound that is slower is none, where the contact states no limit
constexpr double kNoForce = 1e-9; ///< of a force
constexpr double kDrifted = 10;   ///< of kTouching: a contact that opens behind its surface may go so much further
constexpr double kOverlap = 1e-6; ///< of a length: a start may miss a contact by that much

/// The largest velocity that is usual, in units of length: angles count as they are.
double usualSpeed(const model::NominalScales& scales)
{
    double largest = 0;
    for (const double v : scales.velocities)
        largest = std::max(largest, v);
    return largest > 0 ? largest : scales.length / scales.time;
}

} // namespace

ModeFollower::ModeFollower(std::shared_ptr<const model::CompiledSystem> base,
                           std::shared_ptr<const model::CompiledOneSided> oneSided)
    : base_(std::move(base)), contacts_(base_, std::move(oneSided)), mode_(model::baseMode(base_->system())), next_(mode_)
{
    a_.resize(static_cast<std::size_t>(base_->n()));
    lambda_.resize(static_cast<std::size_t>(base_->w()));
    ordered_ = lambda_;
}

Result<std::unique_ptr<ModeFollower>> ModeFollower::of(std::shared_ptr<const model::CompiledSystem> base)
{
    auto compiled = model::CompiledOneSided::compile(base->modelHandle());
    if (!compiled)
        return compiled.error();
    return std::unique_ptr<ModeFollower>(new ModeFollower(std::move(base), std::move(*compiled)));
}

void ModeFollower::enter(double t, const model::Mode& mode, const Ground& ground)
{
    mode_ = next_ = mode;
    ground_ = ground;
    history_.emplace_back(t, mode);
    needsForces_ = false;
    for (std::size_t i = 0; i < rows(); ++i)
        needsForces_ = needsForces_ || mode[i] == OneSidedState::On || system().oneSided[i].kind == OneSidedKind::Friction;
}

const model::Mode& ModeFollower::modeAt(double t) const
{
    const auto after = std::find_if(history_.begin(), history_.end(), [t](const auto& entry) { return entry.first > t; });
    return after == history_.begin() ? mode_ : std::prev(after)->second;
}

void ModeFollower::forgetAfter(double t)
{
    std::erase_if(history_, [t](const auto& entry) { return entry.first > t; });
}

consistency::Contacts::Limits ModeFollower::limits() const
{
    const model::NominalScales& scales = ground_.metrics->scales();
    const double speed = usualSpeed(scales);
    return {.gap = kTouching * scales.length, .still = kStill * speed, .rest = kRest * speed};
}

Result<void> ModeFollower::check(const model::ModelState& at)
{
    auto& numbers = contacts_.numbers();
    if (!numbers.numbers(at.t, at.q.data(), at.v.data(), at.lambda.data()))
        return Diagnostic{"The contacts cannot be computed at the start", {}, numbers.message(), "another start", {}};
    const double allowed = kOverlap * ground_.metrics->scales().length;
    for (std::size_t i = 0; i < rows(); ++i) {
        const model::OneSidedNumbers& now = numbers.of(i);
        if (system().oneSided[i].kind == OneSidedKind::Contact && now.value / now.scale < -allowed)
            return Diagnostic{.what = "The start lies behind the contact " + system().oneSided[i].row.name,
                              .where = "t = " + plain(at.t),
                              .why = "the gap is " + plain(now.value / now.scale)
                                     + ", and a contact keeps it from going below zero",
                              .remedy = "a start on the other side",
                              .position = system().oneSided[i].row.position};
    }
    return {};
}

/// Accelerations and multipliers of the mode from the model, and what follows from them for each row.
bool ModeFollower::forcesAt(const model::ModelState& at)
{
    std::copy(at.lambda.begin(), at.lambda.end(), lambda_.begin());
    auto& solver = ground_.metrics->solver();
    if (needsForces_ && !solver.accelerations(at.t, at.q.data(), at.v.data(), a_.data(), lambda_.data()))
        return false;
    const std::vector<int>& places = *ground_.places;
    if (places.empty())
        std::copy(lambda_.begin(), lambda_.end(), ordered_.begin());
    for (std::size_t i = 0; i < places.size(); ++i)
        ordered_[i] = lambda_[static_cast<std::size_t>(places[i])];
    return contacts_.numbers().numbers(at.t, at.q.data(), at.v.data(), ordered_.data());
}

/// What the guard of a row looks at: what is above zero (of sliding backwards: below) as long as nothing happens.
double ModeFollower::value(std::size_t i) const
{
    const model::OneSided& row = system().oneSided[i];
    const model::OneSidedNumbers& now = contacts_.numbers().of(i);
    const auto first = system().w() - static_cast<int>(system().idle.size());
    const auto idle = std::find(system().idle.begin(), system().idle.end(), row.row.multiplier);
    const double lambda =
        idle == system().idle.end() ? 0 : ordered_[static_cast<std::size_t>(first + (idle - system().idle.begin()))];
    switch (row.kind) {
    case OneSidedKind::Contact:
        return mode_[i] == OneSidedState::On ? -lambda : now.value;
    case OneSidedKind::Friction:
        return mode_[i] == OneSidedState::On ? now.limit - std::abs(lambda) : now.value;
    case OneSidedKind::Link:
        break;
    }
    return now.limit - now.load;
}

bool ModeFollower::evaluate(const model::ModelState& at, std::span<double> values, std::span<double> rates)
{
    if (!forcesAt(at))
        return false;
    for (std::size_t i = 0; i < rows(); ++i) {
        const bool gap = system().oneSided[i].kind == OneSidedKind::Contact && mode_[i] != OneSidedState::On;
        values[i] = value(i);
        rates[i] = gap ? contacts_.numbers().of(i).rate : std::numeric_limits<double>::quiet_NaN();
    }
    return true;
}

/// A form that does not hold positions leaves a contact a little behind its surface. That is no way through it: the surface is
/// where the contact opens, until it has left it.
void ModeFollower::watchGap(std::size_t i, integrate::EventLocator& locator) const
{
    const model::OneSidedNumbers& now = contacts_.numbers().of(i);
    const bool sinks = now.value < 0 && now.rate < 0;
    const bool leaves = now.rate > limits().still * now.scale;
    locator.watch(i, 1, (sinks ? kDrifted : 1) * limits().gap * now.scale, std::min(now.value, 0.0), leaves);
}

void ModeFollower::watch(const model::ModelState& from, integrate::EventLocator& locator)
{
    (void)forcesAt(from);
    const consistency::Contacts::Limits limits = this->limits();
    const model::NominalScales& scales = ground_.metrics->scales();
    for (std::size_t i = 0; i < rows(); ++i) {
        const double scale = contacts_.numbers().of(i).scale;
        const double force = kNoForce * scales.energy / (scales.length * scale);
        switch (system().oneSided[i].kind) {
        case OneSidedKind::Contact:
            if (mode_[i] == OneSidedState::On)
                locator.watch(i, 1, force);
            else
                watchGap(i, locator);
            break;
        case OneSidedKind::Friction:
            if (mode_[i] == OneSidedState::On)
                locator.watch(i, 1, kNoForce * scales.energy / scales.length);
            else
                locator.watch(i, mode_[i] == OneSidedState::Backwards ? -1 : 1, limits.still);
            break;
        case OneSidedKind::Link:
            locator.watch(i, mode_[i] == OneSidedState::On ? 1 : 0, kNoForce * scales.energy / scales.length);
            break;
        }
    }
}

ImpactEvent ModeFollower::told(const consistency::ImpactOutcome& impact) const
{
    ImpactEvent out{.contacts = {}, .bodies = {}, .impulse = 0, .energy = impact.work, .impacts = impact.impacts};
    for (const consistency::ContactImpulse& c : impact.contacts) {
        const model::Constraint& row = system().oneSided[static_cast<std::size_t>(c.row)].row;
        out.contacts.push_back(row.name);
        for (const std::string& body : row.bodies)
            if (std::find(out.bodies.begin(), out.bodies.end(), body) == out.bodies.end())
                out.bodies.push_back(body);
        out.impulse = std::max(out.impulse, c.impulse);
        out.multipliers.push_back(-c.impulse / contacts_.numbers().of(static_cast<std::size_t>(c.row)).scale);
        out.speed = std::max(out.speed, -c.before);
    }
    out.cutShort = impact.cutShort;
    out.leastRestitution = impact.leastRestitution;
    return out;
}

ModeChange ModeFollower::told(const model::Mode& next) const
{
    return {.from = model::modeName(system(), mode_), .to = model::modeName(system(), next), .fromMode = mode_, .toMode = next};
}

Result<Happening> ModeFollower::happen(const model::ModelState& at, std::span<const int> guards)
{
    Happening out;
    out.state = at;
    model::ModelState s = at;
    if (!forcesAt(at))
        return Diagnostic{"The forces of the contacts are not determined here",
                          "t = " + plain(at.t),
                          ground_.metrics->solver().message(),
                          "another start",
                          {}};
    s.lambda = ordered_;
    const consistency::Contacts::Limits limits = this->limits();
    std::vector<int> leaves;
    for (const int guard : guards)
        if (mode_[static_cast<std::size_t>(guard)] == OneSidedState::On)
            leaves.push_back(guard);
    // What is hit has fired, or touches: a guard that is found a little late is at zero for what follows.
    auto impact = contacts_.impact(s, mode_, limits, base_->model().simultaneousImpacts, s.v);
    if (!impact)
        return impact.error();
    if (impact->happened()) {
        out.moved = true;
        out.work = impact->work;
        out.state.v = s.v;
        out.told.emplace_back(told(*impact));
    }
    auto settled = contacts_.settle(s, mode_, limits, leaves);
    if (!settled)
        return settled.error();
    next_ = settled->mode;
    out.otherSystem = next_ != mode_;
    if (out.otherSystem)
        out.told.emplace_back(told(next_));
    if (out.told.empty() && !guards.empty()) {
        Crossing touched;
        for (const int guard : guards)
            touched.names.push_back(system().oneSided[static_cast<std::size_t>(guard)].row.name);
        out.told.emplace_back(std::move(touched));
    }
    return out;
}

} // namespace driftless::run
