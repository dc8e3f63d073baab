#include "app/LatexScene.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <set>
#include <vector>

#include "app/LatexText.h"
#include "core/text/Numbers.h"

namespace driftless::app {

namespace {

using model::Visual;
using model::VisualKind;

constexpr double kWidth = 7, kHeight = 6;       ///< [cm] that a picture fills at most
constexpr double kYaw = 0.6, kPitch = 0.32;     ///< [rad] as a page's scene opens
constexpr std::size_t kMostLabels = 10;         ///< bodies with names beside them; more would hide the picture
constexpr std::size_t kMostVisuals = 400;       ///< of a long chain nothing could be told apart, and TeX's memory ends
constexpr double kSmall = 0.09, kSupport = 0.2; ///< [cm] radius of a joint, half width of a support

struct Point {
    double x = 0, y = 0; ///< [cm] on paper
};
Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }
Point operator*(double s, Point a) { return {s * a.x, s * a.y}; }
double length(Point a) { return std::hypot(a.x, a.y); }
Point turned(Point a) { return {-a.y, a.x}; }

std::string at(Point p) { return "(" + text::fixed(p.x, 3) + "," + text::fixed(p.y, 3) + ")"; }

std::string path(const std::vector<Point>& points, bool closed = false)
{
    std::string out;
    for (const Point& p : points)
        out += (out.empty() ? "" : " -- ") + at(p);
    return closed ? out + " -- cycle" : out;
}

std::string circle(Point centre, double radius) { return at(centre) + " circle [radius=" + text::fixed(radius, 3) + "]"; }

/// A closed curve around centre through the ends of two half axes.
std::vector<Point> ellipse(Point centre, Point a, Point b)
{
    std::vector<Point> out;
    constexpr int kCorners = 36;
    for (int k = 0; k < kCorners; ++k) {
        const double angle = 2 * std::numbers::pi * k / kCorners;
        out.push_back(centre + std::cos(angle) * a + std::sin(angle) * b);
    }
    return out;
}

std::vector<Point> zigzag(Point from, Point to)
{
    constexpr int kTurns = 12;
    const Point along = to - from;
    const double size = length(along);
    const Point side = size > 0 ? (0.14 / size) * turned(along) : Point{};
    std::vector<Point> out{from};
    for (int k = 1; k < kTurns; ++k) {
        const double sign = k % 2 == 1 ? 1 : -1;
        out.push_back(from + (0.1 + 0.8 * k / kTurns) * along + sign * side);
    }
    out.push_back(to);
    return out;
}

class Drawing {
public:
    Drawing(const model::Model& model, std::span<const double> points) : planar_(model.view.planar), space_(points) { fit(); }

    std::string of(const model::ConstrainedSystem& system) const
    {
        std::string out = "\\begin{tikzpicture}[line join=round, line cap=round]\n";
        std::size_t first = 0;
        std::vector<std::size_t> firsts;
        for (const Visual& visual : system.visuals) {
            firsts.push_back(first);
            first += visual.points.size();
        }
        // What joins is drawn below what moves.
        for (const bool bodies : {false, true})
            for (std::size_t i = 0; i < system.visuals.size(); ++i)
                if (isBody(system.visuals[i].kind) == bodies)
                    out += drawn(system.visuals[i], firsts[i]);
        return out + labels(system, firsts) + "\\end{tikzpicture}\n";
    }

private:
    static bool isBody(VisualKind kind)
    {
        return kind == VisualKind::PointMass || kind == VisualKind::RigidBar || kind == VisualKind::RigidDisc
               || kind == VisualKind::RigidBlock || kind == VisualKind::RigidSphere || kind == VisualKind::Pin;
    }

    Point seen(std::size_t i) const
    {
        const double x = space_[3 * i], y = space_[3 * i + 1], z = space_[3 * i + 2];
        if (planar_)
            return {x, y};
        return {std::cos(kYaw) * x - std::sin(kYaw) * z,
                std::cos(kPitch) * y - std::sin(kPitch) * (std::sin(kYaw) * x + std::cos(kYaw) * z)};
    }

    void fit()
    {
        constexpr double kFar = std::numeric_limits<double>::max();
        Point low{kFar, kFar}, high{-kFar, -kFar};
        for (std::size_t i = 0; 3 * i < space_.size(); ++i) {
            const Point p = seen(i);
            low = {std::min(low.x, p.x), std::min(low.y, p.y)};
            high = {std::max(high.x, p.x), std::max(high.y, p.y)};
        }
        const double wide = std::max(high.x - low.x, 1e-12), tall = std::max(high.y - low.y, 1e-12);
        scale_ = std::min(kWidth / wide, kHeight / tall);
        origin_ = low;
    }

    Point place(std::size_t i) const { return scale_ * (seen(i) - origin_); }

