// What the joints of a drawn mechanism ask of places and of velocities. Rows are stated here in another way than in the program
// (cross products for axes, vector parts of quaternions, integrals of velocities), so that they have its rank and not its
// numbers.
//
//   closures(q, t) = 0   what joints and drives ask of places, and the norms of quaternions
//   advances(q) = 0      what has turned and what has moved belong together: integrals of rows that the program states for
//                        velocities (screws, discs on a line)
//   slips(q, v) = 0      velocities of points of contact in space, which have no integral
#pragma once

#include <algorithm>

#include "tests/properties/MechanismParts.h"

namespace driftless::test {

class MechanismRows {
public:
    using Vector = MechanismParts::Vector;
    using Turn = MechanismParts::Turn;

    explicit MechanismRows(const MechanismParts& parts) : parts_(parts) {}

    /// Rows that the program states for places.
    int closuresOf(const MechanismParts::Joint& j) const
    {
        const bool both = parts_.oriented(j.from) && parts_.oriented(j.to);
        for (const char* kind : {"rod", "turning", "gear", "rack", "motion", "rolling"})
            if (j.kind == kind)
                return 1;
        if (j.kind == "slider")
            return both ? 2 : 1;
        if (j.kind == "pin")
            return 2;
        if (j.kind == "weld" || j.kind == "spherical" || j.kind == "planar")
            return 3;
        if (j.kind == "prismatic")
            return both ? 5 : 2;
        if (j.kind == "revolute")
            return 5;
        return j.kind == "fixed" ? 6 : 4;
    }
    /// Rows that it states for velocities alone.
    int velocityRowsOf(const MechanismParts::Joint& j) const
    {
        if (j.kind == "rolling")
            return parts_.space ? 2 : 1;
        return j.kind == "screw" ? 1 : 0;
    }

    Eigen::VectorXd closures(const Eigen::VectorXd& q, double t) const
    {
        std::vector<double> out{0};
        for (const MechanismParts::Joint& j : parts_.joints)
            addClosures(j, q, t, out);
        for (std::size_t i = 0; i < parts_.bodies.size(); ++i)
            if (parts_.space && !parts_.bodies[i].point)
                out.push_back(parts_.frame(static_cast<int>(i), q).squaredNorm() - 1);
        return vectorOf(out);
    }
    Eigen::VectorXd advances(const Eigen::VectorXd& q) const
    {
        std::vector<double> out;
        for (const MechanismParts::Joint& j : parts_.joints)
            if (j.kind == "screw" || (j.kind == "rolling" && !parts_.space))
                out.push_back(advanceOf(j, q) - j.phase);
        return vectorOf(out);
    }
    /// Zero where nothing has advanced yet.
    double advanceOf(const MechanismParts::Joint& j, const Eigen::VectorXd& q) const
    {
        if (j.kind == "screw")
            return parts_.displacement(j, q) - j.length / (2 * std::numbers::pi) * parts_.turnOf(j, q);
        return parts_.displacement(j, q) + j.length * parts_.angle(j.to, q);
    }
    Eigen::VectorXd slips(const Eigen::VectorXd& q, const Eigen::VectorXd& v) const
    {
        std::vector<double> out;
        for (const MechanismParts::Joint& j : parts_.joints) {
            if (j.kind != "rolling" || !parts_.space)
                continue;
            const Turn standing = parts_.frame(j.to, q);
            const Vector arm = MechanismParts::contact(j, j.axis, MechanismParts::turned(standing, j.axisTo));
            const Vector w = MechanismParts::turned(standing, parts_.spin(j.to, q, v));
            add(j.axis.cross(parts_.place(j.to, v) + w.cross(arm)), out);
        }
        return vectorOf(out);
    }

