// What is drawn in another way than QCustomPlot would: bands as one picture, lines in pieces.
#include "ui/views/PieceStroke.h"
#include "ui/views/PlotViewImpl.h"

namespace driftless::ui {

BandsItem::BandsItem(QCustomPlot* plot) : QCPAbstractItem(plot) { setLayer(QStringLiteral("grid")); }

void BandsItem::draw(QCPPainter* painter)
{
    if (bands.empty())
        return;
    const QRect place = clipRect();
    const double ratio = parentPlot()->bufferDevicePixelRatio();
    if (const QSize size = (QSizeF(place.size()) * ratio).toSize(); picture_.size() != size)
        picture_ = QImage(size, QImage::Format_ARGB32_Premultiplied);
    picture_.setDevicePixelRatio(ratio);
    picture_.fill(Qt::transparent);
    const QCPAxis &x = *parentPlot()->xAxis, &y = *parentPlot()->yAxis;
    for (const Band& band : bands) {
        edges_.clear();
        for (const PlotBand& column : band.columns)
            edges_.push_back({.x = ratio * (x.coordToPixel(column.t) - place.left()),
                              .top = ratio * (y.coordToPixel(column.high) - place.top()),
                              .bottom = ratio * (y.coordToPixel(column.low) - place.top())});
        fillBand(picture_, band.colour, edges_);
    }
    painter->drawImage(place.topLeft(), picture_);
}

void CurveGraph::drawLinePlot(QCPPainter* painter, const QVector<QPointF>& lines) const
{
    applyDefaultAntialiasingHint(painter);
    strokeInPieces(*painter, lines);
}

void PortraitCurve::drawCurveLine(QCPPainter* painter, const QVector<QPointF>& lines) const
{
    applyDefaultAntialiasingHint(painter);
    strokeInPieces(*painter, lines);
}

} // namespace driftless::ui
