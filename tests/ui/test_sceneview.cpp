// The scene in the window: recordings of a real model in, pixels of the widget out; and the headless picture.
#include <QApplication>
#include <QDir>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QWheelEvent>
#include <QtTest>

#include <cmath>

#include "core/mechanism/ReadModel.h"
#include "core/run/Recording.h"
#include "core/system/CompiledSystem.h"
#include "core/system/Model.h"
#include "ui/scene/ModelScene.h"
#include "ui/scene/RenderPng.h"
#include "ui/views/SceneView.h"
#include "ui/views/Theme.h"

using namespace driftless;
using namespace driftless::ui;

namespace {

constexpr QSize kSize(400, 480);
constexpr double kRate = 0.9; // [rad/s] of the made-up motion below

std::shared_ptr<const model::CompiledSystem> pendulum()
{
    const auto model = model::openModel("pendulum");
    if (!model)
        qFatal("%s", model.error().text().c_str());
    const auto system = model::CompiledSystem::compile(model.value());
    if (!system)
        qFatal("%s", system.error().text().c_str());
    return system.value();
}

/// The bob runs evenly around its circle, ahead by lead [rad]: a motion whose place is known at every time. The rows are close
/// enough for Hermite interpolation to err by less than (h rate)^4 / 384 = 2e-9 m.
run::RecordingView circling(const model::CompiledSystem& system, double lead, double end = 20)
{
    std::vector<run::Column> columns;
    for (const auto& c : system.system().coordinates)
        columns.push_back({c.name, c.unit, run::ColumnKind::Position});
    for (const auto& c : system.system().coordinates)
        columns.push_back({c.name + "'", c.unit + "/s", run::ColumnKind::Velocity});
    for (int i = 0; i < system.m(); ++i)
        columns.push_back({"lambda", "", run::ColumnKind::Multiplier});
    run::Recording recording(system.n(), system.m(), columns);
    for (double t = 0; t <= end + 1e-9; t += 0.02) {
        const double a = kRate * t + lead;
        std::vector<double> row{std::sin(a), -std::cos(a), kRate * std::cos(a), kRate * std::sin(a)};
        row.resize(columns.size(), 0.5);
        recording.append(t, row);
    }
    return recording.view();
}

int firstPointOf(const model::CompiledSystem& system, model::VisualKind kind)
{
    int point = 0;
    for (const model::Visual& visual : system.system().visuals) {
        if (visual.kind == kind)
            return point;
        point += static_cast<int>(visual.points.size());
    }
    qFatal("the pendulum has no such part");
}

double apart(const QColor& a, const QColor& b)
{
    return std::max({std::fabs(a.redF() - b.redF()), std::fabs(a.greenF() - b.greenF()), std::fabs(a.blueF() - b.blueF())});
}

/// See test_scene: 1 % of shading, 2 % for highlight and the pixel's extent, and three roundings to bytes (the vertex's
/// colour, the frame buffer, the image).
constexpr double kShading = 0.01 + 0.02 + 3.0 / 255;

} // namespace

class TestSceneView : public QObject {
    Q_OBJECT

    std::shared_ptr<const model::CompiledSystem> system_;
    int bob_ = 0, support_ = 0;

    std::vector<SceneRun> runs(std::vector<double> leads) const
    {
        std::vector<SceneRun> made;
        for (double lead : leads) {
            SceneRun r;
            r.colour = static_cast<int>(made.size());
            r.name = QStringLiteral("run %1").arg(made.size() + 1);
            r.selected = made.empty();
            r.recording = circling(*system_, lead);
            made.push_back(std::move(r));
        }
        return made;
    }
    std::unique_ptr<SceneView> view() const
    {
        auto v = std::make_unique<SceneView>();
        v->resize(kSize);
        v->setModel(system_);
        return v;
    }
    static QImage shot(SceneView& v) { return v.grab().toImage().convertToFormat(QImage::Format_RGB32); }
    static QColor at(const QImage& image, QPointF p) { return image.pixelColor(p.toPoint()); }

private slots:
    void initTestCase()
    {
        system_ = pendulum();
        QCOMPARE(system_->n(), 2);
        bob_ = firstPointOf(*system_, model::VisualKind::PointMass);
        support_ = firstPointOf(*system_, model::VisualKind::GroundPin);
    }

