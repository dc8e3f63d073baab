// The rank of [G; L] ([PP92] (3.24)) followed along a run: a number that can be checked by hand, a warning near a singular
// matrix, and a stop where a step leaves the motion for another solution, which went unseen before.
#include <QtTest>

#include <cmath>
#include <limits>

#include "core/run/RateRank.h"
#include "tests/run/RunFixture.h"

using namespace driftless;
using namespace driftless::run;
using namespace driftless::test;

namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

int warnings(const Run& run)
{
    int count = 0;
    for (const Event& e : run.events())
        count += e.as<RatesNearSingular>() != nullptr;
    return count;
}

StartSettings angles(double phi1, double phi2, double w1, double w2)
{
    return {{}, {{"phi1", phi1}, {"phi2", phi2}, {"phi1'", w1}, {"phi2'", w2}}, false};
}

} // namespace

class TestRates : public QObject {
    Q_OBJECT
private slots:
    void pendulum_ratioIsTheSpeedOverTheLength()
    {
        // G = 2 (x, y) and L = 2 (x', y') are orthogonal: singular values 2 L and 2 |v|.
        const auto system = compiled("pendulum");
        model::SystemEvaluator evaluator(system);
        evaluator.setParameters(system->defaultParameters());
        const model::NominalScales usual = model::nominalScales(evaluator);
        RateRank rank;
        model::ModelState s;
        s.resize(2, 1);
        for (const double speed : {1e-6, 0.01, 0.7, 3.0}) {
            s.q = {0.6, -0.8};
            s.v = {0.8 * speed, 0.6 * speed};
            QVERIFY(rank.load(evaluator, usual, s));
            const double expected = std::min(speed, 1 / speed);
            // Eigenvalues of the Gram matrix to a few round-offs of its norm, so their root to that over twice the ratio.
            QVERIFY2(std::abs(rank.ratio() - expected) <= 8 * kEpsilon / expected,
                     qPrintable(QString::number(rank.ratio(), 'g', 17)));
            const int sign = rank.orientation();
            QVERIFY(sign != 0);
            s.v = {-s.v[0], -s.v[1]};
            QVERIFY(rank.load(evaluator, usual, s));
            QCOMPARE(rank.orientation(), -sign);
        }
        s.v = {0, 0};
        QVERIFY(rank.load(evaluator, usual, s));
        QCOMPARE(rank.ratio(), 0.0);
    }

    void pendulum_atItsTurningPoint_isWarnedOf_andWhirling_isNot()
    {
        const StartSettings swing{{}, {{"phi", 0.8}, {"phi'", 0.3}}, false};
        for (const char* form : {"extended-3.16", "odae-ssf"}) {
            auto turning = started("pendulum", swing, settings(form, "radau-iia-5", 0.01));
            QVERIFY2(turning->advanceTo(2.5), form);
            QVERIFY(warnings(*turning) >= 1);
            auto whirling =
                started("pendulum", {{}, {{"phi", 0.8}, {"phi'", 8.0}}, false}, settings(form, "radau-iia-5", 0.01));
            QVERIFY2(whirling->advanceTo(2.5), form);
            QCOMPARE(warnings(*whirling), 0);
        }
        auto other = started("pendulum", swing, settings("extended-3.17", "radau-iia-5", 0.01));
        QVERIFY(other->advanceTo(2.5));
        QCOMPARE(warnings(*other), 0); // it does not need the rank
    }

    void doublePendulum_aStepToAnotherSolution_stopsTheRunThere_data()
    {
        QTest::addColumn<QString>("formulation");
        QTest::addColumn<QString>("integrator");
        QTest::addColumn<double>("step");
        QTest::addColumn<QList<double>>("start");
        // Without the monitor these end at t = 4 with energy errors of 15, 3.2 and 4.2 J, while the projected invariants of
        // (3.32) with the same method, step and start stay within 8e-5, 0.09 and 0.3 J.
        QTest::newRow("trapezoidal") << "extended-3.16"
                                     << "implicit-trapezoidal" << 0.005 << QList<double>{1.161, -0.111, 1.742, 1.515};
        QTest::newRow("bdf3") << "extended-3.16"
                              << "bdf3" << 0.02 << QList<double>{0.846, 0.559, 0.686, 1.421};
        QTest::newRow("bdf2 and the ssf-solution") << "odae-ssf"
                                                   << "bdf2" << 0.02 << QList<double>{1.161, 0.246, -0.274, -0.510};
    }
    void doublePendulum_aStepToAnotherSolution_stopsTheRunThere()
    {
        QFETCH(QString, formulation);
        QFETCH(QString, integrator);
        QFETCH(double, step);
        QFETCH(QList<double>, start);
        auto run = started("double-pendulum", angles(start[0], start[1], start[2], start[3]),
                           settings(formulation.toStdString(), integrator.toStdString(), step));
        QVERIFY(!run->advanceTo(4));
        const RunStatus status = run->status();
        QVERIFY(status.diagnostic.has_value());
        const std::string text = status.diagnostic->text();
        QVERIFY2(text.find("matrix (3.24) of [PP92] is singular") != std::string::npos, text.c_str());
        QVERIFY2(text.find("another solution") != std::string::npos, text.c_str());
        QVERIFY2(text.find("projected-invariants") != std::string::npos, text.c_str());
        // The recording ends before the jump: no recorded step left q' = v by more than the monitor's ten times h^2 A / 2, with
        // accelerations up to 100 m/s^2 here.
        const RecordingView view = run->recording();
        for (std::uint64_t r = 1; r < view.rowCount(); ++r) {
            const double h = view.time(r) - view.time(r - 1);
            for (int i = 0; i < 4; ++i) {
                const double way =
                    view.value(r, i) - view.value(r - 1, i) - 0.5 * h * (view.value(r, 4 + i) + view.value(r - 1, 4 + i));
                QVERIFY2(std::abs(way) <= 10 * 0.5 * h * h * 100, qPrintable(QString("t = %1").arg(view.time(r))));
            }
        }
        // The remedy works from the same start.
        auto cure = started("double-pendulum", angles(start[0], start[1], start[2], start[3]),
                            settings("projected-invariants", integrator.toStdString(), step));
        QVERIFY(cure->advanceTo(4));
    }

    void doublePendulum_crossingsThatAMethodPasses_areWarnedOfOnly()
    {
        for (const char* form : {"extended-3.16", "odae-ssf"}) {
            auto run = started("double-pendulum", angles(0.9, -0.4, 0.3, 0.5), settings(form, "radau-iia-5", 0.01));
            QVERIFY2(run->advanceTo(3), run->status().diagnostic ? run->status().diagnostic->text().c_str() : form);
            QVERIFY(warnings(*run) >= 2);
            QVERIFY(std::abs(run->status().energyError) < 0.05); // of 20 J in motion; a jump costs tenths
        }
    }
};

QTEST_APPLESS_MAIN(TestRates)
#include "test_rates.moc"
