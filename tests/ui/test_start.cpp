// The start page and the live choices of the formulations, driven by clicks and keys.
#include <QAction>
#include <QCheckBox>
#include <QHeaderView>
#include <QMessageBox>
#include <QScrollBar>
#include <QSettings>
#include <QTabBar>
#include <QTabWidget>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTimer>

#include <algorithm>
#include <limits>

#include "tests/ui/WindowFixture.h"
#include "ui/views/SceneView.h"

using namespace driftless;
using namespace driftless::ui;
using namespace driftless::ui::test;

namespace {

enum Column { Name, Fixed, Value, Corrected, Change };

/// Where the consistency solver takes g as met: 10^4 round-offs of the size of its terms, here 1 + |G q| = 1 + 2 L^2.
double metAt(double L) { return 1e4 * std::numeric_limits<double>::epsilon() * (1 + 2 * L * L); }

struct StartFixture : Fixture {
    using Fixture::Fixture;

    void openPage()
    {
        if (!find<QWidget>("drawer")->isVisible())
            QTest::keyClick(&window, Qt::Key_F4);
        auto* bar = find<QTabWidget>("drawer")->tabBar();
        for (int i = 0; i < bar->count(); ++i)
            if (bar->tabText(i) == QStringLiteral("Start"))
                QTest::mouseClick(bar, Qt::LeftButton, {}, bar->tabRect(i).center());
        QTest::qWait(50);
    }
    QTableWidget* table() const { return find<QTableWidget>("startValues"); }
    int row(const QString& name) const
    {
        for (int i = 0; i < table()->rowCount(); ++i)
            if (table()->item(i, Name)->text() == name)
                return i;
        return -1;
    }
    QString cell(const QString& name, int column) const
    {
        return table()->item(row(name), column)->text().replace(QChar(0x2212), '-');
    }
    double number(const QString& name, int column) const { return cell(name, column).toDouble(); }
    QCheckBox* box(const QString& name) const { return find<QCheckBox>("fixed_" + name); }
    bool fixed(const QString& name) const { return box(name)->isChecked(); }

    /// Opens the cell's editor with a double click and types.
    void typeValue(const QString& name, const QString& text)
    {
        auto* item = table()->item(row(name), Value);
        table()->scrollToItem(item);
        const QPoint at = table()->visualItemRect(item).center();
        QTest::mouseClick(table()->viewport(), Qt::LeftButton, {}, at);
        QTest::mouseDClick(table()->viewport(), Qt::LeftButton, {}, at);
        auto* editor = table()->viewport()->findChild<QLineEdit*>();
        QVERIFY(editor);
        editor->selectAll();
        QTest::keyClicks(editor, text);
        QTest::keyClick(editor, Qt::Key_Return);
        QTest::qWait(50);
    }
    void clickFixed(const QString& name)
    {
        table()->scrollToItem(table()->item(row(name), Name));
        QTest::mouseClick(box(name), Qt::LeftButton, {}, QPoint(12, box(name)->height() / 2));
        QTest::qWait(50);
    }
};

/// Pixels that two pictures of one size do not share.
int difference(const QImage& a, const QImage& b)
{
    int count = 0;
    for (int y = 0; y < a.height(); ++y)
        for (int x = 0; x < a.width(); ++x)
            count += a.pixel(x, y) != b.pixel(x, y);
    return count;
}

} // namespace

class TestStart : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

