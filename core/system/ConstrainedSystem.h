// A constrained mechanical system in descriptor form, as every formulation receives it:
//
//   q' = Z(q, t) v                                                                              [St02] (1a)
//   M(q, t) v' = f(q, v, s, e, t) - (W + D)^T lambda,   W = d(g', psi)/dv = [G Z; psi_v],   G = dg/dq   [PP92] (2.1), [Fa]
//   (5.43) 0 = g(q, t)                    holonomic, rheonomic where t occurs 0 = psi(q, v, t)               nonholonomic,
//   linear in v s' = Sigma(q, v, s, e, t)      dynamic variables 0 = Gamma(q, v, s, e, t)       effort constraints, Gamma_e
//   regular
//
// q coordinates (n, [m] or [rad]); v velocities (n); a = v'; lambda multipliers (m, those of g first); s, e dynamic
// variables and efforts; p parameters. Z is the identity unless the model states a velocity basis. The rows of g are those
// the joints state: a rod of length L between two points is dx^2 + dy^2 - L^2, so its force is -2 lambda (dx, dy).
// D(q, t) is zero but for contacts that slide with friction (Constraint::drag).
// M need be positive definite on ker W only ([PP92] (2.4b)).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/expr/Expr.h"
#include "core/system/InputTable.h"
#include "core/system/Quantity.h"

