// Strings, ratchets, stops and walls that act on the same freedoms of plane mechanisms, drawn at random: points on rails, arms,
// pairs of arms and slider-cranks. No impact brings energy, the balance holds, nothing passes an end or turns back, and forms
// that hold their rows in different ways go the same way.
#pragma once

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "tests/properties/OneSidedWalk.h"

namespace driftless::test {

struct OneWayCase {
    std::string text;
    std::string end;                  ///< a position that all forms are compared by
    bool driven = false;              ///< a force over time does work
    std::vector<std::string> turns{}; ///< velocities that a ratchet keeps from one sign: "+p.x'" never below zero
};

/// A number that reads back as it is.
inline std::string exactly(double x)
{
    char out[32];
    std::snprintf(out, sizeof out, "%.17g", x);
    return out;
}

class OneWayDrawer {
public:
    explicit OneWayDrawer(Draw& draw) : draw_(draw) {}

    OneWayCase drawn()
    {
        out_.text = std::string("format = 1\n") + (draw_.chance(0.4) ? "impacts = \"simultaneous\"\n" : "");
        switch (draw_.upTo(0, 3)) {
        case 0:
            rail();
            break;
        case 1:
            arm();
            break;
        case 2:
            elbow();
            break;
        default:
            crank();
            break;
        }
        if (draw_.chance(0.7))
            out_.text += "[[force]]\nkind = \"gravity\"\nacceleration = 9.81\n";
        return out_;
    }

private:
    std::string restitution() { return "restitution = " + std::string(draw_.among(kRestitutions)) + "\n"; }
    void head(const std::string& name, const char* kind)
    {
        out_.text += "[[joint]]\nname = \"" + name + "\"\nkind = \"" + kind + "\"\n";
    }
    static std::string end(const std::string& body, double u, double v)
    {
        return "{ body = \"" + body + "\", at = [" + exactly(u) + ", " + exactly(v) + "] }";
    }
    /// A string between two points that are so far apart: taut at the start, or soon.
    void string(const std::string& name, const std::string& from, const std::string& to, double distance)
    {
        head(name, "string");
        out_.text += "from = " + from + "\nto = " + to + "\nlength = "
                     + exactly(draw_.chance(0.3) ? distance : distance * draw_.between(1.001, 1.3)) + "\n" + restitution();
    }
    void stop(const std::string& joint, double at)
    {
        head("stop_" + joint, "stop");
        out_.text += "joint = \"" + joint + "\"\n";
        const int ends = draw_.upTo(1, 3);
        if (ends & 1)
            out_.text += "lower = " + exactly(at - (draw_.chance(0.2) ? 0 : draw_.between(0, 0.8))) + "\n";
        if (ends & 2)
            out_.text += "upper = " + exactly(at + (draw_.chance(0.2) ? 0 : draw_.between(0, 0.8))) + "\n";
        out_.text += restitution();
    }
    void ratchet(const std::string& joint, const std::string& speed = {})
    {
        const bool forwards = draw_.chance(0.5);
        head("pawl_" + joint, "ratchet");
        out_.text += "joint = \"" + joint + "\"\ndirection = \"" + (forwards ? "forwards" : "backwards") + "\"\n";
        if (!speed.empty())
            out_.turns.push_back((forwards ? "+" : "-") + speed);
    }
    void friction(const std::string& joint)
    {
        head("rub_" + joint, "dry-friction");
        out_.text += "joint = \"" + joint + "\"\nsticking = " + exactly(draw_.decimal(0.1, 3)) + "\n";
    }
    void drive(const std::string& body, const char* key)
    {
        out_.driven = true;
        out_.text += "[[force]]\nkind = \"force\"\nbody = \"" + body + "\"\n" + key + " = \"" + exactly(draw_.decimal(-15, 15))
                     + "*sin(" + exactly(draw_.decimal(1, 8)) + "*t + " + exactly(draw_.decimal(0, 3)) + ")\"\n";
    }
    /// A rod of length one about its middle, its end at `from`.
    void rod(const std::string& name, double x, double y, double angle)
    {
        out_.text += "[[body]]\nname = \"" + name + "\"\nkind = \"rigid\"\nmass = " + exactly(draw_.decimal(0.2, 4))
                     + "\ninertia = " + exactly(draw_.decimal(0.02, 0.4)) + "\nx = { start = "
                     + exactly(x + 0.5 * std::cos(angle)) + " }\ny = { start = " + exactly(y + 0.5 * std::sin(angle))
                     + " }\nangle = { start = " + exactly(angle) + ", velocity = " + exactly(draw_.decimal(-4, 4)) + " }\n";
    }

    void rail()
    {
        out_.end = "p.x";
        out_.text += "[[body]]\nname = \"p\"\nkind = \"point\"\nmass = " + exactly(draw_.decimal(0.2, 4))
                     + "\nx = { start = 0.3, velocity = " + exactly(draw_.decimal(-4, 4)) + " }\n";
        head("rail", "slider");
        out_.text += "from = \"ground\"\nto = \"p\"\n";
        if (draw_.chance(0.6))
            ratchet("rail", "p.x'");
        if (draw_.chance(0.6))
            stop("rail", 0.3);
        if (draw_.chance(0.6))
            string("tie", "\"ground\"", "\"p\"", 0.3);
        if (draw_.chance(0.4))
            string("cord", end("ground", 2, 0), "\"p\"", 1.7);
        if (draw_.chance(0.3))
            friction("rail");
        drive("p", "x");
    }

