// A formulation switched in the modes of a few shipped mechanisms; test_live_modes_long has all forms and models.
#include <QtTest>

#include "tests/run/LiveModes.h"

using namespace driftless;
using namespace driftless::test;

class TestLiveModes : public QObject {
    Q_OBJECT

private slots:
    void inEachMode_theRowsAreThoseOfTheMode()
    {
        for (const char* model : {"slack-pendulum", "block-on-belt", "breaking-pendulum"}) {
            const LiveSwitches done = switchInEveryMode(model, {"index-2", "dummy-derivatives", "projection"});
            QVERIFY2(done.missed.empty(), done.missed.c_str());
            QVERIFY(done.switched >= 6); // three forms in two modes
        }
    }

    /// Over a catch of the string: what was switched and changed on both sides of it repeats to the last bit.
    void commandsOnBothSidesOfAnImpact_repeat()
    {
        run::Laboratory laboratory(compiled("slack-pendulum"), {}, 1);
        const auto id = laboratory.addRun(settings("index-1", "dop853", 0, 1e-8));
        QVERIFY(id);
        laboratory.waitUntil(0.3);
        laboratory.scrub(0.3);
        QVERIFY(laboratory.command({*id}, run::SetFormulation{"dummy-derivatives"}));
        laboratory.waitUntil(1.5);
        QVERIFY(laboratory.command({*id}, run::SetParameter{"g", 8}));
        laboratory.waitUntil(2);
        QVERIFY(laboratory.command({*id}, run::SetParameter{"g", 9.81}));
        laboratory.waitUntil(3);
        const auto replayed = run::replaySession(laboratory.sessionJson(), "session");
        QVERIFY2(replayed, replayed ? "" : replayed.error().text().c_str());
        const auto live = laboratory.recording(*id), again = replayed->runs[0]->recording();
        const std::uint64_t rows = std::min(live.rowCount(), again.rowCount()); // the live one may have gone further
        QVERIFY(again.lastTime() >= 2);
        for (std::uint64_t r = 0; r < rows; ++r)
            for (int c = 0; c < live.columnCount(); ++c) {
                const double a = live.value(r, c), b = again.value(r, c);
                QVERIFY2(a == b || (std::isnan(a) && std::isnan(b)), qPrintable(QString("row %1").arg(r)));
            }
    }
};

QTEST_GUILESS_MAIN(TestLiveModes)
#include "test_live_modes.moc"
