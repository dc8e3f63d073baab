// Tolerances of single quantities: what the window shows is what the run integrates with, and what is entered acts, is kept and
// comes back.
#include <QHeaderView>
#include <QPushButton>
#include <QSettings>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QToolButton>

#include <random>

#include "core/mechanism/ReadModel.h"
#include "core/run/EventWords.h"
#include "core/run/Run.h"
#include "core/run/Tolerances.h"
#include "tests/support/Events.h"
#include "tests/ui/WindowFixture.h"
#include "ui/panels/ToleranceDialog.h"

using namespace driftless;
using namespace driftless::ui;
using namespace driftless::ui::test;

namespace {

enum Column { Name, Unit, Applies, From, Own };

/// Types into a cell as a person does.
void enterCell(QTableWidget& table, int row, int column, const QString& text)
{
    table.setCurrentCell(row, column);
    table.editItem(table.item(row, column));
    auto* field = table.viewport()->findChild<QLineEdit*>();
    QVERIFY(field);
    field->selectAll();
    QTest::keyClicks(field, text);
    if (text.isEmpty())
        QTest::keyClick(field, Qt::Key_Delete);
    QTest::keyClick(field, Qt::Key_Return);
    QTest::qWait(20);
}

int rowOf(const QTableWidget& table, const QString& name)
{
    for (int row = 0; row < table.rowCount(); ++row)
        if (table.item(row, Name)->text() == name)
            return row;
    return -1;
}

struct Outcome {
    std::uint64_t steps = 0;
    std::vector<std::pair<std::string, double>> state;
};

Outcome outcomeOf(const std::shared_ptr<const model::CompiledSystem>& system, const run::RunSettings& settings)
{
    auto made = run::Run::create(system, {}, settings);
    if (!made || !(*made)->advanceTo(1))
        return {};
    return {(*made)->status().statistics.steps, (*made)->namedState()};
}

} // namespace

class TestTolerances : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

