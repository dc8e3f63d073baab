// A body on several feet comes to rest on them: it rocks from one to the other, each time with a share of the speed, and behind
// countless impacts in a time that ends it stands. Bodies with feet at drawn places are dropped onto walls and bowls with
// friction, and methods with a tolerance have to find that end: what a step errs by, or what counts as touching, is no motion.
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "core/run/Run.h"
#include "core/text/Numbers.h"
#include "tests/run/RunFixture.h"
#include "tests/support/Draw.h"

using namespace driftless;
using namespace driftless::test;

namespace {

std::string pair(double x, double y) { return "[" + text::exact(x) + ", " + text::exact(y) + "]"; }

/// Of a floor that never leaves what falls: [m] over t.
std::string floorMotion(Draw& draw)
{
    switch (draw.upTo(0, 3)) {
    case 0:
        return text::exact(draw.decimal(-0.8, 0.8)) + "*t";
    case 1:
        return text::exact(draw.decimal(0.005, 0.04)) + "*sin(" + text::exact(draw.decimal(2, 9)) + "*t)";
    default:
        return "0";
    }
}

/// A rigid body above a floor that is a wall or a bowl, in some draws with a wall at its side. A wall may move as floor says.
std::string droppedBody(Draw& draw, const std::string& floor = "0")
{
    const int feet = draw.upTo(2, 4);
    const bool bowl = draw.chance(0.4), side = draw.chance(0.4);
    const double friction = draw.among(std::vector<double>{0, 0.1, 0.3, 0.6, 1}), turn = draw.decimal(-3, 3);
    std::vector<std::pair<double, double>> at;
    double lowest = 0;
    for (int k = 0; k < feet; ++k) {
        const double angle = 2 * std::numbers::pi * (k + draw.decimal(0, 0.6)) / feet, r = draw.decimal(0.2, 0.5);
        at.emplace_back(r * std::cos(angle), r * std::sin(angle));
        lowest = std::min(lowest, std::sin(turn) * at.back().first + std::cos(turn) * at.back().second);
    }
    const double lean = draw.decimal(-0.3, 0.3);
    std::string out =
        std::string("format = 1\nimpact_law = \"") + draw.among(std::vector<std::string>{"energetic", "newton", "poisson"})
        + "\"\npainleve = \"impact\"\n[[force]]\nkind = \"gravity\"\nacceleration = 9.81\ndirection = "
        + pair(std::sin(lean), -std::cos(lean)) + "\n[[body]]\nname = \"b\"\nkind = \"rigid\"\nmass = "
        + text::exact(draw.decimal(0.5, 3)) + "\ninertia = " + text::exact(draw.decimal(0.02, 0.4))
        + "\nx = { start = 0, velocity = " + text::exact(draw.decimal(-2, 2)) + " }\ny = { start = "
        + text::exact(draw.decimal(0.02, 0.5) - lowest) + ", velocity = " + text::exact(draw.decimal(-3, 0))
        + " }\nangle = { start = " + text::exact(turn) + ", velocity = " + text::exact(draw.decimal(-4, 4)) + " }\n";
    for (int k = 0; k < feet; ++k) {
        const auto& [x, y] = at[static_cast<std::size_t>(k)];
        const std::string to = "to = { body = \"b\", at = " + pair(x, y)
                               + " }\nrestitution = " + text::exact(draw.among(std::vector<double>{0, 0.3, 0.6}))
                               + "\nfriction = " + text::exact(friction) + "\n",
                          name = std::to_string(k) + "\"\nkind = ";
        out += "[[joint]]\nname = \"f" + name
               + (bowl ? "\"curved-wall\"\nfrom = \"ground\"\ncurve = \"y + 0.3*x^2\"\n"
                       : "\"wall\"\nfrom = { body = \"ground\", at = [0, \"" + floor + "\"] }\nangle = 0\n")
               + to;
        if (side)
            out += "[[joint]]\nname = \"w" + name + "\"wall\"\nfrom = { body = \"ground\", at = [1, 0] }\nangle = "
                   + text::exact(std::numbers::pi / 2) + "\n" + to;
    }
    return out;
}

/// Two feet at which a BDF of order one went on rocking for ever, with the impact that its tolerance made of nothing.
constexpr const char* kRocked = R"(format = 1
impact_law = "newton"
[[body]]
name = "b"
kind = "rigid"
mass = 2.9
inertia = 0.33
x = { start = 0, velocity = 0.76337 }
y = { start = 0.28377444565889, velocity = -0.95125 }
angle = { start = 0.39027805, velocity = 3.72785946 }
[[joint]]
name = "f0"
kind = "curved-wall"
from = "ground"
to = { body = "b", at = [0.3145, 0.15898] }
curve = "y + 0.3*x^2"
restitution = 0.3
friction = 0.6
[[joint]]
name = "f1"
kind = "curved-wall"
from = "ground"
to = { body = "b", at = [-0.174472, 0.107803] }
curve = "y + 0.3*x^2"
restitution = 0
friction = 0.6
[[joint]]
name = "f2"
kind = "curved-wall"
from = "ground"
to = { body = "b", at = [0.104233, -0.2128] }
curve = "y + 0.3*x^2"
restitution = 0.3
friction = 0.6
[[force]]
kind = "gravity"
acceleration = 9.81
direction = [0.08556953, -0.9963322]
)";

