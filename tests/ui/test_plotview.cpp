// The plots by their pixels and the data behind them: every expected place is computed here from the synthetic runs.
#include <QtTest>

#include <QImage>
#include <QLabel>
#include <QWheelEvent>

#include <cmath>
#include <random>

#include "ui/figures/BlendColours.h"
#include "ui/figures/CurveStyle.h"
#include "ui/views/PlotHeader.h"
#include "ui/views/PlotView.h"
#include "ui/views/Theme.h"

using namespace driftless;
using namespace driftless::ui;

namespace {

/// One coordinate x = amplitude cos t, one multiplier, residuals that are powers of ten, a step of h [s].
/// setAside above 0: a residual of rows that were set aside, as models with dependent rows record it.
PlotRun syntheticRun(int colour, double amplitude, double h, double end, double residual = 1e-6, double setAside = 0)
{
    using run::Column;
    using run::ColumnKind;
    std::vector<Column> columns{Column{"x", "m", ColumnKind::Position},
                                Column{"x'", "m/s", ColumnKind::Velocity},
                                Column{"rod.lambda", "", ColumnKind::Multiplier},
                                Column{"residual.position", "", ColumnKind::Residual},
                                Column{"residual.velocity", "", ColumnKind::Residual},
                                Column{"residual.acceleration", "", ColumnKind::Residual},
                                Column{"energy_error", "J", ColumnKind::Energy},
                                Column{"h", "s", ColumnKind::Step},
                                Column{"order", "", ColumnKind::Step}};
    if (setAside > 0)
        columns.push_back({"residual.set_aside", "", ColumnKind::Residual});
    run::Recording recording(1, 1, columns);
    const auto steps = static_cast<long>(std::llround(end / h));
    for (long i = 0; i <= steps; ++i) {
        const double t = static_cast<double>(i) * h;
        const double row[] = {amplitude * std::cos(t),
                              -amplitude * std::sin(t),
                              1,
                              residual,
                              residual * 1e-3,
                              residual * 1e-6,
                              -residual * t,
                              h,
                              amplitude > 1 ? 5.0 : 4.0,
                              setAside};
        recording.append(t, std::span(row).first(columns.size()));
    }
    return {colour, QString("Run %1").arg(colour + 1), recording.view()};
}

/// A residual that jumps between 1e-12 and 1e-9 from step to step.
PlotRun noisyRun(int steps)
{
    using run::Column;
    using run::ColumnKind;
    run::Recording recording(1, 1,
                             {Column{"x", "m", ColumnKind::Position}, Column{"x'", "m/s", ColumnKind::Velocity},
                              Column{"rod.lambda", "", ColumnKind::Multiplier},
                              Column{"residual.position", "", ColumnKind::Residual}});
    std::mt19937 draw(7);
    std::uniform_real_distribution<double> decade(-12, -9);
    for (int i = 0; i <= steps; ++i) {
        const double row[] = {0, 0, 0, std::pow(10.0, decade(draw))};
        recording.append(10.0 * i / steps, row);
    }
    return {0, "Run 1", recording.view()};
}

bool near(const QColor& a, const QColor& b, int tolerance)
{
    return std::abs(a.red() - b.red()) <= tolerance && std::abs(a.green() - b.green()) <= tolerance
           && std::abs(a.blue() - b.blue()) <= tolerance;
}

/// Colour of a level of a run.
QColor levelColour(int run, int level)
{
    return figures::blended(Theme::light().surface, Theme::light().run(run), figures::levelLook(level).strength);
}

/// Whether a pixel like colour lies within radius [px] of a place.
bool hasColour(const QImage& image, QPointF place, const QColor& colour, int radius = 2, int tolerance = 60)
{
    for (int dy = -radius; dy <= radius; ++dy)
        for (int dx = -radius; dx <= radius; ++dx) {
            const QPoint p = place.toPoint() + QPoint(dx, dy);
            if (image.valid(p) && near(image.pixelColor(p), colour, tolerance))
                return true;
        }
    return false;
}

void keep(const QImage& image, const char* name)
{
    const QString folder = qEnvironmentVariable("DRIFTLESS_KEEP_PICTURES");
    if (!folder.isEmpty())
        image.save(folder + '/' + name);
}

} // namespace

class TestPlotView : public QObject {
    Q_OBJECT

