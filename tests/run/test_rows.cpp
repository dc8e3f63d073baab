// Rows only where curves need them: fewer, each of them the row that a full recording has there, nothing seen to be missing
// between them, and the motion itself the same to the last bit.
#include <QtTest>

#include <cmath>

#include "core/run/Laboratory.h"
#include "tests/run/RunFixture.h"

using namespace driftless;
using namespace driftless::run;
using namespace driftless::test;

namespace {

/// A chord leaves its curve by a ten-thousandth of the height before a row is due. What is asked of a prediction of that, from
/// two slopes, is twice as much.
constexpr double kSeen = 2e-4;

RunSettings thinned(RunSettings s)
{
    s.rows = Rows::AsCurvesNeed;
    return s;
}

double largest(const RecordingView& view, int column)
{
    const MinMax range = view.range(column, view.firstTime(), view.lastTime());
    return std::max(std::abs(range.minimum), std::abs(range.maximum));
}

} // namespace

class TestRows : public QObject {
    Q_OBJECT

private slots:
    void theMotionIsTheSame_theRowsAreFewer_data()
    {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("form");
        QTest::addColumn<QString>("method");
        QTest::addColumn<double>("most"); // rows a step
        QTest::newRow("pendulum, rk4") << "pendulum"
                                       << "index-1"
                                       << "rk4" << 0.4;
        QTest::newRow("pendulum, generalized-alpha") << "pendulum"
                                                     << "index-3"
                                                     << "generalized-alpha" << 0.4;
        QTest::newRow("slider-crank, ggl") << "slider-crank"
                                           << "ggl"
                                           << "bdf2" << 0.6;
        QTest::newRow("a damper at work") << "damped-pendulum"
                                          << "index-1"
                                          << "rk4" << 0.6;
        QTest::newRow("every pivot judged") << "pendulum"
                                            << "dummy-derivatives"
                                            << "radau-iia-5" << 1.0;
    }
    void theMotionIsTheSame_theRowsAreFewer()
    {
        QFETCH(QString, model);
        QFETCH(QString, form);
        QFETCH(QString, method);
        QFETCH(double, most);
        const RunSettings s = settings(form.toStdString(), method.toStdString(), 1e-3);
        const auto full = started(model.toStdString(), {}, s);
        const auto few = started(model.toStdString(), {}, thinned(s));
        QVERIFY(full->advanceTo(3));
        QVERIFY(few->advanceTo(3));
        QCOMPARE(few->acceptedSteps(), full->acceptedSteps());
        QVERIFY(few->namedState() == full->namedState());
        const RecordingView all = full->recording(), some = few->recording();
        QCOMPARE(some.lastTime(), all.lastTime());
        QVERIFY2(static_cast<double>(some.rowCount()) <= most * static_cast<double>(all.rowCount()) + 1,
                 qPrintable(QString::number(some.rowCount())));
        // The same numbers in the rows that are there; work and with it the energy's error are integrated over longer
        // intervals.
        const int state = 2 * all.n();
        const int energy = all.findColumn("energy"), residual = all.findColumn("residual.position");
        for (std::uint64_t r = 0; r < some.rowCount(); ++r) {
            const std::uint64_t a = all.rowAt(some.time(r));
            QCOMPARE(all.time(a), some.time(r));
            for (int c = 0; c < state; ++c)
                QCOMPARE(some.value(r, c), all.value(a, c));
            QCOMPARE(some.value(r, energy), all.value(a, energy));
            QCOMPARE(some.value(r, residual), all.value(a, residual));
        }
        // And what is not there is not missed.
        for (std::uint64_t a = 0; a < all.rowCount(); ++a) {
            const double t = all.time(a);
            const std::uint64_t r = some.rowAt(t);
            if (r + 1 >= some.rowCount() || some.time(r) == t)
                continue;
            const double share = (t - some.time(r)) / (some.time(r + 1) - some.time(r));
            for (int c = 0; c < state; ++c) {
                const double chord = some.value(r, c) + share * (some.value(r + 1, c) - some.value(r, c));
                const double height = std::max(largest(all, c), 0.1);
                QVERIFY2(std::abs(chord - all.value(a, c)) <= kSeen * height,
                         qPrintable(QString("%1 at %2: %3")
                                        .arg(QString::fromStdString(all.columns()[static_cast<std::size_t>(c)].name))
                                        .arg(t)
                                        .arg(chord - all.value(a, c))));
            }
        }
    }

    void theEnergyBalanceIsThatOfEveryStep()
    {
        const RunSettings s = settings("index-1", "rk4", 1e-3);
        const auto full = started("damped-pendulum", {}, s), few = started("damped-pendulum", {}, thinned(s));
        QVERIFY(full->advanceTo(3));
        QVERIFY(few->advanceTo(3));
        const RecordingView all = full->recording();
        const double work = largest(all, all.findColumn("work"));
        QVERIFY(work > 0);
        // Lobatto's rule on at most four steps: h^6 with 4 h for h, on powers that change within some 0.1 s: (4e-3 / 0.1)^6 =
        // 4e-9.
        QVERIFY2(std::abs(full->status().energyError - few->status().energyError) <= 1e-8 * work,
                 qPrintable(QString::number(full->status().energyError - few->status().energyError)));
    }

