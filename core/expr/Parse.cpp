// Recursive descent, bounded in depth:
//   expression := "if" expression "then" expression "else" expression | choice
//   choice     := comparison; in a dialect: conjunction {"or" conjunction}, conjunction := denial {"and" denial},
//                 denial := ["not"] comparison, and "elseif" c "then" e in an if
//   comparison := sum [("<" | "<=" | ">" | ">=") sum]
//   sum        := product {("+" | "-") product}
//   product    := unary {("*" | "/") unary}
//   unary      := ("-" | "+") unary | power
//   power      := atom ["^" unary]
//   atom       := number | name {"'"} | function "(" expression {"," expression} ")" | "(" expression ")"
#include "core/expr/Parse.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "core/expr/Lexer.h"
#include "core/expr/Node.h"
#include "core/expr/Operators.h"
#include "core/expr/Print.h"
#include "core/text/Names.h"

namespace driftless::expr {
namespace {

using Parsed = std::optional<Expr>;

/// The offered name that is nearest to the wanted one, as a question; nothing when none is near.
template <typename Names>
std::string suggestion(std::string_view wanted, const Names& names)
{
    text::NearestName nearest(wanted);
    for (const std::string_view name : names)
        nearest.offer(name);
    return nearest.found().empty() ? std::string() : "did you mean '" + nearest.found() + "'?";
}

std::string cut(std::string_view text)
{
    constexpr std::size_t kLongest = 40;
    return text.size() > kLongest ? std::string(text.substr(0, kLongest)) + "..." : std::string(text);
}

bool isPlainLogical(const Expr& e, const std::function<bool(const Symbol&)>& ofSymbol)
{
    if (e.node().op == Op::Symbol)
        return ofSymbol(e.node().symbol);
    return e.isZero() || e.isOne() || e.node().op == Op::Less || e.node().op == Op::LessEqual;
}

class Parser {
public:
    Parser(std::string_view text, const NameLookup& lookup, const SourcePosition& origin,
           const std::vector<std::string>& knownNames, const ParseLimits& limits, Dialect* dialect)
        : lexer_(text, dialect != nullptr), lookup_(lookup), origin_(origin), knownNames_(knownNames), limits_(limits),
          dialect_(dialect)
    {
    }

    Result<Expr> run()
    {
        Parsed e;
        if (advance())
            e = expression();
        if (e && token_.kind != TokenKind::End)
            e = fail(token_, isSign(")") ? "This ')' closes nothing" : "An operator is missing before " + shown(token_));
        if (e && dialect_)
            dialect_->hasRead(truth_);
        return e ? Result<Expr>(*e) : Result<Expr>(error_);
    }

    Diagnostic errorAt(const Token& at, std::string what, std::string remedy = {}) const
    {
        Diagnostic d;
        d.what = std::move(what);
        d.remedy = std::move(remedy);
        d.position = origin_;
        d.position.line = std::max(origin_.line, 1) + at.line - 1;
        d.position.column = at.line == 1 ? std::max(origin_.column, 1) + at.column - 1 : at.column;
        return d;
    }

private:
    /// Counts one level of nesting while it lives.
    struct Level {
        explicit Level(int& depth) : depth_(depth) { ++depth_; }
        ~Level() { --depth_; }
        int& depth_;
    };

    Parsed fail(const Token& at, std::string what, std::string remedy = {})
    {
        if (error_.what.empty())
            error_ = errorAt(at, std::move(what), std::move(remedy));
        return std::nullopt;
    }

    /// Next token; false on a broken one.
    bool advance()
    {
        token_ = lexer_.next();
        if (token_.kind == TokenKind::Broken)
            fail(token_, lexer_.error());
        return token_.kind != TokenKind::Broken;
    }

    bool isSign(std::string_view s) const { return token_.kind == TokenKind::Sign && token_.text == s; }
    bool isWord(std::string_view s) const { return token_.kind == TokenKind::Name && token_.text == s && token_.primes == 0; }

    static std::string shown(const Token& t)
    {
        if (t.kind == TokenKind::End)
            return "the end of the text";
        return "'" + cut(t.text) + std::string(static_cast<std::size_t>(std::min(t.primes, 4)), '\'') + "'";
    }

