// Guards located inside of steps: on functions whose zeros are known, and on the dense output of every method.
#include <QtTest>

#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <vector>

#include "core/integrate/EventLocation.h"
#include "core/integrate/Integrator.h"
#include "tests/problems/Pendulum.h"
#include "tests/support/CountAllocations.h"
#include "tests/support/Draw.h"

using namespace driftless;
using namespace driftless::problems;
using integrate::EventLocator;
using integrate::Located;

namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

struct Curve {
    std::function<double(double)> value, rate;
};

/// Curves that are known in full; rates: whether they tell their slope.
class Curves final : public integrate::GuardValues {
public:
    explicit Curves(std::vector<Curve> curves, bool rates = true) : curves_(std::move(curves)), rates_(rates) {}
    bool at(double t, std::span<double> values, std::span<double> rates) override
    {
        for (std::size_t i = 0; i < curves_.size(); ++i) {
            values[i] = curves_[i].value(t);
            rates[i] = rates_ ? curves_[i].rate(t) : std::numeric_limits<double>::quiet_NaN();
        }
        return true;
    }

private:
    std::vector<Curve> curves_;
    bool rates_;
};

Curve line(double zero, double slope)
{
    return {[=](double t) { return slope * (t - zero); }, [=](double) { return slope; }};
}
/// (t - a) (t - b).
Curve parabola(double a, double b)
{
    return {[=](double t) { return (t - a) * (t - b); }, [=](double t) { return 2 * t - a - b; }};
}

EventLocator watching(std::initializer_list<double> sides, double tolerance = 1e-12)
{
    EventLocator out;
    out.prepare(sides.size());
    std::size_t i = 0;
    for (const double side : sides)
        out.watch(i++, side, tolerance);
    return out;
}

} // namespace

class TestEventLocation : public QObject {
    Q_OBJECT

private slots:
    void aZero_isFoundToRoundOff_onEitherSide()
    {
        Curves along({line(0.7, -2), line(0.3, 1)});
        auto locator = watching({1, 0});
        const Located falls = locator.first(along, 0, 1, 3);
        QVERIFY(falls.found && !falls.grazing);
        QVERIFY(std::abs(falls.t - 0.7) <= 4 * kEpsilon);
        QCOMPARE(falls.guards.size(), 1u);
        locator = watching({0, -1});
        QVERIFY(std::abs(locator.first(along, 0, 1, 3).t - 0.3) <= 4 * kEpsilon);
        locator = watching({0, 1}); // on the other side from the start: below zero already, so at once
        QCOMPARE(locator.first(along, 0, 1, 3).t, 0.0);
    }

    /// The root lies between 0.2 and 0.8, the parabola is positive at both ends and at no point inside of a coarse look.
    void bothZerosOfAMinimum_areNotPassedOver_whereTheRateIsKnown()
    {
        Curves along({parabola(0.45, 0.55)});
        auto locator = watching({1});
        QVERIFY(std::abs(locator.first(along, 0, 1, 0).t - 0.45) <= 8 * kEpsilon);
        Curves blind({parabola(0.45, 0.55)}, false);
        QVERIFY(!locator.first(blind, 0, 1, 0).found); // and where it is not known, points are needed
        QVERIFY(std::abs(locator.first(blind, 0, 1, 1).t - 0.45) <= 8 * kEpsilon);
    }

