// Structural analysis of a model's equations, with the Jacobian that structure alone cannot see.
//
// J_ij = dF_i / dx_j^(d_j - c_i) is the Jacobian of the differentiated equations with respect to the highest derivatives,
// whatever the number of differentiations; where it is singular although its pattern is not, Pantelides' algorithm, the
// Sigma-method and dummy derivatives give counts that are not those of the system ([MS91] Example 5).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/Result.h"
#include "core/reduction/NearValues.h"
#include "core/structure/Report.h"
#include "core/system/ConstrainedSystem.h"
#include "core/system/EquationSystem.h"

namespace driftless::reduction {

/// One equation replaced by a combination of equations and their derivatives, in which the highest derivatives cancel.
struct Elimination {
    std::string equation;    ///< replaced
    std::string combination; ///< "eq1 - eq2'"
    std::string result;      ///< the new equation
    std::string condition;   ///< "sin(x) is not zero": where the new equation stands for the old one; empty: everywhere
};

struct EquationAnalysis {
    structure::Signature signature;
    structure::Names names;
    structure::StructuralAnalysis structure;
    bool jacobianSingular = false;
    bool jacobianKnown = false; ///< false: it could not be evaluated, see diagnostic
    int jacobianRank = 0;       ///< at random points near the start
    Values near;                ///< in place of those of the text where it was judged
    std::optional<Diagnostic> diagnostic;
    /// Where the Jacobian is singular and combinations were found: what was replaced, and the analysis of the outcome. Its
    /// structural index counts the differentiations inside the combinations too, so that it is that of the text's equations.
    std::vector<Elimination> eliminations;
    std::shared_ptr<const EquationAnalysis> eliminated;
    std::shared_ptr<const model::EquationSystem> eliminatedSystem; ///< what `eliminated` is of
    /// Of branches that were differentiated: what consistent values meet beside the equations (BranchOrders.h).
    std::vector<model::Equation> lower;
};
structure::Signature signatureOf(const model::EquationSystem& system);
/// stated: values in place of those of the text. The Jacobian is judged near them and what follows from them.
EquationAnalysis analyseEquations(const model::EquationSystem& system, const Values& stated = {});

/// M v' - f + W^T lambda = 0, g = 0, psi = 0, with q' - Z v = 0 where the model states a velocity basis.
model::EquationSystem equationsOf(const model::ConstrainedSystem& system);

/// The JSON of `analyze`.
std::string analysisJson(const EquationAnalysis& analysis, const std::string& modelName);

} // namespace driftless::reduction
