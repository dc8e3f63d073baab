#include "core/expr/Node.h"

#include <cassert>
#include <cmath>
#include <numbers>

namespace driftless::expr {
namespace {

std::size_t mix(std::size_t seed, std::size_t value)
{
    std::uint64_t x = static_cast<std::uint64_t>(seed) * 0x9e3779b97f4a7c15ULL + static_cast<std::uint64_t>(value);
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93ULL;
    x ^= x >> 29;
    return static_cast<std::size_t>(x);
}

int leadRank(const Node* lead)
{
    if (!lead)
        return 0;
    switch (lead->symbol.kind) {
    case SymbolKind::Time:
        return 1;
    case SymbolKind::Parameter:
        return 2;
    default:
        return 3;
    }
}

int effectiveOrder(const Symbol& s) { return s.order + (s.kind == SymbolKind::Rate ? 1 : 0); }

/// The leading symbol of a term: the variable of the highest derivative, of equal ones the last by name, so that
/// lambda*x stands with the terms of x.
const Node* leading(const Node* a, const Node* b)
{
    if (a == b)
        return a;
    const int ra = leadRank(a);
    const int rb = leadRank(b);
    if (ra != rb || ra == 0)
        return ra >= rb ? a : b;
    const int oa = effectiveOrder(a->symbol);
    const int ob = effectiveOrder(b->symbol);
    if (oa != ob)
        return oa > ob ? a : b;
    if (a->symbol.name != b->symbol.name)
        return a->symbol.name > b->symbol.name ? a : b;
    return a->symbol.kind >= b->symbol.kind ? a : b;
}

double degreeOf(const Node& n)
{
    double degree = 0;
    switch (n.op) {
    case Op::Symbol:
        return leadRank(&n) == 3 ? 1 : 0;
    case Op::Add:
        for (const Expr& a : n.args)
            degree = std::max(degree, a.node().degree);
        return degree;
    case Op::Mul:
        for (const Expr& a : n.args)
            degree += a.node().degree;
        return degree;
    case Op::Pow:
        if (const Number* e = numberOf(n.args[1]))
            return n.args[0].node().degree * e->value;
        return 0;
    default:
        return 0;
    }
}

void finish(Node& n)
{
    std::size_t h = mix(0x51ed270b, static_cast<std::size_t>(n.op));
    if (n.op == Op::Constant || n.op == Op::Add || n.op == Op::Mul)
        h = mix(h, n.number.hash());
    if (n.op == Op::Symbol)
        h = mix(h, SymbolHash()(n.symbol));
    for (const Number& w : n.weights)
        h = mix(h, w.hash());
    for (const Expr& a : n.args) {
        h = mix(h, a.node().hash);
        n.hasSymbols = n.hasSymbols || a.node().hasSymbols;
        n.lead = leading(n.lead, a.node().lead);
    }
    n.hash = h;
    n.degree = degreeOf(n);
}

/// Nodes waiting for release on this thread; null when no release is under way.
thread_local std::vector<Expr>* pendingRelease = nullptr;

} // namespace

const Symbol& Node::noSymbol()
{
    static const Symbol none;
    return none;
}

Node::~Node()
{
    if (args.empty())
        return;
    if (pendingRelease) {
        for (Expr& a : args)
            pendingRelease->push_back(std::move(a));
        return;
    }
    std::vector<Expr> pending = std::move(args);
    pendingRelease = &pending;
    while (!pending.empty()) {
        const Expr last = std::move(pending.back());
        pending.pop_back();
    }
    pendingRelease = nullptr;
}

Expr makeNode(Op op, std::vector<Expr> args, const Number& number, std::vector<Number> weights)
{
    auto n = std::make_shared<Node>();
    n->op = op;
    n->number = number;
    n->args = std::move(args);
    n->weights = std::move(weights);
    finish(*n);
    return Expr(std::shared_ptr<const Node>(std::move(n)));
}

Expr constant(const Number& n) { return makeNode(Op::Constant, {}, n); }

Expr pi() { return makeNode(Op::Pi, {}); }

std::string Symbol::text() const
{
    std::string out = name;
    if (kind == SymbolKind::Variable || kind == SymbolKind::Rate)
        out.append(static_cast<std::size_t>(order), '\'');
    return kind == SymbolKind::Rate ? "der(" + out + ")" : out;
}

std::size_t SymbolHash::operator()(const Symbol& s) const noexcept
{
    return mix(mix(std::hash<std::string>()(s.name), static_cast<std::size_t>(s.kind)), static_cast<std::size_t>(s.order));
}

Expr::Expr()
{
    static const Expr zero(0);
    node_ = zero.node_;
}

Expr::Expr(int value) : Expr(constant(Number::integer(value))) {}
Expr::Expr(double value) : Expr(constant(Number::fromDouble(value))) {}

bool Expr::isZero() const { return node_->op == Op::Constant && node_->number.isZero(); }

bool Expr::isOne() const { return node_->op == Op::Constant && node_->number.isOne(); }

std::optional<double> Expr::constantValue() const
{
    if (node_->op == Op::Constant)
        return node_->number.value;
    if (node_->hasSymbols)
        return std::nullopt;
    return evaluate(*this, [](const Symbol&) { return std::optional<double>(); });
}

std::optional<Symbol> Expr::symbol() const { return node_->op == Op::Symbol ? std::optional(node_->symbol) : std::nullopt; }

bool Expr::sameAs(const Expr& other) const { return sameStructure(*this, other); }

Expr rational(std::int64_t numerator, std::int64_t denominator) { return constant(Number::ratio(numerator, denominator)); }

Expr symbol(const Symbol& s)
{
    // Most nodes are no symbols: only these have the room for one.
    struct SymbolNode {
        explicit SymbolNode(const Symbol& s) : symbol(s), node(symbol) {}
        const Symbol symbol;
        Node node;
    };
    const auto n = std::make_shared<SymbolNode>(s);
    finish(n->node);
    n->node.lead = &n->node;
    return Expr(std::shared_ptr<const Node>(n, &n->node));
}

Expr time() { return symbol({.kind = SymbolKind::Time, .name = "t"}); }

Expr parameter(std::string name) { return symbol({.kind = SymbolKind::Parameter, .name = std::move(name)}); }

Expr variable(std::string name, int order)
{
    assert(order >= 0);
    return symbol({.kind = SymbolKind::Variable, .name = std::move(name), .order = order});
}

Expr rate(const Symbol& unknown)
{
    assert(unknown.kind == SymbolKind::Variable);
    return symbol({.kind = SymbolKind::Rate, .name = unknown.name, .order = unknown.order});
}

} // namespace driftless::expr
