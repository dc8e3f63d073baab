// Work against precision of the pendulum: the reference against elliptic functions, slopes against orders, failures,
// cancelling.
#include <QtTest>

#include <chrono>
#include <cmath>
#include <condition_variable>
#include <map>

#include "core/run/RunRequest.h"
#include "core/study/WorkPrecision.h"

using namespace driftless;
using namespace driftless::study;

namespace {

std::shared_ptr<const model::CompiledSystem> compiled(const char* name) { return *run::openSystem(name); }

run::RunSettings method(const char* form, const char* integrator)
{
    run::RunSettings settings;
    settings.formulation = form;
    settings.integrator = integrator;
    return settings;
}

struct Collected {
    std::optional<Result<ReferenceSolution>> reference;
    std::vector<WorkPrecisionPoint> points;

    WorkPrecisionSink sink()
    {
        return {[this](const Result<ReferenceSolution>& r) { reference = r; },
                [this](const WorkPrecisionPoint& p) { points.push_back(p); }};
    }
    std::vector<WorkPrecisionPoint> of(std::size_t which) const
    {
        std::vector<WorkPrecisionPoint> out;
        for (const auto& p : points)
            if (p.method == which)
                out.push_back(p);
        return out;
    }
};

double position(const WorkPrecisionPoint& p) { return p.error[static_cast<std::size_t>(ErrorGroup::Positions)]; }

} // namespace

class TestWorkPrecision : public QObject {
    Q_OBJECT

private slots:
    void theReferenceOfThePendulum_isItsChartsSolution()
    {
        WorkPrecisionRequest request;
        request.system = compiled("pendulum");
        request.span = 10;
        Collected found;
        StopSign stop;
        workPrecision(request, stop, found.sink());
        QVERIFY(found.reference && found.reference->ok());
        const ReferenceSolution& r = found.reference->value();
        QCOMPARE(r.settings.formulation, std::string("state-space"));
        // Elliptic functions at t = 10 for the model's own start, to twenty digits (as the benchmarks' race).
        const double exact[] = {-4.8363010530359630827236004e-01, -8.7527248399800181654806673e-01};
        for (std::size_t i = 0; i < 2; ++i)
            QVERIFY2(std::abs(r.values[i] - exact[i]) < 20 * kReferenceTolerance * 10,
                     qPrintable(QString::number(r.values[i] - exact[i]))); // tolerance a unit step, over 10 s
        QVERIFY(r.uncertainty[0] > 0 && r.uncertainty[0] < 1e-9);
        QVERIFY(found.points.empty());
    }

    void errorsFallWithTheOrder_andWorkGrows()
    {
        WorkPrecisionRequest request;
        request.system = compiled("pendulum");
        request.span = 4;
        request.methods = {method("state-space", "rk4"), method("index-1", "dormand-prince"),
                           method("dummy-derivatives", "radau")};
        Collected found;
        StopSign stop;
        workPrecision(request, stop, found.sink());
        const auto rk4 = found.of(0);
        QVERIFY(rk4.size() > 6);
        int slopes = 0;
        for (std::size_t i = 3; i < rk4.size(); ++i)
            if (position(rk4[i]) > 1e-10) { // above round-off
                const double order = std::log2(position(rk4[i - 1]) / position(rk4[i]));
                QVERIFY2(std::abs(order - 4) < 0.4, qPrintable(QString::number(order))); // the next power of h at h = 1/16
                ++slopes;
            }
        QVERIFY(slopes >= 2);
        QCOMPARE(rk4[1].work.steps, std::uint64_t(2 * kFewestSteps));
        for (const std::size_t which : {1, 2}) {
            const auto curve = found.of(which);
            QCOMPARE(curve.size(), std::size_t(9)); // 1e-2 to 1e-10
            QVERIFY(position(curve.back()) < 1e-4 * position(curve.front()));
            QVERIFY(curve.back().amount(WorkMeasure::Steps) > curve.front().amount(WorkMeasure::Steps));
            QVERIFY(curve.back().amount(WorkMeasure::Residuals) > curve.front().amount(WorkMeasure::Residuals));
            QVERIFY(!std::isnan(curve.back().error[static_cast<std::size_t>(ErrorGroup::Others)]));
        }
        // All curves begin with the loosest before one goes on.
        QCOMPARE(found.points[0].method + found.points[1].method + found.points[2].method, std::size_t(3));

        // With the reference in hand the same points come again, bit for bit.
        request.known = found.reference->value();
        request.methods = {request.methods[2]};
        Collected again;
        workPrecision(request, stop, again.sink());
        const auto before = found.of(2);
        QCOMPARE(again.points.size(), before.size());
        for (std::size_t i = 0; i < before.size(); ++i) {
            QCOMPARE(again.points[i].error[0], before[i].error[0]);
            QCOMPARE(again.points[i].work.residualEvaluations, before[i].work.residualEvaluations);
        }
    }

