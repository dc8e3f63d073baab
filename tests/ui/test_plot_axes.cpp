// The axes of plots and what is written over them: numbers keep their first digits, and words leave the curves in sight.
#include <QtTest>

#include <QImage>
#include <QLabel>
#include <QSet>

#include <cmath>
#include <random>

#include "ui/views/PlotView.h"
#include "ui/views/Theme.h"

using namespace driftless;
using namespace driftless::ui;
using run::Column;
using Kind = run::ColumnKind;

namespace {

bool near(const QColor& a, const QColor& b, int tolerance)
{
    return std::abs(a.red() - b.red()) <= tolerance && std::abs(a.green() - b.green()) <= tolerance
           && std::abs(a.blue() - b.blue()) <= tolerance;
}

/// As the chooser of a plot at 1280 pixels with large type.
QWidget* wideTitle()
{
    auto* title = new QLabel;
    title->setMinimumWidth(440);
    return title;
}

} // namespace

class TestPlotAxes : public QObject {
    Q_OBJECT

private slots:
    void axisTextsHaveTheirRoom()
    {
        const QFontMetricsF metrics(uiFont(kTickPixels));
        const TextWidth width = [&metrics](const QString& text) { return metrics.horizontalAdvance(text); };
        const double room = 45; // [px] as left of a plot
        const auto texts = [](const FittedTicks& fitted) {
            QStringList out;
            for (const PlotTick& tick : fitted.ticks)
                out += tick.text;
            return out;
        };
        const FittedTicks usual = fittedTicks(-1, 1, 4, room, width);
        QCOMPARE(texts(usual), QStringList({"−1.0", "−0.5", "0", "0.5", "1.0"}));
        QVERIFY(usual.common.isEmpty());
        const FittedTicks drift = fittedTicks(0.1024999999935, 0.1025000000005, 4, room, width);
        QCOMPARE(texts(drift), QStringList({"−6", "−4", "−2", "0"}));
        QCOMPARE(drift.common, QString("×10⁻¹² + 0.1025"));
        QCOMPARE(fittedTicks(1.25e6, 1.27e6, 4, room, width).common, QString("×10⁶"));
        QCOMPARE(fittedTicks(-1000.00035, -1000.00005, 4, room, width).common, QString("×10⁻⁴ − 1000"));
        std::mt19937 draw(11);
        std::uniform_real_distribution<double> power(-12, 12), lead(-9, 9), share(-10, 0);
        for (int i = 0; i < 2000; ++i) {
            const double middle = lead(draw) * std::pow(10, power(draw)),
                         span = std::abs(middle) * std::pow(10, share(draw)) * 3;
            const FittedTicks fitted = fittedTicks(middle - span / 2, middle + span / 2, 5, room, width);
            QVERIFY(!fitted.ticks.empty());
            for (const PlotTick& tick : fitted.ticks)
                QVERIFY2(width(tick.text) <= room, qPrintable(tick.text + fitted.common));
            const QStringList all = texts(fitted);
            QVERIFY2(QSet<QString>(all.begin(), all.end()).size() == all.size(), qPrintable(all.join(' ') + fitted.common));
            const std::vector<PlotTick> apart = ticksApart(middle - span / 2, middle + span / 2, 6, 380, width);
            for (std::size_t k = 1; k < apart.size(); ++k)
                QVERIFY2((apart[k].value - apart[k - 1].value) / span * 380
                             > width(apart[k].text) / 2 + width(apart[k - 1].text) / 2,
                         qPrintable(apart[k].text));
        }
    }

    void nearlyConstantCurveSaysWhereItIs()
    {
        PlotView view;
        view.resize(448, 260);
        view.setKind(PlotKind::Quantity);
        view.setQuantity("x");
        run::Recording recording(1, 0, {Column{"x", "", Kind::Position}, Column{"x'", "", Kind::Velocity}});
        for (int i = 0; i <= 100; ++i) {
            const double row[] = {0.1025 - 1e-13 * i, 0};
            recording.append(0.1 * i, row);
        }
        view.setRuns({{0, "Run 1", recording.view()}});
        view.refresh();
        const QImage image = view.grab().toImage();
        const QRect plot = view.plotRect().toRect();
        // Nothing of the numbers touches the edge of the widget, and what they share stands inside, where no curve is.
        for (int y = plot.top(); y < image.height(); ++y)
            QVERIFY2(near(image.pixelColor(0, y), Theme::light().surface, 8), qPrintable(QString::number(y)));
        int ink = 0;
        for (int y = plot.top() + 4; y < plot.top() + 20; ++y)
            for (int x = plot.right() - 100; x < plot.right() - 4; ++x)
                ink += near(image.pixelColor(x, y), Theme::light().secondary, 40) ? 1 : 0;
        QVERIFY(ink > 40);
    }

    void keyOfTheLevelsLeavesTheCurvesInSight()
    {
        // Too narrow for the key in the heading. A peak at the left: the key goes to the right, and stays there.
        PlotView view;
        view.resize(480, 260);
        view.setScale(1.4);
        view.setTitleWidget(wideTitle());
        run::Recording recording(1, 1,
                                 {Column{"x", "", Kind::Position}, Column{"x'", "", Kind::Velocity},
                                  Column{"rod.lambda", "", Kind::Multiplier}, Column{"residual.position", "", Kind::Residual},
                                  Column{"residual.velocity", "", Kind::Residual},
                                  Column{"residual.acceleration", "", Kind::Residual}});
        for (int i = 0; i <= 40; ++i) {
            const double peak = 1e-6 * std::exp(-0.5 * std::pow(i / 10.0 - 2, 2)), row[] = {0, 0, 0, peak, 1e-12, 1e-14};
            recording.append(0.1 * i, row);
        }
        view.setRuns({{0, "Run 1", recording.view()}});
        view.setTimeRange(0, 10);
        view.show();
        view.refresh();
        const auto* key = view.findChild<QLabel*>("levelKey");
        QVERIFY(!key->isHidden());
        QVERIFY(!key->geometry().contains(view.pointOnScreen(2, 1e-6).toPoint()));
        QVERIFY2(key->x() > view.plotRect().center().x(), qPrintable(QString::number(key->x())));
    }
};

QTEST_MAIN(TestPlotAxes)
#include "test_plot_axes.moc"
