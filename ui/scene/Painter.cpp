#include "ui/scene/Painter.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace driftless::scene {

using model::VisualKind;

namespace {

// Proportions to the characteristic length L.
constexpr double kBob = 0.06;                      // radius of a point mass
constexpr double kRod = 0.015;                     // radius of a rod's tube
constexpr double kBar = 0.024;                     // radius of a rigid bar
constexpr double kGhostGap = 0.020;                // between the rings of neighbouring ghosts
constexpr double kGhostLine = 0.0055;              // half width of a ring
constexpr double kGhostRod = 0.007;                // half width of a ghost's rod
constexpr double kTrail = 0.011;                   // half width of a trail at the body
constexpr double kTrailPixels = 0.75;              // samples of a trail that are closer on the screen add nothing to it
constexpr double kPin = 0.020;                     // radius of a pin
constexpr double kPinLift = 0.08;                  // pins, arrows lie this far in front of the bodies
constexpr double kPotBottom = 0.3, kPotTop = 0.65; // of a damper, as shares of its length
constexpr double kSupport = kSupportHeight;
constexpr double kThickness = 0.05; // half depth of blocks and discs
constexpr double kArrow = 0.011;    // half width of a force arrow's shaft
constexpr double kGridAlpha = 0.08;
constexpr double kTrailAlpha = 0.72;
constexpr double kGhostStrength = 0.5; // trails, pins and arrows of ghosts against the selected run's
constexpr double kArrowHalo = 0.007;   // rim in the window's colour that lifts an arrow off the rod beneath it

bool isBody(VisualKind kind)
{
    return kind == VisualKind::PointMass || kind == VisualKind::RigidDisc || kind == VisualKind::RigidBlock
           || kind == VisualKind::Slider || kind == VisualKind::RigidBar || kind == VisualKind::RigidSphere;
}

struct BoxSize {
    double width, height; ///< halves
};

/// Of a slider by its own size, of a block by the distance of its points.
BoxSize boxOf(const Part& part, double distance, double unit)
{
    if (part.kind == VisualKind::Slider) {
        const double width = part.size > 0 ? part.size / 2 : 0.10 * unit;
        return {width, 0.6 * width};
    }
    return {distance, (part.size2 > 0 ? part.size2 : 0.6) * distance};
}

} // namespace

Painter::Painter(const SceneModel& model, const Colours& colours, const OrbitCamera& camera, Mesh& solid, Mesh& flat)
    : model_(model), colours_(colours), camera_(camera), L_(model.drawnLength()), view_(model.characteristicLength()),
      flat_(flat, camera), solid_(solid, flat_)
{
    solid_.outlineAll(!model.planar);
}

Vec3 Painter::fanOffset(const Frame& frame, int run)
{
    int selected = 0;
    for (std::size_t i = 0; i < frame.runs.size(); ++i)
        if (frame.runs[i].selected) {
            selected = static_cast<int>(i);
            break;
        }
    const int behind = run < selected ? run + 1 : run;
    return {0, 0, -frame.fanOut * (run == selected ? 0 : behind)};
}

double Painter::ghostRadius(double characteristicLength, int rank) { return characteristicLength * (kBob + kGhostGap * rank); }

Vec3 Painter::at(const RunFrame& run, const Part& part, int index, Vec3 offset) const
{
    return run.point(part.firstPoint + std::min(index, part.pointCount - 1)) + offset;
}

// A slider stays behind the links that are pinned to it.
Vec3 Painter::behindLinks() const { return {0, 0, -1.2 * kThickness * L_}; }

bool Painter::drawable(const RunFrame& run, const Part& part) const
{
    for (int i = 0; i < part.pointCount; ++i) {
        const Vec3 p = run.point(part.firstPoint + i);
        // Beyond a thousand views a body is nowhere; single precision would tear it apart.
        if (!finite(p) || length(p - model_.extent.center()) > 2e3 * view_)
            return false;
    }
    return true;
}

