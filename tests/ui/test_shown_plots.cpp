// What the plots show is what is exported as numbers, and what a session keeps.
#include <QFile>
#include <QSettings>
#include <QTemporaryDir>

#include "core/text/WholeFile.h"
#include "tests/ui/WindowFixture.h"
#include "ui/panels/Exports.h"
#include "ui/panels/LessonPanel.h"
#include "ui/panels/PlotColumn.h"
#include "ui/panels/StageWindow.h"

using namespace driftless;
using namespace driftless::ui;
using namespace driftless::ui::test;

class TestShownPlots : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    QString path(const char* name) const { return folder_.filePath(QString::fromLatin1(name)); }
    static QByteArray contentOf(const QString& file)
    {
        QFile read(file);
        return read.open(QIODevice::ReadOnly) ? read.readAll() : QByteArray();
    }

private slots:
    void initTestCase() { QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, folder_.path()); }

    void visibleNumbersAreThoseOfThePlot()
    {
        Fixture f;
        QVERIFY(f.window.openPath("pendulum"));
        f.document.laboratory().waitUntil(3);
        f.window.showAt(3);
        f.window.showAt(1);
        QVERIFY(f.document.bench().scrubbedBack());
        QVERIFY(f.window.plots().timeEnd() >= 3);
        const auto written = f.window.exports().csv(path("numbers.csv"));
        QVERIFY(written.ok());
        QCOMPARE(written->from, 0.0);
        QCOMPARE(written->to, f.document.laboratory().recording(f.id(0)).lastTime());
        QCOMPARE(static_cast<std::uint64_t>(contentOf(path("numbers.csv")).count('\n')), written->rows + 1);
    }

    void aSessionKeepsItsPlots()
    {
        Fixture f;
        QVERIFY(f.window.openPath("pendulum"));
        f.window.plots().choose(0, {.kind = PlotKind::Quantity, .quantity = "bob.x"});
        f.window.plots().choose(1, {.kind = PlotKind::Phase, .phaseX = "bob.x", .phaseY = "bob.y"});
        QVERIFY(f.document.files().saveSession(path("plots.driftless")).ok());
        const auto show = [&](PlotKind kind) {
            for (int i = 0; i < 2; ++i)
                f.window.plots().choose(i, {.kind = kind});
        };
        show(PlotKind::StepSize);
        QVERIFY(f.document.files().openSession(path("plots.driftless")).ok());
        QCOMPARE(f.window.plots().plot(0).spec().kind, PlotKind::Quantity);
        QCOMPARE(f.window.plots().plot(0).spec().quantity, QStringLiteral("bob.x"));
        QCOMPARE(f.window.plots().plot(1).spec().kind, PlotKind::Phase);
        QCOMPARE(f.window.plots().plot(1).spec().phaseY, QStringLiteral("bob.y"));
        QVERIFY(!f.document.files().isDirty());

        // A name that there is not is left alone, with a word; the others are shown.
        QByteArray json = contentOf(path("plots.driftless"));
        QVERIFY(json.contains("\"quantity\":\"bob.x\""));
        json.replace("\"quantity\":\"bob.x\"", "\"quantity\":\"no.x\"");
        QVERIFY(writeWholeFile(path("other.driftless").toStdString(), json.toStdString()).ok());
        show(PlotKind::StepSize);
        QVERIFY(f.document.files().openSession(path("other.driftless")).ok());
        QCOMPARE(f.window.plots().plot(0).spec().kind, PlotKind::StepSize);
        QCOMPARE(f.window.plots().plot(1).spec().kind, PlotKind::Phase);
        bool said = false;
        for (const auto* label : f.window.findChildren<QLabel*>())
            said = said || label->text().contains("no.x");
        QVERIFY(said);

        // A file of before says nothing of plots.
        const auto from = json.indexOf("\"plots\":");
        const auto to = json.indexOf(']', from);
        QVERIFY(from > 0 && to > from);
        json.replace(from, to - from + 2, "");
        QVERIFY(writeWholeFile(path("before.driftless").toStdString(), json.toStdString()).ok());
        show(PlotKind::StepSize);
        QVERIFY(f.document.files().openSession(path("before.driftless")).ok());
        QCOMPARE(f.window.plots().plot(0).spec().kind, PlotKind::StepSize);
    }

    void aSessionKeepsTheAxesOfThePortrait_andTheRangesOfSliders()
    {
        Fixture f;
        QVERIFY(f.window.openPath("layer"));
        const auto axis = [&](const char* combo) { return f.find<QComboBox>(combo)->currentData().toString(); };
        const QString first = axis("portraitFirst_1"), second = axis("portraitSecond_1");
        QVERIFY(first != second);
        QVERIFY(f.choose("portraitFirst_1", second));
        QVERIFY(f.choose("portraitSecond_1", first));
        const QString name = QString::fromStdString(f.document.system().parameters.front().quantity.name);
        const double usual = f.document.bench().parameters().front();
        f.document.control().setParameter(name, 1.5 * usual);
        QTest::qWait(50);
        const int at = f.find<QSlider>("slider_" + name)->value();
        QVERIFY(f.document.files().saveSession(path("portrait.driftless")).ok());
        QVERIFY(contentOf(path("portrait.driftless")).contains("\"portrait\":{"));

        QVERIFY(f.window.openPath("pendulum"));
        QVERIFY(f.document.files().openSession(path("portrait.driftless")).ok());
        QCOMPARE(axis("portraitFirst_1"), second);
        QCOMPARE(axis("portraitSecond_1"), first);
        QCOMPARE(f.find<PlotView>("portrait_1")->spec().phaseX, second);
        QCOMPARE(f.find<QSlider>("slider_" + name)->value(), at);
        QVERIFY(!f.document.files().isDirty());

        // A model that draws has its scene there, and no portrait to keep.
        QVERIFY(f.window.openPath("pendulum"));
        QVERIFY(f.document.files().saveSession(path("scene.driftless")).ok());
        QVERIFY(!contentOf(path("scene.driftless")).contains("\"portrait\""));
    }

    void thePortraitOnTheStageStandsBetweenClockAndCaption()
    {
        Fixture f;
        QVERIFY(f.window.openPath("layer"));
        const auto* portrait = f.find<PlotView>("portrait_1");
        const int usual = portrait->sizeHint().width();
        QVERIFY(f.window.openLesson("small-parameters").ok());
        f.find<LessonPanel>("lessonPanel")->goTo(2);
        QVERIFY(portrait->isVisible());
        f.window.actionRegistry().at("stage").trigger();
        auto* stage = f.window.findChild<StageWindow*>("stageWindow");
        QVERIFY(stage && QTest::qWaitFor([&] { return stage->isVisible(); }, 2000));
        stage->showNormal();
        stage->resize(1920, 1080);
        QTest::qWait(100);
        QVERIFY(portrait->window() == stage && portrait->isVisible());
        QVERIFY(portrait->sizeHint().width() > 1.5 * usual); // its words are as large as those around it
        const auto* host = stage->findChild<QWidget*>("stage");
        const QRect place(portrait->mapTo(host, QPoint()), portrait->size());
        for (const char* name : {"stageReadout", "stageCaption"}) {
            const auto* over = stage->findChild<QWidget*>(name);
            QVERIFY(over && over->isVisible());
            QVERIFY2(!over->geometry().intersects(place), name);
        }
        if (const QString folder = qEnvironmentVariable("DRIFTLESS_KEEP_PICTURES"); !folder.isEmpty())
            stage->grab().save(folder + "/stage-portrait.png");
        f.window.actionRegistry().at("stage").trigger();
        QVERIFY(!f.window.isStaged());
        QCOMPARE(portrait->sizeHint().width(), usual);
        QCOMPARE(portrait->parentWidget()->geometry(), portrait->parentWidget()->parentWidget()->rect());
    }
};

QTEST_MAIN(TestShownPlots)
#include "test_shown_plots.moc"
