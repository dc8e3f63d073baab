// Derivatives, time derivatives, substitution, expansion and evaluation: one pass over the distinct nodes each.
#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <unordered_map>
#include <unordered_set>

#include "core/expr/Divisors.h"
#include "core/expr/FlatMap.h"
#include "core/expr/NodeMap.h"
#include "core/expr/Operators.h"
#include "core/expr/Parse.h"
#include "core/expr/Tape.h"

namespace driftless::expr {
namespace {

using Index = std::uint32_t;

/// The distinct nodes of some roots, numbered so that arguments come first, with edges both ways.
struct Graph {
    std::vector<const Expr*> nodes;
    NodeMap<Index> indexOf;
    std::vector<Index> arguments, users;                 ///< of all nodes, one behind the other
    std::vector<std::size_t> argumentStarts, userStarts; ///< of the nodes

    explicit Graph(std::span<const Expr> roots) : nodes(postorder(roots)), indexOf(nodes.size()), userStarts(nodes.size() + 1)
    {
        argumentStarts.reserve(nodes.size() + 1);
        argumentStarts.push_back(0);
        for (Index i = 0; i < nodes.size(); ++i) {
            indexOf.emplace(&nodes[i]->node(), i);
            for (const Expr& a : nodes[i]->node().args) {
                arguments.push_back(indexOf.at(&a.node()));
                ++userStarts[arguments.back() + 1];
            }
            argumentStarts.push_back(arguments.size());
        }
        for (std::size_t i = 0; i < nodes.size(); ++i)
            userStarts[i + 1] += userStarts[i];
        users.resize(arguments.size());
        std::vector<std::size_t> next(userStarts.begin(), userStarts.end() - 1);
        for (Index i = 0; i < nodes.size(); ++i)
            for (const Index a : argumentsOf(i))
                users[next[a]++] = i;
    }

    const Node& node(Index i) const { return nodes[i]->node(); }
    std::span<const Index> argumentsOf(Index i) const { return part(arguments, argumentStarts, i); }
    std::span<const Index> usersOf(Index i) const { return part(users, userStarts, i); }

private:
    static std::span<const Index> part(const std::vector<Index>& all, const std::vector<std::size_t>& starts, Index i)
    {
        return std::span(all).subspan(starts[i], starts[i + 1] - starts[i]);
    }
};

/// Partial derivatives of all roots with respect to one symbol after the other. Only nodes above the symbol are
/// visited, so that a sparse Jacobian costs what it holds.
class Differentiator {
public:
    explicit Differentiator(std::span<const Expr> roots)
        : graph_(roots), differentials_(graph_.nodes.size()), another_(graph_.nodes.size(), kNone),
          reached_(graph_.nodes.size())
    {
        for (Index i = static_cast<Index>(graph_.nodes.size()); i-- > 0;)
            if (graph_.node(i).op == Op::Symbol)
                if (const auto [first, isNew] = symbols_.tryEmplace(&graph_.node(i).symbol, i); !isNew)
                    another_[i] = std::exchange(*first, i);
    }

    void differentiate(const Symbol& s)
    {
        for (const Index i : touched_)
            differentials_[i] = zero_;
        touched_.clear();
        const Index* const first = symbols_.find(&s);
        if (!first)
            return;
        collectUsers(*first);
        for (const Index i : touched_) {
            const Node& n = graph_.node(i);
            differentials_[i] = n.op == Op::Symbol ? Expr(1) : operatorRow(n.op).differentiate(n, argsOf(i));
        }
    }

    const Expr& of(const Expr& root) const { return differentials_[graph_.indexOf.at(&root.node())]; }
    /// Nodes that the last symbol reaches.
    const std::vector<Index>& touched() const { return touched_; }
    const Graph& graph() const { return graph_; }
    const Expr& at(Index i) const { return differentials_[i]; }

private:
    void collectUsers(Index first)
    {
        ++round_;
        for (Index source = first; source != kNone; source = another_[source]) {
            touched_.push_back(source);
            reached_[source] = round_;
        }
        for (std::size_t k = 0; k < touched_.size(); ++k)
            for (const Index user : graph_.usersOf(touched_[k]))
                if (std::exchange(reached_[user], round_) != round_)
                    touched_.push_back(user);
        std::sort(touched_.begin(), touched_.end());
    }

