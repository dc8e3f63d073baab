// Home: everything that can be opened stands in it once, is found by its words, and opens.
#include <QDir>
#include <QFile>
#include <QListWidget>
#include <QTemporaryDir>

#include <set>

#include "core/consistency/Doctor.h"
#include "core/lesson/Lesson.h"
#include "core/reduction/Reduced.h"
#include "core/run/Run.h"
#include "core/study/Study.h"
#include "core/system/ShippedModels.h"
#include "tests/ui/WindowFixture.h"
#include "ui/panels/Home.h"
#include "ui/panels/HomePictures.h"
#include "ui/panels/LessonPanel.h"

using namespace driftless;
using namespace driftless::ui;
using namespace driftless::ui::test;

namespace {

Home* openHome(Fixture& f)
{
    for (int i = 0; i < 100 && f.window.findChild<Home*>(); ++i)
        QTest::qWait(20);      // one that was closed is deleted later
    f.window.activateWindow(); // as a window manager does
    f.window.actionRegistry().at("gallery").trigger();
    QTest::qWait(20);
    return f.window.findChild<Home*>();
}

QString titleOf(const std::string& title, const std::string& id) { return QString::fromStdString(title.empty() ? id : title); }

} // namespace

class TestHome : public QObject {
    Q_OBJECT

private slots:
    void everythingThatIsShippedStandsInItOnce()
    {
        Fixture f;
        auto* home = openHome(f);
        QVERIFY(home);
        const QStringList listed = home->listed();
        QStringList expected;
        for (const auto& model : model::shippedModels())
            expected << titleOf(model.title, model.id);
        for (const auto& model : reduction::shippedEquations())
            expected << titleOf(model.title, model.id);
        for (const auto& lesson : lesson::shippedLessons())
            expected << titleOf(lesson.title, lesson.id);
        for (const auto& study : study::shippedStudies())
            expected << titleOf(study.title, study.id);
        QVERIFY(expected.size() > 100);
        for (const QString& title : expected)
            QVERIFY2(listed.count(title) == expected.count(title), qPrintable(title));
        for (const char* id : {"pencil", "methods", "precision"})
            QVERIFY2(listed.contains(f.window.actionRegistry().at(id).text().remove(u'…')), id);
        delete home;
    }

    void sectionsPartWhatThereIs()
    {
        Fixture f;
        auto* home = openHome(f);
        auto* sections = home->findChild<QListWidget*>("homeSections");
        for (int row = 1; row < sections->count(); ++row)
            QCOMPARE(sections->visualItemRect(sections->item(row)).height(),
                     sections->visualItemRect(sections->item(0)).height());
        const auto all = home->listed().size();
        qsizetype together = 0;
        for (int row = 1; row < sections->count(); ++row) {
            sections->setCurrentRow(row);
            const auto here = home->listed();
            QVERIFY2(!here.isEmpty() && sections->item(row)->text().endsWith(QString::number(here.size())),
                     qPrintable(sections->item(row)->text()));
            if (sections->item(row)->text().startsWith("Space"))
                QVERIFY(here.contains("Stewart platform") || here.filter("Stewart").size() == 1);
            if (sections->item(row)->text().startsWith("Plane"))
                QVERIFY(here.filter("Stewart").isEmpty() && here.contains("Slider-crank"));
            together += here.size();
        }
        QCOMPARE(together, all);
        delete home;
    }

    void aWordFindsAModelAndEnterOpensIt()
    {
        Fixture f;
        auto* home = openHome(f);
        auto* search = home->findChild<QLineEdit*>("homeSearch");
        QTest::keyClicks(search, "slider crank");
        QVERIFY(home->listed().contains("Slider-crank"));
        QTest::keyClick(search, Qt::Key_Return);
        QTRY_VERIFY(f.document.hasModel() && f.document.compiled().model().name == "slider-crank");
    }

    void aModelOffersWhatToTryAndTheGuideShowsIt()
    {
        Fixture f;
        auto* home = openHome(f);
        QTest::keyClicks(home->findChild<QLineEdit*>("homeSearch"), "kapitza");
        auto* button = home->findChild<QPushButton*>("homeTry");
        QVERIFY(button->isVisible());
        QVERIFY(home->findChild<QLabel*>("homeToTry")->text().startsWith("Try this: Set Omega"));
        QTest::mouseClick(button, Qt::LeftButton);
        QTRY_VERIFY(f.document.hasModel() && f.document.compiled().model().name == "kapitza-pendulum");
        const auto* panel = f.window.findChild<LessonPanel*>("lessonPanel");
        QVERIFY(panel->current() && panel->current()->id == "try-kapitza-pendulum");
        home = openHome(f);
        QTest::keyClicks(home->findChild<QLineEdit*>("homeSearch"), "drift-off");
        QVERIFY(!home->findChild<QPushButton*>("homeTry")->isVisible()); // a lesson is a guide itself
        delete home;
    }