    bool expectWord(std::string_view word, const Token& start)
    {
        if (!isWord(word)) {
            fail(token_, "Expected '" + std::string(word) + "' instead of " + shown(token_),
                 "write 'if condition then value else value' (the 'if' is in line "
                     + std::to_string(errorAt(start, {}).position.line) + ")");
            return false;
        }
        return advance();
    }

    Parsed tooDeep()
    {
        return fail(token_, "The expression is nested deeper than " + std::to_string(limits_.maxDepth) + " levels",
                    "name parts of it as equations of their own");
    }

    Parsed expression()
    {
        const Level level(depth_);
        if (depth_ > limits_.maxDepth)
            return tooDeep();
        if (!isWord("if"))
            return dialect_ ? disjunction() : comparison();
        const Token start = token_;
        if (!advance())
            return std::nullopt;
        const Token at = token_;
        const Parsed condition = logical(expression(), at);
        if (!condition || !expectWord("then", start))
            return std::nullopt;
        const Parsed whenTrue = expression();
        const bool truth = truth_;
        if (whenTrue && dialect_ && isWord("elseif"))
            token_.text = "if"; // as an if in the else
        else if (!whenTrue || !expectWord("else", start))
            return std::nullopt;
        const Token other = token_;
        const Parsed whenFalse = expression();
        if (!whenFalse)
            return std::nullopt;
        if (truth != truth_ && !dialect_->whyNotLogical(truth ? *whenFalse : *whenTrue).empty())
            return fail(other, "One branch of this 'if' is true or false, and the other one a number");
        truth_ = truth_ || truth;
        return ifThenElse(*condition, *whenTrue, *whenFalse);
    }

    /// Refuses what is true or false where a number is needed.
    Parsed number(Parsed e, const Token& at)
    {
        if (!e || !truth_)
            return e;
        const std::string what = e->node().hasSymbols ? printShort(*e) : std::string();
        return fail(at, "A number is needed here, and " + (what.empty() ? "this" : "'" + what + "'") + " is true or false",
                    "write if " + (what.empty() ? "c" : what) + " then 1 else 0");
    }

    /// Of a dialect: the same, where it can be true or false.
    Parsed logical(Parsed e, const Token& at)
    {
        if (!e || !dialect_)
            return e;
        const std::string why = dialect_->whyNotLogical(*e);
        truth_ = true;
        return why.empty() ? e : fail(at, why);
    }

    Parsed disjunction()
    {
        Token at = token_;
        Parsed out = conjunction();
        if (out && isWord("or"))
            out = logical(out, at);
        while (out && isWord("or")) { // what is joined is logical itself
            if (!advance())
                return std::nullopt;
            at = token_;
            const Parsed next = logical(conjunction(), at);
            out = next ? Parsed(logicalOr(*out, *next)) : std::nullopt;
        }
        return out;
    }

    Parsed conjunction()
    {
        Token at = token_;
        Parsed out = denial();
        if (out && isWord("and"))
            out = logical(out, at);
        while (out && isWord("and")) {
            if (!advance())
                return std::nullopt;
            at = token_;
            const Parsed next = logical(denial(), at);
            out = next ? Parsed(logicalAnd(*out, *next)) : std::nullopt;
        }
        return out;
    }

    Parsed denial()
    {
        if (!isWord("not"))
            return comparison();
        if (!advance())
            return std::nullopt;
        const Token at = token_;
        const Parsed e = logical(comparison(), at);
        return e ? Parsed(logicalNot(*e)) : std::nullopt;
    }

    bool compares() const
    {
        return isSign("<") || isSign("<=") || isSign(">") || isSign(">=") || (dialect_ && (isSign("==") || isSign("<>")));
    }

    Parsed comparison()
    {
        const Token start = token_;
        const Parsed left = sumOfProducts();
        if (!left || !compares())
            return left;
        const std::string sign(token_.text);
        const bool equality = sign == "==" || sign == "<>";
        if (!equality && !number(left, start))
            return std::nullopt;
        if (!advance())
            return std::nullopt;
        const Token other = token_;
        const Parsed right = sumOfProducts();
        if (!right || (!equality && !number(right, other)))
            return std::nullopt;
        truth_ = dialect_ != nullptr;
        if (compares())
            return fail(token_, "Comparisons cannot be chained");
        if (dialect_)
            return compared(*left, *right, sign, start);
        if (sign == "<")
            return less(*left, *right);
        if (sign == "<=")
            return lessEqual(*left, *right);
        return sign == ">" ? less(*right, *left) : lessEqual(*right, *left);
    }

