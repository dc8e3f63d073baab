// A step of a run allocates nothing: integration, metrics, selections and recording. Among the reference problems because these run without
// sanitizers, which own the allocator.
#include <QtTest>

#include <cmath>

#include "tests/run/RunFixture.h"
#include "tests/support/CountAllocations.h"

using namespace driftless;
using namespace driftless::run;
using namespace driftless::test;

namespace {

constexpr std::uint64_t kChunk = 4096; // rows
/// Where kappa has peaked, the rank is looked at closely (docs/monitors.md), which allocates: once or twice a swing, of which the long steps
/// of order 13 take some twenty. What allocates as a rule does so in every one of the 400.
constexpr int kMostLooks = 100;

/// Chunks that are full and chunks that are begun, of the steps and of what lies between them: long steps add some rows at once.
std::uint64_t fullAndBegun(const Run& run)
{
    std::uint64_t count = 0;
    for (const std::uint64_t rows : {run.recording().rowCount(), run.recording().between().rowCount()})
        count += rows / kChunk + (rows + kChunk - 1) / kChunk;
    return count;
}

} // namespace

class TestAllocations : public QObject {
    Q_OBJECT

private slots:
    void stepsOfOurOwnMethods_data()
    {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("form");
        QTest::addColumn<QString>("method");
        for (const char* model : {"pendulum", "double-pendulum"})
            for (const char* form : {"state-space", "index-1", "baumgarte", "projection", "ggl", "index-2", "index-3", "dummy-derivatives"})
                for (const char* method : {"rk4", "dormand-prince", "radau-iia-5", "implicit-trapezoidal", "bdf3", "radau", "radau-9", "radau-13"})
                    QTest::addRow("%s %s %s", model, form, method) << model << form << method;
    }
    void stepsOfOurOwnMethods()
    {
        QFETCH(QString, model);
        QFETCH(QString, form);
        QFETCH(QString, method);
        if (!countsAllocations())
            QSKIP("the sanitizer owns the allocator");
        for (const Rows rows : {Rows::EveryStep, Rows::AsCurvesNeed}) {
            RunSettings s = settings(form.toStdString(), method.toStdString(), 0.01, 1e-6);
            s.rows = rows;
            auto made = Run::create(compiled(model.toStdString()), {}, s);
            if (!made)
                QSKIP("refused");
            Run& r = **made;
            QVERIFY(r.advanceBeyond(0.2));
            int looks = 0;
            for (int k = 0; k < 400; ++k) {
                const auto chunks = fullAndBegun(r);
                const auto pivots = r.status().pivots;
                const long before = allocationCount();
                const bool went = r.step(INFINITY);
                const long counted = allocationCount() - before;
                QVERIFY(went);
                // A pivot is an event with a text, and a full chunk is followed by a new one.
                if (r.status().pivots == pivots && fullAndBegun(r) == chunks)
                    looks += counted != 0;
            }
            QVERIFY2(looks <= kMostLooks, qPrintable(QStringLiteral("%1 of 400 steps").arg(looks)));
        }
    }
};

QTEST_GUILESS_MAIN(TestAllocations)
#include "test_allocations.moc"