    void lettersAreSearchedForWhereverTheyAreTyped()
    {
        Fixture f;
        auto* home = openHome(f);
        auto* sections = home->findChild<QListWidget*>("homeSections");
        sections->setFocus();
        QTest::keyClick(sections, Qt::Key_W);
        auto* search = home->findChild<QLineEdit*>("homeSearch");
        QCOMPARE(search->text(), QStringLiteral("w"));
        QTest::keyClicks(search, "att");
        QVERIFY(home->listed().contains("Straight line of Watt"));
        delete home;
    }

    void whatFitsBestStandsFirst()
    {
        Fixture f;
        auto* home = openHome(f);
        const QStringList before = home->listed();
        auto* search = home->findChild<QLineEdit*>("homeSearch");
        auto* list = home->findChild<QListWidget*>("homeList");
        QTest::keyClicks(search, "stew");
        QCOMPARE(list->currentItem()->data(Qt::UserRole).toString(), QStringLiteral("stewart"));
        QCOMPARE(home->listed().front(), list->currentItem()->text());
        for (int row = 0; row < list->count(); ++row)
            QVERIFY(list->item(row)->toolTip().isEmpty()); // it would lie over the card
        search->clear();
        QCOMPARE(home->listed(), before);
        delete home;
    }

    void wordsOfNothingSaySo()
    {
        Fixture f;
        auto* home = openHome(f);
        auto* search = home->findChild<QLineEdit*>("homeSearch");
        QTest::keyClicks(search, "qqqqzzzz");
        QVERIFY(home->listed().isEmpty());
        QVERIFY(home->findChild<QLabel*>("homeNone")->isVisible());
        QVERIFY(!home->findChild<QPushButton*>("homeOpen")->isEnabled());
        QTest::keyClick(search, Qt::Key_Return);
        QVERIFY(home->isVisible());
        search->clear();
        QVERIFY(!home->findChild<QLabel*>("homeNone")->isVisible() && home->listed().size() > 100);
        delete home;
    }

    void lessonsAndLaboratoriesOpen()
    {
        Fixture f;
        QVERIFY(f.window.openFirstStart().ok());
        const auto lessons = lesson::shippedLessons();
        auto* home = openHome(f);
        home->findChild<QLineEdit*>("homeSearch")->setText(QString::fromStdString(lessons.front().title));
        QCOMPARE(home->listed().count(QString::fromStdString(lessons.front().title)), 1);
        QVERIFY(f.click("homeOpen"));
        QTRY_VERIFY(f.window.actionRegistry().isChecked("lessons"));
        home = openHome(f);
        home->findChild<QLineEdit*>("homeSearch")->setText("Method laboratory");
        QVERIFY(f.click("homeOpen"));
        QTRY_VERIFY(f.window.findChild<QWidget*>("methodWindow") && f.find<QWidget>("methodWindow")->isVisible());
    }

    void aCardThatIsPointedAtMovesAndStandsStillAgain()
    {
        Fixture f;
        auto* home = openHome(f);
        auto* list = home->findChild<QListWidget*>("homeList");
        home->findChild<QLineEdit*>("homeSearch")->setText("slider-crank");
        QListWidgetItem* card = list->currentItem();
        QVERIFY(card && card->text() == "Slider-crank");
        const auto picture = [&] { return card->icon().pixmap(170, 102).toImage(); };
        QTRY_VERIFY_WITH_TIMEOUT(!card->icon().isNull(), 10000);
        const QImage still = picture();
        emit list->itemEntered(card);
        QTRY_VERIFY_WITH_TIMEOUT(picture() != still, 10000);
        QEvent leave(QEvent::Leave);
        QApplication::sendEvent(list->viewport(), &leave);
        QCOMPARE(picture(), still);
        QTest::qWait(100);
        QCOMPARE(picture(), still);
        delete home;
    }

    /// A lesson and a study show the model they are about, equations their pattern.
    void cardsHaveThePictureOfTheirModel()
    {
        Fixture f;
        auto* home = openHome(f);
        auto* list = home->findChild<QListWidget*>("homeList");
        const auto picture = [&](const char* title) {
            for (int row = 0; row < list->count(); ++row)
                if (list->item(row)->text() == title)
                    return list->item(row)->icon().pixmap(170, 102).toImage();
            return QImage();
        };
        QTRY_VERIFY_WITH_TIMEOUT(home->hasDrawn(), 60000);
        const QImage pendulum = picture("Pendulum"), equations = picture("Reactions with an equilibrium, index one");
        QVERIFY(!pendulum.isNull() && !equations.isNull());
        QCOMPARE(picture("Drift-off"), pendulum);
        QCOMPARE(picture("The rounded start of Example 12"), pendulum);
        std::set<QRgb> colours; // ground, six blocks, unknowns with and without derivative
        for (int y = 0; y < equations.height(); ++y)
            for (int x = 0; x < equations.width(); ++x)
                colours.insert(equations.pixel(x, y));
        QVERIFY2(colours.size() >= 9, qPrintable(QString::number(colours.size())));
        delete home;
    }

