// What is open as a page for a browser: the file holds the runs as they are on the screen, number for number, and what cannot
// be shared says why. Names that stay lead where they say.
#include <QFile>
#include <QSettings>
#include <QTemporaryDir>

#include "core/lesson/Lesson.h"
#include "core/page/Page.h"
#include "core/system/StableName.h"
#include "tests/support/PageData.h"
#include "tests/ui/WindowFixture.h"
#include "ui/panels/Actions.h"
#include "ui/panels/Exports.h"
#include "ui/panels/LessonPanel.h"
#include "ui/panels/StudyPage.h"
#include "ui/panels/StudyShare.h"
#include "ui/panels/Workspaces.h"

using namespace driftless;
using namespace driftless::ui;
using namespace driftless::ui::test;

class TestShare : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    QString path(const QString& name) const { return folder_.filePath(name); }

private slots:
    void initTestCase() { QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, folder_.path()); }

    void theRunsOnTheScreen_areThePageBitForBit()
    {
        Fixture f;
        QVERIFY(f.window.openFirstStart());
        f.document.laboratory().waitUntil(3);
        f.document.laboratory().tick(0);
        f.window.showAt(2.5);
        f.window.actionRegistry().at("sharePage").trigger();
        QVERIFY(f.acceptPath(path("shared.html")));
        const QJsonObject data = testing::pageData(path("shared.html"));
        const QJsonArray runs = data["runs"].toArray();
        QCOMPARE(data["title"].toString(), QString("Pendulum"));
        QCOMPARE(runs.size(), 2);
        QVERIFY2(runs[1].toObject()["name"].toString().endsWith("index-1 · rk4"),
                 qPrintable(runs[1].toObject()["name"].toString()));
        for (int r = 0; r < 2; ++r) {
            const QJsonObject run = runs[r].toObject();
            QCOMPARE(run["colour"].toInt(), f.document.runs()[static_cast<std::size_t>(r)].colour);
            QVERIFY(!run["equations"].toArray().isEmpty());
            const auto recording = f.document.laboratory().recording(f.id(r));
            const auto times = testing::pageColumn(run, "t"), values = testing::pageColumn(run, "bob.x");
            QVERIFY(times.size() > 10 && times.size() == values.size());
            const int place = recording.findColumn("bob.x");
            for (std::size_t k = 0; k < times.size(); ++k) {
                QCOMPARE(recording.time(recording.rowAt(times[k])), times[k]);
                QCOMPARE(values[k], recording.value(recording.rowAt(times[k]), place)); // the same bits: nothing is rounded
            }
        }
    }

    void aHiddenRun_isLeftOut()
    {
        Fixture f;
        QVERIFY(f.window.openFirstStart());
        f.document.laboratory().waitUntil(2);
        f.window.showAt(1.5);
        f.document.bench().setVisible(f.key(0), false);
        QVERIFY(f.window.exports().page(path("one.html")));
        QCOMPARE(testing::pageData(path("one.html"))["runs"].toArray().size(), 1);
        f.document.bench().setVisible(f.key(1), false);
        QVERIFY(!f.window.exports().page(path("none.html")));
        QVERIFY(!QFile::exists(path("none.html")));
    }

    void whatCannotBeShared_saysWhyAndWritesNothing()
    {
        Fixture f;
        QVERIFY(f.window.openPath("pendulum"));
        const auto early = f.window.exports().page(path("early.html"));
        QVERIFY(!early);
        QVERIFY2(early.error().text().find("press play") != std::string::npos, early.error().text().c_str());
        QVERIFY(!QFile::exists(path("early.html")));
        f.document.laboratory().waitUntil(1);
        f.window.showAt(0.5);
        const auto nowhere = f.window.exports().page(path("no/such/folder/page.html"));
        QVERIFY(!nowhere);
        QVERIFY2(nowhere.error().text().find("no/such/folder") != std::string::npos, nowhere.error().text().c_str());
        const auto device = f.window.exports().page("/dev/null");
        QVERIFY(!device);
    }

    void aPageThatIsTooLarge_isRefused()
    {
        model::Model model;
        model.name = "large";
        model.description.assign(page::kMostBytes, 'x');
        const auto made = page::pageOfRuns({}, model);
        QVERIFY(made);
        const auto text = page::textOf(*made, "test");
        QVERIFY(!text);
        QVERIFY2(text.error().text().find("too large") != std::string::npos, text.error().text().c_str());
    }

    void theOpenLesson_isAPageWithItsQuestions()
    {
        Fixture f;
        QVERIFY(!f.window.findChild<LessonPanel*>()->current());
        QVERIFY(f.window.openLesson("projection"));
        f.window.actionRegistry().at("shareLesson").trigger();
        QVERIFY(f.acceptPath(path("lesson.html")));
        const QJsonObject data = testing::pageData(path("lesson.html"));
        const auto lesson = lesson::openLesson("projection");
        QVERIFY(lesson);
        QCOMPARE(data["steps"].toArray().size(), static_cast<qsizetype>(lesson->steps.size()));
        const QJsonObject second = data["steps"].toArray()[1].toObject();
        QCOMPARE(second["title"].toString().toStdString(), lesson->steps[1].title);
        // Halving the step of rk4 divides the energy error of this motion by about 2⁵: the lesson claims 32, within 3.
        QVERIFY(std::abs(second["question"].toObject()["value"].toDouble() - 32) < 3);
    }

    void theOpenStudy_isAPageWithItsClaims()
    {
        Fixture f;
        QVERIFY(f.window.openFirstStart());
        auto* page = f.find<StudyPage>("studyPage");
        QVERIFY(!page->current() && !page->sharing().whyNot(nullptr).isEmpty());
        f.window.setWorkspace(Workspace::Study);
        QVERIFY(page->open("dn-printed-start"));
        // A program that is not there: what is wrong is said, and nothing is written.
        page->setProgram(path("nothing"));
        QVERIFY(page->sharing().write(*page->current(), path("study.html")));
        QVERIFY(!page->sharing().write(*page->current(), path("two.html"))); // one at a time
        QVERIFY(page->sharing().busy() && !f.find<QPushButton>("studyShare")->isEnabled());
        QTRY_VERIFY(!page->sharing().busy() && f.find<QWidget>("messageCard")->isVisible());
        QVERIFY(!QFile::exists(path("study.html")));
        QVERIFY(f.click("messageDismiss"));
        page->setProgram(QStringLiteral(DRIFTLESS_EXECUTABLE));
        QVERIFY(f.click("studyShare"));
        QVERIFY(f.acceptPath(path("study.html")));
        QVERIFY(QTest::qWaitFor([page] { return !page->sharing().busy(); }, 120000));
        QVERIFY(f.find<QWidget>("messageCard")->isVisible());
        const QJsonObject data = testing::pageData(path("study.html"));
        QCOMPARE(data["title"].toString(), QString::fromStdString(page->current()->title));
        // its own, and that all ended as expected
        QCOMPARE(data["claims"].toArray().size(), 1 + static_cast<qsizetype>(page->current()->claims.size()));
    }

    void namesThatStay_leadWhereTheySay()
    {
        Fixture f;
        auto* lessons = f.window.findChild<LessonPanel*>();
        QVERIFY(f.window.openByHand("lesson/projection#3"));
        QCOMPARE(lessons->step(), 2);
        QCOMPARE(QString::fromStdString(lessons->current()->id), QString("projection"));
        QVERIFY(f.window.openByHand("lesson/energy#1"));
        QCOMPARE(lessons->step(), 0);
        const auto beyond = f.window.openByHand("lesson/projection#99");
        QVERIFY(!beyond);
        QVERIFY2(beyond.error().text().find("no step 99") != std::string::npos, beyond.error().text().c_str());
        QVERIFY(f.window.openByHand("model/double-pendulum"));
        QCOMPARE(QString::fromStdString(f.document.compiled().model().name), QString("double-pendulum"));
        QVERIFY(f.window.openByHand("study/dn-drift"));
        QCOMPARE(f.window.workspace(), Workspace::Study);
        QVERIFY(!f.window.openByHand("lesson/there-is-none#1"));
    }

    void otherWords_areNoNamesThatStay()
    {
        for (const char* text : {"pendulum", "lesson/", "lesson/a/b", "lesson/a#", "lesson/a#0", "lesson/a#x", "lesson/a#2x",
                                 "model/a#1", "/lesson/a"})
            QVERIFY2(!model::readStableName(text), text);
        const auto named = model::readStableName("lesson/order-reduction#12");
        QVERIFY(named);
        QCOMPARE(named->id, std::string("order-reduction"));
        QCOMPARE(named->step, 12);
    }
};

QTEST_MAIN(TestShare)
#include "test_share.moc"
