// The words of a structural analysis, whole: a number that is off by one, or a list that is cut in the wrong place, stands in
// them.
#include <QtTest>

#include "core/structure/Report.h"

using namespace driftless::structure;

namespace {

constexpr int kNone = -1;

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

Names numbered(int n)
{
    Names names;
    for (int i = 1; i <= n; ++i) {
        names.equations.push_back("f" + std::to_string(i));
        names.unknowns.push_back("x" + std::to_string(i));
    }
    return names;
}

/// x_k' = x_(k+1) for k < n, x_1 = f: equation n is differentiated n - 1 times.
Signature chain(int n)
{
    Signature s;
    s.columns = n;
    for (int k = 0; k + 1 < n; ++k)
        s.rows.push_back({{k, 1}, {k + 1, 0}});
    s.rows.push_back({{0, 0}});
    return s;
}

int count(const std::string& text, const std::string& what)
{
    int found = 0;
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += what.size())
        ++found;
    return found;
}

} // namespace

#define COMPARE_TEXT(found, expected) QVERIFY2((found) == (expected), (found).c_str())

class TestStructureReport : public QObject {
    Q_OBJECT

private slots:
    void derivatives_havePrimesUpToThree()
    {
        QCOMPARE(derivativeName("x", 0), std::string("x"));
        QCOMPARE(derivativeName("x", 3), std::string("x'''"));
        QCOMPARE(derivativeName("x", 4), std::string("x^(4)"));
    }

    void thePendulum_isToldWhole()
    {
        const Signature s = dense({{2, kNone, 0}, {kNone, 2, 0}, {0, 0, kNone}});
        const Names names{{"horizontal", "vertical", "rod"}, {"x", "y", "tension"}};
        const std::string expected =
            "            x        y        tension  c_i\n"
            "horizontal  2        -        0*       0\n"
            "vertical    -        2*       0        0\n"
            "rod         0*       0        -        2\n"
            "d_j         2        2        0        \n"
            "Structural index 3, 2 start values to choose (a mechanical degree of freedom has two).\n"
            "Pantelides:\n"
            "  rod finds no unknown; differentiate rod\n"
            "  rod finds no unknown; differentiate rod\n"
            "Blocks:\n"
            "  1: horizontal, vertical, rod'' for tension, y'', x''\n"
            "Index reduction:\n"
            "  block 1, stage 1: g = {rod'', horizontal, vertical}, z = {x'', y'', tension}, m = 1, dummies x''\n"
            "  block 1, stage 2: g = {rod'}, z = {x'}, m = 1, dummies x'\n"
            "  block 1, stage 3: g = {rod}, z = {x}\n"
            "5 equations with dummy derivatives, 5 without superfluous differentiations.\n";
        COMPARE_TEXT(describe(s, analyse(s), names), expected);
    }

    void aSingularSystem_isToldWithoutOffsets()
    {
        const Signature s = dense({{0, kNone, kNone}, {1, kNone, kNone}, {kNone, 0, 1}});
        const std::string expected = "    x1  x2  x3  \n"
                                     "f1  0   -   -   \n"
                                     "f2  1   -   -   \n"
                                     "f3  -   0   1   \n"
                                     "Structurally singular: 2 equations (f1, f2) determine only 1 unknowns (x1); 2 unknowns "
                                     "(x2, x3) have only 1 equations (f3)\n";
        COMPARE_TEXT(describe(s, analyse(s), numbered(3)), expected);
    }

    void emptyRowsAndColumns_haveNoLists()
    {
        // The second equation holds nothing, the second unknown occurs nowhere.
        const auto a = analyse(dense({{0, kNone}, {kNone, kNone}}));
        COMPARE_TEXT(describeSingularity(a.parts, numbered(2)),
                     std::string("1 equations (f2) determine only 0 unknowns; 1 unknowns (x2) have only 0 equations"));
        // More unknowns than equations, and the other way round.
        const auto wide = analyse(dense({{0, 0}}));
        QVERIFY(wide.singular);
        COMPARE_TEXT(describeSingularity(wide.parts, numbered(2)),
                     std::string("2 unknowns (x1, x2) have only 1 equations (f1)"));
        const auto tall = analyse(dense({{0}, {0}}));
        QVERIFY(tall.singular);
        COMPARE_TEXT(describeSingularity(tall.parts, numbered(2)),
                     std::string("2 equations (f1, f2) determine only 1 unknowns (x1)"));
    }

    void longLists_areCutBehindTwelve()
    {
        for (const int n : {12, 13, 15}) {
            std::vector<std::vector<int>> table(static_cast<std::size_t>(n), std::vector<int>{0});
            const std::string text = describeSingularity(analyse(dense(table)).parts, numbered(n));
            QCOMPARE(count(text, "f"), 12);
            COMPARE_TEXT(text.substr(text.find("f12")),
                         n == 12 ? std::string("f12) determine only 1 unknowns (x1)")
                                 : "f12 and " + std::to_string(n - 12) + " more) determine only 1 unknowns (x1)");
        }
    }

