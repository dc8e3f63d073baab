// A mechanism as its file states it, before it becomes equations: bodies, joints, forces, chart.
//
// Lengths in m, angles in rad. In the plane angles count from the x axis counterclockwise and y is up; in space z is up.
// Expressions are over parameters only, but for applied forces (over q, v, t, p), the chart's map (over s, t, p) and its
// inverse (over q, t, p).
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "core/expr/Expr.h"
#include "core/mechanism/Joint.h"
#include "core/mechanism/Stated.h"
#include "core/system/Model.h"

namespace driftless::model {

struct TomlValue;

struct CoordinateStart {
    std::optional<PlacedExpr> position, velocity; ///< absent: from the chart's start, else 0
    bool positionFixed = false, velocityFixed = false;
    double nominal = 0, tolerance = 0, velocityTolerance = 0; ///< as in Quantity; 0: not stated
};

enum class BodyKind { Point, Rigid };
enum class ShapeKind { Automatic, Bar, Disc, Block, Sphere };
/// What states the orientation of a rigid body: one angle in the plane; in space the unit quaternion e (e0 the scalar part, |e|
/// = 1 a constraint, so that M is positive definite on the kernel of the constraints only) or three angles about body-fixed
/// axes.
enum class Orientation { None, Angle, Quaternion, Angles };

struct Shape {
    ShapeKind kind = ShapeKind::Automatic;
    std::vector<expr::Expr> numbers;     ///< bar: both ends; disc, sphere: radius; block: width, height (and depth in space)
    double aspect = 0;                   ///< block in the plane: height / width
    std::array<double, 3> axis{0, 0, 1}; ///< disc in space
};

/// A turn about an axis (unit length) that is fixed in what has been turned so far.
struct Turn {
    std::array<double, 3> axis;
    expr::Expr angle; ///< [rad]
};

struct Body {
    std::string name;
    BodyKind kind = BodyKind::Point;
    Orientation orientation = Orientation::None;
    bool space = false;
    std::string axes;                 ///< Angles: "xyz", "zxz", ...
    PlacedExpr mass, inertia;         ///< [kg], [kg m^2] about the centre of mass (plane)
    std::array<PlacedExpr, 6> tensor; ///< [kg m^2] space: xx, yy, zz, xy, xz, yz of the symmetric matrix in the body's frame
    std::array<CoordinateStart, 7> start; ///< plane: x, y, angle; space: x, y, z, then e0..e3 or a1..a3
    int first = 0;                        ///< index of its x among the coordinates
    Shape shape;
    SourcePosition position;

    int coordinateCount() const
    {
        const int places = space ? 3 : 2;
        switch (orientation) {
        case Orientation::Angle:
            return places + 1;
        case Orientation::Quaternion:
            return places + 4;
        case Orientation::Angles:
            return places + 3;
        case Orientation::None:
            break;
        }
        return places;
    }
};

enum class ForceKind { Gravity, SpringDamper, JointFriction, Applied, TorsionalSpring, Actuator, Gravitation };

struct Force {
    std::string name;
    ForceKind kind = ForceKind::Gravity;
    std::vector<int> bodies;               ///< gravity, gravitation: the bodies it pulls
    expr::Expr x, y, z;                    ///< gravity: acceleration [m/s^2]; applied: force [N]
    expr::Expr torque;                     ///< applied in the plane [N m]
    std::array<expr::Expr, 3> torques;     ///< applied in space [N m]
    bool inBody = false;                   ///< applied in space: components along the body's axes
    Attachment from, to;                   ///< spring-damper; applied: to is where it acts
    expr::Expr stiffness, damping, length; ///< [N/m], [N s/m], [m]; torsional [N m/rad], [N m s/rad], [rad]
    std::optional<expr::Expr> tension;     ///< spring-damper: over springLength(), springRate(), t, p [N]
    int joint = 0;                         ///< joint-friction, torsional-spring, actuator
    expr::Expr coefficient;                ///< [N m s] of pin and rod, [N s/m] of slider; gravitation [m^3/(kg s^2)]
    expr::Expr coulomb, speed;             ///< joint-friction: [N m] or [N], and the rate below which it fades
    expr::Expr effort;                     ///< actuator: over q, v, t, p [N m] or [N]
    SourcePosition position;

