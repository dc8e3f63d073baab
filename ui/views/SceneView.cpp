#include "ui/views/SceneView.h"

#include <QElapsedTimer>
#include <QEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPointer>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

#include "ui/scene/ModelScene.h"
#include "ui/scene/SceneRenderer.h"
#include "ui/views/GlHost.h"
#include "ui/views/SceneColours.h"
#include "ui/views/SceneGrab.h"
#include "ui/views/Theme.h"

namespace driftless::ui {

namespace {

constexpr double kSpaceYaw = 0.45, kSpacePitch = 0.25; // [rad] first look at a space model
constexpr double kFanYaw = 0.55, kFanPitch = 0.22;     // [rad] enough tilt to part the runs
constexpr double kWheelFactor = 1.0015;                // per eighth of a degree
constexpr double kArrowShare = 0.5;  // the largest force seen is drawn with this share of the model's length
constexpr double kMostCovered = 0.5; // of the height; beyond, the mechanism would become too small
constexpr double kLargestOutgrowth = 4; // runs that leave the view are followed up to this many model sizes
constexpr int kMargin = 12;             // [px] around overlay text

QString powerOfTen(int exponent)
{
    static const QString digits = QStringLiteral("⁰¹²³⁴⁵⁶⁷⁸⁹");
    QString text = QStringLiteral("10");
    if (exponent != 1)
        for (const QChar c : QString::number(exponent))
            text += digits[c.digitValue()];
    return text;
}

} // namespace

struct SceneView::Impl {
    std::unique_ptr<scene::SceneRenderer> renderer;
    std::unique_ptr<scene::ModelScene> model;
    QString refused;  // no OpenGL
    QString undrawn;  // model without a picture
    std::vector<SceneRun> runs;
    std::optional<scene::Correction> correction;
    SceneGrab grab;
    double t = 0;
    const Theme* theme = &Theme::light();
    bool arrows = false, trails = true, fine = false;
    double fan = 0;
    int deviationExponent = 0, deviationReference = 0;
    int covered = 0;      // [px] at the bottom
    bool moved = false;   // the person chose the view; leave it alone
    bool fitWanted = true;
    double largestForce = 0;
    scene::Bounds seen;   // where runs have been since the last fit
    bool stale = true;    // the picture does not show the present frame
    bool ahead = false;   // but it has been handed to OpenGL
    QElapsedTimer clock;

    void touch()
    {
        stale = true;
        ahead = false;
    }
    void drawAhead(const QWidget& widget);
    QImage picture;
    QPointF lastMouse;
    double milliseconds = 0;

