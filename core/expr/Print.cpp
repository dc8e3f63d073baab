// Expressions to text. A stack of pieces, text or a node with the binding strength it needs, replaces recursion.
#include "core/expr/PrintMarked.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>

#include "core/expr/Node.h"
#include "core/expr/Operators.h"

namespace driftless::expr {
namespace {

/// How strongly a notation holds its parts together.
enum Strength { kAnything, kComparison, kSum, kProduct, kPower, kAtom };

constexpr std::size_t kLongestMessage = 80;      ///< characters of an expression within a message
constexpr std::size_t kLongestText = 64'000'000; ///< a shared graph can be exponentially long as text

enum class Joined { No, And, Or, Not };

/// How the parser joins conditions: a and b is if a then b else 0.
Joined joined(const Expr& e)
{
    const Node& n = e.node();
    if (n.op != Op::IfThenElse)
        return Joined::No;
    if (n.args[1].isZero() && n.args[2].isOne())
        return Joined::Not;
    if (n.args[2].isZero())
        return Joined::And;
    return n.args[1].isOne() ? Joined::Or : Joined::No;
}

class Printer {
public:
    Printer(Format format, std::size_t limit, const SymbolWriter* writer = nullptr)
        : format_(format), limit_(limit), writer_(writer)
    {
    }

    std::string print(const Expr& e, bool logical = false)
    {
        stack_.push_back({&e, {}, kAnything, logical});
        while (!stack_.empty() && out_.size() <= limit_) {
            const Piece piece = std::move(stack_.back());
            stack_.pop_back();
            if (!piece.e) {
                out_ += piece.text;
                continue;
            }
            if (piece.logical)
                layoutLogical(*piece.e);
            else
                layoutBracketed(*piece.e, piece.needed);
            std::move(pieces_.rbegin(), pieces_.rend(), std::back_inserter(stack_));
            pieces_.clear();
        }
        return std::move(out_);
    }

private:
    struct Piece {
        const Expr* e;
        std::string text;
        Strength needed;
        bool logical = false; ///< true or false, and not a number
    };

    bool text() const { return format_ == Format::Text; }
    bool latex() const { return format_ == Format::Latex; }
    std::string_view byFormat(std::string_view ofText, std::string_view ofLatex, std::string_view ofHtml) const
    {
        if (text())
            return ofText;
        return latex() ? ofLatex : ofHtml;
    }
    void put(std::string_view s) { pieces_.push_back({nullptr, std::string(s), kAnything}); }
    void put(const Expr& e, Strength needed, bool logical = false) { pieces_.push_back({&e, {}, needed, logical}); }
    void open() { put(latex() ? "\\left(" : "("); }
    void close() { put(latex() ? "\\right)" : ")"); }
    std::string_view minus() const { return format_ == Format::Html ? "−" : "-"; }

    Strength strengthOfNumber(const Number& n) const
    {
        if (n.negative())
            return kSum;
        if (n.exact() && !n.decimal && n.denominator != 1)
            return kProduct;
        return !text() && n.text().find('e') != std::string::npos ? kProduct : kAtom;
    }

    Strength strength(const Node& n) const
    {
        switch (n.op) {
        case Op::Constant:
            return strengthOfNumber(n.number);
        case Op::Symbol: {
            const int mostDots = latex() ? 3 : 2; // derivatives of higher orders are written like powers
            if (!text() && n.symbol.kind == SymbolKind::Rate)
                return kProduct;
            return n.symbol.order > mostDots && !text() ? kPower : kAtom;
        }
        case Op::Add:
            return kSum;
        case Op::Mul:
            return n.number.negative() ? kSum : kProduct;
        case Op::Pow:
            if (isRoot(n))
                return kAtom;
            return inDenominator(n) ? kProduct : kPower;
        case Op::Less:
        case Op::LessEqual:
            return kComparison;
        case Op::IfThenElse:
            return latex() ? kAtom : kAnything;
        default:
            return kAtom;
        }
    }

    static bool isRoot(const Node& n)
    {
        const Number* e = n.op == Op::Pow ? numberOf(n.args[1]) : nullptr;
        return e && e->numerator == 1 && e->denominator == 2;
    }

    static bool inDenominator(const Node& n)
    {
        const Number* e = n.op == Op::Pow ? numberOf(n.args[1]) : nullptr;
        if (!e || !e->negative())
            return false;
        const auto base = n.args[0].constantValue(); // 4^519 fits into no number, and 4^(-519) does
        return !base || std::isfinite(std::pow(*base, -e->value));
    }

