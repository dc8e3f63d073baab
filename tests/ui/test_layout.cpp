// label: long
// Where everything stands in the Watch layout, by rectangles: what a lecture hall has to see at 1280x720, that nothing overlaps
// or is cut in other sizes, and that what happens to a run moves no control that is not part of it.
#include <QAbstractSlider>
#include <QLayout>
#include <QMenuBar>
#include <QSettings>
#include <QTemporaryDir>
#include <QTextBrowser>

#include <ranges>
#include <set>

#include "core/formulation/Formulation.h"
#include "core/integrate/Integrator.h"
#include "tests/ui/WindowFixture.h"
#include "ui/panels/LessonPanel.h"
#include "ui/panels/PlotColumn.h"
#include "ui/panels/RunBoard.h"
#include "ui/views/SceneView.h"

using namespace driftless;
using namespace driftless::ui;
using namespace driftless::ui::test;

namespace {

constexpr QSize kHall{1280, 720};

QRect inWindow(const QWidget& widget) { return {widget.mapTo(widget.window(), QPoint()), widget.size()}; }

/// Why a widget cannot be seen as a whole; empty: it can.
QString hiddenPart(const QWidget* widget, const QString& name)
{
    if (!widget || !widget->isVisible())
        return name + " is not in sight";
    const QRect place = inWindow(*widget);
    if (!widget->window()->rect().contains(place))
        return name + " leaves the window";
    for (const QWidget* over = widget->parentWidget(); over; over = over->parentWidget())
        if (const auto* scroll = qobject_cast<const QScrollArea*>(over);
            scroll && !inWindow(*scroll->viewport()).contains(place))
            return QStringLiteral("%1 leaves %2").arg(name, scroll->objectName());
    return {};
}

bool scrolls(const QWidget* widget)
{
    for (const QWidget* over = widget->parentWidget(); over; over = over->parentWidget())
        if (qobject_cast<const QAbstractScrollArea*>(over))
            return true;
    return false;
}

/// Controls and areas by name, where they are in sight.
QMap<QString, QRect> places(const MainWindow& window)
{
    static const std::set<QString> areas{"scene",     "timeLine", "plots",      "plot_1",        "leftColumn", "runList",
                                         "runStrips", "runBoard", "runHeader",  "topBar",        "runChips",   "lessonPanel",
                                         "drawer",    "stage",    "pivotPanel", "parameterPanel"};
    QMap<QString, QRect> out;
    for (const QWidget* widget : window.findChildren<QWidget*>()) {
        const QString name = widget->objectName();
        if (name.isEmpty() || name.startsWith("qt_") || !widget->isVisible() || widget->window() != &window)
            continue;
        if (areas.contains(name) || qobject_cast<const QAbstractButton*>(widget) || qobject_cast<const QComboBox*>(widget)
            || qobject_cast<const QLineEdit*>(widget) || qobject_cast<const QAbstractSlider*>(widget))
            out[name] = inWindow(*widget);
    }
    return out;
}

/// Of the controls that were there before and whose name has none of these parts: which stand elsewhere now or are gone.
QString moved(const QMap<QString, QRect>& before, const QMap<QString, QRect>& after, const QStringList& partOfIt, int least)
{
    QString out;
    int compared = 0;
    for (auto one = before.begin(); one != before.end(); ++one) {
        const auto has = [&one](const QString& part) { return one.key().contains(part); };
        if (std::ranges::any_of(partOfIt, has))
            continue;
        ++compared;
        if (!after.contains(one.key()))
            out += one.key() + " is gone\n";
        else if (after[one.key()] != one.value())
            out += one.key() + " moved\n";
    }
    return compared >= least ? out : QStringLiteral("only %1 controls were compared").arg(compared);
}

void widgetsOf(const QLayout& layout, std::vector<const QWidget*>& out)
{
    for (int i = 0; i < layout.count(); ++i) {
        if (const QWidget* widget = layout.itemAt(i)->widget(); widget && widget->isVisible())
            out.push_back(widget);
        else if (const QLayout* inner = layout.itemAt(i)->layout())
            widgetsOf(*inner, out);
    }
}

/// Siblings of a layout that lie over each other, and buttons whose text does not fit.
QString clashes(const MainWindow& window)
{
    QString out;
    int pairs = 0, texts = 0;
    for (const QWidget* widget : window.findChildren<QWidget*>()) {
        if (!widget->isVisible() || widget->window() != &window)
            continue;
        if (const auto* button = qobject_cast<const QAbstractButton*>(widget);
            button && !button->text().isEmpty() && !button->objectName().isEmpty() && !qobject_cast<const RunChip*>(widget)) {
            const auto* tool = qobject_cast<const QToolButton*>(button);
            const bool icon = tool && tool->toolButtonStyle() == Qt::ToolButtonIconOnly && !tool->icon().isNull();
            ++texts;
            if (!icon && button->fontMetrics().horizontalAdvance(button->text()) > button->width())
                out += QStringLiteral("%1 cuts \"%2\"\n").arg(button->objectName(), button->text());
        }
        if (!widget->layout())
            continue;
        std::vector<const QWidget*> parts;
        widgetsOf(*widget->layout(), parts);
        for (std::size_t i = 0; i < parts.size(); ++i)
            for (std::size_t j = i + 1; j < parts.size(); ++j) {
                ++pairs;
                if (parts[i]->geometry().intersects(parts[j]->geometry()))
                    out += QStringLiteral("%1 lies over %2 in %3\n")
                               .arg(parts[i]->objectName(), parts[j]->objectName(), widget->objectName());
            }
    }
    return pairs > 60 && texts > 8 ? out : QStringLiteral("only %1 pairs and %2 texts").arg(pairs).arg(texts);
}

/// Pictures to look at, where DRIFTLESS_KEEP_PICTURES names a folder.
void keepPicture(QWidget& window, const QString& name)
{
    if (const QString folder = qEnvironmentVariable("DRIFTLESS_KEEP_PICTURES"); !folder.isEmpty())
        window.grab().save(QStringLiteral("%1/layout-%2.png").arg(folder, name));
}

} // namespace

