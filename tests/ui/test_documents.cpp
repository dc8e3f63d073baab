// label: long
// What is open, under which name it is saved, and what happens with files that cannot be opened.
#include <QDropEvent>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QProgressDialog>
#include <QSettings>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTimer>
#include <QUrl>

#include "tests/ui/WindowFixture.h"
#include "ui/document/SessionReplay.h"
#include "ui/panels/Controls.h"
#include "ui/panels/Drawer.h"
#include "ui/panels/Exports.h"
#include "ui/panels/LessonPanel.h"
#include "ui/panels/MessageCard.h"
#include "ui/panels/ModelPage.h"
#include "ui/panels/PlotColumn.h"
#include "ui/views/PlotView.h"

using namespace driftless;
using namespace driftless::ui;
using namespace driftless::ui::test;

namespace {

QByteArray contents(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void writeFile(const QString& path, const QByteArray& bytes)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(bytes), bytes.size());
}

lesson::Setup bench()
{
    lesson::Setup setup;
    setup.model = "pendulum";
    setup.runs.resize(1);
    setup.runs[0].formulation = "index-1";
    setup.runs[0].integrator = "rk4";
    return setup;
}

const QByteArray kModel = "format = 1\nname = \"one\"\ntitle = \"One\"\n[[body]]\nname = \"bob\"\nkind = \"point\"\nmass = 1\n"
                          "[[force]]\nname = \"gravity\"\nkind = \"gravity\"\nacceleration = 9.81\n";

} // namespace

class TestDocuments : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    QString path(const QString& name) const { return folder_.filePath(name); }

    /// Whatever dialogs an action opened.
    static void closeDialogs(Fixture& f)
    {
        for (QDialog* dialog : f.window.findChildren<QDialog*>()) {
            dialog->close();
            delete dialog;
        }
    }

