// A mechanism placed joint by joint by kinematics of its own, so that its start is consistent by construction: the place of a
// body in a tree follows from its joint, and a joint that closes a loop is shaped after the places of its bodies. Everything is
// written for space; in the plane all turns are about z. Gravity pulls against y in both.
//
// Coordinates as the program orders them: per body x, y (z), then angle or e0 ... e3. Rows are stated here in another way than
// in the program (cross products for axes, vector parts of quaternions), so that they have its rank and not its numbers.
#pragma once

#include <Eigen/Dense>
#include <optional>

#include "tests/properties/MechanismShape.h"

namespace driftless::test {

class DrawnMechanism {
public:
    using Vector = Eigen::Vector3d;
    using Turn = Eigen::Quaterniond;

    explicit DrawnMechanism(const MechanismShape& shape) : shape_(shape), draw_(shape.seed ^ 0x3e0u)
    {
        for (int i = 0; i < shape.bodies; ++i)
            addBody(i);
        for (int k = 0; k < shape.loops; ++k)
            closeLoop();
        if (shape.repeated && !joints_.empty()) {
            joints_.push_back(draw_.among(joints_));
            joints_.back().name = "again";
        }
        if (shape.springs)
            for (int k = 0; k < 2; ++k)
                addSpring();
        if (shape.moving)
            drawVelocities();
        write();
    }

    const MechanismShape& shape() const { return shape_; }
    const std::string& text() const { return text_; }
    const std::vector<std::string>& coordinates() const { return names_; }
    const Eigen::VectorXd& start() const { return q_; }
    const Eigen::VectorXd& velocity() const { return v_; }
    int n() const { return static_cast<int>(q_.size()); }
    /// Rows that the joints state, with the norms of quaternions.
    int rows() const
    {
        int out = 0;
        for (const Joint& j : joints_)
            out += rowsOf(j);
        for (const Body& b : bodies_)
            out += shape_.space && !b.point;
        return out;
    }

    /// Independent rows at q; nothing where singular values do not tell.
    std::optional<int> rank(const Eigen::VectorXd& q) const
    {
        const Eigen::VectorXd sigma = Eigen::JacobiSVD<Eigen::MatrixXd>(gradients(q)).singularValues();
        int out = 0;
        while (out < sigma.size() && sigma[out] > 1e-6 * sigma[0])
            ++out;
        const bool unclear =
            out > 0 && (sigma[out - 1] < 1e-3 * sigma[0] || (out < sigma.size() && sigma[out] > 1e-8 * sigma[0]));
        return unclear ? std::nullopt : std::optional(out);
    }
    double residual(const Eigen::VectorXd& q) const { return residuals(q).cwiseAbs().maxCoeff(); }
    /// T + V [J].
    double energy(const Eigen::VectorXd& q, const Eigen::VectorXd& v) const
    {
        double out = 0;
        for (std::size_t i = 0; i < bodies_.size(); ++i) {
            const Body& b = bodies_[i];
            const Vector speed = place(i, v), w = spin(i, q, v);
            out += b.mass * (speed.squaredNorm() / 2 + 9.81 * place(i, q).y()) + w.dot(b.inertia.cwiseProduct(w)) / 2;
        }
        for (const Spring& s : springs_)
            out += s.stiffness * std::pow((point(s.to, s.at, q) - point(s.from, s.on, q)).norm() - s.length, 2) / 2;
        return out;
    }

private:
    struct Body {
        std::string name;
        bool point = false;
        double mass = 1;
        Vector inertia = Vector::Zero(); ///< [kg m^2] about its own axes; the last one in the plane
        Eigen::Index first = 0;          ///< coordinate
    };
    struct Joint {
        std::string name, kind;
        int from = -1, to = 0; ///< -1: ground
        Vector on = Vector::Zero(), at = Vector::Zero();
        Vector axis = Vector::UnitZ(), axisTo = Vector::UnitZ(); ///< slider: its line in the frame of from
        Turn turn = Turn::Identity();                            ///< of to against from
        double length = 0;
    };
    struct Spring {
        int from, to;
        Vector on, at;
        double stiffness, length;
    };

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
    Turn anyTurn() { return Turn(Eigen::AngleAxisd(draw_.decimal(-2, 2), turnsInSpace() ? direction() : Vector::UnitZ())); }

