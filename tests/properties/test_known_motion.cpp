// Constrained systems drawn with a known motion: M(q), potentials, holonomic, moving and nonholonomic rows, dynamic variables,
// efforts and velocities other than q'. Every formulation that does not refuse meets the motion and its multipliers.
#include <QtTest>

#include <cstdio>

#include "tests/properties/MotionOracle.h"

using namespace driftless::test;

class TestKnownMotion : public QObject {
    Q_OBJECT
private slots:
    void everyFormMeetsTheMotion()
    {
        const std::uint64_t seed = seedOr(17'001);
        const int count = countOr(6);
        qInfo("DRIFTLESS_SEED=%llu, %d systems", static_cast<unsigned long long>(seed), count);
        Tally tally;
        const std::string fault = walkMotions(seed, count, tally);
        for (const auto& [form, times] : tally.ran)
            qInfo("%-22s %4d ran, %4d refused, %4d stopped", form.c_str(), times, tally.refused[form], tally.stopped[form]);
        qInfo("largest error of a position %.1e m", tally.worst);
        if (!fault.empty())
            std::fputs(fault.c_str(), stderr); // longer than a message may be
        QVERIFY2(fault.empty(), "see above");
        QVERIFY(tally.ran.size() > 10); // else the forms were not tried
    }
};

QTEST_MAIN(TestKnownMotion)
#include "test_known_motion.moc"