    /// The badge against a second way: rank of the constraints at the start, and what is known of these mechanisms.
    /// What was drawn once is found again by the text of the model, and by nothing else.
    void picturesAreKept()
    {
        QTemporaryDir folder;
        const HomePictures pictures(folder.filePath("cards"));
        const QSize size(170, 102);
        const QByteArray key = HomePictures::keyOf("pendulum", size, false);
        QVERIFY(!key.isEmpty() && key == HomePictures::keyOf("pendulum", size, false));
        QVERIFY(key != HomePictures::keyOf("pendulum", size, true));
        QVERIFY(key != HomePictures::keyOf("pendulum", 2 * size, false));
        QVERIFY(key != HomePictures::keyOf("slider-crank", size, false));
        QVERIFY(!HomePictures::keyOf("pendulum-equations", size, false).isEmpty());
        QVERIFY(HomePictures::keyOf("no-such-model", size, false).isEmpty());
        QVERIFY(!pictures.find(key));
        QImage drawn(size, QImage::Format_RGB32);
        drawn.fill(QColor(12, 34, 56));
        const HomeFacts facts{.badge = QStringLiteral("1 DOF · index 3"), .description = QStringLiteral("Ein Pendel, λ.")};
        pictures.keep(key, {.facts = facts, .picture = drawn});
        const auto kept = pictures.find(key);
        QVERIFY(kept);
        QCOMPARE(kept->picture.convertToFormat(QImage::Format_RGB32), drawn);
        QCOMPARE(kept->facts.badge, facts.badge);
        QCOMPARE(kept->facts.description, facts.description);
        // A model that draws nothing is known, too.
        const QByteArray bare = HomePictures::keyOf("pendulum-equations", size, false);
        pictures.keep(bare, {.facts = {.badge = {}, .description = {}}, .picture = {}});
        QVERIFY(pictures.find(bare) && pictures.find(bare)->picture.isNull() && pictures.find(bare)->facts.badge.isEmpty());
        // What somebody has spoilt is drawn anew.
        QFile file(folder.filePath("cards/" + QString::fromLatin1(key) + ".png"));
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate) && file.write("no picture") > 0);
        file.close();
        QVERIFY(!pictures.find(key));
    }

    void picturesAreBounded_andNobodyMissesThem()
    {
        QTemporaryDir folder;
        const HomePictures pictures(folder.path());
        QImage dot(4, 4, QImage::Format_RGB32);
        dot.fill(Qt::black);
        for (int i = 0; i < HomePictures::kMostFiles + 20; ++i)
            pictures.keep(QByteArray::number(i), {.facts = {.badge = {}, .description = {}}, .picture = dot});
        QVERIFY(QDir(folder.path()).entryList(QDir::Files).size() <= HomePictures::kMostFiles);
        // No place to keep them: nothing is found, nothing fails.
        const HomePictures nowhere(QStringLiteral("/dev/null/cards"));
        nowhere.keep("1", {.facts = {.badge = {}, .description = {}}, .picture = dot});
        QVERIFY(!nowhere.find("1"));
    }

    void degreesOfFreedomAreThoseOfTheMechanism()
    {
        const std::pair<const char*, const char*> known[] = {
            {"pendulum", "1 DOF · index 3"},
            {"slider-crank", "1 DOF · index 3"},
            {"double-pendulum", "2 DOF · index 3"},
            {"stewart", "0 DOF · index 3"},
            {"bennett", "1 DOF · index 3"},
            {"lagrangian-pendulum", "1 DOF · no constraint"},
            {"free-particle", "2 DOF · no constraint"},
            {"knife-edge", "2 DOF · index 2"},
        };
        for (const auto& [name, badge] : known) {
            const auto model = reduction::openModel(name);
            QVERIFY2(model, name);
            const auto compiled = model::CompiledSystem::compile(*model);
            QVERIFY2(compiled, name);
            const HomeFacts facts = homeFacts(*compiled);
            QVERIFY2(facts.badge == QString::fromUtf8(badge), qPrintable(QString(name) + ": " + facts.badge));
            QVERIFY(!facts.description.isEmpty());
        }
    }
};

QTEST_MAIN(TestHome)
#include "test_home.moc"
