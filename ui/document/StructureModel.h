// What the page of structure shows: the analysis of a model's equations as plain values, made once per model.
//
// Where the Jacobian of the highest derivatives is singular and combinations of equations were found that cancel them,
// everything here is of the system after elimination, for that is what is integrated; the steps say what was replaced.
#pragma once

#include <QString>

#include <memory>
#include <string>
#include <vector>

#include "core/expr/Expr.h"
#include "core/reduction/EquationAnalysis.h"
#include "core/system/EquationSystem.h"
#include "core/system/Model.h"

namespace driftless::ui {

/// One entry of the signature matrix.
struct StructureCell {
    int row = 0, column = 0;
    int order = 0;            ///< sigma_ij: of the highest derivative of the unknown in the equation
    bool transversal = false; ///< on the transversal of the Sigma-method, or on the matching of a singular system
    bool leading = false;     ///< sigma_ij = d_j - c_i: occurs among the highest derivatives
    int block = -1;           ///< of equation and unknown, where they share one
};

/// A rung of the ladder: derivative number `level` of an equation.
struct Rung {
    structure::EquationRef at;
    expr::Expr residual;    ///< of the equation so often differentiated; zero where it is too long to show
    std::string html, text; ///< "... = 0"; empty where it is too long to show
};

enum class StepKind {
    Signature,
    Matching,
    OverDetermined,
    UnderDetermined,
    Elimination,
    Pantelides,
    Offsets,
    Block,
    Stage,
    Superfluous,
    Outcome
};

/// One line of the list through which the page is read, with what it is about.
struct StructureStep {
    StepKind kind = StepKind::Signature;
    QString title;
    QString text; ///< rich text
    std::vector<int> equations, unknowns;
    std::vector<structure::EquationRef> rungs;
    int stage = -1; ///< into stages
};

/// A stage of the index reduction as a run carries it out.
struct LadderStage {
    int block = 0, stage = 1;
    int m = 0;                             ///< so many of z become dummies
    std::vector<structure::EquationRef> g; ///< the first m are differentiated: h
    std::vector<structure::DerivativeRef> z;
    std::vector<bool> selected, choosable; ///< one per z; choosable: the run can exchange it
    bool isChoice() const { return m > 0 && m < static_cast<int>(z.size()); }
};

/// What a run has selected, in derivatives of the unknowns.
struct PresentSelection {
    struct Exchange {
        structure::DerivativeRef leaves, enters;
        double kappa = 0;
        bool operator==(const Exchange&) const = default;
    };
    QString run; ///< "Run 1"; empty: no run, the analysis' own choice counts
    bool pivots = false, automatic = true;
    std::vector<structure::DerivativeRef> known;   ///< among these the run chooses, sorted
    std::vector<structure::DerivativeRef> dummies; ///< sorted
    std::vector<Exchange> exchanges;
};

class StructureModel {
public:
    /// Beyond these sizes rungs are not spelled out, and blocks and stages not listed one by one.
    static constexpr int kMostSpelled = 120;
    static constexpr int kMostRungs = 8;
    static constexpr std::size_t kMostNodes = 1500;

    explicit StructureModel(std::shared_ptr<const model::EquationSystem> system);
    StructureModel(const StructureModel&) = delete;
    StructureModel& operator=(const StructureModel&) = delete;

    const model::EquationSystem& system() const { return *shown_; }
    const reduction::EquationAnalysis& analysis() const { return *analysis_; }
    /// Before elimination; the same object where nothing was eliminated.
    const reduction::EquationAnalysis& stated() const { return stated_; }
    int size() const { return analysis_->signature.size(); }
    int columns() const { return analysis_->signature.columns; }

    const std::vector<StructureCell>& cells() const { return cells_; }
    const std::vector<Rung>& rungs() const { return rungs_; }
    const std::vector<StructureStep>& steps() const { return steps_; }
    /// c_i and d_j of Pantelides' algorithm; empty for a singular system.
    const std::vector<int>& c() const { return analysis_->structure.pantelides.c; }
    const std::vector<int>& d() const { return analysis_->structure.pantelides.d; }
    /// Block of each equation and unknown, -1 where there is none.
    const std::vector<int>& blockOfEquation() const { return blockOfEquation_; }
    const std::vector<int>& blockOfUnknown() const { return blockOfUnknown_; }

    QString equationName(int i) const;
    QString derivativeName(const structure::DerivativeRef& of) const;
    std::string derivativeHtml(const structure::DerivativeRef& of) const;
    /// The html of a rung with some derivatives marked as expr::printDummy() marks them.
    std::string rungHtml(const Rung& rung, const std::vector<structure::DerivativeRef>& dummies) const;
    /// -1 when there is none of this name.
    int unknown(const std::string& name) const;

    /// The stages with a run's choice in place of the analysis' own: each stage chooses among what the one before has
    /// chosen. Empty beyond kMostSpelled.
    std::vector<LadderStage> stages(const PresentSelection& present) const;
    /// The derivatives that are dummies then, all orders.
    static std::vector<structure::DerivativeRef> dummies(const std::vector<LadderStage>& stages);
    /// Which derivatives keep an initial value of their own: those whose derivative is integrated. Empty beyond kMostSpelled.
    std::vector<structure::DerivativeRef> freeValues(const std::vector<structure::DerivativeRef>& dummies) const;
    /// "index 3, 2 start values to choose, 1 block, 5 equations with dummy derivatives" or what is wrong, in words.
    QString summary() const;
    /// G of a stage with the rows of H and the columns of M marked, as a table in rich text.
    QString matrixOfStage(const LadderStage& stage, const QString& mark, const QString& shade) const;

private:
    void fillCells();
    void fillRungs();

    std::shared_ptr<const model::EquationSystem> shown_;
    reduction::EquationAnalysis stated_;
    std::shared_ptr<const reduction::EquationAnalysis> analysis_;
    std::vector<StructureCell> cells_;
    std::vector<Rung> rungs_;
    std::vector<StructureStep> steps_;
    std::vector<int> blockOfEquation_, blockOfUnknown_;
};

/// The steps of an analysis in words, in the order in which they are carried out (StructureSteps.cpp).
std::vector<StructureStep> structureSteps(const StructureModel& model);

/// The bodies and joints that an equation or an unknown of a mechanism belongs to; of general equations the shapes drawn with
/// the unknown.
std::vector<std::string> ownersOfEquation(const model::ConstrainedSystem& system, const std::string& name);
std::vector<std::string> ownersOfUnknown(const model::ConstrainedSystem& system, const std::string& name);

} // namespace driftless::ui
