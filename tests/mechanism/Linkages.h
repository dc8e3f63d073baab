// Overconstrained linkages of the classical kinds as model files, consistent by construction: each is stated by the lines of
// its axes in one configuration, in which every body stands untwisted, so that a hinge needs its point in both bodies and one
// direction.
//
// Why they move: [H94] K. H. Hunt, Kinematic geometry of mechanisms, ch. 13; C. Mavroidis and B. Roth, Analysis of
// overconstrained mechanisms, J. Mech. Design 117 (1995), p. 69.
#pragma once

#include <cstdio>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include <Eigen/Geometry>

namespace driftless::test {

using Frame = Eigen::Isometry3d;
using Point = Eigen::Vector3d;

struct Line {
    Point at, along;
};
struct Hinge {
    int from, to; ///< bodies; 0 is the ground
    Line axis;
    const char* kind = "revolute";
    double skew = 0;              ///< [rad] of a universal joint's second axis about the first
    Point missed = Point::Zero(); ///< by which its point in the second body misses the first one's
};
struct Linkage {
    std::string name;
    std::vector<Hinge> hinges;
    int freedom = 1;
};

inline Frame hingeStep(double turn, double length, double twist)
{
    return Frame(Eigen::AngleAxisd(turn, Point::UnitZ())) * Eigen::Translation3d(length, 0, 0)
           * Eigen::AngleAxisd(twist, Point::UnitX());
}
inline Line axisOf(const Frame& frame) { return {frame.translation(), frame.linear().col(2)}; }
inline Line image(const Eigen::Affine3d& map, const Line& line) { return {map * line.at, map.linear() * line.along}; }

/// Hinges around one loop, each between two successive links; the link between the last and the first is the ground.
inline Linkage loop(std::string name, const std::vector<Line>& axes)
{
    Linkage out{.name = std::move(name), .hinges = {}};
    const int n = static_cast<int>(axes.size());
    for (int i = 0; i < n; ++i)
        out.hinges.push_back({.from = i, .to = (i + 1) % n, .axis = axes[static_cast<std::size_t>(i)]});
    return out;
}

/// The four axes of Bennett's linkage, from a frame whose z axis is the first; a/sin(alpha) = b/sin(beta).
inline std::vector<Line> bennettAxes(const Frame& first, double a, double alpha, double beta, double turn)
{
    const double b = a * std::sin(beta) / std::sin(alpha), K = std::sin((alpha + beta) / 2) / std::sin((beta - alpha) / 2);
    const double second = 2 * std::atan2(K * std::cos(turn / 2), std::sin(turn / 2));
    const Frame F2 = first * hingeStep(turn, a, alpha), F3 = F2 * hingeStep(second, b, beta),
                F4 = F3 * hingeStep(-turn, a, alpha);
    return {axisOf(first), axisOf(F2), axisOf(F3), axisOf(F4)};
}

inline Linkage bennett() { return loop("bennett", bennettAxes(Frame::Identity(), 0.5, 0.5, 1.1, 1.3)); }

/// Two Bennett linkages with a common link (1-2), their links at axis 2 made one.
inline std::vector<std::vector<Line>> twoBennetts()
{
    const double turn = 1.3, other = 2.4;
    const Frame second(Eigen::AngleAxisd(turn - other, Point::UnitZ()));
    return {bennettAxes(Frame::Identity(), 0.5, 0.5, 1.1, turn), bennettAxes(second, 0.5, 0.5, 0.9, other)};
}
inline Linkage goldberg()
{
    const auto pair = twoBennetts();
    return loop("goldberg", {pair[0][0], pair[0][3], pair[0][2], pair[1][2], pair[1][3]});
}
/// The same with the common link left in: a loop within a loop.
inline Linkage nestedBennetts()
{
    const auto pair = twoBennetts();
    Linkage out{.name = "nested-bennetts",
                .hinges = {}}; // 0 link 1-2, 1 the links made one, 2 and 3 of the first, 4 and 5 of the second
    out.hinges = {{0, 1, pair[0][1]}, {1, 2, pair[0][2]}, {2, 3, pair[0][3]}, {3, 0, pair[0][0]},
                  {1, 4, pair[1][2]}, {4, 5, pair[1][3]}, {5, 0, pair[1][0]}};
    return out;
}
/// Two Bennett linkages with twists of a right angle, mirror images in the plane through the common link 2-3 and axis 2.
inline Linkage myard()
{
    const auto axes = bennettAxes(Frame::Identity(), 0.5, 0.6, M_PI / 2, 1.2);
    const Point normal = axes[2].along.normalized();
    Eigen::Affine3d mirror = Eigen::Affine3d::Identity();
    mirror.linear() -= 2 * normal * normal.transpose();
    mirror.translation() = 2 * normal * normal.dot(axes[1].at);
    return loop("myard", {axes[3], axes[0], axes[1], image(mirror, axes[0]), image(mirror, axes[3])});
}

inline Line randomLine(std::mt19937& dice)
{
    std::uniform_real_distribution<double> draw(-1, 1);
    const auto three = [&] {
        const double x = draw(dice), y = draw(dice);
        return Point(x, y, draw(dice));
    };
    const Point at = three();
    return {at, three().normalized()};
}
/// Three lines and their images in a half turn: line-symmetric.
inline Linkage bricardLine(std::mt19937& dice)
{
    const Eigen::Affine3d half(Eigen::AngleAxisd(M_PI, Point::UnitZ()));
    const Line a = randomLine(dice), b = randomLine(dice), c = randomLine(dice);
    return loop("bricard-line", {a, b, c, image(half, a), image(half, b), image(half, c)});
}
/// Two lines in a plane, two elsewhere and their images in it: plane-symmetric.
inline Linkage bricardPlane(std::mt19937& dice)
{
    Eigen::Affine3d mirror = Eigen::Affine3d::Identity();
    mirror(1, 1) = -1;
    Line a = randomLine(dice), b = randomLine(dice);
    const Line c = randomLine(dice), d = randomLine(dice);
    for (Line* in : {&a, &b}) {
        in->at.y() = in->along.y() = 0;
        in->along.normalize();
    }
    return loop("bricard-plane", {a, c, d, b, image(mirror, d), image(mirror, c)});
}
/// Six edges of a box, one after the other along x, y, z, -x, -y, -z, turned: successive axes at right angles (trihedral; of a
/// cube, orthogonal).
inline Linkage bricardBox(const char* name, double x, double y, double z)
{
    const Point corners[] = {{0, 0, 0}, {x, 0, 0}, {x, y, 0}, {x, y, z}, {0, y, z}, {0, 0, z}};
    const Point along[] = {Point::UnitY(), Point::UnitZ(), Point::UnitX(), Point::UnitY(), Point::UnitZ(), Point::UnitX()};
    std::vector<Line> axes;
    for (int i = 0; i < 6; ++i)
        axes.push_back({corners[i], along[i]});
    return loop(name, axes);
}
/// Three hinges parallel to one line and three parallel to another.
inline Linkage sarrus(double angle)
{
    const Point up = Point::UnitZ();
    std::vector<Line> axes;
    for (const double turn : {0.0, angle}) {
        const Point out(std::cos(turn), std::sin(turn), 0), along(-std::sin(turn), std::cos(turn), 0);
        std::vector<Line> leg{{0.3 * out, along}, {0.6 * out + 0.4 * up, along}, {0.3 * out + 0.8 * up, along}};
        if (turn != 0)
            std::swap(leg[0], leg[2]);
        axes.insert(axes.end(), leg.begin(), leg.end());
    }
    return loop("sarrus", axes); // ground is the lower plate: the hinge of the second leg there is the last
}
inline Linkage parallelLoop(std::mt19937& dice)
{
    std::vector<Line> axes;
    for (int i = 0; i < 4; ++i)
        axes.push_back({randomLine(dice).at + Point(i % 3 ? 2 : 0, i > 1 ? 2 : 0, 0), Point::UnitZ()});
    return loop("plane-four-bar", axes);
}
inline Linkage sphericalLoop(std::mt19937& dice)
{
    std::vector<Line> axes;
    for (int i = 0; i < 4; ++i) {
        const Point along = randomLine(dice).along;
        axes.push_back({along, along});
    }
    return loop("spherical-four-bar", axes);
}
/// A coupler on parallel cranks, and on it another one on cranks of its own: `floors` degrees of freedom.
inline Linkage parallelograms(int floors, int cranks)
{
    Linkage out{.name = "parallelograms", .hinges = {}, .freedom = floors};
    int body = 0, below = 0;
    for (int f = 0; f < floors; ++f) {
        const int coupler = ++body;
        for (int c = 0; c < cranks; ++c) {
            const int crank = ++body;
            const Point foot(0.7 * c, 0.3 * c * (c - 1), f), top = foot + Point(0.4 - 0.1 * f, 0.1 * c * 0, 1);
            out.hinges.push_back({below, crank, {foot, Point::UnitY()}});
            out.hinges.push_back({crank, coupler, {top, Point::UnitY()}});
        }
        below = coupler;
    }
    return out;
}

/// The file. Points and directions are moved as a whole by `pose`, so that nothing stands along an axis of the coordinates;
/// size scales lengths.
inline std::string linkageText(const Linkage& linkage, const Frame& pose = Frame::Identity(), double size = 1)
{
    int bodies = 0;
    for (const Hinge& h : linkage.hinges)
        bodies = std::max({bodies, h.from, h.to});
    std::vector<Point> middle(static_cast<std::size_t>(bodies) + 1, Point::Zero());
    std::vector<int> count(middle.size(), 0);
    for (const Hinge& h : linkage.hinges)
        for (const int b : {h.from, h.to})
            if (b > 0) {
                middle[static_cast<std::size_t>(b)] += size * (pose * h.axis.at);
                ++count[static_cast<std::size_t>(b)];
            }
    std::string out = "format = 1\nname = \"" + linkage.name + "\"\ndimensions = 3\n";
    char line[256];
    const auto three = [&](const Point& p) {
        std::snprintf(line, sizeof line, "[%.17g, %.17g, %.17g]", p.x(), p.y(), p.z());
        return std::string(line);
    };
    for (int b = 1; b <= bodies; ++b) {
        Point& m = middle[static_cast<std::size_t>(b)];
        m /= count[static_cast<std::size_t>(b)];
        std::snprintf(line, sizeof line, "x = { start = %.17g }\ny = { start = %.17g }\nz = { start = %.17g }\n", m.x(), m.y(),
                      m.z());
        out += "[[body]]\nname = \"b" + std::to_string(b) + "\"\nkind = \"rigid\"\nmass = 1\n" + line;
        std::snprintf(line, sizeof line, "inertia = [%.17g, %.17g, %.17g]\n", 0.1 * size * size, 0.13 * size * size,
                      0.16 * size * size);
        out += line;
    }
    for (std::size_t i = 0; i < linkage.hinges.size(); ++i) {
        const Hinge& h = linkage.hinges[i];
        out += "[[joint]]\nname = \"h" + std::to_string(i + 1) + "\"\nkind = \"" + h.kind + "\"\n";
        for (const auto& [key, b] : {std::pair("from", h.from), std::pair("to", h.to)})
            out += std::string(key) + " = { body = \"" + (b ? "b" + std::to_string(b) : "ground") + "\", at = "
                   + three(size * (pose * (key[0] == 't' ? Point(h.axis.at + h.missed) : h.axis.at))
                           - (b ? middle[static_cast<std::size_t>(b)] : Point::Zero()))
                   + " }\n";
        if (std::string(h.kind) != "spherical")
            out += "axis = " + three(pose.linear() * h.axis.along) + "\n";
        if (std::string(h.kind) == "universal")
            out += "axis_to = "
                   + three(pose.linear() * (Eigen::AngleAxisd(h.skew, h.axis.along) * h.axis.along.unitOrthogonal())) + "\n";
    }
    return out + "[[force]]\nkind = \"gravity\"\nacceleration = 9.81\n";
}

} // namespace driftless::test
