// When events come and what energy they take, with every adaptive method of the registry: within a hundred tolerances of the
// closed forms, falling with the tolerance.
#include <QtTest>

#include "tests/problems/EventTimes.h"

using namespace driftless;
using namespace driftless::test;

class TestEventTimes : public QObject {
    Q_OBJECT

private slots:
    void bouncingBall_slackPendulum_stickSlip_data()
    {
        QTest::addColumn<QString>("method");
        for (const std::string& method : adaptiveMethods())
            QTest::newRow(method.c_str()) << QString::fromStdString(method);
    }
    void bouncingBall_slackPendulum_stickSlip()
    {
        QFETCH(QString, method);
        const std::string id = method.toStdString();
        const auto ball = [](const std::string& m, double tolerance) { return bouncingBallErrors(m, tolerance); };
        // Energies: m g h, m v0^2 / 2 with the height, and that of the spring.
        const std::string missed = judgeEventErrors(id, ball, 9.81) + judgeEventErrors(id, slackPendulumErrors, 18)
                                   + judgeEventErrors(id, stickSlipErrors, 1);
        QVERIFY2(missed.empty(), missed.c_str());
    }

    /// d t_k / d e by central differences of runs: truncation d^2 / 6 times the third derivative, below 200 s; errors of the
    /// times 100 rtol / d.
    void timesOfImpacts_byTheRestitution_data() { bouncingBall_slackPendulum_stickSlip_data(); }
    void timesOfImpacts_byTheRestitution()
    {
        QFETCH(QString, method);
        const double d = 1e-4, fall = std::sqrt(2 / 9.81), tolerance = 1e-10;
        const auto impacts = [&](double e) {
            const auto run = ran("bouncing-ball", method.toStdString(), tolerance, 4.2, {{{"e", e}}, {}, false});
            return run ? timesOf(*run, run::EventKind::Impact) : std::vector<double>();
        };
        const auto more = impacts(0.8 + d), less = impacts(0.8 - d);
        QVERIFY(more.size() >= 10 && less.size() >= 10);
        double slope = 0;
        for (std::size_t k = 0; k < 10; ++k) {
            const double found = (more[k] - less[k]) / (2 * d);
            QVERIFY2(std::abs(found - slope) <= 200 * d * d / 6 + 100 * tolerance / d,
                     qPrintable(QString("%1: %2 for %3").arg(k + 1).arg(found).arg(slope)));
            slope += 2 * fall * static_cast<double>(k + 1) * std::pow(0.8, static_cast<double>(k));
        }
    }
};

QTEST_GUILESS_MAIN(TestEventTimes)
#include "test_event_times.moc"
