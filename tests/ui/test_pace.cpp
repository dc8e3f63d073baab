// The clock says when it plays slower than asked, and a model brings its own span and speed.
#include <QSettings>
#include <QTemporaryDir>

#include <map>

#include "core/reduction/Reduced.h"
#include "tests/ui/WindowFixture.h"
#include "ui/document/ModelPace.h"
#include "ui/document/SpeedMeter.h"
#include "ui/panels/PlotColumn.h"
#include "ui/views/PlotData.h"
#include "ui/views/TimeLine.h"

using namespace driftless;
using namespace driftless::ui;
using namespace driftless::ui::test;

namespace {

constexpr double kFrame = 0.016; ///< [s]

/// A clock that goes at some speed for some seconds of wall time; what the meter said last, and how often it changed its mind.
struct Watched {
    SpeedMeter meter;
    run::ClockStatus clock{.playing = true, .speed = 5};
    std::optional<double> said;
    int changes = 0;

    void play(double speed, double seconds)
    {
        for (double wall = 0; wall < seconds; wall += kFrame) {
            clock.t += speed * kFrame;
            stand(kFrame);
        }
    }
    void stand(double seconds)
    {
        const auto now = meter.frame(seconds, clock);
        changes += now.has_value() != said.has_value();
        said = now;
    }
};

} // namespace

class TestPace : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;

private slots:
    void initTestCase() { QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, folder_.path()); }

    void aSpeedThatIsKeptIsNotSpokenOf()
    {
        Watched w;
        w.play(5, 10);
        QVERIFY(!w.said);
        w.stand(0.25); // a stall is no speed
        w.play(5, 3);
        w.clock.playing = false;
        w.stand(5);
        w.clock.playing = true;
        w.play(5, 3);
        w.clock.t = 1; // looked back, and played from there
        w.play(5, 3);
        QCOMPARE(w.changes, 0);
    }

    void aSpeedThatIsNotKeptIsSaid()
    {
        Watched w;
        w.play(0.05, 1);
        QVERIFY(!w.said); // too short to be measured
        w.play(0.05, 1);
        QVERIFY(w.said);
        QVERIFY(std::abs(*w.said - 0.05) < 1e-9);
        w.clock.playing = false;
        w.stand(kFrame);
        QVERIFY(!w.said);
    }

    void whatIsNearTheLimitDoesNotFlicker()
    {
        Watched w;
        for (int k = 0; k < 20; ++k) // between the limit to speak and the limit to be silent
            w.play(k % 2 ? 0.78 * 5 : 0.92 * 5, 2);
        QCOMPARE(w.changes, 1);
        w.play(5, 3);
        QVERIFY(!w.said);
        QCOMPARE(w.changes, 2);
    }

    void theBarSaysIt()
    {
        Fixture f;
        QVERIFY(f.document.opener().openModel("pendulum").ok());
        auto* label = f.find<QLabel>("behindLabel");
        f.document.playback().setSpeed(0.02);
        f.document.playback().play();
        QTest::qWait(2500);
        QVERIFY(!label->isVisible());
        f.document.playback().setSpeed(1e6); // no machine computes that
        QVERIFY(QTest::qWaitFor([label] { return label->isVisible(); }, 10000));
        QVERIFY2(label->text().endsWith(QStringLiteral("× of 1e+06×")), qPrintable(label->text()));
        f.document.playback().pause();
        QVERIFY(QTest::qWaitFor([label] { return !label->isVisible(); }, 2000));
    }

    void aModelBringsItsSpanAndItsSpeed()
    {
        Fixture f;
        QVERIFY(f.document.opener().openModel("andrews").ok());
        QTest::qWait(100);
        QCOMPARE(f.window.timeLine().span(), 0.05);
        QCOMPARE(f.window.plots().timeEnd(), 0.05);
        QCOMPARE(f.document.laboratory().clock().speed, 0.005);
        QCOMPARE(f.find<QComboBox>("speedCombo")->currentText(), QStringLiteral("0.005×"));
        QVERIFY2(f.value("timeLabel") == "t = 0.0000 s", qPrintable(f.value("timeLabel")));
        // The next document has its own again, the same one keeps what was chosen.
        QVERIFY(f.document.opener().openModel("pendulum").ok());
        QTest::qWait(100);
        QCOMPARE(f.window.timeLine().span(), 10.0);
        QCOMPARE(f.document.laboratory().clock().speed, 1.0);
        f.document.playback().setSpeed(5);
        QVERIFY(f.document.edits().setInitialValue("bob.x'", 0.5) || f.document.edits().setInitialValue("bob.y'", 0.5));
        QCOMPARE(f.document.laboratory().clock().speed, 5.0);
    }

    /// What comes and goes beside the clock takes its room from the title and moves no button.
    void theTitleHasTheRoomThatIsThere()
    {
        Fixture f;
        QVERIFY(f.window.openFirstStart().ok());
        QTest::qWait(50);
        const auto* title = f.find<QLabel>("titleLabel");
        QVERIFY(!title->text().isEmpty());
        QVERIFY2(title->fontMetrics().horizontalAdvance(title->text()) <= title->contentsRect().width(),
                 qPrintable(QString::number(title->width())));
        const auto places = [&] {
            std::map<QString, QRect> out;
            for (const auto* button : f.find<QWidget>("topBar")->findChildren<QToolButton*>())
                if (button->isVisible() && button->objectName() != "thenButton")
                    out[button->objectName()] = button->geometry();
            return out;
        };
        const auto before = places();
        QVERIFY(before.size() > 10);
        f.document.playback().play();
        QVERIFY(f.playUntil(0.5));
        f.document.playback().scrub(0.2);
        QTest::qWait(150);
        QVERIFY(f.find<QToolButton>("thenButton")->isVisible());
        QVERIFY(places() == before);
    }

    void onlyShortMotionsArePlayedSlower()
    {
        model::Model model;
        QCOMPARE(firstRange(model), 10.0);
        const struct {
            double end, range, speed;
        } cases[] = {{0.05, 0.05, 0.005}, {0.3, 0.3, 0.02}, {1, 1, 1}, {3, 3, 1}, {10, 10, 1}, {500, 10, 1}};
        model.run.endStated = true;
        for (const auto& one : cases) {
            model.run.end = one.end;
            QCOMPARE(firstRange(model), one.range);
            QCOMPARE(firstSpeed(model), one.speed);
        }
        // A text of equations states its own, too: five periods of the mains are not a line at the edge of ten seconds.
        const auto bridge = reduction::openModel("ideal-bridge");
        QVERIFY(bridge.ok());
        QCOMPARE(firstRange(**bridge), 0.1);
        QCOMPARE(firstSpeed(**bridge), 0.01);
        QCOMPARE(timeDecimals(10), 2);
        QCOMPARE(timeDecimals(0.05), 4);
    }
};

QTEST_MAIN(TestPace)
#include "test_pace.moc"
