// What the editor draws over the scene: the grid under the pointer, outlines of what is chosen or defective, handles, rubber
// bands.
#include <QPainter>

#include <algorithm>
#include <cmath>

#include "ui/document/NumberText.h"
#include "ui/views/SceneEditor.h"
#include "ui/views/SceneView.h"

namespace driftless::ui {

namespace {

constexpr double kDotsFrom = 6; // [px] closer dots would be a haze
constexpr int kMostDots = 20'000;
constexpr double kPinRing = 9; // [px]
constexpr double kMass = 11;   // [px] ring round a point mass

} // namespace

void SceneEditor::paintGrid(QPainter& painter) const
{
    const double step = gridStep(), pixels = step * scene_->pixelsPerMetre();
    if (pixels < kDotsFrom || width() * height() / (pixels * pixels) > kMostDots)
        return;
    const QPointF a = scene_->toPlane({0, static_cast<double>(height())}),
                  b = scene_->toPlane({static_cast<double>(width()), 0});
    QVector<QPointF> dots;
    for (double y = std::ceil(a.y() / step) * step; y <= b.y(); y += step)
        for (double x = std::ceil(a.x() / step) * step; x <= b.x(); x += step)
            dots.push_back(screen({x, y}));
    QColor colour = theme_->secondary;
    colour.setAlpha(theme_->dark ? 70 : 60);
    painter.setPen(QPen(colour, 1));
    painter.drawPoints(dots.constData(), static_cast<int>(dots.size()));
}

void SceneEditor::paintBody(QPainter& painter, const EditBody& body, const QColor& colour, double width) const
{
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(colour, width, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    const double scale = scene_->pixelsPerMetre();
    switch (body.shape) {
    case EditShape::Point:
        painter.drawEllipse(screen(body.centre), kMass + 3, kMass + 3);
        break;
    case EditShape::Bar: {
        const QPointF a = screen(body.toPlane(body.ends[0])), b = screen(body.toPlane(body.ends[1]));
        const QPointF d = b - a;
        const double l = std::max(1e-9, length(d));
        const QPointF side = QPointF(-d.y(), d.x()) * (10 / l), ahead = d * (10 / l);
        painter.drawPolygon(QPolygonF{{a - ahead + side, b + ahead + side, b + ahead - side, a - ahead - side}});
        break;
    }
    case EditShape::Disc:
        painter.drawEllipse(screen(body.centre), body.radius * scale + 4, body.radius * scale + 4);
        break;
    case EditShape::Block: {
        QPolygonF corners;
        const double margin = 4 / std::max(1e-9, scale), w = body.size.x() / 2 + margin, h = body.size.y() / 2 + margin;
        for (const QPointF& c : {QPointF(-w, -h), QPointF(w, -h), QPointF(w, h), QPointF(-w, h)})
            corners << screen(body.toPlane(c));
        painter.drawPolygon(corners);
        break;
    }
    }
}

void SceneEditor::paintLink(QPainter& painter, const EditLink& link, const QColor& colour) const
{
    const EditGeometry& g = pulled_ ? *pulled_ : editor_.mechanism().geometry();
    const QPointF a = screen(g.place(link.from)), b = screen(g.place(link.to));
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(colour, 2.5, Qt::SolidLine, Qt::RoundCap));
    if (link.isRail()) {
        const EditBody* base = g.body(link.from.body);
        const double angle = link.angle + (base ? base->angle : 0);
        const QPointF origin = g.place(link.from), along(std::cos(angle), std::sin(angle));
        painter.drawLine(screen(origin + link.rail[0] * along), screen(origin + link.rail[1] * along));
    } else if (length(a - b) > 2) {
        if (link.isPoint())
            painter.setPen(QPen(colour, 2, Qt::DashLine)); // its points lie apart
        painter.drawLine(a, b);
    }
    painter.setPen(QPen(colour, 2.5));
    painter.drawEllipse(b, kPinRing, kPinRing);
}

void SceneEditor::paintLabel(QPainter& painter, QPointF at, const QString& text, const QColor& colour) const
{
    painter.setFont(uiFont(kTickPixels));
    const QFontMetricsF metrics(painter.font());
    QRectF box = metrics.boundingRect(text).adjusted(-6, -3, 6, 3);
    box.moveTopLeft(at + QPointF(14, 12));
    box.moveRight(std::min(box.right(), width() - 6.0));
    box.moveBottom(std::min(box.bottom(), height() - 6.0));
    box.moveLeft(std::max(box.left(), 6.0));
    painter.setPen(QPen(theme_->line, 1));
    painter.setBrush(theme_->surface);
    painter.drawRoundedRect(box, 4, 4);
    painter.setPen(colour);
    painter.drawText(box, Qt::AlignCenter, text);
}

void SceneEditor::paintTool(QPainter& painter) const
{
    if (!inside_ || !editor_.mechanism().plane() || !scene_->isPlane())
        return;
    const QPointF at = snapped(pointer_), from = snapped(pressed_);
    const QPointF a = screen(from), b = screen(at);
    const auto number = [](double value) { return numberText(value, 4); };
    painter.setBrush(Qt::NoBrush);
    if (tool_ == EditTool::Select) {
        if (hold_ == Hold::Band && moved_) {
            QColor fill = theme_->accent;
            fill.setAlpha(28);
            painter.setPen(QPen(theme_->accent, 1));
            painter.setBrush(fill);
            painter.drawRect(QRectF(pressed_, pointer_).normalized());
        } else if (hold_ == Hold::End && moved_) {
            if (const EditBody* body = editor_.mechanism().geometry().body(body_)) {
                const QPointF kept = body->toPlane(body->ends[1 - end_]);
                painter.setPen(QPen(theme_->accent, 3, Qt::DashLine, Qt::RoundCap));
                painter.drawLine(screen(kept), b);
                paintLabel(painter, b, tr("%1 m").arg(number(length(at - kept))), theme_->text);
            }
        } else if (hold_ == Hold::Rim && moved_) {
            if (const EditBody* body = editor_.mechanism().geometry().body(body_)) {
                const double r = length(pointer_ - screen(body->centre));
                painter.setPen(QPen(theme_->accent, 2, Qt::DashLine));
                painter.drawEllipse(screen(body->centre), r, r);
            }
        }
        if (hold_ == Hold::Quantity && moved_)
            paintPulledQuantity(painter);
        const QString held = editor_.pull().held();
        if (!held.isEmpty()) {
            painter.setPen(QPen(theme_->error, 1.5, Qt::DashLine));
            if (const EditBody* body = pulled_ ? pulled_->body(body_) : nullptr)
                painter.drawLine(screen(body->toPlane(local_)), pointer_);
            paintLabel(painter, pointer_, held, theme_->error);
        }
        return;
    }
    if (tool_ == EditTool::Delete)
        return;
    if (hold_ == Hold::Tool && moved_) {
        painter.setPen(QPen(theme_->accent, tool_ == EditTool::Bar ? 5 : 2.5,
                            tool_ == EditTool::Bar ? Qt::SolidLine : Qt::DashLine, Qt::RoundCap));
        const QPointF way = at - from;
        QString text = tr("%1 m").arg(number(length(way)));
        if (tool_ == EditTool::Disc) {
            const double r = length(b - a);
            painter.drawEllipse(a, r, r);
        } else if (tool_ == EditTool::Block) {
            painter.drawRect(QRectF(a, b).normalized());
            text = tr("%1 × %2 m").arg(number(std::abs(way.x())), number(std::abs(way.y())));
        } else if (tool_ != EditTool::Point) {
            painter.drawLine(a, b);
        }
        if (tool_ != EditTool::Point && tool_ != EditTool::Pin && tool_ != EditTool::Weld)
            paintLabel(painter, b, text, theme_->text);
    } else if (tool_ == EditTool::Point || tool_ == EditTool::Bar || tool_ == EditTool::Disc || tool_ == EditTool::Block) {
        paintLabel(painter, b, QStringLiteral("%1, %2").arg(number(at.x()), number(at.y())), theme_->secondary);
    }
    // Where the pointer will act.
    const EditEnd end = editor_.mechanism().geometry().endAt(scene_->toPlane(pointer_), reach());
    const bool joins = tool_ == EditTool::Pin || tool_ == EditTool::Weld || tool_ == EditTool::Rod || tool_ == EditTool::Rail
                       || tool_ == EditTool::Spring || tool_ == EditTool::Damper || tool_ == EditTool::String
                       || tool_ == EditTool::Wall;
    const QPointF mark = joins && !end.onGround() ? screen(editor_.mechanism().geometry().place(end)) : b;
    painter.setPen(QPen(joins && end.onGround() ? theme_->secondary : theme_->accent, 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawEllipse(mark, 5, 5);
    if (joins && hold_ != Hold::Tool) {
        QStringList names;
        for (const EditEnd& e : editor_.mechanism().geometry().endsAt(scene_->toPlane(pointer_), reach()))
            names << QString::fromStdString(e.body);
        if (names.isEmpty())
            names << (end.onGround() ? tr("ground") : QString::fromStdString(end.body));
        paintLabel(painter, mark, names.join(tr(" and ")), theme_->text);
    }
}

void SceneEditor::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (!editor_.mechanism().editable() || !editor_.mechanism().plane() || !scene_->isPlane())
        return;
    paintGrid(painter);
    const EditGeometry& g = pulled_ ? *pulled_ : editor_.mechanism().geometry();
    QColor faint = theme_->accent;
    faint.setAlpha(120);
    for (const EditBody& body : g.bodies) {
        if (editor_.mechanism().status().defects.contains(body.name))
            paintBody(painter, body, theme_->error, 2);
        else if (editor_.selection().contains(body.name))
            paintBody(painter, body, theme_->accent, 2);
        else if (hovered_ == body.name)
            paintBody(painter, body, faint, 2);
    }
    for (const EditLink& link : g.links) {
        const std::string id = EditedMechanism::idOf(link.place);
        if (editor_.mechanism().status().defects.contains(id))
            paintLink(painter, link, theme_->error);
        else if (editor_.selection().contains(id))
            paintLink(painter, link, theme_->accent);
        else if (hovered_ == id)
            paintLink(painter, link, faint);
    }
    paintHandles(painter);
    paintTool(painter);
    if (tool_ == EditTool::Delete && !hovered_.empty())
        paintLabel(painter, pointer_, tr("remove %1").arg(QString::fromStdString(hovered_)), theme_->error);
    else if (const QString handle = handleWords(); !handle.isEmpty())
        paintLabel(painter, pointer_, handle, theme_->text);
    else if (tool_ == EditTool::Select && hold_ == Hold::Nothing && !hovered_.empty() && inside_)
        paintLabel(painter, pointer_, QString::fromStdString(hovered_), theme_->secondary);
}

} // namespace driftless::ui
