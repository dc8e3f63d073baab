// label: long
// Space models in the window and what they are drawn with: floor, looks, triad, trails from dense output, forces in words.
#include <QtTest>

#include <QMouseEvent>
#include <QToolButton>

#include <cmath>

#include "core/run/Run.h"
#include "tests/run/RunFixture.h"
#include "ui/scene/ModelScene.h"
#include "ui/scene/SceneRenderer.h"
#include "ui/views/SceneColours.h"
#include "ui/views/SceneView.h"
#include "ui/views/Theme.h"

using namespace driftless;
using namespace driftless::ui;

namespace {

constexpr QSize kView{640, 400};

/// A run of a shipped model until t.
SceneRun runOf(const std::shared_ptr<const model::CompiledSystem>& system, double t, double h)
{
    auto made = run::Run::create(system, {}, test::settings("dummy-derivatives", "radau-iia-5", h));
    if (!made || !(*made)->advanceTo(t))
        qFatal("it does not run");
    return {.colour = 0, .name = "Run 1", .selected = true, .recording = (*made)->recording(), .parameters = {}};
}

/// A view that shows a model at a time.
struct Shown {
    SceneView view;
    explicit Shown(const char* model, double t = 0.2, bool arrows = false, bool dark = false)
    {
        const auto system = test::compiled(model);
        view.resize(kView);
        view.setDark(dark);
        view.setModel(system);
        view.setRuns({runOf(system, t + 0.05, 0.01)});
        view.setArrowsVisible(arrows);
        view.setTime(t);
        view.show();
        QTest::qWait(20);
    }
    QImage picture() { return view.grab().toImage().convertToFormat(QImage::Format_RGB32); }
};

int countLike(const QImage& image, const QColor& colour, const QRect& area)
{
    int count = 0;
    for (int y = area.top(); y <= area.bottom(); ++y)
        for (int x = area.left(); x <= area.right(); ++x) {
            const QColor c = image.pixelColor(x, y);
            count +=
                std::abs(c.red() - colour.red()) + std::abs(c.green() - colour.green()) + std::abs(c.blue() - colour.blue())
                < 24;
        }
    return count;
}

QColor forceColour()
{
    const scene::Rgb c = coloursOf(Theme::light()).force;
    return QColor::fromRgbF(static_cast<float>(c.r), static_cast<float>(c.g), static_cast<float>(c.b));
}

/// A point mass on a circle of 1 m with rows every h seconds [s], at the rate of 9 rad/s; it leaps where leap says so.
run::RecordingView circlingFast(const model::CompiledSystem& system, double h, double leap = -1)
{
    std::vector<run::Column> columns;
    for (const auto& c : system.system().coordinates)
        columns.push_back({c.name, c.unit, run::ColumnKind::Position});
    for (const auto& c : system.system().coordinates)
        columns.push_back({c.name + "'", c.unit + "/s", run::ColumnKind::Velocity});
    for (int i = 0; i < system.m(); ++i)
        columns.push_back({"lambda", "", run::ColumnKind::Multiplier});
    run::Recording recording(system.n(), system.m(), columns);
    const double rate = 9;
    const auto row = [&](double t, double ahead) {
        const double a = rate * t + ahead;
        std::vector<double> values{std::sin(a), -std::cos(a), rate * std::cos(a), rate * std::sin(a)};
        values.resize(columns.size(), 0.5);
        recording.append(t, values);
    };
    for (int i = 0; i * h <= 4; ++i) {
        const double t = i * h;
        if (leap >= 0 && t > leap && t - h <= leap)
            row(leap, 0);
        if (leap >= 0 && t > leap && t - h <= leap)
            row(leap, 2);
        row(t, leap >= 0 && t > leap ? 2 : 0);
    }
    return recording.view();
}

scene::RunFrame trailOf(const run::RecordingView& recording, const std::shared_ptr<const model::CompiledSystem>& system,
                        double t = 3.5)
{
    auto made = scene::ModelScene::create(system);
    if (!made)
        qFatal("there is no scene");
    return made.value()->at(t, {{.colour = 0, .selected = true, .recording = recording, .parameters = {}}}, true, false)[0];
}

} // namespace

