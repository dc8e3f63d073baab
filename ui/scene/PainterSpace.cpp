// What a space model stands on and is seen by: floor, shadows, supports, joints and the triad of its axes.
#include <algorithm>
#include <array>
#include <cmath>

#include "ui/scene/Painter.h"

namespace driftless::scene {

using model::VisualKind;

namespace {

constexpr double kFloorReach = 1.5;    // of the view: radius at which the floor has faded
constexpr double kFloorGrid = 0.3;     // opacity of its lines in the middle
constexpr double kMostFloorLines = 24; // a side
constexpr double kBall = 0.026;        // radius of a joint, of a drawn length
constexpr double kTriadShare = 0.065;  // of the picture's height: length of an axis
constexpr double kTriadMargin = 0.065; // of the picture's height: its middle from the corner
constexpr double kTriadNear = 0.3;     // of the distance to the target: nothing stands before it
constexpr double kShadowSpread = 1.25;

Rgb jointColour(const Colours& colours) { return mix(colours.secondary, colours.text, 0.4); }

bool castsShadow(VisualKind kind)
{
    return kind == VisualKind::PointMass || kind == VisualKind::RigidDisc || kind == VisualKind::RigidBlock
           || kind == VisualKind::RigidSphere;
}

} // namespace

void Painter::floor()
{
    const double cell = model_.lengthUnit > 0 ? model_.lengthUnit : 1, radius = kFloorReach * std::max(view_, cell);
    const Vec3 middle{model_.extent.center().x, model_.floor, model_.extent.center().z};
    flat_.blot(middle, {1, 0, 0}, {0, 0, -1}, radius, {colours_.line, 0.75});
    const double step = cell * std::max(1.0, std::pow(10.0, std::ceil(std::log10(2 * radius / cell / kMostFloorLines))));
    const double halfLine = 0.5 * camera_.pixelSize(camera_.target());
    const Ink ink{colours_.text, kFloorGrid};
    for (double k = std::ceil((middle.x - radius) / step); k * step <= middle.x + radius; ++k) {
        const double half = std::sqrt(std::max(0.0, radius * radius - std::pow(k * step - middle.x, 2)));
        flat_.fadingLine({k * step, middle.y, middle.z - half}, {k * step, middle.y, middle.z + half}, halfLine, ink, middle,
                         radius);
    }
    for (double k = std::ceil((middle.z - radius) / step); k * step <= middle.z + radius; ++k) {
        const double half = std::sqrt(std::max(0.0, radius * radius - std::pow(k * step - middle.z, 2)));
        flat_.fadingLine({middle.x - half, middle.y, k * step}, {middle.x + half, middle.y, k * step}, halfLine, ink, middle,
                         radius);
    }
}

/// As light from above would cast them, the softer the higher the body is.
void Painter::floorShadows(const RunFrame& run, Vec3 offset)
{
    const double shade = (colours_.window.g < 0.5 ? 0.6 : 0.24) * (run.selected ? 1.0 : 0.35); // a dark floor needs deeper ones
    const auto down = [this](Vec3 p) { return Vec3{p.x, model_.floor, p.z}; };
    const auto flat = [](Vec3 p) { return Vec3{p.x, 0, p.z}; };
    for (const Part& part : model_.parts) {
        if (!drawable(run, part))
            continue;
        const Vec3 a = at(run, part, 0, offset), b = at(run, part, 1, offset);
        const double height = std::max(0.0, a.y - model_.floor), fades = 1 / (1 + height / (2 * L_));
        if (part.kind == VisualKind::Rod || part.kind == VisualKind::RigidBar || part.kind == VisualKind::Spring
            || part.kind == VisualKind::Damper) {
            flat_.line(down(a), down(b), 0.022 * L_, {Rgb{}, 0.45 * shade * fades}, true);
            continue;
        }
        if (!castsShadow(part.kind))
            continue;
        const double spread = 0.05 * L_ + 0.05 * height;
        Vec3 u{0.06 * L_, 0, 0}, v{0, 0, -0.06 * L_};
        if (part.kind == VisualKind::RigidSphere) {
            u = {length(b - a), 0, 0};
            v = {0, 0, -length(b - a)};
        } else if (part.pointCount > 2) { // the ellipse of its first two radii, or of a box's half axes
            u = flat(b - a);
            v = flat(at(run, part, 2, offset) - a);
            if (part.pointCount > 3)
                u = u + flat(at(run, part, 3, offset) - a);
        }
        const auto grown = [spread](Vec3 w) { return (kShadowSpread + spread / std::max(length(w), 1e-9)) * w; };
        flat_.blot(down(a), grown(u), grown(v), 1, {Rgb{}, shade * fades});
    }
}

/// A plate and a cone that ends in the joint.
void Painter::standing(Vec3 center, bool hanging, double size)
{
    const Vec3 down{0, hanging ? 1.0 : -1.0, 0}, plate = center + (0.92 * size) * down;
    const Rgb colour = mix(colours_.window, colours_.secondary, 0.6);
    solid_.block(plate, {0.85 * size, 0, 0}, {0, 0.08 * size, 0}, {0, 0, 0.85 * size}, colour);
    solid_.cone(center + (0.84 * size) * down, center, 0.5 * size, 0.18 * size, colour);
}

void Painter::joints(const RunFrame& run, Vec3 offset)
{
    for (const Part& part : model_.parts)
        if ((part.kind == VisualKind::Pin || part.kind == VisualKind::GroundPin) && drawable(run, part))
            solid_.sphere(at(run, part, 0, offset), kBall * L_, jointColour(colours_));
}

/// The axes of the model, whose z is the scene's up, in the lower left corner. Each is as strong as it comes towards the eye.
void Painter::triad()
{
    const double tall = camera_.height(), wide = camera_.width(), pixel = 2 * camera_.halfHeight() / tall;
    const double size = kTriadShare * tall * pixel, corner = kTriadMargin * tall;
    const Vec3 middle = camera_.target() + ((1.45 * corner - 0.5 * wide) * pixel) * camera_.right()
                        + ((1.45 * corner - 0.5 * tall) * pixel) * camera_.up();
    const auto near = [this](Vec3 p) { return camera_.eye() + kTriadNear * (p - camera_.eye()); };
    struct Axis {
        Vec3 along;
        std::array<std::array<double, 4>, 3> letter; // strokes from (x, y) to (x, y) within a unit square
    };
    const std::array<Axis, 3> axes{{{{1, 0, 0}, {{{-1, -1, 1, 1}, {-1, 1, 1, -1}, {0, 0, 0, 0}}}},
                                    {{0, 0, -1}, {{{-1, 1, 0, 0}, {1, 1, 0, 0}, {0, 0, 0, -1}}}},
                                    {{0, 1, 0}, {{{-1, 1, 1, 1}, {1, 1, -1, -1}, {-1, -1, 1, -1}}}}}};
    for (const Axis& axis : axes) {
        const Ink ink{colours_.secondary, 0.75 + 0.25 * dot(axis.along, camera_.toViewer())};
        const Vec3 tip = middle + size * axis.along;
        flat_.arrow(near(middle), near(tip), 0.035 * size * kTriadNear, ink);
        // Beside the tip; an axis that is seen from its end has its letter above.
        const Vec3 seen = dot(axis.along, camera_.right()) * camera_.right() + dot(axis.along, camera_.up()) * camera_.up();
        const Vec3 letter = tip + (0.3 * size) * (length(seen) > 0.2 ? unit(seen) : unit(camera_.right() + camera_.up()));
        const auto at = [&](double x, double y) {
            return near(letter + (0.1 * size * x) * camera_.right() + (0.12 * size * y) * camera_.up());
        };
        for (const auto& [x0, y0, x1, y1] : axis.letter)
            if (x0 != x1 || y0 != y1)
                flat_.line(at(x0, y0), at(x1, y1), 0.022 * size * kTriadNear, ink, true);
    }
}

} // namespace driftless::scene
