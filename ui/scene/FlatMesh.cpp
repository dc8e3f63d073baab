#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "ui/scene/Mesh.h"

namespace driftless::scene {

namespace {

std::uint8_t byte(double share) { return static_cast<std::uint8_t>(255 * std::clamp(share, 0.0, 1.0) + 0.5); }

/// A dot thinner than a pixel gives up colour for its size, but not all: a chain of them must be seen.
constexpr double kFaintest = 0.5;

/// Segments of a circle so that its chords stay within a quarter of a pixel.
int segmentsFor(double radiusInPixels)
{
    return std::clamp(static_cast<int>(4.5 * std::sqrt(std::max(1.0, radiusInPixels))) + 8, 12, 96);
}

} // namespace

void Mesh::clear()
{
    xyz.clear();
    normals.clear();
    rgba.clear();
    triangles.clear();
}

int Mesh::vertex(Vec3 p, Rgb colour, double alpha)
{
    xyz.insert(xyz.end(), {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)});
    rgba.insert(rgba.end(), {byte(colour.r), byte(colour.g), byte(colour.b), byte(alpha)});
    return vertexCount() - 1;
}

int Mesh::vertex(Vec3 p, Vec3 normal, Rgb colour)
{
    normals.insert(normals.end(), {static_cast<float>(normal.x), static_cast<float>(normal.y), static_cast<float>(normal.z)});
    return vertex(p, colour, 1.0);
}

// Lit triangles face the way their normals say: shading flips the normals of back faces.
void Mesh::triangle(int a, int b, int c)
{
    if (!normals.empty()) {
        const auto at = [](const std::vector<float>& v, int i) {
            const auto k = static_cast<std::size_t>(3 * i);
            return Vec3{v[k], v[k + 1], v[k + 2]};
        };
        const Vec3 front = cross(at(xyz, b) - at(xyz, a), at(xyz, c) - at(xyz, a));
        if (dot(front, at(normals, a) + at(normals, b) + at(normals, c)) < 0)
            std::swap(b, c);
    }
    triangles.insert(triangles.end(), {a, b, c});
}

void Mesh::quad(int a, int b, int c, int d)
{
    triangle(a, b, c);
    triangle(a, c, d);
}

Vec3 FlatMesh::sideways(Vec3 direction, Vec3 at) const
{
    const Vec3 view = camera_.perspective() ? unit(camera_.eye() - at, camera_.toViewer()) : camera_.toViewer();
    return unit(cross(view, direction), camera_.right());
}

// Four vertices across: transparent, full, full, transparent. A band thinner than a pixel keeps one pixel and gives up
// alpha instead, so that fine lines neither flicker nor vanish.
template <class StrengthAt>
void FlatMesh::band(std::span<const Vec3> points, double halfWidth, Ink ink, StrengthAt strengthAt)
{
    const std::size_t count = points.size();
    if (count < 2)
        return;
    int previous = -1;
    for (std::size_t i = 0; i < count; ++i) {
        const Vec3 direction = points[std::min(i + 1, count - 1)] - points[i > 0 ? i - 1 : 0];
        const Vec3 side = sideways(direction, points[i]);
        const double pixel = camera_.pixelSize(points[i]);
        const Strength strength = strengthAt(i);
        const double wanted = halfWidth * strength.width;
        const double drawn = std::max(wanted, 0.5 * pixel);
        const double alpha = ink.alpha * (wanted / drawn) * strength.alpha;
        const double inner = drawn - 0.5 * pixel, outer = drawn + 0.5 * pixel;
        const int first = mesh_.vertex(points[i] - outer * side, ink.colour, 0);
        mesh_.vertex(points[i] - inner * side, ink.colour, alpha);
        mesh_.vertex(points[i] + inner * side, ink.colour, alpha);
        mesh_.vertex(points[i] + outer * side, ink.colour, 0);
        if (previous >= 0)
            for (int k = 0; k < 3; ++k)
                mesh_.quad(previous + k, previous + k + 1, first + k + 1, first + k);
        previous = first;
    }
}

void FlatMesh::trail(std::span<const Vec3> points, std::span<const double> shares, double halfWidth, Ink ink)
{
    band(points, halfWidth, ink,
         [shares](std::size_t i) { return Strength{.width = 0.25 + 0.75 * shares[i], .alpha = shares[i] * shares[i]}; });
}

