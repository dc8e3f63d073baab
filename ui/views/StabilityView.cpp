#include "ui/views/StabilityView.h"

#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

#include "ui/document/NumberText.h"
#include "ui/figures/BlendColours.h"

namespace driftless::ui {

namespace {

constexpr double kDefaultHeight = 9; ///< of the window of z
constexpr std::complex<double> kDefaultCentre{-1, 0};
constexpr double kLeastScale = 1e-4, kMostScale = 10; ///< units per pixel
constexpr int kBands = 5;                             ///< shades between |R| = 0 and 1

/// A round distance of ticks of about that size.
double roundStep(double size)
{
    const double power = std::pow(10, std::floor(std::log10(size)));
    if (size < 2 * power)
        return 2 * power;
    return (size < 5 * power ? 5 : 10) * power;
}

QString shownNumber(double v, int digits = 3) { return withMinus(numberText(std::abs(v) < 1e-12 ? 0 : v, digits)); }

} // namespace

StabilityView::StabilityView(const Theme& theme, QWidget* parent) : QWidget(parent), theme_(theme), centre_(kDefaultCentre)
{
    setObjectName("stabilityView");
    setMouseTracking(true);
    setMinimumSize(280, 220);
    setToolTip(tr("Wheel: zoom. Drag: move. Double click: all of it."));
}

void StabilityView::setMethod(Amplification amplification, int cell)
{
    amplification_ = std::move(amplification);
    cell_ = std::max(1, cell);
    image_ = {};
    under_.clear();
    update();
}

void StabilityView::setPoints(std::vector<std::complex<double>> points, const QString& caption)
{
    points_ = std::move(points);
    caption_ = caption;
    update();
}

void StabilityView::setTheme(const Theme& theme)
{
    theme_ = theme;
    image_ = {};
    update();
}

void StabilityView::resetView()
{
    centre_ = kDefaultCentre;
    perPixel_ = 0;
    image_ = {};
    update();
}

QPointF StabilityView::placeOf(std::complex<double> z) const
{
    const double unit = perPixel_ > 0 ? perPixel_ : kDefaultHeight / height();
    return {width() / 2.0 + (z.real() - centre_.real()) / unit, height() / 2.0 - (z.imag() - centre_.imag()) / unit};
}

std::complex<double> StabilityView::valueAt(QPointF place) const
{
    const double unit = perPixel_ > 0 ? perPixel_ : kDefaultHeight / height();
    return centre_ + std::complex<double>((place.x() - width() / 2.0) * unit, (height() / 2.0 - place.y()) * unit);
}

/// Shades of |R| in bands, and the line |R| = 1 at one pixel's width.
void StabilityView::sample()
{
    const int columns = (width() + cell_ - 1) / cell_, rows = (height() + cell_ - 1) / cell_;
    std::vector<double> level(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows));
    const auto at = [columns](int i, int j) {
        return static_cast<std::size_t>(j) * static_cast<std::size_t>(columns) + static_cast<std::size_t>(i);
    };
    for (int j = 0; j < rows; ++j)
        for (int i = 0; i < columns; ++i)
            level[at(i, j)] = amplification_(valueAt({(i + 0.5) * cell_, (j + 0.5) * cell_}));
    image_ = QImage(columns, rows, QImage::Format_RGB32);
    for (int j = 0; j < rows; ++j)
        for (int i = 0; i < columns; ++i) {
            const double r = level[at(i, j)];
            QColor colour = theme_.surface;
            if (r <= 1 + 1e-12) {
                const double band = std::ceil(std::clamp(1 - r, 0.0, 1.0) * kBands) / kBands;
                colour = figures::blended(theme_.surface, theme_.accent, 0.14 + 0.3 * band);
            }
            const double right = level[at(std::min(i + 1, columns - 1), j)], below = level[at(i, std::min(j + 1, rows - 1))];
            const double slope = std::hypot(right - r, below - r);
            if (r > 0.5 && r < 2 && std::isfinite(slope) && slope > 1e-9) // nothing where |R| = 1 all over, nothing at poles
                colour = figures::blended(colour, theme_.text, std::clamp(1.3 - std::abs(r - 1) / slope, 0.0, 1.0));
            image_.setPixelColor(i, j, colour);
        }
}