    /// level + cos: its first zero is found whatever its phase, up to three and a half periods in one look with four points
    /// inside; and what does not come to zero does not fire.
    void aGuardThatIsQuickerThanTheStep_isSeen()
    {
        for (int k = 0; k < 4000; ++k) {
            const double level = std::array{0.9, 0.5, 0.0, -0.5}[static_cast<std::size_t>(k % 4)];
            const double w = 1 + 21.0 * k / 4000, phase = std::fmod(2.399963 * k, 2 * std::numbers::pi); // golden angles
            const auto along = [&](double mean) {
                return Curves({{[=](double t) { return mean + std::cos(w * t + phase); }, {}}}, false);
            };
            const double low = std::acos(-level), high = 2 * std::numbers::pi - low;
            if (phase > low - 1e-9 && phase < high + 1e-9)
                continue; // begins below
            const double zero = (phase < low ? low - phase : 2 * std::numbers::pi + low - phase) / w;
            auto locator = watching({1});
            auto crosses = along(level);
            const Located found = locator.first(crosses, 0, 1, 4);
            QVERIFY2(found.found == (zero <= 1),
                     qPrintable(QString("level %1, w %2, phase %3: %4").arg(level).arg(w).arg(phase).arg(zero)));
            if (found.found)
                QVERIFY2(std::abs(found.t - zero) <= 1e-14,
                         qPrintable(QString("w %1: %2, not %3").arg(w).arg(found.t).arg(zero)));
            locator = watching({1});
            auto stays = along(1.01);
            QVERIFY(!locator.first(stays, 0, 1, 4).found);
        }
    }

    /// What is as slow as its step costs the points that were asked for and one more.
    void aSlowGuard_isLookedAtOnce()
    {
        int looks = 0;
        Curves slow({{[&](double t) {
                          ++looks;
                          return 1 + 0.5 * std::cos(2 * t) - 0.3 * t;
                      },
                      {}}},
                    false);
        auto locator = watching({1});
        QVERIFY(!locator.first(slow, 0, 1, 4).found);
        QCOMPARE(looks, 7);
    }

    void aMinimumThatTouchesZero_grazes_andOneAboveDoesNot()
    {
        Curves touches({parabola(0.5, 0.5)});
        auto locator = watching({1});
        const Located found = locator.first(touches, 0, 1, 2);
        QVERIFY(found.found && found.grazing);
        QVERIFY(std::abs(found.t - 0.5) <= std::sqrt(1e-12)); // where the value is below the tolerance
        Curves above({{[](double t) { return (t - 0.5) * (t - 0.5) + 1e-9; }, [](double t) { return 2 * t - 1; }}});
        QVERIFY(!locator.first(above, 0, 1, 2).found);
    }

    void severalInOneStep_comeInOrder()
    {
        const std::vector<double> zeros{0.62, 0.11, 0.58, 0.9, 0.35};
        std::vector<Curve> curves;
        for (const double zero : zeros)
            curves.push_back(line(zero, -1));
        Curves along(curves);
        auto locator = watching({1, 1, 1, 1, 1});
        std::vector<int> order;
        double from = 0;
        for (Located found = locator.first(along, from, 1, 4); found.found; found = locator.first(along, from, 1, 4)) {
            QCOMPARE(found.guards.size(), 1u);
            order.push_back(found.guards[0]);
            QVERIFY(std::abs(found.t - zeros[static_cast<std::size_t>(found.guards[0])]) <= 4 * kEpsilon);
            from = found.t;
            locator.watch(static_cast<std::size_t>(found.guards[0]), 0, 0);
        }
        QCOMPARE(order, (std::vector<int>{1, 4, 2, 0, 3}));
    }

    void twoAndThreeAtOneTime_areToldTogether()
    {
        Curves along({line(0.4, -1), line(0.8, -1), line(0.4, -3), parabola(0.4, 2)});
        auto locator = watching({1, 1, 1, 1});
        const Located found = locator.first(along, 0, 1, 4);
        QVERIFY(std::abs(found.t - 0.4) <= 4 * kEpsilon);
        QCOMPARE(std::vector<int>(found.guards.begin(), found.guards.end()), (std::vector<int>{0, 2, 3}));
    }

