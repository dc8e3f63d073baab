// What other threads read of a run, alone: rows, events, failures, and exchanges that belong to a selection.
#include <QtTest>

#include <atomic>
#include <thread>

#include "core/run/Published.h"

using namespace driftless;
using namespace driftless::run;

namespace {

/// A row of two coordinates; its energy tells which one it is.
Standing rowAt(double t, const std::vector<double>& q)
{
    return {.t = t,
            .q = q,
            .statistics = {},
            .pivots = 0,
            .residual = {},
            .maxResidual = {},
            .energy = 2 * t,
            .energyError = 0,
            .stepSize = 0,
            .order = 0,
            .cpuSeconds = 0,
            .wallSeconds = 0,
            .kappa = 3};
}

InForce selecting(const std::vector<int>& dummies)
{
    InForce out{.settings = {},
                .errorTest = {},
                .parameters = {1},
                .gains = {},
                .gainQuantities = {},
                .form = {},
                .dae = nullptr,
                .dummies = dummies,
                .positionDummies = dummies,
                .selection = {dummies, dummies}};
    out.settings.formulation = "form";
    return out;
}

} // namespace

class TestPublished : public QObject {
    Q_OBJECT

private slots:
    void mark_tellsTheLastRow_notTheLastStep()
    {
        Published out(2);
        out.accept();
        out.tell(rowAt(0.5, {1, 2}));
        out.accept(); // a step that is not recorded
        QCOMPARE(out.mark().t, 0.5);
        QCOMPARE(out.mark().steps, std::uint64_t{1});
        QCOMPARE(out.accepted(), std::uint64_t{2});
        out.takeBack(1);
        QCOMPARE(out.accepted(), std::uint64_t{1});
        QCOMPARE(out.lastTime(), 0.5);
        QCOMPARE(out.lastPositions(), (std::vector<double>{1, 2}));
        QCOMPARE(out.t(), 0.0); // it has not arrived yet
        out.arrive(0.5);
        QCOMPARE(out.t(), 0.5);
    }

    void failure_isFlagStateAndEvent_untilTheRunGoesOn()
    {
        Published out(0);
        out.fail(2, {"It stopped", "t = 2", "", "", {}}, true);
        QVERIFY(out.failed());
        QCOMPARE(out.status().state, RunState::Failed);
        QCOMPARE(out.status().diagnostic->what, std::string("It stopped"));
        QCOMPARE(out.timeLine().events().size(), std::size_t{1});
        QCOMPARE(out.timeLine().events()[0].kind(), EventKind::Stuck);
        out.goesOn();
        out.tell(selecting({0}));
        QVERIFY(!out.failed());
        QCOMPARE(out.status().state, RunState::Ready);
        QVERIFY(!out.status().diagnostic);
        QCOMPARE(out.settings().formulation, std::string("form"));
        QCOMPARE(out.timeLine().events().size(), std::size_t{1}); // it has happened
    }

    void exchanges_ofAnotherSelection_areNotTold()
    {
        Published out(2);
        out.tell(selecting({0}));
        out.tell(rowAt(1, {1, 2}));
        QVERIFY(!out.offersHere());
        out.offer({.candidates = {{-1, -1, 2}, {0, 1, 5}}, .ofPositions = {}});
        QVERIFY(out.offersHere());
        QCOMPARE(out.status().candidates.size(), std::size_t{2});
        out.tellDummies({.positions = {1}, .velocities = {1}});
        QVERIFY(!out.offersHere());
        QCOMPARE(out.status().dummies, std::vector<int>{1});
        QCOMPARE(out.status().candidates.size(), std::size_t{1}); // what is in force, and nothing of the old selection
        QCOMPARE(out.status().candidates[0].kappa, 3.0);
        out.offer({.candidates = {{-1, -1, 2}, {1, 0, 5}}, .ofPositions = {}});
        QCOMPARE(out.status().candidates.size(), std::size_t{2});
        out.tell(rowAt(2, {1, 2})); // they stay told, but are to be judged again
        QVERIFY(!out.offersHere());
        QCOMPARE(out.status().candidates.size(), std::size_t{2});
    }

    void branch_forgetsEventsAndSegmentsBehindIt()
    {
        Published out(0);
        out.timeLine().add(Segment{0, {1}, 10});
        out.timeLine().add(0, Started{"form", "method"});
        out.timeLine().add(Segment{2, {2}, 20});
        out.timeLine().add(2, Restarted{});
        QCOMPARE(out.timeLine().reference(), std::optional(20.0));
        out.timeLine().forgetAfter(1);
        QCOMPARE(out.timeLine().events().size(), std::size_t{1});
        QCOMPARE(out.timeLine().segments().size(), std::size_t{1});
        QCOMPARE(out.timeLine().reference(), std::optional(10.0));
        out.timeLine().forgetAll();
        QVERIFY(out.timeLine().events().empty() && !out.timeLine().reference());
    }

    void restart_isNamed_onTheLastOneOnly()
    {
        Published out(0);
        out.timeLine().add(1, Restarted{});
        out.timeLine().add(2, Restarted{});
        out.timeLine().add(3, BasisRenewed{});
        out.timeLine().nameRestart(RestartCause::AfterFailure);
        const auto events = out.timeLine().events();
        QCOMPARE(events[0].as<Restarted>()->cause, RestartCause::Asked);
        QCOMPARE(events[1].as<Restarted>()->cause, RestartCause::AfterFailure);
    }

    void watched_isToldOnce()
    {
        Published out(0);
        QVERIFY(!out.takeWatched());
        (void)out.status();
        QVERIFY(out.takeWatched());
        QVERIFY(!out.takeWatched());
    }

    void status_isOneRow_whileRowsAreWritten()
    {
        Published out(1);
        std::atomic<bool> done{false};
        std::thread writer([&] {
            for (int k = 1; k <= 20'000; ++k)
                out.tell(rowAt(k, {0}));
            done = true;
        });
        int torn = 0;
        while (!done) {
            const RunStatus now = out.status();
            torn += now.energy != 2 * now.t;
        }
        writer.join();
        QCOMPARE(torn, 0);
        QCOMPARE(out.status().t, 20'000.0);
    }
};

QTEST_GUILESS_MAIN(TestPublished)
#include "test_published.moc"
