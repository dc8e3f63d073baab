// The charts of the window where there is room for one of them: what is brought forward shows the displayed time at once.
#include <QtTest>

#include "tests/ui/WindowFixture.h"
#include "ui/panels/PlotColumn.h"

using namespace driftless;
using namespace driftless::ui;
using driftless::ui::test::Fixture;

class TestPlotColumn : public QObject {
    Q_OBJECT

private slots:
    void aChartThatIsTurnedToShowsThePresent()
    {
        Fixture f; // one plot alone has room
        QVERIFY(f.window.openFirstStart().ok());
        PlotColumn& plots = f.window.plots();
        QCOMPARE(plots.count(), 1);
        PlotSpec portrait{.kind = PlotKind::Phase};
        const auto& columns = f.document.laboratory().recording(f.id(0)).columns();
        portrait.phaseX = QString::fromStdString(columns[0].name);
        portrait.phaseY = QString::fromStdString(columns[1].name);
        plots.choose(1, portrait);
        f.document.playback().play();
        QVERIFY(f.playUntil(1));
        f.document.playback().pause();
        QTest::qWait(200); // frames
        QVERIFY(f.click("plotTurn_1"));
        QVERIFY(plots.plot(1).isVisible());
        QCOMPARE(plots.plot(1).timeCursor(), f.time());
        QTest::qWait(100);
        const QImage turned = plots.plot(1).grab().toImage();
        // Drawn for another time and again for this one it looks the same.
        plots.setTime(0.1);
        plots.refreshAll();
        QTest::qWait(50);
        QVERIFY(plots.plot(1).grab().toImage() != turned);
        plots.setTime(f.time());
        plots.refreshAll();
        QTest::qWait(50);
        QCOMPARE(plots.plot(1).grab().toImage(), turned);
    }

    void noChartKeepsTheTimeOfTheModelBefore()
    {
        Fixture f;
        QVERIFY(f.window.openFirstStart().ok());
        f.document.playback().play();
        QVERIFY(f.playUntil(0.5));
        f.document.playback().pause();
        QTest::qWait(100);
        QVERIFY(f.window.plots().plot(0).timeCursor() >= 0.5);
        QVERIFY(f.click("plotTurn_1")); // out of sight with that time
        QVERIFY(f.window.openPath("double-pendulum").ok());
        f.document.playback().pause();
        f.document.playback().scrub(0);
        QTest::qWait(100);
        for (const int turn : {2, 3}) {
            QCOMPARE(f.window.plots().plot(turn - 1).timeCursor(), f.time());
            QVERIFY(f.click(QStringLiteral("plotTurn_%1").arg(turn)));
        }
        QVERIFY(f.window.plots().plot(0).isVisible());
        QCOMPARE(f.window.plots().plot(0).timeCursor(), 0.0);
    }
};

QTEST_MAIN(TestPlotColumn)
#include "test_plot_column.moc"
