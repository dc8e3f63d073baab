// When a body that rocks has come to its end: by speeds that do not fall any more, and by nothing else.
#include <QtTest>

#include <algorithm>
#include <cmath>

#include "core/run/Rocking.h"
#include "tests/support/Draw.h"

using namespace driftless;
using namespace driftless::run;
using namespace driftless::test;

class TestRocking : public QObject {
    Q_OBJECT

private slots:
    /// A share of 0.9 each time: it is on its way, however long that takes.
    void speedsThatFallGoOn()
    {
        const std::uint64_t seed = seedOr(3);
        for (int k = 0, count = countOr(50); k < count; ++k) {
            Draw draw(seed + static_cast<std::uint64_t>(k));
            Rocking rocks;
            const double share = draw.between(0.05, 0.9);
            double speed = draw.between(1e-6, 1);
            for (int i = 0; i < 200; ++i, speed *= share) {
                rocks.follow(speed, true, true);
                QCOMPARE(rocks.standsBelow(), 0.0);
            }
        }
    }

    /// A cycle of two or three speeds ends within three windows; what comes much faster is another impact.
    void speedsThatRepeatEachOtherEnd()
    {
        const std::uint64_t seed = seedOr(5);
        for (int k = 0, count = countOr(50); k < count; ++k) {
            Draw draw(seed + static_cast<std::uint64_t>(k));
            const double cycle[3]{draw.between(1e-8, 1e-5), draw.between(1e-8, 1e-5), draw.between(1e-8, 1e-5)};
            const double fastest = *std::max_element(cycle, cycle + 3);
            Rocking rocks, alone;
            for (int i = 0; i < 30; ++i) {
                rocks.follow(cycle[i % 3], true, i % 3 != 0);
                alone.follow(cycle[i % 3], true, false);
            }
            QVERIFY(rocks.standsBelow() >= fastest && rocks.standsBelow() < 10 * fastest);
            QCOMPARE(alone.standsBelow(), 0.0); // one contact bounces on
            rocks.follow(1, false, true);       // thrown up
            QCOMPARE(rocks.standsBelow(), 0.0);
        }
    }
};

QTEST_APPLESS_MAIN(TestRocking)
#include "test_rocking.moc"