    void arm()
    {
        const double angle = draw_.decimal(-3, 3);
        out_.end = "a.angle";
        rod("a", 0, 0, angle);
        head("hub", "pin");
        out_.text += "from = \"ground\"\nto = " + end("a", -0.5, 0) + "\n";
        if (draw_.chance(0.6))
            ratchet("hub", "a.angle'");
        if (draw_.chance(0.6))
            stop("hub", angle);
        tie("a", std::cos(angle), std::sin(angle));
        if (draw_.chance(0.3))
            friction("hub");
        if (draw_.chance(0.6))
            drive("a", "torque");
    }
    /// From the tip of a rod to some place of the ground.
    void tie(const std::string& body, double x, double y)
    {
        const double u = draw_.decimal(-1.5, 1.5), v = draw_.decimal(-1.5, 1.5);
        if (draw_.chance(0.6))
            string("tie_" + body, end("ground", u, v), end(body, 0.5, 0), std::hypot(x - u, y - v));
    }

    void elbow()
    {
        const double a = draw_.decimal(-2, 2), bend = (draw_.chance(0.5) ? 1 : -1) * draw_.decimal(0.3, 2.6), b = a + bend;
        const double x = std::cos(a), y = std::sin(a), hx = x + std::cos(b), hy = y + std::sin(b);
        out_.end = "b.angle";
        rod("a", 0, 0, a);
        rod("b", x, y, b);
        head("hub", "pin");
        out_.text += "from = \"ground\"\nto = " + end("a", -0.5, 0) + "\n";
        head("elbow", "pin");
        out_.text += "from = " + end("a", 0.5, 0) + "\nto = " + end("b", -0.5, 0) + "\n";
        if (draw_.chance(0.6))
            ratchet("elbow");
        if (draw_.chance(0.3))
            ratchet("hub", "a.angle'");
        if (draw_.chance(0.4))
            stop("elbow", bend);
        if (draw_.chance(0.4))
            stop("hub", a);
        if (draw_.chance(0.5))
            string("sling", "\"ground\"", end("b", 0.5, 0), std::hypot(hx, hy));
        tie("a", x, y);
        tie("b", hx, hy);
        if (draw_.chance(0.3))
            friction(draw_.chance(0.5) ? "hub" : "elbow");
        if (draw_.chance(0.5))
            drive(draw_.chance(0.5) ? "a" : "b", "torque");
    }

    void crank()
    {
        const double a = draw_.decimal(0.3, 2.8), c = std::cos(a), s = std::sin(a), b = -std::asin(0.5 * s);
        out_.end = "p.x";
        const double x = 0.5 * c, y = 0.5 * s;
        out_.text += "[[body]]\nname = \"a\"\nkind = \"rigid\"\nmass = " + exactly(draw_.decimal(0.2, 4))
                     + "\ninertia = " + exactly(draw_.decimal(0.02, 0.4)) + "\nangle = { start = " + exactly(a)
                     + ", velocity = " + exactly(draw_.decimal(-4, 4)) + " }\n";
        rod("b", x, y, b);
        out_.text += "[[body]]\nname = \"p\"\nkind = \"point\"\nmass = " + exactly(draw_.decimal(0.2, 4))
                     + "\nx = { start = " + exactly(x + std::cos(b)) + " }\n";
        head("hub", "pin");
        out_.text += "from = \"ground\"\nto = \"a\"\n";
        head("crankpin", "pin");
        out_.text += "from = " + end("a", 0.5, 0) + "\nto = " + end("b", -0.5, 0) + "\n";
        head("wrist", "pin");
        out_.text += "from = " + end("b", 0.5, 0) + "\nto = \"p\"\n";
        head("rail", "slider");
        out_.text += "from = \"ground\"\nto = \"p\"\n";
        if (draw_.chance(0.6))
            ratchet("hub", "a.angle'");
        if (draw_.chance(0.3))
            ratchet("crankpin");
        // No ratchet on its rail: at a dead centre it would have to stop the crank with no lever at all, which is refused by
        // name.
        if (draw_.chance(0.5))
            draw_.chance(0.5) ? stop("rail", x + std::cos(b)) : stop("hub", a);
        if (draw_.chance(0.5))
            string("cord", "\"ground\"", "\"p\"", x + std::cos(b));
        if (draw_.chance(0.3))
            friction(draw_.chance(0.5) ? "hub" : "rail");
        drive("a", "torque");
    }

