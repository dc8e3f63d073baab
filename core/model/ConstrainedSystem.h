// A constrained mechanical system in descriptor form, as every formulation receives it:
//
//   q' = v,   M(q, t) v' = f(q, v, t) - G(q, t)^T lambda,   0 = g(q, t),   G = dg/dq           [PP92] (2.1)
//
// q coordinates (n, [m] or [rad]); v velocities; a = v'; lambda multipliers (m); p parameters. The rows of g are those
// the joints state: a rod of length L between two points is dx^2 + dy^2 - L^2, so its force is -2 lambda (dx, dy).
// All members are expressions over time, parameters and the symbols q, v.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/expr/Expr.h"
#include "core/model/Quantity.h"

namespace driftless::model {

/// One coordinate with its velocity and acceleration symbols: variable(name, 0 / 1 / 2).
struct Coordinate {
    std::string name;     ///< "bob.x"
    std::string body;     ///< "bob"
    std::string unit;     ///< "m" or "rad"
    expr::Symbol q, v, a;
    Quantity position;    ///< initial value of q (value is filled in from the expression below)
    Quantity velocity;    ///< initial value of v
    expr::Expr positionStart; ///< over parameters
    expr::Expr velocityStart;
    InitialStatus positionStatus = InitialStatus::Guess;
    InitialStatus velocityStatus = InitialStatus::Guess;
};

/// One scalar holonomic constraint.
struct Constraint {
    std::string name;                ///< "rod" or "pin.x": unique in the model
    std::string joint;               ///< the joint it comes from
    std::vector<std::string> bodies; ///< the bodies it binds ("ground" included)
    expr::Expr g;                    ///< over q, t, p
    expr::Symbol multiplier;         ///< variable("rod.lambda", 0)
    double multiplierStart = 0;
    SourcePosition position;
};

/// Nonzero entry of the symmetric mass matrix (both triangles are listed).
struct MassEntry {
    int row;
    int column;
    expr::Expr value;
};

/// Minimal coordinates s (n - m) with q = map(s, t): the state-space reference. inverse gives s from q on the manifold.
struct ChartCoordinate {
    std::string name;    ///< "phi"
    std::string unit;
    expr::Symbol s, ds, dds; ///< variable(name, 0 / 1 / 2)
    expr::Expr inverse;  ///< over q, t, p
};
struct Chart {
    std::vector<ChartCoordinate> coordinates;
    std::vector<expr::Expr> map; ///< one per coordinate of the system, over s, t, p
};

/// What the scene draws; points are expressions over q, t, p in metres.
struct VisualPoint {
    expr::Expr x, y, z;
};
enum class VisualKind {
    PointMass,   ///< points: centre
    RigidBar,    ///< points: the ends of a rigid body's drawn shape
    RigidDisc,   ///< points: centre, a point on the rim
    RigidBlock,  ///< points: centre, a point on its x axis at half width; size2 = height / width
    Rod,         ///< massless rod; points: ends
    Pin,         ///< points: centre
    GroundPin,   ///< hatched support; points: centre
    SliderRail,  ///< points: two points of the line
    Slider,      ///< points: centre, a second point giving the direction of the rail
    Spring       ///< points: ends
};
struct Visual {
    VisualKind kind;
    std::string owner;               ///< body or joint it belongs to
    std::vector<VisualPoint> points;
    double size = 0;                 ///< [m], 0 = the scene chooses from the model's extent
    double size2 = 0;
};
/// A constraint force arrow: force on body at point, over q, t, p and the multipliers (order 0 symbols).
struct ForceArrow {
    std::string owner;  ///< joint
    VisualPoint at;
    VisualPoint force;  ///< [N]
};

struct Parameter {
    Quantity quantity;
    expr::Symbol symbol;
};

struct ConstrainedSystem {
    std::vector<Parameter> parameters;
    std::vector<Coordinate> coordinates;     ///< n
    std::vector<MassEntry> mass;             ///< over q, t, p
    std::vector<expr::Expr> force;           ///< f, n entries over q, v, t, p
    std::vector<Constraint> constraints;     ///< m
    expr::Expr kinetic;                      ///< T [J]
    expr::Expr potential;                    ///< V [J]: gravity, springs
    expr::Expr power;                        ///< work done on the system per second by forces outside V [W], dissipation negative
    std::optional<Chart> chart;
    std::vector<Visual> visuals;
    std::vector<ForceArrow> arrows;

    int n() const { return static_cast<int>(coordinates.size()); }
    int m() const { return static_cast<int>(constraints.size()); }
};

} // namespace driftless::model
