// label: long
// As test_known_motion, a thousand systems.
#include <QtTest>

#include "tests/properties/MotionWalk.h"
#include "tests/support/LongMain.h"

class TestKnownMotionLong : public QObject {
    Q_OBJECT
private slots:
    void everyFormMeetsTheMotion() { driftless::test::judgeKnownMotions(17'301, 1000); }
};

DRIFTLESS_LONG_MAIN(QCoreApplication, TestKnownMotionLong)
#include "test_known_motion_long.moc"
