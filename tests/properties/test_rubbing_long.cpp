// label: long
// As test_rubbing, a thousand mechanisms.
#include <QtTest>

#include "tests/properties/RubbingWalk.h"
#include "tests/support/LongMain.h"

class TestRubbingLong : public QObject {
    Q_OBJECT
private slots:
    void frictionTakesEnergy_withinItsLimits_andRunsRepeat() { driftless::test::judgeRubbing(41'101, 1000, 10); }
};

DRIFTLESS_LONG_MAIN(QCoreApplication, TestRubbingLong)
#include "test_rubbing_long.moc"
