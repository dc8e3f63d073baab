// label: long
// The stage: how much of the screen scene and plot have, that every step of every lesson fits into its caption, its keys, and
// that the window gets everything back as it was.
#include <QElapsedTimer>
#include <QSettings>
#include <QTemporaryDir>

#include <ctime>

#include "core/lesson/Lesson.h"
#include "tests/ui/WindowFixture.h"
#include "ui/panels/FormulationList.h"
#include "ui/panels/LessonPanel.h"
#include "ui/panels/MessageCard.h"
#include "ui/panels/PlotColumn.h"
#include "ui/panels/StageCaption.h"
#include "ui/panels/StageReadout.h"
#include "ui/panels/StageWindow.h"
#include "ui/views/SceneView.h"

using namespace driftless;
using namespace driftless::ui;
using namespace driftless::ui::test;

namespace {

constexpr double kSceneAndPlot = 0.85; ///< of the area, at least

/// Everything in sight of the window, with its place.
QMap<const QWidget*, QRect> rectangles(const MainWindow& window)
{
    QMap<const QWidget*, QRect> out;
    for (const QWidget* widget : window.findChildren<QWidget*>())
        if (widget->isVisible() && widget->window() == &window)
            out[widget] = QRect(widget->mapTo(&window, QPoint()), widget->size());
    return out;
}

/// By its key; the offscreen platform makes it as large as its screen, so the size is given afterwards.
StageWindow* openStage(Fixture& f, QSize size)
{
    QApplication::setActiveWindow(&f.window);
    QTest::keyClick(&f.window, Qt::Key_F5);
    auto* stage = f.window.findChild<StageWindow*>("stageWindow");
    if (!stage || !QTest::qWaitFor([&] { return stage->isVisible(); }, 2000))
        return nullptr;
    stage->showNormal();
    stage->resize(size);
    QTest::qWait(100);
    QApplication::setActiveWindow(stage);
    return stage->size() == size ? stage : nullptr;
}

double areaOf(const QWidget& widget) { return static_cast<double>(widget.width()) * widget.height(); }

void keepStage(QWidget& window, const QString& name)
{
    if (const QString folder = qEnvironmentVariable("DRIFTLESS_KEEP_PICTURES"); !folder.isEmpty())
        window.grab().save(QStringLiteral("%1/stage-%2.png").arg(folder, name));
}

/// Sees the first time that a widget is painted.
class FirstPaint : public QObject {
public:
    explicit FirstPaint(QWidget& of) { of.installEventFilter(this); }
    bool painted = false;

protected:
    bool eventFilter(QObject*, QEvent* event) override
    {
        painted = painted || event->type() == QEvent::Paint;
        return false;
    }
};

} // namespace

class TestStage : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

