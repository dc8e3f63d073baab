// The page of structure by real clicks: the matrix against the analysis, the ladder, the stages one after the other, and a
// candidate pinned while the pendulum swings.
#include <QImage>
#include <QListWidget>
#include <QSettings>
#include <QTemporaryDir>
#include <QTextBrowser>

#include <algorithm>
#include <set>

#include "core/reduction/EquationAnalysis.h"
#include "core/system/EquationSystem.h"
#include "tests/support/Events.h"
#include "tests/ui/WindowFixture.h"
#include "ui/document/RunSelection.h"
#include "ui/panels/Drawer.h"
#include "ui/views/LadderView.h"
#include "ui/views/SceneHighlight.h"
#include "ui/views/SignatureMatrix.h"
#include "ui/views/StructureView.h"

using namespace driftless;
using namespace driftless::ui;
using namespace driftless::ui::test;

namespace {

std::shared_ptr<const StructureModel> structureOf(const char* equationModel)
{
    const auto model = model::openEquationModel(equationModel);
    if (!model)
        return nullptr;
    return std::make_shared<const StructureModel>(std::make_shared<const model::EquationSystem>((*model)->system));
}

std::shared_ptr<const StructureModel> structureOfText(const char* text)
{
    const auto model = model::readEquationModel(text, "text");
    if (!model)
        return nullptr;
    return std::make_shared<const StructureModel>(std::make_shared<const model::EquationSystem>((*model)->system));
}

void keep(QWidget& widget, const QString& name)
{
    if (const QString folder = qEnvironmentVariable("DRIFTLESS_KEEP_PICTURES"); !folder.isEmpty())
        widget.grab().save(folder + "/" + name + ".png");
}

int stepOf(const StructureView& view, StepKind kind, int which = 0)
{
    const auto& steps = view.model()->steps();
    for (std::size_t k = 0; k < steps.size(); ++k)
        if (steps[k].kind == kind && which-- == 0)
            return static_cast<int>(k);
    return -1;
}

/// Clicks a row of the list of steps as a person does.
bool clickStep(Fixture& f, int row)
{
    auto* list = f.find<QListWidget>("structureSteps");
    auto* item = list->item(row);
    if (!item)
        return false;
    list->scrollToItem(item);
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualItemRect(item).center());
    QTest::qWait(10);
    return list->currentRow() == row;
}

bool openStructure(Fixture& f)
{
    return f.window.openPage("structure") && f.find<StructureView>("structureView")->model() != nullptr;
}

std::vector<int> present(Fixture& f) { return f.status(0).dummies; }

} // namespace

class TestStructureView : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

