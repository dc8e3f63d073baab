// Redundant constraints: named when a run begins that carries them, with the multipliers that are not determined one by one.
#include <QtTest>

#include <cmath>

#include "core/run/EventWords.h"
#include "tests/run/RunFixture.h"

using namespace driftless;
using namespace driftless::test;

namespace {
std::string warnings(const run::Run& run)
{
    std::string out;
    for (const auto& e : run.events())
        if (e.kind() == run::EventKind::Warning)
            out += run::words(e) + "\n";
    return out;
}
} // namespace

class TestRedundant : public QObject {
    Q_OBJECT

private slots:
    void words_nameRedundantRowsThatAreCarried()
    {
        for (const char* form : {"augmented-lagrangian", "penalty"}) {
            const auto run = started("parallelogram", {}, settings(form, "radau-iia-5", 0.005));
            const std::string text = warnings(*run);
            for (const char* part :
                 {"1 of the 3 constraints", "middle", "follows from left and right", "not, one by one", "None is dropped"})
                QVERIFY2(text.find(part) != std::string::npos, text.c_str());
        }
    }

    void aRunThatCarriesRedundantRows_movesByTheSumOfTheirForces_data()
    {
        QTest::addColumn<QString>("form");
        QTest::newRow("augmented-lagrangian") << "augmented-lagrangian";
        QTest::newRow("penalty") << "penalty";
    }
    void aRunThatCarriesRedundantRows_movesByTheSumOfTheirForces()
    {
        QFETCH(QString, form);
        const auto run = started("parallelogram", {}, settings(form.toStdString(), "radau-iia-5", 0.005));
        QVERIFY(run->advanceTo(1));
        // What the motion determines: the sum of the three, which two cranks alone share; by the equation along the cranks
        // 2 L sum lambda = m g cos(phi) + m L phi'^2 with phi from the downward vertical
        const double x = valueOf(*run, "coupler.x"), y = valueOf(*run, "coupler.y"), vx = valueOf(*run, "coupler.x'"),
                     vy = valueOf(*run, "coupler.y'");
        const double sum = valueOf(*run, "left.lambda") + valueOf(*run, "middle.lambda") + valueOf(*run, "right.lambda");
        const double expected = (2 * 9.81 * -y / std::hypot(x, y) + 2 * (vx * vx + vy * vy)) / 2;
        QVERIFY2(std::abs(sum - expected) < 0.02 * std::abs(expected),
                 std::to_string(sum / expected).c_str()); // springs of the penalties ring
    }

    void independentRows_areNotSpokenOf()
    {
        for (const char* form : {"augmented-lagrangian", "penalty", "index-1"})
            QVERIFY2(warnings(*started("pendulum", {}, settings(form, "radau-iia-5", 0.01))).empty(), form);
    }

    void aFormOfFullRank_refusesWithTheNames()
    {
        const auto made = run::Run::create(compiled("parallelogram"), {}, settings("index-2", "radau-iia-5", 0.01));
        QVERIFY(!made);
        QVERIFY(made.error().text().find("middle") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(TestRedundant)
#include "test_redundant.moc"
