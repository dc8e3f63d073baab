// The figure engine from inside: ticks, mathematics, captions, reduction of long curves, and that nothing lies over a curve.
#include <QtTest>

#include <QTemporaryDir>

#include <cmath>

#include "tests/ui/FigureSamples.h"
#include "ui/figures/CurveStyle.h"
#include "ui/figures/Curves.h"
#include "ui/figures/FigurePlan.h"
#include "ui/figures/MathText.h"
#include "ui/figures/Occupancy.h"
#include "ui/figures/SaveFile.h"
#include "ui/figures/Ticks.h"
#include "ui/figures/WriteFigure.h"

using namespace driftless;
using namespace driftless::testing;

namespace {

QStringList texts(const Ticks& ticks)
{
    QStringList out;
    for (const Tick& tick : ticks.major)
        out << toPlainText(tick.text);
    return out;
}

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class TestFigures : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;

private slots:
    void linearTicksAreRoundAndHaveMinorOnes()
    {
        QCOMPARE(texts(linearTicks({0, 40}, 5)), QStringList({"0", "10", "20", "30", "40"}));
        QCOMPARE(texts(linearTicks({-0.5, 0.5}, 5)), QStringList({"−0.4", "−0.2", "0", "0.2", "0.4"}));
        QCOMPARE(texts(linearTicks({0, 3e6}, 3)), QStringList({"0", "1·10⁶", "2·10⁶", "3·10⁶"}));
        QCOMPARE(texts(linearTicks({1, 1}, 5)), QStringList());
        // One power of ten on an axis.
        QCOMPARE(texts(linearTicks({-1e5, 1e5}, 4)), QStringList({"−1.0·10⁵", "−0.5·10⁵", "0", "0.5·10⁵", "1.0·10⁵"}));
        const Ticks ticks = linearTicks({0, 40}, 5);
        QCOMPARE(ticks.minor.size(), std::size_t{16}); // four between each two of five
        for (const double minor : ticks.minor)
            for (const Tick& major : ticks.major)
                QVERIFY(std::abs(minor - major.value) > 1);
    }

    void decadesAreLabelledAsPowers()
    {
        QCOMPARE(texts(decadeTicks({1e-3, 1}, 8)), QStringList({"10⁻³", "10⁻²", "10⁻¹", "10⁰"}));
        QCOMPARE(decadeTicks({1e-3, 1}, 8).minor.size(), std::size_t{3 * 8}); // 2..9 of three decades
        const Ticks sparse = decadeTicks({1e-18, 1}, 6);
        QVERIFY(sparse.major.size() <= 7);
        for (const Tick& tick : sparse.major)
            QVERIFY(std::abs(std::log10(tick.value) - std::round(std::log10(tick.value))) < 1e-9);
        // Less than a decade is still labelled.
        QVERIFY(decadeTicks({0.15, 0.8}, 6).major.size() >= 2);
        QVERIFY(decadeTicks({0, 1}, 6).major.empty());
    }

    void rangesHoldTheData()
    {
        for (const bool logarithmic : {false, true}) {
            const std::vector<double> values{3.7e-9, 0.02, 1.3, std::nan(""), 0};
            const Range range = niceRange(values, logarithmic);
            for (const double v : values)
                if (std::isfinite(v) && (!logarithmic || v > 0))
                    QVERIFY(range.low <= v && v <= range.high);
        }
        // A constant residual a little above or below a decade is a curve of its own: not on the frame, and not beyond it.
        for (const double edge : {0.1025, 0.1, 0.0999}) {
            const Range range = niceRange({1e-16, edge, edge}, true);
            QVERIFY2(range.high > 1.05 * edge, qPrintable(QString::number(range.high)));
            QVERIFY(range.high < 30 * edge);
        }
        for (const double edge : {0.98e-6, 1e-6}) {
            const Range range = niceRange({edge, edge, 1}, true);
            QVERIFY2(range.low < 0.95 * edge, qPrintable(QString::number(range.low)));
        }
        QVERIFY(niceRange({}, true).low > 0);
        QVERIFY(niceRange({5, 5}, false).low < 5);
        QCOMPARE(exactRange({2, 7, 3}, false).high, 7.0);
    }

