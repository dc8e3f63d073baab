#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

#include "ui/views/PlotHeader.h"
#include "ui/views/PlotViewImpl.h"

namespace driftless::ui {

namespace {

// Lengths in pixels before scaling.
constexpr double kHeader = 30, kLeft = 52, kRight = 14, kTop = 6, kBottom = 22, kAxisTitle = 18, kTickPadding = 5;
constexpr double kWheelFactor = 1.0015;                      // per eighth of a degree
constexpr double kShortestRange = 1e-6, kLongestRange = 1e9; // [s]
constexpr float kBandShade = 0.12f;
constexpr int kSettleMilliseconds = 150;

/// What a translucent colour looks like over another.
QColor over(const QColor& top, float alpha, const QColor& below)
{
    const auto mix = [alpha](float a, float b) { return alpha * a + (1 - alpha) * b; };
    return QColor::fromRgbF(mix(top.redF(), below.redF()), mix(top.greenF(), below.greenF()), mix(top.blueF(), below.blueF()));
}

} // namespace

CursorBar::CursorBar(QWidget* over) : QWidget(over)
{
    setAttribute(Qt::WA_TransparentForMouseEvents);
    hide();
}

void CursorBar::paintEvent(QPaintEvent*) { QPainter(this).fillRect(rect(), colour); }

PlotView::Impl::Impl(PlotView& owner)
    : view(owner), plot(new QCustomPlot(&owner)), readout(new QLabel(&owner)), key(new QLabel(&owner))
{
    plot->setFocusPolicy(Qt::NoFocus);
    plot->setMouseTracking(true);
    plot->setAutoAddPlottableToLegend(false); // it is measured with every replot, shown or not
    plot->axisRect()->setAutoMargins(QCP::msNone);
    plot->xAxis->setTicker(xTicks);
    plot->yAxis->setTicker(yTicks);
    plot->addLayer(QStringLiteral("cursor"), plot->layer(QStringLiteral("axes")), QCustomPlot::limAbove);
    plot->layer(QStringLiteral("cursor"))->setMode(QCPLayer::lmBuffered);
    for (QCPAxis* axis : {plot->xAxis, plot->yAxis}) {
        axis->setSubTicks(false);
        axis->setTickLength(0, 0);
        axis->grid()->setZeroLinePen(Qt::NoPen);
    }
    bands = new BandsItem(plot);
    band = new QCPItemRect(plot);
    band->setLayer(QStringLiteral("background"));
    band->topLeft->setTypeX(QCPItemPosition::ptAxisRectRatio);
    band->bottomRight->setType(QCPItemPosition::ptAxisRectRatio);
    band->bottomRight->setCoords(1, 1);
    band->setPen(Qt::NoPen);
    bandText = new QCPItemText(plot);
    bandText->setLayer(QStringLiteral("overlay")); // on a patch of the band's colour: noise below round-off may pass behind it
    bandText->setPadding(QMargins(4, 1, 4, 1));
    bandText->setPositionAlignment(Qt::AlignLeft | Qt::AlignBottom);
    bandText->position->setType(QCPItemPosition::ptAxisRectRatio);
    bandText->position->setCoords(0, 1);
    bandText->setText(QStringLiteral("round-off"));
    common = new QCPItemText(plot);
    common->setLayer(QStringLiteral("overlay"));
    common->setPadding(QMargins(4, 1, 4, 1));
    common->setPositionAlignment(Qt::AlignLeft | Qt::AlignTop);
    common->position->setType(QCPItemPosition::ptAbsolute);
    common->position->setCoords(0, 0);
    empty = new QCPItemText(plot);
    empty->setLayer(QStringLiteral("overlay"));
    empty->setPadding(QMargins(8, 4, 8, 4));
    empty->position->setType(QCPItemPosition::ptAxisRectRatio);
    empty->position->setCoords(0.5, 0.5);
    cursorBar = new CursorBar(plot);
    hoverLine = new QCPItemStraightLine(plot);
    hoverLine->setLayer(QStringLiteral("cursor"));
    hoverLine->setVisible(false);
    readout->setAttribute(Qt::WA_TransparentForMouseEvents);
    readout->setTextFormat(Qt::RichText);
    readout->setObjectName(QStringLiteral("readout"));
    readout->hide();
    key->setAttribute(Qt::WA_TransparentForMouseEvents);
    key->setObjectName(QStringLiteral("levelKey"));
    key->hide();
    soon.setSingleShot(true);
    QObject::connect(&soon, &QTimer::timeout, &owner, [this] { view.refresh(); });
    settle.setSingleShot(true);
    settle.setInterval(kSettleMilliseconds);
    QObject::connect(&settle, &QTimer::timeout, &owner, [this] { view.refresh(); });
}

void PlotView::Impl::layOut()
{
    const int top = qRound(px(kHeader));
    plot->setGeometry(0, top, view.width(), std::max(1, view.height() - top));
    const double bottom = kBottom + (phase() ? kAxisTitle : 0);
    plot->axisRect()->setMargins(QMargins(qRound(px(kLeft)), qRound(px(kTop)), qRound(px(kRight)), qRound(px(bottom))));
    // The rectangle is needed before the first replot to know the number of pixel columns.
    plot->plotLayout()->setOuterRect(plot->rect());
    plot->plotLayout()->update(QCPLayoutElement::upLayout);
    plot->axisRect()->update(QCPLayoutElement::upLayout);
    if (titleWidget) {
        const QSize size = titleWidget->sizeHint();
        const int left = qRound(px(8)),
                  width = std::min(size.width(), view.width() - left); // what is chosen is cut before the rest
        titleWidget->setGeometry(left, (top - std::min(size.height(), top)) / 2 + 1, width, std::min(size.height(), top));
    }
    placeKey();
}

PlotHeader PlotView::Impl::header() const
{
    const double left = titleWidget ? titleWidget->geometry().right() + px(10) : px(12);
    return {labels, *theme, scale, left, view.width() - px(kRight), px(kHeader), titleWidget == nullptr};
}

/// In its corner, at first the upper left.
void PlotView::Impl::placeKey()
{
    const QPixmap picture = keyOutsideHeader(header(), view.devicePixelRatioF());
    key->setVisible(!picture.isNull());
    if (picture.isNull())
        return;
    key->setPixmap(picture);
    key->adjustSize();
    key->move(plot->pos() + corner(keyCorner, key->size()));
}

void PlotView::Impl::applyTheme()
{
    plot->setBackground(theme->surface);
    for (QCPAxis* axis : {plot->xAxis, plot->yAxis}) {
        axis->setBasePen(QPen(theme->line, 1));
        axis->setTickLabelColor(theme->secondary);
        axis->setTickLabelFont(font(kTickPixels));
        axis->setTickLabelPadding(qRound(px(kTickPadding)));
        axis->setLabelColor(theme->secondary);
        axis->setLabelFont(font(kTickPixels));
        axis->grid()->setPen(QPen(translucent(theme->line, theme->dark ? 0.8f : 0.7f), 1));
    }
    band->setBrush(translucent(theme->secondary, kBandShade));
    bandText->setBrush(over(theme->secondary, kBandShade, theme->surface));
    empty->setBrush(theme->surface);
    bandText->setColor(theme->secondary);
    bandText->setFont(font(kTickPixels - 1));
    common->setBrush(theme->surface);
    common->setColor(theme->secondary);
    common->setFont(font(kTickPixels));
    empty->setColor(theme->secondary);
    empty->setFont(font(kTextPixels));
    cursorBar->colour = translucent(theme->text, 0.6f);
    cursorBar->update();
    hoverLine->setPen(QPen(translucent(theme->secondary, 0.6f), 1, Qt::DashLine));
    const QString sheet = QStringLiteral(
        "#readout { background: %1; color: %2; border: 1px solid %3; border-radius: 6px; padding: %4px; font-size: %5px; }");
    readout->setStyleSheet(sheet.arg(theme->surface.name(), theme->text.name(), theme->line.name())
                               .arg(qRound(px(5)))
                               .arg(qRound(px(kTickPixels))));
}

void PlotView::Impl::followNow()
{
    if (span <= 0) {
        t0 = 0;
        t1 = niceEnd(latestTime(runs, cursor), shortest);
    } else {
        t1 = std::max(cursor, span);
        t0 = t1 - span;
    }
}

void PlotView::Impl::setTicks()
{
    const QRect rect = plot->axisRect()->rect();
    const QFontMetricsF metrics(plot->xAxis->tickLabelFont());
    const TextWidth width = [&metrics](const QString& text) { return metrics.horizontalAdvance(text); };
    const auto fill = [](QCPAxisTickerText& ticker, const std::vector<PlotTick>& ticks) {
        ticker.clear();
        for (const PlotTick& tick : ticks)
            ticker.addTick(tick.value, tick.text);
    };
    const auto most = [this](int length, double apart) { return std::max(2, static_cast<int>(length / px(apart))); };
    const QCPRange x = plot->xAxis->range(), y = plot->yAxis->range();
    fill(*xTicks, ticksApart(x.lower, x.upper, most(rect.width(), 64), rect.width(), width));
    FittedTicks ordinate;
    if (isLogarithmic(spec.kind))
        ordinate.ticks = axisTicks(y.lower, y.upper, true, most(rect.height(), 22));
    else
        ordinate = fittedTicks(y.lower, y.upper, most(rect.height(), 32), px(kLeft - kTickPadding) - 2, width);
    fill(*yTicks, ordinate.ticks);
    common->setText(ordinate.common.trimmed());
    common->setVisible(!ordinate.common.isEmpty());
    if (phase())
        return;
    // The unit of time goes with the last number that has room for it, for those that leave the widget are not drawn; an axis
    // title would cost a line.
    auto& ticks = xTicks->ticks();
    for (auto tick = ticks.end(); tick != ticks.begin();) {
        --tick;
        const QString text = tick.value() + QStringLiteral(" s");
        const double half = metrics.boundingRect(QRectF(), Qt::TextDontClip | Qt::AlignHCenter, text).width() / 2;
        if (plot->xAxis->coordToPixel(tick.key()) + half > plot->width() - 1 && tick != ticks.begin())
            continue;
        tick.value() = text;
        return;
    }
}

void PlotView::Impl::setAxes(const std::vector<PlotCurve>& found)
{
    const bool logarithmic = isLogarithmic(spec.kind);
    plot->yAxis->setScaleType(logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    if (!ordinateByHand) {
        const PlotRange range = ordinateRange(found, logarithmic);
        plot->yAxis->setRange(range.low, range.high);
    }
    if (phase()) {
        const PlotRange range = abscissaRange(found);
        plot->xAxis->setRange(range.low, range.high);
        plot->xAxis->setLabel(labels.xAxis);
    } else {
        plot->xAxis->setRange(t0, t1);
        plot->xAxis->setLabel({});
    }
    setTicks();
    const bool shaded = spec.kind == PlotKind::Residuals && plot->yAxis->range().lower < kRoundOff;
    band->setVisible(shaded);
    bandText->setVisible(
        shaded && plot->yAxis->coordToPixel(plot->yAxis->range().lower) - plot->yAxis->coordToPixel(kRoundOff) > px(14));
    band->topLeft->setCoords(0, std::min(kRoundOff, plot->yAxis->range().upper));
}

void PlotView::Impl::placeCursor()
{
    const QRect area = plot->axisRect()->rect();
    const int width = std::max(1, qRound(scale));
    cursorBar->setGeometry(qRound(plot->xAxis->coordToPixel(cursor) - width / 2.0), area.top(), width, area.height());
    cursorBar->setVisible(!phase() && empty->text().isEmpty() && cursor >= t0 && cursor <= t1);
}

void PlotView::Impl::hover(const QPointF& position)
{
    const QRect rect = plot->axisRect()->rect();
    const double x = plot->xAxis->pixelToCoord(position.x());
    const bool inside = rect.contains(position.toPoint()) && empty->text().isEmpty();
    QString html;
    if (inside && phase())
        html = QStringLiteral("%1, %2").arg(readOut(x), readOut(plot->yAxis->pixelToCoord(position.y())));
    else if (inside)
        html = plotReadOut(spec, runs, *theme, x);
    if (html.isEmpty()) {
        leave();
        return;
    }
    hoverLine->setVisible(!phase());
    hoverLine->point1->setCoords(x, 1);
    hoverLine->point2->setCoords(x, 2);
    plot->layer(QStringLiteral("cursor"))->replot();
    readout->setText(html);
    readout->adjustSize();
    const QPointF at = position + plot->pos();
    const double gap = px(14);
    double left = at.x() + gap;
    if (left + readout->width() > view.width() - 4)
        left = at.x() - gap - readout->width();
    const double top = std::clamp(at.y() - readout->height() / 2.0, px(kHeader),
                                  std::max(px(kHeader), view.height() - readout->height() - 4.0));
    readout->move(qRound(std::max(2.0, left)), qRound(top));
    readout->show();
    readout->raise();
}

void PlotView::Impl::leave()
{
    if (readout->isHidden() && !hoverLine->visible())
        return;
    readout->hide();
    hoverLine->setVisible(false);
    plot->layer(QStringLiteral("cursor"))->replot();
}

void PlotView::Impl::setRangeByHand(double from, double to)
{
    const double width = std::clamp(to - from, kShortestRange, kLongestRange);
    from = std::max(0.0, from);
    if (from == t0 && from + width == t1)
        return;
    t0 = from;
    t1 = from + width;
    follow = false;
    settle.start();
    soon.start();
    emit view.timeRangeChanged(t0, t1);
}

bool PlotView::Impl::wheel(QWheelEvent* event)
{
    const double steps = event->angleDelta().y() != 0 ? event->angleDelta().y() : event->angleDelta().x();
    if (phase() || steps == 0)
        return false;
    const double factor = std::pow(kWheelFactor, -steps);
    if (event->modifiers() & Qt::ShiftModifier) {
        plot->yAxis->scaleRange(factor, plot->yAxis->pixelToCoord(event->position().y()));
        ordinateByHand = true;
        soon.start();
        return true;
    }
    const double t = plot->xAxis->pixelToCoord(event->position().x());
    if ((t1 - t0) * factor < kShortestRange || (t1 - t0) * factor > kLongestRange)
        return true;
    setRangeByHand(t + (t0 - t) * factor, t + (t1 - t) * factor);
    return true;
}

PlotView::PlotView(QWidget* parent) : QWidget(parent), impl_(std::make_unique<Impl>(*this))
{
    setMouseTracking(true);
    // Not before impl_ stands: the filter is called from the first event on.
    impl_->plot->installEventFilter(this);
    impl_->labels = plotLabels(impl_->spec, impl_->runs);
    impl_->applyTheme();
    impl_->layOut();
}

PlotView::~PlotView() = default;

void PlotView::setKind(PlotKind kind)
{
    impl_->spec.kind = kind;
    impl_->ordinateByHand = false;
    impl_->leave();
    impl_->layOut();
    impl_->soon.start();
}

PlotKind PlotView::kind() const { return impl_->spec.kind; }
bool PlotView::following() const { return impl_->follow; }
double PlotView::timeStart() const { return impl_->t0; }
double PlotView::timeEnd() const { return impl_->t1; }
const PlotSpec& PlotView::spec() const { return impl_->spec; }
void PlotView::setRuns(std::vector<PlotRun> runs) { impl_->runs = std::move(runs); }

void PlotView::setReference(int run)
{
    impl_->spec.reference = run;
    impl_->soon.start();
}

void PlotView::setQuantity(const QString& column)
{
    impl_->spec.quantity = column;
    impl_->ordinateByHand = false;
    impl_->soon.start();
}

void PlotView::setPhase(const QString& x, const QString& y)
{
    impl_->spec.phaseX = x;
    impl_->spec.phaseY = y;
    impl_->soon.start();
}

void PlotView::setTimeRange(double t0, double t1)
{
    if (!(t1 > t0) || (!impl_->follow && t0 == impl_->t0 && t1 == impl_->t1))
        return;
    impl_->follow = false;
    impl_->t0 = t0;
    impl_->t1 = t1;
    impl_->soon.start();
}

void PlotView::followRange(double t0, double t1)
{
    setTimeRange(t0, t1);
    impl_->soon.stop();
    impl_->settle.start();
}

void PlotView::setShortest(double span) { impl_->shortest = span; }

void PlotView::followTime(double span)
{
    impl_->follow = true;
    impl_->span = span;
    impl_->ordinateByHand = false;
    impl_->soon.start();
}

void PlotView::setTimeCursor(double t)
{
    if (t == impl_->cursor)
        return;
    impl_->cursor = t;
    impl_->placeCursor();
    if (impl_->phase()) {
        impl_->showRunDots();
        impl_->plot->layer(QStringLiteral("cursor"))->replot();
    }
}

double PlotView::timeCursor() const { return impl_->cursor; }

void PlotView::refresh()
{
    Impl& d = *impl_;
    d.soon.stop();
    d.layOut(); // may be asked for before the first show
    if (d.follow)
        d.followNow();
    const PlotLabels labels = plotLabels(d.spec, d.runs);
    if (labels.title != d.labels.title || labels.yAxis != d.labels.yAxis || labels.levels != d.labels.levels)
        update();
    d.labels = labels;
    d.placeKey();
    const double until = d.phase() ? std::min(d.t1, std::max(d.cursor, d.t0)) : d.t1;
    std::vector<PlotCurve> found = plotCurves(d.spec, d.runs, d.t0, until, d.buckets());
    d.setAxes(found);
    d.placeOverCurves(found);
    const QString why = plotEmptyText(d.spec, d.runs);
    d.empty->setText(why.isEmpty() && onlyZeros(found) ? kExactlyZero : why);
    d.showCurves(std::move(found));
    d.empty->setVisible(!d.empty->text().isEmpty());
    d.placeCursor();
    d.plot->replot(QCustomPlot::rpQueuedRefresh);
}

void PlotView::setDark(bool dark)
{
    impl_->theme = dark ? &Theme::darkTheme() : &Theme::light();
    impl_->applyTheme();
    update();
    impl_->soon.start();
}

void PlotView::setScale(double scale)
{
    impl_->scale = scale;
    impl_->applyTheme();
    impl_->layOut();
    updateGeometry();
    update();
    impl_->soon.start();
}

void PlotView::setTitleWidget(QWidget* widget)
{
    delete impl_->titleWidget;
    impl_->titleWidget = widget;
    if (widget) {
        widget->setParent(this);
        widget->show();
    }
    impl_->layOut();
    update();
}

QPointF PlotView::pointOnScreen(double x, double y) const
{
    return QPointF(impl_->plot->xAxis->coordToPixel(x), impl_->plot->yAxis->coordToPixel(y)) + impl_->plot->pos();
}

QRectF PlotView::plotRect() const { return QRectF(impl_->plot->axisRect()->rect()).translated(impl_->plot->pos()); }
PlotRange PlotView::ordinate() const { return {impl_->plot->yAxis->range().lower, impl_->plot->yAxis->range().upper}; }
QSize PlotView::sizeHint() const { return {qRound(448 * impl_->scale), qRound(260 * impl_->scale)}; }
QSize PlotView::minimumSizeHint() const { return {260, 130}; }

void PlotView::paintEvent(QPaintEvent*)
{
    const Impl& d = *impl_;
    QPainter painter(this);
    painter.fillRect(rect(), d.theme->surface);
    paintPlotHeader(painter, d.header());
}

void PlotView::resizeEvent(QResizeEvent*)
{
    impl_->layOut();
    impl_->soon.start();
}

bool PlotView::eventFilter(QObject* watched, QEvent* event)
{
    Impl& d = *impl_;
    if (watched != d.plot)
        return QWidget::eventFilter(watched, event);
    switch (event->type()) {
    case QEvent::Wheel:
        return d.wheel(static_cast<QWheelEvent*>(event));
    case QEvent::MouseButtonPress: {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        if (mouse->button() != Qt::LeftButton || d.phase())
            return false;
        d.dragging = true;
        d.grabbed = mouse->position();
        d.grabbedStart = d.t0;
        d.leave();
        d.plot->setCursor(Qt::ClosedHandCursor);
        return true;
    }
    case QEvent::MouseMove: {
        const QPointF at = static_cast<QMouseEvent*>(event)->position();
        if (!d.dragging) {
            d.hover(at);
            return false;
        }
        const double width = d.t1 - d.t0;
        const double from = std::max(0.0, d.grabbedStart - (at.x() - d.grabbed.x()) / d.plot->axisRect()->width() * width);
        if (std::abs(at.x() - d.grabbed.x()) >= 2 || !d.follow)
            d.setRangeByHand(from, from + width);
        return true;
    }
    case QEvent::MouseButtonRelease:
        d.dragging = false;
        d.plot->unsetCursor();
        return false;
    case QEvent::MouseButtonDblClick:
        d.dragging = false;
        followTime(d.span);
        emit followRequested();
        return true;
    case QEvent::Leave:
        d.leave();
        return false;
    default:
        return false;
    }
}

} // namespace driftless::ui