    /// Of those that are told together one has its zero there, the others may be near theirs: the first one is named.
    void whatIsNearItsZero_isTold_butTheTimeIsTheOthers()
    {
        Curves along({line(0.41, -1), line(0.4, -1)});
        auto locator = watching({1, 1}, 0.02);
        const Located found = locator.first(along, 0, 1, 4);
        QVERIFY(std::abs(found.t - 0.4) <= 4 * kEpsilon);
        QCOMPARE(std::vector<int>(found.guards.begin(), found.guards.end()), (std::vector<int>{0, 1}));
        QCOMPARE(found.first, 1);
    }

    /// A bounce: it starts at zero and moves off; it comes back at 0.25 and is far below at every point that is looked at.
    void aGuardThatLeavesZero_doesNotFireThere_butWhereItComesBack()
    {
        const Curve bounce{[](double t) { return t * (0.25 - t); }, [](double t) { return 0.25 - 2 * t; }};
        Curves along({bounce});
        auto locator = watching({1});
        QVERIFY(std::abs(locator.first(along, 0, 1, 1).t - 0.25) <= 8 * kEpsilon);
        const Curve below{[](double t) { return t * (0.25 - t) - 1e-14; }, [](double t) { return 0.25 - 2 * t; }};
        Curves noisy({below}); // round-off of the state behind an impact
        QVERIFY(std::abs(locator.first(noisy, 0, 1, 1).t - 0.25) <= 1e-13);
    }

    /// What is watched from behind its zero has it there: a bounce does not sink, however low it is.
    void aBounceBelowTheTolerance_firesWhereItBegan()
    {
        const double depth = 3e-12;
        const Curve low{[=](double t) { return 1e-13 * t * (0.25 - t) - depth; },
                        [](double t) { return 1e-13 * (0.25 - 2 * t); }};
        for (const double step : {1.0, 0.2, 0.03}) {
            Curves along({low});
            EventLocator locator;
            locator.prepare(1);
            locator.watch(0, 1, 1e-12, -depth, true);
            Located found;
            for (double from = 0; !found.found && from < 1; from += step)
                found = locator.first(along, from, from + step, 1);
            // Round-off of values of 3e-12 against a slope of 2.5e-14.
            QVERIFY2(found.found && std::abs(found.t - 0.25) <= 8 * kEpsilon * 3e-12 / 2.5e-14 + 8 * kEpsilon,
                     qPrintable(QString::number(found.t)));
        }
    }

    /// A flight so low that round-off of the gap hides it: it ends at once, and not at the next point that is looked at.
    void aFlightBelowRoundOff_firesBeforeItHasFallen()
    {
        const std::uint64_t seed = test::seedOr(51);
        for (int k = 0, count = test::countOr(500); k < count; ++k) {
            test::Draw draw(seed + static_cast<std::uint64_t>(k));
            const double gap = draw.between(0.5, 2), speed = std::pow(10, draw.between(-10, -8)), a = draw.between(1, 20);
            Curves along(
                {{[=](double t) { return (gap + t * (speed - a * t)) - gap; }, [=](double t) { return speed - 2 * a * t; }}});
            EventLocator locator;
            locator.prepare(1);
            locator.watch(0, 1, 1e-9, 0, true);
            const Located found = locator.first(along, 0, 0.01, 4);
            // It is back at speed / a; round-off of the gap is passed as soon as half of one is fallen.
            const double passed = speed / a + std::sqrt(2 * kEpsilon * gap / a);
            QVERIFY2(found.found && found.t > 0 && found.t <= passed,
                     qPrintable(QString("%1 speed %2 falls with %3 found at %4")
                                    .arg(seed + static_cast<std::uint64_t>(k))
                                    .arg(speed)
                                    .arg(a)
                                    .arg(found.t)));
        }
    }

    /// One that was inside is no longer touching in the next step, however near its zero that begins.
    void aStepThatBeginsNearZero_fallingFromInside_firesAtZero()
    {
        Curves along({line(0.5, -1)});
        auto locator = watching({1}, 1e-3);
        QVERIFY(!locator.first(along, 0, 0.4999, 4).found);
        QVERIFY(std::abs(locator.first(along, 0.4999, 1, 4).t - 0.5) <= 8 * kEpsilon);
    }

