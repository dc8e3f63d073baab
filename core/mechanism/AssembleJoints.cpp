// What the forms of joints (JointsInPlane.cpp, JointsInSpace.cpp, JointsAnywhere.cpp) are assembled with.
#include "core/mechanism/Assembly.h"
#include "core/mechanism/JointEntry.h"

namespace driftless::model {

using expr::Expr;

Constraint Assembly::constraintOf(const Joint& joint, const std::string& part, const Expr& g, bool holonomic) const
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
    return c;
}

Expr Assembly::addConstraint(const Joint& joint, const std::string& part, const Expr& g, bool holonomic)
{
    system_.constraints.push_back(constraintOf(joint, part, g, holonomic));
    return expr::symbol(system_.constraints.back().multiplier);
}

Expr Assembly::addOneSided(const Joint& joint, const std::string& part, const Expr& g, bool holonomic, OneSided what)
{
    what.row = constraintOf(joint, part, g, holonomic);
    const expr::Symbol multiplier = what.row.multiplier;
    system_.idle.push_back(multiplier);
    system_.oneSided.push_back(std::move(what));
    return expr::symbol(multiplier);
}

Expr Assembly::addRubbing(const Joint& joint, const Expr& slip, const Expr& friction, const Expr& grip, const std::string& part)
{
    const int contact = static_cast<int>(system_.oneSided.size()) - 1;
    const Expr push = -expr::symbol(system_.oneSided.back().row.multiplier);
    OneSided rubbing;
    rubbing.kind = OneSidedKind::Friction;
    rubbing.scale = Expr(1);
    rubbing.limit = grip * push;
    rubbing.sliding = friction * push;
    rubbing.contact = contact;
    rubbing.friction = friction;
    rubbing.grip = grip;
    return addOneSided(joint, part, slip, false, std::move(rubbing));
}

void Assembly::addBreaking(const Expr& strength, const Expr& load)
{
    OneSided link;
    link.kind = OneSidedKind::Link;
    link.row = system_.constraints.back();
    link.scale = Expr(1);
    link.limit = strength;
    link.load = load;
    system_.oneSided.push_back(std::move(link));
}

void Assembly::addJoint(const Joint& joint)
{
    if (joint.entry->key("from"))
        noteEnd(joint.from);
    if (joint.entry->key("to"))
        noteEnd(joint.to);
    joint.form->add(*this, joint);
}

Vector Assembly::direction(int b, const Expr& angle) const { return turned(b, {expr::cos(angle), expr::sin(angle), Expr(0)}); }

std::array<Vector, 3> Assembly::frame(int b, const std::array<double, 3>& axis, std::span<const Turn> turns) const
{
    const auto normals = normalsOf(axis);
    std::array<Vector, 3> out{vectorOf(normals[0]), vectorOf(normals[1]), vectorOf(axis)};
    if (!turns.empty()) {
        const Rotation turn = rotationOf(quaternionOf(turns));
        for (Vector& v : out)
            v = components(turn, v);
    }
    for (Vector& v : out)
        v = turned(b, v);
    return out;
}

void Assembly::drawPoint(const Joint& joint)
{
    const bool grounded = joint.from.body == kGround || joint.to.body == kGround;
    draw(grounded ? VisualKind::GroundPin : VisualKind::Pin, joint.name,
         {place(joint.from.body == kGround ? joint.from : joint.to)});
}

void Assembly::drawRail(const Joint& joint, const std::array<double, 2>& ends, const Vector& along)
{
    const Vector origin = place(joint.from);
    draw(VisualKind::SliderRail, joint.name, {origin + Expr(ends[0]) * along, origin + Expr(ends[1]) * along});
}

void Assembly::addArrow(const Joint& joint, const Vector& onTo)
{
    const bool toGround = joint.to.body == kGround;
    addArrowAt(joint, place(toGround ? joint.from : joint.to), toGround ? Vector{-onTo.x, -onTo.y, -onTo.z} : onTo);
}

void Assembly::addArrowAt(const Joint& joint, const Vector& at, const Vector& force)
{
    system_.arrows.push_back({joint.name, {at.x, at.y, at.z}, {force.x, force.y, force.z}});
}

Vector Assembly::slopeAtCentre(const Joint& joint, const Expr& g) const
{
    const int b = joint.to.body == kGround ? joint.from.body : joint.to.body;
    const auto slope = [&](int k) { return expr::derivative(g, coordinate(b, k).q); };
    return {slope(0), slope(1), body(b).space ? slope(2) : Expr(0)};
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
