// From texts and mechanisms to counts: the public benchmark set of structural analysis, the examples of [MS91], and singular cases.
// Offsets and degrees of freedom: tests of OptMist-Tokyo/DAEPreprocessingToolbox (modified pendulum 2, transistor amplifier 5, ring
// modulator without capacitances 10 true degrees of freedom) and of AMSUN-Berlin/daestruct; the others by exhaustive methods.
#include <QtTest>

#include "core/model/Model.h"
#include "core/reduction/EquationAnalysis.h"

using namespace driftless;

namespace {

reduction::EquationAnalysis shipped(const std::string& name)
{
    const auto m = model::openEquationModel(name);
    return m.ok() ? reduction::analyseEquations((*m)->system) : reduction::EquationAnalysis{};
}

using List = std::vector<int>;

} // namespace

class TestEquationAnalysis : public QObject {
    Q_OBJECT

private slots:
    void benchmarkSet_data()
    {
        QTest::addColumn<List>("c");
        QTest::addColumn<List>("d");
        QTest::addColumn<int>("index");
        QTest::addColumn<int>("dof");
        QTest::addColumn<int>("rank");
        const List zeros8(8, 0), ones8(8, 1), zeros15(15, 0), ones15(15, 1);
        QTest::newRow("pendulum-equations") << List{0, 0, 2} << List{2, 2, 0} << 3 << 2 << 3;
        QTest::newRow("pendulum-first-order") << List{2, 1, 1, 0, 0} << List{2, 2, 1, 1, 0} << 3 << 2 << 5;
        QTest::newRow("modified-pendulum") << List{0, 0, 1, 0, 0} << List{1, 1, 1, 1, 1} << 1 << 4 << 4;
        QTest::newRow("transistor-amplifier") << zeros8 << ones8 << 0 << 8 << 5;
        QTest::newRow("ring-modulator-index-2") << zeros15 << List{1, 1, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1} << 1 << 11 << 14;
        QTest::newRow("ring-modulator") << zeros15 << ones15 << 0 << 15 << 15;
        QTest::newRow("hidden-constraint") << List{0, 0} << List{2, 0} << 1 << 2 << 1;
        QTest::newRow("example-1") << List{2, 2, 1, 0} << List{2, 2, 2, 1} << 2 << 2 << 4;
        QTest::newRow("rlc-circuit") << List{1, 1, 1, 0, 0, 1, 1, 1, 0, 1} << List{1, 1, 1, 1, 1, 0, 1, 1, 0, 1} << 2 << 1 << 10;
        QTest::newRow("two-pendula") << List{2, 2, 4, 0, 0, 2} << List{4, 4, 2, 2, 2, 0} << 5 << 4 << 6;
        QTest::newRow("three-pendula") << List{4, 4, 6, 2, 2, 4, 0, 0, 2} << List{6, 6, 4, 4, 4, 2, 2, 2, 0} << 7 << 6 << 9;
        QTest::newRow("akzo-nobel") << List{0, 0, 0, 0, 0, 0} << List{1, 1, 1, 1, 1, 0} << 1 << 5 << 6;
        QTest::newRow("reactor") << List{1, 0, 1, 2} << List{2, 1, 1, 0} << 3 << 0 << 4;
        QTest::newRow("car-axis-equations") << List{0, 0, 0, 0, 2, 2} << List{2, 2, 2, 2, 0, 0} << 3 << 4 << 6;
        QTest::newRow("pendulum-ggl") << List{0, 0, 0, 0, 1, 1} << List{1, 1, 1, 1, 0, 0} << 2 << 2 << 6;
    }
    void benchmarkSet()
    {
        QFETCH(List, c);
        QFETCH(List, d);
        QFETCH(int, index);
        QFETCH(int, dof);
        QFETCH(int, rank);
        const auto a = shipped(QTest::currentDataTag());
        QVERIFY(!a.structure.singular && a.structure.agree && a.jacobianKnown);
        QCOMPARE(a.structure.sigma.c, c);
        QCOMPARE(a.structure.sigma.d, d);
        QCOMPARE(a.structure.pantelides.c, c);
        QCOMPARE(a.structure.structuralIndex, index);
        QCOMPARE(a.structure.freedom, dof);
        QCOMPARE(a.jacobianRank, rank);
        QCOMPARE(a.jacobianSingular, rank < static_cast<int>(c.size()));
        QCOMPARE(a.diagnostic.has_value(), a.jacobianSingular);
    }