    void withoutAModelItIsCalm()
    {
        SceneView v;
        v.resize(kSize);
        const QImage image = shot(v);
        QCOMPARE(at(image, {200, 200}), Theme::light().window);
        QVERIFY2(v.problem().isEmpty(), qPrintable(v.problem()));
    }

    void showsTheStartBeforeThereIsARun()
    {
        const auto v = view();
        const QImage image = shot(*v);
        QVERIFY(apart(at(image, v->pointOnScreen(0, bob_)), Theme::light().run(0)) < kShading);
    }

    void bodyIsWhereTheRecordingSays_data()
    {
        QTest::addColumn<double>("t");
        QTest::addColumn<bool>("dark");
        for (double t : {0.0, 1.313, 2.7, 5.05, 20.0})
            for (bool dark : {false, true})
                QTest::addRow("t = %g %s", t, dark ? "dark" : "light") << t << dark;
    }
    void bodyIsWhereTheRecordingSays()
    {
        QFETCH(double, t);
        QFETCH(bool, dark);
        const auto v = view();
        v->setDark(dark);
        v->setRuns(runs({0}));
        v->setTime(t);
        const QImage image = shot(*v);
        const Theme& theme = dark ? Theme::darkTheme() : Theme::light();
        const QColor seen = at(image, v->pointOnScreen(0, bob_));
        QVERIFY2(apart(seen, theme.run(0)) < kShading, qPrintable(seen.name() + " for " + theme.run(0).name()));
        QCOMPARE(at(image, {3, 3}), theme.window);
        // Independently of the view's own projection: the direction from the support to the bob's drawn place.
        const QPointF d = v->pointOnScreen(0, bob_) - v->pointOnScreen(0, support_);
        const double angle = std::atan2(d.x(), d.y());
        QVERIFY(std::fabs(std::remainder(angle - kRate * t, 2 * M_PI)) < 1e-8); // interpolation 2e-9
    }

    void everyRunIsShownAtTheSameTime()
    {
        const auto v = view();
        v->setRuns(runs({0, 1.0, 2.0}));
        v->setTime(3);
        const QImage image = shot(*v);
        QVERIFY(apart(at(image, v->pointOnScreen(0, bob_)), Theme::light().run(0)) < kShading);
        for (int ghost : {1, 2}) { // rings with a dot in the run's colour at the middle
            QVERIFY(apart(at(image, v->pointOnScreen(ghost, bob_)), Theme::light().run(ghost)) < 0.4);
            const QPointF d = v->pointOnScreen(ghost, bob_) - v->pointOnScreen(ghost, support_);
            QVERIFY(std::fabs(std::remainder(std::atan2(d.x(), d.y()) - kRate * 3 - ghost, 2 * M_PI)) < 1e-8);
        }
    }

    void choosingTheSelectedRunMakesItSolid()
    {
        const auto v = view();
        auto two = runs({0, 1.5});
        two[0].selected = false;
        two[1].selected = true;
        v->setRuns(two);
        v->setTime(1);
        const QImage image = shot(*v);
        QVERIFY(apart(at(image, v->pointOnScreen(1, bob_)), Theme::light().run(1)) < kShading);
        const QPointF beside = v->pointOnScreen(0, bob_) + QPointF(5, 0); // inside the ring it is hollow
        QVERIFY(apart(at(image, beside), Theme::light().run(0)) > 0.3);
    }

    void beyondItsEndARunStaysWhereItStopped()
    {
        const auto v = view();
        auto two = runs({0, 0.3});
        two[1].recording = circling(*system_, 0.3, 4);
        v->setRuns(two);
        v->setTime(9);
        shot(*v);
        const QPointF d = v->pointOnScreen(1, bob_) - v->pointOnScreen(1, support_);
        QVERIFY(std::fabs(std::remainder(std::atan2(d.x(), d.y()) - kRate * 4 - 0.3, 2 * M_PI)) < 1e-8);
    }

    void arrowsAndTrailsFollowTheirSwitches()
    {
        const auto v = view();
        v->setRuns(runs({0}));
        v->setTime(6);
        const QImage plain = shot(*v);
        v->setTrailsVisible(false);
        const QImage bare = shot(*v);
        QVERIFY(plain != bare);
        v->setArrowsVisible(true);
        QVERIFY(shot(*v) != bare);
        v->setArrowsVisible(false);
        QCOMPARE(shot(*v), bare);
        v->setTrailsVisible(true);
        QCOMPARE(shot(*v), plain);
    }

