// Several runs under one clock on workers: commands at one exact t, to all or none, and sessions that repeat bit for bit.
#include <QtTest>

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstring>
#include <thread>

#include "core/run/EventWords.h"
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

/// A run whose pinned pivot becomes singular within three seconds, and one that goes on.
std::pair<Result<RunId>, Result<RunId>> addDoomedAndSound(Laboratory& lab)
{
    auto pinned = settings("dummy-derivatives", "radau-iia-5", 0.01);
    pinned.pivot = {false, {"bob.x"}};
    auto doomed = lab.addRun(pinned);
    return {std::move(doomed), lab.addRun(settings("index-1", "rk4", 0.01))};
}

/// What a window reads in a frame, and what it saves.
void read(const Laboratory& lab)
{
    for (const RunId id : lab.runs()) {
        const RecordingView view = lab.recording(id);
        std::vector<double> t;
        std::vector<MinMax> values;
        view.envelope(0, 0, lab.status(id).t, 200, t, values);
        lab.events(id);
        lab.drift(id);
    }
    lab.sessionJson();
}

/// Keeps every core busy, above the priority of the workers, for as long as it exists.
class Load {
public:
    Load()
    {
        for (unsigned k = 0; k < 2 * std::max(1u, std::thread::hardware_concurrency()); ++k)
            threads_.emplace_back([this] {
                while (!done_.load(std::memory_order_relaxed)) {}
            });
    }
    ~Load()
    {
        done_ = true;
        for (std::thread& t : threads_)
            t.join();
    }
    Load(const Load&) = delete;
    Load& operator=(const Load&) = delete;

private:
    std::atomic<bool> done_{false};
    std::vector<std::thread> threads_;
};

/// Every number of every row, and the events, as one string.
std::string written(const Laboratory& lab, RunId id)
{
    const RecordingView view = lab.recording(id);
    std::string out;
    const auto put = [&out](double x) { out.append(reinterpret_cast<const char*>(&x), sizeof x); };
    for (std::uint64_t r = 0; r < view.rowCount(); ++r) {
        put(view.time(r));
        for (int c = 0; c < view.columnCount(); ++c)
            put(view.value(r, c));
    }
    for (const Event& e : lab.events(id)) {
        put(e.t);
        out += run::words(e);
    }
    return out;
}

bool restarted(const Laboratory& lab)
{
    for (const RunId id : lab.runs())
        for (const Event& e : lab.events(id))
            if (e.kind() == EventKind::Restart)
                return true;
    return false;
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
                    QFAIL(qPrintable(QString("run %1 row %2 column %3: %4 is not %5")
                                         .arg(k)
                                         .arg(r)
                                         .arg(c)
                                         .arg(x, 0, 'g', 17)
                                         .arg(y, 0, 'g', 17)));
            }
    }
}

} // namespace

