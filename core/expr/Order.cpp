// The order of terms and factors. It never depends on hashes or addresses, so that the same model always reads
// the same, and compares graphs without recursion.
#include <set>

#include "core/expr/Node.h"

namespace driftless::expr {
namespace {

template <typename T>
int threeWay(const T& a, const T& b)
{
    return static_cast<int>(b < a) - static_cast<int>(a < b);
}

int compareSymbols(const Symbol& a, const Symbol& b)
{
    if (const int c = a.name.compare(b.name))
        return c;
    if (const int c = threeWay(a.order, b.order))
        return c;
    return threeWay(a.kind, b.kind);
}

/// Everything of two nodes but their arguments.
int compareHeads(const Node& a, const Node& b)
{
    if (const int c = -threeWay(a.op == Op::Mul, b.op == Op::Mul)) // a*x before x
        return c;
    if (const int c = threeWay(a.op, b.op))
        return c;
    if (a.op == Op::Symbol)
        return compareSymbols(a.symbol, b.symbol);
    if (a.op == Op::Constant)
        return compare(a.number, b.number);
    return threeWay(b.args.size(), a.args.size());
}

/// Numbers held by sums and products, looked at when their arguments agree.
int compareWeights(const Node& a, const Node& b)
{
    for (std::size_t i = 0; i < a.weights.size(); ++i)
        if (const int c = compare(a.weights[i], b.weights[i]))
            return c;
    return a.op == Op::Add || a.op == Op::Mul ? compare(a.number, b.number) : 0;
}

int rankOfLead(const Node* lead)
{
    if (!lead)
        return 3;
    switch (lead->symbol.kind) {
    case SymbolKind::Time:
        return 2;
    case SymbolKind::Parameter:
        return 1;
    default:
        return 0;
    }
}

int leadOrder(const Node* lead) { return lead->symbol.order + (lead->symbol.kind == SymbolKind::Rate ? 1 : 0); }

int rankOfSymbol(SymbolKind kind)
{
    if (kind == SymbolKind::Parameter)
        return 2;
    return kind == SymbolKind::Time ? 3 : 4;
}

int rankOfBase(const Node& n)
{
    switch (n.op) {
    case Op::Constant:
    case Op::Pi:
        return 0;
    case Op::Symbol:
        return rankOfSymbol(n.symbol.kind);
    case Op::Add:
        return 6;
    default:
        return n.hasSymbols ? 5 : 1;
    }
}

} // namespace

int compareStructure(const Node& first, const Node& second)
{
    std::vector<std::pair<const Node*, const Node*>> stack{{&first, &second}};
    std::set<std::pair<const Node*, const Node*>> seen; // keeps shared parts of equal graphs from being walked again
    std::size_t steps = 0;
    while (!stack.empty()) {
        const auto [a, b] = stack.back();
        stack.pop_back();
        if (a == b)
            continue;
        if (const int c = compareHeads(*a, *b))
            return c;
        if (a->args.empty())
            continue;
        if (++steps > 32 && !seen.insert({a, b}).second)
            continue;
        if (const int c = compareWeights(*a, *b))
            return c;
        for (std::size_t i = a->args.size(); i-- > 0;)
            stack.emplace_back(&a->args[i].node(), &b->args[i].node());
    }
    return 0;
}

int compareTerms(const Node& a, const Node& b)
{
    if (&a == &b)
        return 0;
    if (const int c = threeWay(rankOfLead(a.lead), rankOfLead(b.lead)))
        return c;
    if (a.lead && a.lead != b.lead) {
        if (const int c = a.lead->symbol.name.compare(b.lead->symbol.name))
            return c;
        if (const int c = threeWay(leadOrder(b.lead), leadOrder(a.lead)))
            return c;
    }
    if (const int c = threeWay(b.degree, a.degree))
        return c;
    return compareStructure(a, b);
}

int compareBases(const Node& a, const Node& b)
{
    if (&a == &b)
        return 0;
    if (const int c = threeWay(rankOfBase(a), rankOfBase(b)))
        return c;
    if (const int c = threeWay(a.lead != nullptr, b.lead != nullptr))
        return c;
    if (a.lead != b.lead)
        if (const int c = compareSymbols(a.lead->symbol, b.lead->symbol))
            return c;
    return compareStructure(a, b);
}

bool sameStructure(const Expr& a, const Expr& b)
{
    return a.handle() == b.handle() || (a.node().hash == b.node().hash && compareStructure(a.node(), b.node()) == 0);
}

} // namespace driftless::expr