    // --- poses from coordinates ---
    Vector place(std::size_t i, const Eigen::VectorXd& q) const
    {
        const Eigen::Index k = bodies_[i].first;
        return {q[k], q[k + 1], shape_.space ? q[k + 2] : 0};
    }
    Turn orientation(std::size_t i, const Eigen::VectorXd& q) const
    {
        if (bodies_[i].point)
            return Turn::Identity();
        const Eigen::Index k = bodies_[i].first + (shape_.space ? 3 : 2);
        return shape_.space ? Turn(q[k], q[k + 1], q[k + 2], q[k + 3]) : Turn(Eigen::AngleAxisd(q[k], Vector::UnitZ()));
    }
    /// Angular velocity in the body's frame: the vector part of 2 conj(e) e'.
    Vector spin(std::size_t i, const Eigen::VectorXd& q, const Eigen::VectorXd& v) const
    {
        if (bodies_[i].point)
            return Vector::Zero();
        const Eigen::Index k = bodies_[i].first + (shape_.space ? 3 : 2);
        if (!shape_.space)
            return {0, 0, v[k]};
        return 2 * (orientation(i, q).conjugate() * Turn(v[k], v[k + 1], v[k + 2], v[k + 3])).vec();
    }
    /// Of a unit quaternion; a little off one it is still smooth.
    static Vector turned(const Turn& e, const Vector& u) { return (e * Turn(0, u.x(), u.y(), u.z()) * e.conjugate()).vec(); }
    Turn frame(int body, const Eigen::VectorXd& q) const
    {
        return body < 0 ? Turn::Identity() : orientation(static_cast<std::size_t>(body), q);
    }
    Vector point(int body, const Vector& at, const Eigen::VectorXd& q) const
    {
        return body < 0 ? at : Vector(place(static_cast<std::size_t>(body), q) + turned(frame(body, q), at));
    }

    // --- construction ---
    std::string drawKind(bool pointly, bool closing)
    {
        if (!shape_.space)
            return draw_.among(
                pointly ? std::vector<std::string>{"pin", "rod", "rod"}
                        : std::vector<std::string>{"pin", "pin", "pin", "slider", "turning", "rod", closing ? "rod" : "weld"});
        if (shape_.flat)
            return draw_.among(pointly ? std::vector<std::string>{"rod", "spherical"}
                                       : std::vector<std::string>{"revolute", "revolute", "prismatic"});
        return draw_.among(pointly ? std::vector<std::string>{"rod", "spherical"}
                                   : std::vector<std::string>{"spherical", "spherical", "revolute", "universal", "cylindrical",
                                                              "prismatic", "rod", closing ? "rod" : "fixed"});
    }
    static bool slides(const std::string& kind)
    {
        return kind == "slider" || kind == "turning" || kind == "prismatic" || kind == "cylindrical";
    }
    bool oriented(int body) const { return body < 0 || !bodies_[static_cast<std::size_t>(body)].point; }
    int rowsOf(const Joint& j) const
    {
        const bool both = oriented(j.from) && oriented(j.to);
        if (j.kind == "rod" || j.kind == "turning")
            return 1;
        if (j.kind == "slider")
            return both ? 2 : 1;
        if (j.kind == "pin")
            return 2;
        if (j.kind == "weld" || j.kind == "spherical")
            return 3;
        return j.kind == "fixed" ? 6 : j.kind == "revolute" ? 5 : j.kind == "prismatic" ? (both ? 5 : 2) : 4;
    }
    /// What a joint takes away when nothing repeats.
    int takes(const Joint& j) const
    {
        return shape_.flat && oriented(j.to) && oriented(j.from) && j.kind != "rod" && j.kind != "spherical"
                   ? 2
                   : std::min(rowsOf(j), shape_.flat ? 2 : 6);
    }

