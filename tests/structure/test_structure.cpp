// Structural analysis: the examples of [MS91] and the systems of a public benchmark set, as integers; random systems against
// exhaustive search; growth.
#include <QtTest>

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>

#include "core/structure/Report.h"

using namespace driftless::structure;

namespace {

constexpr int kNone = -1;

/// From a dense table, kNone for an absent unknown.
Signature dense(const std::vector<std::vector<int>>& table)
{
    Signature s;
    s.columns = static_cast<int>(table.front().size());
    for (const auto& line : table) {
        s.rows.emplace_back();
        for (std::size_t j = 0; j < line.size(); ++j)
            if (line[j] != kNone)
                s.rows.back().push_back({static_cast<int>(j), line[j]});
    }
    return s;
}

/// [MS91] Example 1: x1 + x2 + u1, x1 + x2 + x3 + u2, x1 + x4 + u3, 2 x1'' + x2'' + x3'' + x4' + u4.
Signature example1() { return dense({{0, 0, kNone, kNone}, {0, 0, 0, kNone}, {0, kNone, kNone, 0}, {2, 2, 2, 1}}); }

/// The derivative chain (1.2) of [MS91], n equations: x_k' = x_(k+1), x_1 = f.
Signature chain(int n)
{
    Signature s;
    s.columns = n;
    for (int k = 0; k + 1 < n; ++k)
        s.rows.push_back({{k, 1}, {k + 1, 0}});
    s.rows.push_back({{0, 0}});
    return s;
}

int brutePerfect(const std::vector<std::vector<int>>& table, int& best)
{
    // Highest transversal value over all permutations; how many rows can be matched at most.
    const int n = static_cast<int>(table.size());
    std::vector<int> p(static_cast<std::size_t>(n));
    std::iota(p.begin(), p.end(), 0);
    int most = 0;
    best = std::numeric_limits<int>::min();
    do {
        int size = 0, value = 0;
        for (int i = 0; i < n; ++i) {
            const int order = table[static_cast<std::size_t>(i)][static_cast<std::size_t>(p[static_cast<std::size_t>(i)])];
            size += order != kNone;
            value += order == kNone ? 0 : order;
        }
        most = std::max(most, size);
        if (size == n)
            best = std::max(best, value);
    } while (std::next_permutation(p.begin(), p.end()));
    return most;
}

/// The smallest offsets by exhaustive search over c, in order of growing sum, that admit a transversal with equality.
bool isOffset(const Signature& s, const std::vector<int>& c)
{
    return maximumMatching(s.leading(c, s.highestOrders(c))).size == s.size();
}

} // namespace

class TestStructure : public QObject {
    Q_OBJECT

private slots:
    void example1OfMattssonSoederlind()
    {
        const auto a = analyse(example1());
        QVERIFY(!a.singular && a.agree);
        QCOMPARE(a.pantelides.c, (std::vector<int>{2, 2, 1, 0}));
        QCOMPARE(a.pantelides.d, (std::vector<int>{2, 2, 2, 1}));
        QCOMPARE(a.structuralIndex, 2);
        QCOMPARE(a.freedom, 2);
        // Two blocks: {c': x4'} and {a'', b'', d: x1'', x2'', x3''}.
        QCOMPARE(a.blocks.size(), std::size_t{2});
        QCOMPARE(a.blocks[0].equations, std::vector<int>{2});
        QCOMPARE(a.blocks[0].unknowns, std::vector<int>{3});
        QCOMPARE(a.blocks[1].equations, (std::vector<int>{0, 1, 3}));
        QCOMPARE(a.selection.augmentedEquations, 9L);
        QCOMPARE(countOf(a.selection.dummies), 5L);
        // Example 2.
        QCOMPARE(a.selection.reducedEquations, 6L);
        QCOMPARE(a.selection.superfluous, (std::vector<EquationRef>{{2, 1}, {0, 2}, {1, 2}}));
        QCOMPARE(countOf(a.selection.reducedDummies), 2L);
        QVERIFY(a.selection.complete);
        const Names names{{"a", "b", "c", "d"}, {"x1", "x2", "x3", "x4"}};
        const std::string text = describe(example1(), a, names);
        QVERIFY2(text.find("9 equations with dummy derivatives, 6 without") != std::string::npos, text.c_str());
    }

    void example1WithTheSourcesColumns()
    {
        // The source takes x1'', x3'' in the large block: positions 0 and 2 of (x1, x2, x3), then x1', x3'.
        const auto a = analyse(example1(), [](std::span<const int> rows, std::span<const int> columns) {
            std::vector<int> out;
            for (std::size_t k = 0; k < columns.size() && out.size() < rows.size(); ++k)
                if (columns[k] != 1)
                    out.push_back(static_cast<int>(k));
            return out;
        });
        QCOMPARE(expand(a.selection.dummies, 100), (std::vector<DerivativeRef>{{0, 1}, {0, 2}, {2, 1}, {2, 2}, {3, 1}}));
        QCOMPARE(expand(a.selection.reducedDummies, 100), (std::vector<DerivativeRef>{{0, 1}, {2, 1}}));
        std::vector<int> m;
        for (const auto& stage : a.selection.stages)
            if (stage.block == 1)
                m.push_back(stage.m);
        QCOMPARE(m, (std::vector<int>{2, 2, 0})); // H has two rows of three, then all of two, then nothing is differentiated
    }

