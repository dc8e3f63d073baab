// Three numbers with the few operations the scene's geometry needs.
#pragma once

#include <cmath>

namespace driftless::scene {

struct Vec3 {
    double x = 0, y = 0, z = 0;
};

inline Vec3 operator+(Vec3 a, Vec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vec3 operator-(Vec3 a, Vec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vec3 operator*(double s, Vec3 a) { return {s * a.x, s * a.y, s * a.z}; }
inline double dot(Vec3 a, Vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vec3 cross(Vec3 a, Vec3 b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
inline double length(Vec3 a) { return std::sqrt(dot(a, a)); }
/// a / |a|, or fallback when a has no direction.
inline Vec3 unit(Vec3 a, Vec3 fallback = {1, 0, 0})
{
    const double l = length(a);
    return l > 0 && std::isfinite(l) ? (1 / l) * a : fallback;
}
inline bool finite(Vec3 a) { return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z); }

/// An axis-aligned box; starts empty.
struct Bounds {
    Vec3 low{1, 1, 1}, high{-1, -1, -1};

    bool empty() const { return low.x > high.x; }
    void include(Vec3 p, double radius = 0)
    {
        if (!finite(p))
            return;
        const Vec3 r{radius, radius, radius};
        if (empty()) {
            low = p - r;
            high = p + r;
            return;
        }
        low = {std::fmin(low.x, p.x - radius), std::fmin(low.y, p.y - radius), std::fmin(low.z, p.z - radius)};
        high = {std::fmax(high.x, p.x + radius), std::fmax(high.y, p.y + radius), std::fmax(high.z, p.z + radius)};
    }
    Vec3 center() const { return 0.5 * (low + high); }
    Vec3 size() const { return empty() ? Vec3{} : high - low; }
    bool contains(Vec3 p) const
    {
        return p.x >= low.x && p.x <= high.x && p.y >= low.y && p.y <= high.y && p.z >= low.z && p.z <= high.z;
    }
};

} // namespace driftless::scene
