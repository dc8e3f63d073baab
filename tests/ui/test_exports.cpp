// The exported files, read back by other means than they were written: SVG as XML, PDF by its text, CSV by its bits.
#include <QtTest>

#include <QClipboard>
#include <QGuiApplication>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QXmlStreamReader>

#include <charconv>
#include <cmath>
#include <cstring>

#include "ui/figures/MathText.h"
#include "ui/views/FigureExport.h"
#include "ui/views/Theme.h"

using namespace driftless;
using namespace driftless::ui;
using figures::figureImage;
using figures::writeFigure;

namespace {

ExportRun exportRun(int colour, double amplitude, double h, double residual, const char* formulation, const char* integrator)
{
    using run::Column;
    using run::ColumnKind;
    run::Recording recording(
        1, 1,
        {Column{"x", "m", ColumnKind::Position}, Column{"x'", "m/s", ColumnKind::Velocity},
         Column{"rod.lambda", "", ColumnKind::Multiplier}, Column{"residual.position", "", ColumnKind::Residual},
         Column{"residual.velocity", "", ColumnKind::Residual}, Column{"residual.acceleration", "", ColumnKind::Residual},
         Column{"energy_error", "J", ColumnKind::Energy}, Column{"h", "s", ColumnKind::Step}});
    const auto steps = static_cast<long>(std::llround(40 / h));
    for (long i = 0; i <= steps; ++i) {
        const double t = static_cast<double>(i) * h, drift = residual * (1 + t * t) * (1.2 + std::sin(3 * t));
        const double row[] = {amplitude * std::cos(t),
                              -amplitude * std::sin(t),
                              1 / 3.0 + t,
                              drift,
                              drift / 30,
                              3e-16 * (1.2 + std::cos(9 * t)),
                              -drift / 7,
                              h};
        recording.append(t, row);
    }
    ExportRun run;
    run.plot = {colour, QString("Run %1").arg(colour + 1), recording.view()};
    run.settings.formulation = formulation;
    run.settings.integrator = integrator;
    run.settings.options.step = h;
    run.settings.options.relativeTolerance = run.settings.options.absoluteTolerance = 1e-8;
    run.steps = static_cast<std::uint64_t>(steps);
    return run;
}

ExportRequest request(bool dark = false)
{
    ExportRequest out;
    out.model = "Pendulum, case 2 of [MS91]";
    out.parameters = {"g = 1 m/s²", "m = 1 kg", "L = 1 m"};
    out.runs = {exportRun(0, 1, 0.01, 1e-12, "dummy-derivatives", "ida"), exportRun(1, 0.96, 0.2, 1e-6, "index-1", "rk4"),
                exportRun(2, 0.9, 0.2, 1e-9, "baumgarte", "rk4")};
    PlotSpec residuals, energy, quantity, error;
    energy.kind = PlotKind::EnergyError;
    quantity.kind = PlotKind::Quantity;
    quantity.quantity = "x";
    error.kind = PlotKind::ErrorAgainstReference;
    out.plots = {residuals, energy, quantity, error};
    out.style.theme = dark ? figures::Theme::Dark : figures::Theme::Light;
    return out;
}

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QString keepFolder(const QTemporaryDir& temporary)
{
    const QString kept = qEnvironmentVariable("DRIFTLESS_KEEP_PICTURES");
    return kept.isEmpty() ? temporary.path() : kept;
}

/// What a reader of the SVG sees: its words, and its stroked open paths by colour.
struct SvgContent {
    QStringList words;
    QMap<QString, int> curves;
};

SvgContent readSvg(const QByteArray& bytes)
{
    SvgContent out;
    QXmlStreamReader xml(bytes);
    QString fill, stroke;
    while (!xml.atEnd()) {
        xml.readNext();
        if (xml.isStartElement() && xml.name() == QLatin1String("g")) {
            fill = xml.attributes().value("fill").toString();
            stroke = xml.attributes().value("stroke").toString();
        } else if (xml.isStartElement() && xml.name() == QLatin1String("path") && fill == "none") {
            ++out.curves[stroke];
        } else if (xml.isStartElement() && xml.name() == QLatin1String("text")) {
            out.words << xml.readElementText().trimmed();
        }
    }
    return out;
}

} // namespace

class TestExports : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;

