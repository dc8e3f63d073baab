// A mechanism built by hand in the real window: a slider-crank from nothing with the mouse, run, dragged, undone, redone, saved
// and opened again; bodies moved under their joints; picture, tree, fields and text as one document.
#include <QCheckBox>
#include <QClipboard>
#include <QListWidget>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QSettings>
#include <QTemporaryDir>
#include <QTreeWidget>

#include <cmath>
#include <random>
#include <set>

#include "tests/support/Events.h"
#include "tests/ui/EditorFixture.h"

using namespace driftless;
using namespace driftless::ui;
using namespace driftless::ui::test;

namespace {

struct SliderCrankBuilder : Builder {
    /// Two bars, a block on a rail, three pins.
    bool buildSliderCrank()
    {
        if (!menu("openButton", "New mechanism"))
            return false;
        bool ok = tool("toolBar");
        pull(-1, 0, -0.6, 0.3);
        pull(-0.6, 0.3, 0.6, 0);
        ok = ok && tool("toolBlock");
        pull(0.45, -0.1, 0.75, 0.1);
        ok = ok && tool("toolRail");
        pull(0.6, 0, 1.0, 0.02);
        ok = ok && tool("toolPin");
        tap(-1, 0);
        tap(-0.6, 0.3);
        tap(0.6, 0);
        return ok && tool("toolSelect");
    }
};

/// The rows of a recording up to t, as they are stored.
std::vector<double> rows(const run::RecordingView& recording, double t, int columns)
{
    std::vector<double> out;
    for (std::uint64_t i = 0; i < recording.rowCount() && recording.time(i) <= t; ++i) {
        out.push_back(recording.time(i));
        for (int c = 0; c < columns; ++c)
            out.push_back(recording.value(i, c));
    }
    return out;
}

/// Where two lists of rows part, for the message.
QString difference(const std::vector<double>& a, const std::vector<double>& b, int columns)
{
    const auto width = static_cast<std::size_t>(columns + 1);
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
        if (!(a[i] == b[i]))
            return QStringLiteral("row %1, column %2: %3 and %4; %5 and %6 numbers")
                .arg(i / width)
                .arg(i % width)
                .arg(a[i], 0, 'g', 17)
                .arg(b[i], 0, 'g', 17)
                .arg(a.size())
                .arg(b.size());
    return QStringLiteral("%1 and %2 numbers").arg(a.size()).arg(b.size());
}

} // namespace

class TestEditor : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