    /// The velocity that an output names, with its legend in the corner, while the switch of the arrows is on.
    void velocitiesOfOutputs_haveArrowsAndALegend()
    {
        const auto shipped = model::openModel("pendulum");
        QVERIFY(shipped.ok());
        const auto model = model::readModel(
            (*shipped)->text + "\n[[output]]\nname = \"fast\"\nkind = \"velocity\"\npoint = \"bob\"\n", "fast.toml");
        QVERIFY2(model.ok(), model ? "" : model.error().text().c_str());
        const auto system = model::CompiledSystem::compile(*model);
        QVERIFY(system.ok());
        const auto v = view();
        v->setModel(*system);
        SceneRun moving = runs({0}).front();
        moving.recording = circling(**system, 0);
        v->setRuns({moving});
        v->setTime(6);
        const scene::Rgb c = scene::Colours::light().velocity;
        const QColor ink = QColor::fromRgbF(float(c.r), float(c.g), float(c.b));
        const auto inkIn = [&](const QImage& image, const QRect& where) {
            int found = 0;
            for (int y = where.top(); y <= where.bottom(); ++y)
                for (int x = where.left(); x <= where.right(); ++x)
                    found += apart(image.pixelColor(x, y), ink) < 0.1;
            return found;
        };
        const auto grab = [&] { // with what is painted over the scene
            const QImage image = v->grabImage(kSize);
            if (const QString folder = qEnvironmentVariable("DRIFTLESS_KEEP_PICTURES"); !folder.isEmpty())
                image.save(folder + "/velocities.png");
            return image;
        };
        const QImage without = grab();
        v->setArrowsVisible(true);
        const QImage with = grab();
        const QRect corner(kSize.width() / 2, kSize.height() - 60, kSize.width() / 2, 60),
            rest(0, 0, kSize.width(), kSize.height() - 60);
        QVERIFY2(inkIn(without, rest) == 0 && inkIn(without, corner) == 0, "the colour is in the scene without arrows");
        QVERIFY2(inkIn(with, rest) > 50, qPrintable(QString::number(inkIn(with, rest))));     // a shaft of several pixels
        QVERIFY2(inkIn(with, corner) > 50, qPrintable(QString::number(inkIn(with, corner)))); // the sample of the legend
    }

    void deviationIsMagnifiedTenfold()
    {
        const auto v = view();
        const double lead = 0.004;
        v->setRuns(runs({0, lead}));
        v->setTime(2);
        shot(*v);
        const QPointF true_ = v->pointOnScreen(1, bob_) - v->pointOnScreen(0, bob_);
        v->setDeviation(1, 0);
        shot(*v);
        const QPointF shown = v->pointOnScreen(1, bob_) - v->pointOnScreen(0, bob_);
        const double roundoff = 1e-9; // [px]: positions of some 100 px to 16 digits, times the factor, and room
        QVERIFY(std::fabs(shown.x() - 10 * true_.x()) < roundoff && std::fabs(shown.y() - 10 * true_.y()) < roundoff);
        v->setDeviation(0, 0);
        shot(*v);
        QCOMPARE(v->pointOnScreen(1, bob_) - v->pointOnScreen(0, bob_), true_);
    }

    void fanTellsCoincidingRunsApart()
    {
        const auto v = view();
        v->setRuns(runs({0, 0}));
        v->setTime(2);
        const QImage flat = shot(*v);
        QCOMPARE(v->pointOnScreen(0, bob_), v->pointOnScreen(1, bob_));
        v->setFanOut(0.3);
        shot(*v);
        QVERIFY(QLineF(v->pointOnScreen(0, bob_), v->pointOnScreen(1, bob_)).length() > 10);
        v->setFanOut(0);
        QCOMPARE(shot(*v), flat);
    }

