// A plane mechanism as its file states it, before it becomes equations: bodies, joints, forces, chart.
//
// Lengths in m, angles in rad from the x axis counterclockwise, y up. Expressions are over parameters only, but for
// applied forces (over q, v, t, p), the chart's map (over s, t, p) and its inverse (over q, t, p).
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "core/expr/Expr.h"
#include "core/model/Model.h"

namespace driftless::model {

constexpr int kGround = -1;

/// An expression and where it was written.
struct PlacedExpr {
    expr::Expr value;
    SourcePosition position;
};

struct CoordinateStart {
    std::optional<PlacedExpr> position, velocity; ///< absent: from the chart's start, else 0
    bool positionFixed = false, velocityFixed = false;
};

enum class BodyKind { Point, Rigid };
enum class ShapeKind { Automatic, Bar, Disc, Block };

struct Shape {
    ShapeKind kind = ShapeKind::Automatic;
    std::vector<expr::Expr> numbers; ///< bar: x1, y1, x2, y2; disc: radius; block: width, height
    double aspect = 0;               ///< block: height / width
};

struct Body {
    std::string name;
    BodyKind kind = BodyKind::Point;
    PlacedExpr mass, inertia;              ///< [kg], [kg m^2] about the centre of mass
    std::array<CoordinateStart, 3> start;  ///< x, y, angle
    int first = 0;                         ///< index of its x among the coordinates
    Shape shape;
    SourcePosition position;

    int coordinateCount() const { return kind == BodyKind::Rigid ? 3 : 2; }
};

/// A point fixed to a body: local coordinates from its centre of mass, or ground coordinates.
struct Attachment {
    int body = kGround;
    expr::Expr u, v;
};

enum class JointKind { Pin, Rod, Slider, Weld };

struct Joint {
    std::string name;
    JointKind kind = JointKind::Pin;
    Attachment from, to;
    PlacedExpr length;      ///< rod [m]
    expr::Expr angle;       ///< slider: direction of the line in the frame of from [rad]
    expr::Expr turn;        ///< slider, weld: angle of to against from [rad]
    bool turns = false;     ///< slider: the sliding body may rotate
    std::array<double, 2> drawn{-1.5, 1.5}; ///< slider: ends of the drawn rail along its direction [m]
    SourcePosition position;
};

enum class ForceKind { Gravity, SpringDamper, JointFriction, Applied };

struct Force {
    std::string name;
    ForceKind kind = ForceKind::Gravity;
    std::vector<int> bodies;         ///< gravity: the bodies it pulls
    expr::Expr x, y;                 ///< gravity: acceleration [m/s^2]; applied: force [N]
    expr::Expr torque;               ///< applied [N m]
    Attachment from, to;             ///< spring-damper; applied: to is where it acts
    expr::Expr stiffness, damping, length; ///< [N/m], [N s/m], [m]
    int joint = 0;                   ///< joint-friction
    expr::Expr coefficient;          ///< [N m s] of pin and rod, [N s/m] of slider
    SourcePosition position;
};

/// A scalar coordinate stated directly: a third direction, an angle without a body.
struct GeneralCoordinate {
    std::string name;        ///< full name
    std::string body;        ///< empty, or the body it belongs to
    std::string unit;
    PlacedExpr mass;         ///< of its kinetic energy mass q'^2 / 2; zero is allowed where constraints fix it
    CoordinateStart start;
    SourcePosition position;
};

/// Equations stated as such, beside what bodies and joints give.
struct GeneralConstraint {
    std::string name;
    std::vector<std::string> bodies;
    bool holonomic = true;
    PlacedExpr residual;     ///< g(q, t) or psi(q, q', t)
};

struct GeneralForce {
    std::string coordinate;
    PlacedExpr value;        ///< over q, q', s, e, t
};

/// q' = Z v in velocities of its own names.
struct VelocityBasis {
    std::vector<std::string> names, units;
    std::vector<expr::Symbol> symbols;   ///< variable(name, 0)
    std::vector<PlacedExpr> rates;       ///< q'_i, one per coordinate, linear in the velocities
    std::vector<PlacedExpr> start;       ///< one per velocity, over parameters
    std::vector<expr::Expr> chart;       ///< one per velocity over the chart and its rates; empty without a chart
    SourcePosition position;
};

/// The table [lagrangian]: energies from which M and f are derived.
struct LagrangianStatement {
    PlacedExpr kinetic;      ///< over q, q', t, p
    PlacedExpr potential;    ///< over q, t, p
    std::vector<std::pair<std::string, expr::Expr>> functions; ///< over q, t, p
};

struct General {
    std::vector<GeneralCoordinate> coordinates;
    std::vector<GeneralConstraint> constraints;
    std::vector<GeneralForce> forces;
    std::vector<PlacedExpr> potentials;
    std::optional<LagrangianStatement> lagrangian;
    std::vector<DynamicVariable> dynamics;
    std::vector<Effort> efforts;
    std::optional<VelocityBasis> basis;
    std::vector<Visual> visuals;
};

struct ChartStart {
    std::optional<PlacedExpr> position, velocity;
};

struct Mechanism {
    std::vector<Parameter> parameters;
    std::vector<Body> bodies;
    std::vector<Joint> joints;
    std::vector<Force> forces;
    General general;
    std::optional<Chart> chart;
    std::vector<ChartStart> chartStarts;
    SourcePosition chartPosition;
};

/// Full names of all coordinates in order: those of the bodies, then the general ones.
std::vector<std::string> coordinateNames(const Mechanism& mechanism);

/// Adds what is stated as equations; forces has one list of terms per coordinate.
void addGeneral(const General& general, ConstrainedSystem& system, std::vector<std::vector<expr::Expr>>& forces,
                std::vector<expr::Expr>& potential, std::vector<expr::Expr>& power);
/// Adds M, C q' and the energies of a stated Lagrangian; throws a ReadError where T is not quadratic in the velocities.
void addLagrangian(const LagrangianStatement& stated, ConstrainedSystem& system, std::vector<std::vector<expr::Expr>>& forces,
                   std::vector<expr::Expr>& kinetic, std::vector<expr::Expr>& potential, std::vector<expr::Expr>& power);
/// Holonomic constraints first, and the power of constraints that move.
void finishConstraints(ConstrainedSystem& system, std::vector<expr::Expr>& power);
/// From q' to the velocities of the basis: M = Z^T M Z, f = Z^T (f - M Z' v).
void changeVelocities(const VelocityBasis& basis, ConstrainedSystem& system);

/// The symbols of coordinate k (0 x, 1 y, 2 angle) of a body by name: "bob.x".
std::string coordinateName(const Body& body, int k);

/// Equations of the mechanism: M, f, g, T, V, power, chart, visuals, arrows.
ConstrainedSystem assemble(const Mechanism& mechanism);

/// The first defect that only shows in numbers: masses, lengths, start values, chart at the start.
std::optional<Diagnostic> checkAtStart(const Mechanism& mechanism, const ConstrainedSystem& system);

} // namespace driftless::model
