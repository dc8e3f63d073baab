// A DAE as a formulation writes it: rows that know where they come from, over named and typed unknowns.
//
// F(t, y, y', p) = 0. The rows that are shown are the rows that are differentiated and compiled. Rows mention unknowns by
// their symbols, y' as expr::rate(symbol), and parameters, among them the formulation's own gains.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/expr/Expr.h"
#include "core/model/ConstrainedSystem.h"

namespace driftless::formulation {

enum class UnknownKind { Position, Velocity, Acceleration, Multiplier, Auxiliary };

/// One component of y. start and startRate say how it is set from a model state: expressions over the symbols q, v, a,
/// lambda of the constrained system, time and parameters.
struct Unknown {
    expr::Symbol symbol;
    std::string name;
    std::string unit;
    UnknownKind kind = UnknownKind::Position;
    bool differential = true; ///< its rate occurs (links decide for unknowns that carry one)
    int indexOrder = 0;       ///< see solve::UnknownRole
    expr::Expr start;
    expr::Expr startRate;
};

/// Where a row comes from; the equation view colours by it.
enum class Provenance {
    Kinematic,          ///< q' = v
    Dynamic,            ///< the equations of motion
    Constraint,         ///< g = 0 as the joint states it
    DifferentiatedOnce, ///< dg/dt = 0
    DifferentiatedTwice,///< d2g/dt2 = 0
    Stabilised,         ///< a combination that pulls the residual back
    Link,               ///< integrated link between a coordinate and its derivative; the others are dummies
    Reduced             ///< projected onto minimal coordinates
};
std::string provenanceName(Provenance p);

struct Row {
    expr::Expr residual;
    Provenance provenance = Provenance::Dynamic;
    std::string name;     ///< "rod''", "bob.x: force balance"
    std::string origin;   ///< body or joint
    int constraint = -1;  ///< index of the constraint, -1 if none
};

/// The row der(y[unknown]) - y[rate] = 0, present while the link is integrated.
struct Link {
    int unknown;
    int rate;
};

/// Which links belong to which coordinate: choosing m of the n coordinates as dummies switches their links off.
struct PivotSpec {
    std::vector<std::vector<int>> linksOfCoordinate; ///< n lists of indices into Dae::links
};

/// Which levels of the constraints the form holds, up to the solver's tolerance.
struct Enforces {
    bool position = false;
    bool velocity = false;
    bool acceleration = false;
};

struct Dae {
    std::string formulation; ///< id
    int index = 0;           ///< claimed differentiation index
    std::vector<Unknown> unknowns;
    std::vector<Row> rows;   ///< without the links' rows
    std::vector<Link> links;
    std::optional<PivotSpec> pivot;
    bool projectPosition = false; ///< after each accepted step
    bool projectVelocity = false;
    Enforces enforces;
    std::vector<model::Parameter> gains; ///< the formulation's own parameters, live like the model's

    /// The model's state over the unknowns and their rates. a and lambda empty: computed from the model.
    std::vector<expr::Expr> q, v, a, lambda;
};

} // namespace driftless::formulation