    void largeSystems_haveNoTable_andAShortListOfBlocksAndStages()
    {
        for (const int n : {40, 41}) {
            const Signature s = chain(n);
            const std::string text = describe(s, analyse(s), numbered(n));
            QCOMPARE(count(text, "The signature matrix has 41 rows.\n"), n == 41 ? 1 : 0);
            QCOMPARE(count(text, "c_i\n"), n == 41 ? 0 : 1);
        }
        // Seventy pendula, each a block with three stages of which the first two choose: sixty are shown.
        Signature many;
        const int pendula = 70;
        many.columns = 3 * pendula;
        for (int k = 0; k < pendula; ++k) {
            many.rows.push_back({{3 * k, 2}, {3 * k + 2, 0}});
            many.rows.push_back({{3 * k + 1, 2}, {3 * k + 2, 0}});
            many.rows.push_back({{3 * k, 0}, {3 * k + 1, 0}});
        }
        const auto a = analyse(many);
        QCOMPARE(a.structuralIndex, 3);
        QCOMPARE(a.freedom, 2 * pendula);
        const std::string text = describe(many, a, numbered(3 * pendula));
        QCOMPARE(count(text, "\n  block "), 60);
        QCOMPARE(count(text, "  (later stages are not listed)\n"), 1);
        QCOMPARE(count(text, " for x"), 60); // blocks
        QCOMPARE(count(text, ", stage 1: "), 20);
    }

    void aBlockThatIsDifferentiatedWhole_isReducedAtOnce()
    {
        // x and y from two equations, a copy of them with fourth derivatives: both are differentiated four times, in stages
        // that are alike.
        const Signature s = dense({{0, 0, kNone, kNone}, {0, 0, kNone, kNone}, {4, kNone, 0, kNone}, {kNone, 4, kNone, 0}});
        const auto a = analyse(s);
        QCOMPARE(a.pantelides.c, (std::vector<int>{4, 4, 0, 0}));
        QCOMPARE(a.pantelides.d, (std::vector<int>{4, 4, 0, 0}));
        const std::string text = describe(s, a, numbered(4));
        QCOMPARE(count(text, "block 1, stage 1: g = {f1^(4), f2^(4)}, z = {x1^(4), x2^(4)}, m = 2, dummies x1^(4), x2^(4), and "
                             "alike in the 3 stages below\n"),
                 1);
        QCOMPARE(count(text, "block 1, stage 5: g = {f1, f2}, z = {x1, x2}\n"), 1);
        QCOMPARE(count(text, "12 equations with dummy derivatives, 10 without"), 1);
        QCOMPARE(a.selection.dummies.size(), std::size_t{2});
        QCOMPARE(a.selection.dummies[0].lowest, 1);
        QCOMPARE(a.selection.dummies[0].highest, 4);
        QCOMPARE(expand(a.selection.dummies, 3), (std::vector<DerivativeRef>{{0, 1}, {0, 2}, {0, 3}}));
    }

    void aChoiceThatFails_isTold()
    {
        const Signature s = dense({{2, kNone, 0}, {kNone, 2, 0}, {0, 0, kNone}});
        const auto a = analyse(s, [](std::span<const int>, std::span<const int>) { return std::vector<int>{}; });
        QVERIFY(!a.selection.complete);
        QCOMPARE(a.selection.stages.size(), std::size_t{1});
        const std::string text = describe(s, a, numbered(3));
        QCOMPARE(count(text, "z = {x1'', x2'', x3}, no regular choice of 1 columns\n"), 1);
    }

    void stepsBeyondWhatCanBeRead_areNotKept()
    {
        const int n = 1000; // half a million members
        const auto a = analyse(chain(n));
        QVERIFY(!a.pantelides.recordedAll);
        QCOMPARE(a.pantelides.differentiations, 999L * 1000 / 2);
        std::size_t members = 0;
        for (const auto& step : a.pantelides.steps)
            members += step.equations.size() + step.unknowns.size();
        QVERIFY(members <= 200'000 && members > 190'000);
        QVERIFY(describe(chain(n), a, numbered(n)).find("  (later steps are not listed)\n") != std::string::npos);
        const auto few = analyse(chain(20));
        QVERIFY(few.pantelides.recordedAll);
        QCOMPARE(few.pantelides.differentiations, 19L * 20 / 2);
    }

    void theTransversal_holdsTheHighestValue()
    {
        // By hand: 2 + 1 + 0 over the diagonal is 3, over the other permutations less.
        const auto a = analyse(dense({{2, 1, 0}, {0, 1, kNone}, {1, 0, 0}}));
        QCOMPARE(a.sigma.transversal, (std::vector<int>{0, 1, 2}));
        QCOMPARE(a.sigma.value, 3);
        QCOMPARE(structuralIndex({}, {}), 0);
        QCOMPARE(structuralIndex({2, 1}, {1, 2}), 2);
        QCOMPARE(structuralIndex({2, 1}, {1, 0}), 3);
    }
};

QTEST_GUILESS_MAIN(TestStructureReport)
#include "test_report.moc"
