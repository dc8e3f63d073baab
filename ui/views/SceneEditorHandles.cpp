// Handles of what is selected. Ends, rim and angle lie where they are; numbers without a place of their own have a picture
// beside it:
//
//   mass m          a ring about the centre of mass, radius kMassRing (m / 1 kg)^(1/3): of a ball of that mass
//   stiffness k     a band along the middle of the spring, half its width kSpringBand (k / 100 N/m)^(1/3)
//   length          a measure beside the spring or rod, true to scale, from its first end
//
// A ring or band that would be too small or too large is drawn at a bound. A pull multiplies the number by the cube of what it
// multiplies the size by, rounded to two digits.
#include <QPainter>

#include <algorithm>
#include <cmath>

#include "ui/document/NumberText.h"
#include "ui/views/SceneEditor.h"
#include "ui/views/SceneView.h"

namespace driftless::ui {

namespace {

constexpr double kTurnPixels = 44;                                  // from the centre to the handle that turns
constexpr double kMassRing = 30, kLeastRing = 18, kMostRing = 120;  // [px]
constexpr double kSpringBand = 26, kLeastBand = 16, kMostBand = 90; // [px]
constexpr double kBandStiffness = 100;                              // [N/m]
constexpr double kBandPart = 0.5;                                   // of the spring's length
constexpr double kMeasure = 24;                                     // [px] beside the spring
constexpr double kHandleMargin = 12;                                // [px] to the edge of the sheet

double dot(QPointF a, QPointF b) { return QPointF::dotProduct(a, b); }

double twoDigits(double value)
{
    if (!(value > 0) || !std::isfinite(value))
        return 0;
    const double step = std::pow(10.0, std::floor(std::log10(value)) - 1);
    return std::round(value / step) * step;
}

const EditLink* linkOf(const EditGeometry& geometry, const std::string& id)
{
    for (const EditLink& link : geometry.links)
        if (EditedMechanism::idOf(link.place) == id)
            return &link;
    return nullptr;
}

QString words(const EditQuantity& quantity, double value)
{
    QString number = numberText(value, 4) + u' ' + QString::fromStdString(quantity.unit);
    if (quantity.value != value && (value >= quantity.most || (quantity.least > 0 && value <= quantity.least)))
        number += value >= quantity.most ? SceneEditor::tr(" (the largest)") : SceneEditor::tr(" (the smallest)");
    return quantity.parameter.empty() ? QString::fromStdString(quantity.path) + u' ' + number
                                      : QStringLiteral("%1 = %2").arg(QString::fromStdString(quantity.parameter), number);
}

} // namespace

SceneEditor::Axis SceneEditor::axisOf(const EditLink& link) const
{
    const EditGeometry& g = editor_.mechanism().geometry();
    Axis out{screen(g.place(link.from)), screen(g.place(link.to)), {1, 0}, {0, 1}};
    if (const QPointF way = out.b - out.a; length(way) > 1)
        out.along = way / length(way);
    out.across = {-out.along.y(), out.along.x()};
    return out;
}

QPointF SceneEditor::quantityAt(const EditQuantity& quantity, double value) const
{
    if (const EditBody* body = editor_.mechanism().geometry().body(quantity.id)) {
        const QPointF centre = screen(body->centre);
        const double r = std::clamp(kMassRing * std::cbrt(value), kLeastRing, kMostRing);
        const QRectF sheet = QRectF(rect()).adjusted(kHandleMargin, kHandleMargin, -kHandleMargin, -kHandleMargin);
        QPointF first;
        for (const QPointF& corner : {QPointF(-1, -1), QPointF(1, -1), QPointF(-1, 1), QPointF(1, 1)}) {
            QPointF way = body->rigid ? screen(body->toPlane(corner)) - centre : QPointF(corner.x(), -corner.y());
            way = centre + way * (r / std::max(1e-9, length(way)));
            if (first.isNull())
                first = way;
            if (sheet.contains(way))
                return way;
        }
        return first;
    }
    const EditLink* link = linkOf(editor_.mechanism().geometry(), quantity.id);
    if (!link)
        return {};
    const Axis axis = axisOf(*link);
    if (quantity.path == "length")
        return axis.a + kMeasure * axis.across + value * scene_->pixelsPerMetre() * axis.along;
    return 0.5 * (axis.a + axis.b)
           - std::clamp(kSpringBand * std::cbrt(value / kBandStiffness), kLeastBand, kMostBand) * axis.across;
}

std::vector<SceneEditor::Handle> SceneEditor::handles() const
{
    std::vector<Handle> out;
    const auto& chosen = editor_.selection().ids();
    if (chosen.size() != 1 || tool_ != EditTool::Select)
        return out;
    const EditBody* body = editor_.mechanism().geometry().body(chosen.front());
    if (body && body->rigid) {
        if (body->shape == EditShape::Bar && body->literal)
            for (int k = 0; k < 2; ++k)
                out.push_back({Hold::End, k, screen(body->toPlane(body->ends[k])), {}});
        if (body->shape == EditShape::Disc && body->literal)
            out.push_back({Hold::Rim, 0, screen(body->toPlane({body->radius, 0})), {}});
        const QPointF centre = screen(body->centre), up = screen(body->toPlane({0, 1})) - centre;
        if (length(up) > 0)
            out.push_back({Hold::Turn, 0, centre + up * (kTurnPixels / length(up)), {}});
    }
    const EditLink* link = body ? nullptr : linkOf(editor_.mechanism().geometry(), chosen.front());
    if (!body && !(link && (link->isForce() || link->mark == model::JointMark::Line)))
        return out;
    const auto offer = [&](const char* path) {
        if (const auto quantity = editor_.handles().quantity(chosen.front(), path))
            out.push_back({Hold::Quantity, 0, quantityAt(*quantity, quantity->value), quantity});
    };
    if (body) {
        offer("mass");
    } else {
        offer("length");
        offer("stiffness");
    }
    return out;
}

const SceneEditor::Handle* SceneEditor::handleUnder(const std::vector<Handle>& all, QPointF pointer)
{
    const Handle* best = nullptr;
    double least = kHandlePixels;
    for (const Handle& handle : all)
        if (const double d = length(handle.at - pointer); d <= least) {
            least = d;
            best = &handle;
        }
    return best;
}

/// The number for a pointer that took the handle at grip_ where the mouse was pressed.
double SceneEditor::pulledValue(QPointF pointer) const
{
    const QPointF at = grip_ + (pointer - pressed_);
    const EditQuantity& q = *quantity_;
    const auto scaled = [&](double now, double before, double size, double unit) {
        return twoDigits(q.value > 0 ? q.value * std::pow(now / std::max(1.0, before), 3) : unit * std::pow(now / size, 3));
    };
    double value = q.value;
    if (const EditBody* body = editor_.mechanism().geometry().body(q.id)) {
        const QPointF centre = screen(body->centre);
        value = scaled(length(at - centre), length(grip_ - centre), kMassRing, 1);
    } else if (const EditLink* link = linkOf(editor_.mechanism().geometry(), q.id)) {
        const Axis axis = axisOf(*link);
        const QPointF middle = 0.5 * (axis.a + axis.b);
        if (q.path == "length") {
            const double step = gridStep();
            value = std::max(q.zero ? 0.0 : step,
                             std::round(dot(at - axis.a, axis.along) / scene_->pixelsPerMetre() / step) * step);
        } else {
            value = scaled(std::max(0.0, dot(middle - at, axis.across)), dot(middle - grip_, axis.across), kSpringBand,
                           kBandStiffness);
        }
    }
    if (!(value > 0) && !q.zero)
        value = q.value > 0 ? twoDigits(1e-3 * q.value) : 0;
    return std::clamp(value, q.least, q.most);
}

void SceneEditor::paintQuantity(QPainter& painter, const EditQuantity& quantity, QPointF at) const
{
    QColor faint = theme_->accent;
    faint.setAlpha(theme_->dark ? 190 : 150);
    painter.setPen(QPen(faint, 1.5));
    painter.setBrush(Qt::NoBrush);
    if (const EditBody* body = editor_.mechanism().geometry().body(quantity.id)) {
        const QPointF centre = screen(body->centre);
        const double r = length(at - centre);
        painter.drawEllipse(centre, r, r);
        painter.setPen(QPen(theme_->surface, 1.5));
        painter.setBrush(theme_->accent);
        painter.drawEllipse(at, 6.5, 6.5);
        return;
    }
    const EditLink* link = linkOf(editor_.mechanism().geometry(), quantity.id);
    if (!link)
        return;
    const Axis axis = axisOf(*link);
    QPolygonF knob;
    if (quantity.path == "length") {
        const QPointF foot = axis.a + kMeasure * axis.across, tick = 7 * axis.across;
        painter.drawLine(foot, at);
        painter.drawLine(axis.a + 6 * axis.across, foot + 6 * axis.across);
        knob = {at - tick - 3 * axis.along, at - tick + 3 * axis.along, at + tick + 3 * axis.along, at + tick - 3 * axis.along};
    } else {
        const QPointF middle = 0.5 * (axis.a + axis.b), half = 0.5 * kBandPart * length(axis.b - axis.a) * axis.along;
        const QPointF width = dot(middle - at, axis.across) * axis.across;
        QColor fill = theme_->accent;
        fill.setAlpha(theme_->dark ? 40 : 26);
        painter.setBrush(fill);
        painter.drawPolygon(
            QPolygonF{{middle - half - width, middle + half - width, middle + half + width, middle - half + width}});
        knob = {at - 7 * axis.along, at - 7 * axis.across, at + 7 * axis.along, at + 7 * axis.across};
    }
    painter.setPen(QPen(theme_->surface, 1.5));
    painter.setBrush(theme_->accent);
    painter.drawPolygon(knob);
}

void SceneEditor::paintPulledQuantity(QPainter& painter) const
{
    const double value = pulledValue(pointer_);
    QPointF at = grip_ + (pointer_ - pressed_);
    if (const EditLink* link = linkOf(editor_.mechanism().geometry(), quantity_->id)) { // its knob moves along one line
        const Axis axis = axisOf(*link);
        at = quantity_->path == "length"
                 ? quantityAt(*quantity_, value)
                 : 0.5 * (axis.a + axis.b) - std::max(0.0, dot(0.5 * (axis.a + axis.b) - at, axis.across)) * axis.across;
    }
    paintQuantity(painter, *quantity_, at);
    paintLabel(painter, at, words(*quantity_, value), theme_->text);
}

void SceneEditor::paintHandles(QPainter& painter) const
{
    const auto& chosen = editor_.selection().ids();
    if (hold_ != Hold::Nothing || chosen.empty())
        return;
    const EditBody* body = editor_.mechanism().geometry().body(chosen.front());
    for (const Handle& handle : handles()) {
        if (handle.quantity) {
            paintQuantity(painter, *handle.quantity, handle.at);
            continue;
        }
        if (handle.kind == Hold::Turn && body) {
            painter.setPen(QPen(theme_->accent, 1, Qt::DashLine));
            painter.drawLine(screen(body->centre), handle.at);
        }
        painter.setPen(QPen(theme_->accent, 2));
        painter.setBrush(theme_->surface);
        if (handle.kind == Hold::Turn)
            painter.drawEllipse(handle.at, 6, 6);
        else
            painter.drawRect(QRectF(handle.at - QPointF(5, 5), QSizeF(10, 10)));
    }
}

/// What the handle under the pointer is for.
QString SceneEditor::handleWords() const
{
    const auto all = handles();
    const Handle* handle = hold_ == Hold::Nothing && inside_ ? handleUnder(all, pointer_) : nullptr;
    if (!handle)
        return {};
    switch (handle->kind) {
    case Hold::Turn:
        return tr("turn");
    case Hold::Rim:
        return tr("radius");
    case Hold::End:
        return tr("length");
    default:
        return words(*handle->quantity, handle->quantity->value);
    }
}

} // namespace driftless::ui
