// Vectors and rotations of expressions.
//
//   R(e)   orientation of a body from its unit quaternion e = (e0, e1, e2, e3), e0 the scalar part; in the homogeneous form
//          R = |e|^2 Q with Q orthogonal, whose entries are quadratic in e     Nikravesh 1988 (6.13), with e0^2 + ... instead
//          of 1
//   w' = 2 G(e) e'   angular velocity in the body's frame                       Nikravesh 1988 (6.106)
#pragma once

#include <array>
#include <span>

#include "core/expr/Expr.h"
#include "core/mechanism/Mechanism.h"

namespace driftless::model {

struct Vector {
    expr::Expr x, y, z;
};

Vector operator+(const Vector& a, const Vector& b);
Vector operator-(const Vector& a, const Vector& b);
Vector operator-(const Vector& a);
Vector operator*(const expr::Expr& s, const Vector& a);
expr::Expr dot(const Vector& a, const Vector& b);
Vector cross(const Vector& a, const Vector& b);
/// d/dt along the motion.
Vector rateOf(const Vector& a);
Vector vectorOf(const std::array<double, 3>& a);

/// The columns are the turned unit vectors.
struct Rotation {
    std::array<Vector, 3> columns{Vector{1, 0, 0}, Vector{0, 1, 0}, Vector{0, 0, 1}};
};
Vector operator*(const Rotation& r, const Vector& a);
/// R^T a: components of a along the turned unit vectors.
Vector components(const Rotation& r, const Vector& a);
Rotation operator*(const Rotation& a, const Rotation& b);

using Quaternion = std::array<expr::Expr, 4>;
Quaternion operator*(const Quaternion& a, const Quaternion& b);
Quaternion quaternionOf(std::span<const Turn> turns);
Rotation rotationOf(const Quaternion& e);
/// About an axis of unit length.
Rotation rotationOf(const Turn& turn);
/// e' of a body that turns with w' (in its own frame): e' = G^T w' / 2.
Quaternion quaternionRate(const Quaternion& e, const Vector& bodyRate);
/// w' = 2 G(e) e'.
Vector bodyRate(const Quaternion& e, const Quaternion& rate);

/// Two unit vectors that complete a unit vector to a right-handed frame; along the axes where it is along one.
std::array<std::array<double, 3>, 2> normalsOf(const std::array<double, 3>& axis);

} // namespace driftless::model
