// Contacts and friction with what an input moves with corners: floors that start, stop and turn back at once, belts that jump
// from one speed to another. Drawn, against the motion worked out from one event to the next.
#include <QtTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/text/Numbers.h"
#include "tests/problems/EventTimes.h"
#include "tests/support/Draw.h"

using namespace driftless;
using namespace driftless::test;

namespace {

constexpr double kGravity = 9.81, kRest = 0.02; ///< [m/s^2], [m/s]: a slower rebound is none

/// Height or place of what is driven: straight from row to row, and at rest behind the last one.
struct Drive {
    std::vector<double> t, u;

    double slope(double at) const
    {
        for (std::size_t k = 0; k + 1 < t.size(); ++k)
            if (at < t[k + 1])
                return (u[k + 1] - u[k]) / (t[k + 1] - t[k]);
        return 0;
    }
    double at(double time) const
    {
        for (std::size_t k = 0; k + 1 < t.size(); ++k)
            if (time < t[k + 1])
                return u[k] + (time - t[k]) * (u[k + 1] - u[k]) / (t[k + 1] - t[k]);
        return u.back();
    }
    double next(double time) const
    {
        const auto found = std::ranges::upper_bound(t, time);
        return found == t.end() ? HUGE_VAL : *found;
    }
    std::string text() const
    {
        std::string out = "[";
        for (std::size_t k = 0; k < t.size(); ++k)
            out += (k ? ", [" : "[") + text::exact(t[k]) + ", " + text::exact(u[k]) + "]";
        return out + "]";
    }
};

Drive drawnDrive(Draw& draw, double fastest)
{
    Drive out{{0}, {0}};
    for (int k = 0, corners = draw.upTo(2, 4); k < corners; ++k) {
        const double h = draw.decimal(0.3, 0.8);
        out.t.push_back(std::round(1000 * (out.t.back() + h)) / 1000);
        out.u.push_back(std::round(1000 * (out.u.back() + h * (draw.chance(0.2) ? 0 : draw.between(-fastest, fastest))))
                        / 1000);
    }
    out.t.push_back(20);
    out.u.push_back(out.u.back());
    return out;
}

struct Place {
    double x, v;
    bool clear = true; ///< no event was a near thing
};

/// A block on a floor, from rest on it, under gravity.
Place onFloor(const Drive& floor, double restitution, double end)
{
    double t = 0, y = 0, v = floor.slope(0), far = 1;
    bool rests = true;
    const auto strike = [&](double slope) {
        const double u = v - slope;
        if (u >= 0)
            return;
        const double back = -restitution * u;
        far = std::min(far, std::abs(back - kRest));
        rests = back < kRest;
        v = slope + (rests ? 0 : back);
    };
    if (v > 0 && floor.slope(0) > 0)
        v = floor.slope(0);
    while (t < end) {
        const double until = std::min(end, floor.next(t)), h = until - t, slope = floor.slope(t);
        if (rests) {
            y += slope * h;
            t = until;
            v = slope;
        } else { // y + v s - g s^2/2 is on the floor again
            const double gap = y - floor.at(t), u = v - slope;
            const double s = (u + std::sqrt(u * u + 2 * kGravity * std::max(gap, 0.0))) / kGravity;
            far = std::min(far, std::abs(s - h));
            const double step = std::min(s, h);
            y += step * (v - 0.5 * kGravity * step);
            v -= kGravity * step;
            t = s < h ? t + s : until;
            if (s < h)
                strike(slope);
        }
        if (t == until && t < end) {
            const double u = v - floor.slope(t);
            if (rests && u > 0)
                rests = false;
            else if (rests)
                strike(floor.slope(t));
        }
    }
    return {y, v, far > 1e-4};
}

/// A block on a belt that rubs with a known acceleration; it sticks where their speeds are equal.
Place onBelt(const Drive& belt, double grip, double end)
{
    double t = 0, x = 0, v = 0;
    while (t < end) {
        const double until = std::min(end, belt.next(t)), w = belt.slope(t), slides = std::abs(w - v) / grip;
        const double h = std::min(slides, until - t), a = std::copysign(grip, w - v);
        x += h * (v + 0.5 * a * h);
        v = slides < until - t ? w : v + a * h;
        x += (until - t - h) * v;
        t = until;
    }
    return {x, v};
}

} // namespace

