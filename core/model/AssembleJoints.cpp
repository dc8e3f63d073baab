// Joints as constraints. d = p_to - p_from; n1, n2, a are the normals and the axis of the side of from, m1, m2, b those of to.
//
//   spherical    d = 0                          revolute     d = 0, n1.b = 0, n2.b = 0
//   universal    d = 0, a.b = 0                 cylindrical  n1.d = 0, n2.d = 0, n1.b = 0, n2.b = 0
//   prismatic    n1.d = 0, n2.d = 0, and as fixed       planar       a.d = 0, n1.b = 0, n2.b = 0
//   fixed        d = 0, n1.b = 0, n2.b = 0, n1.m2 = 0   screw        cylindrical, and a.(d' - lead/(2 pi) (w_to - w_from)) = 0
//   constraint force                            -lambda dg/dp on the point
//   (the dot-1 and dot-2 conditions of Haug 1989, chapter 9)
#include <numbers>

#include "core/model/Assembly.h"

namespace driftless::model {

using expr::Expr;

const std::array<Expr, 3>& Joint::local()
{
    // A name that no file can write.
    static const std::array<Expr, 3> symbols{expr::parameter("|x|"), expr::parameter("|y|"), expr::parameter("|z|")};
    return symbols;
}

int constraintRows(const Mechanism& mechanism, const Joint& joint, bool holonomic)
{
    const auto oriented = [&](const Attachment& a) {
        return a.body == kGround || mechanism.bodies[static_cast<std::size_t>(a.body)].kind == BodyKind::Rigid;
    };
    const bool both = oriented(joint.from) && oriented(joint.to);
    if (!holonomic)
        return joint.kind == JointKind::Rolling                                       ? (mechanism.space ? 2 : 1)
               : joint.kind == JointKind::KnifeEdge || joint.kind == JointKind::Screw ? 1
                                                                                      : 0;
    switch (joint.kind) {
    case JointKind::Rod:
    case JointKind::Gear:
    case JointKind::Rack:
    case JointKind::Motion:
    case JointKind::Rolling:
        return 1;
    case JointKind::KnifeEdge:
        return 0;
    case JointKind::Curve:
    case JointKind::Surface:
        return static_cast<int>(joint.surfaces.size());
    case JointKind::Pin:
        return 2;
    case JointKind::Weld:
        return both ? 3 : 2;
    case JointKind::Slider:
        return both && !joint.turns && joint.to.body != kGround ? 2 : 1;
    case JointKind::Spherical:
        return 3;
    case JointKind::Universal:
    case JointKind::Cylindrical:
    case JointKind::Screw:
        return 4;
    case JointKind::Planar:
        return 3;
    case JointKind::Revolute:
        return 5;
    case JointKind::Prismatic:
        return both ? 5 : 2;
    case JointKind::Fixed:
        return both ? 6 : 3;
    }
    return 0;
}

Expr Assembly::addConstraint(const Joint& joint, const std::string& part, const Expr& g, bool holonomic)
{
    Constraint c;
    c.name = part.empty() ? joint.name : joint.name + '.' + part;
    c.joint = joint.name;
    c.bodies = {bodyName(joint.from.body), bodyName(joint.to.body)};
    c.holonomic = holonomic;
    c.g = g;
    const Expr multiplier = expr::variable(joint.name + (holonomic ? ".lambda" : ".mu") + (part.empty() ? "" : "_" + part));
    c.multiplier = *multiplier.symbol();
    c.position = joint.position;
    system_.constraints.push_back(std::move(c));
    return multiplier;
}

void Assembly::addJoint(const Joint& joint)
{
    if (joint.kind != JointKind::Motion) {
        noteEnd(joint.from);
        noteEnd(joint.to);
    }
    switch (joint.kind) {
    case JointKind::Rod:
        addRod(joint);
        break;
    case JointKind::Slider:
        addSlider(joint);
        break;
    case JointKind::Pin:
    case JointKind::Weld:
        addPin(joint);
        break;
    case JointKind::Curve:
    case JointKind::Surface:
        addCurve(joint);
        break;
    case JointKind::Gear:
        addGear(joint);
        break;
    case JointKind::Rack:
        addRack(joint);
        break;
    case JointKind::Motion:
        addMotion(joint);
        break;
    case JointKind::KnifeEdge:
        addKnifeEdge(joint);
        break;
    case JointKind::Rolling:
        mechanism_.space ? addRolling(joint) : addDisc(joint);
        break;
    case JointKind::Spherical:
    case JointKind::Revolute:
    case JointKind::Universal:
    case JointKind::Prismatic:
    case JointKind::Cylindrical:
    case JointKind::Planar:
    case JointKind::Fixed:
    case JointKind::Screw:
        addSpaceJoint(joint);
        break;
    }
}

void Assembly::addRod(const Joint& joint)
{
    const Vector a = place(joint.from), b = place(joint.to), r = b - a;
    const Expr lambda = addConstraint(joint, "", square(r.x) + square(r.y) + square(r.z) - square(joint.length.value));
    addArrow(joint, (Expr(-2) * lambda) * r);
    draw(VisualKind::Rod, joint.name, {a, b});
    for (const Attachment* end : {&joint.from, &joint.to})
        if (end->body == kGround)
            draw(VisualKind::GroundPin, joint.name, {place(*end)});
}

void Assembly::addPin(const Joint& joint)
{
    const Vector a = place(joint.from), b = place(joint.to), r = b - a;
    const Expr lambdaX = addConstraint(joint, "x", r.x);
    const Expr lambdaY = addConstraint(joint, "y", r.y);
    if (joint.kind == JointKind::Weld && oriented(joint.from.body) && oriented(joint.to.body))
        addConstraint(joint, "angle", angleOf(joint.to.body) - angleOf(joint.from.body) - joint.turn);
    addArrow(joint, {-lambdaX, -lambdaY, Expr(0)});
    const bool grounded = joint.from.body == kGround || joint.to.body == kGround;
    draw(grounded ? VisualKind::GroundPin : VisualKind::Pin, joint.name, {joint.from.body == kGround ? a : b});
}

Vector Assembly::direction(const Joint& joint) const
{
    return turned(joint.from.body, {expr::cos(joint.angle), expr::sin(joint.angle), Expr(0)});
}

void Assembly::addSlider(const Joint& joint)
{
    const Vector a = place(joint.from), b = place(joint.to), d = direction(joint);
    const Vector normal{-d.y, d.x, Expr(0)};
    const bool locked = !joint.turns && rigid(joint.to.body) && oriented(joint.from.body);
    const Expr lambda = addConstraint(joint, locked ? "normal" : "", dot(normal, b - a));
    if (locked)
        addConstraint(joint, "angle", angleOf(joint.to.body) - angleOf(joint.from.body) - joint.turn);
    addArrow(joint, (-lambda) * normal);
    const auto along = [&](double s) { return a + Expr(s) * d; };
    draw(VisualKind::SliderRail, joint.name, {along(joint.drawn[0]), along(joint.drawn[1])});
    draw(VisualKind::Slider, joint.name, {b, b + d});
}

std::array<Vector, 3> Assembly::frameFrom(const Joint& joint) const
{
    const auto normals = normalsOf(joint.axis);
    const int b = joint.from.body;
    return {turned(b, vectorOf(normals[0])), turned(b, vectorOf(normals[1])), turned(b, vectorOf(joint.axis))};
}

std::array<Vector, 3> Assembly::frameTo(const Joint& joint) const
{
    const auto normals = normalsOf(joint.axisTo);
    std::array<Vector, 3> out{vectorOf(normals[0]), vectorOf(normals[1]), vectorOf(joint.axisTo)};
    if (!joint.turnTo.empty()) {
        const Rotation turn = rotationOf(quaternionOf(joint.turnTo));
        for (Vector& v : out)
            v = components(turn, v);
    }
    for (Vector& v : out)
        v = turned(joint.to.body, v);
    return out;
}

void Assembly::addSpaceJoint(const Joint& joint)
{
    const Vector a = place(joint.from), b = place(joint.to), d = b - a;
    const auto [n1, n2, axis] = frameFrom(joint);
    const bool both = oriented(joint.from.body) && oriented(joint.to.body);
    const std::array<Vector, 3> to = both ? frameTo(joint) : std::array<Vector, 3>{};
    Vector force;
    switch (joint.kind) {
    case JointKind::Prismatic:
    case JointKind::Cylindrical:
    case JointKind::Screw: {
        const Expr first = addConstraint(joint, "across1", dot(n1, d)), second = addConstraint(joint, "across2", dot(n2, d));
        force = (-first) * n1 - second * n2;
        break;
    }
    case JointKind::Planar:
        force = (-addConstraint(joint, "normal", dot(axis, d))) * axis;
        break;
    default: {
        const Expr x = addConstraint(joint, "x", d.x), y = addConstraint(joint, "y", d.y), z = addConstraint(joint, "z", d.z);
        force = {-x, -y, -z};
    }
    }
    if (joint.kind == JointKind::Universal)
        addConstraint(joint, "cross", dot(axis, to[2]));
    else if (joint.kind != JointKind::Spherical && both) {
        addConstraint(joint, "tilt1", dot(n1, to[2]));
        addConstraint(joint, "tilt2", dot(n2, to[2]));
    }
    if ((joint.kind == JointKind::Fixed || joint.kind == JointKind::Prismatic) && both)
        addConstraint(joint, "twist", dot(n1, to[1]));
    if (joint.kind == JointKind::Screw)
        addScrew(joint);
    addArrow(joint, force);
    if (joint.kind == JointKind::Prismatic || joint.kind == JointKind::Cylindrical || joint.kind == JointKind::Screw) {
        draw(VisualKind::SliderRail, joint.name, {a + Expr(joint.drawn[0]) * axis, a + Expr(joint.drawn[1]) * axis});
        draw(VisualKind::Slider, joint.name, {b, b + axis});
        return;
    }
    const bool grounded = joint.from.body == kGround || joint.to.body == kGround;
    draw(grounded ? VisualKind::GroundPin : VisualKind::Pin, joint.name, {joint.from.body == kGround ? a : b});
}

/// The advance along the axis follows the turn; as an equation of velocities, because a quaternion counts no turns.
void Assembly::addScrew(const Joint& joint)
{
    const Expr perTurn = joint.radius / Expr(2 * std::numbers::pi);
    const Vector axis = frameFrom(joint)[2];
    const Expr advance = expr::timeDerivative(dot(axis, place(joint.to) - place(joint.from)));
    const Expr turn = dot(axis, angularVelocity(joint.to.body) - angularVelocity(joint.from.body));
    addConstraint(joint, "lead", advance - perTurn * turn, false);
}

void Assembly::addCurve(const Joint& joint)
{
    const Vector offset = place(joint.to) - place(joint.from), u = local(joint.from.body, offset);
    const std::array<Expr, 3>& symbols = Joint::local();
    const expr::Substitution at{{*symbols[0].symbol(), u.x}, {*symbols[1].symbol(), u.y}, {*symbols[2].symbol(), u.z}};
    Vector force;
    for (std::size_t i = 0; i < joint.surfaces.size(); ++i) {
        const Expr& F = joint.surfaces[i];
        const Expr lambda =
            addConstraint(joint, joint.surfaces.size() > 1 ? std::to_string(i + 1) : "", expr::substitute(F, at));
        const auto slope = [&](std::size_t k) { return expr::substitute(expr::derivative(F, *symbols[k].symbol()), at); };
        force = force - lambda * turned(joint.from.body, {slope(0), slope(1), slope(2)});
    }
    addArrow(joint, force);
    std::vector<Vector> line;
    const Vector origin = place(joint.from);
    for (const VisualPoint& p : joint.path)
        line.push_back(origin + turned(joint.from.body, {p.x, p.y, p.z}));
    if (line.size() > 1)
        draw(VisualKind::Curve, joint.name, line);
    draw(VisualKind::Pin, joint.name, {place(joint.to)});
}

void Assembly::addGear(const Joint& joint)
{
    const Expr base = angleOf(joint.carrier);
    addConstraint(joint, "", angleOf(joint.to.body) - base - joint.ratio * (angleOf(joint.from.body) - base) - joint.phase);
}

void Assembly::addRack(const Joint& joint)
{
    const Vector d{expr::cos(joint.angle), expr::sin(joint.angle), Expr(0)};
    const Expr advance = dot(d, place(joint.to) - place(joint.from));
    const Expr lambda = addConstraint(joint, "", advance - joint.radius * angleOf(joint.from.body) - joint.phase);
    addArrow(joint, (-lambda) * d);
}

void Assembly::addMotion(const Joint& stated)
{
    const Joint& driven = joint(stated.driven);
    Joint named = driven; // the bodies of the joint under the name of the motion
    named.name = stated.name;
    named.position = stated.position;
    const bool turns = driven.kind == JointKind::Pin || driven.kind == JointKind::Revolute
                       || (driven.kind == JointKind::Cylindrical && !stated.displacement);
    if (!turns) {
        const Vector axis = mechanism_.space ? frameFrom(driven)[2] : direction(driven);
        addConstraint(named, "", dot(axis, place(driven.to) - place(driven.from)) - stated.value);
        return;
    }
    if (!mechanism_.space) {
        addConstraint(named, "", angleOf(driven.to.body) - angleOf(driven.from.body) - stated.value);
        return;
    }
    // sin(angle - value) = m1 . (cos n2 - sin n1): no angle of the joint is needed, so nothing wraps.
    const std::array<Vector, 3> from = frameFrom(driven), to = frameTo(driven);
    addConstraint(named, "", dot(to[0], expr::cos(stated.value) * from[1] - expr::sin(stated.value) * from[0]));
}

void Assembly::addKnifeEdge(const Joint& joint)
{
    const Vector along = turned(joint.to.body, {expr::cos(joint.angle), expr::sin(joint.angle), Expr(0)});
    const Vector normal{-along.y, along.x, Expr(0)}, p = place(joint.to);
    const Expr mu = addConstraint(joint, "", dot(normal, rateOf(p)), false);
    addArrow(joint, (-mu) * normal);
    draw(VisualKind::Pin, joint.name, {p});
}

/// A disc on a line of the plane, on the left of its direction: n.d = r, and the point of contact rests.
void Assembly::addDisc(const Joint& joint)
{
    const Vector along = direction(joint), normal{-along.y, along.x, Expr(0)};
    const Vector a = place(joint.from), b = place(joint.to);
    const Expr lambda = addConstraint(joint, "contact", dot(normal, b - a) - joint.radius);
    const Expr slip = dot(along, rateOf(b)) + joint.radius * v(joint.to.body, 2);
    const Expr mu = addConstraint(joint, "roll", slip, false);
    addArrow(joint, (-lambda) * normal - mu * along);
    draw(VisualKind::SliderRail, joint.name, {a + Expr(joint.drawn[0]) * along, a + Expr(joint.drawn[1]) * along});
}

/// A sphere or a disc on a fixed plane: the height of the centre, and two components of the velocity of the point of contact.
void Assembly::addRolling(const Joint& joint)
{
    const auto [t1, t2, n] = frameFrom(joint);
    const int b = joint.to.body;
    Vector contact = (-joint.radius) * n; // from the centre
    Expr height = joint.radius;
    if (joint.disc) {
        const Vector axis = frameTo(joint)[2];
        const Expr lean = dot(n, axis), s = expr::sqrt(dot(axis, axis) - square(lean)); // |axis| = 1, where the norm is met
        contact = (-joint.radius / s) * (n - lean * axis);
        height = joint.radius * s;
    }
    const Expr lambda = addConstraint(joint, "contact", dot(n, place(joint.to) - place(joint.from)) - height);
    const Vector slip = rateOf(place(joint.to)) + cross(angularVelocity(b), contact);
    const Expr mu1 = addConstraint(joint, "roll1", dot(t1, slip), false),
               mu2 = addConstraint(joint, "roll2", dot(t2, slip), false);
    const Vector at = place(joint.to) + contact, force = (-lambda) * n - mu1 * t1 - mu2 * t2;
    system_.arrows.push_back({joint.name, {at.x, at.y, at.z}, {force.x, force.y, force.z}});
}

/// The rate that friction and actuators in the joint act along.
Expr Assembly::jointRate(const Joint& joint) const
{
    switch (joint.kind) {
    case JointKind::Pin:
        return expr::timeDerivative(angleOf(joint.to.body)) - expr::timeDerivative(angleOf(joint.from.body));
    case JointKind::Rod: {
        const Vector r = place(joint.to) - place(joint.from), rate = rateOf(r);
        if (!mechanism_.space)
            return (r.x * rate.y - r.y * rate.x) / square(joint.length.value);
        return dot(r, rate) / joint.length.value;
    }
    case JointKind::Revolute:
    case JointKind::Cylindrical:
        return dot(frameFrom(joint)[2], angularVelocity(joint.to.body) - angularVelocity(joint.from.body));
    case JointKind::Prismatic:
        return expr::timeDerivative(dot(frameFrom(joint)[2], place(joint.to) - place(joint.from)));
    default: {
        const Vector r = place(joint.to) - place(joint.from), d = direction(joint);
        return expr::timeDerivative(dot(d, r)); // position along the rail
    }
    }
}

Expr Assembly::jointAngle(const Joint& joint) const
{
    if (!mechanism_.space)
        return angleOf(joint.to.body) - angleOf(joint.from.body);
    const std::array<Vector, 3> from = frameFrom(joint), to = frameTo(joint);
    return expr::atan2(dot(to[0], from[1]), dot(to[0], from[0]));
}

/// The force of a joint on the body it leads to, or the opposite one on the first body where that is the ground.
void Assembly::addArrow(const Joint& joint, const Vector& onTo)
{
    const bool toGround = joint.to.body == kGround;
    const Vector at = place(toGround ? joint.from : joint.to);
    const Vector force = toGround ? Vector{-onTo.x, -onTo.y, -onTo.z} : onTo;
    system_.arrows.push_back({joint.name, {at.x, at.y, at.z}, {force.x, force.y, force.z}});
}

/// Remembers the first two different points where joints hold a body: a bar is drawn between them.
void Assembly::noteEnd(const Attachment& end)
{
    if (!rigid(end.body))
        return;
    std::vector<Attachment>& ends = ends_[static_cast<std::size_t>(end.body)];
    const bool known = !ends.empty() && ends[0].u.sameAs(end.u) && ends[0].v.sameAs(end.v) && ends[0].w.sameAs(end.w);
    if (ends.size() < 2 && !known)
        ends.push_back(end);
}

} // namespace driftless::model
