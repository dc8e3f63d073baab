#include "core/run/StepEvents.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace driftless::run {

namespace {

constexpr double kDifference = 1e-4;       ///< of a step: rates from differences of the polynomial
constexpr int kLeastPoints = 4;            ///< inside of a step: a guard is often of second degree in the unknowns
constexpr int kMostCorrections = 6;        ///< of the time of an event, all with one rate: the first one is near
constexpr double kShareOfTolerance = 1e-2; ///< of the step times the relative tolerance: to this the time is corrected
constexpr double kShortInIndex3 = 0.05;    ///< of the first step: a shorter one is not repeated
constexpr double kFixedTolerance = 1e-10;  ///< of methods that have none

} // namespace

StepEvents::StepEvents(EventSource& source) : source_(source)
{
    locator_.prepare(source.guards());
    values_.resize(source.guards());
    rates_.resize(source.guards());
}

void StepEvents::begin(const model::ModelState& from)
{
    if (locator_.size() != source_.guards()) {
        locator_.prepare(source_.guards());
        values_.resize(source_.guards());
        rates_.resize(source_.guards());
    }
    state_ = from;
    source_.watch(from, locator_);
}

void StepEvents::beforeStep(const Stepper& stepper)
{
    core_ = &stepper.core();
    const integrate::Integrator& method = *core_->integrator;
    begin_ = method.t();
    fresh_ = stepper.isFresh();
    y_.assign(method.y().begin(), method.y().end());
    yp_.assign(method.yp().begin(), method.yp().end());
    for (auto* values : {&at_, &early_, &late_, &slope_})
        values->resize(y_.size());
}

bool StepEvents::stateAt(double t)
{
    const integrate::Integrator& method = *core_->integrator;
    const double reach = kDifference * (end_ - begin_);
    method.interpolate(t, at_);
    method.interpolate(t - reach, early_); // unknowns that are rates of others are read from the rates
    method.interpolate(t + reach, late_);
    for (std::size_t i = 0; i < at_.size(); ++i)
        slope_[i] = (late_[i] - early_[i]) / (2 * reach);
    return core_->instance->toState(t, at_.data(), slope_.data(), state_);
}

bool StepEvents::at(double t, std::span<double> values, std::span<double> rates)
{
    return stateAt(t) && source_.evaluate(state_, values, rates);
}

integrate::Located StepEvents::search(const Stepper& stepper, const model::ModelState& now, bool due)
{
    core_ = &stepper.core();
    end_ = now.t;
    // An integrator may have taken more than one step to where it stands: its polynomial reaches over the last one.
    const double last = end_ - stepper.lastStep();
    fresh_ = fresh_ && last <= begin_ + 4 * std::numeric_limits<double>::epsilon() * std::abs(begin_);
    begin_ = std::max(begin_, last);
    integrate::Located found = locator_.first(*this, begin_, end_, std::max(kLeastPoints, stepper.order()));
    if (due)
        found = locator_.withEnd(*this, found, begin_, end_);
    fired_.assign(found.guards.begin(), found.guards.end());
    return found;
}

/// The step once more, from its beginning to another end. Where the method comes there in several steps only the first of them
/// is made: its polynomial says what is inside of it, and the event is found again behind it.
bool StepEvents::repeat(Stepper& stepper, double until, model::ModelState& state, std::string& why)
{
    if (auto restarted = stepper.restart(begin_, y_, yp_); !restarted) {
        why = restarted.error().text();
        return false;
    }
    stepper.suggestStep(until - begin_); // a longer one was accepted
    const integrate::StepOutcome outcome = stepper.advance(until);
    if (outcome.status != integrate::StepStatus::Accepted) {
        why = outcome.status == integrate::StepStatus::Cancelled ? "the step was left" : outcome.reason;
        return false;
    }
    fallsShort_ = stepper.core().integrator->t() < until;
    if (stepper.read(state))
        return true;
    why = "the state is not finite";
    return false;
}

