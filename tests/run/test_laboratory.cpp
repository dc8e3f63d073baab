// Several runs under one clock on workers: commands at one exact t, to all or none, and sessions that repeat bit for bit.
#include <QtTest>

#include <chrono>
#include <cmath>
#include <cstring>

#include "core/run/Laboratory.h"
#include "tests/run/RunFixture.h"

using namespace driftless;
using namespace driftless::run;
using namespace driftless::test;

namespace {

void playFor(Laboratory& lab, int frames)
{
    lab.play();
    for (int i = 0; i < frames; ++i) {
        lab.tick(1.0 / 60);
        for (const RunId id : lab.runs()) { // what panels ask for every frame
            const RecordingView view = lab.recording(id);
            const RunStatus s = lab.status(id);
            std::vector<double> t;
            std::vector<MinMax> values;
            view.envelope(0, 0, s.t, 200, t, values);
            lab.events(id);
        }
        QTest::qSleep(2);
    }
}

void compareBits(Laboratory& lab, const ReplayedSession& again)
{
    QCOMPARE(again.ids.size(), lab.runs().size());
    for (std::size_t k = 0; k < again.ids.size(); ++k) {
        const RecordingView live = lab.recording(again.ids[k]), repeated = again.runs[k]->recording();
        QVERIFY(live.rowCount() >= repeated.rowCount());
        for (std::uint64_t r = 0; r < repeated.rowCount(); ++r)
            for (int c = -1; c < live.columnCount(); ++c) {
                const double x = c < 0 ? live.time(r) : live.value(r, c), y = c < 0 ? repeated.time(r) : repeated.value(r, c);
                if (std::memcmp(&x, &y, sizeof x) != 0)
                    QFAIL(qPrintable(QString("run %1 row %2 column %3: %4 is not %5").arg(k).arg(r).arg(c).arg(x, 0, 'g', 17).arg(y, 0, 'g', 17)));
            }
    }
}

} // namespace

class TestLaboratory : public QObject {
    Q_OBJECT
private slots:
    void threeRunsPlayCommandAndReplayToTheSameBits()
    {
        Laboratory lab(compiled("pendulum"), largeSwing(), 2);
        const auto a = lab.addRun(settings("dummy-derivatives", "ida", 0, 1e-8));
        const auto b = lab.addRun(settings("index-1", "rk4", 0.2));
        const auto c = lab.addRun(settings("ggl", "radau-iia-5", 0.01));
        QVERIFY(a.ok() && b.ok() && c.ok());
        lab.setSpeed(8);
        playFor(lab, 30);
        const auto t = lab.command(lab.runs(), SetParameter{"L", 1.25});
        QVERIFY2(t.ok(), t ? "" : t.error().text().c_str());
        for (const RunId id : lab.runs()) {
            const RecordingView view = lab.recording(id);
            QCOMPARE(view.time(view.rowAt(*t)), *t);
            QCOMPARE(lab.status(id).parameters.back(), lab.status(lab.runs()[0]).parameters.back());
        }
        playFor(lab, 20);
        QVERIFY(lab.command({*b}, SetFormulation{"projection"}).ok());
        QVERIFY(lab.command({*a}, SetPivot{{false, {lab.status(*a).dummies[0] == 0 ? "bob.x" : "bob.y"}}}).ok());
        QVERIFY(lab.command({*a}, SetPivot{}).ok());
        playFor(lab, 20);
        lab.pause();
        const auto d = lab.addRun(settings("baumgarte", "dormand-prince", 0, 1e-6));
        QVERIFY(d.ok());
        lab.removeRun(*c);
        QCOMPARE(lab.runs().size(), std::size_t(3));
        playFor(lab, 20);
        lab.scrub(0.5 * lab.clock().t);
        const double back = lab.clock().t;
        QVERIFY(lab.branchAt(back).ok());
        for (const RunId id : lab.runs())
            QVERIFY(lab.recording(id).time(lab.recording(id).rowAt(back)) <= back);
        playFor(lab, 20);
        lab.pause();
        lab.stepOnce();
        const std::string session = lab.sessionJson();
        const auto again = replaySession(session, "session.json");
        QVERIFY2(again.ok(), again ? "" : again.error().text().c_str());
        compareBits(lab, *again);
    }