void Painter::paint(const Frame& frame)
{
    std::vector<int> order(frame.runs.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = static_cast<int>(i);
    const auto run = [&](int i) -> const RunFrame& { return frame.runs[static_cast<std::size_t>(i)]; };
    std::erase_if(order, [&](int i) { return run(i).points.size() < static_cast<std::size_t>(3 * model_.pointCount); });

    std::vector<int> rank(frame.runs.size(), 0);
    int ghosts = 0;
    for (int i : order)
        if (!run(i).selected)
            rank[static_cast<std::size_t>(i)] = ++ghosts;
    // Back to front: in a fan the far runs first, and the selected one over those it coincides with.
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
        const double da = dot(fanOffset(frame, a), camera_.toViewer()), db = dot(fanOffset(frame, b), camera_.toViewer());
        return da != db ? da < db : run(a).selected < run(b).selected;
    });

    if (model_.planar)
        grid(frame);
    else
        floor();
    const auto primary =
        std::find_if(order.begin(), order.end(), [&](int i) { return fanOffset(frame, i).z == 0 && run(i).selected; });
    if (!order.empty())
        supports(run(primary != order.end() ? *primary : order.front()));
    if (!model_.planar) // ghosts cast none where they stand about the selected run: eight more would cost a third of a frame
        for (int i : order)
            if (run(i).selected || frame.fanOut != 0)
                floorShadows(run(i), fanOffset(frame, i));
    for (int i : order) {
        const Vec3 offset = fanOffset(frame, i);
        const double strength = run(i).selected ? 1.0 : kGhostStrength;
        if (frame.trails)
            trails(run(i), offset, strength);
        if (run(i).selected)
            solidParts(run(i), offset);
        else
            ghost(run(i), offset, rank[static_cast<std::size_t>(i)], colours_.run(run(i).colour));
        pins(run(i), offset);
        if (frame.arrows)
            arrows(frame, run(i), offset);
    }
    if (frame.correction)
        correction(*frame.correction, ghosts + 1);
    if (frame.triad && !model_.planar)
        triad();
}

void Painter::grid(const Frame& frame)
{
    const double cell = model_.lengthUnit > 0 ? model_.lengthUnit : 1;
    const Ink ink{colours_.text, kGridAlpha};
    const double halfLine = 0.5 * camera_.pixelSize(camera_.target());
    const double reach = 1.05 * camera_.halfHeight() * std::max(1.0, static_cast<double>(camera_.width()) / camera_.height());
    const bool front = camera_.yaw() == 0 && camera_.pitch() == 0;
    const Vec3 center = front ? camera_.target() : model_.extent.center();
    const double half = front ? reach : std::max(1.3 * view_, 2 * cell);
    constexpr double kMostLines = 60;
    const double step = cell * std::max(1.0, std::pow(10.0, std::ceil(std::log10(2 * half / cell / kMostLines))));
    const double back = -0.15 * L_ - frame.fanOut * std::max<double>(0, static_cast<double>(frame.runs.size()) - 1);
    const auto place = [&](double a, double b) { return Vec3{a, b, back}; }; // a wall behind the mechanism
    const double c1 = center.x, c2 = center.y;
    const auto first = [&](double c) { return std::ceil((c - half) / step); };
    if (front) {
        // Seen from the front a line lies on whole pixels; soft edges across the whole view cost a tenth of a frame.
        const double pixel = 2 * halfLine;
        const auto onPixel = [pixel](double x, double middle, int pixels) {
            const double odd = 0.5 * (pixels % 2);
            return middle + (std::floor((x - middle) / pixel + odd) + 0.5 - odd) * pixel;
        };
        for (double k = first(c1); k * step <= c1 + half; ++k) {
            const double x = onPixel(k * step, c1, camera_.width());
            flat_.bar(place(x, c2 - half), place(x, c2 + half), halfLine, ink);
        }
        for (double k = first(c2); k * step <= c2 + half; ++k) {
            const double y = onPixel(k * step, c2, camera_.height());
            flat_.bar(place(c1 - half, y), place(c1 + half, y), halfLine, ink);
        }
        return;
    }
    for (double k = first(c1); k * step <= c1 + half; ++k)
        flat_.line(place(k * step, c2 - half), place(k * step, c2 + half), halfLine, ink);
    for (double k = first(c2); k * step <= c2 + half; ++k)
        flat_.line(place(c1 - half, k * step), place(c1 + half, k * step), halfLine, ink);
}

