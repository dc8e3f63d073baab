// The stepper without a run: what it counts over integrators, what stays of a core that takes other numbers, and interrupts.
#include <QtTest>

#include <chrono>
#include <cmath>

#include "core/base/Counters.h"
#include "tests/run/PartsFixture.h"

using namespace driftless;
using namespace driftless::run;
using driftless::test::Parts;
using driftless::test::settings;

class TestStepper : public QObject {
    Q_OBJECT

private slots:
    void steps_areCounted_overAllIntegrators()
    {
        Parts p("pendulum", settings("index-1", "rk4", 0.1));
        for (int k = 0; k < 3; ++k)
            QCOMPARE(p.stepper.advance(1e9).status, integrate::StepStatus::Accepted);
        QVERIFY(p.stepper.read(p.state));
        QVERIFY(std::abs(p.state.t - 0.3) <= 1e-15); // three sums of 0.1
        QCOMPARE(p.stepper.lastStep(), 0.1);
        QCOMPARE(p.stepper.order(), 4);
        auto other = p.make(settings("dummy-derivatives", "radau-iia-5", 0.1));
        QVERIFY(other);
        p.put(std::move(*other));
        QCOMPARE(p.stepper.totals().steps, std::uint64_t{3});
        QCOMPARE(p.stepper.advance(1e9).status, integrate::StepStatus::Accepted);
        QCOMPARE(p.stepper.totals().steps, std::uint64_t{4});
        std::string why;
        QVERIFY(p.stepper.restart(p.state, why));
        QCOMPARE(p.stepper.totals().steps, std::uint64_t{4});
        QVERIFY(p.stepper.read(p.state));
        QVERIFY(std::abs(p.state.t - 0.3) <= 1e-15); // where it was started again
    }

    void otherNumbers_buildNothing()
    {
        Parts p("pendulum", settings("baumgarte", "rk4", 0.1));
        p.stepper.advance(1e9);
        QVERIFY(p.stepper.read(p.state));
        std::vector<double> parameters = p.system->defaultParameters();
        parameters[1] *= 2; // gravity
        RunSettings asked = p.stepper.core().settings;
        asked.gains["omega"] = 7;
        const std::uint64_t integrators = counters().integrators, tapes = counters().tapes;
        const auto* const integrator = p.stepper.core().integrator.get();
        const std::vector<double> before(p.stepper.core().instance->gains().begin(), p.stepper.core().instance->gains().end());
        double change = 0;
        p.metrics.setParameters(parameters);
        auto tuning = p.maker.tune(p.stepper.core(), asked, parameters, p.state, true, change);
        QVERIFY(tuning);
        QCOMPARE(p.stepper.core().parameters, p.system->defaultParameters()); // nothing is in force yet
        QVERIFY(std::ranges::equal(p.stepper.core().instance->gains(), before));
        QVERIFY(p.stepper.retune(std::move(*tuning), p.state, p.metrics.scales()));
        QCOMPARE(p.stepper.core().parameters, parameters);
        QCOMPARE(p.stepper.core().settings.gains.at("omega"), 7.0);
        QCOMPARE(p.stepper.core().integrator.get(), integrator);
        QCOMPARE(counters().integrators.load(), integrators);
        QCOMPARE(counters().tapes.load(), tapes);
        QCOMPARE(p.stepper.totals().steps, std::uint64_t{1});
    }

    void interruptedStep_isLeft_andToldOnce()
    {
        Parts p("pendulum", settings("dummy-derivatives", "radau-iia-5", 0.1));
        p.stepper.interrupt();
        QCOMPARE(p.stepper.advance(1e9).status, integrate::StepStatus::Cancelled);
        QVERIFY(p.stepper.takeInterrupt());
        QVERIFY(!p.stepper.takeInterrupt());
        QCOMPARE(p.stepper.totals().steps, std::uint64_t{0});
        std::string why;
        QVERIFY(p.stepper.restart(p.state, why));
        QCOMPARE(p.stepper.advance(1e9).status, integrate::StepStatus::Accepted);
    }

    void refusedForms_leaveTheCoreInForce()
    {
        Parts p("pendulum", settings("index-1", "rk4", 0.1));
        const Core* const inForce = p.stepper.inForce();
        QVERIFY(!p.make(settings("index-3", "rk4", 0.1))); // an explicit method cannot carry it
        QVERIFY(!p.make(settings("no-such-form", "rk4", 0.1)));
        QCOMPARE(p.stepper.inForce(), inForce);
        QCOMPARE(p.stepper.advance(1e9).status, integrate::StepStatus::Accepted);
    }

    void clock_addsUpLongSteps()
    {
        StepClock clock;
        const auto spin = [&clock] {
            const StepClock::Step timed(clock);
            const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(2);
            while (std::chrono::steady_clock::now() < end) {}
        };
        spin();
        const double once = clock.wall();
        QVERIFY(once >= 2e-3);
        spin();
        QVERIFY(clock.wall() >= once + 2e-3);
        QVERIFY(clock.cpu() > 0 && clock.cpu() <= clock.wall() + 1e-3); // the two clocks tick apart
    }
};

QTEST_GUILESS_MAIN(TestStepper)
#include "test_stepper.moc"