/// The rate of a guard along the polynomial of the step that was searched.
double StepEvents::rateAt(std::size_t guard, double t)
{
    if (!at(t, values_, rates_))
        return std::numeric_limits<double>::quiet_NaN();
    if (std::isfinite(rates_[guard]))
        return rates_[guard];
    const double reach = kDifference * (end_ - begin_);
    if (!at(t - reach, values_, rates_))
        return std::numeric_limits<double>::quiet_NaN();
    const double early = values_[guard];
    if (!at(t + reach, values_, rates_))
        return std::numeric_limits<double>::quiet_NaN();
    return (values_[guard] - early) / (2 * reach);
}

/// By how much a guard misses its zero where a true step has ended.
double StepEvents::missedAt(std::size_t guard, double zero, const model::ModelState& state)
{
    state_ = state;
    return source_.evaluate(state_, values_, rates_) ? zero - values_[guard] : 0;
}

bool StepEvents::firesAt(const integrate::Located& event, const model::ModelState& state)
{
    const auto guard = static_cast<std::size_t>(event.first);
    state_ = state;
    return !source_.evaluate(state_, values_, rates_) || locator_.fires(guard, values_[guard], event.zero);
}

bool StepEvents::cut(Stepper& stepper, const integrate::Located& event, model::ModelState& state, std::string& why)
{
    const Core& core = stepper.core();
    const bool multistep = core.integrator->info().multistep;
    fallsShort_ = false;
    if (!(event.t < end_))
        return true; // the step has ended there
    // In index 3 velocities and multipliers have the round-off of places over h and h^2.
    const bool tooShort = core.instance->index() >= 3 && event.t - begin_ < kShortInIndex3 * (end_ - begin_);
    if ((multistep && (!fresh_ || tooShort)) || !(event.t > begin_)) {
        if (!stateAt(event.t)) {
            why = core.instance->domainMessage();
            return false;
        }
        state = state_; // from which the integrator starts afresh whatever happens there
        return true;
    }
    if (!repeatTo(stepper, event, state, why))
        return false;
    // What fired on the polynomial alone has not: the step is one like others, and the event is found again behind it.
    if ((multistep || event.touching) && event.first >= 0)
        fallsShort_ = fallsShort_ || !firesAt(event, state);
    return true;
}

/// The step ends where what was found is zero at the end of a true step.
bool StepEvents::repeatTo(Stepper& stepper, const integrate::Located& event, model::ModelState& state, std::string& why)
{
    const Core& core = stepper.core();
    const integrate::IntegratorOptions& options = core.settings.options;
    const bool adaptive = core.integrator->info().adaptive;
    const double reach = kShareOfTolerance * (adaptive ? options.relativeTolerance : kFixedTolerance) * (end_ - begin_);
    const bool corrects = !event.grazing && !event.jumps && event.first >= 0;
    const auto first = corrects ? static_cast<std::size_t>(event.first) : 0;
    // The rate is that of the polynomial, before the step is repeated: near enough for a few corrections to converge, and it
    // asks nothing of the state but what the form carries.
    const double rate = corrects ? rateAt(first, event.t) : 0;
    double until = event.t, nearest = until, least = std::numeric_limits<double>::infinity();
    for (int k = 0;; ++k) {
        if (!repeat(stepper, until, state, why))
            return false;
        if (!corrects || fallsShort_)
            return true;
        const double missed = missedAt(first, event.zero, state);
        if (!(std::abs(missed) <= least)) // at the top of a flight that round-off hides the rate says nothing
            return repeat(stepper, nearest, state, why);
        nearest = until;
        least = std::abs(missed);
        const double later = std::isfinite(missed / rate) ? missed / rate : 0;
        const double next = std::clamp(until + later, begin_ + 0.5 * (until - begin_), end_);
        if (k == kMostCorrections || std::abs(next - until) <= reach || next == until)
            return true;
        until = next;
    }
}

} // namespace driftless::run
