// Every tableau of the catalogue in exact arithmetic, rationals p + q sqrt(d): order conditions of all rooted trees up to one
// order beyond the claimed one (Butcher; Hairer, Norsett, Wanner, Solving ODEs I, section II.2), which must hold up to the
// claimed order and fail beyond; row sums, stage orders, the limit of the stability function.
#include <QtTest>

#include <gmpxx.h>

#include <cmath>
#include <limits>
#include <vector>

#include "core/integrate/Integrator.h"
#include "core/integrate/RootedTrees.h"
#include "core/integrate/RungeKutta.h"
#include "core/integrate/Tableau.h"
#include "core/integrate/TableauFamilies.h"

using namespace driftless::integrate;

namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

mpq_class ratio(std::int64_t p, std::int64_t q)
{
    mpq_class out(mpz_class(static_cast<signed long>(p)), mpz_class(static_cast<signed long>(q)));
    out.canonicalize();
    return out;
}

/// p + q sqrt(d); numbers with q = 0 mix with those of any d.
struct Exact {
    mpq_class p, q;
    int d = 0;
    Exact(int n = 0) : p(n) {}
    Exact(mpq_class rational) : p(std::move(rational)) {}
    Exact(mpq_class rational, mpq_class factor, int radicand) : p(std::move(rational)), q(std::move(factor)), d(radicand) {}
    bool operator==(const Exact& o) const { return p == o.p && q == o.q; }
};
int radicandOf(const Exact& a, const Exact& b) { return a.q == 0 ? b.d : a.d; }
Exact operator+(const Exact& a, const Exact& b) { return {a.p + b.p, a.q + b.q, radicandOf(a, b)}; }
Exact operator-(const Exact& a, const Exact& b) { return {a.p - b.p, a.q - b.q, radicandOf(a, b)}; }
Exact operator*(const Exact& a, const Exact& b)
{
    const int d = radicandOf(a, b);
    return {a.p * b.p + a.q * b.q * d, a.p * b.q + a.q * b.p, d};
}
Exact operator/(const Exact& a, const Exact& b)
{
    const mpq_class norm = b.p * b.p - b.q * b.q * b.d;
    return a * Exact(b.p / norm, -b.q / norm, b.d);
}

struct ExactMethod {
    std::size_t stages;
    std::vector<Exact> c, b, embedded;
    std::vector<std::vector<Exact>> a;
};

ExactMethod exactly(const ExactTableau& t)
{
    const auto number = [&t](const Surd& s) { return Exact(ratio(s.p, s.pd), ratio(s.q, s.qd), t.radicand); };
    ExactMethod m{static_cast<std::size_t>(t.stages), {}, {}, {}, {}};
    for (std::size_t i = 0; i < m.stages; ++i) {
        m.c.push_back(number(t.c[i]));
        m.b.push_back(number(t.b[i]));
        m.embedded.push_back(number(t.embedded[i]));
        m.a.emplace_back();
        for (std::size_t j = 0; j < m.stages; ++j)
            m.a.back().push_back(number(t.a[i][j]));
    }
    return m;
}

template <std::size_t S>
ExactMethod exactly(const FamilyMember<Exact, S>& f)
{
    ExactMethod m{S, {f.c.begin(), f.c.end()}, {f.b.begin(), f.b.end()}, {}, {}};
    for (const auto& row : f.a)
        m.a.emplace_back(row.begin(), row.end());
    return m;
}

/// The largest order up to which all conditions hold, at most `highest`: equality of exact numbers.
int orderOf(const ExactMethod& m, const std::vector<Exact>& weights, int highest)
{
    const auto trees = rootedTrees(highest);
    const auto phi = elementaryWeights<Exact>(trees, m.stages, [&m](std::size_t i, std::size_t j) { return m.a[i][j]; });
    int order = highest;
    for (std::size_t k = 0; k < trees.size(); ++k) {
        Exact sum;
        for (std::size_t i = 0; i < m.stages; ++i)
            sum = sum + weights[i] * phi[k][i];
        if (!(sum == Exact(ratio(1, trees[k].gamma))))
            order = std::min(order, trees[k].order - 1);
    }
    return order;
}

Exact power(const Exact& x, int n)
{
    Exact out(1);
    for (int i = 0; i < n; ++i)
        out = out * x;
    return out;
}

int stageOrder(const ExactMethod& m, int order)
{
    for (int q = 1; q <= order; ++q)
        for (std::size_t i = 0; i < m.stages; ++i) {
            Exact sum;
            for (std::size_t j = 0; j < m.stages; ++j)
                sum = sum + m.a[i][j] * power(m.c[j], q - 1);
            if (!(Exact(q) * sum == power(m.c[i], q)))
                return q - 1;
        }
    return order;
}