struct Ended {
    bool completed = false;
    std::string why;
    std::vector<double> places; ///< at the end
    double energy = 0, error = 0;
    std::uint64_t steps = 0;
    std::size_t impacts = 0;
};

} // namespace

class TestBodiesComeToRest : public QObject {
    Q_OBJECT

    static Ended ended(const std::string& text, const std::string& form, const std::string& method, double rtol, double end)
    {
        const auto system = compiledMechanism(text);
        run::RunSettings how = settings(form, method, 1e-3, rtol);
        Ended out;
        auto made = run::Run::create(system, {}, how);
        if (!made) {
            out.why = made.error().text();
            return out;
        }
        run::Run& run = **made;
        constexpr std::uint64_t kMost = 60'000; // steps: one that goes on rocking takes millions
        while (run.t() < end && !run.failed() && run.acceptedSteps() < kMost)
            run.step(end);
        out.steps = run.acceptedSteps();
        out.impacts = run.events(run::EventKind::Impact, -1, end).size();
        const run::RunStatus status = run.status();
        out.completed = !run.failed() && run.t() >= end;
        out.why = status.diagnostic ? status.diagnostic->text() : std::to_string(out.steps) + " steps";
        const run::RecordingView rows = run.recording();
        for (int i = 0; i < rows.n(); ++i)
            out.places.push_back(rows.value(rows.rowCount() - 1, i));
        out.energy = status.energy;
        out.error = status.energyError;
        return out;
    }

    static constexpr const char* kMethods[] = {"radau", "radau-9", "bdf", "ida", "bdf1", "bdf2", "adams", "dop853"};

    static void walk(const std::string& text, const std::string& what, double end, double rtol,
                     const std::string& form = "index-1")
    {
        const Ended reference = ended(text, "dummy-derivatives", "radau-9", 1e-10, end);
        if (!reference.completed) // a paradox of friction ends a run by name, whatever integrates it
            QVERIFY2(reference.why.find("steps") == std::string::npos && reference.why.find("chatters") == std::string::npos,
                     (what + reference.why).c_str());
        for (const char* method : kMethods) {
            const bool fixed = std::string(method) == "bdf1" || std::string(method) == "bdf2";
            const Ended one = ended(text, form, method, rtol, end);
            const std::string which = what + ", " + form + ", " + method + ": " + one.why;
            QVERIFY2(one.completed == reference.completed, which.c_str());
            if (!one.completed || fixed)
                continue;
            // A thousand tolerances of a step, and what methods differ by grows with each impact on a corner, by a factor below
            // two.
            const double off = 1000 * rtol * std::pow(1.8, static_cast<double>(std::min<std::size_t>(reference.impacts, 20)));
            for (std::size_t i = 0; i < one.places.size(); ++i)
                QVERIFY2(std::abs(one.places[i] - reference.places[i]) <= off,
                         (which + ", place " + std::to_string(i) + " " + text::exact(one.places[i] - reference.places[i])
                          + " allowed " + text::exact(off))
                             .c_str());
            QVERIFY2(std::abs(one.error) <= 1e4 * rtol, (which + ", energy error " + text::exact(one.error)).c_str());
        }
    }

private slots:
    void theOneThatRockedForEver()
    {
        for (const double rtol : {1e-6, 1e-8, 1e-10})
            walk(kRocked, "the one that rocked, " + text::exact(rtol), 0.6, rtol);
    }

