// States inside of long steps: how true they are, that they are no steps, and that nothing else notices them.
#include <QtTest>

#include <cmath>

#include "core/run/Recording.h"
#include "core/run/Run.h"
#include "core/run/RunRequest.h"

using namespace driftless;
using namespace driftless::run;

namespace {

std::unique_ptr<Run> started(const char* model, const char* form, const char* method, double setting)
{
    RunSettings settings;
    settings.formulation = form;
    settings.integrator = method;
    const bool adaptive = integrate::findIntegrator(method)->adaptive;
    settings.options.step = adaptive ? 0 : setting;
    settings.options.relativeTolerance = settings.options.absoluteTolerance = adaptive ? setting : 1e-6;
    auto made = Run::create(*openSystem(model), {}, settings);
    return std::move(*made);
}

/// Value of a column at t from a run with steps so short that a cubic is exact to round-off.
double exactly(const RecordingView& fine, int column, double t, bool velocity)
{
    std::vector<double> q(static_cast<std::size_t>(fine.n())), v(q), lambda(static_cast<std::size_t>(fine.m()));
    fine.stateAt(t, q.data(), v.data(), lambda.data());
    const auto place = static_cast<std::size_t>(velocity ? column - fine.n() : column);
    return velocity ? v[place] : q[place];
}

} // namespace

class TestBetween : public QObject {
    Q_OBJECT

private slots:
    void insideOfLongSteps_theMotionIsFollowed_data()
    {
        QTest::addColumn<QString>("form");
        QTest::addColumn<QString>("method");
        QTest::newRow("radau on its chart") << "state-space"
                                            << "radau";
        QTest::newRow("radau-13 on its chart") << "state-space"
                                               << "radau-13";
        QTest::newRow("radau, dummy derivatives") << "dummy-derivatives"
                                                  << "radau";
        QTest::newRow("bdf, dummy derivatives") << "dummy-derivatives"
                                                << "bdf";
        QTest::newRow("gauss, dummy derivatives") << "dummy-derivatives"
                                                  << "gauss-6"; // whose own polynomial knows no rates of dummies
        QTest::newRow("ida, index 2 stabilised") << "ggl"
                                                 << "ida";
    }
    void insideOfLongSteps_theMotionIsFollowed()
    {
        QFETCH(QString, form);
        QFETCH(QString, method);
        const bool adaptive = integrate::findIntegrator(method.toStdString())->adaptive;
        const auto run = started("pendulum", qPrintable(form), qPrintable(method), adaptive ? 1e-7 : 0.1);
        const auto fine = started("pendulum", "state-space", "dormand-prince", 1e-11);
        QVERIFY(run->advanceTo(4));
        while (fine->t() < 4)
            QVERIFY(fine->advanceTo(std::min(4.0, fine->t() + 0.01))); // a cubic over 0.01 s: 1e-10
        const RecordingView steps = run->recording(), between = steps.between(), truth = fine->recording();
        QVERIFY(!between.empty());
        QVERIFY(between.columnCount() < steps.columnCount());
        double worst = 0, chord = 0;
        for (std::uint64_t r = 0; r < between.rowCount(); ++r) {
            const double t = between.time(r);
            const auto before = steps.rowAt(t);
            QVERIFY(steps.time(before) < t && before + 1 < steps.rowCount()); // never on a step, never behind the last
            const double h = steps.time(before + 1) - steps.time(before), s = (t - steps.time(before)) / h;
            for (int c = 0; c < 2; ++c) {
                const double exact = exactly(truth, c, t, false);
                const double line = (1 - s) * steps.value(before, c) + s * steps.value(before + 1, c);
                // h^4/384 |x''''|, |x''''| of the pendulum with g = L = 1 at most 20; the method's own error on top
                QVERIFY2(
                    std::abs(between.value(r, c) - exact) < std::pow(h, 4) * 20 / 384 + 2e-5,
                    qPrintable(QStringLiteral("t = %1, h = %2: %3 for %4").arg(t).arg(h).arg(between.value(r, c)).arg(exact)));
                worst = std::max(worst, std::abs(between.value(r, c) - exact));
                chord = std::max(chord, std::abs(line - exact));
            }
        }
        QVERIFY2(chord > 10 * worst,
                 qPrintable(QStringLiteral("%1 %2").arg(chord).arg(worst))); // else it would not be worth it
        // The multiplier, where the method has it: between neighbouring values and near the motion's own, 3 y + const. for this
        // start.
        const int multiplier = steps.findColumn("rod.lambda");
        for (std::uint64_t r = 0; method == "radau" && form != "state-space" && r < between.rowCount(); ++r) {
            const double own = between.value(r, multiplier);
            const auto before = steps.rowAt(between.time(r));
            const double a = steps.value(before, multiplier), b = steps.value(before + 1, multiplier);
            QVERIFY(own > std::min(a, b) - 0.3
                    && own < std::max(a, b) + 0.3); // lambda'' h^2/8 with h below one and lambda'' below two
        }
    }

