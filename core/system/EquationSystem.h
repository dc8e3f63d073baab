// A general DAE F(t, x, x', x'', ...) = 0 of named unknowns.
#pragma once

#include <string>
#include <vector>

#include "core/expr/Expr.h"
#include "core/system/Quantity.h"

namespace driftless::model {

struct EquationParameter {
    Quantity quantity;  ///< value: of its binding
    expr::Expr binding; ///< over parameters
};

struct EquationUnknown {
    Quantity quantity; ///< value: of its start expression
    InitialStatus status = InitialStatus::Guess;
    bool started = false; ///< the text gives a start value
};

struct Equation {
    std::string name; ///< "eq3": third equation of the text
    std::string description;
    expr::Expr residual; ///< left side minus right side
    SourcePosition position;
};

struct EquationSystem {
    std::vector<EquationParameter> parameters;
    std::vector<EquationUnknown> unknowns; ///< variable(name, k) is the k-th derivative
    std::vector<Equation> equations;
    std::vector<Equation> initial;    ///< that hold at the start alone
    std::vector<std::string> outputs; ///< the unknowns that the text declares as output
    std::vector<double> corners;      ///< as in ConstrainedSystem
};

/// Where the units of the equations do not fit, one warning for each equation with its place; terms without a known unit fit
/// everywhere.
std::vector<Diagnostic> unitWarnings(const EquationSystem& system);

} // namespace driftless::model
