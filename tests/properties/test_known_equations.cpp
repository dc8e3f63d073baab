// Equation models drawn with a known motion, their index and degrees of freedom told from ranks of derivative arrays: what the
// structural analysis says is true, and the reduced systems move as known.
#include <QtTest>

#include "tests/properties/EquationWalk.h"

class TestKnownEquations : public QObject {
    Q_OBJECT
private slots:
    void answersAndMotionsAreTrue() { driftless::test::judgeKnownEquations(17'401, 60); }
};

QTEST_GUILESS_MAIN(TestKnownEquations)
#include "test_known_equations.moc"
