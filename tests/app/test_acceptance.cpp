// The pendulum of [MS91] from the command line: dummy derivatives to t = 100, a pinned pivot that stops, drift classes.
//
// References: case 2 at t = 100 by elliptic functions to 15 digits; the period is T = 4 K(sin(phi_M / 2)) with
// phi_M = 2 pi/3, T = 8.62606..., and a quarter of case 1's period is 1.57178.
#include <QtTest>

#include <cmath>

#include "tests/app/Driver.h"

using namespace driftless::testing;

namespace {

constexpr double kX100 = -0.457662688349912, kY100 = -0.889125898673709;
constexpr double kPeriodCase2 = 8.626062589998573;

const QStringList kDummyDerivatives{"run", "pendulum", "--formulation", "dummy-derivatives"};

} // namespace

class TestAcceptance : public QObject {
    Q_OBJECT

private slots:
    void largeSwingWithIda()
    {
        const Answer answer = ask(kDummyDerivatives + case2()
                                  + QStringList{"--integrator", "ida", "--rtol", "1e-9", "--atol", "1e-9", "--end", "100"});
        VERIFY_SANE(answer);
        QVERIFY2(answer.code == 0, answer.described().constData());
        const QJsonObject report = answer.json();
        QCOMPARE(report["status"].toString(), QString("completed"));
        QCOMPARE(report["t"].toDouble(), 100.0);
        // |g| stays within an order of the tolerance; over 11.6 periods its errors accumulate, here by at most
        // five orders of magnitude.
        QVERIFY2(number(report["max_residual"].toObject(), "position") < 1e-8, answer.described().constData());
        QVERIFY2(std::abs(stateValue(report, "x") - kX100) < 1e-4, answer.described().constData());
        QVERIFY2(std::abs(stateValue(report, "y") - kY100) < 1e-4, answer.described().constData());
        // |x| = |y| is crossed four times a period; the run may begin and end within a crossing's hysteresis.
        const double pivots = number(report["stats"].toObject(), "pivots");
        QVERIFY2(std::abs(pivots - 4 * 100 / kPeriodCase2) < 2, answer.described().constData());
    }

    void largeSwingWithRadau()
    {
        // Order 5: at h = 0.01 the error per unit of time is about (h/T)^5 of order one, far below the 1e-7 asked for.
        const Answer answer =
            ask(kDummyDerivatives + case2() + QStringList{"--integrator", "radau-iia-5", "--step", "0.01", "--end", "100"});
        VERIFY_SANE(answer);
        QVERIFY2(answer.code == 0, answer.described().constData());
        const QJsonObject report = answer.json();
        QVERIFY2(std::abs(stateValue(report, "x") - kX100) < 1e-7, answer.described().constData());
        QVERIFY2(std::abs(stateValue(report, "y") - kY100) < 1e-7, answer.described().constData());
    }

    void pinnedPivotStopsWhereItBecomesSingular_data()
    {
        QTest::addColumn<QStringList>("method");
        QTest::newRow("ida") << QStringList{"--integrator", "ida", "--rtol", "1e-9", "--atol", "1e-9"};
        QTest::newRow("radau") << QStringList{"--integrator", "radau-iia-5", "--step", "0.01"};
    }
    void pinnedPivotStopsWhereItBecomesSingular()
    {
        QFETCH(QStringList, method);
        const Answer answer = ask(kDummyDerivatives + case1() + method + QStringList{"--pivot", "x", "--end", "10"});
        VERIFY_SANE(answer);
        QVERIFY2(answer.code == 1, answer.described().constData());
        const QJsonObject report = answer.json();
        QCOMPARE(report["status"].toString(), QString("failed"));
        QVERIFY2(report["t"].toDouble() >= 1.56 && report["t"].toDouble() <= 1.5718, answer.described().constData());
        const QJsonObject diagnostic = report["diagnostic"].toObject();
        const QString text = diagnostic["what"].toString() + diagnostic["why"].toString();
        QVERIFY2(text.contains("pivot") && text.contains("singular"), answer.described().constData());
        QVERIFY2(!diagnostic["try"].toString().isEmpty(), answer.described().constData());
    }

    void idaDoesNotCreepIntoTheSingularity()
    {
        const Answer answer =
            ask(kDummyDerivatives + case1()
                + QStringList{"--integrator", "ida", "--rtol", "1e-9", "--atol", "1e-9", "--pivot", "x", "--end", "10"});
        QVERIFY2(number(answer.json()["stats"].toObject(), "steps") < 1000, answer.described().constData());
    }

    void automaticPivotRunsOn_data() { pinnedPivotStopsWhereItBecomesSingular_data(); }
    void automaticPivotRunsOn()
    {
        QFETCH(QStringList, method);
        const Answer answer = ask(kDummyDerivatives + case1() + method + QStringList{"--end", "10"});
        VERIFY_SANE(answer);
        QVERIFY2(answer.code == 0, answer.described().constData());
        // Case 1 at t = 10 by elliptic functions; both methods are better than 1e-6 by orders over 1.6 periods.
        QVERIFY2(std::abs(stateValue(answer.json(), "x") + 8.4150969025172853e-02) < 1e-6, answer.described().constData());
    }

    void theOtherPivotIsHarmlessAtSmallAmplitude()
    {
        const Answer answer =
            ask(kDummyDerivatives + case1()
                + QStringList{"--integrator", "radau-iia-5", "--step", "0.01", "--pivot", "y", "--end", "10"});
        QVERIFY2(answer.code == 0, answer.described().constData());
        QCOMPARE(number(answer.json()["stats"].toObject(), "pivots"), 0.0);
    }

    void driftIsClassified_data()
    {
        QTest::addColumn<QStringList>("method");
        QTest::addColumn<QString>("end");
        QTest::addColumn<QString>("position");
        const QStringList tight{"--rtol", "1e-9", "--atol", "1e-9"};
        QTest::newRow("index-1") << QStringList{"--formulation", "index-1", "--integrator", "dormand-prince"} + tight << "1000"
                                 << "quadratic";
        QTest::newRow("projection") << QStringList{"--formulation", "projection", "--integrator", "dormand-prince"} + tight
                                    << "100"
                                    << "none";
        QTest::newRow("ggl") << QStringList{"--formulation", "ggl", "--integrator", "ida"} + tight << "100"
                             << "none";
        QTest::newRow("dummy-derivatives") << QStringList{"--formulation", "dummy-derivatives", "--integrator", "ida"} + tight
                                           << "100"
                                           << "none";
    }
    void driftIsClassified()
    {
        QFETCH(QStringList, method);
        QFETCH(QString, end);
        QFETCH(QString, position);
        const Answer answer = ask(QStringList{"run", "pendulum", "--end", end} + method + case2());
        VERIFY_SANE(answer);
        QVERIFY2(answer.code == 0, answer.described().constData());
        QVERIFY2(answer.json()["drift"].toObject()["position"].toString() == position, answer.described().constData());
    }
};

QTEST_GUILESS_MAIN(TestAcceptance)
#include "test_acceptance.moc"
