#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "ui/scene/Mesh.h"

namespace driftless::scene {

namespace {

constexpr double kTurn = 2 * std::numbers::pi;
/// The lit edge of a body is darker than its face: the outline that smooths it takes this share of its colour.
constexpr double kEdgeShade = 0.72;
/// Level of detail, by the radius on the screen: below the first no shading can be seen and a body is a dot or a line, below
/// the second a coarse mesh looks as round as a fine one.
constexpr double kPointPixels = 1.25, kSmallPixels = 3.5;

Rgb edge(Rgb c) { return {kEdgeShade * c.r, kEdgeShade * c.g, kEdgeShade * c.b}; }

/// Two unit vectors that complete d to a right-handed frame.
std::array<Vec3, 2> across(Vec3 d)
{
    const Vec3 helper = std::fabs(d.z) < 0.9 ? Vec3{0, 0, 1} : Vec3{1, 0, 0};
    const Vec3 u = unit(cross(helper, d));
    return {u, cross(d, u)};
}

} // namespace

void SolidMesh::ringOf(Vec3 center, Vec3 u, Vec3 v, double radius, int segments, Rgb colour)
{
    for (int k = 0; k < segments; ++k) {
        const double angle = kTurn * k / segments;
        const Vec3 n = std::cos(angle) * u + std::sin(angle) * v;
        mesh_.vertex(center + radius * n, n, colour);
    }
}

void SolidMesh::sphere(Vec3 center, double radius, Rgb colour)
{
    // The outline makes the edge smooth; the mesh only has to look round under the light, however many pixels it has.
    const double pixels = radius / outline_.camera().pixelSize(center);
    if (pixels < kPointPixels)
        return outline_.dot(center, radius, {colour, 1});
    const int along = pixels < kSmallPixels ? 4 : std::clamp(static_cast<int>(0.45 * pixels) + 6, 8, 32), around = 2 * along;
    const int first = mesh_.vertexCount();
    for (int j = 0; j <= along; ++j) {
        const double polar = std::numbers::pi * j / along;
        for (int k = 0; k < around; ++k) {
            const double angle = kTurn * k / around;
            const Vec3 n{std::sin(polar) * std::cos(angle), std::sin(polar) * std::sin(angle), std::cos(polar)};
            mesh_.vertex(center + radius * n, n, colour);
        }
    }
    for (int j = 0; j < along; ++j)
        for (int k = 0; k < around; ++k) {
            const int a = first + j * around + k, b = first + j * around + (k + 1) % around;
            mesh_.quad(a, a + around, b + around, b);
        }
    outline_.disc(center, radius, {edge(colour), 1});
}

void SolidMesh::tube(Vec3 a, Vec3 b, double radius, Rgb colour)
{
    const double pixels = radius / outline_.camera().pixelSize(a);
    if (pixels < kPointPixels)
        return outline_.line(a, b, radius, {colour, 1});
    const int segments = pixels < kSmallPixels ? 8 : 20;
    const Vec3 d = unit(b - a);
    const auto [u, v] = across(d);
    const int first = mesh_.vertexCount();
    ringOf(a, u, v, radius, segments, colour);
    ringOf(b, u, v, radius, segments, colour);
    for (int k = 0; k < segments; ++k) {
        const int next = (k + 1) % segments;
        mesh_.quad(first + k, first + next, first + segments + next, first + segments + k);
    }
    outline_.line(a, b, radius, {edge(colour), 1});
}

/// Behind the body by a pixel or two: inside of it the outline is hidden, and what is left smooths the edge.
void SolidMesh::outlineEdge(std::span<const Vec3> points, Rgb colour)
{
    const OrbitCamera& camera = outline_.camera();
    const double pixel = camera.pixelSize(points.front());
    std::vector<Vec3> behind(points.begin(), points.end());
    for (Vec3& p : behind)
        p = p - (2 * pixel) * camera.toViewer();
    outline_.curve(behind, 0.5 * pixel, {edge(colour), 1});
}

void SolidMesh::outlineCylinder(Vec3 center, Vec3 n, double radius, double thickness, Rgb colour)
{
    if (!outlineAll_)
        return;
    constexpr int kPieces = 48;
    const Vec3 d = unit(n, {0, 0, 1});
    const auto [u, v] = across(d);
    const double bevel = std::min(0.4 * thickness, 0.05 * radius), side = 0.5 * thickness - bevel;
    const auto circle = [&](double height, double r) {
        std::array<Vec3, kPieces + 1> rim;
        for (int k = 0; k <= kPieces; ++k) {
            const double angle = kTurn * k / kPieces;
            rim[static_cast<std::size_t>(k)] = center + height * d + (r * std::cos(angle)) * u + (r * std::sin(angle)) * v;
        }
        outlineEdge(rim, colour);
    };
    for (const double end : {-1.0, 1.0}) {
        circle(end * side, radius);
        circle(end * 0.5 * thickness, radius - bevel);
    }
    const Vec3 beside = radius * unit(cross(outline_.camera().toViewer(), d), u);
    for (const double flank : {-1.0, 1.0}) {
        const std::array<Vec3, 2> ends{center + flank * beside - side * d, center + flank * beside + side * d};
        outlineEdge(ends, colour);
    }
}

void SolidMesh::roundel(Vec3 center, Vec3 u, Vec3 v, double thickness, std::array<Rgb, 2> colours)
{
    constexpr int kAround = 16; // of a quarter
    const double radius = length(u), bevel = std::min(0.4 * thickness, 0.05 * radius);
    const Vec3 d = unit(cross(u, v), {0, 0, 1}), eu = unit(u), ev = unit(v);
    const std::array<double, 4> heights{-0.5 * thickness, bevel - 0.5 * thickness, 0.5 * thickness - bevel, 0.5 * thickness};
    const std::array<double, 4> radii{radius - bevel, radius, radius, radius - bevel};
    const std::array<double, 3> slants{-0.7071, 0, 0.7071}; // of bevel, side and bevel
    for (int quarter = 0; quarter < 4; ++quarter) {
        const Rgb colour = colours[static_cast<std::size_t>(quarter % 2)];
        const auto radial = [&](int k) {
            const double angle = kTurn / 4 * (quarter + static_cast<double>(k) / kAround);
            return std::cos(angle) * eu + std::sin(angle) * ev;
        };
        for (std::size_t j = 0; j + 1 < heights.size(); ++j) {
            const int first = mesh_.vertexCount();
            for (std::size_t side = j; side <= j + 1; ++side)
                for (int k = 0; k <= kAround; ++k)
                    mesh_.vertex(center + heights[side] * d + radii[side] * radial(k), unit(radial(k) + slants[j] * d), colour);
            for (int k = 0; k < kAround; ++k)
                mesh_.quad(first + k, first + k + 1, first + kAround + 2 + k, first + kAround + 1 + k);
        }
        for (const double face : {-1.0, 1.0}) {
            const Vec3 normal = face * d, middle = center + (0.5 * thickness) * normal;
            const int hub = mesh_.vertex(middle, normal, colour);
            for (int k = 0; k <= kAround; ++k)
                mesh_.vertex(middle + (radius - bevel) * radial(k), normal, colour);
            for (int k = 0; k < kAround; ++k)
                mesh_.triangle(hub, hub + 1 + k, hub + 2 + k);
        }
    }
    outlineCylinder(center, d, radius, thickness, colours[0]);
}

void SolidMesh::ball(Vec3 center, Vec3 u, Vec3 v, Vec3 w, std::array<Rgb, 2> colours)
{
    constexpr int kAlong = 8; // of an octant's edge
    const double radius = length(u);
    for (int octant = 0; octant < 8; ++octant) {
        const Vec3 x = octant & 1 ? -1.0 * u : u, y = octant & 2 ? -1.0 * v : v, z = octant & 4 ? -1.0 * w : w;
        const int minuses = (octant & 1) + ((octant >> 1) & 1) + ((octant >> 2) & 1);
        const Rgb colour = colours[static_cast<std::size_t>(minuses % 2)];
        const int first = mesh_.vertexCount();
        for (int j = 0; j <= kAlong; ++j)
            for (int k = 0; k <= kAlong; ++k) {
                const double polar = kTurn / 4 * j / kAlong, around = kTurn / 4 * k / kAlong;
                const Vec3 n = unit((std::sin(polar) * std::cos(around)) * x + (std::sin(polar) * std::sin(around)) * y
                                    + std::cos(polar) * z);
                mesh_.vertex(center + radius * n, n, colour);
            }
        for (int j = 0; j < kAlong; ++j)
            for (int k = 0; k < kAlong; ++k) {
                const int a = first + j * (kAlong + 1) + k;
                mesh_.quad(a, a + kAlong + 1, a + kAlong + 2, a + 1);
            }
    }
    outline_.disc(center, radius, {edge(colours[0]), 1});
}

void SolidMesh::cone(Vec3 a, Vec3 b, double radiusA, double radiusB, Rgb colour)
{
    constexpr int kAround = 24;
    const Vec3 d = unit(b - a);
    const auto [u, v] = across(d);
    const double lean = (radiusA - radiusB) / std::max(length(b - a), 1e-12);
    const int first = mesh_.vertexCount();
    for (const bool end : {false, true})
        for (int k = 0; k < kAround; ++k) {
            const double angle = kTurn * k / kAround;
            const Vec3 radial = std::cos(angle) * u + std::sin(angle) * v;
            mesh_.vertex((end ? b : a) + (end ? radiusB : radiusA) * radial, unit(radial + lean * d), colour);
        }
    for (int k = 0; k < kAround; ++k) {
        const int next = (k + 1) % kAround;
        mesh_.quad(first + k, first + next, first + kAround + next, first + kAround + k);
    }
    const Vec3 side = unit(cross(outline_.camera().toViewer(), d), u);
    for (const double flank : {-1.0, 1.0}) {
        const std::array<Vec3, 2> ends{a + (flank * radiusA) * side, b + (flank * radiusB) * side};
        outlineEdge(ends, colour);
    }
}

void SolidMesh::puck(Vec3 center, Vec3 n, double radius, double thickness, Rgb colour)
{
    constexpr int kAround = 64;
    const Vec3 d = unit(n, {0, 0, 1});
    const auto [u, v] = across(d);
    const double bevel = std::min(0.4 * thickness, 0.05 * radius);
    const std::array<double, 4> heights{-0.5 * thickness, bevel - 0.5 * thickness, 0.5 * thickness - bevel, 0.5 * thickness};
    const std::array<double, 4> radii{radius - bevel, radius, radius, radius - bevel};
    // Flat faces need their own vertices: side rings carry radial normals, bevels slanted ones, faces the axis.
    for (std::size_t j = 0; j + 1 < heights.size(); ++j) {
        const std::array<double, 3> slants{-0.7071, 0, 0.7071}; // of bevel, side and bevel
        const Vec3 slant = slants[j] * d;
        const int first = mesh_.vertexCount();
        for (std::size_t side = j; side <= j + 1; ++side)
            for (int k = 0; k < kAround; ++k) {
                const double angle = kTurn * k / kAround;
                const Vec3 radial = std::cos(angle) * u + std::sin(angle) * v;
                mesh_.vertex(center + heights[side] * d + radii[side] * radial, unit(radial + slant), colour);
            }
        for (int k = 0; k < kAround; ++k) {
            const int next = (k + 1) % kAround;
            mesh_.quad(first + k, first + next, first + kAround + next, first + kAround + k);
        }
    }
    for (int face = -1; face <= 1; face += 2) {
        const Vec3 normal = static_cast<double>(face) * d;
        const Vec3 middle = center + (0.5 * thickness) * normal;
        const int hub = mesh_.vertex(middle, normal, colour);
        for (int k = 0; k < kAround; ++k) {
            const double angle = kTurn * k / kAround;
            mesh_.vertex(middle + (radius - bevel) * (std::cos(angle) * u + std::sin(angle) * v), normal, colour);
        }
        for (int k = 0; k < kAround; ++k)
            mesh_.triangle(hub, hub + 1 + k, hub + 1 + (k + 1) % kAround);
    }
    outlineCylinder(center, d, radius, thickness, colour);
}

void SolidMesh::block(Vec3 center, Vec3 ex, Vec3 ey, Vec3 ez, Rgb colour)
{
    // Every face is an inset rectangle; strips between neighbouring insets are the bevels, with the mean normal.
    const double smallest = std::min({length(ex), length(ey), length(ez)});
    const double bevel = 0.16 * smallest;
    const std::array<Vec3, 3> axes{ex, ey, ez};
    std::array<double, 3> inset{};
    for (std::size_t i = 0; i < 3; ++i) {
        const double half = length(axes[i]);
        inset[i] = half > 0 ? 1 - bevel / half : 0;
    }
    const auto corner = [&](std::size_t face, double side, double a, double b) {
        const std::size_t i = (face + 1) % 3, j = (face + 2) % 3;
        return center + side * axes[face] + (a * inset[i]) * axes[i] + (b * inset[j]) * axes[j];
    };
    for (std::size_t face = 0; face < 3; ++face)
        for (double side : {-1.0, 1.0}) {
            const Vec3 n = side * unit(axes[face]);
            const int a = mesh_.vertex(corner(face, side, -1, -1), n, colour);
            mesh_.vertex(corner(face, side, 1, -1), n, colour);
            mesh_.vertex(corner(face, side, 1, 1), n, colour);
            mesh_.vertex(corner(face, side, -1, 1), n, colour);
            mesh_.quad(a, a + 1, a + 2, a + 3);
        }
    // Bevel between face f (side s) and face g = f + 1 (side r), along the third axis h; corners close by triangles.
    for (std::size_t f = 0; f < 3; ++f) {
        const std::size_t g = (f + 1) % 3;
        for (double s : {-1.0, 1.0})
            for (double r : {-1.0, 1.0}) {
                const Vec3 n = unit(s * unit(axes[f]) + r * unit(axes[g]));
                const int a = mesh_.vertex(corner(f, s, r, -1), n, colour);
                mesh_.vertex(corner(f, s, r, 1), n, colour);
                mesh_.vertex(corner(g, r, 1, s), n, colour);
                mesh_.vertex(corner(g, r, -1, s), n, colour);
                mesh_.quad(a, a + 1, a + 2, a + 3);
            }
    }
    for (double sx : {-1.0, 1.0})
        for (double sy : {-1.0, 1.0})
            for (double sz : {-1.0, 1.0}) {
                const Vec3 n = unit(sx * unit(ex) + sy * unit(ey) + sz * unit(ez));
                const int a = mesh_.vertex(corner(0, sx, sy, sz), n, colour);
                mesh_.vertex(corner(1, sy, sz, sx), n, colour);
                mesh_.vertex(corner(2, sz, sx, sy), n, colour);
                mesh_.triangle(a, a + 1, a + 2);
            }
    for (std::size_t k = 0; outlineAll_ && k < 3; ++k)
        for (const double s : {-1.0, 1.0})
            for (const double r : {-1.0, 1.0}) {
                // Between the two bevels, where the silhouette is.
                const Vec3 side = center + (s * (1 + inset[(k + 1) % 3]) / 2) * axes[(k + 1) % 3]
                                  + (r * (1 + inset[(k + 2) % 3]) / 2) * axes[(k + 2) % 3];
                const std::array<Vec3, 2> ends{side - inset[k] * axes[k], side + inset[k] * axes[k]};
                outlineEdge(ends, colour);
            }
}

void SolidMesh::spring(Vec3 a, Vec3 b, double radius, double wire, int coils, Rgb colour)
{
    constexpr int kPerCoil = 18, kAround = 6;
    const double span = length(b - a);
    const Vec3 d = unit(b - a);
    const auto [u, v] = across(d);
    const double lead = 0.12; // straight ends, as a share of the length
    const int samples = coils * kPerCoil;
    const auto center = [&](double s) {
        if (s <= lead || s >= 1 - lead)
            return a + (s * span) * d;
        const double share = (s - lead) / (1 - 2 * lead);
        const double angle = kTurn * coils * share;
        const double swell = std::min(1.0, 8 * std::min(share, 1 - share)); // radius grows out of the axis
        return a + (s * span) * d + (radius * swell) * (std::cos(angle) * u + std::sin(angle) * v);
    };
    int previous = -1;
    for (int i = 0; i <= samples; ++i) {
        const double s = static_cast<double>(i) / samples, step = 0.25 / samples;
        const Vec3 tangent = unit(center(std::min(1.0, s + step)) - center(std::max(0.0, s - step)), d);
        const auto [p, q] = across(tangent);
        const int first = mesh_.vertexCount();
        ringOf(center(s), p, q, wire, kAround, colour);
        if (previous >= 0)
            for (int k = 0; k < kAround; ++k) {
                const int next = (k + 1) % kAround;
                mesh_.quad(previous + k, previous + next, first + next, first + k);
            }
        previous = first;
    }
}

} // namespace driftless::scene
