// Scenes as they are kept in baselines/scene: mechanisms in the plane and in space, ghosts, trails, forces, both themes.
// DRIFTLESS_WRITE=1 images_test_scenes renews them.
#include <QtTest>

#include <cmath>

#include "core/run/Run.h"
#include "tests/images/Baseline.h"
#include "tests/run/RunFixture.h"
#include "ui/scene/ModelScene.h"
#include "ui/scene/SceneRenderer.h"

using namespace driftless;
using namespace driftless::scene;

namespace {

struct Scene {
    const char* model;
    double t; ///< [s] of the frame
    bool dark = false;
    double force = 0;    ///< [m/N] length of the arrows, 0: none
    bool ghosts = false; ///< three runs, the second selected
};

const Scene kScenes[] = {
    {.model = "pendulum", .t = 1.5, .force = 0.3, .ghosts = true},
    {.model = "double-pendulum", .t = 0.6, .dark = true},
    {.model = "slider-crank", .t = 0.4},
    {.model = "jansen-leg", .t = 0.5},
    {.model = "spring-slider-crank", .t = 0.3, .dark = true},
    {.model = "peaucellier", .t = 0.4},
    {.model = "car-axis", .t = 0.2},
    {.model = "heavy-top", .t = 0.4},
    {.model = "stewart", .t = 0.2, .dark = true},
    {.model = "universal-joint", .t = 0.3},
    {.model = "rolling-coin", .t = 0.5},
    {.model = "spherical-pendulum", .t = 0.8, .ghosts = true},
};

/// A renderer with a frame of the scene in front of it.
class Drawing {
public:
    explicit Drawing(const Scene& scene) : system_(test::compiled(scene.model)), scene_(scene)
    {
        auto made = ModelScene::create(system_);
        auto context = makeSurfacelessContext();
        if (!made || !context)
            qFatal("%s", (made ? context.error() : made.error()).text().c_str());
        auto renderer = SceneRenderer::create(std::move(context.value()));
        if (!renderer)
            qFatal("%s", renderer.error().text().c_str());
        renderer_ = std::move(renderer.value());
        renderer_->setColours(scene.dark ? Colours::dark() : Colours::light());
        renderer_->setModel(made.value()->sceneModel());
        if (!renderer_->model().planar)
            renderer_->camera().setAngles(0.45, 0.25); // a little from the right and from above [rad]
        renderer_->camera().setViewport(images::kWidth, images::kHeight);
        renderer_->fit();
        fill(*made.value());
    }

    Frame& frame() { return frame_; }
    const SceneModel& model() const { return renderer_->model(); }

    QImage picture()
    {
        renderer_->setFrame(frame_);
        const Pixels& pixels = renderer_->render(images::kWidth, images::kHeight, 2);
        return QImage(reinterpret_cast<const uchar*>(pixels.argb.data()), pixels.width, pixels.height, QImage::Format_RGB32)
            .copy();
    }

    /// Length [m] along x that a point of the first run moves by one pixel of the last picture.
    double pixel(int point)
    {
        const auto before = renderer_->pointInPicture(0, point);
        const double small = 1e-3 * renderer_->model().characteristicLength();
        Frame moved = frame_;
        moved.runs[0].points[3 * static_cast<std::size_t>(point)] += small;
        renderer_->setFrame(std::move(moved));
        renderer_->render(images::kWidth, images::kHeight, 2);
        const auto after = renderer_->pointInPicture(0, point);
        return small / std::hypot(after.x - before.x, after.y - before.y);
    }

private:
    /// Runs with a small fixed step, so that one picture does not depend on the control of steps.
    void fill(ModelScene& scene)
    {
        std::vector<RecordedRun> runs;
        for (int k = 0; k < (scene_.ghosts ? 3 : 1); ++k) {
            auto made = run::Run::create(system_, {}, test::settings("dummy-derivatives", "radau-iia-5", 0.01));
            if (!made || !(*made)->advanceTo(scene_.t + 0.1 * k))
                qFatal("%s does not run", scene_.model);
            runs.push_back(
                {.colour = k, .selected = k == (scene_.ghosts ? 1 : 0), .recording = (*made)->recording(), .parameters = {}});
        }
        // Each ghost at its own end: what a later time finds of a shorter recording.
        frame_.runs = scene.at(scene_.t + 0.2, runs, true, scene_.force > 0);
        frame_.arrows = scene_.force > 0;
        frame_.metresPerNewton = scene_.force;
    }

    std::shared_ptr<const model::CompiledSystem> system_;
    Scene scene_;
    std::unique_ptr<SceneRenderer> renderer_;
    Frame frame_;
};

/// The points of one part that moves: the last body or, where there is none, the last rod.
const Part& movingPart(const SceneModel& model)
{
    const Part* found = nullptr;
    for (const Part& part : model.parts)
        if (part.kind == model::VisualKind::PointMass || part.kind == model::VisualKind::RigidBar
            || part.kind == model::VisualKind::RigidDisc || part.kind == model::VisualKind::RigidBlock
            || part.kind == model::VisualKind::RigidSphere)
            found = &part;
    if (!found)
        qFatal("nothing in this scene moves");
    return *found;
}

} // namespace

class TestScenes : public QObject {
    Q_OBJECT

    static void allScenes()
    {
        QTest::addColumn<int>("scene");
        int k = 0;
        for (const Scene& scene : kScenes)
            QTest::newRow(scene.model) << k++;
    }

private slots:
    void isDrawnAsItIsKept_data() { allScenes(); }
    void isDrawnAsItIsKept()
    {
        QFETCH(int, scene);
        Drawing drawing(kScenes[scene]);
        images::compareWithBaseline(QStringLiteral("scene/") + QLatin1String(kScenes[scene].model), drawing.picture());
    }

    /// The tolerance does not hide what it is there for: one body of each scene, three pixels from where it was, is told.
    void aBodyThatIsDrawnElsewhereIsTold_data() { allScenes(); }
    void aBodyThatIsDrawnElsewhereIsTold()
    {
        QFETCH(int, scene);
        Drawing drawing(kScenes[scene]);
        const QImage before = drawing.picture();
        const Part& part = movingPart(drawing.model());
        const double shift = 3 * drawing.pixel(part.firstPoint);
        for (int i = 0; i < part.pointCount; ++i)
            drawing.frame().runs[0].points[3 * static_cast<std::size_t>(part.firstPoint + i)] += shift;
        const images::Difference difference = images::differenceOf(drawing.picture(), before);
        QVERIFY2(!difference.within(), difference.text().constData());
    }

    void theSameSceneIsTheSamePicture()
    {
        Drawing once(kScenes[0]), again(kScenes[0]);
        QCOMPARE(once.picture(), again.picture());
    }

    void baselinesAreFewAndSmall()
    {
        int files = 0;
        qint64 bytes = 0;
        for (const QString& folder : {QStringLiteral("/scene"), QStringLiteral("/print")})
            for (const QFileInfo& file : QDir(images::baselineFolder() + folder).entryInfoList(QDir::Files)) {
                ++files;
                bytes += file.size();
            }
        QVERIFY2(files <= images::kMostFiles, QByteArray::number(files).constData());
        QVERIFY2(bytes <= images::kMostBytes, QByteArray::number(bytes).constData());
        const QStringList kept = QDir(images::baselineFolder() + "/scene").entryList({"*.png"}, QDir::Files);
        QCOMPARE(kept.size(), static_cast<qsizetype>(std::size(kScenes))); // none that no scene is compared with
    }
};

QTEST_MAIN(TestScenes)
#include "test_scenes.moc"
