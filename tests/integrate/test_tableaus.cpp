// Order conditions of every tableau, one for each rooted tree up to one order beyond the claimed one (Butcher; Hairer,
// Norsett, Wanner, Solving ODEs I, section II.2): sum_i b_i Phi_i(tree) = 1 / gamma(tree) up to order p, and not beyond.
//
// Evaluated in double precision: Radau's numbers contain sqrt(6). What round-off may leave is the same sum over absolute
// values times the number of operations times the unit round-off.
#include <QtTest>

#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "core/integrate/Tableau.h"
#include "core/solve/LinearSolver.h"

using namespace driftless::integrate;

namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

struct Tree {
    std::vector<std::size_t> children; ///< indices of smaller trees, not increasing
    int order = 1;
    double gamma = 1;
};

/// All rooted trees up to an order, smaller ones first.
class Forest {
public:
    explicit Forest(int order)
    {
        trees_.push_back({});
        for (int n = 2; n <= order; ++n) {
            std::vector<std::size_t> children;
            grow(n, n - 1, trees_.size() - 1, children);
            for (auto& tree : fresh_)
                trees_.push_back(std::move(tree));
            fresh_.clear();
        }
    }
    const std::vector<Tree>& trees() const { return trees_; }

private:
    void grow(int order, int left, std::size_t largest, std::vector<std::size_t>& children)
    {
        if (left == 0) {
            Tree tree{children, order, static_cast<double>(order)};
            for (std::size_t c : children)
                tree.gamma *= trees_[c].gamma;
            fresh_.push_back(std::move(tree));
            return;
        }
        for (std::size_t c = 0; c <= largest && c < trees_.size(); ++c) {
            if (trees_[c].order > left)
                break;
            children.push_back(c);
            grow(order, left - trees_[c].order, c, children);
            children.pop_back();
        }
    }

    std::vector<Tree> trees_, fresh_;
};

template <int S>
double phi(const Tableau<S>& m, const std::vector<Tree>& trees, const Tree& tree, std::size_t i, bool absolute)
{
    double product = 1;
    for (std::size_t c : tree.children) {
        double sum = 0;
        for (std::size_t j = 0; j < S; ++j)
            sum += (absolute ? std::abs(m.a[i][j]) : m.a[i][j]) * (m.a[i][j] != 0 ? phi(m, trees, trees[c], j, absolute) : 0);
        product *= sum;
    }
    return product;
}

/// Largest order up to which all conditions hold to round-off; at the next one some condition fails by a percent of 1/gamma.
template <int S>
int orderOf(const Tableau<S>& m, std::span<const double> weights, const Forest& forest, int highest)
{
    int order = highest;
    for (const auto& tree : forest.trees()) {
        double sum = 0, size = 0;
        for (std::size_t i = 0; i < S; ++i) {
            sum += weights[i] * phi(m, forest.trees(), tree, i, false);
            size += std::abs(weights[i]) * phi(m, forest.trees(), tree, i, true);
        }
        const double defect = std::abs(sum - 1 / tree.gamma);
        if (defect <= 4 * S * tree.order * kEpsilon * std::max(size, 1.0))
            continue;
        if (defect < 1e-4 / tree.gamma)
            return -1; // neither right nor honestly wrong: a misprinted digit
        order = std::min(order, tree.order - 1);
    }
    return order;
}

template <int S>
double largestRowSumDefect(const Tableau<S>& m)
{
    double largest = 0;
    for (std::size_t i = 0; i < S; ++i) {
        double sum = 0, size = 1;
        for (double a : m.a[i]) {
            sum += a;
            size += std::abs(a);
        }
        largest = std::max(largest, std::abs(sum - m.c[i]) / size);
    }
    return largest;
}

