// Discs with friction in a box, drawn at random: no impact brings energy, friction takes it, the balance holds, no friction is
// larger than its contact allows, nothing passes a contact, and a run repeats itself to the last bit.
#pragma once

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "tests/properties/OneSidedWalk.h"

namespace driftless::test {

struct RubbingCase {
    std::string text;
    int discs = 0;
    double friction = 0;                 ///< of all contacts
    double radius = 0;                   ///< [m]
    std::vector<std::string> contacts{}; ///< with the change of the gap for each metre
    std::vector<double> scales{};
};

inline RubbingCase drawnRubbing(Draw& draw)
{
    RubbingCase out;
    out.discs = draw.upTo(1, 2);
    out.friction = draw.decimal(0, 1);
    out.radius = 0.2;
    const auto number = [&draw](double low, double high) { return std::to_string(draw.decimal(low, high)); };
    const std::string rubs = "friction = " + std::to_string(out.friction) + "\n"
                             + (draw.chance(0.3) ? "sticking = " + std::to_string(1.2 * out.friction) + "\n" : "");
    static constexpr const char* kRestitutions[] = {"0", "0.3", "0.6", "0.9"};
    static constexpr struct {
        const char *name, *at, *angle;
    } kWalls[] = {{"floor", "[0, 0]", "0"}, {"right", "[2, 0]", "pi/2"}, {"left", "[-2, 0]", "-pi/2"}};
    out.text = "format = 1\n";
    for (int i = 0; i < out.discs; ++i) {
        const std::string body = "d" + std::to_string(i);
        out.text += "[[body]]\nname = \"" + body + "\"\nkind = \"rigid\"\nmass = " + number(0.2, 5)
                    + "\ninertia = " + number(0.01, 0.1) + "\nx = { start = " + std::to_string(-0.6 + 1.2 * i)
                    + ", velocity = " + number(-3, 3) + " }\ny = { start = " + number(0.4, 1.6)
                    + ", velocity = " + number(-3, 3) + " }\nangle = { start = 0, velocity = " + number(-20, 20) + " }\n";
        for (const auto& wall : kWalls) {
            const std::string name = std::string(wall.name) + "_" + body;
            out.text += "[[joint]]\nname = \"" + name + "\"\nkind = \"wall\"\nfrom = { body = \"ground\", at = " + wall.at
                        + " }\nto = \"" + body + "\"\nangle = \"" + wall.angle
                        + "\"\nradius = 0.2\nrestitution = " + draw.among(kRestitutions) + "\n" + rubs;
            out.contacts.push_back(name);
            out.scales.push_back(1);
        }
    }
    if (out.discs == 2) {
        out.text +=
            "[[joint]]\nname = \"pair\"\nkind = \"strut\"\nfrom = \"d0\"\nto = \"d1\"\nlength = 0.4\nrestitution = 0.5\n"
            + rubs;
        out.contacts.emplace_back("pair");
        out.scales.push_back(0.8);
    }
    out.text += "[[force]]\nkind = \"gravity\"\nacceleration = 9.81\n";
    return out;
}

/// forces [1]: to this share those that are recorded are met, and to as many newtons.
/// least: by which forces may err [N]; impulses [N s]: the same over its step.
inline std::string judgeRubbingRun(const run::Run& run, const RubbingCase& drawn, double sticking, double least,
                                   double impulses)
{
    const run::RecordingView view = run.recording();
    const int energy = view.findColumn("energy"), step = view.findColumn("h");
    const double begin = view.value(0, energy), asked = 1e-5 * (1 + std::abs(begin)); // a thousand steps, each errs by 1e-8
    for (const run::Event& e : run.events())
        if (const auto* impact = e.as<run::ImpactEvent>(); impact && impact->energy > 1e-12 * (1 + std::abs(begin)))
            return "an impact brings " + std::to_string(impact->energy) + " J"; // beyond round-off of the energies
    if (std::abs(run.status().energyError) > asked)
        return "the balance misses " + std::to_string(run.status().energyError) + " J";
    double last = begin;
    for (std::uint64_t r = 0; r < view.rowCount(); ++r) {
        const std::string at = " at t = " + std::to_string(view.time(r));
        if (view.value(r, energy) > last + asked)
            return "the energy has grown to " + std::to_string(view.value(r, energy)) + " J" + at;
        last = std::min(last, view.value(r, energy));
        const double forces = std::max(least, impulses > 0 ? impulses / view.value(r, step) : 0);
        for (std::size_t k = 0; k < drawn.contacts.size(); ++k) {
            const int slip = view.findColumn(drawn.contacts[k] + ".mu_slip"); // none where the drawn coefficient is 0
            const double push = -view.value(r, view.findColumn(drawn.contacts[k] + ".lambda")) * drawn.scales[k],
                         rub = slip < 0 ? 0 : std::abs(view.value(r, slip));
            // The first row of a mode may be that of the one before: a limit that is just passed is met to the tolerance.
            if (push < -forces * (1 + std::abs(push)) || rub > sticking * std::abs(push) + forces * (1 + rub))
                return drawn.contacts[k] + " pushes with " + std::to_string(push) + " N and rubs with " + std::to_string(rub)
                       + at;
        }
        for (int i = 0; i < drawn.discs; ++i)
            if (view.value(r, 3 * i + 1) < drawn.radius - 1e-5 || std::abs(view.value(r, 3 * i)) > 2 - drawn.radius + 1e-5)
                return "disc " + std::to_string(i) + " is beyond a wall" + at; // a thousand tolerances: index 2 drifts
    }
    return {};
}

inline void judgeRubbing(std::uint64_t first, int usual, double end)
{
    struct Way {
        const char *formulation, *method;
        double forces, impulses;
    };
    // Multipliers of index 2 err by the tolerance of velocities over the step: 1e-8 m/s, times a few kg. Between impacts that
    // follow each other a step may be of 1e-9 s.
    static constexpr Way kWays[] = {{"index-1", "dop853", 1e-4, 0},
                                    {"dummy-derivatives", "ida", 1e-4, 0},
                                    {"projection", "dop853", 1e-4, 0},
                                    {"index-2", "ida", 1e-3, 1e-7}};
    const std::uint64_t seed = seedOr(first);
    std::map<std::string, int> seen;
    std::string missed; ///< a line for each case
    for (int k = 0; k < countOr(usual); ++k) {
        Draw draw(seed + static_cast<std::uint64_t>(k));
        const RubbingCase drawn = drawnRubbing(draw);
        const Way way = draw.among(kWays);
        const auto label = "seed " + std::to_string(seed + static_cast<std::uint64_t>(k)) + ", " + way.formulation + " with "
                           + way.method + ": ";
        const auto walked = [&](std::string& failure) {
            auto run = begunOneSided({.text = drawn.text}, way.formulation, way.method, failure);
            if (run && !run->advanceTo(end))
                failure = run->status().diagnostic ? run->status().diagnostic->text() : "it did not get on";
            else if (run)
                failure = judgeRubbingRun(*run, drawn, 1.2 * drawn.friction, way.forces, way.impulses);
            return run;
        };
        std::string failure, unused;
        const auto one = walked(failure), again = walked(unused);
        if (!failure.empty()) {
            missed += label + failure + "\n";
            std::fprintf(stderr, "%s%s\n%s\n", label.c_str(), failure.c_str(),
                         drawn.text.c_str()); // Qt Test cuts long messages
        }
        if (!one || !again)
            continue;
        if (one->namedState() != again->namedState() || one->acceptedSteps() != again->acceptedSteps())
            missed += label + "does not repeat itself\n";
        for (const run::Event& e : one->events()) {
            seen["impacts"] += e.kind() == run::EventKind::Impact;
            if (const auto* change = e.as<run::ModeChange>()) {
                seen["slides"] += change->to.find("slides") != std::string::npos;
                seen["sticks"] += change->to.find("sticks") != std::string::npos;
            }
        }
    }
    QVERIFY2(missed.empty(), missed.c_str());
    QVERIFY(seen["impacts"] > 0 && seen["slides"] > 0 && seen["sticks"] > 0);
}

} // namespace driftless::test
