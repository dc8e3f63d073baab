// label: long
// The six workspaces: what each gives the area to, that bar, time line, rail and lesson stay, that nothing lies over another
// thing, that the way back leads to the same rectangles, and that the choice outlives the program but not in a session.
#include <QFile>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QSettings>
#include <QStandardPaths>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTextBrowser>

#include "tests/ui/WindowFixture.h"
#include "ui/document/Preferences.h"
#include "ui/panels/CommandPalette.h"
#include "ui/panels/MessageCard.h"
#include "ui/panels/StudyPage.h"
#include "ui/panels/Workspaces.h"
#include "ui/views/SceneView.h"
#include "ui/views/TimeLine.h"

using namespace driftless;
using namespace driftless::ui;
using namespace driftless::ui::test;

namespace {

QRect placeIn(const MainWindow& window, const QWidget* widget)
{
    return widget && widget->isVisible() ? QRect(widget->mapTo(&window, QPoint()), widget->size()) : QRect();
}

double shareOf(const MainWindow& window, const QRect& place)
{
    return static_cast<double>(place.width()) * place.height() / (static_cast<double>(window.width()) * window.height());
}

/// By the keys, as a person goes there.
void goTo(Fixture& f, Workspace workspace)
{
    QApplication::setActiveWindow(&f.window);
    QTest::keyClick(&f.window, static_cast<Qt::Key>(Qt::Key_1 + static_cast<int>(workspace)), Qt::AltModifier);
    QTest::qWait(120);
}

/// What a workspace is for.
const char* objectOf(Workspace workspace)
{
    switch (workspace) {
    case Workspace::Equations:
        return "drawer";
    case Workspace::Methods:
        return "methodWindow";
    case Workspace::Linear:
        return "pencilWindow";
    case Workspace::Study:
        return "studyPage";
    case Workspace::Watch:
    case Workspace::Build:
        break;
    }
    return "scene";
}

void keepWorkspace(QWidget& window, const QString& name)
{
    if (const QString folder = qEnvironmentVariable("DRIFTLESS_KEEP_PICTURES"); !folder.isEmpty())
        window.grab().save(QStringLiteral("%1/workspace-%2.png").arg(folder, name));
}

} // namespace

class TestWorkspaces : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