/// |R(z)|, R(z) = 1 + z b^T (I - z A)^{-1} 1.
template <int S>
double stability(const Tableau<S>& m, double z)
{
    driftless::solve::SparsePattern pattern{S, S, {0}, {}};
    std::vector<double> values, x(S, 1.0);
    for (int j = 0; j < S; ++j) {
        for (int i = 0; i < S; ++i) {
            pattern.rowIndices.push_back(i);
            values.push_back((i == j) - z * m.a[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)]);
        }
        pattern.columnStarts.push_back((j + 1) * S);
    }
    auto lu = driftless::solve::makeDenseSolver(S);
    lu->analyse(pattern);
    if (!lu->factor(values.data()).ok)
        return -1;
    lu->solve(x.data());
    double r = 1;
    for (std::size_t i = 0; i < S; ++i)
        r += z * m.b[i] * x[i];
    return std::abs(r);
}

} // namespace

class TableauTest : public QObject {
    Q_OBJECT
private slots:
    void numberOfTrees_isThatOfTheLiterature()
    {
        // 1, 1, 2, 4, 9, 20 rooted trees of orders 1 to 6.
        std::array<int, 7> count{};
        const Forest forest(6);
        for (const auto& tree : forest.trees())
            ++count[static_cast<std::size_t>(tree.order)];
        QCOMPARE(count, (std::array<int, 7>{0, 1, 1, 2, 4, 9, 20}));
    }

    void claimedOrder_isTheOrder()
    {
        const Forest forest(6);
        QCOMPARE(orderOf(kClassicalFour, kClassicalFour.b, forest, 6), kClassicalFour.order);
        QCOMPARE(orderOf(kDormandPrince, kDormandPrince.b, forest, 6), kDormandPrince.order);
        QCOMPARE(orderOf(kDormandPrince, kDormandPrince.bEmbedded, forest, 6), kDormandPrince.embeddedOrder);
        QCOMPARE(orderOf(kTrapezoidal, kTrapezoidal.b, forest, 6), kTrapezoidal.order);
        QCOMPARE(orderOf(kRadauIIA5, kRadauIIA5.b, forest, 6), kRadauIIA5.order);
    }

    void rowSums_areTheNodes()
    {
        for (double defect : {largestRowSumDefect(kClassicalFour), largestRowSumDefect(kDormandPrince),
                              largestRowSumDefect(kTrapezoidal), largestRowSumDefect(kRadauIIA5)})
            QVERIFY(defect <= 8 * kEpsilon);
    }

    void lastRow_isTheWeights_whereTheStepEndsInTheLastStage()
    {
        QCOMPARE(kDormandPrince.a[6], kDormandPrince.b);
        QCOMPARE(kRadauIIA5.a[2], kRadauIIA5.b);
        QCOMPARE(kTrapezoidal.a[1], kTrapezoidal.b);
    }

    void radauInverse_isTheInverse()
    {
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = 0; j < 3; ++j) {
                double sum = 0;
                for (std::size_t k = 0; k < 3; ++k)
                    sum += kRadauIIA5.a[i][k] * kRadauIIA5Inverse[k][j];
                // Entries of the inverse stay below 8.
                QVERIFY(std::abs(sum - (i == j ? 1.0 : 0.0)) <= 3 * 8 * kEpsilon);
            }
    }

    void stabilityAtInfinity_isAsStated()
    {
        // R(z) approaches its limit like C / |z| with C below 100 for these methods.
        const double z = -1e8;
        QVERIFY(std::abs(stability(kTrapezoidal, z) - kTrapezoidal.stabilityAtInfinity) < 100 / std::abs(z));
        QVERIFY(std::abs(stability(kRadauIIA5, z) - kRadauIIA5.stabilityAtInfinity) < 100 / std::abs(z));
        for (double real : {-1e-3, -1.0, -10.0, -1e3}) {
            QVERIFY(stability(kTrapezoidal, real) < 1);
            QVERIFY(stability(kRadauIIA5, real) < 1);
        }
        QVERIFY(stability(kClassicalFour, -10.0) > 1);
    }
};

QTEST_APPLESS_MAIN(TableauTest)
#include "test_tableaus.moc"
