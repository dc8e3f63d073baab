// The scene renderer by itself: plain numbers in, pixels out, without a window system.
#include <QDir>
#include <QFile>
#include <QImage>
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <thread>

#include "core/mechanism/ReadModel.h"
#include "ui/scene/ModelScene.h"
#include "ui/scene/Painter.h"
#include "ui/scene/PngFile.h"
#include "ui/scene/SceneRenderer.h"

using namespace driftless;
using namespace driftless::scene;
using model::VisualKind;

namespace {

constexpr int kWidth = 280, kHeight = 338;

Part part(VisualKind kind, int first, int count)
{
    Part p;
    p.kind = kind;
    p.firstPoint = first;
    p.pointCount = count;
    return p;
}

/// Points: rod (0, 1), bob (2), support (3); one metre long.
SceneModel pendulum(bool planar = true)
{
    SceneModel m;
    m.parts = {part(VisualKind::Rod, 0, 2), part(VisualKind::PointMass, 2, 1), part(VisualKind::GroundPin, 3, 1)};
    m.traces = {2};
    m.pointCount = 4;
    m.arrowCount = 1;
    m.planar = planar;
    m.extent.include({-1, -1, planar ? 0.0 : -1.0});
    m.extent.include({1, 1, planar ? 0.0 : 1.0});
    return m;
}
constexpr int kBob = 2;

Vec3 bobAt(double angle) { return {std::sin(angle), -std::cos(angle), 0}; }

RunFrame drawnRun(double angle, int colour, bool selected)
{
    RunFrame r;
    r.colour = colour;
    r.selected = selected;
    const Vec3 b = bobAt(angle);
    r.points = {0, 0, 0, b.x, b.y, b.z, b.x, b.y, b.z, 0, 0, 0};
    r.trailSamples = 61;
    for (int i = 60; i >= 0; --i) {
        const Vec3 p = bobAt(angle - 0.02 * i);
        r.trail.insert(r.trail.end(), {p.x, p.y, p.z});
    }
    r.arrows = {b.x, b.y, b.z, -b.x, -b.y, 0};
    return r;
}

Frame frameOf(std::vector<RunFrame> runs)
{
    Frame f;
    f.runs = std::move(runs);
    f.metresPerNewton = 0.5;
    return f;
}

std::unique_ptr<SceneRenderer> renderer(bool dark = false, const SceneModel& model = pendulum())
{
    auto context = makeSurfacelessContext();
    if (!context)
        qFatal("%s", context.error().text().c_str());
    auto made = SceneRenderer::create(std::move(context.value()));
    if (!made)
        qFatal("%s", made.error().text().c_str());
    made.value()->setColours(dark ? Colours::dark() : Colours::light());
    made.value()->setModel(model);
    made.value()->camera().setViewport(kWidth, kHeight);
    made.value()->fit();
    return std::move(made.value());
}

Rgb colourAt(const Pixels& p, OrbitCamera::Pixel at)
{
    const std::uint32_t word = p.at(static_cast<int>(at.x), static_cast<int>(at.y));
    return {((word >> 16) & 255u) / 255.0, ((word >> 8) & 255u) / 255.0, (word & 255u) / 255.0};
}

double apart(Rgb a, Rgb b) { return std::max({std::fabs(a.r - b.r), std::fabs(a.g - b.g), std::fabs(a.b - b.b)}); }

// Towards the viewer a body receives ambient 0.25 + key 0.75 cos 45 deg + fill 0.30 * 0.76 = 1.01 of its colour. Allowed: that
// one per cent, the highlight and the turn of the normal over the pixel (2 %), rounding to bytes.
constexpr double kShading = 0.01 + 0.02 + 2.0 / 255;
constexpr double kExact = 1.5 / 255; // unlit paint: rounding to bytes and of blending

} // namespace