    /// d closures / dq.
    Eigen::MatrixXd gradients(const Eigen::VectorXd& q, double t) const
    {
        return differences(q, [&](const Eigen::VectorXd& x) { return closures(x, t); });
    }
    /// Of all rows for velocities, W in W v + r = 0, where r comes from the drives.
    Eigen::MatrixXd velocityGradients(const Eigen::VectorXd& q, double t) const
    {
        const Eigen::MatrixXd G = gradients(q, t), A = differences(q, [&](const Eigen::VectorXd&x) { return advances(x); });
        const Eigen::Index contacts = slips(q, q).size();
        Eigen::MatrixXd W(G.rows() + A.rows() + contacts, q.size());
        W.topRows(G.rows()) = G;
        W.middleRows(G.rows(), A.rows()) = A;
        for (Eigen::Index i = 0; i < q.size(); ++i)
            W.col(i).tail(contacts) = slips(q, Eigen::VectorXd::Unit(q.size(), i));
        return W;
    }
    Eigen::VectorXd velocityRest(const Eigen::VectorXd& q, double t) const
    {
        const Eigen::VectorXd moving = (closures(q, t + kStep) - closures(q, t - kStep)) / (2 * kStep);
        Eigen::VectorXd out = Eigen::VectorXd::Zero(moving.size() + advances(q).size() + slips(q, q).size());
        out.head(moving.size()) = moving;
        return out;
    }

private:
    static constexpr double kStep = 1e-5; // errors of its square and of round-off over it: 1e-10

    static void add(const Vector& v, std::vector<double>& out) { out.insert(out.end(), v.data(), v.data() + 3); }
    static Eigen::VectorXd vectorOf(std::vector<double>& x)
    {
        return Eigen::Map<Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()));
    }
    template <class Function>
    static Eigen::MatrixXd differences(Eigen::VectorXd q, const Function& f)
    {
        Eigen::MatrixXd out(f(q).size(), q.size());
        for (Eigen::Index i = 0; i < q.size(); ++i) {
            const double kept = q[i];
            q[i] = kept + kStep;
            const Eigen::VectorXd above = f(q);
            q[i] = kept - kStep;
            out.col(i) = (above - f(q)) / (2 * kStep);
            q[i] = kept;
        }
        return out;
    }

    void addClosures(const MechanismParts::Joint& j, const Eigen::VectorXd& q, double t, std::vector<double>& out) const
    {
        if (j.kind == "motion")
            return out.push_back(driven(j, q) - j.drive.at(t));
        if (j.kind == "gear") {
            const double carrier = parts_.angle(j.carrier, q);
            return out.push_back(parts_.angle(j.to, q) - carrier - j.ratio * (parts_.angle(j.from, q) - carrier) - j.phase);
        }
        if (j.kind == "rack")
            return out.push_back(j.axis.dot(parts_.between(j, q)) - j.length * parts_.angle(j.from, q) - j.phase);
        if (j.kind == "rolling")
            return out.push_back(height(j, q));
        const Vector d = parts_.between(j, q), axis = parts_.axisOf(j, q);
        if (j.kind == "rod")
            return out.push_back(d.norm() - j.length);
        if (MechanismParts::slides(j.kind))
            add(axis.cross(d), out);
        else if (j.kind == "planar")
            out.push_back(axis.dot(d));
        else
            add(d, out);
        addTurns(j, axis, q, out);
    }
    void addTurns(const MechanismParts::Joint& j, const Vector& axis, const Eigen::VectorXd& q, std::vector<double>& out) const
    {
        const Turn base = parts_.frame(j.from, q), other = parts_.frame(j.to, q);
        const Vector axisTo = MechanismParts::turned(other, j.axisTo);
        const bool both = parts_.oriented(j.from) && parts_.oriented(j.to);
        if (j.kind == "universal")
            out.push_back(axis.dot(axisTo));
        else if (j.kind == "revolute" || j.kind == "cylindrical" || j.kind == "screw" || j.kind == "planar")
            add(axis.cross(axisTo), out);
        else if (both && (j.kind == "slider" || j.kind == "weld" || j.kind == "prismatic" || j.kind == "fixed"))
            add((j.turn.conjugate() * base.conjugate() * other).vec(), out);
    }
    double driven(const MechanismParts::Joint& j, const Eigen::VectorXd& q) const
    {
        const MechanismParts::Joint& joint = parts_.joints[static_cast<std::size_t>(j.drive.joint)];
        return j.drive.angle ? parts_.turnOf(joint, q) : parts_.displacement(joint, q);
    }
    /// Of the lowest point above the line or the plane.
    double height(const MechanismParts::Joint& j, const Eigen::VectorXd& q) const
    {
        const Vector d = parts_.between(j, q);
        if (!parts_.space)
            return Vector::UnitZ().cross(j.axis).dot(d) - j.length;
        const Vector axisOfDisc = MechanismParts::turned(parts_.frame(j.to, q), j.axisTo);
        return j.axis.dot(d + MechanismParts::contact(j, j.axis, axisOfDisc));
    }

    const MechanismParts& parts_;
};

} // namespace driftless::test
