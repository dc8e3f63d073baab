// A body taken with the mouse in the real window: it goes where the constraints allow, undo and redo act now, the view stays as
// it is, and elsewhere a drag still turns or moves the view.
#include <QImage>
#include <QSettings>
#include <QTemporaryDir>

#include <cmath>

#include "tests/support/Events.h"
#include "tests/ui/WindowFixture.h"
#include "ui/views/SceneView.h"

using namespace driftless;
using namespace driftless::ui;
using namespace driftless::ui::test;

namespace {

/// Consistency to the solver's 1e4 round-offs of terms of size 2 L^2 (see core/consistency).
constexpr double kMet = 1e4 * 2.3e-16 * 3;
/// Half a pixel each for press and release: mouse events of the test are on whole pixels.
constexpr double kPixels = 1.5;

struct Place {
    double x = 0, y = 0;
};

Place placeOf(const Fixture& f, int run, const char* body = "bob")
{
    const auto recording = f.document.laboratory().recording(f.id(run));
    const auto n = static_cast<std::size_t>(recording.n());
    std::vector<double> q(n), v(n), lambda(static_cast<std::size_t>(f.document.compiled().w()));
    recording.stateAt(f.time(), q.data(), v.data(), lambda.data());
    Place out;
    const auto& coordinates = f.document.system().coordinates;
    for (std::size_t i = 0; i < n; ++i) {
        if (coordinates[i].name == std::string(body) + ".x")
            out.x = q[i];
        if (coordinates[i].name == std::string(body) + ".y")
            out.y = q[i];
    }
    return out;
}

/// The mouse as a person moves it: pressed, over a few points, released.
void drag(QWidget& widget, QPointF from, QPointF to, bool release = true)
{
    QTest::mouseMove(&widget, from.toPoint());
    QTest::mousePress(&widget, Qt::LeftButton, {}, from.toPoint());
    for (int k = 1; k <= 8; ++k) {
        const QPointF at = from + (to - from) * k / 8;
        QMouseEvent move(QEvent::MouseMove, at.toPoint(), widget.mapToGlobal(at.toPoint()), Qt::NoButton, Qt::LeftButton,
                         Qt::NoModifier);
        QApplication::sendEvent(&widget, &move);
        QTest::qWait(25);
    }
    if (release)
        QTest::mouseRelease(&widget, Qt::LeftButton, {}, to.toPoint());
    QTest::qWait(60);
}

/// Where the bob of the pendulum was drawn: the visual that the body owns.
QPointF bobOnScreen(const Fixture& f, int run = 0)
{
    const auto& visuals = f.document.system().visuals;
    int point = 0;
    for (const auto& visual : visuals) {
        if (visual.owner == "bob")
            break;
        point += static_cast<int>(visual.points.size());
    }
    return const_cast<Fixture&>(f).window.scene().pointOnScreen(run, point);
}

} // namespace

class TestDrag : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