/// det(I - z M) by rising powers of z (Faddeev, LeVerrier).
std::vector<Exact> reversedCharacteristic(const std::vector<std::vector<Exact>>& m)
{
    const std::size_t n = m.size();
    std::vector<std::vector<Exact>> p(n, std::vector<Exact>(n));
    std::vector<Exact> out{Exact(1)};
    for (std::size_t k = 1; k <= n; ++k) {
        auto next = p;
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j) {
                next[i][j] = i == j ? out.back() : Exact(0);
                for (std::size_t l = 0; l < n; ++l)
                    next[i][j] = next[i][j] + m[i][l] * p[l][j];
            }
        p = next;
        Exact trace;
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t l = 0; l < n; ++l)
                trace = trace + m[i][l] * p[l][i];
        out.push_back(Exact(0) - trace / Exact(static_cast<int>(k)));
    }
    return out;
}

std::size_t degree(const std::vector<Exact>& p)
{
    std::size_t n = p.size() - 1;
    while (n > 0 && p[n] == Exact(0))
        --n;
    return n;
}

} // namespace

class TableauTest : public QObject {
    Q_OBJECT
private slots:
    void numberOfTrees_isThatOfTheLiterature()
    {
        std::array<int, 8> count{};
        for (const auto& tree : rootedTrees(7))
            ++count[static_cast<std::size_t>(tree.order)];
        QCOMPARE(count, (std::array<int, 8>{0, 1, 1, 2, 4, 9, 20, 48}));
        QCOMPARE(rootedTrees(4)[4].text, std::string("[t,t,t]"));
        QCOMPARE(rootedTrees(4).back().text, std::string("[[[t]]]"));
    }

    void claimedOrder_isTheOrder()
    {
        for (const auto& t : exactTableaus()) {
            const auto m = exactly(t);
            QVERIFY2(orderOf(m, m.b, t.order + 1) == t.order, t.id.data());
            if (t.embeddedOrder > 0)
                QVERIFY2(orderOf(m, m.embedded, t.embeddedOrder + 1) == t.embeddedOrder, t.id.data());
        }
        QVERIFY(exactTableaus().size() >= 30);
    }

    void families_haveTheirOrder_atEveryParameter()
    {
        for (const auto& [p, q] : {std::pair{1, 3}, {1, 2}, {3, 4}, {2, 7}, {9, 10}, {1, 100}}) {
            const auto two = exactly(secondOrder(Exact(ratio(p, q))));
            QCOMPARE(orderOf(two, two.b, 3), 2);
            const auto three = exactly(thirdOrder(Exact(ratio(p, q))));
            QCOMPARE(orderOf(three, three.b, 4), 3);
            QCOMPARE(stageOrder(three, 2), 1);
        }
    }

    void families_containTheNamedMethods()
    {
        const auto same = [](const ExactMethod& m, const char* id) {
            const auto other = exactly(*findExactTableau(id));
            return m.a == other.a && m.b == other.b && m.c == other.c;
        };
        QVERIFY(same(exactly(secondOrder(Exact(ratio(1, 2)))), "midpoint"));
        QVERIFY(same(exactly(secondOrder(Exact(ratio(2, 3)))), "ralston2"));
        QVERIFY(same(exactly(secondOrder(Exact(1))), "heun2"));
        QVERIFY(same(exactly(thirdOrder(Exact(ratio(1, 2)))), "kutta3"));
        const auto live = familyMember(*findIntegrator("rk2-alpha"), 0.5);
        QCOMPARE(live.b, (std::vector<double>{0, 1}));
    }

    void rowSums_areTheNodes_andStageOrdersAreAsStated()
    {
        for (const auto& t : exactTableaus()) {
            const auto m = exactly(t);
            // Radau IA and Lobatto IIIB of the lowest order take a slope at a time that is not that of its argument.
            const bool shifted = t.id == "radau-ia-1" || t.id == "lobatto-iiib-2";
            QVERIFY2(shifted == (t.stageOrder == 0), t.id.data());
            QVERIFY2(stageOrder(m, t.order) == t.stageOrder, t.id.data());
        }
    }

    void limitOfTheStabilityFunction_isAsStated()
    {
        for (const auto& t : exactTableaus()) {
            auto m = exactly(t);
            const auto q = reversedCharacteristic(m.a);
            for (auto& row : m.a)
                for (std::size_t j = 0; j < m.stages; ++j)
                    row[j] = row[j] - m.b[j];
            const auto p = reversedCharacteristic(m.a);
            if (degree(p) > degree(q)) {
                QVERIFY2(t.stability == Stability::Bounded, t.id.data());
                continue;
            }
            const Exact limit = degree(p) < degree(q) ? Exact(0) : p[degree(p)] / q[degree(q)];
            QVERIFY2(limit == Exact(ratio(t.atInfinity.p, t.atInfinity.pd), ratio(t.atInfinity.q, t.atInfinity.qd), t.radicand),
                     t.id.data());
            QVERIFY2((limit == Exact(0)) == (t.stability == Stability::LStable), t.id.data());
        }
    }

