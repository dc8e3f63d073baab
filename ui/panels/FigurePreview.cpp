#include "ui/panels/FigurePreview.h"

#include <QPainter>

#include "ui/figures/WriteFigure.h"

namespace driftless::ui {

namespace {

constexpr double kDesk = 12; ///< [px] around the page
constexpr double kInchMillimetres = 25.4;

} // namespace

FigurePreview::FigurePreview(QWidget* parent) : QWidget(parent)
{
    setObjectName("figurePreview");
    setMinimumSize(420, 420);
}

void FigurePreview::show(figures::Figure figure)
{
    figure_ = std::move(figure);
    size_ = figures::figureSize(figure_);
    picture_ = {};
    update();
}

void FigurePreview::paintEvent(QPaintEvent*)
{
    if (size_.isEmpty())
        return;
    QPainter painter(this);
    const QSizeF room = size() - QSizeF(2 * kDesk, 2 * kDesk);
    const QSizeF fit = size_.scaled(room, Qt::KeepAspectRatio);
    const double dpi = fit.width() / size_.width() * kInchMillimetres * devicePixelRatioF();
    if (picture_.isNull() || dpi != dpi_) {
        picture_ = figures::figureImage(figure_, dpi);
        dpi_ = dpi;
    }
    const QRectF place(QPointF((width() - fit.width()) / 2, (height() - fit.height()) / 2), fit);
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    painter.drawImage(place, picture_);
    painter.setPen(palette().color(QPalette::Mid));
    painter.drawRect(place);
}

} // namespace driftless::ui