    Joint drawJoint(const std::string& kind, int from, int to, const Turn& standing)
    {
        Joint j{.name = "j" + std::to_string(joints_.size()),
                .kind = kind,
                .from = from,
                .to = to,
                .on = from < 0 || oriented(from) ? vector(0.8) : Vector::Zero(),
                .at = oriented(to) ? vector(0.8) : Vector::Zero(),
                .axis = Vector::UnitZ(),
                .axisTo = Vector::UnitZ(),
                .turn = Turn::Identity(),
                .length = 0};
        const Turn base = frame(from, q_);
        j.turn = base.conjugate() * standing;
        if (turnsInSpace() || slides(kind))
            j.axis = direction();
        const Vector axis = turned(base, j.axis);
        Vector other = axis;
        if (kind == "universal") {
            other = axis.cross(direction());
            while (other.norm() < 0.3)
                other = axis.cross(direction());
        }
        j.axisTo = turned(standing.conjugate(), other).normalized();
        return j;
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
        bodies_.push_back(b);
        int from = draw_.upTo(-1, i - 1);
        const Turn standing = b.point ? Turn::Identity() : anyTurn();
        q_.conservativeResize(b.first + (shape_.space ? 3 : 2) + (b.point ? 0 : shape_.space ? 4 : 1));
        const bool pointly = b.point || !oriented(from);
        Joint j = drawJoint(drawKind(pointly, false), from, i, standing);
        const Turn base = frame(from, q_);
        Vector reach = Vector::Zero();
        if (slides(j.kind))
            reach = draw_.decimal(-1, 1) * turned(base, j.axis);
        if (j.kind == "rod") {
            j.length = draw_.decimal(0.5, 1.5);
            reach = j.length * direction();
        }
        const Vector where = point(from, j.on, q_) + reach - turned(standing, j.at);
        put(b.first, where, b.point ? std::nullopt : std::optional(standing));
        freedom_ += (shape_.space && !shape_.flat ? (b.point ? 3 : 6) : b.point ? 2 : 3) - takes(j);
        joints_.push_back(j);
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
        const int count = static_cast<int>(bodies_.size());
        const int to = draw_.upTo(0, count - 1), from = draw_.upTo(-1, count - 1);
        if (from == to)
            return;
        for (const Joint& j : joints_)
            if ((j.from == from && j.to == to) || (j.from == to && j.to == from))
                return;
        const bool pointly = !oriented(to) || !oriented(from);
        if (pointly && shape_.flat)
            return;
        Joint j = drawJoint(pointly ? "rod" : drawKind(false, true), from, to, frame(to, q_));
        if (j.kind == "rod")
            j.length = (point(to, j.at, q_) - point(from, j.on, q_)).norm();
        else {
            const Vector reach =
                slides(j.kind) ? Vector(draw_.decimal(-1, 1) * turned(frame(from, q_), j.axis)) : Vector::Zero();
            j.at = turned(frame(to, q_).conjugate(), point(from, j.on, q_) + reach - point(to, Vector::Zero(), q_));
        }
        if (freedom_ - takes(j) < 1 || (j.kind == "rod" && j.length < 0.2))
            return;
        freedom_ -= takes(j);
        joints_.push_back(j);
    }

    void addSpring()
    {
        const int count = static_cast<int>(bodies_.size());
        const int to = draw_.upTo(0, count - 1), from = draw_.upTo(-1, to - 1);
        const Spring s{from,
                       to,
                       oriented(from) ? vector(0.5) : Vector::Zero(),
                       oriented(to) ? vector(0.5) : Vector::Zero(),
                       draw_.decimal(1, 10),
                       draw_.decimal(0.2, 0.8)};
        if ((point(to, s.at, q_) - point(from, s.on, q_)).norm() > 0.5) // its force has no direction at length zero
            springs_.push_back(s);
    }

