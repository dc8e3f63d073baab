// The work-precision window: curves of the run cards and of picked methods come while one watches, settings act, points become
// runs, a changed model computes anew, cancelling does not block.
#include <QtTest>

#include <QComboBox>
#include <QElapsedTimer>
#include <QFile>
#include <QImage>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QTemporaryDir>

#include <cmath>
#include <set>

#include "core/run/TableauFile.h"
#include "tests/ui/WindowFixture.h"
#include "ui/panels/WorkPrecisionWindow.h"

using namespace driftless;
using namespace driftless::ui;
using driftless::ui::test::Fixture;

namespace {

constexpr int kPatience = 60000; // [ms] on a busy machine

WorkPrecisionWindow* opened(Fixture& f)
{
    QTest::keyClick(&f.window, Qt::Key_P, Qt::ControlModifier);
    WorkPrecisionWindow* window = nullptr;
    (void)QTest::qWaitFor([&] { return (window = f.window.findChild<WorkPrecisionWindow*>("workPrecisionWindow")) != nullptr; },
                          10000);
    return window;
}

WorkPrecisionView& viewOf(WorkPrecisionWindow& window) { return *window.findChild<WorkPrecisionView*>("workPrecisionView"); }

const WorkPrecisionCurve* curveOf(WorkPrecisionWindow& window, const QString& part)
{
    for (const auto& curve : viewOf(window).data().curves)
        if (curve.name.contains(part))
            return &curve;
    return nullptr;
}

bool finished(WorkPrecisionWindow& window)
{
    return QTest::qWaitFor([&] { return !window.busy() && window.reference() && !viewOf(window).data().curves.empty(); },
                           kPatience);
}

/// A short span makes every point cheap.
void shorten(WorkPrecisionWindow& window, const QString& span)
{
    auto* field = window.findChild<QLineEdit*>("workSpan");
    field->selectAll();
    QTest::keyClicks(field, span);
    QTest::keyClick(field, Qt::Key_Return);
    QTest::qWait(400);
}

void keep(QWidget& window, const char* name)
{
    const QString folder = qEnvironmentVariable("DRIFTLESS_KEEP_PICTURES");
    QTest::qWait(30);
    if (!folder.isEmpty())
        window.grab().save(QStringLiteral("%1/%2.png").arg(folder, name));
}

} // namespace

class TestWorkPrecision : public QObject {
    Q_OBJECT

private slots:
    void runCardsAndPickedMethods_comeAsCurves()
    {
        Fixture f;
        QVERIFY(f.document.opener().openFirstStart().ok());
        f.document.playback().pause();
        WorkPrecisionWindow* window = opened(f);
        QVERIFY(window);
        QTRY_VERIFY(window->busy());
        shorten(*window, "1");
        QVERIFY(finished(*window));
        QCOMPARE(viewOf(*window).data().curves.size(), std::size_t(2));
        const auto* ida = curveOf(*window, "ida");
        const auto* rk4 = curveOf(*window, "rk4");
        QVERIFY(ida && rk4);
        QCOMPARE(ida->marks.size(), std::size_t(9)); // 1e-2 to 1e-10
        QVERIFY(ida->marks.back().error < 1e-3 * ida->marks.front().error);
        QCOMPARE(rk4->order, 4);
        QVERIFY(window->findChild<QLabel*>("workState")->text().contains("state-space, radau"));

        // A picked method adds a curve; those that stand are not computed again.
        const auto before = window->reference()->values;
        window->setPicked("radau", true);
        QTRY_VERIFY_WITH_TIMEOUT(curveOf(*window, "radau"), 5000);
        QVERIFY(finished(*window));
        QCOMPARE(curveOf(*window, "ida")->marks.size(), std::size_t(9));
        QVERIFY(curveOf(*window, "radau")->marks.size() >= 5);
        QCOMPARE(window->reference()->values, before);
        // One that the form refuses says so and draws nothing.
        window->setPicked("half-explicit-5", true);
        QTRY_VERIFY_WITH_TIMEOUT(window->findChild<QLabel*>("workRefusals")->text().contains("half-explicit-5"), 20000);
        QVERIFY(finished(*window));
        keep(*window, "work-light");

        // The lines of order: 4 and 5 stand for rk4 and radau.
        QStringList orders;
        for (const auto& line : orderLines(viewOf(*window).data()))
            orders << QString::number(line.order);
        QVERIFY2(orders.contains("4") && orders.contains("5"), qPrintable(orders.join(' ')));

        // Another measure of the work and another group of components, without a new computation.
        const double residuals = curveOf(*window, "ida")->marks.back().work;
        auto* measure = window->findChild<QComboBox*>("workMeasure");
        measure->setCurrentIndex(2);
        QVERIFY(!window->busy());
        QVERIFY(curveOf(*window, "ida")->marks.back().work < residuals);
        const double positions = curveOf(*window, "ida")->marks.front().error;
        window->findChild<QComboBox*>("errorGroup")->setCurrentIndex(2);
        QVERIFY(curveOf(*window, "ida")->marks.front().error != positions);
        QVERIFY(viewOf(*window).data().error.contains("multipliers"));
        window->setTheme(Theme::darkTheme());
        keep(*window, "work-dark");
    }

