#include "core/integrate/EventLocation.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace driftless::integrate {

namespace {

constexpr double kCubicError = 1.0 / 24; ///< of a cubic polynomial through four points, for a unit of the fourth difference
constexpr double kRoom = 4;              ///< of that error: what is further from zero stays on its side
constexpr double kWideRoom = 25;         ///< the same where the points do not show its shape
constexpr double kPlain = 0.03;      ///< of the range of a guard: with a smaller error a change of sign is one and not three
constexpr int kMostHalvings = 4;     ///< of a step that kMostPieces do not resolve
constexpr double kNear = 16;         ///< resolutions of a bracket: just before a root
constexpr double kJump = 1e-3;       ///< of the change between two samples: what is left just before a root that is a jump
constexpr double kSteep = 100;       ///< times as fast as rates at both ends tell
constexpr int kMostIterations = 100; ///< of a bracket: bisection alone would need 53 for a step that is not tiny against t

/// Of the step, and of t: what is nearer to its end is at its end. A time that is integrated through a thousand steps has the
/// round-off of some thousand sums, and conditions touch below 1e-9 of what is usual.
constexpr double kAtOnce = 1e-9, kRoundoffs = 1e-12;

/// To this an end of a bracket is known: round-off of t.
double resolution(double from, double to)
{
    return 2 * std::numeric_limits<double>::epsilon() * std::max({std::abs(from), std::abs(to), to - from});
}

/// The polynomial with two values and two rates for each unit of s, at 0 and at 1.
double cubic(double z0, double r0, double z1, double r1, double s)
{
    const double rest = z1 - z0;
    return z0 + s * (r0 + s * (3 * rest - 2 * r0 - r1 + s * (r0 + r1 - 2 * rest)));
}

} // namespace

void EventLocator::prepare(std::size_t guards)
{
    guards_.assign(guards, {});
    for (Sample* sample : {&before_, &after_, &inner_}) {
        sample->values.assign(guards, 0);
        sample->rates.assign(guards, 0);
    }
    seen_.assign(kMostPieces + 1, before_);
    missed_.assign(guards, 0);
    fired_.clear();
    fired_.reserve(guards);
}

void EventLocator::watch(std::size_t guard, double side, double tolerance, double level, bool leaves)
{
    guards_[guard] = {.side = side, .tolerance = tolerance, .level = level, .leaves = leaves};
}

/// s (z - level).
double EventLocator::of(std::size_t guard, const Sample& sample) const
{
    return guards_[guard].side * (sample.values[guard] - guards_[guard].level);
}

bool EventLocator::take(GuardValues& along, double t, Sample& into)
{
    into.t = t;
    failed_ = failed_ || !along.at(t, into.values, into.rates);
    return !failed_;
}

/// s (z - level), or s z'.
double EventLocator::value(GuardValues& along, std::size_t guard, double t, bool rate)
{
    if (!take(along, t, inner_))
        return 0;
    return rate ? guards_[guard].side * inner_.rates[guard] : of(guard, inner_);
}

/// Where s (z - level) + shift (or s z') changes its sign; the end at which it has the sign that it has at `to`.
double EventLocator::root(GuardValues& along, std::size_t guard, double from, double to, bool rate, double shift)
{
    double a = from, b = to;
    double fa = value(along, guard, a, rate) + shift, fb = value(along, guard, b, rate) + shift;
    if (fb == 0 || fa == 0 || (fa > 0) == (fb > 0))
        return fa == 0 && fb != 0 ? a : b;
    const bool falls = fa > 0;
    double c = a, fc = fa, step = b - a, last = step;
    for (int k = 0; k < kMostIterations && !failed_; ++k) {
        if (std::abs(fc) < std::abs(fb)) {
            a = b;
            b = c;
            c = a;
            fa = fb;
            fb = fc;
            fc = fa;
        }
        const double reach = 0.5 * resolution(from, to), middle = 0.5 * (c - b);
        if (std::abs(middle) <= reach || fb == 0)
            break;
        if (std::abs(last) < reach || std::abs(fa) <= std::abs(fb)) {
            step = last = middle;
        } else {
            const double s = fb / fa;
            double p = 0, q = 0;
            if (a == c) {
                p = 2 * middle * s;
                q = 1 - s;
            } else {
                const double u = fa / fc, r = fb / fc;
                p = s * (2 * middle * u * (u - r) - (b - a) * (r - 1));
                q = (u - 1) * (r - 1) * (s - 1);
            }
            q = p > 0 ? -q : q;
            p = std::abs(p);
            const bool good = 2 * p < std::min(3 * middle * q - std::abs(reach * q), std::abs(last * q));
            last = good ? step : middle;
            step = good ? p / q : middle;
        }
        a = b;
        fa = fb;
        b += std::abs(step) > reach ? step : std::copysign(reach, middle);
        fb = value(along, guard, b, rate) + shift;
        if ((fb > 0) == (fc > 0)) {
            c = a;
            fc = fa;
            step = last = b - a;
        }
    }
    // b and c enclose the root; that of them which is no longer on the side of `from`.
    const bool passed = fb == 0 || (falls ? fb < 0 : fb > 0);
    return passed ? b : c;
}

