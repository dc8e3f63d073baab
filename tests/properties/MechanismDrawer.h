// Draws the parts of a mechanism and where they start: the place of a body in a tree follows from its joint, and a joint that
// closes a loop is shaped after the places of its bodies.
#pragma once

#include <optional>

#include "tests/properties/JointDrawer.h"
#include "tests/properties/MechanismRows.h"

namespace driftless::test {

/// Fills parts and the coordinates q of its bodies.
class MechanismDrawer {
public:
    using Vector = MechanismParts::Vector;
    using Turn = MechanismParts::Turn;
    using Body = MechanismParts::Body;
    using Joint = MechanismParts::Joint;

    MechanismDrawer(const MechanismShape& shape, Draw& draw, MechanismParts& parts, Eigen::VectorXd& q)
        : shape_(shape), draw_(draw), parts_(parts), q_(q)
    {
        parts_.space = shape.space;
        for (int i = 0; i < shape.bodies; ++i)
            addBody(i);
        for (int k = 0; k < shape.loops; ++k)
            closeLoop();
        if (shape.repeated && !joints().empty())
            repeatJoint();
        if (shape.springs)
            for (int k = 0; k < 2; ++k)
                addSpring();
        for (int k = 0; k < shape.wheels; ++k)
            addWheels();
        if (shape.driven)
            drive();
    }

private:
    const std::vector<Joint>& joints() const { return parts_.joints; }
    bool oriented(int body) const { return parts_.oriented(body); }
    /// What a joint takes away when nothing repeats.
    int takes(const Joint& j) const
    {
        const int rows = rows_.closuresOf(j);
        if (!shape_.flat || j.kind == "motion")
            return rows + rows_.velocityRowsOf(j);
        if (j.kind == "planar")
            return 0;
        return oriented(j.to) && oriented(j.from) && j.kind != "rod" && j.kind != "spherical" ? 2 : std::min(rows, 2);
    }
    bool join(const Joint& j)
    {
        if (freedom_ - takes(j) < 1)
            return false;
        freedom_ -= takes(j);
        parts_.joints.push_back(j);
        return true;
    }
    void addBody(int i)
    {
        Body b{.name = "b" + std::to_string(i),
               .point = draw_.chance(0.25),
               .mass = draw_.decimal(0.5, 2),
               .inertia = Vector::Zero(),
               .first = q_.size()};
        if (!b.point) {
            const double x = draw_.decimal(0.1, 0.4), y = draw_.decimal(0.1, 0.4);
            b.inertia = {x, y, draw_.decimal(std::abs(x - y) + 0.03, x + y)};
        }
        parts_.bodies.push_back(b);
        const int from = draw_.upTo(-1, i - 1);
        const Turn standing = b.point ? Turn::Identity() : one_.anyTurn();
        const int places = shape_.space ? 3 : 2, turns = shape_.space ? 4 : 1;
        q_.conservativeResize(b.first + places + (b.point ? 0 : turns));
        const bool pointly = b.point || !oriented(from);
        Joint j = one_.joint(one_.kind(pointly, false, from < 0), from, i, standing);
        const Vector where = parts_.point(from, j.on, q_) + one_.reach(j, standing) - MechanismParts::turned(standing, j.at);
        put(b.first, where, b.point ? std::nullopt : std::optional(standing));
        if (j.kind == "screw" || j.kind == "rolling")
            j.phase = rows_.advanceOf(j, q_);
        const int ofPoint = one_.turnsInSpace() ? 3 : 2, ofBody = one_.turnsInSpace() ? 6 : 3;
        freedom_ += (b.point ? ofPoint : ofBody) - takes(j);
        parts_.joints.push_back(j);
    }
    void put(Eigen::Index k, const Vector& where, const std::optional<Turn>& standing)
    {
        q_.segment(k, shape_.space ? 3 : 2) = where.head(shape_.space ? 3 : 2);
        if (standing && shape_.space) // of the two quaternions of a turn the one below half a turn
            q_.segment(k + 3, 4) =
                (standing->w() < 0 ? -1 : 1) * Eigen::Vector4d(standing->w(), standing->x(), standing->y(), standing->z());
        else if (standing)
            q_[k + 2] = 2 * std::atan2(standing->z(), standing->w());
    }

