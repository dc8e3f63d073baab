// A DAE as a formulation writes it: rows that know where they come from, over named and typed unknowns.
//
// F(t, y, y', p) = 0. The rows that are shown are the rows that are differentiated and compiled. Rows mention unknowns by
// their symbols, y' as expr::rate(symbol), and parameters, among them the formulation's own gains.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/expr/Expr.h"
#include "core/system/ConstrainedSystem.h"

namespace driftless::model {
struct NominalScales;
}

namespace driftless::formulation {

enum class UnknownKind { Position, Velocity, Acceleration, Multiplier, Auxiliary, Dynamic, Effort };

/// One component of y. start and startRate say how it is set from a model state: expressions over the symbols q, v, a,
/// lambda of the constrained system, time and parameters.
struct Unknown {
    expr::Symbol symbol;
    std::string name;
    std::string unit{};
    UnknownKind kind = UnknownKind::Position;
    bool differential = true; ///< its rate occurs (links decide for unknowns that carry one)
    int indexOrder = 0;       ///< see solve::UnknownRole
    expr::Expr start;
    expr::Expr startRate;
    bool solvedAtStart = false; ///< value and rate at the start follow from the rows, given the other unknowns
};

/// Where a row comes from; the equation view colours by it.
enum class Provenance {
    Kinematic,            ///< q' = Z v
    Dynamic,              ///< the equations of motion
    Constraint,           ///< g = 0 or psi = 0 as the model states it
    DifferentiatedOnce,   ///< dg/dt = 0
    DifferentiatedTwice,  ///< d2g/dt2 = 0
    DifferentiatedThrice, ///< d3g/dt3 = 0
    Stabilised,           ///< a combination that pulls the residual back
    Link,                 ///< integrated link between a coordinate and its derivative; the others are dummies
    Reduced,              ///< projected onto minimal coordinates or onto a basis
    Effort,               ///< an effort constraint
    DynamicVariable,      ///< s' = Sigma
    Definition,           ///< of an auxiliary unknown that stands for an inverse
    Stated,               ///< an equation of a general DAE as the text states it
    Combined              ///< stands in place of one: a combination in which the highest derivatives cancel
};
std::string provenanceName(Provenance p);

struct Row {
    expr::Expr residual;
    Provenance provenance = Provenance::Dynamic;
    std::string name;                   ///< "rod''", "bob.x: force balance"
    std::string origin;                 ///< body or joint
    int constraint = -1;                ///< index of the constraint, -1 if none
    std::optional<expr::Symbol> link{}; ///< the unknown u of a link der(u) - w = 0, shown as der(u) = w
};

/// Rows of Dae::choices that belong to coordinates: choosing as many dummies as there are constraints (h positions, m
/// velocities) leaves the rows of the other coordinates in force.
struct PivotSpec {
    std::vector<int> positionRows; ///< n: index into Dae::choices of the row in force unless position i is a dummy
    std::vector<int> velocityRows; ///< n: the same for velocity i
    bool separate = false;         ///< positions and velocities are chosen apart even where one choice would do for both
    bool throughMass = false;      ///< the velocity rows are equations of motion: judged by W M^-1 instead of W
};

/// Rows of Dae::choices of a general DAE: choice k links unknown from[k] with the next one, its rate, unless that is a dummy.
/// Where the next one is the highest derivative, the rate takes its place in the rows, and neither it nor the link is there.
struct LinkSpec {
    std::vector<int> from;
    std::vector<char> highest; ///< of each unknown: whether it is the highest derivative of its variable
    std::vector<int> block;    ///< of each unknown, in the block lower triangular form
    std::vector<int> dummies;  ///< of the analysis: sorted unknowns
};

/// What numbers that are held between steps stand for. They enter the rows as parameters, row by row.
enum class BasisKind {
    PositionKernel,    ///< n - h rows: A^T with A orthonormal, spanning ker G
    VelocityKernel,    ///< n - m rows: A^T with A orthonormal, spanning ker W
    PositionGradients, ///< h rows: G
    VelocityGradients, ///< m rows: W
    Multipliers        ///< one row: the multipliers carried over from the last step
};
struct Basis {
    BasisKind kind;
    int rows = 0, columns = 0;
    std::vector<expr::Symbol> entries;
};
/// When bases are brought up to date.
enum class BasisUpdate {
    Continuous, ///< with every evaluation, at the position it is made for
    WhenDue,    ///< after a step that turned the constraints too far away
    Frozen      ///< never by itself
};

/// A correction after each accepted step.
struct Projection {
    bool position = false, velocity = false;
    bool massMetric = true; ///< smallest in the metric of M, else in that of the coordinates
    int thresholdGain = -1; ///< index of the gain that holds the residual above which it acts; -1: always
    bool any() const { return position || velocity; }
};

/// Which levels of the constraints the form holds, up to the solver's tolerance.
struct Enforces {
    bool position = false;
    bool velocity = false;
    bool acceleration = false;
    bool operator==(const Enforces&) const = default;
};

/// The unit of a gain, as powers of the nominal sizes of the model (model/NominalScales.h): length^length E^energy T^time
/// R^row. A unit above 1 multiplies the maximum of the gain, a unit below 1 its minimum: the range only grows.
struct NominalGain {
    std::size_t gain = 0; ///< index in Dae::gains
    int length = 0, energy = 0, time = 0, row = 0;
    bool usual = false; ///< the default counts in it, too; else the default is a number in the units of the file
};

struct Dae {
    std::string formulation; ///< id
    int index = 0; ///< how many differentiations of constraints the rows leave to be done: what a method has to cope with
    int differentiationIndex = -1; ///< claimed; less than index where M spares the constraints (MassRank.cpp), -1: not set yet
    std::vector<Unknown> unknowns;
    std::vector<Row> rows;
    std::vector<Row> choices; ///< rows of which the pivot picks
    std::optional<PivotSpec> pivot;
    std::optional<LinkSpec> links;
    std::vector<Basis> bases;
    BasisUpdate basisUpdate = BasisUpdate::WhenDue;
    /// The last overdetermined rows of rows exceed the unknowns that are shown; as many auxiliary unknowns sigma, the last
    /// ones, combine them: the Newton system of the first N rows A1 s = b1 and of the last A2 s = b2 is solved as
    /// A1 s + A2^T sigma = b1, A2 s = b2, the ssf-solution [PP92] (3.14). sigma occurs in no row as it is shown.
    int overdetermined = 0;
    bool semiExplicit =
        true; ///< the rows fix the rates of the differential and the values of the other unknowns at one instant
    /// Of a mechanism the rows are q' = Z v, M v' = f - W^T lambda, W v' + gamma = 0 as they stand.
    bool accelerationsStated = false;
    bool yields = false;        ///< springs stand for the constraints: they give way, and their energy is in no balance
    bool needsRateRank = false; ///< [G; L] must have full rank, L = d(W v + g_t)/dq: [PP92] (3.24)
    Projection projection;
    Enforces enforces;
    std::vector<model::Parameter> gains;   ///< the formulation's own parameters, live like the model's
    std::vector<NominalGain> nominalGains; ///< of gains that have a unit
    /// Weights of A2^T sigma in the first rows of an overdetermined form; empty: ones.
    std::vector<expr::Expr> combination;

    /// The model's state over the unknowns and their rates. a and lambda (m) empty: computed from the model. extra:
    /// dynamic variables and efforts; or the values of a general DAE.
    std::vector<expr::Expr> q, v, a, lambda, extra;
};

/// What a form consists of, for people.
struct DaeSize {
    int index = 0;     ///< of differentiation
    int equations = 0; ///< in force: of the choices those that the dummies leave
    int unknowns = 0;  ///< without the sigma of an overdetermined form
    int overdetermined = 0;
};
DaeSize sizeOf(const Dae& dae, const model::ConstrainedSystem& system);

/// The gains as they are where nobody sets them, in the nominal sizes of the model.
std::vector<double> usualGains(const Dae& dae, const model::NominalScales& scales);

struct GainRange {
    double minimum = 0, maximum = 0;
};
/// The values that gain i may take, in the nominal sizes of the model.
GainRange gainRange(const Dae& dae, std::size_t i, const model::NominalScales& scales);

} // namespace driftless::formulation