void StabilityView::drawAxes(QPainter& painter) const
{
    const double unit = perPixel_ > 0 ? perPixel_ : kDefaultHeight / height();
    const double step = roundStep(70 * unit);
    const QPointF origin = placeOf(0);
    painter.setFont(uiFont(kTickPixels));
    painter.setPen(theme_.secondary);
    painter.drawLine(QPointF(0, origin.y()), QPointF(width(), origin.y()));
    painter.drawLine(QPointF(origin.x(), 0), QPointF(origin.x(), height()));
    const auto lower = valueAt({0.0, double(height())}), upper = valueAt({double(width()), 0.0});
    // Where an axis lies outside, its numbers stay at the edge.
    const double numbersY = std::clamp(origin.y(), 0.0, height() - 18.0),
                 numbersX = std::clamp(origin.x(), 0.0, width() - 46.0);
    for (double x = std::ceil(lower.real() / step) * step; x <= upper.real(); x += step)
        if (std::abs(x) > step / 2) {
            const double place = placeOf(x).x();
            painter.drawLine(QPointF(place, origin.y() - 3), QPointF(place, origin.y() + 3));
            if (place > 24 && place < width() - 24)
                painter.drawText(QRectF(place - 30, numbersY + 3, 60, 16), Qt::AlignHCenter | Qt::AlignTop, shownNumber(x));
        }
    for (double y = std::ceil(lower.imag() / step) * step; y <= upper.imag(); y += step)
        if (std::abs(y) > step / 2) {
            const double place = placeOf({0, y}).y();
            painter.drawLine(QPointF(origin.x() - 3, place), QPointF(origin.x() + 3, place));
            if (place > 28 && place < height() - 14)
                painter.drawText(QRectF(numbersX + 6, place - 9, 60, 18), Qt::AlignLeft | Qt::AlignVCenter,
                                 shownNumber(y) + QStringLiteral("i"));
        }
    painter.setPen(theme_.text);
    painter.drawText(QRectF(width() - 60, numbersY - 20, 54, 16), Qt::AlignRight, tr("Re z"));
    painter.drawText(QRectF(origin.x() + 8, 4, 60, 16), Qt::AlignLeft, tr("Im z"));
}

void StabilityView::drawPoints(QPainter& painter) const
{
    int outside = 0;
    painter.setPen(QPen(theme_.surface, 1.5));
    for (const auto& z : points_) {
        const QPointF place = placeOf(z);
        if (!rect().contains(place.toPoint())) {
            ++outside;
            continue;
        }
        const bool stable = amplification_ && amplification_(z) <= 1 + 1e-9;
        painter.setBrush(stable ? theme_.run(0) : theme_.error);
        painter.drawEllipse(place, 5, 5);
    }
    QString text = caption_;
    if (outside > 0)
        text += tr(" (%n outside of the view)", nullptr, outside);
    const QString between = text.isEmpty() || under_.isEmpty() ? QString() : QStringLiteral("\n");
    const QString lines = text + between + under_;
    if (lines.isEmpty())
        return;
    painter.setFont(uiFont(kTickPixels));
    const QRectF box = painter.boundingRect(QRectF(8, 0, width() - 16, height() - 6),
                                            Qt::AlignLeft | Qt::AlignBottom | Qt::TextWordWrap, lines);
    QColor ground = theme_.surface;
    ground.setAlphaF(0.85F);
    painter.fillRect(box.adjusted(-4, -2, 4, 2), ground);
    painter.setPen(theme_.text);
    painter.drawText(box, Qt::AlignLeft | Qt::AlignBottom | Qt::TextWordWrap, lines);
}

void StabilityView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme_.surface);
    if (amplification_) {
        if (image_.isNull())
            sample();
        painter.setRenderHint(QPainter::SmoothPixmapTransform, cell_ > 1);
        painter.drawImage(QRect(0, 0, image_.width() * cell_, image_.height() * cell_), image_);
    }
    painter.setRenderHint(QPainter::Antialiasing);
    drawAxes(painter);
    drawPoints(painter);
}

void StabilityView::wheelEvent(QWheelEvent* event)
{
    if (perPixel_ <= 0)
        perPixel_ = kDefaultHeight / height();
    const auto under = valueAt(event->position());
    perPixel_ = std::clamp(perPixel_ * std::pow(0.999, event->angleDelta().y()), kLeastScale, kMostScale);
    centre_ += under - valueAt(event->position());
    image_ = {};
    update();
    event->accept();
}

void StabilityView::mousePressEvent(QMouseEvent* event) { grabbed_ = event->pos(); }

void StabilityView::mouseMoveEvent(QMouseEvent* event)
{
    if (event->buttons() & Qt::LeftButton) {
        centre_ += valueAt(grabbed_) - valueAt(event->pos());
        grabbed_ = event->pos();
        image_ = {};
    }
    const auto z = valueAt(event->pos());
    if (amplification_)
        under_ = tr("z = %1 %2 %3i, |R| = %4")
                     .arg(shownNumber(z.real()), z.imag() < 0 ? QStringLiteral("−") : QStringLiteral("+"),
                          shownNumber(std::abs(z.imag())), shownNumber(amplification_(z), 4));
    update();
}

void StabilityView::leaveEvent(QEvent*)
{
    under_.clear();
    update();
}

} // namespace driftless::ui