namespace driftless::model {

/// One coordinate with its velocity and acceleration symbols: variable(name, 0 / 1 / 2), or, where the model states a
/// velocity basis, v = variable(basis name, 0), a = variable(basis name, 1).
struct Coordinate {
    std::string name; ///< "bob.x"
    std::string body; ///< "bob"
    std::string unit; ///< "m", "rad"; empty where the file states none and none follows
    expr::Symbol q, v, a;
    expr::Expr rate;          ///< q' = (Z v)_i: the symbol v where Z is the identity
    Quantity position;        ///< initial value of q (value is filled in from the expression below)
    Quantity velocity;        ///< initial value of v
    expr::Expr positionStart; ///< over parameters
    expr::Expr velocityStart;
    InitialStatus positionStatus = InitialStatus::Guess;
    InitialStatus velocityStatus = InitialStatus::Guess;
};

/// One scalar constraint on positions (holonomic) or on velocities (nonholonomic).
struct Constraint {
    std::string name;                ///< "rod" or "pin.x": unique in the model
    std::string joint;               ///< the joint it comes from
    std::vector<std::string> bodies; ///< the bodies it binds ("ground" included)
    bool holonomic = true;
    expr::Expr g;            ///< holonomic: g over q, t, p; else psi over q, v, t, p
    expr::Symbol multiplier; ///< variable("rod.lambda", 0)
    double multiplierStart = 0;
    SourcePosition position;
    /// None or n entries over q, t, p: the row's force is -(W^T + drag) lambda. Friction that its own force causes; it stays
    /// out of the row itself, so that the matrix of multipliers is not symmetric.
    std::vector<expr::Expr> drag{};
};

/// A constraint that others imply wherever the mechanism can go near its start (DependentRows.h, DependentVelocities.h): not
/// among the rows, its multiplier not determined and taken as zero.
struct Dependent {
    Constraint constraint;
    std::vector<std::string> follows; ///< names of the rows it is a combination of, at the start
};

/// How a row holds for a part of the time (Modes.h).
enum class OneSidedKind {
    Contact,  ///< g >= 0: a stop, a string, two surfaces; pushes with a multiplier that is not positive
    Friction, ///< Coulomb's: psi = 0 while it sticks, a force against psi while it slides
    Link      ///< a constraint that breaks
};

/// A row that is in force in some modes only. It is written as the constraint that it is while it is in force.
struct OneSided {
    OneSidedKind kind = OneSidedKind::Contact;
    Constraint row;
    expr::Expr scale;       ///< of a contact: change of g for each metre (or radian) that the gap opens, over p
    expr::Expr restitution; ///< of a contact, over p
    expr::Expr rest;        ///< of a contact: a rebound slower than this is none [m/s or rad/s], over p; zero: the usual limit
    expr::Expr limit;       ///< friction: the largest force that sticks; a link: the force that it stands [N or N m], over p
    expr::Expr sliding;     ///< friction: the force while it slides [N or N m], over p
    expr::Expr load;        ///< a link: the force that it carries [N], over q, t, p and the multipliers
    int contact = -1;       ///< friction by that earlier row's force: limit and sliding are over its multiplier; -1: none
    expr::Expr friction{};  ///< coefficient of sliding for each unit of the contact's multiplier, over p
    expr::Expr grip{};      ///< the same of sticking
    bool angular = false;   ///< g is an angle, psi an angular velocity: [rad], [rad/s] and [N m] in place of [m], [m/s] and [N]
};

/// A dynamic variable s with s' = Sigma: electrical charge, a controller's state.
struct DynamicVariable {
    std::string name;
    std::string unit;
    expr::Symbol s;   ///< variable(name, 0)
    expr::Expr rate;  ///< Sigma over q, v, s, e, t, p
    expr::Expr start; ///< over parameters
    SourcePosition position;
    double nominal = 0, tolerance = 0; ///< as in Quantity
};

/// An effort e that the constraint 0 = Gamma regulates.
struct Effort {
    std::string name;
    std::string unit;
    expr::Symbol e;      ///< variable(name, 0)
    expr::Expr equation; ///< Gamma over q, v, s, e, t, p
    expr::Expr start;    ///< guess, over parameters
    SourcePosition position;
    double nominal = 0, tolerance = 0; ///< as in Quantity
};

/// A value of a general DAE: an unknown x or one of its derivatives. A model of equations has these and no coordinates.
struct GeneralValue {
    std::string name; ///< "x", "x'"
    std::string unit, description;
    expr::Symbol symbol;   ///< variable(x, order)
    bool followed = false; ///< the next value is its rate
    double start = 0;      ///< kept where the equations allow it
    bool started = false;  ///< the text gives the start value
    InitialStatus status = InitialStatus::Guess;
    double nominal = 0; ///< of x itself, as the text states it; 0: none
};

/// A number of a general DAE that changes at events alone: a discrete variable, or which branch of a condition is in force.
struct HeldValue {
    std::string name; ///< "flying", "0 < x"
    std::string unit, description;
    expr::Symbol symbol; ///< a parameter of the equations
    double start = 0;
    bool whole = true;      ///< a whole number: of a condition 1 or 0
    bool condition = false; ///< found from the model's other values, and not named by it
};

/// Nonzero entry of the symmetric mass matrix (both triangles are listed).
struct MassEntry {
    int row, column;
    expr::Expr value;
};

/// Minimal coordinates s (n - m) with q = map(s, t): the state-space reference. inverse gives s from q on the manifold.
struct ChartCoordinate {
    std::string name; ///< "phi"
    std::string unit;
    expr::Symbol s, ds, dds; ///< variable(name, 0 / 1 / 2)
    expr::Expr inverse;      ///< over q, t, p
};
struct Chart {
    std::vector<ChartCoordinate> coordinates;
    std::vector<expr::Expr> map;      ///< one per coordinate of the system, over s, t, p
    std::vector<expr::Expr> velocity; ///< one per velocity of a velocity basis, over s, s', t, p; empty: d/dt map
};

/// What the scene draws; points are expressions over q, t, p in metres.
struct VisualPoint {
    expr::Expr x, y, z;
};
enum class VisualKind {
    PointMass,   ///< points: centre
    RigidBar,    ///< points: the ends of a rigid body's drawn shape
    RigidDisc,   ///< points: centre, a point on the rim; in space a second one, a quarter turn on
    RigidBlock,  ///< points: centre, a point on its x axis at half width; size2 = height / width; in space the other half axes
    RigidSphere, ///< points: centre, two points of the surface, a quarter turn apart
    Rod,         ///< massless rod; points: ends
    Pin,         ///< points: centre
    GroundPin,   ///< hatched support; points: centre
    SliderRail,  ///< points: two points of the line
    Slider,      ///< points: centre, a second point giving the direction of the rail
    Spring,      ///< points: ends
    Curve,       ///< points: a line through all of them, fixed to what carries it
    Damper,      ///< points: ends
    StopEnd      ///< points: where a way ends, a second point along the way
};
struct Visual {
    VisualKind kind;
    std::string owner; ///< body or joint it belongs to
    std::vector<VisualPoint> points;
    double size = 0; ///< [m], 0 = the scene chooses from the model's extent
    double size2 = 0;
};
/// A constraint force arrow: force on body at point, over q, t, p and the multipliers (order 0 symbols).
struct ForceArrow {
    std::string owner; ///< joint
    VisualPoint at;
    VisualPoint force; ///< [N]
};

/// A velocity that an output names, as an arrow at its point: over q, v, t, p.
struct VelocityArrow {
    std::string owner; ///< output
    VisualPoint at;
    VisualPoint velocity; ///< [m/s], against the ground and along its axes
};

struct Parameter {
    Quantity quantity;
    expr::Symbol symbol;
    expr::Expr binding{}; ///< over others that it follows until it is set itself (ParameterValues.h); a number: none
    bool whole = false, logical = false; ///< a whole number; of these 1 or 0 alone
    bool follows() const { return !binding.constantValue(); }
};

/// A number that the model names besides its state: recorded, plotted and measured under this name, of no effect on the motion.
struct Output {
    std::string name; ///< "height", "tip.x"
    std::string unit, description;
    expr::Expr value; ///< over q, v, a, s, e, multipliers, values, t, p
    SourcePosition position;
};

/// Energies that a model states itself, from which M and f were derived (Lagrangian.h).
struct StatedLagrangian {
    expr::Expr kinetic, potential;                             ///< T(q, q', t), U(q, t) [J]
    std::vector<std::pair<std::string, expr::Expr>> functions; ///< abbreviations: functions of q and t
};

struct ConstrainedSystem {
    std::vector<Parameter> parameters;
    std::vector<DerivedParameter> derived;
    std::vector<Coordinate> coordinates; ///< n
    std::vector<MassEntry> mass;         ///< over q, t, p
    std::vector<expr::Expr> force;       ///< f, n entries over q, v, s, e, t, p
    std::vector<Constraint> constraints; ///< m, the holonomic ones first
    std::vector<Dependent> dependent;    ///< set aside: they follow from constraints
    std::vector<OneSided> oneSided;      ///< in force by the mode
    std::vector<expr::Symbol> idle;      ///< multipliers of those that are not in force: zero
    std::vector<DynamicVariable> dynamics;
    std::vector<Effort> efforts;
    std::vector<GeneralValue> values; ///< of a general DAE: x, x', ... as far as the reduced equations hold them
    std::vector<HeldValue> held;      ///< of a general DAE with events
    expr::Expr kinetic;               ///< T [J]
    expr::Expr carried;               ///< -T1 - 2 T0 [J] of coordinates that move: T + V + this is Jacobi's energy function
    expr::Expr potential;             ///< V [J]: gravity, springs
    expr::Expr power; ///< work done on the system per second by forces outside V and by moving constraints [W], dissipation
                      ///< negative; may hold lambda
    std::optional<StatedLagrangian> lagrangian;
    std::optional<Chart> chart;
    std::vector<Visual> visuals;
    std::vector<ForceArrow> arrows;
    std::vector<VelocityArrow> velocities;
    std::vector<Output> outputs;
    std::vector<Constraint> startRows;  ///< that hold at the start alone: holonomic over q, else over q and v, linear in v
    std::vector<InputFile> inputFiles;  ///< beside the model: its text does not say all where there are any
    std::vector<double> corners, knots; ///< [s] sorted: where an input jumps or has a kink; where its third derivative jumps

    int n() const { return static_cast<int>(coordinates.size()); }
    int m() const { return static_cast<int>(constraints.size()); }
    /// Holonomic constraints; they are the first ones.
    int holonomic() const;
    /// Numbers in ModelState::lambda: multipliers, dynamic variables, efforts, values of a general DAE, idle multipliers,
    /// held values.
    int w() const
    {
        return m() + static_cast<int>(dynamics.size() + efforts.size() + values.size() + idle.size() + held.size());
    }
    /// Whether each velocity is the rate of its coordinate, by name too: q' = v.
    bool plainRates() const;
    /// The symbols behind ModelState::lambda.
    std::vector<expr::Symbol> wSymbols() const;
    std::vector<std::string> wNames() const;
};

/// d/dt along the motion: q' = Z v, v' = a, s' = Sigma; e' stays variable(e, 1).
expr::RateRule motionRule(const ConstrainedSystem& system);
/// Constraint i at level 0 (g), 1 (g' or psi), 2 (g'' or psi'); of many of a system: ConstraintLevels.h.
expr::Expr constraintAtLevel(const ConstrainedSystem& system, int i, int level);

} // namespace driftless::model
