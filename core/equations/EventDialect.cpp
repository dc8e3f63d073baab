#include "core/equations/EventDialect.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "core/text/Budget.h"

namespace driftless::model {

namespace {

using expr::Expr;
using expr::Symbol;

struct Function {
    std::string_view name;
    std::size_t arguments;
    bool atEvents; ///< known in when and in equations of discrete variables alone
};
constexpr Function kFunctions[] = {{"noEvent", 1, false}, {"smooth", 2, false}, {"pre", 1, false},  {"edge", 1, true},
                                   {"change", 1, true},   {"initial", 0, true}, {"sample", 2, true}};

const Function* functionOf(std::string_view name)
{
    const auto found = std::ranges::find(kFunctions, name, &Function::name);
    return found == std::end(kFunctions) ? nullptr : &*found;
}

/// Whether it may change without an event.
bool moves(const Expr& e)
{
    return std::ranges::any_of(expr::symbolsOf(e), [](const Symbol& s) { return s.kind != expr::SymbolKind::Parameter; });
}

std::string howWritten(const Function& function)
{
    if (function.name == "smooth")
        return "write smooth(1, x)";
    if (function.name == "sample")
        return "write sample(0, 0.5)";
    return "write " + std::string(function.name) + (function.arguments == 0 ? "()" : "(x)");
}

Diagnostic wrong(std::string what, std::string remedy)
{
    return {.what = std::move(what), .where = {}, .why = {}, .remedy = std::move(remedy), .position = {}};
}

} // namespace

void EventDialect::begin(Context context)
{
    context_ = context;
    quiet_ = 0;
    sawInitial_ = false;
    truth_ = false;
}

Expr EventDialect::relation(const Expr& left, const Expr& right, bool strict, const std::string& written)
{
    const Expr plain = strict ? expr::less(right, left) : expr::lessEqual(right, left);
    const Expr difference = left - right;
    if (context_ == Context::Constant || quiet_ > 0 || !moves(difference))
        return plain;
    for (const HeldVariable& known : system_.held)
        if (known.kind == HeldVariable::Kind::Condition && known.strict == strict && known.difference.sameAs(difference))
            return expr::symbol(heldSymbol(known));
    HeldVariable condition{.kind = HeldVariable::Kind::Condition, .quantity = {}, .difference = difference, .strict = strict};
    condition.quantity.name = written;
    const auto taken = [this](const std::string& name) {
        return std::ranges::any_of(system_.held, [&](const HeldVariable& x) { return x.quantity.name == name; });
    };
    for (int k = 2; taken(condition.quantity.name); ++k) // what is written may be cut
        condition.quantity.name = written + " (" + std::to_string(k) + ")";
    system_.held.push_back(std::move(condition));
    return expr::symbol(heldSymbol(system_.held.back()));
}

bool EventDialect::knows(std::string_view function) const
{
    return functionOf(function) && !names_.contains(std::string(function));
}

void EventDialect::enter(std::string_view function) { quiet_ += function == "noEvent" || function == "smooth"; }

void EventDialect::leave(std::string_view function) { quiet_ -= function == "noEvent" || function == "smooth"; }

const HeldVariable* EventDialect::heldOf(const Symbol& symbol) const
{
    const auto found = std::ranges::find_if(system_.held, [&](const HeldVariable& x) { return heldSymbol(x) == symbol; });
    return found == system_.held.end() ? nullptr : &*found;
}

bool EventDialect::isLogical(const Symbol& s) const
{
    const HeldVariable* held = heldOf(s);
    const bool ofEvents = !held && s.kind == expr::SymbolKind::Parameter && s.name.ends_with(")");
    const bool before = ofEvents && s.name.starts_with("pre(");
    if (before)
        held = heldOf({.kind = s.kind, .name = s.name.substr(4, s.name.size() - 5)});
    if (held)
        return held->kind == HeldVariable::Kind::Boolean || held->kind == HeldVariable::Kind::Condition;
    return (ofEvents && !before) || (s.kind == expr::SymbolKind::Parameter && logical_.contains(s.name));
}

bool EventDialect::isLogical(const Expr& e) const
{
    return expr::isLogical(e, [this](const Symbol& s) { return isLogical(s); });
}

std::string EventDialect::whyNotEqual(const Expr& left, const Expr& right) const
{
    if (context_ == Context::Constant || quiet_ > 0 || (!moves(left) && !moves(right)))
        return {};
    return "What changes along the motion is equal to a number at instants alone, and no step would meet them";
}

std::string EventDialect::whyNotLogical(const Expr& e) const
{
    return isLogical(e) ? std::string() : "A condition is needed here, and this is a number";
}

/// pre() of a name.
Result<Expr> EventDialect::before(const Expr& argument, std::string_view function)
{
    const auto symbol = argument.symbol();
    const HeldVariable* held = symbol ? heldOf(*symbol) : nullptr;
    const std::string name(function);
    if (held && held->kind == HeldVariable::Kind::Condition)
        return wrong("'" + name + "' needs the name of a variable, and '" + symbol->name + "' is a condition",
                     "write b = " + symbol->name + ", with a Boolean b, and " + name + "(b)");
    if (!symbol || (!held && symbol->kind != expr::SymbolKind::Variable))
        return wrong("'" + name + "' needs the name of a variable", "write " + name + "(x)");
    if (held && held->of >= 0)
        return argument; // pre() of it is what was before
    const Symbol before = preSymbol(*symbol);
    if (context_ == Context::Event)
        return expr::symbol(before);
    if (!held)
        return wrong("'pre' of a continuous variable stands in a 'when'", "write the variable itself");
    if (!heldOf(before)) {
        HeldVariable out{.kind = held->kind, .quantity = {}, .difference = {}};
        out.quantity.name = before.name;
        out.of = static_cast<int>(held - system_.held.data());
        system_.held.push_back(std::move(out));
    }
    return expr::symbol(before);
}

Result<Expr> EventDialect::sampled(std::span<const Expr> arguments)
{
    const auto constant = [this](const Expr& e) {
        const auto changes = [this](const Symbol& s) { return heldOf(s) || s.name.ends_with(")"); };
        return !moves(e) && std::ranges::none_of(expr::symbolsOf(e), changes);
    };
    if (!constant(arguments[0]) || !constant(arguments[1]))
        return wrong("The start and the interval of 'sample' are constants", "write sample(0, 0.1)");
    if (system_.samples.size() >= budget::kSamplers)
        return wrong("The model has more than " + std::to_string(budget::kSamplers) + " samplers",
                     "give one of them a Boolean of its own");
    system_.samples.push_back({.start = arguments[0], .interval = arguments[1], .position = {}});
    return expr::symbol(sampleSymbol(system_.samples.size() - 1));
}

Result<Expr> EventDialect::call(std::string_view function, std::span<const Expr> arguments)
{
    const Function& known = *functionOf(function);
    const std::string name(function);
    if (arguments.size() != known.arguments)
        return wrong("'" + name + "' takes " + std::to_string(known.arguments) + " arguments, not "
                         + std::to_string(arguments.size()),
                     howWritten(known));
    if (name == "smooth") {
        const auto order = arguments[0].constantValue();
        if (moves(arguments[0]) || (order && (*order < 0 || *order != std::floor(*order))))
            return wrong(
                "The first argument of 'smooth' says how often the second may be differentiated: a whole number, 0 or more",
                "write smooth(1, x)");
    }
    if (name == "noEvent" || name == "smooth")
        return arguments.back();
    if (context_ == Context::Constant || (context_ == Context::Equation && known.atEvents))
        return wrong("'" + name + "' says something of an event, and nothing happens here",
                     "use it in a 'when', or in the equation of a discrete variable");
    if (name == "initial") {
        sawInitial_ = true;
        return expr::symbol(initialSymbol());
    }
    if (name == "sample")
        return sampled(arguments);
    auto old = before(arguments[0], function);
    if (!old || name == "pre")
        return old;
    if (name == "edge")
        return whyNotLogical(arguments[0]).empty() ? Result<Expr>(expr::logicalAnd(arguments[0], expr::logicalNot(*old)))
                                                   : wrong("'edge' needs a Boolean", "write change(v)");
    return expr::logicalNot(expr::logicalAnd(expr::lessEqual(arguments[0], *old), expr::lessEqual(*old, arguments[0])));
}

} // namespace driftless::model
