#include "core/mechanism/Rotation.h"

#include <cmath>

namespace driftless::model {

using expr::Expr;

namespace {

/// Whole numbers stay exact, so that axes along the coordinates vanish from the equations.
Expr exactNumber(double x) { return x == std::round(x) && std::abs(x) < 1e6 ? Expr(static_cast<int>(x)) : Expr(x); }

} // namespace

Vector operator+(const Vector& a, const Vector& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
Vector operator-(const Vector& a, const Vector& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
Vector operator-(const Vector& a) { return {-a.x, -a.y, -a.z}; }
Vector operator*(const Expr& s, const Vector& a) { return {s * a.x, s * a.y, s * a.z}; }
Expr dot(const Vector& a, const Vector& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
Vector cross(const Vector& a, const Vector& b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
Vector rateOf(const Vector& a) { return {expr::timeDerivative(a.x), expr::timeDerivative(a.y), expr::timeDerivative(a.z)}; }
Vector vectorOf(const std::array<double, 3>& a) { return {exactNumber(a[0]), exactNumber(a[1]), exactNumber(a[2])}; }

Vector operator*(const Rotation& r, const Vector& a) { return a.x * r.columns[0] + a.y * r.columns[1] + a.z * r.columns[2]; }

Vector components(const Rotation& r, const Vector& a)
{
    return {dot(r.columns[0], a), dot(r.columns[1], a), dot(r.columns[2], a)};
}

Rotation operator*(const Rotation& a, const Rotation& b) { return {{a * b.columns[0], a * b.columns[1], a * b.columns[2]}}; }

Quaternion operator*(const Quaternion& a, const Quaternion& b)
{
    return {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3], a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
            a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1], a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
}

Quaternion quaternionOf(std::span<const Turn> turns)
{
    Quaternion e{Expr(1), Expr(0), Expr(0), Expr(0)};
    for (const Turn& turn : turns) {
        const Expr half = expr::rational(1, 2) * turn.angle, s = expr::sin(half);
        const Vector axis = vectorOf(turn.axis);
        e = e * Quaternion{expr::cos(half), s * axis.x, s * axis.y, s * axis.z};
    }
    return e;
}

Rotation rotationOf(const Quaternion& e)
{
    const auto square = [&](std::size_t i) { return expr::pow(e[i], Expr(2)); };
    const Expr two(2);
    return {{Vector{square(0) + square(1) - square(2) - square(3), two * (e[1] * e[2] + e[0] * e[3]),
                    two * (e[1] * e[3] - e[0] * e[2])},
             Vector{two * (e[1] * e[2] - e[0] * e[3]), square(0) - square(1) + square(2) - square(3),
                    two * (e[2] * e[3] + e[0] * e[1])},
             Vector{two * (e[1] * e[3] + e[0] * e[2]), two * (e[2] * e[3] - e[0] * e[1]),
                    square(0) - square(1) - square(2) + square(3)}}};
}

Rotation rotationOf(const Turn& turn)
{
    const Expr c = expr::cos(turn.angle), s = expr::sin(turn.angle);
    const Vector a = vectorOf(turn.axis);
    const auto column = [&](const Vector& u) { return c * u + s * cross(a, u) + ((Expr(1) - c) * dot(a, u)) * a; };
    return {{column({1, 0, 0}), column({0, 1, 0}), column({0, 0, 1})}};
}

Quaternion quaternionRate(const Quaternion& e, const Vector& w)
{
    const Quaternion rate = e * Quaternion{Expr(0), w.x, w.y, w.z};
    const Expr half = expr::rational(1, 2);
    return {half * rate[0], half * rate[1], half * rate[2], half * rate[3]};
}

Vector bodyRate(const Quaternion& e, const Quaternion& rate)
{
    const Quaternion conjugate{e[0], -e[1], -e[2], -e[3]}, w = conjugate * rate;
    return {Expr(2) * w[1], Expr(2) * w[2], Expr(2) * w[3]};
}

std::array<std::array<double, 3>, 2> normalsOf(const std::array<double, 3>& a)
{
    for (std::size_t k = 0; k < 3; ++k)
        if (std::abs(a[k]) == 1) {
            std::array<double, 3> u{}, v{};
            u[(k + 1) % 3] = 1;
            v[(k + 2) % 3] = a[k];
            return {u, v};
        }
    std::size_t least = 0;
    for (std::size_t k = 1; k < 3; ++k)
        if (std::abs(a[k]) < std::abs(a[least]))
            least = k;
    std::array<double, 3> helper{}, u, v;
    helper[least] = 1;
    const auto product = [](const std::array<double, 3>& x, const std::array<double, 3>& y) {
        return std::array<double, 3>{x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]};
    };
    u = product(helper, a);
    const double length = std::hypot(u[0], u[1], u[2]);
    for (double& x : u)
        x /= length;
    v = product(a, u);
    return {u, v};
}

} // namespace driftless::model
