// Handles for mass, stiffness and lengths: pulled with the mouse, written to the text as numbers or to the parameter that is
// named, refused with a sentence where an expression stands; and a table that stands for many, renamed in its field.
#include <QLineEdit>
#include <QSettings>
#include <QTemporaryDir>
#include <QTreeWidget>

#include <cmath>
#include <set>

#include "tests/ui/EditorFixture.h"
#include "ui/document/BenchReadings.h"
#include "ui/document/EditDraft.h"

using namespace driftless;
using namespace driftless::ui;
using namespace driftless::ui::test;

namespace {

const char* const kOnSprings = "format = 1\n"
                               "[parameters]\n"
                               "k = { value = 80, unit = \"N/m\", min = 10, max = 200 } # of both springs\n"
                               "m = 2\n"
                               "half = \"m/2\"\n"
                               "\n"
                               "[[body]]\n"
                               "name = \"bob\"\n"
                               "kind = \"point\"\n"
                               "mass = 1 # steel\n"
                               "x = 0.9\n"
                               "\n"
                               "[[body]]\n"
                               "name = \"plate\"\n"
                               "kind = \"rigid\"\n"
                               "mass = \"m\"\n"
                               "inertia = 0.5\n"
                               "x = -0.9\n"
                               "y = -0.5\n"
                               "shape = { kind = \"disc\", radius = 0.1 }\n"
                               "\n"
                               "[[body]]\n"
                               "name = \"slab\"\n"
                               "kind = \"rigid\"\n"
                               "mass = 4\n"
                               "inertia = 0.2\n"
                               "x = -0.9\n"
                               "y = 0.6\n"
                               "shape = { kind = \"block\", width = 0.2, height = 0.2 }\n"
                               "\n"
                               "[[body]]\n"
                               "name = \"stray\"\n"
                               "kind = \"point\"\n"
                               "mass = \"m + 1\"\n"
                               "x = 0.9\n"
                               "y = 0.7\n"
                               "\n"
                               "[[body]]\n"
                               "name = \"other\"\n"
                               "kind = \"point\"\n"
                               "mass = \"half\"\n"
                               "x = 0.2\n"
                               "y = 0.7\n"
                               "\n"
                               "[[joint]]\n"
                               "name = \"string\"\n"
                               "kind = \"rod\"\n"
                               "from = { body = \"ground\", at = [0.9, 1.0] }\n"
                               "to = \"stray\"\n"
                               "length = 0.3\n"
                               "\n"
                               "[[force]]\n"
                               "name = \"spring\"\n"
                               "kind = \"spring-damper\"\n"
                               "from = { body = \"ground\", at = [-0.1, 0] }\n"
                               "to = \"bob\"\n"
                               "stiffness = 100\n"
                               "\n"
                               "[[force]]\n"
                               "kind = \"spring-damper\"\n"
                               "from = { body = \"ground\", at = [-0.1, -0.5] }\n"
                               "to = \"plate\"\n"
                               "stiffness = \"k\"\n"
                               "length = \"2*half*0.3\"\n"
                               "\n"
                               "[view]\n"
                               "length_unit = 0.5\n"
                               "extent = 2.5\n";

/// Sizes of the pictures, as ui/views/SceneEditorHandles.cpp states them [px].
constexpr double kRing = 30, kBand = 26, kMeasure = 24;
/// Half a pixel each for press and release on a ring of thirty changes its cube by less than this part; two digits are kept.
constexpr double kPixels = 0.1;

struct Handles : Builder {
    EditQuantity quantity(const char* id, const char* path)
    {
        return window.editor().handles().quantity(id, path).value_or(EditQuantity{});
    }
    /// The handle for a mass of a body that is not turned.
    QPointF massHandle(const char* name)
    {
        return window.scene().toScreen(body(name).centre)
               + QPointF(-1, 1) * kRing * std::cbrt(quantity(name, "mass").value) / std::sqrt(2.0);
    }
    void pullFrom(QPointF from, QPointF to) { press(from.toPoint(), to.toPoint()); }
    /// Away from the centre of mass by a factor.
    void stretchMass(const char* name, double factor)
    {
        const QPointF centre = window.scene().toScreen(body(name).centre), handle = massHandle(name);
        pullFrom(handle, centre + factor * (handle - centre));
    }
    double pixels() { return window.scene().pixelsPerMetre(); }
};

bool near(double value, double expected, double part) { return std::abs(value - expected) <= part * std::abs(expected); }

} // namespace

