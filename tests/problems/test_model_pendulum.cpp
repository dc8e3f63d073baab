// label: long
// The pendulum of [MS91] section 4 through whole runs: digits, pivots per period, the pinned singular point, drift classes.
#include <QtTest>

#include <cmath>

#include "tests/run/RunFixture.h"

using namespace driftless;
using namespace driftless::run;
using namespace driftless::test;

namespace {

// Case 2 at t = 100, to 15 digits, from the motion in minimal coordinates.
constexpr double kX100 = -0.457662688349912;
constexpr double kY100 = -0.889125898673709;
constexpr double kPeriod = 8.63;

double errorAtEnd(const Run& r)
{
    const auto s = r.namedState();
    return std::max(std::abs(s[0].second - kX100), std::abs(s[1].second - kY100));
}

} // namespace

class TestModelPendulum : public QObject {
    Q_OBJECT
private slots:
    void idaKeepsTheDigitsAndPivotsFourTimesAPeriod()
    {
        auto r = started("pendulum", largeSwing(), settings("dummy-derivatives", "ida", 0, 1e-9));
        QVERIFY(r->advanceTo(100));
        const RunStatus s = r->status();
        QVERIFY2(errorAtEnd(*r) < 1e-4, qPrintable(QString::number(errorAtEnd(*r))));
        QVERIFY(s.maxResidual.position < 1e-8);
        std::vector<double> pivots;
        for (const Event& e : r->events())
            if (e.kind() == EventKind::Pivot)
                pivots.push_back(e.t);
        for (std::size_t k = 4; k < pivots.size(); ++k) // four later the pendulum is where it was; a step is below 0.02
            QVERIFY(std::abs(pivots[k] - pivots[k - 4] - kPeriod) < 0.03);
        QVERIFY(pivots.size() >= 4 * 11);
        QCOMPARE(s.pivots, static_cast<std::uint64_t>(pivots.size()));
    }

    void radauAtOneHundredthKeepsSevenDigits()
    {
        // Order 5: at h = 0.02 the error is 1e-6, at 0.01 it is 3e-8.
        auto r = started("pendulum", largeSwing(), settings("dummy-derivatives", "radau-iia-5", 0.01));
        QVERIFY(r->advanceTo(100));
        QVERIFY2(errorAtEnd(*r) < 1e-7, qPrintable(QString::number(errorAtEnd(*r))));
        QVERIFY(r->status().maxResidual.position < 1e-8);
    }

    void thePinnedPivotStopsAtItsSingularPoint_data()
    {
        QTest::addColumn<QString>("method");
        QTest::addColumn<double>("step");
        QTest::addColumn<double>("tolerance");
        for (const double tolerance : {1e-6, 1e-8, 1e-9})
            QTest::addRow("ida %g", tolerance) << "ida" << 0.0 << tolerance;
        for (const double step : {0.003, 0.01, 0.02, 0.05, 0.07, 0.1})
            QTest::addRow("radau %g", step) << "radau-iia-5" << step << 1e-9;
        QTest::addRow("trapezoidal") << "implicit-trapezoidal" << 0.01 << 1e-9;
    }
    void thePinnedPivotStopsAtItsSingularPoint()
    {
        QFETCH(QString, method);
        QFETCH(double, step);
        QFETCH(double, tolerance);
        auto s = settings("dummy-derivatives", method.toStdString(), step, tolerance);
        s.pivot = {false, {"bob.x"}}; // (4.2)
        auto r = started("pendulum", smallSwing(), s);
        QVERIFY(!r->advanceTo(5));
        const RunStatus status = r->status();
        // x = 0 at a quarter of the period, 1.57178; at 1.56 kappa = L/|x| is only 85 and the run must still be alive.
        QVERIFY2(status.t > 1.56 && status.t < 1.5718, qPrintable(QString::number(status.t, 'g', 10)));
        // Between the last healthy place and the end there are at most a thousand steps.
        const RecordingView view = r->recording();
        const std::uint64_t late = view.rowCount() - view.rowAt(1.56);
        QVERIFY2(late <= 1000, qPrintable(QString::number(late)));
        QVERIFY(status.diagnostic.has_value());
        QVERIFY(status.diagnostic->text().find("bob.x becomes singular") != std::string::npos);
        QVERIFY(status.diagnostic->remedy.find("choose automatic pivoting or pin the other one") != std::string::npos);
    }

    void automaticPivotingRunsOnAtSmallAmplitude()
    {
        for (const char* method : {"ida", "radau-iia-5"}) {
            auto r = started("pendulum", smallSwing(), settings("dummy-derivatives", method, 0.01));
            QVERIFY(r->advanceTo(10));
            QCOMPARE(r->status().pivots, std::uint64_t(0));
        }
    }

    void driftClassesOverAThousandTimeUnits()
    {
        auto drifting = started("pendulum", largeSwing(), settings("index-1", "dormand-prince", 0, 1e-9));
        QVERIFY(drifting->advanceTo(1000));
        QCOMPARE(drifting->drift().position, std::string("quadratic"));
        auto linear = started("pendulum", largeSwing(), settings("index-2", "radau-iia-5", 0.05));
        QVERIFY(linear->advanceTo(1000));
        QCOMPARE(linear->drift().position, std::string("linear"));
        for (const auto& s :
             {settings("ggl", "radau-iia-5", 0.05), settings("ggl", "ida", 0, 1e-9),
              settings("projection", "dormand-prince", 0, 1e-9), settings("dummy-derivatives", "dormand-prince", 0, 1e-9),
              settings("dummy-derivatives", "ida", 0, 1e-9)}) {
            auto r = started("pendulum", largeSwing(), s);
            QVERIFY(r->advanceTo(1000));
            QCOMPARE(r->drift().position, std::string("none"));
        }
    }
};

QTEST_APPLESS_MAIN(TestModelPendulum)
#include "test_model_pendulum.moc"
