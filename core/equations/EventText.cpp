#include "core/equations/EventText.h"

#include <algorithm>
#include <cctype>
#include <unordered_map>
#include <unordered_set>

#include "core/expr/Parse.h"
#include "core/expr/Print.h"
#include "core/text/TableReader.h"

namespace driftless::model {

using expr::Expr;
using std::string_view;

namespace {

using Names = std::unordered_set<std::string>;

/// Held variables, by name, whose present value an expression needs.
void addNeeded(const Expr& e, Names& out)
{
    for (const expr::Symbol& s : expr::symbolsOf(e))
        if (s.kind == expr::SymbolKind::Parameter)
            out.insert(s.name);
}

Names neededBy(const EventStatement& statement)
{
    Names out;
    addNeeded(statement.always.value, out);
    for (const WhenBranch& branch : statement.branches) {
        for (const Expr& condition : branch.conditions)
            addNeeded(condition, out);
        for (const EventAction& action : branch.actions)
            addNeeded(action.value, out);
    }
    return out;
}

std::vector<int> setBy(const EventStatement& statement)
{
    std::vector<int> out;
    const auto take = [&out](const EventAction& action) {
        if (action.kind == EventAction::Kind::Set && action.target >= 0)
            out.push_back(action.target);
    };
    take(statement.always);
    for (const WhenBranch& branch : statement.branches)
        std::ranges::for_each(branch.actions, take);
    std::ranges::sort(out);
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

/// An order of 0 ... n - 1 in which each stands behind those that it waits for, as far as that goes: what is left out goes in
/// a circle.
std::vector<std::size_t> inOrder(std::size_t n, const std::vector<std::vector<std::size_t>>& waits)
{
    std::vector<std::size_t> open(n), out;
    std::vector<std::vector<std::size_t>> followers(n);
    for (std::size_t i = 0; i < n; ++i) {
        open[i] = waits[i].size();
        for (const std::size_t before : waits[i])
            followers[before].push_back(i);
    }
    for (std::size_t i = 0; i < n; ++i)
        if (open[i] == 0)
            out.push_back(i);
    for (std::size_t k = 0; k < out.size(); ++k)
        for (const std::size_t next : followers[out[k]])
            if (--open[next] == 0)
                out.push_back(next);
    return out;
}

} // namespace

EventText::EventText(string_view text, const std::string& file, const EquationLimits& limits)
    : EquationText(text, file, limits), dialect_(model_->system, names_)
{
}

void EventText::declareHeld(const std::string& name, HeldVariable::Kind kind, std::size_t at)
{
    const int place = static_cast<int>(system().held.size());
    HeldVariable variable{.kind = kind, .quantity = {}, .difference = {}};
    variable.quantity.name = name;
    variable.quantity.position = position(at);
    system().held.push_back(std::move(variable));
    held_.emplace(name, place);
    declared_.emplace(place, at);
}

int EventText::heldNamed(string_view name) const
{
    const auto found = held_.find(name);
    return found == held_.end() ? -1 : found->second;
}

void EventText::endOf(const char* statement)
{
    at_ = skipBlanks(at_ + 3);
    if (!wordAt(at_, statement))
        fail(at_, "Expected 'end " + std::string(statement) + ";' here");
    const Span last = this->statement();
    if (skipBlanks(last.begin + string_view(statement).size()) < last.end)
        fail(last.begin, "Expected 'end " + std::string(statement) + ";' here");
}

/// From here to the word then, behind which reading goes on.
EventText::Span EventText::conditionAt(std::size_t at, const char* of)
{
    int depth = 0;
    for (std::size_t k = at; k < text_.size() && (text_[k] != ';' || quoted_[k]); ++k) {
        if (quoted_[k])
            continue;
        depth += (text_[k] == '(' || text_[k] == '{') - (text_[k] == ')' || text_[k] == '}');
        if (depth == 0 && wordAt(k, "then")) {
            at_ = k + 4;
            return {at, k};
        }
    }
    fail(at, "Expected 'then' behind the condition of this '" + std::string(of) + "'");
}

bool EventText::readEvents(std::size_t at)
{
    if (names_.contains("when") || names_.contains("assert"))
        return false;
    if (wordAt(at, "when")) {
        readWhen(at);
        return true;
    }
    if (!wordAt(at, "assert"))
        return false;
    at_ = at;
    EventStatement statement;
    statement.always = readAssertion(this->statement());
    system().statements.push_back(std::move(statement));
    statementsAt_.push_back(at);
    return true;
}

/// Refuses a condition where a number is needed.
Expr EventText::asNumber(Expr out, Span s) const
{
    if (const auto wrong = expr::conditionInNumber(out, [this](const expr::Symbol& x) { return dialect_.isLogical(x); }))
        fail(skipBlanks(s.begin), "A number is needed here, and '" + expr::printShort(*wrong) + "' is true or false", "",
             "write if " + expr::printShort(*wrong) + " then 1 else 0");
    if (dialect_.readTruth())
        fail(skipBlanks(s.begin), "A number is needed here, and this is true or false", "", "write if c then 1 else 0");
    return out;
}

EventAction EventText::setting(int target, Span value, std::size_t at)
{
    const HeldVariable::Kind kind = system().held[static_cast<std::size_t>(target)].kind;
    const bool logical = kind == HeldVariable::Kind::Boolean;
    EventAction out{.kind = EventAction::Kind::Set,
                    .target = target,
                    .variable = {},
                    .value = logical ? parse(value, Context::Event) : asNumber(parse(value, Context::Event), value),
                    .message = {},
                    .position = position(at)};
    if (logical && !dialect_.isLogical(out.value))
        fail(skipBlanks(value.begin), "A Boolean variable cannot be a number", "", "write a condition, true or false");
    return out;
}

bool EventText::readHeldEquation(const Sides& sides)
{
    const std::size_t at = skipBlanks(sides.left.begin), end = nameEnd(at);
    const int target = heldNamed(string_view(text_).substr(at, end - at));
    if (target < 0 || skipBlanks(end) < sides.left.end)
        return false;
    EventStatement statement;
    statement.always = setting(target, sides.right, at);
    for (const expr::Symbol& s : expr::symbolsOf(statement.always.value))
        if (s.kind != expr::SymbolKind::Parameter)
            fail(at,
                 "'" + system().held[static_cast<std::size_t>(target)].quantity.name + "' changes at events alone, and '"
                     + expr::printShort(expr::symbol(s)) + "' changes all the time",
                 "", "declare it as Real, set it in a 'when', or write a condition");
    system().statements.push_back(std::move(statement));
    statementsAt_.push_back(at);
    return true;
}

void EventText::readWhen(std::size_t at)
{
    EventStatement statement;
    for (std::size_t begin = at, word = 4;;) { // "when", then "elsewhen"
        WhenBranch branch;
        branch.position = position(begin);
        readConditions(conditionAt(begin + word, "when"), branch);
        readActions(branch);
        if (branch.actions.empty())
            fail(begin, "Nothing is done here", "", "write d = value; or reinit(x, value); behind 'then'");
        statement.branches.push_back(std::move(branch));
        begin = at_;
        if (!wordAt(begin, "elsewhen"))
            break;
        word = 8;
    }
    endOf("when");
    system().statements.push_back(std::move(statement));
    statementsAt_.push_back(at);
}

/// Where what is open at the beginning is closed; the end where it never is.
std::size_t EventText::closing(Span s) const
{
    int depth = 0;
    for (std::size_t k = s.begin; k < s.end; ++k) {
        depth += (text_[k] == '{' || text_[k] == '(') - (text_[k] == '}' || text_[k] == ')');
        if (depth == 0)
            return k;
    }
    return s.end;
}

void EventText::readConditions(Span s, WhenBranch& branch)
{
    s.begin = std::min(skipBlanks(s.begin), s.end);
    while (s.end > s.begin && std::isspace(static_cast<unsigned char>(text_[s.end - 1])))
        --s.end;
    constexpr std::size_t kLongest = 60;
    branch.written = std::string(original().substr(s.begin, std::min(s.end - s.begin, kLongest)));
    if (s.begin == s.end)
        fail(s.begin, "Expected a condition here", "", "write when x > 0 then");
    std::vector<Span> pieces{s};
    if (s.begin < s.end && text_[s.begin] == '{') {
        if (const std::size_t close = closing(s); close >= s.end || text_[close] != '}')
            fail(s.begin, "This '{' is never closed");
        else if (close + 1 < s.end)
            fail(skipBlanks(close + 1), "A list of conditions stands alone", "each of its conditions acts by itself",
                 "write when {a, b, c} then, or when a or b then");
        if (skipBlanks(s.begin + 1) >= s.end - 1)
            fail(s.begin, "Expected a condition between '{' and '}'", "", "write when {x > 0, initial()} then");
        pieces = piecesOf({s.begin + 1, s.end - 1});
    }
    for (const Span& piece : pieces) {
        branch.conditions.push_back(parse(piece, Context::Event));
        const std::size_t at = skipBlanks(piece.begin);
        if (!dialect_.isLogical(branch.conditions.back()))
            fail(at, "'when' needs a condition, and this is a number", "", "write when x > 0 then");
        for (const expr::Symbol& symbol : expr::symbolsOf(branch.conditions.back()))
            // "pre(n)", and not a condition that begins with it, as "pre(n) + 1 <= x".
            if (symbol.name.starts_with("pre(") && symbol.name.find(')') == symbol.name.size() - 1
                && heldNamed(symbol.name.substr(4, symbol.name.size() - 5)) < 0)
                fail(at, "'" + symbol.name + "' of a continuous variable stands behind 'then'",
                     "what it was before the event is known at events alone, and this condition makes the event",
                     "write the variable itself");
        if (!dialect_.sawInitial())
            continue;
        if (branch.conditions.back().symbol() != initialSymbol())
            fail(at, "'initial()' stands alone", "only then is it known that this 'when' acts at the start",
                 "write when {initial(), CONDITION} then");
        branch.atStart = true;
    }
}

/// Two values for one variable at one instant contradict each other.
void EventText::checkOnce(const std::vector<EventAction>& actions) const
{
    for (std::size_t i = 0; i < actions.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
            const bool sets = actions[i].kind == EventAction::Kind::Set && actions[i].target == actions[j].target;
            const bool jumps = actions[i].kind == EventAction::Kind::Reinit && actions[i].variable == actions[j].variable;
            if (actions[i].kind == actions[j].kind && (sets || jumps))
                refuse(actions[i].position,
                       "'"
                           + (sets ? model_->system.held[static_cast<std::size_t>(actions[i].target)].quantity.name
                                   : actions[i].variable)
                           + "' is set twice behind one 'then'",
                       {}, "only one of the values can hold", "keep one of them");
        }
}

/// Up to the word that ends this branch.
void EventText::readActions(WhenBranch& branch)
{
    for (;;) {
        at_ = skipBlanks(at_);
        if (wordAt(at_, "end") || wordAt(at_, "elsewhen"))
            break;
        if (wordAt(at_, "if") || wordAt(at_, "when"))
            fail(at_, "In a 'when' stand equations of discrete variables, reinit, assert and terminate",
                 "no other statement is read there", "write d = if c then a else b;");
        if (const Span s = statement(); s.begin < s.end)
            branch.actions.push_back(readAction(s));
    }
    checkOnce(branch.actions);
    // Those that set come first, each behind those that it needs.
    std::stable_partition(branch.actions.begin(), branch.actions.end(),
                          [](const EventAction& a) { return a.kind == EventAction::Kind::Set; });
    std::vector<EventAction>& all = branch.actions;
    std::vector<std::vector<std::size_t>> waits(all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
        Names needed;
        addNeeded(all[i].value, needed);
        for (std::size_t j = 0; j < all.size() && all[j].kind == EventAction::Kind::Set; ++j)
            if (needed.contains(system().held[static_cast<std::size_t>(all[j].target)].quantity.name))
                waits[i].push_back(j);
    }
    const std::vector<std::size_t> order = inOrder(all.size(), waits);
    if (order.size() < all.size())
        fail(at_, "The values that are set in this 'when' depend on each other, or one on itself, in a circle", "",
             "write pre(d) for the value before the event");
    std::vector<EventAction> sorted;
    for (const bool sets : {true, false})
        for (const std::size_t i : order)
            if ((all[i].kind == EventAction::Kind::Set) == sets)
                sorted.push_back(all[i]);
    all = std::move(sorted);
}

EventAction EventText::readAction(Span s)
{
    if (wordAt(s.begin, "reinit"))
        return readReinit(s);
    if (wordAt(s.begin, "assert"))
        return readAssertion(s);
    if (wordAt(s.begin, "terminate")) {
        const std::vector<Span> arguments = argumentsOf(s);
        if (arguments.size() != 1)
            fail(s.begin, "'terminate' takes a message", "", "write terminate(\"why\");");
        return {.kind = EventAction::Kind::Terminate,
                .variable = {},
                .value = {},
                .message = messageOf(arguments[0]),
                .position = position(s.begin)};
    }
    refuseStatement(s.begin, names_);
    const Sides sides = sidesOf(s);
    const std::size_t at = skipBlanks(sides.left.begin), end = nameEnd(at);
    const std::string name = text_.substr(at, end - at);
    const int target = heldNamed(name);
    if (target < 0 || skipBlanks(end) < sides.left.end)
        fail(at, "In a 'when' a discrete variable is set, and this is none", "what is continuous has its equation at all times",
             "declare it as discrete Real, Integer or Boolean, or write reinit(x, value);");
    return setting(target, sides.right, at);
}

std::vector<EventText::Span> EventText::piecesOf(Span s) const
{
    std::vector<Span> out;
    for (std::size_t at = s.begin;; ++at) {
        out.push_back({at, pieceEnd(at, s.end)});
        at = out.back().end;
        if (at >= s.end || text_[at] != ',')
            return out;
    }
}

/// Of name(a, b): the pieces between the brackets.
std::vector<EventText::Span> EventText::argumentsOf(Span s) const
{
    const std::size_t open = skipBlanks(nameEnd(s.begin));
    if (open >= s.end || text_[open] != '(')
        fail(std::min(open, s.end), "Expected '(' here");
    const std::vector<Span> out = piecesOf({open + 1, s.end});
    const std::size_t close = out.back().end;
    if (close >= s.end || text_[close] != ')' || skipBlanks(close + 1) < s.end)
        fail(std::min(close, s.end), "Expected ')' and a semicolon here");
    return out;
}

std::string EventText::messageOf(Span s) const
{
    std::size_t at = s.begin;
    const std::string message = readString(at, s.end);
    if (at == s.begin || skipBlanks(at) < s.end)
        fail(skipBlanks(s.begin), "Expected a message in quotation marks");
    return message;
}

EventAction EventText::readReinit(Span s)
{
    const std::vector<Span> arguments = argumentsOf(s);
    if (arguments.size() != 2)
        fail(s.begin, "'reinit' takes a variable and its new value", "", "write reinit(x, value);");
    const std::size_t name = skipBlanks(arguments[0].begin);
    const Expr variable = parse(arguments[0], Context::Event);
    const auto symbol = variable.symbol();
    if (!symbol || symbol->kind != expr::SymbolKind::Variable || symbol->order > 0)
        fail(name, "'reinit' needs the name of a continuous variable", "", "write reinit(x, value);");
    return {.kind = EventAction::Kind::Reinit,
            .variable = symbol->name,
            .value = asNumber(parse(arguments[1], Context::Event), arguments[1]),
            .message = {},
            .position = position(s.begin)};
}

EventAction EventText::readAssertion(Span s)
{
    const std::vector<Span> arguments = argumentsOf(s);
    if (arguments.size() < 2 || arguments.size() > 3)
        fail(s.begin, "'assert' takes a condition and a message", "", "write assert(x > 0, \"x is negative\");");
    EventAction out{.kind = EventAction::Kind::Assert,
                    .variable = {},
                    .value = parse(arguments[0], Context::Event),
                    .message = messageOf(arguments[1]),
                    .position = position(s.begin)};
    if (!dialect_.isLogical(out.value))
        fail(skipBlanks(arguments[0].begin), "'assert' needs a condition, and this is a number", "",
             "write assert(x > 0, ...)");
    if (arguments.size() < 3)
        return out;
    std::size_t at = skipBlanks(arguments[2].begin);
    constexpr string_view kLevel = "AssertionLevel.";
    const bool level = text_.compare(at, kLevel.size(), kLevel) == 0;
    at += level ? kLevel.size() : 0;
    const std::string word = text_.substr(at, nameEnd(at) - at);
    if (!level || (word != "warning" && word != "error") || skipBlanks(nameEnd(at)) < arguments[2].end)
        fail(at, "Expected AssertionLevel.warning or AssertionLevel.error");
    out.warns = word == "warning";
    return out;
}

std::vector<std::pair<Expr, std::size_t>> EventText::readIfEquation(std::size_t at)
{
    if (++depth_ > budget::kIfDepth)
        fail(at, "If-equations stand in each other more than " + std::to_string(budget::kIfDepth) + " deep");
    std::vector<Expr> conditions;
    std::vector<Residuals> branches;
    for (std::size_t begin = at, word = 2;;) { // "if", then "elseif"
        const Span condition = conditionAt(begin + word, "if");
        conditions.push_back(parse(condition, Context::Equation));
        if (!dialect_.isLogical(conditions.back()))
            fail(skipBlanks(condition.begin), "'if' needs a condition, and this is a number", "", "write if x > 0 then");
        branches.push_back(branchOfIf());
        begin = at_;
        if (!wordAt(begin, "elseif"))
            break;
        word = 6;
    }
    if (!wordAt(at_, "else"))
        fail(at_, "This 'if' has no 'else'", "without one there are fewer equations while the condition does not hold",
             "write as many equations behind 'else'");
    at_ += 4;
    branches.push_back(branchOfIf());
    endOf("if");
    --depth_;
    for (const Residuals& branch : branches)
        if (branch.size() != branches.front().size())
            fail(at, "The branches of this 'if' have different numbers of equations",
                 std::to_string(branches.front().size()) + " and " + std::to_string(branch.size())
                     + ", and there must be as many equations as unknowns whatever holds",
                 "write as many equations in each branch");
    Residuals out = branches.back();
    for (std::size_t k = conditions.size(); k-- > 0;)
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] = {expr::ifThenElse(conditions[k], branches[k][i].first, out[i].first), branches[k][i].second};
    return out;
}

EventText::Residuals EventText::branchOfIf()
{
    Residuals out;
    for (;;) {
        at_ = skipBlanks(at_);
        if (wordAt(at_, "end") || wordAt(at_, "else") || wordAt(at_, "elseif"))
            return out;
        if (wordAt(at_, "if")) {
            Residuals inner = readIfEquation(at_);
            out.insert(out.end(), inner.begin(), inner.end());
            continue;
        }
        if (wordAt(at_, "when") || wordAt(at_, "assert"))
            fail(at_, "In an if-equation stand equations of continuous variables", "",
                 "write the condition into the statement: when a and b then");
        const Span s = statement();
        if (s.begin == s.end)
            continue;
        refuseStatement(s.begin, names_);
        const Sides sides = sidesOf(s);
        if (const std::size_t at = skipBlanks(sides.left.begin); heldNamed(text_.substr(at, nameEnd(at) - at)) >= 0)
            fail(at, "A discrete variable has one equation", "", "write d = if c then a else b;");
        const auto side = [this](Span each) { return asNumber(parse(each, Context::Equation), each); };
        out.emplace_back(side(sides.left) - side(sides.right), s.begin);
    }
}

/// Of each held variable the statement that sets it; -1 of conditions.
std::vector<int> EventText::settersOf()
{
    std::vector<int> out(system().held.size(), -1);
    for (std::size_t i = 0; i < system().statements.size(); ++i)
        for (const int target : setBy(system().statements[i])) {
            int& setter = out[static_cast<std::size_t>(target)];
            const std::string& name = system().held[static_cast<std::size_t>(target)].quantity.name;
            if (setter >= 0)
                fail(statementsAt_[i], "'" + name + "' is set by two statements", "at an event both could be meant",
                     "write one 'when' with 'elsewhen'");
            setter = static_cast<int>(i);
        }
    for (const auto& [place, at] : declared_)
        if (out[static_cast<std::size_t>(place)] < 0)
            fail(at, "Nothing sets '" + system().held[static_cast<std::size_t>(place)].quantity.name + "'",
                 "a discrete variable has one equation, or is set in a 'when'", "write it as a parameter if it never changes");
    return out;
}

/// A condition that compares what its own statement sets with what it was, as change(n), would have to be known before itself.
void EventText::checkOwnChanges() const
{
    for (std::size_t i = 0; i < model_->system.statements.size(); ++i) {
        const EventStatement& statement = model_->system.statements[i];
        Names needed;
        for (const WhenBranch& branch : statement.branches)
            for (const Expr& condition : branch.conditions)
                addNeeded(condition, needed);
        for (const int target : setBy(statement)) {
            const std::string& name = model_->system.held[static_cast<std::size_t>(target)].quantity.name;
            if (!statement.branches.empty() && needed.contains(name) && needed.contains("pre(" + name + ")"))
                fail(statementsAt_[i], "'" + name + "' depends on itself at one instant",
                     "this 'when' sets it where it has changed",
                     "a condition of something else, or of pre(" + name + ") alone");
        }
    }
}

void EventText::checkReinits() const
{
    std::unordered_set<std::string> differentiated;
    for (const Equation& e : model_->system.equations)
        for (const expr::Symbol& s : expr::symbolsOf(e.residual))
            if (s.kind == expr::SymbolKind::Variable && s.order > 0)
                differentiated.insert(s.name);
    for (const EventStatement& statement : model_->system.statements)
        for (const WhenBranch& branch : statement.branches)
            for (const EventAction& action : branch.actions)
                if (action.kind == EventAction::Kind::Reinit && !differentiated.contains(action.variable))
                    refuse(action.position, "'" + action.variable + "' is no state: its derivative appears in no equation", {},
                           "its value follows from the equations at all times", "name a variable whose der() appears");
}

/// Conditions that nothing depends on any more: both branches were alike.
void EventText::forgetConditions()
{
    Names used;
    for (const auto* list : {&system().equations, &system().initial})
        for (const Equation& e : *list)
            addNeeded(e.residual, used);
    for (const EventStatement& statement : system().statements)
        used.merge(neededBy(statement));
    std::vector<HeldVariable>& all = system().held;
    for (std::size_t k = all.size(); k-- > 0;) { // one that stands in another was read before it
        if (all[k].kind != HeldVariable::Kind::Condition)
            continue;
        if (used.contains(all[k].quantity.name))
            addNeeded(all[k].difference, used);
        else
            all.erase(all.begin() + static_cast<std::ptrdiff_t>(k));
    }
}

void EventText::orderStatements()
{
    checkReinits();
    checkOwnChanges();
    forgetConditions();
    std::vector<EventStatement>& all = system().statements;
    if (system().held.size() > budget::kHeldVariables || all.size() > budget::kHeldVariables)
        fail(0, "The model has more than " + std::to_string(budget::kHeldVariables) + " conditions and discrete variables", "",
             "write noEvent(...) where no event is needed");
    const std::vector<int> setters = settersOf();
    std::unordered_map<std::string, int> setter;
    for (std::size_t k = 0; k < setters.size(); ++k)
        if (setters[k] >= 0)
            setter.emplace(system().held[k].quantity.name, setters[k]);
    std::vector<std::vector<std::size_t>> waits(all.size());
    for (std::size_t i = 0; i < all.size(); ++i)
        for (const std::string& name : neededBy(all[i]))
            if (const auto by = setter.find(name); by != setter.end())
                if (by->second != static_cast<int>(i) || all[i].branches.empty())
                    waits[i].push_back(static_cast<std::size_t>(by->second));
    const std::vector<std::size_t> order = inOrder(all.size(), waits);
    if (order.size() < all.size()) {
        std::vector<char> placed(all.size());
        for (const std::size_t i : order)
            placed[i] = 1;
        const auto circle = static_cast<std::size_t>(std::ranges::find(placed, 0) - placed.begin());
        const std::vector<int> targets = setBy(all[circle]);
        fail(statementsAt_[circle],
             (targets.empty() ? std::string("This statement")
                              : "'" + system().held[static_cast<std::size_t>(targets.front())].quantity.name + "'")
                 + " depends on itself at one instant",
             "discrete variables are computed one after the other", "write pre(d) for the value before the event");
    }
    std::vector<EventStatement> sorted;
    for (const std::size_t i : order)
        sorted.push_back(std::move(all[i]));
    all = std::move(sorted);
}

} // namespace driftless::model
