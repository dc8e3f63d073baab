// How the time line is drawn: axis, bars, strips of dummies and of modes, marks, words, handle.
#include <QPaintEvent>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <array>

#include "ui/views/PlotData.h"
#include "ui/views/TimeLine.h"
#include "ui/views/TimeLineRows.h"

namespace driftless::ui {

namespace {

constexpr float kModeShade = 0.32f; // of a run's colour in that of a mode

/// Diamond: command; circle: correction or restart; triangle: warning or stuck; cross: failure; square: finished; triangle on
/// its tip: impact; bar: another mode.
QPainterPath markShape(run::EventKind kind, QPointF c, double r)
{
    using run::EventKind;
    QPainterPath path;
    switch (kind) {
    case EventKind::Warning:
    case EventKind::Stuck:
        path.addPolygon(QPolygonF{{c.x(), c.y() - r}, {c.x() + r, c.y() + r * 0.8}, {c.x() - r, c.y() + r * 0.8}});
        path.closeSubpath();
        break;
    case EventKind::Failure: {
        const double a = r, b = r * 0.35;
        path.addPolygon(QPolygonF{{c.x() - a, c.y() - a + b},
                                  {c.x() - a + b, c.y() - a},
                                  {c.x(), c.y() - b},
                                  {c.x() + a - b, c.y() - a},
                                  {c.x() + a, c.y() - a + b},
                                  {c.x() + b, c.y()},
                                  {c.x() + a, c.y() + a - b},
                                  {c.x() + a - b, c.y() + a},
                                  {c.x(), c.y() + b},
                                  {c.x() - a + b, c.y() + a},
                                  {c.x() - a, c.y() + a - b},
                                  {c.x() - b, c.y()}});
        path.closeSubpath();
        break;
    }
    case EventKind::Correction:
    case EventKind::Restart:
        path.addEllipse(c, r * 0.75, r * 0.75);
        break;
    case EventKind::Impact:
        path.addPolygon(QPolygonF{{c.x() - r, c.y() - r * 0.8}, {c.x() + r, c.y() - r * 0.8}, {c.x(), c.y() + r}});
        path.closeSubpath();
        break;
    case EventKind::Mode:
        path.addRect(QRectF(c.x() - r * 0.35, c.y() - r, 0.7 * r, 2 * r));
        break;
    case EventKind::Finished:
        path.addRect(QRectF(c.x() - r * 0.7, c.y() - r * 0.7, 1.4 * r, 1.4 * r));
        break;
    default:
        path.addPolygon(QPolygonF{{c.x(), c.y() - r}, {c.x() + r, c.y()}, {c.x(), c.y() + r}, {c.x() - r, c.y()}});
        path.closeSubpath();
    }
    return path;
}

} // namespace

std::vector<QColor> modeColours(const Theme& theme)
{
    const auto mixed = [](float of, float with) { return kModeShade * of + (1 - kModeShade) * with; };
    std::vector<QColor> out;
    for (const QColor& of : theme.runs) {
        const QColor& with = theme.surface;
        out.push_back(QColor::fromRgbF(mixed(of.redF(), with.redF()), mixed(of.greenF(), with.greenF()),
                                       mixed(of.blueF(), with.blueF())));
    }
    return out;
}

void TimeLine::paintEvent(QPaintEvent* event)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& theme = timeLineTheme(dark_);
    painter.fillRect(rect(), theme.surface);
    painter.setPen(QPen(theme.line, 1));
    painter.drawLine(QPointF(0, 0.5), QPointF(width(), 0.5));
    layOutMarks();
    paintAxis(painter, event->rect());
    paintReached(painter);
    paintPivots(painter, event->rect());
    paintModes(painter, event->rect());
    paintMarks(painter);
    paintLabels(painter, event->rect());
    paintHandle(painter);
    shownX_ = xOf(time_);
    if (hasFocus()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme.accent, 1));
        painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

