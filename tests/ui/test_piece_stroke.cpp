// Lines that are drawn in pieces against those that Qt draws as a whole.
#include <QImage>
#include <QPainter>
#include <QtTest>

#include <cmath>
#include <limits>

#include "ui/views/PieceStroke.h"

using namespace driftless::ui;

namespace {

constexpr int kWidth = 700, kHeight = 200;

/// Up and down between neighbouring columns of pixels, as residuals are.
QVector<QPointF> restless(int count)
{
    QVector<QPointF> points;
    unsigned state = 1;
    for (int i = 0; i < count; ++i) {
        state = state * 1103515245u + 12345u;
        points << QPointF(20 + i, 100 + 20 * std::sin(0.9 * i) + 0.1 * ((state >> 16) % 100));
    }
    return points;
}

template <class Draw>
QImage drawn(const QPen& pen, Draw draw)
{
    QImage image(kWidth, kHeight, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::white);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(pen);
    draw(painter);
    return image;
}

double meanDifference(const QImage& a, const QImage& b)
{
    double sum = 0;
    for (int y = 0; y < kHeight; ++y)
        for (int x = 0; x < kWidth; ++x)
            sum += std::abs(qRed(a.pixel(x, y)) - qRed(b.pixel(x, y)));
    return sum / (kWidth * kHeight);
}

QPen penOf(bool dashed)
{
    QPen pen(Qt::black, 2, Qt::SolidLine, Qt::FlatCap, Qt::BevelJoin);
    if (dashed)
        pen.setDashPattern({6, 3});
    return pen;
}

} // namespace

class TestPieceStroke : public QObject {
    Q_OBJECT

private slots:
    void isTheLineAsAWhole_data()
    {
        QTest::addColumn<bool>("dashed");
        QTest::newRow("solid") << false;
        QTest::newRow("dashed") << true;
    }
    /// One segment of 25 is drawn twice: its edges, half covered, are darker by a quarter of 255. Two edges of 20 pixels each
    /// on 26 segments are 0.5 on 140,000 pixels. Dashes that begin anew with each piece come to 4.
    void isTheLineAsAWhole()
    {
        QFETCH(bool, dashed);
        const auto line = restless(650);
        const QImage whole = drawn(penOf(dashed), [&](QPainter& p) { p.drawPolyline(line); });
        const QImage pieces = drawn(penOf(dashed), [&](QPainter& p) { strokeInPieces(p, line); });
        const double apart = meanDifference(whole, pieces);
        QVERIFY2(apart < 0.5, QByteArray::number(apart).constData());
    }

    void whatIsNoNumberBreaksTheLine()
    {
        auto line = restless(101);
        const QImage halves = drawn(penOf(false), [&](QPainter& p) {
            strokeInPieces(p, line.first(50));
            strokeInPieces(p, line.last(50));
        });
        line[50].setY(std::numeric_limits<double>::quiet_NaN());
        QVERIFY(drawn(penOf(false), [&](QPainter& p) { strokeInPieces(p, line); }) == halves);
        QVERIFY(drawn(penOf(false), [](QPainter& p) { strokeInPieces(p, {}); }) == drawn(penOf(false), [](QPainter&) {}));
    }

    void thePainterKeepsItsPen()
    {
        const auto line = restless(100);
        (void)drawn(penOf(true), [&](QPainter& p) {
            strokeInPieces(p, line);
            QCOMPARE(p.pen(), penOf(true));
        });
    }
};

QTEST_APPLESS_MAIN(TestPieceStroke)
#include "test_piece_stroke.moc"
