// label: long
// As test_one_sided, a thousand mechanisms.
#include <QtTest>

#include "tests/properties/OneSidedWalk.h"
#include "tests/support/LongMain.h"

class TestOneSidedLong : public QObject {
    Q_OBJECT
private slots:
    void impactsTakeEnergy_nothingPassesAContact_andRunsRepeat() { driftless::test::judgeOneSided(23'101, 1000, 10); }
};

DRIFTLESS_LONG_MAIN(QCoreApplication, TestOneSidedLong)
#include "test_one_sided_long.moc"