class TestScene : public QObject {
    Q_OBJECT

private slots:
    void bodyHasItsColourWhereTheStateSaysItIs_data()
    {
        QTest::addColumn<bool>("dark");
        QTest::addColumn<double>("angle");
        for (bool dark : {false, true})
            for (double angle : {-2.5, -1.0, 0.0, 0.7, 1.9, 3.1})
                QTest::addRow("%s %.1f", dark ? "dark" : "light", angle) << dark << angle;
    }
    void bodyHasItsColourWhereTheStateSaysItIs()
    {
        QFETCH(bool, dark);
        QFETCH(double, angle);
        const auto r = renderer(dark);
        const Colours colours = dark ? Colours::dark() : Colours::light();
        for (int colour : {0, 1, 3}) {
            r->setFrame(frameOf({drawnRun(angle, colour, true)}));
            const Pixels& p = r->render(kWidth, kHeight);
            QVERIFY(apart(colourAt(p, r->pointInPicture(0, kBob)), colours.run(colour)) < kShading);
            // and nowhere else: the place opposite shows no body
            const auto opposite = r->camera().project(-1.0 * bobAt(angle));
            QVERIFY(apart(colourAt(p, opposite), colours.run(colour)) > 0.2);
        }
    }

    void backgroundIsTheWindowsColour()
    {
        for (bool dark : {false, true}) {
            const auto r = renderer(dark);
            r->setFrame(frameOf({drawnRun(0.5, 0, true)}));
            const Pixels& p = r->render(kWidth, kHeight);
            const Rgb window = (dark ? Colours::dark() : Colours::light()).window;
            QVERIFY(apart(colourAt(p, {5, 5}), window) < kExact);
        }
    }

    void pointInPictureIsOrthographicInPlaneModels()
    {
        const auto r = renderer();
        r->setFrame(frameOf({drawnRun(0.5, 0, true)}));
        r->render(kWidth, kHeight);
        const auto origin = r->pointInPicture(0, 0), bob = r->pointInPicture(0, kBob);
        const double scale = 1 / r->camera().pixelSize({});
        const double roundoff = 16 * std::numeric_limits<double>::epsilon() * kHeight;
        QVERIFY(std::fabs((bob.x - origin.x) - scale * std::sin(0.5)) < roundoff);
        QVERIFY(std::fabs((bob.y - origin.y) - scale * std::cos(0.5)) < roundoff);
    }

    void ghostsAreVisibleEvenWhereTheyCoincide()
    {
        const auto r = renderer();
        r->setFrame(
            frameOf({drawnRun(0.8, 0, true), drawnRun(0.8, 1, false), drawnRun(0.8, 3, false), drawnRun(-0.6, 5, false)}));
        const Pixels& p = r->render(kWidth, kHeight, 2);
        const double perPixel = r->camera().pixelSize({});
        const auto center = r->pointInPicture(0, kBob);
        QVERIFY(apart(colourAt(p, center), Colours::light().run(0)) < kShading);
        // To the right of the bob neither rods nor trails cross the rings. A ring is drawn at 95 %, and it is at least two
        // samples wide, so its middle row shows its colour up to that and one sample of smoothing in four.
        for (int rank = 1; rank <= 2; ++rank) {
            const auto at = OrbitCamera::Pixel{center.x + Painter::ghostRadius(1.0, rank) / perPixel, center.y};
            double nearest = 1;
            for (int dx = -1; dx <= 1; ++dx)
                nearest = std::min(nearest, apart(colourAt(p, {at.x + dx, at.y}), Colours::light().run(rank == 1 ? 1 : 3)));
            QVERIFY2(nearest < 0.35, qPrintable(QString::number(nearest)));
        }
        const auto apartGhost = r->pointInPicture(3, kBob);
        QVERIFY(apart(colourAt(p, apartGhost), Colours::light().run(5)) < 0.35); // the dot at its middle
    }

    void arrowsAppearOnlyWhenAsked()
    {
        const auto r = renderer();
        Frame f = frameOf({drawnRun(1.2, 0, true)});
        f.trails = false;
        r->setFrame(f);
        const Pixels without = r->render(kWidth, kHeight);
        f.arrows = true;
        f.runs[0].arrows = {0, 0, 0, 1, 1, 0}; // where nothing else is drawn: up to the right
        r->setFrame(f);
        const Pixels with = r->render(kWidth, kHeight);
        const auto inside = r->camera().project(0.3 * unit({1, 1, 0}));
        const Rgb ink = Colours::light().force;
        QVERIFY(apart(colourAt(with, inside), ink) < 0.05);
        QVERIFY(apart(colourAt(without, inside), Colours::light().window) < 0.1);
        // 0.5 m/N times sqrt(2) N: the head ends at 0.707 m.
        QVERIFY(apart(colourAt(with, r->camera().project(0.76 * unit({1, 1, 0}))), ink) > 0.3);
    }

