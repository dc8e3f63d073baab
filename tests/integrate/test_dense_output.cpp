// The dense output of every integrator of the registry, against the motion between the steps.
#include <QtTest>

#include <cmath>
#include <limits>

#include "core/integrate/Integrator.h"
#include "tests/problems/Pendulum.h"
#include "tests/support/CountAllocations.h"
#include "tests/support/Draw.h"

using namespace driftless;
using namespace driftless::problems;
using integrate::StepStatus;

class TestDenseOutput : public QObject {
    Q_OBJECT

private slots:
    void isAsGoodAsTheSteps_betweenThem_data()
    {
        QTest::addColumn<QString>("id");
        for (const auto& info : integrate::integratorCatalogue())
            QTest::newRow(info.id.c_str()) << QString::fromStdString(info.id);
    }
    void isAsGoodAsTheSteps_betweenThem()
    {
        QFETCH(QString, id);
        HandCoded<PendulumAngle> dae, exactDae;
        auto method = std::move(integrate::makeIntegrator(id.toStdString())).value();
        integrate::IntegratorOptions options;
        const bool adaptive = method->info().adaptive;
        options.step = adaptive ? 0 : 0.02;
        options.relativeTolerance = options.absoluteTolerance = 1e-7;
        if (!method->prepare(dae, options))
            QSKIP("needs the structure of a mechanical system");
        auto exact = std::move(integrate::makeIntegrator("radau-iia-5")).value();
        integrate::IntegratorOptions fine;
        fine.step = 1.0 / 512;
        QVERIFY(exact->prepare(exactDae, fine));
        const double y[] = {1, 0}, yp[] = {0, -std::sin(1.0)};
        QVERIFY(method->restart(0, y, yp) && exact->restart(0, y, yp));
        double before = 0, between = 0, ends = 0, longest = 0;
        std::vector<double> at(2);
        for (int k = 0; k < 200 && method->t() < 2; ++k) {
            QVERIFY(method->step(std::numeric_limits<double>::infinity()).status == StepStatus::Accepted);
            for (const double part : {0.2, 0.5, 0.9}) {
                const double t = before + part * (method->t() - before);
                while (exact->t() < t)
                    QVERIFY(exact->step(t).status == StepStatus::Accepted);
                const long allocations = test::allocationCount();
                method->interpolate(t, at);
                QCOMPARE(test::allocationCount(), allocations);
                for (std::size_t i = 0; i < 2; ++i)
                    between = std::max(between, std::abs(at[i] - exact->y()[i]));
            }
            while (exact->t() < method->t())
                QVERIFY(exact->step(method->t()).status == StepStatus::Accepted);
            method->interpolate(method->t(), at);
            for (std::size_t i = 0; i < 2; ++i) {
                QVERIFY(std::abs(at[i] - method->y()[i]) <= 1e-14);
                ends = std::max(ends, std::abs(at[i] - exact->y()[i]));
            }
            longest = std::max(longest, method->t() - before);
            before = method->t();
        }
        // A cubic between values and rates: h^4 / 384 of the fourth derivative, which is below 2 here; rates that are good to
        // the order of a method of order two add h^3. A straight line between the values would be off by h^2 / 8.
        const double allowed = 4 * ends + (method->info().order == 2 ? std::pow(longest, 3) : std::pow(longest, 4) / 24)
                               + (method->info().order == 1 ? longest * longest / 50 : 0);
        QVERIFY2(
            between <= allowed,
            qPrintable(QString("%1 > %2, at the ends %3, longest step %4").arg(between).arg(allowed).arg(ends).arg(longest)));
    }

    /// Rates inside of a step are differences of the dense output, also at its ends.
    void goesOnALittleBeyondTheStep_data() { isAsGoodAsTheSteps_betweenThem_data(); }
    void goesOnALittleBeyondTheStep()
    {
        QFETCH(QString, id);
        test::Draw draw(test::seedOr(4'711));
        for (int k = 0; k < test::countOr(10); ++k) {
            HandCoded<PendulumAngle> dae;
            auto method = std::move(integrate::makeIntegrator(id.toStdString())).value();
            integrate::IntegratorOptions options;
            options.step = method->info().adaptive ? 0 : draw.between(0.005, 0.02);
            options.relativeTolerance = options.absoluteTolerance = std::pow(10, -draw.between(5, 8));
            if (!method->prepare(dae, options))
                QSKIP("needs the structure of a mechanical system");
            const double angle = draw.between(0.3, 2), y[] = {angle, 0}, yp[] = {0, -std::sin(angle)};
            QVERIFY(method->restart(0, y, yp));
            std::vector<double> early(2), at(2), late(2);
            for (int step = 0; step < 60; ++step) {
                QVERIFY(method->step(std::numeric_limits<double>::infinity()).status == StepStatus::Accepted);
                const double h = method->lastStep(), reach = 1e-4 * h;
                for (const double t : {method->t() - h, method->t()}) {
                    method->interpolate(t - reach, early);
                    method->interpolate(t, at);
                    method->interpolate(t + reach, late);
                    // |v'| <= 1: a first step of order one errs by h at most, twice that is room for what errors of the state
                    // add; and round-off of the difference. Values of the other end would be wrong by a thousand times the
                    // rate.
                    const double rate = (late[0] - early[0]) / (2 * reach), allowed = 2 * h + 1e-15 / reach;
                    QVERIFY2(std::abs(rate - at[1]) <= allowed, qPrintable(QString("%1 and %2 at %3, step %4 from %5, case %6")
                                                                               .arg(rate)
                                                                               .arg(at[1])
                                                                               .arg(t)
                                                                               .arg(h)
                                                                               .arg(method->t() - h)
                                                                               .arg(k)));
                }
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestDenseOutput)
#include "test_dense_output.moc"