    static constexpr const char* kRestitutions[] = {"0", "0", "0.3", "0.6", "1"};
    Draw& draw_;
    OneWayCase out_;
};

struct OneWayRun {
    std::unique_ptr<run::Run> run;
    std::string failure; ///< empty: all holds
    double end = 0;      ///< the position that forms are compared by
};

/// brought: of energies, what an impact may bring.
inline std::string judgeOneWayRun(const run::Run& run, const OneWayCase& drawn, double asked, double brought)
{
    const run::RecordingView view = run.recording();
    const int energy = view.findColumn("energy");
    const double begin = view.value(0, energy);
    double size = 1 + std::abs(begin);
    for (std::uint64_t r = 0; r < view.rowCount(); ++r)
        size = std::max(size, std::abs(view.value(r, energy)));
    for (const run::Event& e : run.events())
        if (const auto* impact = e.as<run::ImpactEvent>(); impact && impact->energy > brought * size)
            return "an impact brings " + exactly(impact->energy) + " J at t = " + exactly(e.t);
    if (!(std::abs(run.status().energyError) <= asked * size))
        return "the balance misses " + exactly(run.status().energyError) + " J";
    for (std::uint64_t r = 0; r < view.rowCount(); ++r) {
        const std::string at = " at t = " + exactly(view.time(r));
        if (!drawn.driven && view.value(r, energy) > begin + asked * size)
            return "the energy has grown to " + exactly(view.value(r, energy)) + " J" + at;
        for (const std::string& turn : drawn.turns) // what begins against its ratchet is stopped at once
            if (view.time(r) > 0 && (turn[0] == '+' ? 1 : -1) * view.value(r, view.findColumn(turn.substr(1))) < -asked * 1e2)
                return turn.substr(1) + " turns back" + at;
    }
    return {};
}

inline OneWayRun walkOneWay(const OneWayCase& drawn, const std::string& formulation, const std::string& method, double end,
                            double asked, double brought)
{
    OneWayRun out;
    out.run = begunOneSided({.text = drawn.text}, formulation, method, out.failure);
    if (!out.run)
        return out;
    if (!out.run->advanceTo(end)) {
        out.failure = out.run->status().diagnostic ? out.run->status().diagnostic->text() : "it did not get on";
        return out;
    }
    out.failure = judgeOneWayRun(*out.run, drawn, asked, brought);
    const run::RecordingView view = out.run->recording();
    out.end = view.value(view.rowCount() - 1, view.findColumn(drawn.end));
    return out;
}

inline void judgeOneWay(std::uint64_t first, int usual, double end)
{
    struct Way {
        const char *formulation, *method;
        double asked;   ///< of energies: a thousand steps, each errs by 1e-8, those of forms that let rows drift by more
        double brought; ///< by an impact: round-off of the energies, or what joints have drifted apart times their impulse
    };
    static constexpr Way kReference{"projection", "dop853", 1e-5, 1e-12};
    static constexpr Way kWays[] = {{"index-1", "dop853", 1e-5, 1e-7},
                                    {"dummy-derivatives", "ida", 1e-5, 1e-7},
                                    {"index-2", "ida", 1e-5, 1e-7},
                                    {"augmented-lagrangian", "radau", 1e-4, 1e-6},
                                    {"baumgarte", "dormand-prince", 1e-4, 1e-6},
                                    {"ggl", "radau", 1e-5, 1e-10}};
    const std::uint64_t seed = seedOr(first);
    int impacts = 0, modes = 0, compared = 0;
    std::string missed; ///< a line for each case
    for (int k = 0; k < countOr(usual); ++k) {
        Draw draw(seed + static_cast<std::uint64_t>(k));
        const OneWayCase drawn = OneWayDrawer(draw).drawn();
        const OneWayRun reference =
            walkOneWay(drawn, kReference.formulation, kReference.method, end, kReference.asked, kReference.brought);
        bool told = false;
        const auto tell = [&](const Way& way, const std::string& failure) {
            missed += "seed " + std::to_string(seed + static_cast<std::uint64_t>(k)) + ", " + way.formulation + " with "
                      + way.method + ": " + failure + "\n";
            std::fprintf(stderr, "seed %llu, %s with %s: %s\n%s\n", static_cast<unsigned long long>(seed) + k, way.formulation,
                         way.method, failure.c_str(), told ? "" : drawn.text.c_str()); // Qt Test cuts long messages
            told = true;
        };
        if (!reference.failure.empty())
            tell(kReference, reference.failure);
        for (int other = 0; other < 2; ++other) {
            const Way way = draw.among(kWays);
            const OneWayRun one = walkOneWay(drawn, way.formulation, way.method, end, way.asked, way.brought);
            if (!one.failure.empty())
                tell(way, one.failure);
            else if (reference.failure.empty() && ++compared && !(std::abs(one.end - reference.end) <= 1e-2))
                tell(way, drawn.end + " is " + exactly(one.end) + " in place of " + exactly(reference.end));
        }
        for (const run::Event& e : reference.run ? reference.run->events() : std::vector<run::Event>()) {
            impacts += e.kind() == run::EventKind::Impact;
            modes += e.kind() == run::EventKind::Mode;
        }
    }
    QVERIFY2(missed.empty(), missed.c_str());
    QVERIFY(impacts > 0 && modes > 0 && compared > 0);
}

} // namespace driftless::test