/// Between two points at both of which it is inside: a minimum that comes to zero.
EventLocator::Root EventLocator::turning(GuardValues& along, std::size_t guard)
{
    const Guard& g = guards_[guard];
    const double early = g.side * before_.rates[guard], late = g.side * after_.rates[guard];
    if (!(early < 0 && late > 0))
        return {};
    const double lowest = root(along, guard, before_.t, after_.t, true, 0);
    const double least = value(along, guard, lowest, false);
    if (least < -g.tolerance)
        return rootBeyond(along, guard, before_.t, lowest, g.touching ? g.tolerance : 0);
    if (least <= g.tolerance && !g.touching)
        return {.t = lowest, .grazing = true};
    return {};
}

EventLocator::Root EventLocator::rootBeyond(GuardValues& along, std::size_t guard, double from, double to, double beyond)
{
    return {.t = root(along, guard, from, to, false, beyond), .beyond = beyond};
}

/// Whether a guard whose sign changes at t, known to round-off, has not come near to zero by then.
bool EventLocator::jumpsAt(GuardValues& along, std::size_t guard, double t)
{
    const double way = after_.t - before_.t, near = kNear * resolution(before_.t, after_.t);
    const double early = of(guard, before_), late = of(guard, after_);
    if (way < near / (kJump * kJump)) { // too short for a look at what is just before: rates tell
        const double change = kSteep * way * (std::abs(before_.rates[guard]) + std::abs(after_.rates[guard]));
        return early - late > change + guards_[guard].tolerance;
    }
    const double least = std::max(kJump * (early - late), guards_[guard].tolerance);
    return value(along, guard, std::max(before_.t, t - near), false) > least;
}

/// The first time between both samples at which a guard fires.
EventLocator::Root EventLocator::within(GuardValues& along, std::size_t guard)
{
    Guard& g = guards_[guard];
    if (g.side == 0)
        return {};
    const double early = of(guard, before_), late = of(guard, after_);
    if (!g.touching && late <= 0) {
        const double t = early > 0 ? root(along, guard, before_.t, after_.t, false, 0) : before_.t;
        return {.t = t, .jumps = early > 0 && jumpsAt(along, guard, t)};
    }
    if (!g.touching)
        return turning(along, guard);
    if (g.leaves && g.side * before_.rates[guard] > 0 && g.side * after_.rates[guard] < 0 && late <= 0) {
        const double highest = root(along, guard, before_.t, after_.t, true, 0);
        if (!(value(along, guard, highest, false) > 0)) // a flight that round-off hides has ended where it turns
            return {.t = highest};
        return {.t = root(along, guard, highest, after_.t, false, 0)};
    }
    if (late >= -g.tolerance)
        return turning(along, guard);
    if (g.side * before_.rates[guard] > 0 && g.side * after_.rates[guard] < 0) {
        const double highest = root(along, guard, before_.t, after_.t, true, 0);
        if (value(along, guard, highest, false) > 0)
            return {.t = root(along, guard, highest, after_.t, false, 0)};
    }
    if (early <= -g.tolerance)
        return {.t = before_.t};
    return rootBeyond(along, guard, before_.t, after_.t, g.tolerance);
}

/// All that fire at the time of the first one.
Located EventLocator::at(GuardValues& along, const Root& root, std::size_t guard)
{
    fired_.clear();
    take(along, root.t, inner_);
    for (std::size_t i = 0; i < guards_.size(); ++i) {
        const Guard& g = guards_[i];
        const bool passed = g.side != 0 && !g.touching && of(i, inner_) <= g.tolerance;
        const bool back = !(g.side * inner_.rates[i] > 0); // what moves off does not fire
        if (i == guard || (passed && back))
            fired_.push_back(static_cast<int>(i));
    }
    return {.found = !failed_,
            .failed = failed_,
            .t = root.t,
            .first = static_cast<int>(guard),
            .guards = fired_,
            .grazing = root.grazing,
            .touching = guards_[guard].touching,
            .jumps = root.jumps,
            .zero = guards_[guard].level - guards_[guard].side * root.beyond};
}