    std::vector<Expr> argsOf(Index i) const
    {
        const auto arguments = graph_.argumentsOf(i);
        std::vector<Expr> out;
        out.reserve(arguments.size());
        for (const Index a : arguments)
            out.push_back(differentials_[a]);
        return out;
    }

    static constexpr Index kNone = std::numeric_limits<Index>::max();
    struct SameSymbol {
        std::size_t operator()(const Symbol* s) const noexcept { return SymbolHash()(*s); }
        bool operator()(const Symbol* a, const Symbol* b) const noexcept { return *a == *b; }
    };

    Graph graph_;
    Expr zero_;
    std::vector<Expr> differentials_;
    FlatMap<const Symbol*, Index, SameSymbol, SameSymbol> symbols_; ///< the first node of each
    std::vector<Index> another_;                                    ///< node of the same symbol
    std::vector<Index> touched_;
    std::vector<std::uint32_t> reached_; ///< the round in which a node was reached last
    std::uint32_t round_ = 0;
};

Expr defaultRate(const Symbol& s)
{
    switch (s.kind) {
    case SymbolKind::Time:
        return Expr(1);
    case SymbolKind::Parameter:
        return {};
    case SymbolKind::Variable:
        return variable(s.name, s.order + 1);
    case SymbolKind::Rate:
        break;
    }
    assert(false && "the time derivative of a rate needs a rule");
    return {};
}

/// What became of the nodes of a graph, in the order in which they were visited.
class Visited {
public:
    explicit Visited(std::size_t nodes) : indexOf_(nodes) { results_.reserve(nodes); }
    void add(const Node* node, Expr result)
    {
        indexOf_.emplace(node, static_cast<Index>(results_.size()));
        results_.push_back(std::move(result));
    }
    const Expr& at(const Node* node) const { return results_[indexOf_.at(node)]; }

private:
    NodeMap<Index> indexOf_;
    std::vector<Expr> results_;
};

Expr timeDerivativeOnce(const Expr& e, const RateRule& rule)
{
    const std::vector<const Expr*> nodes = postorder({&e, 1});
    Visited done(nodes.size());
    for (const Expr* p : nodes) {
        const Node& n = p->node();
        Expr d;
        if (n.op == Op::Symbol) {
            const auto given = rule ? rule(n.symbol) : std::nullopt;
            d = given ? *given : defaultRate(n.symbol);
        } else if (n.hasSymbols) {
            std::vector<Expr> dArgs;
            dArgs.reserve(n.args.size());
            for (const Expr& a : n.args)
                dArgs.push_back(done.at(&a.node()));
            d = operatorRow(n.op).differentiate(n, dArgs);
        }
        done.add(&n, std::move(d));
    }
    return done.at(&e.node());
}

/// Rebuilds the graph below e; replaceLeaf gives the new form of a symbol, reshape the new form of any other node.
template <typename Leaf, typename Reshape>
Expr transform(const Expr& e, const Leaf& replaceLeaf, const Reshape& reshape)
{
    const std::vector<const Expr*> nodes = postorder({&e, 1});
    Visited done(nodes.size());
    for (const Expr* p : nodes) {
        const Node& n = p->node();
        if (n.op == Op::Symbol) {
            done.add(&n, replaceLeaf(*p));
            continue;
        }
        std::vector<Expr> args;
        args.reserve(n.args.size());
        bool changed = false;
        for (const Expr& a : n.args) {
            args.push_back(done.at(&a.node()));
            changed = changed || args.back().handle() != a.handle();
        }
        done.add(&n, reshape(changed ? rebuild(n, args) : *p));
    }
    return done.at(&e.node());
}

constexpr std::size_t kExpandLimit = 10'000; ///< terms of one expanded product
constexpr std::int64_t kExpandPower = 64;

std::optional<Expr> multiplyOut(const Expr& a, const Expr& b)
{
    const std::vector<Expr> left = termsOf(a);
    const std::vector<Expr> right = termsOf(b);
    if (left.size() * right.size() > kExpandLimit)
        return std::nullopt;
    std::vector<Expr> terms;
    terms.reserve(left.size() * right.size());
    for (const Expr& l : left)
        for (const Expr& r : right)
            terms.push_back(l * r);
    return sum(terms);
}

Expr expandPower(const Expr& e)
{
    const Node& n = e.node();
    const Number* power = numberOf(n.args[1]);
    if (!power || !power->isInteger() || power->numerator < 2 || power->numerator > kExpandPower
        || n.args[0].node().op != Op::Add)
        return e;
    Expr out = n.args[0];
    for (std::int64_t i = 1; i < power->numerator; ++i) {
        const auto next = multiplyOut(out, n.args[0]);
        if (!next)
            return e;
        out = *next;
    }
    return out;
}

/// opens says which sums are multiplied out.
template <typename Opens>
Expr expandNode(const Expr& e, const Opens& opens)
{
    const Node& n = e.node();
    if (n.op == Op::Pow)
        return opens(n.args[0]) ? expandPower(e) : e;
    if (n.op != Op::Mul)
        return e;
    Expr out = constant(n.number), closed(1);
    for (const Expr& a : n.args) {
        const bool power = a.node().op == Op::Pow;
        if (!opens(power ? a.node().args[0] : a)) {
            closed = closed * a;
            continue;
        }
        const Expr factor = power ? expandPower(a) : a;
        const auto next = multiplyOut(out, factor);
        if (!next)
            return e;
        out = *next;
    }
    if (closed.isOne())
        return out;
    std::vector<Expr> terms;
    for (const Expr& term : termsOf(out))
        terms.push_back(term * closed);
    return sum(terms);
}

} // namespace

Expr derivative(const Expr& e, const Symbol& s) { return gradient(e, {&s, 1})[0]; }

std::vector<Expr> gradient(const Expr& e, std::span<const Symbol> symbols)
{
    Differentiator d({&e, 1});
    std::vector<Expr> out;
    out.reserve(symbols.size());
    for (const Symbol& s : symbols) {
        d.differentiate(s);
        out.push_back(d.of(e));
    }
    return out;
}

std::vector<JacobianEntry> sparseJacobian(std::span<const Expr> outputs, std::span<const Symbol> symbols)
{
    Differentiator d(outputs);
    std::vector<int> first(d.graph().nodes.size(), -1), next(outputs.size(), -1); // rows of a node, one behind the other
    for (std::size_t row = outputs.size(); row-- > 0;)
        next[row] = std::exchange(first[d.graph().indexOf.at(&outputs[row].node())], static_cast<int>(row));
    std::vector<JacobianEntry> out;
    for (std::size_t column = 0; column < symbols.size(); ++column) {
        d.differentiate(symbols[column]);
        const auto begin = static_cast<std::ptrdiff_t>(out.size());
        for (const Index i : d.touched())
            for (int row = d.at(i).isZero() ? -1 : first[i]; row >= 0; row = next[static_cast<std::size_t>(row)])
                out.push_back({row, static_cast<int>(column), d.at(i)});
        std::sort(out.begin() + begin, out.end(), [](const auto& a, const auto& b) { return a.row < b.row; });
    }
    return out;
}

Expr timeDerivative(const Expr& e, int order, const RateRule& rule)
{
    assert(order >= 0);
    Expr out = e;
    for (int i = 0; i < order; ++i)
        out = timeDerivativeOnce(out, rule);
    return out;
}

Expr substitute(const Expr& e, const Substitution& map)
{
    return transform(
        e,
        [&map](const Expr& leaf) {
            const auto at = map.find(leaf.node().symbol);
            return at == map.end() ? leaf : at->second;
        },
        [](const Expr& node) { return node; });
}

Expr replaceRelations(const Expr& e, const std::function<Expr(const Expr& left, const Expr& right, bool strict)>& by)
{
    return transform(
        e, [](const Expr& leaf) { return leaf; },
        [&by](const Expr& node) {
            const Node& n = node.node();
            return n.op == Op::Less || n.op == Op::LessEqual ? by(n.args[0], n.args[1], n.op == Op::Less) : node;
        });
}

std::vector<Expr> termsOf(const Expr& e)
{
    const Node& n = e.node();
    if (n.op != Op::Add)
        return {e};
    std::vector<Expr> out;
    for (std::size_t i = 0; i < n.args.size(); ++i)
        out.push_back(scale(n.weights[i], n.args[i]));
    if (!n.number.isZero())
        out.push_back(constant(n.number));
    return out;
}

Expr expand(const Expr& e)
{
    const Expr out = transform(
        e, [](const Expr& leaf) { return leaf; },
        [](const Expr& node) {
            const Expr wide = expandNode(node, [](const Expr&) { return true; });
            return hasFiniteNumbers(wide.node()) ? wide : node; // (1e200*x + 1)*(1e200*y + 1) stays
        });
    // A factor goes into the sum that a power becomes: 1e300*(x + 50)^8 stays.
    const auto nodes = postorder({&out, 1});
    return std::ranges::all_of(nodes, [](const Expr* part) { return hasFiniteNumbers(part->node()); }) ? out : e;
}

Expr expandIn(const Expr& e, std::span<const Symbol> symbols)
{
    const auto mentions = [&symbols](const Expr& part) {
        const auto found = symbolsOf(part);
        return std::any_of(symbols.begin(), symbols.end(),
                           [&](const Symbol& s) { return std::binary_search(found.begin(), found.end(), s); });
    };
    return transform(
        e, [](const Expr& leaf) { return leaf; }, [&](const Expr& node) { return expandNode(node, mentions); });
}

std::vector<Symbol> symbolsOf(const Expr& e)
{
    std::vector<Symbol> out;
    for (const Expr* p : postorder({&e, 1}))
        if (p->node().op == Op::Symbol)
            out.push_back(p->node().symbol);
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

bool dependsOn(const Expr& e, const Symbol& s)
{
    for (const Expr* p : postorder({&e, 1}))
        if (p->node().op == Op::Symbol && p->node().symbol == s)
            return true;
    return false;
}

namespace {

/// Collects distinct nodes that have symbols.
struct Gathered {
    std::vector<Expr> all;
    std::unordered_set<const Node*> seen;

    void add(const Expr& e)
    {
        if (e.node().hasSymbols && seen.insert(&e.node()).second)
            all.push_back(e);
    }
};

} // namespace

std::vector<Expr> divisorsOf(std::span<const Expr> expressions)
{
    Gathered out;
    for (const Expr* p : postorder(expressions)) {
        const Node& n = p->node();
        if (n.op == Op::Tan)
            out.add(cos(n.args[0]));
        else if (n.op == Op::Pow)
            if (const Number* exponent = numberOf(n.args[1]); exponent && exponent->negative())
                out.add(n.args[0]);
    }
    return std::move(out.all);
}

std::vector<Expr> switchesOf(std::span<const Expr> expressions)
{
    Gathered out;
    for (const Expr* p : postorder(expressions)) {
        const Node& n = p->node();
        if (n.op == Op::Abs || n.op == Op::Sign)
            out.add(n.args[0]);
        else if (n.op == Op::Min || n.op == Op::Max || n.op == Op::Less || n.op == Op::LessEqual)
            out.add(n.args[0] - n.args[1]);
    }
    return std::move(out.all);
}

std::size_t nodeCount(const Expr& e) { return postorder({&e, 1}).size(); }

std::optional<double> evaluate(const Expr& e, const std::function<std::optional<double>(const Symbol&)>& valueOf)
{
    std::unordered_map<const Node*, double> values;
    std::vector<double> args;
    for (const Expr* p : postorder({&e, 1})) {
        const Node& n = p->node();
        if (n.op == Op::Symbol) {
            const auto v = valueOf(n.symbol);
            if (!v)
                return std::nullopt;
            values.emplace(&n, *v);
            continue;
        }
        args.clear();
        for (const Expr& a : n.args)
            args.push_back(values.at(&a.node()));
        values.emplace(&n, operatorRow(n.op).evaluate(n, args.data()));
    }
    return values.at(&e.node());
}

} // namespace driftless::expr