    void aRefusalChangesNoRun()
    {
        Laboratory lab(compiled("pendulum"), largeSwing(), 2);
        const auto a = lab.addRun(settings("projection", "radau-iia-5", 0.01));
        const auto b = lab.addRun(settings("index-1", "rk4", 0.05));
        QVERIFY(a.ok() && b.ok());
        lab.waitUntil(2);
        const std::size_t entries = lab.log().size();
        QVERIFY(!lab.command(lab.runs(), SetFormulation{"index-3"}).ok()); // rk4 cannot
        QCOMPARE(lab.status(*a).settings.formulation, std::string("projection"));
        QCOMPARE(lab.status(*b).settings.formulation, std::string("index-1"));
        QCOMPARE(lab.log().size(), entries);
        QVERIFY(!lab.command({RunId{99}}, Reset{}).ok());
        QVERIFY(!lab.addRun(settings("index-3", "rk4", 0.1)).ok());
    }

    void theClockWaitsForTheSlowestAndNotForTheFailed()
    {
        Laboratory lab(compiled("pendulum"), smallSwing(), 2);
        auto pinned = settings("dummy-derivatives", "radau-iia-5", 0.01);
        pinned.pivot = {false, {"bob.x"}};
        const auto doomed = lab.addRun(pinned);
        const auto sound = lab.addRun(settings("index-1", "rk4", 0.01));
        QVERIFY(doomed.ok() && sound.ok());
        lab.waitUntil(4);
        QVERIFY(lab.status(*doomed).state == RunState::Failed);
        QVERIFY(lab.status(*sound).t >= 4);
        lab.setSpeed(20);
        playFor(lab, 30);
        QVERIFY(lab.clock().t <= lab.status(*sound).t);
        QVERIFY(lab.clock().t > 2);
        QVERIFY(lab.command(lab.runs(), SetPivot{}).ok());
        lab.waitUntil(6);
        QVERIFY(lab.status(*doomed).t >= 6);
        const auto again = replaySession(lab.sessionJson(), "session.json");
        QVERIFY2(again.ok(), again ? "" : again.error().text().c_str());
        compareBits(lab, *again);
    }

    void restartAllGoesBackToTheStart()
    {
        Laboratory lab(compiled("double-pendulum"), {}, 1);
        QVERIFY(lab.addRun(settings("ggl", "radau-iia-5", 0.01)).ok());
        lab.waitUntil(1);
        QVERIFY(lab.restartAll().ok());
        QCOMPARE(lab.clock().t, 0.0);
        QCOMPARE(lab.recording(lab.runs()[0]).rowCount(), std::uint64_t(1));
        lab.waitUntil(1);
        const auto again = replaySession(lab.sessionJson(), "session.json");
        QVERIFY2(again.ok(), again ? "" : again.error().text().c_str());
        compareBits(lab, *again);
    }

    void aLongRunIsInterruptedForItsRemoval()
    {
        Laboratory lab(compiled("double-pendulum"), {}, 2);
        const auto a = lab.addRun(settings("ggl", "radau-iia-5", 1e-4));
        QVERIFY(a.ok());
        lab.setSpeed(1e6); // a goal it will not reach
        lab.play();
        QTest::qSleep(20);
        QVERIFY(lab.command({*a}, SetFormulation{"projection"}).ok());
        lab.removeRun(*a);
        QVERIFY(lab.runs().empty());
        QVERIFY(lab.recording(*a).empty());
    }
};

QTEST_APPLESS_MAIN(TestLaboratory)
#include "test_laboratory.moc"
