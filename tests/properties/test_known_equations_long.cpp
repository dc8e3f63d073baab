// label: long
// As test_known_equations, a thousand.
#include <QtTest>

#include "tests/properties/EquationWalk.h"
#include "tests/support/LongMain.h"

class TestKnownEquationsLong : public QObject {
    Q_OBJECT
private slots:
    void answersAndMotionsAreTrue() { driftless::test::judgeKnownEquations(17'701, 1000); }
};

DRIFTLESS_LONG_MAIN(QCoreApplication, TestKnownEquationsLong)
#include "test_known_equations_long.moc"