private slots:
    void initTestCase() { QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, folder_.path()); }

    void theCandidateIsPinnedWhileThePendulumSwings()
    {
        Fixture f;
        QVERIFY(f.document.opener().openModel("pendulum").ok());
        QVERIFY(f.click("playButton"));
        QVERIFY(openStructure(f));
        auto& view = *f.find<StructureView>("structureView");
        QVERIFY(view.isVisible());
        QCOMPARE(view.model()->analysis().structure.structuralIndex, 3);
        QCOMPARE(view.model()->analysis().structure.freedom, 2);

        // Through all steps by clicks while it swings; each has words.
        for (int row = 0; row < static_cast<int>(view.model()->steps().size()); ++row) {
            QVERIFY2(clickStep(f, row), qPrintable(QString::number(row)));
            QVERIFY(!f.find<QTextBrowser>("structureText")->toPlainText().isEmpty());
        }
        const int stage = stepOf(view, StepKind::Stage);
        QVERIFY(stage >= 0 && clickStep(f, stage));
        QVERIFY(f.find<QTextBrowser>("structureText")->toPlainText().contains("G with H"));

        // The other candidate, whatever the run has chosen by now.
        QVERIFY(f.playUntil(0.3));
        const auto before = present(f);
        QCOMPARE(before.size(), std::size_t(1));
        QVERIFY(f.status(0).settings.pivot.automatic);
        const QString names[] = {"bob.x", "bob.y"};
        const int other = 1 - before[0];
        auto* chip = f.find<QPushButton>("chip_1_" + names[other] + "''");
        auto* chosen = f.find<QPushButton>("chip_1_" + names[before[0]] + "''");
        QVERIFY(chip && chosen && chip->isEnabled() && !chip->isChecked() && chosen->isChecked());
        const double t = f.time();
        QTest::mouseClick(chip, Qt::LeftButton);
        QVERIFY(!f.status(0).settings.pivot.automatic);
        QTRY_COMPARE(present(f), std::vector<int>{other});
        QTRY_VERIFY(f.find<QPushButton>("chip_1_" + names[other] + "''")->isChecked());
        QVERIFY(!f.find<QPushButton>("chip_1_" + names[before[0]] + "''")->isChecked());
        QVERIFY(f.playUntil(t + 0.2)); // and the run goes on
        QVERIFY(f.status(0).state != run::RunState::Failed);
        QCOMPARE(present(f), std::vector<int>{other});
        QVERIFY(driftless::test::commanded<run::SetPivot>(f.document.laboratory().events(f.id(0)),
                                                          [](const run::SetPivot&) { return true; }));

        QVERIFY(f.click("structureAutomatic"));
        QVERIFY(f.status(0).settings.pivot.automatic);
        const double again = f.time();
        QVERIFY(f.playUntil(again + 0.2));
        QVERIFY(f.document.undoStack().canUndo());
    }

    void generalEquationsArePinnedToo()
    {
        Fixture f;
        QVERIFY(f.document.opener().openModel("pendulum-equations").ok());
        QVERIFY(openStructure(f));
        auto& view = *f.find<StructureView>("structureView");
        QCOMPARE(view.model()->analysis().structure.structuralIndex, 3);
        QVERIFY(f.click("playButton"));
        QVERIFY(f.playUntil(0.3));
        const auto named = [&](const std::vector<int>& places) {
            std::set<std::string> out;
            for (const int place : places)
                out.insert(f.document.system().values[static_cast<std::size_t>(place)].name);
            return out;
        };
        // The pendulum starts at x = L, y = 0, so x is the dummy; at t = 0.3 s it still is (y = -t^2/2), and y is allowed.
        QCOMPARE(named(f.status(0).valueDummies), (std::set<std::string>{"x'", "x''"}));
        QVERIFY(f.click("chip_1_y''"));
        QTRY_COMPARE(named(f.status(0).valueDummies), (std::set<std::string>{"y'", "y''"}));
        QVERIFY(!f.status(0).settings.pivot.automatic);
        QTRY_VERIFY(f.find<QPushButton>("chip_1_y''")->isChecked());
        const double t = f.time();
        QVERIFY(f.playUntil(t + 0.2));
        QVERIFY(f.status(0).state != run::RunState::Failed);
        QVERIFY(f.click("structureAutomatic"));
        QVERIFY(f.status(0).settings.pivot.automatic);
        view.selectEquation(2); // x^2 + y^2 = L^2: the rod and the point are drawn with x and y, the pin is not
        QCOMPARE(f.find<SceneHighlight>("sceneHighlight")->owners().size(), std::size_t(2));
        keep(f.window, "structure-equations");
    }

    void aRunWithoutPivotsOffersNoPins()
    {
        Fixture f;
        QVERIFY(f.document.opener().openModel("pendulum").ok());
        QVERIFY(openStructure(f));
        QVERIFY(f.document.control().setFormulation(f.key(0), "index-1"));
        QTRY_VERIFY(!f.find<QPushButton>("chip_1_bob.y''")->isEnabled());
        QVERIFY(!f.find<QPushButton>("structureAutomatic")->isVisible());
    }

    void matrixAndLadderShowTheAnalysis()
    {
        Fixture f;
        QVERIFY(f.document.opener().openModel("pendulum").ok());
        QVERIFY(openStructure(f));
        auto& view = *f.find<StructureView>("structureView");
        const auto& m = *view.model();
        // Every cell is an entry of the signature and the other way round.
        std::size_t entries = 0;
        for (const auto& row : m.analysis().signature.rows)
            entries += row.size();
        QCOMPARE(m.cells().size(), entries);
        std::vector<int> transversal;
        int value = 0;
        for (const auto& cell : m.cells()) {
            const auto& row = m.analysis().signature.rows[static_cast<std::size_t>(cell.row)];
            QVERIFY(std::any_of(row.begin(), row.end(),
                                [&](const auto& e) { return e.column == cell.column && e.order == cell.order; }));
            if (cell.transversal) {
                transversal.push_back(cell.column);
                value += cell.order;
            }
        }
        QCOMPARE(transversal.size(), static_cast<std::size_t>(m.size()));
        QCOMPARE(std::set<int>(transversal.begin(), transversal.end()).size(), transversal.size());
        QCOMPARE(value, m.analysis().structure.freedom);
        // The rungs: one equation twice differentiated, the other two as they are.
        QCOMPARE(m.rungs().size(), std::size_t(5));
        const int rod = static_cast<int>(std::max_element(m.c().begin(), m.c().end()) - m.c().begin());
        QCOMPARE(m.equationName(rod), QString("constraint rod"));
        std::string second;
        for (const auto& rung : m.rungs())
            if (rung.at.equation == rod && rung.at.differentiations == 2)
                second = rung.text;
        QVERIFY2(second.find("bob.x''") != std::string::npos && second.find("bob.y'") != std::string::npos, second.c_str());
        // The transversal's rings and the selection are on the screen.
        auto& matrix = view.matrix();
        const QImage picture = matrix.grab().toImage();
        const auto accented = [&](const QRectF& cell) {
            int count = 0;
            for (int y = static_cast<int>(cell.top()); y < cell.bottom(); ++y)
                for (int x = static_cast<int>(cell.left()); x < cell.right(); ++x) {
                    const QColor c = picture.pixelColor(x, y);
                    count += std::abs(c.red() - 0x1F) + std::abs(c.green() - 0x55) + std::abs(c.blue() - 0xD6) < 60 ? 1 : 0;
                }
            return count;
        };
        for (const auto& cell : m.cells())
            QCOMPARE(accented(matrix.cellRect(cell.row, cell.column)) > 10, cell.transversal);
        // A click on a row selects its equation, marks it in the ladder and its rod and bob in the scene.
        QTest::mouseClick(&matrix, Qt::LeftButton, {}, matrix.cellRect(rod, 0).center().toPoint());
        QCOMPARE(view.selectedEquation(), rod);
        const auto owners = f.find<SceneHighlight>("sceneHighlight")->owners();
        QVERIFY(std::count(owners.begin(), owners.end(), "rod") == 1 && std::count(owners.begin(), owners.end(), "bob") == 1);
        QVERIFY(f.find<QWidget>("sceneHighlight")->isVisible());
        // The arrow keys go on, and leaving the page takes the marks away.
        QTest::keyClick(&matrix, Qt::Key_Up);
        QVERIFY(view.selectedEquation() >= 0);
        QVERIFY(f.window.openPage("equations"));
        QVERIFY(f.find<SceneHighlight>("sceneHighlight")->owners().empty());
    }

    void ladderClicksSelectToo()
    {
        Fixture f;
        QVERIFY(f.document.opener().openModel("slider-crank").ok());
        QVERIFY(openStructure(f));
        auto& view = *f.find<StructureView>("structureView");
        const QRect rung = view.ladder().rungRect({2, 0});
        QVERIFY(!rung.isNull());
        QTest::mouseClick(&view.ladder(), Qt::LeftButton, {}, rung.center());
        QCOMPARE(view.selectedEquation(), 2);
        // The run's dummies are all in the ladder: as many on the acceleration level, and below it, as there are constraints.
        // Filled chips are those of the stages that have a choice.
        const auto run = presentSelection(*view.model(), f.document.compiled().model(), "Run 1", f.status(0));
        const auto stages = view.model()->stages(run);
        const auto dummies = StructureModel::dummies(stages);
        for (const int order : {1, 2})
            QCOMPARE(std::count_if(dummies.begin(), dummies.end(), [order](const auto& d) { return d.order == order; }),
                     std::ptrdiff_t(f.document.system().m()));
        QCOMPARE(dummies, run.dummies);
        std::size_t filled = 0, chosen = 0;
        for (const auto& stage : stages)
            chosen += stage.isChoice() ? static_cast<std::size_t>(stage.m) : 0;
        for (auto* chip : view.findChildren<QPushButton*>())
            filled += chip->objectName().startsWith("chip_") && chip->isChecked() ? 1 : 0;
        QVERIFY(chosen > 0);
        QCOMPARE(filled, chosen);
        QTest::qWait(50);
        for (auto* chip : view.findChildren<QPushButton*>())
            if (chip->isVisible() && (chip->objectName().startsWith("chip_") || chip->objectName() == "structureAutomatic"))
                QVERIFY2(chip->visibleRegion().boundingRect().height() > 12, qPrintable(chip->objectName()));
        keep(f.window, "structure-slider-crank");
    }

    void exampleOneHasTwoBlocks()
    {
        StructureView view;
        view.resize(1000, 240);
        view.setTheme(Theme::light(), 1);
        view.setModel(structureOf("example-1"));
        QVERIFY(view.model());
        const auto& m = *view.model();
        // [MS91] Example 1: nu = (2, 2, 1, 0), two blocks, nine equations, six after removing superfluous ones.
        QCOMPARE(m.c(), (std::vector<int>{2, 2, 1, 0}));
        QCOMPARE(m.analysis().structure.blocks.size(), std::size_t(2));
        QCOMPARE(m.analysis().structure.selection.augmentedEquations, 9L);
        QCOMPARE(m.analysis().structure.selection.reducedEquations, 6L);
        const auto stages = m.stages({});
        QCOMPARE(StructureModel::dummies(stages).size(), std::size_t(5)); // as many as differentiations
        QCOMPARE(m.freeValues(StructureModel::dummies(stages)).size(),
                 static_cast<std::size_t>(m.analysis().structure.freedom));
        view.showStep(stepOf(view, StepKind::Block, 1));
        view.show();
        keep(view, "structure-example-1");
        QVERIFY(stepOf(view, StepKind::Superfluous) > 0);
    }

    void aSelectionOfTheRunReplacesThatOfTheAnalysis()
    {
        const auto m = structureOf("pendulum-equations");
        QVERIFY(m);
        const int x = m->unknown("x"), y = m->unknown("y");
        for (const int dummy : {x, y}) {
            PresentSelection run;
            run.pivots = true;
            run.known = {{x, 1}, {x, 2}, {y, 1}, {y, 2}};
            std::sort(run.known.begin(), run.known.end());
            run.dummies = {{dummy, 1}, {dummy, 2}};
            const auto dummies = StructureModel::dummies(m->stages(run));
            QCOMPARE(dummies, run.dummies);
            const auto free = m->freeValues(dummies);
            const int other = x + y - dummy;
            QCOMPARE(free, (std::vector<structure::DerivativeRef>{{other, 0}, {other, 1}}));
        }
    }

    void eliminationIsToldAndShown()
    {
        const auto m = structureOf("example-5");
        QVERIFY(m);
        QVERIFY(!m->stated().eliminations.empty());
        QCOMPARE(m->steps().front().kind, StepKind::Elimination);
        QVERIFY(m->steps().front().text.contains("rank"));
    }

    void singularPartsAreNamed()
    {
        StructureView view;
        view.resize(1000, 240);
        view.setTheme(Theme::darkTheme(), 1);
        view.setModel(structureOfText("model s Real x; Real y; Real z; equation x = 1; x = time; der(y) + z = 0; end s;"));
        QVERIFY(view.model());
        const int over = stepOf(view, StepKind::OverDetermined), under = stepOf(view, StepKind::UnderDetermined);
        QVERIFY(over >= 0 && under >= 0);
        const auto& steps = view.model()->steps();
        QCOMPARE(steps[static_cast<std::size_t>(over)].equations, (std::vector<int>{0, 1}));
        QCOMPARE(steps[static_cast<std::size_t>(under)].unknowns, (std::vector<int>{1, 2}));
        QVERIFY(view.model()->summary().startsWith("Structurally singular"));
        view.showStep(over);
        view.show();
        keep(view, "structure-singular");
    }

    /// The derivative itself: not its power, not one of another order, not a variable whose name begins or ends alike.
    void dummiesOfARung_areMarkedAsTheDerivativesTheyAre()
    {
        StructureView view;
        view.setModel(structureOfText("model s Real x; Real xx; Real max; equation 2*der(x) + der(xx) + der(x)^2 + x = 1; "
                                      "der(xx) = max; max = x; end s;"));
        QVERIFY(view.model());
        const StructureModel& m = *view.model();
        const auto marks = [&](const char* name, int order) {
            const QString html = QString::fromStdString(m.rungHtml(m.rungs().front(), {{m.unknown(name), order}}));
            return html.count("class=\"dummy\"");
        };
        QCOMPARE(m.rungs().front().at.differentiations, 0);
        QCOMPARE(marks("x", 1), 2);
        QCOMPARE(marks("xx", 1), 1);
        QCOMPARE(marks("x", 0), 1);
        QCOMPARE(marks("x", 2), 0);
        QCOMPARE(marks("max", 0), 0);
        QCOMPARE(QString::fromStdString(m.rungHtml(m.rungs().front(), {})), QString::fromStdString(m.rungs().front().html));
    }

    void looksRight_data()
    {
        QTest::addColumn<bool>("dark");
        QTest::addColumn<QSize>("size");
        QTest::newRow("light 1280") << false << QSize(1280, 720);
        QTest::newRow("dark 1280") << true << QSize(1280, 720);
        QTest::newRow("light 1920") << false << QSize(1920, 1080);
    }
    void looksRight()
    {
        QFETCH(bool, dark);
        QFETCH(QSize, size);
        Fixture f(size);
        f.window.setDark(dark);
        QVERIFY(f.document.opener().openModel("pendulum").ok());
        QVERIFY(openStructure(f));
        auto& view = *f.find<StructureView>("structureView");
        QVERIFY(clickStep(f, stepOf(view, StepKind::Stage)));
        view.selectEquation(2);
        QTest::qWait(50);
        // Nothing of the small matrix and of the chips has to be scrolled at the smallest size.
        QVERIFY(view.matrix().minimumHeight() <= view.matrix().parentWidget()->height());
        QVERIFY(view.matrix().minimumWidth() <= view.matrix().parentWidget()->width());
        for (const char* name : {"chip_1_bob.x''", "chip_1_bob.y''", "structureAutomatic"})
            QVERIFY2(f.find<QPushButton>(name)->visibleRegion().boundingRect().height() > 12, name);
        keep(f.window, QStringLiteral("structure-%1-%2").arg(dark ? "dark" : "light").arg(size.width()));
    }
};

QTEST_MAIN(TestStructureView)
#include "test_structure_view.moc"