void Painter::supports(const RunFrame& run)
{
    for (const Part& part : model_.parts) {
        if (!drawable(run, part))
            continue;
        if (part.kind == VisualKind::GroundPin && !model_.planar)
            standing(at(run, part, 0, {}), part.hanging, part.size > 0 ? part.size : kSupport * L_);
        else if (part.kind == VisualKind::SliderRail && !model_.planar)
            solid_.tube(at(run, part, 0, {}), at(run, part, 1, {}), 0.14 * kSupport * L_,
                        mix(colours_.window, colours_.secondary, 0.8));
        else if (part.kind == VisualKind::GroundPin)
            groundPin(at(run, part, 0, {}), part.hanging, part.size > 0 ? part.size : kSupport * L_);
        else if (part.kind == VisualKind::SliderRail)
            rail(at(run, part, 0, {}), at(run, part, 1, {}));
        else if (part.kind == VisualKind::StopEnd)
            stopEnd(at(run, part, 0, {}), at(run, part, 1, {}));
        else if (part.kind == VisualKind::Curve)
            for (int i = 1; i < part.pointCount; ++i)
                flat_.line(at(run, part, i - 1, {}), at(run, part, i, {}), 0.07 * kSupport * L_, {colours_.secondary, 1}, true);
    }
}

void Painter::groundPin(Vec3 center, bool hanging, double size)
{
    const Vec3 down{0, hanging ? 1.0 : -1.0, 0}, across{1, 0, 0};
    const Vec3 base = center + size * down;
    const std::array<Vec3, 3> bracket{center, base - (0.72 * size) * across, base + (0.72 * size) * across};
    flat_.convex(bracket, {mix(colours_.window, colours_.secondary, 0.38), 1});
    hatches(base - (1.35 * size) * across, base + (1.35 * size) * across, down, 0.42 * size);
    flat_.line(base - (1.35 * size) * across, base + (1.35 * size) * across, 0.07 * size, {colours_.secondary, 1}, true);
}

void Painter::rail(Vec3 a, Vec3 b)
{
    const Vec3 along = unit(b - a);
    Vec3 below = unit(cross({0, 0, 1}, along), {0, -1, 0});
    if (below.y > 0 || (below.y == 0 && below.x > 0))
        below = -1.0 * below;
    hatches(a, b, below, 0.42 * kSupport * L_);
    flat_.line(a, b, 0.07 * kSupport * L_, {colours_.secondary, 1}, true);
}

/// Across the way that ends there.
void Painter::stopEnd(Vec3 end, Vec3 along)
{
    const Vec3 across = (0.9 * kSupport * L_) * unit(cross({0, 0, 1}, along - end), {0, 1, 0});
    flat_.line(end - across, end + across, 0.14 * kSupport * L_, {colours_.secondary, 1}, true);
}

void Painter::hatches(Vec3 from, Vec3 to, Vec3 below, double depth)
{
    const double span = length(to - from);
    const Vec3 along = unit(to - from);
    const int count = std::clamp(static_cast<int>(span / (0.9 * depth)), 1, 400);
    for (int k = 0; k < count; ++k) {
        const Vec3 top = from + (span * (k + 0.75) / count) * along;
        flat_.line(top, top + depth * (below - 0.8 * along), 0.09 * depth, {colours_.secondary, 0.55});
    }
}

void Painter::trails(const RunFrame& run, Vec3 offset, double strength)
{
    const std::size_t traces = model_.traces.size();
    const std::size_t samples = static_cast<std::size_t>(std::max(0, run.trailSamples));
    if (samples < 2 || run.trail.size() < 3 * samples * traces)
        return;
    const double halfWidth = kTrail * L_ * (strength < 1 ? 0.6 : 1.0);
    const Ink ink{colours_.run(run.colour), kTrailAlpha * strength};
    std::vector<Vec3> points;
    std::vector<double> shares;
    const auto draw = [&] {
        flat_.trail(points, shares, halfWidth, ink);
        points.clear();
        shares.clear();
    };
    for (std::size_t trace = 0; trace < traces; ++trace) {
        for (std::size_t i = 0; i < samples; ++i) {
            const double* p = run.trail.data() + 3 * (i * traces + trace);
            const Vec3 place = Vec3{p[0], p[1], p[2]} + offset;
            if (!finite(place) || !(length(place) < 2e3 * view_ + length(model_.extent.center()))) {
                draw();
                continue;
            }
            const bool apart = points.empty() || length(place - points.back()) > kTrailPixels * camera_.pixelSize(place);
            if (!apart && i + 1 < samples)
                continue;
            points.push_back(place);
            shares.push_back(i < run.trailShares.size() ? run.trailShares[i]
                                                        : static_cast<double>(i) / static_cast<double>(samples - 1));
        }
        draw();
    }
}