class TestKinkedContacts : public QObject {
    Q_OBJECT
private slots:
    void blocksOnFloorsAndBeltsMoveAsWorkedOut()
    {
        constexpr std::array<std::array<const char*, 2>, 7> pairs{{{"dummy-derivatives", "radau-9"},
                                                                   {"projection", "dop853"},
                                                                   {"projection", "dormand-prince"},
                                                                   {"ggl", "radau"},
                                                                   {"dummy-derivatives", "ida"},
                                                                   {"dummy-derivatives", "adams"},
                                                                   {"dummy-derivatives", "bdf"}}};
        constexpr double kEnd = 2.4, kExact = 1e-9;
        const std::uint64_t seed = seedOr(17);
        int came = 0;
        for (int i = 0, count = countOr(60); i < count; ++i) {
            Draw draw(seed + static_cast<std::uint64_t>(i));
            const bool belt = draw.chance(0.4);
            const Drive drive = drawnDrive(draw, belt ? 3 : 1.5);
            const double e = draw.chance(0.4) ? 0 : draw.decimal(0.2, 0.8), grip = draw.decimal(0.1, 0.6);
            const std::string slope = text::exact(drive.slope(0)),
                              input = "input = [{ name = \"u\", table = " + drive.text() + " }]\n";
            const std::string table =
                belt ? "body = [{ name = \"b\", kind = \"point\", mass = 1 }, { name = \"p\", kind = \"point\", mass = 3, x = "
                       "{ start = 0, velocity = "
                           + slope
                           + " } }]\njoint = [{ name = \"r\", kind = \"slider\", from = \"ground\", to = \"p\" }, { name = "
                             "\"d\", kind = \"motion\", "
                             "joint = \"r\", value = \"u\" }, { name = \"f\", kind = \"wall\", from = \"p\", to = \"b\", "
                             "friction = "
                           + text::exact(grip) + " }]\n"
                : draw.chance(0.5) ? "body = [{ name = \"b\", kind = \"point\", mass = 1, y = { start = 0, velocity = " + slope
                                         + ", velocity_fixed = true } }]\njoint = [{ name = \"f\", kind = \"wall\", from = { "
                                           "body = \"ground\", at = [0, \"u\"] }, "
                                           "to = \"b\", restitution = "
                                         + text::exact(e) + ", rest = " + text::exact(kRest) + " }]\n"
                                   : "body = [{ name = \"b\", kind = \"point\", mass = 1, y = { start = 0, velocity = " + slope
                                         + ", velocity_fixed = true } }, { name = \"p\", kind = \"point\", mass = 3, y = { "
                                           "start = 0, velocity = "
                                         + slope
                                         + " } }]\njoint = [{ name = \"r\", kind = \"slider\", from = \"ground\", to = \"p\", "
                                           "angle = \"pi/2\" }, { name = \"d\", "
                                           "kind = \"motion\", joint = \"r\", value = \"u\" }, { name = \"f\", kind = "
                                           "\"wall\", from = \"p\", to = \"b\", "
                                           "restitution = "
                                         + text::exact(e) + ", rest = " + text::exact(kRest) + " }]\n";
            const Place known = belt ? onBelt(drive, grip * kGravity, kEnd) : onFloor(drive, e, kEnd);
            const auto& pair = draw.among(pairs);
            const std::string told = "seed " + std::to_string(seed + static_cast<std::uint64_t>(i)) + ", " + pair[0] + " with "
                                     + pair[1] + ": " + (belt ? "belt " : "floor ") + drive.text() + ", e = " + text::exact(e);
            if (!known.clear)
                continue;
            const auto model = model::readModel(
                "format = 1\n" + table + "force = [{ kind = \"gravity\", acceleration = 9.81 }]\n" + input, "k.toml");
            QVERIFY2(model.ok(), model ? "" : (told + ": " + model.error().text()).c_str());
            auto run = run::Run::create(*model::CompiledSystem::compile(*model), {}, settings(pair[0], pair[1], 0.01, kExact));
            QVERIFY2(run.ok(), run ? "" : (told + ": " + run.error().text()).c_str());
            (*run)->advanceTo(kEnd);
            const std::string why = whyOf(**run);
            QVERIFY2(!(*run)->failed(), (told + ": " + why).c_str());
            const double x = valueOf(**run, belt ? "b.x" : "b.y"), v = valueOf(**run, belt ? "b.x'" : "b.y'");
            const std::string numbers =
                ": " + text::exact(x) + " for " + text::exact(known.x) + ", " + text::exact(v) + " for " + text::exact(known.v);
            QVERIFY2(std::abs(x - known.x) < 1e-5 && std::abs(v - known.v) < 1e-4, (told + numbers).c_str());
            QVERIFY2(std::abs((*run)->status().energyError) < 1e-5,
                     (told + ": energy " + text::exact((*run)->status().energyError)).c_str());
            const auto recorded = (*run)->recording();
            const auto at = [&](std::uint64_t row, run::Metric metric) {
                return recorded.value(row, recorded.metrics() + static_cast<int>(metric));
            };
            const std::uint64_t last = recorded.rowCount() - 1;
            const double gained = at(last, run::Metric::Energy) - at(0, run::Metric::Energy),
                         work = at(last, run::Metric::Work);
            QVERIFY2(std::abs(gained - work) < 1e-5,
                     (told + ": work " + text::exact(work) + " for " + text::exact(gained)).c_str());
            ++came;
        }
        QVERIFY(came > countOr(60) / 2);
    }