class TestSpaceViews : public QObject {
    Q_OBJECT

private slots:
    void looksTurnASpaceModel_aPlaneOneHasNone()
    {
        Shown plane("pendulum");
        QVERIFY(!plane.view.isSpace());
        QVERIFY(!plane.view.findChild<QWidget*>("sceneLooks")->isVisible());
        const QImage before = plane.picture();
        plane.view.lookFrom(SceneView::Look::Top);
        QCOMPARE(plane.picture(), before);

        Shown space("stewart");
        QVERIFY(space.view.isSpace());
        QVERIFY(space.view.findChild<QWidget*>("sceneLooks")->isVisible());
        const QImage home = space.picture();
        QList<QImage> seen{home};
        for (const char* name : {"sceneLookFront", "sceneLookSide", "sceneLookTop"}) {
            auto* button = space.view.findChild<QToolButton*>(name);
            QVERIFY2(button && !button->accessibleName().isEmpty(), name);
            QTest::mouseClick(button, Qt::LeftButton);
            const QImage now = space.picture();
            QVERIFY2(!seen.contains(now), name);
            seen << now;
        }
        QTest::mouseClick(space.view.findChild<QToolButton*>("sceneLookHome"), Qt::LeftButton);
        QCOMPARE(space.picture(), home);
    }

    /// Seen from above the six feet of the platform stand around its middle, from the front at one height.
    void fromAboveAndFromTheFrontFeetStandWhereTheyAre()
    {
        Shown space("stewart");
        const auto system = test::compiled("stewart");
        QList<int> feet;
        int point = 0;
        for (const auto& visual : system->system().visuals) {
            if (visual.kind == model::VisualKind::GroundPin)
                feet << point;
            point += static_cast<int>(visual.points.size());
        }
        QCOMPARE(feet.size(), 6);
        const auto heights = [&] {
            (void)space.picture();
            double low = 1e9, high = -1e9;
            for (const int foot : feet) {
                low = std::min(low, space.view.pointOnScreen(0, foot).y());
                high = std::max(high, space.view.pointOnScreen(0, foot).y());
            }
            return high - low;
        };
        space.view.lookFrom(SceneView::Look::Front);
        const double front = heights();
        space.view.lookFrom(SceneView::Look::Top);
        const double above = heights();
        QVERIFY2(above > 5 * front, qPrintable(QString("%1 and %2").arg(front).arg(above)));
    }

    void aMechanismStandsOnItsFloor_whatHangsIsOverIt()
    {
        const auto floorOver = [](const char* name) {
            auto made = scene::ModelScene::create(test::compiled(name));
            if (!made)
                qFatal("there is no scene");
            return std::pair{made.value()->sceneModel(), made.value()->atStart()};
        };
        const auto [platform, start] = floorOver("stewart");
        const double foot = scene::kSupportHeight * platform.drawnLength();
        QVERIFY2(std::abs(platform.floor + foot) < 1e-9, "the feet stand at height 0");
        const auto [ball, hangs] = floorOver("spherical-pendulum");
        double lowest = 0;
        for (int i = 0; i < ball.pointCount; ++i)
            lowest = std::min(lowest, hangs.point(i).y);
        QVERIFY(ball.floor < lowest && ball.floor <= ball.extent.low.y);
    }

