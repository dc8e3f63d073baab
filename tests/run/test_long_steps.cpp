// Steps of methods of high order span what used to take ten steps: the work of drives and the motion between rows are as good
// as the steps are.
#include <QtTest>

#include <cmath>
#include <limits>

#include "core/run/Osculating.h"
#include "core/run/Recording.h"
#include "tests/run/RunFixture.h"

using namespace driftless;
using namespace driftless::run;

namespace {

constexpr double kTight = 1e-8; // tolerance of the runs

} // namespace

class TestLongSteps : public QObject {
    Q_OBJECT

private slots:
    void workOfDrives_isAsExactAsTheSteps_data()
    {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("form");
        QTest::addColumn<QString>("method");
        const auto row = [](const char* model, const char* form, const char* method) {
            QTest::newRow(qPrintable(QStringLiteral("%1, %2, %3").arg(model, form, method))) << model << form << method;
        };
        for (const char* model : {"kapitza-pendulum", "stewart", "rotating-hoop"})
            for (const char* method : {"dop853", "odex", "adams", "radau-13", "radau-9"})
                row(model, "index-1", method);
        // Nothing is integrated there: steps as long as can be, and all unknowns follow from the equations.
        for (const char* method : {"dormand-prince", "dop853", "adams"})
            row("stewart", "dummy-derivatives", method);
        row("kapitza-pendulum", "dummy-derivatives", "dop853");
    }
    void workOfDrives_isAsExactAsTheSteps()
    {
        QFETCH(QString, model);
        QFETCH(QString, form);
        QFETCH(QString, method);
        const auto run =
            test::started(model.toStdString(), {}, test::settings(form.toStdString(), method.toStdString(), 0, kTight));
        QVERIFY(run->advanceTo(5));
        const RecordingView view = run->recording();
        const int work = view.findColumn("work"), error = view.findColumn("energy_error");
        double mostWork = 0, worst = 0;
        for (std::uint64_t r = 0; r < view.rowCount(); ++r) {
            mostWork = std::max(mostWork, std::abs(view.value(r, work)));
            worst = std::max(worst, std::abs(view.value(r, error)));
        }
        // A step that errs by the tolerance in positions and velocities errs by twice that in the energy, and the errors of a
        // hundred steps may all have one sign.
        const double allowed = 200 * kTight * mostWork;
        QVERIFY2(worst <= allowed, qPrintable(QStringLiteral("%1 J of %2 J").arg(worst).arg(mostWork)));
        for (const Event& event : run->events())
            QVERIFY2(event.kind() != EventKind::Warning, method.toUtf8());
    }

    void motionBetweenRows_isAsExactAsTheSteps_data()
    {
        QTest::addColumn<QString>("method");
        QTest::addColumn<QString>("form");
        for (const char* method : {"dop853", "odex", "adams", "radau-13", "radau-9"})
            QTest::newRow(method) << method << "index-1";
        QTest::newRow("radau-13 on its chart") << "radau-13"
                                               << "state-space";
        QTest::newRow("radau-13, dummy derivatives") << "radau-13"
                                                     << "dummy-derivatives";
        // Short steps: between their rows velocities follow the rows before.
        for (const char* method : {"radau", "bdf"})
            for (const char* form : {"dummy-derivatives", "ggl", "index-1"})
                QTest::newRow(qPrintable(QStringLiteral("%1 on %2").arg(method, form))) << method << form;
    }
    void motionBetweenRows_isAsExactAsTheSteps()
    {
        QFETCH(QString, method);
        QFETCH(QString, form);
        const auto run =
            test::started("pendulum", test::largeSwing(), test::settings(form.toStdString(), method.toStdString(), 0, kTight));
        QVERIFY(run->advanceTo(6));
        const auto fine = test::started("pendulum", test::largeSwing(), test::settings("state-space", "dop853", 0, 1e-13));
        const RecordingView view = run->recording();
        std::vector<double> q(2), v(2), lambda(1);
        double worst = 0, worstSpeed = 0;
        for (int k = 1; k < 200; ++k) {
            const double t = 6 * (k + 0.37) / 201;
            QVERIFY(fine->advanceTo(t)); // a row there, so that nothing is interpolated
            const RecordingView truth = fine->recording();
            const std::uint64_t row = truth.rowCount() - 1;
            QVERIFY(view.stateAt(t, q.data(), v.data(), lambda.data()));
            for (int i = 0; i < 2; ++i) {
                worst = std::max(worst, std::abs(q[static_cast<std::size_t>(i)] - truth.value(row, i)));
                worstSpeed = std::max(worstSpeed, std::abs(v[static_cast<std::size_t>(i)] - truth.value(row, 2 + i)));
            }
        }
        // Lengths and speeds are of size one; a hundred steps may err by the tolerance, all to one side. A cubic over a step of
        // half a second is off by a hundred thousand times the tolerance.
        QVERIFY2(worst <= 100 * kTight, qPrintable(QString::number(worst)));
        // A rate of the polynomial through eight numbers errs by its degree more, over parts that are shorter than a second.
        QVERIFY2(worstSpeed <= 1000 * kTight, qPrintable(QString::number(worstSpeed)));
    }

    void osculatingPolynomial_ofFourTimes_isExactToDegreeSeven_andNotToEight()
    {
        const std::array<double, 4> times{1, 1.5, 1.75, 3};
        const Osculating polynomial(times, 4);
        for (const int degree : {7, 8}) {
            std::array<Osculating::Point, 4> points{};
            for (std::size_t k = 0; k < 4; ++k)
                points[k] = {std::pow(times[k] - 1, degree), degree * std::pow(times[k] - 1, degree - 1)};
            const auto at = polynomial.at(2.5, points);
            const double value = std::pow(1.5, degree), rate = degree * std::pow(1.5, degree - 1);
            // Eight divided differences of numbers up to 128 on a grid of a quarter: a thousand roundings of that size.
            const bool exact = std::abs(at.value - value) < 128 * 1000 * std::numeric_limits<double>::epsilon()
                               && std::abs(at.rate - rate) < 448 * 1000 * std::numeric_limits<double>::epsilon();
            QCOMPARE(exact, degree == 7);
        }
    }
};

QTEST_MAIN(TestLongSteps)
#include "test_long_steps.moc"
