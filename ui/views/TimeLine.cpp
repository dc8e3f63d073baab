#include "ui/views/TimeLine.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/run/EventWords.h"
#include "core/text/Names.h"
#include "ui/views/EventLabels.h"
#include "ui/views/PlotData.h"
#include "ui/views/TimeLineRows.h"

namespace driftless::ui {

namespace {

constexpr int kMostMarks = 600; // more would be a solid bar
constexpr std::size_t kMostPivots = 200;
constexpr double kLongestLabel = 150; // [px]

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

/// Names of dummies before and after an event that exchanges them.
struct NamedExchange {
    const std::vector<std::string>*from, *to;
};
std::optional<NamedExchange> exchangeOf(const run::Event& event)
{
    if (const auto* pivot = event.as<run::PivotChange>())
        return NamedExchange{&pivot->from, &pivot->to};
    if (const auto* mode = event.as<run::ModeChange>(); mode && mode->dummiesBefore != mode->dummies)
        return NamedExchange{&mode->dummiesBefore, &mode->dummies};
    return std::nullopt;
}

} // namespace

int timeLineRank(const run::Event& event)
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

std::vector<PivotSegment> pivotSegments(const std::vector<run::Event>& events, const std::vector<PivotStretch>& stretches,
                                        double reached)
{
    std::vector<PivotSegment> out;
    for (std::size_t k = 0; k < stretches.size(); ++k) {
        const PivotStretch& stretch = stretches[k];
        const bool last = k + 1 == stretches.size();
        const double end = last ? reached : std::min(reached, stretches[k + 1].from);
        if (!stretch.chooses || end < stretch.from)
            continue;
        double from = stretch.from;
        QString held = stretch.dummies;
        const auto close = [&](double to) {
            if (!held.isEmpty() && to > from)
                out.push_back({.from = from, .to = to, .dummies = held});
            from = to;
        };
        for (const run::Event& event : events) {
            const auto change = exchangeOf(event);
            if (!change || event.t > end || (k > 0 && event.t <= stretch.from)) // there the form before did
                continue;
            held = QString::fromStdString(text::joined(*change->from));
            close(event.t);
            held = QString::fromStdString(text::joined(*change->to));
        }
        close(end);
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
QSize TimeLine::minimumSizeHint() const
{
    return {200, qRound((kTimeLineHeight + (modes_.empty() ? 0 : kModeHeight)) * scale_)};
}

void TimeLine::setRuns(std::vector<TimeLineRun> runs)
{
    runs_ = std::move(runs);
    labelsStale_ = true;
    pivots_.clear();
    const bool hadModes = !modes_.empty();
    modes_.clear();
    const auto selected = std::find_if(runs_.begin(), runs_.end(), [](const TimeLineRun& r) { return r.selected; });
    if (selected != runs_.end()) {
        pivots_ = pivotSegments(selected->events, selected->pivots, selected->reached);
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
        wishes.push_back({.at = mark.x, .width = width, .rank = timeLineRank(event), .marked = !mark.pivot});
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

} // namespace driftless::ui