    /// A trail is a curve however long steps are: neighbouring chords of a circle enclose a small angle.
    void trailsAreCurves_andHaveAGapWhereAStateWasSet()
    {
        const auto system = test::compiled("pendulum");
        const scene::RunFrame coarse = trailOf(circlingFast(*system, 0.1), system);
        QVERIFY(coarse.trailSamples > scene::ModelScene::kTrailSamples + 1);
        QCOMPARE(coarse.trail.size(), static_cast<std::size_t>(3 * coarse.trailSamples)); // one trace
        QCOMPARE(coarse.trailShares.size(), static_cast<std::size_t>(coarse.trailSamples));
        double worst = 0;
        int gaps = 0;
        const auto at = [](const scene::RunFrame& f, int i) {
            return QPointF(f.trail[static_cast<std::size_t>(3 * i)], f.trail[static_cast<std::size_t>(3 * i + 1)]);
        };
        for (int i = 1; i + 1 < coarse.trailSamples; ++i) {
            const QPointF a = at(coarse, i) - at(coarse, i - 1), b = at(coarse, i + 1) - at(coarse, i);
            if (std::hypot(a.x(), a.y()) > 1e-4 && std::hypot(b.x(), b.y()) > 1e-4)
                worst = std::max(worst, std::abs(std::atan2(a.x() * b.y() - a.y() * b.x(), QPointF::dotProduct(a, b))));
            QVERIFY(std::isfinite(at(coarse, i).x()));
        }
        QVERIFY2(worst < 0.2, qPrintable(QString::number(worst))); // 9 rad/s * 3/96 s = 0.28 before
        const scene::RunFrame leaps = trailOf(circlingFast(*system, 0.1, 2.05), system);
        for (int i = 0; i < leaps.trailSamples; ++i)
            gaps += std::isnan(at(leaps, i).x()) ? 1 : 0;
        QCOMPARE(gaps, 1);
    }

    /// Andrews' mechanism moves for 0.05 s: three seconds of trail would be two cells, and its crank's circle a polygon.
    void aMotionThatIsSoonOver_hasATrailOfItsOwnTime()
    {
        const auto system = test::compiled("andrews");
        auto made = run::Run::create(system, {}, test::settings("ggl", "radau", 1e-6));
        QVERIFY2(made, made ? "" : made.error().text().c_str());
        QVERIFY((*made)->advanceTo(0.04));
        const scene::RunFrame frame = trailOf((*made)->recording(), system, 0.04);
        const auto traces = frame.trail.size() / static_cast<std::size_t>(3 * frame.trailSamples);
        int seen = 0;
        for (int i = 0; i < frame.trailSamples; ++i)
            seen += std::isfinite(frame.trail[3 * traces * static_cast<std::size_t>(i)]) ? 1 : 0;
        QVERIFY2(seen > 70, qPrintable(QString::number(seen))); // 96 samples for 0.05 s are 77 until then; 16 before
    }

    void slowMotionNeedsNoMoreSamples()
    {
        const auto system = test::compiled("pendulum");
        auto made = run::Run::create(system, {}, test::settings("dummy-derivatives", "radau-iia-5", 0.01));
        QVERIFY(made && (*made)->advanceTo(3.6));
        const scene::RunFrame slow = trailOf((*made)->recording(), system);
        // More only around the turning points of three seconds, where the bob comes to rest.
        QVERIFY2(slow.trailSamples <= scene::ModelScene::kTrailSamples + 32, qPrintable(QString::number(slow.trailSamples)));
    }

    void forcesHaveAColourOfTheirOwnAndALegend()
    {
        Shown with("stewart", 0.2, true), without("stewart", 0.2, false);
        const QImage shown = with.picture(), bare = without.picture();
        const QString kept = qEnvironmentVariable("DRIFTLESS_KEEP_PICTURES");
        if (!kept.isEmpty()) {
            shown.save(kept + "/space-forces.png");
            Shown("gyroscope", 0.7).picture().save(kept + "/space-gyroscope.png");
            Shown("gyroscope", 0.7, false, true).picture().save(kept + "/space-gyroscope-dark.png");
            Shown("sarrus", 0.7).picture().save(kept + "/space-sarrus.png");
        }
        const QRect corner(kView.width() - 170, kView.height() - 30, 168, 28), all(QPoint(0, 0), kView);
        QVERIFY(countLike(shown, forceColour(), corner) > 40);
        QVERIFY(countLike(shown, forceColour(), all) > 300);
        QCOMPARE(countLike(bare, forceColour(), all), 0);
    }