    static QImage picture(PlotView& view, const char* name)
    {
        view.refresh();
        const QImage image = view.grab().toImage();
        keep(image, name);
        return image;
    }

private slots:
    void curveGoesThroughItsSamples()
    {
        PlotView view;
        view.resize(448, 260);
        view.setKind(PlotKind::Quantity);
        view.setQuantity("x");
        view.setRuns({syntheticRun(0, 1, 0.1, 10)});
        view.setTimeRange(0, 10);
        const QImage image = picture(view, "quantity.png");
        const QColor colour = Theme::light().run(0);
        for (const double t : {1.0, 2.5, 4.0, 6.5, 9.0}) {
            QVERIFY2(hasColour(image, view.pointOnScreen(t, std::cos(t)), colour),
                     qPrintable(QString("no curve at t = %1").arg(t)));
            const double other = std::cos(t) > 0 ? std::cos(t) - 0.8 : std::cos(t) + 0.8;
            QVERIFY2(!hasColour(image, view.pointOnScreen(t, other), colour),
                     qPrintable(QString("curve where none is at t = %1").arg(t)));
        }
    }

    void residualsStandAtTheirDecades()
    {
        PlotView view;
        view.resize(448, 260);
        view.setRuns({syntheticRun(1, 1, 0.1, 10)});
        view.setTimeRange(0, 10);
        const QImage image = picture(view, "residuals.png");
        const PlotRange range = view.ordinate();
        for (const double end : {range.low, range.high})
            QVERIFY(std::abs(std::log10(end) - std::round(std::log10(end))) < 1e-9);
        // Equal ratios are equal lengths: a logarithmic axis.
        const double a = view.pointOnScreen(1, 1e-6).y(), b = view.pointOnScreen(1, 1e-9).y(),
                     c = view.pointOnScreen(1, 1e-12).y();
        QVERIFY(b > a);
        QVERIFY(std::abs((b - a) - (c - b)) < 1e-6 * (c - a));
        int at = 0;
        for (const double level : {1e-6, 1e-9, 1e-12}) {
            bool found = false, gap = false; // dashes: somewhere along the line
            const QColor ink = levelColour(1, at++);
            for (double t = 1; t < 9; t += 0.05) {
                found = found || hasColour(image, view.pointOnScreen(t, level), ink, 1);
                gap = gap || !hasColour(image, view.pointOnScreen(t, level), ink, 1);
            }
            QVERIFY2(found, qPrintable(QString("no curve at %1").arg(level)));
            QVERIFY2(gap, "every level has the dash of the run");
        }
    }

    void rowsThatWereSetAsideHaveACurveAndAName()
    {
        PlotView view;
        view.resize(448, 260);
        const std::vector<PlotRun> plain{syntheticRun(1, 1, 0.1, 10)}, watched{syntheticRun(1, 1, 0.1, 10, 1e-6, 3e-8)};
        QCOMPARE(plotLabels({}, plain).levels.size(), 3); // no name without a curve
        QCOMPARE(plotLabels({}, watched).levels.size(), 4);
        QVERIFY(plotLabels({}, watched).levels.back().contains("set aside"));
        QCOMPARE(plotValueAt({}, watched, 0, 3, 5.0), 3e-8);
        view.setRuns(watched);
        view.setTimeRange(0, 10);
        const QImage image = picture(view, "set-aside.png");
        bool found = false; // dashes: somewhere along the line
        for (double t = 1; t < 9 && !found; t += 0.05)
            found = hasColour(image, view.pointOnScreen(t, 3e-8), levelColour(1, 3), 1);
        QVERIFY(found);
    }

    void roundOffIsShaded()
    {
        PlotView view;
        view.resize(448, 260);
        view.setRuns({syntheticRun(0, 1, 0.1, 10, 1e-12)});
        view.setTimeRange(0, 10);
        const QImage image = picture(view, "roundoff.png");
        const QColor below = image.pixelColor(view.pointOnScreen(5.3, 3e-17).toPoint());
        const QColor above = image.pixelColor(view.pointOnScreen(5.3, 3e-14).toPoint());
        QCOMPARE(above, Theme::light().surface);
        QVERIFY(below != above && near(below, above, 60));
    }