void FlatMesh::curve(std::span<const Vec3> points, double halfWidth, Ink ink)
{
    band(points, halfWidth, ink, [](std::size_t) { return Strength{}; });
}

void FlatMesh::fadingLine(Vec3 a, Vec3 b, double halfWidth, Ink ink, Vec3 place, double radius)
{
    constexpr std::size_t kPieces = 12;
    std::array<Vec3, kPieces + 1> points;
    for (std::size_t k = 0; k <= kPieces; ++k)
        points[k] = a + (static_cast<double>(k) / kPieces) * (b - a);
    band(points, halfWidth, ink, [&](std::size_t i) {
        const double share = std::min(1.0, length(points[i] - place) / radius);
        return Strength{.width = 1, .alpha = (1 - share * share) * (1 - share * share)};
    });
}

void FlatMesh::line(Vec3 a, Vec3 b, double halfWidth, Ink ink, bool roundEnds)
{
    const std::array<Vec3, 2> ends{a, b};
    curve(ends, halfWidth, ink);
    if (!roundEnds)
        return;
    for (int end = 0; end < 2; ++end) {
        const Vec3 center = ends[static_cast<std::size_t>(end)];
        const Vec3 outward = unit(end == 0 ? a - b : b - a);
        const Vec3 side = sideways(outward, center);
        const double pixel = camera_.pixelSize(center);
        const double inner = std::max(0.0, halfWidth - 0.5 * pixel), outer = halfWidth + 0.5 * pixel;
        const int segments = std::max(6, segmentsFor(halfWidth / pixel) / 2);
        const int middle = mesh_.vertex(center, ink.colour, ink.alpha);
        int previous = -1;
        for (int k = 0; k <= segments; ++k) {
            const double angle = std::numbers::pi * (static_cast<double>(k) / segments - 0.5);
            const Vec3 d = std::cos(angle) * outward + std::sin(angle) * side;
            const int at = mesh_.vertex(center + inner * d, ink.colour, ink.alpha);
            mesh_.vertex(center + outer * d, ink.colour, 0);
            if (previous >= 0) {
                mesh_.triangle(middle, previous, at);
                mesh_.quad(previous, previous + 1, at + 1, at);
            }
            previous = at;
        }
    }
}

void FlatMesh::bar(Vec3 a, Vec3 b, double halfWidth, Ink ink)
{
    const Vec3 side = halfWidth * sideways(b - a, a);
    const int first = mesh_.vertex(a - side, ink.colour, ink.alpha);
    mesh_.vertex(a + side, ink.colour, ink.alpha);
    mesh_.vertex(b + side, ink.colour, ink.alpha);
    mesh_.vertex(b - side, ink.colour, ink.alpha);
    mesh_.quad(first, first + 1, first + 2, first + 3);
}

void FlatMesh::disc(Vec3 center, double radius, Ink ink) { discIn(center, camera_.right(), camera_.up(), radius, ink); }

void FlatMesh::dot(Vec3 center, double radius, Ink ink)
{
    const double drawn = std::max(radius, 0.6 * camera_.pixelSize(center));
    const Vec3 u = drawn * camera_.right(), v = drawn * camera_.up();
    const double alpha = ink.alpha * std::max(radius / drawn, kFaintest);
    const int first = mesh_.vertex(center - u, ink.colour, alpha);
    mesh_.vertex(center + v, ink.colour, alpha);
    mesh_.vertex(center + u, ink.colour, alpha);
    mesh_.vertex(center - v, ink.colour, alpha);
    mesh_.quad(first, first + 1, first + 2, first + 3);
}

void FlatMesh::discIn(Vec3 center, Vec3 u, Vec3 v, double radius, Ink ink)
{
    const double pixel = camera_.pixelSize(center);
    const double inner = std::max(0.0, radius - 0.5 * pixel), outer = radius + 0.5 * pixel;
    const int segments = segmentsFor(radius / pixel);
    const int middle = mesh_.vertex(center, ink.colour, ink.alpha);
    int previous = -1;
    for (int k = 0; k <= segments; ++k) {
        const double angle = 2 * std::numbers::pi * k / segments;
        const Vec3 d = std::cos(angle) * u + std::sin(angle) * v;
        const int at = mesh_.vertex(center + inner * d, ink.colour, ink.alpha);
        mesh_.vertex(center + outer * d, ink.colour, 0);
        if (previous >= 0) {
            mesh_.triangle(middle, previous, at);
            mesh_.quad(previous, previous + 1, at + 1, at);
        }
        previous = at;
    }
}

