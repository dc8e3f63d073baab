// Bands that are filled column by column against polygons that Qt fills.
#include <QPainter>
#include <QPolygonF>
#include <QtTest>

#include <cmath>
#include <limits>

#include "tests/support/Draw.h"
#include "ui/views/BandFill.h"

using namespace driftless;
using namespace driftless::ui;

namespace {

QImage blank(int width, int height)
{
    QImage image(width, height, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    return image;
}

QImage asPolygon(QImage image, const QColor& colour, const std::vector<BandEdge>& band)
{
    QPolygonF outline;
    for (const BandEdge& edge : band)
        outline << QPointF(edge.x, edge.top);
    for (auto edge = band.rbegin(); edge != band.rend(); ++edge)
        outline << QPointF(edge->x, edge->bottom);
    QPainter painter(&image);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawPolygon(outline);
    return image;
}

} // namespace

class TestBandFill : public QObject {
    Q_OBJECT

private slots:
    /// Two bands over each other. Qt rounds corners to 1/64 of a pixel, so that a pixel whose middle lies on an edge may fall
    /// on either side: of 1,200 ends of columns a tenth, where edges rise by five pixels in one; drawn a pixel off, all would
    /// differ. Colours differ by the rounding of two blends.
    void isWhatAPolygonFills()
    {
        const std::uint64_t seed = driftless::test::seedOr(7);
        qInfo("DRIFTLESS_SEED=%llu", static_cast<unsigned long long>(seed));
        driftless::test::Draw draw(seed);
        constexpr int kWidth = 300, kHeight = 120, kRounding = 2, kFew = 120;
        for (int count = 0; count < driftless::test::countOr(20); ++count) {
            QImage ours = blank(kWidth, kHeight), theirs = ours;
            for (const QColor& colour : {QColor(200, 30, 60, 50), QColor(20, 90, 220, 80)}) {
                std::vector<BandEdge> band;
                double middle = draw.between(0, kHeight);
                for (double x = draw.between(-20, 30); x < kWidth + 20; x += draw.between(1, 5)) {
                    middle += draw.between(-5, 5);
                    const double half = draw.between(20, 25);
                    band.push_back({.x = x, .top = middle - half, .bottom = middle + half});
                }
                fillBand(ours, colour, band);
                theirs = asPolygon(theirs, colour, band);
            }
            int apart = 0;
            for (int y = 0; y < kHeight; ++y)
                for (int x = 0; x < kWidth; ++x) {
                    const QRgb a = ours.pixel(x, y), b = theirs.pixel(x, y);
                    const auto differs = [&](int (*channel)(QRgb)) { return std::abs(channel(a) - channel(b)) > kRounding; };
                    apart += differs(qAlpha) || (qAlpha(b) > 100 && (differs(qRed) || differs(qBlue)));
                }
            QVERIFY2(apart <= kFew, QByteArray::number(apart).constData());
        }
    }

    void whatIsNoNumberOrFarAwayIsCut()
    {
        constexpr double kFar = 1e300, kInf = std::numeric_limits<double>::infinity();
        QImage image = blank(40, 30);
        const QColor colour(0, 0, 0, 255);
        fillBand(image, colour,
                 std::vector<BandEdge>{{.x = -kFar, .top = -kFar, .bottom = 10}, {.x = 20, .top = -kInf, .bottom = 10}});
        fillBand(image, colour, std::vector<BandEdge>{{.x = 30, .top = 20, .bottom = 25}});
        fillBand(image, colour, {});
        const double none = std::nan("");
        fillBand(image, colour,
                 std::vector<BandEdge>{{.x = 30, .top = none, .bottom = none}, {.x = 35, .top = none, .bottom = 3}});
        QCOMPARE(qAlpha(image.pixel(25, 5)), 0);
        QCOMPARE(qAlpha(image.pixel(30, 22)), 0); // one place spans nothing
    }
};

QTEST_APPLESS_MAIN(TestBandFill)
#include "test_band_fill.moc"
