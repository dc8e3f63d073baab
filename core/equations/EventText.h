// Statements of events in a text of equations: when ... elsewhen ... end when, assert, equations of discrete variables; and
// if-equations, which become equations with an if.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/equations/EquationText.h"
#include "core/equations/EventDialect.h"

namespace driftless::model {

/// Functions throw a ReadError.
class EventText : protected EquationText {
protected:
    using Context = EventDialect::Context;
    EventText(std::string_view text, const std::string& file, const EquationLimits& limits);
    ~EventText() = default;
    EventText(const EventText&) = delete;
    EventText& operator=(const EventText&) = delete;

    virtual expr::Expr parse(Span s, Context context) = 0;
    expr::Expr asNumber(expr::Expr out, Span s) const;
    EquationSystem& system() { return model_->system; }

    void declareHeld(const std::string& name, HeldVariable::Kind kind, std::size_t at);
    /// The place of a discrete variable; -1: the name is none.
    int heldNamed(std::string_view name) const;
    /// Whether a statement of events begins here; it is read then.
    bool readEvents(std::size_t at);
    /// d = value; where d is discrete. False: it is another equation.
    bool readHeldEquation(const Sides& sides);
    /// Residuals of an if-equation that begins here, each with its place.
    std::vector<std::pair<expr::Expr, std::size_t>> readIfEquation(std::size_t at);
    /// When all is read: who sets what, and in which order.
    void orderStatements();

    std::shared_ptr<EquationModel> model_ = std::make_shared<EquationModel>();
    std::set<std::string> names_;

    EventDialect dialect_; ///< of what is parsed next

private:
    using Residuals = std::vector<std::pair<expr::Expr, std::size_t>>;
    Span conditionAt(std::size_t at, const char* of);
    std::size_t closing(Span s) const;
    Residuals branchOfIf();
    void endOf(const char* statement);
    void readWhen(std::size_t at);
    void readConditions(Span s, WhenBranch& branch);
    void readActions(WhenBranch& branch);
    void checkOnce(const std::vector<EventAction>& actions) const;
    EventAction readAction(Span s);
    EventAction readReinit(Span s);
    EventAction readAssertion(Span s);
    std::vector<Span> argumentsOf(Span s) const;
    std::vector<Span> piecesOf(Span s) const;
    std::string messageOf(Span s) const;
    EventAction setting(int target, Span value, std::size_t at);
    std::vector<int> settersOf();
    void checkReinits() const;
    void checkOwnChanges() const;
    void forgetConditions();

    std::map<std::string, int, std::less<>> held_;
    std::map<int, std::size_t> declared_;   ///< where each discrete variable is
    std::vector<std::size_t> statementsAt_; ///< of system().statements
    int depth_ = 0;                         ///< of if-equations
};

} // namespace driftless::model
