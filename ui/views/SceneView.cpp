#include "ui/views/SceneView.h"

#include <QEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPointer>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

#include "ui/views/GlHost.h"
#include "ui/views/SceneColours.h"
#include "ui/views/SceneLooks.h"
#include "ui/views/SceneViewImpl.h"

namespace driftless::ui {

namespace {

constexpr double kWordsHeight = 450;   // [px] a grabbed picture is lettered as if it were as high
constexpr double kZoomFactor = 1.0015; // per eighth of a degree
constexpr double kFromTheSide = 0.1;   // a plane seen more from the side than this has no place under the pointer

} // namespace

SceneView::SceneView(QWidget* parent) : QWidget(parent), impl_(std::make_unique<Impl>())
{
    setObjectName(QStringLiteral("sceneView"));
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setMinimumSize(160, 120);
    setAccessibleName(tr("Scene"));
    impl_->looks = new SceneLooks(*this);
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
    const bool keeps =
        impl_->viewKept && impl_->model && system && impl_->model->sceneModel().planar == system->model().view.planar;
    impl_->model.reset();
    impl_->runs.clear();
    impl_->undrawn.clear();
    impl_->correction.reset();
    impl_->pose.reset();
    impl_->grab.setModel(system);
    impl_->largestForce = impl_->largestSpeed = impl_->largestImpulse = 0;
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
    impl_->looks->setVisible(isSpace());
    if (!keeps)
        fit();
    impl_->moved = impl_->moved || keeps;
    impl_->touch();
    update();
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

void SceneView::setCorrection(const model::ModelState& before, const model::ModelState* after,
                              const std::vector<double>& parameters)
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

void SceneView::setPose(const model::ModelState& state, const std::vector<double>& parameters, int colour)
{
    impl_->pose.reset();
    if (impl_->model)
        if (auto drawn = impl_->model->at(state, parameters))
            impl_->pose = std::move(drawn).value();
    if (impl_->pose) {
        impl_->pose->arrows.clear();
        impl_->pose->velocities.clear();
        impl_->pose->colour = colour;
    }
    impl_->touch();
    update();
}

void SceneView::clearPose()
{
    if (!impl_->pose)
        return;
    impl_->pose.reset();
    impl_->touch();
    update();
}

void SceneView::keepView(bool on) { impl_->viewKept = on; }

bool SceneView::isPlane() const
{
    return impl_->renderer && impl_->model && impl_->renderer->model().planar
           && std::abs(impl_->renderer->camera().toViewer().z) >= kFromTheSide;
}

QPointF SceneView::toScreen(QPointF place) const
{
    if (!impl_->renderer || !impl_->model)
        return {};
    if (impl_->fitWanted) // a fit that the next picture would make
        impl_->fitNow(impl_->pixelSize(*this), static_cast<double>(impl_->covered) / std::max(1, height()));
    const auto pixel = impl_->renderer->camera().project({place.x(), place.y(), 0});
    return QPointF(pixel.x, pixel.y) / devicePixelRatioF();
}

QPointF SceneView::toPlane(QPointF pointer) const
{
    if (!isPlane())
        return {};
    const QPointF middle = toScreen({0, 0});
    const scene::OrbitCamera& camera = impl_->renderer->camera();
    const double metres = 1 / pixelsPerMetre();
    const QPointF way = (pointer - middle) * metres;
    const scene::Vec3 back = camera.toViewer(), seen = way.x() * camera.right() - way.y() * camera.up();
    const scene::Vec3 place = seen - (seen.z / back.z) * back; // along the line of sight into the plane
    return {place.x, place.y};
}

double SceneView::pixelsPerMetre() const
{
    if (!impl_->renderer || !impl_->model)
        return 1;
    return 1 / (impl_->renderer->camera().pixelSize({}) * devicePixelRatioF());
}

double SceneView::gridUnit() const { return impl_->model ? impl_->model->sceneModel().lengthUnit : 1; }

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

void SceneView::setCoveredAbove(int pixels)
{
    if (pixels == impl_->coveredAbove)
        return;
    impl_->coveredAbove = pixels;
    update(); // names alone
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
    impl_->moved = impl_->viewKept; // while somebody works in it the view does not follow what moves
    impl_->touch();
    update();
    emit fitted();
}

bool SceneView::isSpace() const { return impl_->renderer && impl_->model && !impl_->renderer->model().planar; }

void SceneView::lookFrom(Look look)
{
    fit();
    if (look == Look::Home || !isSpace())
        return;
    constexpr double kQuarter = 1.5707963267948966; // [rad]
    impl_->renderer->camera().setAngles(look == Look::Side ? kQuarter : 0, look == Look::Top ? kQuarter : 0);
    impl_->moved = true; // the person chose it
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
    const double pixels = image.height() / kWordsHeight;
    QPainter painter(&image);
    painter.scale(pixels, pixels);
    impl_->paintImpacts(painter, pixels);
    impl_->paintForces(painter, QSizeF(image.size()) / pixels, pixels);
    impl_->paintNames(painter, 0);
    painter.end();
    renderer.camera() = before;
    impl_->picture = {}; // its words were overwritten
    impl_->touch();
    update();
    return image;
}

QPointF SceneView::pointOnScreen(int run, int point) const
{
    if (!impl_->renderer || !impl_->model || run < 0 || point < 0 || point >= impl_->renderer->model().pointCount
        || run >= static_cast<int>(impl_->renderer->frame().runs.size()))
        return {};
    const auto pixel = impl_->renderer->pointInPicture(run, point);
    return QPointF(pixel.x, pixel.y) / devicePixelRatioF();
}

QString SceneView::problem() const { return impl_->refused.isEmpty() ? impl_->undrawn : impl_->refused; }

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
    impl_->paintImpacts(painter, devicePixelRatioF());
    impl_->paintForces(painter, size() - QSize(0, impl_->covered), devicePixelRatioF());
    impl_->paintNames(painter, impl_->coveredAbove);
    if (impl_->framed) {
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(impl_->theme->accent, 1));
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

/// A frame for those who came by Tab; who clicked knows where it is.
void SceneView::focusInEvent(QFocusEvent* event)
{
    impl_->framed = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason;
    QWidget::focusInEvent(event);
    update();
}

void SceneView::focusOutEvent(QFocusEvent* event)
{
    impl_->framed = false;
    QWidget::focusOutEvent(event);
    update();
}

void SceneView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    if (!impl_->moved)
        impl_->fitWanted = true;
    impl_->picture = {};
    impl_->looks->place();
    impl_->touch();
}

void SceneView::mousePressEvent(QMouseEvent* event)
{
    impl_->lastMouse = event->position();
    event->accept();
    if (event->button() != Qt::LeftButton || (event->modifiers() & Qt::ShiftModifier)
        || !impl_->grab.press(impl_->display(*this), event->position()))
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
    const bool flat = impl_->renderer->model().planar && impl_->fan == 0; // seen from the side a plane is a line
    const bool pans = (event->buttons() & (Qt::MiddleButton | Qt::RightButton))
                      || (left && (flat || (event->modifiers() & Qt::ShiftModifier)));
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
    impl_->renderer->camera().zoom(std::pow(kZoomFactor, event->angleDelta().y()), at.x(), at.y());
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
