// Canonical sums, products and powers.
#include <algorithm>
#include <cassert>

#include "core/expr/Node.h"

namespace driftless::expr {
namespace {

using Term = std::pair<Expr, Number>;

/// Puts term into the sorted list, adding to the weight of an equal one.
void insertTerm(std::vector<Term>& terms, const Expr& term, const Number& weight)
{
    const auto at = std::lower_bound(terms.begin(), terms.end(), term, [](const Term& t, const Expr& e) {
        return compareTerms(t.first.node(), e.node()) < 0;
    });
    if (at == terms.end() || compareTerms(at->first.node(), term.node()) != 0)
        terms.insert(at, {term, weight});
    else if (at->second = at->second + weight; at->second.isZero())
        terms.erase(at);
}

void sortTerms(std::vector<Term>& terms)
{
    std::stable_sort(terms.begin(), terms.end(), [](const Term& a, const Term& b) {
        return compareTerms(a.first.node(), b.first.node()) < 0;
    });
    std::size_t kept = 0;
    for (std::size_t i = 0; i < terms.size();) {
        Term merged = terms[i];
        for (++i; i < terms.size() && compareTerms(merged.first.node(), terms[i].first.node()) == 0; ++i)
            merged.second = merged.second + terms[i].second;
        if (!merged.second.isZero())
            terms[kept++] = std::move(merged);
    }
    terms.resize(kept);
}

/// The node of sorted, merged terms.
Expr sumNode(const Number& constantTerm, std::vector<Term> terms)
{
    if (terms.empty())
        return constant(constantTerm);
    if (terms.size() == 1 && constantTerm.isZero())
        return scale(terms[0].second, terms[0].first);
    std::vector<Expr> args;
    std::vector<Number> weights;
    args.reserve(terms.size());
    weights.reserve(terms.size());
    for (Term& t : terms) {
        args.push_back(std::move(t.first));
        weights.push_back(t.second);
    }
    return makeNode(Op::Add, std::move(args), constantTerm, std::move(weights));
}

/// Appends weight * e as canonical terms.
void flattenInto(const Expr& e, const Number& weight, Number& constantTerm, std::vector<Term>& terms)
{
    const Node& n = e.node();
    if (n.op == Op::Constant) {
        constantTerm = constantTerm + weight * n.number;
    } else if (n.op == Op::Add) {
        constantTerm = constantTerm + weight * n.number;
        for (std::size_t i = 0; i < n.args.size(); ++i)
            terms.emplace_back(n.args[i], weight * n.weights[i]);
    } else if (n.op == Op::Mul && !n.number.isOne()) {
        const Expr bare = n.args.size() == 1 ? n.args[0] : makeNode(Op::Mul, n.args, Number::integer(1));
        if (bare.node().op == Op::Add) // a lone sum never keeps a coefficient, so this is a product of one factor
            flattenInto(bare, weight * n.number, constantTerm, terms);
        else
            terms.emplace_back(bare, weight * n.number);
    } else {
        terms.emplace_back(e, weight);
    }
}

struct Factor {
    Expr base;
    Expr exponent;
    Expr whole; ///< base ^ exponent
};

/// Collects the factors of e; false when e is the exact 0.
bool collectFactors(const Expr& e, Number& coefficient, std::vector<Factor>& factors)
{
    const Node& n = e.node();
    if (n.op == Op::Constant) {
        coefficient = coefficient * n.number;
        return !n.number.isZero();
    }
    if (n.op == Op::Mul) {
        coefficient = coefficient * n.number;
        for (const Expr& a : n.args)
            collectFactors(a, coefficient, factors);
    } else if (n.op == Op::Pow) {
        factors.push_back({n.args[0], n.args[1], e});
    } else {
        static const Expr one(1);
        factors.push_back({e, one, e});
    }
    return true;
}

/// Joins factors of equal base. True when a joined power is itself a product or has another base, so that the
/// factors must be collected anew.
bool mergeFactors(std::vector<Factor>& factors)
{
    std::stable_sort(factors.begin(), factors.end(), [](const Factor& a, const Factor& b) {
        return compareBases(a.base.node(), b.base.node()) < 0;
    });
    bool again = false;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < factors.size();) {
        Factor merged = factors[i];
        std::size_t j = i + 1;
        while (j < factors.size() && compareBases(merged.base.node(), factors[j].base.node()) == 0)
            merged.exponent = merged.exponent + factors[j++].exponent;
        if (j > i + 1) {
            merged.whole = pow(merged.base, merged.exponent);
            again = true;
        }
        i = j;
        factors[kept++] = std::move(merged);
    }
    factors.resize(kept);
    return again;
}

Expr productNode(const Number& coefficient, std::vector<Expr> args)
{
    if (args.empty())
        return constant(coefficient);
    if (args.size() == 1 && (coefficient.isOne() || args[0].node().op == Op::Add))
        return scale(coefficient, args[0]);
    return makeNode(Op::Mul, std::move(args), coefficient);
}

/// (product)^n for an integer n.
Expr powerOfProduct(const Node& product, const Expr& exponent)
{
    std::vector<Expr> factors{pow(constant(product.number), exponent)};
    for (const Expr& a : product.args)
        factors.push_back(pow(a, exponent));
    return expr::product(factors);
}

Expr integerPower(const Expr& base, const Expr& exponent, const Number& n)
{
    const Node& b = base.node();
    if (b.op == Op::Pow)
        return pow(b.args[0], b.args[1] * exponent);
    if (b.op == Op::Mul)
        return powerOfProduct(b, exponent);
    if (b.op == Op::Add && n.numerator % 2 == 0 && readsNegative(base))
        return makeNode(Op::Pow, {-base, exponent});
    return makeNode(Op::Pow, {base, exponent});
}

Expr fractionalPower(const Expr& base, const Expr& exponent, const Number& e)
{
    const Node& b = base.node();
    if (b.op == Op::Mul && !b.number.isOne() && b.number.value > 0) {
        if (const auto root = foldedPower(b.number, e))
            return scale(*root, pow(productNode(Number::integer(1), b.args), exponent));
    }
    if (b.op == Op::Pow) {
        const Number* inner = numberOf(b.args[1]);
        if (inner && inner->exact() && !inner->isInteger()) // the base is not negative where this is defined
            return pow(b.args[0], constant(*inner * e));
    }
    return makeNode(Op::Pow, {base, exponent});
}

} // namespace