    void envelopeHoldsTheExtremesOfTheRawCurve()
    {
        // 1000 samples a pixel column: every column must reach both ends of the oscillation.
        PlotSpec spec;
        spec.kind = PlotKind::Quantity;
        spec.quantity = "x";
        const PlotRun run = syntheticRun(0, 1, 0.01, 2000);
        const auto curves = plotCurves(spec, {run}, 0, 2000, 200);
        QCOMPARE(curves.size(), std::size_t(1));
        QVERIFY(curves[0].dense);
        QVERIFY(curves[0].points.size() <= 201);
        QCOMPARE(curves[0].band.size(), static_cast<std::size_t>(curves[0].points.size()));
        for (std::size_t i = 0; i + 2 < curves[0].band.size(); ++i) {
            double low = 1, high = -1;
            const PlotBand& band = curves[0].band[i];
            const double from = std::floor(band.t / curves[0].bucket) * curves[0].bucket;
            for (double t = from; t < from + curves[0].bucket; t += 0.01) {
                low = std::min(low, std::cos(t));
                high = std::max(high, std::cos(t));
            }
            // Samples of both loops may lie one step apart: cos changes by at most h^2/2 next to an extreme.
            QVERIFY(std::abs(band.low - low) <= 0.01 * 0.01);
            QVERIFY(std::abs(band.high - high) <= 0.01 * 0.01);
            const double line = curves[0].points[static_cast<qsizetype>(i)].y();
            QVERIFY(line >= band.low && line <= band.high);
        }
        const auto raw = plotCurves(spec, {run}, 0, 1, 200);
        QVERIFY(!raw[0].dense);
        for (const QPointF& p : raw[0].points)
            QCOMPARE(p.y(), std::cos(std::round(p.x() / 0.01) * 0.01));
    }

    /// Many short steps, and then some that are longer than many columns of pixels: x = t all the way, without a hole.
    void longStepsBehindManyShortOnes_leaveNoHoles()
    {
        run::Recording recording(0, 0, {{.name = "x", .unit = "", .kind = run::ColumnKind::Other}});
        const auto append = [&recording](double t) { recording.append(t, std::vector<double>{t}); };
        for (int k = 0; k <= 4000; ++k)
            append(k * 0.5e-3);
        for (const double t : {2.7, 6.0, 9.5})
            append(t);
        PlotSpec spec;
        spec.kind = PlotKind::Quantity;
        spec.quantity = "x";
        const auto curves = plotCurves(spec, {{.colour = 0, .name = "r", .recording = recording.view()}}, 0, 10, 400);
        QCOMPARE(curves.size(), std::size_t{1});
        QVERIFY(curves[0].dense);
        QVERIFY(curves[0].points.back().x() > 9.4);
        for (qsizetype i = 0; i < curves[0].points.size(); ++i) {
            const QPointF p = curves[0].points[i];
            QVERIFY2(std::abs(p.y() - p.x()) < 3 * curves[0].bucket, qPrintable(QString("%1: %2").arg(p.x()).arg(p.y())));
            QVERIFY(i == 0 || p.x() - curves[0].points[i - 1].x() < 1.5 * curves[0].bucket);
        }
    }

    /// A hundred thousand samples of noise are a band and a calm line in it; fifty are a line through each of them.
    void noiseIsABandWhereItIsDense_andALineWhereItIsNot()
    {
        const PlotRun many = noisyRun(100000), few = noisyRun(50);
        const auto dense = plotCurves({}, {many}, 0, 10, 400), sparse = plotCurves({}, {few}, 0, 10, 400);
        QVERIFY(!dense.empty() && !sparse.empty());
        QVERIFY(dense[0].dense && dense[0].band.size() >= 199);
        QVERIFY(!sparse[0].dense && sparse[0].band.empty());
        QCOMPARE(sparse[0].points.size(), 51);
        double travelled = 0, spread = 0;
        for (std::size_t i = 0; i < dense[0].band.size(); ++i) {
            const PlotBand& band = dense[0].band[i];
            const double y = dense[0].points[static_cast<qsizetype>(i)].y();
            QVERIFY(band.low > 0 && band.low <= y && y <= band.high);
            spread += std::log10(band.high / band.low);
            if (i > 0)
                travelled += std::abs(std::log10(y / dense[0].points[static_cast<qsizetype>(i) - 1].y()));
        }
        // The noise goes up and down by three decades within each column; the line by a hundredth of that.
        QVERIFY(spread > 2.5 * static_cast<double>(dense[0].band.size()));
        QVERIFY2(travelled < 0.03 * spread, qPrintable(QString("%1 of %2 decades").arg(travelled).arg(spread)));
    }