    /// Dry friction of a slider that is driven bears nothing while the drive stands, and its force against it while it moves.
    void frictionOfWhatIsDrivenRubsWhileItMoves()
    {
        const auto model = model::readModel("format = 1\nbody = [{ name = \"p\", kind = \"point\", mass = 1 }]\njoint = [{ "
                                            "name = \"r\", kind = \"slider\", from = "
                                            "\"ground\", to = \"p\" }, { name = \"d\", kind = \"motion\", joint = \"r\", value "
                                            "= \"u\" }, { name = \"f\", kind = "
                                            "\"dry-friction\", joint = \"r\", sticking = 5 }]\ninput = [{ name = \"u\", table "
                                            "= [[0, 0], [1, 0], [1.5, 1], [3, 1]] }]\n",
                                            "d.toml");
        QVERIFY2(model.ok(), model ? "" : model.error().text().c_str());
        auto run = run::Run::create(*model::CompiledSystem::compile(*model), {}, settings("dummy-derivatives", "ida", 0.01));
        QVERIFY2(run.ok(), run ? "" : run.error().text().c_str());
        for (const auto& [t, force] : {std::pair(0.5, 0.0), std::pair(1.25, -5.0), std::pair(2.5, 0.0)}) {
            QVERIFY2((*run)->advanceTo(t), whyOf(**run).c_str());
            QVERIFY2(std::abs(valueOf(**run, "d.lambda") - force) < 1e-6,
                     (text::exact(t) + ": " + text::exact(valueOf(**run, "d.lambda"))).c_str());
        }
    }

    /// What no motion explains is refused: a wall that jumps past a ball, and not one that jumps away from it.
    void aJumpPastABodyEndsTheRun()
    {
        for (const bool past : {true, false}) {
            const auto model = model::readModel(std::string("format = 1\nbody = [{ name = \"b\", kind = \"point\", mass = 1, y "
                                                            "= 1 }]\njoint = [{ name = \"f\", kind = \"wall\", "
                                                            "from = { body = \"ground\", at = [0, \"u\"] }, to = \"b\" "
                                                            "}]\ninput = [{ name = \"u\", between = \"held\", table = "
                                                            "[[0, 0], [1, ")
                                                    + (past ? "2" : "-2") + "]] }]\n",
                                                "j.toml");
            QVERIFY2(model.ok(), model ? "" : model.error().text().c_str());
            auto run =
                run::Run::create(*model::CompiledSystem::compile(*model), {}, settings("dummy-derivatives", "ida", 0.01));
            QVERIFY(run.ok());
            (*run)->advanceTo(2);
            QCOMPARE((*run)->failed(), past);
            if (past)
                QVERIFY(whyOf(**run).find("jumps past the contact f") != std::string::npos && (*run)->t() < 1.01);
        }
    }
};

QTEST_APPLESS_MAIN(TestKinkedContacts)
#include "test_kinked_contacts.moc"
