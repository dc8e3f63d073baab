// Turns a frame into triangles: which shape each kind of part has, solid or as a ghost, in which order things are laid
// over each other. Knows nothing of OpenGL.
#pragma once

#include <array>

#include "ui/scene/Mesh.h"
#include "ui/scene/SceneTypes.h"

namespace driftless::scene {

class Painter {
public:
    Painter(const SceneModel& model, const Colours& colours, const OrbitCamera& camera, Mesh& solid, Mesh& flat);

    void paint(const Frame& frame);

    /// Offset of a run in the fan: the selected one (or the first) stays where it is, the others step back.
    static Vec3 fanOffset(const Frame& frame, int run);
    /// Radius of the ring of the rank-th ghost (from 1) around a bob [m].
    static double ghostRadius(double characteristicLength, int rank);

private:
    void grid(const Frame& frame);
    void supports(const RunFrame& run);
    // Of space models, PainterSpace.cpp:
    void floor();
    void floorShadows(const RunFrame& run, Vec3 offset);
    void standing(Vec3 center, bool hanging, double size);
    void joints(const RunFrame& run, Vec3 offset);
    void triad();
    void groundPin(Vec3 center, bool hanging, double size);
    void rail(Vec3 a, Vec3 b);
    void stopEnd(Vec3 end, Vec3 along);
    void hatches(Vec3 from, Vec3 to, Vec3 below, double depth);
    void trails(const RunFrame& run, Vec3 offset, double strength);
    void ghost(const RunFrame& run, Vec3 offset, int rank, Rgb colour);
    void roundGhost(Vec3 center, Vec3 first, Vec3 second, Ink line, Ink haze);
    void boxGhost(Vec3 center, Vec3 ex, Vec3 ey, Vec3 ez, Ink ink);
    void solidParts(const RunFrame& run, Vec3 offset);
    void pins(const RunFrame& run, Vec3 offset);
    void correction(const Correction& correction, int rank);
    void arrows(const Frame& frame, const RunFrame& run, Vec3 offset);
    void arrow(const RunFrame& run, Vec3 tail, Vec3 way, Rgb ink);

    Vec3 behindLinks() const;
    Vec3 at(const RunFrame& run, const Part& part, int index, Vec3 offset) const;
    bool drawable(const RunFrame& run, const Part& part) const;
    std::array<Rgb, 2> twoTones(Rgb colour) const { return {colour, mix(colour, colours_.surface, 0.6)}; }

    const SceneModel& model_;
    const Colours& colours_;
    const OrbitCamera& camera_;
    double L_;    ///< bodies are drawn in proportion to it [m]
    double view_; ///< half the larger side of the view [m]
    FlatMesh flat_;
    SolidMesh solid_;
};

} // namespace driftless::scene