    void closeLoop()
    {
        const int count = static_cast<int>(parts_.bodies.size());
        const int to = draw_.upTo(0, count - 1), from = draw_.upTo(-1, count - 1);
        if (from == to)
            return;
        for (const Joint& j : joints())
            if ((j.from == from && j.to == to) || (j.from == to && j.to == from))
                return;
        const bool pointly = !oriented(to) || !oriented(from);
        if (pointly && shape_.flat)
            return;
        const Turn standing = parts_.frame(to, q_);
        Joint j = one_.joint(pointly ? "rod" : one_.kind(false, true, from < 0), from, to, standing);
        if (j.kind == "rod") {
            j.length = parts_.between(j, q_).norm();
        } else {
            const Vector axis = parts_.axisOf(j, q_);
            Vector way = Vector::Zero();
            if (MechanismParts::slides(j.kind))
                way = draw_.decimal(-1, 1) * axis;
            else if (j.kind == "planar")
                way = one_.inPlane(axis);
            j.at = MechanismParts::turned(standing.conjugate(), parts_.point(from, j.on, q_) + way - parts_.place(to, q_));
        }
        if (j.kind == "screw")
            j.phase = rows_.advanceOf(j, q_);
        if (j.kind != "rod" || j.length >= 0.2)
            join(j);
    }

    /// Only what is stated for places: the program sets no other row aside.
    void repeatJoint()
    {
        Joint again = draw_.among(joints());
        if (rows_.velocityRowsOf(again) > 0)
            return;
        again.name = "again";
        parts_.joints.push_back(again);
    }

    void addSpring()
    {
        const int count = static_cast<int>(parts_.bodies.size());
        const int to = draw_.upTo(0, count - 1), from = draw_.upTo(-1, to - 1);
        const MechanismParts::Spring s{.from = from,
                                       .to = to,
                                       .on = oriented(from) ? one_.vector(0.5) : Vector::Zero(),
                                       .at = oriented(to) ? one_.vector(0.5) : Vector::Zero(),
                                       .stiffness = draw_.decimal(1, 10),
                                       .length = draw_.decimal(0.2, 0.8)};
        if ((parts_.point(to, s.at, q_) - parts_.point(from, s.on, q_)).norm() > 0.5) // at length zero it has no direction
            parts_.springs.push_back(s);
    }

    /// Two wheels that mesh, or a wheel and a rack; in the plane.
    void addWheels()
    {
        const int count = static_cast<int>(parts_.bodies.size());
        Joint j;
        j.name = one_.nextName();
        j.from = draw_.upTo(0, count - 1);
        j.to = draw_.upTo(0, count - 1);
        if (shape_.space || j.from == j.to || !oriented(j.from))
            return;
        j.kind = draw_.chance(0.5) || !oriented(j.to) ? "rack" : "gear";
        if (j.kind == "gear") {
            j.ratio = draw_.decimal(0.4, 2.5) * (draw_.chance(0.5) ? 1 : -1);
            const int carrier = draw_.upTo(-1, count - 1);
            j.carrier = carrier == j.from || carrier == j.to || !oriented(carrier) ? -1 : carrier;
        } else {
            j.axis = one_.direction();
            j.length = draw_.decimal(0.1, 0.5);
            j.on = one_.vector(0.3);
            j.at = oriented(j.to) ? one_.vector(0.5) : Vector::Zero();
        }
        const double carrier = parts_.angle(j.carrier, q_);
        if (j.kind == "gear")
            j.phase = parts_.angle(j.to, q_) - carrier - j.ratio * (parts_.angle(j.from, q_) - carrier);
        else
            j.phase = j.axis.dot(parts_.between(j, q_)) - j.length * parts_.angle(j.from, q_);
        join(j);
    }

    /// One joint follows a function of time.
    void drive()
    {
        std::vector<int> able;
        for (std::size_t k = 0; k < joints().size(); ++k) {
            const Joint& j = joints()[k];
            const bool turns = j.kind == "pin" || j.kind == "revolute";
            if ((turns && oriented(j.from) && oriented(j.to)) || (MechanismParts::slides(j.kind) && j.kind != "screw"))
                able.push_back(static_cast<int>(k));
        }
        if (able.empty())
            return;
        Joint motion;
        motion.name = one_.nextName();
        motion.kind = "motion";
        motion.drive.joint = draw_.among(able);
        Joint& j = parts_.joints[static_cast<std::size_t>(motion.drive.joint)];
        motion.drive.angle = !MechanismParts::slides(j.kind) || (j.kind == "cylindrical" && draw_.chance(0.5));
        if (motion.drive.angle && shape_.space) { // the start is at an angle that is drawn
            j.turnIsStated = true;
            j.turn = Turn(Eigen::AngleAxisd(draw_.decimal(-1, 1), j.axis)) * j.turn;
        }
        motion.drive.middle = motion.drive.angle ? parts_.turnOf(j, q_) : parts_.displacement(j, q_);
        motion.drive.swing = draw_.decimal(0.1, 0.3) * (draw_.chance(0.5) ? 1 : -1);
        motion.drive.pace = draw_.decimal(1, 3);
        join(motion);
    }

    const MechanismShape& shape_;
    Draw& draw_;
    MechanismParts& parts_;
    Eigen::VectorXd& q_;
    MechanismRows rows_{parts_};
    JointDrawer one_{shape_, draw_, parts_, q_};
    int freedom_ = 0;
};

} // namespace driftless::test
