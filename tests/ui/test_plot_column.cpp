// The charts of the window where there is room for one of them: what is brought forward shows the displayed time at once.
#include <QTemporaryDir>
#include <QtTest>

#include "tests/support/Draw.h"
#include "tests/ui/WindowFixture.h"
#include "ui/panels/PlotColumn.h"

using namespace driftless;
using namespace driftless::ui;
using driftless::ui::test::Fixture;

class TestPlotColumn : public QObject {
    Q_OBJECT

private slots:
    /// Whatever the plots show, it stays over a reset, an undo, a jump back, and a session that is saved and opened.
    void whatIsChosenStaysOverAReset()
    {
        QTemporaryDir folder;
        const std::uint64_t seed = driftless::test::seedOr(46);
        const char* const models[] = {"pendulum", "rolling-coin", "relaxation", "double-pendulum", "crane"};
        for (int i = 0, count = driftless::test::countOr(5); i < count; ++i) {
            driftless::test::Draw draw(seed + static_cast<std::uint64_t>(i));
            Fixture f;
            const QString model = draw.among(models);
            QVERIFY(f.window.openPath(model).ok());
            PlotColumn& plots = f.window.plots();
            const auto columns = f.document.laboratory().recording(f.id(0)).columns();
            const auto drawn = [&] { // often one of the first, which stand before the rates that a portrait begins with
                const auto last = static_cast<int>(columns.size()) - 1;
                const int place = draw.upTo(0, draw.chance(0.6) ? std::min(1, last) : last);
                return QString::fromStdString(columns[static_cast<std::size_t>(place)].name);
            };
            for (int place = 0; place < PlotColumn::kMost; ++place)
                plots.choose(place, {.kind = place == 0 || draw.chance(0.5) ? PlotKind::Phase : PlotKind::Quantity,
                                     .quantity = drawn(),
                                     .phaseX = drawn(),
                                     .phaseY = drawn()});
            const auto before = plots.chosenPlots();
            const auto shownBy = [](const ShownPlot& plot) { // what another kind would show is no part of a session
                return plot.kind == run::PanelKind::Phase ? QStringList{plot.phaseX, plot.phaseY} : QStringList{plot.quantity};
            };
            const auto same = [&](const char* after) {
                const auto now = plots.chosenPlots();
                for (std::size_t k = 0; k < before.size(); ++k)
                    QVERIFY2(now[k].kind == before[k].kind && shownBy(now[k]) == shownBy(before[k]),
                             qPrintable(QStringLiteral("%1, seed %2, plot %3 after %4: %5 over %6 became %7 over %8")
                                            .arg(model)
                                            .arg(seed + static_cast<std::uint64_t>(i))
                                            .arg(k + 1)
                                            .arg(after, before[k].phaseY, before[k].phaseX, now[k].phaseY, now[k].phaseX)));
            };
            f.document.playback().play();
            QVERIFY(f.playUntil(0.2));
            QTest::keyClick(&f.window, Qt::Key_Home);
            QTest::qWait(20);
            same("Home");
            QVERIFY(f.document.edits().reset());
            same("a reset");
            f.document.undoStack().undo();
            same("undo");
            const QString session = folder.filePath(QStringLiteral("%1.driftless").arg(i));
            QVERIFY(f.document.files().saveSession(session).ok());
            QVERIFY(f.window.openPath("slider-crank").ok());
            QVERIFY(f.window.openPath(session).ok());
            same("a session");
        }
    }

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