    /// The lower left corner: the axes of a space model, nothing of a plane one.
    void theTriadStandsInItsCorner()
    {
        const QRect corner(0, kView.height() - 90, 90, 90);
        const auto dark = [&corner](const QImage& image) {
            int count = 0;
            for (int y = corner.top(); y <= corner.bottom(); ++y)
                for (int x = corner.left(); x <= corner.right(); ++x)
                    count += qGray(image.pixel(x, y)) < 160 ? 1 : 0;
            return count;
        };
        QVERIFY(dark(Shown("stewart").picture()) > 60);
        QCOMPARE(dark(Shown("pendulum").picture()), 0);
    }

    /// What is taken hold of is where it is drawn: pulled up in the front view, a bob gets a larger z and nothing else.
    void aBodyIsTakenWhereItStands()
    {
        Shown space("spherical-pendulum");
        const auto system = test::compiled("spherical-pendulum");
        int bob = 0;
        for (const auto& visual : system->system().visuals) {
            if (visual.kind == model::VisualKind::PointMass)
                break;
            bob += static_cast<int>(visual.points.size());
        }
        space.view.lookFrom(SceneView::Look::Front);
        space.view.setGrabbing(true);
        (void)space.picture();
        const QPoint at = space.view.pointOnScreen(0, bob).toPoint();
        QTest::mouseMove(&space.view, at + QPoint(3, 0));
        QTest::mouseMove(&space.view, at);
        const QImage ringed = space.picture();
        int ring = 0; // dark pixels of the ring close to the bob
        for (int dy = -40; dy <= 40; ++dy)
            for (int dx = -40; dx <= 40; ++dx)
                if (ringed.valid(at + QPoint(dx, dy)))
                    ring += qGray(ringed.pixel(at + QPoint(dx, dy))) < 60 ? 1 : 0;
        QVERIFY2(ring > 30, qPrintable(QString::number(ring)));
        std::map<std::string, double> first, last;
        connect(&space.view, &SceneView::bodyDragged, this, [&](const QString&, const std::map<std::string, double>& values) {
            if (first.empty())
                first = values;
            last = values;
        });
        QTest::mousePress(&space.view, Qt::LeftButton, {}, at);
        QTest::mouseMove(&space.view, at + QPoint(0, -1));
        QTest::mouseMove(&space.view, at + QPoint(0, -31));
        QTest::mouseRelease(&space.view, Qt::LeftButton, {}, at + QPoint(0, -31));
        QVERIFY(first.contains("bob.z") && first.contains("bob.x"));
        QVERIFY(last["bob.z"] > first["bob.z"] + 0.05);
        QVERIFY(std::abs(last["bob.x"] - first["bob.x"]) < 1e-6 && std::abs(last["bob.y"] - first["bob.y"]) < 1e-6);
    }

    /// Along a row through the coin the rim passes over a pixel between body and background: no stairs.
    void edgesOfBodiesAreSmooth()
    {
        Shown coin("rolling-coin");
        const QImage image = coin.picture();
        int soft = 0, rows = 0;
        const auto far = [](const QColor& a, const QColor& b) {
            return std::abs(a.red() - b.red()) + std::abs(a.green() - b.green()) + std::abs(a.blue() - b.blue());
        };
        const int middle = qRound(coin.view.pointOnScreen(0, 0).y());
        for (int y = middle - 20; y <= middle + 20; ++y) {
            int x = 0;
            while (x < image.width() && far(image.pixelColor(x, y), image.pixelColor(std::max(0, x - 1), y)) < 60)
                ++x;
            if (x >= image.width())
                continue;
            ++rows;
            // Of the step, one pixel lies clearly between: neither the ground beside it nor the body within.
            const QColor before = image.pixelColor(x - 2, y), at = image.pixelColor(x, y), after = image.pixelColor(x + 2, y);
            const QColor half = image.pixelColor(x - 1, y);
            soft += (far(at, before) > 40 && far(at, after) > 40) || (far(half, before) > 12 && far(half, after) > 40) ? 1 : 0;
        }
        QVERIFY(rows > 30);
        QVERIFY2(soft > rows / 2, qPrintable(QString("%1 of %2").arg(soft).arg(rows)));
    }
};

QTEST_MAIN(TestSpaceViews)
#include "test_space_views.moc"
