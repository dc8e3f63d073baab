// When the shipped mechanisms with events meet theirs, and what energy is lost there, against closed forms: bouncing-ball,
// slack-pendulum, stick-slip. References are computed here without an integrator.
#pragma once

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "core/integrate/Integrator.h"
#include "tests/run/RunFixture.h"

namespace driftless::test {

inline std::vector<double> timesOf(const run::Run& run, run::EventKind kind, double after = -1)
{
    std::vector<double> out;
    for (const run::Event& e : run.events())
        if (e.kind() == kind && e.t > after)
            out.push_back(e.t);
    return out;
}

inline std::string whyOf(const run::Run& run)
{
    const auto diagnostic = run.status().diagnostic;
    return diagnostic ? diagnostic->text() : std::string();
}

/// A run to its end in the first form of the list that carries the method.
inline std::unique_ptr<run::Run> ran(const std::string& model, const std::string& method, double tolerance, double end,
                                     const run::StartSettings& start = {})
{
    for (const char* form : {"index-1", "index-2", "index-3"}) {
        auto made = run::Run::create(compiled(model), start, settings(form, method, 0, tolerance));
        if (!made)
            continue;
        (*made)->advanceTo(end);
        return std::move(*made);
    }
    return nullptr;
}

/// Impacts of the bouncing ball from height h: t_k = sqrt(2 h / g) (1 + 2 (e + ... + e^k)).
inline std::vector<double> bounces(double h, double g, double e, int count)
{
    std::vector<double> out;
    const double fall = std::sqrt(2 * h / g);
    double t = fall, flight = 2 * fall;
    for (int k = 0; k < count; ++k) {
        out.push_back(t);
        flight *= e;
        t += flight;
    }
    return out;
}

/// Of a function with one sign change between a and b, by bisection: an independent reference to round-off.
inline double zeroOf(const std::function<double(double)>& f, double a, double b)
{
    const bool rising = f(b) > 0;
    for (int k = 0; k < 200; ++k) {
        const double middle = 0.5 * (a + b);
        ((f(middle) > 0) == rising ? b : a) = middle;
    }
    return 0.5 * (a + b);
}

/// The time in which a pendulum of length L with speed v0 at the bottom reaches the angle phi: the integral of L / v by
/// Simpson's rule, whose error goes with the fourth power of the piece: below 1e-15 here.
inline double climb(double v0, double g, double L, double phi)
{
    constexpr int kPieces = 20000;
    const auto slowness = [&](double a) { return L / std::sqrt(v0 * v0 - 2 * g * L * (1 - std::cos(a))); };
    const double h = phi / kPieces;
    double sum = slowness(0) + slowness(phi);
    for (int k = 1; k < kPieces; ++k)
        sum += (k % 2 ? 4 : 2) * slowness(k * h);
    return sum * h / 3;
}

/// By how much a run misses what is known.
struct EventErrors {
    double times = 0;    ///< [s] the largest one
    double energies = 0; ///< [J] of what impacts took, and of the balance at the end
    std::string why{};   ///< empty: it ran to its end and all events were told
};

/// Ten impacts: t_k, and (1 - e^2) e^(2 (k - 1)) m g h taken by each.
inline EventErrors bouncingBallErrors(const std::string& method, double tolerance, double restitution = 0.8)
{
    constexpr double kGravity = 9.81;
    const auto exact = bounces(1, kGravity, restitution, 11);
    const auto run = ran("bouncing-ball", method, tolerance, 0.5 * (exact[9] + exact[10]), {{{"e", restitution}}, {}, false});
    if (!run || run->failed())
        return {.why = run ? whyOf(*run) : "no form carries it"};
    EventErrors out{.energies = std::abs(run->status().energyError)};
    std::size_t k = 0;
    double energy = kGravity;
    for (const run::Event& e : run->events())
        if (const auto* impact = e.as<run::ImpactEvent>(); impact && k < 10) {
            const double taken = (1 - restitution * restitution) * energy;
            out.times = std::max(out.times, std::abs(e.t - exact[k++]));
            out.energies = std::max(out.energies, std::abs(impact->energy + taken));
            energy -= taken;
        }
    if (k < 10)
        out.why = std::to_string(k) + " impacts";
    return out;
}

/// Slack where the string would have to push, a parabola, and the catch, at which the speed along the string is lost.
inline EventErrors slackPendulumErrors(const std::string& method, double tolerance)
{
    const double v0 = 6, g = 9.81, L = 1;
    // v^2 / L = -g cos phi with v^2 = v0^2 - 2 g L (1 - cos phi).
    const double c = (2 * g * L - v0 * v0) / (3 * g * L), phi = std::acos(c);
    const double slack = climb(v0, g, L, phi), v = std::sqrt(-g * L * c);
    const double x = L * std::sin(phi), y = -L * c, vx = v * std::cos(phi), vy = v * std::sin(phi);
    const auto outside = [&](double t) { return std::hypot(x + vx * t, y + vy * t - g * t * t / 2) - L; };
    const double flight = zeroOf(outside, 0.1, 2);
    const double there = x + vx * flight, high = y + vy * flight - g * flight * flight / 2;
    const double along = (there * vx + high * (vy - g * flight)) / L;
    const auto run = ran("slack-pendulum", method, tolerance, 1.5);
    if (!run || run->failed())
        return {.why = run ? whyOf(*run) : "no form carries it"};
    const auto modes = timesOf(*run, run::EventKind::Mode, 0.1);
    EventErrors out{.energies = std::abs(run->status().energyError), .why = "no catch"};
    for (const run::Event& e : run->events())
        if (const auto* impact = e.as<run::ImpactEvent>(); impact && !modes.empty()) {
            out.times = std::max(std::abs(modes[0] - slack), std::abs(e.t - slack - flight));
            out.energies = std::max(out.energies, std::abs(impact->energy + along * along / 2));
            out.why.clear();
            break;
        }
    return out;
}

/// Sticks until k x = F: t = F / (k u). Slips about x = S / k: x - 1/2 = A cos(t - p), until its speed is u again.
inline EventErrors stickSlipErrors(const std::string& method, double tolerance)
{
    const double begin = 5, again = begin + 2 * std::acos(-1.0) - 2 * std::atan(0.5 / 0.2);
    const auto run = ran("stick-slip", method, tolerance, 12);
    if (!run || run->failed())
        return {.why = run ? whyOf(*run) : "no form carries it"};
    const auto modes = timesOf(*run, run::EventKind::Mode, 0);
    if (modes.size() < 2)
        return {.why = std::to_string(modes.size()) + " changes of the mode"};
    return {.times = std::max(std::abs(modes[0] - begin), std::abs(modes[1] - again)),
            .energies = std::abs(run->status().energyError)};
}

inline std::vector<std::string> adaptiveMethods()
{
    std::vector<std::string> out;
    for (const auto& info : integrate::integratorCatalogue())
        if (info.adaptive)
            out.push_back(info.id);
    return out;
}

/// The demands on times and energies of one method: a hundred tolerances at 1e-6, 1e-8 and 1e-10, falling with them, and 1e-10
/// at 1e-12. fehlberg goes on with the result whose error is tested, and ida has low orders: of the several hundred steps that
/// they take below 1e-9 each errs by up to the tolerance, where others go on with something better. They are allowed five
/// hundred. A line for each that is not met.
inline std::string judgeEventErrors(const std::string& method, EventErrors (*errors)(const std::string&, double),
                                    double energyScale)
{
    std::string out;
    EventErrors first, last;
    for (const double tolerance : {1e-6, 1e-8, 1e-10, 1e-12}) {
        const EventErrors found = errors(method, tolerance);
        const bool addsUp = (method == "fehlberg" || method == "ida") && tolerance < 1e-9;
        const double allowed = (addsUp ? 500 : 100) * tolerance;
        const auto miss = [&](const std::string& what) {
            out += method + " at " + QString::number(tolerance).toStdString() + ": " + what + "\n";
        };
        if (!found.why.empty())
            miss(found.why);
        if (found.times > allowed)
            miss("times err by " + QString::number(found.times).toStdString() + " s");
        if (found.energies > allowed * energyScale)
            miss("energies err by " + QString::number(found.energies).toStdString() + " J");
        if (tolerance == 1e-6)
            first = found;
        if (tolerance == 1e-10)
            last = found;
    }
    // Of four decades two at least; what is as good as round-off from the beginning cannot fall.
    if (last.times > std::max(first.times / 100, 1e-11))
        out += method + ": times do not fall with the tolerance, from " + QString::number(first.times).toStdString() + " to "
               + QString::number(last.times).toStdString() + " s\n";
    return out;
}

} // namespace driftless::test
