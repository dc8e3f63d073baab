// Measured data beside the runs: dots in the plots and in figures, kept by sessions and undone; refused by name where the model
// records no such thing, and then nothing has changed.
#include <QSettings>
#include <QTemporaryDir>

#include <nlohmann/json.hpp>

#include <atomic>

#include "core/page/Page.h"
#include "core/study/Execute.h"
#include "core/text/WholeFile.h"
#include "tests/ui/WindowFixture.h"
#include "ui/panels/Actions.h"
#include "ui/panels/Exports.h"
#include "ui/panels/PlotColumn.h"
#include "ui/views/Theme.h"

using namespace driftless;
using namespace driftless::ui;
using namespace driftless::ui::test;

namespace {

// The swing of a camera that stood still: three points that no run of the pendulum passes through.
const std::string kCsv = "t [s], bob.x [m], y\n0.5, 2.5, 0\n1, 2.25, -0.5\n2, -2, -1\n";

/// Pixels of exactly this colour around a point of a plot.
int pixelsOf(PlotView& plot, QPointF place, QColor colour)
{
    const QImage image = plot.grab().toImage();
    int count = 0;
    for (int y = -3; y <= 3; ++y)
        for (int x = -3; x <= 3; ++x)
            if (const QPoint at = place.toPoint() + QPoint(x, y); image.rect().contains(at))
                count += image.pixelColor(at) == colour ? 1 : 0;
    return count;
}

} // namespace

class TestMeasured : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    QString path(const QString& name) const { return folder_.filePath(name); }
    QString write(const QString& name, const std::string& text) const
    {
        return writeWholeFile(path(name).toStdString(), text) ? path(name) : QString();
    }