private slots:
    void initTestCase()
    {
        QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, folder_.path());
        qputenv("XDG_CACHE_HOME", folder_.path().toLocal8Bit());
    }

    void eachGivesItsObjectTheArea_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<bool>("lesson");
        QTest::addColumn<bool>("dark");
        for (const QSize size : {QSize(1280, 720), QSize(1920, 1080)})
            for (const bool lesson : {false, true})
                QTest::addRow("%d %s", size.width(), lesson ? "lesson" : "alone")
                    << size << lesson << (lesson == (size.width() > 1500));
        QTest::addRow("least") << QSize(1000, 600) << false << false;
    }
    void eachGivesItsObjectTheArea()
    {
        QFETCH(QSize, size);
        QFETCH(bool, lesson);
        QFETCH(bool, dark);
        Fixture f(size);
        f.window.setDark(dark);
        QVERIFY(f.window.openFirstStart().ok());
        if (lesson)
            QVERIFY(f.window.openLesson("drift-off").ok());
        f.document.playback().pause();
        for (const Workspace workspace : kWorkspaces) {
            const char* id = workspaceInfo(workspace).id;
            goTo(f, workspace);
            QTest::qWait(200);
            QCOMPARE(f.window.workspace(), workspace);
            QCOMPARE(f.window.size(), size);
            keepWorkspace(f.window, QStringLiteral("%1-%2-%3").arg(id).arg(size.width()).arg(lesson));
            // Bar, rail, time line and lesson.
            QCOMPARE(f.window.isEditing(), workspace == Workspace::Build);
            const QRect bar = placeIn(f.window, f.find<QWidget>("topBar")),
                        rail = placeIn(f.window, f.find<QWidget>("workspaceRail"));
            const QRect line = placeIn(f.window, &f.window.timeLine()),
                        guide = placeIn(f.window, f.find<QWidget>("lessonPanel"));
            QVERIFY2(bar.width() == size.width() && bar.top() == 0, id);
            QVERIFY2(rail.width() == WorkspaceRail::kWidth && rail.left() == 0 && rail.bottom() == size.height() - 1, id);
            QVERIFY2(line.height() == 56 && line.width() > 300, id);
            QCOMPARE(!guide.isEmpty(), lesson);
            QVERIFY(!lesson || guide.right() == size.width() - 1);
            QVERIFY(f.find<QAbstractButton>(QStringLiteral("rail_") + id)->isChecked());
            // The object.
            const QRect object = placeIn(f.window, f.find<QWidget>(objectOf(workspace)));
            QVERIFY2(!object.isEmpty() && f.window.rect().contains(object), id);
            QVERIFY2(!object.intersects(line) && !object.intersects(rail) && !object.intersects(bar)
                         && (!lesson || !object.intersects(guide)),
                     id);
            const double least = workspace == Workspace::Watch ? 0.2 : 0.4; // which has plots, and the drawer in a high window
            QVERIFY2(shareOf(f.window, object) >= least,
                     qPrintable(QStringLiteral("%1: %2").arg(id).arg(shareOf(f.window, object))));
            // A small scene stays where the object is about runs and there is room.
            const bool aboutRuns =
                workspace == Workspace::Equations || workspace == Workspace::Methods || workspace == Workspace::Study;
            const bool room = !lesson || size.width() > 1700;
            if (aboutRuns)
                QCOMPARE(f.window.scene().isVisible() && f.find<QWidget>("leftColumn")->isVisible(), room);
        }
        goTo(f, Workspace::Watch);
    }

    void fortyLinesOfTextStandBesideTheScene()
    {
        Fixture f({1920, 1080});
        QVERIFY(f.window.openFirstStart().ok());
        goTo(f, Workspace::Build);
        const auto* text = f.find<QWidget>("modelPage")->findChild<QPlainTextEdit*>();
        QVERIFY(text->isVisible());
        const int lines = text->viewport()->height() / text->fontMetrics().lineSpacing();
        QVERIFY2(lines >= 40, qPrintable(QString::number(lines)));
        const QRect scene = placeIn(f.window, &f.window.scene()), page = placeIn(f.window, text);
        QVERIFY(scene.width() >= 800 && scene.height() >= 800 && page.left() > scene.right());
        QVERIFY(f.click("drawerButton"));
        QVERIFY(!text->isVisible());
        QVERIFY(f.click("drawerButton"));
        QVERIFY(text->isVisible());
    }

    void theWayBackLeadsToTheSamePlaces()
    {
        Fixture f;
        QVERIFY(f.window.openFirstStart().ok());
        f.document.playback().pause();
        QTest::qWait(150);
        const auto rectangles = [&f] {
            QMap<const QWidget*, QRect> out;
            for (const QWidget* widget : f.window.findChildren<QWidget*>())
                if (widget->isVisible() && widget->window() == &f.window)
                    out[widget] = placeIn(f.window, widget);
            return out;
        };
        const auto before = rectangles();
        QVERIFY(before.size() > 60);
        for (const Workspace workspace : kWorkspaces) {
            goTo(f, workspace);
            goTo(f, Workspace::Watch);
            QTest::qWait(150);
            const auto after = rectangles();
            for (auto one = before.begin(); one != before.end(); ++one)
                QVERIFY2(after.value(one.key()) == one.value(),
                         qPrintable(QStringLiteral("%1 after %2").arg(one.key()->objectName(), workspaceInfo(workspace).id)));
        }
        // From one to the next, not by way of Watch; on the stage and back as well.
        for (const Workspace workspace : {Workspace::Equations, Workspace::Linear, Workspace::Build, Workspace::Study,
                                          Workspace::Methods, Workspace::Linear}) {
            goTo(f, workspace);
            f.window.setStaged(true);
            QTest::qWait(50);
            QVERIFY(f.window.scene().isVisible() && f.window.scene().window() != &f.window);
            f.window.setStaged(false);
            QCOMPARE(f.window.workspace(), workspace == Workspace::Build ? Workspace::Watch : workspace);
        }
        goTo(f, Workspace::Watch);
        QTest::qWait(150);
        const auto after = rectangles();
        for (auto one = before.begin(); one != before.end(); ++one)
            QVERIFY2(after.value(one.key()) == one.value(), qPrintable(one.key()->objectName()));
    }

    void theChoiceIsKeptForTheNextStart_andInNoSession()
    {
        const QString path = folder_.filePath("kept.driftless");
        {
            Fixture f;
            QVERIFY(f.window.openFirstStart().ok());
            QCOMPARE(f.window.workspace(), Workspace::Watch);
            goTo(f, Workspace::Methods);
            QVERIFY(f.document.files().saveSession(path).ok());
        }
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(!file.readAll().contains("workspace"));
        Fixture f;
        QVERIFY(f.window.openFirstStart().ok());
        QCOMPARE(f.window.workspace(), Workspace::Watch); // tests and pictures begin there
        f.window.restoreWorkspace();
        QCOMPARE(f.window.workspace(), Workspace::Methods);
        preferWorkspace("no such workspace");
        f.window.restoreWorkspace();
        QCOMPARE(f.window.workspace(), Workspace::Watch);
    }

    void pagesAreFoundFromEverywhere()
    {
        Fixture f;
        QVERIFY(f.window.openFirstStart().ok());
        for (const Workspace workspace : kWorkspaces) {
            goTo(f, workspace);
            for (const char* page : {"equations", "structure", "model", "messages", "start"}) {
                f.window.actionRegistry().at(QStringLiteral("page_") + page).trigger();
                QTest::qWait(20);
                auto* drawer = f.find<QTabWidget>("drawer");
                QVERIFY2(drawer->isVisible() && drawer->currentWidget()->isVisible(), page);
                QCOMPARE(drawer->currentWidget()->property("page").toString(), QString::fromLatin1(page));
            }
        }
    }

    void messagesAreSeenEverywhere()
    {
        Fixture f;
        QVERIFY(f.window.openFirstStart().ok());
        for (const Workspace workspace : kWorkspaces) {
            goTo(f, workspace);
            emit f.document.refused({.what = "Something is wrong", .why = workspaceInfo(workspace).id});
            QTest::qWait(30);
            const auto* card = f.window.findChild<MessageCard*>();
            QVERIFY2(card->isVisible() && f.window.rect().contains(placeIn(f.window, card)), workspaceInfo(workspace).id);
            QVERIFY(card->visibleRegion().boundingRect() == card->rect());
            QVERIFY(f.click("messageDismiss"));
        }
    }

    void playingLeavesBuild()
    {
        Fixture f;
        QVERIFY(f.window.openFirstStart().ok());
        goTo(f, Workspace::Build);
        QVERIFY(f.window.isEditing());
        QVERIFY(f.click("playButton"));
        QCOMPARE(f.window.workspace(), Workspace::Watch);
        QVERIFY(f.click("editButton"));
        QCOMPARE(f.window.workspace(), Workspace::Build);
        QVERIFY(f.click("rail_methods"));
        QVERIFY(!f.window.isEditing());
        QVERIFY(f.click("rail_methods")); // once more changes nothing
        QCOMPARE(f.window.workspace(), Workspace::Methods);
        QVERIFY(f.find<QAbstractButton>("rail_methods")->isChecked());
    }

    void aStudyShowsItsPage_andItsRuns()
    {
        Fixture f;
        QVERIFY(f.window.openFirstStart().ok());
        goTo(f, Workspace::Study);
        auto* page = f.find<StudyPage>("studyPage");
        QVERIFY(page->current());
        auto* list = f.find<QListWidget>("studyList");
        QCOMPARE(list->count(), static_cast<int>(study::shippedStudies().size()));
        const auto* text = f.find<QTextBrowser>("studyText");
        for (int row = 0; row < list->count(); ++row) {
            list->setCurrentRow(row);
            const auto& study = *page->current();
            QCOMPARE(f.find<QLabel>("studyTitle")->text(), QString::fromStdString(study.title));
            const QString shown = text->toPlainText();
            QVERIFY2(shown.contains("Source:") || study.source.empty(), study.id.c_str());
            QVERIFY2(shown.count("Figure:") == static_cast<int>(study.figures.size()), study.id.c_str());
            for (const auto& table : study.tables)
                QVERIFY2(shown.contains(QString::fromStdString(table.title)), study.id.c_str());
            QVERIFY(!page->computed());
        }
        QVERIFY(page->open("baumgarte-gains").ok());
        QVERIFY(f.click("studyRuns"));
        QTRY_VERIFY(f.document.runs().size() > 2);
        QCOMPARE(f.window.workspace(), Workspace::Study);
        QVERIFY(f.window.scene().isVisible());
    }

    void whatAStudyClaimsIsComputed()
    {
        Fixture f;
        QVERIFY(f.window.openFirstStart().ok());
        goTo(f, Workspace::Study);
        auto* page = f.find<StudyPage>("studyPage");
        QVERIFY(page->open("baumgarte-gains").ok());
        page->setProgram(folder_.filePath("nothing"));
        QVERIFY(f.click("studyCompute"));
        QTRY_VERIFY(!page->busy() && f.find<QWidget>("messageCard")->isVisible()); // there is no such program
        page->setProgram(QStringLiteral(DRIFTLESS_EXECUTABLE));
        QVERIFY(f.click("studyCompute"));
        QVERIFY(page->busy());
        QVERIFY(QTest::qWaitFor([page] { return !page->busy(); }, 300000));
        QVERIFY(page->computed());
        const QString shown = f.find<QTextBrowser>("studyText")->toPlainText();
        QCOMPARE(shown.count(QRegularExpression("^holds$", QRegularExpression::MultilineOption)),
                 1 + static_cast<int>(page->current()->claims.size()));    // and that all ended as expected
        QVERIFY(shown.contains(QChar(QChar::ObjectReplacementCharacter))); // the figure
        QVERIFY(f.find<QLabel>("studyState")->text().startsWith("All"));
        QTest::qWait(300);
        keepWorkspace(f.window, "computed");
        // It is there at the next start.
        Fixture again;
        goTo(again, Workspace::Study);
        QVERIFY(again.find<StudyPage>("studyPage")->open("baumgarte-gains").ok());
        QVERIFY(again.find<StudyPage>("studyPage")->computed());
    }

    void aStudyThatIsOpenedByNameShowsItsPage()
    {
        Fixture f;
        QVERIFY(f.window.openFirstStart().ok());
        QTest::keyClick(&f.window, Qt::Key_K, Qt::ControlModifier);
        QTest::qWait(20);
        auto* palette = f.window.findChild<CommandPalette*>();
        QVERIFY(palette);
        auto* field = palette->findChild<QLineEdit*>("paletteField");
        field->setText("baumgarte-gains");
        QCOMPARE(palette->listed().value(0), QStringLiteral("study/baumgarte-gains"));
        QTest::keyClick(field, Qt::Key_Return);
        QTRY_COMPARE(f.window.workspace(), Workspace::Study);
        QCOMPARE(f.find<StudyPage>("studyPage")->current()->id, std::string("baumgarte-gains"));
        QVERIFY(f.document.runs().size() > 2);
    }
};

QTEST_MAIN(TestWorkspaces)
#include "test_workspaces.moc"
