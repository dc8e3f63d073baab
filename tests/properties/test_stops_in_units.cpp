// One freedom between two stops, drawn at random: an arm on a pin or a puck on a rail, written in micrometres, millimetres,
// metres or kilometres, with dry friction or without, and beside a body that touches nothing, far away or fast. It goes to and
// fro as a calculation on paper says, in whatever unit of length, and whatever the other body does:
//
//   between the stops   I u' = -F sign(u)        at a stop   u+ = -e u-
#include <QtTest>

#include <cmath>
#include <cstdio>
#include <string>

#include "core/run/EventWords.h"
#include "tests/properties/OneSidedWalk.h"

using namespace driftless;
using namespace driftless::test;

namespace {

constexpr double kAsked = 1e-5; ///< a few hundred steps, each errs by 1e-8, and rebounds pass it on

struct StoppedCase {
    bool turns = true, beside = false;
    double unit = 1; ///< units of length in a metre
    double mass = 1, inertia = 1, lever = 0, speed = 1, lower = -1, upper = 1, restitution = 0.5, friction = 0;
    double farAway = 1, fast = 0; ///< [m], [m/s] of the other body
    double inert() const { return turns ? inertia + mass * lever * lever : mass; }
};

StoppedCase drawnStopped(Draw& draw)
{
    static constexpr double kUnits[] = {1e-3, 1, 1e3, 1e6};
    StoppedCase out;
    out.turns = draw.chance(0.6);
    out.unit = draw.among(kUnits);
    out.mass = draw.decimal(0.5, 3);
    out.inertia = draw.decimal(0.1, 1);
    out.lever = draw.chance(0.7) ? draw.decimal(0.1, 0.8) : 0;
    out.speed = draw.decimal(0.1, 2) * (draw.chance(0.5) ? 1 : -1);
    out.lower = -draw.decimal(0.1, 0.6);
    out.upper = draw.decimal(0.1, 0.6);
    out.restitution = draw.decimal(0.3, 0.95);
    if (draw.chance(0.4))
        out.friction = draw.decimal(0.05, 0.4) * out.inert() * out.speed * out.speed;
    out.beside = draw.chance(0.6);
    out.farAway = std::pow(10, draw.decimal(0, 5));
    out.fast = draw.chance(0.5) ? std::pow(10, draw.decimal(0, 4)) : 0;
    return out;
}

std::string textOf(const StoppedCase& drawn)
{
    const auto number = [](double value) {
        char text[40];
        std::snprintf(text, sizeof text, "%.17g", value);
        return std::string(text);
    };
    const double L = drawn.unit, each = drawn.turns ? 1 : L;
    std::string out = "format = 1\n[[body]]\nname = \"p\"\nkind = \"rigid\"\nmass = " + number(drawn.mass)
                      + "\ninertia = " + number(drawn.inertia * L * L) + '\n';
    out += drawn.turns ? "x = { start = " + number(drawn.lever * L)
                             + " }\ny = { start = 0, velocity = " + number(drawn.lever * drawn.speed * L)
                             + " }\nangle = { start = 0, velocity = " + number(drawn.speed) + " }\n"
                       : "x = { start = 0, velocity = " + number(drawn.speed * L) + " }\n";
    if (drawn.beside)
        out += "[[body]]\nname = \"ball\"\nkind = \"point\"\nmass = 1\nx = { start = " + number(drawn.farAway * L)
               + ", velocity = " + number(drawn.fast * L) + " }\n";
    out += "[[joint]]\nname = \"r\"\nfrom = \"ground\"\n";
    out += drawn.turns ? "kind = \"pin\"\nto = { body = \"p\", at = [" + number(-drawn.lever * L) + ", 0] }\n"
                       : std::string("kind = \"slider\"\nto = \"p\"\n");
    out += "[[joint]]\nname = \"s\"\nkind = \"stop\"\njoint = \"r\"\nlower = " + number(drawn.lower * each)
           + "\nupper = " + number(drawn.upper * each) + "\nrestitution = " + number(drawn.restitution) + '\n';
    if (drawn.friction > 0)
        out += "[[joint]]\nname = \"f\"\nkind = \"dry-friction\"\njoint = \"r\"\nsticking = "
               + number(drawn.friction * L * (drawn.turns ? L : 1)) + '\n';
    return out;
}

struct Known {
    double t = 0, x = 0, u = 0;
    int impacts = 0;
    bool stands = false;
};

/// To the middle of the way behind the last of so many impacts, or to where it stands.
Known known(const StoppedCase& drawn, int impacts)
{
    Known now{.t = 0, .x = 0, .u = drawn.speed};
    for (;;) {
        const double side = now.u > 0 ? 1 : -1, slowing = drawn.friction / drawn.inert();
        const double way = std::abs((side > 0 ? drawn.upper : drawn.lower) - now.x), fast = std::abs(now.u);
        const double left = fast * fast - 2 * slowing * way; // the square of the speed at the stop
        const bool last = now.impacts == impacts;
        if (left <= 0 && slowing > 0) {
            now.t += fast / slowing + 0.1;
            now.x += side * fast * fast / (2 * slowing);
            now.u = 0;
            now.stands = true;
            return now;
        }
        const double arrives = slowing > 0 ? (fast - std::sqrt(left)) / slowing : way / fast;
        const double flies = last ? arrives / 2 : arrives;
        now.t += flies;
        now.x += side * (fast * flies - slowing * flies * flies / 2);
        now.u = side * (fast - slowing * flies);
        if (last)
            return now;
        ++now.impacts;
        now.u *= -drawn.restitution;
    }
}

std::string judgeStopped(const run::Run& run, const StoppedCase& drawn, const Known& is)
{
    const run::RecordingView view = run.recording();
    const std::uint64_t last = view.rowCount() - 1;
    const double each = drawn.turns ? 1 : drawn.unit;
    const double x = view.value(last, view.findColumn(drawn.turns ? "p.angle" : "p.x")) / each;
    const double u = view.value(last, view.findColumn(drawn.turns ? "p.angle'" : "p.x'")) / each;
    if (!(std::abs(x - is.x) <= kAsked && std::abs(u - is.u) <= kAsked * std::abs(drawn.speed)))
        return "it is at " + std::to_string(x) + " with " + std::to_string(u) + " in place of " + std::to_string(is.x)
               + " with " + std::to_string(is.u);
    int impacts = 0;
    for (const run::Event& e : run.events()) {
        if (e.kind() != run::EventKind::Impact)
            continue;
        ++impacts;
        const std::string said = run::words(e);
        if ((said.find("rad/s") != std::string::npos) != drawn.turns
            || (said.find("N m s") != std::string::npos) != drawn.turns)
            return "an impact says \"" + said + "\"";
    }
    return impacts == is.impacts ? std::string()
                                 : std::to_string(impacts) + " impacts in place of " + std::to_string(is.impacts);
}

} // namespace

