#include "ui/views/SceneGrab.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace driftless::ui {

namespace {

constexpr double kReachPixels = 8;                 // beyond a body's outline: a pointer is not that exact
constexpr double kBobShare = 0.06;                 // of the model's length, as the scene draws a bob without a size
constexpr double kRingGap = 5, kSmallestRing = 12; // [px]
constexpr double kEdgeOn = 0.1;                    // a plane model seen more from the side than this offers no plane to drag in
constexpr double kShownMiss = 3;                   // [px] between the body and the point asked for

double toSegment(QPointF p, QPointF a, QPointF b)
{
    const QPointF d = b - a;
    const double span = QPointF::dotProduct(d, d);
    const double s = span > 0 ? std::clamp(QPointF::dotProduct(p - a, d) / span, 0.0, 1.0) : 0.0;
    const QPointF gap = p - (a + s * d);
    return std::hypot(gap.x(), gap.y());
}

double distance(QPointF a, QPointF b) { return std::hypot(a.x() - b.x(), a.y() - b.y()); }

QPointF onScreen(const SceneGrab::Display& display, scene::Vec3 p)
{
    const auto pixel = display.renderer->camera().project(p);
    return QPointF(pixel.x, pixel.y) / display.pixelRatio;
}

double widgetPixels(const SceneGrab::Display& display, scene::Vec3 at, double metres)
{
    return metres / display.renderer->camera().pixelSize(at) / display.pixelRatio;
}

/// How far the pointer is outside a part's outline [px].
double outside(const SceneGrab::Display& display, const scene::Part& part, const scene::RunFrame& run, QPointF pointer)
{
    using model::VisualKind;
    const double L = display.renderer->model().characteristicLength();
    const scene::Vec3 a = run.point(part.firstPoint), b = run.point(part.firstPoint + part.pointCount - 1);
    const QPointF pa = onScreen(display, a), pb = onScreen(display, b);
    switch (part.kind) {
    case VisualKind::PointMass:
        return distance(pointer, pa) - widgetPixels(display, a, part.size > 0 ? part.size / 2 : kBobShare * L);
    case VisualKind::RigidBar:
        return toSegment(pointer, pa, pb);
    case VisualKind::RigidDisc:
    case VisualKind::RigidSphere:
    case VisualKind::RigidBlock:
        return distance(pointer, pa) - distance(pa, pb);
    default:
        return std::numeric_limits<double>::infinity();
    }
}

} // namespace

void SceneGrab::setModel(std::shared_ptr<const model::CompiledSystem> system)
{
    system_ = std::move(system);
    bodies_.clear();
    hovered_ = held_ = -1;
    if (!system_)
        return;
    turned_ = !system_->model().view.planar;
    const model::ConstrainedSystem& s = system_->system();
    int place = 0; // among the scene's parts: those with a point, in the order of the visuals
    for (const model::Visual& visual : s.visuals) {
        if (visual.points.empty())
            continue;
        const int part = place++;
        auto known = std::find_if(bodies_.begin(), bodies_.end(), [&](const Body& b) { return b.name == visual.owner; });
        if (known != bodies_.end()) {
            known->parts.push_back(part);
            continue;
        }
        Body body;
        body.name = visual.owner;
        body.parts = {part};
        for (std::size_t i = 0; i < s.coordinates.size(); ++i)
            for (int c = 0; c < 3; ++c)
                if (s.coordinates[i].name == body.name + "." + "xyz"[c])
                    body.axis[c] = static_cast<int>(i);
        if (body.axis[0] >= 0 && body.axis[1] >= 0)
            bodies_.push_back(std::move(body));
    }
}

void SceneGrab::setEnabled(bool on)
{
    enabled_ = on;
    if (!on)
        hovered_ = held_ = -1;
}

bool SceneGrab::centre(const Display& display, const Body& body, scene::Vec3& out) const
{
    const auto n = static_cast<std::size_t>(system_->n()), w = static_cast<std::size_t>(system_->w());
    std::vector<double> q(n), v(n), lambda(w);
    if (!display.recording || !display.recording->stateAt(display.t, q.data(), v.data(), lambda.data()))
        return false;
    const auto along = [&](int c) { return body.axis[c] < 0 ? 0.0 : q[static_cast<std::size_t>(body.axis[c])]; };
    out = turned_ ? scene::Vec3{along(0), along(2), -along(1)} : scene::Vec3{along(0), along(1), along(2)};
    return scene::finite(out);
}