    QSize pixelSize(const QWidget& widget) const { return (QSizeF(widget.size()) * widget.devicePixelRatioF()).toSize(); }
    void updateFrame();
    void magnifyDeviation(scene::Frame& frame) const;
    void follow(const scene::Frame& frame);
    void applyAngles();
    void fitNow(QSize pixels, double share = 0);
    void render(const QWidget& widget);
    void paintNames(QPainter& painter) const;
    SceneGrab::Display display(const QWidget& widget) const;
};

/// The selected run as it can be taken hold of.
SceneGrab::Display SceneView::Impl::display(const QWidget& widget) const
{
    SceneGrab::Display out;
    for (std::size_t i = 0; i < runs.size(); ++i)
        if (runs[i].selected && renderer && model && deviationExponent == 0)
            out = {renderer.get(), &runs[i].recording, static_cast<int>(i), runs[i].colour, t, widget.devicePixelRatioF()};
    return out;
}

void SceneView::Impl::magnifyDeviation(scene::Frame& frame) const
{
    if (deviationExponent == 0 || frame.runs.empty())
        return;
    const auto reference = static_cast<std::size_t>(std::clamp<int>(deviationReference, 0, static_cast<int>(frame.runs.size()) - 1));
    const scene::RunFrame kept = frame.runs[reference];
    const double factor = std::pow(10.0, deviationExponent);
    for (std::size_t i = 0; i < frame.runs.size(); ++i)
        if (i != reference)
            scene::magnify(frame.runs[i], kept, factor);
}

// While the view is untouched it widens when a run outgrows it (a cart that rolls away), within reason.
void SceneView::Impl::follow(const scene::Frame& frame)
{
    if (grab.holds())
        return; // the scale must not change under the hand
    const scene::SceneModel& drawn = renderer->model();
    const double reach = kLargestOutgrowth * drawn.characteristicLength();
    const double body = 0.08 * drawn.characteristicLength();
    scene::Bounds limit = drawn.extent;
    limit.low = limit.low - scene::Vec3{reach, reach, reach};
    limit.high = limit.high + scene::Vec3{reach, reach, reach};
    bool grown = false;
    if (seen.empty())
        seen = drawn.extent;
    std::vector<const scene::RunFrame*> all;
    for (const scene::RunFrame& run : frame.runs)
        all.push_back(&run);
    if (frame.correction)
        all.insert(all.end(), {&frame.correction->before, &frame.correction->after});
    std::erase_if(all, [&drawn](const scene::RunFrame* run) { return run->points.size() < static_cast<std::size_t>(3 * drawn.pointCount); });
    for (const scene::RunFrame* run : all)
        for (int i = 0; i < drawn.pointCount; ++i) {
            const scene::Vec3 p = run->point(i);
            if (scene::finite(p) && !seen.contains(p) && limit.contains(p)) {
                seen.include(p, body);
                grown = true;
            }
        }
    if (grown && !moved)
        fitWanted = true;
}

void SceneView::Impl::updateFrame()
{
    if (!renderer || !model)
        return;
    scene::Frame frame;
    frame.trails = trails;
    frame.arrows = arrows;
    const double size = model->sceneModel().characteristicLength();
    frame.fanOut = fan * size;
    if (runs.empty()) {
        frame.runs.push_back(model->atStart());
    } else {
        std::vector<scene::RecordedRun> recorded;
        recorded.reserve(runs.size());
        for (const SceneRun& run : runs)
            recorded.push_back({run.colour, run.selected, run.recording, run.parameters});
        if (std::none_of(recorded.begin(), recorded.end(), [](const auto& run) { return run.selected; }))
            recorded.front().selected = true;
        frame.runs = model->at(t, recorded, trails, arrows);
    }
    if (arrows) {
        // A force that explodes at a singular point must not shrink all others to nothing for ever.
        for (const scene::RunFrame& run : frame.runs)
            for (std::size_t i = 0; i + 5 < run.arrows.size(); i += 6) {
                const double force = std::hypot(run.arrows[i + 3], run.arrows[i + 4], run.arrows[i + 5]);
                if (std::isfinite(force) && (largestForce == 0 || force < 10 * largestForce))
                    largestForce = std::max(largestForce, force);
            }
        frame.metresPerNewton = largestForce > 0 ? kArrowShare * size / largestForce : 0;
    }
    magnifyDeviation(frame);
    if (correction) {
        frame.correction = correction;
        for (const scene::RunFrame& run : frame.runs)
            if (run.selected)
                frame.correction->after.colour = run.colour;
    }
    follow(frame);
    renderer->setFrame(std::move(frame));
}

void SceneView::Impl::applyAngles()
{
    if (!renderer || moved)
        return;
    if (fan != 0)
        renderer->camera().setAngles(kFanYaw, kFanPitch);
    else if (renderer->model().planar)
        renderer->camera().setAngles(0, 0);
    else
        renderer->camera().setAngles(kSpaceYaw, kSpacePitch);
    fitWanted = true;
}

/// share: of the height, at the bottom, that is covered.
void SceneView::Impl::fitNow(QSize pixels, double share)
{
    renderer->camera().setViewport(pixels.width(), pixels.height());
    scene::Bounds box = renderer->fitBounds();
    if (!seen.empty()) {
        box.include(seen.low);
        box.include(seen.high);
    }
    if (share < kMostCovered && fan == 0 && renderer->model().planar)
        box.low.y -= share / (1 - share) * (box.high.y - box.low.y); // room below, as high as what covers it
    renderer->camera().fit(box);
    fitWanted = false;
}

/// Hands the frame to OpenGL and does not wait: the picture is drawn while the caller goes on with the rest of the window.
void SceneView::Impl::drawAhead(const QWidget& widget)
{
    if (!renderer || !model)
        return;
    clock.start();
    updateFrame();
    const QSize pixels = pixelSize(widget);
    if (fitWanted)
        fitNow(pixels, static_cast<double>(covered) / std::max(1, widget.height()));
    renderer->draw(pixels.width(), pixels.height(), fine ? 2 : 1);
    ahead = true;
    milliseconds = static_cast<double>(clock.nsecsElapsed()) / 1e6;
}

void SceneView::Impl::render(const QWidget& widget)
{
    if (!renderer || !model)
        return;
    if (!ahead)
        drawAhead(widget);
    clock.start();
    const scene::Pixels& drawn = renderer->picture();
    ahead = false;
    // The renderer keeps the words until its next picture, and this image lives no longer than that.
    picture = QImage(reinterpret_cast<const uchar*>(drawn.argb.data()), drawn.width, drawn.height, drawn.width * 4,
                     QImage::Format_RGB32);
    picture.setDevicePixelRatio(widget.devicePixelRatioF());
    stale = false;
    milliseconds += static_cast<double>(clock.nsecsElapsed()) / 1e6;
}

// Names appear where positions alone do not tell the runs apart: in the fan and under magnification.
void SceneView::Impl::paintNames(QPainter& painter) const
{
    QFont font = uiFont(kTickPixels);
    painter.setFont(font);
    const QFontMetrics metrics(font);
    int y = kMargin + metrics.ascent();
    if (deviationExponent != 0 && !runs.empty()) {
        const auto reference = static_cast<std::size_t>(std::clamp<int>(deviationReference, 0, static_cast<int>(runs.size()) - 1));
        painter.setPen(theme->secondary);
        painter.drawText(kMargin, y, QObject::tr("Deviation × %1 from %2").arg(powerOfTen(deviationExponent), runs[reference].name));
        y += metrics.height() + 4;
    }
    if (fan == 0 || runs.size() < 2)
        return;
    for (const SceneRun& run : runs) {
        const QRectF mark(kMargin, y - metrics.ascent() + (metrics.ascent() - 9) / 2.0 + 1, 9, 9);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(theme->run(run.colour), 2));
        painter.setBrush(run.selected ? QBrush(theme->run(run.colour)) : QBrush(Qt::NoBrush));
        painter.drawEllipse(mark);
        painter.setPen(run.selected ? theme->text : theme->secondary);
        painter.drawText(kMargin + 16, y, run.name);
        y += metrics.height() + 2;
    }
}

