// label: long
// The registry of actions (acceptance 4): each entry is found in a menu and by name, does something or says why it cannot, and
// its key stands on the page of shortcuts. What is shipped is found by name as well.
#include <QClipboard>
#include <QDir>
#include <QListWidget>
#include <QMenu>
#include <QMimeData>
#include <QRegularExpression>
#include <QSettings>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTextBrowser>

#include "core/formulation/Formulation.h"
#include "core/integrate/Integrator.h"
#include "core/lesson/Lesson.h"
#include "core/reduction/Reduced.h"
#include "core/study/Study.h"
#include "core/system/ShippedModels.h"
#include "tests/ui/WindowFixture.h"
#include "ui/panels/CommandPalette.h"
#include "ui/panels/FormulationList.h"
#include "ui/panels/FuzzyMatch.h"
#include "ui/panels/Help.h"
#include "ui/panels/MenuBar.h"
#include "ui/panels/MessageCard.h"
#include "ui/views/SceneView.h"

using namespace driftless;
using namespace driftless::ui;
using namespace driftless::ui::test;

namespace {

CommandPalette* openPalette(Fixture& f)
{
    QTest::keyClick(&f.window, Qt::Key_K, Qt::ControlModifier);
    QTest::qWait(20);
    return f.window.findChild<CommandPalette*>();
}

void closePalette(Fixture& f)
{
    while (auto* palette = f.window.findChild<CommandPalette*>())
        delete palette;
}

/// Types into the palette and presses Enter on the entry of this id, which has to be among the first few.
bool chooseByName(Fixture& f, const QString& id, const QString& typed)
{
    auto* palette = openPalette(f);
    if (!palette)
        return false;
    auto* field = palette->findChild<QLineEdit*>("paletteField");
    field->setText(typed); // keys have no way to write … and ×
    const auto row = palette->listed().indexOf(id);
    constexpr int kSeen = 8; // rows in sight
    for (int i = 0; i < row && row < kSeen; ++i)
        QTest::keyClick(field, Qt::Key_Down);
    if (row >= 0 && row < kSeen)
        QTest::keyClick(field, Qt::Key_Return);
    else
        qWarning("%s is at place %d for %s", qPrintable(id), static_cast<int>(row), qPrintable(typed));
    QTest::qWait(60);
    closePalette(f);
    return row >= 0 && row < kSeen;
}

/// All that an action can leave behind, as a text.
QStringList stateOf(Fixture& f, const QString& home)
{
    QStringList state;
    for (QWidget* shown : QApplication::topLevelWidgets())
        if (shown->isVisible() && !qobject_cast<CommandPalette*>(shown))
            state << "window " + shown->objectName() + shown->windowTitle();
    state.sort();
    for (const ActionEntry& entry : f.window.actionRegistry().entries())
        if (f.window.actionRegistry().isChecked(entry.id))
            state << "checked " + entry.id;
    if (f.document.hasModel()) {
        const auto clock = f.document.laboratory().clock();
        state << QStringLiteral("clock %1 %2 %3").arg(clock.t).arg(clock.playing).arg(clock.speed)
              << f.document.files().title();
    }
    state << QStringLiteral("runs %1").arg(f.document.runs().size())
          << QStringLiteral("undo %1").arg(f.document.undoStack().index());
    auto* drawer = f.window.findChild<QTabWidget*>("drawer");
    state << QStringLiteral("page %1 %2").arg(drawer->currentIndex()).arg(drawer->isVisible());
    state << QDir(home).entryList(QDir::Files) << qApp->styleSheet().left(200);
    if (const auto* copied = QApplication::clipboard()->mimeData())
        state << QStringLiteral("clipboard %1").arg(copied->formats().join(' '));
    for (const auto* card : f.window.findChildren<MessageCard*>())
        for (const auto* label : card->findChildren<QLabel*>())
            state << (card->isVisible() ? label->text() : QString());
    return state;
}

bool inMenu(const QMenuBar& bar, const QAction& action)
{
    for (const QAction* title : bar.actions())
        if (title->menu() && title->menu()->actions().contains(&action))
            return true;
    return false;
}

} // namespace

