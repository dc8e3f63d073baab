#include "ui/views/WorkPrecisionView.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

#include "ui/document/NumberText.h"
#include "ui/views/CurveMarkers.h"
#include "ui/views/PlotData.h"

namespace driftless::ui {

namespace {

// Lengths in pixels.
constexpr double kPlotLeft = 62, kPlotRight = 16, kPlotBottom = 44, kPlotTop = 30, kRow = 20, kMark = 5, kReach = 10;
constexpr double kGuideDecades = 0.55; ///< that an order line reaches to either side
constexpr double kGuideShift = 0.12;   ///< decades of work to the left of its curve
constexpr double kLargestError = 10;   ///< not a digit is right: drawn there, whatever it is
constexpr double kSmallestError = 1e-16;

double shownError(double error) { return std::clamp(error, kSmallestError, kLargestError); }

void widen(double& low, double& high, double value)
{
    low = std::min(low, value);
    high = std::max(high, value);
}

} // namespace

std::vector<OrderLine> orderLines(const WorkPrecisionData& data)
{
    std::vector<OrderLine> lines;
    for (const WorkPrecisionCurve& curve : data.curves) {
        const bool known = std::any_of(lines.begin(), lines.end(), [&](const OrderLine& l) { return l.order == curve.order; });
        std::vector<const WorkPrecisionMark*> good;
        for (const WorkPrecisionMark& mark : curve.marks)
            if (!mark.failed() && mark.work > 0 && mark.error > std::max(10 * data.uncertainty, kSmallestError)
                && mark.error < 0.1 * kLargestError)
                good.push_back(&mark);
        if (curve.order <= 0 || known || good.size() < 2)
            continue;
        const WorkPrecisionMark& middle = *good[good.size() / 2];
        lines.push_back({curve.order, {middle.work, middle.error}});
    }
    return lines;
}

figures::Figure workPrecisionFigure(const WorkPrecisionData& data, const QString& title, const QString& caption,
                                    figures::Theme theme)
{
    figures::Panel panel;
    panel.x.title = figures::plain(data.work);
    panel.y.title = figures::plain(data.error);
    panel.x.logarithmic = panel.y.logarithmic = true;
    figures::Figure figure;
    for (const WorkPrecisionCurve& curve : data.curves) {
        figures::Series series;
        series.style = curve.style;
        series.kind = figures::SeriesKind::LineMarks;
        int failed = 0;
        for (const WorkPrecisionMark& mark : curve.marks) {
            failed += mark.failed();
            if (mark.failed() || mark.work <= 0)
                continue;
            series.x.push_back(mark.work);
            series.y.push_back(shownError(mark.error));
        }
        figure.legend.push_back({curve.style, figures::plain(curve.name),
                                 failed > 0 ? figures::plain(QObject::tr("%1 failed").arg(failed)) : QString()});
        if (!series.x.empty())
            panel.series.push_back(std::move(series));
    }
    for (const OrderLine& line : orderLines(data))
        panel.guides.push_back({-double(line.order), QObject::tr("order %1").arg(line.order),
                                QPointF(line.middle.x() * std::pow(10, -kGuideShift), line.middle.y())});
    if (data.uncertainty > 0)
        panel.shades.push_back({Qt::Horizontal, 0, data.uncertainty, QObject::tr("uncertainty of the reference")});
    if (panel.series.empty())
        panel.empty = QObject::tr("No point has been computed.");
    figure.title = figures::plain(title);
    figure.caption = figures::plain(caption);
    figure.notes << figures::plain(caption);
    figure.panels.push_back(std::move(panel));
    figure.style = figures::styleFor(figures::SizePreset::Page);
    figure.style.theme = theme;
    return figure;
}

WorkPrecisionView::WorkPrecisionView(const Theme& theme, QWidget* parent) : QWidget(parent), theme_(theme)
{
    setObjectName("workPrecisionView");
    setMouseTracking(true);
    setMinimumSize(360, 300);
}

void WorkPrecisionView::setTheme(const Theme& theme)
{
    theme_ = theme;
    update();
}

void WorkPrecisionView::setData(WorkPrecisionData data)
{
    data_ = std::move(data);
    layOut();
    update();
}

/// The rows of the legend above the axes, then whole decades of error and a little room around the work.
void WorkPrecisionView::layOut()
{
    const QFontMetricsF metrics(uiFont(kTickPixels));
    double x = kPlotLeft, y = 6;
    legend_.clear();
    for (std::size_t i = 0; i < data_.curves.size(); ++i) {
        const double wide = 34 + metrics.horizontalAdvance(data_.curves[i].name) + 18;
        if (x > kPlotLeft && x + wide > width() - kPlotRight) {
            x = kPlotLeft;
            y += kRow;
        }
        legend_.push_back({{x, y, wide, kRow}, static_cast<int>(i)});
        x += wide;
    }
    const double top = y + (legend_.empty() ? 0 : kRow) + kPlotTop;
    area_ =
        QRectF(kPlotLeft, top, std::max(60.0, width() - kPlotLeft - kPlotRight), std::max(60.0, height() - top - kPlotBottom));

    double lowWork = HUGE_VAL, highWork = 0, lowError = HUGE_VAL, highError = 0;
    for (const WorkPrecisionCurve& curve : data_.curves)
        for (const WorkPrecisionMark& mark : curve.marks) {
            if (mark.work > 0)
                widen(lowWork, highWork, mark.work);
            if (!mark.failed())
                widen(lowError, highError, shownError(mark.error));
        }
    if (!(lowWork <= highWork)) {
        lowWork = 10;
        highWork = 1e4;
    }
    if (!(lowError <= highError)) {
        lowError = 1e-10;
        highError = 1e-1;
    }
    x0_ = std::log10(lowWork) - 0.12;
    x1_ = std::max(std::log10(highWork) + 0.12, x0_ + 1);
    y0_ = std::floor(std::log10(lowError) - 0.05);
    y1_ = std::max(std::ceil(std::log10(highError) + 0.05), y0_ + 2);
}

double WorkPrecisionView::across(double work) const
{
    return area_.left() + (std::log10(std::max(work, 1e-300)) - x0_) / (x1_ - x0_) * area_.width();
}

double WorkPrecisionView::down(double error) const
{
    return area_.bottom() - (std::log10(error) - y0_) / (y1_ - y0_) * area_.height();
}

QPointF WorkPrecisionView::placeOf(const WorkPrecisionMark& mark) const
{
    const double x = mark.work > 0 ? across(mark.work) : area_.left();
    return {x, mark.failed() ? area_.top() - 10 : down(shownError(mark.error))};
}

void WorkPrecisionView::drawLegend(QPainter& painter) const
{
    painter.setFont(uiFont(kTickPixels));
    for (const Legend& entry : legend_) {
        const int style = data_.curves[static_cast<std::size_t>(entry.curve)].style;
        const double y = entry.place.center().y();
        painter.setPen(curvePen(theme_.run(style), 2, runDashes(style)));
        painter.drawLine(QPointF(entry.place.left(), y), QPointF(entry.place.left() + 26, y));
        painter.setPen(QPen(theme_.surface, 1));
        painter.setBrush(theme_.run(style));
        painter.drawPath(markerShape(style, kMark).translated(entry.place.left() + 13, y));
        painter.setPen(theme_.text);
        painter.drawText(entry.place.adjusted(32, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft,
                         data_.curves[static_cast<std::size_t>(entry.curve)].name);
    }
}

void WorkPrecisionView::drawAxes(QPainter& painter) const
{
    painter.setFont(uiFont(kTickPixels));
    if (data_.uncertainty > 0 && std::log10(data_.uncertainty) > y0_) {
        QColor shade = theme_.secondary;
        shade.setAlphaF(0.12F);
        const double top = std::max(down(data_.uncertainty), area_.top());
        painter.fillRect(QRectF(QPointF(area_.left(), top), area_.bottomRight()), shade);
        painter.setPen(theme_.secondary);
        painter.drawText(QRectF(area_.left() + 8, std::min(top + 3, area_.bottom() - 18), area_.width() - 16, 16),
                         Qt::AlignLeft | Qt::AlignTop, tr("the reference is not more certain than this"));
    }
    const int most = std::max(2, static_cast<int>(area_.height() / 34));
    for (const PlotTick& tick : axisTicks(std::pow(10, y0_), std::pow(10, y1_), true, most)) {
        const double y = down(tick.value);
        painter.setPen(theme_.line);
        painter.drawLine(QPointF(area_.left(), y), QPointF(area_.right(), y));
        painter.setPen(theme_.secondary);
        painter.drawText(QRectF(0, y - 9, area_.left() - 8, 18), Qt::AlignRight | Qt::AlignVCenter, tick.text);
    }
    // Decades of work are few: twos and fives as well, where there is room.
    const double decade = area_.width() / (x1_ - x0_);
    for (int k = static_cast<int>(std::floor(x0_)); k <= static_cast<int>(std::ceil(x1_)); ++k)
        for (const int digit : {1, 2, 5}) {
            const double value = digit * std::pow(10.0, k), x = across(value);
            if (x < area_.left() || x > area_.right() || (digit > 1 && decade < 130))
                continue;
            painter.setPen(theme_.line);
            painter.drawLine(QPointF(x, area_.top()), QPointF(x, area_.bottom()));
            painter.setPen(theme_.secondary);
            const bool plain = k >= 0 && k < 5;
            const QString factor = digit == 1 ? QString() : QString::number(digit) + QStringLiteral("·");
            const QString text = plain ? fixedText(value, 0) : factor + decadeText(k);
            if (x > area_.left() + 8 && x < area_.right() - 8)
                painter.drawText(QRectF(x - 40, area_.bottom() + 5, 80, 16), Qt::AlignHCenter | Qt::AlignTop, text);
        }
    painter.setPen(theme_.text);
    painter.drawText(QRectF(area_.left(), area_.bottom() + 22, area_.width(), 18), Qt::AlignHCenter | Qt::AlignTop, data_.work);
    painter.save();
    painter.translate(13, area_.center().y());
    painter.rotate(-90);
    painter.drawText(QRectF(-area_.height() / 2, -10, area_.height(), 18), Qt::AlignCenter, data_.error);
    painter.restore();
}

void WorkPrecisionView::drawOrders(QPainter& painter) const
{
    painter.setFont(uiFont(kTickPixels));
    std::vector<QRectF> taken;
    for (const OrderLine& line : orderLines(data_)) {
        const double factor = std::pow(10, kGuideDecades), shift = std::pow(10, -kGuideShift);
        const double work = line.middle.x() * shift;
        const QPointF from(across(work / factor), down(line.middle.y() * std::pow(factor, line.order)));
        const QPointF to(across(work * factor), down(line.middle.y() * std::pow(factor, -line.order)));
        painter.save();
        painter.setClipRect(area_);
        painter.setPen(QPen(theme_.secondary, 1, Qt::DashLine));
        painter.drawLine(from, to);
        painter.restore();
        const QString text = tr("order %1").arg(line.order);
        const double wide = QFontMetricsF(painter.font()).horizontalAdvance(text) + 6;
        // At the lower end, or where the line leaves the axes.
        QPointF end = to;
        if (end.y() > area_.bottom() - 18) {
            const double share = (area_.bottom() - 18 - from.y()) / (to.y() - from.y());
            end = from + share * (to - from);
        }
        QRectF box(end.x() - wide - 3, end.y() - 9, wide, 18);
        for (const QRectF& other : taken)
            if (box.intersects(other))
                box.moveBottom(other.top());
        taken.push_back(box);
        QColor ground = theme_.surface;
        ground.setAlphaF(0.8F);
        painter.fillRect(box.adjusted(0, 2, 0, -2), ground);
        painter.setPen(theme_.secondary);
        painter.drawText(box, Qt::AlignCenter, text);
    }
}

void WorkPrecisionView::drawCurve(QPainter& painter, const WorkPrecisionCurve& curve) const
{
    const QColor colour = theme_.run(curve.style);
    QPolygonF line;
    painter.setBrush(Qt::NoBrush);
    painter.setPen(curvePen(colour, 2, runDashes(curve.style)));
    const auto flush = [&] {
        if (line.size() > 1)
            painter.drawPolyline(line);
        line.clear();
    };
    for (const WorkPrecisionMark& mark : curve.marks) {
        if (mark.failed() || mark.work <= 0) {
            flush();
            continue;
        }
        line << placeOf(mark);
    }
    flush();
    for (const WorkPrecisionMark& mark : curve.marks) {
        const QPointF place = placeOf(mark);
        if (mark.failed()) { // a cross above the axes
            painter.setPen(QPen(colour, 2));
            painter.drawLine(place + QPointF(-4, -4), place + QPointF(4, 4));
            painter.drawLine(place + QPointF(-4, 4), place + QPointF(4, -4));
            continue;
        }
        painter.setPen(QPen(theme_.surface, 1));
        painter.setBrush(colour);
        painter.drawPath(markerShape(curve.style, kMark).translated(place));
    }
}

void WorkPrecisionView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme_.surface);
    painter.setRenderHint(QPainter::Antialiasing);
    drawLegend(painter);
    drawAxes(painter);
    drawOrders(painter);
    bool failed = false;
    for (const WorkPrecisionCurve& curve : data_.curves) {
        drawCurve(painter, curve);
        failed = failed || std::any_of(curve.marks.begin(), curve.marks.end(), [](const auto& mark) { return mark.failed(); });
    }
    if (failed) {
        painter.setFont(uiFont(kTickPixels));
        painter.setPen(theme_.secondary);
        painter.drawText(QRectF(0, area_.top() - 20, area_.left() - 8, 18), Qt::AlignRight | Qt::AlignVCenter, tr("failed"));
    }
    if (!data_.empty.isEmpty()) {
        painter.setFont(uiFont(kTextPixels));
        painter.setPen(theme_.secondary);
        painter.drawText(area_.adjusted(40, 0, -40, 0), Qt::AlignCenter | Qt::TextWordWrap, data_.empty);
    }
}

