// Shorter forms of expressions that people read: like terms, sin^2 + cos^2 = 1 and the sums of angles.
#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "core/expr/Node.h"
#include "core/expr/Size.h"

namespace driftless::expr {
namespace {

/// Larger sums are left as they are: every pair of terms is looked at.
constexpr std::size_t kMostTerms = 400;
/// What makes more terms is not expanded for a shorter form.
constexpr double kMostExpanded = 3'000;

struct Term {
    Expr body; ///< without its numerical factor
    Number weight;
};

std::vector<Term> weightedTerms(const Expr& e)
{
    const Node& n = e.node();
    if (n.op != Op::Add)
        return {};
    std::vector<Term> out;
    for (std::size_t i = 0; i < n.args.size(); ++i)
        out.push_back({n.args[i], n.weights[i]});
    if (!n.number.isZero())
        out.push_back({Expr(1), n.number});
    return out;
}

Expr sumOf(const std::vector<Term>& terms)
{
    std::vector<Expr> parts;
    for (const Term& t : terms)
        parts.push_back(scale(t.weight, t.body));
    return sum(parts);
}

/// The sines or cosines among the factors of a term, with their integer powers.
struct Wave {
    Expr of;    ///< sin(u) or cos(u)
    Expr angle; ///< u
    bool sine = false;
    std::int64_t power = 0;
};

void addWave(const Expr& factor, std::vector<Wave>& out)
{
    const Node* n = &factor.node();
    std::int64_t power = 1;
    if (n->op == Op::Pow) {
        const Number* exponent = numberOf(n->args[1]);
        if (!exponent || !exponent->isInteger() || exponent->numerator < 1)
            return;
        power = exponent->numerator;
        n = &n->args[0].node();
    }
    if (n->op == Op::Sin || n->op == Op::Cos)
        out.push_back({factor.node().op == Op::Pow ? factor.node().args[0] : factor, n->args[0], n->op == Op::Sin, power});
}

std::vector<Wave> wavesOf(const Expr& body)
{
    std::vector<Wave> out;
    if (body.node().op == Op::Mul)
        for (const Expr& factor : body.node().args)
            addWave(factor, out);
    else
        addWave(body, out);
    return out;
}

std::size_t findTerm(const std::vector<Term>& terms, const Expr& body)
{
    for (std::size_t i = 0; i < terms.size(); ++i)
        if (terms[i].body.sameAs(body))
            return i;
    return terms.size();
}

void merge(std::vector<Term>& terms, std::size_t i, std::size_t j, const Expr& body, Number weight)
{
    terms.erase(terms.begin() + static_cast<std::ptrdiff_t>(std::max(i, j)));
    terms.erase(terms.begin() + static_cast<std::ptrdiff_t>(std::min(i, j)));
    const std::size_t same = findTerm(terms, body);
    if (same == terms.size()) {
        terms.push_back({body, weight});
        return;
    }
    terms[same].weight = terms[same].weight + weight;
    if (terms[same].weight.isZero())
        terms.erase(terms.begin() + static_cast<std::ptrdiff_t>(same));
}

/// w R sin(u)^2 + w R cos(u)^2 = w R
bool joinSquares(std::vector<Term>& terms, std::size_t i)
{
    for (const Wave& wave : wavesOf(terms[i].body)) {
        if (!wave.sine || wave.power < 2)
            continue;
        const Expr rest = terms[i].body * pow(wave.of, Expr(-2));
        const std::size_t j = findTerm(terms, rest * pow(cos(wave.angle), Expr(2)));
        if (j < terms.size() && j != i && terms[j].weight == terms[i].weight) {
            merge(terms, i, j, rest, terms[i].weight);
            return true;
        }
    }
    return false;
}

/// cos a cos b +- sin a sin b = cos(a -+ b), sin a cos b +- cos a sin b = sin(a +- b)
bool joinAngles(std::vector<Term>& terms, std::size_t i)
{
    const std::vector<Wave> waves = wavesOf(terms[i].body);
    for (const Wave& a : waves)
        for (const Wave& b : waves) {
            const bool ordered = compareStructure(a.angle.node(), b.angle.node()) < 0;
            if (!a.sine || a.angle.sameAs(b.angle) || (b.sine && !ordered))
                continue;
            const Expr rest = terms[i].body / (a.of * b.of);
            const Expr partner = rest * cos(a.angle) * (b.sine ? cos(b.angle) : sin(b.angle));
            const std::size_t j = findTerm(terms, partner);
            if (j == terms.size() || j == i)
                continue;
            const Number mine = terms[i].weight, other = terms[j].weight;
            if (!(mine == other) && !(mine == -other))
                continue;
            // With weight w of the partner: sines give w cos(a -+ b); mixed ones mine sin(a +- b).
            const bool plus = mine == other, sum = b.sine ? !plus : plus;
            const Expr angle = sum ? a.angle + b.angle : a.angle - b.angle;
            const Expr joined = b.sine ? cos(angle) : sin(angle);
            // The sine of an angle that reads negative comes back as minus a sine: the sign goes into the weight.
            Expr whole = rest * joined;
            Number weight = b.sine ? other : mine;
            if (whole.node().op == Op::Mul && whole.node().number.isMinusOne()) {
                whole = -whole;
                weight = -weight;
            }
            merge(terms, i, j, whole, weight);
            return true;
        }
    return false;
}

Expr joinWaves(const Expr& e)
{
    std::vector<Term> terms = weightedTerms(e);
    if (terms.size() < 2 || terms.size() > kMostTerms)
        return e;
    bool changed = false;
    for (bool again = true; again;) {
        again = false;
        for (std::size_t i = 0; i < terms.size() && !again; ++i)
            again = joinSquares(terms, i);
        changed = changed || again;
    }
    for (bool again = true; again;) {
        again = false;
        for (std::size_t i = 0; i < terms.size() && !again; ++i)
            again = joinAngles(terms, i);
        changed = changed || again;
    }
    return changed ? sumOf(terms) : e;
}

} // namespace

double writtenSize(const Expr& e)
{
    std::unordered_map<const Node*, double> sizes;
    for (const Expr* p : postorder({&e, 1})) {
        double size = 1;
        for (const Expr& a : p->node().args)
            size += sizes.at(&a.node());
        sizes.emplace(&p->node(), size);
    }
    return sizes.at(&e.node());
}

double derivativeSize(const Expr& e, int order)
{
    double total = 0;
    for (const Expr* p : postorder({&e, 1})) {
        const Node& n = p->node();
        const auto varying =
            static_cast<double>(std::count_if(n.args.begin(), n.args.end(), [](const Expr& a) { return a.node().hasSymbols; }));
        double terms = 1;
        for (int i = 1; i <= order && n.op == Op::Mul; ++i)
            terms *= (varying + i - 1) / i;
        total += 1 + varying * terms;
    }
    return total;
}

double expandedTerms(const Expr& e)
{
    std::unordered_map<const Node*, double> terms;
    double total = 0;
    for (const Expr* p : postorder({&e, 1})) {
        const Node& n = p->node();
        double own = 1;
        if (n.op == Op::Add) {
            own = n.number.isZero() ? 0 : 1;
            for (const Expr& a : n.args)
                own += terms.at(&a.node());
        } else if (n.op == Op::Mul) {
            for (const Expr& a : n.args)
                own *= terms.at(&a.node());
        } else if (n.op == Op::Pow) {
            if (const Number* power = numberOf(n.args[1]); power && power->isInteger() && power->numerator > 1)
                own = std::pow(terms.at(&n.args[0].node()), power->value);
        }
        terms.emplace(&n, own);
        total += own;
    }
    return total;
}

Expr simplified(const Expr& e)
{
    if (expandedTerms(e) > kMostExpanded)
        return e;
    const Expr wide = expand(e);
    Expr best = e;
    for (const Expr& other : {wide, joinWaves(wide)})
        if (nodeCount(other) < nodeCount(best) || other.isZero())
            best = other;
    return best;
}

} // namespace driftless::expr