    std::string drawn(const Visual& visual, std::size_t first) const
    {
        const std::size_t count = visual.points.size();
        std::vector<Point> p;
        for (std::size_t i = 0; i < count; ++i)
            p.push_back(place(first + i));
        if (count == 0)
            return {};
        const bool pair = count > 1;
        switch (visual.kind) {
        case VisualKind::PointMass:
            return "\\fill " + circle(p[0], 0.16) + ";\n";
        case VisualKind::Pin:
            return "\\draw[fill=white] " + circle(p[0], kSmall) + ";\n";
        case VisualKind::GroundPin:
            return support(p[0]);
        case VisualKind::RigidBar:
            return pair ? "\\draw[line width=4pt, gray] " + path(p) + ";\n" : std::string();
        case VisualKind::Rod:
            return pair ? "\\draw[thick] " + path(p) + ";\n" : std::string();
        case VisualKind::SliderRail:
            return pair ? rail(p[0], p[1]) : std::string();
        case VisualKind::Slider:
            return pair ? slider(p[0], p[1]) : std::string();
        case VisualKind::Spring:
            return pair ? "\\draw " + path(zigzag(p[0], p[1])) + ";\n" : std::string();
        case VisualKind::Damper:
            return pair ? damper(p[0], p[1]) : std::string();
        case VisualKind::StopEnd:
            return pair ? stopEnd(p[0], p[1]) : std::string();
        case VisualKind::Curve:
            return pair ? "\\draw[gray] " + path(p) + ";\n" : std::string();
        case VisualKind::RigidDisc:
        case VisualKind::RigidSphere:
            return pair ? disc(p) : std::string();
        case VisualKind::RigidBlock:
            return pair ? block(p, visual.size2) : std::string();
        }
        return {};
    }

    /// A pot that is open towards the piston.
    static std::string damper(Point from, Point to)
    {
        const Point along = to - from;
        const double size = length(along);
        const Point side = size > 0 ? (0.14 / size) * turned(along) : Point{};
        const auto at = [&](double s, double across) { return from + s * along + across * side; };
        return "\\draw " + path({from, at(0.3, 0)}) + ";\n\\draw " + path({at(0.75, 1), at(0.3, 1), at(0.3, -1), at(0.75, -1)})
               + ";\n\\draw " + path({at(0.55, 0.8), at(0.55, -0.8)}) + ";\n\\draw " + path({at(0.55, 0), to}) + ";\n";
    }

    static std::string support(Point p)
    {
        const Point left{p.x - kSupport, p.y - 1.4 * kSupport}, right{p.x + kSupport, p.y - 1.4 * kSupport};
        std::string out = "\\draw[fill=white] " + path({p, left, right}, true) + ";\n";
        for (int k = 0; k < 4; ++k) {
            const Point foot{left.x + 2 * kSupport * (k + 0.5) / 4, left.y};
            out += "\\draw[gray] " + path({foot, {foot.x - 0.1, foot.y - 0.12}}) + ";\n";
        }
        return out + "\\draw[fill=white] " + circle(p, 0.8 * kSmall) + ";\n";
    }

    static std::string rail(Point from, Point to) { return "\\draw[gray, dashed] " + path({from, to}) + ";\n"; }

    static std::string stopEnd(Point end, Point along)
    {
        const Point way = along - end;
        const double size = length(way);
        const Point across = size > 0 ? (0.22 / size) * turned(way) : Point{0, 0.22};
        return "\\draw[very thick, gray] " + path({end - across, end + across}) + ";\n";
    }

    static std::string slider(Point centre, Point direction)
    {
        const Point along = direction - centre;
        const double size = length(along);
        const Point u = size > 0 ? (1 / size) * along : Point{1, 0};
        const Point a = 0.26 * u, b = 0.16 * turned(u);
        return "\\draw[fill=gray!25] " + path({centre - a - b, centre + a - b, centre + a + b, centre - a + b}, true) + ";\n";
    }

    static std::string disc(const std::vector<Point>& p)
    {
        const Point a = p[1] - p[0], b = p.size() > 2 ? p[2] - p[0] : turned(a);
        return "\\draw[fill=gray!20] " + path(ellipse(p[0], a, b), true) + ";\n\\draw " + path({p[0], p[1]}) + ";\n";
    }

    static std::string block(const std::vector<Point>& p, double ratio)
    {
        const Point c = p[0], a = p[1] - c;
        if (p.size() < 4) { // in the plane
            const Point b = ratio * turned(a);
            return "\\draw[fill=gray!20] " + path({c - a - b, c + a - b, c + a + b, c - a + b}, true) + ";\n";
        }
        const std::array<Point, 3> half{a, p[2] - c, p[3] - c};
        std::string out;
        for (std::size_t axis = 0; axis < 3; ++axis) // three pairs of opposite sides
            for (const double sign : {-1.0, 1.0}) {
                const Point side = c + sign * half[axis], u = half[(axis + 1) % 3], v = half[(axis + 2) % 3];
                out += "\\draw[fill=gray!20, fill opacity=0.4] "
                       + path({side - u - v, side + u - v, side + u + v, side - u + v}, true) + ";\n";
            }
        return out;
    }

    std::string labels(const model::ConstrainedSystem& system, const std::vector<std::size_t>& firsts) const
    {
        std::set<std::string> bodies;
        std::string out;
        for (std::size_t i = 0; i < system.visuals.size(); ++i) {
            const Visual& visual = system.visuals[i];
            if (!isBody(visual.kind) || visual.kind == VisualKind::Pin || visual.points.empty() || visual.owner.empty()
                || !bodies.insert(visual.owner).second)
                continue;
            Point where = place(firsts[i]);
            if (visual.kind == VisualKind::RigidBar && visual.points.size() > 1)
                where = 0.5 * (where + place(firsts[i] + 1));
            out += "\\node[above right, font=\\footnotesize] at " + at(where) + " {" + latexWords(visual.owner) + "};\n";
        }
        return bodies.size() <= kMostLabels ? out : std::string();
    }

    bool planar_;
    std::span<const double> space_;
    double scale_ = 1; ///< [cm/m]
    Point origin_;     ///< [m]
};

} // namespace

std::string tikzScene(const model::Model& model, std::span<const double> points)
{
    const auto finite = [](double x) { return std::isfinite(x); };
    if (points.empty() || model.system.visuals.size() > kMostVisuals || !std::ranges::all_of(points, finite))
        return {};
    return Drawing(model, points).of(model.system);
}

} // namespace driftless::app