SceneView::SceneView(QWidget* parent) : QWidget(parent), impl_(std::make_unique<Impl>())
{
    setObjectName(QStringLiteral("sceneView"));
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setMinimumSize(160, 120);
    setAccessibleName(tr("Scene"));
    auto context = makeGlContext();
    if (!context) {
        impl_->refused = QString::fromStdString(context.error().text());
        return;
    }
    auto renderer = scene::SceneRenderer::create(std::move(context.value()));
    if (!renderer) {
        impl_->refused = QString::fromStdString(renderer.error().text());
        return;
    }
    impl_->renderer = std::move(renderer.value());
    impl_->renderer->setColours(coloursOf(*impl_->theme));
}

SceneView::~SceneView() = default;

void SceneView::setModel(std::shared_ptr<const model::CompiledSystem> system)
{
    impl_->model.reset();
    impl_->runs.clear();
    impl_->undrawn.clear();
    impl_->correction.reset();
    impl_->grab.setModel(system);
    impl_->largestForce = 0;
    impl_->t = 0;
    impl_->picture = {};
    if (system) {
        auto made = scene::ModelScene::create(std::move(system));
        if (made)
            impl_->model = std::move(made.value());
        else
            impl_->undrawn = QString::fromStdString(made.error().text());
    }
    if (impl_->renderer && impl_->model)
        impl_->renderer->setModel(impl_->model->sceneModel());
    fit();
}

void SceneView::setRuns(std::vector<SceneRun> runs)
{
    impl_->runs = std::move(runs);
    impl_->touch();
    update();
}

