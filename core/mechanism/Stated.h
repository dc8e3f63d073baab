// What a mechanism's file states besides bodies, joints and forces: outputs, what is fixed at the start, and expressions as
// they are written, for their units.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "core/expr/Expr.h"
#include "core/mechanism/Joint.h"

namespace driftless::model {

/// An expression and where it was written.
struct PlacedExpr {
    expr::Expr value;
    SourcePosition position;
};

/// An expression as the file has it, with the key that it is the value of.
struct WrittenExpression {
    expr::Expr value;
    std::string where, key;
    SourcePosition position;
    std::string unit{}; ///< that the file states for it, as for a parameter
};

/// A table [[output]]: an expression over the motion, or a sensor.
enum class OutputKind {
    Expression,
    Position,     ///< of a point, in a frame
    Velocity,     ///< of a point against the ground, along the axes of a frame
    Acceleration, ///< the same
    Distance,     ///< between two points
    Measure,      ///< angle or displacement of a joint
    Rate,         ///< of a joint
    AngularVelocity,
    Reaction, ///< the force that a joint's arrow shows
    KineticEnergy,
    PotentialEnergy
};

struct StatedOutput {
    std::string name, unit, description;
    OutputKind kind = OutputKind::Expression;
    Attachment from, to; ///< distance; the point is `to`
    int body = kGround;  ///< angular velocity
    int frame = kGround; ///< along whose axes
    int joint = 0;
    JointMeasure measure = JointMeasure::Angle;
    SourcePosition position;
};

/// A table [[start]]: what is fixed at the start beside coordinates.
struct StatedStart {
    std::string name;
    int joint = -1; ///< whose value, or rate, is fixed
    JointMeasure measure = JointMeasure::Angle;
    std::optional<Attachment> point;                      ///< whose coordinates are fixed
    std::array<std::optional<PlacedExpr>, 3> coordinates; ///< of the point [m]
    int body = kGround;                                   ///< whose angular velocity is fixed
    std::array<expr::Expr, 3> angularVelocity;            ///< along its own axes [rad/s]
    std::optional<PlacedExpr> value, rate;                ///< of the joint; or relations that vanish
    SourcePosition position;
};

/// A name that expressions over the motion may use.
struct MotionName {
    std::string name;
    int primes = 0;
    expr::Expr value;
};

} // namespace driftless::model
