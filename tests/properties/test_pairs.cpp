// Formulations and methods in pairs on drawn mechanisms: what they say between their rows is what a tight run of another pair
// says that stops there.
#include <QtTest>

#include "tests/properties/PairWalk.h"

class TestPairs : public QObject {
    Q_OBJECT
private slots:
    void samplesAreThoseOfATightRun() { driftless::test::walkPairs(29'001, 6); }
};

QTEST_GUILESS_MAIN(TestPairs)
#include "test_pairs.moc"