    void aGuardThatStaysAtZero_neverFires()
    {
        Curves along({{[](double t) { return 1e-13 * std::sin(50 * t); }, [](double t) { return 5e-12 * std::cos(50 * t); }}});
        auto locator = watching({1});
        QVERIFY(!locator.first(along, 0, 1, 20).found);
    }

    void searching_allocatesNothing()
    {
        Curves along({parabola(0.45, 0.55), line(0.7, -1)});
        auto locator = watching({1, 1});
        const long before = test::allocationCount();
        for (int k = 0; k < 10; ++k)
            (void)locator.first(along, 0, 1, k);
        QCOMPARE(test::allocationCount(), before);
    }

    void theRateThatIsNotComputable_isTold()
    {
        class Broken final : public integrate::GuardValues {
            bool at(double t, std::span<double> values, std::span<double> rates) override
            {
                values[0] = 1 - t;
                rates[0] = -1;
                return t < 0.5;
            }
        } along;
        auto locator = watching({1});
        QVERIFY(locator.first(along, 0, 2, 3).failed);
    }

    /// The pendulum passes the vertical a quarter of its period after the start, whatever the method.
    void onTheDenseOutput_ofEveryMethod_theTimeIsAsGoodAsTheSteps_data()
    {
        QTest::addColumn<QString>("id");
        for (const auto& info : integrate::integratorCatalogue())
            QTest::newRow(info.id.c_str()) << QString::fromStdString(info.id);
    }
    void onTheDenseOutput_ofEveryMethod_theTimeIsAsGoodAsTheSteps()
    {
        QFETCH(QString, id);
        HandCoded<PendulumAngle> dae;
        auto method = std::move(integrate::makeIntegrator(id.toStdString())).value();
        integrate::IntegratorOptions options;
        const bool adaptive = method->info().adaptive;
        options.step = adaptive ? 0 : 1e-3;
        options.relativeTolerance = options.absoluteTolerance = 1e-8;
        if (!method->prepare(dae, options))
            QSKIP("needs the structure of a mechanical system");
        const double y[] = {1, 0}, yp[] = {0, -std::sin(1.0)};
        QVERIFY(method->restart(0, y, yp));
        class Angle final : public integrate::GuardValues {
        public:
            explicit Angle(integrate::Integrator& method) : method_(method) {}
            bool at(double t, std::span<double> values, std::span<double> rates) override
            {
                method_.interpolate(t, y_);
                values[0] = y_[0];
                rates[0] = y_[1];
                return true;
            }

        private:
            integrate::Integrator& method_;
            std::vector<double> y_ = std::vector<double>(2);
        } along(*method);
        auto locator = watching({1});
        Located found;
        while (!found.found && method->t() < 3) {
            const double from = method->t();
            QVERIFY(method->step(std::numeric_limits<double>::infinity()).status == integrate::StepStatus::Accepted);
            found = locator.first(along, from, method->t(), std::max(4, method->currentOrder()));
        }
        // T/4 = K(sin(1/2)) at g = L = 1, by the arithmetic-geometric mean; speed there 2 sin(1/2).
        double a = 1, b = std::cos(0.5);
        for (int k = 0; k < 6; ++k) {
            const double mean = 0.5 * (a + b);
            b = std::sqrt(a * b);
            a = mean;
        }
        const double quarter = std::acos(-1.0) / (2 * a);
        QVERIFY(found.found);
        // Adaptive: a hundred tolerances. Fixed: order one errs by half the second derivative times h t, up to 1e-3.
        const double h = 1e-3, allowed = adaptive ? 100 * 1e-8 : 2 * std::max(h * (method->currentOrder() < 2), h * h);
        QVERIFY2(std::abs(found.t - quarter) <= allowed, qPrintable(QString::number(found.t - quarter)));
    }
};

QTEST_APPLESS_MAIN(TestEventLocation)
#include "test_event_location.moc"
