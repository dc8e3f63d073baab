// label: long
// The window by real clicks and keys (acceptance 6): play, switch while running, pin, change a length, add runs, scrub
// back, export; every change is on the time line and undoable, and the session replays headlessly to the same numbers.
#include <QFile>
#include <QImage>
#include <QInputDialog>
#include <QLineEdit>
#include <QRegularExpression>
#include <QSettings>
#include <QSlider>
#include <QTemporaryDir>

#include <cmath>
#include <limits>
#include <set>

#include "tests/support/Events.h"
#include "tests/ui/WindowFixture.h"
#include "ui/document/Preferences.h"
#include "ui/panels/Exports.h"
#include "ui/panels/PlotColumn.h"
#include "ui/views/SceneView.h"
#include "ui/views/TimeLine.h"

using namespace driftless;
using namespace driftless::ui;
using namespace driftless::ui::test;

namespace {

/// Where the projection stops: the consistency solver takes g as met at 10^4 round-offs of the size of its terms, here
/// 1 + |G q| with G q = 2 (x^2 + y^2) = 2 L^2.
double metAt(double L) { return 1e4 * std::numeric_limits<double>::epsilon() * (1 + 2 * L * L); }

double lengthError(const Jump& jump, bool after, double L)
{
    const auto& q = after ? jump.after : jump.before;
    return std::abs(q[0] * q[0] + q[1] * q[1] - L * L);
}

double logTime(const Document& d) { return d.laboratory().log().back().t; }

} // namespace

class TestWindow : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

