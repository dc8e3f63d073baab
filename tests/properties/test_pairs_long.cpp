// label: long
// As test_pairs, a thousand.
#include <QtTest>

#include "tests/properties/PairWalk.h"
#include "tests/support/LongMain.h"

class TestPairsLong : public QObject {
    Q_OBJECT
private slots:
    void samplesAreThoseOfATightRun() { driftless::test::walkPairs(29'101, 1000); }
};

DRIFTLESS_LONG_MAIN(QCoreApplication, TestPairsLong)
#include "test_pairs_long.moc"