    /// Between: one sample for two pixels is a scribble where it is noise, and a curve where it is smooth.
    void noiseWithFewerSamplesThanPixelsIsABand_aSmoothCurveIsNot()
    {
        const auto noise = plotCurves({}, {noisyRun(400)}, 0, 10, 800);
        QVERIFY(noise[0].dense && noise[0].band.size() < 80);
        double travelled = 0;
        for (std::size_t i = 0; i < noise[0].band.size(); ++i) {
            const double y = noise[0].points[static_cast<qsizetype>(i)].y();
            QVERIFY(noise[0].band[i].low <= y && y <= noise[0].band[i].high);
            if (i > 0)
                travelled += std::abs(std::log10(y / noise[0].points[static_cast<qsizetype>(i) - 1].y()));
        }
        QVERIFY2(travelled < 0.1 * static_cast<double>(noise[0].band.size()), qPrintable(QString::number(travelled)));
        const auto smooth = plotCurves({}, {syntheticRun(0, 1, 0.025, 10)}, 0, 10, 800);
        for (const PlotCurve& curve : smooth)
            QVERIFY(!curve.dense && curve.band.empty() && curve.points.size() == 401);
    }

    /// What is drawn: inside of the band the lighter fill, the line in the colour of the run, nothing above.
    void aBandIsLighterThanItsLine()
    {
        PlotView view;
        view.resize(448, 260);
        view.setRuns({noisyRun(100000)});
        view.setTimeRange(0, 10);
        const QImage image = picture(view, "noise.png");
        const auto curves = plotCurves({}, {noisyRun(100000)}, 0, 10, static_cast<int>(view.plotRect().width()));
        const PlotBand& band = curves[0].band[curves[0].band.size() / 2];
        const QPointF line = curves[0].points[curves[0].points.size() / 2];
        const QColor run = Theme::light().run(0), surface = Theme::light().surface;
        QVERIFY(hasColour(image, view.pointOnScreen(line.x(), line.y()), run, 2));
        const QPoint inside = view.pointOnScreen(band.t, std::sqrt(line.y() * band.high)).toPoint();
        const QColor fill = image.pixelColor(inside);
        QVERIFY2(fill != surface && !near(fill, run, 60), qPrintable(fill.name()));
        QCOMPARE(image.pixelColor(view.pointOnScreen(band.t, 8 * band.high).toPoint()), surface);
    }

    /// Exact zeros stand at the floor and stretch no axis; a value that is small does.
    void zerosDragNoAxis_smallValuesDo()
    {
        const auto withSome = [](double odd) {
            run::Recording recording(1, 1,
                                     {run::Column{"x", "m", run::ColumnKind::Position},
                                      {"x'", "m/s", run::ColumnKind::Velocity},
                                      {"rod.lambda", "", run::ColumnKind::Multiplier},
                                      {"residual.position", "", run::ColumnKind::Residual}});
            for (int i = 0; i <= 100; ++i) {
                const double row[] = {0, 0, 0, i % 10 == 5 ? odd : 1e-9};
                recording.append(0.1 * i, row);
            }
            return PlotRun{0, "Run 1", recording.view()};
        };
        const auto zero = plotCurves({}, {withSome(0)}, 0, 10, 400), small = plotCurves({}, {withSome(1e-13)}, 0, 10, 400);
        QCOMPARE(zero[0].zeros.size(), 10);
        QCOMPARE(zero[0].points.size(), 91);
        QVERIFY(ordinateRange(zero, true).low >= 1e-11);
        QVERIFY(small[0].zeros.isEmpty());
        QVERIFY(ordinateRange(small, true).low <= 1e-13);
        PlotView view;
        view.resize(448, 260);
        view.setRuns({withSome(0)});
        view.setTimeRange(0, 10);
        const QImage image = picture(view, "zeros.png");
        const QColor run = Theme::light().run(0);
        QVERIFY(hasColour(image, view.pointOnScreen(4.5, view.ordinate().low) - QPointF(0, 3), run, 1));
        QVERIFY(!hasColour(image, view.pointOnScreen(4.0, view.ordinate().low) - QPointF(0, 3), run, 1));
        QVERIFY(plotReadOut({}, {withSome(0)}, Theme::light(), 4.55).contains("exactly 0"));
        QVERIFY(!plotReadOut({}, {withSome(0)}, Theme::light(), 4.05).contains("exactly 0"));
    }