int SceneGrab::find(const Display& display, QPointF pointer) const
{
    if (!enabled_ || !display.renderer || !display.recording || display.recording->empty())
        return -1;
    const auto& frames = display.renderer->frame().runs;
    const scene::SceneModel& model = display.renderer->model();
    if (display.run >= static_cast<int>(frames.size())
        || (model.planar && std::abs(display.renderer->camera().toViewer().z) < kEdgeOn))
        return -1;
    const scene::RunFrame& run = frames[static_cast<std::size_t>(display.run)];
    if (run.points.size() < static_cast<std::size_t>(3 * model.pointCount))
        return -1;
    int best = -1;
    double least = kReachPixels;
    for (std::size_t i = 0; i < bodies_.size(); ++i)
        for (const int part : bodies_[i].parts) {
            if (part >= static_cast<int>(model.parts.size()))
                continue;
            const double gap = outside(display, model.parts[static_cast<std::size_t>(part)], run, pointer);
            if (gap < least) {
                least = gap;
                best = static_cast<int>(i);
            }
        }
    return best;
}

bool SceneGrab::hover(const Display& display, QPointF pointer)
{
    const int now = find(display, pointer);
    return std::exchange(hovered_, now) != now;
}

bool SceneGrab::leave() { return std::exchange(hovered_, -1) >= 0; }

bool SceneGrab::press(const Display& display, QPointF pointer)
{
    held_ = find(display, pointer);
    if (held_ < 0 || !centre(display, bodies_[static_cast<std::size_t>(held_)], heldCentre_)) {
        held_ = -1;
        return false;
    }
    hovered_ = held_;
    pressed_ = pointer_ = pointer;
    return true;
}

std::map<std::string, double> SceneGrab::drag(const Display& display, QPointF pointer)
{
    std::map<std::string, double> values;
    if (!holds() || !display.renderer)
        return values;
    pointer_ = pointer;
    const scene::OrbitCamera& camera = display.renderer->camera();
    const double metres = camera.pixelSize(heldCentre_) * display.pixelRatio;
    const QPointF way = pointer - pressed_;
    scene::Vec3 wanted = heldCentre_ + (way.x() * metres) * camera.right() - (way.y() * metres) * camera.up();
    const scene::Vec3 back = camera.toViewer();
    if (display.renderer->model().planar && std::abs(back.z) >= kEdgeOn)
        wanted = wanted + ((heldCentre_.z - wanted.z) / back.z) * back; // along the line of sight into the plane
    const Body& body = bodies_[static_cast<std::size_t>(held_)];
    const double asked[3] = {wanted.x, turned_ ? -wanted.z : wanted.y, turned_ ? wanted.y : wanted.z};
    for (int c = 0; c < 3; ++c)
        if (body.axis[c] >= 0 && std::isfinite(asked[c]))
            values[system_->system().coordinates[static_cast<std::size_t>(body.axis[c])].name] = asked[c];
    return values;
}

void SceneGrab::paint(QPainter& painter, const Display& display, const Theme& theme) const
{
    const int shown = held_ >= 0 ? held_ : hovered_;
    scene::Vec3 at;
    if (shown < 0 || !display.renderer || !centre(display, bodies_[static_cast<std::size_t>(shown)], at))
        return;
    const QPointF body = onScreen(display, at);
    const double bob = widgetPixels(display, at, kBobShare * display.renderer->model().drawnLength());
    const double radius = std::max(kSmallestRing, bob + kRingGap);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.surface, 5));
    painter.drawEllipse(body, radius, radius);
    painter.setPen(QPen(theme.text, 2));
    painter.drawEllipse(body, radius, radius);
    if (held_ >= 0) {
        const QPointF wanted = onScreen(display, heldCentre_) + (pointer_ - pressed_);
        const double miss = distance(body, wanted);
        if (miss > kShownMiss) {
            if (miss > radius) {
                painter.setPen(QPen(theme.text, 1.5, Qt::DashLine));
                painter.drawLine(body + (radius / miss) * (wanted - body), wanted);
            }
            painter.setPen(QPen(theme.text, 2));
            painter.drawLine(wanted - QPointF(6, 0), wanted + QPointF(6, 0));
            painter.drawLine(wanted - QPointF(0, 6), wanted + QPointF(0, 6));
        }
    }
    painter.restore();
}

} // namespace driftless::ui