void Painter::ghost(const RunFrame& run, Vec3 offset, int rank, Rgb colour)
{
    const Ink rod{colour, 0.55}, ink{colour, 0.95}, haze{colour, 0.10};
    const double radius = ghostRadius(L_, rank);
    for (const Part& part : model_.parts) {
        if (!drawable(run, part))
            continue;
        const Vec3 a = at(run, part, 0, offset), b = at(run, part, 1, offset);
        switch (part.kind) {
        case VisualKind::Rod:
        case VisualKind::Spring:
        case VisualKind::Damper:
            flat_.line(a, b, kGhostRod * L_, rod, true);
            break;
        case VisualKind::RigidBar:
            flat_.line(a, b, 1.5 * kGhostRod * L_, rod, true);
            flat_.disc(a, 1.5 * kGhostLine * L_, ink);
            flat_.disc(b, 1.5 * kGhostLine * L_, ink);
            break;
        case VisualKind::PointMass:
            flat_.disc(a, radius, haze);
            flat_.ring(a, radius, kGhostLine * L_, ink);
            flat_.disc(a, 1.6 * kGhostLine * L_, ink);
            break;
        case VisualKind::RigidDisc: {
            const double rim = length(b - a) + 0.5 * rank * kGhostGap * L_;
            if (part.pointCount > 2) {
                roundGhost(a, b, at(run, part, 2, offset), rod, haze);
                break;
            }
            flat_.disc(a, rim, haze);
            flat_.ring(a, rim, kGhostLine * L_, ink);
            flat_.line(a, b, kGhostRod * L_, rod);
            break;
        }
        case VisualKind::RigidSphere:
            flat_.disc(a, length(b - a) + 0.5 * rank * kGhostGap * L_, haze);
            flat_.ring(a, length(b - a) + 0.5 * rank * kGhostGap * L_, kGhostLine * L_, ink);
            roundGhost(a, b, at(run, part, 2, offset), rod, {colour, 0});
            break;
        case VisualKind::RigidBlock:
        case VisualKind::Slider: {
            if (part.pointCount > 3) {
                boxGhost(a, b - a, at(run, part, 2, offset) - a, at(run, part, 3, offset) - a, ink);
                break;
            }
            const bool slider = part.kind == VisualKind::Slider;
            const double grow = 0.5 * kGhostGap * L_ * rank;
            const auto [width, height] = boxOf(part, length(b - a), L_);
            const Vec3 d = unit(b - a), ex = (width + grow) * d, ey = (height + grow) * unit(cross({0, 0, 1}, d), {0, 1, 0});
            const Vec3 c = a + (slider ? behindLinks() : Vec3{});
            const std::array<Vec3, 4> corners{c - ex - ey, c + ex - ey, c + ex + ey, c - ex + ey};
            flat_.convex(corners, haze);
            for (std::size_t i = 0; i < 4; ++i)
                flat_.line(corners[i], corners[(i + 1) % 4], kGhostLine * L_, ink, true);
            break;
        }
        case VisualKind::Pin:
        case VisualKind::GroundPin:
        case VisualKind::SliderRail:
        case VisualKind::StopEnd:
        case VisualKind::Curve:
            break;
        }
    }
}

// A circle in space through two points of its rim, and the radius to the first, which shows the turn.
void Painter::roundGhost(Vec3 center, Vec3 first, Vec3 second, Ink line, Ink haze)
{
    constexpr int kPieces = 48;
    const Vec3 u = first - center, v = second - center;
    flat_.discIn(center, unit(u), unit(v), length(u), haze);
    std::array<Vec3, kPieces + 1> rim;
    for (int k = 0; k <= kPieces; ++k) {
        const double angle = 2 * std::numbers::pi * k / kPieces;
        rim[static_cast<std::size_t>(k)] = center + std::cos(angle) * u + std::sin(angle) * v;
    }
    flat_.curve(rim, kGhostLine * L_, line);
    flat_.line(center, first, kGhostLine * L_, line);
}