    void example3ThePendulumAndExample4InFirstOrder()
    {
        const auto a = analyse(dense({{2, kNone, 0}, {kNone, 2, 0}, {0, 0, kNone}}));
        QCOMPARE(a.pantelides.c, (std::vector<int>{0, 0, 2}));
        QCOMPARE(a.structuralIndex, 3);
        QCOMPARE(a.freedom, 2);
        QCOMPARE(a.selection.augmentedEquations, 5L);
        QCOMPARE(a.selection.reducedEquations, 5L); // lambda is algebraic: nothing is superfluous
        QCOMPARE(countOf(a.selection.dummies), 2L);
        QCOMPARE(a.pantelides.steps.size(), std::size_t{2});
        // p' = v, M v' = F - G^T lambda, g(p) = 0 (4.5): (4.5a) is differentiated once.
        const auto first = analyse(dense({{1, kNone, 0, kNone, kNone},
                                          {kNone, 1, kNone, 0, kNone},
                                          {kNone, kNone, 1, kNone, 0},
                                          {kNone, kNone, kNone, 1, 0},
                                          {0, 0, kNone, kNone, kNone}}));
        QCOMPARE(first.pantelides.c, (std::vector<int>{1, 1, 0, 0, 2}));
        QCOMPARE(first.pantelides.d, (std::vector<int>{2, 2, 1, 1, 0}));
    }

    void example5IsStructurallyFineAndDifferentiatesTheSecondEquation()
    {
        const auto a = analyse(dense({{1, 1}, {0, 0}})); // x' + t y', x + t y: singular in numbers only
        QVERIFY(!a.singular);
        QCOMPARE(a.pantelides.c, (std::vector<int>{0, 1}));
    }

    void benchmarkRows_data()
    {
        // Facts of the systems as listed by the test suites of DAEPreprocessingToolbox, daestruct and ModelingToolkit.
        QTest::addColumn<std::vector<std::vector<int>>>("table");
        QTest::addColumn<std::vector<int>>("c");
        QTest::addColumn<std::vector<int>>("d");
        QTest::addColumn<int>("index");
        QTest::addColumn<int>("dof");
        const int o = kNone;
        using Table = std::vector<std::vector<int>>;
        using List = std::vector<int>;
        QTest::newRow("modified pendulum")
            << Table{{0, 0, 0, 1, o}, {o, 0, 0, o, 1}, {0, 0, 0, o, o}, {1, o, o, 0, o}, {o, 1, 1, o, 0}} << List{0, 0, 1, 0, 0}
            << List{1, 1, 1, 1, 1} << 1 << 4;
        QTest::newRow("toy") << Table{{2, 0}, {2, 0}} << List{0, 0} << List{2, 0} << 1 << 2;
        QTest::newRow("RLC circuit") << Table{{0, o, o, o, o, o, o, o, o, o}, {o, 0, o, o, o, o, 0, o, o, o},
                                              {o, o, 0, o, o, o, o, 0, o, o}, {o, o, o, 0, o, o, o, o, 1, o},
                                              {o, o, o, o, 1, o, o, o, o, 0}, {0, 0, o, 0, o, o, o, o, o, o},
                                              {o, 0, 0, o, 0, o, o, o, o, o}, {o, o, 0, 0, o, o, o, o, o, o},
                                              {o, o, o, o, o, 0, 0, o, o, 0}, {o, o, o, o, o, o, 0, 0, 0, o}}
                                     << List{1, 1, 1, 0, 0, 1, 1, 1, 0, 1} << List{1, 1, 1, 1, 1, 0, 1, 1, 1, 0} << 2 << 1;
        QTest::newRow("two pendula") << Table{{2, o, 0, o, o, o}, {o, 2, 0, o, o, o}, {0, 0, o, o, o, o},
                                              {o, o, o, 2, o, 0}, {o, o, o, o, 2, 0}, {o, o, 0, 0, 0, o}}
                                     << List{2, 2, 4, 0, 0, 2} << List{4, 4, 2, 2, 2, 0} << 5 << 4;
        QTest::newRow("reactor") << Table{{1, o, 0, o}, {o, 1, 0, 0}, {0, 0, 0, o}, {0, o, o, o}} << List{1, 0, 1, 2}
                                 << List{2, 1, 1, 0} << 3 << 0;
        QTest::newRow("pendulum, GGL") << Table{{1, o, 0, o, o, 0}, {o, 1, o, 0, o, 0}, {o, o, 1, o, 0, o},
                                                {o, o, o, 1, 0, o}, {0, 0, o, o, o, o}, {0, 0, 0, 0, o, o}}
                                       << List{0, 0, 0, 0, 1, 1} << List{1, 1, 1, 1, 0, 0} << 2 << 2;
        // M(q) q'' + G^T lambda - f = 0 in seven angles, six constraints (Andrews' mechanism, full mass matrix and G).
        Table andrews;
        for (int i = 0; i < 13; ++i) {
            andrews.push_back(List(13, i < 7 ? 0 : o));
            for (int j = 0; j < 7; ++j)
                andrews.back()[static_cast<std::size_t>(j)] = i < 7 ? 2 : 0;
        }
        QTest::newRow("Andrews") << andrews << List{0, 0, 0, 0, 0, 0, 0, 2, 2, 2, 2, 2, 2}
                                 << List{2, 2, 2, 2, 2, 2, 2, 0, 0, 0, 0, 0, 0} << 3 << 2;
    }
    void benchmarkRows()
    {
        QFETCH(std::vector<std::vector<int>>, table);
        QFETCH(std::vector<int>, c);
        QFETCH(std::vector<int>, d);
        QFETCH(int, index);
        QFETCH(int, dof);
        const auto a = analyse(dense(table));
        QVERIFY(!a.singular);
        QCOMPARE(a.sigma.c, c);
        QCOMPARE(a.sigma.d, d);
        QCOMPARE(a.pantelides.c, c);
        QCOMPARE(a.pantelides.d, d);
        QVERIFY(a.agree);
        QCOMPARE(a.structuralIndex, index);
        QCOMPARE(a.freedom, dof);
        QCOMPARE(std::accumulate(d.begin(), d.end(), 0) - std::accumulate(c.begin(), c.end(), 0), dof);
    }

