#include "core/expr/Units.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <unordered_map>

#include "core/expr/Node.h"
#include "core/expr/Print.h"

namespace driftless::expr {

namespace {

constexpr std::array<std::string_view, 7> kBase{"kg", "m", "s", "A", "K", "mol", "cd"};
constexpr double kSame = 1e-9; ///< of exponents, which are small rationals

struct NamedUnit {
    std::string_view name;
    Dimension dimension;
};
constexpr NamedUnit kUnits[] = {{"kg", {1}},
                                {"g", {1}},
                                {"m", {0, 1}},
                                {"s", {0, 0, 1}},
                                {"A", {0, 0, 0, 1}},
                                {"K", {0, 0, 0, 0, 1}},
                                {"mol", {0, 0, 0, 0, 0, 1}},
                                {"cd", {0, 0, 0, 0, 0, 0, 1}},
                                {"min", {0, 0, 1}},
                                {"h", {0, 0, 1}},
                                {"rad", {}},
                                {"deg", {}},
                                {"sr", {}},
                                {"1", {}},
                                {"l", {0, 3}},
                                {"Hz", {0, 0, -1}},
                                {"N", {1, 1, -2}},
                                {"Pa", {1, -1, -2}},
                                {"J", {1, 2, -2}},
                                {"W", {1, 2, -3}},
                                {"C", {0, 0, 1, 1}},
                                {"V", {1, 2, -3, -1}},
                                {"F", {-1, -2, 4, 2}},
                                {"Ohm", {1, 2, -3, -2}},
                                {"S", {-1, -2, 3, 2}},
                                {"Wb", {1, 2, -2, -1}},
                                {"T", {1, 0, -2, -1}},
                                {"H", {1, 2, -2, -2}},
                                {"degC", {0, 0, 0, 0, 1}},
                                {"bar", {1, -1, -2}},
                                {"t", {1}}};
constexpr std::string_view kPrefixes = "kmunpMGcdhTf";

std::optional<Dimension> named(std::string_view name)
{
    for (const bool prefixed : {false, true}) {
        if (prefixed && (name.size() < 2 || kPrefixes.find(name[0]) == std::string_view::npos))
            continue;
        for (const NamedUnit& unit : kUnits)
            if (unit.name == (prefixed ? name.substr(1) : name))
                return unit.dimension;
    }
    return std::nullopt;
}

void add(Dimension& to, const Dimension& from, double times)
{
    for (std::size_t i = 0; i < to.size(); ++i)
        to[i] += times * from[i];
}

bool same(const Dimension& a, const Dimension& b)
{
    return std::equal(a.begin(), a.end(), b.begin(), [](double x, double y) { return std::abs(x - y) < kSame; });
}

bool dimensionless(const Dimension& d) { return same(d, {}); }

/// Units are short; nesting is bounded by their length.
class UnitReader {
public:
    explicit UnitReader(std::string_view text) : text_(text) {}
    std::optional<Dimension> run()
    {
        constexpr std::size_t kLongest = 80;
        if (text_.empty() || text_.size() > kLongest)
            return std::nullopt;
        const auto out = product();
        return out && at_ == text_.size() ? out : std::nullopt;
    }

private:
    std::optional<Dimension> product()
    {
        Dimension out{};
        for (double sign = 1;;) {
            const auto factor = unit();
            if (!factor)
                return std::nullopt;
            add(out, *factor, sign);
            if (at_ >= text_.size() || text_[at_] == ')')
                return out;
            const char c = text_[at_++];
            if (c != '.' && c != '*' && c != '/' && c != ' ')
                return std::nullopt;
            sign = c == '/' ? -1 : 1;
        }
    }
    std::optional<Dimension> unit()
    {
        std::optional<Dimension> out;
        if (at_ < text_.size() && text_[at_] == '(') {
            ++at_;
            out = product();
            if (!out || at_ >= text_.size())
                return std::nullopt;
            ++at_;
        } else {
            const std::size_t from = at_;
            if (at_ < text_.size() && text_[at_] == '1')
                ++at_;
            else
                while (at_ < text_.size() && std::isalpha(static_cast<unsigned char>(text_[at_])))
                    ++at_;
            out = named(text_.substr(from, at_ - from));
        }
        if (!out)
            return std::nullopt;
        if (at_ < text_.size() && text_[at_] == '^')
            ++at_;
        double sign = 1, exponent = 0;
        if (at_ + 1 < text_.size() && text_[at_] == '-') {
            sign = -1;
            ++at_;
        }
        const std::size_t digits = at_;
        for (; at_ < text_.size() && at_ < digits + 2 && std::isdigit(static_cast<unsigned char>(text_[at_])); ++at_)
            exponent = 10 * exponent + (text_[at_] - '0');
        if (at_ == digits)
            return sign < 0 ? std::nullopt : out;
        Dimension raised{};
        add(raised, *out, sign * exponent);
        return raised;
    }
    std::string_view text_;
    std::size_t at_ = 0;
};

/// A factor such as 2, 1/2 or 12 is a number; 9.81 may be an acceleration, and 2 sin(t) two volts.
bool mayCarryUnit(const Number& n, const Dimension& d) { return dimensionless(d) && !n.isOne() && !n.isMinusOne(); }
bool plainFactor(const Number& n) { return n.exact() && !n.decimal && std::abs(n.value) <= 1000; }

class Checker {
public:
    explicit Checker(const DimensionOf& of) : of_(of) {}

