// When the events of a general DAE are due: the guards of its conditions, conditions on t alone, and samplers.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/base/Index.h"
#include "core/reduction/Events.h"
#include "core/text/Numbers.h"

namespace driftless::reduction {

namespace {

/// Instants nearer to each other than the round-off of how they are computed are one: 3*0.1 s and 0.3 s.
double roundoff(double t) { return 4 * std::numeric_limits<double>::epsilon() * std::abs(t); }

} // namespace

EventEvaluator::EventEvaluator(std::shared_ptr<const Reduced> reduced) : reduced_(std::move(reduced))
{
    const CompiledEvents& e = events();
    for (const auto& p : reduced_->system.parameters)
        parameters_.push_back(p.quantity.value);
    flags_.assign(1 + e.samplerCount, 0);
    guards_.resize(e.guards.outputCount());
    partials_.resize(e.spread.outputCount());
    times_.resize(e.timed.outputCount());
    samplers_.resize(e.samplers.outputCount());
    guardsWork_ = e.guards.workspace();
    spreadWork_ = e.spread.workspace();
    timedWork_ = e.timed.workspace();
    samplersWork_ = e.samplers.workspace();
}

/// before: what pre() is.
bool EventEvaluator::readTimes(double t, const std::vector<double>& values, const std::vector<double>& before)
{
    const double *const y = values.data(), *const pre = before.data();
    return events().timed.evaluate({&t, y, parameters_.data(), pre, flags_.data()}, times_.data(), timedWork_)
           && events().samplers.evaluate({&t, y, parameters_.data(), pre, flags_.data()}, samplers_.data(), samplersWork_);
}

/// Of a timed condition; NaN where it never changes.
double EventEvaluator::timeOf(std::size_t i) const
{
    const double slope = times_[2 * i], value = times_[2 * i + 1];
    return slope == 0 ? std::numeric_limits<double>::quiet_NaN() : -value / slope;
}

/// Whether a timed condition is another function of t than it was.
bool EventEvaluator::timeIsOther(std::size_t i, const std::vector<double>& before) const
{
    return times_[2 * i] != before[2 * i] || times_[2 * i + 1] != before[2 * i + 1];
}

/// Of a timed condition, what holds from t on.
bool EventEvaluator::timedTrue(std::size_t i, double t) const
{
    const double slope = times_[2 * i], value = times_[2 * i + 1];
    if (slope == 0)
        return value > 0 || (value == 0 && !events().conditions[i].strict);
    return (t >= timeOf(i)) == (slope > 0);
}

/// What holds at t itself: time > 0 does not at t = 0, and from there on it does.
bool EventEvaluator::timedAt(std::size_t i, double t) const
{
    const double instant = timeOf(i);
    return t == instant ? !events().conditions[i].strict : timedTrue(i, t);
}

namespace {

/// The instant number k of a sampler; the same number wherever it is asked for.
double instant(double start, double interval, double k) { return start + k * interval; }

double nextInstant(double start, double interval, double t)
{
    if (t < start)
        return start;
    double k = std::max(0.0, std::floor((t - start) / interval) - 1);
    constexpr int kNear = 4; // round-off of the quotient is one; an interval that vanishes beside t has no next instant
    for (int tries = 0; tries < kNear; ++tries, ++k)
        if (const double next = instant(start, interval, k); next > t)
            return next;
    return std::nextafter(t, std::numeric_limits<double>::infinity());
}

/// Whether there is one at t, or so little before it that it has been waited for (nextTime).
bool isInstant(double start, double interval, double t)
{
    const double k = std::round((t - start) / interval), early = t - instant(start, interval, k);
    return k >= 0 && early >= 0 && early <= roundoff(t);
}

constexpr double kTouching = 1e-9; ///< of the usual size of a difference: what is nearer to zero touches, as with contacts

} // namespace

void EventEvaluator::sides(double t, const std::vector<double>& values, const std::vector<double>& sizes,
                           std::span<double> sides, std::span<double> tolerances)
{
    const CompiledEvents& e = events();
    const double* const y = values.data();
    const std::size_t n = e.conditions.size(), own = at(reduced_->valueCount());
    const bool spread = e.spread.evaluate({&t, y, parameters_.data(), y, flags_.data()}, partials_.data(), spreadWork_);
    std::vector<double> usual(n, 0);
    for (std::size_t k = 0; spread && k < partials_.size(); ++k) {
        const auto column = at(e.partials[k].column);
        if (column < own)
            usual[at(e.partials[k].row)] += std::abs(partials_[k]) * (sizes.empty() ? 1 : sizes[column]);
    }
    for (std::size_t i = 0; i < n; ++i) {
        const CompiledEvents::Condition& c = e.conditions[i];
        sides[i] = values[own + at(c.held)] > 0.5 ? 1 : -1;
        tolerances[i] = kTouching * (usual[i] > 0 ? usual[i] : 1);
        if (c.timed)
            sides[i] = 0;
    }
}

bool EventEvaluator::gradients(double t, const std::vector<double>& values, std::vector<double>& partials)
{
    const CompiledEvents& e = events();
    const double* const y = values.data();
    const std::size_t own = at(reduced_->valueCount());
    if (!e.spread.evaluate({&t, y, parameters_.data(), y, flags_.data()}, partials_.data(), spreadWork_))
        return false;
    partials.assign(e.conditions.size() * own, 0);
    for (std::size_t k = 0; k < partials_.size(); ++k)
        if (at(e.partials[k].column) < own)
            partials[at(e.partials[k].row) * own + at(e.partials[k].column)] = partials_[k];
    return true;
}

/// Of instants that round-off alone tells apart the last one: they happen there together.
double EventEvaluator::nextTime(double t, const std::vector<double>& values)
{
    const double never = std::numeric_limits<double>::infinity();
    if (!readTimes(t, values, values))
        return never;
    const auto first = [&](double after) {
        double next = never;
        for (std::size_t i = 0; i < events().conditions.size(); ++i)
            if (events().conditions[i].timed)
                if (const double due = timeOf(i); due > after && due < next)
                    next = due;
        for (std::size_t k = 0; k < events().samplerCount; ++k)
            next = std::min(next, nextInstant(samplers_[2 * k], samplers_[2 * k + 1], after));
        return next;
    };
    double last = first(t);
    const double latest = last + roundoff(last);
    for (double next = first(last); next > last && next <= latest; next = first(last))
        last = next;
    return last;
}

/// Which samplers are true at t.
void EventEvaluator::raiseSamplers(double t, const std::vector<double>& values)
{
    for (std::size_t k = 0; k < events().samplerCount && readTimes(t, values, pre_); ++k)
        flags_[1 + k] = isInstant(samplers_[2 * k], samplers_[2 * k + 1], t);
}

std::optional<Diagnostic> EventEvaluator::wrongSampler(double end)
{
    constexpr double kMostInstants = 1e7; // of a usual run: a recording of as many rows is of no use to anyone
    constexpr double kLeast = 1e-9;       // of the start: nearer, instants are no longer told apart in long runs
    const std::vector<double> values(at(reduced_->valueCount()) + reduced_->held.size());
    const double zero = 0;
    const double* const y = values.data();
    if (!events().samplers.evaluate({&zero, y, parameters_.data(), y, flags_.data()}, samplers_.data(), samplersWork_))
        return Diagnostic{.what = "The start or the interval of 'sample' is not a finite number"};
    for (std::size_t k = 0; k < events().samplerCount; ++k) {
        const double start = samplers_[2 * k], interval = samplers_[2 * k + 1];
        const bool apart = interval > kLeast * std::max(1e-6, std::abs(start));
        if (!apart || end > kMostInstants * interval)
            return Diagnostic{
                .what = "The interval of 'sample' is " + text::rounded(interval, 6) + " s",
                .why = apart ? "in the usual run of " + text::rounded(end, 6) + " s that are "
                                   + text::rounded(end / interval, 3) + " instants, each with an event"
                             : "instants must be told apart",
                .remedy = apart ? "a larger interval, or a shorter StopTime in annotation(experiment(StopTime = ...))"
                                : "an interval above zero",
                .position = reduced_->system.samples.empty() ? SourcePosition{} : reduced_->system.samples[k].position};
    }
    return std::nullopt;
}

bool EventEvaluator::guards(double t, const std::vector<double>& values, std::span<double> z, std::span<double> rates)
{
    const CompiledEvents& e = events();
    const double* const y = values.data();
    if (!e.guards.evaluate({&t, y, parameters_.data(), y, flags_.data()}, guards_.data(), guardsWork_))
        return false;
    const std::size_t n = e.conditions.size();
    for (std::size_t i = 0; i < n; ++i) {
        const CompiledEvents::Condition& c = e.conditions[i];
        z[i] = c.timed ? 1 : guards_[i];
        rates[i] = c.rateKnown || c.timed ? guards_[n + i] : std::numeric_limits<double>::quiet_NaN();
        if (c.timed)
            rates[i] = 0;
    }
    return true;
}

} // namespace driftless::reduction