/// Whether a guard that has not fired comes to zero within reach [s] of where the samples end, on the line through the last of
/// them.
bool EventLocator::arrives(std::size_t guard, double reach) const
{
    const Guard& g = guards_[guard];
    if (g.side == 0 || g.touching)
        return false;
    const double left = of(guard, before_), rate = g.side * before_.rates[guard];
    const double fall = std::isnan(rate) ? (of(guard, after_) - left) / (before_.t - after_.t) : -rate;
    return fall > 0 && left <= reach * fall;
}

/// Otherwise the event would be seen only once the guard has passed zero by its tolerance.
Located EventLocator::withEnd(GuardValues& along, const Located& found, double from, double to)
{
    const double reach = kAtOnce * (to - from) + kRoundoffs * std::abs(to);
    if (found.failed || found.grazing || found.touching || (found.found && to - found.t > reach))
        return found;
    if (found.found)
        std::swap(before_, after_); // of the piece in which it was found: the last one
    Located out = found;
    for (std::size_t i = 0; i < guards_.size(); ++i) {
        if (out.found ? static_cast<int>(i) != out.first : !arrives(i, reach))
            continue;
        out = at(along, {.t = to}, i);
        for (std::size_t k = 0; k < guards_.size() && !out.failed; ++k)
            if (arrives(k, reach) && std::ranges::find(fired_, static_cast<int>(k)) == fired_.end())
                fired_.push_back(static_cast<int>(k));
        out.guards = fired_;
        break;
    }
    return out;
}

void EventLocator::begin()
{
    for (std::size_t i = 0; i < guards_.size(); ++i) {
        if (std::exchange(guards_[i].fresh, false))
            guards_[i].touching = of(i, before_) <= guards_[i].tolerance;
        else
            turned(i, before_);
    }
}

/// What moved off and comes back touches no more.
void EventLocator::turned(std::size_t guard, const Sample& sample)
{
    Guard& g = guards_[guard];
    if (!g.leaves || !(g.side * sample.rates[guard] < 0))
        return;
    g.leaves = false;
    g.touching = false;
}

void EventLocator::seen()
{
    for (std::size_t i = 0; i < guards_.size(); ++i) {
        Guard& g = guards_[i];
        g.touching = g.touching && of(i, after_) <= g.tolerance;
        turned(i, after_);
        if (g.side * after_.values[i] > g.tolerance)
            g.level = 0;
    }
}

/// Whether five points from one on leave room for more changes of sign than they show.
bool EventLocator::unresolved(std::size_t guard, std::size_t from) const
{
    const Guard& g = guards_[guard];
    double z[5], least = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < 5; ++k)
        z[k] = of(guard, seen_[from + k]);
    const double error = std::max(missed_[guard], kCubicError * std::abs(z[0] - 4 * z[1] + 6 * z[2] - 4 * z[3] + z[4]));
    const auto below = static_cast<std::size_t>(std::find_if(z, z + 5, [&](double x) { return x < -g.tolerance; }) - z);
    for (std::size_t k = 0; k < below; ++k) {
        if (from + k > 0 || z[k] > g.tolerance) // what begins at zero goes on from there
            least = std::min(least, z[k]);
        if (k == 0 || k + 1 >= below)
            continue;
        const double bend = z[k + 1] - 2 * z[k] + z[k - 1], rise = z[k + 1] - z[k - 1];
        if (bend > 0 && std::abs(rise) < 2 * bend) // the lowest point of the parabola through three
            least = std::min(least, z[k] - rise * rise / (8 * bend));
    }
    const auto [low, high] = std::minmax_element(z, z + 5);
    const bool wild = error > g.tolerance && error > kPlain * (*high - *low);
    if (wild && (below < 5 || least < kWideRoom * error))
        return true;
    return least < kRoom * error && (error > g.tolerance || least < -g.tolerance);
}

/// The same of a guard with rates, from three points on: on two pieces together a cubic polynomial misses the point between
/// them, and each of them by a sixteenth of that, unless it misses its shape altogether.
bool EventLocator::unresolvedWithRates(std::size_t guard, std::size_t from) const
{
    const Guard& g = guards_[guard];
    const Sample *p = &seen_[from], &last = p[2];
    const double d = 0.5 * (last.t - p[0].t);
    double z[3], r[3];
    for (std::size_t k = 0; k < 3; ++k) {
        z[k] = of(guard, p[k]);
        r[k] = g.side * p[k].rates[guard] * d;
    }
    const double apart = std::max(std::abs(z[1] - cubic(z[0], 2 * r[0], z[2], 2 * r[2], 0.5)),
                                  std::abs(r[1] - (0.75 * (z[2] - z[0]) - 0.25 * (r[0] + r[2]))));
    const auto [low, high] = std::minmax_element(z, z + 3);
    const double range = *high - *low + std::abs(r[0]) + std::abs(r[1]) + std::abs(r[2]);
    const double error = std::max(missed_[guard], apart > kPlain * range ? apart : apart / 16);
    if (!(error > g.tolerance))
        return false;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < 2; ++k) {
        if (from + k == 0 && z[0] <= g.tolerance)
            continue; // what begins at zero goes on from there
        least = std::min(least, z[k]);
        if (z[k + 1] < -g.tolerance)
            break; // it fires there
        for (const double s : {0.25, 0.5, 0.75})
            least = std::min(least, cubic(z[k], r[k], z[k + 1], r[k + 1], s));
    }
    return least < kRoom * error;
}