    /// An empty frame would look broken.
    void whereEverythingIsExactlyZero_itIsSaid()
    {
        const auto all = [](double residual) {
            run::Recording recording(1, 1,
                                     {run::Column{"x", "m", run::ColumnKind::Position},
                                      {"x'", "m/s", run::ColumnKind::Velocity},
                                      {"rail.lambda", "", run::ColumnKind::Multiplier},
                                      {"residual.position", "", run::ColumnKind::Residual}});
            for (int i = 0; i <= 100; ++i) {
                const double row[] = {0, 0, 0, residual};
                recording.append(0.1 * i, row);
            }
            return std::vector{PlotRun{0, "Run 1", recording.view()}};
        };
        QVERIFY(onlyZeros(plotCurves({}, all(0), 0, 10, 400)));
        QVERIFY(!onlyZeros(plotCurves({}, all(1e-13), 0, 10, 400)));
        QVERIFY(!onlyZeros(plotCurves({}, all(0), 20, 30, 400))); // nothing is there yet
        PlotView silent, saying;
        for (PlotView* view : {&silent, &saying}) {
            view->resize(448, 260);
            view->setRuns(all(0));
        }
        saying.setTimeRange(0, 10);
        silent.setTimeRange(20, 30);
        const auto inked = [](const QImage& image) { // pixels of the middle that are not as its corner
            int count = 0;
            for (int x = image.width() / 4; x < image.width() * 3 / 4; ++x)
                for (int y = image.height() / 2 - 10; y < image.height() / 2 + 30; ++y)
                    count += qGray(image.pixel(x, y)) < 160;
            return count;
        };
        QVERIFY(inked(picture(saying, "all-zero.png")) > inked(picture(silent, "not-yet.png")) + 100);
    }

    void panningRedrawsTheSameCurve()
    {
        PlotSpec spec;
        spec.kind = PlotKind::EnergyError;
        const std::vector<PlotRun> runs{syntheticRun(0, 1, 0.001, 100)};
        // Columns whose edges never fall on a sample, so that rounding cannot move one across.
        constexpr double kBucket = 0.0432854;
        const auto here = plotCurves(spec, runs, 20, 20 + 400 * kBucket, 400),
                   there = plotCurves(spec, runs, 20 + 25 * kBucket, 20 + 425 * kBucket, 400);
        int compared = 0;
        for (const QPointF& p : here[0].points)
            for (const QPointF& q : there[0].points)
                if (std::abs(p.x() - q.x()) < 1e-9) {
                    QCOMPARE(p.y(), q.y());
                    ++compared;
                }
        QVERIFY(compared > 150);
    }

    void errorAgainstReferenceIsTheDifferenceAtEqualTimes()
    {
        PlotSpec spec;
        spec.kind = PlotKind::ErrorAgainstReference;
        spec.reference = 0;
        const std::vector<PlotRun> runs{syntheticRun(0, 1, 0.01, 10), syntheticRun(1, 1.25, 0.1, 10)};
        const auto curves = plotCurves(spec, runs, 0, 10, 400);
        QCOMPARE(curves.size(), std::size_t(1));
        QCOMPARE(curves[0].run, 1);
        QCOMPARE(curves[0].points.size(), 101);
        // The reference is a cubic Hermite interpolant with steps of 0.01: h^4/384 of the fourth derivative, at most 1.
        const double interpolation = std::pow(0.01, 4) / 384 + 1e-15;
        for (const QPointF& p : curves[0].points)
            QVERIFY(std::abs(p.y() - 0.25 * std::abs(std::cos(p.x()))) <= interpolation + 1e-15);
    }

    /// A column of pixels holds many swings between zero and the largest error: both ends are in the band.
    void errorAgainstReferenceOfManySteps_isABand()
    {
        PlotSpec spec;
        spec.kind = PlotKind::ErrorAgainstReference;
        spec.reference = 0;
        const std::vector<PlotRun> runs{syntheticRun(0, 1, 0.05, 2000), syntheticRun(1, 1.25, 0.05, 2000)};
        const auto curves = plotCurves(spec, runs, 0, 2000, 400);
        QCOMPARE(curves.size(), std::size_t(1));
        QVERIFY(curves[0].dense && curves[0].band.size() > 150);
        for (const auto& column : curves[0].band) {
            // 0.25 |cos t| at 12 of the 200 rows of 10 s, 0.83 s apart: one of them is within 0.42 s of a crest.
            QVERIFY2(column.high > 0.25 * std::cos(0.45), qPrintable(QString::number(column.high)));
            QVERIFY2(column.low < 0.25 * std::sin(0.45), qPrintable(QString::number(column.low)));
        }
    }