    /// A velocity that an output names: an arrow of its own colour at the point, of the speed of a turning bar.
    void velocitiesOfOutputs_areArrows()
    {
        const auto model = model::readModel(
            "format = 1\n[[body]]\nname = \"bar\"\nkind = \"rigid\"\nmass = 1\ninertia = 1\nangle = { start = 0, velocity = 2 "
            "}\n"
            "[[joint]]\nname = \"axle\"\nkind = \"pin\"\nfrom = \"ground\"\nto = \"bar\"\n"
            "[[output]]\nname = \"tip\"\nkind = \"velocity\"\npoint = { body = \"bar\", at = [0.6, 0] }\n"
            "[[output]]\nname = \"turned\"\nkind = \"velocity\"\npoint = { body = \"bar\", at = [0.6, 0] }\nframe = \"bar\"\n",
            "bar.toml");
        QVERIFY2(model.ok(), model ? "" : model.error().text().c_str());
        const auto system = model::CompiledSystem::compile(*model);
        QVERIFY(system.ok());
        auto scene = ModelScene::create(*system);
        QVERIFY(scene.ok());
        model::ModelState state;
        state.resize((*system)->n(), (*system)->w());
        state.q[2] = 0.5; // x, y, angle
        state.v[2] = 2;
        const auto frame = (*scene)->at(state, {});
        QVERIFY(frame.ok());
        QCOMPARE(frame->velocities.size(), std::size_t{12});
        // Of each the same arrow: a frame turns the numbers, and not what is drawn.
        const double expected[] = {0.6 * std::cos(0.5), 0.6 * std::sin(0.5), 0, -1.2 * std::sin(0.5), 1.2 * std::cos(0.5), 0};
        for (std::size_t k = 0; k < 12; ++k)
            QVERIFY2(std::abs(frame->velocities[k] - expected[k % 6]) <= 1e-14, QByteArray::number(int(k))); // a few round-offs
        // Drawn where force arrows are.
        SceneModel drawn = pendulum();
        drawn.velocityCount = 1;
        const auto r = renderer(false, drawn);
        Frame f = frameOf({drawnRun(1.2, 0, true)});
        f.trails = false;
        f.arrows = true;
        f.secondsShown = 0.5;
        f.runs[0].velocities = {0, 0, 0, 1, 1, 0};
        f.runs[0].arrows.clear();
        r->setFrame(f);
        const Pixels with = r->render(kWidth, kHeight);
        f.arrows = false;
        r->setFrame(f);
        const Pixels without = r->render(kWidth, kHeight);
        const auto inside = r->camera().project(0.3 * unit({1, 1, 0}));
        QVERIFY(apart(colourAt(with, inside), Colours::light().velocity) < 0.05);
        QVERIFY(apart(colourAt(without, inside), Colours::light().window) < 0.1);
        // No run and no force has its colour, in both themes.
        for (const Colours& all : {Colours::light(), Colours::dark()}) {
            QVERIFY(apart(all.velocity, all.force) > 0.3);
            for (const Rgb& other : all.runs)
                QVERIFY(apart(all.velocity, other) > 0.15);
        }
    }

    void trailsFadeIntoTheBackground()
    {
        const auto r = renderer();
        r->setFrame(frameOf({drawnRun(0.9, 0, true)}));
        const Pixels on = r->render(kWidth, kHeight, 2);
        const auto at = [&](double back) { return r->camera().project(bobAt(0.9 - back)); };
        const double fresh = apart(colourAt(on, at(0.2)), Colours::light().window);
        const double old = apart(colourAt(on, at(0.75)), Colours::light().window);
        QVERIFY2(fresh > 0.2 && old < 0.5 * fresh && old > 0, qPrintable(QString("%1 %2").arg(fresh).arg(old)));
        Frame f = frameOf({drawnRun(0.9, 0, true)});
        f.trails = false;
        r->setFrame(f);
        QVERIFY(apart(colourAt(r->render(kWidth, kHeight, 2), at(0.2)), Colours::light().window) < kExact);
    }

