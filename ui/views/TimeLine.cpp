#include "ui/views/TimeLine.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/run/EventWords.h"
#include "core/text/Names.h"
#include "ui/views/EventLabels.h"
#include "ui/views/PlotData.h"
#include "ui/views/Theme.h"

namespace driftless::ui {

namespace {

// Rows from the top [px]: marks 13, reached bars 13, pivots 12, modes 12 where the model has several, axis 15.
constexpr double kLineHeight = 56, kModeHeight = 12, kLineMargin = 12;
constexpr double kMarkTop = 2, kMarkHeight = 12, kBarTop = 16, kBarHeight = 11, kStripTop = 29, kStripHeight = 11,
                 kAxisTop = 41;
constexpr double kMarkRadius = 4.5, kHandleRadius = 5.5, kGrab = 7;
constexpr double kNearHandle = 70; // [px] the handle, and the labels that it hides
constexpr int kMostMarks = 600;    // more would be a solid bar
constexpr std::size_t kMostPivots = 200;
constexpr double kLongestLabel = 150; // [px]
constexpr float kModeShade = 0.32f;   // of a run's colour in that of a mode

/// Which events choose their words first: what ended a run, what a person did, warnings, what followed, and the many pivots.
int rankOf(const run::Event& event)
{
    const auto* done = event.as<run::CommandDone>();
    if (done && std::holds_alternative<run::Branch>(done->payload))
        return 3; // the change that it was made for says more
    switch (event.kind()) {
    case run::EventKind::Failure:
    case run::EventKind::Stuck:
        return 0;
    case run::EventKind::Command:
        return 1;
    case run::EventKind::Warning:
        return 2;
    case run::EventKind::Pivot:
        return 4;
    default:
        return 3;
    }
}

/// What a command sets: commands of one kind replace each other, of parameters, gains and options those of one name.
std::string targetOf(const run::CommandPayload& payload)
{
    const std::string kind = std::to_string(payload.index()) + '/';
    if (const auto* parameter = std::get_if<run::SetParameter>(&payload))
        return kind + parameter->name;
    if (const auto* gain = std::get_if<run::SetGain>(&payload))
        return kind + gain->name;
    const auto* choice = std::get_if<run::SetChoice>(&payload);
    return choice ? kind + choice->name : kind;
}

/// A later command at the same time has the last word: what was undone there needs none.
bool isReplaced(const std::vector<run::Event>& events, std::size_t place)
{
    const auto* done = events[place].as<run::CommandDone>();
    if (!done || std::holds_alternative<run::Branch>(done->payload))
        return false;
    return std::any_of(events.begin() + static_cast<std::ptrdiff_t>(place) + 1, events.end(), [&](const run::Event& later) {
        const auto* other = later.t == events[place].t ? later.as<run::CommandDone>() : nullptr;
        return other && targetOf(other->payload) == targetOf(done->payload);
    });
}

const Theme& themeOf(bool dark) { return dark ? Theme::darkTheme() : Theme::light(); }

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

std::vector<PivotSegment> pivotSegments(const std::vector<run::Event>& events, const QString& current, double reached)
{
    std::vector<PivotSegment> out;
    double from = 0;
    for (const run::Event& event : events)
        if (const auto* pivot = event.as<run::PivotChange>()) {
            out.push_back({.from = from, .to = event.t, .dummies = QString::fromStdString(text::joined(pivot->from))});
            from = event.t;
        } else if (const auto* mode = event.as<run::ModeChange>(); mode && mode->dummiesBefore != mode->dummies) {
            if (!mode->dummiesBefore.empty() && event.t > from)
                out.push_back(
                    {.from = from, .to = event.t, .dummies = QString::fromStdString(text::joined(mode->dummiesBefore))});
            from = event.t;
        }
    if (!current.isEmpty() && reached >= from)
        out.push_back({from, reached, current});
    return out;
}

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

std::vector<ModeSegment> modeSegments(const std::vector<run::Event>& events, const QString& current, double reached)
{
    std::vector<ModeSegment> out;
    if (current.isEmpty())
        return out;
    double from = 0;
    for (const run::Event& event : events)
        if (const auto* change = event.as<run::ModeChange>()) {
            if (event.t > from)
                out.push_back({.from = from, .to = event.t, .mode = QString::fromStdString(change->from)});
            from = event.t;
        }
    if (reached >= from)
        out.push_back({.from = from, .to = reached, .mode = current});
    return out;
}

TimeLine::TimeLine(QWidget* parent) : QWidget(parent)
{
    setObjectName("timeLine");
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Time line"));
    setFixedHeight(sizeHint().height());
}

double TimeLine::axisTop() const { return (kAxisTop + (modes_.empty() ? 0 : kModeHeight)) * scale_; }

QSize TimeLine::sizeHint() const { return {560, minimumSizeHint().height()}; }
QSize TimeLine::minimumSizeHint() const { return {200, qRound((kLineHeight + (modes_.empty() ? 0 : kModeHeight)) * scale_)}; }

void TimeLine::setRuns(std::vector<TimeLineRun> runs)
{
    runs_ = std::move(runs);
    labelsStale_ = true;
    pivots_.clear();
    const bool hadModes = !modes_.empty();
    modes_.clear();
    const auto selected = std::find_if(runs_.begin(), runs_.end(), [](const TimeLineRun& r) { return r.selected; });
    if (selected != runs_.end()) {
        pivots_ = pivotSegments(selected->events, selected->dummies, selected->reached);
        modes_ = modeSegments(selected->events, selected->mode, selected->reached);
    }
    if (hadModes == modes_.empty())
        setFixedHeight(sizeHint().height());
    updateSpan();
    update();
}

void TimeLine::setTime(double t)
{
    if (t == time_)
        return;
    time_ = t;
    updateSpan();
    constexpr double kVisibleMove = 0.75; // [px]
    const double x = xOf(t), around = kNearHandle * scale_;
    if (std::abs(x - shownX_) >= kVisibleMove)
        update(QRectF(std::min(x, shownX_) - around, 0, std::abs(x - shownX_) + 2 * around, height()).toAlignedRect());
}

void TimeLine::setVisibleRange(double t0, double t1)
{
    if (t0 == visibleFrom_ && t1 == visibleTo_)
        return;
    visibleFrom_ = t0;
    visibleTo_ = t1;
    update();
}

void TimeLine::setDark(bool dark)
{
    dark_ = dark;
    update();
}

void TimeLine::setScale(double scale)
{
    scale_ = scale;
    labelsStale_ = true;
    setFixedHeight(sizeHint().height());
    update();
}

double TimeLine::reached() const
{
    double t = 0;
    for (const TimeLineRun& run : runs_)
        t = std::max(t, run.reached);
    return t;
}

void TimeLine::updateSpan()
{
    const double span = niceEnd(std::max(reached(), time_), shortest_);
    if (span != span_ && !scrubbing_) {
        span_ = span;
        labelsStale_ = true;
        update();
    }
}

void TimeLine::setShortest(double span)
{
    shortest_ = span;
    updateSpan();
}

QRectF TimeLine::axisRect() const
{
    return QRectF(kLineMargin * scale_, 0, std::max(1.0, width() - 2 * kLineMargin * scale_), height());
}

double TimeLine::xOf(double t) const { return axisRect().left() + t / span_ * axisRect().width(); }

double TimeLine::timeAt(double x) const
{
    return std::clamp((x - axisRect().left()) / axisRect().width() * span_, 0.0, reached());
}

const run::Event& TimeLine::eventOf(const Mark& mark) const
{
    return runs_[static_cast<std::size_t>(mark.run)].events[static_cast<std::size_t>(mark.event)];
}

void TimeLine::layOutMarks()
{
    marks_.clear();
    std::vector<Mark> pivots;
    for (int r = 0; r < static_cast<int>(runs_.size()); ++r) {
        const TimeLineRun& run = runs_[static_cast<std::size_t>(r)];
        for (int e = 0; e < static_cast<int>(run.events.size()); ++e) {
            const run::Event& event = run.events[static_cast<std::size_t>(e)];
            const bool pivot = event.kind() == run::EventKind::Pivot;
            if (event.kind() == run::EventKind::Start || (pivot && !run.selected))
                continue; // a start needs no mark, and the strip shows the pivots of the selected run
            const run::Event* before = e > 0 ? &run.events[static_cast<std::size_t>(e - 1)] : nullptr;
            if (event.kind() == run::EventKind::Mode && before && before->t == event.t
                && before->kind() == run::EventKind::Impact)
                continue; // the mark of the impact stands there
            (pivot ? pivots : marks_).push_back({.run = r, .event = e, .x = xOf(event.t), .pivot = pivot});
        }
    }
    if (marks_.size() > kMostMarks)
        marks_.erase(marks_.begin(), marks_.end() - kMostMarks);
    if (pivots.size() <= kMostPivots) // more have no room for words
        marks_.insert(marks_.end(), pivots.begin(), pivots.end());
    layOutLabels();
}

QFont TimeLine::labelFont() const { return uiFont(qRound((kTickPixels - 1) * scale_)); }

void TimeLine::layOutLabels()
{
    if (!std::exchange(labelsStale_, false))
        return;
    labels_.clear();
    const QFontMetricsF metrics(labelFont());
    std::vector<EventLabel> asked;
    std::vector<LabelWish> wishes;
    for (const Mark& mark : marks_) {
        const run::Event& event = eventOf(mark);
        QString text = QString::fromStdString(run::label(event.detail)).replace(QStringLiteral(" -> "), QStringLiteral("→"));
        text = metrics.elidedText(text, Qt::ElideRight, kLongestLabel * scale_);
        const auto said = [&](const EventLabel& other) { // of all runs at one time: once
            return std::abs(other.box.left() - mark.x) < 1 && other.text == text;
        };
        const auto& ofRun = runs_[static_cast<std::size_t>(mark.run)].events;
        const bool inStrip = event.kind() == run::EventKind::Mode && runs_[static_cast<std::size_t>(mark.run)].selected;
        if (inStrip || std::ranges::any_of(asked, said) || isReplaced(ofRun, static_cast<std::size_t>(mark.event)))
            text.clear();
        const double width = metrics.horizontalAdvance(text);
        asked.push_back({.run = mark.run,
                         .event = mark.event,
                         .text = text,
                         .box = QRectF(mark.x, kMarkTop * scale_, width, kMarkHeight * scale_)});
        wishes.push_back({.at = mark.x, .width = width, .rank = rankOf(event), .marked = !mark.pivot});
    }
    const double radius = kMarkRadius * scale_;
    const auto places = placeLabels(wishes, {.from = 2, .to = width() - 2.0, .mark = radius, .gap = 3 * scale_});
    for (std::size_t i = 0; i < asked.size(); ++i)
        if (places[i] && !asked[i].text.isEmpty()) {
            asked[i].box.moveLeft(*places[i]);
            labels_.push_back(asked[i]);
        }
}

const std::vector<EventLabel>& TimeLine::labels()
{
    layOutMarks();
    return labels_;
}

/// Marks of several runs at one time stand a little apart, so that each can be hit.
double TimeLine::markRow(const Mark& mark) const
{
    const auto runs = static_cast<double>(runs_.size());
    const double free = kMarkHeight - 2 * kMarkRadius;
    const double share = runs > 1 ? mark.run / (runs - 1) : 0.5;
    return (kMarkTop + kMarkRadius + free * share) * scale_;
}

const TimeLine::Mark* TimeLine::markAt(const QPointF& position) const
{
    const Mark* best = nullptr;
    double nearest = kGrab * scale_;
    if (position.y() > (kMarkTop + kMarkHeight + 2) * scale_)
        return nullptr;
    // Marks and labels are those that were painted last: the events of some may be cut since.
    const auto there = [this](const Mark& mark) {
        const auto run = static_cast<std::size_t>(mark.run);
        return run < runs_.size() && static_cast<std::size_t>(mark.event) < runs_[run].events.size();
    };
    for (const EventLabel& label : labels_)
        if (label.box.contains(position)) {
            const auto mark = std::ranges::find_if(
                marks_, [&](const Mark& m) { return m.run == label.run && m.event == label.event && there(m); });
            return mark == marks_.end() ? nullptr : &*mark;
        }
    for (const Mark& mark : marks_) {
        if (mark.pivot || !there(mark))
            continue;
        const double distance = std::hypot(mark.x - position.x(), markRow(mark) - position.y());
        if (distance < nearest) {
            nearest = distance;
            best = &mark;
        }
    }
    return best;
}

void TimeLine::scrubTo(double t)
{
    time_ = std::clamp(t, 0.0, reached());
    update();
    emit scrubbed(time_);
}

void TimeLine::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return;
    layOutMarks();
    if (const Mark* mark = markAt(event->position())) {
        const int run = mark->run;
        const double t = eventOf(*mark).t;
        emit scrubStarted();
        scrubTo(t);
        emit scrubFinished();
        emit eventClicked(run, t);
        return;
    }
    scrubbing_ = true;
    emit scrubStarted();
    scrubTo(timeAt(event->position().x()));
}

void TimeLine::mouseMoveEvent(QMouseEvent* event)
{
    if (scrubbing_) {
        scrubTo(timeAt(event->position().x()));
        return;
    }
    layOutMarks();
    const Mark* mark = markAt(event->position());
    const int hovered = mark ? static_cast<int>(mark - marks_.data()) : -1;
    setCursor(mark ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (hovered != hovered_) {
        hovered_ = hovered;
        update();
    }
}

void TimeLine::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || !scrubbing_)
        return;
    scrubbing_ = false;
    updateSpan();
    update();
    emit scrubFinished();
}