    void layoutBracketed(const Expr& e, Strength needed)
    {
        const bool brackets = strength(e.node()) < needed;
        if (brackets)
            open();
        layout(e);
        if (brackets)
            close();
    }

    void layout(const Expr& e)
    {
        const Node& n = e.node();
        switch (n.op) {
        case Op::Constant:
            putNumber(n.number);
            break;
        case Op::Symbol:
            putSymbol(n.symbol);
            break;
        case Op::Add:
            layoutSum(n);
            break;
        case Op::Mul:
            if (n.number.negative())
                put(minus());
            layoutProduct(magnitude(n.number), n.args);
            break;
        case Op::Pow:
            if (inDenominator(n))
                layoutProduct(Number::integer(1), {&e, 1});
            else
                layoutPower(n.args[0], n.args[1]);
            break;
        case Op::IfThenElse:
            layoutChoice(n);
            break;
        default:
            layoutFunction(n);
        }
    }

    static Number magnitude(const Number& n) { return n.negative() ? -n : n; }

    void putNumber(const Number& n)
    {
        if (n.negative())
            put(minus());
        const Number a = magnitude(n);
        std::string s = a.text();
        if (latex() && a.exact() && !a.decimal && a.denominator != 1)
            s = "\\frac{" + std::to_string(a.numerator) + "}{" + std::to_string(a.denominator) + "}";
        const std::size_t e = s.find('e');
        if (!text() && e != std::string::npos) {
            const int exponent = std::stoi(s.substr(e + 1)); // of -07
            const std::string power = std::string(exponent < 0 ? minus() : "") + std::to_string(std::abs(exponent));
            s = s.substr(0, e) + (latex() ? " \\cdot 10^{" + power + "}" : "·10<sup>" + power + "</sup>");
        }
        put(s);
    }

    /// Terms in their order, but one without a minus first where there is one.
    void layoutSum(const Node& n)
    {
        std::size_t first = 0;
        while (first < n.args.size() && n.weights[first].negative())
            ++first;
        bool constantDone = n.number.isZero();
        if (first == n.args.size() && !constantDone && !n.number.negative()) {
            putNumber(n.number);
            constantDone = true;
        } else {
            first = first == n.args.size() ? 0 : first;
            layoutTerm(n, first, true);
        }
        for (std::size_t i = 0; i < n.args.size(); ++i)
            if (i != first)
                layoutTerm(n, i, false);
        if (!constantDone) {
            putSign(n.number.negative(), false);
            putNumber(magnitude(n.number));
        }
    }

    void putSign(bool negative, bool first)
    {
        if (first)
            put(negative ? minus() : std::string_view());
        else
            put(negative ? " " + std::string(minus()) + " " : " + ");
    }

    void layoutTerm(const Node& sum, std::size_t i, bool first)
    {
        const Expr& e = sum.args[i];
        putSign(sum.weights[i].negative(), first);
        const Number weight = magnitude(sum.weights[i]);
        if (e.node().op == Op::Mul)
            layoutProduct(weight, e.node().args);
        else if (weight.isOne())
            layoutBracketed(e, kProduct);
        else
            layoutProduct(weight, {&e, 1});
    }

    /// coefficient * factors as a fraction where there are negative powers; the coefficient is not negative.
    /// Of the product under a fraction.
    static double constantPart(const Number& number, const std::vector<const Expr*>& reciprocals)
    {
        double out = number.value;
        for (const Expr* f : reciprocals)
            out /= f->constantValue().value_or(1);
        return out;
    }

    void layoutProduct(const Number& coefficient, std::span<const Expr> factors)
    {
        std::vector<const Expr*> top;
        std::vector<const Expr*> bottom;
        for (const Expr& f : factors)
            (inDenominator(f.node()) ? bottom : top).push_back(&f);
        Number over = coefficient;
        Number under = Number::integer(1);
        if (coefficient.exact() && !coefficient.decimal) {
            over = Number::integer(coefficient.numerator);
            under = Number::integer(coefficient.denominator);
        }
        const bool fraction = !bottom.empty() || !under.isOne();
        if (latex() && fraction)
            put("\\frac{");
        const bool apart = text()
                           && ((!under.isOne() && bottom.size() == 1 && isRoundedSum(bottom[0]->node(), under))
                               || !std::isfinite(constantPart(under, bottom)));
        layoutFactors(over, top, fraction && !latex() ? kPower : kProduct);
        if (!fraction)
            return;
        put(latex() ? "}{" : "/");
        if (apart) {
            if (!under.isOne())
                put(under.text() + "/");
            under = Number::integer(1);
            for (; bottom.size() > 1; bottom.erase(bottom.begin())) {
                layoutFactors(under, {bottom.front()}, kPower);
                put("/");
            }
        }
        const bool several = !latex() && bottom.size() + (under.isOne() ? 0 : 1) > 1;
        if (several)
            open();
        layoutFactors(under, bottom, latex() ? kProduct : kPower);
        if (several)
            close();
        if (latex())
            put("}");
    }