class TestLayout : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    /// Until there are so many runs.
    static void addRuns(Fixture& f, std::size_t count)
    {
        while (f.document.runs().size() < count)
            QVERIFY(f.click("addRunButton"));
        f.document.bench().select(f.key(0)); // it was the new one
        QTest::qWait(150);
    }

private slots:
    void initTestCase() { QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, folder_.path()); }

    void aLessonLeavesRoomForSceneAndPlot_data()
    {
        QTest::addColumn<QString>("lesson");
        for (const char* id : {"drift-off", "energy", "pencils", "symplectic", "degrees-of-freedom", "stiffness"})
            QTest::newRow(id) << QString::fromLatin1(id);
    }
    void aLessonLeavesRoomForSceneAndPlot()
    {
        QFETCH(QString, lesson);
        Fixture f(kHall);
        QVERIFY(f.window.openFirstStart().ok());
        QVERIFY(f.window.openLesson(lesson).ok());
        auto* panel = f.find<LessonPanel>("lessonPanel");
        const int steps = static_cast<int>(panel->current()->steps.size());
        for (int step = 0; step < steps; ++step) {
            panel->goTo(step);
            f.document.playback().pause();
            QTest::qWait(60);
            const auto& question = panel->current()->steps[static_cast<std::size_t>(step)].question;
            if (question && question->kind == lesson::Question::Kind::Choice) // the longest verdict
                QTest::mouseClick(f.find<QAbstractButton>("lessonOption_1"), Qt::LeftButton, {}, QPoint(8, 8));
            for (int times = 0; question && times < 2; ++times)
                QVERIFY(f.click("lessonCheck"));
            QTest::qWait(30);
            keepPicture(f.window, QStringLiteral("%1-%2").arg(lesson).arg(step + 1));
            const QSize scene = f.window.scene().isVisible() ? f.window.scene().size() : f.find<QWidget>("portraits")->size();
            QVERIFY2(scene.width() >= 800, qPrintable(QString::number(scene.width())));
            QVERIFY2(scene.width() * scene.height() >= 0.36 * kHall.width() * kHall.height(),
                     qPrintable(QStringLiteral("%1 x %2").arg(scene.width()).arg(scene.height())));
            const QWidget* plot = f.find<QWidget>("plot_1");
            QVERIFY(plot->height() >= 200 && plot->width() >= 600);
            QString all = hiddenPart(plot, "plot_1") + hiddenPart(f.find<QWidget>("lessonNext"), "lessonNext");
            for (const char* name : {"lessonTask", "lessonQuestion", "lessonAnswer", "lessonCheck", "lessonFeedback"}) {
                auto* part = f.find<QWidget>(name);
                if (!part->isVisible())
                    continue;
                all += hiddenPart(part, name);
                QVERIFY2(!scrolls(part), name);
                if (const auto* label = qobject_cast<QLabel*>(part))
                    QVERIFY2(label->height() >= label->heightForWidth(label->width()), name);
            }
            if (question && question->kind == lesson::Question::Kind::Choice)
                for (std::size_t i = 1; i <= question->options.size(); ++i)
                    all += hiddenPart(f.find<QWidget>(QStringLiteral("lessonOption_%1").arg(i)), "an option");
            QVERIFY2(all.isEmpty(), qPrintable(QStringLiteral("step %1: %2").arg(step + 1).arg(all)));
            QVERIFY(!scrolls(f.find<QWidget>("lessonNext")));
            QVERIFY(f.find<QTextBrowser>("lessonText")->height() >= 48);
        }
    }

    void eightRunsAndTheirParametersAreInSight()
    {
        Fixture f(kHall);
        QVERIFY(f.document.opener().openModel("stewart").ok());
        addRuns(f, 8);
        QString all;
        for (int run = 1; run <= 8; ++run)
            all += hiddenPart(f.find<QWidget>(QStringLiteral("row_%1").arg(run)), QStringLiteral("row %1 ").arg(run));
        QCOMPARE(f.document.system().parameters.size(), std::size_t(8));
        for (const auto& parameter : f.document.system().parameters) {
            const QString name = QString::fromStdString(parameter.quantity.name);
            all += hiddenPart(f.find<QWidget>("value_" + name), name + " ");
            all += hiddenPart(f.find<QWidget>("slider_" + name), name + " ");
        }
        for (const char* name : {"formulation_1", "integrator_1", "step_1", "parameterSearch", "addRunButton"})
            all += hiddenPart(f.find<QWidget>(name), name);
        keepPicture(f.window, "stewart");
        QVERIFY2(all.isEmpty(), qPrintable(all));
    }

    void thePivotsOfASliderCrankAreInSight()
    {
        Fixture f(kHall);
        QVERIFY(f.document.opener().openModel("slider-crank").ok());
        addRuns(f, 8);
        int seen = 0;
        QString all;
        for (auto* button : f.find<QWidget>("pivotPanel")->findChildren<QPushButton*>())
            if (button->objectName().startsWith("pivot_") && !button->isHidden()) {
                all += hiddenPart(button, button->objectName() + " ");
                ++seen;
            }
        keepPicture(f.window, "slider-crank");
        QVERIFY2(all.isEmpty(), qPrintable(all));
        QVERIFY2(seen >= 3, qPrintable(QString::number(seen)));
    }

    void everyParameterOfAndrewsIsFound()
    {
        Fixture f(kHall);
        QVERIFY(f.document.opener().openModel("andrews").ok());
        QTest::qWait(150);
        QVERIFY(f.document.system().parameters.size() > 40);
        auto* search = f.find<QLineEdit>("parameterSearch");
        for (const auto& parameter : f.document.system().parameters) {
            const QString name = QString::fromStdString(parameter.quantity.name);
            search->setText(name + ":"); // as its tool tip begins, so that m1 is not m10
            QTest::qWait(5);
            const QString hidden = hiddenPart(f.find<QWidget>("value_" + name), name);
            QVERIFY2(hidden.isEmpty(), qPrintable(hidden));
        }
        search->setText("spring");
        QTest::qWait(5);
        QVERIFY(f.find<QWidget>("value_c0")->isVisible() && !f.find<QWidget>("value_m1")->isVisible());
        search->setText("there is no such thing");
        QVERIFY(f.find<QLabel>("parametersNone")->isVisible());
        search->clear();
        QVERIFY(f.find<QWidget>("value_m1")->isVisible() && !f.find<QLabel>("parametersNone")->isVisible());
    }

    void aChangedParameterGoesBack_aloneAndWithAll()
    {
        Fixture f(kHall);
        QVERIFY(f.window.openFirstStart().ok());
        QTest::qWait(100);
        QVERIFY(!f.find<QWidget>("reset_L")->isVisible() && !f.find<QWidget>("resetParameters")->isEnabled());
        const auto own = f.document.compiled().defaultParameters();
        QVERIFY(f.enter("value_L", "1.3"));
        QTest::qWait(100);
        QVERIFY(f.document.bench().parameters() != own);
        QVERIFY(f.click("reset_L"));
        QCOMPARE(f.document.bench().parameters(), own);
        QVERIFY(f.enter("value_L", "1.2"));
        QVERIFY(f.enter("value_g", "3"));
        QTest::qWait(100);
        const auto changed = f.document.bench().parameters();
        const int entries = f.document.undoStack().count();
        QVERIFY(f.click("resetParameters"));
        QCOMPARE(f.document.bench().parameters(), own);
        QCOMPARE(f.document.undoStack().count(), entries + 1); // one entry for all of them
        QVERIFY(f.click("undoButton"));
        QCOMPARE(f.document.bench().parameters(), changed);
        QVERIFY(f.click("redoButton"));
        QCOMPARE(f.document.bench().parameters(), own);
        QTRY_VERIFY(!f.find<QWidget>("reset_L")->isVisible() && !f.find<QWidget>("resetParameters")->isEnabled());
    }

    void whatHappensToARunMovesNothingElse_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::newRow("lecture hall") << kHall;
        QTest::newRow("desk") << QSize(1920, 1080);
    }
    void whatHappensToARunMovesNothingElse()
    {
        QFETCH(QSize, size);
        Fixture f(size);
        QVERIFY(f.window.openFirstStart().ok());
        QTest::qWait(150);
        const int least = 40;
        // Another run is selected: its strip, its details and its pivots take the place of those of the first.
        const QStringList selected{"formulation_", "integrator_", "step_", "tolerances_", "details_",
                                   "duplicate_",   "remove_",     "pivot", "option_"};
        auto before = places(f.window);
        QVERIFY(f.click("addRunButton")); // which selects the new one
        QTest::qWait(150);
        QString said = moved(before, places(f.window), selected, least);
        QVERIFY2(said.isEmpty(), qPrintable("add: " + said));

        f.document.bench().select(f.key(0));
        QTest::qWait(150);
        before = places(f.window);
        QVERIFY(f.openRun(2));
        QTest::qWait(150);
        said = moved(before, places(f.window), selected, least);
        QVERIFY2(said.isEmpty(), qPrintable("select: " + said));
        QCOMPARE(places(f.window)["formulation_2"], before["formulation_1"]);

        before = places(f.window);
        QVERIFY(f.choose("formulation_2", "baumgarte")); // which has gains
        QTest::qWait(150);
        QVERIFY(f.find<QWidget>("value_xi")->isVisible());
        said = moved(before, places(f.window), {"pivot"}, least);
        QVERIFY2(said.isEmpty(), qPrintable("switch: " + said));
    }

    void aRunThatStopsMovesNothing()
    {
        Fixture f(kHall);
        QVERIFY(f.document.opener().openModel("pendulum").ok());
        f.document.laboratory().waitUntil(0.5);
        run::PivotChoice pinned{.automatic = false, .dummies = {f.document.system().coordinates[0].name}};
        if (!f.document.control().setPivot(f.key(0), pinned)) {
            pinned.dummies = {f.document.system().coordinates[1].name};
            QVERIFY(f.document.control().setPivot(f.key(0), pinned));
        }
        QTest::qWait(200);
        const auto before = places(f.window);
        f.document.laboratory().waitUntil(20);
        QCOMPARE(f.status(0).state, run::RunState::Failed);
        QTRY_VERIFY(f.find<QWidget>("remedy_1")->isVisible());
        const QString said = moved(before, places(f.window), {"pivot_"}, 35);
        QVERIFY2(said.isEmpty(), qPrintable(said));
        const QString hidden = hiddenPart(f.find<QWidget>("remedy_1"), "remedy")
                               + hiddenPart(f.find<QWidget>("reason_1"), "reason")
                               + hiddenPart(f.find<QWidget>("why_1"), "why");
        QVERIFY2(hidden.isEmpty(), qPrintable(hidden));
        QVERIFY(f.find<QWidget>("failed_1")->isVisible() && f.find<QWidget>("row_1")->toolTip().contains("Stopped"));
        keepPicture(f.window, "stopped");
        QVERIFY(!f.document.control().setParameter("m", -1)); // a notice lies beside it, not over its buttons
        QTest::qWait(50);
        auto* card = f.find<QWidget>("messageCard");
        QVERIFY(card->isVisible());
        QVERIFY(!card->geometry().intersects(f.find<QWidget>("runSheet")->geometry()));
        QVERIFY(f.click("runSheetClose")); // it was read
        QTest::qWait(50);
        QCOMPARE(card->geometry().center().x(), card->parentWidget()->rect().center().x()); // there is room again
        QTest::qWait(200);
        QVERIFY(!f.find<QWidget>("remedy_1")->isVisible());
        QVERIFY(f.openDetails(1));
        QVERIFY(f.find<QWidget>("remedy_1")->isVisible());
        // Its row says it in a word, also while another run is selected, and the word leads to the reason.
        QVERIFY(f.click("runSheetClose"));
        QVERIFY(f.click("addRunButton"));
        QVERIFY(f.openRun(2));
        QTest::qWait(100);
        auto* word = f.find<QLabel>("failed_1");
        QVERIFY(word->isVisible() && word->text().contains("stopped") && !f.find<QWidget>("remedy_1")->isVisible());
        QTest::mouseClick(word, Qt::LeftButton);
        QTest::qWait(50);
        QVERIFY(f.find<QWidget>("remedy_1")->isVisible());
    }

    void figuresOfARowDoNotTouch()
    {
        Fixture f(kHall);
        QVERIFY(f.window.openFirstStart().ok());
        f.document.laboratory().waitUntil(12);
        const QStringList names{"residual_", "energy_", "error_"};
        for (double t = 0; t <= 12; t += 0.37) {
            f.window.showAt(t);
            for (const QString& name : names)
                for (int run = 1; run <= 2; ++run) {
                    const auto* label = f.find<QLabel>(name + QString::number(run));
                    QVERIFY2(label->fontMetrics().horizontalAdvance(label->text()) <= label->width() - 2,
                             qPrintable(label->objectName() + ' ' + label->text()));
                }
        }
    }

    void aNarrowWindowKeepsItsMenusAndTitle()
    {
        Fixture f({1000, 600});
        QVERIFY(f.window.openFirstStart().ok());
        QTest::qWait(100);
        const auto* bar = f.find<QMenuBar>("menuBar");
        for (const QAction* title : bar->actions())
            QVERIFY2(bar->rect().contains(bar->actionGeometry(const_cast<QAction*>(title))), qPrintable(title->text()));
        const auto* title = f.find<QLabel>("titleLabel");
        QVERIFY(title->width() >= title->fontMetrics().horizontalAdvance(f.document.files().title().section(" – ", 0, 0)));
        QVERIFY(!f.find<QWidget>("saveButton")->isVisible());
        f.window.resize(1280, 720);
        QTest::qWait(50);
        QVERIFY(f.find<QWidget>("saveButton")->isVisible());
    }

    void theListIsSortedByItsHeader()
    {
        Fixture f(kHall);
        QVERIFY(f.window.openFirstStart().ok());
        addRuns(f, 4);
        QVERIFY(f.document.control().setFormulation(f.key(2), "baumgarte"));
        f.document.playback().play();
        QVERIFY(f.playUntil(2));
        f.document.playback().pause();
        QTest::qWait(200);
        const auto* board = f.window.findChild<RunBoard*>();
        const auto own = board->order();
        std::vector<int> keys;
        for (const RunEntry& run : f.document.runs())
            keys.push_back(run.key);
        QCOMPARE(own, keys);
        const auto residual = [&f](int key) { return metricAt(f.document.bench(), key, "residual.position", f.time()); };
        QVERIFY(f.click("sort_residual"));
        auto sorted = board->order();
        QVERIFY(std::ranges::is_sorted(sorted, {}, residual));
        QVERIFY(sorted != own);
        for (std::size_t i = 1; i < sorted.size(); ++i) { // the rows stand as the order says
            const auto top = [&f](int key) {
                return f.find<QWidget>(QStringLiteral("row_%1").arg(f.document.find(key)->colour + 1))->y();
            };
            QVERIFY(top(sorted[i - 1]) < top(sorted[i]));
        }
        QVERIFY(f.click("sort_residual"));
        std::ranges::reverse(sorted);
        QVERIFY(std::ranges::is_sorted(board->order(), std::ranges::greater{}, residual));
        QVERIFY(f.click("sort_run"));
        QCOMPARE(board->order(), own);
        QVERIFY(f.click("sort_run"));
        QVERIFY(std::ranges::equal(board->order(), keys | std::views::reverse));
    }

    void besideALessonChipsBringTheColumn()
    {
        Fixture f(kHall);
        QVERIFY(f.window.openFirstStart().ok());
        QVERIFY(!f.find<QWidget>("runChips")->isVisible());
        QVERIFY(f.window.openLesson("drift-off").ok());
        QTest::qWait(150);
        auto* column = f.find<QWidget>("leftColumn");
        QVERIFY(f.find<QWidget>("runChips")->isVisible() && !column->isVisible());
        const QSize scene = f.window.scene().size();
        QVERIFY(f.click("chip_2"));
        QCOMPARE(f.document.bench().selected(), f.key(1));
        QString hidden;
        for (const char* name : {"formulation_2", "integrator_2", "value_L", "row_1"})
            hidden += hiddenPart(f.find<QWidget>(name), name);
        QVERIFY2(hidden.isEmpty(), qPrintable(hidden));
        QCOMPARE(f.window.scene().size(), scene); // it lies over the scene
        keepPicture(f.window, "chip-open");
        QVERIFY(f.click("chip_1"));
        QVERIFY(column->isVisible());
        QCOMPARE(f.document.bench().selected(), f.key(0));
        QVERIFY(f.click("chip_1"));
        QVERIFY(!column->isVisible());
        QVERIFY(f.click("chip_1"));
        QVERIFY(column->isVisible());
        QApplication::setActiveWindow(&f.window);
        QTest::keyClick(&f.window, Qt::Key_Escape);
        QVERIFY(!column->isVisible());
        QVERIFY(f.find<QAbstractButton>("chip_1")->isChecked());
        QVERIFY(f.click("lessonsButton"));
        QVERIFY(column->isVisible() && !f.find<QWidget>("runChips")->isVisible());
        QCOMPARE(column->mapTo(&f.window, QPoint()).x(), f.find<QWidget>("workspaceRail")->width());
        QVERIFY(!f.find<QWidget>("scene")->geometry().isEmpty());
    }

    /// Keys act on the scene, and Space plays: no field asks for the first letter.
    void noFieldHasTheFocusUnasked()
    {
        Fixture f(kHall);
        QApplication::setActiveWindow(&f.window);
        const auto writes = [&f] { return qobject_cast<QLineEdit*>(f.window.focusWidget()) != nullptr; };
        QVERIFY(!writes());
        QVERIFY(f.window.openFirstStart().ok());
        QVERIFY(!writes());
        QVERIFY(f.window.openLesson("drift-off").ok());
        QTest::qWait(30);
        QVERIFY(!writes());
        QVERIFY(f.click("lessonsButton"));
        QVERIFY(!writes());
        QVERIFY(f.window.openPath("robertson").ok()); // nothing is drawn: the scene is hidden
        QTest::qWait(30);
        QVERIFY(!writes());
    }

    /// Names for people under headings that cannot be chosen; the ids stay the data of the entries.
    void methodsAreListedByTheirNames()
    {
        Fixture f(kHall);
        QVERIFY(f.window.openFirstStart().ok());
        const auto look = [&f](const char* name, std::set<QString> ids) {
            auto* combo = f.find<QComboBox>(name);
            int headings = 0;
            for (int row = 0; row < combo->count(); ++row) {
                const QString id = combo->itemData(row).toString();
                const bool chosen = combo->model()->flags(combo->model()->index(row, 0)) & Qt::ItemIsEnabled;
                QVERIFY2(chosen != id.isEmpty(), qPrintable(combo->itemText(row)));
                if (id.isEmpty()) {
                    ++headings;
                    continue;
                }
                QVERIFY2(ids.erase(id) == 1, qPrintable(id));
                QVERIFY2(combo->itemText(row) != id, qPrintable(id));
                QVERIFY2(!combo->itemData(row, Qt::ToolTipRole).toString().isEmpty(), qPrintable(id));
            }
            QVERIFY2(ids.empty(), qPrintable(ids.empty() ? QString() : *ids.begin()));
            QVERIFY(headings >= 4);
            combo->showPopup();
            QTest::qWait(50);
            keepPicture(*combo->view()->window(), QString::fromLatin1(name));
            for (int row = 0; row < combo->count(); ++row) // the list is as wide as its words
                QVERIFY2(combo->view()->sizeHintForIndex(combo->model()->index(row, 0)).width()
                             <= combo->view()->viewport()->width(),
                         qPrintable(combo->itemText(row)));
            combo->view()->scrollToTop();
            const QRect first = combo->view()->visualRect(combo->model()->index(0, 0));
            const QImage heading = combo->view()->viewport()->grab(first.adjusted(8, 4, 0, -4)).toImage();
            int darkest = 255; // a heading is read as well as other secondary words
            for (int y = 0; y < heading.height(); ++y)
                for (int x = 0; x < heading.width(); ++x)
                    darkest = std::min(darkest, qGray(heading.pixel(x, y)));
            QVERIFY2(darkest <= qGray(Theme::light().secondary.rgb()) + 20, qPrintable(QString::number(darkest)));
            combo->hidePopup();
        };
        std::set<QString> forms, methods;
        for (const auto& form : formulation::formulations())
            forms.insert(QString::fromStdString(form->info().id));
        for (const auto& info : integrate::integratorCatalogue())
            methods.insert(QString::fromStdString(info.id));
        look("formulation_1", forms);
        look("integrator_1", methods);
        QCOMPARE(f.find<QComboBox>("formulation_1")->currentData().toString(), QStringLiteral("dummy-derivatives"));
        const QString tip = f.find<QWidget>("row_1")->toolTip();
        for (const char* part : {"Dummy derivatives", "IDA", "tolerance 1e-08", "processor time", "accepted steps"})
            QVERIFY2(tip.contains(part), qPrintable(tip));
    }

    void onePlotTurnsToTheOthers()
    {
        Fixture f(kHall);
        QVERIFY(f.window.openFirstStart().ok());
        QCOMPARE(f.window.plots().count(), 1);
        for (int turn = 0; turn < PlotColumn::kMost; ++turn) {
            for (int i = 0; i < PlotColumn::kMost; ++i)
                QCOMPARE(f.window.plots().plot(i).isVisible(), i == turn);
            QCOMPARE(f.window.plots().specs().front().kind, f.window.plots().plot(turn).spec().kind);
            QVERIFY(f.click(QStringLiteral("plotTurn_%1").arg(turn + 1)));
        }
        QVERIFY(f.window.plots().plot(0).isVisible());
    }

    void nothingOverlapsOrIsCut_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<bool>("lesson");
        QTest::addColumn<bool>("large");
        for (const QSize size : {kHall, QSize(1366, 768), QSize(1920, 1080), QSize(1000, 600)})
            for (const bool lesson : {false, true})
                QTest::newRow(qPrintable(QStringLiteral("%1 %2").arg(size.width()).arg(lesson ? "lesson" : "alone")))
                    << size << lesson << false;
        for (const QSize size : {kHall, QSize(1920, 1080)})
            QTest::newRow(qPrintable(QStringLiteral("%1 in large type").arg(size.width()))) << size << true << true;
    }
    void nothingOverlapsOrIsCut()
    {
        QFETCH(QSize, size);
        QFETCH(bool, lesson);
        QFETCH(bool, large);
        Fixture f(size);
        f.window.setPresenting(large);
        QVERIFY(f.window.openFirstStart().ok());
        if (lesson)
            QVERIFY(f.window.openLesson("drift-off").ok());
        f.document.playback().pause();
        for (const bool drawer : {false, true}) {
            if (f.find<QAction>("drawer")->isChecked() != drawer)
                f.find<QAction>("drawer")->trigger();
            QTest::qWait(150);
            QCOMPARE(f.window.size(), size);
            keepPicture(f.window, QStringLiteral("%1-%2-%3-%4").arg(size.width()).arg(lesson).arg(drawer).arg(large));
            const QString said = clashes(f.window);
            QVERIFY2(said.isEmpty(), qPrintable(said));
            QCOMPARE(f.find<QWidget>("leftColumn")->isVisible(), !lesson || size.width() >= 1700);
        }
    }
};

QTEST_MAIN(TestLayout)
#include "test_layout.moc"
