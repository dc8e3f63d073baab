// Steps that a stop makes short: the method's past has to follow them, or its order is lost.
#include <QtTest>

#include <cmath>

#include "tests/run/RunFixture.h"

using namespace driftless;
using namespace driftless::run;

namespace {

constexpr double kEnd = 0.88, kPart = 0.1; // each step is followed by one of a tenth of it

/// The error of the bob's place and of the rod's force at the end, with a step and then a tenth of it, again and again.
struct Errors {
    double place, force;
};

Errors errorsAt(const std::string& method, double step, const Run& reference)
{
    auto run = started("pendulum", largeSwing(), settings("index-3", method, step));
    const int pairs = static_cast<int>(std::lround(kEnd / (step * (1 + kPart))));
    for (int i = 1; i <= pairs; ++i)
        if (!run->advanceTo(i < pairs ? i * step * (1 + kPart) : kEnd))
            return {std::nan(""), std::nan("")};
    const auto off = [&](const char* name) { return valueOf(*run, name) - valueOf(reference, name); };
    return {std::hypot(off("bob.x"), off("bob.y")), std::abs(off("rod.lambda"))};
}

} // namespace

class TestShortSteps : public QObject {
    Q_OBJECT

private slots:
    void generalizedAlpha_keepsItsOrderInPlacesAndForces()
    {
        auto reference = started("pendulum", largeSwing(), settings("index-1", "dop853", 0.01, 1e-12));
        QVERIFY(reference->advanceTo(kEnd));
        const Errors coarse = errorsAt("generalized-alpha", 0.02, *reference),
                     fine = errorsAt("generalized-alpha", 0.01, *reference);
        const auto told = QStringLiteral("places %1 and %2, forces %3 and %4")
                              .arg(coarse.place)
                              .arg(fine.place)
                              .arg(coarse.force)
                              .arg(fine.force);
        // Order two is a factor of four, order one of two.
        QVERIFY2(coarse.place / fine.place > 3, qPrintable(told));
        QVERIFY2(coarse.force / fine.force > 3, qPrintable(told));
        qInfo("%s", qPrintable(told));
    }
};

QTEST_GUILESS_MAIN(TestShortSteps)
#include "test_short_steps.moc"