    void mathematicsReadsAsTextAndAsLatex()
    {
        QCOMPARE(toPlainText("$\\|g(q)\\|_\\infty$ in m"), QString("‖g(q)‖_∞ in m"));
        QCOMPARE(toPlainText("$\\dot q_{12} = 10^{-8}$"), QString("q̇₁₂ = 10⁻⁸").normalized(QString::NormalizationForm_C));
        QCOMPARE(toPlainText("costs \\$5"), QString("costs $5"));
        QCOMPARE(toPlainText("a lone $ stays"), QString("a lone $ stays"));
        QCOMPARE(toPlainText(plain("a $b$ \\c")), QString("a $b$ \\c"));
        QCOMPARE(toLatex("50 % of a_b & $\\lambda_1$, λ²"), QString("50 \\% of a\\_b \\& $\\lambda_1$, $\\lambda$$^{2}$"));
        QCOMPARE(mathName("bob.x'"), QString("bob.$\\dot{x}$"));
        QCOMPARE(mathName("rod.lambda"), QString("rod.$\\lambda$"));
        QCOMPARE(mathName("coil.i'"), QString("coil.i'"));
        QCOMPARE(mathName("iL'"), QString("iL'"));
        QCOMPARE(mathName("phi1"), QString("$\\phi_{1}$"));
        QCOMPARE(mathName("residual.position"), QString("residual.position"));
        // Depth is bounded, and whatever comes is set in some way.
        QString deep = "x";
        for (int i = 0; i < 5000; ++i)
            deep = "{a_" + deep + '}';
        QVERIFY(MathText('$' + deep + '$', Font::Sans, 300).width() > 0);
        for (const char* odd : {"$", "$$", "$\\$", "$_^{}}{$", "$\\dot$", "$x_$", "\\"})
            QVERIFY(MathText(odd, Font::Serif, 300).width() >= 0);
    }

    void scriptsStandAboveAndBelow()
    {
        const MathText text("$x^2_i$", Font::Serif, 300);
        QCOMPARE(text.pieces().size(), std::size_t{3});
        QVERIFY(text.pieces()[1].y < 0 && text.pieces()[1].scale < 1);
        QVERIFY(text.pieces()[2].y > 0 && text.pieces()[2].scale < 1);
        QVERIFY(text.pieces()[0].italic && !text.pieces()[1].italic && text.pieces()[2].italic);
        QVERIFY(MathText("$\\dot L$", Font::Serif, 300).ascent() > MathText("$L$", Font::Serif, 300).ascent());
    }

    void captionsAreTextAndAFigureEnvironment()
    {
        Figure figure = figureOf({energyPanel()});
        figure.style = styleFor(SizePreset::Column);
        const QString base = folder_.filePath("drift");
        QVERIFY(writeCaption(figure, base + ".txt").ok());
        QVERIFY(writeCaption(figure, base + ".tex").ok());
        QVERIFY(!writeCaption(figure, base + ".doc").ok());
        QCOMPARE(QString::fromUtf8(contentOf(base + ".txt")),
                 QString("Drift of the position constraint ‖g(q)‖_∞ & energy, 100 % of the runs; costs $0.\n"));
        const QString tex = QString::fromUtf8(contentOf(base + ".tex"));
        for (const char* part :
             {"\\begin{figure}\n", "\\includegraphics[width=85mm]{drift}",
              "\\caption{Drift of the position constraint $\\|g(q)\\|_\\infty$ \\& energy, 100 \\% of the runs; costs \\$0.}",
              "\\label{fig:drift}", "\\end{figure}\n"})
            QVERIFY2(tex.contains(part), part);
    }

    void longCurvesKeepTheirPeaks()
    {
        Series line;
        constexpr int kCount = 2000000;
        for (int i = 0; i < kCount; ++i) {
            line.x.push_back(i);
            line.y.push_back(std::sin(1e-4 * i));
        }
        line.y[1234567] = 5; // one step of two million
        const Map map{QRectF(0, 0, 7000, 4000), {0, kCount - 1.0}, {-1, 6}, false, false};
        CurveRequest request;
        request.column = 8;
        const Curve curve = curveOf(line, map, request);
        qsizetype count = 0;
        double highest = 4000;
        for (const QPolygonF& piece : curve.lines)
            for (const QPointF& p : piece) {
                ++count;
                highest = std::min(highest, p.y());
            }
        QVERIFY2(count <= 4 * (7000 / 8 + 2), "four points per column at most");
        QVERIFY(std::abs(highest - map.yOf(5)) < 1e-6);
    }

