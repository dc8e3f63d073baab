// Friction of a known force and an end of travel on one freedom, drawn at random: a body slides into a string, a stop, a wall
// or a ratchet and is pressed against it by a force that falls, turns, and pulls it away. Friction of R and the force F - k t:
//
//   up to t = F/k - R/k   the end bears what friction does not        up to F/k + R/k   friction holds alone
//   after that            it slides back: m v = -k (t - (F + R) / k)^2 / 2
#include <QtTest>

#include <cmath>
#include <cstdio>
#include <map>
#include <string>

#include "tests/properties/OneSidedWalk.h"

using namespace driftless;
using namespace driftless::test;

namespace {

constexpr double kFriction = 2; ///< [N] or [N m]
constexpr double kAsked = 1e-5; ///< a thousand steps, each errs by 1e-8

struct PressedCase {
    std::string text;
    double mass = 0, force = 0, rate = 0; ///< m, F, k
    bool turns = false, ratchet = false;
    double end() const { return 1 + (force + kFriction) / rate; }
};

std::string frictionOn(const std::string& joint, bool clutch)
{
    return "[[joint]]\nname = \"f\"\nkind = "
           + (clutch ? std::string("\"clutch\"\nfrom = \"ground\"\nto = \"p\"\ncapacity = 2\n")
                     : "\"dry-friction\"\njoint = \"" + joint + "\"\nsticking = 2\n");
}

std::string endOf(const std::string& kind)
{
    if (kind == "string")
        return "[[joint]]\nname = \"s\"\nkind = \"string\"\nfrom = \"ground\"\nto = \"p\"\nlength = 1\n";
    if (kind == "wall")
        return "[[joint]]\nname = \"s\"\nkind = \"wall\"\nfrom = { body = \"ground\", at = [1, 0] }\nto = \"p\"\n"
               "angle = \"pi/2\"\n";
    if (kind == "ratchet")
        return "[[joint]]\nname = \"s\"\nkind = \"ratchet\"\njoint = \"r\"\ndirection = \"forwards\"\n";
    return "[[joint]]\nname = \"s\"\nkind = \"stop\"\njoint = \"r\"\nupper = 1\n";
}

/// A ratchet lets go forwards: there the force presses backwards first.
PressedCase drawnPressed(Draw& draw)
{
    static constexpr const char* kEnds[] = {"string", "wall", "stop", "ratchet"};
    PressedCase out;
    const std::string kind = draw.among(kEnds);
    out.ratchet = kind == "ratchet";
    out.turns = out.ratchet || (kind == "stop" && draw.chance(0.5));
    const bool clutch = out.turns && draw.chance(0.5), first = draw.chance(0.5);
    out.mass = out.ratchet ? draw.decimal(0.3, 0.8) : draw.decimal(0.7, 3); // heavier: it does not reach a string's other end
    out.force = draw.chance(0.3) ? draw.decimal(0.5, 1.9) : draw.decimal(2.2, 12);
    out.rate = (out.force + kFriction) / 2;
    const double speed = draw.decimal(5, 10) / (out.ratchet ? 4 : 1); // stands before the force has fallen
    const std::string v = std::to_string(speed), m = std::to_string(out.mass);
    const std::string force = (out.ratchet ? "-(" : "(") + std::to_string(out.force) + " - " + std::to_string(out.rate) + "*t)";
    out.text = "format = 1\n[[body]]\nname = \"p\"\n";
    out.text += out.turns ? "kind = \"rigid\"\nmass = 1\ninertia = " + m + "\nangle = { start = 0, velocity = " + v + " }\n"
                          : "kind = \"point\"\nmass = " + m + "\nx = { start = 0, velocity = " + v + " }\n";
    out.text += std::string("[[joint]]\nname = \"r\"\nkind = \"") + (out.turns ? "pin" : "slider")
                + "\"\nfrom = \"ground\"\nto = \"p\"\n";
    out.text += first ? frictionOn("r", clutch) + endOf(kind) : endOf(kind) + frictionOn("r", clutch);
    out.text +=
        std::string("[[force]]\nkind = \"force\"\nbody = \"p\"\n") + (out.turns ? "torque" : "x") + " = \"" + force + "\"\n";
    return out;
}

std::string judgePressedRun(const run::Run& run, const PressedCase& drawn)
{
    const run::RecordingView view = run.recording();
    const int place = view.findColumn(drawn.turns ? "p.angle" : "p.x"),
              speed = view.findColumn(drawn.turns ? "p.angle'" : "p.x'"), rub = view.findColumn("f.mu");
    const double known = (drawn.ratchet ? 1 : -1) * drawn.rate / (2 * drawn.mass), size = 1 + std::abs(known);
    const std::uint64_t last = view.rowCount() - 1;
    if (!(std::abs(view.value(last, speed) - known) <= kAsked * size))
        return "the speed is " + std::to_string(view.value(last, speed)) + " in place of " + std::to_string(known);
    if (std::abs(run.status().energyError) > 1e-4 * size * drawn.mass) // of up to 150 J
        return "the balance misses " + std::to_string(run.status().energyError) + " J";
    for (std::uint64_t r = 0; r <= last; ++r) {
        const std::string at = " at t = " + std::to_string(view.time(r));
        if (!drawn.ratchet && view.value(r, place) > 1 + kAsked)
            return "it is beyond its end" + at;
        if (drawn.ratchet && view.value(r, speed) < -kAsked)
            return "it turns back" + at;
        if (std::abs(view.value(r, rub)) > kFriction * (1 + 1e-6)) // the limit is met to the instant that was located
            return "friction is " + std::to_string(view.value(r, rub)) + at;
    }
    return {};
}

} // namespace

class TestFrictionAtEnds : public QObject {
    Q_OBJECT
private slots:
    void pressedAgainstAnEnd_friction_holds_andLetsGoInTime()
    {
        struct Way {
            const char *formulation, *method;
        };
        static constexpr Way kWays[] = {
            {"index-1", "dop853"}, {"dummy-derivatives", "ida"}, {"baumgarte", "dormand-prince"}, {"ggl", "radau"}};
        const std::uint64_t seed = seedOr(52'001);
        std::map<std::string, int> seen;
        std::string missed;
        for (int k = 0; k < countOr(60); ++k) {
            Draw draw(seed + static_cast<std::uint64_t>(k));
            const PressedCase drawn = drawnPressed(draw);
            const Way way = draw.among(kWays);
            std::string failure;
            const auto run = begunOneSided({.text = drawn.text}, way.formulation, way.method, failure);
            if (run && !run->advanceTo(drawn.end()))
                failure = run->status().diagnostic ? run->status().diagnostic->text() : "it did not get on";
            else if (run)
                failure = judgePressedRun(*run, drawn);
            if (!failure.empty()) {
                missed += "seed " + std::to_string(seed + static_cast<std::uint64_t>(k)) + ", " + way.formulation + " with "
                          + way.method + ": " + failure + "\n";
                std::fprintf(stderr, "%s\n%s\n", missed.c_str(), drawn.text.c_str()); // Qt Test cuts long messages
            }
            for (const run::Event& e : run ? run->events() : std::vector<run::Event>())
                if (const auto* change = e.as<run::ModeChange>())
                    for (const char* word : {"at its limit", "sticks", "slides"})
                        seen[word] += change->to.find(word) != std::string::npos;
        }
        QVERIFY2(missed.empty(), missed.c_str());
        QVERIFY(seen["at its limit"] > 0 && seen["slides"] > 0 && seen["sticks"] > 0);
    }
};

QTEST_GUILESS_MAIN(TestFrictionAtEnds)
#include "test_friction_at_ends.moc"