private slots:
    void initTestCase() { QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, folder_.path()); }

    void sceneAndPlotHaveTheScreen_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<QString>("lesson");
        for (const QSize size : {QSize(1280, 720), QSize(1920, 1080)})
            for (const char* lesson : {"", "drift-off", "index-3-oscillates"})
                QTest::addRow("%d %s", size.width(), lesson) << size << QString::fromLatin1(lesson);
    }
    void sceneAndPlotHaveTheScreen()
    {
        QFETCH(QSize, size);
        QFETCH(QString, lesson);
        Fixture f;
        QVERIFY(f.window.openFirstStart().ok());
        if (!lesson.isEmpty())
            QVERIFY(f.window.openLesson(lesson).ok());
        f.document.laboratory().waitUntil(2);
        f.window.showAt(2);
        for (const bool dark : {false, true}) {
            f.window.setDark(dark);
            StageWindow* stage = openStage(f, size);
            QVERIFY(stage);
            QTest::qWait(200);
            keepStage(*stage, QStringLiteral("%1-%2-%3").arg(size.width()).arg(lesson).arg(dark));
            const QWidget& scene = f.window.scene();
            const QWidget& plot = f.window.plots();
            QVERIFY(scene.window() == stage && plot.window() == stage && scene.isVisible() && plot.isVisible());
            QCOMPARE(f.window.plots().count(), 1);
            const double share = (areaOf(scene) + areaOf(plot)) / areaOf(*stage);
            QVERIFY2(share >= kSceneAndPlot, qPrintable(QString::number(share)));
            QVERIFY(areaOf(scene) > areaOf(plot));
            const auto* caption = stage->findChild<StageCaption*>();
            QCOMPARE(caption->isVisible(), !lesson.isEmpty());
            if (caption->isVisible()) {
                const double covered = areaOf(*caption) / areaOf(scene);
                QVERIFY2(covered <= StageCaption::kMostShare, qPrintable(QString::number(covered)));
                QVERIFY(scene.rect().contains(caption->geometry()));
            }
            QTest::keyClick(stage, Qt::Key_Escape);
            QVERIFY(!stage->isVisible() && !f.window.isStaged());
            QCOMPARE(f.window.scene().window(), &f.window);
        }
    }

    void everyStepOfEveryLessonFits_data()
    {
        QTest::addColumn<QString>("lesson");
        for (const auto& lesson : lesson::shippedLessons())
            QTest::newRow(lesson.id.c_str()) << QString::fromStdString(lesson.id);
    }
    void everyStepOfEveryLessonFits()
    {
        QFETCH(QString, lesson);
        Fixture f;
        QVERIFY(f.window.openLesson(lesson).ok());
        StageWindow* stage = openStage(f, {1280, 720});
        QVERIFY(stage);
        auto* panel = f.find<LessonPanel>("lessonPanel");
        const auto* caption = stage->findChild<StageCaption*>();
        const int steps = static_cast<int>(panel->current()->steps.size());
        for (int step = 0; step < steps; ++step) {
            panel->goTo(step);
            f.document.playback().pause();
            QTest::qWait(20);
            for (const bool answered : {false, true}) {
                if (answered && !panel->current()->steps[static_cast<std::size_t>(step)].question)
                    continue;
                if (answered) { // the longest that can come back
                    const auto& question = *panel->current()->steps[static_cast<std::size_t>(step)].question;
                    panel->question().say(QStringLiteral("**Right.** ") + QString::fromStdString(question.explanation),
                                          LessonQuestion::Tone::Right);
                    QTest::qWait(5);
                }
                const QString where = QStringLiteral("step %1, %2").arg(step + 1).arg(answered);
                QVERIFY2(caption->isVisible() && caption->complete(), qPrintable(where));
                for (const char* name : {"stageText", "stageFormula"}) {
                    const auto* label = caption->findChild<QLabel*>(name);
                    QVERIFY2(!label->isVisible() || label->height() >= label->heightForWidth(label->width()),
                             qPrintable(QStringLiteral("%1: %2 has %3 of %4")
                                            .arg(where, name)
                                            .arg(label->height())
                                            .arg(label->heightForWidth(label->width()))));
                }
                for (const auto* button : caption->findChildren<QAbstractButton*>())
                    QVERIFY2(!button->isVisible()
                                 || caption->rect().contains(QRect(button->mapTo(caption, QPoint()), button->size())),
                             qPrintable(where + button->text()));
                keepStage(*stage, QStringLiteral("lesson-%1-%2-%3").arg(lesson).arg(step + 1).arg(answered));
            }
        }
    }

    void leavingGivesEverythingBack_data()
    {
        QTest::addColumn<QString>("lesson");
        QTest::addColumn<QSize>("size");
        for (const QSize size : {QSize(1280, 720), QSize(1920, 1080)})
            for (const char* lesson : {"", "drift-off"})
                QTest::addRow("%d %s", size.width(), lesson) << QString::fromLatin1(lesson) << size;
    }
    void leavingGivesEverythingBack()
    {
        QFETCH(QString, lesson);
        QFETCH(QSize, size);
        Fixture f(size);
        QVERIFY(f.window.openFirstStart().ok());
        if (!lesson.isEmpty())
            QVERIFY(f.window.openLesson(lesson).ok());
        f.document.playback().pause();
        QTest::qWait(150);
        const auto before = rectangles(f.window);
        const auto specs = f.window.plots().specs();
        QVERIFY2(before.size() > 45, qPrintable(QString::number(before.size())));
        for (int times = 0; times < 2; ++times) {
            StageWindow* stage = openStage(f, {1920, 1080});
            QVERIFY(stage);
            QTest::qWait(100);
            QTest::keyClick(stage, times == 0 ? Qt::Key_Escape : Qt::Key_F5);
            QTest::qWait(150);
            QVERIFY(!f.window.isStaged() && !f.window.actionRegistry().isChecked("stage"));
            const auto after = rectangles(f.window);
            for (auto one = before.begin(); one != before.end(); ++one)
                QVERIFY2(after.value(one.key()) == one.value(),
                         qPrintable(one.key()->objectName() + one.key()->metaObject()->className()));
            QCOMPARE(after.size(), before.size());
            QCOMPARE(f.window.plots().specs().size(), specs.size());
        }
    }

    void thePresentersKeys()
    {
        Fixture f;
        QVERIFY(f.window.openLesson("drift-off").ok());
        auto* panel = f.find<LessonPanel>("lessonPanel");
        panel->goTo(0);
        f.document.playback().pause();
        StageWindow* stage = openStage(f, {1280, 720});
        QVERIFY(stage);
        QTest::keyClick(stage, Qt::Key_PageDown);
        QCOMPARE(panel->step(), 1);
        QTest::keyClick(stage, Qt::Key_Right);
        QCOMPARE(panel->step(), 2);
        QTest::keyClick(stage, Qt::Key_Left);
        QTest::keyClick(stage, Qt::Key_PageUp);
        QCOMPARE(panel->step(), 0);
        f.document.playback().pause();
        // The formulation of the selected run.
        const auto form = [&f] { return f.document.status(f.document.bench().selected()).settings.formulation; };
        for (std::size_t number = 1; number <= stageFormulations().size(); ++number) {
            const std::string wanted = stageFormulations()[number - 1].toStdString();
            const std::string before = form();
            QTest::keyClick(stage, static_cast<Qt::Key>(Qt::Key_0 + static_cast<int>(number)));
            QTest::qWait(20);
            const bool refused = f.find<QWidget>("messageCard")->isVisible();
            QVERIFY2(form() == wanted || (refused && form() == before), wanted.c_str());
            QVERIFY(stage->findChild<QLabel*>("stageKeys")->isVisible());
        }
        // What was refused is not offered any more.
        const auto* keys = stage->findChild<QLabel*>("stageKeys");
        QTest::keyClick(stage, Qt::Key_8);
        const bool chart = form() == "state-space";
        QCOMPARE(keys->text().contains("not with this model and method"), !chart || keys->text().count("<tr style") > 0);
        QTest::keyClick(stage, Qt::Key_4);
        QCOMPARE(form(), std::string("baumgarte"));
        QVERIFY(stage->findChild<QLabel*>("stageKeys")->text().contains("<b>Baumgarte"));
        // One key too many closes no lesson.
        const int last = static_cast<int>(panel->current()->steps.size()) - 1;
        panel->goTo(last);
        for (int i = 0; i < 3; ++i)
            QTest::keyClick(stage, Qt::Key_PageDown);
        QVERIFY(panel->current());
        QCOMPARE(panel->step(), last);
        panel->goTo(0);
        f.document.playback().pause();
        // Time, blank, and out.
        QVERIFY(!f.document.laboratory().clock().playing);
        QTest::keyClick(stage, Qt::Key_Space);
        QVERIFY(f.document.laboratory().clock().playing);
        QTest::keyClick(stage, Qt::Key_Space);
        QVERIFY(!f.document.laboratory().clock().playing);
        QTest::keyClick(stage, Qt::Key_Period);
        QVERIFY(stage->isBlank());
        QCOMPARE(qGray(stage->grab().toImage().pixel(640, 360)), 0);
        QTest::keyClick(stage, Qt::Key_Period);
        QVERIFY(!stage->isBlank());
        QTest::keyClick(stage, Qt::Key_Escape);
        QVERIFY(!stage->isVisible());
    }

    void fasterAndSlowerByTheirKeys()
    {
        Fixture f;
        QVERIFY(f.window.openFirstStart().ok());
        f.document.playback().pause();
        StageWindow* stage = openStage(f, {1280, 720});
        QVERIFY(stage);
        const auto speed = [&f] { return f.document.laboratory().clock().speed; };
        QCOMPARE(speed(), 1.0);
        QTest::keyClick(stage, Qt::Key_Plus);
        QTest::keyClick(stage, Qt::Key_Plus);
        QCOMPARE(speed(), 5.0); // of the list 1, 2, 5
        const auto* readout = stage->findChild<StageReadout*>("stageReadout");
        QVERIFY2(readout->lines().first().endsWith(QStringLiteral("5×")), qPrintable(readout->lines().first()));
        for (int i = 0; i < 40; ++i)
            QTest::keyClick(stage, Qt::Key_Minus);
        QCOMPARE(speed(), 0.002); // there the list ends
    }

    void aLessonIsFoundByNameOnTheStage()
    {
        Fixture f;
        QVERIFY(f.window.openFirstStart().ok());
        StageWindow* stage = openStage(f, {1280, 720});
        QVERIFY(stage);
        QTest::keyClick(stage, Qt::Key_K, Qt::ControlModifier);
        QTest::qWait(20);
        auto* palette = stage->findChild<QWidget*>("commandPalette");
        QVERIFY(palette && palette->isVisible());
        auto* field = palette->findChild<QLineEdit*>("paletteField");
        QTest::keyClicks(field, "baumg");
        QTest::keyClick(field, Qt::Key_Return);
        QTest::qWait(100);
        auto* panel = f.find<LessonPanel>("lessonPanel");
        QVERIFY(panel->current() && panel->current()->id == "baumgarte");
        QVERIFY(f.window.isStaged() && stage->findChild<StageCaption*>()->isVisible());
    }

    void whereTheTaskIsAnActionTheCaptionSaysIt()
    {
        Fixture f;
        QVERIFY(f.window.openLesson("baumgarte").ok());
        StageWindow* stage = openStage(f, {1280, 720});
        QVERIFY(stage);
        f.find<LessonPanel>("lessonPanel")->goTo(3);
        f.document.playback().pause();
        QTest::qWait(20);
        const QString said = stage->findChild<QLabel*>("stageText")->text();
        QVERIFY2(said.contains("Set **ω of run 1 to 30**"), qPrintable(said));
    }

    /// What is asked about comes from what the task says: one reads it first.
    void theTaskStandsBeforeAQuestionOfChoice_data()
    {
        QTest::addColumn<QString>("lesson");
        QTest::addColumn<int>("step");
        QTest::newRow("circuits") << "circuits" << 0;
        QTest::newRow("symplectic") << "symplectic" << 6;
    }
    void theTaskStandsBeforeAQuestionOfChoice()
    {
        QFETCH(QString, lesson);
        QFETCH(int, step);
        Fixture f;
        QVERIFY(f.window.openLesson(lesson).ok());
        StageWindow* stage = openStage(f, {1280, 720});
        QVERIFY(stage);
        auto* panel = f.find<LessonPanel>("lessonPanel");
        panel->goTo(step);
        f.document.playback().pause();
        QTest::qWait(20);
        const QString said = stage->findChild<QLabel*>("stageText")->text();
        const QString task = QString::fromStdString(panel->current()->steps[static_cast<std::size_t>(step)].task);
        QVERIFY2(said.startsWith(task.left(12)), qPrintable(said));
        // Where a task needs what is not here, a button leads to it.
        auto* back = stage->findChild<QPushButton*>("stageToWindow");
        QVERIFY(back && back->isVisible());
        QTest::mouseClick(back, Qt::LeftButton);
        QVERIFY(!f.window.isStaged());
    }

    void whatTheDeviationIsStandsBelowTheTime()
    {
        Fixture f;
        QVERIFY(f.window.openFirstStart().ok());
        StageWindow* stage = openStage(f, {1280, 720});
        QVERIFY(stage);
        f.document.playback().pause();
        f.document.laboratory().waitUntil(3);
        f.window.showAt(3);
        const int below = stage->findChild<StageReadout*>()->geometry().bottom() + 1;
        const QRect corner(12, below, 200, 40); // [px] beside the motion
        const auto shown = [&] {
            QTest::qWait(100);
            return f.window.scene().grab().toImage().copy(corner);
        };
        const QImage before = shown();
        f.window.actionRegistry().at("deviation").trigger();
        QVERIFY(shown() != before);
        keepStage(*stage, QStringLiteral("deviation"));
    }

    void theKeyOfTheLevelsHasAPlace()
    {
        Fixture f;
        QVERIFY(f.window.openLesson("index").ok());
        StageWindow* stage = openStage(f, {1280, 720});
        QVERIFY(stage);
        f.document.playback().pause();
        QTest::qWait(200);
        const QWidget* plot = f.window.plots().findChild<QWidget*>("plot_1");
        QVERIFY(plot && plot->isVisible());
        const auto* key = plot->findChild<QLabel*>("levelKey");
        QVERIFY(key && key->isVisible()); // the line above has no room for it beside its chooser
        QVERIFY(plot->rect().contains(key->geometry()));
        const QImage picture = key->pixmap().toImage();
        int inked = 0;
        for (int x = 0; x < picture.width(); ++x)
            inked += qGray(picture.pixel(x, picture.height() / 2)) < 160 ? 1 : 0;
        QVERIFY2(inked > 3 * 10, qPrintable(QString::number(inked))); // three lines of fifteen pixels each
    }

    void aCardFitsOnTheStageAndAfterIt()
    {
        Fixture f({1600, 900});
        QVERIFY(f.window.openFirstStart().ok());
        f.document.playback().pause();
        StageWindow* stage = openStage(f, {1600, 1000});
        QVERIFY(stage);
        auto* card = f.find<MessageCard>("messageCard");
        const auto fits = [card] {
            const auto* act = card->findChild<QPushButton*>("messageAction");
            return card->parentWidget()->rect().contains(card->geometry()) && act->width() >= act->sizeHint().width()
                   && card->rect().contains(act->geometry()) && card->height() <= card->parentWidget()->height() / 2;
        };
        card->say("Why did the rod shrink?", "Run 2 integrates only the twice differentiated constraint.",
                  "Switch run 2 to projection", [] {});
        QTest::qWait(50);
        QVERIFY(card->isVisible() && fits());
        QTest::keyClick(stage, Qt::Key_Escape);
        QTest::qWait(150);
        QVERIFY(!f.window.isStaged() && card->isVisible() && fits());
    }

    void anAnswerOnTheStageIsThatOfTheGuide()
    {
        Fixture f;
        QVERIFY(f.window.openLesson("drift-off").ok());
        auto* panel = f.find<LessonPanel>("lessonPanel");
        panel->goTo(2); // a choice
        StageWindow* stage = openStage(f, {1280, 720});
        QVERIFY(stage);
        f.document.playback().pause();
        const auto& options = panel->current()->steps[2].question->options;
        for (std::size_t i = 0; i < options.size(); ++i) {
            auto* button = stage->findChild<QPushButton*>(QStringLiteral("stageOption_%1").arg(i + 1));
            QVERIFY(button && button->isVisible());
            QTest::mouseClick(button, Qt::LeftButton);
            QCOMPARE(panel->question().chosen(), static_cast<int>(i));
            QTest::mouseClick(stage->findChild<QPushButton*>("stageCheck"), Qt::LeftButton);
            QVERIFY(panel->question().feedback().startsWith(options[i].right ? "**Right.**" : "**Not yet.**"));
            QCOMPARE(stage->findChild<QLabel*>("stageText")->text().left(6), panel->question().feedback().left(6));
            if (options[i].right) {
                QVERIFY(!button->isVisible()); // what comes back has the room
                break;
            }
        }
    }

    void theReadOutSaysTimeRunsAndRod()
    {
        Fixture f;
        QVERIFY(f.window.openFirstStart().ok());
        f.document.laboratory().waitUntil(18);
        StageWindow* stage = openStage(f, {1280, 720});
        QVERIFY(stage);
        f.window.showAt(18);
        QTest::qWait(50);
        const auto* readout = stage->findChild<StageReadout*>("stageReadout");
        QVERIFY(readout->isVisible());
        const QStringList lines = readout->lines();
        QCOMPARE(lines.size(), 3);
        QVERIFY2(lines[0].contains("18.00"), qPrintable(lines[0]));
        QVERIFY2(lines[1].contains("dummy-derivatives") && lines[1].contains("rod 1.000 m"), qPrintable(lines[1]));
        QVERIFY2(lines[2].contains("index-1") && lines[2].contains("rod 0.96"), qPrintable(lines[2])); // as the README says
    }

    void withEightRunsTheReadOutLeavesTheSceneFree()
    {
        Fixture f;
        QVERIFY(f.window.openFirstStart().ok());
        while (f.document.runs().size() < 8)
            QVERIFY(f.document.control().addRun(f.status(0).settings));
        f.window.setStaged(true);
        auto* stage = f.window.findChild<StageWindow*>("stageWindow");
        QVERIFY(stage && QTest::qWaitFor([&] { return stage->isVisible(); }, 2000));
        stage->showNormal();
        stage->resize(1280, 720);
        QTest::qWait(100);
        QVERIFY2(stage->width() <= 1400, qPrintable(QString::number(stage->width())));
        f.window.showAt(0);
        QTest::qWait(50);
        const auto* readout = stage->findChild<StageReadout*>("stageReadout");
        QCOMPARE(readout->lines().size(), 2); // the time and the selected run; the chips have all of them
        // Two lines take a fifteenth of the scene, nine would take a fifth and cover what swings there.
        QVERIFY(areaOf(*readout) < 0.1 * areaOf(*readout->parentWidget()));
    }

    void formsThatTheMethodDoesNotCarryAreNotOffered()
    {
        Fixture f;
        QVERIFY(f.document.opener().openModel("andrews").ok()); // without a chart
        QVERIFY(!f.document.system().chart);
        StageWindow* stage = openStage(f, {1280, 720});
        QVERIFY(stage);
        const QString offered = stage->findChild<QLabel*>("stageKeys")->text();
        const auto place = offered.indexOf(QStringLiteral("<tr style"));
        QVERIFY2(place >= 0, qPrintable(offered));
        const auto* chart = formulation::findFormulation("state-space");
        QVERIFY(offered.indexOf(formulationWords(chart->info()).toHtmlEscaped(), place) > place);
        QVERIFY(offered.contains("not with this model and method"));
    }

    /// A figure to read, no limit: the machine may be busy.
    void howSoonTheFirstFrameIsThere()
    {
        Fixture f({1920, 1080});
        QVERIFY(f.window.openFirstStart().ok());
        f.document.playback().pause();
        QTest::qWait(300);
        QApplication::setActiveWindow(&f.window);
        for (int times = 0; times < 4; ++times) {
            FirstPaint paint(f.window.scene());
            QElapsedTimer wall;
            wall.start();
            const std::clock_t busy = std::clock();
            f.window.setStaged(true);
            QVERIFY(QTest::qWaitFor([&] { return paint.painted; }, 5000));
            qInfo("the stage painted its first frame after %lld ms, %lld of them computing%s", wall.elapsed(),
                  static_cast<qint64>(std::clock() - busy) * 1000 / CLOCKS_PER_SEC, times == 0 ? " (made anew)" : "");
            QTest::qWait(100);
            f.window.setStaged(false);
            QTest::qWait(100);
        }
    }
};

QTEST_MAIN(TestStage)
#include "test_stage.moc"