    /// As in the window: noise becomes a band and the line in its middle, a smooth curve stays what it is.
    void noiseBecomesABand_aSmoothCurveDoesNot()
    {
        Series noise, smooth;
        for (int i = 0; i < 100000; ++i) {
            noise.x.push_back(i);
            smooth.x.push_back(i);
            noise.y.push_back(0.5 + 0.4 * std::sin(12.9898 * i));
            smooth.y.push_back(0.5 + 0.4 * std::sin(1e-3 * i));
        }
        const Map map{QRectF(0, 0, 7000, 4000), {0, 99999.0}, {0, 1}, false, false};
        const Curve band = curveOf(noise, map, {}), line = curveOf(smooth, map, {});
        QVERIFY(band.dense && band.areas.size() == 1);
        QVERIFY(!line.dense && line.areas.empty());
        const QRectF reach = band.areas[0].boundingRect();
        QVERIFY(std::abs(reach.top() - map.yOf(0.9)) < 20 && std::abs(reach.bottom() - map.yOf(0.1)) < 20);
        for (const QPointF& p : band.lines.at(0))
            QVERIFY2(std::abs(p.y() - map.yOf(0.5)) < 200, "the line is calm");
    }

    void zerosOfALogarithmicOrdinateStandApart()
    {
        Series line;
        for (int i = 0; i <= 40; ++i) {
            line.x.push_back(i);
            line.y.push_back(i % 8 == 3 || (i >= 20 && i < 26) ? 0 : 1e-9);
        }
        const Map map{QRectF(0, 0, 4000, 1000), {0, 40}, {1e-10, 1e-8}, false, true};
        const Curve curve = curveOf(line, map, {});
        QCOMPARE(curve.zeros.size(), std::size_t{11});
        QCOMPARE(curve.lines.size(), std::size_t{2}); // one gap, where several follow each other
        for (const QPolygonF& piece : curve.lines)
            for (const QPointF& p : piece)
                QVERIFY(std::abs(p.y() - 500) < 1e-6);
        Panel panel;
        panel.y.logarithmic = true;
        panel.series.push_back(line);
        PanelPlan plan;
        plan.panel = &panel;
        planRanges(plan);
        QVERIFY2(plan.y.low > 1e-11, "no axis is stretched by zeros");
    }

    void curvesAreCutToTheirBoxAndBrokenAtGaps()
    {
        Series line;
        line.x = {0, 1, 2, 3, 4, 5};
        line.y = {0, 10, std::nan(""), 0.2, 0.4, -7};
        const Map map{QRectF(100, 100, 500, 100), {0, 5}, {0, 1}, false, false};
        const Curve curve = curveOf(line, map, {});
        QCOMPARE(curve.lines.size(), std::size_t{2});
        for (const QPolygonF& piece : curve.lines)
            for (const QPointF& p : piece)
                QVERIFY(map.box.adjusted(-1e-9, -1e-9, 1e-9, 1e-9).contains(p));
    }

    void stepsHoldTheirValue()
    {
        Series steps;
        steps.kind = SeriesKind::Steps;
        steps.x = {0, 1, 2};
        steps.y = {1, 3, 3};
        const Map map{QRectF(0, 0, 200, 100), {0, 2}, {0, 4}, false, false};
        const Curve curve = curveOf(steps, map, {});
        QCOMPARE(curve.lines.size(), std::size_t{1});
        // (0,1) to (1,1), up to (1,3), to (2,3)
        QVERIFY(curve.lines[0].contains(QPointF(100, 75)));
        QVERIFY(curve.lines[0].contains(QPointF(100, 25)));
    }

    void legendAndHeadersLieBesideThePanels()
    {
        for (const Sample& sample : samples())
            for (const auto preset : {SizePreset::Column, SizePreset::Page, SizePreset::Slide}) {
                Figure figure = sample.figure;
                figure.style = styleFor(preset);
                const auto plan = planFigure(figure);
                QVERIFY2(plan.ok(), sample.name);
                const FigurePlan& p = *plan.value();
                const QRectF page(QPointF(0, 0), p.size);
                for (const PanelPlan& panel : p.panels) {
                    QVERIFY2(page.contains(panel.box), sample.name);
                    for (const PanelPlan& other : p.panels)
                        QVERIFY2(&other == &panel || !other.box.intersects(panel.box), sample.name);
                    for (const LegendPlace& entry : p.legend)
                        QVERIFY2(entry.y - p.sheet.em > panel.box.bottom(), sample.name);
                }
                for (const LegendPlace& entry : p.legend)
                    QVERIFY2(entry.y < p.size.height(), sample.name);
            }
    }

