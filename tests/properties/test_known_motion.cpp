// Constrained systems drawn with a known motion: M(q), potentials, holonomic, moving and nonholonomic rows, dynamic variables,
// efforts and velocities other than q'. Every formulation that does not refuse meets the motion and its multipliers.
#include <QtTest>

#include "tests/properties/MotionWalk.h"

class TestKnownMotion : public QObject {
    Q_OBJECT
private slots:
    void everyFormMeetsTheMotion() { driftless::test::judgeKnownMotions(17'001, 6); }
    /// [G; L] is singular 1e-12 s behind the start: (3.16) jumped there by 1.8e-6 m before it stopped.
    void aStartBesideASingularPoint_isLeftWithoutAJump() { driftless::test::judgeKnownMotions(23'160, 1); }
};

QTEST_GUILESS_MAIN(TestKnownMotion)
#include "test_known_motion.moc"