void FlatMesh::ring(Vec3 center, double radius, double halfWidth, Ink ink)
{
    const double pixel = camera_.pixelSize(center);
    const double drawn = std::max(halfWidth, 0.5 * pixel);
    const double alpha = ink.alpha * halfWidth / drawn;
    const std::array<double, 4> radii{std::max(0.0, radius - drawn - 0.5 * pixel), std::max(0.0, radius - drawn + 0.5 * pixel),
                                      radius + drawn - 0.5 * pixel, radius + drawn + 0.5 * pixel};
    const std::array<double, 4> alphas{0, alpha, alpha, 0};
    const int segments = segmentsFor(radius / pixel);
    int previous = -1;
    for (int k = 0; k <= segments; ++k) {
        const double angle = 2 * std::numbers::pi * k / segments;
        const Vec3 d = std::cos(angle) * camera_.right() + std::sin(angle) * camera_.up();
        const int first = mesh_.vertexCount();
        for (std::size_t j = 0; j < 4; ++j)
            mesh_.vertex(center + radii[j] * d, ink.colour, alphas[j]);
        if (previous >= 0)
            for (int j = 0; j < 3; ++j)
                mesh_.quad(previous + j, previous + j + 1, first + j + 1, first + j);
        previous = first;
    }
}

void FlatMesh::blot(Vec3 center, Vec3 u, Vec3 v, double radius, Ink ink)
{
    constexpr int kSegments = 40;
    constexpr std::array<double, 4> kRadii{0.35, 0.6, 0.8, 1.0}, kShares{0.85, 0.45, 0.15, 0.0};
    const int middle = mesh_.vertex(center, ink.colour, ink.alpha);
    int previous = -1;
    for (int k = 0; k <= kSegments; ++k) {
        const double angle = 2 * std::numbers::pi * k / kSegments;
        const Vec3 d = (radius * std::cos(angle)) * u + (radius * std::sin(angle)) * v;
        const int first = mesh_.vertexCount();
        for (std::size_t j = 0; j < kRadii.size(); ++j)
            mesh_.vertex(center + kRadii[j] * d, ink.colour, ink.alpha * kShares[j]);
        if (previous >= 0) {
            mesh_.triangle(middle, previous, first);
            for (int j = 0; j < 3; ++j)
                mesh_.quad(previous + j, previous + j + 1, first + j + 1, first + j);
        }
        previous = first;
    }
}

void FlatMesh::convex(std::span<const Vec3> corners, Ink ink)
{
    const int count = static_cast<int>(corners.size());
    if (count < 3)
        return;
    Vec3 middle;
    for (const Vec3& c : corners)
        middle = middle + (1.0 / count) * c;
    const int first = mesh_.vertexCount();
    for (const Vec3& c : corners) {
        const Vec3 outward = camera_.pixelSize(c) * unit(c - middle, {});
        mesh_.vertex(c - 0.5 * outward, ink.colour, ink.alpha);
        mesh_.vertex(c + 0.5 * outward, ink.colour, 0);
    }
    for (int k = 1; k + 1 < count; ++k)
        mesh_.triangle(first, first + 2 * k, first + 2 * k + 2);
    for (int k = 0; k < count; ++k) {
        const int a = first + 2 * k, b = first + 2 * ((k + 1) % count);
        mesh_.quad(a, a + 1, b + 1, b);
    }
}

void FlatMesh::arrow(Vec3 tail, Vec3 tip, double halfWidth, Ink ink)
{
    const Vec3 along = tip - tail;
    const double size = length(along);
    if (!(size > 0) || !std::isfinite(size))
        return;
    const Vec3 d = (1 / size) * along;
    const Vec3 side = sideways(d, tip);
    const double head = std::min(6 * halfWidth, 0.6 * size);
    const Vec3 neck = tip - head * d;
    line(tail, neck, halfWidth, ink);
    const std::array<Vec3, 3> corners{tip, neck + (0.45 * head) * side, neck - (0.45 * head) * side};
    convex(corners, ink);
}

} // namespace driftless::scene