    void randomSystemsAgreeWithExhaustiveSearch()
    {
        std::mt19937 generator(5);
        std::uniform_int_distribution<int> size(1, 6), order(-4, 2);
        int singular = 0, regular = 0;
        for (int trial = 0; trial < 400; ++trial) {
            const int n = size(generator);
            std::vector<std::vector<int>> table(static_cast<std::size_t>(n), std::vector<int>(static_cast<std::size_t>(n)));
            for (auto& line : table)
                for (int& entry : line)
                    entry = std::max(order(generator), kNone);
            int best = 0;
            const int most = brutePerfect(table, best);
            const Signature s = dense(table);
            const auto a = analyse(s);
            QCOMPARE(a.matching.size, most);
            QCOMPARE(a.singular, most < n);
            if (a.singular) {
                ++singular;
                // The parts are what they are called.
                QVERIFY(a.parts.overRows.size() > a.parts.overColumns.size()
                        && a.parts.underColumns.size() > a.parts.underRows.size());
                QCOMPARE(a.parts.squareRows.size(), a.parts.squareColumns.size());
                QCOMPARE(static_cast<int>(a.parts.overRows.size() - a.parts.overColumns.size()), n - most);
                continue;
            }
            ++regular;
            QCOMPARE(a.sigma.value, best);
            QVERIFY(a.agree);
            QVERIFY(isOffset(s, a.sigma.c));
            // Smallest: no single count can be lowered (valid offsets form a lattice, so this suffices).
            for (int i = 0; i < n; ++i) {
                auto lower = a.sigma.c;
                if (lower[static_cast<std::size_t>(i)]-- > 0)
                    QVERIFY(!isOffset(s, lower));
            }
            // Blocks are triangular: no equation needs an unknown of a later block.
            std::vector<int> blockOf(static_cast<std::size_t>(n));
            for (std::size_t b = 0; b < a.blocks.size(); ++b)
                for (const int j : a.blocks[b].unknowns)
                    blockOf[static_cast<std::size_t>(j)] = static_cast<int>(b);
            const auto leading = s.leading(a.sigma.c, a.sigma.d);
            for (std::size_t b = 0; b < a.blocks.size(); ++b)
                for (const int i : a.blocks[b].equations)
                    for (const int j : leading.rows[static_cast<std::size_t>(i)])
                        QVERIFY(blockOf[static_cast<std::size_t>(j)] <= static_cast<int>(b));
            QVERIFY(a.selection.complete);
            QCOMPARE(countOf(a.selection.dummies), a.selection.augmentedEquations - n); // one dummy per differentiated equation
        }
        QVERIFY(singular > 20 && regular > 20);
    }

    void singularSystemsAreNamed()
    {
        // a and b both only hold x; y and z share one equation.
        const auto a = analyse(dense({{0, kNone, kNone}, {1, kNone, kNone}, {kNone, 0, 1}}));
        QVERIFY(a.singular);
        QCOMPARE(describeSingularity(a.parts, {{"a", "b", "c"}, {"x", "y", "z"}}),
                 std::string("2 equations (a, b) determine only 1 unknowns (x); 2 unknowns (y, z) have only 1 equations (c)"));
    }

    void aChainOfTenThousandEquations()
    {
        // n (n - 1) / 2 differentiations; how long it takes is for the benchmark to say.
        const int n = 10'000;
        const auto a = analyse(chain(n));
        QVERIFY(a.agree && !a.singular);
        QCOMPARE(a.structuralIndex, n);
        QCOMPARE(a.freedom, 0);
        QCOMPARE(a.pantelides.c.back(), n - 1);
        QCOMPARE(a.pantelides.c.front(), n - 2);
    }
};

QTEST_GUILESS_MAIN(TestStructure)
#include "test_structure.moc"
