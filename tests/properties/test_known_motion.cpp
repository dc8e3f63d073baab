// Constrained systems drawn with a known motion: M(q), potentials, holonomic, moving and nonholonomic rows, dynamic variables,
// efforts and velocities other than q'. Every formulation that does not refuse meets the motion and its multipliers.
#include <QtTest>

#include "tests/properties/MotionWalk.h"

class TestKnownMotion : public QObject {
    Q_OBJECT
private slots:
    void everyFormMeetsTheMotion() { driftless::test::judgeKnownMotions(17'001, 6); }
};

QTEST_GUILESS_MAIN(TestKnownMotion)
#include "test_known_motion.moc"