    void aMethodOfOnesOwn_isListedWhenOneComesBackToTheWindow()
    {
        Fixture f;
        QVERIFY(f.document.opener().openModel("pendulum").ok());
        QVERIFY(f.choose("formulation_1", "index-1"));
        WorkPrecisionWindow* window = opened(f);
        QVERIFY(window);
        shorten(*window, "1");
        f.window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&f.window));
        const auto id = run::addTableau("name = \"third\"\nA = [[0, 0], [\"2/3\", 0]]\nb = [\"1/4\", \"3/4\"]\n", "third.toml");
        QVERIFY(id.ok());
        const QString own = QString::fromStdString(*id);
        auto* list = window->findChild<QListWidget*>("workMethods");
        QVERIFY(list->findItems(own, Qt::MatchExactly).isEmpty());
        const int before = list->count();
        window->activateWindow();
        QTRY_COMPARE(list->count(), before + 2); // with its heading
        window->setPicked(own, true);
        QTRY_VERIFY_WITH_TIMEOUT(curveOf(*window, own), kPatience);
        QVERIFY(finished(*window));
        QCOMPARE(curveOf(*window, own)->order, 2);
        QVERIFY(curveOf(*window, own)->marks.size() >= 5);
    }

    void pointsAreDrawnWhereTheyBelong_andAClickTakesTheSetting()
    {
        Fixture f;
        QVERIFY(f.document.opener().openFirstStart().ok());
        f.document.playback().pause();
        WorkPrecisionWindow* window = opened(f);
        QVERIFY(window);
        window->resize(1000, 600);
        QTRY_VERIFY(window->busy());
        shorten(*window, "1");
        QVERIFY(finished(*window));
        auto& view = viewOf(*window);
        const auto mark = curveOf(*window, "ida")->marks.at(4); // at 1e-6
        const QPointF place = view.placeOf(mark);
        QVERIFY(view.plotArea().contains(place));
        // The mark is in its run's colour there.
        const QImage picture = view.grab().toImage();
        QCOMPARE(picture.pixelColor(place.toPoint()), Theme::light().run(0));
        // Ten times the work is a decade further to the right.
        const auto& marks = curveOf(*window, "ida")->marks;
        const double unit = (view.placeOf(marks[5]).x() - place.x()) / std::log10(marks[5].work / mark.work);
        QVERIFY(std::abs(view.placeOf({10 * mark.work, mark.error, {}}).x() - place.x() - unit)
                < 1e-6 * unit); // round-off of logarithms

        const int undo = f.document.undoStack().count();
        QTest::mouseClick(&view, Qt::LeftButton, {}, place.toPoint());
        QTRY_COMPARE(f.status(0).settings.options.relativeTolerance, 1e-6);
        QVERIFY(f.document.undoStack().count() > undo || f.document.undoStack().canUndo());
        QTest::qWait(400);
        QVERIFY(!window->busy()); // the tolerance is the curve's, nothing is new

        // A point of a picked method becomes a run with that tolerance.
        window->setPicked("radau", true);
        QTRY_VERIFY_WITH_TIMEOUT(curveOf(*window, "radau"), 5000);
        QVERIFY(finished(*window));
        const std::size_t runs = f.document.runs().size();
        QTest::mouseClick(&view, Qt::LeftButton, {}, view.placeOf(curveOf(*window, "radau")->marks.at(2)).toPoint());
        QTRY_COMPARE(f.document.runs().size(), runs + 1);
        QCOMPARE(f.status(static_cast<int>(runs)).settings.integrator, std::string("radau"));
        QVERIFY(std::abs(f.status(static_cast<int>(runs)).settings.options.relativeTolerance - 1e-4)
                < 1e-18); // a power of ten, rounded
    }

    void aChangedModel_computesAnew()
    {
        Fixture f;
        QVERIFY(f.document.opener().openFirstStart().ok());
        f.document.playback().pause();
        WorkPrecisionWindow* window = opened(f);
        QVERIFY(window);
        QTRY_VERIFY(window->busy());
        shorten(*window, "1");
        QVERIFY(finished(*window));
        const auto before = window->reference()->values;
        QVERIFY(f.document.control().setParameter("L", 1.3));
        QTRY_VERIFY_WITH_TIMEOUT(window->busy(), 5000);
        QVERIFY(finished(*window));
        QVERIFY(window->reference()->values != before);

        QVERIFY(f.document.opener().openModel("slider-crank").ok());
        QTRY_VERIFY_WITH_TIMEOUT(window->busy(), 5000);
        shorten(*window, "0.5");
        QVERIFY(finished(*window));
        QVERIFY(window->reference()->values.size() > before.size());
    }

    void cancellingAndClosing_doNotWait()
    {
        Fixture f;
        QVERIFY(f.document.opener().openModel("double-pendulum").ok());
        WorkPrecisionWindow* window = opened(f);
        QVERIFY(window);
        QTRY_VERIFY(window->busy());
        shorten(*window, "100"); // chaotic, at 1e-12: many seconds
        QTRY_VERIFY(window->busy());
        QTest::qWait(150);
        QElapsedTimer clock;
        clock.start();
        QTest::mouseClick(window->findChild<QPushButton*>("workCancel"), Qt::LeftButton);
        QVERIFY(!window->busy());
        QVERIFY2(clock.elapsed() < 200,
                 qPrintable(QString::number(clock.elapsed()))); // a frame or two; the machine may be busy
        QVERIFY(window->findChild<QLabel*>("workState")->text().contains("Cancelled"));
        QTest::qWait(400);
        QVERIFY(!window->busy());                                                         // and it stays so
        QTest::mouseClick(window->findChild<QPushButton*>("workCancel"), Qt::LeftButton); // "Compute again"
        QTRY_VERIFY(window->busy());
        clock.restart();
        window->close();
        QVERIFY(!window->busy());
        QVERIFY2(clock.elapsed() < 200, qPrintable(QString::number(clock.elapsed())));
    }

    void files_areWhatIsShown()
    {
        Fixture f;
        QVERIFY(f.document.opener().openFirstStart().ok());
        f.document.playback().pause();
        WorkPrecisionWindow* window = opened(f);
        QVERIFY(window);
        QTRY_VERIFY(window->busy());
        shorten(*window, "1");
        QVERIFY(finished(*window));
        QTemporaryDir folder;
        for (const char* name : {"w.svg", "w.png", "w.pdf", "w.csv"})
            QVERIFY2(window->exportTo(folder.filePath(name)).ok(), name);
        const QImage picture(folder.filePath("w.png"));
        std::set<QRgb> colours;
        for (int y = 0; y < picture.height(); y += 5)
            for (int x = 0; x < picture.width(); x += 5)
                colours.insert(picture.pixel(x, y));
        QVERIFY2(colours.size() > 5, "the picture is blank");
        QFile svg(folder.filePath("w.svg"));
        QVERIFY(svg.open(QIODevice::ReadOnly) && svg.readAll().contains("<svg"));
        QFile table(folder.filePath("w.csv"));
        QVERIFY(table.open(QIODevice::ReadOnly));
        const auto lines = QString::fromUtf8(table.readAll()).split('\n', Qt::SkipEmptyParts);
        std::size_t points = 0;
        for (const auto& curve : viewOf(*window).data().curves)
            points += curve.marks.size();
        QCOMPARE(static_cast<std::size_t>(lines.size()), points + 1);
        QCOMPARE(lines[1].count(','), lines[0].count(',') + 1); // the name has one within its quotes
        if (const QString kept = qEnvironmentVariable("DRIFTLESS_KEEP_PICTURES"); !kept.isEmpty()) {
            QFile::remove(kept + "/work-figure.png");
            QFile::copy(folder.filePath("w.png"), kept + "/work-figure.png");
        }
        QVERIFY(!window->exportTo("/nowhere/w.svg").ok());
    }
};

QTEST_MAIN(TestWorkPrecision)
#include "test_work_precision.moc"