class TestEditorHandles : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

private slots:
    void initTestCase() { QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, folder_.path()); }

    void mass_growsWithTheCubeOfItsRing_inOneEntry_andIsUndone()
    {
        Handles f;
        open(f, kOnSprings);
        f.tap(0.9, 0);
        QCOMPARE(f.window.editor().selection().ids(), std::vector<std::string>{"bob"});
        const int entries = f.document.undoStack().count();
        const QImage before = f.window.grab().toImage();
        const QPointF centre = f.window.scene().toScreen({0.9, 0}), handle = f.massHandle("bob");
        f.press(handle.toPoint(), (centre + 2 * (handle - centre)).toPoint(), false);
        QVERIFY(f.text() == QString(kOnSprings)); // nothing is written while it is pulled
        QVERIFY(f.window.grab().toImage() != before);
        QTest::mouseRelease(&f.sheet(), Qt::LeftButton, {}, (centre + 2 * (handle - centre)).toPoint());
        QTest::qWait(10);
        QCOMPARE(f.document.undoStack().count(), entries + 1);
        QCOMPARE(f.document.undoStack().undoText(), QStringLiteral("mass of bob"));
        const double mass = f.quantity("bob", "mass").value;
        QVERIFY2(near(mass, 8, kPixels), qPrintable(QString::number(mass)));
        QVERIFY(f.text().contains(QStringLiteral("mass = %1 # steel\n").arg(mass))); // two digits, and the comment stays
        QCOMPARE(f.window.editor().selection().ids(), std::vector<std::string>{"bob"});
        f.stretchMass("bob", 0.5);
        QVERIFY2(near(f.quantity("bob", "mass").value, mass / 8, 2 * kPixels), qPrintable(f.text()));
        f.click("undoButton");
        f.click("undoButton");
        QCOMPARE(f.text(), QString(kOnSprings));
        f.click("redoButton");
        QVERIFY(near(f.quantity("bob", "mass").value, 8, kPixels));
    }

    /// Seven digits of pi/2 were a start that every run had to correct, and said so.
    void aRightAngle_isWrittenAsOne_andIsConsistentAsEntered()
    {
        constexpr double kReach = 0.02, kRoundOff = 1e-14; // of lengths of a metre
        Builder f;
        QVERIFY(f.menu("openButton", "New mechanism"));
        MechanismBuilder& builder = f.window.editor().builder();
        QVERIFY(builder.addBar({0, 0}, {0, -1}));
        QVERIFY(builder.addBar({0, -1}, {1, -1}));
        QVERIFY(builder.joinAt("pin", {0, 0}, kReach));
        QVERIFY(builder.joinAt("weld", {0, -1}, kReach));
        QVERIFY2(f.text().contains("angle = \"-pi/2\"\n"), qPrintable(f.text()));
        QVERIFY2(f.text().contains("turn = \"pi/2\"\n") || f.text().contains("turn = \"-pi/2\"\n"), qPrintable(f.text()));
        const auto found = diagnoseStart(f.document.bench(), f.document.bench().startSettings());
        QVERIFY(found.ok() && !found->conflict);
        QVERIFY2(found->position.before < kRoundOff, qPrintable(QString::number(found->position.before)));
        // Turned by hand: to a multiple again, and to what is none with all its digits.
        QCOMPARE(angleText(std::atan2(1, 1)), std::string("\"pi/4\""));
        QCOMPARE(angleText(0.5), std::string("0.5"));
        QCOMPARE(angleText(std::atan2(1, 2)), std::string("0.463647609001"));
    }

    void mass_takesANumberOfInertiaAlong()
    {
        Handles f;
        open(f, kOnSprings);
        f.tap(-0.9, 0.6);
        f.stretchMass("slab", 1.3);
        const double mass = f.quantity("slab", "mass").value;
        QVERIFY2(near(mass, 4 * std::pow(1.3, 3), kPixels), qPrintable(QString::number(mass)));
        QVERIFY2(
            f.text().contains(QStringLiteral("inertia = %1\n").arg(QString::fromStdString(model::tomlNumber(0.2 * mass / 4)))),
            qPrintable(f.text()));
    }

    void massThatIsAParameter_changesThatParameter()
    {
        Handles f;
        open(f, kOnSprings);
        f.tap(-0.9, -0.5);
        QCOMPARE(f.quantity("plate", "mass").parameter, std::string("m"));
        f.stretchMass("plate", 1.5);
        const double mass = f.quantity("plate", "mass").value;
        QVERIFY2(near(mass, 2 * std::pow(1.5, 3), kPixels), qPrintable(QString::number(mass)));
        QVERIFY(f.text().contains(QStringLiteral("\nm = %1\n").arg(mass))
                && f.text().contains("mass = \"m\"\ninertia = 0.5\n"));
        QCOMPARE(f.document.bench().parameters().back(), mass); // k, m: the laboratory's value with it
        QCOMPARE(f.quantity("stray", "mass").value, mass + 1);
    }

    void massThatIsAnExpression_isRefusedWithASentence()
    {
        Handles f;
        open(f, kOnSprings);
        const int entries = f.document.undoStack().count();
        f.tap(0.9, 0.7);
        f.stretchMass("stray", 1.5);
        QCOMPARE(f.text(), QString(kOnSprings));
        QCOMPARE(f.document.undoStack().count(), entries);
        QVERIFY2(f.value("messageTitle").contains("mass of body stray cannot be changed"), qPrintable(f.value("messageTitle")));
        f.tap(0.2, 0.7); // its parameter is derived
        f.stretchMass("other", 1.5);
        QCOMPARE(f.text(), QString(kOnSprings));
        QVERIFY(f.value("messageTitle").contains("mass of body other"));
    }

    void spring_hasHandlesForItsLengthAtRest_andItsStiffness()
    {
        Handles f;
        open(f, kOnSprings);
        f.tap(0.4, 0);
        QCOMPARE(f.window.editor().selection().ids(), std::vector<std::string>{"spring"});
        // At rest at no length, as the table says nothing: the measure begins at the end on the ground, below the spring.
        const QPointF a = f.window.scene().toScreen({-0.1, 0}) + QPointF(0, kMeasure);
        const int entries = f.document.undoStack().count();
        f.pullFrom(a, a + QPointF(0.6 * f.pixels(), 3));
        QCOMPARE(f.document.undoStack().count(), entries + 1);
        QCOMPARE(f.document.undoStack().undoText(), QStringLiteral("length of spring"));
        QVERIFY2(f.text().contains("stiffness = 100\nlength = 0.6\n"), qPrintable(f.text())); // on the grid
        f.pullFrom(a + QPointF(0.6 * f.pixels(), 0), a - QPointF(50, 0));
        QVERIFY(f.text().contains("stiffness = 100\nlength = 0\n")); // no further than nothing
        // The band's edge, above the middle: twice as wide, eight times as stiff.
        const QPointF middle = f.window.scene().toScreen({0.4, 0});
        f.pullFrom(middle - QPointF(0, kBand), middle - QPointF(0, 2 * kBand));
        QCOMPARE(f.document.undoStack().undoText(), QStringLiteral("stiffness of spring"));
        QVERIFY2(near(f.quantity("spring", "stiffness").value, 800, kPixels), qPrintable(f.text()));
        for (int k = 0; k < 3; ++k)
            f.click("undoButton");
        QCOMPARE(f.text(), QString(kOnSprings));
    }

    void springWithoutAName_overParameters()
    {
        Handles f;
        open(f, kOnSprings);
        f.tap(-0.4, -0.5);
        QCOMPARE(f.window.editor().selection().ids(), std::vector<std::string>{"force#1"});
        // From right to left the band lies below. Its parameter stays within its range.
        const QPointF middle = f.window.scene().toScreen({-0.5, -0.5});
        f.pullFrom(middle + QPointF(0, kBand * std::cbrt(0.8)), middle + QPointF(0, 80));
        QVERIFY2(f.text().contains("k = { value = 200, unit"), qPrintable(f.text()));
        QVERIFY(f.text().contains("stiffness = \"k\"\n"));
        f.click("undoButton");
        const QPointF end = f.window.scene().toScreen({-0.1, -0.5}) + QPointF(-0.6 * f.pixels(), -kMeasure); // 2*half*0.3 = 0.6
        f.pullFrom(end, end + QPointF(60, 0));
        QCOMPARE(f.text(), QString(kOnSprings));
        QVERIFY(f.value("messageTitle").contains("length of force 2"));
    }

    void rod_hasAHandleForItsLength_andWhatHangsOnItFollows()
    {
        Handles f;
        open(f, kOnSprings);
        f.tap(0.9, 0.85);
        QCOMPARE(f.window.editor().selection().ids(), std::vector<std::string>{"string"});
        const QPointF end =
            f.window.scene().toScreen({0.9, 0.7}) + QPointF(-kMeasure, 0); // downwards, the measure is to the left
        f.pullFrom(end, end + QPointF(0, 0.2 * f.pixels()));
        QVERIFY2(f.text().contains("length = 0.5\n"), qPrintable(f.text()));
        QVERIFY(std::abs(f.body("stray").centre.y() - 0.5) < kWritten);
    }

    void escapeLetsAHandleGo()
    {
        Handles f;
        open(f, kOnSprings);
        f.tap(0.9, 0);
        const QPointF handle = f.massHandle("bob");
        f.press(handle.toPoint(), (handle + QPointF(-30, 30)).toPoint(), false);
        f.sheet().cancel();
        QTest::mouseRelease(&f.sheet(), Qt::LeftButton, {}, (handle + QPointF(-30, 30)).toPoint());
        QCOMPARE(f.text(), QString(kOnSprings));
    }

    void largeChain_isJudgedLive_andPulled()
    {
        Handles f;
        std::string text = "format = 1\n[run]\nformulation = \"index-3\"\nintegrator = \"generalized-alpha\"\nstep = 0.005\n";
        constexpr int kLinks = 120; // bars in a zigzag: 360 coordinates
        for (int i = 0; i < kLinks; ++i) {
            const std::string n = std::to_string(i), up = i % 2 == 0 ? "" : "-";
            text += "[[body]]\nname = \"b" + n + "\"\nkind = \"rigid\"\nmass = 1\ninertia = 0.1\nx = "
                    + std::to_string(0.04 * i + 0.02) + "\ny = 0.015\nangle = \"" + up
                    + "atan2(3, 4)\"\nshape = { kind = \"bar\", from = [-0.025, 0], to = [0.025, 0] }\n";
            text += "[[joint]]\nname = \"j" + n + "\"\nkind = \"pin\"\nfrom = "
                    + (i == 0 ? std::string("\"ground\"") : "{ body = \"b" + std::to_string(i - 1) + "\", at = [0.025, 0] }")
                    + "\nto = { body = \"b" + n + "\", at = [-0.025, 0] }\n";
        }
        open(f, text.c_str());
        QVERIFY2(f.live().contains("120 bodies") && f.live().contains("120 degrees of freedom")
                     && f.live().contains("nothing redundant"),
                 qPrintable(f.live()));
        QVERIFY(f.window.editor().pull().beginPull("b119", {0.025, 0}));
        for (int k = 1; k <= 5; ++k)
            QVERIFY(f.window.editor().pull().moveBy({-0.1 * k, 0.1 * k}));
        QCOMPARE(f.window.editor().pull().held(), QString());
        QVERIFY(f.window.editor().pull().endPull());
        const QPointF end = f.body("b119").toPlane({0.025, 0});
        QVERIFY2(std::hypot(end.x() - (4.8 - 0.5), end.y() - 0.5) < 1e-3,
                 qPrintable(QStringLiteral("%1 %2").arg(end.x()).arg(end.y())));
        QVERIFY(!f.window.editor().mechanism().status().problem.has_value());
    }

    void tableThatStandsForMany_isRenamedInItsField_withWhatRefersToIt()
    {
        Handles f;
        QVERIFY(f.document.opener().openModel("pendulum-chain").ok());
        f.click("editButton");
        const QString before = f.text();
        QVERIFY2(f.live().contains("8 bodies"), qPrintable(f.live()));
        f.window.editor().selection().select({"bob[i]"});
        QTest::qWait(10);
        QVERIFY(f.enter("field_name", "weight"));
        QVERIFY2(f.text().contains("name = \"weight[i]\"") && f.text().contains("from = \"weight[i-1]\"")
                     && f.text().contains("to = \"weight[i]\""),
                 qPrintable(f.text()));
        QCOMPARE(f.window.editor().selection().ids(), std::vector<std::string>{"weight[i]"});
        QCOMPARE(f.document.system().coordinates.front().name, std::string("weight1.x"));
        QCOMPARE(f.document.runs().size(), std::size_t{1});
        QVERIFY(f.enter("field_name", "weight[2*i]"));
        QVERIFY(f.value("messageTitle").contains("index of weight[i] stays"));
        f.document.undoStack().undo();
        QCOMPARE(f.text(), before);
    }
};

QTEST_MAIN(TestEditorHandles)
#include "test_editor_handles.moc"
