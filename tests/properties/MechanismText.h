// The model file of a drawn mechanism.
#pragma once

#include <sstream>

#include "tests/properties/MechanismParts.h"

namespace driftless::test {

class MechanismText {
public:
    using Vector = MechanismParts::Vector;
    using Turn = MechanismParts::Turn;

    MechanismText(const MechanismParts& parts, const Eigen::VectorXd& q, const Eigen::VectorXd& v) : parts_(parts), q_(q), v_(v)
    {
        out_.precision(17);
        out_ << "format = 1\ntitle = \"drawn\"\n" << (parts_.space ? "dimensions = 3\n" : "");
        for (std::size_t i = 0; i < parts_.bodies.size(); ++i)
            writeBody(static_cast<int>(i));
        for (const MechanismParts::Joint& j : parts_.joints)
            writeJoint(j);
        for (const MechanismParts::Spring& s : parts_.springs)
            out_ << "[[force]]\nkind = \"spring-damper\"\nfrom = " << end(s.from, s.on) << "\nto = " << end(s.to, s.at)
                 << "\nstiffness = " << s.stiffness << "\nlength = " << s.length << '\n';
        out_ << "[[force]]\nkind = \"gravity\"\nacceleration = 9.81\n" << (parts_.space ? "direction = [0, -1, 0]\n" : "");
    }

    std::string text() const { return out_.str(); }
    /// Of the coordinates, in their order.
    const std::vector<std::string>& names() const { return names_; }

private:
    std::string list(const Vector& v) const
    {
        std::ostringstream out;
        out.precision(17);
        out << '[' << v.x() << ", " << v.y();
        if (parts_.space)
            out << ", " << v.z();
        out << ']';
        return out.str();
    }
    std::string nameOf(int body) const { return body < 0 ? "ground" : parts_.bodies[static_cast<std::size_t>(body)].name; }
    std::string end(int body, const Vector& at) const
    {
        return parts_.oriented(body) ? "{ body = \"" + nameOf(body) + "\", at = " + list(at) + " }" : '"' + nameOf(body) + '"';
    }
    static std::string turnText(const Turn& e)
    {
        const Eigen::AngleAxisd a(e);
        std::ostringstream out;
        out.precision(17);
        out << "{ axis = [" << a.axis().x() << ", " << a.axis().y() << ", " << a.axis().z() << "], angle = " << a.angle()
            << " }";
        return out.str();
    }

    void writeBody(int i)
    {
        const MechanismParts::Body& b = parts_.bodies[static_cast<std::size_t>(i)];
        out_ << "[[body]]\nname = \"" << b.name << "\"\nkind = \"" << (b.point ? "point" : "rigid") << "\"\nmass = " << b.mass
             << '\n';
        if (!b.point && parts_.space)
            out_ << "inertia = " << list(b.inertia) << '\n';
        else if (!b.point)
            out_ << "inertia = " << b.inertia.z() << '\n';
        std::vector<const char*> keys{"x", "y"};
        if (parts_.space)
            keys.push_back("z");
        else if (!b.point)
            keys.push_back("angle");
        Eigen::Index c = b.first;
        for (const char* key : keys) {
            names_.push_back(b.name + '.' + key);
            out_ << key << " = { start = " << q_[c] << ", velocity = " << v_[c] << " }\n";
            ++c;
        }
        if (b.point || !parts_.space)
            return;
        for (const char* e : {"e0", "e1", "e2", "e3"})
            names_.push_back(b.name + '.' + e);
        out_ << "turn = " << turnText(parts_.frame(i, q_)) << "\nangular_velocity = " << list(parts_.spin(i, q_, v_)) << '\n';
    }

    void writeJoint(const MechanismParts::Joint& j)
    {
        out_ << "[[joint]]\nname = \"" << j.name << "\"\nkind = \"" << (j.kind == "turning" ? "slider" : j.kind) << "\"\n";
        if (j.kind == "motion")
            return writeDrive(j.drive);
        if (j.kind == "gear" || j.kind == "rack" || j.kind == "rolling")
            return writeWheel(j);
        out_ << "from = " << end(j.from, j.on) << "\nto = " << end(j.to, j.at) << '\n';
        if (j.kind == "rod")
            out_ << "length = " << j.length << '\n';
        if (j.kind == "screw")
            out_ << "lead = " << j.length << '\n';
        if (parts_.space)
            writeSpaceFrame(j);
        else
            writePlaneFrame(j);
    }
    void writePlaneFrame(const MechanismParts::Joint& j)
    {
        if (j.kind == "slider" || j.kind == "turning")
            out_ << "angle = " << angleOf(j.axis) << '\n' << (j.kind == "turning" ? "turns = true\n" : "");
        const bool both = parts_.oriented(j.from) && parts_.oriented(j.to);
        if ((j.kind == "slider" && both) || j.kind == "weld") // angles count turns: that of to less that of from
            out_ << "turn = " << parts_.angle(j.to, q_) - parts_.angle(j.from, q_) << '\n';
    }
    void writeSpaceFrame(const MechanismParts::Joint& j)
    {
        const bool line =
            j.kind == "revolute" || j.kind == "universal" || j.kind == "cylindrical" || j.kind == "screw" || j.kind == "planar";
        if (line || j.kind == "prismatic")
            out_ << "axis = " << list(j.axis) << '\n';
        if (line && !j.turnIsStated)
            out_ << "axis_to = " << list(j.axisTo) << '\n';
        const bool both = parts_.oriented(j.from) && parts_.oriented(j.to);
        if (j.turnIsStated || (both && (j.kind == "fixed" || j.kind == "prismatic")))
            out_ << "turn = " << turnText(j.turn) << '\n';
    }
    void writeDrive(const MechanismParts::Drive& drive)
    {
        const MechanismParts::Joint& joint = parts_.joints[static_cast<std::size_t>(drive.joint)];
        out_ << "joint = \"" << joint.name << "\"\nvalue = \"" << drive.middle << " + " << drive.swing << "*sin(" << drive.pace
             << "*t)\"\n";
        if (joint.kind == "cylindrical")
            out_ << "of = \"" << (drive.angle ? "angle" : "displacement") << "\"\n";
    }
    /// What turns and advances together.
    void writeWheel(const MechanismParts::Joint& j)
    {
        if (j.kind == "gear") {
            out_ << "from = \"" << nameOf(j.from) << "\"\nto = \"" << nameOf(j.to) << "\"\nratio = " << j.ratio
                 << "\nphase = " << j.phase << '\n';
            if (j.carrier >= 0)
                out_ << "carrier = \"" << nameOf(j.carrier) << "\"\n";
            return;
        }
        const bool rack = j.kind == "rack";
        out_ << "from = " << end(j.from, j.on) << "\nto = " << (rack ? end(j.to, j.at) : '"' + nameOf(j.to) + '"')
             << "\nradius = " << j.length << '\n';
        if (!parts_.space)
            out_ << "angle = " << angleOf(j.axis) << '\n';
        else
            out_ << "normal = " << list(j.axis) << '\n';
        if (rack)
            out_ << "phase = " << j.phase << '\n';
        if (parts_.space && !MechanismParts::ball(j))
            out_ << "axis = " << list(j.axisTo) << '\n';
    }
    static double angleOf(const Vector& line) { return std::atan2(line.y(), line.x()); }

    const MechanismParts& parts_;
    const Eigen::VectorXd &q_, &v_;
    std::ostringstream out_;
    std::vector<std::string> names_;
};

} // namespace driftless::test