    void whatIsNoStep_countsNowhere()
    {
        const auto run = started("pendulum", "dummy-derivatives", "radau", 1e-6),
                   again = started("pendulum", "dummy-derivatives", "radau", 1e-6);
        QVERIFY(run->advanceTo(10));
        QVERIFY(again->advanceTo(10));
        const RecordingView view = run->recording();
        QCOMPARE(view.rowCount(), run->acceptedSteps() + 1);
        QCOMPARE(view.stepCount(), run->acceptedSteps() + 1);
        double largest = 0;
        for (std::uint64_t r = 0; r < view.rowCount(); ++r)
            largest = std::max(largest, view.value(r, view.metrics()));
        QCOMPARE(run->status().maxResidual.position, largest);
        QVERIFY(view.between().rowCount() > view.rowCount());
        QVERIFY(view.between().rowCount() <= 15 * view.rowCount());
        // Bit for bit the same again.
        const RecordingView other = again->recording().between(), between = view.between();
        QCOMPARE(other.rowCount(), between.rowCount());
        for (std::uint64_t r = 0; r < between.rowCount(); ++r)
            for (int c = 0; c < between.columnCount(); ++c) {
                const double a = between.value(r, c), b = other.value(r, c);
                QVERIFY(a == b || (std::isnan(a) && std::isnan(b)));
            }
        // A branch takes those behind it along.
        QVERIFY(run->apply(10, Branch{5.0}).ok());
        QVERIFY(run->recording().between().lastTime() <= 5);
        QVERIFY(run->apply(5, Reset{}).ok());
        QVERIFY(run->recording().between().empty());
    }

    void shortSteps_leaveNone()
    {
        const auto run = started("pendulum", "index-1", "rk4", 0.005);
        QVERIFY(run->advanceTo(5));
        // None after the start, where the first step has none to be compared with and velocities are small against what they
        // become.
        QVERIFY(run->recording().between().lastTime() < 1);
        QVERIFY2(run->recording().between().rowCount() < 100,
                 qPrintable(QString::number(run->recording().between().rowCount()))); // of 1000 steps
    }

    void equations_followTheirMethod()
    {
        const auto run = started("pendulum-equations", "dummy-derivatives", "radau", 1e-6);
        QVERIFY(run->advanceTo(5));
        const RecordingView steps = run->recording(), between = steps.between();
        QVERIFY(!between.empty());
        const auto fine = started("pendulum-equations", "dummy-derivatives", "radau", 1e-11);
        while (fine->t() < 5)
            QVERIFY(fine->advanceTo(std::min(5.0, fine->t() + 0.01)));
        const RecordingView truth = fine->recording();
        double worst = 0, chord = 0;
        for (std::uint64_t r = 0; r < between.rowCount(); ++r) {
            const double t = between.time(r);
            const auto before = steps.rowAt(t), there = truth.rowAt(t);
            const double s = (t - steps.time(before)) / (steps.time(before + 1) - steps.time(before));
            const double u = (t - truth.time(there)) / (truth.time(there + 1) - truth.time(there));
            for (int c = 0; c < 2; ++c) {
                const double exact = (1 - u) * truth.value(there, c) + u * truth.value(there + 1, c); // to 1e-5: 0.01^2/8
                worst = std::max(worst, std::abs(between.value(r, c) - exact));
                chord = std::max(chord, std::abs((1 - s) * steps.value(before, c) + s * steps.value(before + 1, c) - exact));
            }
        }
        QVERIFY2(chord > 10 * worst, qPrintable(QStringLiteral("%1 %2").arg(chord).arg(worst)));
    }

    void theBudgetHolds()
    {
        constexpr std::uint64_t kBudget = 4u << 20;
        std::vector<Column> columns(40, Column{"c", "", ColumnKind::Other});
        Recording recording(4, 0, columns, kBudget);
        std::vector<double> row(columns.size()), inner(8);
        for (int i = 0; i < 100'000; ++i) {
            for (int k = 1; k < 4; ++k)
                recording.appendBetween(i + 0.25 * k - 1, inner);
            recording.append(i, row);
        }
        const RecordingView view = recording.view();
        QCOMPARE(view.stepCount(), std::uint64_t(100'000));
        // Nine columns with time, and a pyramid of a thirty-second part; an open chunk comes on top.
        QVERIFY(view.between().rowCount() * 9 * sizeof(double) < kBudget / 8 + 4096 * 9 * sizeof(double) * 2);
        QVERIFY(view.between().rowCount() > 1000);
        QVERIFY(view.rowCount() * 41 * sizeof(double) < kBudget + 4096 * 41 * sizeof(double));
    }
};

QTEST_MAIN(TestBetween)
#include "test_between.moc"