    void doublePrecision_isTheNearestToTheExactNumbers()
    {
        for (const auto& t : exactTableaus()) {
            const auto m = exactly(t);
            const auto rounded = inDoubles(t);
            mpf_class root(t.radicand, 200);
            root = sqrt(root);
            const auto apart = [&](const Exact& x, double y) {
                const mpf_class exact = mpf_class(x.p, 200) + mpf_class(x.q, 200) * root;
                const mpf_class difference = abs(exact - y), size = abs(mpf_class(x.p, 200)) + abs(mpf_class(x.q, 200) * root);
                return difference.get_d() / std::max(size.get_d(), 1e-300);
            };
            for (std::size_t i = 0; i < m.stages; ++i) {
                // The root, a product, a quotient and a sum round off once each.
                QVERIFY2(apart(m.c[i], rounded.c[i]) <= 2 * kEpsilon && apart(m.b[i], rounded.b[i]) <= 2 * kEpsilon,
                         t.id.data());
                for (std::size_t j = 0; j < m.stages; ++j)
                    QVERIFY2(apart(m.a[i][j], rounded.at(i, j)) <= 2 * kEpsilon, t.id.data());
            }
        }
    }

    void conditionsInDoublePrecision_findTheSameOrders()
    {
        for (const auto& t : exactTableaus()) {
            const auto m = inDoubles(t);
            QVERIFY2(orderOf(orderConditions(m, 7), 7) == t.order, t.id.data());
            QVERIFY2(stageOrderOf(m, t.order) == t.stageOrder, t.id.data());
        }
    }

    void exactNumbers_areWrittenAsExpressions()
    {
        QCOMPARE(textOf({1, 2, -1, 6}, 3), std::string("1/2 - sqrt(3)/6"));
        QCOMPARE(textOf({0, 1, -169, 1800}, 6), std::string("-169*sqrt(6)/1800"));
        QCOMPARE(textOf({0, 1, 1, 1}, 2), std::string("sqrt(2)"));
        QCOMPARE(textOf({-5, 6}, 15), std::string("-5/6"));
        QCOMPARE(textOf({}, 0), std::string("0"));
    }

    void radauInverse_isTheInverse()
    {
        const auto m = inDoubles(*findExactTableau("radau-iia-5"));
        for (std::size_t i = 0; i < 3; ++i) {
            QVERIFY(std::abs(radau::kNodes[i] - m.c[i]) <= kEpsilon);
            for (std::size_t j = 0; j < 3; ++j) {
                double sum = 0;
                for (std::size_t k = 0; k < 3; ++k)
                    sum += m.at(i, k) * radau::kInverse[k][j];
                // Entries of the inverse stay below 8.
                QVERIFY(std::abs(sum - (i == j ? 1.0 : 0.0)) <= 3 * 8 * kEpsilon);
            }
        }
    }

    void endRule_continuesTheStages()
    {
        // b^T A^-1 and R(infinity) of Radau IA: no memory; of the method of Crouzeix: 1 - sqrt(3); Gauss: the polynomial
        // through the stages.
        for (const char* id : {"radau-ia-3", "radau-ia-5", "crouzeix-3", "gauss-4", "gauss-6", "implicit-midpoint"}) {
            const auto& t = *findExactTableau(id);
            const auto m = inDoubles(t);
            const auto rule = endRule(m);
            const double limit = t.atInfinity.q == 0 ? 0 : 1 - std::sqrt(3.0);
            QVERIFY2(std::abs(rule.memory - limit) < 16 * kEpsilon, id);
            // Values that do not change stay, and so do those that are a line in time, where the stages are as good.
            double constant = rule.memory, line = 0;
            for (std::size_t i = 0; i < m.stages; ++i)
                constant += rule.weights[i], line += rule.weights[i] * m.c[i];
            QVERIFY2(std::abs(constant - 1) < 64 * kEpsilon, id);
            if (m.stages > 1)
                QVERIFY2(std::abs(line - 1) < 64 * kEpsilon, id);
        }
        QVERIFY(endRule(inDoubles(*findExactTableau("lobatto-iiib-4"))).memory == 0);
    }
};

QTEST_APPLESS_MAIN(TableauTest)
#include "test_tableaus.moc"
