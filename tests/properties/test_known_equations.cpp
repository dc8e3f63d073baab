// Equation models drawn with a known motion, their index and degrees of freedom told from ranks of derivative arrays: what the
// structural analysis says is true, and the reduced systems move as known.
#include <QtTest>

#include <cstdio>

#include "tests/properties/EquationOracle.h"

using namespace driftless::test;

class TestKnownEquations : public QObject {
    Q_OBJECT
private slots:
    void answersAndMotionsAreTrue()
    {
        const std::uint64_t seed = seedOr(17'401);
        const int count = countOr(60);
        qInfo("DRIFTLESS_SEED=%llu, %d models", static_cast<unsigned long long>(seed), count);
        EquationTally tally;
        const std::string fault = walkEquations(seed, count, tally);
        qInfo("%s", tally.told().c_str());
        if (!fault.empty())
            std::fputs(fault.c_str(), stderr); // longer than a message may be
        QVERIFY2(fault.empty(), "see above");
        QVERIFY(tally.judged > count / 2);
    }
};

QTEST_GUILESS_MAIN(TestKnownEquations)
#include "test_known_equations.moc"
