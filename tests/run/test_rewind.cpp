// A laboratory goes back to where it stood before a change: state, log and numbers are those of one in which it never was.
#include <QtTest>

#include <bit>

#include "core/run/Laboratory.h"
#include "core/run/Past.h"
#include "tests/run/RunFixture.h"

using namespace driftless;
using namespace driftless::run;
using namespace driftless::test;

namespace {

/// Empty where both recordings are the same, bit for bit.
std::string firstDifference(const RecordingView& a, const RecordingView& b)
{
    const auto rows = std::min(a.rowCount(), b.rowCount()); // either may have gone a little further
    for (std::uint64_t i = 0; i < rows; ++i)
        for (int c = -1; c < a.columnCount(); ++c) {
            const double x = c < 0 ? a.time(i) : a.value(i, c), y = c < 0 ? b.time(i) : b.value(i, c);
            if (std::bit_cast<std::uint64_t>(x) != std::bit_cast<std::uint64_t>(y) && !(std::isnan(x) && std::isnan(y)))
                return (c < 0 ? "t" : a.columns()[static_cast<std::size_t>(c)].name) + " in row " + std::to_string(i) + ": "
                       + std::to_string(x) + " and " + std::to_string(y);
        }
    return {};
}

std::unique_ptr<Laboratory> laboratory(const std::vector<RunSettings>& runs)
{
    auto out = std::make_unique<Laboratory>(compiled("crank-rocker"), StartSettings{}, 1);
    for (const RunSettings& one : runs)
        if (auto added = out->addRun(one); !added)
            qFatal("%s", added.error().text().c_str());
    return out;
}

RunSettings usual() { return settings("dummy-derivatives", "ida", 0, 1e-6); }

} // namespace

class TestRewind : public QObject {
    Q_OBJECT
private slots:
    void aCommandThatIsTakenBackHasNeverBeen()
    {
        const std::vector<RunSettings> runs{usual(), settings("index-1", "rk4", 0.02), settings("ggl", "radau-iia-5", 0.05)};
        const auto lab = laboratory(runs), undisturbed = laboratory(runs);
        lab->waitUntil(2.9);
        const auto before = lab->checkpoint();
        for (const double c : {0.9, 1.0, 1.1}) // as a slider goes
            QVERIFY(lab->command(lab->runs(), SetParameter{"c", c}).ok());
        QVERIFY(!(lab->checkpoint() == before));
        QVERIFY(lab->rewind(before, lab->clock().t).ok());
        QVERIFY(lab->checkpoint() == before);
        QCOMPARE(lab->log().size(), runs.size());
        lab->waitUntil(4);
        undisturbed->waitUntil(2.9);
        undisturbed->waitUntil(4);
        for (const RunId id : lab->runs()) {
            const std::string difference = firstDifference(lab->recording(id), undisturbed->recording(id));
            QVERIFY2(difference.empty(), difference.c_str());
            QCOMPARE(lab->events(id).size(), undisturbed->events(id).size());
            QCOMPARE(lab->status(id).parameters, undisturbed->status(id).parameters);
        }
        const auto replayed = replaySession(lab->sessionJson(), "rewound");
        QVERIFY2(replayed.ok(), replayed.ok() ? "" : replayed.error().text().c_str());
    }

    /// Also what was computed since is given up, and a cut is taken back with what it was made for.
    void aStateThatWasSetIsTakenBackWithItsCut()
    {
        const auto lab = laboratory({usual()}), undisturbed = laboratory({usual()});
        const RunId id = lab->runs().front();
        lab->waitUntil(1);
        const auto before = lab->checkpoint();
        QVERIFY(lab->branchAt(0.8).ok());
        QVERIFY(lab->command({id}, SetState{{{"crank.angle'", 1.0}}, false}).ok());
        lab->waitUntil(2);
        QVERIFY(lab->command({id}, SetParameter{"c", 0.8}).ok());
        QVERIFY(lab->rewind(before, 0.8).ok());
        QCOMPARE(lab->clock().t, 0.8);
        QVERIFY(lab->checkpoint() == before);
        lab->waitUntil(2);
        undisturbed->waitUntil(2);
        const std::string difference = firstDifference(lab->recording(id), undisturbed->recording(id));
        QVERIFY2(difference.empty(), difference.c_str());
    }

    void whatTakesTooLongChangesNothing()
    {
        const auto lab = laboratory({usual()});
        lab->waitUntil(1);
        const auto before = lab->checkpoint();
        QVERIFY(lab->command(lab->runs(), SetParameter{"c", 0.8}).ok());
        const auto after = lab->checkpoint();
        lab->setPatience(0);
        QVERIFY(!lab->rewind(before, 1).ok());
        QVERIFY(lab->checkpoint() == after);
        QCOMPARE(lab->status(lab->runs().front()).parameters, parametersOf(*lab));
    }

    /// Commands before the checkpoint take as long again; that is said, and nothing changes.
    void whatTakesTooLongSaysSo()
    {
        const auto lab = laboratory({usual()});
        lab->waitUntil(1);
        QVERIFY(lab->command(lab->runs(), SetParameter{"c", 0.8}).ok());
        lab->waitUntil(2);
        const auto before = lab->checkpoint();
        QVERIFY(lab->command(lab->runs(), SetParameter{"c", 0.9}).ok());
        lab->setPatience(0);
        const auto refused = lab->rewind(before, 2);
        QVERIFY(!refused.ok());
        QVERIFY(!refused.error().why.empty());
    }

