// Canonical sums, products and powers.
#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "core/expr/Node.h"

namespace driftless::expr {
namespace {

using Term = std::pair<Expr, Number>;

/// A sum under construction; its terms stay sorted.
struct SumBuilder {
    Number constantTerm;
    std::vector<Expr> args;
    std::vector<Number> weights;

    /// Puts a term in its place, adding to the weight of an equal one.
    void insert(const Expr& term, const Number& weight)
    {
        const auto at = std::lower_bound(args.begin(), args.end(), term,
                                         [](const Expr& t, const Expr& e) { return compareTerms(t.node(), e.node()) < 0; });
        const auto w = weights.begin() + (at - args.begin());
        if (at == args.end() || compareTerms(at->node(), term.node()) != 0) {
            weights.insert(w, weight);
            args.insert(at, term);
        } else if (*w = *w + weight; w->isZero()) {
            weights.erase(w);
            args.erase(at);
        }
    }

    Expr finish() &&
    {
        if (args.empty())
            return constant(constantTerm);
        if (args.size() == 1 && constantTerm.isZero())
            return scale(weights[0], args[0]);
        return makeNode(Op::Add, std::move(args), constantTerm, std::move(weights));
    }
};

void sortTerms(std::vector<Term>& terms)
{
    std::stable_sort(terms.begin(), terms.end(),
                     [](const Term& a, const Term& b) { return compareTerms(a.first.node(), b.first.node()) < 0; });
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

/// The sum of terms in any order.
Expr sumOf(const Number& constantTerm, std::vector<Term> terms)
{
    sortTerms(terms);
    SumBuilder out;
    out.constantTerm = constantTerm;
    out.args.reserve(terms.size());
    out.weights.reserve(terms.size());
    for (Term& t : terms) {
        out.args.push_back(std::move(t.first));
        out.weights.push_back(t.second);
    }
    return std::move(out).finish();
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

/// The common factor of the numbers in a sum: 2 for 2*x + 4*y, 1/3 for x + 2*y + z/3.
Number contentOf(const Node& sum)
{
    Number content = sum.weights[0].negative() ? -sum.weights[0] : sum.weights[0];
    for (std::size_t i = 1; i <= sum.weights.size(); ++i) {
        const Number& w = i < sum.weights.size() ? sum.weights[i] : sum.number;
        const auto common = commonContent(content, w);
        if (!common)
            return Number::integer(1);
        content = *common;
    }
    return content.exact() && !content.decimal ? content : Number::integer(1);
}

/// The sum without its content.
Expr primitivePart(const Expr& sum, const Number& content)
{
    const auto inverse = foldedPower(content, Number::integer(-1));
    return inverse ? scale(*inverse, sum) : sum;
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
        const Number content = n.op == Op::Add ? contentOf(n) : Number::integer(1);
        coefficient = coefficient * content;
        const Expr base = content.isOne() ? e : primitivePart(e, content);
        factors.push_back({base, one, base});
    }
    return true;
}

/// Joins factors of equal base. True when a joined power is itself a product or has another base, so that the
/// factors must be collected anew.
bool mergeFactors(std::vector<Factor>& factors)
{
    std::stable_sort(factors.begin(), factors.end(),
                     [](const Factor& a, const Factor& b) { return compareBases(a.base.node(), b.base.node()) < 0; });
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

/// A number that need not fit into a double: mantissa 2^power.
struct WideNumber {
    double mantissa = 1;
    int power = 0;

    void multiply(double value)
    {
        int ofValue = 0, ofProduct = 0;
        mantissa = std::frexp(mantissa * std::frexp(value, &ofValue), &ofProduct);
        power += ofValue + ofProduct;
    }
    /// By a constant, or a power of constants as 5^514. False where e is neither.
    bool multiply(const Expr& e)
    {
        constexpr int kRoots = 8; // of what is no double
        const Node& n = e.node();
        if (n.hasSymbols)
            return false;
        if (const double value = e.constantValue().value_or(NAN); std::isnormal(value)) {
            multiply(value);
            return true;
        }
        const auto base = n.op == Op::Pow ? n.args[0].constantValue() : std::nullopt;
        const auto exponent = base ? n.args[1].constantValue() : std::nullopt;
        const double root = exponent ? std::pow(*base, *exponent / kRoots) : NAN;
        for (int k = 0; std::isnormal(root) && k < kRoots; ++k)
            multiply(root);
        return std::isnormal(root);
    }
    double value() const { return std::ldexp(mantissa, power); }
};

/// The product whose number is folded with constant factors: those of the slope of (1e-180*5^257*m)^2 are no doubles, and
/// together they are. Nothing where there are none, or they make no double either.
std::optional<Expr> foldedProduct(std::span<const Expr> factors)
{
    WideNumber folded;
    std::vector<Expr> others;
    bool folds = false;
    for (const Expr& f : factors) {
        Number number = Number::integer(1);
        std::vector<Factor> list;
        collectFactors(f, number, list);
        folded.multiply(number.value);
        for (Factor& factor : list) {
            if (folded.multiply(factor.whole))
                folds = true;
            else
                others.push_back(std::move(factor.whole));
        }
    }
    if (!folds || !std::isnormal(folded.value()))
        return std::nullopt;
    others.push_back(constant(Number::fromDouble(folded.value())));
    return product(others);
}

/// Whether the number of a product has left the doubles of full precision, or a constant factor all of them.
bool leavesDoubles(const Number& coefficient, std::span<const Expr> factors)
{
    return !std::isnormal(coefficient.value) || std::any_of(factors.begin(), factors.end(), [](const Expr& f) {
        const double value = f.node().hasSymbols ? 1 : f.constantValue().value_or(1);
        return value == 0 || std::isinf(value);
    });
}

Expr productNode(const Number& coefficient, std::vector<Expr> args)
{
    if (args.empty() || coefficient.isZero()) // of factors that are not 0: their product is below the smallest number
        return constant(coefficient);
    if (args.size() == 1 && (coefficient.isOne() || args[0].node().op == Op::Add))
        return scale(coefficient, args[0]);
    return makeNode(Op::Mul, std::move(args), coefficient);
}

/// (product)^n for an integer n; number: that of the product to the same power.
Expr powerOfProduct(const Node& product, const Expr& exponent, const Number& number)
{
    std::vector<Expr> factors{constant(number)};
    for (const Expr& a : product.args)
        factors.push_back(pow(a, exponent));
    return expr::product(factors);
}

/// Whether the constant factors of a product, as 5^120.2, have a power that is a number other than 0, to its last digit.
bool constantFactorsFit(const Node& product, const Number& n)
{
    return std::all_of(product.args.begin(), product.args.end(), [&n](const Expr& a) {
        const auto value = a.constantValue();
        if (!value || *value == 0)
            return true;
        return std::isnormal(std::pow(*value, n.value));
    });
}

Expr integerPower(const Expr& base, const Expr& exponent, const Number& n)
{
    const Node& b = base.node();
    if (b.op == Op::Pow)
        return pow(b.args[0], b.args[1] * exponent);
    if (b.op == Op::Mul) {
        // 5^12211 fits into no double, and (5 m)^12211 may well: such a number stays with its product.
        const auto number = constantFactorsFit(b, n) ? foldedPower(b.number, n) : std::nullopt;
        return number ? powerOfProduct(b, exponent, *number) : makeNode(Op::Pow, {base, exponent});
    }
    if (const Number content = b.op == Op::Add ? contentOf(b) : Number::integer(1); !content.isOne())
        if (const auto outside = foldedPower(content, n))
            return scale(*outside, pow(primitivePart(base, content), exponent));
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

bool hasFiniteNumbers(const Node& node)
{
    const auto finite = [](const Expr& a) {
        const auto value = a.node().hasSymbols ? std::nullopt : a.constantValue();
        return !value || std::isfinite(*value);
    };
    const bool whole = node.op == Op::Mul || node.op == Op::Add;
    return std::isfinite(node.number.value) && (!whole || std::ranges::all_of(node.args, finite))
           && std::ranges::all_of(node.weights, [](const Number& w) { return std::isfinite(w.value); });
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
    if (node.op == Op::Mul) {
        const Number number = n * node.number;
        if (leavesDoubles(number, node.args))
            if (auto folded = foldedProduct(std::array{constant(n), e}))
                return *std::move(folded);
        return productNode(number, node.args);
    }
    if (node.op != Op::Add)
        return makeNode(Op::Mul, {e}, n);
    std::vector<Number> weights;
    weights.reserve(node.weights.size());
    for (const Number& w : node.weights)
        weights.push_back(n * w);
    const Number number = n * node.number;
    const auto zero = [](const Number& w) { return w.isZero(); };
    if (std::ranges::any_of(weights, zero) || number.isZero() != node.number.isZero()) // below the smallest number
        return weightedSum({}, {{e, n}});
    return makeNode(Op::Add, node.args, number, std::move(weights));
}

Expr weightedSum(const Number& constantTerm, std::vector<std::pair<Expr, Number>> terms)
{
    Number total = constantTerm;
    std::vector<Term> flat;
    for (const auto& [e, w] : terms)
        flattenInto(e, w, total, flat);
    return sumOf(total, std::move(flat));
}

Expr sum(std::span<const Expr> terms)
{
    constexpr std::size_t kFew = 8; ///< terms that are inserted one by one instead of sorting all
    const auto longest = std::max_element(terms.begin(), terms.end(), [](const Expr& a, const Expr& b) {
        return a.node().weights.size() < b.node().weights.size();
    });
    Number total;
    std::vector<Term> flat;
    for (auto it = terms.begin(); it != terms.end(); ++it)
        if (it != longest)
            flattenInto(*it, Number::integer(1), total, flat);
    if (longest == terms.end() || longest->node().op != Op::Add || flat.size() > kFew) {
        if (longest != terms.end())
            flattenInto(*longest, Number::integer(1), total, flat);
        return sumOf(total, std::move(flat));
    }
    const Node& base = longest->node();
    SumBuilder out;
    out.args.reserve(base.args.size() + flat.size());
    out.weights.reserve(base.args.size() + flat.size());
    out.constantTerm = base.number + total;
    out.args.assign(base.args.begin(), base.args.end());
    out.weights.assign(base.weights.begin(), base.weights.end());
    for (const Term& t : flat)
        out.insert(t.first, t.second);
    return std::move(out).finish();
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
    if (leavesDoubles(coefficient, args))
        if (auto folded = foldedProduct(factors))
            return *std::move(folded);
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
        if (b->value != 0 && std::isfinite(b->value) && std::pow(b->value, e->value) == 0)
            return Expr(0); // below the smallest number, as a product
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

Expr operator-(const Expr& a) { return scale(Number::integer(-1), a); }

Expr operator-(const Expr& a, const Expr& b) { return b.isZero() ? a : a + -b; }

Expr operator*(const Expr& a, const Expr& b)
{
    if (const Number* n = numberOf(a))
        return scale(*n, b);
    if (const Number* n = numberOf(b))
        return scale(*n, a);
    const Expr both[] = {a, b};
    return product(both);
}

Expr operator/(const Expr& a, const Expr& b) { return a * pow(b, Expr(-1)); }

Expr sqrt(const Expr& a) { return pow(a, rational(1, 2)); }

} // namespace driftless::expr
