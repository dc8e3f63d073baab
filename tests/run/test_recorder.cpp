// The recorder alone, fed with motions whose curves are known: which states it keeps inside of steps, and which steps it passes
// over.
#include <QtTest>

#include <cmath>
#include <limits>

#include "core/run/Recorder.h"
#include "tests/run/RunFixture.h"

using namespace driftless;
using namespace driftless::run;

namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

/// The multiplier is 7 t.
struct Linear final : DenseValues {
    bool holds = true;
    bool known() const override { return holds; }
    bool at(double t, double* lambda) override
    {
        lambda[0] = 7 * t;
        return true;
    }
};

/// The pendulum (x, y, one multiplier) on a curve that no pendulum takes: x = a t^3 + t, y = 1.
struct Bench {
    std::shared_ptr<const model::CompiledSystem> system = test::compiled("pendulum");
    model::SystemEvaluator evaluator{system};
    Recorder recorder{system, evaluator, Recording::kDefaultBudgetBytes};
    Linear values;
    model::ModelState before, now;
    double a = 0;

    Bench()
    {
        before.resize(system->n(), system->w());
        now = before;
        place(now, 0);
        recorder.append(now, {});
    }
    void place(model::ModelState& s, double t) const
    {
        s.t = t;
        s.q = {a * t * t * t + t, 1};
        s.v = {3 * a * t * t + 1, 0};
        s.a = {6 * a * t, 0};
        s.lambda = {7 * t};
    }
    Interval to(double t, int steps = 1)
    {
        place(now, t);
        return {.before = before,
                .now = now,
                .steps = steps,
                .step = (t - before.t) / steps,
                .order = 2,
                .everyStep = false,
                .values = &values};
    }
    /// A row at t; returns how many states were recorded before it, inside of the step.
    std::uint64_t row(double t)
    {
        place(before, before.t);
        const std::uint64_t had = recorder.view().between().rowCount();
        recorder.appendBetween(to(t));
        recorder.append(now, {});
        before = now;
        return recorder.view().between().rowCount() - had;
    }
};

} // namespace

class TestRecorder : public QObject {
    Q_OBJECT

private slots:
    void firstStep_isDrawnWithSevenStates_aStraightOneBehindItWithNone()
    {
        Bench bench;
        QCOMPARE(bench.row(0.1), std::uint64_t{7});
        QCOMPARE(bench.row(0.2), std::uint64_t{0});
        bench.recorder.forgetSlopes();
        QCOMPARE(bench.row(0.3), std::uint64_t{7});
        QCOMPARE(bench.recorder.view().rowCount(), std::uint64_t{4}); // states inside of steps are no rows
    }

    void bentStep_isParted_untilItsChordsAreLikeTheCurve()
    {
        Bench bench;
        bench.row(1);
        // From t = 1 to 2 the velocity goes from 1.03 to 1.12 after a step in which it did not change: with equal steps its
        // chord is |0.09 - 0| / 8 from the curve, of a height of 1.12. Eleven parts bring that below a ten-thousandth, ten do
        // not; the position needs fewer.
        bench.a = 0.01;
        const double share = 0.09 / 8 / 1.12;
        QVERIFY(share / (11 * 11) < 1e-4 && share / (10 * 10) > 1e-4);
        QCOMPARE(bench.row(2), std::uint64_t{10});
    }

    void cubicMotion_isRecordedExactlyBetween_withTheMethodsMultipliers()
    {
        Bench bench;
        bench.a = 1;
        QCOMPARE(bench.row(1), std::uint64_t{7});
        const RecordingView between = bench.recorder.view().between();
        for (std::uint64_t k = 0; k < between.rowCount(); ++k) {
            const double t = between.time(k);
            QVERIFY(std::abs(between.value(k, 0) - (t * t * t + t)) <= 16 * kEpsilon); // four products of numbers below 2
            QVERIFY(std::abs(between.value(k, 4) - 7 * t) <= 8 * kEpsilon);
        }
    }

    void multipliersThatTheMethodDoesNotHold_areNotKnown()
    {
        Bench bench;
        bench.values.holds = false;
        bench.row(1);
        const RecordingView between = bench.recorder.view().between();
        QCOMPARE(between.rowCount(), std::uint64_t{7});
        QVERIFY(std::isnan(between.value(3, 4)));
        QVERIFY(std::isfinite(between.value(3, 0)));
    }

    void straightStep_isPassedOver_aBentOneIsNot()
    {
        Bench bench;
        bench.row(0.1);
        QVERIFY(bench.recorder.passesOver(bench.to(0.2), true, false));
        bench.a = 10; // x(0.2) = 0.28 in place of 0.2
        QVERIFY(!bench.recorder.passesOver(bench.to(0.2), true, false));
    }

    void stepOfAnotherLengthOrOrder_isNotPassedOver()
    {
        Bench bench;
        bench.row(0.1);
        Interval longer = bench.to(0.2);
        longer.step = 0.126; // more than a quarter longer than that of the last row
        QVERIFY(!bench.recorder.passesOver(longer, true, false));
        Interval shorter = bench.to(0.2);
        shorter.step = 0.079;
        QVERIFY(!bench.recorder.passesOver(shorter, true, false));
        Interval other = bench.to(0.2);
        other.order = 3;
        QVERIFY(!bench.recorder.passesOver(other, true, false));
        Interval asked = bench.to(0.2);
        asked.everyStep = true;
        QVERIFY(!bench.recorder.passesOver(asked, true, false));
    }

    void passingOver_endsAfterFifteenSteps_orThreeWhereWorkIsIntegrated()
    {
        Bench bench;
        bench.row(0.1);
        const auto passes = [&](int steps, bool conservative) {
            return bench.recorder.passesOver(bench.to(0.1 + 0.1 * steps, steps), conservative, false);
        };
        QVERIFY(passes(15, true));
        QVERIFY(!passes(16, true));
        QVERIFY(passes(3, false));
        QVERIFY(!passes(4, false));
    }
};

QTEST_GUILESS_MAIN(TestRecorder)
#include "test_recorder.moc"