bool readsNegative(const Expr& e)
{
    const Node& n = e.node();
    if (n.op == Op::Constant || n.op == Op::Mul)
        return n.number.negative();
    return n.op == Op::Add && n.weights[0].negative();
}

Expr scale(const Number& n, const Expr& e)
{
    const Node& node = e.node();
    if (n.isOne() || e.isZero())
        return e;
    if (n.isZero())
        return Expr();
    if (node.op == Op::Constant)
        return constant(n * node.number);
    if (node.op == Op::Mul)
        return productNode(n * node.number, node.args);
    if (node.op != Op::Add)
        return makeNode(Op::Mul, {e}, n);
    std::vector<Number> weights;
    weights.reserve(node.weights.size());
    for (const Number& w : node.weights)
        weights.push_back(n * w);
    return makeNode(Op::Add, node.args, n * node.number, std::move(weights));
}

Expr weightedSum(const Number& constantTerm, std::vector<std::pair<Expr, Number>> terms)
{
    Number total = constantTerm;
    std::vector<Term> flat;
    for (const auto& [e, w] : terms)
        flattenInto(e, w, total, flat);
    sortTerms(flat);
    return sumNode(total, std::move(flat));
}

Expr sum(std::span<const Expr> terms)
{
    const auto longest = std::max_element(terms.begin(), terms.end(), [](const Expr& a, const Expr& b) {
        return a.node().weights.size() < b.node().weights.size();
    });
    Number total;
    std::vector<Term> flat;
    std::vector<Term> sorted; // the terms of the longest sum are in order already
    for (auto it = terms.begin(); it != terms.end(); ++it)
        flattenInto(*it, Number::integer(1), total, it == longest && !it->node().weights.empty() ? sorted : flat);
    if (sorted.empty() || flat.size() > 8) {
        sorted.insert(sorted.end(), flat.begin(), flat.end());
        sortTerms(sorted);
    } else {
        for (const Term& t : flat)
            insertTerm(sorted, t.first, t.second);
    }
    return sumNode(total, std::move(sorted));
}

Expr product(std::span<const Expr> factors)
{
    Number coefficient = Number::integer(1);
    std::vector<Factor> list;
    bool zero = false;
    for (const Expr& f : factors)
        zero = !collectFactors(f, coefficient, list) || zero;
    if (zero)
        return Expr();
    while (mergeFactors(list)) {
        const std::vector<Factor> merged = std::move(list);
        list.clear();
        for (const Factor& f : merged)
            collectFactors(f.whole, coefficient, list);
    }
    std::vector<Expr> args;
    args.reserve(list.size());
    for (Factor& f : list)
        args.push_back(std::move(f.whole));
    return productNode(coefficient, std::move(args));
}

Expr pow(const Expr& base, const Expr& exponent)
{
    const Number* e = numberOf(exponent);
    const Number* b = numberOf(base);
    if (exponent.isZero() || base.isOne())
        return Expr(1);
    if (exponent.isOne())
        return base;
    if (!e)
        return makeNode(Op::Pow, {base, exponent});
    if (b) {
        if (const auto folded = foldedPower(*b, *e))
            return constant(*folded);
        return makeNode(Op::Pow, {base, exponent});
    }
    return e->isInteger() ? integerPower(base, exponent, *e) : fractionalPower(base, exponent, *e);
}

Expr operator+(const Expr& a, const Expr& b)
{
    if (a.isZero())
        return b;
    if (b.isZero())
        return a;
    const Expr both[] = {a, b};
    return sum(both);
}

Expr operator-(const Expr& a)
{
    return scale(Number::integer(-1), a);
}

Expr operator-(const Expr& a, const Expr& b)
{
    return b.isZero() ? a : a + -b;
}

Expr operator*(const Expr& a, const Expr& b)
{
    if (const Number* n = numberOf(a))
        return scale(*n, b);
    if (const Number* n = numberOf(b))
        return scale(*n, a);
    const Expr both[] = {a, b};
    return product(both);
}

Expr operator/(const Expr& a, const Expr& b)
{
    return a * pow(b, Expr(-1));
}

Expr sqrt(const Expr& a)
{
    return pow(a, rational(1, 2));
}

} // namespace driftless::expr
