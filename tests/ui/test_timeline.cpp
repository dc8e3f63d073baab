// The time line by real mouse and key events.
#include <QToolTip>
#include <QtTest>

#include "core/run/EventWords.h"
#include "ui/views/Theme.h"
#include "ui/views/TimeLine.h"
#include "ui/views/WordPlaces.h"

using namespace driftless;
using namespace driftless::ui;

namespace {

std::vector<TimeLineRun> twoRuns()
{
    TimeLineRun first, second;
    first.name = "Run 1";
    first.reached = 18;
    first.selected = true;
    first.pivots = {{.dummies = "bob.y"}};
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
        const auto segments = pivotSegments(runs[0].events, runs[0].pivots, 18);
        QCOMPARE(segments.size(), std::size_t(3));
        const char* names[] = {"bob.y", "bob.x", "bob.y"};
        const double ends[] = {0, 4, 12, 18};
        for (std::size_t i = 0; i < 3; ++i) {
            QCOMPARE(segments[i].dummies, QString(names[i]));
            QCOMPARE(segments[i].from, ends[i]);
            QCOMPARE(segments[i].to, ends[i + 1]);
        }
        QVERIFY(pivotSegments({}, {}, 10).empty());
        QCOMPARE(pivotSegments({}, {{.dummies = "bob.x"}}, 10).size(), std::size_t(1));
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

    void modesHaveAStripOfTheirOwn_data() { reachedRangePivotsAndMarksAreDrawnInTheirColours_data(); }
    void modesHaveAStripOfTheirOwn()
    {
        QFETCH(bool, dark);
        TimeLineRun one;
        one.name = "Run 1";
        one.reached = 18;
        one.selected = true;
        one.mode = "string";
        one.events = {{0, run::ModeChange{.from = "free", .to = "string"}},
                      {6, run::ModeChange{.from = "string", .to = "free"}},
                      {12, run::ImpactEvent{.contacts = {"string"}, .bodies = {"bob"}}},
                      {12, run::ModeChange{.from = "free", .to = "string"}}};
        const auto segments = modeSegments(one.events, one.mode, 18);
        QCOMPARE(segments.size(), std::size_t(3));
        const char* names[] = {"string", "free", "string"};
        for (std::size_t i = 0; i < 3; ++i) {
            QCOMPARE(segments[i].mode, QString(names[i]));
            QCOMPARE(segments[i].from, 6.0 * static_cast<double>(i));
            QCOMPARE(segments[i].to, 6.0 * static_cast<double>(i + 1));
        }
        QVERIFY(modeSegments(one.events, {}, 18).empty());
        QCOMPARE(modeSegments({}, "free", 3).size(), std::size_t(1));
        TimeLine line;
        prepare(line);
        QCOMPARE(line.height(), 56);
        line.setDark(dark);
        line.setRuns({one});
        QCOMPARE(line.height(), 68);
        const QImage image = line.grab().toImage();
        if (const QString folder = qEnvironmentVariable("DRIFTLESS_KEEP_PICTURES"); !folder.isEmpty())
            image.save(folder + (dark ? "/mode-strip-dark.png" : "/mode-strip-light.png"));
        const auto shade = [&](double t) { return image.pixelColor(qRound(line.xOf(t)), 43); };
        QVERIFY(shade(1) != shade(7));
        QCOMPARE(shade(1), shade(17));
        QHelpEvent help(QEvent::ToolTip, QPoint(qRound(line.xOf(8)), 45), line.mapToGlobal(QPoint(qRound(line.xOf(8)), 45)));
        QApplication::sendEvent(&line, &help);
        QVERIFY(QToolTip::text().contains("free") && QToolTip::text().contains("from 6 s to 12 s"));
        line.setRuns(twoRuns());
        QCOMPARE(line.height(), 56);
    }

    /// Words on every colour that a mode can have: WCAG's contrast of 4.5, by the colours as they are mixed.
    void wordsOnTheColoursOfModes_canBeRead()
    {
        for (const bool dark : {false, true}) {
            const Theme& theme = dark ? Theme::darkTheme() : Theme::light();
            const auto light = [](const QColor& c) {
                const auto part = [](double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
                return 0.2126 * part(c.redF()) + 0.7152 * part(c.greenF()) + 0.0722 * part(c.blueF());
            };
            for (const QColor& mixed : modeColours(theme)) {
                const double a = light(mixed), b = light(theme.text);
                QVERIFY2((std::max(a, b) + 0.05) / (std::min(a, b) + 0.05) >= 4.5, qPrintable(mixed.name()));
            }
        }
    }

    void labelsAreShortWordsOfTheirEvents()
    {
        using namespace run;
        const auto done = [](CommandPayload payload) { return label(CommandDone{.payload = std::move(payload)}); };
        QCOMPARE(done(SetParameter{"L", 2}), std::string("L = 2"));
        QCOMPARE(done(SetFormulation{"projection"}), std::string("projection"));
        QCOMPARE(label(Failure{{"the step became too small", {}, {}, {}, {}}}), std::string("stopped"));
        QCOMPARE(label(PivotChange{.from = {"bob.y"}, .to = {"bob.x"}}), std::string("pivot y -> x"));
        QCOMPARE(label(PivotChange{.from = {"a.x", "b.x"}, .to = {"b.x", "c.x"}}), std::string("pivot a.x -> c.x"));
        QVERIFY(label(Started{"ggl", "ida"}).empty());
        // The whole sentence stands in the tool tip of the words, and a click on them goes to their event.
        TimeLine line;
        prepare(line);
        QStringList shown;
        const std::vector<EventLabel> labels = line.labels();
        for (const EventLabel& one : labels) {
            shown << one.text;
            QSignalSpy scrubbed(&line, &TimeLine::scrubbed), clicked(&line, &TimeLine::eventClicked);
            QTest::mouseClick(&line, Qt::LeftButton, {}, one.box.center().toPoint());
            QCOMPARE(clicked.count(), 1);
            const TimeLineRun run = twoRuns()[static_cast<std::size_t>(one.run)];
            const Event& event = run.events[static_cast<std::size_t>(one.event)];
            QCOMPARE(scrubbed.last().at(0).toDouble(), event.t);
            QHelpEvent help(QEvent::ToolTip, one.box.center().toPoint(), line.mapToGlobal(one.box.center().toPoint()));
            QApplication::sendEvent(&line, &help);
            QVERIFY(QToolTip::text().contains(QString::fromStdString(words(event)).toHtmlEscaped()));
        }
        for (const char* wanted : {"pivot y→x", "projection", "pivot x→y", "stopped"})
            QVERIFY2(shown.contains(QString::fromUtf8(wanted)), wanted);
    }

    /// Between a cut and the next painting the words of an event that is gone lead nowhere.
    void wordsOfEventsThatAreCutLeadNowhere()
    {
        TimeLine line;
        prepare(line);
        const std::vector<EventLabel> labels = line.labels();
        QVERIFY(!labels.empty());
        auto cut = twoRuns();
        cut.resize(1);
        cut[0].events.clear();
        line.setRuns(cut);
        for (const EventLabel& one : labels) {
            QSignalSpy clicked(&line, &TimeLine::eventClicked);
            QTest::mouseClick(&line, Qt::LeftButton, {}, one.box.center().toPoint());
            QCOMPARE(clicked.count(), 0);
            QHelpEvent help(QEvent::ToolTip, one.box.center().toPoint(), line.mapToGlobal(one.box.center().toPoint()));
            QApplication::sendEvent(&line, &help);
        }
    }

    /// Twelve runs' worth of events in a narrow and in a wide line: no words on other words or on marks, and what counts most
    /// has some first.
    void onACrowdedLineNoWordsLieOnOthers_data()
    {
        QTest::addColumn<int>("width");
        QTest::newRow("narrow") << 420;
        QTest::newRow("wide") << 1240;
    }

    void onACrowdedLineNoWordsLieOnOthers()
    {
        QFETCH(int, width);
        using namespace run;
        std::vector<TimeLineRun> runs(3);
        for (int r = 0; r < 3; ++r) {
            TimeLineRun& one = runs[static_cast<std::size_t>(r)];
            one.colour = r;
            one.name = QStringLiteral("Run %1").arg(r + 1);
            one.reached = 20;
            one.selected = r == 0;
            for (int k = 0; k < 40; ++k) { // first in a crowd, then less so
                const double t = (k < 30 ? 0.2 + 0.25 * k : 8.5 + 1.2 * (k - 30)) + 0.09 * ((k * 7 + r * 3) % 5);
                if (k % 5 == r)
                    one.events.push_back({t, CommandDone{SetParameter{"L", 1 + 0.1 * k}}});
                else if (k % 5 == 4)
                    one.events.push_back({t, PivotChange{.from = {"bob.y"}, .to = {"bob.x"}}});
                else if (k % 7 == 0)
                    one.events.push_back({t, Correction{.positions = 1e-3, .velocities = 1e-3}});
            }
            one.events.push_back({8, CommandDone{SetParameter{"g", 5}}}); // of all runs at one time
        }
        runs[1].failed = true;
        runs[1].events.push_back({19.9, Failure{{"the step became too small", {}, {}, {}, {}}}});
        TimeLine line;
        line.resize(width, 56);
        line.setRuns(runs);
        line.show();
        const std::vector<EventLabel> labels = line.labels();
        std::size_t all = 0;
        int ofGravity = 0;
        for (const TimeLineRun& one : runs)
            all += one.events.size();
        const std::size_t least = width < 1000 ? 2 : 5;
        QVERIFY2(labels.size() >= least && labels.size() < all, qPrintable(QString::number(labels.size())));
        for (const EventLabel& a : labels) {
            ofGravity += a.text == "g = 5";
            QVERIFY(a.box.left() >= 0 && a.box.right() <= width && a.box.top() >= 0);
            QVERIFY(a.box.width() >= QFontMetricsF(uiFont(kTickPixels - 1)).horizontalAdvance(a.text) - 1e-6);
            for (const EventLabel& b : labels)
                QVERIFY2(&a == &b || !a.box.intersects(b.box), qPrintable(a.text + " on " + b.text));
            for (std::size_t r = 0; r < runs.size(); ++r)
                for (const Event& event : runs[r].events)
                    QVERIFY2(event.kind() == EventKind::Pivot || line.xOf(event.t) <= a.box.left() - 4
                                 || line.xOf(event.t) >= a.box.right() + 4,
                             qPrintable(a.text + " on a mark"));
        }
        QVERIFY(ofGravity <= 1);
        QVERIFY(std::ranges::any_of(labels, [](const EventLabel& one) { return one.text == "stopped"; }));
    }

    /// A change made while looking back leaves two marks at one time: the words of the change choose first.
    void aBranchGivesWayToTheChangeThatItWasMadeFor()
    {
        TimeLineRun one;
        one.reached = 9;
        one.events = {{4, run::CommandDone{run::Branch{4}}}, {4, run::CommandDone{run::SetParameter{"g", 5}}}};
        TimeLine line;
        line.resize(560, 56);
        line.setRuns({one});
        bool said = false;
        for (const EventLabel& label : line.labels()) // the first choice is the place at the right
            said = said || (label.text == "g = 5" && label.box.left() > line.xOf(4));
        QVERIFY(said);
    }

    /// Arrows that end in one place, as seen from the side: four numbers around it, no fifth one over them.
    void wordsBesidePointsKeepClearOfEachOther()
    {
        const QFontMetricsF metrics(uiFont(kTickPixels));
        std::vector<QRectF> taken{QRectF(400, 0, 50, 50)}; // a button
        int placed = 0;
        for (int i = 0; i < 6; ++i)
            placed += freePlace({200, 200}, QStringLiteral("12.3 N"), metrics, taken).has_value();
        QCOMPARE(placed, 4);
        QVERIFY(freePlace({600, 200}, QStringLiteral("12.3 N"), metrics, taken));
        const auto beside = freePlace({398, 30}, QStringLiteral("12.3 N"), metrics, taken);
        QVERIFY(beside && beside->x() < 398); // left of the button
        for (std::size_t i = 0; i < taken.size(); ++i)
            for (std::size_t j = 0; j < i; ++j)
                QVERIFY(!taken[i].intersects(taken[j]));
    }

    /// Undone where it was done: the value that holds has the words.
    void ofTwoValuesSetAtOneTimeTheLastHasTheWords()
    {
        TimeLineRun one;
        one.reached = 9;
        one.events = {{4, run::CommandDone{run::Branch{4}}},
                      {4, run::CommandDone{run::SetParameter{"L", 2}}},
                      {4, run::CommandDone{run::SetParameter{"g", 5}}},
                      {4, run::CommandDone{run::SetParameter{"L", 1}}},
                      {6, run::CommandDone{run::SetParameter{"L", 3}}}};
        TimeLine line;
        line.resize(900, 56);
        line.setRuns({one});
        QStringList said;
        for (const EventLabel& label : line.labels())
            said << label.text;
        QVERIFY2(!said.contains("L = 2"), qPrintable(said.join(", ")));
        QVERIFY2(said.contains("L = 3") && (said.contains("L = 1") || said.contains("g = 5")), qPrintable(said.join(", ")));
    }

    void labelsCanBeRead_data() { reachedRangePivotsAndMarksAreDrawnInTheirColours_data(); }

    /// Letters and ground within the plots' range, where the ground is shaded. Strokes of one pixel are smoothed.
    void labelsCanBeRead()
    {
        QFETCH(bool, dark);
        constexpr double kReadable = 4.5, kSmoothed = 0.85;
        const auto luminance = [](QRgb c) {
            const auto linear = [](int v) {
                const double s = v / 255.0;
                return s <= 0.04045 ? s / 12.92 : std::pow((s + 0.055) / 1.055, 2.4);
            };
            return 0.2126 * linear(qRed(c)) + 0.7152 * linear(qGreen(c)) + 0.0722 * linear(qBlue(c));
        };
        TimeLine line;
        prepare(line);
        line.setTime(0.5);
        line.setDark(dark);
        line.setVisibleRange(1, 20);
        QImage image = line.grab().toImage();
        QVERIFY(!line.labels().empty());
        for (const EventLabel& one : line.labels()) {
            std::vector<double> all;
            const QRect box = one.box.toAlignedRect() & image.rect();
            for (int y = box.top(); y <= box.bottom(); ++y)
                for (int x = box.left(); x <= box.right(); ++x)
                    all.push_back(luminance(image.pixel(x, y)));
            const auto [least, most] = std::ranges::minmax(all);
            const double contrast = (most + 0.05) / (least + 0.05);
            QVERIFY2(contrast >= kSmoothed * kReadable, qPrintable(one.text + " " + QString::number(contrast)));
        }
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

    /// A motion that the model states to be over in 0.05 s fills the line, and grows beyond that as others do.
    void axisBeginsWithTheSpanOfTheModel()
    {
        TimeLine line;
        line.resize(560, 56);
        line.setShortest(0.05);
        QCOMPARE(line.span(), 0.05);
        line.setTime(0.0501);
        QCOMPARE(line.span(), 0.06);
        line.setRuns(twoRuns());
        QCOMPARE(line.span(), 20.0);
    }
};

QTEST_MAIN(TestTimeLine)
#include "test_timeline.moc"