/// One step is one of all runs that stand at the clock, which moves by the shortest of them.
void oneStep_isOneOfAllRuns()
{
    Laboratory lab(compiled("pendulum"), largeSwing(), 2);
    std::vector<RunId> ids;
    for (const char* form : {"index-1", "index-2", "index-3"})
        ids.push_back(*lab.addRun(settings(form, "radau-iia-5", 1.0 / 64)));
    ids.push_back(*lab.addRun(settings("index-1", "rk4", 1.0 / 16)));
    for (int k = 1; k <= 9; ++k) {
        lab.stepOnce();
        QCOMPARE(lab.clock().t, k / 64.0);
        for (std::size_t i = 0; i < ids.size(); ++i)
            QCOMPARE(lab.recording(ids[i]).lastTime(), i < 3 ? k / 64.0 : std::ceil(k / 4.0) / 4 / 4);
    }
}

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

    /// A step of the platform takes a millisecond, and under the load some thirty times as long: whoever reads waits, and no
    /// step is broken off for it.
    void aSessionUnderLoadAndReaders_hasTheBytesOfAQuietOne()
    {
        const auto act = [](Laboratory& lab, bool readers) {
            const auto a = lab.addRun(settings("ggl", "radau-iia-5", 0.01));
            const auto b = lab.addRun(settings("dummy-derivatives", "ida", 0, 1e-6));
            if (!a || !b)
                qFatal("%s", (!a ? a : b).error().text().c_str());
            double t = 0;
            const CommandPayload commands[] = {SetParameter{"g", 9.5}, SetFormulation{"index-1"}, SetIntegrator{"radau-iia-5"}};
            for (const CommandPayload& command : commands) {
                for (lab.play(); readers && lab.clock().t < t + 0.05;) {
                    lab.tick(0.01);
                    read(lab);
                }
                lab.pause();
                t += 0.2; // beyond what the look-ahead of 0.1 s has allowed the runs
                lab.waitUntil(t);
                if (const auto done = lab.command(lab.runs(), command); !done)
                    qFatal("%s", done.error().text().c_str());
            }
            lab.waitUntil(t + 0.1);
        };
        const auto system = compiled("stewart");
        Laboratory quiet(system, {}, 1), busy(system, {}, 2);
        act(quiet, false);
        {
            const Load load;
            act(busy, true);
        }
        QVERIFY(!restarted(busy));
        for (const RunId id : quiet.runs())
            QVERIFY2(written(quiet, id) == written(busy, id), qPrintable(QString("run %1").arg(id.value)));
        // Commands that come while steps are under way act behind them, wherever that is; the log repeats what came of it.
        {
            const Load load;
            busy.play();
            for (int k = 0; k < 6; ++k) {
                busy.tick(0.02);
                read(busy);
                QVERIFY(busy.command({busy.runs()[static_cast<std::size_t>(k % 2)]}, SetParameter{"g", 9.6 + 0.1 * k}).ok());
            }
            busy.pause();
        }
        QVERIFY(!restarted(busy));
        const auto again = replaySession(busy.sessionJson(), "session.json");
        QVERIFY2(again.ok(), again ? "" : again.error().text().c_str());
        compareBits(busy, *again);
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

    /// The constraints of a parallelogram depend on each other: penalty carries it, but no restart finds its multipliers. A
    /// refused command leaves a restart in the log for the step that was cut, and the session must open all the same.
    void aRefusalWhereNoRestartIsPossibleReplays()
    {
        Laboratory lab(compiled("parallelogram"), {}, 1);
        QVERIFY(lab.addRun(settings("penalty", "radau-13", 0.04, 1e-4)).ok());
        lab.waitUntil(0.03);
        QVERIFY(!lab.command(lab.runs(), SetParameter{"L", 1.0001}).ok());
        lab.waitUntil(0.15);
        const auto again = replaySession(lab.sessionJson(), "session.json");
        QVERIFY2(again.ok(), again ? "" : again.error().text().c_str());
        compareBits(lab, *again);
    }

    void theClockWaitsForTheSlowestAndNotForTheFailed()
    {
        Laboratory lab(compiled("pendulum"), smallSwing(), 2);
        const auto [doomed, sound] = addDoomedAndSound(lab);
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

    void theClockGoesBackToTheFailedWhereTheSoundOneIsRemoved()
    {
        Laboratory lab(compiled("pendulum"), smallSwing(), 2);
        const auto [doomed, sound] = addDoomedAndSound(lab);
        QVERIFY(doomed.ok() && sound.ok());
        lab.waitUntil(4);
        const double end = lab.status(*doomed).t;
        QVERIFY(lab.status(*doomed).state == RunState::Failed && end < 3);
        QVERIFY(lab.clock().t >= 4);
        lab.removeRun(*sound);
        QCOMPARE(lab.clock().t, end);
        const auto again = Laboratory::open(lab.sessionJson(), "session.json");
        QVERIFY2(again.ok(), again ? "" : again.error().text().c_str());
        QCOMPARE((*again)->clock().t, end);
        QCOMPARE((*again)->sessionJson(), lab.sessionJson());
    }

    void waitingEndsWhereTimeIsUp()
    {
        Laboratory lab(compiled("double-pendulum"), {}, 1);
        const auto slow = lab.addRun(settings("ggl", "radau-iia-5", 1e-6));
        QVERIFY(slow.ok());
        QVERIFY(!lab.waitUntil(1e6, 0.05));
        QVERIFY(lab.status(*slow).t < 1e6);
        QVERIFY(lab.waitUntil(lab.status(*slow).t));
    }

    void whatIsRefusedAtOnceLeavesNoRunBehind()
    {
        Laboratory lab(compiled("double-pendulum"), {}, 1);
        const auto one = lab.addRun(settings("ggl", "radau-iia-5", 0.01)),
                   other = lab.addRun(settings("ggl", "radau-iia-5", 0.07));
        QVERIFY(one.ok() && other.ok());
        lab.waitUntil(1); // their last steps end at different times
        QVERIFY(!lab.command(lab.runs(), SetParameter{"no such parameter", 1}).ok());
        QVERIFY(lab.command(lab.runs(), SetParameter{"L1", 0.9}).ok());
    }

    void aChangeDoesNotWaitForARunThatIsFarBehind()
    {
        Laboratory lab(compiled("double-pendulum"), {}, 1);
        const auto quick = lab.addRun(settings("ggl", "radau-iia-5", 0.01));
        QVERIFY(quick.ok());
        lab.waitUntil(2);
        const auto slow = lab.addRun(settings("ggl", "radau-iia-5", 1e-6)); // two million steps behind
        QVERIFY(slow.ok());
        lab.setPatience(0.02);
        const auto refused = lab.command(lab.runs(), SetParameter{"L1", 0.9});
        QVERIFY(!refused.ok());
        QVERIFY(refused.error().why.find("ggl with radau-iia-5") != std::string::npos);
        lab.setPatience(1e6); // for the next command: it is refused at once, as the run is still behind
        QVERIFY(!lab.command(lab.runs(), SetParameter{"L1", 0.9}).ok());
        QVERIFY(lab.status(*slow).t < 2);
        QVERIFY(lab.command({*quick}, SetParameter{"L1", 0.9}).ok()); // alone it may be changed
        QVERIFY(lab.restartAll().ok());                               // and what acts at no common time, on all
        QVERIFY(lab.command(lab.runs(), SetParameter{"L1", 1.1}).ok());
        lab.scrub(0);
        lab.waitUntil(0);
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

    void aLongRunEndsForItsRemoval()
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