    /// Samples within a pixel of each other are one: twenty times as many make no more vertices than the pixels of the way, and
    /// the same picture. Its edges may be told apart by a chord of a pixel (an eighth of a pixel, 32 of 255).
    void aTrailIsAsFineAsThePixels()
    {
        const auto draw = [](int samples, int& vertices) {
            const auto r = renderer();
            RunFrame run = drawnRun(0.9, 0, true);
            run.trail.clear();
            run.trailSamples = samples;
            for (int i = samples - 1; i >= 0; --i) {
                const Vec3 p = bobAt(0.9 - 1.2 * i / (samples - 1));
                run.trail.insert(run.trail.end(), {p.x, p.y, p.z});
            }
            r->setFrame(frameOf({run}));
            const Pixels drawn = r->render(kWidth, kHeight);
            vertices = r->counts().vertices;
            return drawn;
        };
        int few = 0, many = 0;
        const Pixels coarse = draw(101, few), fine = draw(2001, many); // the way has 150 pixels
        QVERIFY2(many < few + 4 * (2 * 150 - 100), QByteArray::number(many - few).constData());
        for (std::size_t i = 0; i < coarse.argb.size(); ++i)
            for (const int shift : {0, 8, 16}) {
                const auto channel = [&](const Pixels& p) { return static_cast<int>(p.argb[i] >> shift & 255u); };
                QVERIFY(std::abs(channel(coarse) - channel(fine)) <= 32);
            }
    }

    void fanPartsCoincidingRuns()
    {
        const auto r = renderer();
        Frame f = frameOf({drawnRun(0.4, 0, true), drawnRun(0.4, 1, false), drawnRun(0.4, 3, false)});
        f.fanOut = 0.25;
        r->setFrame(f);
        r->camera().setAngles(0.5, 0.2);
        r->fit();
        r->render(kWidth, kHeight);
        const auto a = r->pointInPicture(0, kBob), b = r->pointInPicture(1, kBob), c = r->pointInPicture(2, kBob);
        const double expected = 0.25 * std::sin(0.5) / r->camera().pixelSize({});
        QVERIFY(std::fabs(std::fabs(b.x - a.x) - expected) < 1e-9 * kWidth);
        QVERIFY(std::fabs(std::fabs(c.x - b.x) - expected) < 1e-9 * kWidth);
    }

    void fitContainsEverything()
    {
        for (bool planar : {true, false})
            for (double yaw : {0.0, 0.5, 2.0})
                for (double pitch : {0.0, 0.4, -1.2})
                    for (int width : {200, 400, 900}) {
                        OrbitCamera camera;
                        camera.setPerspective(!planar);
                        camera.setViewport(width, 400);
                        camera.setAngles(yaw, pitch);
                        Bounds box;
                        box.include({-1, -2, planar ? 0.0 : -3.0});
                        box.include({5, 0.5, planar ? 0.0 : 1.0});
                        camera.fit(box);
                        double tightest = 1e9;
                        for (int corner = 0; corner < 8; ++corner) {
                            const auto p =
                                camera.project({corner & 1 ? box.low.x : box.high.x, corner & 2 ? box.low.y : box.high.y,
                                                corner & 4 ? box.low.z : box.high.z});
                            QVERIFY(p.x > 0 && p.x < width && p.y > 0 && p.y < 400);
                            tightest = std::min({tightest, p.x / width, 1 - p.x / width, p.y / 400, 1 - p.y / 400});
                        }
                        QVERIFY2(tightest < 0.25, "the box fills the view"); // in perspective the far side leaves more room
                    }
    }

