// Triangles with a colour per vertex, rebuilt on the CPU every frame: a few thousand vertices, so that a run costs no
// pipeline of its own and the whole scene is two draw calls.
//
// FlatMesh paints like a pen: unlit, in painter's order, and every outline fades over one pixel, which smooths edges
// without multisampling (slow in software). SolidMesh builds lit bodies and hands a thin outline to a FlatMesh for
// the same reason.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "ui/scene/OrbitCamera.h"
#include "ui/scene/SceneTypes.h"

namespace driftless::scene {

struct Mesh {
    std::vector<float> xyz, normals; ///< 3 per vertex; normals only where lit
    std::vector<std::uint8_t> rgba;  ///< 4 per vertex
    std::vector<int> triangles;      ///< 3 vertices each

    void clear();
    int vertexCount() const { return static_cast<int>(xyz.size() / 3); }
    int vertex(Vec3 p, Rgb colour, double alpha);
    int vertex(Vec3 p, Vec3 normal, Rgb colour);
    void triangle(int a, int b, int c);
    void quad(int a, int b, int c, int d);
};

struct Ink {
    Rgb colour;
    double alpha = 1;
};

class FlatMesh {
public:
    explicit FlatMesh(Mesh& mesh, const OrbitCamera& camera) : mesh_(mesh), camera_(camera) {}

    /// A band of constant half width along a segment, facing the viewer; round ends where asked.
    void line(Vec3 a, Vec3 b, double halfWidth, Ink ink, bool roundEnds = false);
    /// The same without soft edges: cheaper, and as sharp as the pixels that it was laid on.
    void bar(Vec3 a, Vec3 b, double halfWidth, Ink ink);
    /// A band along a curve whose half width and alpha grow with its share: 0 at the oldest point, 1 now.
    void trail(std::span<const Vec3> points, std::span<const double> shares, double halfWidth, Ink ink);
    /// A band along a curve with constant half width and ink.
    void curve(std::span<const Vec3> points, double halfWidth, Ink ink);
    /// A segment of constant half width that fades with the distance from a place, to nothing at radius.
    void fadingLine(Vec3 a, Vec3 b, double halfWidth, Ink ink, Vec3 place, double radius);
    /// A square on its corner, four vertices: a body too small to show its shape.
    void dot(Vec3 center, double radius, Ink ink);
    /// Circles face the viewer.
    void disc(Vec3 center, double radius, Ink ink);
    void discIn(Vec3 center, Vec3 u, Vec3 v, double radius, Ink ink); ///< in the plane of u and v
    void ring(Vec3 center, double radius, double halfWidth, Ink ink);
    /// A disc that fades from its middle to nothing, in the plane of u and v (a soft shadow).
    void blot(Vec3 center, Vec3 u, Vec3 v, double radius, Ink ink);
    /// A convex polygon in its own plane, corners in order.
    void convex(std::span<const Vec3> corners, Ink ink);
    /// From tail to tip, head included; facing the viewer.
    void arrow(Vec3 tail, Vec3 tip, double halfWidth, Ink ink);

    const OrbitCamera& camera() const { return camera_; }

private:
    /// What a band has at each of its points.
    struct Strength {
        double width = 1, alpha = 1;
    };
    template <class StrengthAt>
    void band(std::span<const Vec3> points, double halfWidth, Ink ink, StrengthAt strengthAt);
    Vec3 sideways(Vec3 direction, Vec3 at) const;

    Mesh& mesh_;
    const OrbitCamera& camera_;
};

class SolidMesh {
public:
    SolidMesh(Mesh& mesh, FlatMesh& outline) : mesh_(mesh), outline_(outline) {}

    void sphere(Vec3 center, double radius, Rgb colour);
    void tube(Vec3 a, Vec3 b, double radius, Rgb colour);
    /// A cylinder about the z direction n with flat ends.
    void puck(Vec3 center, Vec3 n, double radius, double thickness, Rgb colour);
    /// A cylinder whose quarters alternate between two colours, which shows its turn; u, v: from its middle to the rim.
    void roundel(Vec3 center, Vec3 u, Vec3 v, double thickness, std::array<Rgb, 2> colours);
    /// A ball whose octants alternate between two colours; u, v, w: three radii.
    void ball(Vec3 center, Vec3 u, Vec3 v, Vec3 w, std::array<Rgb, 2> colours);
    /// A frustum from a circle about a to one about b, open at both ends.
    void cone(Vec3 a, Vec3 b, double radiusA, double radiusB, Rgb colour);
    /// ex, ey, ez: half axes; the edges are bevelled.
    void block(Vec3 center, Vec3 ex, Vec3 ey, Vec3 ez, Rgb colour);
    /// Whether blocks and cylinders get an outline as spheres and tubes do, which smooths their edges.
    void outlineAll(bool on) { outlineAll_ = on; }
    /// A wire wound around the axis from a to b.
    void spring(Vec3 a, Vec3 b, double radius, double wire, int coils, Rgb colour);

private:
    void ringOf(Vec3 center, Vec3 u, Vec3 v, double radius, int segments, Rgb colour);
    void outlineCylinder(Vec3 center, Vec3 n, double radius, double thickness, Rgb colour);
    void outlineEdge(std::span<const Vec3> points, Rgb colour);

    Mesh& mesh_;
    FlatMesh& outline_;
    bool outlineAll_ = false;
};

} // namespace driftless::scene
