// What happens at events, for the LaTeX document of a model: contacts, friction and links of a mechanism, statements of a text
// of equations.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "core/expr/PrintMarked.h"
#include "core/system/EquationSystem.h"
#include "core/system/Model.h"

namespace driftless::app {

struct LatexRow {
    std::string latex, note;
};
/// Words and the formulas below them.
struct LatexPart {
    std::string title, words;
    std::vector<LatexRow> rows;
};

/// Gaps, laws of impact and of friction, and what breaks a link; none where the model has one mode.
std::vector<LatexPart> latexOneSided(const model::Model& model);

/// Expressions of a text with events: conditions as they are stated, pre(x) and the functions of events.
class EventLatex {
public:
    /// The system outlives this.
    explicit EventLatex(const model::EquationSystem& system);
    EventLatex(const EventLatex&) = delete;
    EventLatex& operator=(const EventLatex&) = delete;
    ~EventLatex() = default;
    std::string number(const expr::Expr& e) const;
    std::string logical(const expr::Expr& e) const;
    /// Every statement, in the order in which they act.
    std::vector<LatexPart> statements() const;

private:
    expr::Expr stated(const expr::Expr& e) const;
    std::string heldName(int target) const;
    std::string condition(const model::WhenBranch& branch) const;
    LatexRow action(const model::EventAction& a) const;

    const model::EquationSystem& system_;
    expr::Substitution conditions_;
    std::unordered_map<expr::Symbol, std::string, expr::SymbolHash> names_; ///< what is written for them
    expr::SymbolWriter writer_;
};

} // namespace driftless::app