    void cameraMovesByPixels()
    {
        OrbitCamera camera;
        camera.setViewport(400, 300);
        Bounds box;
        box.include({}, 1);
        camera.fit(box);
        const auto before = camera.project({0.3, 0.2, 0});
        camera.pan(17, -9);
        const auto panned = camera.project({0.3, 0.2, 0});
        const double roundoff = 64 * std::numeric_limits<double>::epsilon() * 400;
        QVERIFY(std::fabs(panned.x - before.x - 17) < roundoff && std::fabs(panned.y - before.y + 9) < roundoff);
        camera.zoom(1.7, panned.x, panned.y);
        const auto zoomed = camera.project({0.3, 0.2, 0});
        QVERIFY(std::fabs(zoomed.x - panned.x) < roundoff && std::fabs(zoomed.y - panned.y) < roundoff);
        camera.orbit(0, 1e6);
        QVERIFY(camera.pitch() < 1.5708 && dot(camera.up(), {0, 1, 0}) > 0); // never over the top
        camera.zoom(0, 1, 1);
        camera.zoom(std::numeric_limits<double>::quiet_NaN(), 1, 1);
        QVERIFY(std::isfinite(camera.halfHeight()));
    }

    void everyKindOfPartDraws_data()
    {
        QTest::addColumn<int>("kind");
        for (int kind = 0; kind <= static_cast<int>(VisualKind::Spring); ++kind)
            QTest::addRow("kind %d", kind) << kind;
    }
    void everyKindOfPartDraws()
    {
        QFETCH(int, kind);
        SceneModel m = pendulum();
        m.parts = {part(static_cast<VisualKind>(kind), 0, 2)};
        m.traces.clear();
        m.lengthUnit = 10; // one grid line through the middle, off the part
        m.pointCount = 2;
        for (bool selected : {true, false}) {
            const auto r = renderer(false, m);
            RunFrame f;
            f.points = {0.25, 0.25, 0, 0.6, 0.35, 0};
            f.selected = selected;
            r->setFrame(frameOf({f}));
            const Pixels p = r->render(kWidth, kHeight);
            int inked = 0;
            for (int y = 0; y < kHeight; ++y)
                for (int x = 0; x < kWidth; ++x)
                    inked += apart(colourAt(p, {x + 0.5, y + 0.5}), Colours::light().window) > 0.15;
            const bool hasGhost = static_cast<VisualKind>(kind) != VisualKind::SliderRail;
            QVERIFY2(inked > 6 || (!selected && !hasGhost), qPrintable(QString::number(inked)));
            QVERIFY(inked < kWidth * kHeight / 4);
        }
    }

    void spaceModelsHavePerspectiveAndAShadow()
    {
        SceneModel standing = pendulum(false);
        standing.floor = standing.deepFloor = -1.045;
        const auto r = renderer(false, standing);
        r->camera().setAngles(0.4, 0.35);
        r->fit();
        Frame f = frameOf({drawnRun(0.3, 0, true)});
        f.trails = false;
        r->setFrame(f);
        const Pixels p = r->render(kWidth, kHeight, 2);
        QVERIFY(apart(colourAt(p, r->pointInPicture(0, kBob)), Colours::light().run(0)) < 0.25); // lit obliquely
        const Vec3 b = bobAt(0.3);
        const auto at = [&](double x, double z) { return colourAt(p, r->camera().project({x, -1.045, z})); };
        const Rgb shadow = at(b.x, b.z), floor = at(-b.x, b.z), around = at(-9, -9);
        QVERIFY2(shadow.g < floor.g - 0.08, qPrintable(QString("%1 %2").arg(shadow.g).arg(floor.g)));
        QVERIFY2(floor.g < Colours::light().window.g - 0.02, "the floor is a little darker than what is around it");
        QVERIFY(apart(around, Colours::light().window) < 0.02);
        QVERIFY(r->camera().pixelSize({0, 0, 1}) < r->camera().pixelSize({0, 0, -1})); // near things are larger
    }