void TimeLine::keyPressEvent(QKeyEvent* event)
{
    const double step = span_ / axisRect().width() * (event->modifiers() & Qt::ShiftModifier ? 10 : 1);
    double t = time_;
    switch (event->key()) {
    case Qt::Key_Left:
        t -= step;
        break;
    case Qt::Key_Right:
        t += step;
        break;
    case Qt::Key_Home:
        t = 0;
        break;
    case Qt::Key_End:
        t = reached();
        break;
    default:
        QWidget::keyPressEvent(event);
        return;
    }
    emit scrubStarted();
    scrubTo(t);
    emit scrubFinished();
}

void TimeLine::leaveEvent(QEvent*)
{
    hovered_ = -1;
    update();
}

void TimeLine::resizeEvent(QResizeEvent* event)
{
    labelsStale_ = true;
    QWidget::resizeEvent(event);
}

bool TimeLine::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const QString tip = tipAt(QPointF(help->pos()));
        if (tip.isEmpty())
            QToolTip::hideText();
        else
            QToolTip::showText(help->globalPos(), tip, this);
        return true;
    }
    return QWidget::event(event);
}

QString TimeLine::tipAt(const QPointF& position) const
{
    if (const Mark* mark = markAt(position)) {
        const TimeLineRun& run = runs_[static_cast<std::size_t>(mark->run)];
        const run::Event& e = eventOf(*mark);
        return QStringLiteral("<b>%1</b>, t = %2 s<br>%3")
            .arg(run.name.toHtmlEscaped(), QString::number(e.t, 'g', 6), QString::fromStdString(run::words(e)).toHtmlEscaped());
    }
    const double y = position.y() / scale_, t = timeAt(position.x());
    if (y >= kStripTop && y <= kStripTop + kStripHeight)
        for (const PivotSegment& segment : pivots_)
            if (t >= segment.from && t <= segment.to)
                return tr("Dummy derivatives: %1<br>from %2 s to %3 s")
                    .arg(segment.dummies.toHtmlEscaped(), QString::number(segment.from, 'g', 6),
                         QString::number(segment.to, 'g', 6));
    if (y > kStripTop + kStripHeight && y <= kStripTop + kStripHeight + kModeHeight)
        for (const ModeSegment& segment : modes_)
            if (t >= segment.from && t <= segment.to)
                return tr("Mode: %1<br>from %2 s to %3 s")
                    .arg(segment.mode.toHtmlEscaped(), QString::number(segment.from, 'g', 6),
                         QString::number(segment.to, 'g', 6));
    if (y >= kBarTop && y < kStripTop) {
        QStringList lines;
        for (const TimeLineRun& run : runs_)
            lines << tr("%1 reached %2 s%3")
                         .arg(run.name.toHtmlEscaped(), QString::number(run.reached, 'g', 6),
                              run.failed ? tr(" and stopped") : QString());
        return lines.join(QStringLiteral("<br>"));
    }
    return {};
}

