// What the scene draws of a mechanism.
#include "core/mechanism/Assembly.h"

namespace driftless::model {

using expr::Expr;

Visual Assembly::visual(VisualKind kind, const std::string& owner, const std::vector<Vector>& points)
{
    Visual out;
    out.kind = kind;
    out.owner = owner;
    for (const Vector& p : points)
        out.points.push_back({p.x, p.y, p.z});
    return out;
}

void Assembly::draw(VisualKind kind, const std::string& owner, const std::vector<Vector>& points)
{
    system_.visuals.push_back(visual(kind, owner, points));
}

void Assembly::drawBody(int b)
{
    const Body& body = this->body(b);
    if (body.kind == BodyKind::Point) {
        bodyVisuals_.push_back(visual(VisualKind::PointMass, body.name, {centre(b)}));
        return;
    }
    if (body.space) {
        drawSpaceBody(b);
        return;
    }
    const auto at = [&](const Expr& u, const Expr& v) { return place({b, u, v, Expr(0)}); };
    const std::vector<Expr>& n = body.shape.numbers;
    switch (body.shape.kind) {
    case ShapeKind::Bar:
        bodyVisuals_.push_back(visual(VisualKind::RigidBar, body.name, {at(n[0], n[1]), at(n[2], n[3])}));
        return;
    case ShapeKind::Disc:
    case ShapeKind::Sphere:
        bodyVisuals_.push_back(visual(VisualKind::RigidDisc, body.name, {centre(b), at(n[0], Expr(0))}));
        return;
    case ShapeKind::Block:
        bodyVisuals_.push_back(visual(VisualKind::RigidBlock, body.name, {centre(b), at(half(n[0]), Expr(0))}));
        bodyVisuals_.back().size2 = body.shape.aspect;
        return;
    case ShapeKind::Automatic:
        break;
    }
    const std::vector<Attachment>& ends = ends_[static_cast<std::size_t>(b)];
    if (ends.size() >= 2)
        bodyVisuals_.push_back(visual(VisualKind::RigidBar, body.name, {place(ends[0]), place(ends[1])}));
    else if (ends.size() == 1 && !(ends[0].u.isZero() && ends[0].v.isZero()))
        bodyVisuals_.push_back(visual(VisualKind::RigidBar, body.name, {place(ends[0]), at(-ends[0].u, -ends[0].v)}));
    else
        bodyVisuals_.push_back(visual(VisualKind::RigidDisc, body.name, {centre(b), at(drawnRadius(b), Expr(0))}));
}

void Assembly::drawSpaceBody(int b)
{
    const Body& body = this->body(b);
    const auto at = [&](const Vector& u) { return centre(b) + turned(b, u); };
    const auto add = [&](VisualKind kind, const std::vector<Vector>& points) {
        bodyVisuals_.push_back(visual(kind, body.name, points));
    };
    const std::vector<Expr>& n = body.shape.numbers;
    const std::vector<Attachment>& ends = ends_[static_cast<std::size_t>(b)];
    switch (body.shape.kind) {
    case ShapeKind::Bar:
        add(VisualKind::RigidBar, {at({n[0], n[1], n[2]}), at({n[3], n[4], n[5]})});
        return;
    case ShapeKind::Disc: {
        const auto normals = normalsOf(body.shape.axis);
        add(VisualKind::RigidDisc, {centre(b), at(n[0] * vectorOf(normals[0])), at(n[0] * vectorOf(normals[1]))});
        return;
    }
    case ShapeKind::Sphere:
        add(VisualKind::RigidSphere, {centre(b), at({n[0], Expr(0), Expr(0)}), at({Expr(0), n[0], Expr(0)})});
        return;
    case ShapeKind::Block:
        add(VisualKind::RigidBlock, {centre(b), at({half(n[0]), Expr(0), Expr(0)}), at({Expr(0), half(n[1]), Expr(0)}),
                                     at({Expr(0), Expr(0), half(n[2])})});
        return;
    case ShapeKind::Automatic:
        break;
    }
    if (ends.size() >= 2) {
        add(VisualKind::RigidBar, {place(ends[0]), place(ends[1])});
        return;
    }
    // The uniform sphere of the same mass and mean inertia: J = 2 m r^2 / 5.
    const Expr mean = expr::rational(1, 3) * (body.tensor[0].value + body.tensor[1].value + body.tensor[2].value);
    const Expr radius = expr::sqrt(expr::rational(5, 2) * mean / body.mass.value);
    add(VisualKind::RigidSphere, {centre(b), at({radius, Expr(0), Expr(0)}), at({Expr(0), radius, Expr(0)})});
}

void Assembly::turnUp()
{
    const auto turn = [](VisualPoint& p) { p = {p.x, p.z, -p.y}; };
    for (Visual& v : system_.visuals)
        for (VisualPoint& p : v.points)
            turn(p);
    for (ForceArrow& a : system_.arrows) {
        turn(a.at);
        turn(a.force);
    }
    for (VelocityArrow& a : system_.velocities) {
        turn(a.at);
        turn(a.velocity);
    }
}

} // namespace driftless::model
