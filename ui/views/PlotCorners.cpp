// What is written over a plot stands in a corner where no curve runs behind it.
#include <QLabel>

#include <algorithm>
#include <cmath>

#include "ui/views/PlotViewImpl.h"

namespace driftless::ui {

namespace {

/// In the order in which they are taken: at the upper left most curves have just begun, at the lower left stands "round-off".
constexpr struct {
    bool right, bottom;
} kCorners[] = {{false, false}, {true, false}, {true, true}, {false, true}};

/// Whether the line or the band of a curve runs through a box [px].
bool runsThrough(const QCustomPlot& plot, const PlotCurve& curve, const QRectF& box)
{
    const auto onScreen = [&plot](double x, double y) {
        return QPointF(plot.xAxis->coordToPixel(x), plot.yAxis->coordToPixel(y));
    };
    const auto meets = [&box](const QPointF& a, const QPointF& b) {
        return std::max(a.x(), b.x()) >= box.left() && std::min(a.x(), b.x()) <= box.right()
               && std::max(a.y(), b.y()) >= box.top() && std::min(a.y(), b.y()) <= box.bottom();
    };
    QPointF last(std::nan(""), std::nan(""));
    for (const QPointF& p : curve.points) {
        const QPointF now = onScreen(p.x(), p.y());
        if (meets(now, now) || meets(last, now))
            return true;
        last = now;
    }
    return std::ranges::any_of(
        curve.band, [&](const PlotBand& band) { return meets(onScreen(band.t, band.low), onScreen(band.t, band.high)); });
}

} // namespace

QPoint PlotView::Impl::corner(int number, const QSize& size) const
{
    const QRect room = plot->axisRect()->rect().adjusted(qRound(px(4)), qRound(px(2)), -qRound(px(4)), -qRound(px(2)));
    const auto& at = kCorners[number];
    return {at.right ? room.right() - size.width() : room.left(), at.bottom ? room.bottom() - size.height() : room.top()};
}

/// The one of before as long as it is free, so that nothing jumps about; that one as well where none is.
int PlotView::Impl::freeCorner(int before, const QSize& size, const std::vector<PlotCurve>& found, const QRect& taken) const
{
    const auto isFree = [&](int number) {
        const QRect box(corner(number, size), size);
        return !box.intersects(taken)
               && std::ranges::none_of(found, [&](const PlotCurve& curve) { return runsThrough(*plot, curve, box); });
    };
    if (isFree(before))
        return before;
    for (int number = 0; number < static_cast<int>(std::size(kCorners)); ++number)
        if (isFree(number))
            return number;
    return before;
}

void PlotView::Impl::placeOverCurves(const std::vector<PlotCurve>& found)
{
    QRect taken;
    if (!key->isHidden()) {
        keyCorner = freeCorner(keyCorner, key->size(), found, {});
        key->move(plot->pos() + corner(keyCorner, key->size()));
        taken = QRect(corner(keyCorner, key->size()), key->size());
    }
    if (common->text().isEmpty())
        return;
    const QSize size(qCeil(common->right->pixelPosition().x() - common->left->pixelPosition().x()),
                     qCeil(common->bottom->pixelPosition().y() - common->top->pixelPosition().y()));
    commonCorner = freeCorner(commonCorner, size, found, taken);
    common->position->setCoords(corner(commonCorner, size));
}

} // namespace driftless::ui
