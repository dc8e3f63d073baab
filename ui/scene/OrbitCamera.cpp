#include "ui/scene/OrbitCamera.h"

#include <algorithm>
#include <numbers>

namespace driftless::scene {

namespace {

constexpr double kDegree = std::numbers::pi / 180;
constexpr double kRadiansPerPixel = 0.4 * kDegree;
constexpr double kMargin = 1.05;                   // room around the fitted box
constexpr double kPitchLimit = 89 * kDegree;       // the horizon never tips over
constexpr double kSmallest = 1e-9, kLargest = 1e9; // [m] half heights that can be zoomed to

} // namespace

void OrbitCamera::setViewport(int width, int height)
{
    width_ = std::max(1, width);
    height_ = std::max(1, height);
}

void OrbitCamera::setAngles(double yaw, double pitch)
{
    yaw_ = std::remainder(yaw, 2 * std::numbers::pi);
    pitch_ = std::clamp(pitch, -kPitchLimit, kPitchLimit);
    right_ = {std::cos(yaw_), 0, -std::sin(yaw_)};
    toViewer_ = {std::sin(yaw_) * std::cos(pitch_), std::sin(pitch_), std::cos(yaw_) * std::cos(pitch_)};
    up_ = cross(toViewer_, right_);
}

void OrbitCamera::orbit(double dx, double dy) { setAngles(yaw_ - dx * kRadiansPerPixel, pitch_ + dy * kRadiansPerPixel); }

void OrbitCamera::pan(double dx, double dy)
{
    const double metres = pixelSize(target_);
    target_ = target_ - (dx * metres) * right() + (dy * metres) * up();
}

void OrbitCamera::zoom(double factor, double x, double y)
{
    if (!(factor > 0) || !std::isfinite(factor))
        return;
    const double before = halfHeight_;
    halfHeight_ = std::clamp(halfHeight_ / factor, kSmallest, kLargest);
    const double moved = 2 * (before - halfHeight_) / height_; // metres per pixel gained
    target_ = target_ + (moved * (x - 0.5 * width_)) * right() - (moved * (y - 0.5 * height_)) * up();
}

void OrbitCamera::fit(const Bounds& box, double corners)
{
    if (box.empty())
        return;
    target_ = box.center();
    const Vec3 h = 0.5 * box.size();
    const Vec3 r = right(), u = up(), d = toViewer();
    // How far the ellipsoid within the box reaches, and from there its corner.
    const auto reach = [&h, corners](Vec3 way) {
        const double corner = std::fabs(way.x) * h.x + std::fabs(way.y) * h.y + std::fabs(way.z) * h.z;
        const double round = length({way.x * h.x, way.y * h.y, way.z * h.z});
        return corners * corner + (1 - corners) * round;
    };
    const double halfWidth = reach(r), halfTall = reach(u);
    const double aspect = static_cast<double>(width_) / height_;
    halfHeight_ = kMargin * std::max(halfTall, halfWidth / aspect);
    if (perspective_) {
        // The nearest corner looks larger by distance / (distance - depth); step back by that depth.
        const double depth = reach(d);
        halfHeight_ += depth * std::tan(0.5 * kViewAngle * kDegree);
    }
    if (!(halfHeight_ > kSmallest))
        halfHeight_ = 1;
    halfHeight_ = std::min(halfHeight_, kLargest);
}

Vec3 OrbitCamera::eye() const { return target_ + distance() * toViewer(); }

OrbitCamera::Pixel OrbitCamera::project(Vec3 p) const
{
    const double metres = pixelSize(p);
    const Vec3 d = p - target_;
    return {0.5 * width_ + dot(d, right()) / metres, 0.5 * height_ - dot(d, up()) / metres};
}

} // namespace driftless::scene