void Painter::boxGhost(Vec3 center, Vec3 ex, Vec3 ey, Vec3 ez, Ink ink)
{
    const std::array<Vec3, 3> axes{ex, ey, ez};
    for (std::size_t k = 0; k < 3; ++k)
        for (double s : {-1.0, 1.0})
            for (double r : {-1.0, 1.0}) {
                const Vec3 side = center + s * axes[(k + 1) % 3] + r * axes[(k + 2) % 3];
                flat_.line(side - axes[k], side + axes[k], kGhostLine * L_, ink, true);
            }
}

void Painter::solidParts(const RunFrame& run, Vec3 offset)
{
    const Rgb colour = colours_.run(run.colour);
    const Rgb link = mix(colour, colours_.secondary, 0.25);
    const Rgb pale = mix(link, colours_.window, 0.25);
    for (const Part& part : model_.parts) {
        if (!drawable(run, part))
            continue;
        const Vec3 a = at(run, part, 0, offset), b = at(run, part, 1, offset);
        switch (part.kind) {
        case VisualKind::PointMass:
            solid_.sphere(a, part.size > 0 ? part.size / 2 : kBob * L_, colour);
            break;
        case VisualKind::Rod:
            solid_.tube(a, b, kRod * L_, pale);
            break;
        case VisualKind::RigidBar: {
            const double radius = part.size > 0 ? part.size / 2 : kBar * L_;
            solid_.tube(a, b, radius, colour);
            solid_.sphere(a, radius, colour);
            solid_.sphere(b, radius, colour);
            break;
        }
        case VisualKind::RigidDisc: {
            const double radius = length(b - a);
            if (part.pointCount > 2) {
                const Vec3 c = at(run, part, 2, offset);
                const double thick = std::min(2 * kThickness * L_, 0.3 * radius);
                solid_.roundel(a, b - a, radius * unit(c - a), thick, twoTones(colour));
                break;
            }
            solid_.puck(a, {0, 0, 1}, radius, 2 * kThickness * L_, colour);
            flat_.discIn(a, {1, 0, 0}, {0, 1, 0}, radius, {mix(colour, Rgb{}, 0.28), 1});
            const Vec3 lift = (1.05 * kThickness * L_) * Vec3{0, 0, 1};
            flat_.line(a + 0.2 * (b - a) + lift, a + 0.86 * (b - a) + lift, 0.045 * radius, {colours_.surface, 0.8}, true);
            break;
        }
        case VisualKind::RigidSphere: {
            const Vec3 u = b - a, v = at(run, part, 2, offset) - a;
            solid_.ball(a, u, v, length(u) * unit(cross(u, v), {0, 0, 1}), twoTones(colour));
            break;
        }
        case VisualKind::RigidBlock:
        case VisualKind::Slider: {
            if (part.pointCount > 3) {
                solid_.block(a, b - a, at(run, part, 2, offset) - a, at(run, part, 3, offset) - a, colour);
                break;
            }
            const bool slider = part.kind == VisualKind::Slider;
            const auto [width, height] = boxOf(part, length(b - a), L_);
            const Vec3 d = unit(b - a), n = unit(cross({0, 0, 1}, d), {0, 1, 0});
            solid_.block(a + (slider ? behindLinks() : Vec3{}), width * d, height * n, (kThickness * L_) * cross(d, n),
                         slider ? link : colour);
            break;
        }
        case VisualKind::Spring: {
            const double radius = part.size > 0 ? part.size / 2 : 0.05 * L_;
            solid_.spring(a, b, radius, 0.009 * L_, 9, pale);
            break;
        }
        case VisualKind::Damper: { // a cylinder, and the rod of its piston
            const double radius = part.size > 0 ? part.size / 2 : 0.05 * L_;
            const Vec3 bottom = a + kPotBottom * (b - a), top = a + kPotTop * (b - a);
            solid_.tube(a, bottom, 0.009 * L_, pale);
            solid_.tube(bottom, top, radius, pale);
            solid_.tube(top, b, 0.012 * L_, pale);
            break;
        }
        case VisualKind::Pin:
        case VisualKind::GroundPin:
        case VisualKind::SliderRail:
        case VisualKind::StopEnd:
        case VisualKind::Curve:
            break;
        }
    }
}