private slots:
    void initTestCase() { QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, folder_.path()); }

    void whatIsOpenedIsANewDocument_data()
    {
        QTest::addColumn<int>("way");
        int way = 0;
        for (const char* name : {"a shipped model", "a study", "a step of a lesson", "a new mechanism", "the first start",
                                 "a mended text", "a file that is dropped"})
            QTest::newRow(name) << way++;
    }
    /// Saving must not replace the file of what was open before, whichever way something else came into the window.
    void whatIsOpenedIsANewDocument()
    {
        QFETCH(int, way);
        Fixture f;
        QVERIFY(f.document.opener().openModel("pendulum").ok());
        const QString first = path("first.driftless"), model = path("dropped.toml");
        QVERIFY(f.document.files().saveSession(first).ok());
        const QByteArray before = contents(first);
        writeFile(model, kModel);
        switch (way) {
        case 0:
            QVERIFY(f.window.openPath("slider-crank").ok());
            break;
        case 1:
            QVERIFY(f.window.openPath("order-reduction").ok());
            break;
        case 2:
            QVERIFY(f.document.opener().setUp(bench(), "step 1").ok());
            break;
        case 3:
            QTest::keyClick(&f.window, Qt::Key_N, Qt::ControlModifier);
            break;
        case 4:
            QVERIFY(f.window.openFirstStart().ok());
            break;
        case 5:
            QVERIFY(f.document.opener().openText(kModel, path("mended.toml")).ok());
            break;
        default: {
            QMimeData data;
            data.setUrls({QUrl::fromLocalFile(model)});
            QDragEnterEvent enter(QPoint(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
            QApplication::sendEvent(&f.window, &enter);
            QVERIFY(enter.isAccepted());
            QDropEvent drop(QPointF(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
            QApplication::sendEvent(&f.window, &drop);
        }
        }
        QCOMPARE(f.document.files().sessionPath(), QString());
        QVERIFY2(!f.document.files().title().startsWith("first"), qPrintable(f.document.files().title()));
        QCOMPARE(f.window.windowTitle(), f.document.files().title());
        QTest::keyClick(&f.window, Qt::Key_S, Qt::ControlModifier);
        QVERIFY(QTest::qWaitFor([&] { return f.window.findChild<QFileDialog*>("saveDialog") != nullptr; }, 5000));
        closeDialogs(f);
        QCOMPARE(contents(first), before);
        if (way == 4)
            return;                    // the first start forgets what was before
        f.document.undoStack().undo(); // the document before, with its name
        QCOMPARE(f.document.files().sessionPath(), first);
        QCOMPARE(f.window.windowTitle(), f.document.files().title());
        f.document.undoStack().redo();
        QCOMPARE(f.document.files().sessionPath(), QString());
    }

    void whatIsEditedKeepsItsName()
    {
        Fixture f;
        QVERIFY(f.document.opener().openModel("pendulum").ok());
        const QString name = path("edited.driftless");
        QVERIFY(f.document.files().saveSession(name).ok());
        QVERIFY(f.document.edits().reset());
        QVERIFY(f.document.edits().setInitialValue("phi'", 0.5));
        QVERIFY(f.document.edits().applyText(f.document.bench().modelText().replace("Pendulum", "Pendulum of mine")).ok());
        QVERIFY(f.document.control().setParameter("L", 1.5));
        QVERIFY(f.document.control().addRun({}));
        QCOMPARE(f.document.files().sessionPath(), name);
        QVERIFY(f.document.files().isDirty());
        while (f.document.undoStack().canUndo()) {
            f.document.undoStack().undo();
            if (f.document.undoStack().canUndo())
                QCOMPARE(f.document.files().sessionPath(), name);
        }
    }

    /// As from the shell: what is broken is opened before there is a window to see it in.
    void aMistakeFarBelow_isInSightWhenTheWindowComes()
    {
        QByteArray bytes = kModel;
        for (int i = 0; i < 60; ++i)
            bytes += "# a line\n";
        bytes += "[[joint\n";
        const QString file = path("far.toml");
        writeFile(file, bytes);
        Document document;
        MainWindow window(document);
        QVERIFY(!window.openByHand(file).ok());
        window.resize(1280, 720);
        window.show();
        auto* text = window.findChild<QPlainTextEdit*>("modelText");
        QTRY_VERIFY(text->isVisible() && text->textCursor().blockNumber() > 60);
        QTRY_VERIFY(text->viewport()->rect().contains(text->cursorRect()));
    }

    void aBrokenFileIsShownAtItsMistake_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<int>("line"); ///< 0: the message knows none
        QTest::addColumn<bool>("mendable");
        QTest::newRow("unknown key") << "key.toml" << QByteArray(kModel).replace("mass = 1", "mas = 1") << 7 << true;
        QTest::newRow("not TOML") << "toml.toml" << QByteArray(kModel).replace("kind = \"point\"", "kind = \"point") << 6
                                  << true;
        QTest::newRow("equations") << "system.mo" << QByteArray("model M\n  Real x;\nequation\n  der(x) = y;\nend M;\n") << 4
                                   << true;
        QTest::newRow("lesson")
            << "lesson.toml"
            << QByteArray("format = 1\nid = \"own\"\ntitle = \"Mine\"\n[[step]]\ntitel = \"One\"\ntext = \"Watch.\"\n") << 5
            << false;
        QTest::newRow("study") << "study.toml"
                               << QByteArray("format = 1\ntitle = \"S\"\n[[run]]\nlabel = \"a\"\nmodell = \"pendulum\"\n") << 5
                               << false;
        QTest::newRow("session") << "session.driftless" << QByteArray("{\n \"format\": 1,\n \"model\": }\n") << 0 << false;
        QTest::newRow("empty session") << "empty.driftless" << QByteArray("{}\n") << 0 << false;
    }
    void aBrokenFileIsShownAtItsMistake()
    {
        QFETCH(QString, name);
        QFETCH(QByteArray, bytes);
        QFETCH(int, line);
        QFETCH(bool, mendable);
        for (const bool something : {false, true}) { // from the shell there is no model yet
            Fixture f;
            if (something)
                QVERIFY(f.document.opener().openModel("pendulum").ok());
            const QString file = path(name);
            writeFile(file, bytes);
            const auto opened = f.window.openPath(file);
            QVERIFY(!opened.ok());
            QVERIFY2(line == 0 || opened.error().position.line == line, opened.error().text().c_str());
            QVERIFY(f.window.showsBroken());
            auto* text = f.find<QPlainTextEdit>("modelText");
            QVERIFY(text->isVisible());
            QCOMPARE(text->toPlainText().toUtf8(), bytes);
            QCOMPARE(text->isReadOnly(), !mendable);
            if (line > 0)
                QCOMPARE(text->textCursor().blockNumber() + 1, line);
            QVERIFY(f.find<QPushButton>("modelProblem")->isVisible());
            QVERIFY(f.find<QPushButton>("modelProblem")->text().contains(QString::fromStdString(opened.error().what)));
            QVERIFY(f.find<QLabel>("messageTitle")->isVisible());
            if (mendable) {
                text->setPlainText(name.endsWith(".mo") ? QByteArray(bytes).replace("= y", "= -x") : kModel);
                QVERIFY(f.click("modelApply"));
                QVERIFY(f.document.hasModel());
                QVERIFY(!f.window.showsBroken());
                QCOMPARE(f.document.bench().modelPath(), file);
                QCOMPARE(f.document.files().sessionPath(), QString());
            } else { // mended elsewhere and opened again
                QVERIFY(f.click("modelApply"));
                QVERIFY(f.window.showsBroken());
            }
            QCOMPARE(contents(file), bytes); // the file is the person's own to write
        }
    }

    void theMistakeOfAStudysModelIsShownInTheModel()
    {
        Fixture f;
        writeFile(path("pair.toml"), QByteArray(kModel).replace("mass = 1", "mas = 1"));
        writeFile(path("of-pair.toml"), "format = 1\ntitle = \"S\"\n[[run]]\nlabel = \"a\"\nmodel = \""
                                            + path("pair.toml").toUtf8()
                                            + "\"\nformulation = \"index-1\"\nintegrator = \"rk4\"\nend = 1\n");
        const auto opened = f.window.openPath(path("of-pair.toml"));
        QVERIFY(!opened.ok());
        QVERIFY2(f.find<QPlainTextEdit>("modelText")->toPlainText().contains("mas = 1"), opened.error().text().c_str());
    }

    /// The same file opened again, whole now: its text is that of the model that is open already.
    void aFileThatOpensLeavesTheBrokenOne()
    {
        Fixture f;
        writeFile(path("whole.toml"), kModel);
        writeFile(path("broken.toml"), QByteArray(kModel).replace("mass = 1", "mas = 1"));
        QVERIFY(f.window.openPath(path("whole.toml")).ok());
        QVERIFY(!f.window.openPath(path("broken.toml")).ok());
        QVERIFY(f.window.showsBroken());
        QVERIFY(f.window.openPath(path("whole.toml")).ok());
        QVERIFY(!f.window.showsBroken());
        QCOMPARE(f.find<QPlainTextEdit>("modelText")->toPlainText().toUtf8(), QByteArray(kModel));
        QCOMPARE(f.find<QPushButton>("modelApply")->text(), QStringLiteral("Apply"));
        QVERIFY(!f.find<QPushButton>("modelProblem")->isVisible());
    }

    /// Cancelled or asked for twice, a session is no broken file, and what is open stays.
    void aReplayThatEndsEarlyIsNoBrokenFile()
    {
        const QString file = path("long.driftless");
        {
            Document long_;
            QVERIFY(long_.opener().openModel("slider-crank").ok());
            long_.laboratory().waitUntil(60);
            long_.laboratory().scrub(60);
            QVERIFY(long_.files().saveSession(file).ok());
        }
        Fixture f;
        QVERIFY(f.document.opener().openModel("pendulum").ok());
        bool second = true, model = true;
        const auto asked = connect(&f.document, &Document::replaying, this, [&](SessionReplay*) {
            QTimer::singleShot(0, this, [&] {
                second = f.window.openPath(file).ok();
                model = f.document.opener().openModel("cart-pendulum").ok();
                auto* wait = f.window.findChild<QProgressDialog*>("replayDialog");
                if (wait)
                    emit wait->canceled();
            });
        });
        const auto opened = f.window.openPath(file);
        disconnect(asked);
        QVERIFY(!second && !model);
        QVERIFY(!f.window.showsBroken());
        QCOMPARE(f.document.compiled().model().name, std::string("pendulum"));
        QVERIFY(f.value("messageTitle").contains("not opened"));
        QVERIFY(!opened.ok());
    }

    void whatHasNoTextIsOnlyRefused()
    {
        Fixture f;
        writeFile(path("noise.toml"), QByteArray("\0\1\2", 3));
        for (const QString& file : {path("nowhere.toml"), path("noise.toml"), QStringLiteral("no-such-model"), folder_.path(),
                                    QStringLiteral("/dev/zero")}) {
            QVERIFY(!f.window.openPath(file).ok());
            QVERIFY2(!f.window.showsBroken(), qPrintable(file));
        }
    }

    /// As after a broken file from the shell: every button and key is there, and nothing to act on.
    void aWindowWithoutAModelStandsEverything()
    {
        Fixture f;
        for (QAction* action : f.window.actions()) {
            if (action->objectName() == "quit" || action->objectName() == "newMechanism")
                continue;
            action->trigger();
            QTest::qWait(1);
            closeDialogs(f);
            QVERIFY2(!f.document.hasModel(), qPrintable(action->objectName()));
        }
        QVERIFY(!f.window.exports().csv(path("nothing.csv")).ok());
        QVERIFY(!f.window.exports().now(folder_.path()).ok());
        f.window.findChild<QAction*>("newMechanism")->trigger();
        QVERIFY(f.document.hasModel());
    }

    /// What was said of a run of equations belongs to them.
    void aNewMechanismLeavesNothingOfTheEquationsBefore()
    {
        Fixture f;
        QVERIFY(f.window.openPath("pendulum-equations").ok());
        QVERIFY(f.window.openPage("equations"));
        QTest::qWait(50);
        auto* pivots = f.find<QWidget>("pivotPanel");
        auto* details = f.find<QLabel>("formulationDetails");
        const auto title = [&] {
            QStringList out;
            for (const QLabel* label : pivots->findChildren<QLabel*>())
                if (label->property("role") == "heading" && !label->isHidden())
                    out << label->text();
            return out.join('/');
        };
        QTRY_VERIFY(title().contains("Dummies of"));
        QTRY_VERIFY(!details->text().isEmpty());
        f.window.actionRegistry().at("workspace_study").trigger();
        f.window.findChild<QAction*>("newMechanism")->trigger();
        QTest::qWait(50);
        QVERIFY(f.document.runs().empty());
        QVERIFY2(!title().contains("Dummies of"), qPrintable(title()));
        QVERIFY2(details->text().isEmpty(), qPrintable(details->text()));
    }

    /// Space plays wherever the focus is, but where one writes; a button is pressed with Enter.
    void spacePlaysWhereverTheFocusIs()
    {
        Fixture f;
        QVERIFY(f.window.openFirstStart().ok());
        QApplication::setActiveWindow(&f.window);
        int plays = 0, writes = 0;
        for (const QString& page : {QString(), QStringLiteral("equations"), QStringLiteral("structure"),
                                    QStringLiteral("model"), QStringLiteral("start"), QStringLiteral("lessons")}) {
            if (!page.isEmpty())
                QVERIFY(f.window.openPage(page));
            QTest::qWait(30);
            for (QWidget* widget : f.window.findChildren<QWidget*>()) {
                if (widget->window() != &f.window || !widget->isVisible() || !widget->isEnabled()
                    || widget->focusPolicy() == Qt::NoFocus || widget->focusProxy())
                    continue;
                widget->setFocus();
                if (!widget->hasFocus())
                    continue;
                f.document.playback().pause();
                const auto runs = f.document.runs().size();
                const int undo = f.document.undoStack().index();
                auto* drawer = f.find<Drawer>("drawer");
                const int shown = drawer->currentIndex();
                QTest::keyClick(widget, Qt::Key_Space);
                const auto* line = qobject_cast<QLineEdit*>(widget);
                const auto* text = qobject_cast<QPlainTextEdit*>(widget);
                const auto* combo = qobject_cast<QComboBox*>(widget);
                const bool number = qobject_cast<NumberField*>(widget); // nothing is typed there yet
                const bool typed =
                    (line && !line->isReadOnly() && !number) || (text && !text->isReadOnly()) || (combo && combo->isEditable());
                const QString who =
                    QStringLiteral("%1 %2 on %3").arg(widget->metaObject()->className(), widget->objectName(), page);
                QVERIFY2(f.document.laboratory().clock().playing != typed, qPrintable(who));
                QVERIFY2(f.document.runs().size() == runs && f.document.undoStack().index() == undo
                             && drawer->currentIndex() == shown,
                         qPrintable(who));
                ++(typed ? writes : plays);
            }
        }
        QVERIFY2(plays > 40 && writes > 3, qPrintable(QStringLiteral("%1 %2").arg(plays).arg(writes)));
        f.document.playback().pause();
        auto* add = f.find<QPushButton>("addRunButton");
        add->setFocus();
        const auto runs = f.document.runs().size();
        QTest::keyClick(add, Qt::Key_Return);
        QCOMPARE(f.document.runs().size(), runs + 1);
        QVERIFY(!f.document.laboratory().clock().playing);
    }

    void cardsThatOnlyTellGoByThemselves()
    {
        Fixture f;
        QVERIFY(f.document.opener().openModel("pendulum").ok());
        QVERIFY(!f.window.openPath("no-such-model").ok());
        auto* card = f.find<MessageCard>("messageCard");
        QVERIFY(card->isVisible() && card->leaves());
        QVERIFY(f.window.openPath("cart-pendulum").ok()); // what it spoke of is over
        QVERIFY(!card->isVisible());
        bool answered = false;
        f.window.offerRestore("Restore?", "It was left behind.", [&](MainWindow::Offer) { answered = true; });
        QVERIFY(card->isVisible() && !card->leaves());
        QVERIFY(f.window.openPath("pendulum").ok());
        QVERIFY(card->isVisible() && !answered); // a question waits
    }

    /// Neither a model nor a run is named in the list, so that a message of another document would be taken for one of this.
    void messagesBelongToTheirDocument()
    {
        Fixture f;
        const auto tab = [&] {
            auto* bar = f.find<QTabWidget>("drawer")->tabBar();
            for (int i = 0; i < bar->count(); ++i)
                if (bar->tabText(i).startsWith("Messages"))
                    return bar->tabText(i);
            return QString();
        };
        QVERIFY(f.document.opener().openModel("pendulum").ok());
        QVERIFY(!f.document.control().setParameter("m", -1));
        QCOMPARE(tab(), QStringLiteral("Messages (1)"));
        QVERIFY(f.document.edits().reset()); // the same document
        QCOMPARE(tab(), QStringLiteral("Messages (1)"));
        QTest::keyClick(&f.window, Qt::Key_N, Qt::ControlModifier);
        QCOMPARE(tab(), QStringLiteral("Messages"));
        f.document.undoStack().undo(); // back to where it was said
        QCOMPARE(tab(), QStringLiteral("Messages (1)"));
    }

    void anEmptyMechanismShowsNoEquationsOfAnotherModel()
    {
        Fixture f;
        QVERIFY(f.document.opener().openModel("pendulum").ok());
        QVERIFY(f.window.openPage("equations"));
        auto* page = f.window.findChild<QTextBrowser*>("equationPage");
        QTRY_VERIFY(page->toPlainText().contains("= 0"));
        QTest::keyClick(&f.window, Qt::Key_N, Qt::ControlModifier);
        QTRY_VERIFY2(!page->toPlainText().contains("= 0"), qPrintable(page->toPlainText()));
    }

    void showMeWaitsForTheTimeThatIsAskedFor()
    {
        Fixture f;
        QVERIFY(f.window.openFirstStart().ok());
        QFile own(path("asks.toml"));
        QVERIFY(own.open(QIODevice::WriteOnly));
        own.write("format = 1\nid = \"asks\"\ntitle = \"Asks\"\n[[step]]\ntitle = \"One\"\ntext = "
                  "\"Watch.\"\n[step.setup]\nmodel = \"pendulum\"\nuntil = 4\n"
                  "speed = 50\n[[step.setup.run]]\nformulation = \"index-1\"\nintegrator = \"rk4\"\n[step.question]\nkind = "
                  "\"number\"\ntext = \"?\"\n"
                  "measure = \"energy\"\nat = 4\nrelative = 0.1\nhints = [\"a\", \"b\"]\n");
        own.close();
        QVERIFY(f.window.openLesson(own.fileName()).ok());
        f.document.playback().pause();
        QVERIFY(f.time() < 4);
        QVERIFY(f.click("lessonShow"));
        QTRY_VERIFY_WITH_TIMEOUT(!f.find<QLineEdit>("lessonAnswer")->text().isEmpty(), 20000);
        QVERIFY(std::abs(f.time() - 4) < 1e-9);
        QVERIFY(f.click("lessonCheck"));
        QCOMPARE(f.find<QLabel>("lessonFeedback")->property("tone").toString(), QStringLiteral("right"));
    }

    /// Plots are drawn in turn while time passes; when it stops they show the same stretch of it.
    void plotsAgreeWhenTheClockStops()
    {
        Fixture f({1920, 1080}); // three plots in sight
        QVERIFY(f.window.openFirstStart().ok());
        f.document.playback().setSpeed(20);
        for (int round = 1; round <= 6; ++round) {
            f.document.playback().play();
            QVERIFY(f.playUntil(6.4 * round));
            f.document.playback().pause();
            QTest::qWait(400); // runs finish what they compute ahead
            PlotColumn& plots = f.window.plots();
            for (int i = 1; i < 3; ++i)
                QCOMPARE(plots.plot(i).timeEnd(), plots.plot(0).timeEnd());
        }
    }
};

QTEST_MAIN(TestDocuments)
#include "test_documents.moc"
