// The strip of pivots over changes of form: a selection of dummies stands where a form had it in force, and nowhere else.
#include <QtTest>

#include "tests/ui/WindowFixture.h"
#include "ui/views/TimeLine.h"

using namespace driftless;
using namespace driftless::ui;
using driftless::ui::test::Fixture;

namespace {

std::vector<PivotSegment> band(Fixture& f, int run)
{
    return pivotSegments(f.document.laboratory().events(f.id(run)), f.document.lookBack().pivots(f.key(run)), f.status(run).t);
}

bool playTo(Fixture& f, double t)
{
    f.document.playback().play();
    const bool there = f.playUntil(t);
    f.document.playback().pause();
    return there;
}

/// Each begins where the one before ends, and they lie between these times [s].
bool covers(const std::vector<PivotSegment>& segments, double from, double to)
{
    for (std::size_t i = 1; i < segments.size(); ++i)
        if (segments[i].from != segments[i - 1].to)
            return false;
    return !segments.empty() && segments.front().from == from && segments.back().to == to;
}

/// The time of the last switch of form [s].
double switchedAt(Fixture& f, int run)
{
    double t = -1;
    for (const run::Event& event : f.document.laboratory().events(f.id(run)))
        if (const auto* done = event.as<run::CommandDone>(); done && std::holds_alternative<run::SetFormulation>(done->payload))
            t = event.t;
    return t;
}

} // namespace

class TestPivotBand : public QObject {
    Q_OBJECT

private slots:
    /// A run is ahead of what is displayed, or one looks back: the selection of that time can be exchanged as it could then.
    void beforeAPivotAllChoicesAreListed()
    {
        Fixture f;
        QVERIFY(f.window.openPath("pendulum"));
        f.document.playback().pause();
        f.document.laboratory().waitUntil(12);
        const int key = f.key(0);
        int looked = 0;
        for (const auto& event : f.document.laboratory().events(f.id(0))) {
            if (!event.as<run::PivotChange>())
                continue;
            for (const double t : {event.t - 0.08, event.t + 0.08}) {
                f.document.playback().scrub(t);
                f.document.playback().tick(0);
                const auto shown = f.document.shown(key);
                QVERIFY2(shown.candidates.size() == 2, qPrintable(QString::number(t))); // bob.x and bob.y
                QVERIFY(shown.candidates.front().leaves < 0 && shown.candidates.back().enters != shown.dummies.front());
                ++looked;
            }
        }
        QVERIFY(looked >= 4);
    }

    void segmentsFollowStretchesAndEvents()
    {
        const std::vector<run::Event> events{{4, run::PivotChange{.from = {"y"}, .to = {"x"}}},
                                             {12, run::PivotChange{.from = {"x"}, .to = {"y"}}}};
        // Without pivots until 2 s; then until 6 s, and again from 10 s on.
        const auto segments = pivotSegments(events,
                                            {{.from = 0, .chooses = false},
                                             {.from = 2, .dummies = "y"},
                                             {.from = 6, .chooses = false},
                                             {.from = 10, .dummies = "x"}},
                                            15);
        const double from[] = {2, 4, 10, 12}, to[] = {4, 6, 12, 15};
        const char* names[] = {"y", "x", "x", "y"};
        QCOMPARE(segments.size(), std::size_t(4));
        for (std::size_t i = 0; i < 4; ++i) {
            QCOMPARE(segments[i].from, from[i]);
            QCOMPARE(segments[i].to, to[i]);
            QCOMPARE(segments[i].dummies, QString(names[i]));
        }
    }

    void aFormWithoutPivotsHasNoBand()
    {
        Fixture f;
        QVERIFY(f.window.openPath("pendulum").ok());
        QVERIFY(f.document.control().setFormulation(f.key(0), "baumgarte"));
        QVERIFY(playTo(f, 0.5));
        QVERIFY(band(f, 0).empty());
        QVERIFY(f.document.control().setFormulation(f.key(0), "dummy-derivatives"));
        f.document.playback().setSpeed(4);
        QVERIFY(playTo(f, 4)); // behind its first pivot
        QVERIFY(f.status(0).pivots > 0);
        const double at = switchedAt(f, 0);
        QVERIFY(at > 0);
        QVERIFY(covers(band(f, 0), at, f.status(0).t));
    }

    void theBandReachesToTheSwitch()
    {
        Fixture f;
        QVERIFY(f.window.openPath("pendulum").ok());
        QVERIFY(f.document.control().setFormulation(f.key(0), "dummy-derivatives"));
        f.document.playback().setSpeed(4);
        QVERIFY(playTo(f, 4));
        QVERIFY(f.status(0).pivots > 0);
        QVERIFY(f.document.control().setFormulation(f.key(0), "index-1"));
        QVERIFY(playTo(f, 5));
        const auto segments = band(f, 0);
        QVERIFY(segments.size() > 1);
        QVERIFY(covers(segments, 0, switchedAt(f, 0)));
    }

    /// No pivot tells what had been chosen before the switch: the run of then says it.
    void aChoiceThatNoPivotToldIsDrawn()
    {
        Fixture f;
        QVERIFY(f.window.openPath("pendulum").ok());
        QVERIFY(f.document.control().setFormulation(f.key(0), "dummy-derivatives"));
        QVERIFY(playTo(f, 0.2));
        QCOMPARE(f.status(0).pivots, std::uint64_t(0));
        const QString chosen = band(f, 0).front().dummies;
        QVERIFY(f.document.control().setFormulation(f.key(0), "index-1"));
        QVERIFY(playTo(f, 0.4));
        const auto segments = band(f, 0);
        QCOMPARE(segments.size(), std::size_t(1));
        QVERIFY(covers(segments, 0, switchedAt(f, 0)));
        QCOMPARE(segments.front().dummies, chosen);
    }

    void aModelOfEquationsHasItsBandFromTheStartToNow()
    {
        Fixture f;
        QVERIFY(f.window.openPath("pendulum-equations").ok());
        QVERIFY(playTo(f, 0.2));
        QVERIFY(covers(band(f, 0), 0, f.status(0).t)); // before the first pivot
        f.document.playback().setSpeed(4);
        QVERIFY(playTo(f, 5));
        QVERIFY(f.status(0).pivots > 0);
        const auto segments = band(f, 0);
        QVERIFY(covers(segments, 0, f.status(0).t));
        const auto& dummies = f.status(0).valueDummies;
        QVERIFY(!dummies.empty());
        QVERIFY(segments.back().dummies.contains(
            QString::fromStdString(f.document.system().values[static_cast<std::size_t>(dummies.front())].name)));
    }
};

QTEST_MAIN(TestPivotBand)
#include "test_pivot_band.moc"