void TimeLine::paintEvent(QPaintEvent* event)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& theme = themeOf(dark_);
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
    const Theme& theme = themeOf(dark_);
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
    const Theme& theme = themeOf(dark_);
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
    const Theme& theme = themeOf(dark_);
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
    const Theme& theme = themeOf(dark_);
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
    const Theme& theme = themeOf(dark_);
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
    const Theme& theme = themeOf(dark_);
    painter.setFont(labelFont());
    for (const EventLabel& label : labels_) {
        if (!label.box.adjusted(-2 * kMarkRadius * scale_, 0, 2 * kMarkRadius * scale_, 0).intersects(dirty))
            continue; // text is dear
        const run::Event& event = runs_[static_cast<std::size_t>(label.run)].events[static_cast<std::size_t>(label.event)];
        if (event.kind() == run::EventKind::Pivot) { // where the strip below changes its shade
            painter.setPen(QPen(theme.secondary, 1));
            painter.drawLine(QPointF(xOf(event.t), label.box.top()), QPointF(xOf(event.t), label.box.bottom()));
        }
        painter.setPen(rankOf(event) == 0 ? theme.error : theme.text);
        painter.drawText(label.box, static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter) | Qt::TextDontClip, label.text);
    }
}

void TimeLine::paintHandle(QPainter& painter) const
{
    const Theme& theme = themeOf(dark_);
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
