// Discs with friction in a box: RubbingWalk.h says what each has to keep.
#include <QtTest>

#include "tests/properties/RubbingWalk.h"

class TestRubbing : public QObject {
    Q_OBJECT
private slots:
    void frictionTakesEnergy_withinItsLimits_andRunsRepeat() { driftless::test::judgeRubbing(41'001, 30, 2); }
};

QTEST_GUILESS_MAIN(TestRubbing)
#include "test_rubbing.moc"