private slots:
    void initTestCase() { QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, folder_.path()); }

    void layoutIsTheDesigns_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<int>("left");
        QTest::addColumn<int>("plots");
        QTest::addColumn<int>("count");
        QTest::addColumn<bool>("drawer");
        QTest::newRow("lecture hall") << QSize(1280, 720) << 360 << 864 << 1 << false; // below the scene, as wide as it
        QTest::newRow("desk") << QSize(1920, 1080) << 360 << 662 << 3 << true;         // beside it
    }
    void layoutIsTheDesigns()
    {
        QFETCH(QSize, size);
        QFETCH(int, left);
        QFETCH(int, plots);
        QFETCH(int, count);
        QFETCH(bool, drawer);
        Fixture f(size);
        QVERIFY(f.window.openFirstStart().ok());
        QTest::qWait(50);
        QCOMPARE(f.window.size(), size);
        QCOMPARE(f.find<QWidget>("topBar")->height(), 44);
        QCOMPARE(f.find<QWidget>("leftColumn")->width(), left);
        QCOMPARE(f.find<QWidget>("plots")->width(), plots);
        QCOMPARE(f.find<QWidget>("timeLine")->height(), 56);
        const int rail = f.find<QWidget>("workspaceRail")->width();
        QCOMPARE(rail, 56);
        QCOMPARE(f.window.scene().width(), size.width() - rail - left - (count > 1 ? plots : 0));
        QCOMPARE(f.window.plots().count(), count);
        QCOMPARE(f.find<QWidget>("drawer")->isVisible(), drawer);
        if (drawer)
            QCOMPARE(f.find<QWidget>("drawer")->height(), 260);
    }

    void everyControlHasANameAndATip()
    {
        Fixture f;
        QVERIFY(f.window.openFirstStart().ok());
        QTest::qWait(50);
        for (auto* button : f.window.findChildren<QToolButton*>()) {
            if (!button->isVisible() || button->objectName().startsWith("qt_") || button->objectName().isEmpty())
                continue;
            QVERIFY2(!button->toolTip().isEmpty(), qPrintable(button->objectName()));
            QVERIFY2(!button->accessibleName().isEmpty() || !button->text().isEmpty(), qPrintable(button->objectName()));
        }
    }

    void whatIsRecordedIsChosen_andKept()
    {
        Fixture f;
        QVERIFY(f.window.openFirstStart().ok());
        const auto rows = [](Fixture& in) {
            std::set<run::Rows> all;
            for (const RunEntry& run : in.document.runs())
                all.insert(in.document.status(run.key).settings.rows);
            return all;
        };
        QCOMPARE(rows(f), std::set{run::Rows::AsCurvesNeed});
        f.find<QAction>("everyStep")->trigger();
        QCOMPARE(rows(f), std::set{run::Rows::EveryStep});
        f.find<QAction>("memory")->trigger();
        auto* dialog = f.find<QInputDialog>("memoryDialog");
        dialog->setIntValue(64);
        dialog->accept();
        {
            Fixture again;
            QVERIFY(again.window.openFirstStart().ok());
            QCOMPARE(rows(again), std::set{run::Rows::EveryStep});
            again.find<QAction>("everyStep")->trigger();
            QCOMPARE(rows(again), std::set{run::Rows::AsCurvesNeed});
            again.find<QAction>("memory")->trigger();
            QCOMPARE(again.find<QInputDialog>("memoryDialog")->intValue(), 64);
        }
    }

    void whatASessionRecordsIsShown_whateverIsPreferred()
    {
        const QString path = folder_.filePath("every-step.driftless");
        {
            Fixture f;
            QVERIFY(f.window.openFirstStart().ok());
            QVERIFY(f.document.laboratory().recordRows(run::Rows::EveryStep).ok());
            QVERIFY(f.document.files().saveSession(path).ok());
        }
        Fixture f;
        QVERIFY(f.window.openFirstStart().ok());
        auto* every = f.find<QAction>("everyStep");
        QVERIFY(!every->isChecked());
        QVERIFY(f.document.files().open(path).ok());
        QVERIFY(every->isChecked());
        QCOMPARE(preferredRows(), run::Rows::AsCurvesNeed); // opening a file prefers nothing
        every->trigger();
        QVERIFY(!every->isChecked());
        for (const RunEntry& run : f.document.runs())
            QCOMPARE(f.document.status(run.key).settings.rows, run::Rows::AsCurvesNeed);
    }

    void spacePlaysAndPauses()
    {
        Fixture f;
        QVERIFY(f.window.openFirstStart().ok());
        QTest::keyClick(&f.window, Qt::Key_Space);
        QVERIFY(f.playUntil(0.3));
        QTest::keyClick(&f.window, Qt::Key_Space);
        const double t = f.time();
        QTest::qWait(120);
        QCOMPARE(f.time(), t);
        QCOMPARE(f.value("timeLabel"), QStringLiteral("t = %1 s").arg(t, 0, 'f', 2));
    }

    void liveSession()
    {
        Fixture f;
        QVERIFY(f.window.openFirstStart().ok());
        QVERIFY(f.choose("speedCombo", QStringLiteral("5×")));
        QVERIFY(f.click("playButton"));
        QVERIFY(f.playUntil(2));
        auto& undo = f.document.undoStack();

        // A form that enforces no level changes neither q nor v: drift does not vanish at the switch.
        QVERIFY(f.openRun(2));
        QVERIFY(f.choose("formulation_2", "baumgarte"));
        QCOMPARE(f.status(1).settings.formulation, std::string("baumgarte"));
        QVERIFY(f.document.laboratory().clock().playing);
        Jump jump = jumpAt(f.document.laboratory().recording(f.id(1)), logTime(f.document));
        QCOMPARE(jump.after, jump.before);
        QVERIFY(driftless::test::commanded<run::SetFormulation>(
            f.document.laboratory().events(f.id(1)), [](const run::SetFormulation& set) { return set.id == "baumgarte"; }));
        QVERIFY(f.playUntil(4));

        // A form that projects moves onto the constraint, by no more than it was away, and says so.
        QVERIFY(f.choose("formulation_2", "projection"));
        jump = jumpAt(f.document.laboratory().recording(f.id(1)), logTime(f.document));
        QVERIFY(lengthError(jump, true, 1) <= metAt(1));
        double moved = 0;
        for (std::size_t i = 0; i < 2; ++i)
            moved = std::max(moved, std::abs(jump.after[i] - jump.before[i]));
        // g = r^2 - 1, so the distance to the circle is |g| / (r + 1) <= |g|.
        QVERIFY(moved <= lengthError(jump, false, 1) + metAt(1));

        // The other pivot, pinned: no state moves.
        QVERIFY(f.openRun(1));
        const auto dummy = f.status(0).dummies;
        QCOMPARE(dummy.size(), std::size_t(1));
        QPushButton* other = nullptr;
        for (auto* button : f.find<QWidget>("pivotPanel")->findChildren<QPushButton*>())
            if (!button->isChecked())
                other = button;
        QVERIFY(other);
        QTest::mouseClick(other, Qt::LeftButton);
        QTest::qWait(20);
        QVERIFY(!f.status(0).settings.pivot.automatic || f.status(0).state == run::RunState::Failed);
        jump = jumpAt(f.document.laboratory().recording(f.id(0)), logTime(f.document));
        QCOMPARE(jump.after, jump.before);
        QVERIFY(f.click("pivotAutomatic"));
        QVERIFY(f.status(0).settings.pivot.automatic);
        QVERIFY(f.playUntil(5));

        // The rod gets longer: both runs move onto the new circle at one t.
        QVERIFY(f.enter("value_L", "1.2"));
        for (int run = 0; run < 2; ++run) {
            QCOMPARE(f.status(run).parameters, f.document.bench().parameters());
            jump = jumpAt(f.document.laboratory().recording(f.id(run)), logTime(f.document));
            QVERIFY(lengthError(jump, true, 1.2) <= metAt(1.2));
        }
        QVERIFY(f.playUntil(6));

        QVERIFY(f.click("addRunButton"));
        QVERIFY(f.click("addRunButton"));
        QCOMPARE(f.document.runs().size(), std::size_t(4));
        QVERIFY(f.find<QWidget>("card_3") && f.find<QWidget>("card_4"));
        QVERIFY(f.playUntil(8));

        // Undo and redo by keys while it runs: the formulation is the one before, then the new one again.
        const int entries = undo.count();
        QCOMPARE(entries, 7); // baumgarte, projection, pin, automatic, L, two runs
        for (int i = 0; i < entries; ++i)
            QTest::keyClick(&f.window, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(undo.index(), 0);
        QCOMPARE(f.document.runs().size(), std::size_t(2));
        QCOMPARE(f.status(1).settings.formulation, std::string("index-1"));
        QCOMPARE(f.document.bench().parameters(), f.document.compiled().defaultParameters());
        for (int i = 0; i < entries; ++i)
            QTest::keyClick(&f.window, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(undo.index(), entries);
        QCOMPARE(f.document.runs().size(), std::size_t(4));
        QCOMPARE(f.status(1).settings.formulation, std::string("projection"));
        QVERIFY(f.playUntil(9));
        QVERIFY(f.click("playButton"));

        saveAndReplay(f);
        scrubBack(f);
        exportAll(f);
    }

    void refusalIsACardAndNoEntry()
    {
        Fixture f;
        QVERIFY(f.window.openFirstStart().ok());
        QVERIFY(f.openRun(2));
        QVERIFY(f.choose("formulation_2", "index-3")); // rk4 cannot carry it
        auto* card = f.find<QWidget>("messageCard");
        QVERIFY(card->isVisible());
        QVERIFY(!f.value("messageTitle").isEmpty());
        QCOMPARE(f.document.undoStack().count(), 0);
        QCOMPARE(f.find<QComboBox>("formulation_2")->currentData().toString(), QStringLiteral("index-1"));
        QVERIFY(f.click("messageDismiss"));
        QVERIFY(!card->isVisible());
    }

    void sliderDragIsOneEntry()
    {
        Fixture f;
        QVERIFY(f.window.openFirstStart().ok());
        QVERIFY(f.click("playButton"));
        QVERIFY(f.playUntil(0.2));
        auto* slider = f.find<QSlider>("slider_L");
        const QPoint from(slider->width() * slider->value() / slider->maximum(), slider->height() / 2);
        QTest::mousePress(slider, Qt::LeftButton, {}, from);
        for (int i = 1; i <= 10; ++i) {
            QTest::mouseMove(slider, from + QPoint(2 * i, 0));
            QTest::qWait(20);
        }
        QTest::mouseRelease(slider, Qt::LeftButton, {}, from + QPoint(20, 0));
        QTest::qWait(100);
        QCOMPARE(f.document.undoStack().count(), 1);
        QVERIFY(f.document.bench().parameters() != f.document.compiled().defaultParameters());
        QVERIFY(f.click("undoButton"));
        QCOMPARE(f.document.bench().parameters(), f.document.compiled().defaultParameters());
    }

    void failedRunKeepsItsRecordingAndOffersARemedy()
    {
        Fixture f;
        QVERIFY(f.document.opener().openModel("pendulum").ok());
        run::PivotChoice pinned;
        pinned.automatic = false;
        pinned.dummies = {f.document.system().coordinates[0].name};
        f.document.laboratory().waitUntil(0.5);
        if (!f.document.control().setPivot(f.key(0), pinned)) {
            pinned.dummies = {f.document.system().coordinates[1].name};
            QVERIFY(f.document.control().setPivot(f.key(0), pinned));
        }
        f.document.laboratory().waitUntil(20); // the pendulum passes every angle: a pinned pivot must become singular
        QCOMPARE(f.status(0).state, run::RunState::Failed);
        QTRY_VERIFY(f.find<QPushButton>("remedy_1")->isVisible());
        QVERIFY(!f.value("reason_1").isEmpty());
        QVERIFY(f.document.laboratory().recording(f.id(0)).lastTime() > 0.5);
        QCOMPARE(f.find<QPushButton>("remedy_1")->text(), QStringLiteral("Automatic pivoting"));
        const double stopped = f.status(0).t;
        QVERIFY(f.click("remedy_1"));
        QTRY_COMPARE(f.status(0).state, run::RunState::Ready);
        f.document.laboratory().waitUntil(stopped + 5);
        QVERIFY(f.status(0).t >= stopped + 5);
    }

    void homeOpensAModelAndUndoReturns()
    {
        Fixture f;
        QVERIFY(f.window.openFirstStart().ok());
        QVERIFY(f.click("galleryButton"));
        auto* list = f.window.findChild<QAbstractItemView*>("homeList");
        QVERIFY(list);
        int row = 0;
        for (; row < list->model()->rowCount(); ++row)
            if (list->model()->index(row, 0).data(Qt::UserRole) == QVariant("double-pendulum"))
                break;
        const auto index = list->model()->index(row, 0);
        list->scrollTo(index);
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(index).center());
        QTest::mouseClick(f.window.findChild<QPushButton*>("homeOpen"), Qt::LeftButton);
        QTest::qWait(50);
        QCOMPARE(f.document.compiled().model().name, std::string("double-pendulum"));
        QVERIFY(f.click("undoButton"));
        QCOMPARE(f.document.compiled().model().name, std::string("pendulum"));
        QCOMPARE(f.document.runs().size(), std::size_t(2));
    }

    void largeTypeAndThemeKeepEverythingInPlace()
    {
        Fixture f;
        QVERIFY(f.window.openFirstStart().ok());
        const QImage before = f.window.grab().toImage();
        QTest::keyClick(&f.window, Qt::Key_T, Qt::ControlModifier);
        QTest::qWait(50);
        const QImage dark = f.window.grab().toImage();
        QVERIFY(qGray(dark.pixel(300, 60)) < qGray(before.pixel(300, 60)));
        QTest::keyClick(&f.window, Qt::Key_F5, Qt::ShiftModifier);
        QTest::qWait(50);
        QCOMPARE(f.find<QWidget>("topBar")->height(), 44);
        QCOMPARE(f.window.size(), QSize(1280, 720));
        QTest::keyClick(&f.window, Qt::Key_F5, Qt::ShiftModifier);
    }

private:
    void saveAndReplay(Fixture& f)
    {
        const QString path = folder_.filePath("live.driftless");
        QTest::keyClick(&f.window, Qt::Key_S, Qt::ControlModifier);
        QVERIFY(f.acceptPath(path));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto replayed = run::replaySession(file.readAll().toStdString(), path.toStdString());
        QVERIFY2(replayed.ok(), replayed.ok() ? "" : replayed.error().text().c_str());
        QCOMPARE(replayed->runs.size(), f.document.runs().size());
        for (std::size_t i = 0; i < replayed->runs.size(); ++i) {
            const auto live = f.document.laboratory().recording(replayed->ids[i]);
            const auto again = replayed->runs[i]->recording();
            QCOMPARE(again.rowCount(), live.rowCount());
            const auto last = live.rowCount() - 1;
            QCOMPARE(again.time(last), live.time(last));
            const int columns = 2 * live.n() + live.m();
            for (std::uint64_t row = 0; row <= last; ++row)
                for (int c = 0; c < columns; ++c)
                    QVERIFY2(again.value(row, c) == live.value(row, c), "identical, not close");
        }
    }

    void scrubBack(Fixture& f)
    {
        auto* line = &f.window.timeLine();
        const double before = f.time();
        const QPoint at(static_cast<int>(std::lround(line->xOf(before / 2))), line->height() / 2);
        QTest::mouseClick(line, Qt::LeftButton, {}, at);
        QTest::qWait(50);
        QVERIFY(std::abs(f.time() - before / 2) < 0.1 * before);
        QVERIFY(f.document.bench().scrubbedBack());
        QTest::keyClick(&f.window, Qt::Key_Period); // nothing but time moved
        f.document.playback().scrub(f.document.laboratory().clock().reached);
    }

    void exportAll(Fixture& f)
    {
        const QString svg = folder_.filePath("figure.svg"), pdf = folder_.filePath("figure.pdf"),
                      png = folder_.filePath("figure.png");
        for (const QString& path : {svg, pdf, png}) {
            QVERIFY(f.click("exportButton"));
            QVERIFY(f.savePicture(path));
            QTRY_VERIFY(QFile::exists(path));
        }
        QFile drawn(svg);
        QVERIFY(drawn.open(QIODevice::ReadOnly));
        const QString text = QString::fromUtf8(drawn.readAll());
        for (const char* part : {"Run 1", "Run 2", "Run 3", "Run 4", "dummy-derivatives", "projection", "ida", "rk4"})
            QVERIFY2(text.contains(part), part);
        const auto lines = text.count("<polyline") + text.count("<path");
        QVERIFY2(lines >= 4 * 3, "a curve for each run and each level of the residuals");
        QFile page(pdf);
        QVERIFY(page.open(QIODevice::ReadOnly));
        const QByteArray bytes = page.readAll();
        QVERIFY(bytes.startsWith("%PDF-"));
        QCOMPARE(bytes.count("/Type /Page\n") + bytes.count("/Type /Page "), 1);
        const QImage picture(png);
        QVERIFY(!picture.isNull());
        std::set<QRgb> colours;
        for (int y = 0; y < picture.height(); y += 7)
            for (int x = 0; x < picture.width(); x += 7)
                colours.insert(picture.pixel(x, y));
        QVERIFY2(colours.size() > 20, "the picture is not blank");
        QVERIFY(f.window.exports().csv(folder_.filePath("numbers.csv")).ok());
        QVERIFY(f.window.exports().scene(folder_.filePath("scene.png")).ok());
    }
};

QTEST_MAIN(TestWindow)
#include "test_window.moc"