    void curvesBeyondTheEighthAreToldApart()
    {
        constexpr int kMost = 64; // pairs of dash and mark: in grey nothing else tells curves apart
        for (int i = 0; i < kMost; ++i)
            for (int k = 0; k < i; ++k) {
                const bool dashes = curveDashes(i) == curveDashes(k), marks = markShape(i, 5) == markShape(k, 5);
                QVERIFY2(!(dashes && marks), qPrintable(QString("%1 and %2").arg(k).arg(i)));
                // Of one colour three differ in both.
                if (i < 24 && curveColour(i, Theme::Light) == curveColour(k, Theme::Light))
                    QVERIFY2(!dashes && !marks, qPrintable(QString("%1 and %2").arg(k).arg(i)));
            }
    }

    void labelsAreFreeOfCurves()
    {
        Occupancy taken(QRectF(0, 0, 1000, 1000), 10);
        taken.addLine(QPolygonF({{0, 500}, {1000, 500}}));
        const std::vector<QRectF> places{{400, 450, 100, 100}, {400, 100, 100, 100}, {950, 100, 100, 100}};
        QCOMPARE(taken.best(places), 1);
        QVERIFY(taken.taken(places[0]) > 0);
        QCOMPARE(taken.taken(places[1]), 0.0);
        QVERIFY2(taken.taken(places[2]) > 0, "outside counts as taken");
        QVERIFY(std::abs(taken.distance({500, 300}, 500) - 200) < 15); // cells of 10
    }

    void whatCannotBeDrawnIsRefused()
    {
        Figure figure = figureOf({energyPanel()});
        QVERIFY(checkFigure(figure).ok());
        Figure bad = figure;
        bad.panels.clear();
        QVERIFY(!checkFigure(bad).ok());
        bad = figure;
        bad.style.millimetres = {5, 0};
        QVERIFY(!checkFigure(bad).ok());
        bad = figure;
        bad.panels[0].series[0].y.pop_back();
        QVERIFY(!checkFigure(bad).ok());
        bad = figure;
        bad.panels[0].guides.push_back({2, "order 2"});
        QVERIFY2(!checkFigure(bad).ok(), "a guide on a linear abscissa");
        bad = figure;
        bad.style.millimetres = {85, 25};
        const auto written = writeFigure(bad, folder_.filePath("small.png"));
        QVERIFY2(!written.ok(), "no room for the panel");
        QVERIFY(!QFile::exists(folder_.filePath("small.png")));
        QVERIFY(!writeFigure(figure, folder_.filePath("no/such/folder/a.png")).ok());
    }

    void emptyAndOddDataAreDrawn()
    {
        Panel nothing;
        nothing.x = timeAxis();
        Panel said = nothing;
        said.empty = "Nothing recorded yet.";
        Panel odd = nothing;
        odd.y.logarithmic = true;
        odd.series.push_back({0, -1, SeriesKind::Line, {0, 1, 2, 3}, {0, -1, std::nan(""), INFINITY}, {}});
        Panel single = nothing;
        single.series.push_back({0, -1, SeriesKind::LineMarks, {1}, {1}, {}});
        const auto drawn = [](const Panel& panel) { return figureImage(figureOf({panel}), 60); };
        Panel oddWithoutCurve = odd;
        oddWithoutCurve.series.clear();
        QVERIFY(!drawn(nothing).isNull() && !drawn(odd).isNull() && !drawn(oddWithoutCurve).isNull());
        QVERIFY2(drawn(said) != drawn(nothing), "the words are drawn");
        Panel singleWithoutMark = single;
        singleWithoutMark.x.low = singleWithoutMark.y.low = 0;
        singleWithoutMark.x.high = singleWithoutMark.y.high = 2;
        Panel singleInRange = singleWithoutMark;
        singleWithoutMark.series.clear();
        QVERIFY(!drawn(single).isNull());
        QVERIFY2(drawn(singleInRange) != drawn(singleWithoutMark), "a single point is drawn by its mark");
    }
};

QTEST_MAIN(TestFigures)
#include "test_figures.moc"
