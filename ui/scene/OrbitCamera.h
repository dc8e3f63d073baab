// The eye of the scene: a target, two angles and a size, moved by pixel deltas.
//
// yaw turns about the vertical (y), pitch about the horizontal of the picture; both 0 is the front view, x to the right, y
// up, looking along -z. Plane models are seen in parallel projection, space models in perspective of 30 degrees.
#pragma once

#include "ui/scene/Vec3.h"

namespace driftless::scene {

class OrbitCamera {
public:
    static constexpr double kViewAngle = 30.0;                           ///< [deg] vertical opening in perspective
    static constexpr double kOpening = 0.267949192431122706472553658494; ///< tangent of half of it, 2 - sqrt(3)

    void setPerspective(bool on) { perspective_ = on; }
    bool perspective() const { return perspective_; }
    void setViewport(int width, int height);
    int width() const { return width_; }
    int height() const { return height_; }

    void setAngles(double yaw, double pitch);
    double yaw() const { return yaw_; }
    double pitch() const { return pitch_; }

    /// Deltas in pixels, x to the right, y down.
    void orbit(double dx, double dy);
    void pan(double dx, double dy);
    /// factor > 1 comes nearer; the point of the target plane under pixel (x, y) stays where it is.
    void zoom(double factor, double x, double y);
    /// Shows the whole box, with a margin, from the present angles. corners below 1: only that share of the way from the
    /// ellipsoid within to its corners, which what turns in space seldom reaches.
    void fit(const Bounds& box, double corners = 1);

    // Unit vectors, kept since every vertex of a mesh asks for them.
    Vec3 right() const { return right_; }
    Vec3 up() const { return up_; }
    Vec3 toViewer() const { return toViewer_; }
    Vec3 target() const { return target_; }
    Vec3 eye() const;
    double distance() const { return halfHeight_ / kOpening; }
    double halfHeight() const { return halfHeight_; }

    struct Pixel {
        double x = 0, y = 0;
    };
    Pixel project(Vec3 p) const;
    /// Metres per pixel in the depth of p.
    double pixelSize(Vec3 p) const
    {
        const double scale = perspective_ ? std::fmax(1e-3, 1 - dot(p - target_, toViewer_) / distance()) : 1;
        return 2 * halfHeight_ * scale / height_;
    }

private:
    Vec3 target_, right_{1, 0, 0}, up_{0, 1, 0}, toViewer_{0, 0, 1};
    double yaw_ = 0, pitch_ = 0;
    double halfHeight_ = 1; ///< [m] seen at the target
    int width_ = 100, height_ = 100;
    bool perspective_ = false;
};

} // namespace driftless::scene