    static const expr::Expr& springLength(); ///< the symbol l of a tension
    static const expr::Expr& springRate();   ///< the symbol rate of a tension
};

/// A scalar coordinate stated directly: a third direction, an angle without a body.
struct GeneralCoordinate {
    std::string name; ///< full name
    std::string body; ///< empty, or the body it belongs to
    std::string unit;
    PlacedExpr mass; ///< of its kinetic energy mass q'^2 / 2; zero is allowed where constraints fix it
    CoordinateStart start;
    SourcePosition position;
};

/// Equations stated as such, beside what bodies and joints give.
struct GeneralConstraint {
    std::string name;
    std::vector<std::string> bodies;
    bool holonomic = true;
    PlacedExpr residual; ///< g(q, t) or psi(q, q', t)
};

struct GeneralForce {
    std::string coordinate;
    PlacedExpr value; ///< over q, q', s, e, t
};

/// q' = Z v in velocities of its own names.
struct VelocityBasis {
    std::vector<std::string> names, units;
    std::vector<expr::Symbol> symbols; ///< variable(name, 0)
    std::vector<PlacedExpr> rates;     ///< q'_i, one per coordinate, linear in the velocities
    std::vector<PlacedExpr> start;     ///< one per velocity, over parameters
    std::vector<expr::Expr> chart;     ///< one per velocity over the chart and its rates; empty without a chart
    SourcePosition position;
};

/// The table [lagrangian]: energies from which M and f are derived.
struct LagrangianStatement {
    PlacedExpr kinetic;                                        ///< over q, q', t, p
    PlacedExpr potential;                                      ///< over q, t, p
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
    bool space = false; ///< dimensions = 3
    std::vector<Parameter> parameters;
    std::vector<DerivedParameter> derived;
    std::vector<Body> bodies;
    std::vector<Joint> joints;
    std::vector<Force> forces;
    General general;
    std::optional<Chart> chart;
    std::vector<ChartStart> chartStarts;
    SourcePosition chartPosition;
    std::vector<std::pair<std::string, expr::Expr>> inputs; ///< by name: u(t) over t and parameters
    std::vector<InputFile> inputFiles;                      ///< that they are read from
    std::vector<double> corners, knots;                     ///< of them, as in ConstrainedSystem
    std::vector<StatedOutput> outputs;
    std::vector<StatedStart> starts;
    std::vector<MotionName> motionNames;    ///< that expressions over the motion may use; filled where there are outputs
    std::vector<WrittenExpression> written; ///< all that are expressions and no numbers, for their units
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

/// The name of coordinate k of a body: "bob.x", "top.e0".
std::string coordinateName(const Body& body, int k);

/// Equations of the mechanism: M, f, g, T, V, power, chart, visuals, arrows.
ConstrainedSystem assemble(const Mechanism& mechanism);

/// Rates of coordinates, and their rates, in the velocities of the basis; what it is where q' = v.
expr::Expr inBasisVelocities(const expr::Expr& value, const ConstrainedSystem& system);

/// A coordinate without a unit is an angle where it stands in the argument of a sine, cosine or tangent with a plain number as
/// its factor; otherwise it keeps none.
void settleUnits(ConstrainedSystem& system);

/// Where the units of expressions do not fit one another or the key that they stand at, each place once; quantities without a
/// unit fit everywhere.
std::vector<Diagnostic> unitWarningsOf(const Mechanism& mechanism, const TomlValue& root, const ConstrainedSystem& system);

/// The condition on a size; where says whose it is, why what it is needed for.
Requirement aboveZero(const PlacedExpr& size, const std::string& what, const std::string& where, const std::string& why);
/// Masses, inertias, lengths and radii, as conditions on the parameters.
std::vector<Requirement> requirementsOf(const Mechanism& mechanism, const ConstrainedSystem& system);
/// The first defect that only shows in numbers: requirements, start values, chart at the start.
std::optional<Diagnostic> checkAtStart(const Mechanism& mechanism, const ConstrainedSystem& system,
                                       const std::vector<Requirement>& requirements);

} // namespace driftless::model