    Parsed compared(const Expr& left, const Expr& right, const std::string& sign, const Token& at)
    {
        const bool less = sign[0] == '<' && sign != "<>";
        const Expr& upper = less ? right : left;
        const Expr& lower = less ? left : right;
        if (sign != "==" && sign != "<>")
            return dialect_->relation(upper, lower, sign.size() == 1, printShort(left) + " " + sign + " " + printShort(right));
        if (const std::string why = dialect_->whyNotEqual(left, right); !why.empty())
            return fail(at, why, "compare with <= or >=, or write abs(a - b) < small");
        const Expr equal = logicalAnd(lessEqual(left, right), lessEqual(right, left));
        return sign == "==" ? equal : logicalNot(equal);
    }

    Parsed sumOfProducts()
    {
        std::vector<Expr> terms;
        const Token start = token_;
        bool alone = true;
        for (bool negative = false;;) {
            // A minus before a product belongs to all of it, as printed text means it: -(a + b)/c is no (-a - b)/c.
            if (isSign("-") || isSign("+")) {
                negative = negative != isSign("-");
                alone = false;
                if (!advance())
                    return std::nullopt;
            }
            const Token at = token_;
            const Parsed term = productOfPowers();
            alone = alone && !isSign("+") && !isSign("-");
            if (!term || (!alone && !number(term, at)))
                return std::nullopt;
            terms.push_back(negative ? -*term : *term);
            if (!isSign("+") && !isSign("-"))
                break;
            negative = isSign("-");
            if (!advance())
                return std::nullopt;
        }
        return terms.size() == 1 ? Parsed(terms[0]) : checked(sum(terms), start);
    }

    Parsed productOfPowers()
    {
        std::vector<Expr> factors;
        const Token start = token_;
        for (bool divide = false;;) {
            const Token at = token_;
            const Parsed factor = unary();
            const bool alone = factors.empty() && !isSign("*") && !isSign("/");
            if (!factor || (!alone && !number(factor, at)))
                return std::nullopt;
            if (divide && !factor->node().hasSymbols && factor->constantValue() == 0.0) // 0, and 0^pi
                return fail(at, "Division by zero");
            factors.push_back(divide ? pow(*factor, -1) : *factor);
            if (!isSign("*") && !isSign("/"))
                break;
            divide = isSign("/");
            if (!advance())
                return std::nullopt;
        }
        return factors.size() == 1 ? Parsed(factors[0]) : checked(product(factors), start);
    }

    Parsed unary()
    {
        if (!isSign("-") && !isSign("+"))
            return power();
        const Level level(depth_);
        if (depth_ > limits_.maxDepth)
            return tooDeep();
        const bool negative = isSign("-");
        if (!advance())
            return std::nullopt;
        const Token at = token_;
        const Parsed e = number(unary(), at);
        return e && negative ? Parsed(-*e) : e;
    }

    Parsed power()
    {
        const Token start = token_;
        const Parsed base = atom();
        if (!base || !isSign("^"))
            return base;
        if (!number(base, start))
            return std::nullopt;
        const Level level(depth_);
        if (depth_ > limits_.maxDepth)
            return tooDeep();
        if (!advance())
            return std::nullopt;
        const Token at = token_;
        const Parsed exponent = number(unary(), at);
        return exponent ? checked(pow(*base, *exponent), start) : std::nullopt;
    }

    /// Refuses a constant without a finite value, 10^400, sqrt(-1), log(0), and a factor without one, as of 1e200*x*1e200.
    Parsed checked(const Expr& e, const Token& at)
    {
        if (e.node().hasSymbols)
            return hasFiniteNumbers(e.node()) ? Parsed(e) : fail(at, "The factor in this does not fit into a double");
        const auto value = e.constantValue();
        if (value && std::isfinite(*value))
            return e;
        return fail(at, value && std::isinf(*value) ? "The value of this constant does not fit into a double"
                                                    : "This constant is no real number");
    }