class TestActions : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

private slots:
    void initTestCase()
    {
        QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, folder_.path());
        qputenv("HOME", folder_.path().toLocal8Bit());
    }
    void init() { QApplication::clipboard()->clear(); }

    void everyEntryIsInAMenuAndFoundByItsWords()
    {
        Fixture f;
        QVERIFY(f.window.openFirstStart().ok());
        const auto& entries = f.window.actionRegistry().entries();
        QVERIFY(entries.size() >= 40);
        auto* palette = openPalette(f);
        QVERIFY(palette);
        auto* field = palette->findChild<QLineEdit*>("paletteField");
        QSet<QString> ids;
        for (const ActionEntry& entry : entries) {
            QVERIFY2(!ids.contains(entry.id), qPrintable(entry.id));
            ids.insert(entry.id);
            const QAction& action = f.window.actionRegistry().at(entry.id);
            QVERIFY2(inMenu(*f.find<QMenuBar>("menuBar"), action), qPrintable(entry.id));
            field->setText(action.text());
            const auto place = palette->listed().indexOf("action/" + entry.id);
            QVERIFY2(place >= 0 && place < 3, qPrintable(entry.id));
        }
        closePalette(f);
    }

    void noKeyMeansTwoThings()
    {
        Fixture f;
        QVERIFY(f.window.openFirstStart().ok());
        for (const bool editing : {false, true}) {
            f.window.setEditing(editing);
            QSet<QString> keys;
            for (const ActionEntry& entry : f.window.actionRegistry().entries()) {
                const QString key = entry.key.toString();
                // Undo and redo wait for something to undo; they have no rivals for their keys either way.
                if (key.isEmpty() || !f.window.actionRegistry().at(entry.id).isEnabled())
                    continue;
                QVERIFY2(!keys.contains(key), qPrintable(entry.id + " " + key));
                keys.insert(key);
            }
        }
    }

    void eachDoesSomethingOrSaysWhyNot_data()
    {
        QTest::addColumn<bool>("opened");
        QTest::newRow("nothing is open") << false;
        QTest::newRow("runs are open") << true;
    }
    void eachDoesSomethingOrSaysWhyNot()
    {
        QFETCH(bool, opened);
        QStringList ids;
        {
            Fixture f;
            for (const ActionEntry& entry : f.window.actionRegistry().entries())
                // The palette is what finds the others here, and the window is in Watch already.
                if (entry.id != "palette" && entry.id != "workspace_watch")
                    ids << entry.id;
        }
        for (const QString& id : ids) {
            Fixture f;
            if (opened) {
                QVERIFY(f.window.openFirstStart().ok());
                f.document.playback().stepOnce(); // so that there is a way back to the start
            }
            QTest::qWait(30);
            if (id == "fit") { // the one that only moves the camera
                const auto place = QPointF(f.window.scene().rect().center());
                QWheelEvent wheel(place, f.window.scene().mapToGlobal(place), {}, {0, 480}, {}, {}, Qt::NoScrollPhase, false);
                QApplication::sendEvent(&f.window.scene(), &wheel);
                QTest::qWait(50);
            }
            const QImage seen = f.window.scene().grab().toImage();
            const QStringList before = stateOf(f, folder_.path());
            const auto& entries = f.window.actionRegistry().entries();
            const auto entry = std::ranges::find(entries, id, &ActionEntry::id);
            const QString why = Actions::whyNot(*entry);
            QVERIFY2(chooseByName(f, "action/" + id, f.window.actionRegistry().at(id).text()), qPrintable(id));
            QTest::qWait(50);
            const QStringList after = stateOf(f, folder_.path());
            if (!why.isEmpty())
                QVERIFY2(after.contains(why), qPrintable(id + ": " + why));
            else if (id == "fit" && opened)
                QVERIFY(f.window.scene().grab().toImage() != seen);
            else if (id != "fit")
                QVERIFY2(after != before, qPrintable(id));
            for (QDialog* dialog : f.window.findChildren<QDialog*>())
                delete dialog;
        }
    }

    void menusGreyWhatIsImpossible_andTheKeyStillSaysWhy()
    {
        Fixture f;
        QAction& figure = f.window.actionRegistry().at("exportFigure");
        auto* menu = f.find<QMenu>("menu_file");
        menu->popup(f.window.mapToGlobal(QPoint(0, 40)));
        QVERIFY(!figure.isEnabled());
        QVERIFY(!figure.toolTip().isEmpty());
        menu->hide();
        QTRY_VERIFY(figure.isEnabled());
        figure.trigger(); // as its key does
        QTest::qWait(20);
        QVERIFY(stateOf(f, folder_.path()).contains(QStringLiteral("No model is open.")));
        QVERIFY(f.window.openFirstStart().ok());
        menu->popup(f.window.mapToGlobal(QPoint(0, 40)));
        QVERIFY(figure.isEnabled());
        menu->hide();
    }

    void whatIsShippedIsFoundByItsTitle()
    {
        Fixture f;
        QVERIFY(f.window.openFirstStart().ok());
        auto* palette = openPalette(f);
        QVERIFY(palette);
        QMap<QString, QString> wanted;
        const auto add = [&](const QString& kind, const auto& all) {
            QVERIFY(!all.empty());
            for (const auto& one : all)
                wanted[kind + QString::fromStdString(one.id)] = QString::fromStdString(one.title.empty() ? one.id : one.title);
        };
        add("model/", model::shippedModels());
        add("model/", reduction::shippedEquations());
        add("lesson/", lesson::shippedLessons());
        add("study/", study::shippedStudies());
        add("integrator/", integrate::integratorCatalogue());
        for (const auto& form : formulation::formulations())
            wanted["formulation/" + QString::fromStdString(form->info().id)] = formulationWords(form->info());
        auto* field = palette->findChild<QLineEdit*>("paletteField");
        for (auto one = wanted.begin(); one != wanted.end(); ++one) {
            field->setText(one.value());
            const auto byTitle = palette->listed().indexOf(one.key());
            QVERIFY2(byTitle >= 0 && byTitle < 8, qPrintable(one.key() + ": " + one.value()));
            field->setText(one.key().section('/', 1));
            const auto byId = palette->listed().indexOf(one.key());
            QVERIFY2(byId >= 0 && byId < 8, qPrintable(one.key()));
        }
        for (const auto& form : formulation::formulations()) { // and by the title that papers give it
            field->setText(QString::fromStdString(form->info().title));
            const auto place = palette->listed().indexOf("formulation/" + QString::fromStdString(form->info().id));
            QVERIFY2(place >= 0 && place < 8, form->info().title.c_str());
        }
        closePalette(f);
    }

    void whatFitsNothingSaysSo()
    {
        Fixture f;
        QVERIFY(f.window.openFirstStart().ok());
        auto* palette = openPalette(f);
        QVERIFY(palette);
        auto* field = palette->findChild<QLineEdit*>("paletteField");
        auto* nothing = palette->findChild<QLabel*>("paletteNothing");
        QVERIFY(nothing && !nothing->isVisible());
        field->setText("qqzzxx");
        QVERIFY(palette->listed().isEmpty());
        QVERIFY(nothing->isVisible() && nothing->text().contains("qqzzxx"));
        QTest::keyClick(field, Qt::Key_Return); // does nothing
        QVERIFY(palette->isVisible());
        field->clear();
        QVERIFY(!nothing->isVisible() && !palette->listed().isEmpty());
        closePalette(f);
    }

    void namesOpenAndSwitch()
    {
        Fixture f;
        QVERIFY(f.window.openFirstStart().ok());
        QVERIFY(chooseByName(f, "formulation/baumgarte", "baumgarte"));
        QCOMPARE(f.document.status(f.document.bench().selected()).settings.formulation, std::string("baumgarte"));
        QVERIFY(chooseByName(f, "integrator/rk4", "rk4"));
        QCOMPARE(f.document.status(f.document.bench().selected()).settings.integrator, std::string("rk4"));
        QVERIFY(chooseByName(f, "model/slider-crank", "slider crank"));
        QCOMPARE(f.document.compiled().model().name, std::string("slider-crank"));
        const auto lessons = lesson::shippedLessons();
        QVERIFY(chooseByName(f, "lesson/" + QString::fromStdString(lessons.front().id),
                             QString::fromStdString(lessons.front().title)));
        QVERIFY(f.window.actionRegistry().isChecked("lessons"));
    }

    void aMethodThatCannotCarryTheFormSaysSo()
    {
        Fixture f;
        QVERIFY(f.window.openFirstStart().ok());
        QVERIFY(f.document.control().setFormulation(f.document.bench().selected(), "index-3"));
        const auto before = f.document.status(f.document.bench().selected()).settings.integrator;
        QVERIFY(integrate::findIntegrator("rk4")->maxIndex < 3);
        QVERIFY(chooseByName(f, "integrator/rk4", "rk4"));
        QCOMPARE(f.document.status(f.document.bench().selected()).settings.integrator, before);
        QVERIFY(!stateOf(f, folder_.path()).filter("index 3").isEmpty());
    }

    void thePageOfShortcutsHasEveryKey()
    {
        Fixture f;
        const QString text = shortcutsText(f.window.actionRegistry());
        for (const ActionEntry& entry : f.window.actionRegistry().entries())
            for (const QKeySequence& key : f.window.actionRegistry().at(entry.id).shortcuts()) {
                const QString keys = QRegularExpression::escape(key.toString(QKeySequence::NativeText));
                const QRegularExpression row(
                    QStringLiteral("\\| ([^|]* or )?%1( or [^|]*)? \\| %2").arg(keys, QRegularExpression::escape(entry.words)));
                QVERIFY2(text.contains(row), qPrintable(entry.id + " " + key.toString()));
            }
        for (const char* key : {"Ctrl+Y", "Page Down", "Page Up", "1 to 9"})
            QVERIFY2(text.contains(key), key);
        // A key that stands there more than once says when it means what.
        QMap<QString, QStringList> meanings;
        for (const ActionEntry& entry : f.window.actionRegistry().entries())
            if (!entry.key.isEmpty())
                meanings[entry.key.toString()] << entry.during;
        for (auto key = meanings.cbegin(); key != meanings.cend(); ++key)
            QVERIFY2(key->size() == 1
                         || (!key->contains(QString()) && QSet<QString>(key->begin(), key->end()).size() == key->size()),
                     qPrintable(key.key()));
        for (const char* page : {"shortcuts", "notation", "glossary", "about"}) {
            f.window.actionRegistry().at(page).trigger();
            QTest::qWait(20);
            auto* shown = f.find<QTextBrowser>(QString(page) + "Page");
            QVERIFY(shown && shown->isVisible());
            QVERIFY2(!shown->toPlainText().contains("is missing"), page);
            QVERIFY2(shown->toPlainText().size() > 200, page);
        }
    }

    void fuzzyScores_data()
    {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("better");
        QTest::addColumn<QString>("worse"); // empty: nothing else is compared
        QTest::newRow("a word before a part of one") << "step"
                                                     << "One step"
                                                     << "Stepsize of the projection";
        QTest::newRow("the start of a word before its middle") << "pro"
                                                               << "Projection"
                                                               << "Improper";
        QTest::newRow("letters in order") << "slcr"
                                          << "Slider-crank"
                                          << "";
        QTest::newRow("accents and capitals") << "stormer"
                                              << "Störmer-Verlet"
                                              << "";
        QTest::newRow("the name itself before longer ones") << "pendulum"
                                                            << "Pendulum"
                                                            << "Pendulum pendulum";
        QTest::newRow("words in any order") << "crank slider"
                                            << "Slider-crank"
                                            << "";
    }
    void fuzzyScores()
    {
        QFETCH(QString, typed);
        QFETCH(QString, better);
        QFETCH(QString, worse);
        QVERIFY(fuzzyScore(typed, better) > 0);
        if (!worse.isEmpty())
            QVERIFY(fuzzyScore(typed, better) > fuzzyScore(typed, worse));
        QCOMPARE(fuzzyScore(typed + " zzz", better), -1);
        QCOMPARE(fuzzyScore({}, better), 0);
    }
};

QTEST_MAIN(TestActions)
#include "test_actions.moc"