private slots:
    void initTestCase() { QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, folder_.path()); }

    void data_isDotsInThePlotOfItsQuantity()
    {
        Fixture f;
        QVERIFY(f.window.openPath("pendulum"));
        f.window.actionRegistry().at("showMeasured").trigger();
        QVERIFY(f.acceptPath(write("swing.csv", kCsv)));
        QVERIFY(QTest::qWaitFor([&] { return !f.document.bench().measured().empty(); }, 2000));
        const std::vector<PlotRun> data = f.window.plots().measured();
        QCOMPARE(data.size(), std::size_t{1});
        QCOMPARE(data[0].name, QString("swing.csv"));
        QVERIFY(data[0].colour != f.document.runs()[0].colour);
        QCOMPARE(data[0].recording.rowCount(), std::uint64_t{3});
        QCOMPARE(data[0].recording.value(1, data[0].recording.findColumn("bob.y")), -0.5); // "y" is unambiguous

        PlotView& plot = f.window.plots().plot(0);
        QVERIFY(QTest::qWaitFor([&] { return plot.spec().quantity == "bob.x"; }, 2000)); // the plot turns to what was opened
        f.window.plots().refreshAll();
        QTest::qWait(50);
        QVERIFY2(plot.ordinate().high >= 2.5 && plot.ordinate().low <= -2, "the axis holds all dots");
        const QColor colour = Theme::light().run(data[0].colour);
        QVERIFY(pixelsOf(plot, plot.pointOnScreen(1, 2.25), colour) >= 4);
        QCOMPARE(pixelsOf(plot, plot.pointOnScreen(0.75, 2.375), colour), 0); // no line between them
        QCOMPARE(plot.timeEnd(), 10.0);                                       // data stretches no range of time

        f.document.undoStack().undo();
        QVERIFY(f.document.bench().measured().empty());
        f.window.plots().refreshAll();
        QTest::qWait(50);
        QCOMPARE(pixelsOf(plot, plot.pointOnScreen(1, 2.25), colour), 0);
        f.document.undoStack().redo();
        QCOMPARE(f.document.bench().measured().size(), std::size_t{1});
        f.window.actionRegistry().at("hideMeasured").trigger();
        QVERIFY(f.document.bench().measured().empty());
        const int entries = f.document.undoStack().index();
        f.window.actionRegistry().at("hideMeasured").trigger(); // says that there is none
        QCOMPARE(f.document.undoStack().index(), entries);
    }

    void dots_areNoLinesOfARunThatComesLater()
    {
        // The graph that drew dots draws the line of a run once the data is gone.
        Fixture f;
        QVERIFY(f.window.openPath("pendulum"));
        QVERIFY(f.window.openPath(write("swing.csv", kCsv)));
        f.window.plots().choose(0, {.kind = PlotKind::Quantity, .quantity = "bob.x"});
        f.window.plots().refreshAll();
        f.document.undoStack().undo();
        f.document.laboratory().waitUntil(2);
        f.window.showAt(2);
        f.window.plots().refreshAll();
        QTest::qWait(50);
        PlotView& plot = f.window.plots().plot(0);
        const auto recording = f.document.laboratory().recording(f.id(0));
        const int column = recording.findColumn("bob.x");
        const std::uint64_t row = recording.rowCount() / 2; // between two rows the line goes on
        const double t = (recording.time(row) + recording.time(row + 1)) / 2,
                     x = (recording.value(row, column) + recording.value(row + 1, column)) / 2;
        QVERIFY(pixelsOf(plot, plot.pointOnScreen(t, x), Theme::light().run(f.document.runs()[0].colour)) > 0);
    }

    void data_staysWithItsDocument()
    {
        Fixture f;
        QVERIFY(f.window.openPath("pendulum"));
        QVERIFY(f.window.openPath(write("swing.csv", kCsv)));
        f.document.edits().reset();
        QCOMPARE(f.document.bench().measured().size(), std::size_t{1});
        QVERIFY(f.document.files().saveSession(path("with.driftless")));
        QVERIFY(f.window.openPath("slider-crank"));
        QVERIFY(f.document.bench().measured().empty());
        QVERIFY(f.document.files().openSession(path("with.driftless")));
        const auto& back = f.document.bench().measured();
        QCOMPARE(back.size(), std::size_t{1});
        QCOMPARE(back[0].name, QString("swing.csv"));
        QCOMPARE(back[0].text, kCsv);
        QCOMPARE(back[0].columns->view().value(2, 0), -2.0);
    }

    void aDamagedSession_opensWithoutTheData()
    {
        Fixture f;
        QVERIFY(f.window.openPath("pendulum"));
        QVERIFY(f.window.openPath(write("swing.csv", kCsv)));
        QVERIFY(f.document.files().saveSession(path("good.driftless")));
        QFile file(path("good.driftless"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QByteArray json = file.readAll();
        const auto at = json.indexOf("bob.x [m], y");
        QVERIFY(at > 0);
        json.replace(at, 5, "bug.x");
        QVERIFY(writeWholeFile(path("bad.driftless").toStdString(), json.toStdString()));
        QVERIFY(f.document.files().openSession(path("bad.driftless")));
        QVERIFY(f.document.bench().measured().empty());
        QCOMPARE(f.document.runs().size(), std::size_t{1});
    }

    void aStudy_bringsItsData()
    {
        QVERIFY(!write("camera.csv", kCsv).isEmpty());
        const QString study =
            write("study.toml", "title = \"t\"\n[default]\nmodel = \"pendulum\"\nend = 1\n[[run]]\nname = \"made\"\n"
                                "[[run]]\nname = \"camera\"\nlabel = \"the camera\"\ndata = \"camera.csv\"\n"
                                "[[run]]\nname = \"none\"\ndata = \"missing.csv\"\n");
        Document document;
        QString left;
        QVERIFY(document.opener().openStudy(study, &left));
        QCOMPARE(document.bench().measured().size(), std::size_t{1});
        QCOMPARE(document.bench().measured()[0].name, QString("the camera"));
        QVERIFY2(left.contains("measured data"), qPrintable(left)); // the file that is not there
    }

    void figures_haveTheDotsToo()
    {
        Fixture f;
        QVERIFY(f.window.openPath("pendulum"));
        QVERIFY(f.window.openPath(write("swing.csv", kCsv)));
        f.document.laboratory().waitUntil(2);
        f.window.showAt(2);
        QVERIFY(f.window.exports().now(folder_.path()));
        QFile caption(path("pendulum-1.txt"));
        QVERIFY(caption.open(QIODevice::ReadOnly));
        const QString words = QString::fromUtf8(caption.readAll());
        QVERIFY2(words.contains("swing.csv: measured"), qPrintable(words));
        QVERIFY(f.window.exports().csv(path("numbers.csv")));
        QFile numbers(path("numbers.csv"));
        QVERIFY(numbers.open(QIODevice::ReadOnly));
        QVERIFY(!numbers.readAll().contains("swing.csv")); // the numbers of the runs
    }

    void aPageHasTheDots_fromTheWindowAndFromItsSession()
    {
        Fixture f;
        QVERIFY(f.window.openPath("pendulum"));
        QVERIFY(f.window.openPath(write("swing.csv", kCsv)));
        f.document.laboratory().waitUntil(2);
        f.window.showAt(2);
        QVERIFY(f.window.exports().page(path("swing.html")));
        QFile page(path("swing.html"));
        QVERIFY(page.open(QIODevice::ReadOnly));
        QVERIFY(page.readAll().contains(R"("name":"swing.csv","formulation":"measured")"));
        QVERIFY(f.document.files().saveSession(path("swing.driftless")));
        const auto again = page::pageOfSession(path("swing.driftless").toStdString());
        QVERIFY(again);
        const auto& runs = again->data().at("runs");
        QCOMPARE(runs.size(), std::size_t{2});
        QVERIFY(runs[1].at("measured").get<bool>() && !runs[0].at("measured").get<bool>());
        QCOMPARE(runs[1].at("name").get<std::string>(), std::string("swing.csv"));
        QCOMPARE(runs[1].at("columns").size(), std::size_t{3}); // the time's, and two that were measured
    }

    void aStudyOfTheSession_hasTheDataBesideIt()
    {
        Fixture f;
        QVERIFY(f.window.openPath("pendulum"));
        const QString file = write("swing.csv", kCsv);
        QVERIFY(f.window.openPath(file) && f.window.openPath(file));
        QCOMPARE(f.document.bench().measured()[1].name, QString("swing (2).csv")); // two files that are told apart
        f.document.laboratory().waitUntil(1);
        QTemporaryDir other;
        QVERIFY(writeWholeFile(other.filePath("swing.csv").toStdString(), "another text"));
        QVERIFY(f.document.files().saveStudy(other.filePath("study.toml")));
        QFile kept(other.filePath("swing.csv"));
        QVERIFY(kept.open(QIODevice::ReadOnly));
        QCOMPARE(kept.readAll(), QByteArray("another text")); // a file of somebody else
        const auto study = study::openStudy(other.filePath("study.toml").toStdString());
        QVERIFY2(study, study ? "" : study.error().text().c_str());
        const auto executor = study::Executor::create(*study, "test");
        QVERIFY2(executor, executor ? "" : executor.error().text().c_str());
        QCOMPARE(study->runs.size(), std::size_t{3});
        QCOMPARE(study->runs[1].data, std::string("swing-2.csv"));
        const std::atomic<bool> cancel{false};
        const auto data = (*executor)->run(1, cancel);
        QVERIFY(data && data->isMeasured());
        QCOMPARE(data->rowCount(), std::size_t{3});
        QVERIFY(f.document.files().saveStudy(other.filePath("study.toml"))); // once more: the files that it wrote are its own
        QVERIFY(!QFile::exists(other.filePath("swing-3.csv")));
    }

    void whatIsNoData_isRefused_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("words");
        QTest::newRow("unknown column") << "t, ball.x\n0, 1\n1, 2\n"
                                        << "ball.x";
        QTest::newRow("unit") << "t, bob.x [mm]\n0, 1\n1, 2\n"
                              << "mm";
        QTest::newRow("a word") << "t, bob.x\n0, one\n1, 2\n"
                                << "bad.csv:2";
        QTest::newRow("empty") << ""
                               << "bad.csv";
        QTest::newRow("too large") << QString(5 << 20, '#') << "bad.csv";
    }
    void whatIsNoData_isRefused()
    {
        QFETCH(QString, text);
        QFETCH(QString, words);
        Document document;
        QVERIFY(document.opener().openModel("pendulum"));
        const auto refused = document.files().open(write("bad.csv", text.toStdString()));
        QVERIFY(!refused);
        QVERIFY2(QString::fromStdString(refused.error().text()).contains(words), refused.error().text().c_str());
        QVERIFY(document.bench().measured().empty());
        QVERIFY(!document.undoStack().canUndo());
    }

    void fourFilesAreEnough_andAModelIsNeeded()
    {
        Document document;
        const QString file = write("swing.csv", kCsv);
        QVERIFY(!document.files().open(file));
        QVERIFY(document.opener().openModel("pendulum"));
        for (int i = 0; i < 4; ++i)
            QVERIFY(document.files().open(file));
        QVERIFY(!document.files().open(file));
        QCOMPARE(document.bench().measured().size(), std::size_t{4});
    }
};

QTEST_MAIN(TestMeasured)
#include "test_measured.moc"