    /// A point that bounces on a wall of its own beside it goes on: at such a height a flight takes 4 us.
    void whatBouncesBesideItGoesOn()
    {
        const std::string beside = R"(
[[body]]
name = "p"
kind = "point"
mass = 1
x = { start = 5, velocity = 0 }
y = { start = 0, velocity = 2e-5 }
[[joint]]
name = "w"
kind = "wall"
from = { body = "ground", at = [0, 0] }
to = "p"
angle = 0
restitution = 1
rest = 1e-12
)";
        const auto system = compiledMechanism(std::string(kRocked) + beside);
        const auto made = run::Run::create(system, {}, settings("index-1", "dop853", 0, 1e-10));
        QVERIFY(made.ok());
        constexpr double kEnd = 0.45; // the body stands from 0.443 s on
        QVERIFY((*made)->advanceTo(kEnd));
        const auto impacts = (*made)->events(run::EventKind::Impact, 0.4495, kEnd);
        QVERIFY2(impacts.size() > 50, std::to_string(impacts.size()).c_str());
        for (const auto& [name, value] : (*made)->namedState())
            if (name == "b.angle'")
                QVERIFY2(std::abs(value) < 1e-9, text::exact(value).c_str());
    }

    /// What turns fast under a pawl is coupled with the body, and turns on when that comes to rest.
    void whatTurnsFastOnItGoesOn()
    {
        const std::string wheel = R"(
[[body]]
name = "w"
kind = "rigid"
mass = 0.01
inertia = 0.0001
x = 0
y = 0.28377444565889
angle = { start = 0, velocity = 30 }
[[joint]]
name = "hub"
kind = "pin"
from = "b"
to = "w"
[[joint]]
name = "pawl"
kind = "ratchet"
joint = "hub"
)";
        const auto system = compiledMechanism(std::string(kRocked) + wheel);
        for (const char* method : {"bdf", "radau", "ida"}) {
            const auto made = run::Run::create(system, {}, settings("index-1", method, 0, 1e-6));
            QVERIFY(made.ok() && (*made)->advanceTo(0.6));
            for (const auto& [name, value] : (*made)->namedState()) {
                if (name == "b.angle'")
                    QVERIFY2(std::abs(value) < 1e-6, text::exact(value).c_str());
                if (name == "w.angle'") // nothing but round-off of impacts acts on it
                    QVERIFY2(std::abs(value - 30) < 1e-6, text::exact(value).c_str());
            }
        }
    }

    /// A driver holds the slip, so that friction bears nothing: it slides as soon as the driver moves, and then it takes 5 N.
    void frictionThatADriverHoldsSlidesWithIt()
    {
        for (const char* motion : {"t^2", "t^3", "0.5 - 0.5*cos(t)", "-t^3"}) {
            const auto system = compiledMechanism(
                std::string("format = 1\n[[force]]\nkind = \"gravity\"\nacceleration = 10\n[[body]]\nname = \"b\"\nkind = "
                            "\"rigid\"\nmass = 1\ninertia = 1\nx = 0\ny = 0\n[[joint]]\nname = \"floor\"\nkind = "
                            "\"wall\"\nfrom = \"ground\"\nto = \"b\"\nfriction = 0.5\n[[body]]\nname = \"s\"\nkind = "
                            "\"point\"\nmass = 1\nx = 0\ny = 0\n[[joint]]\nname = \"track\"\nkind = \"slider\"\nfrom = "
                            "\"ground\"\nto = \"s\"\n[[joint]]\nname = \"drive\"\nkind = \"motion\"\njoint = "
                            "\"track\"\nvalue = \"")
                + motion
                + "\"\n[[joint]]\nname = \"up\"\nkind = \"slider\"\nfrom = \"s\"\nto = \"b\"\nangle = 1.5707963267948966\n");
            const auto made = run::Run::create(system, {}, settings("index-2", "radau", 0, 1e-8));
            QVERIFY(made.ok() && (*made)->advanceTo(1));
            double rubs = 0;
            for (const auto& [name, value] : (*made)->namedState())
                rubs = name.find("mu_slip") != std::string::npos ? value : rubs;
            QVERIFY2(std::abs(std::abs(rubs) - 5) < 1e-6, (motion + (" " + text::exact(rubs))).c_str());
        }
    }

    /// A ball that is thrown up by a few micrometres at the end: a first step of order one is as long as such a flight.
    void lowFlightsAreResolved()
    {
        const std::string text = R"(format = 1
[[force]]
kind = "gravity"
acceleration = 9.81
[[body]]
name = "p"
kind = "point"
mass = 1
x = 5
y = { start = 0, velocity = 3e-2 }
[[joint]]
name = "w"
kind = "wall"
from = "ground"
to = "p"
restitution = 0.5
)";
        const auto system = compiledMechanism(text);
        for (const char* method : {"bdf", "ida", "adams", "radau"}) {
            const auto made = run::Run::create(system, {}, settings("index-1", method, 0, 1e-6));
            QVERIFY(made.ok() && (*made)->advanceTo(0.1));
            const auto crossings = (*made)->events(run::EventKind::Crossing, -1, 1).size();
            QVERIFY2(crossings < 20, (method + (" " + std::to_string(crossings))).c_str());
            QVERIFY2((*made)->acceptedSteps() < 2000, (method + (" " + std::to_string((*made)->acceptedSteps()))).c_str());
            const auto impacts = (*made)->events(run::EventKind::Impact, -1, 1);
            QVERIFY(impacts.size() > 5);
            double flight = 2 * 3e-2 / 9.81, t = flight; // each half as long as the one before
            for (std::size_t k = 0; k < 5; ++k, flight /= 2, t += flight)
                // A place may err by ten tolerances, at 1 cm/s and more.
                QVERIFY2(std::abs(impacts[k].t - t) < 1e-3, (method + (" " + text::exact(impacts[k].t - t))).c_str());
        }
    }

    /// Boxes on one table, or tied by weak springs, land one shortly after the other: each goes on with its share of its own
    /// speed, e sqrt(2 g h) - g (t - sqrt(2 h / g)).
    void whatLandsTogetherGoesOn()
    {
        const std::uint64_t seed = seedOr(4950);
        for (int k = 0, count = countOr(4); k < count; ++k) {
            Draw draw(seed + static_cast<std::uint64_t>(k));
            const bool table = draw.chance(0.5);
            const int boxes = draw.upTo(12, 18);
            const double height = draw.decimal(0.05, 0.2), e = draw.decimal(0.2, 0.9),
                         apart = std::pow(10, draw.between(-10, -6));
            std::string text = "format = 1\nimpacts = \"simultaneous\"\n[[force]]\nkind = \"gravity\"\nacceleration = 9.81\n";
            if (table)
                text += "[[body]]\nname = \"p\"\nkind = \"rigid\"\nmass = 100\ninertia = 10\n[[joint]]\nname = \"w\"\nkind = "
                        "\"weld\"\nfrom = \"ground\"\nto = \"p\"\n";
            for (int b = 0; b < boxes; ++b) {
                const std::string n = std::to_string(b);
                text += "[[body]]\nname = \"b" + n + "\"\nkind = \"rigid\"\nmass = 1\ninertia = 0.1\nx = " + n
                        + "\ny = { start = " + text::exact(0.3 + height + b * apart) + " }\n";
                for (const char* foot : {"-0.3", "0.3"})
                    text += "[[joint]]\nname = \"f" + n + (foot[0] == '-' ? "l" : "r") + "\"\nkind = \"wall\"\nfrom = \""
                            + (table ? "p" : "ground") + "\"\nto = { body = \"b" + n + "\", at = [" + foot
                            + ", -0.3] }\nrestitution = " + text::exact(e) + "\n";
                if (!table && b > 0)
                    text += "[[force]]\nkind = \"spring-damper\"\nfrom = \"b" + std::to_string(b - 1) + "\"\nto = \"b" + n
                            + "\"\nstiffness = 1e-6\nlength = 1\n";
            }
            const double falls = std::sqrt(2 * height / 9.81), end = falls * (1 + 0.5 * e);
            const auto made = run::Run::create(compiledMechanism(text), {}, settings("index-1", "dop853", 0, 1e-10));
            QVERIFY(made.ok() && (*made)->advanceTo(end));
            for (const auto& [name, value] : (*made)->namedState())
                if (name[0] == 'b' && name.ends_with(".y'")) // those that fall deeper by apart land as much later
                    QVERIFY2(std::abs(value - (e * 9.81 * falls - 9.81 * (end - falls))) < 1e-3,
                             (std::to_string(seed + static_cast<std::uint64_t>(k)) + " " + name + " "
                              + text::exact(value - (e * 9.81 * falls - 9.81 * (end - falls))))
                                 .c_str());
        }
    }

    /// On floors that move, in forms that hold more than index-1 does.
    void drawnOnesOnFloorsThatMove()
    {
        const std::uint64_t seed = seedOr(4900);
        for (int k = 0, count = countOr(8); k < count; ++k) {
            const std::uint64_t one = seed + static_cast<std::uint64_t>(k);
            Draw draw(one), other(one ^ 0xf1);
            const std::string text = droppedBody(draw, floorMotion(other));
            const double rtol = draw.among(std::vector<double>{1e-6, 1e-8}), end = draw.decimal(0.3, 0.9);
            walk(text, "moving, seed " + std::to_string(one), end, rtol, other.chance(0.5) ? "dummy-derivatives" : "index-1");
        }
    }

    void drawnOnes()
    {
        const std::uint64_t seed = seedOr(2711);
        for (int k = 0, count = countOr(12); k < count; ++k) {
            Draw draw(seed + static_cast<std::uint64_t>(k));
            const std::string text = droppedBody(draw);
            const double rtol = draw.among(std::vector<double>{1e-6, 1e-8, 1e-10}), end = draw.decimal(0.3, 0.9);
            walk(text, "seed " + std::to_string(seed + static_cast<std::uint64_t>(k)), end, rtol);
        }
    }
};

QTEST_GUILESS_MAIN(TestBodiesComeToRest)
#include "test_bodies_come_to_rest.moc"