    Parsed atom()
    {
        truth_ = false;
        if (token_.kind == TokenKind::Number) {
            const Expr value = constant(token_.number);
            return advance() ? Parsed(value) : std::nullopt;
        }
        if (token_.kind == TokenKind::Name)
            return named();
        if (isSign("(")) {
            const Token start = token_;
            if (!advance())
                return std::nullopt;
            const Parsed e = expression();
            return e && closeBracket(start) ? e : std::nullopt;
        }
        return fail(token_, token_.kind == TokenKind::End ? "The text ends where a value is expected"
                                                          : "Expected a value instead of " + shown(token_));
    }

    bool closeBracket(const Token& start)
    {
        if (isSign(")"))
            return advance();
        if (token_.kind == TokenKind::End)
            fail(start, "This '(' is never closed");
        else
            fail(token_, isSign(",") ? "A ',' is only allowed between the arguments of a function"
                                     : "Expected ')' or an operator instead of " + shown(token_));
        return false;
    }

    Parsed ofDialect(const Token& name)
    {
        std::vector<Expr> args;
        dialect_->enter(name.text);
        const bool read = arguments(args, true);
        dialect_->leave(name.text);
        if (!read)
            return std::nullopt;
        auto e = dialect_->call(name.text, args);
        if (!e)
            return fail(name, e.error().what, e.error().remedy);
        if (name.text != "noEvent" && name.text != "smooth") // these have the kind of their last argument
            truth_ = dialect_->whyNotLogical(*e).empty();
        return *e;
    }

    Parsed named()
    {
        const Token name = token_;
        if (dialect_ && (isWord("true") || isWord("false"))) {
            truth_ = true;
            return advance() ? Parsed(Expr(name.text == "true" ? 1 : 0)) : std::nullopt;
        }
        if (dialect_ && (isWord("and") || isWord("or") || isWord("not") || isWord("elseif")))
            return fail(name, "Expected a value instead of '" + std::string(name.text) + "'");
        if (isWord("if"))
            return fail(name, "'if' needs brackets around it here", "write (if condition then value else value)");
        if (isWord("then") || isWord("else"))
            return fail(name, "'" + std::string(name.text) + "' without its 'if'");
        if (!advance())
            return std::nullopt;
        if (isSign("("))
            return call(name);
        if (const auto e = lookup_ ? lookup_(name.text, name.primes) : std::nullopt) {
            truth_ = dialect_ && e->symbol() && dialect_->whyNotLogical(*e).empty();
            return e;
        }
        if (name.text == "pi" && name.primes == 0)
            return pi();
        if (functionNamed(name.text) || name.text == "sqrt")
            return fail(name, "The function '" + std::string(name.text) + "' needs its argument in brackets");
        if (name.primes > 0 && lookup_ && lookup_(name.text, 0))
            return fail(name, "The derivative " + shown(name) + " is not available here");
        if (lookup_ && lookup_(std::string(name.text) + ".x", name.primes))
            return fail(name, "'" + cut(name.text) + "' has components, and a number is needed here",
                        "one of its components, as " + cut(name.text) + ".x");
        return fail(name, "Unknown name '" + cut(name.text) + "'", suggestion(name.text, knownNames_));
    }

    bool arguments(std::vector<Expr>& args, bool ofDialect)
    {
        const Token start = token_;
        const Level level(depth_);
        if (!advance())
            return false;
        if (isSign(")"))
            return advance();
        while (true) {
            const Token at = token_;
            const Parsed e = ofDialect ? expression() : number(expression(), at);
            if (!e)
                return false;
            args.push_back(*e);
            if (!isSign(","))
                return closeBracket(start);
            if (!advance())
                return false;
        }
    }