void SceneView::setTime(double t)
{
    impl_->t = t;
    impl_->touch();
    if (isVisible())
        impl_->drawAhead(*this);
    update();
}

void SceneView::setCorrection(const model::ModelState& before, const model::ModelState* after, const std::vector<double>& parameters)
{
    impl_->correction.reset();
    if (impl_->model) {
        if (auto entered = impl_->model->at(before, parameters))
            impl_->correction = scene::Correction{std::move(entered).value(), {}};
        if (impl_->correction && after)
            if (auto corrected = impl_->model->at(*after, parameters))
                impl_->correction->after = std::move(corrected).value();
    }
    impl_->touch();
    update();
}

void SceneView::clearCorrection()
{
    if (!impl_->correction)
        return;
    impl_->correction.reset();
    impl_->touch();
    update();
}

bool SceneView::hasCorrection() const { return impl_->correction.has_value(); }

void SceneView::setDark(bool dark)
{
    impl_->theme = dark ? &Theme::darkTheme() : &Theme::light();
    if (impl_->renderer)
        impl_->renderer->setColours(coloursOf(*impl_->theme));
    impl_->touch();
    update();
}

void SceneView::setArrowsVisible(bool visible)
{
    impl_->arrows = visible;
    impl_->touch();
    update();
}

void SceneView::setTrailsVisible(bool visible)
{
    impl_->trails = visible;
    impl_->touch();
    update();
}

void SceneView::setFanOut(double fraction)
{
    if (fraction == impl_->fan || !std::isfinite(fraction))
        return;
    impl_->fan = fraction;
    impl_->applyAngles();
    impl_->touch();
    update();
}

void SceneView::setDeviation(int exponent, int referenceRun)
{
    const int power = std::clamp(exponent, 0, 15);
    if (power != impl_->deviationExponent && !impl_->moved) { // what was seen at another magnification does not count
        impl_->seen = {};
        impl_->fitWanted = true;
    }
    impl_->deviationExponent = power;
    impl_->deviationReference = referenceRun;
    impl_->touch();
    update();
}

void SceneView::setCovered(int pixels)
{
    if (pixels == impl_->covered)
        return;
    impl_->covered = pixels;
    if (impl_->moved)
        return;
    impl_->fitWanted = true;
    impl_->touch();
    update();
}

void SceneView::setFine(bool fine)
{
    if (fine == impl_->fine)
        return;
    impl_->fine = fine;
    impl_->touch();
    update();
}

void SceneView::fit()
{
    impl_->moved = false;
    impl_->seen = {};
    impl_->applyAngles();
    impl_->fitWanted = true;
    impl_->touch();
    update();
    emit fitted();
}

QImage SceneView::grabImage(QSize size, int supersample)
{
    QImage image(size.expandedTo(QSize(16, 16)), QImage::Format_RGB32);
    image.fill(impl_->theme->window);
    if (!impl_->renderer || !impl_->model)
        return image;
    scene::SceneRenderer& renderer = *impl_->renderer;
    const scene::OrbitCamera before = renderer.camera();
    impl_->updateFrame();
    if (impl_->fitWanted || !impl_->moved) {
        impl_->fitNow(image.size());
        impl_->fitWanted = true;
    }
    const scene::Pixels& drawn = renderer.render(image.width(), image.height(), std::clamp(supersample, 1, 4));
    for (int y = 0; y < std::min(image.height(), drawn.height); ++y)
        std::copy_n(drawn.argb.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(drawn.width),
                    std::min(image.width(), drawn.width), reinterpret_cast<std::uint32_t*>(image.scanLine(y)));
    renderer.camera() = before;
    impl_->picture = {}; // its words were overwritten
    impl_->touch();
    update();
    return image;
}

QPointF SceneView::pointOnScreen(int run, int point) const
{
    if (!impl_->renderer || !impl_->model || run < 0 || point < 0 || point >= impl_->renderer->model().pointCount ||
        run >= static_cast<int>(impl_->renderer->frame().runs.size()))
        return {};
    const auto pixel = impl_->renderer->pointInPicture(run, point);
    return QPointF(pixel.x, pixel.y) / devicePixelRatioF();
}