void Painter::pins(const RunFrame& run, Vec3 offset)
{
    if (!model_.planar && run.selected)
        return joints(run, offset);
    const Vec3 lift = (kPinLift * L_) * camera_.toViewer();
    for (const Part& part : model_.parts) {
        if ((part.kind != VisualKind::Pin && part.kind != VisualKind::GroundPin) || !drawable(run, part))
            continue;
        const Vec3 c = at(run, part, 0, offset) + lift;
        if (!run.selected) {
            flat_.disc(c, 0.55 * kPin * L_, {colours_.run(run.colour), 0.6});
            continue;
        }
        flat_.disc(c, kPin * L_, {mix(colours_.secondary, colours_.text, 0.4), 1});
        flat_.disc(c, 0.62 * kPin * L_, {colours_.surface, 1});
    }
}

// What was entered in grey, what it becomes in the colour of the run, and the way of every body between them.
void Painter::correction(const Correction& correction, int rank)
{
    const RunFrame &before = correction.before, &after = correction.after;
    const auto size = static_cast<std::size_t>(3 * model_.pointCount);
    if (before.points.size() < size)
        return;
    ghost(before, {}, rank, colours_.secondary);
    if (after.points.size() < size)
        return;
    ghost(after, {}, rank, colours_.run(after.colour));
    const Vec3 lift = (1.5 * kPinLift * L_) * camera_.toViewer();
    for (const Part& part : model_.parts) {
        if (!isBody(part.kind) || !drawable(before, part) || !drawable(after, part))
            continue;
        for (int end = 0; end < (part.kind == VisualKind::RigidBar ? 2 : 1); ++end) {
            const Vec3 tail = at(before, part, end, lift), tip = at(after, part, end, lift);
            if (length(tip - tail) < 1e-3 * L_)
                continue;
            const Vec3 d = unit(tip - tail);
            flat_.arrow(tail - (1.5 * kArrowHalo * L_) * d, tip + (2.2 * kArrowHalo * L_) * d, (kArrow + kArrowHalo) * L_,
                        {colours_.window, 0.9});
            flat_.arrow(tail, tip, kArrow * L_, {colours_.text, 1});
        }
    }
}

void Painter::arrow(const RunFrame& run, Vec3 tail, Vec3 way, Rgb ink)
{
    if (!finite(tail) || !finite(way) || length(way) < 1e-3 * L_)
        return;
    const double longest = 1.2 * L_; // a multiplier that explodes at a singular point must not fill the view
    if (length(way) > longest)
        way = longest * unit(way);
    const double half = kArrow * L_ * (run.selected ? 1.0 : 0.8);
    const Rgb colour = run.selected ? ink : mix(ink, colours_.run(run.colour), 0.5);
    if (run.selected)
        flat_.arrow(tail, tail + way + (2.2 * kArrowHalo * L_) * unit(way), half + kArrowHalo * L_, {colours_.window, 0.9});
    flat_.arrow(tail, tail + way, half, {colour, run.selected ? 1.0 : 0.8});
}

void Painter::arrows(const Frame& frame, const RunFrame& run, Vec3 offset)
{
    const Vec3 lift = (kPinLift * L_) * camera_.toViewer();
    const auto draw = [&](const std::vector<double>& all, int count, double scale, Rgb ink) {
        for (int i = 0; i < count && all.size() >= static_cast<std::size_t>(6 * (i + 1)); ++i) {
            const double* a = all.data() + 6 * i;
            arrow(run, Vec3{a[0], a[1], a[2]} + offset + lift, scale * Vec3{a[3], a[4], a[5]}, ink);
        }
    };
    draw(run.arrows, model_.arrowCount, frame.metresPerNewton, colours_.force);
    draw(run.velocities, model_.velocityCount, frame.secondsShown, colours_.velocity);
}

} // namespace driftless::scene