    void aLogThatWentOnOtherwiseLeadsNowhere()
    {
        const auto lab = laboratory({usual()});
        lab->waitUntil(1);
        const auto before = lab->checkpoint();
        QVERIFY(lab->command(lab->runs(), SetParameter{"c", 0.8}).ok());
        const auto left = lab->checkpoint();
        QVERIFY(lab->rewind(before, 1).ok());
        QVERIFY(lab->command(lab->runs(), SetParameter{"c", 0.9}).ok());
        QVERIFY(lab->command(lab->runs(), SetParameter{"c", 1.0}).ok());
        QVERIFY(!lab->rewind(left, 1).ok());
        QVERIFY(lab->rewind(before, 1).ok());
    }

    /// Back before the exchanges there have been none; and what a model calls kappa is no condition of a selection.
    void aBranchCountsTheExchangesThatStay()
    {
        auto made = Run::create(
            compiledMechanism(
                "format = 1\n[[body]]\nname = \"bob\"\nkind = \"point\"\nmass = 1\nx = 1\ny = { start = 0, velocity "
                "= -1 }\n[[joint]]\nname = \"rod\"\nkind = \"rod\"\nfrom = \"ground\"\nto = \"bob\"\nlength = 1\n"
                "[[force]]\nkind = \"gravity\"\nacceleration = 1\n[[dynamic]]\nname = \"kappa\"\nunit = \"1\"\n"
                "start = 777\nrate = \"0\"\n"),
            {}, settings("dummy-derivatives", "rk4", 0.01));
        QVERIFY2(made.ok(), made ? "" : made.error().text().c_str());
        Run& run = **made;
        QVERIFY(run.advanceTo(5.5));
        QVERIFY(run.status().pivots >= 2);
        for (const double to : {2.5, 0.78}) {
            QVERIFY(run.apply(run.t(), Branch{.to = to}));
            const auto events = run.events(EventKind::Pivot, -1, 10);
            QCOMPARE(run.status().pivots, events.size());
            for (const Event& event : events) {
                QVERIFY(event.as<PivotChange>()->kappaBefore < 10);
                QVERIFY(event.as<PivotChange>()->kappa < 10);
            }
        }
    }

    void nothingLeadsBackOverRunsThatCame()
    {
        const auto lab = laboratory({usual()});
        const auto before = lab->checkpoint();
        QVERIFY(lab->addRun(settings("index-1", "rk4", 0.02)).ok());
        QVERIFY(!lab->rewind(before, 0).ok());
        QCOMPARE(lab->runs().size(), std::size_t(2));
    }

    void logsThatSayTheSameHaveOneDigest()
    {
        const auto a = laboratory({usual()}), b = laboratory({usual()});
        QCOMPARE(a->logDigest(), b->logDigest());
        QVERIFY(a->command(a->runs(), SetParameter{"c", 0.8}).ok());
        QVERIFY(a->logDigest() != b->logDigest());
        QVERIFY(b->command(b->runs(), SetParameter{"c", 0.8}).ok());
        QCOMPARE(a->logDigest(), b->logDigest());
    }

    /// A change of a length chooses the dummies anew. Where they are others the change tells it, and what is asked of the time
    /// before has those of then.
    void dummiesThatAChangeChoosesAreTold()
    {
        const auto lab = laboratory({usual()});
        const RunId id = lab->runs().front();
        int told = 0;
        bool longer = false;
        for (double t = 3.03; t < 6; t += 0.13) { // at the first the coupler lies badly for the longer rocker
            lab->waitUntil(t);
            const auto before = lab->status(id);
            const auto done = lab->command({id}, SetParameter{"c", (longer = !longer) ? 1.1 : 0.75});
            QVERIFY(done.ok());
            const auto after = lab->status(id);
            const auto events = lab->events(id, EventKind::Pivot, std::nextafter(*done, 0.0), *done);
            QCOMPARE(events.size(), std::size_t(before.dummies == after.dummies ? 0 : 1));
            if (events.empty())
                continue;
            ++told;
            const auto names = [&](const std::vector<int>& dummies) {
                std::vector<std::string> out;
                for (const int i : dummies)
                    out.push_back(lab->system().system().coordinates[static_cast<std::size_t>(i)].name);
                return out;
            };
            QCOMPARE(events[0].as<PivotChange>()->from, names(before.dummies));
            QCOMPARE(events[0].as<PivotChange>()->to, names(after.dummies));
            const auto then = dummiesAt(*lab, id, regimesOf(*lab, id), std::nextafter(*done, 0.0));
            QVERIFY(then);
            QCOMPARE(then->velocities, before.dummies);
            QCOMPARE(dummiesAt(*lab, id, regimesOf(*lab, id), *done)->velocities, after.dummies);
        }
        QVERIFY(told > 0);
        const auto again = replaySession(lab->sessionJson(), "chosen anew");
        QVERIFY(again.ok());
        QCOMPARE(again->runs.front()->events(EventKind::Pivot, 0, 10).size(), lab->events(id, EventKind::Pivot, 0, 10).size());
    }

private:
    static std::vector<double> parametersOf(const Laboratory& lab)
    {
        auto out = lab.system().defaultParameters();
        const auto& all = lab.system().system().parameters;
        for (std::size_t i = 0; i < all.size(); ++i)
            if (all[i].quantity.name == "c")
                out[i] = 0.8;
        return out;
    }
};

QTEST_APPLESS_MAIN(TestRewind)
#include "test_rewind.moc"
