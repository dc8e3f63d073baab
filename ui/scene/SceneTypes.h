// What the scene renderer is given: the parts of a model, the numbers of a frame, and colours. Plain values, no toolkit.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/system/ConstrainedSystem.h"
#include "ui/scene/Vec3.h"

namespace driftless::scene {

/// Components from 0 to 1.
struct Rgb {
    double r = 0, g = 0, b = 0;
};
/// a at share 0, b at share 1.
inline Rgb mix(Rgb a, Rgb b, double share)
{
    return {a.r + share * (b.r - a.r), a.g + share * (b.g - a.g), a.b + share * (b.b - a.b)};
}

struct Colours {
    Rgb window, surface, text, secondary, line;
    std::array<Rgb, 8> runs;
    Rgb force;    ///< of arrows: no run has it
    Rgb velocity; ///< the same

    Rgb run(int index) const { return runs[static_cast<std::size_t>(index) % runs.size()]; }
    static Colours light();
    static Colours dark();
};

/// Height of the bracket under a ground pin, of a drawn length.
constexpr double kSupportHeight = 0.085;

/// One thing to draw: a model::Visual without its expressions.
struct Part {
    model::VisualKind kind = model::VisualKind::PointMass;
    int firstPoint = 0; ///< into the points of a frame
    int pointCount = 1;
    double size = 0; ///< [m], 0 = from the model's extent
    double size2 = 0;
    bool hanging = false; ///< a support drawn above its pin instead of below
};

struct SceneModel {
    std::vector<Part> parts;
    std::vector<int> traces; ///< points that leave a trail
    int pointCount = 0;
    int arrowCount = 0;    ///< of forces
    int velocityCount = 0; ///< of velocities that outputs name
    bool planar = true;
    double lengthUnit = 1; ///< [m] one cell of the grid
    Bounds extent;         ///< what the fitted view shows [m]
    double link = 0;       ///< [m] length of a typical link, 0 without any
    double floor = 0;      ///< [m] height of the floor that a space model stands on or hangs over
    double deepFloor = 0;  ///< [m] how low it gets under bodies that go below it
    /// Half the larger side of the extent [m].
    double characteristicLength() const;
    /// The length that bodies are drawn in proportion to [m]: the same, but no more than a few links, so that those of a chain
    /// stay apart.
    double drawnLength() const;
};

/// One run at one time.
struct RunFrame {
    int colour = 0;
    bool selected = false;
    std::vector<double> points; ///< 3 x pointCount [m]
    int trailSamples = 0;
    std::vector<double> trail;       ///< trailSamples x traces x 3 [m], oldest first, the last one is now; NaN breaks it
    std::vector<double> trailShares; ///< of each sample: 0 is the oldest, 1 is now; empty: evenly
    std::vector<double> arrows;      ///< 6 x arrowCount: point [m], force [N]
    std::vector<double> velocities;  ///< 6 x velocityCount: point [m], velocity [m/s]

    Vec3 point(int i) const
    {
        const auto k = static_cast<std::size_t>(3 * i);
        return {points[k], points[k + 1], points[k + 2]};
    }
};

/// Start values as entered and as corrected.
struct Correction {
    RunFrame before, after; ///< after without points: there is no correction
};

struct Frame {
    std::vector<RunFrame> runs;
    std::optional<Correction> correction; ///< drawn over the runs: two ghosts and arrows from one to the other
    double fanOut = 0;                    ///< [m] along z between neighbouring runs
    bool trails = true;
    bool arrows = false;
    bool triad = false;         ///< the model's axes in a corner, of space models
    double metresPerNewton = 0; ///< length of the force arrows
    double secondsShown = 0;    ///< [s] a velocity arrow is as long as the way in that time
};

/// Moves points to reference + factor * (points - reference), element by element.
void magnify(std::vector<double>& points, const std::vector<double>& reference, double factor);
/// A whole run: points, trail, and where its arrows start; forces stay true.
void magnify(RunFrame& run, const RunFrame& reference, double factor);

/// A picture, rows from top to bottom, one word 0xffRRGGBB per pixel.
struct Pixels {
    int width = 0, height = 0;
    std::vector<std::uint32_t> argb;

    std::uint32_t at(int x, int y) const
    {
        return argb[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)];
    }
};
/// The mean over factor x factor blocks, factor from 1 to 16.
void reduceByBox(const Pixels& fine, int factor, Pixels& out);

} // namespace driftless::scene
