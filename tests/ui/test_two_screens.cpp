// label: long
// Two screens, as in a lecture hall, the wall with exactly 1280 x 720: the stage goes to the one that the window is not on, and
// the guide stays with the lecturer.
#include <QFile>
#include <QScreen>
#include <QSettings>
#include <QTemporaryDir>

#include "tests/run/RunFixture.h"
#include "tests/ui/WindowFixture.h"
#include "ui/panels/LessonPanel.h"
#include "ui/panels/RunRow.h"
#include "ui/panels/StageWindow.h"

using namespace driftless;
using namespace driftless::ui;
using namespace driftless::ui::test;

namespace {

const QRect kDesk(0, 0, 1400, 900), kWall(1400, 0, 1280, 720);

/// The offscreen platform makes the screens that a file asks for.
bool askForScreens(const QString& path)
{
    const auto screen = [](const char* name, const QRect& place) {
        return QStringLiteral(R"({"name": "%1", "x": %2, "y": %3, "width": %4, "height": %5})")
            .arg(QLatin1String(name))
            .arg(place.x())
            .arg(place.y())
            .arg(place.width())
            .arg(place.height());
    };
    QFile file(path);
    return file.open(QIODevice::WriteOnly)
           && file.write(QStringLiteral(R"({"screens": [%1, %2]})").arg(screen("desk", kDesk), screen("wall", kWall)).toUtf8())
                  > 0
           && qputenv("QT_QPA_PLATFORM", "offscreen:configfile=" + path.toLocal8Bit());
}

} // namespace

class TestTwoScreens : public QObject {
    Q_OBJECT

private slots:
    void thereAreTwo()
    {
        const auto screens = QGuiApplication::screens();
        QCOMPARE(screens.size(), 2);
        QCOMPARE(screens[0]->geometry(), kDesk);
        QCOMPARE(screens[1]->geometry(), kWall);
    }

    void theStageTakesTheOtherScreen_theGuideStays()
    {
        Fixture f;
        QVERIFY(f.window.openFirstStart().ok());
        QVERIFY(f.window.openLesson("drift-off").ok());
        QCOMPARE(f.window.screen()->geometry(), kDesk);
        const QRect before = f.window.geometry();
        f.window.setStaged(true);
        QTest::qWait(50);
        auto* stage = f.window.findChild<StageWindow*>("stageWindow");
        QVERIFY(stage && stage->isOpen());
        QCOMPARE(stage->screen()->geometry(), kWall);
        QCOMPARE(stage->geometry(), kWall);
        QCOMPARE(f.find<QWidget>("scene")->window(), static_cast<QWidget*>(stage));
        // The lecturer's window is where it was, with the guide; its Next shows the next step on both.
        QCOMPARE(f.window.geometry(), before);
        auto* guide = f.find<LessonPanel>("lessonPanel");
        QVERIFY(guide->isVisible() && guide->window() == &f.window);
        QVERIFY(f.find<QWidget>("lessonText")->isVisible());
        QVERIFY(f.click("lessonNext"));
        QCOMPARE(guide->step(), 1);
        const auto* said = stage->findChild<QLabel*>("stageStep");
        QVERIFY2(said->text().contains("2 of"), qPrintable(said->text()));
        f.window.setStaged(false);
        QTest::qWait(50);
        QVERIFY(!stage->isVisible());
        QCOMPARE(f.find<QWidget>("scene")->window(), static_cast<QWidget*>(&f.window));
        QCOMPARE(guide->step(), 1);
    }

    void aWindowOnTheWall_leavesTheDeskToTheStage()
    {
        Fixture f;
        QVERIFY(f.window.openFirstStart().ok());
        f.window.move(kWall.topLeft() + QPoint(40, 40));
        QTRY_COMPARE(f.window.screen()->geometry(), kWall);
        f.window.setStaged(true);
        auto* stage = f.window.findChild<StageWindow*>("stageWindow");
        QVERIFY(stage);
        QCOMPARE(stage->geometry(), kDesk);
        f.window.setStaged(false);
    }

    /// All eight are in sight in one line, and what happens to one of them moves none.
    void eightChipsStandInOneLine_andStayThere()
    {
        Fixture f({1280, 720});
        QVERIFY(f.document.opener().openModel("pendulum").ok());
        f.document.laboratory().waitUntil(0.5);
        run::PivotChoice pinned{.automatic = false, .dummies = {f.document.system().coordinates[0].name}};
        if (!f.document.control().setPivot(f.key(0), pinned)) {
            pinned.dummies = {f.document.system().coordinates[1].name};
            QVERIFY(f.document.control().setPivot(f.key(0), pinned));
        }
        while (f.document.runs().size() < 8)
            QVERIFY(f.document.control().addRun(driftless::test::settings("index-1", "rk4", 0.05)));
        f.window.setStaged(true);
        auto* stage = f.window.findChild<StageWindow*>("stageWindow");
        QVERIFY(stage && QTest::qWaitFor([&] { return stage->isVisible(); }, 2000));
        QTest::qWait(100);
        QCOMPARE(stage->geometry(), kWall); // nothing in it asks for more
        const auto places = [&] {
            std::vector<QRect> all;
            for (int run = 1; run <= 8; ++run) {
                const auto* chip = stage->findChild<RunChip*>(QStringLiteral("chip_%1").arg(run));
                all.push_back(chip && chip->isVisible() ? QRect(chip->mapTo(stage, QPoint()), chip->size()) : QRect());
            }
            return all;
        };
        const auto before = places();
        // "8 index-1" and its mark: wide enough for every form whose name is as short.
        const int least = QFontMetrics(uiFont(qRound(kTextPixels * stage->scale()))).horizontalAdvance("8 index-1");
        for (std::size_t i = 0; i < before.size(); ++i) {
            QVERIFY2(stage->rect().contains(before[i]) && before[i].width() > least, qPrintable(QString::number(i)));
            QCOMPARE(before[i].top(), before[0].top());
            QVERIFY(i == 0 || before[i].left() > before[i - 1].right());
        }
        f.document.bench().select(f.key(2)); // another one is selected
        QTest::keyClick(stage, Qt::Key_4);   // and takes another form, whose name is longer
        QTest::qWait(150);
        QCOMPARE(QString::fromStdString(f.document.shown(f.key(2)).settings.formulation), QStringLiteral("baumgarte"));
        QCOMPARE(places(), before);
        f.document.laboratory().waitUntil(20); // the pinned one stops
        QCOMPARE(f.status(0).state, run::RunState::Failed);
        QTest::qWait(250);
        QCOMPARE(places(), before);
        f.window.setStaged(false);
    }
};

int main(int argc, char** argv)
{
    const QTemporaryDir folder;
    if (!askForScreens(folder.filePath("screens.json")))
        return 1;
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, folder.path());
    QApplication application(argc, argv);
    TestTwoScreens test;
    return QTest::qExec(&test, argc, argv);
}
#include "test_two_screens.moc"