    /// From the height of the pivot down to its lowest place, which is below the floor at first.
    void theFloorGivesWayUnderABody_withoutALeap()
    {
        SceneModel standing = pendulum(false);
        standing.floor = -0.5;
        standing.deepFloor = -1.045;
        const auto r = renderer(false, standing);
        double before = r->model().floor;
        constexpr double kTurn = 0.025; // [rad] a frame, which moves the bob by no more in metres
        for (int k = 0; k <= 60; ++k) {
            r->setFrame(frameOf({drawnRun(1.5 - kTurn * k, 0, true)}));
            const double now = r->model().floor;
            QVERIFY2(now <= before && before - now <= kTurn, qPrintable(QString("%1 %2").arg(before).arg(now)));
            before = now;
        }
        QVERIFY(before < -0.9 && before >= standing.deepFloor);
        r->setFrame(frameOf({drawnRun(1.5, 0, true)}));
        QCOMPARE(r->model().floor, before);
    }

    void hundredFramesLeaveNothingBehind()
    {
        const auto r = renderer();
        const auto draw = [&](double angle) {
            Frame f = frameOf({drawnRun(angle, 0, true), drawnRun(angle - 0.1, 1, false), drawnRun(angle + 0.1, 3, false)});
            f.arrows = true;
            r->setFrame(std::move(f));
            return r->render(kWidth, kHeight);
        };
        const Pixels first = draw(0.2);
        const auto counts = r->counts();
        QVERIFY(counts.vertices > 0);
        for (int i = 0; i < 100; ++i) {
            draw(0.03 * i);
            if (i % 10 == 0) {
                r->setModel(pendulum());
                r->camera().setViewport(kWidth, kHeight);
                r->fit();
            }
        }
        const Pixels last = draw(0.2);
        QVERIFY(r->counts() == counts);
        QVERIFY(last.argb == first.argb); // the same frame gives the same picture, whatever was drawn before
    }

    /// Without a body the depth buffer keeps what it held: it must hide nothing, and hide again with the next body.
    void aSceneWithoutBodiesIsDrawnAsIfThereHadBeenNone()
    {
        RunFrame ghost = drawnRun(0.4, 1, false), body = drawnRun(0.4, 0, true);
        const Pixels alone = renderer()->render(kWidth, kHeight);
        const auto fresh = renderer(), worn = renderer();
        const auto draw = [](SceneRenderer& r, std::vector<RunFrame> runs) {
            r.setFrame(frameOf(std::move(runs)));
            return r.render(kWidth, kHeight);
        };
        const Pixels expected = draw(*fresh, {ghost});
        QVERIFY(expected.argb != alone.argb); // the ghost is seen
        const Pixels solid = draw(*worn, {body, ghost});
        QVERIFY(draw(*worn, {ghost}).argb == expected.argb);
        QVERIFY(draw(*worn, {body, ghost}).argb == solid.argb);
    }

    void everyPixelIsOpaque()
    {
        const auto r = renderer(true);
        r->setFrame(frameOf({drawnRun(0.4, 0, true), drawnRun(0.5, 1, false)}));
        const Pixels& p = r->render(kWidth, kHeight);
        QVERIFY(std::ranges::all_of(p.argb, [](std::uint32_t word) { return word >> 24 == 0xffu; }));
    }

    void rasterThreadsLeaveHalfOfTheCoresToTheRuns()
    {
        const QByteArray before = qgetenv("LP_NUM_THREADS");
        qunsetenv("LP_NUM_THREADS");
        boundRasterThreads();
        const int threads = qEnvironmentVariableIntValue("LP_NUM_THREADS");
        const int cores = static_cast<int>(std::thread::hardware_concurrency());
        QVERIFY(threads >= 1 && (threads <= cores / 2 || threads == 1));
        qputenv("LP_NUM_THREADS", "7"); // what a person asked for stays
        boundRasterThreads();
        QCOMPARE(qgetenv("LP_NUM_THREADS"), QByteArray("7"));
        before.isNull() ? qunsetenv("LP_NUM_THREADS") : qputenv("LP_NUM_THREADS", before);
    }