private slots:
    void initTestCase() { QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, folder_.path()); }

    void editCorrectApplyUndo()
    {
        StartFixture f;
        QVERIFY(f.window.openFirstStart().ok());
        f.openPage();
        QCOMPARE(f.table()->rowCount(), 5); // x, y, x', y', lambda
        QCOMPARE(f.value("startVerdict"), QStringLiteral("Consistent."));
        QVERIFY(!f.window.scene().hasCorrection());
        const QImage plain = f.window.scene().grabImage({560, 420}, 1);

        // x is set and counts as fixed; y moves onto the circle and the velocity onto its tangent.
        f.typeValue("bob.x", "0.6");
        QTRY_VERIFY(f.fixed("bob.x"));
        QCOMPARE(f.number("bob.x", Corrected), 0.6);
        const auto shown = [](double digits) { return 0.5 * std::pow(10, -digits); }; // eight digits are shown
        QVERIFY(std::abs(std::abs(f.number("bob.y", Corrected)) - 0.8) <= shown(7));
        QVERIFY(f.value("start_position_before") != f.value("start_position_after"));
        QVERIFY(f.value("startFreedom").contains("1"));
        QVERIFY(f.window.scene().hasCorrection());
        QVERIFY2(difference(f.window.scene().grabImage({560, 420}, 1), plain) > 100, "the ghost and its arrow are drawn");
        QCOMPARE(f.document.undoStack().count(), 0); // a draft so far

        // Fixed both, nothing can be corrected, and the page says between what.
        f.typeValue("bob.y", "0.6");
        QVERIFY2(f.value("startVerdict").contains("rod"), qPrintable(f.value("startVerdict")));
        QVERIFY(!f.find<QPushButton>("startUse")->isEnabled());
        f.clickFixed("bob.y");
        QVERIFY(!f.fixed("bob.y"));
        QVERIFY(f.find<QPushButton>("startUse")->isEnabled());

        // At x = 0.6, |y| = 0.8 the better conditioned independent coordinate is x.
        QVERIFY(f.click("startFix"));
        QVERIFY(f.fixed("bob.x") && f.fixed("bob.x'") && !f.fixed("bob.y") && !f.fixed("bob.y'"));
        const double y = f.number("bob.y", Corrected);

        QVERIFY(f.click("startUse"));
        QTest::qWait(50);
        QCOMPARE(f.document.undoStack().count(), 1);
        QCOMPARE(f.document.runs().size(), std::size_t(2));
        f.document.laboratory().waitUntil(0);
        for (int run = 0; run < 2; ++run) {
            const auto recording = f.document.laboratory().recording(f.id(run));
            QCOMPARE(recording.value(0, 0), 0.6);
            QVERIFY(std::abs(recording.value(0, 1) - y) <= shown(7));
            QVERIFY(std::abs(std::pow(recording.value(0, 0), 2) + std::pow(recording.value(0, 1), 2) - 1) <= metAt(1));
        }
        QCOMPARE(f.value("startVerdict"), QStringLiteral("Consistent."));
        QVERIFY(!f.window.scene().hasCorrection());

        QVERIFY(f.click("undoButton"));
        QCOMPARE(f.document.laboratory().recording(f.id(0)).value(0, 0), 1.0);
        QCOMPARE(f.number("bob.x", Value), 1.0);
    }

    /// What is typed and not used waits while another model is open, and is asked about on closing.
    void editsThatAreNotUsedStay()
    {
        StartFixture f;
        QVERIFY(f.window.openFirstStart().ok());
        f.openPage();
        f.typeValue("bob.x", "0.6");
        QTRY_VERIFY(f.fixed("bob.x"));
        bool asked = false;
        const auto close = [&] {
            asked = false;
            QTimer::singleShot(50, &f.window, [&] {
                if (auto* question = f.window.findChild<QMessageBox*>("closeQuestion")) {
                    asked = question->informativeText().contains("start values");
                    question->button(QMessageBox::Cancel)->click();
                }
            });
            return f.window.close();
        };
        QVERIFY(!close());
        QVERIFY(asked);
        QVERIFY(f.document.opener().openModel("slider-crank").ok());
        QVERIFY(f.row("bob.x") < 0);
        QVERIFY(!f.find<QPushButton>("startRevert")->isEnabled());
        f.document.undoStack().undo();
        QCOMPARE(f.number("bob.x", Value), 0.6);
        QVERIFY(f.fixed("bob.x"));
        QVERIFY(f.click("startRevert"));
        QCOMPARE(f.number("bob.x", Value), 1.0);
        QVERIFY(!f.find<QPushButton>("startRevert")->isEnabled());
    }

    void anInconsistentStartStaysPossible()
    {
        StartFixture f;
        QVERIFY(f.document.opener().openModel("pendulum").ok());
        QTest::qWait(50);
        QVERIFY(f.choose("formulation_1", "index-1"));
        f.openPage();
        f.typeValue("bob.x", "0.9");
        QTest::mouseClick(f.find<QCheckBox>("startAsItStands"), Qt::LeftButton, {},
                          QPoint(8, f.find<QCheckBox>("startAsItStands")->height() / 2));
        QTest::qWait(50);
        QVERIFY(f.click("startUse"));
        QTest::qWait(50);
        QVERIFY(f.document.laboratory().start().allowInconsistent);
        f.document.laboratory().waitUntil(0);
        QCOMPARE(f.document.laboratory().recording(f.id(0)).value(0, 0), 0.9);
        QCOMPARE(f.document.laboratory().recording(f.id(0)).value(0, 1), 0.0);
    }

    /// The table of the mechanism before it would be edited for nothing.
    void ofATextOfEquations_thePageShowsItsOwnValues_andARunStartsFromThem()
    {
        StartFixture f;
        QVERIFY(f.document.opener().openModel("pendulum").ok());
        f.openPage();
        QVERIFY(f.row("bob.x") >= 0);
        QVERIFY(f.document.opener().openModel("pendulum-equations").ok());
        QTest::qWait(50);
        QVERIFY(f.row("bob.x") < 0);
        QVERIFY(f.row("x") >= 0 && f.row("y'") >= 0);
        QVERIFY2(f.value("startVerdict").startsWith("Consistent"), qPrintable(f.value("startVerdict")));
        QVERIFY(
            !f.find<QLabel>("start_acceleration_before")->isVisible()); // there are equations, and no levels of a constraint
        QVERIFY(f.fixed("x"));                                          // as the text states it
        f.clickFixed("x");
        f.typeValue("y", "-0.8");
        QTRY_VERIFY(f.fixed("y") && !f.fixed("x"));
        QVERIFY2(std::abs(f.number("x", Corrected) - 0.6) < 1e-7, qPrintable(f.cell("x", Corrected))); // eight digits are shown
        QVERIFY(!f.window.scene().hasCorrection());
        QVERIFY(f.click("startUse"));
        QTest::qWait(50);
        f.document.laboratory().waitUntil(0);
        const auto recording = f.document.laboratory().recording(f.id(0));
        QCOMPARE(recording.value(0, recording.findColumn("y")), -0.8);
        QVERIFY(std::abs(recording.value(0, recording.findColumn("x")) - 0.6) <= metAt(1));
        QVERIFY(f.click("startFix"));
        QVERIFY(f.find<QPushButton>("startRevert")->isEnabled());
    }

    void redundantConstraintsAreNamed()
    {
        StartFixture f;
        QVERIFY(f.document.opener().openModel("pendulum").ok());
        QTest::qWait(50);
        QVERIFY(f.choose("formulation_1", "augmented-lagrangian")); // the others refuse what follows
        QString twice = f.document.bench().modelText();
        twice.replace(
            "[[force]]",
            "[[joint]]\nname = \"twin\"\nkind = \"rod\"\nfrom = \"ground\"\nto = \"bob\"\nlength = \"L\"\n\n[[force]]");
        const auto chart = twice.indexOf("[chart]");
        twice.remove(chart, twice.indexOf("[view]") - chart); // two constraints leave it no coordinate
        const auto applied = f.document.edits().applyText(twice);
        QVERIFY2(applied.ok(), applied.ok() ? "" : applied.error().text().c_str());
        f.openPage();
        const QString said = f.value("startVerdict");
        QVERIFY2(said.contains("Redundant") && said.contains("rod") && said.contains("twin"), qPrintable(said));
        QVERIFY(f.value("startFreedom").contains("1"));
    }

    void anOptionIsSwitchedWhileRunning()
    {
        Fixture f;
        QVERIFY(f.document.opener().openModel("slider-crank").ok());
        QTest::qWait(50);
        QVERIFY(f.click("playButton"));
        QVERIFY(f.playUntil(0.2));
        QVERIFY(f.choose("formulation_1", "tangent-plane"));
        QVERIFY(f.openDetails(1));
        QVERIFY(f.choose("option_basis_1", "frozen"));
        QCOMPARE(f.status(0).settings.choices.at("basis"), std::string("frozen"));
        QVERIFY(f.document.laboratory().clock().playing);
        QVERIFY(f.find<QLabel>("basisKappa")->isVisible());
        QTRY_VERIFY(f.status(0).kappa > 1);

        // A renewed basis is up to date; no setting changes.
        const int entries = f.document.undoStack().count();
        f.document.playback().pause();
        const double turned = f.status(0).kappa;
        QVERIFY(f.click("renewBasis"));
        QTRY_VERIFY(f.status(0).kappa < turned);
        QCOMPARE(f.document.undoStack().count(), entries);

        // The formulation left and undone: the option is back, then undone itself.
        QVERIFY(f.choose("formulation_1", "ggl"));
        QVERIFY(f.status(0).settings.choices.empty());
        QVERIFY(f.click("undoButton"));
        QCOMPARE(f.status(0).settings.formulation, std::string("tangent-plane"));
        QCOMPARE(f.status(0).settings.choices.at("basis"), std::string("frozen"));
        QCOMPARE(f.find<QComboBox>("option_basis_1")->currentText(), QStringLiteral("frozen"));
        QVERIFY(f.click("undoButton"));
        QCOMPARE(f.find<QComboBox>("option_basis_1")->currentText(), QStringLiteral("continuous"));
    }

    void theParameterOfAMethodIsLive()
    {
        Fixture f;
        QVERIFY(f.document.opener().openModel("pendulum").ok());
        QTest::qWait(50);
        QVERIFY(f.choose("formulation_1", "index-3"));
        QVERIFY(!f.find<QLineEdit>("methodParameter_1"));
        QVERIFY(f.choose("integrator_1", "generalized-alpha"));
        QCOMPARE(f.status(0).settings.integrator, std::string("generalized-alpha"));
        QVERIFY(f.find<QLineEdit>("methodParameter_1"));
        QCOMPARE(f.find<QLineEdit>("methodParameter_1")->text(), QStringLiteral("0.8"));
        QVERIFY(f.click("playButton"));
        QVERIFY(f.playUntil(0.2));
        QVERIFY(f.openDetails(1));
        QVERIFY(f.enter("methodParameter_1", "0.5"));
        QCOMPARE(f.status(0).settings.options.parameter, 0.5);
        QVERIFY(f.document.laboratory().clock().playing);
        QVERIFY(f.enter("methodParameter_1", "7")); // no such method: refused, and the field says what holds
        QCOMPARE(f.status(0).settings.options.parameter, 0.5);
        QCOMPARE(f.find<QLineEdit>("methodParameter_1")->text(), QStringLiteral("0.5"));
        QVERIFY(f.click("undoButton"));
        QCOMPARE(f.status(0).settings.options.parameter, 0.0);
        QCOMPARE(f.find<QLineEdit>("methodParameter_1")->text(), QStringLiteral("0.8"));
    }

    void positionsAndVelocitiesArePinnedApart()
    {
        Fixture f;
        QVERIFY(f.document.opener().openModel("pendulum").ok());
        QTest::qWait(50);
        QVERIFY(f.choose("formulation_1", "strangeness-free"));
        f.document.laboratory().waitUntil(0.7); // off the axes: both choices are regular
        QTest::qWait(200);
        QCOMPARE(f.status(0).positionCandidates.size(), std::size_t(2));
        const auto positions = f.status(0).positionDummies, velocities = f.status(0).dummies;
        QPushButton* other = nullptr;
        for (auto* button : f.find<QWidget>("velocitySelection")->findChildren<QPushButton*>())
            if (button->isVisible() && !button->isChecked())
                other = button;
        QVERIFY(other);
        QTest::mouseClick(other, Qt::LeftButton);
        QTest::qWait(50);
        QVERIFY(!f.status(0).settings.pivot.automatic);
        QCOMPARE(f.status(0).positionDummies, positions);
        QVERIFY(f.status(0).dummies != velocities);
        QVERIFY(f.click("undoButton"));
        QVERIFY(f.status(0).settings.pivot.automatic);
    }

    void inLargeType_theTableOfStartValues_doesNotScrollSideways()
    {
        Fixture f({1280, 720});
        QVERIFY(f.document.opener().openModel("double-pendulum").ok());
        f.find<QAction>("drawer")->trigger();
        auto* drawer = f.find<QTabWidget>("drawer");
        drawer->setCurrentWidget(f.find<QWidget>("startPage"));
        auto* table = f.find<QTableWidget>("startValues");
        for (const bool presenting : {true, false}) {
            f.window.setPresenting(presenting);
            QTest::qWait(80);
            QVERIFY(table->isVisible());
            QCOMPARE(table->horizontalScrollBar()->maximum(), 0);
            for (int column = 0; column < table->columnCount(); ++column) // every heading is read in full
                QVERIFY2(table->columnWidth(column) >= QFontMetrics(table->horizontalHeader()->font())
                                                           .horizontalAdvance(table->horizontalHeaderItem(column)->text()),
                         qPrintable(table->horizontalHeaderItem(column)->text()));
            auto* use = f.find<QPushButton>("startUse");
            QVERIFY(use->width() >= use->sizeHint().width());
        }
    }
};

QTEST_MAIN(TestStart)
#include "test_start.moc"