class TestStopsInUnits : public QObject {
    Q_OBJECT
private slots:
    void stopsOfAnglesAndLengths_inAnyUnit_besideAnything_reboundAsOnPaper()
    {
        struct Way {
            const char *formulation, *method;
        };
        static constexpr Way kWays[] = {{"index-1", "dop853"}, {"dummy-derivatives", "ida"}, {"projection", "dormand-prince"}};
        const std::uint64_t seed = seedOr(61'001);
        std::string missed;
        int stood = 0, bounced = 0;
        for (int k = 0; k < countOr(150); ++k) {
            Draw draw(seed + static_cast<std::uint64_t>(k));
            const StoppedCase drawn = drawnStopped(draw);
            const Way way = draw.among(kWays);
            const int most = static_cast<int>(std::log(2e-3) / std::log(drawn.restitution)); // slower rebounds may be none
            const Known is = known(drawn, draw.upTo(0, std::min(most, 6)));
            std::string failure;
            const auto run = begunOneSided({.text = textOf(drawn)}, way.formulation, way.method, failure);
            if (run && !run->advanceTo(is.t))
                failure = run->status().diagnostic ? run->status().diagnostic->text() : "it did not get on";
            else if (run)
                failure = judgeStopped(*run, drawn, is);
            stood += is.stands;
            bounced += is.impacts;
            if (failure.empty())
                continue;
            missed += "seed " + std::to_string(seed + static_cast<std::uint64_t>(k)) + ", " + way.formulation + " with "
                      + way.method + ": " + failure + "\n";
            std::fprintf(stderr, "%s\n%s\n", missed.c_str(), textOf(drawn).c_str()); // Qt Test cuts long messages
        }
        QVERIFY2(missed.empty(), missed.c_str());
        if (countOr(150) >= 150)
            QVERIFY(stood > 5 && bounced > 150);
    }
};

QTEST_GUILESS_MAIN(TestStopsInUnits)
#include "test_stops_in_units.moc"
