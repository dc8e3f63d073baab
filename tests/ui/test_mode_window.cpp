// Mechanisms with events in the window: the mode on the run's row, as a strip on the time line and above the equations, at the
// displayed time; impacts in the scene, fading.
#include <QSettings>
#include <QTemporaryDir>

#include <cmath>

#include "tests/ui/WindowFixture.h"
#include "ui/panels/Controls.h"
#include "ui/views/EquationView.h"
#include "ui/views/SceneColours.h"
#include "ui/views/SceneView.h"
#include "ui/views/TimeLine.h"

using namespace driftless;
using namespace driftless::ui;
using namespace driftless::ui::test;

namespace {

void showTime(Fixture& f, double t)
{
    f.document.playback().scrub(t);
    f.window.showAt(t);
    QTest::qWait(120); // panels refresh ten times a second
}

void keepPicture(Fixture& f, const QString& name)
{
    if (const QString folder = qEnvironmentVariable("DRIFTLESS_KEEP_PICTURES"); !folder.isEmpty())
        f.window.grab().save(folder + "/" + name + ".png");
}

/// Pixels of the scene that are nearer to the colour of forces than to anything else that is drawn.
int forcePixels(const QImage& image, bool dark)
{
    const scene::Rgb c = coloursOf(dark ? Theme::darkTheme() : Theme::light()).force;
    int found = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) {
            const QColor p = image.pixelColor(x, y);
            const double away = std::hypot(p.redF() - c.r, p.greenF() - c.g, p.blueF() - c.b);
            found += away < 0.1;
        }
    return found;
}

} // namespace

class TestModeWindow : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;

private slots:
    void initTestCase() { QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, folder_.path()); }

    void theModeOfTheDisplayedTime_isOnTheRow_theTimeLine_andTheEquations()
    {
        Fixture f;
        QVERIFY(f.document.opener().openModel("slack-pendulum").ok());
        f.document.laboratory().waitUntil(2);
        auto* line = f.find<TimeLine>("timeLine");
        QVERIFY(f.window.openPage("equations"));
        const auto multipliers = [&] { return f.find<EquationView>("equations")->asText().count("string.lambda"); };
        for (const auto& [t, mode] : {std::pair{0.2, "string"}, {0.9, "free"}, {1.6, "string"}}) {
            showTime(f, t);
            QCOMPARE(f.find<QLabel>("mode_1")->text(), QString(mode));
            QVERIFY(f.find<QLabel>("mode_1")->isVisible() && f.find<QLabel>("mode_1")->toolTip().contains(mode));
            QVERIFY(f.find<QWidget>("row_1")->toolTip().contains(QString("Mode: ") + mode));
            QCOMPARE(multipliers() > 0, QString(mode) == "string");
        }
        QCOMPARE(line->height(), 68); // one strip of 12 more
        keepPicture(f, "modes-light");
        // Of a model with one mode nothing is shown.
        QVERIFY(f.document.opener().openModel("pendulum").ok());
        showTime(f, 0.1);
        QCOMPARE(line->height(), 56);
        QVERIFY(!f.find<QLabel>("mode_1")->isVisible());
    }

    void anImpact_isDrawnForAMoment_data()
    {
        QTest::addColumn<QString>("model");
        QTest::addColumn<bool>("dark");
        QTest::newRow("ball, light") << "bouncing-ball" << false;
        QTest::newRow("ball, dark") << "bouncing-ball" << true;
        QTest::newRow("string") << "slack-pendulum" << false;
        QTest::newRow("stop, which has no arrow") << "slider-stops" << false;
        QTest::newRow("balls") << "newtons-cradle-impacts" << true;
    }
    void anImpact_isDrawnForAMoment()
    {
        QFETCH(QString, model);
        QFETCH(bool, dark);
        Fixture f;
        QVERIFY(f.document.opener().openModel(model).ok());
        f.document.laboratory().waitUntil(model == "slack-pendulum" ? 1.6 : 0.9);
        double at = -1;
        for (const run::Event& e : f.document.laboratory().events(f.id(0)))
            if (e.kind() == run::EventKind::Impact && at < 0)
                at = e.t;
        QVERIFY(at > 0);
        auto* scene = f.find<SceneView>("scene");
        scene->setDark(dark);
        const auto drawn = [&](double t) {
            showTime(f, t);
            return forcePixels(scene->grabImage({600, 450}), dark);
        };
        const int before = drawn(at - 0.01), there = drawn(at + 0.001);
        if (const QString folder = qEnvironmentVariable("DRIFTLESS_KEEP_PICTURES"); !folder.isEmpty())
            scene->grabImage({600, 450}).save(folder + "/impact-" + QTest::currentDataTag() + ".png");
        const int later = drawn(at + SceneView::kImpactSeconds + 0.01);
        QVERIFY2(there >= before + 20, qPrintable(QString("%1 and %2 pixels").arg(before).arg(there))); // a ring of radius 5
        // Of models that go on to be hit the next impact is further off than it is shown.
        QVERIFY2(later <= before + 5, qPrintable(QString("%1 and %2 pixels").arg(before).arg(later)));
    }
};

QTEST_MAIN(TestModeWindow)
#include "test_mode_window.moc"