    void wheelZoomsAtThePointerAndDragPans()
    {
        PlotView view;
        view.resize(448, 260);
        view.setRuns({syntheticRun(0, 1, 0.1, 40)});
        view.setTimeRange(10, 30);
        view.show();
        view.refresh();
        QSignalSpy ranges(&view, &PlotView::timeRangeChanged);
        QWidget* plot = view.childAt(view.plotRect().center().toPoint());
        const QPointF at = view.pointOnScreen(15, view.ordinate().low) - plot->pos() - QPointF(0, 40);
        QWheelEvent wheel(at, plot->mapToGlobal(at), {}, QPoint(0, 240), Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase,
                          false);
        QCoreApplication::sendEvent(plot, &wheel);
        QCOMPARE(ranges.count(), 1);
        QVERIFY(!view.following());
        QVERIFY(view.timeEnd() - view.timeStart() < 20);
        QCoreApplication::processEvents();
        const double pixel = 20.0 / view.plotRect().width();
        QVERIFY(std::abs(view.pointOnScreen(15, 1).x() - (at.x() + plot->pos().x())) <= 1);

        const double before = view.timeStart(), width = view.timeEnd() - before;
        const QPoint start = at.toPoint();
        QTest::mousePress(plot, Qt::LeftButton, {}, start);
        QTest::mouseMove(plot, start + QPoint(-50, 0));
        QTest::mouseRelease(plot, Qt::LeftButton, {}, start + QPoint(-50, 0));
        const double moved = view.timeStart() - before;
        QVERIFY(std::abs(moved - 50.0 / view.plotRect().width() * width) <= pixel);
        QVERIFY(std::abs(view.timeEnd() - view.timeStart() - width) <= 1e-9 * width);
        QSignalSpy follow(&view, &PlotView::followRequested);
        QTest::mouseDClick(plot, Qt::LeftButton, {}, start);
        QCOMPARE(follow.count(), 1);
        QVERIFY(view.following());
    }

    void hoverReadsTheRecordedValue()
    {
        PlotView view;
        view.resize(448, 260);
        view.setKind(PlotKind::Quantity);
        view.setQuantity("x");
        view.setRuns({syntheticRun(0, 1, 0.1, 10), syntheticRun(1, 2, 0.1, 10)});
        view.setTimeRange(0, 10);
        view.show();
        view.refresh();
        QWidget* plot = view.childAt(view.plotRect().center().toPoint());
        const QPoint at = (view.pointOnScreen(5.05, 0) - plot->pos()).toPoint();
        QMouseEvent move(QEvent::MouseMove, QPointF(at), plot->mapToGlobal(QPointF(at)), Qt::NoButton, Qt::NoButton,
                         Qt::NoModifier);
        QCoreApplication::sendEvent(plot, &move);
        const auto* readout = view.findChild<QLabel*>("readout");
        QVERIFY(readout && readout->isVisible());
        // One of the samples around the pointer, which hits time to a pixel.
        bool found = false;
        for (const double t : {4.9, 5.0, 5.1})
            found =
                found || (readout->text().contains(readOut(std::cos(t))) && readout->text().contains(readOut(2 * std::cos(t))));
        QVERIFY2(found, qPrintable(readout->text()));
        keep(view.grab().toImage(), "hover.png");
    }

    void emptyPlotSaysWhatToDo()
    {
        PlotView view;
        view.resize(448, 260);
        const QImage blank = picture(view, "empty.png");
        const QRect middle(view.plotRect().center().toPoint() - QPoint(60, 8), QSize(120, 16));
        bool text = false;
        for (int x = middle.left(); x < middle.right(); ++x)
            for (int y = middle.top(); y < middle.bottom(); ++y)
                text = text || near(blank.pixelColor(x, y), Theme::light().secondary, 80);
        QVERIFY(text);
        QVERIFY(!plotEmptyText({}, {}).isEmpty());
        QVERIFY(plotEmptyText({}, {syntheticRun(0, 1, 0.1, 1)}).isEmpty());
    }