/// How far cubic polynomials miss one more point: what alternates as fast as the points follow each other looks slow at all of
/// them.
void EventLocator::probe(GuardValues& along, int pieces)
{
    std::ranges::fill(missed_, 0);
    bool any = false;
    for (const Guard& g : guards_)
        any = any || g.side != 0;
    if (!any || pieces < 4)
        return;
    const Sample* p = &seen_[static_cast<std::size_t>(pieces / 2 - 1)]; // four points about the middle
    constexpr double s = 1.381966; // of their distance behind the first; no simple fraction
    const double h = p[2].t - p[1].t;
    if (!take(along, p[1].t + (s - 1) * h, inner_)) {
        failed_ = false;
        return;
    }
    for (std::size_t i = 0; i < guards_.size(); ++i) {
        const auto z = [&](int k) { return p[k].values[i]; };
        if (guards_[i].side != 0)
            missed_[i] = std::abs(inner_.values[i]
                                  - (hasRates(i) ? cubic(z(1), h * p[1].rates[i], z(2), h * p[2].rates[i], s - 1)
                                                 : -(s - 1) * (s - 2) * (s - 3) / 6 * z(0) + s * (s - 2) * (s - 3) / 2 * z(1)
                                                       - s * (s - 1) * (s - 3) / 2 * z(2) + s * (s - 1) * (s - 2) / 6 * z(3)));
    }
}

bool EventLocator::unresolved(GuardValues& along, int pieces)
{
    probe(along, pieces);
    for (std::size_t i = 0; i < guards_.size(); ++i) {
        const std::size_t points = hasRates(i) ? 3 : 5;
        for (std::size_t k = 0; guards_[i].side != 0 && k + points <= static_cast<std::size_t>(pieces) + 1; ++k) {
            if (hasRates(i) ? unresolvedWithRates(i, k) : unresolved(i, k))
                return true;
            if (of(i, seen_[k + 1]) < -guards_[i].tolerance)
                break; // it fires there, and what follows is not reached
        }
    }
    return false;
}

/// Samples of the step, in so many pieces as its guards need. Returns how many; failed_ where one could not be computed, then
/// up to the one before.
int EventLocator::look(GuardValues& along, double from, double to, int pieces)
{
    open_ = false;
    const auto at = [&](int k) { return k == pieces ? to : from + (to - from) * k / pieces; };
    for (int k = 0; k <= pieces; ++k)
        if (!take(along, at(k), seen_[static_cast<std::size_t>(k)]))
            return k - 1;
    while ((open_ = unresolved(along, pieces)) && 2 * pieces <= kMostPieces) {
        for (auto k = static_cast<std::size_t>(pieces); k > 0; --k)
            std::swap(seen_[k], seen_[2 * k]);
        pieces *= 2;
        for (int k = 1; k < pieces; k += 2)
            if (!take(along, at(k), seen_[static_cast<std::size_t>(k)]))
                return k - 1;
    }
    return pieces;
}

Located EventLocator::first(GuardValues& along, double from, double to, int points)
{
    return search(along, from, to, points, kMostHalvings);
}

Located EventLocator::search(GuardValues& along, double from, double to, int points, int halvings)
{
    failed_ = false;
    const int known = look(along, from, to, std::clamp(points + 1, 1, kMostPieces));
    if (known < 0)
        return {.failed = true};
    if (open_ && !failed_ && halvings > 0) { // as two steps, each with so many points
        const double middle = from + 0.5 * (to - from);
        const Located early = search(along, from, middle, known - 1, halvings - 1);
        return early.found || early.failed ? early : search(along, middle, to, known - 1, halvings - 1);
    }
    const bool broken = std::exchange(failed_, false);
    before_ = seen_[0];
    begin();
    for (int k = 1; k <= known; ++k) {
        after_ = seen_[static_cast<std::size_t>(k)];
        Root earliest;
        std::size_t which = 0;
        for (std::size_t i = 0; i < guards_.size(); ++i) {
            const Root found = within(along, i);
            if (found.t < earliest.t) {
                earliest = found;
                which = i;
            }
        }
        if (failed_)
            return {.failed = true};
        if (earliest.t <= to)
            return at(along, earliest, which);
        seen();
        std::swap(before_, after_);
    }
    return {.failed = broken};
}

} // namespace driftless::integrate