void TimeLine::paintAxis(QPainter& painter, const QRectF& dirty) const
{
    const Theme& theme = timeLineTheme(dark_);
    const QRectF area = axisRect();
    const double y = axisTop();
    if (visibleTo_ > visibleFrom_) {
        const double x0 = xOf(std::clamp(visibleFrom_, 0.0, span_)), x1 = xOf(std::clamp(visibleTo_, 0.0, span_));
        QColor shade = theme.accent;
        shade.setAlphaF(dark_ ? 0.13f : 0.07f);
        painter.fillRect(QRectF(x0, 1, x1 - x0, y - 1), shade);
    }
    painter.setPen(QPen(theme.line, 1));
    painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
    painter.setFont(uiFont(qRound((kTickPixels - 1) * scale_)));
    const QFontMetricsF metrics(painter.font());
    const auto ticks = niceTicks(0, span_, std::max(2, static_cast<int>(area.width() / (80 * scale_))));
    const double distance = ticks.size() > 1 ? ticks[1] - ticks[0] : span_;
    const double handle = xOf(std::clamp(time_, 0.0, span_)), kept = (kHandleRadius + 2) * scale_;
    for (std::size_t i = 0; i < ticks.size(); ++i) {
        const double x = xOf(ticks[i]);
        if (x < dirty.left() - kNearHandle * scale_ || x > dirty.right() + kNearHandle * scale_)
            continue; // text is dear
        painter.setPen(QPen(theme.secondary, 1));
        painter.drawLine(QPointF(x, y), QPointF(x, y + 2 * scale_));
        const QString text = tickText(ticks[i], distance) + (i + 1 == ticks.size() ? QStringLiteral(" s") : QString());
        const double w = metrics.horizontalAdvance(text);
        const double left = std::clamp(x - w / 2, 2.0, std::max(2.0, width() - w - 2));
        if (left > handle + kept || left + w < handle - kept) // the handle would lie on it
            painter.drawText(QPointF(left, height() - 3 * scale_), text);
    }
}

void TimeLine::paintReached(QPainter& painter) const
{
    const Theme& theme = timeLineTheme(dark_);
    if (runs_.empty())
        return;
    const double pitch = kBarHeight / static_cast<double>(std::max<std::size_t>(runs_.size(), 4)) * scale_;
    for (std::size_t i = 0; i < runs_.size(); ++i) {
        const double y = kBarTop * scale_ + (static_cast<double>(i) + 0.5) * pitch;
        const double end = xOf(runs_[i].reached);
        painter.setPen(QPen(theme.run(runs_[i].colour), std::max(1.0, pitch - 1), Qt::SolidLine, Qt::FlatCap));
        painter.drawLine(QPointF(xOf(0), y), QPointF(end, y));
        if (runs_[i].failed) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(theme.error);
            painter.drawRect(QRectF(end - 1.5 * scale_, y - 3 * scale_, 3 * scale_, 6 * scale_));
        }
    }
}

void TimeLine::paintPivots(QPainter& painter, const QRectF& dirty) const
{
    const Theme& theme = timeLineTheme(dark_);
    if (pivots_.empty())
        return;
    const auto selected = std::find_if(runs_.begin(), runs_.end(), [](const TimeLineRun& r) { return r.selected; });
    constexpr std::array<float, 4> kShades{0.50f, 0.16f, 0.33f, 0.08f};
    QStringList seen;
    painter.setFont(uiFont(qRound(10 * scale_), QFont::Medium));
    const QFontMetricsF metrics(painter.font());
    for (const PivotSegment& segment : pivots_) {
        if (!seen.contains(segment.dummies))
            seen << segment.dummies;
        QColor shade = theme.run(selected->colour);
        shade.setAlphaF(kShades[static_cast<std::size_t>(seen.indexOf(segment.dummies)) % kShades.size()]);
        const QRectF box(xOf(segment.from), kStripTop * scale_, std::max(0.5, xOf(segment.to) - xOf(segment.from)),
                         kStripHeight * scale_);
        if (!box.intersects(dirty))
            continue;
        painter.fillRect(box, shade);
        if (metrics.horizontalAdvance(segment.dummies) + 6 <= box.width()) {
            painter.setPen(theme.text);
            painter.drawText(box, Qt::AlignCenter, segment.dummies);
        }
    }
}