    Parsed call(const Token& name)
    {
        if (dialect_ && name.primes == 0 && dialect_->knows(name.text))
            return ofDialect(name);
        const std::string known(name.text.substr(0, 16));
        const Operator* row = functionNamed(name.text);
        const bool special = name.text == "sqrt" || name.text == "der";
        if ((!row && !special) || name.primes > 0) {
            if (lookup_ && lookup_(name.text, name.primes))
                return fail(name, shown(name) + " is no function", "write " + cut(name.text) + "*(...) for a product");
            std::vector<std::string_view> names{"sqrt"};
            for (const Operator& r : operatorTable())
                if (r.arity > 0 && !r.name.empty())
                    names.push_back(r.name);
            return fail(name, "Unknown function '" + cut(name.text) + "'", suggestion(name.text, names));
        }
        std::vector<Expr> args;
        if (!arguments(args, false))
            return std::nullopt;
        const bool anyNumber = row && (row->op == Op::Min || row->op == Op::Max);
        const std::size_t arity = row ? static_cast<std::size_t>(row->arity) : 1;
        if (anyNumber ? args.size() < 2 : args.size() != arity) {
            std::string wanted = arity == 1 ? "one argument" : "two arguments";
            if (anyNumber)
                wanted = "two or more arguments";
            return fail(name, known + " takes " + wanted + ", not " + std::to_string(args.size()));
        }
        return apply(name, row, args);
    }

    Parsed apply(const Token& name, const Operator* row, const std::vector<Expr>& args)
    {
        if (name.text == "sqrt")
            return checked(sqrt(args[0]), name);
        if (!row) {
            const auto unknown = args[0].symbol();
            if (!unknown || unknown->kind != SymbolKind::Variable)
                return fail(name, "der takes a variable");
            return rate(*unknown);
        }
        Expr out = args[0];
        if (args.size() <= 2)
            out = applyFunction(row->op, args);
        for (std::size_t i = 1; args.size() > 2 && i < args.size(); ++i)
            out = row->op == Op::Min ? min(out, args[i]) : max(out, args[i]);
        return checked(out, name);
    }

    Lexer lexer_;
    Token token_;
    const NameLookup& lookup_;
    const SourcePosition& origin_;
    const std::vector<std::string>& knownNames_;
    const ParseLimits& limits_;
    Dialect* dialect_;
    int depth_ = 0;
    bool truth_ = false; ///< of a dialect: what was read last is true or false, and no number
    Diagnostic error_;
};

} // namespace

bool isLogical(const Expr& e, const std::function<bool(const Symbol&)>& ofSymbol)
{
    std::unordered_set<const Node*> seen;
    std::vector<const Expr*> open{&e};
    while (!open.empty()) { // every value that an if chooses from; what its condition is made of says nothing
        const Expr& value = *open.back();
        const Node& node = value.node();
        open.pop_back();
        if (!seen.insert(&node).second)
            continue;
        if (node.op == Op::IfThenElse)
            open.insert(open.end(), {&node.args[1], &node.args[2]});
        else if (!isPlainLogical(value, ofSymbol))
            return false;
    }
    return true;
}

std::optional<Expr> conditionInNumber(const Expr& number, const std::function<bool(const Symbol&)>& ofSymbol)
{
    std::unordered_set<const Node*> seen;
    std::vector<const Expr*> open{&number};
    while (!open.empty()) {
        const Expr& e = *open.back();
        open.pop_back();
        const Node& node = e.node();
        if (!seen.insert(&node).second)
            continue;
        if (node.op == Op::Less || node.op == Op::LessEqual || (node.op == Op::Symbol && ofSymbol(node.symbol)))
            return e;
        for (std::size_t i = node.op == Op::IfThenElse ? 1 : 0; i < node.args.size(); ++i)
            open.push_back(&node.args[i]);
    }
    return std::nullopt;
}

Expr logicalAnd(const Expr& a, const Expr& b) { return ifThenElse(a, b, Expr(0)); }
Expr logicalOr(const Expr& a, const Expr& b) { return ifThenElse(a, Expr(1), b); }
Expr logicalNot(const Expr& a) { return ifThenElse(a, Expr(0), Expr(1)); }

Result<Expr> parse(std::string_view text, const NameLookup& lookup, const SourcePosition& origin,
                   const std::vector<std::string>& knownNames, const ParseLimits& limits, Dialect* dialect)
{
    const bool tooLong = text.size() > limits.maxLength;
    Parser parser(tooLong ? std::string_view() : text, lookup, origin, knownNames, limits, dialect);
    if (tooLong)
        return parser.errorAt({},
                              "the expression has " + std::to_string(text.size()) + " characters, more than the "
                                  + std::to_string(limits.maxLength) + " allowed",
                              "name parts of it as equations of their own");
    return parser.run();
}

} // namespace driftless::expr
