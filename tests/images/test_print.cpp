// Figures for print as they are kept in baselines/print: one of every kind, at the width of a column.
// DRIFTLESS_WRITE=1 images_test_print renews them. Their letters are those of fonts-inter and fonts-cmu.
#include <QtTest>

#include "tests/images/Baseline.h"
#include "tests/ui/FigureSamples.h"
#include "ui/figures/WriteFigure.h"

using namespace driftless;
using namespace driftless::testing;

namespace {

constexpr double kDpi = 144; ///< 85 mm are 482 pixels

figures::Figure asKept(figures::Figure figure, int k)
{
    figure.style = figures::styleFor(figures::SizePreset::Column);
    figure.style.font = k % 2 == 0 ? figures::Font::Sans : figures::Font::Serif;
    if (k % 6 == 3)
        figure.style.theme = figures::Theme::Dark;
    if (k % 6 == 5)
        figure.style.theme = figures::Theme::Grey;
    return figure;
}

} // namespace

class TestPrint : public QObject {
    Q_OBJECT

private slots:
    void isDrawnAsItIsKept_data()
    {
        QTest::addColumn<int>("figure");
        int k = 0;
        for (const Sample& sample : samples())
            QTest::newRow(sample.name) << k++;
    }
    void isDrawnAsItIsKept()
    {
        QFETCH(int, figure);
        const Sample sample = samples()[static_cast<std::size_t>(figure)];
        images::compareWithBaseline(QStringLiteral("print/") + QLatin1String(sample.name),
                                    figures::figureImage(asKept(sample.figure, figure), kDpi));
    }

    void aCurveThatIsDrawnElsewhereIsTold()
    {
        figures::Figure figure = asKept(figureOf({phasePanel()}), 0);
        figure.panels[0].x.low = figure.panels[0].y.low = -1.5; // a range of its own would follow the curve
        figure.panels[0].x.high = figure.panels[0].y.high = 1.5;
        const QImage before = figures::figureImage(figure, kDpi);
        for (double& y : figure.panels[0].series[1].y)
            y += 0.03; // 1 % of the panel's height: two or three pixels
        const images::Difference difference = images::differenceOf(figures::figureImage(figure, kDpi), before);
        QVERIFY2(!difference.within(), difference.text().constData());
    }

    void aWordThatIsAnotherIsTold()
    {
        figures::Figure figure = asKept(figureOf({energyPanel()}), 0);
        const QImage before = figures::figureImage(figure, kDpi);
        figure.panels[0].title = "Energy errer";
        const images::Difference difference = images::differenceOf(figures::figureImage(figure, kDpi), before);
        QVERIFY2(!difference.within(), difference.text().constData());
    }

    void everyBaselineHasItsFigure()
    {
        QCOMPARE(QDir(images::baselineFolder() + "/print").entryList({"*.png"}, QDir::Files).size(),
                 static_cast<qsizetype>(samples().size()));
    }
};

QTEST_MAIN(TestPrint)
#include "test_print.moc"
