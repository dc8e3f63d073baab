// Equations after index reduction, compiled: what a formulation writes down, and what starts and pivots are computed from.
//
// The full point holds x_j^(k), k = 0 ... d_j, the values of ConstrainedSystem::values. The rows are every equation with its
// derivatives up to c_i ([MS91] section 3, Step 6): n + sum c rows over n + sum d values.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/Result.h"
#include "core/equations/EquationModel.h"
#include "core/expr/Tape.h"
#include "core/reduction/EquationAnalysis.h"
#include "core/system/EquationSystem.h"
#include "core/system/Model.h"
#include "core/system/ShippedModels.h"

namespace driftless::reduction {

struct CompiledEvents;

/// Const and shareable.
struct Reduced {
    Values stated;                                ///< in place of the text's values where the system was judged
    EquationAnalysis analysis;                    ///< of the text's equations
    std::shared_ptr<const EquationAnalysis> used; ///< of the equations below: the same unless some had to be eliminated
    model::EquationSystem system;                 ///< the equations that are integrated
    std::vector<std::string> names;               ///< of the values
    std::vector<expr::Symbol> symbols;
    std::vector<expr::Symbol> held; ///< behind the values wherever these are handed over
    std::vector<double> heldStart;
    std::vector<expr::Expr> heldFrom; ///< over the parameters that it follows; a number: none
    std::vector<char> kept; ///< of each unknown: it is reinitialised, so its derivatives are no dummies where others can be
    std::vector<int> first, highest; ///< of each unknown: place of x, and d_j
    std::vector<int> block;          ///< of each unknown
    std::vector<expr::Expr> rows;
    std::vector<std::string> rowNames;
    std::vector<int> rowEquation, rowLevel; ///< which equation, differentiated how often
    std::vector<char> judged; ///< rows that say how far a solution has drifted: those of equations that are differentiated,
                              ///< and equations without derivatives. The others fix highest derivatives
    std::vector<expr::JacobianEntry> entries; ///< of the rows with respect to the values
    expr::Tape rowsTape, jacobianTape;        ///< banks {t}, values and what is held, parameters
    int initialCount = 0;                     ///< equations that hold at the start alone
    std::vector<expr::JacobianEntry> initialEntries;
    expr::Tape initialTape, initialJacobianTape; ///< of those
    /// What consistent values meet beside the rows, where a branch is differentiated (EquationAnalysis::lower).
    int lowerCount = 0;
    std::vector<expr::JacobianEntry> lowerEntries;
    expr::Tape lowerTape, lowerJacobianTape;
    std::shared_ptr<const CompiledEvents> events; ///< null: nothing happens

    int place(int unknown, int order) const { return first[static_cast<std::size_t>(unknown)] + order; }
    int valueCount() const { return static_cast<int>(names.size()); }
    int rowCount() const { return static_cast<int>(rows.size()); }
    /// Banks of what is computed from values: {t}, values and what is held, parameters.
    std::vector<std::vector<expr::Symbol>> banks() const;
};

/// The start values that the text states for these parameters, 0 of those for which it states none; then of what is held. NaN
/// where an expression has no value.
std::vector<double> statedStarts(const Reduced& reduced, std::span<const double> parameters);

/// Refuses singular systems (with the analysis in words) and derivatives too long to write down. near: values that are set in
/// place of the text's, where the system is judged.
Result<std::shared_ptr<const Reduced>> reduce(const model::EquationSystem& system, const Values& near = {});

/// A model as the laboratory runs it: values for coordinates, dummy derivatives for the formulation.
Result<std::shared_ptr<const model::Model>> modelOf(const model::EquationModel& equations, const Values& near = {});
/// Whether a text is one of equations: its first word is `model`.
bool statesEquations(std::string_view text);
/// Either kind of model, from text or from a file or shipped name.
Result<std::shared_ptr<const model::Model>> readModel(std::string_view text, const std::string& file, const Values& near = {});
Result<std::shared_ptr<const model::Model>> openModel(const std::string& pathOrName, const Values& near = {});
/// Shipped models of equations, as model::shippedModels lists the mechanisms.
std::vector<model::ShippedModel> shippedEquations();

/// A block whose highest derivatives are not determined by these values of the Jacobian; null: there is none.
const structure::Block* undetermined(const Reduced& reduced, std::span<const double> jacobian);
/// "f1, f2 for x, y", the first of them.
std::string namesOf(const structure::Block& block, const Reduced& reduced);

/// Evaluates rows and their derivatives for given parameters; one per thread.
class ReducedEvaluator {
public:
    explicit ReducedEvaluator(std::shared_ptr<const Reduced> reduced);
    const Reduced& reduced() const { return *reduced_; }
    void setParameters(std::span<const double> values) { parameters_.assign(values.begin(), values.end()); }
    bool rows(double t, const double* values, double* out);     ///< rowCount() numbers
    bool jacobian(double t, const double* values, double* out); ///< entries.size() numbers
    /// Of the equations that hold at the start alone: initialCount and initialEntries.size() numbers.
    bool initial(double t, const double* values, double* rows, double* entries);
    /// Of EquationAnalysis::lower: lowerCount and lowerEntries.size() numbers.
    bool lower(double t, const double* values, double* rows, double* entries);
    const std::string& message() const { return message_; }

private:
    bool say(const expr::Tape& tape, double t, const double* values);
    std::shared_ptr<const Reduced> reduced_;
    std::vector<double> parameters_;
    bool evaluate(const expr::Tape& tape, double t, const double* values, double* out, expr::TapeWorkspace& work);
    expr::TapeWorkspace rowsWork_, jacobianWork_, initialWork_, initialJacobianWork_, lowerWork_, lowerJacobianWork_;
    std::string message_;
};

/// What branches that are differentiated demand: passed over while an event is being found, and may still jump.
enum class Lower { Met, Passed };

/// Solves the rows for the values by Gauss-Newton steps; a weight of zero keeps a value, a larger one lets it move more freely.
/// Refuses where the values kept contradict the equations. sizes: usual ones of the values, in which corrections are measured;
/// empty: 1. atStart: with the equations that hold there alone.
Result<void> solveRows(ReducedEvaluator& evaluator, double t, std::vector<double>& values, const std::vector<double>& weights,
                       const std::vector<double>& sizes = {}, bool atStart = false, Lower lower = Lower::Met);

} // namespace driftless::reduction