    /// Any velocity less what the rows forbid, of a size near one.
    void drawVelocities()
    {
        v_ = Eigen::VectorXd::Zero(n());
        for (double& x : v_)
            x = draw_.between(-1, 1);
        const Eigen::MatrixXd G = gradients(q_);
        Eigen::JacobiSVD<Eigen::MatrixXd> svd(G, Eigen::ComputeThinU | Eigen::ComputeThinV);
        svd.setThreshold(1e-6);
        v_ -= svd.solve(G * v_);
    }

    // --- rows ---
    Eigen::VectorXd residuals(const Eigen::VectorXd& q) const
    {
        std::vector<double> out{0};
        const auto add = [&](const Vector& v) { out.insert(out.end(), v.data(), v.data() + 3); };
        for (const Joint& j : joints_) {
            const Vector d = point(j.to, j.at, q) - point(j.from, j.on, q);
            const Turn base = frame(j.from, q), other = frame(j.to, q);
            const Vector axis = turned(base, j.axis), axisTo = turned(other, j.axisTo);
            const bool both = oriented(j.from) && oriented(j.to);
            if (j.kind == "rod")
                out.push_back(d.norm() - j.length);
            else if (slides(j.kind))
                add(axis.cross(d));
            else
                add(d);
            if (j.kind == "universal")
                out.push_back(axis.dot(axisTo));
            else if (j.kind == "revolute" || j.kind == "cylindrical")
                add(axis.cross(axisTo));
            else if (both && (j.kind == "slider" || j.kind == "weld" || j.kind == "prismatic" || j.kind == "fixed"))
                add((j.turn.conjugate() * base.conjugate() * other).vec());
        }
        for (std::size_t i = 0; i < bodies_.size(); ++i)
            if (shape_.space && !bodies_[i].point)
                out.push_back(orientation(i, q).squaredNorm() - 1);
        return Eigen::Map<Eigen::VectorXd>(out.data(), static_cast<Eigen::Index>(out.size()));
    }
    Eigen::MatrixXd gradients(Eigen::VectorXd q) const
    {
        constexpr double kStep = 1e-5; // errors of its square and of round-off over it: 1e-10
        Eigen::MatrixXd G(residuals(q).size(), n());
        for (Eigen::Index i = 0; i < q.size(); ++i) {
            const double kept = q[i];
            q[i] = kept + kStep;
            const Eigen::VectorXd above = residuals(q);
            q[i] = kept - kStep;
            G.col(i) = (above - residuals(q)) / (2 * kStep);
            q[i] = kept;
        }
        return G;
    }