/// Each mode has a colour of its own, and its words where there is room.
void TimeLine::paintModes(QPainter& painter, const QRectF& dirty) const
{
    if (modes_.empty())
        return;
    const Theme& theme = timeLineTheme(dark_);
    const auto selected = std::find_if(runs_.begin(), runs_.end(), [](const TimeLineRun& r) { return r.selected; });
    QStringList seen;
    painter.setFont(uiFont(qRound(10 * scale_), QFont::Medium));
    const QFontMetricsF metrics(painter.font());
    const double top = (kStripTop + kModeHeight) * scale_;
    const std::vector<QColor> colours = modeColours(theme);
    for (const ModeSegment& segment : modes_) {
        if (!seen.contains(segment.mode))
            seen << segment.mode;
        const QRectF box(xOf(segment.from), top, std::max(1.0, xOf(segment.to) - xOf(segment.from)), kStripHeight * scale_);
        if (!box.intersects(dirty))
            continue;
        // The run's own colour stands for the run: those of the others are free for modes.
        const auto place = static_cast<std::size_t>(selected->colour + 1)
                           + static_cast<std::size_t>(seen.indexOf(segment.mode)) % (colours.size() - 1);
        painter.fillRect(box, colours[place % colours.size()]);
        painter.setPen(QPen(theme.surface, 1));
        painter.drawLine(box.topLeft(), box.bottomLeft());
        if (metrics.horizontalAdvance(segment.mode) + 6 <= box.width()) {
            painter.setPen(theme.text);
            painter.drawText(box, Qt::AlignCenter, segment.mode);
        }
    }
}

void TimeLine::paintMarks(QPainter& painter) const
{
    const Theme& theme = timeLineTheme(dark_);
    for (std::size_t i = 0; i < marks_.size(); ++i) {
        const Mark& mark = marks_[i];
        const TimeLineRun& run = runs_[static_cast<std::size_t>(mark.run)];
        if (mark.pivot)
            continue;
        const run::EventKind kind = eventOf(mark).kind();
        const bool large = static_cast<int>(i) == hovered_;
        const QPainterPath shape = markShape(kind, QPointF(mark.x, markRow(mark)), kMarkRadius * scale_ * (large ? 1.35 : 1));
        painter.setPen(QPen(theme.surface, 1));
        painter.setBrush(kind == run::EventKind::Failure ? theme.error : theme.run(run.colour));
        painter.drawPath(shape);
    }
}

void TimeLine::paintLabels(QPainter& painter, const QRectF& dirty) const
{
    const Theme& theme = timeLineTheme(dark_);
    painter.setFont(labelFont());
    for (const EventLabel& label : labels_) {
        if (!label.box.adjusted(-2 * kMarkRadius * scale_, 0, 2 * kMarkRadius * scale_, 0).intersects(dirty))
            continue; // text is dear
        const run::Event& event = runs_[static_cast<std::size_t>(label.run)].events[static_cast<std::size_t>(label.event)];
        if (event.kind() == run::EventKind::Pivot) { // where the strip below changes its shade
            painter.setPen(QPen(theme.secondary, 1));
            painter.drawLine(QPointF(xOf(event.t), label.box.top()), QPointF(xOf(event.t), label.box.bottom()));
        }
        painter.setPen(timeLineRank(event) == 0 ? theme.error : theme.text);
        painter.drawText(label.box, static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter) | Qt::TextDontClip, label.text);
    }
}

void TimeLine::paintHandle(QPainter& painter) const
{
    const Theme& theme = timeLineTheme(dark_);
    const double x = xOf(std::clamp(time_, 0.0, span_)), y = axisTop();
    painter.setPen(QPen(theme.text, 1.5 * scale_));
    painter.drawLine(QPointF(x, 2), QPointF(x, y));
    painter.setPen(QPen(theme.surface, 1.5));
    painter.setBrush(theme.text);
    painter.drawEllipse(QPointF(x, y), kHandleRadius * scale_, kHandleRadius * scale_);
    if (!scrubbing_)
        return;
    painter.setFont(uiFont(qRound((kTickPixels - 1) * scale_), QFont::DemiBold));
    const QString text = QString::number(time_, 'f', timeDecimals(span_)) + QStringLiteral(" s");
    const double w = QFontMetricsF(painter.font()).horizontalAdvance(text) + 10 * scale_;
    const double left = x + 8 * scale_ + w > width() ? x - 8 * scale_ - w : x + 8 * scale_;
    const QRectF box(left, kStripTop * scale_ - 4, w, 17 * scale_);
    painter.setPen(Qt::NoPen);
    painter.drawRoundedRect(box, 4, 4);
    painter.setPen(theme.surface);
    painter.drawText(box, Qt::AlignCenter, text);
}

} // namespace driftless::ui