    void mouseAndKeysMoveTheView()
    {
        const auto v = view();
        v->setRuns(runs({0}));
        v->setTime(1);
        v->show();
        const QImage home = shot(*v);
        const QPointF before = v->pointOnScreen(0, bob_);

        QTest::mousePress(v.get(), Qt::LeftButton, Qt::ShiftModifier, {200, 200});
        QMouseEvent drag(QEvent::MouseMove, QPointF(230, 180), v->mapToGlobal(QPointF(230, 180)), Qt::NoButton, Qt::LeftButton,
                         Qt::ShiftModifier);
        QApplication::sendEvent(v.get(), &drag);
        QTest::mouseRelease(v.get(), Qt::LeftButton, Qt::ShiftModifier, {230, 180});
        shot(*v);
        const QPointF panned = v->pointOnScreen(0, bob_) - before;
        QVERIFY(std::fabs(panned.x() - 30) < 1e-9 && std::fabs(panned.y() + 20) < 1e-9);

        const QPointF pivot = v->pointOnScreen(0, bob_);
        QWheelEvent wheel(pivot, v->mapToGlobal(pivot), {}, QPoint(0, 240), Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase,
                          false);
        QApplication::sendEvent(v.get(), &wheel);
        shot(*v);
        QVERIFY(QLineF(v->pointOnScreen(0, bob_), pivot).length() < 1e-9); // what is under the pointer stays there
        QVERIFY(QLineF(v->pointOnScreen(0, bob_), v->pointOnScreen(0, support_)).length() > 1.2 * 100);

        QSignalSpy fitted(v.get(), &SceneView::fitted);
        QTest::keyClick(v.get(), Qt::Key_F);
        QCOMPARE(fitted.count(), 1);
        QCOMPARE(shot(*v), home);

        QTest::mousePress(v.get(), Qt::LeftButton, Qt::NoModifier, {200, 200});
        QMouseEvent beside(QEvent::MouseMove, QPointF(300, 150), v->mapToGlobal(QPointF(300, 150)), Qt::NoButton,
                           Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(v.get(), &beside);
        QTest::mouseRelease(v.get(), Qt::LeftButton, Qt::NoModifier, {300, 150});
        shot(*v);
        const QPointF moved = v->pointOnScreen(0, bob_) - before; // along, and never seen from the side
        QVERIFY(std::fabs(moved.x() - 100) < 1e-9 && std::fabs(moved.y() + 50) < 1e-9);
        QTest::mouseDClick(v.get(), Qt::LeftButton, Qt::NoModifier, {200, 200});
        QCOMPARE(shot(*v), home);
    }

    /// While a mechanism is edited, each edit is another model.
    void keptViewStaysOverAnotherModel()
    {
        const auto v = view();
        v->show();
        const auto bobOn = [&] {
            v->setRuns(runs({0}));
            v->setTime(1);
            shot(*v);
            return v->pointOnScreen(0, bob_);
        };
        const QPointF home = bobOn();
        QWheelEvent wheel(QPointF(200, 200), v->mapToGlobal(QPointF(200, 200)), {}, QPoint(0, 240), Qt::NoButton,
                          Qt::NoModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(v.get(), &wheel);
        const QPointF near = bobOn();
        QVERIFY(QLineF(near, home).length() > 1);
        QSignalSpy fitted(v.get(), &SceneView::fitted);
        v->keepView(true);
        v->setModel(pendulum());
        QCOMPARE(bobOn(), near);
        QCOMPARE(fitted.count(), 0);
        v->keepView(false);
        v->setModel(pendulum());
        QCOMPARE(bobOn(), home);
        QCOMPARE(fitted.count(), 1);
    }

    void wholeCircleFitsInEverySize()
    {
        const auto v = view();
        v->setRuns(runs({0}));
        for (const QSize size : {QSize(300, 700), QSize(800, 300), QSize(200, 200)}) {
            v->resize(size);
            for (double t = 0; t < 7; t += 0.5) {
                v->setTime(t);
                shot(*v);
                QVERIFY(QRectF(QPointF(0, 0), size).adjusted(4, 4, -4, -4).contains(v->pointOnScreen(0, bob_)));
            }
        }
    }

    void grabbedImageLeavesTheViewAlone()
    {
        const auto v = view();
        v->setRuns(runs({0, 0.5}));
        v->setTime(4);
        const QImage before = shot(*v);
        const QImage image = v->grabImage({900, 500}, 2);
        QCOMPARE(image.size(), QSize(900, 500));
        int inked = 0;
        for (int y = 0; y < 500; y += 2)
            for (int x = 0; x < 900; x += 2)
                inked += apart(image.pixelColor(x, y), Theme::light().window) > 0.2;
        QVERIFY(inked > 100);
        QCOMPARE(shot(*v), before);
    }

    void fineIsSmootherButTheSamePicture()
    {
        const auto v = view();
        v->setRuns(runs({0}));
        v->setTime(4);
        shot(*v);
        const QPointF place = v->pointOnScreen(0, bob_);
        v->setFine(true);
        const QImage fine = shot(*v);
        QCOMPARE(v->pointOnScreen(0, bob_), place);
        QVERIFY(apart(at(fine, place), Theme::light().run(0)) < kShading);
    }

    void hundredFramesComeBackToTheSamePicture()
    {
        const auto v = view();
        const auto three = runs({0, 0.2, -0.4});
        v->setRuns(three);
        v->setTime(3);
        const QImage first = shot(*v);
        for (int i = 0; i < 100; ++i) {
            v->setRuns(three);
            v->setTime(0.1 * i);
            shot(*v);
        }
        v->setTime(3);
        QCOMPARE(shot(*v), first);
    }

    void anotherModelReplacesTheFirst()
    {
        const auto v = view();
        v->setRuns(runs({0}));
        v->setTime(3);
        shot(*v);
        v->setModel(nullptr);
        QCOMPARE(at(shot(*v), {200, 240}), Theme::light().window);
        v->setModel(pendulum());
        v->setTime(0);
        const QImage image = shot(*v);
        QVERIFY(apart(at(image, v->pointOnScreen(0, bob_)), Theme::light().run(0)) < kShading);
    }

    void extentOfThePendulumIsItsCircle()
    {
        const auto scene = scene::ModelScene::create(system_);
        QVERIFY(scene.ok());
        if (system_->model().view.extent > 0)
            QSKIP("the model file states its own view");
        const auto& box = scene.value()->sceneModel().extent;
        const double roundoff = 8 * std::numeric_limits<double>::epsilon();
        for (double side : {box.high.x, box.high.y, -box.low.x, -box.low.y})
            QVERIFY(std::fabs(side - 1) < roundoff);
        QVERIFY(std::fabs(scene.value()->sceneModel().characteristicLength() - 1) < roundoff);
    }

    void headlessPictureShowsTheState()
    {
        QTemporaryDir dir;
        model::ModelState state;
        state.resize(2, system_->w());
        state.q = {std::sin(0.6), -std::cos(0.6)};
        for (bool dark : {false, true}) {
            const QString path = dir.filePath(dark ? "dark.png" : "light.png");
            const auto made =
                scene::renderScenePng(*system_, system_->defaultParameters(), state, 320, 240, dark, path.toStdString());
            QVERIFY2(made.ok(), made.ok() ? "" : made.error().text().c_str());
            const QImage image(path);
            QCOMPARE(image.size(), QSize(320, 240));
            const Theme& theme = dark ? Theme::darkTheme() : Theme::light();
            QCOMPARE(image.pixelColor(2, 2), theme.window);
            // The body lies below and to the right of the middle, where the support is.
            QPointF sum;
            int count = 0;
            for (int y = 0; y < 240; ++y)
                for (int x = 0; x < 320; ++x)
                    if (apart(image.pixelColor(x, y), theme.run(0)) < kShading) {
                        sum += QPointF(x, y);
                        ++count;
                    }
            QVERIFY(count > 0);
            QVERIFY(sum.x() / count > 170 && sum.y() / count > 140);
        }
    }

    void headlessPictureSaysWhyItCannotBeWritten()
    {
        model::ModelState state;
        state.resize(2, system_->w());
        state.q = {0, -1};
        QTemporaryDir dir;
        const auto parameters = system_->defaultParameters();
        const auto missing = dir.filePath("no/folder/a.png").toStdString();
        QVERIFY(!scene::renderScenePng(*system_, parameters, state, 320, 240, false, missing).ok());
        const auto path = dir.filePath("a.png").toStdString();
        QVERIFY(!scene::renderScenePng(*system_, parameters, state, 5, 240, false, path).ok());
        QVERIFY(!scene::renderScenePng(*system_, parameters, state, 320, 100000, false, path).ok());
        state.q.pop_back();
        QVERIFY(!scene::renderScenePng(*system_, parameters, state, 320, 240, false, path).ok());
        QVERIFY(QDir(dir.path()).isEmpty());
    }
};

QTEST_MAIN(TestSceneView)
#include "test_sceneview.moc"
