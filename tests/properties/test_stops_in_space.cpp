// Stops on angles in space: an angle counts within one turn there, and ends beyond half a turn are met like others.
#include <QtTest>

#include <cmath>
#include <numbers>
#include <string>

#include "core/mechanism/ReadModel.h"
#include "core/run/Run.h"
#include "core/text/Numbers.h"
#include "tests/run/RunFixture.h"
#include "tests/support/Draw.h"

using namespace driftless;
using namespace driftless::test;

namespace {

/// A wheel about z that turns freely between ends.
std::string wheel(double angle, double rate, const std::string& ends)
{
    return "format = 1\ndimensions = 3\n[[body]]\nname = \"b\"\nkind = \"rigid\"\nmass = 1\ninertia = [0.1, 0.1, 0.1]\nturn = "
           "{ "
           "axis = [0, 0, 1], angle = "
           + text::exact(angle) + " }\nangular_velocity = [0, 0, " + text::exact(rate)
           + "]\n[[joint]]\nname = \"p\"\nkind = \"revolute\"\nfrom = \"ground\"\nto = \"b\"\n[[joint]]\nname = \"s\"\nkind = "
             "\"stop\"\njoint = \"p\"\n"
           + ends + "[[output]]\nname = \"turn\"\nkind = \"rate\"\njoint = \"p\"\n";
}

/// Where a point is that goes to and fro between ends without a loss.
double folded(double place, double low, double high)
{
    const double width = high - low, turns = std::fmod(std::fmod(place - low, 2 * width) + 2 * width, 2 * width);
    return low + (turns <= width ? turns : 2 * width - turns);
}

} // namespace

class TestStopsInSpace : public QObject {
    Q_OBJECT

private slots:
    void endsAreMetWhereverTheyAre()
    {
        const std::uint64_t seed = seedOr(1749);
        for (int k = 0, count = countOr(30); k < count; ++k) {
            Draw draw(seed + static_cast<std::uint64_t>(k));
            const double low = draw.decimal(-9, 9), high = low + draw.decimal(0.3, 6.2), start = draw.between(low, high);
            const double rate = draw.decimal(1, 4) * (draw.chance(0.5) ? 1 : -1), end = 4;
            const auto system = compiledMechanism(
                wheel(start, rate, "lower = " + text::exact(low) + "\nupper = " + text::exact(high) + "\nrestitution = 1\n"));
            const auto made = run::Run::create(system, {}, settings("index-1", "dop853", 0, 1e-10));
            QVERIFY(made.ok());
            const std::string what = "seed " + std::to_string(seed + static_cast<std::uint64_t>(k));
            QVERIFY2((*made)->advanceTo(end), what.c_str());
            const double angle = folded(start + rate * end, low, high);
            double e0 = 0, e3 = 0;
            for (const auto& [name, value] : (*made)->namedState()) {
                e0 = name == "b.e0" ? value : e0;
                e3 = name == "b.e3" ? value : e3;
            }
            // A quaternion and its negative are one place. Errors of 1e-10 grow with the forty impacts at most.
            const double off = std::remainder(2 * std::atan2(e3, e0) - angle, 2 * std::numbers::pi);
            QVERIFY2(std::abs(off) < 1e-7, (what + " " + text::exact(off)).c_str());
        }
    }

    void oneEndIsMetFromItsOwnSideAndARunThatComesFromBehindSaysSo()
    {
        const std::uint64_t seed = seedOr(1750);
        for (int k = 0, count = countOr(20); k < count; ++k) {
            Draw draw(seed + static_cast<std::uint64_t>(k));
            const double lower = draw.decimal(-6, 6), away = draw.decimal(0.1, 5.6), rate = draw.decimal(0.5, 3);
            const std::string ends = "lower = " + text::exact(lower) + "\nrestitution = 0.5\n";
            const auto towards = run::Run::create(compiledMechanism(wheel(lower + away, -rate, ends)), {},
                                                  settings("index-1", "dop853", 0, 1e-10));
            QVERIFY(towards.ok());
            const double hit = away / rate;
            QVERIFY((*towards)->advanceTo(1.001 * hit));
            const auto impacts = (*towards)->events(run::EventKind::Impact, -1, 2 * hit);
            QVERIFY(impacts.size() == 1 && std::abs(impacts[0].t - hit) < 1e-7);
            const auto behind = run::Run::create(compiledMechanism(wheel(lower + away, rate, ends)), {},
                                                 settings("index-1", "dop853", 0, 1e-10));
            QVERIFY(behind.ok());
            QVERIFY(!(*behind)->advanceTo(7 / rate) && (*behind)->status().diagnostic);
            const std::string why = (*behind)->status().diagnostic->text();
            QVERIFY2(why.find("s.lower jumps") != std::string::npos && why.find("one turn") != std::string::npos, why.c_str());
        }
    }

    void endsATurnApartAreRefused()
    {
        const auto model = model::readModel(wheel(0, 1, "lower = -3.2\nupper = 3.2\n"), "wheel.toml");
        QVERIFY(!model.ok() && model.error().text().find("one turn apart") != std::string::npos);
        QVERIFY(model::readModel(wheel(0, 1, "lower = -3.1\nupper = 3.1\n"), "wheel.toml").ok());
    }
};

QTEST_GUILESS_MAIN(TestStopsInSpace)
#include "test_stops_in_space.moc"