    void numbersThatAreNoneDoNotSpoilThePicture()
    {
        const auto r = renderer();
        RunFrame lost = drawnRun(0.4, 1, false), far = drawnRun(0.4, 3, false);
        for (double& c : lost.points)
            c = std::numeric_limits<double>::quiet_NaN();
        for (double& c : far.points)
            c *= 1e300;
        lost.trail[5] = std::numeric_limits<double>::infinity();
        lost.arrows.assign(6, std::numeric_limits<double>::quiet_NaN());
        far.arrows.assign(6, 1e300);
        Frame f = frameOf({drawnRun(0.4, 0, true), lost, far});
        f.arrows = true;
        r->setFrame(f);
        const Pixels& p = r->render(kWidth, kHeight);
        const auto beside = r->pointInPicture(0, kBob);
        QVERIFY(apart(colourAt(p, {beside.x, beside.y + 4}), Colours::light().run(0)) < 0.25);
        QVERIFY(apart(colourAt(p, {5, 5}), Colours::light().window) < kExact);
    }

    void sizesAreClamped()
    {
        const auto r = renderer();
        r->setFrame(frameOf({drawnRun(0.4, 0, true)}));
        QCOMPARE(r->render(0, -5).width, SceneRenderer::kSmallestSide);
        const Pixels& p = r->render(64, 48, 100);
        QCOMPARE(p.width, 64);
        QCOMPARE(p.height, 48);
    }

    void twoRenderersLiveSideBySide()
    {
        const auto a = renderer(false), b = renderer(true);
        a->setFrame(frameOf({drawnRun(0.4, 0, true)}));
        b->setFrame(frameOf({drawnRun(0.4, 0, true)}));
        const Pixels alone = a->render(kWidth, kHeight);
        const Pixels other = b->render(kWidth, kHeight);
        QVERIFY(a->render(kWidth, kHeight).argb == alone.argb);
        QVERIFY(other.argb != alone.argb);
    }

    void reducingTakesTheMean()
    {
        Pixels fine, small;
        fine.width = fine.height = 2;
        fine.argb = {0xff000000u, 0xffff0010u, 0xff00ff20u, 0xff010130u};
        reduceByBox(fine, 2, small);
        QCOMPARE(small.argb.size(), std::size_t{1});
        QCOMPARE(small.argb[0], 0xff404018u); // (0+255+0+1)/4 = 64, (0+0+255+1)/4 = 64, (0+16+32+48)/4 = 24
    }

    void deviationIsMagnifiedAboutTheReference()
    {
        std::vector<double> points{1.0, 2.0, 3.0};
        const std::vector<double> reference{1.0, 1.75, 3.5};
        magnify(points, reference, 8);
        const std::vector<double> expected{1.0, 3.75, -0.5}; // exact in binary
        QCOMPARE(points, expected);
    }

    void pngIsReadableAndWhole()
    {
        const auto r = renderer();
        r->setFrame(frameOf({drawnRun(0.4, 0, true)}));
        const Pixels& p = r->render(kWidth, kHeight);
        QTemporaryDir dir;
        const QString path = dir.filePath("scene.png");
        const auto written = writePng(p, path.toStdString());
        QVERIFY2(written.ok(), written.ok() ? "" : written.error().text().c_str());
        const QImage image(path);
        QCOMPARE(image.size(), QSize(kWidth, kHeight));
        for (int y = 0; y < kHeight; y += 7)
            for (int x = 0; x < kWidth; x += 7)
                QCOMPARE(image.pixel(x, y), p.at(x, y));
        QCOMPARE(QDir(dir.path()).entryList(QDir::Files).size(), 1); // no temporary file is left
    }

    void unwritablePathIsAnError()
    {
        Pixels p;
        p.width = p.height = 2;
        p.argb.assign(4, 0xff123456u);
        QTemporaryDir dir;
        const auto missing = writePng(p, dir.filePath("no/such/folder/scene.png").toStdString());
        QVERIFY(!missing.ok());
        QVERIFY(!missing.error().why.empty() && missing.error().where.find("scene.png") != std::string::npos);
        QDir(dir.path()).mkdir("taken.png");
        QFile(dir.filePath("taken.png/inside")).open(QIODevice::WriteOnly);
        QVERIFY(!writePng(p, dir.filePath("taken.png").toStdString()).ok()); // a folder of that name
        QCOMPARE(QDir(dir.path()).entryList(QDir::Files).size(), 0);
    }
};

QTEST_APPLESS_MAIN(TestScene)
#include "test_scene.moc"