void WorkPrecisionView::resizeEvent(QResizeEvent*) { layOut(); }

WorkPrecisionView::Place WorkPrecisionView::under(QPointF position) const
{
    Place found;
    double nearest = kReach;
    for (std::size_t c = 0; c < data_.curves.size(); ++c)
        for (std::size_t m = 0; m < data_.curves[c].marks.size(); ++m) {
            const QPointF d = placeOf(data_.curves[c].marks[m]) - position;
            const double distance = std::hypot(d.x(), d.y());
            if (distance <= nearest) {
                nearest = distance;
                found = {static_cast<int>(c), static_cast<int>(m)};
            }
        }
    return found;
}

void WorkPrecisionView::mouseMoveEvent(QMouseEvent* event)
{
    const Place place = under(event->position());
    if (place.curve < 0) {
        QToolTip::hideText();
        unsetCursor();
        return;
    }
    const auto& mark = data_.curves[static_cast<std::size_t>(place.curve)].marks[static_cast<std::size_t>(place.mark)];
    QToolTip::showText(event->globalPosition().toPoint(), mark.tip, this);
    setCursor(mark.failed() ? Qt::ArrowCursor : Qt::PointingHandCursor);
}

void WorkPrecisionView::mousePressEvent(QMouseEvent* event)
{
    const Place place = under(event->position());
    if (event->button() == Qt::LeftButton && place.curve >= 0)
        emit clicked(place.curve, place.mark);
}

} // namespace driftless::ui