private slots:
    void contactsAndDrives_areBuiltByMouse()
    {
        Builder f;
        QVERIFY(f.menu("openButton", "New mechanism"));
        QVERIFY(f.tool("toolDisc"));
        f.pull(0, 0.5, 0.2, 0.5);
        QVERIFY(f.tool("toolWall"));
        f.pull(0, 0.5, 0, 0); // straight down: a floor, whose direction has the disc on its left
        QVERIFY(f.tool("toolString"));
        f.pull(0, 0.5, 0.5, 0.5);
        QVERIFY(f.tool("toolDamper"));
        f.pull(0, 0.5, 0.5, 1);
        QVERIFY(f.tool("toolBar"));
        f.pull(-1, -1, -0.5, -1);
        QVERIFY(f.tool("toolPin"));
        f.tap(-1, -1);
        QVERIFY(f.tool("toolStop"));
        f.tap(-1, -1);
        const model::ConstrainedSystem& system = f.document.system();
        const auto row = [&](const std::string& name) {
            return std::ranges::find_if(system.oneSided, [&](const auto& one) { return one.row.name.starts_with(name); });
        };
        QCOMPARE(system.oneSided.size(), std::size_t{4}); // the wall, the string, both ends of the pin's travel
        QVERIFY(row("wall") != system.oneSided.end() && row("string") != system.oneSided.end());
        QVERIFY(row("stop") != system.oneSided.end());
        const QString text = f.document.bench().modelText();
        QVERIFY2(text.contains("angle = 0") && text.contains("radius = 0.2"), qPrintable(text));
        QVERIFY2(text.contains("lower = -0.8") && text.contains("upper = 0.8"), qPrintable(text));

        // It falls on the floor: the rim at y = 0, and no damper or string keeps it from there.
        QVERIFY(f.tool("toolMotor"));
        f.tap(-0.75, -1); // beside the pin: nothing, with a reason
        QVERIFY(!f.document.bench().modelText().contains("motion"));
        f.tap(-1, -1);
        QVERIFY2(f.document.bench().modelText().contains("motion"), "a pin is driven");
        f.document.undoStack().undo();
        QVERIFY(!f.document.bench().modelText().contains("motion"));
        f.document.laboratory().waitUntil(3);
        const auto recording = f.document.laboratory().recording(f.id(0));
        const int y = recording.findColumn("disc1.y");
        QVERIFY(y >= 0 && recording.lastTime() >= 3);
        double least = 1;
        for (std::uint64_t k = 0; k < recording.rowCount(); ++k)
            least = std::min(least, recording.value(k, y));
        QVERIFY2(least > 0.2 - 1e-6 && least < 0.21,
                 qPrintable(QString::number(least, 'g', 12))); // rtol 1e-8 of the new mechanism
    }

    /// A disc above its floor is pulled through it, and a bar on a pin beyond its stop: both end where the contact is.
    void whatIsPulledIntoAContact_restsOnIt()
    {
        Builder f;
        QVERIFY(f.menu("openButton", "New mechanism"));
        QVERIFY(f.tool("toolDisc"));
        f.pull(0, 0.5, 0.2, 0.5);
        QVERIFY(f.tool("toolWall"));
        f.pull(0, 0.5, 0, 0);
        MechanismPull& hand = f.window.editor().pull();
        const auto gapOf = [&] { return f.window.editor().mechanism().geometry().body("disc1")->centre.y() - 0.2; };
        QVERIFY(hand.beginPull("disc1", {}));
        QVERIFY(hand.moveBy({0.3, -2}));
        QCOMPARE(hand.held(), QStringLiteral("wall1 stops it."));
        QVERIFY(hand.endPull());
        QVERIFY2(std::abs(gapOf()) <= 1e-6, qPrintable(QString::number(gapOf()))); // six digits are written
        QVERIFY2(!f.document.bench().startProblem(), "a start in the wall");
        QCOMPARE(f.document.runs().size(), std::size_t{1});
        QVERIFY(hand.beginPull("disc1", {}));
        QVERIFY(hand.moveBy({0, 0.4})); // and off it
        QCOMPARE(hand.held(), QString());
        QVERIFY(hand.endPull());
        QVERIFY(std::abs(gapOf() - 0.4) <= 1e-6);

        QVERIFY(f.tool("toolBar"));
        f.pull(-1.5, 1, -1, 1);
        QVERIFY(f.tool("toolPin"));
        f.tap(-1.5, 1);
        QVERIFY(f.tool("toolStop"));
        f.tap(-1.5, 1); // 0.8 rad to either side
        QVERIFY(hand.beginTurn("bar1"));
        QVERIFY(hand.turnTo(-2));
        QVERIFY2(hand.held().contains("stop1"), qPrintable(hand.held()));
        QVERIFY(hand.endPull());
        const double angle = f.window.editor().mechanism().geometry().body("bar1")->angle;
        QVERIFY2(std::abs(angle + 0.8) <= 2e-6, qPrintable(QString::number(angle, 'g', 12))); // of what touches, six digits
        QVERIFY(!f.document.bench().startProblem());
    }

    /// Two wheels on axles of their own, a clutch between them, a brake on one and a ratchet at the other's pin.
    void clutchAndRatchet_areBuiltByMouse()
    {
        Builder f;
        QVERIFY(f.menu("openButton", "New mechanism"));
        QVERIFY(f.tool("toolDisc"));
        f.pull(-0.5, 0.5, -0.2, 0.5);
        QVERIFY(f.tool("toolDisc"));
        f.pull(0.5, 0.5, 0.8, 0.5);
        QVERIFY(f.tool("toolPin"));
        f.tap(-0.5, 0.5);
        f.tap(0.5, 0.5);
        QVERIFY(f.tool("toolClutch"));
        f.tap(1.2, 1.2); // nothing is there
        QVERIFY(!f.document.bench().modelText().contains("clutch"));
        f.pull(-0.5, 0.5, 0.5, 0.5);
        f.pull(0.5, 0.5, -0.5, 0.5); // there is one already
        f.tap(0.5, 0.5);
        QVERIFY(f.tool("toolRatchet"));
        f.tap(-0.5, 0.5);
        const QString text = f.document.bench().modelText();
        QCOMPARE(text.count("kind = \"clutch\""), 2);
        QVERIFY2(text.contains("from = \"disc1\"\nto = \"disc2\"\ncapacity = 1")
                     && text.contains("from = \"ground\"\nto = \"disc2\"\ncapacity = 1"),
                 qPrintable(text));
        QVERIFY2(text.contains("kind = \"ratchet\"\njoint = \"pin1\"\ndirection = \"forwards\""), qPrintable(text));
        QCOMPARE(f.document.system().oneSided.size(), std::size_t{3});
        const auto problem = f.document.bench().startProblem();
        QVERIFY2(f.document.runs().size() == 1, problem ? problem->text().c_str() : "there is no run");
        f.document.laboratory().waitUntil(0.5);
        QVERIFY(!f.status(0).diagnostic);
        f.document.undoStack().undo();
        QVERIFY(!f.document.bench().modelText().contains("ratchet"));
    }
    void initTestCase() { QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, folder_.path()); }

    void sliderCrank_builtWithTheMouse_runs_isUndoneAndRedone_savedAndOpenedAgain_withTheSameMotion()
    {
        SliderCrankBuilder f;
        QVERIFY(f.menu("openButton", "New mechanism"));
        QVERIFY(f.window.isEditing());
        QVERIFY(f.live().startsWith("Empty"));
        QVERIFY(f.document.runs().empty());
        const QString empty = f.text();
        f.document.undoStack().clear();
        QVERIFY(f.buildSliderCrank());
        const QString built = f.text();
        QVERIFY2(f.document.runs().size() == 1,
                 f.document.bench().startProblem() ? f.document.bench().startProblem()->text().c_str() : qPrintable(built));
        // Names and numbers as a person would write them.
        for (const char* part : {"name = \"bar1\"", "x = -0.8\ny = 0.15\n", "name = \"bar2\"", "x = 0\ny = 0.15\n",
                                 "name = \"block1\"", "x = 0.6\ny = 0\n", "width = 0.3, height = 0.2", "name = \"rail1\"",
                                 "angle = 0\n", "to = \"block1\"", "name = \"pin1\"", "name = \"pin3\"", "at = [-1, 0]"})
            QVERIFY2(built.contains(part), qPrintable(QString(part) + " in\n" + built));
        QVERIFY2(f.live().contains("3 bodies") && f.live().contains("1 degree of freedom") && f.live().contains("index 3")
                     && f.live().contains("nothing redundant"),
                 qPrintable(f.live()));
        const int edits = f.document.undoStack().count();
        QCOMPARE(edits, 8); // the new mechanism and seven parts: one entry each

        // It runs, and a body is dragged while it does.
        QVERIFY(f.click("playButton"));
        QVERIFY(!f.window.isEditing());
        QVERIFY(f.playUntil(0.3));
        SceneView& scene = f.window.scene();
        int point = 0;
        for (const auto& visual : f.document.system().visuals) {
            if (visual.owner == "bar1")
                break;
            point += static_cast<int>(visual.points.size());
        }
        const QPointF crank = 0.5 * (scene.pointOnScreen(0, point) + scene.pointOnScreen(0, point + 1));
        QTest::mousePress(&scene, Qt::LeftButton, {}, crank.toPoint());
        for (int k = 1; k <= 4; ++k) {
            const QPointF p = crank + QPointF(12, -9) * k;
            QMouseEvent move(QEvent::MouseMove, p, scene.mapToGlobal(p), Qt::NoButton, Qt::LeftButton, Qt::NoModifier);
            QApplication::sendEvent(&scene, &move);
            QTest::qWait(20);
        }
        QTest::mouseRelease(&scene, Qt::LeftButton, {}, (crank + QPointF(48, -36)).toPoint());
        QTest::qWait(40);
        QCOMPARE(f.document.undoStack().count(), edits + 1);
        QCOMPARE(f.document.undoStack().undoText(), QStringLiteral("move bar1"));
        const double dragged = f.time();
        QVERIFY(f.document.laboratory().clock().playing);
        QVERIFY(f.playUntil(dragged + 0.2));
        QVERIFY(f.click("playButton"));
        QVERIFY(driftless::test::valueWasSet(f.document.laboratory().events(f.id(0)), "bar1.x"));
        QCOMPARE(f.status(0).state, run::RunState::Ready);
        QVERIFY(f.status(0).residual.position < 1e-9); // the form holds its positions to round-off of lengths around one

        // All of it back, and again.
        for (int k = 0; k < edits + 1; ++k)
            QVERIFY(f.click("undoButton"));
        QVERIFY(!f.find<QToolButton>("undoButton")->isEnabled());
        QCOMPARE(f.text(), empty);
        QVERIFY(f.document.runs().empty());
        for (int k = 0; k < edits + 1; ++k)
            QVERIFY(f.click("redoButton"));
        QVERIFY(!f.find<QToolButton>("redoButton")->isEnabled());
        QCOMPARE(f.text(), built);
        QCOMPARE(f.document.runs().size(), std::size_t{1});
        QVERIFY(driftless::test::valueWasSet(f.document.laboratory().events(f.id(0)), "bar1.x"));

        // Saved as a session: everything that was done, bit for bit.
        const QString session = folder_.filePath("crank.driftless");
        QVERIFY(f.click("saveButton"));
        QVERIFY(f.acceptPath(session));
        const auto recording = f.document.laboratory().recording(f.id(0));
        const int columns = 2 * recording.n() + static_cast<int>(f.document.compiled().w());
        Document again;
        const auto opened = again.files().openSession(session);
        QVERIFY2(opened.ok(), opened ? "" : opened.error().text().c_str());
        QCOMPARE(again.bench().modelText(), built);
        again.laboratory().waitUntil(recording.lastTime());
        const auto repeated = again.laboratory().recording(again.runs().front().id);
        const double both = std::min(recording.lastTime(), repeated.lastTime());
        QVERIFY(both >= f.time());
        const auto first = rows(recording, f.time(), columns), second = rows(repeated, f.time(), columns);
        QVERIFY(first.size() > 1000);
        QVERIFY(first == second);

        // Saved as a model: the same motion from its start, up to where the body was dragged.
        const QString model = folder_.filePath("crank.toml");
        QVERIFY(f.menu("saveButton", "Save the model…"));
        QVERIFY(f.acceptPath(model));
        QFile file(model);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(QString::fromUtf8(file.readAll()), built);
        Document fresh;
        QVERIFY(fresh.files().open(model).ok());
        const double until = 0.9 * std::min(0.3, dragged);
        fresh.laboratory().waitUntil(until);
        const auto start = rows(fresh.laboratory().recording(fresh.runs().front().id), until, columns);
        QVERIFY(start.size() > 200);
        const auto original = rows(recording, until, columns);
        QVERIFY2(start == original, qPrintable(difference(start, original, columns)));
    }

    void emptyMechanism_isAModel_withoutAnythingToRun()
    {
        Builder f;
        QVERIFY(f.menu("openButton", "New mechanism"));
        QVERIFY(f.find<QWidget>("scene")->isVisible());
        QVERIFY(f.find<QWidget>("editPanel")->isVisible());
        QVERIFY(f.text().contains("kind = \"gravity\""));
        QVERIFY(f.document.bench().startProblem());
        QVERIFY(!f.document.control().addRun(run::RunSettings{}));
        f.document.playback().play(); // nothing happens, and nothing breaks
        QTest::qWait(60);
        f.document.edits().reset();
        QTest::qWait(60);
        f.click("editButton");
        QVERIFY(f.tool("toolPoint"));
        f.tap(0.25, 0.5);
        QCOMPARE(f.body("mass1").centre, QPointF(0.25, 0.5));
        QCOMPARE(f.document.runs().size(), std::size_t{1});
        QCOMPARE(f.live().contains("2 degrees of freedom"), true);
        QVERIFY(f.live().contains("index 0"));
        // Undone and redone while it falls: the laboratory comes back with its time, and goes on.
        QVERIFY(f.click("playButton"));
        QVERIFY(f.playUntil(0.1));
        f.document.undoStack().undo();
        QVERIFY(f.document.runs().empty());
        QCOMPARE(f.time(), 0.0);
        f.document.undoStack().redo();
        QCOMPARE(f.document.runs().size(), std::size_t{1});
        QVERIFY(f.time() >= 0.1);
        QVERIFY(f.document.laboratory().clock().playing);
        QVERIFY(f.playUntil(f.time() + 0.05));
    }

    void placesSnap_toTheGridAndToPoints()
    {
        Builder f;
        QVERIFY(f.menu("openButton", "New mechanism"));
        const double step = f.sheet().gridStep();
        QVERIFY(step > 0 && step <= 0.1);
        QVERIFY(f.tool("toolBar"));
        const QPoint off(2, -2); // pixels beside the places: less than half of what is between two of them
        f.press(f.at(0, 0) + off, f.at(1, 0) + off);
        QCOMPARE(f.body("bar1").centre, QPointF(0.5, 0));
        QCOMPARE(f.body("bar1").ends[1], QPointF(0.5, 0));
        f.press(f.at(1, 0) - off, f.at(1, 1) - off);
        const QPointF end = f.body("bar2").toPlane(f.body("bar2").ends[0]);
        QVERIFY(std::hypot(end.x() - 1, end.y()) < kWritten);
        QVERIFY(f.tool("toolPin"));
        f.tap(1, 0);
        // The two ends are one point: which of them the pin comes from depends on less than a pixel.
        QVERIFY2(f.text().contains("{ body = \"bar1\", at = [0.5, 0] }")
                     && f.text().contains("{ body = \"bar2\", at = [-0.5, 0] }"),
                 qPrintable(f.text()));
        f.tap(1, 0); // once more: now to the ground
        QVERIFY(f.text().contains("from = { body = \"ground\", at = [1, 0] }"));
        const int entries = f.document.undoStack().count();
        f.tap(1, 0); // and no more
        QCOMPARE(f.document.undoStack().count(), entries);
        QVERIFY(f.value("messageTitle").contains("joined"));
        f.tap(-1, -1); // nothing here
        QCOMPARE(f.document.undoStack().count(), entries);
    }

    void draggedPoint_takesTheRestAlong_andTheJointThatStopsItIsNamed()
    {
        Builder f;
        open(f, kTwoBars);
        QVERIFY2(f.live().contains("2 degrees of freedom"), qPrintable(f.live()));
        const int entries = f.document.undoStack().count();
        // The end of the arm to a place in reach: both bars follow.
        f.pull(1, -1, 1.3, -0.4, false);
        QCOMPARE(f.window.editor().pull().held(), QString());
        QTest::mouseRelease(&f.sheet(), Qt::LeftButton, {}, f.at(1.3, -0.4));
        QTest::qWait(10);
        QCOMPARE(f.document.undoStack().count(), entries + 1);
        QCOMPARE(f.document.undoStack().undoText(), QStringLiteral("move lower"));
        const auto end = [&] { return f.body("lower").toPlane(f.body("lower").ends[1]); };
        // The pull weighs what was asked against the way of the rest by 1e4 (Nearest.h): within a thousandth of a metre.
        QVERIFY2(std::hypot(end().x() - 1.3, end().y() + 0.4) < 1e-3,
                 qPrintable(QString("%1 %2").arg(end().x()).arg(end().y())));
        const QPointF elbow = f.body("upper").toPlane({0.5, 0}), same = f.body("lower").toPlane({-0.5, 0});
        QVERIFY(std::hypot(elbow.x() - same.x(), elbow.y() - same.y()) < kWritten);
        QVERIFY(std::abs(std::hypot(elbow.x(), elbow.y()) - 1) < kWritten);
        QVERIFY(f.text().contains("# of its centre") && f.text().contains("# lengths of one metre"));
        // Out of reach: the arm is stretched, and the joint at the ground holds it.
        f.press(f.window.scene().toScreen(end()).toPoint(), f.at(2.2, -0.6), false);
        QCOMPARE(f.window.editor().pull().held(), QStringLiteral("shoulder stops it."));
        const QImage held = f.window.grab().toImage();
        QTest::mouseRelease(&f.sheet(), Qt::LeftButton, {}, f.at(2.2, -0.6));
        QVERIFY(std::abs(std::hypot(end().x(), end().y()) - 2) < 1e-3);
        f.click("undoButton");
        f.click("undoButton");
        QCOMPARE(f.text(), QString(kTwoBars));
        QVERIFY(!held.isNull());
    }

    void handles_changeLengthAndAngle_withWhatIsJoinedThere()
    {
        Builder f;
        open(f, kTwoBars);
        f.tap(0.3, 0);
        QCOMPARE(f.window.editor().selection().ids(), std::vector<std::string>{"upper"});
        f.tap(1, -0.6);
        QCOMPARE(f.window.editor().selection().ids(), std::vector<std::string>{"lower"});
        f.pull(1, -1, 1, -1.5); // its free end
        QCOMPARE(f.document.undoStack().undoText(), QStringLiteral("length of lower"));
        QVERIFY(f.text().contains("from = [-0.75, 0], to = [0.75, 0]"));
        QVERIFY(f.text().contains("to = { body = \"lower\", at = [-0.75, 0] }"));
        QVERIFY(f.text().contains("y = -0.75"));
        QVERIFY(f.text().contains("inertia = 0.187499") || f.text().contains("inertia = 0.1875")); // m l^2/12
        QCOMPARE(f.live().contains("2 degrees of freedom"), true);
        // The handle that turns it, about its centre: 44 pixels across its axis. It turns by steps, and the elbow holds.
        const EditBody before = f.body("lower");
        const QPointF centre = f.window.scene().toScreen(before.centre),
                      ahead = f.window.scene().toScreen(before.toPlane({0, 1})) - centre;
        const QPointF handle = centre + ahead * (44 / std::hypot(ahead.x(), ahead.y()));
        f.press(handle.toPoint(), (centre + QPointF(44, -44)).toPoint());
        QCOMPARE(f.document.undoStack().undoText(), QStringLiteral("turn lower"));
        QVERIFY(std::abs(f.body("lower").angle - before.angle) > 0.5);
        const QPointF elbow = f.body("upper").toPlane({0.5, 0}), same = f.body("lower").toPlane({-0.75, 0});
        QVERIFY(std::hypot(elbow.x() - same.x(), elbow.y() - same.y()) < kWritten);
    }

    void treeFieldsTextAndScene_agree()
    {
        Builder f;
        open(f, kTwoBars);
        auto* tree = f.find<QTreeWidget>("mechanismTree");
        QVERIFY(tree && tree->topLevelItemCount() == 3);
        QTreeWidgetItem* elbow = tree->topLevelItem(1)->child(1);
        QCOMPARE(elbow->text(0), QStringLiteral("elbow"));
        QTest::mouseClick(tree->viewport(), Qt::LeftButton, {}, tree->visualItemRect(elbow).center());
        QCOMPARE(f.window.editor().selection().ids(), std::vector<std::string>{"elbow"});
        QVERIFY(f.find<QLineEdit>("field_from.at"));
        f.tap(0.3, 0); // the scene, and the tree with it
        QVERIFY(tree->topLevelItem(0)->child(0)->isSelected() && !elbow->isSelected());
        QCOMPARE(f.value("propertyTitle"), QStringLiteral("upper"));
        QVERIFY(f.enter("field_mass", "2.5"));
        QVERIFY(f.text().contains("mass = 2.5\n"));
        QVERIFY(f.enter("field_inertia", "mass_of_nothing/3")); // no parameter of that name
        QVERIFY(!f.text().contains("mass_of_nothing"));
        QVERIFY(f.value("messageTitle").size() > 0);
        QVERIFY(f.enter("field_name", "arm_1"));
        QVERIFY(f.text().contains("to = { body = \"arm_1\", at = [-0.5, 0] }") && !f.text().contains("upper"));
        QCOMPARE(f.window.editor().selection().ids(), std::vector<std::string>{"arm_1"});
        // The text: an edit of it shows in the scene, and the cursor selects.
        QVERIFY(f.window.openPage("model"));
        QTest::qWait(30);
        auto* page = f.find<QPlainTextEdit>("modelText");
        QCOMPARE(page->toPlainText(), f.text());
        page->setFocus();
        QString edited = f.text();
        edited.replace("x = 0.5", "x = 0.4");
        page->setPlainText(edited); // as typed: it is applied after a pause
        QTRY_COMPARE_WITH_TIMEOUT(f.text(), edited, 5000);
        f.document.undoStack().undo();
        QVERIFY(f.text().contains("x = 0.5"));
        page->setFocus();
        QTextCursor cursor = page->textCursor();
        cursor.setPosition(static_cast<int>(page->toPlainText().indexOf("name = \"shoulder\"")));
        page->setTextCursor(cursor);
        QCOMPARE(f.window.editor().selection().ids(), std::vector<std::string>{"shoulder"});
        page->clearFocus();
        f.window.editor().selection().select({"elbow"});
        QCOMPARE(page->textCursor().selectedText().section(QChar(0x2029), 1, 1), QStringLiteral("name = \"elbow\""));
    }

    void copyPasteDuplicateAndRemove_byKeys()
    {
        Builder f;
        open(f, kTwoBars);
        f.press(f.at(-0.4, 0.4), f.at(1.5, -1.4)); // a band round both
        QCOMPARE(f.window.editor().selection().ids().size(), std::size_t{2});
        QTest::keyClick(&f.window, Qt::Key_C, Qt::ControlModifier);
        QVERIFY(QApplication::clipboard()->text().contains("name = \"elbow\"")
                && !QApplication::clipboard()->text().contains("shoulder"));
        QTest::keyClick(&f.window, Qt::Key_V, Qt::ControlModifier);
        QTest::qWait(10);
        QVERIFY(f.text().contains("name = \"upper1\"") && f.text().contains("name = \"elbow1\"")
                && f.text().contains("from = { body = \"upper1\", at = [0.5, 0] }"));
        QVERIFY2(f.live().contains("4 bodies") && f.live().contains("6 degrees of freedom"), qPrintable(f.live()));
        QTest::keyClick(&f.window, Qt::Key_D, Qt::ControlModifier);
        QTest::qWait(10);
        QVERIFY(f.live().contains("6 bodies"));
        QTest::keyClick(&f.window, Qt::Key_Delete);
        QTest::qWait(10);
        QVERIFY(f.live().contains("4 bodies"));
        f.document.undoStack().undo();
        f.document.undoStack().undo();
        f.document.undoStack().undo();
        QCOMPARE(f.text(), QString(kTwoBars));
        QVERIFY(f.tool("toolDelete"));
        f.tap(0.3, 0);
        QVERIFY(!f.text().contains("upper") && !f.text().contains("elbow") && f.text().contains("lower"));
        QVERIFY(f.value("editNote").contains("joint elbow") && f.value("editNote").contains("joint shoulder"));
        QVERIFY(!f.window.editor().builder().paste("no mechanism", 0));
        QVERIFY(!f.window.editor().builder().paste(QString(2 << 20, 'x'), 0));
    }

    void jointsThatDoNotFit_areDrawnRed_withASentence_andMendedByUndo()
    {
        Builder f;
        open(f, kTwoBars);
        // A rod of 0.2 m from the ground far away to the end of the arm: no position fits.
        QVERIFY(f.tool("toolRod"));
        f.pull(2, 0.5, 1, -1);
        QVERIFY(f.text().contains("name = \"rod1\""));
        QVERIFY(f.live().contains("1 degree of freedom"));
        QVERIFY(f.tool("toolSelect"));
        QVERIFY(f.window.editor().builder().setField("rod1", "from.at", "[9, 0.5]"));
        QTest::qWait(20);
        const EditStatus& status = f.window.editor().mechanism().status();
        QVERIFY(status.problem.has_value());
        QCOMPARE(status.defects, std::set<std::string>{"rod1"}); // the one that was changed, not all that it binds
        QVERIFY2(QString::fromStdString(status.problem->what).startsWith("rod1 cannot be met together with "),
                 status.problem->text().c_str());
        QVERIFY(f.document.runs().empty()); // its run waits
        QVERIFY(f.find<QLabel>("editProblem")->isVisible() && !f.value("editProblem").isEmpty());
        f.document.undoStack().undo();
        QVERIFY(!f.window.editor().mechanism().status().problem.has_value());
        QCOMPARE(f.document.runs().size(), std::size_t{1});
    }

    void redundantConstraints_areCountedAndNamed()
    {
        Builder f;
        QVERIFY(f.document.opener().openModel("parallelogram").ok());
        f.click("editButton");
        QVERIFY(!f.window.editor().mechanism().status().redundant.empty() || f.live().contains("1 degree of freedom"));
        open(f, kTwoBars);
        f.click("editButton");
        const QString again =
            "\n[[joint]]\nname = \"pin1\"\nkind = \"pin\"\nfrom = \"ground\"\nto = { body = \"upper\", at = [-0.5, 0] }\n";
        QVERIFY(f.document.edits().editText(f.text() + again, "the shoulder a second time").ok());
        QTest::qWait(20);
        QCOMPARE(f.window.editor().mechanism().status().redundant.size(), std::size_t{2});
        QVERIFY2(f.live().contains("2 redundant constraints") && f.live().contains("2 degrees of freedom"),
                 qPrintable(f.live()));
        QVERIFY(f.value("editNote").contains("pin1") || f.value("editNote").contains("shoulder"));
    }

    /// Two bars between random points of the grid, pinned together and to the ground, every click made twice.
    void secondClicks_addNothing_andPlacesStayOnTheGrid()
    {
        constexpr unsigned kSeed = 16;
        qInfo("seed %u", kSeed);
        std::mt19937 draw(kSeed);
        Builder f;
        QVERIFY(f.document.opener().openModel("pendulum").ok());
        for (int trial = 0; trial < 12; ++trial) {
            QVERIFY(f.document.opener().newMechanism().ok());
            f.window.setEditing(true);
            MechanismEditor& editor = f.window.editor();
            const auto point = [&draw] {
                return QPointF(0.1 * (static_cast<int>(draw() % 21) - 10), 0.1 * (static_cast<int>(draw() % 21) - 10));
            };
            const QPointF a(0, 0);
            QPointF b = point(), c = point();
            while (std::hypot(b.x(), b.y()) < 0.3)
                b = point();
            while (std::hypot(c.x() - b.x(), c.y() - b.y()) < 0.3 || std::hypot(c.x(), c.y()) < 0.3)
                c = point();
            QVERIFY(editor.builder().addBar(a, b) && editor.builder().addBar(b, c));
            constexpr double kReach = 0.02;
            QVERIFY(editor.builder().joinAt("pin", a, kReach));
            QVERIFY(!editor.builder().joinAt("pin", a, kReach) && !editor.builder().joinAt("weld", a, kReach));
            QVERIFY(editor.builder().joinAt("pin", b, kReach));
            QVERIFY(!editor.builder().joinAt("pin", b, kReach));
            QVERIFY(editor.builder().addRod({"ground", QPointF(2, 0)},
                                            {"bar2", editor.mechanism().geometry().body("bar2")->ends[1]}));
            QVERIFY(!editor.builder().addRod({"bar2", editor.mechanism().geometry().body("bar2")->ends[1]},
                                             {"ground", QPointF(2, 0)}));
            QCOMPARE(f.text().count("[[joint]]"), 3);
            QVERIFY2(f.live().contains("nothing redundant"), qPrintable(f.live()));
            static const QRegularExpression place("^[xy] = (-?[0-9.]+)$", QRegularExpression::MultilineOption);
            int places = 0;
            for (auto found = place.globalMatch(f.text()); found.hasNext(); ++places) {
                const double value = found.next().captured(1).toDouble() / 0.05; // centres lie between two points
                QVERIFY2(std::abs(value - std::round(value)) < 1e-9, qPrintable(f.text()));
            }
            QCOMPARE(places, 4);
        }
    }

    void chartOfAShippedModel_isReplacedByStartValues_whenItIsMoved()
    {
        Builder f;
        QVERIFY(f.document.opener().openModel("slider-crank").ok());
        f.click("editButton");
        QVERIFY(f.text().contains("[chart]"));
        const EditBody rod = f.body("rod");
        QVERIFY(f.window.editor().pull().beginPull("slider", {}));
        QVERIFY(f.window.editor().pull().moveBy({-0.1, 0}));
        QVERIFY(f.window.editor().pull().endPull());
        QVERIFY(!f.text().contains("[chart]"));
        QVERIFY(f.document.runs().size() == 1);
        QVERIFY(f.live().contains("1 degree of freedom"));
        QVERIFY(std::abs(f.body("rod").angle - rod.angle) > 1e-3);
        QVERIFY(f.text().contains("velocity = 3")); // of the crank, as the chart stated it
    }

    void spaceModel_isNotBuiltByMouse_butInItsTree()
    {
        Builder f;
        open(f,
             "format = 1\ndimensions = 3\n[[body]]\nname = \"top\"\nkind = \"rigid\"\nmass = 1\ninertia = [0.2, 0.2, "
             "0.1]\nangular_velocity = [0, 0, 5]\nz = 0.5\n"
             "[[joint]]\nname = \"tip\"\nkind = \"spherical\"\nfrom = \"ground\"\nto = { body = \"top\", at = [0, 0, -0.5] }\n"
             "[[force]]\nkind = \"gravity\"\nacceleration = 9.81\n");
        QVERIFY2(f.live().contains("1 body") && f.live().contains("3 degrees of freedom"), qPrintable(f.live()));
        QVERIFY(f.find<QLabel>("editHint")->text().startsWith("In space"));
        const int entries = f.document.undoStack().count();
        QVERIFY(f.tool("toolPoint"));
        f.press({200, 200}, {200, 200});
        QCOMPARE(f.document.undoStack().count(), entries);
        QVERIFY(!f.window.editor().builder().addPoint({0, 0}));
        QVERIFY(f.value("messageTitle").contains("plane"));
        auto* tree = f.find<QTreeWidget>("mechanismTree");
        QTreeWidgetItem* body = tree->topLevelItem(0)->child(0);
        QTest::mouseClick(tree->viewport(), Qt::LeftButton, {}, tree->visualItemRect(body).center());
        QVERIFY(f.enter("field_angular_velocity", "[0, 0, 8]"));
        QVERIFY(f.text().contains("angular_velocity = [0, 0, 8]"));
        QVERIFY(f.enter("field_inertia", "[0.3, 0.3, 0.1]"));
        QVERIFY(f.enter("field_name", "spinner"));
        QVERIFY(f.text().contains("inertia = [0.3, 0.3, 0.1]")
                && f.text().contains("to = { body = \"spinner\", at = [0, 0, -0.5] }"));
    }

    void home_showsTheModelsAsTheProgramDrawsThem()
    {
        Builder f;
        QVERIFY(f.click("galleryButton"));
        auto* list = f.find<QListWidget>("homeList");
        QVERIFY(list && list->count() > 10);
        QListWidgetItem* pendulum = nullptr;
        for (int row = 0; row < list->count() && !pendulum; ++row)
            if (list->item(row)->data(Qt::UserRole) == QVariant("pendulum"))
                pendulum = list->item(row);
        QVERIFY(pendulum);
        const auto drawn = [&] {
            const QImage icon = pendulum->icon().pixmap(170, 102).toImage();
            std::set<QRgb> colours;
            for (int y = 0; y < icon.height(); ++y)
                for (int x = 0; x < icon.width(); ++x)
                    colours.insert(icon.pixel(x, y));
            return colours.size() > 20; // a mechanism with its shading, not an empty sheet
        };
        QTRY_VERIFY_WITH_TIMEOUT(drawn(), 10000);
    }

    void aModelFileDroppedOnTheWindow_isOpened()
    {
        Builder f;
        QVERIFY(f.document.opener().openModel("pendulum").ok());
        f.click("editButton");
        const QString path = folder_.filePath("dropped.toml");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(kTwoBars);
        file.close();
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(path)});
        QDragEnterEvent enter({300, 300}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&f.window, &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop({300, 300}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&f.window, &drop);
        QCOMPARE(f.text(), QString(kTwoBars));
    }
};

QTEST_MAIN(TestEditor)
#include "test_editor.moc"