private slots:
    void svgHasLegendTextAndOneCurveEach()
    {
        const figures::Figure figure = composeFigure(request());
        const QString path = keepFolder(folder_) + "/figure.svg";
        const auto written = writeFigure(figure, path);
        QVERIFY2(written.ok(), written.ok() ? "" : written.error().text().c_str());
        const SvgContent svg = readSvg(contentOf(path));
        const QString all = svg.words.join('\n');
        for (const char* word :
             {"Pendulum, case 2 of [MS91]", "L = 1 m", "dummy-derivatives · ida", "index-1 · rk4, h = 0.2 s · 200 steps",
              "Run 1", "Run 3", "Constraint residuals", "Energy error", "\n10\n−", "[s]"})
            QVERIFY2(all.contains(word), word);
        // Residuals, energy, quantity for each run; the error for all but the reference. Levels of residuals are paler.
        const int expected[] = {3, 4, 4};
        for (int run = 0; run < 3; ++run)
            QCOMPARE(svg.curves.value(Theme::light().run(run).name()), expected[run]);
    }

    void pdfHasOnePageWithTheText()
    {
        const QString path = keepFolder(folder_) + "/figure.pdf";
        QVERIFY(writeFigure(composeFigure(request()), path).ok());
        const QByteArray bytes = contentOf(path);
        QVERIFY(bytes.startsWith("%PDF-"));
        QCOMPARE(bytes.count("/Type /Page\n"), 1);
        const QString reader = QStandardPaths::findExecutable("pdftotext");
        if (reader.isEmpty())
            QSKIP("pdftotext (poppler-utils) is not installed");
        QProcess process;
        process.start(reader, {path, "-"});
        QVERIFY(process.waitForFinished());
        const QString text = QString::fromUtf8(process.readAllStandardOutput());
        for (const char* word : {"Pendulum", "dummy-derivatives", "rk4", "Constraint residuals", "200 steps"})
            QVERIFY2(text.contains(word), word);
    }

    void pngHasThePrintedSizeAndIsNotBlank_data()
    {
        QTest::addColumn<bool>("dark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }

    void pngHasThePrintedSizeAndIsNotBlank()
    {
        QFETCH(bool, dark);
        ExportRequest wanted = request(dark);
        QImage scene(400, 300, QImage::Format_RGB32);
        scene.fill(QColor(10, 200, 30));
        if (!dark)
            wanted.scene = scene;
        const figures::Figure figure = composeFigure(wanted);
        const QString path = keepFolder(folder_) + (dark ? "/figure-dark.png" : "/figure-light.png");
        QVERIFY(writeFigure(figure, path).ok());
        const QImage image(path);
        const QSizeF inches = figures::figureSize(figure) / 25.4;
        QCOMPARE(image.size(),
                 QSize(qRound(inches.width() * figures::kPrintDpi), qRound(inches.height() * figures::kPrintDpi)));
        const Theme& theme = dark ? Theme::darkTheme() : Theme::light();
        QCOMPARE(image.pixelColor(3, 3), theme.surface);
        int perRun[3] = {0, 0, 0}, ofScene = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x) {
                const QColor c = image.pixelColor(x, y);
                for (int r = 0; r < 3; ++r)
                    perRun[r] += c == theme.run(r) ? 1 : 0;
                ofScene += c == QColor(10, 200, 30) ? 1 : 0;
            }
        for (const int count : perRun)
            QVERIFY(count > 500);
        QVERIFY(dark || ofScene > 10000);
    }

    void theVisibleTimeIsDrawn()
    {
        ExportRequest wanted = request();
        wanted.t0 = 10;
        wanted.t1 = 20;
        for (const figures::Panel& panel : composeFigure(wanted).panels) {
            QCOMPARE(panel.x.low, 10.0);
            QCOMPARE(panel.x.high, 20.0);
        }
    }

    void eventsAndPivotsAreShownWhereAskedFor()
    {
        ExportRequest wanted = request();
        wanted.runs[0].events = {{5, run::CommandDone{run::SetParameter{"L", 1.2}}},
                                 {12, run::PivotChange{.from = {"x"}, .to = {"y"}, .kappaBefore = 9, .kappa = 1.2}}};
        wanted.runs[0].pivots = {{.dummies = "y"}};
        figures::Figure figure = composeFigure(wanted);
        QCOMPARE(figure.panels.size(), std::size_t{4});
        QVERIFY(figure.panels[0].events.empty());
        wanted.eventMarks = wanted.pivots = true;
        figure = composeFigure(wanted);
        QCOMPARE(figure.panels.size(), std::size_t{5});
        QCOMPARE(figure.panels[0].events.size(), std::size_t{1});
        QCOMPARE(figures::toPlainText(figure.panels[0].events[0].text), QString::fromUtf8("Run 1: L -> 1.2"));
        const figures::Panel& pivots = figure.panels.back();
        QCOMPARE(pivots.strips.size(), std::size_t{1}); // the other runs have no pivots
        QCOMPARE(pivots.strips[0].spans.size(), std::size_t{2});
        QCOMPARE(pivots.strips[0].spans[0].to, 12.0);
        QCOMPARE(pivots.categories, QStringList({"$x$", "$y$"}));
    }

    void captionSaysModelParametersAndRuns()
    {
        ExportRequest wanted = request();
        wanted.heading = false;
        const figures::Figure figure = composeFigure(wanted);
        QVERIFY(figure.title.isEmpty() && figure.notes.isEmpty());
        const QString caption = figures::toPlainText(figure.caption);
        for (const char* part :
             {"Pendulum, case 2 of [MS91]", "L = 1 m", "Run 2: index-1 · rk4, h = 0.2 s", "10⁻⁸", "0 s to 40 s"})
            QVERIFY2(caption.contains(part), qPrintable(caption));
    }

    void csvReadsBackToTheSameBits()
    {
        const ExportRequest wanted = request();
        std::vector<PlotRun> runs;
        for (const ExportRun& run : wanted.runs)
            runs.push_back(run.plot);
        const QString path = folder_.filePath("numbers.csv");
        QVERIFY(writeCsv(runs, 10, 20, path).ok());
        const QList<QByteArray> lines = contentOf(path).split('\n');
        QCOMPARE(lines[0],
                 QByteArray("run,t,x,x',rod.lambda,residual.position,residual.velocity,residual.acceleration,energy_error,h"));
        int line = 1;
        for (const PlotRun& run : runs)
            for (std::uint64_t row = 0; row < run.recording.rowCount(); ++row) {
                const double t = run.recording.time(row);
                if (t < 10 || t > 20)
                    continue;
                const QList<QByteArray> cells = lines[line++].split(',');
                QCOMPARE(cells[0], run.name.toUtf8());
                QCOMPARE(cells.size(), run.recording.columnCount() + 2);
                for (int c = -1; c < run.recording.columnCount(); ++c) {
                    double value = 0;
                    const QByteArray& cell = cells[c + 2];
                    std::from_chars(cell.data(), cell.data() + cell.size(), value);
                    const double expected = c < 0 ? t : run.recording.value(row, c);
                    QVERIFY(std::memcmp(&value, &expected, sizeof value) == 0);
                }
            }
        QCOMPARE(lines.size(), line + 1);
        QVERIFY(lines.last().isEmpty());
    }

    void aRefusedFileLeavesNothingBehind()
    {
        const figures::Figure figure = composeFigure(request());
        const QString nowhere = folder_.filePath("no/such/folder/figure.svg");
        const auto missing = writeFigure(figure, nowhere);
        QVERIFY(!missing.ok());
        QVERIFY(missing.error().text().find("figure.svg") != std::string::npos);
        const auto unknown = writeFigure(figure, folder_.filePath("figure.tiff"));
        QVERIFY(!unknown.ok());
        QVERIFY(QDir(folder_.path()).entryList({"figure.tiff*"}).isEmpty());
        QVERIFY(!writeImage({}, folder_.filePath("nothing.png")).ok());
        QVERIFY(!QFile::exists(folder_.filePath("nothing.png")));
    }

    void emptyComparisonIsStillAFigure()
    {
        ExportRequest wanted;
        wanted.model = "nothing yet";
        wanted.plots = {PlotSpec{}};
        figures::Figure figure = composeFigure(wanted);
        QVERIFY(figures::checkFigure(figure).ok());
        QCOMPARE(figure.panels.size(), std::size_t{1});
        QVERIFY2(!figure.panels[0].empty.isEmpty(), "the panel says that there is nothing");
        const QImage said = figureImage(figure);
        figure.panels[0].empty.clear();
        QVERIFY2(!said.isNull() && said != figureImage(figure), "what it says is drawn");
    }

    void clipboardHoldsThePicture()
    {
        const figures::Figure figure = composeFigure(request());
        copyFigure(figure);
        const QImage held = QGuiApplication::clipboard()->image().convertToFormat(QImage::Format_RGB32);
        QCOMPARE(held, figureImage(figure).convertToFormat(QImage::Format_RGB32));
        copyFigure(composeFigure(request(true)));
        QVERIFY(QGuiApplication::clipboard()->image().convertToFormat(QImage::Format_RGB32) != held);
    }
};

QTEST_MAIN(TestExports)
#include "test_exports.moc"
