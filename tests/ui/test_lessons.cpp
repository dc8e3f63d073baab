// Every shipped lesson played from its first to its last step by clicks (acceptance 4), and the panel around it.
#include <QFile>
#include <QFileDialog>
#include <QListWidget>
#include <QScrollBar>
#include <QSettings>
#include <QTemporaryDir>

#include "core/lesson/Completion.h"
#include "core/measure/Registry.h"
#include "tests/support/Draw.h"
#include "tests/ui/LessonPlayer.h"
#include "ui/panels/LessonProgress.h"
#include "ui/panels/PlotColumn.h"
#include "ui/views/SceneView.h"

using namespace driftless;
using namespace driftless::ui;
using namespace driftless::ui::test;

class TestLessons : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    std::unique_ptr<Fixture> course_; ///< one window for all lessons, as in a course

private slots:
    void initTestCase()
    {
        QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, folder_.path());
        QApplication::setDoubleClickInterval(40); // a list that opens takes no click for so long
    }

    void everyLessonIsPlayed_data()
    {
        QTest::addColumn<QString>("id");
        const auto shipped = lesson::shippedLessons();
        QVERIFY(shipped.size() >= 12);
        for (const auto& lesson : shipped)
            QTest::newRow(lesson.id.c_str()) << QString::fromStdString(lesson.id);
    }
    void everyLessonIsPlayed()
    {
        QFETCH(QString, id);
        if (!course_) {
            course_ = std::make_unique<Fixture>(qEnvironmentVariableIsSet("DRIFTLESS_LESSON_PICTURES") ? QSize(1280, 720)
                                                                                                       : QSize(1000, 640));
            const QString look = qEnvironmentVariable("DRIFTLESS_LESSON_LOOK");
            course_->window.setDark(look.contains("dark"));
            course_->window.setPresenting(look.contains("presenting"));
            QVERIFY(course_->window.openFirstStart().ok());
            QVERIFY(course_->click("lessonsButton"));
        }
        Fixture& f = *course_;
        LessonPlayer player(f);
        const QString problem = player.play(id);
        QVERIFY2(problem.isEmpty(), qPrintable(problem));
        const auto lesson = lesson::openLesson(id.toStdString());
        QVERIFY(lesson.ok());
        QVERIFY(lesson->steps.back().exercise);
        // Steps without a question count as done when they are left.
        QCOMPARE(LessonProgress::done(id).size(), lesson->steps.size());
        auto* list = f.find<QListWidget>("lessonList");
        QVERIFY(list->currentItem()->text().startsWith(QStringLiteral("✓")));
    }

    /// The record of a lesson that was just played: saved by its button, and repeated as a lecturer would.
    void theRecordOfALessonIsSavedAndHolds()
    {
        Fixture& f = *course_;
        auto* panel = f.find<LessonPanel>("lessonPanel");
        QVERIFY(f.window.openLesson("drift-off").ok());
        QVERIFY(!f.find<QPushButton>("lessonRecord")->isVisible());
        panel->goTo(static_cast<int>(panel->current()->steps.size()) - 1);
        QVERIFY(f.click("lessonRecord"));
        auto* dialog = f.window.findChild<QFileDialog*>("lessonRecordDialog");
        QVERIFY(dialog);
        const QString path = folder_.filePath("record.json");
        emit dialog->fileSelected(path);
        dialog->close();
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto found = lesson::verifyCompletion(file.readAll().toStdString(), "record.json");
        QVERIFY2(found.ok(), found ? "" : found.error().text().c_str());
        for (const auto& step : found->steps)
            QVERIFY2(step.right, step.why.c_str());
        QVERIFY(found->complete() && found->steps.front().done.wrong > 0); // the player answers wrongly first
        panel->goTo(0);
    }

    void theCourseIsOver() { course_.reset(); }

    void aFileShowsAsItIsWritten()
    {
        const auto write = [this](const QString& title) {
            QFile file(folder_.filePath("mine.toml"));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(
                QStringLiteral(
                    "format = 1\nid = \"mine\"\ntitle = \"Mine\"\nsummary = \"One.\"\nsource = \"me\"\nlevel = "
                    "\"introductory\"\n"
                    "order = 900\n[[step]]\ntitle = %1\ntext = \"Look.\"\n[step.setup]\nmodel = \"pendulum\"\nuntil = 1\n"
                    "speed = 1\nplots = [\"residuals\"]\n[[step.setup.run]]\nformulation = \"index-1\"\nintegrator = \"rk4\"\n"
                    "step = 0.1\n")
                    .arg(title)
                    .toUtf8());
        };
        write("\"First\"");
        Fixture f;
        QVERIFY(f.window.openLesson(folder_.filePath("mine.toml")).ok());
        QCOMPARE(f.value("lessonTitle"), QStringLiteral("First"));
        write("\"Second, and longer\"");
        QTRY_COMPARE(f.value("lessonTitle"), QStringLiteral("Second, and longer"));
        QVERIFY(!f.find<QWidget>("messageCard")->isVisible());
        write("\"Third, without its end"); // is said, and what was there stays
        QTRY_VERIFY(f.find<QWidget>("messageCard")->isVisible());
        QCOMPARE(f.value("lessonTitle"), QStringLiteral("Second, and longer"));
        write("\"Fourth, with its end\"");
        QTRY_COMPARE(f.value("lessonTitle"), QStringLiteral("Fourth, with its end"));
    }

    /// Who has set everything as asked and only has to play on is told so, and no hint blames the settings.
    void whoOnlyHasToWaitIsToldSo()
    {
        std::vector<std::pair<std::string, std::size_t>> waiting;
        for (const auto& shipped : lesson::shippedLessons()) {
            const auto lesson = lesson::openLesson(shipped.id);
            for (std::size_t i = 0; i < lesson->steps.size(); ++i) {
                const auto& question = lesson->steps[i].question;
                const bool waits =
                    question && question->kind == lesson::Question::Kind::Action
                    && std::ranges::any_of(question->checks, [](const lesson::Check& check) {
                           return check.above && measure::natureOf(check.measure.what.text) == measure::Nature::Clock;
                       });
                if (waits && !lesson->steps[i].show.empty())
                    waiting.emplace_back(shipped.id, i);
            }
        }
        QVERIFY(waiting.size() > 10);
        const std::uint64_t seed = driftless::test::seedOr(462);
        driftless::test::Draw draw(seed);
        for (int i = 0, count = driftless::test::countOr(8); i < count; ++i) {
            const auto& [id, place] = draw.among(waiting);
            const auto lesson = lesson::openLesson(id);
            const lesson::Step& step = lesson->steps[place];
            const QString which =
                QStringLiteral("%1, step %2, seed %3").arg(QString::fromStdString(id)).arg(place + 1).arg(seed);
            Document document;
            QVERIFY2(document.opener().setUp(lesson->setupOf(place), "waiting").ok(), qPrintable(which));
            for (const lesson::Action& action : step.show) // all but the playing
                QVERIFY2(perform(document, action), qPrintable(which));
            const Verdict verdict = judgeAction(document, *step.question, document.laboratory().clock().t);
            QVERIFY2(!verdict.right && verdict.early && verdict.problem.contains("has only reached t = 0.00 s; let it play to"),
                     qPrintable(which + ": " + verdict.problem));
            QVERIFY2(!verdict.problem.contains("99"), qPrintable(verdict.problem)); // 4 s, not 3.99 s
        }
    }

    void noHintIsSpentOnWaiting()
    {
        Fixture f;
        QVERIFY(f.window.openLesson("rotation-in-space").ok());
        auto* panel = f.find<LessonPanel>("lessonPanel");
        while (panel->step() < 3)
            QVERIFY(f.click("lessonNext"));
        f.document.playback().pause();
        QVERIFY(f.document.control().setFormulation(f.document.runs()[0].key, "projection"));
        QVERIFY(f.document.edits().reset());
        for (int i = 0; i < 3; ++i) {
            QVERIFY(f.click("lessonCheck"));
            const auto* feedback = f.find<QLabel>("lessonFeedback");
            QVERIFY2(feedback->text().contains("has only reached") && feedback->text().contains("10 s"),
                     qPrintable(feedback->text()));
            QVERIFY(!feedback->text().contains("Which forms keep the positions?"));
            QVERIFY(feedback->property("tone").toString() != "wrong");
        }
    }

    /// A lesson that is called as a study is opens as a lesson, and never beside a page without a scene.
    void aLessonOpensBesideTheScene()
    {
        Fixture f;
        f.window.setWorkspace(Workspace::Study);
        QVERIFY(f.window.openByHand("lesson/order-reduction").ok());
        QCOMPARE(f.window.workspace(), Workspace::Watch);
        QVERIFY(f.window.scene().isVisible() && f.window.plots().plot(0).isVisible());
        f.window.setWorkspace(Workspace::Linear);
        QVERIFY(f.window.openLesson("order").ok());
        QCOMPARE(f.window.workspace(), Workspace::Watch);
    }

    /// A bench that merely plays on fulfils no task.
    void noTaskIsDoneByWaiting()
    {
        Document document;
        int tasks = 0;
        QString done;
        for (const auto& shipped : lesson::shippedLessons()) {
            const auto lesson = lesson::openLesson(shipped.id);
            for (std::size_t i = 0; i < lesson->steps.size(); ++i) {
                const auto& question = lesson->steps[i].question;
                if (!question || question->kind != lesson::Question::Kind::Action)
                    continue;
                const auto& setup = lesson->setupOf(i);
                QVERIFY(document.opener().setUp(setup, "waiting").ok());
                double end = setup.until;
                for (const auto& check : question->checks) {
                    end = std::max(end, check.measure.at.value_or(0));
                    if (check.measure.what.text == "clock" && check.above)
                        end = std::max(end, *check.above + 1e-3);
                }
                document.laboratory().waitUntil(end);
                document.playback().scrub(end);
                document.playback().tick(0);
                ++tasks;
                if (judgeAction(document, *question, end).right)
                    done +=
                        QStringLiteral("\n%1, step %2, at %3 s").arg(QString::fromStdString(shipped.id)).arg(i + 1).arg(end);
            }
        }
        QVERIFY2(done.isEmpty(), qPrintable(done));
        QVERIFY(tasks > 20);
    }

    void sceneAndPlotsStayInSight_data()
    {
        QTest::addColumn<bool>("presenting");
        QTest::newRow("at the desk") << false;
        QTest::newRow("presenting") << true;
    }
    void sceneAndPlotsStayInSight()
    {
        QFETCH(bool, presenting);
        Fixture f({1280, 720});
        f.window.setPresenting(presenting);
        QVERIFY(f.window.openLesson("drift-off").ok());
        QTest::qWait(50);
        QCOMPARE(f.window.size(), QSize(1280, 720));
        // Enough to see a pendulum and two curves: a quarter of the window's height.
        QVERIFY2(f.window.scene().height() >= 180, qPrintable(QString::number(f.window.scene().height())));
        QVERIFY(f.window.plots().isVisible());
        QVERIFY(f.find<QWidget>("lessonText")->isVisible());
        QVERIFY(f.find<QWidget>("lessonCheck")->isVisible());
        QCOMPARE(f.find<QTextBrowser>("lessonText")->horizontalScrollBar()->maximum(), 0);
    }

    void resetBringsTheStepBackAndUndoTheBench()
    {
        Fixture f;
        QVERIFY(f.window.openFirstStart().ok());
        QVERIFY(f.window.openLesson("drift-off").ok());
        f.document.playback().pause();
        QVERIFY(f.document.control().setFormulation(f.key(1), "projection"));
        QVERIFY(f.document.control().addRun({}));
        QVERIFY(f.click("lessonReset"));
        QCOMPARE(f.document.runs().size(), std::size_t(2));
        QCOMPARE(f.status(1).settings.formulation, std::string("index-1"));
        QVERIFY(f.time() < 1);
        f.document.undoStack().undo();
        QCOMPARE(f.document.runs().size(), std::size_t(3));
        QCOMPARE(f.status(1).settings.formulation, std::string("projection"));
    }

    void theClockStopsExactlyWhereTheStepSays()
    {
        Fixture f;
        QVERIFY(f.window.openFirstStart().ok());
        QVERIFY(f.window.openLesson("index").ok());
        f.document.playback().setSpeed(100);
        QTRY_VERIFY(!f.document.laboratory().clock().playing);
        // Frames of any length: what is left is the rounding of their sum, some hundred additions at 10 s.
        QVERIFY2(std::abs(f.time() - 10) <= 1e3 * 10 * std::numeric_limits<double>::epsilon(),
                 qPrintable(QString::number(f.time(), 'g', 17)));
    }

    void showMeDoesWhatIsAskedAndLeavesTheCheckToThePerson()
    {
        Fixture f;
        QVERIFY(f.window.openFirstStart().ok());
        QVERIFY(f.window.openLesson("dummy-derivatives").ok());
        auto* panel = f.find<LessonPanel>("lessonPanel");
        panel->goTo(3); // pinning by hand
        QTRY_VERIFY(!f.document.laboratory().clock().playing);
        QVERIFY(f.click("lessonShow"));
        QTRY_COMPARE_WITH_TIMEOUT(f.status(0).state, run::RunState::Failed, 20000);
        QVERIFY(f.click("lessonCheck"));
        QCOMPARE(f.find<QLabel>("lessonFeedback")->property("tone").toString(), QStringLiteral("right"));
    }

    void aFileOfOnesOwnOpensAndABrokenOneSaysWhere()
    {
        Fixture f;
        QVERIFY(f.window.openFirstStart().ok());
        QFile own(folder_.filePath("own.toml"));
        QVERIFY(own.open(QIODevice::WriteOnly));
        own.write("format = 1\nid = \"own\"\ntitle = \"Mine\"\n[[step]]\ntitle = \"One\"\ntext = \"Watch.\"\n"
                  "[step.setup]\nmodel = \"pendulum\"\n[[step.setup.run]]\nformulation = \"index-1\"\nintegrator = \"rk4\"\n");
        own.close();
        QVERIFY(f.window.openLesson(own.fileName()).ok());
        QCOMPARE(f.value("lessonTitle"), QStringLiteral("One"));
        QVERIFY(own.open(QIODevice::Append));
        own.write("stpe = 0.1\n");
        own.close();
        const auto broken = f.window.openLesson(own.fileName());
        QVERIFY(!broken.ok());
        QCOMPARE(broken.error().position.line, 12);
        QVERIFY(QString::fromStdString(broken.error().remedy).contains("step"));
    }
};

QTEST_MAIN(TestLessons)
#include "test_lessons.moc"