    void darkPlotsAreDarkAndKeepTheRunsColours()
    {
        PlotView view;
        view.resize(448, 260);
        view.setDark(true);
        view.setKind(PlotKind::Quantity);
        view.setQuantity("x");
        view.setRuns({syntheticRun(0, 1, 0.1, 10)});
        view.setTimeRange(0, 10);
        const QImage image = picture(view, "dark.png");
        QCOMPARE(image.pixelColor(2, 2), Theme::darkTheme().surface);
        QVERIFY(hasColour(image, view.pointOnScreen(2.5, std::cos(2.5)), Theme::darkTheme().run(0)));
    }

    void everyKindDrawsSomething_data()
    {
        QTest::addColumn<int>("kind");
        for (const PlotKind kind : plotKinds())
            QTest::newRow(qPrintable(plotKindName(kind))) << static_cast<int>(kind);
    }

    void everyKindDrawsSomething()
    {
        QFETCH(int, kind);
        PlotView view;
        view.resize(448, 260);
        view.setKind(static_cast<PlotKind>(kind));
        view.setQuantity("x");
        view.setPhase("x", "x'");
        view.setReference(0);
        view.setRuns({syntheticRun(0, 1, 0.1, 9), syntheticRun(1, 1.3, 0.003, 9, 1e-9)});
        view.setTimeRange(0, 10);
        view.setTimeCursor(8);
        const QImage image = picture(view, qPrintable(QString("kind%1.png").arg(kind)));
        int coloured = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                coloured += near(image.pixelColor(x, y), Theme::light().run(1), 40) ? 1 : 0;
        QVERIFY(coloured > 50);
    }

    void portraitStandsAtTheClock()
    {
        // Runs with steps of their own: at one time both are at one place, inside of a step as well, and the line ends there.
        PlotView view;
        view.resize(448, 260);
        view.setKind(PlotKind::Phase);
        view.setPhase("x", "x'");
        const std::vector<PlotRun> runs{syntheticRun(0, 1, 0.5, 9), syntheticRun(1, 1, 0.35, 9)};
        view.setRuns(runs);
        const double t = 2.3;
        view.setTimeCursor(t);
        const QPointF expected(std::cos(t), -std::sin(t));
        const double truncation = 0.01; // of a cubic over steps of 0.5: h^4 / 24 of the fourth derivative, 1
        for (const PlotRun& run : runs) {
            const QPointF place = phasePoint(view.spec(), run, t);
            QVERIFY2(std::hypot(place.x() - expected.x(), place.y() - expected.y()) < truncation,
                     qPrintable(QString("%1 at %2, %3").arg(run.name).arg(place.x()).arg(place.y())));
        }
        for (const PlotCurve& curve : plotCurves(view.spec(), runs, 0, t, 400))
            QCOMPARE(curve.points.back(), phasePoint(view.spec(), runs[static_cast<std::size_t>(curve.run)], t));
        const QImage image = picture(view, "portrait-at-clock.png");
        QVERIFY(hasColour(image, view.pointOnScreen(expected.x(), expected.y()), Theme::light().run(1)));
        // What is no number of the state moves along the chord.
        PlotSpec energy = view.spec();
        energy.phaseY = "energy_error";
        QVERIFY(std::abs(phasePoint(energy, runs[0], t).y() + 1e-6 * t) < 1e-15);
        // Measured data have nothing between their dots.
        PlotRun dots = runs[0];
        dots.measured = true;
        QCOMPARE(phasePoint(view.spec(), dots, t), QPointF(std::cos(2.0), -std::sin(2.0)));
        QCOMPARE(plotCurves(view.spec(), {dots}, 0, t, 400).front().points.back(), QPointF(std::cos(2.0), -std::sin(2.0)));
    }

    void denseRecordingsCostNoMoreThanTheirPixels()
    {
        // Time is no business of a test; the number of points drawn is what it depends on.
        PlotSpec spec;
        const PlotRun run = syntheticRun(0, 1, 0.01, 2000);
        for (const auto& curve : plotCurves(spec, {run}, 0, 2000, 400))
            QVERIFY(curve.points.size() <= 401);
    }
};

QTEST_MAIN(TestPlotView)
#include "test_plotview.moc"