    void whatCannotBeRun_saysWhy()
    {
        WorkPrecisionRequest request;
        request.system = compiled("pendulum");
        request.span = 1;
        request.methods = {method("index-3", "rk4"), method("state-space", "euler"), method("no-such-form", "ida")};
        request.secondsPerPoint = 0.02;
        Collected found;
        StopSign stop;
        workPrecision(request, stop, found.sink());
        for (const std::size_t refused : {0, 2}) {
            const auto points = found.of(refused);
            QCOMPARE(points.size(), std::size_t(1));
            QVERIFY(points[0].refused());
            QVERIFY(std::isnan(position(points[0])));
        }
        QVERIFY(found.of(0)[0].failure->text().find("explicit") != std::string::npos);
        QVERIFY(found.of(1).size() > 2); // and ends in time, however small the steps would become
        QVERIFY(found.of(1).size() < std::size_t(kMostHalvings));
    }

    void equationsHaveNoForms_andAreMeasuredAllTheSame()
    {
        WorkPrecisionRequest request;
        request.system = compiled("robertson");
        request.span = 1;
        request.methods = {method("dummy-derivatives", "bdf")};
        request.methods[0].options.absoluteTolerance = 1e-4 * request.methods[0].options.relativeTolerance;
        Collected found;
        StopSign stop;
        workPrecision(request, stop, found.sink());
        QVERIFY2(found.reference->ok(),
                 qPrintable(QString::fromStdString(found.reference->ok() ? "" : found.reference->error().text())));
        QCOMPARE(found.points.size(), std::size_t(9));
        QVERIFY(position(found.points.back()) < 1e-6);
        QCOMPARE(found.points[3].settings.options.absoluteTolerance / found.points[3].settings.options.relativeTolerance, 1e-4);
    }

    void aRaisedSign_endsItWithinAStep()
    {
        std::mutex mutex;
        std::condition_variable wake;
        int points = 0, after = 0;
        bool cancelled = false, done = false;
        WorkPrecisionRequest request;
        request.system = compiled("double-pendulum");
        request.span = 200;
        request.references = {method("index-1", "rk4")};
        request.references[0].options.step = 0.01;
        request.methods = {method("index-1", "rk4"), method("ggl", "radau")};
        request.secondsPerPoint = 100;
        auto worker = std::make_unique<WorkPrecisionWorker>(request,
                                                            WorkPrecisionSink{[](const auto&) {},
                                                                              [&](const WorkPrecisionPoint&) {
                                                                                  const std::lock_guard lock(mutex);
                                                                                  ++points;
                                                                                  after += cancelled;
                                                                                  wake.notify_all();
                                                                              }},
                                                            [&] { done = true; });
        {
            std::unique_lock lock(mutex);
            QVERIFY(wake.wait_for(lock, std::chrono::seconds(60), [&] { return points >= 2; }));
        }
        QTest::qWait(20); // well inside of the next point
        const auto from = std::chrono::steady_clock::now();
        {
            const std::lock_guard lock(mutex);
            cancelled = true;
        }
        worker->cancel();
        worker.reset();
        const double waited = std::chrono::duration<double>(std::chrono::steady_clock::now() - from).count();
        QVERIFY2(waited < 0.5, qPrintable(QString::number(waited))); // a step takes microseconds; the machine may be busy
        QVERIFY(after <= 1);
        QVERIFY(!done);
    }
};

QTEST_MAIN(TestWorkPrecision)
#include "test_work_precision.moc"
