// A step of a run allocates nothing: integration, metrics, selections and recording. Among the reference problems because these
// run without sanitizers, which own the allocator.
#include <QtTest>

#include <cmath>

#include "core/formulation/Formulation.h"
#include "tests/run/RunFixture.h"
#include "tests/support/CountAllocations.h"

using namespace driftless;
using namespace driftless::run;
using namespace driftless::test;

namespace {

constexpr std::uint64_t kChunk = 4096; // rows
constexpr double kWarmUp = 0.2;        // [s] in which workspaces are sized
constexpr int kSteps = 400;

/// Chunks that are full and chunks that are begun, of the steps and of what lies between them: long steps add some rows at
/// once.
std::uint64_t fullAndBegun(const Run& run)
{
    std::uint64_t count = 0;
    for (const std::uint64_t rows : {run.recording().rowCount(), run.recording().between().rowCount()})
        count += rows / kChunk + (rows + kChunk - 1) / kChunk;
    return count;
}

/// Of so many steps those that allocate, without those that write an event, which is a text, or begin a chunk.
int stepsThatAllocate(Run& run, int steps)
{
    int found = 0;
    for (int k = 0; k < steps; ++k) {
        const auto chunks = fullAndBegun(run);
        const auto events = run.events().size();
        const long before = allocationCount();
        const bool went = run.step(INFINITY);
        const long counted = allocationCount() - before;
        if (!went)
            qFatal("%s", run.status().diagnostic->text().c_str());
        found += counted != 0 && run.events().size() == events && fullAndBegun(run) == chunks;
    }
    return found;
}

} // namespace

class TestAllocations : public QObject {
    Q_OBJECT

    static void addColumns()
    {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("form");
        QTest::addColumn<QString>("method");
    }
    static void addRows(const std::vector<std::string>& models, const std::vector<std::string>& forms,
                        const std::vector<std::string>& methods)
    {
        for (const std::string& model : models)
            for (const std::string& form : forms)
                for (const std::string& method : methods)
                    QTest::addRow("%s %s %s", model.c_str(), form.c_str(), method.c_str())
                        << QString::fromStdString(model) << QString::fromStdString(form) << QString::fromStdString(method);
    }
    /// Both ways of recording. False where the run is refused or stops at once.
    static bool wasWatched(const QString& model, const QString& form, const QString& method, double step)
    {
        for (const Rows rows : {Rows::EveryStep, Rows::AsCurvesNeed}) {
            RunSettings s = settings(form.toStdString(), method.toStdString(), step, 1e-6);
            s.rows = rows;
            auto made = Run::create(compiled(model.toStdString()), {}, s);
            if (!made)
                return false;
            Run& r = **made;
            if (!r.advanceBeyond(kWarmUp)) {
                if (!form.startsWith("odae-ssf") && form != "extended-3.16") // which stop at rest, where (3.24) has no rank
                    QTest::qFail("the run ends early", __FILE__, __LINE__);
                return false;
            }
            if (const int found = stepsThatAllocate(r, kSteps))
                QTest::qFail(qPrintable(QStringLiteral("%1 of %2 steps").arg(found).arg(kSteps)), __FILE__, __LINE__);
        }
        return true;
    }

    int ran_ = 0; ///< of everyFormulation

private slots:
    void initTestCase()
    {
        if (!countsAllocations())
            QSKIP("the sanitizer owns the allocator");
    }

    void stepsOfOurOwnMethods_data()
    {
        addColumns();
        addRows({"pendulum", "double-pendulum"},
                {"state-space", "index-1", "baumgarte", "projection", "ggl", "index-2", "index-3", "dummy-derivatives"},
                {"rk4", "dormand-prince", "dop853", "odex", "adams", "radau-iia-5", "implicit-trapezoidal", "bdf3", "radau",
                 "radau-9", "radau-13"});
    }
    void stepsOfOurOwnMethods()
    {
        QFETCH(QString, model);
        QFETCH(QString, form);
        QFETCH(QString, method);
        if (!wasWatched(model, form, method, 0.01))
            QSKIP("refused"); // an explicit method on a form of higher index
    }

    /// A closed loop of eight rows, whose selections are followed and whose rank is looked at where kappa has a peak. The
    /// stages of its implicit one-step methods are too many unknowns for dense matrices, and KLU allocates when it chooses
    /// other pivots: there two rows have to do.
    void everyFormulation_data()
    {
        std::vector<std::string> forms;
        for (const auto& form : formulation::formulations())
            forms.push_back(form->info().id);
        addColumns();
        addRows({"slider-crank"}, forms, {"rk4", "bdf3"});
        addRows({"double-pendulum"}, forms, {"radau-iia-5"});
    }
    void everyFormulation()
    {
        QFETCH(QString, model);
        QFETCH(QString, form);
        QFETCH(QString, method);
        if (!wasWatched(model, form, method, 5e-3))
            QSKIP("refused"); // explicit methods on forms of higher index, multistep methods where every step is projected
        ++ran_;
    }
    /// What eliminates large systems by their structure (core/solve/ConstraintSchur.h, SaddleElimination.h).
    void stepsOfLongChains_data()
    {
        addColumns();
        addRows({"pendulum-chain"}, {"index-1"}, {"rk4"});
        addRows({"pendulum-chain"}, {"index-3"}, {"shake", "rattle", "generalized-alpha"});
    }
    void stepsOfLongChains()
    {
        QFETCH(QString, form);
        QFETCH(QString, method);
        const auto longer = model::withStructure(*model::openModel("pendulum-chain"), {{"N", 40}});
        QVERIFY(longer);
        const auto system = model::CompiledSystem::compile(*longer);
        RunSettings s = settings(form.toStdString(), method.toStdString(), 1e-3);
        s.rows = Rows::EveryStep;
        auto made = Run::create(*system, {}, s);
        QVERIFY(made && (*made)->advanceBeyond(kWarmUp));
        // Selections are judged every 32nd row, by a sparse elimination that allocates.
        const int found = stepsThatAllocate(**made, kSteps);
        QVERIFY2(found <= kSteps / 16, qPrintable(QString::number(found)));
    }
    void cleanupTestCase()
    {
        QVERIFY2(ran_ == 0 || ran_ >= 30, qPrintable(QString::number(ran_)));
    } // none: one row was asked for
};

QTEST_GUILESS_MAIN(TestAllocations)
#include "test_allocations.moc"
