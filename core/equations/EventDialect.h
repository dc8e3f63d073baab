// What equations may say beside plain arithmetic: conditions whose change is an event, and functions of events.
//
//   a < b            in an equation or an event: a condition, frozen between events (HeldVariable::Kind::Condition)
//   noEvent(e), smooth(p, e)   comparisons in e are computed at each point
//   pre(x), edge(b), change(v), initial(), sample(start, interval)
#pragma once

#include <set>
#include <string>

#include "core/expr/Parse.h"
#include "core/system/EquationSystem.h"

namespace driftless::model {

class EventDialect final : public expr::Dialect {
public:
    enum class Context {
        Constant, ///< values of parameters, starts: nothing happens
        Equation, ///< holds at each point: pre(d) is a value of its own, that of d but while an event goes on
        Event     ///< conditions and what is done at events
    };
    /// Both outlive this. names: declared in the text; they hide functions of events.
    EventDialect(EquationSystem& system, const std::set<std::string>& names) : system_(system), names_(names) {}

    void begin(Context context);
    void addLogical(const std::string& parameter) { logical_.insert(parameter); } ///< a Boolean one
    bool sawInitial() const { return sawInitial_; }                               ///< since begin

    expr::Expr relation(const expr::Expr& left, const expr::Expr& right, bool strict, const std::string& written) override;
    bool knows(std::string_view function) const override;
    void enter(std::string_view function) override;
    void leave(std::string_view function) override;
    Result<expr::Expr> call(std::string_view function, std::span<const expr::Expr> arguments) override;
    std::string whyNotLogical(const expr::Expr& e) const override;
    std::string whyNotEqual(const expr::Expr& left, const expr::Expr& right) const override;
    void hasRead(bool truth) override { truth_ = truth; }
    bool readTruth() const { return truth_; } ///< whether the text that was read last is true or false
    const HeldVariable* heldOf(const expr::Symbol& symbol) const;
    bool isLogical(const expr::Expr& e) const;
    bool isLogical(const expr::Symbol& symbol) const;

private:
    Result<expr::Expr> before(const expr::Expr& argument, std::string_view function);
    Result<expr::Expr> sampled(std::span<const expr::Expr> arguments);
    EquationSystem& system_;
    const std::set<std::string>& names_;
    std::set<std::string> logical_;
    Context context_ = Context::Constant;
    int quiet_ = 0; ///< noEvent and smooth around
    bool sawInitial_ = false;
    bool truth_ = false;
};

} // namespace driftless::model