    /// A sum under a fraction with numbers that are no exact fractions, or none once `before` is multiplied into them: read
    /// back, that would be done with another rounding.
    static bool isRoundedSum(const Node& n, const Number& before)
    {
        const Node& base = n.args[0].node();
        const auto rounded = [&before](const Number& w) { return w.decimal || !w.exact() || !(before * w).exact(); };
        return numberOf(n.args[1])->isMinusOne() && base.op == Op::Add
               && (rounded(base.number) || std::any_of(base.weights.begin(), base.weights.end(), rounded));
    }

    /// Factors of one side of a fraction; those with a negative exponent appear without its sign.
    void layoutFactors(const Number& number, const std::vector<const Expr*>& factors, Strength alone)
    {
        bool first = true;
        if (!number.isOne() || factors.empty()) {
            putNumber(number);
            first = false;
        }
        const bool lone = first && factors.size() == 1;
        const Strength ofLone = latex() ? kAnything : alone;
        for (const Expr* f : factors) {
            const Node& n = f->node();
            if (!first)
                put(startsWithDigit(n) ? byFormat("*", " \\cdot ", "·") : byFormat("*", " ", "\u2009"));
            first = false;
            if (inDenominator(n))
                layoutReciprocal(n, lone);
            else
                put(*f, lone ? ofLone : kPower);
        }
    }

    static bool startsWithDigit(const Node& n)
    {
        return n.op == Op::Constant || (n.op == Op::Pow && !isRoot(n) && numberOf(n.args[0]));
    }

    /// base^(-e) for the factor base^e of a denominator.
    void layoutReciprocal(const Node& n, bool lone)
    {
        const Number e = -*numberOf(n.args[1]);
        if (e.isOne()) {
            put(n.args[0], lone && latex() ? kAnything : kPower);
        } else if (e.numerator == 1 && e.denominator == 2) {
            layoutRoot(n.args[0]);
        } else {
            put(n.args[0], kAtom);
            putExponent(e);
        }
    }

    void putExponent(const Number& e)
    {
        if (!text()) {
            put(latex() ? "^{" : "<sup>");
            putNumber(e);
            put(latex() ? "}" : "</sup>");
            return;
        }
        put("^");
        const bool brackets = strengthOfNumber(e) < kAtom;
        if (brackets)
            open();
        putNumber(e);
        if (brackets)
            close();
    }

    void layoutRoot(const Expr& a)
    {
        if (text() || !latex()) {
            put(text() ? "sqrt(" : "√(");
            put(a, kAnything);
            put(")");
            return;
        }
        put("\\sqrt{");
        put(a, kAnything);
        put("}");
    }

    void layoutPower(const Expr& base, const Expr& exponent)
    {
        const Number* e = numberOf(exponent);
        if (e && e->numerator == 1 && e->denominator == 2) {
            layoutRoot(base);
            return;
        }
        put(base, kAtom);
        if (e) {
            putExponent(*e);
            return;
        }
        put(byFormat("^", "^{", "<sup>"));
        put(exponent, text() ? kAtom : kAnything);
        put(byFormat("", "}", "</sup>"));
    }

    void layoutChoice(const Node& n)
    {
        put(latex() ? "\\begin{cases} " : "if ");
        put(n.args[latex() ? 1 : 0], kComparison);
        put(latex() ? " & \\text{if } " : " then ");
        if (latex())
            put(n.args[0], kAnything, true);
        else
            put(n.args[1], kComparison);
        put(latex() ? " \\\\ " : " else ");
        put(n.args[2], kComparison);
        if (latex())
            put(" & \\text{otherwise} \\end{cases}");
    }

