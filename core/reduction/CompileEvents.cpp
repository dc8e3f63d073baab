// Conditions, samplers and statements of events as tapes.
#include <algorithm>
#include <unordered_map>

#include "core/expr/Node.h"
#include "core/reduction/Events.h"

namespace driftless::reduction {

namespace {

using expr::Expr;
using expr::Symbol;
using model::EventAction;
using model::HeldVariable;

class EventCompiler {
public:
    EventCompiler(const model::EquationSystem& system, const Reduced& reduced) : system_(system), banks_(reduced.banks())
    {
        banks_.emplace_back();
        for (const Symbol& s : banks_[1])
            known_.emplace(s, static_cast<int>(known_.size()));
        for (const Symbol& s : banks_[1]) { // pre() that is a value of its own is read there
            const Symbol before = model::preSymbol(s);
            banks_[3].push_back(known_.contains(before) ? model::preSymbol(before) : before);
        }
        banks_.push_back({model::initialSymbol()});
        for (std::size_t k = 0; k < system.samples.size(); ++k)
            banks_[4].push_back(model::sampleSymbol(k));
    }

    Result<std::shared_ptr<const CompiledEvents>> run()
    {
        out_->held = system_.held;
        out_->samplerCount = system_.samples.size();
        for (auto part : {&EventCompiler::conditions, &EventCompiler::samplers, &EventCompiler::statements})
            if (auto done = (this->*part)(); !done)
                return done.error();
        return std::shared_ptr<const CompiledEvents>(std::move(out_));
    }

private:
    Result<void> tape(const std::vector<Expr>& outputs, expr::Tape& into) const
    {
        auto compiled = expr::Tape::compile(outputs, banks_);
        if (!compiled)
            return compiled.error();
        into = std::move(*compiled);
        return {};
    }

    bool computable(const Expr& e) const
    {
        return std::ranges::all_of(
            expr::symbolsOf(e), [this](const Symbol& s) { return s.kind != expr::SymbolKind::Variable || known_.contains(s); });
    }

    /// In the time: sums and products alone. What is held between corners has no slope either, and jumps.
    static bool isLine(const Expr& e)
    {
        const Symbol time = *expr::time().symbol();
        return !expr::dependsOn(expr::timeDerivative(e), time)
               && std::ranges::all_of(expr::postorder({&e, 1}), [&](const Expr* part) {
                      const expr::Op op = part->node().op;
                      return op == expr::Op::Symbol || op == expr::Op::Add || op == expr::Op::Mul
                             || !expr::dependsOn(*part, time);
                  });
    }

    Result<void> conditions()
    {
        std::vector<Expr> differences, rates, lines;
        const Symbol time = *expr::time().symbol();
        for (std::size_t k = 0; k < system_.held.size(); ++k) {
            const HeldVariable& held = system_.held[k];
            if (held.kind != HeldVariable::Kind::Condition)
                continue;
            if (!computable(held.difference))
                return Diagnostic{.what = "The condition " + held.quantity.name + " cannot be followed",
                                  .why = "it mentions a derivative that the equations do not determine",
                                  .remedy = "write it with lower derivatives"};
            CompiledEvents::Condition c{.held = static_cast<int>(k), .strict = held.strict};
            const Expr rate = expr::timeDerivative(held.difference);
            const auto symbols = expr::symbolsOf(held.difference);
            const bool moved =
                std::ranges::any_of(symbols, [](const Symbol& s) { return s.kind == expr::SymbolKind::Variable; });
            c.ofTime = !moved;
            c.timed = !moved && isLine(held.difference);
            c.rateKnown = computable(rate);
            differences.push_back(held.difference);
            rates.push_back(c.rateKnown ? rate : Expr(0));
            lines.push_back(c.timed ? rate : Expr(0));
            lines.push_back(c.timed ? expr::substitute(held.difference, {{time, Expr(0)}}) : Expr(0));
            out_->conditions.push_back(c);
        }
        out_->partials = expr::sparseJacobian(differences, banks_[1]);
        std::vector<Expr> spread;
        for (const expr::JacobianEntry& e : out_->partials)
            spread.push_back(e.value);
        differences.insert(differences.end(), rates.begin(), rates.end());
        if (auto done = tape(differences, out_->guards); !done)
            return done;
        if (auto done = tape(spread, out_->spread); !done)
            return done;
        return tape(lines, out_->timed);
    }

    Result<void> samplers()
    {
        std::vector<Expr> values;
        for (const model::SampleTimes& s : system_.samples) {
            values.push_back(s.start);
            values.push_back(s.interval);
        }
        return tape(values, out_->samplers);
    }

    Result<CompiledEvents::Action> action(const EventAction& stated) const
    {
        CompiledEvents::Action out{.stated = stated, .place = stated.target, .value = {}};
        if (stated.kind == EventAction::Kind::Terminate)
            return out;
        if (stated.kind == EventAction::Kind::Reinit) {
            const auto place = known_.find({.kind = expr::SymbolKind::Variable, .name = stated.variable});
            if (place == known_.end())
                return Diagnostic{.what = "'" + stated.variable + "' cannot be reinitialised",
                                  .why = "it was eliminated",
                                  .position = stated.position};
            out.place = place->second;
        }
        if (!computable(stated.value))
            return Diagnostic{.what = "A value of this event is not determined",
                              .why = "it mentions a derivative that the equations do not determine",
                              .remedy = "write it with lower derivatives",
                              .position = stated.position};
        if (auto done = tape({stated.value}, out.value); !done)
            return done.error();
        return out;
    }

    Result<void> statements()
    {
        for (const model::EventStatement& stated : system_.statements) {
            CompiledEvents::Statement out;
            if (stated.branches.empty()) {
                auto always = action(stated.always);
                if (!always)
                    return always.error();
                out.always = std::move(*always);
            }
            for (const model::WhenBranch& branch : stated.branches) {
                CompiledEvents::Branch compiled;
                compiled.written = branch.written;
                for (const Expr& condition : branch.conditions)
                    if (!computable(condition))
                        return Diagnostic{.what = "This condition cannot be followed",
                                          .why = "it mentions a derivative that the equations do not determine",
                                          .remedy = "write it with lower derivatives",
                                          .position = branch.position};
                if (auto done = tape(branch.conditions, compiled.conditions); !done)
                    return done;
                for (const EventAction& each : branch.actions) {
                    auto made = action(each);
                    if (!made)
                        return made.error();
                    compiled.actions.push_back(std::move(*made));
                }
                out.branches.push_back(std::move(compiled));
            }
            out_->statements.push_back(std::move(out));
        }
        return {};
    }

    const model::EquationSystem& system_;
    std::vector<std::vector<Symbol>> banks_;
    std::unordered_map<Symbol, int, expr::SymbolHash> known_; ///< values and held ones, with their places
    std::shared_ptr<CompiledEvents> out_ = std::make_shared<CompiledEvents>();
};

} // namespace

Result<std::shared_ptr<const CompiledEvents>> compileEvents(const model::EquationSystem& system, const Reduced& reduced)
{
    if (!system.hasEvents())
        return std::shared_ptr<const CompiledEvents>();
    return EventCompiler(system, reduced).run();
}

} // namespace driftless::reduction
