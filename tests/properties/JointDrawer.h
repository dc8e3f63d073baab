// Draws single joints of a mechanism: their kinds, points, axes and sizes.
#pragma once

#include "tests/properties/MechanismParts.h"
#include "tests/properties/MechanismShape.h"

namespace driftless::test {

class JointDrawer {
public:
    using Vector = MechanismParts::Vector;
    using Turn = MechanismParts::Turn;
    using Joint = MechanismParts::Joint;

    JointDrawer(const MechanismShape& shape, Draw& draw, const MechanismParts& parts, const Eigen::VectorXd& q)
        : shape_(shape), draw_(draw), parts_(parts), q_(q)
    {
    }

    bool turnsInSpace() const { return shape_.space && !shape_.flat; }
    Vector vector(double size)
    {
        return {draw_.decimal(-size, size), draw_.decimal(-size, size), turnsInSpace() ? draw_.decimal(-size, size) : 0};
    }
    Vector direction()
    {
        Vector out = vector(1);
        while (out.norm() < 0.3)
            out = vector(1);
        return out.normalized();
    }
    Vector across(const Vector& axis)
    {
        Vector out = axis.cross(direction());
        while (out.norm() < 0.3)
            out = axis.cross(direction());
        return out;
    }
    Turn anyTurn() { return Turn(Eigen::AngleAxisd(draw_.decimal(-2, 2), turnsInSpace() ? direction() : Vector::UnitZ())); }
    std::vector<std::string> usualKinds(bool pointly, bool closing) const
    {
        if (!shape_.space && pointly)
            return {"pin", "rod", "rod"};
        if (!shape_.space)
            return {"pin", "pin", "pin", "slider", "turning", "rod", closing ? "rod" : "weld"};
        if (pointly)
            return {"rod", "spherical"};
        if (shape_.flat)
            return {"revolute", "revolute", "prismatic"};
        return {"spherical",   "spherical", "revolute", "universal",
                "cylindrical", "prismatic", "rod",      closing ? "rod" : "fixed"};
    }
    std::string kind(bool pointly, bool closing, bool onGround)
    {
        std::vector<std::string> kinds = usualKinds(pointly, closing);
        if (shape_.rarer && !pointly && shape_.space)
            kinds.insert(kinds.end(), {"planar", "planar"});
        if (shape_.rarer && !pointly && turnsInSpace())
            kinds.insert(kinds.end(), {"screw", "screw", "screw"});
        if (shape_.rarer && !pointly && !closing && onGround && !shape_.flat)
            kinds.insert(kinds.end(), {"rolling", "rolling", "rolling"});
        return draw_.among(kinds);
    }
    std::string nextName() const { return "j" + std::to_string(parts_.joints.size()); }

    /// to stands as `standing` says.
    Joint joint(const std::string& kind, int from, int to, const Turn& standing)
    {
        Joint j;
        j.name = nextName();
        j.kind = kind;
        j.from = from;
        j.to = to;
        j.on = parts_.oriented(from) ? vector(0.8) : Vector::Zero();
        j.at = parts_.oriented(to) ? vector(0.8) : Vector::Zero();
        const Turn base = parts_.frame(from, q_);
        j.turn = base.conjugate() * standing;
        if (turnsInSpace() || MechanismParts::slides(kind) || (kind == "rolling" && !shape_.space))
            j.axis = direction();
        const Vector axis = MechanismParts::turned(base, j.axis);
        j.axisTo = MechanismParts::turned(standing.conjugate(), kind == "universal" ? across(axis) : axis).normalized();
        if (kind == "screw")
            j.length = draw_.decimal(0.1, 0.6) * (draw_.chance(0.5) ? 1 : -1);
        if (kind == "rolling") {
            j.at = Vector::Zero();
            j.length = draw_.decimal(0.1, 0.4);
            j.axisTo = draw_.chance(0.5) ? Vector::Zero() : discAxis(j.axis, standing);
        }
        return j;
    }
    Vector inPlane(const Vector& normal) { return draw_.decimal(-1, 1) * across(normal); }

    /// From the point of from to that of to; a rod's length is drawn with it.
    Vector reach(Joint& j, const Turn& standing)
    {
        const Vector axis = MechanismParts::turned(parts_.frame(j.from, q_), j.axis);
        if (MechanismParts::slides(j.kind))
            return draw_.decimal(-1, 1) * axis;
        if (j.kind == "planar")
            return inPlane(axis);
        if (j.kind == "rod") {
            j.length = draw_.decimal(0.5, 1.5);
            return j.length * direction();
        }
        if (j.kind != "rolling")
            return Vector::Zero();
        if (!shape_.space)
            return draw_.decimal(-1, 1) * axis + j.length * Vector::UnitZ().cross(axis);
        const Vector down = MechanismParts::contact(j, axis, MechanismParts::turned(standing, j.axisTo));
        return draw_.decimal(-1, 1) * across(axis) - axis.dot(down) * axis;
    }

private:
    /// In the body's frame; a disc leans at most 50 degrees.
    Vector discAxis(const Vector& normal, const Turn& standing)
    {
        if (!shape_.space)
            return Vector::UnitZ();
        Vector out = direction();
        while (std::abs(out.dot(normal)) > 0.75)
            out = direction();
        return MechanismParts::turned(standing.conjugate(), out).normalized();
    }

    const MechanismShape& shape_;
    Draw& draw_;
    const MechanismParts& parts_;
    const Eigen::VectorXd& q_;
};

} // namespace driftless::test
