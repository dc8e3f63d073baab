// A general DAE F(t, x, x', x'', ...) = 0 of named unknowns.
#pragma once

#include <string>
#include <vector>

#include "core/expr/Expr.h"
#include "core/system/InputTable.h"
#include "core/system/Quantity.h"

namespace driftless::model {

struct EquationParameter {
    Quantity quantity;                       ///< value: of its binding
    expr::Expr binding;                      ///< over parameters
    bool logical = false;                    ///< a Boolean
    bool whole = false;                      ///< an Integer or a Boolean
    expr::Expr minimumFrom{}, maximumFrom{}; ///< bounds over parameters; numbers: none but those of the quantity
};

struct EquationUnknown {
    Quantity quantity; ///< value: of its start expression
    InitialStatus status = InitialStatus::Guess;
    bool started = false;   ///< the text gives a start value
    expr::Expr startFrom{}; ///< over the parameters that it follows; a number: none
};

struct Equation {
    std::string name; ///< "eq3": third equation of the text
    std::string description;
    expr::Expr residual; ///< left side minus right side
    SourcePosition position;
};

/// Of an Integer: from 2^53 on a double is not told apart from its neighbours.
inline constexpr double kLargestWhole = 9007199254740992.0;

/// A number that changes at events alone. In the equations it is a parameter of this name.
struct HeldVariable {
    enum class Kind { Boolean, Integer, Real, Condition };
    Kind kind = Kind::Boolean;
    Quantity quantity; ///< value: with which it starts; 1 is true, 0 is not
    bool started = false;
    expr::Expr startFrom{}; ///< as of an unknown
    /// Of a condition left > right (strict) or left >= right in the text: left - right. Its name is what is written.
    expr::Expr difference;
    bool strict = true;
    int of = -1; ///< its value is pre() of this one, which an equation mentions
};

/// What is done at an event. Values are over unknowns, parameters, held variables, t, and preSymbol() of these.
struct EventAction {
    enum class Kind { Set, Reinit, Assert, Terminate };
    Kind kind = Kind::Set;
    int target = -1;      ///< Set: held variable
    std::string variable; ///< Reinit: an unknown
    expr::Expr value;     ///< Set, Reinit; Assert: what has to be true
    std::string message;  ///< Assert, Terminate
    bool warns = false;   ///< Assert: the run goes on
    SourcePosition position;
};

/// `when c then ...`, or one of its `elsewhen`: done where one of the conditions has become true.
struct WhenBranch {
    std::vector<expr::Expr> conditions;
    std::vector<EventAction> actions; ///< those that set come first, each behind those that it needs
    bool atStart = false;             ///< one of the conditions is initial()
    std::string written;              ///< the conditions as the text states them
    SourcePosition position;
};
/// A statement that acts at events: without branches the action is done at each, the equation of a held variable or an
/// assertion.
struct EventStatement {
    std::vector<WhenBranch> branches; ///< the first that fires is done
    EventAction always;
};
/// sample(start, interval): true at these instants.
struct SampleTimes {
    expr::Expr start, interval; ///< [s] over parameters
    SourcePosition position;
};

struct EquationSystem {
    std::vector<EquationParameter> parameters;
    std::vector<EquationUnknown> unknowns; ///< variable(name, k) is the k-th derivative
    std::vector<Equation> equations;
    std::vector<Equation> initial;      ///< that hold at the start alone
    std::vector<std::string> outputs;   ///< the unknowns that the text declares as output
    std::vector<InputFile> inputFiles;  ///< as in ConstrainedSystem
    std::vector<double> corners, knots; ///< as in ConstrainedSystem
    std::vector<HeldVariable> held;
    std::vector<EventStatement> statements; ///< in an order in which none needs what a later one sets
    std::vector<SampleTimes> samples;
    bool hasEvents() const { return !held.empty() || !statements.empty(); }
    bool reinitialises(const std::string& variable) const; ///< whether some `when` does
};

// What expressions of events mention beside the symbols of the equations.
expr::Symbol initialSymbol();                       ///< initial(): 1 at the start alone
expr::Symbol sampleSymbol(std::size_t which);       ///< 1 at its instants
expr::Symbol preSymbol(const expr::Symbol& symbol); ///< pre(x): the value before the event
expr::Symbol heldSymbol(const HeldVariable& variable);

/// Where the units of the equations do not fit, one warning for each equation with its place; terms without a known unit fit
/// everywhere.
std::vector<Diagnostic> unitWarnings(const EquationSystem& system);

} // namespace driftless::model