QString SceneView::problem() const { return impl_->refused.isEmpty() ? impl_->undrawn : impl_->refused; }
double SceneView::lastFrameMilliseconds() const { return impl_->milliseconds; }

void SceneView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    if (impl_->stale || impl_->picture.isNull())
        impl_->render(*this);
    if (impl_->picture.isNull()) {
        painter.fillRect(rect(), impl_->theme->window);
        painter.setFont(uiFont(kTextPixels));
        painter.setPen(impl_->theme->secondary);
        const QRect room = rect().adjusted(24, 24, -24, -24);
        painter.drawText(room, Qt::AlignCenter | Qt::TextWordWrap, problem());
        return;
    }
    painter.drawImage(QPointF(0, 0), impl_->picture);
    impl_->grab.paint(painter, impl_->display(*this), *impl_->theme);
    impl_->paintNames(painter);
}

void SceneView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    if (!impl_->moved)
        impl_->fitWanted = true;
    impl_->picture = {};
    impl_->touch();
}

void SceneView::mousePressEvent(QMouseEvent* event)
{
    impl_->lastMouse = event->position();
    event->accept();
    if (event->button() != Qt::LeftButton || (event->modifiers() & Qt::ShiftModifier) || !impl_->grab.press(impl_->display(*this), event->position()))
        return;
    setCursor(Qt::ClosedHandCursor);
    update();
    emit bodyGrabbed(QString::fromStdString(impl_->grab.heldBody()));
}

void SceneView::mouseMoveEvent(QMouseEvent* event)
{
    const QPointF delta = (event->position() - impl_->lastMouse) * devicePixelRatioF();
    impl_->lastMouse = event->position();
    if (impl_->grab.holds()) {
        const auto values = impl_->grab.drag(impl_->display(*this), event->position());
        update();
        if (!values.empty())
            emit bodyDragged(QString::fromStdString(impl_->grab.heldBody()), values);
        return;
    }
    if (event->buttons() == Qt::NoButton && impl_->grab.hover(impl_->display(*this), event->position())) {
        setCursor(impl_->grab.hovers() ? Qt::OpenHandCursor : Qt::ArrowCursor);
        update();
    }
    if (!impl_->renderer || !impl_->model || delta.isNull())
        return;
    const bool left = event->buttons() & Qt::LeftButton;
    const bool pans = (event->buttons() & (Qt::MiddleButton | Qt::RightButton)) || (left && (event->modifiers() & Qt::ShiftModifier));
    if (pans)
        impl_->renderer->camera().pan(delta.x(), delta.y());
    else if (left)
        impl_->renderer->camera().orbit(delta.x(), delta.y());
    else
        return;
    impl_->moved = true;
    impl_->fitWanted = false;
    impl_->touch();
    update();
}

void SceneView::mouseReleaseEvent(QMouseEvent* event)
{
    event->accept();
    if (event->button() != Qt::LeftButton || !impl_->grab.holds())
        return;
    const QString body = QString::fromStdString(impl_->grab.heldBody());
    impl_->grab.release();
    setCursor(Qt::OpenHandCursor);
    update();
    emit bodyReleased(body);
}

void SceneView::leaveEvent(QEvent* event)
{
    QWidget::leaveEvent(event);
    if (impl_->grab.leave())
        update();
}

void SceneView::setGrabbing(bool on)
{
    impl_->grab.setEnabled(on);
    setMouseTracking(on);
    update();
}

void SceneView::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton)
        fit();
}

void SceneView::wheelEvent(QWheelEvent* event)
{
    if (!impl_->renderer || !impl_->model)
        return;
    const QPointF at = event->position() * devicePixelRatioF();
    impl_->renderer->camera().zoom(std::pow(kWheelFactor, event->angleDelta().y()), at.x(), at.y());
    impl_->moved = true;
    impl_->fitWanted = false;
    impl_->touch();
    update();
    event->accept();
}

void SceneView::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_F && event->modifiers() == Qt::NoModifier)
        fit();
    else
        QWidget::keyPressEvent(event);
}

void SceneView::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        update();
}

} // namespace driftless::ui