    std::string run(const Expr& e)
    {
        for (const Expr* node : postorder(std::span(&e, 1))) {
            known_[&node->node()] = dimensionOf(*node);
            if (!conflict_.empty())
                break;
        }
        return conflict_;
    }

private:
    using Known = std::optional<Dimension>;
    Known at(const Expr& e) const { return known_.at(&e.node()); }

    Known dimensionOf(const Expr& e)
    {
        const Node& n = e.node();
        switch (n.op) {
        case Op::Constant:
            return plainFactor(n.number) && !n.number.isZero() ? Known(Dimension{}) : std::nullopt;
        case Op::Pi:
            return Dimension{};
        case Op::Symbol:
            return of_(n.symbol);
        case Op::Add:
            return sumOf(n);
        case Op::Mul:
            return productOf(n);
        case Op::Pow:
            return powerOf(n);
        case Op::Abs:
            return at(n.args[0]);
        case Op::Min:
        case Op::Max:
            return agree(n, 0);
        case Op::Less:
        case Op::LessEqual:
            agree(n, 0);
            return Dimension{};
        case Op::IfThenElse:
            return agree(n, 1);
        case Op::Atan2:
            agree(n, 0);
            return Dimension{};
        case Op::Sign:
            return Dimension{};
        default:
            if (const Known argument = at(n.args[0]); argument && !dimensionless(*argument))
                say("The argument of " + printShort(e) + " has the unit " + unitText(*argument) + ", and can have none");
            return Dimension{};
        }
    }

    /// The number that stands alone in a sum may be anything.
    Known sumOf(const Node& n)
    {
        const Expr* first = nullptr;
        for (std::size_t i = 0; i < n.args.size(); ++i) {
            const Expr& term = n.args[i];
            if (!at(term) || !plainFactor(n.weights[i]) || mayCarryUnit(n.weights[i], *at(term)))
                continue;
            if (!first)
                first = &term;
            else
                compare(*first, term);
        }
        return first ? at(*first) : std::nullopt;
    }

    Known productOf(const Node& n)
    {
        if (!plainFactor(n.number))
            return std::nullopt;
        Dimension out{};
        for (const Expr& factor : n.args) {
            const Known known = at(factor);
            if (!known)
                return std::nullopt;
            add(out, *known, 1);
        }
        return mayCarryUnit(n.number, out) ? std::nullopt : Known(out);
    }

    Known powerOf(const Node& n)
    {
        const Known base = at(n.args[0]), exponent = at(n.args[1]);
        if (exponent && !dimensionless(*exponent))
            say("The exponent " + printShort(n.args[1]) + " has the unit " + unitText(*exponent) + ", and can have none");
        if (!base)
            return std::nullopt;
        const auto value = n.args[1].constantValue();
        if (!value)
            return dimensionless(*base) ? base : std::nullopt;
        Dimension out{};
        add(out, *base, *value);
        return out;
    }

    /// Arguments from the given one on must agree.
    Known agree(const Node& n, std::size_t from)
    {
        const Expr* first = nullptr;
        for (std::size_t i = from; i < n.args.size(); ++i)
            if (at(n.args[i]) && n.args[i].node().op != Op::Constant) {
                if (first)
                    compare(*first, n.args[i]);
                else
                    first = &n.args[i];
            }
        return first ? at(*first) : std::nullopt;
    }

    void compare(const Expr& a, const Expr& b)
    {
        if (!same(*at(a), *at(b)))
            say(printShort(a) + " has the unit " + unitText(*at(a)) + ", " + printShort(b) + " has " + unitText(*at(b)));
    }

    void say(std::string text)
    {
        if (conflict_.empty())
            conflict_ = std::move(text);
    }

    const DimensionOf& of_;
    std::unordered_map<const Node*, Known> known_;
    std::string conflict_;
};

} // namespace

std::optional<Dimension> parseUnit(std::string_view text) { return UnitReader(text).run(); }

bool isLength(std::string_view unit, int rate)
{
    const auto dimension = parseUnit(unit);
    return dimension && same(*dimension, {0, 1, static_cast<double>(-rate)});
}

std::string unitText(const Dimension& d)
{
    std::string out;
    for (std::size_t i = 0; i < d.size(); ++i) {
        if (std::abs(d[i]) < kSame)
            continue;
        out += (out.empty() ? "" : ".") + std::string(kBase[i]);
        if (std::abs(d[i] - 1) < kSame)
            continue;
        const bool whole = std::abs(d[i] - std::round(d[i])) < kSame;
        out += whole ? std::to_string(std::lround(d[i])) : "^(" + std::to_string(d[i]) + ")";
    }
    return out.empty() ? "1" : out;
}

std::string dimensionConflict(const Expr& e, const DimensionOf& dimensionOf) { return Checker(dimensionOf).run(e); }

} // namespace driftless::expr