    /// A part of a condition, in brackets where what joins it would not be seen.
    void putPart(const Expr& e, Joined around)
    {
        const Joined inside = joined(e);
        const bool plain = inside == Joined::No ? strength(e.node()) >= (around == Joined::Not ? kAtom : kComparison)
                                                : around != Joined::Not && (inside == around || inside == Joined::Not);
        if (!plain)
            open();
        put(e, kAnything, true);
        if (!plain)
            close();
    }

    void layoutLogical(const Expr& e)
    {
        const Node& n = e.node();
        const Joined how = joined(e);
        switch (how) {
        case Joined::No:
            if (e.isZero() || e.isOne())
                put(latex() ? std::string("\\text{") + (e.isOne() ? "true" : "false") + "}" : (e.isOne() ? "true" : "false"));
            else
                layout(e);
            return;
        case Joined::Not:
            put(byFormat("not ", "\\lnot ", "¬"));
            putPart(n.args[0], how);
            return;
        case Joined::And:
        case Joined::Or:
            putPart(n.args[0], how);
            put(how == Joined::And ? byFormat(" and ", " \\land ", " ∧ ") : byFormat(" or ", " \\lor ", " ∨ "));
            putPart(n.args[how == Joined::And ? 1 : 2], how);
        }
    }

    void putSymbol(const Symbol& symbol)
    {
        const std::string own = writer_ ? (*writer_)(symbol) : std::string();
        put(own.empty() ? expr::print(symbol, format_) : own);
    }

    void layoutFunction(const Node& n)
    {
        const Operator& row = operatorRow(n.op);
        if (n.op == Op::Less || n.op == Op::LessEqual) {
            const std::string_view sign = byFormat(n.op == Op::Less ? "<" : "<=", row.latex, row.html);
            put(n.args[0], kSum);
            put(" " + std::string(sign) + " ");
            put(n.args[1], kSum);
            return;
        }
        if (n.op == Op::Abs && !text()) {
            put(latex() ? "\\left|" : "|");
            put(n.args[0], kAnything);
            put(latex() ? "\\right|" : "|");
            return;
        }
        put(byFormat(row.name, row.latex, row.html));
        if (row.arity == 0)
            return;
        open();
        if (n.op == Op::Min || n.op == Op::Max)
            layoutFlat(n);
        else
            layoutArguments(n.args);
        close();
    }

    void layoutArguments(std::span<const Expr> args)
    {
        for (std::size_t i = 0; i < args.size(); ++i) {
            if (i > 0)
                put(", ");
            put(args[i], kAnything);
        }
    }

    /// min(min(a, b), c) as min(a, b, c).
    void layoutFlat(const Node& n)
    {
        std::vector<const Expr*> args{&n.args[1]};
        const Expr* inner = &n.args[0];
        for (; inner->node().op == n.op; inner = &inner->node().args[0])
            args.push_back(&inner->node().args[1]);
        put(*inner, kAnything);
        for (auto it = args.rbegin(); it != args.rend(); ++it) {
            put(", ");
            put(**it, kAnything);
        }
    }

    Format format_;
    std::size_t limit_;
    const SymbolWriter* writer_; ///< null: none is written in another way
    std::string out_;
    std::vector<Piece> stack_;
    std::vector<Piece> pieces_; ///< of the node being laid out, in reading order
};

} // namespace

namespace {

std::string cut(std::string text) { return text.size() > kLongestText ? text.substr(0, kLongestText) + " ..." : text; }

} // namespace

std::string print(const Expr& e, Format format) { return cut(Printer(format, kLongestText).print(e)); }

std::string printMarked(const Expr& e, Format format, const IsDummy& isDummy)
{
    if (!isDummy)
        return print(e, format);
    return printWith(e, format, [&](const Symbol& s) { return isDummy(s) ? printDummy(s, format) : std::string(); });
}

std::string printWith(const Expr& e, Format format, const SymbolWriter& writer)
{
    return cut(Printer(format, kLongestText, writer ? &writer : nullptr).print(e));
}

std::string printLogical(const Expr& e, Format format, const SymbolWriter& writer)
{
    return cut(Printer(format, kLongestText, writer ? &writer : nullptr).print(e, true));
}

std::string printShort(const Expr& e)
{
    const std::string out = Printer(Format::Text, kLongestMessage).print(e);
    return out.size() > kLongestMessage ? out.substr(0, kLongestMessage) + "..." : out;
}

} // namespace driftless::expr
