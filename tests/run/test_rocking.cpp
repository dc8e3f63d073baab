// When a body that rocks has come to its end: by energy that does not fall any more, and by nothing else.
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
    /// Impacts take what they take, and flights give nothing: it is on its way, however little each of them takes.
    void energyThatFallsGoesOn()
    {
        const std::uint64_t seed = seedOr(3);
        for (int k = 0, count = countOr(50); k < count; ++k) {
            Draw draw(seed + static_cast<std::uint64_t>(k));
            Rocking rocks;
            const double share = draw.between(0.05, 0.999), fed = draw.between(0, 0.4); // of the energy; of what was taken
            double energy = draw.between(1e-6, 1);
            for (int i = 0; i < 200; ++i) {
                const double left = share * energy;
                rocks.follow(
                    {.approach = std::sqrt(energy), .approaching = energy, .left = left, .small = true, .several = true});
                QCOMPARE(rocks.standsBelow(), 0.0);
                energy = left + fed * (energy - left);
            }
        }
    }

    /// A cycle of two or three speeds ends within three windows; what comes much faster is another impact.
    void energyThatIsThereAgainEnds()
    {
        const std::uint64_t seed = seedOr(5);
        for (int k = 0, count = countOr(50); k < count; ++k) {
            Draw draw(seed + static_cast<std::uint64_t>(k));
            const double cycle[3]{draw.between(1e-8, 1e-5), draw.between(1e-8, 1e-5), draw.between(1e-8, 1e-5)};
            const double fastest = *std::max_element(cycle, cycle + 3), share = draw.between(0.05, 0.99);
            Rocking rocks, alone, elastic;
            for (int i = 0; i < 30; ++i) {
                const double speed = cycle[i % 3], energy = speed * speed;
                Rocking::Impact now{
                    .approach = speed, .approaching = energy, .left = share * energy, .small = true, .several = i % 3 != 0};
                rocks.follow(now);
                now.left = energy;
                elastic.follow(now);
                now.several = false;
                alone.follow(now);
            }
            QVERIFY(rocks.standsBelow() >= fastest && rocks.standsBelow() < 10 * fastest);
            QCOMPARE(alone.standsBelow(), 0.0);                             // one contact bounces on
            QCOMPARE(elastic.standsBelow(), 0.0);                           // and so does what loses nothing
            rocks.follow({.approach = 1, .small = false, .several = true}); // thrown up
            QCOMPARE(rocks.standsBelow(), 0.0);
        }
    }
};

QTEST_APPLESS_MAIN(TestRocking)
#include "test_rocking.moc"