private slots:
    void initTestCase() { QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, folder_.path()); }

    void pausedPendulum_draggedOffItsCircle_isMovedAlongIt_undone_andRedone()
    {
        Fixture f;
        QVERIFY(f.window.openFirstStart().ok());
        QTest::qWait(80);
        f.document.playback().play();
        QVERIFY(f.playUntil(0.3));
        f.document.playback().pause();
        QTest::qWait(80);
        const double t = f.time();
        const int entries = f.document.undoStack().count();
        const Place first[2] = {placeOf(f, 0), placeOf(f, 1)};
        const QPointF bob = bobOnScreen(f);
        // The scene's scale, from the pixels between bob and pin (0, 0).
        SceneView& scene = f.window.scene();
        const double L = f.document.bench().parameters().back(); // between two steps the first state is interpolated
        const QPointF pin = scene.pointOnScreen(0, [&] {
            int point = 0;
            for (const auto& visual : f.document.system().visuals) {
                if (visual.kind == model::VisualKind::GroundPin)
                    return point;
                point += static_cast<int>(visual.points.size());
            }
            return 0;
        }());
        const double perMetre = std::hypot(bob.x() - pin.x(), bob.y() - pin.y()) / L;
        const QPointF target = pin + QPointF(-0.9, 0.7) * 1.3 * perMetre; // left below, outside the circle

        drag(scene, bob, target, false);
        QVERIFY(scene.hasCorrection()); // what was asked for is off the circle
        QCOMPARE(scene.cursor().shape(), Qt::ClosedHandCursor);
        QTest::mouseRelease(&scene, Qt::LeftButton, {}, target.toPoint());
        QTest::qWait(60);
        QVERIFY(!scene.hasCorrection());

        QCOMPARE(f.time(), t);
        const Place moved = placeOf(f, 0);
        const double angle = std::atan2(moved.y, moved.x), wanted = std::atan2(-0.7, -0.9);
        QVERIFY2(std::abs(angle - wanted) < kPixels / (L * perMetre),
                 qPrintable(QString("%1 against %2").arg(angle).arg(wanted)));
        for (int run = 0; run < 2; ++run) { // both runs: the clock is shared
            const Place p = placeOf(f, run);
            QVERIFY(std::abs(std::hypot(p.x, p.y) - L) < kMet);
            QVERIFY(std::hypot(p.x - moved.x, p.y - moved.y) < 2 * kMet);
            QVERIFY(driftless::test::valueWasMissed(f.document.laboratory().events(f.id(run))));
        }
        QCOMPARE(f.document.undoStack().count(), entries + 1); // one gesture, one entry

        f.document.undoStack().undo();
        QTest::qWait(60);
        for (int run = 0; run < 2; ++run) { // each its own state, the drifted one too
            const Place p = placeOf(f, run);
            QVERIFY2(std::hypot(p.x - first[run].x, p.y - first[run].y) < 1e-7,
                     "undone to within the run's tolerance of 1e-8 and its projection");
        }
        f.document.undoStack().redo();
        QTest::qWait(60);
        // Redo asks for the last sample again, from another guess of nothing: the bob has no other coordinate.
        QVERIFY(std::hypot(placeOf(f, 0).x - moved.x, placeOf(f, 0).y - moved.y) < kMet);
        QCOMPARE(f.time(), t);

        f.document.playback().play();
        QVERIFY(f.playUntil(t + 0.3));
        QCOMPARE(f.status(0).state, run::RunState::Ready);
    }

    void playing_timeStandsWhileTheBodyIsHeld_andGoesOn()
    {
        Fixture f;
        QVERIFY(f.window.openFirstStart().ok());
        QTest::qWait(80);
        f.document.playback().play();
        QVERIFY(f.playUntil(0.2));
        SceneView& scene = f.window.scene();
        // Wait for the bob to be where it is pressed: it moves less than its own size in a frame.
        const QPointF bob = bobOnScreen(f);
        QTest::mousePress(&scene, Qt::LeftButton, {}, bob.toPoint());
        QTest::qWait(40);
        QVERIFY(!f.document.laboratory().clock().playing);
        const double held = f.time();
        QMouseEvent move(QEvent::MouseMove, bob + QPointF(-60, 40), scene.mapToGlobal(bob + QPointF(-60, 40)), Qt::NoButton,
                         Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&scene, &move);
        QTest::qWait(120);
        QCOMPARE(f.time(), held);
        QTest::mouseRelease(&scene, Qt::LeftButton, {}, (bob + QPointF(-60, 40)).toPoint());
        QVERIFY(f.document.laboratory().clock().playing);
        QVERIFY(f.playUntil(held + 0.2));
        QVERIFY(driftless::test::valueWasSet(f.document.laboratory().events(f.id(0)), "bob.x"));
    }

    void lookingBack_aDragCutsTheRecordingsThere()
    {
        Fixture f;
        QVERIFY(f.window.openFirstStart().ok());
        QTest::qWait(80);
        f.document.playback().play();
        QVERIFY(f.playUntil(0.5));
        const QPointF before = bobOnScreen(f);
        f.document.playback().scrub(0.2);
        QTRY_VERIFY(bobOnScreen(f) != before); // on a busy machine the picture comes late
        QTest::qWait(80);
        const QPointF bob = bobOnScreen(f);
        drag(f.window.scene(), bob, bob + QPointF(-50, -30));
        QCOMPARE(f.time(), 0.2);
        QVERIFY(!f.document.bench().scrubbedBack());
        for (int run = 0; run < 2; ++run)
            QVERIFY(driftless::test::valueWasSet(f.document.laboratory().events(f.id(run)), "bob.x"));
    }

    void hoverShowsThatABodyCanBeTaken_andElsewhereTheViewIsMoved()
    {
        Fixture f;
        QVERIFY(f.window.openFirstStart().ok());
        f.document.playback().pause();
        QTest::qWait(120);
        SceneView& scene = f.window.scene();
        const QPointF bob = bobOnScreen(f);
        const QPointF corner(30, 60);
        QTest::mouseMove(&scene, corner.toPoint());
        QTest::qWait(30);
        QCOMPARE(scene.cursor().shape(), Qt::ArrowCursor);
        const QImage plain = scene.grab().toImage();
        QTest::mouseMove(&scene, bob.toPoint());
        QTest::qWait(30);
        QCOMPARE(scene.cursor().shape(), Qt::OpenHandCursor);
        QVERIFY(scene.grab().toImage() != plain); // the ring
        const int entries = f.document.undoStack().count();
        const Place before = placeOf(f, 0);
        // Away from the body: the view turns, the body stays.
        drag(scene, corner, corner + QPointF(40, 10));
        QVERIFY(bobOnScreen(f) != bob);
        QCOMPARE(f.document.undoStack().count(), entries);
        QCOMPARE(placeOf(f, 0).x, before.x);
        scene.fit();
        QTest::qWait(60);
        // Shift pans, also from the body.
        QTest::mousePress(&scene, Qt::LeftButton, Qt::ShiftModifier, bob.toPoint());
        QMouseEvent move(QEvent::MouseMove, bob + QPointF(30, 0), scene.mapToGlobal(bob + QPointF(30, 0)), Qt::NoButton,
                         Qt::LeftButton, Qt::ShiftModifier);
        QApplication::sendEvent(&scene, &move);
        QTest::mouseRelease(&scene, Qt::LeftButton, Qt::ShiftModifier, (bob + QPointF(30, 0)).toPoint());
        QTest::qWait(60);
        QVERIFY(std::abs(bobOnScreen(f).x() - bob.x() - 30) < 1.5);
        QCOMPARE(f.document.undoStack().count(), entries);
        QCOMPARE(placeOf(f, 0).x, before.x);
    }

    void spaceModel_aBodyMovesInTheCamerasPlane_onItsSphere()
    {
        Fixture f;
        QVERIFY(f.document.opener().openModel("rotating-hoop").ok());
        f.document.playback().pause();
        QTest::qWait(120);
        SceneView& scene = f.window.scene();
        int point = 0;
        for (const auto& visual : f.document.system().visuals) {
            if (visual.owner == "bead")
                break;
            point += static_cast<int>(visual.points.size());
        }
        const QPointF bead = scene.pointOnScreen(0, point);
        const Place before = placeOf(f, 0, "bead");
        drag(scene, bead, bead + QPointF(40, -30));
        const Place after = placeOf(f, 0, "bead");
        QVERIFY(std::hypot(after.x - before.x, after.y - before.y) > 0.01);
        const auto status = f.status(0);
        QVERIFY2(status.residual.position < kMet, qPrintable(QString::number(status.residual.position)));
        QCOMPARE(f.document.undoStack().undoText(), QStringLiteral("move bead"));
        f.document.undoStack().undo();
        QTest::qWait(60);
        QVERIFY(std::hypot(placeOf(f, 0, "bead").x - before.x, placeOf(f, 0, "bead").y - before.y) < 1e-6);
    }
};

QTEST_MAIN(TestDrag)
#include "test_drag.moc"
