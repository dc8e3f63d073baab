// Positions that are off their constraint return to it at the rate alpha.
#include <QtTest>

#include <cmath>

#include "tests/run/RunFixture.h"

using namespace driftless;
using namespace driftless::test;

class TestStabilisedVelocity : public QObject {
    Q_OBJECT

private slots:
    void positionsReturnAtTheRateAlpha()
    {
        // 1 % too long at the start; g = x^2 + y^2 - 1 decays as exp(-2 t).
        run::StartSettings start;
        start.values = {{"bob.x", 0.0}, {"bob.y", -1.01}};
        start.allowInconsistent = true;
        const auto run = started("pendulum", start, settings("index-2-stabilised", "radau-iia-5", 0.01));
        const auto residual = [&] { return std::pow(valueOf(*run, "bob.x"), 2) + std::pow(valueOf(*run, "bob.y"), 2) - 1; };
        const double before = residual();
        QVERIFY(run->advanceTo(1));
        // The start's velocities are those of rest; 1e-6: ten thousand times the error of order five at h = 0.01.
        QVERIFY2(std::abs(residual() / before - std::exp(-2.0)) < 1e-6, QByteArray::number(residual() / before).constData());
    }
};

QTEST_APPLESS_MAIN(TestStabilisedVelocity)
#include "test_stabilised_velocity.moc"