private slots:
    void initTestCase() { QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, folder_.path()); }

    /// A run that is given each tolerance by name, as it is told, takes the same steps to the same state.
    void whatIsToldIsWhatIsIntegratedWith()
    {
        constexpr unsigned kSeed = 20261122;
        qInfo("seed %u", kSeed);
        std::mt19937 draw(kSeed);
        const auto between = [&](double low, double high) {
            return std::pow(10.0, std::uniform_real_distribution(std::log10(low), std::log10(high))(draw));
        };
        const struct {
            const char *model, *formulation, *integrator;
        } cases[]{{"slider-crank", "index-3", "ida"},
                  {"pendulum", "index-2", "bdf"},
                  {"heavy-top", "ggl", "ida"},
                  {"cart-pendulum", "state-space", "dormand-prince"}};
        for (const auto& c : cases)
            for (int round = 0; round < 4; ++round) {
                auto compiled = model::CompiledSystem::compile(model::openModel(c.model).value());
                QVERIFY(compiled.ok());
                const auto& system = (*compiled)->system();
                run::RunSettings settings;
                settings.formulation = c.formulation;
                settings.integrator = c.integrator;
                settings.options.step = 0;
                settings.options.relativeTolerance = between(1e-7, 1e-4);
                settings.options.absoluteTolerance = round % 2 == 0 ? 0 : between(1e-8, 1e-5);
                settings.options.multiplierTolerance = round < 2 ? 0 : between(1e-5, 1e-2);
                const auto& q = system.coordinates[draw() % system.coordinates.size()];
                settings.options.tolerances[q.q.text()] = between(1e-8, 1e-5);
                settings.options.tolerances[system.coordinates[draw() % system.coordinates.size()].v.text()] =
                    between(1e-7, 1e-4);
                model::SystemEvaluator evaluator(*compiled);
                const auto told = run::quantityTolerances(system, model::nominalScales(evaluator), settings.options);
                run::RunSettings named = settings;
                for (const auto& t : told) {
                    QVERIFY2(t.value > 0 && std::isfinite(t.value), t.name.c_str());
                    named.options.tolerances[t.name] = t.value;
                }
                const Outcome as = outcomeOf(*compiled, settings), by = outcomeOf(*compiled, named);
                const QString what =
                    QStringLiteral("%1, round %2: %3 and %4 steps").arg(c.model).arg(round).arg(as.steps).arg(by.steps);
                QVERIFY2(as.steps > 5 && as.steps == by.steps, qPrintable(what));
                for (std::size_t i = 0; i < as.state.size();
                     ++i) // to the bit but for accelerations, whose tolerance is a quotient twice rounded
                    QVERIFY2(std::abs(as.state[i].second - by.state[i].second) <= 1e-9 * (1 + std::abs(as.state[i].second)),
                             qPrintable(what));
                // One that is a thousand times larger is another run: the comparison can tell.
                named.options.tolerances[q.q.text()] *= 1e3;
                for (auto& [name, value] : named.options.tolerances)
                    value *= 1e3;
                QVERIFY(outcomeOf(*compiled, named).steps != as.steps);
            }
    }

    void whatIsEnteredActsAndIsKept()
    {
        Fixture f;
        QVERIFY(f.document.opener().openModel("pendulum").ok());
        f.document.playback().play();
        QVERIFY(f.playUntil(0.3));
        QVERIFY(f.click("tolerances_1"));
        auto* dialog = f.window.findChild<ToleranceDialog*>();
        QVERIFY(dialog && dialog->isVisible());
        auto& table = *dialog->findChild<QTableWidget*>("toleranceTable");
        const int row = rowOf(table, "bob.y"), rate = rowOf(table, "bob.y'"), lambda = rowOf(table, "rod.lambda");
        QVERIFY(row >= 0 && rate >= 0 && lambda >= 0);
        QCOMPARE(table.item(row, Unit)->text(), QStringLiteral("m"));
        const QString before = table.item(row, Applies)->text();

        // Live: the run goes on, with an entry on its time line and one of the undo stack.
        const int edits = f.document.undoStack().count();
        enterCell(table, rate, Own, ""); // looked into, and left
        QCOMPARE(f.document.undoStack().count(), edits);
        enterCell(table, row, Own, "2e-9");
        QCOMPARE(f.status(0).settings.options.tolerances, (std::map<std::string, double>{{"bob.y", 2e-9}}));
        QCOMPARE(f.document.undoStack().count(), edits + 1);
        QVERIFY(f.document.laboratory().clock().playing);
        QCOMPARE(table.item(row, Applies)->text(), QStringLiteral("2.0e\u22129"));
        QCOMPARE(table.item(row, From)->text(), QStringLiteral("this run"));
        QVERIFY2(table.item(rate, From)->text().contains("bob.y"), qPrintable(table.item(rate, From)->text()));
        const auto events = f.document.laboratory().events(f.id(0));
        QVERIFY(driftless::test::commanded<run::SetOptions>(
            events, [](const run::SetOptions& set) { return set.options.tolerances.contains("bob.y"); }));

        // What is no tolerance: one message, and the field shows again what holds.
        for (const char* wrong : {"-1", "0", "nan", "1e999", "soon"}) {
            enterCell(table, row, Own, wrong);
            auto* problem = dialog->findChild<QLabel*>("toleranceProblem");
            QVERIFY2(problem->isVisible() && problem->text().contains("bob.y") && problem->text().contains(wrong), wrong);
            QCOMPARE(table.item(row, Own)->text(), QStringLiteral("2e-09"));
            QCOMPARE(f.document.undoStack().count(), edits + 1);
        }
        enterCell(table, lambda, Own, "1e-3");
        QVERIFY(!dialog->findChild<QLabel*>("toleranceProblem")->isVisible());

        // A session brings them back.
        const double at = f.time() + 0.2;
        QVERIFY(f.playUntil(at));
        f.document.playback().pause();
        const QString file = folder_.filePath("with.driftless");
        QVERIFY(f.document.files().saveSession(file).ok());
        const auto kept = f.status(0).settings.options.tolerances;
        QCOMPARE(kept.size(), std::size_t(2));
        Document again;
        QVERIFY(again.files().openSession(file).ok());
        QCOMPARE(again.status(again.runs()[0].key).settings.options.tolerances, kept);

        // Undo shows in the dialog; an empty field is none.
        f.document.undoStack().undo();
        QCOMPARE(table.item(lambda, Own)->text(), QString());
        enterCell(table, row, Own, "");
        QVERIFY(f.status(0).settings.options.tolerances.empty());
        QCOMPARE(table.item(row, Applies)->text(), before);
        QVERIFY(!dialog->findChild<QPushButton*>("toleranceClear")->isEnabled());
    }

    void thoseOfAllQuantities()
    {
        Fixture f;
        QVERIFY(f.document.opener().openModel("cart-pendulum").ok());
        QVERIFY(f.document.control().setIntegrator(f.key(0), "bdf")); // chooses its steps
        QTest::qWait(20);
        QVERIFY(f.click("tolerances_1"));
        auto* dialog = f.window.findChild<ToleranceDialog*>();
        auto* absolute = dialog->findChild<QLineEdit*>("toleranceAbsolute");
        const auto enter = [&](QLineEdit* field, const QString& text) {
            field->setFocus();
            field->selectAll();
            QTest::keyClick(field, Qt::Key_Delete);
            QTest::keyClicks(field, text);
            QTest::keyClick(field, Qt::Key_Return);
            QTest::qWait(20);
        };
        enter(absolute, "1e-9");
        QVERIFY(dialog->isVisible()); // Return ends the field, not the dialog
        QCOMPARE(f.status(0).settings.options.absoluteTolerance, 1e-9);
        enter(absolute, "");
        QCOMPARE(f.status(0).settings.options.absoluteTolerance, 0.0);
        enter(dialog->findChild<QLineEdit*>("toleranceMultipliers"), "1e-4");
        QCOMPARE(f.status(0).settings.options.multiplierTolerance, 1e-4);
        enter(dialog->findChild<QLineEdit*>("toleranceLongestStep"), "0.05");
        QCOMPARE(f.status(0).settings.options.maxStep, 0.05);
        enter(dialog->findChild<QLineEdit*>("toleranceLongestStep"), "soon");
        QVERIFY(dialog->findChild<QLabel*>("toleranceProblem")->text().contains("no length of a step"));
        QCOMPARE(f.status(0).settings.options.maxStep, 0.05);
        auto* relative = dialog->findChild<QLineEdit*>("toleranceRelative");
        enter(relative, "");
        QVERIFY(dialog->findChild<QLabel*>("toleranceProblem")->isVisible());
        QVERIFY(!relative->text().isEmpty());
        // It goes with its run.
        QVERIFY(f.document.control().addRun(f.document.bench().defaultSettings()));
        QVERIFY(f.document.control().removeRun(f.key(0)));
        QVERIFY(QTest::qWaitFor([&] { return f.window.findChild<ToleranceDialog*>() == nullptr; }, 5000));
    }

    /// phi is no unknown of a form in the coordinates of the bodies.
    void coordinatesOfAChart_areListedForTheFormsThatIntegrateThem()
    {
        Fixture f;
        QVERIFY(f.document.opener().openModel("pendulum").ok());
        QTest::qWait(50);
        QVERIFY(f.choose("integrator_1", "ida"));
        for (const auto& [form, listed] : {std::pair("baumgarte", false), {"state-space", true}}) {
            QVERIFY(f.choose("formulation_1", form));
            ToleranceDialog::showFor(f.document, f.key(0), &f.window);
            auto* table = f.window.findChild<QTableWidget*>("toleranceTable");
            QVERIFY(table);
            QTest::qWait(50);
            QCOMPARE(rowOf(*table, "phi") >= 0, listed);
            QCOMPARE(rowOf(*table, "phi'") >= 0, listed);
            QVERIFY(rowOf(*table, "bob.x") >= 0);
            for (int column = 0; column < table->columnCount(); ++column) // every heading is read in full
                QVERIFY2(table->columnWidth(column) >= table->horizontalHeader()->sectionSizeHint(column),
                         qPrintable(table->horizontalHeaderItem(column)->text()));
        }
    }
};

QTEST_MAIN(TestTolerances)
#include "test_tolerances.moc"