    // --- text ---
    std::string list(const Vector& v) const
    {
        std::ostringstream out;
        out.precision(17);
        out << '[' << v.x() << ", " << v.y();
        if (shape_.space)
            out << ", " << v.z();
        out << ']';
        return out.str();
    }
    std::string end(int body, const Vector& at) const
    {
        return body >= 0 && bodies_[static_cast<std::size_t>(body)].point
                   ? '"' + bodies_[static_cast<std::size_t>(body)].name + '"'
                   : "{ body = \"" + (body < 0 ? "ground" : bodies_[static_cast<std::size_t>(body)].name)
                         + "\", at = " + list(at) + " }";
    }
    std::string turnText(const Turn& e) const
    {
        const Eigen::AngleAxisd a(e);
        std::ostringstream out;
        out.precision(17);
        out << "{ axis = [" << a.axis().x() << ", " << a.axis().y() << ", " << a.axis().z() << "], angle = " << a.angle()
            << " }";
        return out.str();
    }
    void write()
    {
        if (v_.size() == 0)
            v_ = Eigen::VectorXd::Zero(n());
        std::ostringstream out;
        out.precision(17);
        out << "format = 1\ntitle = \"drawn\"\n" << (shape_.space ? "dimensions = 3\n" : "");
        for (std::size_t i = 0; i < bodies_.size(); ++i)
            writeBody(out, i);
        for (const Joint& j : joints_)
            writeJoint(out, j);
        for (std::size_t k = 0; k < springs_.size(); ++k) {
            const Spring& s = springs_[k];
            out << "[[force]]\nkind = \"spring-damper\"\nfrom = " << end(s.from, s.on) << "\nto = " << end(s.to, s.at)
                << "\nstiffness = " << s.stiffness << "\nlength = " << s.length << '\n';
        }
        out << "[[force]]\nkind = \"gravity\"\nacceleration = 9.81\n" << (shape_.space ? "direction = [0, -1, 0]\n" : "");
        text_ = out.str();
    }
    void writeBody(std::ostream& out, std::size_t i)
    {
        const Body& b = bodies_[i];
        out << "[[body]]\nname = \"" << b.name << "\"\nkind = \"" << (b.point ? "point" : "rigid") << "\"\nmass = " << b.mass
            << '\n';
        if (!b.point && shape_.space)
            out << "inertia = " << list(b.inertia) << '\n';
        else if (!b.point)
            out << "inertia = " << b.inertia.z() << '\n';
        const std::vector<const char*> parts = shape_.space ? std::vector<const char*>{"x", "y", "z"}
                                               : b.point    ? std::vector<const char*>{"x", "y"}
                                                            : std::vector<const char*>{"x", "y", "angle"};
        for (std::size_t k = 0; k < parts.size(); ++k) {
            const Eigen::Index c = b.first + static_cast<Eigen::Index>(k);
            names_.push_back(b.name + '.' + parts[k]);
            out << parts[k] << " = { start = " << q_[c] << ", velocity = " << v_[c] << " }\n";
        }
        if (b.point || !shape_.space)
            return;
        for (const char* e : {"e0", "e1", "e2", "e3"})
            names_.push_back(b.name + '.' + e);
        const Turn standing = orientation(i, q_);
        out << "turn = " << turnText(standing) << "\nangular_velocity = " << list(spin(i, q_, v_)) << '\n';
    }
    void writeJoint(std::ostream& out, const Joint& j) const
    {
        const bool both = oriented(j.from) && oriented(j.to);
        out << "[[joint]]\nname = \"" << j.name << "\"\nkind = \"" << (j.kind == "turning" ? "slider" : j.kind)
            << "\"\nfrom = " << end(j.from, j.on) << "\nto = " << end(j.to, j.at) << '\n';
        if (j.kind == "rod")
            out << "length = " << j.length << '\n';
        if (j.kind == "slider" || j.kind == "turning")
            out << "angle = " << std::atan2(j.axis.y(), j.axis.x()) << '\n' << (j.kind == "turning" ? "turns = true\n" : "");
        if ((j.kind == "slider" && both) || j.kind == "weld") // angles count turns: that of to less that of from
            out << "turn = " << angleOf(j.to) - angleOf(j.from) << '\n';
        if (j.kind == "revolute" || j.kind == "universal" || j.kind == "cylindrical" || j.kind == "prismatic")
            out << "axis = " << list(j.axis) << '\n';
        if (j.kind == "revolute" || j.kind == "universal" || j.kind == "cylindrical")
            out << "axis_to = " << list(j.axisTo) << '\n';
        if (both && (j.kind == "fixed" || j.kind == "prismatic"))
            out << "turn = " << turnText(j.turn) << '\n';
    }
    double angleOf(int body) const { return body < 0 ? 0 : q_[bodies_[static_cast<std::size_t>(body)].first + 2]; }

    MechanismShape shape_;
    Draw draw_;
    std::vector<Body> bodies_;
    std::vector<Joint> joints_;
    std::vector<Spring> springs_;
    Eigen::VectorXd q_, v_;
    int freedom_ = 0;
    std::vector<std::string> names_;
    std::string text_;
};

} // namespace driftless::test