    void constantEliminationsFindTheTrueCounts_data()
    {
        QTest::addColumn<int>("dof");
        QTest::addColumn<int>("index");
        QTest::newRow("transistor-amplifier") << 5 << 1;
        QTest::newRow("ring-modulator-index-2") << 10 << 2;
        QTest::newRow("hidden-constraint") << 0 << 3; // x = t + sin t and its second derivative: y after two differentiations
        QTest::newRow("example-5") << 0 << 1;         // (4.7): algebraic
    }
    void constantEliminationsFindTheTrueCounts()
    {
        QFETCH(int, dof);
        QFETCH(int, index);
        const auto a = shipped(QTest::currentDataTag());
        QVERIFY(a.jacobianSingular && a.eliminated && !a.eliminations.empty());
        QVERIFY(!a.eliminated->jacobianSingular);
        QCOMPARE(a.eliminated->structure.freedom, dof);
        QCOMPARE(a.eliminated->structure.structuralIndex, index);
    }

    void whatCannotBeEliminatedIsNamed()
    {
        const auto a = shipped("modified-pendulum");
        QVERIFY(a.jacobianSingular && !a.eliminated);
        QVERIFY2(a.diagnostic->where.find("eq3, eq5 for") != std::string::npos, a.diagnostic->text().c_str());
    }

    void example1KeepsNineEquationsAndSix()
    {
        const auto a = shipped("example-1");
        QCOMPARE(a.structure.selection.augmentedEquations, 9L);
        QCOMPARE(a.structure.selection.reducedEquations, 6L);
        QCOMPARE(a.structure.blocks.size(), std::size_t{2});
        QVERIFY(a.structure.selection.complete);
    }

    void theSelectionFollowsTheValues()
    {
        // x is nearly zero: the dummies of the pendulum belong to y, and the other way round.
        for (const bool horizontal : {true, false}) {
            const auto m = model::readEquationModel(std::string("model p\n Real x(start = ") + (horizontal ? "5" : "0") + "); Real y(start = " + (horizontal ? "0" : "-5")
                + "); Real l;\nequation\n der(x,2) = -l*x; der(y,2) = -l*y - 1; x^2 + y^2 = 25;\nend p;", "p.mo");
            const auto a = reduction::analyseEquations((*m)->system);
            const auto dummies = structure::expand(a.structure.selection.dummies, 10);
            QCOMPARE(dummies.size(), std::size_t{2});
            for (const auto& d : dummies)
                QCOMPARE(d.unknown, horizontal ? 0 : 1);
        }
    }

    void singularTextsNameTheirParts()
    {
        const auto m = model::readEquationModel("model s\n Real x; Real y; Real z;\nequation\n x = 1; der(x) = 2; y + z = time;\nend s;", "s.mo");
        const auto a = reduction::analyseEquations((*m)->system);
        QVERIFY(a.structure.singular && a.diagnostic);
        QVERIFY2(a.diagnostic->why.find("2 equations (eq1, eq2) determine only 1 unknowns (x)") == 0, a.diagnostic->why.c_str());
        QVERIFY(reduction::analysisJson(a, "s").find("\"structurally_singular\":true") != std::string::npos);
        const auto unequal = model::readEquationModel("model s\n Real x; Real y;\nequation\n x = 1;\nend s;", "s.mo");
        QVERIFY(reduction::analyseEquations((*unequal)->system).structure.singular);
    }

    void everyMechanismAndEveryTextAgreesInBothMethods()
    {
        for (const auto& name : model::shippedEquationModels())
            QVERIFY2(shipped(name).structure.agree, name.c_str());
        for (const auto& m : model::shippedModels()) {
            const auto opened = model::openModel(m.path);
            QVERIFY(opened.ok());
            const auto& system = (*opened)->system;
            const auto a = reduction::analyseEquations(reduction::equationsOf(system));
            if (system.m() > system.n()) { // more rows than coordinates: the structure itself sees that some repeat
                QVERIFY2(a.structure.singular, m.id.c_str());
                continue;
            }
            QVERIFY2(!a.structure.singular && a.structure.agree, m.id.c_str());
            // One degree of freedom counts twice, position and velocity; a nonholonomic constraint takes one, dynamics add one.
            if (!a.jacobianSingular) {
                const int expected = 2 * system.n() - 2 * system.holonomic() - (system.m() - system.holonomic()) + static_cast<int>(system.dynamics.size());
                QVERIFY2(a.structure.freedom == expected, (m.id + " " + std::to_string(a.structure.freedom) + " instead of " + std::to_string(expected)).c_str());
                QVERIFY2(a.structure.structuralIndex == (system.holonomic() > 0 ? 3 : system.m() > 0 ? 2 : system.efforts.empty() ? 0 : 1), m.id.c_str());
            } else
                qInfo("%s: %s", m.id.c_str(), a.diagnostic->text().c_str());
        }
    }
};

QTEST_GUILESS_MAIN(TestEquationAnalysis)
#include "test_equation_analysis.moc"
