// Discs with friction in a box: RubbingWalk.h says what each has to keep.
#include <QtTest>

#include "tests/properties/RubbingWalk.h"

class TestRubbing : public QObject {
    Q_OBJECT
private slots:
    void frictionTakesEnergy_withinItsLimits_andRunsRepeat() { driftless::test::judgeRubbing(41'001, 30, 2); }
    /// Discs that come to rest in a corner: one jammed with slips that counted as none, and gained energy.
    void jammedInACorner_nothingCreepsOn() { driftless::test::judgeRubbing(41'498, 1, 10); }
    /// One contact lets go while another one is about to close: the time is that of the first.
    void oneLetsGo_beforeAnotherCloses() { driftless::test::judgeRubbing(703'817, 1, 10); }
};

QTEST_GUILESS_MAIN(TestRubbing)
#include "test_rubbing.moc"