    void aCommandActsOnTheStateAsItStands()
    {
        const RunSettings s = settings("index-3", "generalized-alpha", 1e-3);
        const auto full = started("pendulum", {}, s), few = started("pendulum", {}, thinned(s));
        for (Run* run : {full.get(), few.get()}) {
            QVERIFY(run->advanceBeyond(0.7331));
            QVERIFY(run->apply(0.7331, SetFormulation{"index-1"}).ok());
            QVERIFY(run->advanceTo(1.5));
        }
        QVERIFY(full->namedState() == few->namedState());
        QCOMPARE(full->acceptedSteps(), few->acceptedSteps());
    }

    void everyStepFromNowOn()
    {
        const auto run = started("pendulum", {}, thinned(settings("index-1", "rk4", 1e-3)));
        QVERIFY(run->advanceTo(1));
        QVERIFY(run->apply(1, SetRows{Rows::EveryStep}).ok());
        const auto before = run->recording().rowCount();
        QVERIFY(run->advanceTo(2));
        QCOMPARE(run->recording().rowCount() - before, std::uint64_t(1000));
        QVERIFY(run->apply(2, SetRows{Rows::AsCurvesNeed}).ok());
        QVERIFY(run->advanceTo(3));
        QVERIFY(run->recording().rowCount() - before < 1500);
    }

    void continuingFromAnEarlierTimeLosesNothing()
    {
        const RunSettings s = settings("index-1", "rk4", 1e-3);
        const auto run = started("pendulum", {}, thinned(s));
        QVERIFY(run->advanceTo(2));
        QVERIFY(run->apply(2, Branch{1.2344}).ok());
        QCOMPARE(run->t(), 1.2344);
        QVERIFY(run->advanceTo(2));
        // rk4 at 1 ms leaves 1e-11 in two seconds; a state between two rows, read from a curve, would be off by 1e-7 and more.
        const auto exact = started("pendulum", {}, settings("state-space", "dormand-prince", 0, 1e-12));
        QVERIFY(exact->advanceTo(2));
        QVERIFY2(std::abs(valueOf(*run, "bob.x") - valueOf(*exact, "bob.x")) < 1e-9,
                 qPrintable(QString::number(valueOf(*run, "bob.x") - valueOf(*exact, "bob.x"))));
    }

    void severalRunsAreChangedAtOneTime()
    {
        Laboratory laboratory(compiled("pendulum"), {}, 1);
        const auto a = laboratory.addRun(thinned(settings("index-3", "generalized-alpha", 1e-3)));
        const auto b = laboratory.addRun(thinned(settings("index-1", "rk4", 1.7e-3)));
        QVERIFY(a.ok() && b.ok());
        laboratory.play();
        laboratory.tick(0.5);
        laboratory.waitUntil(0.5);
        laboratory.pause();
        const auto t = laboratory.command({*a, *b}, SetParameter{"g", 3.7});
        QVERIFY(t.ok());
        for (const auto id : {*a, *b}) {
            const RecordingView view = laboratory.recording(id);
            QCOMPARE(view.time(view.rowAt(*t)), *t);
            const auto events = laboratory.events(id);
            QCOMPARE(events.back().t, *t);
        }
    }

    void aSessionRepeatsItBitForBit()
    {
        Laboratory laboratory(compiled("pendulum"), {}, 1);
        const auto id = laboratory.addRun(thinned(settings("index-3", "generalized-alpha", 1e-3)));
        QVERIFY(id.ok());
        laboratory.play();
        laboratory.tick(0.61);
        laboratory.waitUntil(0.6);
        QVERIFY(laboratory.command({*id}, SetParameter{"g", 3.7}).ok());
        laboratory.tick(0.5);
        laboratory.waitUntil(1.1);
        QVERIFY(laboratory.branchAt(0.9).ok());
        laboratory.tick(0.3);
        laboratory.waitUntil(1.2);
        laboratory.pause();
        const auto again = replaySession(laboratory.sessionJson(), "session");
        QVERIFY2(again.ok(), again.ok() ? "" : qPrintable(QString::fromStdString(again.error().text())));
        const RecordingView a = laboratory.recording(*id), b = again->runs.front()->recording();
        QVERIFY(b.rowCount() > 10);
        for (std::uint64_t r = 0; r < std::min(a.rowCount(), b.rowCount()); ++r) {
            QCOMPARE(b.time(r), a.time(r));
            QCOMPARE(b.value(r, 0), a.value(r, 0));
        }
        QCOMPARE(again->runs.front()->status().settings.rows, Rows::AsCurvesNeed);
    }
};

QTEST_GUILESS_MAIN(TestRows)
#include "test_rows.moc"
