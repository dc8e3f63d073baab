// label: long
// As test_mechanisms, a thousand.
#include <QtTest>

#include "tests/properties/MechanismWalk.h"
#include "tests/support/LongMain.h"

class TestMechanismsLong : public QObject {
    Q_OBJECT
private slots:
    void countsAndMotionsAreTrue() { driftless::test::judgeMechanisms(17'601, 1000); }
};

DRIFTLESS_LONG_MAIN(QCoreApplication, TestMechanismsLong)
#include "test_mechanisms_long.moc"
