#include "core/expr/Node.h"

#include <array>
#include <cassert>
#include <cmath>
#include <mutex>
#include <numbers>
#include <unordered_set>

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

/// A symbol in use. Most nodes are no symbols: only these have the room for one.
struct SymbolNode : std::enable_shared_from_this<SymbolNode> {
    SymbolNode(const Symbol& s, std::size_t hash) : symbol(s), hashOfSymbol(hash), node(symbol)
    {
        finish(node);
        node.lead = &node;
    }
    ~SymbolNode();
    SymbolNode(const SymbolNode&) = delete;
    SymbolNode& operator=(const SymbolNode&) = delete;

    const Symbol symbol;
    const std::size_t hashOfSymbol;
    Node node;
};

/// The symbols in use, one node for each: a model mentions the same ones in thousands of expressions. Any thread.
class SymbolNodes {
public:
    std::shared_ptr<SymbolNode> of(const Symbol& s)
    {
        const Wanted wanted{s, SymbolHash()(s)};
        Part& part = partOf(wanted.hash);
        // Released after the lock, also where memory is refused: ~SymbolNode locks the mutex, too.
        std::shared_ptr<SymbolNode> out;
        const std::lock_guard lock(part.mutex);
        const auto found = part.nodes.find(wanted);
        if (found != part.nodes.end()) {
            out = (*found)->weak_from_this().lock();
            if (out)
                return out;
            part.nodes.erase(found); // its last user has just gone: its destructor waits for this mutex
        }
        out = std::make_shared<SymbolNode>(s, wanted.hash);
        part.nodes.insert(out.get());
        return out;
    }
    void leave(SymbolNode& node)
    {
        Part& part = partOf(node.hashOfSymbol);
        const std::lock_guard lock(part.mutex);
        const auto found = part.nodes.find(&node);
        if (found != part.nodes.end() && *found == &node) // else another one has its place already
            part.nodes.erase(found);
    }

private:
    struct Wanted {
        const Symbol& symbol;
        std::size_t hash;
    };
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(const SymbolNode* node) const { return node->hashOfSymbol; }
        std::size_t operator()(const Wanted& wanted) const { return wanted.hash; }
    };
    struct Same {
        using is_transparent = void;
        bool operator()(const SymbolNode* a, const SymbolNode* b) const { return a->symbol == b->symbol; }
        bool operator()(const SymbolNode* a, const Wanted& b) const { return a->symbol == b.symbol; }
        bool operator()(const Wanted& a, const SymbolNode* b) const { return a.symbol == b->symbol; }
    };
    struct Part {
        std::mutex mutex;
        /// Not of const nodes. From such a one weak_from_this() makes a weak pointer to const, for which libstdc++ holds the
        /// node for a moment. It may be the last to hold it, and ~SymbolNode would lock a mutex that is locked already.
        std::unordered_set<SymbolNode*, Hash, Same> nodes;
    };
    static constexpr std::size_t kParts = 16; // so that threads hardly wait for each other
    Part& partOf(std::size_t hash) { return parts_[hash / 64 % kParts]; }

    std::array<Part, kParts> parts_;
};

SymbolNodes& symbolNodes()
{
    static auto& nodes = *new SymbolNodes; // never destroyed: other static objects may hold symbols until the very end
    return nodes;
}

SymbolNode::~SymbolNode() { symbolNodes().leave(*this); }

/// One node for each integer up to this magnitude. They are never destroyed, nobody counts their users, and threads do not wait
/// for each other at them.
constexpr int kSharedUpTo = 8;

std::shared_ptr<const Node> sharedInteger(int n)
{
    using Nodes = std::array<Node, 2 * kSharedUpTo + 1>;
    static const Nodes& nodes = [&]() -> const Nodes& {
        auto& made = *new Nodes;
        for (int k = -kSharedUpTo; k <= kSharedUpTo; ++k) {
            Node& node = made[static_cast<std::size_t>(k + kSharedUpTo)];
            node.number = Number::integer(k);
            finish(node);
        }
        return made;
    }();
    return {std::shared_ptr<const Node>(), &nodes[static_cast<std::size_t>(n + kSharedUpTo)]};
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

Expr constant(const Number& n)
{
    if (!n.isInteger() || n.numerator < -kSharedUpTo || n.numerator > kSharedUpTo)
        return makeNode(Op::Constant, {}, n);
    return Expr(sharedInteger(static_cast<int>(n.numerator)));
}

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
    auto held = symbolNodes().of(s);
    const Node* const node = &held->node;
    return Expr(std::shared_ptr<const Node>(std::move(held), node));
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
