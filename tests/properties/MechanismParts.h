// Bodies, joints and springs of a drawn mechanism, and where they are by kinematics of the tests' own. Everything is written
// for space; in the plane all turns are about z.
//
// Coordinates as the program orders them: per body x, y (z), then angle or e0 ... e3. Points are in the frame of their body, or
// plain where the body is the ground (-1). Lengths in m, angles in rad.
#pragma once

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "core/solve/DenseDecompositions.h"

namespace driftless::test {

struct MechanismParts {
    using Vector = Eigen::Vector3d;
    using Turn = Eigen::Quaterniond;

    struct Body {
        std::string name;
        bool point = false;
        double mass = 1;
        Vector inertia = Vector::Zero(); ///< [kg m^2] about its own axes; the last one in the plane
        Eigen::Index first = 0;          ///< coordinate
    };
    /// middle + swing sin(pace t): where a driven joint is asked to be.
    struct Drive {
        int joint = -1;
        bool angle = false; ///< else its displacement
        double middle = 0, swing = 0, pace = 0;
        double at(double t) const { return middle + swing * std::sin(pace * t); }
    };
    struct Joint {
        std::string name, kind;
        int from = -1, to = 0; ///< -1: ground
        Vector on = Vector::Zero(), at = Vector::Zero();
        /// In the frame of from: the line of a slider and of what rolls in the plane, the normal of a plane. In that of to: the
        /// axis of a disc that rolls in space, none for a ball.
        Vector axis = Vector::UnitZ(), axisTo = Vector::UnitZ();
        Turn turn = Turn::Identity(); ///< of to against from where the angle of the joint is zero
        double length = 0;            ///< of a rod; radius of what rolls and of a rack's wheel; lead of a screw [m a turn]
        double ratio = 1, phase = 0;  ///< of a gear; phase of what turns and advances together
        int carrier = -1;
        bool turnIsStated = false; ///< in the text, in place of axisTo
        Drive drive;
    };
    struct Spring {
        int from, to;
        Vector on, at;
        double stiffness, length;
    };

    bool space = false;
    std::vector<Body> bodies;
    std::vector<Joint> joints;
    std::vector<Spring> springs;

    bool oriented(int body) const { return body < 0 || !bodies[static_cast<std::size_t>(body)].point; }
    static bool slides(const std::string& kind)
    {
        return kind == "slider" || kind == "turning" || kind == "prismatic" || kind == "cylindrical" || kind == "screw";
    }
    /// A ball, as against a disc.
    static bool ball(const Joint& j) { return j.axisTo.isZero(); }

    // --- poses from coordinates ---
    Vector place(int body, const Eigen::VectorXd& q) const
    {
        const Eigen::Index k = bodies[static_cast<std::size_t>(body)].first;
        return {q[k], q[k + 1], space ? q[k + 2] : 0};
    }
    /// In the plane; that of the ground is zero.
    double angle(int body, const Eigen::VectorXd& q) const
    {
        return body < 0 ? 0 : q[bodies[static_cast<std::size_t>(body)].first + 2];
    }
    Turn frame(int body, const Eigen::VectorXd& q) const
    {
        if (body < 0 || !oriented(body))
            return Turn::Identity();
        const Eigen::Index k = bodies[static_cast<std::size_t>(body)].first + 3;
        return space ? Turn(q[k], q[k + 1], q[k + 2], q[k + 3]) : Turn(Eigen::AngleAxisd(angle(body, q), Vector::UnitZ()));
    }
    /// Angular velocity in the body's frame: the vector part of 2 conj(e) e'.
    Vector spin(int body, const Eigen::VectorXd& q, const Eigen::VectorXd& v) const
    {
        if (body < 0 || !oriented(body))
            return Vector::Zero();
        const Eigen::Index k = bodies[static_cast<std::size_t>(body)].first + 3;
        if (!space)
            return {0, 0, v[k - 1]};
        return 2 * (frame(body, q).conjugate() * Turn(v[k], v[k + 1], v[k + 2], v[k + 3])).vec();
    }
    /// Of a unit quaternion; a little off one it is still smooth.
    static Vector turned(const Turn& e, const Vector& u) { return (e * Turn(0, u.x(), u.y(), u.z()) * e.conjugate()).vec(); }
    Vector point(int body, const Vector& at, const Eigen::VectorXd& q) const
    {
        return body < 0 ? at : Vector(place(body, q) + turned(frame(body, q), at));
    }
    /// From the point of from to that of to.
    Vector between(const Joint& j, const Eigen::VectorXd& q) const { return point(j.to, j.at, q) - point(j.from, j.on, q); }
    Vector axisOf(const Joint& j, const Eigen::VectorXd& q) const { return turned(frame(j.from, q), j.axis); }

    /// Where a slide is, positive along its axis.
    double displacement(const Joint& j, const Eigen::VectorXd& q) const { return axisOf(j, q).dot(between(j, q)); }
    /// How far a joint has turned about its axis, within half a turn of zero in space.
    double turnOf(const Joint& j, const Eigen::VectorXd& q) const
    {
        if (!space)
            return angle(j.to, q) - angle(j.from, q);
        const Turn relative = frame(j.from, q).conjugate() * frame(j.to, q) * j.turn.conjugate();
        return 2 * std::atan(relative.vec().dot(j.axis) / relative.w());
    }
    /// From the centre of what rolls in space to where it touches: down the normal, or down the steepest line of the disc.
    static Vector contact(const Joint& j, const Vector& normal, const Vector& axisOfDisc)
    {
        if (ball(j))
            return -j.length * normal;
        return -j.length * (normal - normal.dot(axisOfDisc) * axisOfDisc).normalized();
    }
};

} // namespace driftless::test
