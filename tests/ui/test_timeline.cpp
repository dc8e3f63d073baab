// The time line by real mouse and key events.
#include <QtTest>

#include "core/run/EventWords.h"
#include "ui/views/Theme.h"
#include "ui/views/TimeLine.h"

using namespace driftless;
using namespace driftless::ui;

namespace {

std::vector<TimeLineRun> twoRuns()
{
    TimeLineRun first, second;
    first.name = "Run 1";
    first.reached = 18;
    first.selected = true;
    first.dummies = "bob.y";
    first.events = {{0, run::Started{"dummy-derivatives", "ida"}},
                    {4, run::PivotChange{.from = {"bob.y"}, .to = {"bob.x"}, .kappaBefore = 2.1, .kappa = 1.1}},
                    {9, run::CommandDone{run::SetFormulation{"projection"}}},
                    {12, run::PivotChange{.from = {"bob.x"}, .to = {"bob.y"}, .kappaBefore = 2.1, .kappa = 1.1}}};
    second.colour = 1;
    second.name = "Run 2";
    second.reached = 15;
    second.failed = true;
    second.events = {{15, run::Failure{{"the step became too small", {}, {}, {}, {}}}}};
    return {first, second};
}

} // namespace

class TestTimeLine : public QObject {
    Q_OBJECT

    static void prepare(TimeLine& line)
    {
        line.resize(560, 56);
        line.setRuns(twoRuns());
        line.setTime(6);
        line.show();
    }

private slots:
    void pressMoveReleaseScrubs()
    {
        TimeLine line;
        prepare(line);
        QSignalSpy started(&line, &TimeLine::scrubStarted), scrubbed(&line, &TimeLine::scrubbed),
            finished(&line, &TimeLine::scrubFinished);
        const auto at = [&line](double t) { return QPoint(qRound(line.xOf(t)), 46); };
        const double pixel = line.span() / (line.xOf(line.span()) - line.xOf(0));
        QTest::mousePress(&line, Qt::LeftButton, {}, at(3));
        QCOMPARE(started.count(), 1);
        QVERIFY(std::abs(scrubbed.last().at(0).toDouble() - 3) <= pixel);
        QTest::mouseMove(&line, at(7));
        QVERIFY(std::abs(scrubbed.last().at(0).toDouble() - 7) <= pixel);
        QCOMPARE(finished.count(), 0);
        QTest::mouseMove(&line, at(19.9)); // beyond what any run has reached
        QCOMPARE(scrubbed.last().at(0).toDouble(), 18.0);
        QTest::mouseRelease(&line, Qt::LeftButton, {}, at(19.9));
        QCOMPARE(finished.count(), 1);
        QCOMPARE(line.time(), 18.0);
        const int count = static_cast<int>(scrubbed.count());
        QTest::mouseMove(&line, at(2));
        QCOMPARE(static_cast<int>(scrubbed.count()), count);
    }

    void clickOnAMarkJumpsExactlyToItsEvent()
    {
        TimeLine line;
        prepare(line);
        QSignalSpy clicked(&line, &TimeLine::eventClicked), scrubbed(&line, &TimeLine::scrubbed);
        QTest::mouseClick(&line, Qt::LeftButton, {}, QPoint(qRound(line.xOf(9)) + 2, 7));
        QCOMPARE(clicked.count(), 1);
        QCOMPARE(clicked[0].at(0).toInt(), 0);
        QCOMPARE(clicked[0].at(1).toDouble(), 9.0);
        QCOMPARE(scrubbed.last().at(0).toDouble(), 9.0);
    }

    void keysStepOnePixelAndJumpToTheEnds()
    {
        TimeLine line;
        prepare(line);
        const double pixel = line.span() / (line.xOf(line.span()) - line.xOf(0));
        QTest::keyClick(&line, Qt::Key_Right);
        QVERIFY(std::abs(line.time() - (6 + pixel)) < 1e-12 * line.span());
        QTest::keyClick(&line, Qt::Key_Left, Qt::ShiftModifier);
        QVERIFY(std::abs(line.time() - (6 - 9 * pixel)) < 1e-12 * line.span());
        QTest::keyClick(&line, Qt::Key_End);
        QCOMPARE(line.time(), 18.0);
        QTest::keyClick(&line, Qt::Key_Home);
        QCOMPARE(line.time(), 0.0);
    }

    void pivotSegmentsFollowTheEvents()
    {
        const run::WordsReplaced replaced; // they follow the data, not what is said of it
        const auto runs = twoRuns();
        const auto segments = pivotSegments(runs[0].events, "bob.y", 18);
        QCOMPARE(segments.size(), std::size_t(3));
        const char* names[] = {"bob.y", "bob.x", "bob.y"};
        const double ends[] = {0, 4, 12, 18};
        for (std::size_t i = 0; i < 3; ++i) {
            QCOMPARE(segments[i].dummies, QString(names[i]));
            QCOMPARE(segments[i].from, ends[i]);
            QCOMPARE(segments[i].to, ends[i + 1]);
        }
        QVERIFY(pivotSegments({}, {}, 10).empty());
        QCOMPARE(pivotSegments({}, "bob.x", 10).size(), std::size_t(1));
    }

    void reachedRangePivotsAndMarksAreDrawnInTheirColours_data()
    {
        QTest::addColumn<bool>("dark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }

    void reachedRangePivotsAndMarksAreDrawnInTheirColours()
    {
        QFETCH(bool, dark);
        const Theme& theme = dark ? Theme::darkTheme() : Theme::light();
        TimeLine line;
        prepare(line);
        line.setDark(dark);
        line.setVisibleRange(2, 8);
        const QImage image = line.grab().toImage();
        if (const QString folder = qEnvironmentVariable("DRIFTLESS_KEEP_PICTURES"); !folder.isEmpty())
            image.save(folder + (dark ? "/timeline-dark.png" : "/timeline-light.png"));
        const auto columnHas = [&](double t, const QColor& colour) {
            for (int y = 16; y < 28; ++y)
                if (image.pixelColor(qRound(line.xOf(t)), y) == colour)
                    return true;
            return false;
        };
        QVERIFY(columnHas(13, theme.run(0)) && columnHas(13, theme.run(1)));
        QVERIFY(columnHas(16.5, theme.run(0)) && !columnHas(16.5, theme.run(1)));
        QVERIFY(!columnHas(19, theme.run(0)));
        // Two selections of dummies, two shades; the same selection, the same shade.
        const auto shade = [&](double t) { return image.pixelColor(qRound(line.xOf(t)), 31); };
        QVERIFY(shade(10) != shade(13));
        QCOMPARE(shade(13), shade(17));
    }

    void axisGrowsInRoundSteps()
    {
        TimeLine line;
        line.resize(560, 56);
        QCOMPARE(line.span(), 10.0);
        line.setRuns(twoRuns());
        QCOMPARE(line.span(), 20.0);
        line.setTime(99);
        QCOMPARE(line.span(), 100.0);
    }
};

QTEST_MAIN(TestTimeLine)
#include "test_timeline.moc"
