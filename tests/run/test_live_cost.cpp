// What a change of a running run may cost: a formulation is rewritten once, other numbers build nothing, and what is shown is
// computed for nobody. And a run that took other numbers goes on as one that was built with them, bit for bit.
#include <QtTest>

#include <bit>

#include "core/base/Counters.h"
#include "core/formulation/Formulation.h"
#include "core/run/Laboratory.h"
#include "tests/run/RunFixture.h"

using namespace driftless;
using namespace driftless::test;

namespace {

/// What was done since it was made.
struct Cost {
    std::uint64_t rewrites = counters().rewrites, tapes = counters().tapes, instances = counters().instances,
                  integrators = counters().integrators, evaluators = counters().evaluators;

    QString since() const
    {
        return QString("rewrites %1, tapes %2, instances %3, integrators %4, evaluators %5")
            .arg(counters().rewrites - rewrites)
            .arg(counters().tapes - tapes)
            .arg(counters().instances - instances)
            .arg(counters().integrators - integrators)
            .arg(counters().evaluators - evaluators);
    }
};

const QString kNothing = "rewrites 0, tapes 0, instances 0, integrators 0, evaluators 0";

struct Case {
    std::string model, formulation, integrator;
    std::vector<run::CommandPayload> commands;
    double stretch = 0.03; ///< [s] from one command to the next
};

run::SetOptions options(double tolerance, double step)
{
    run::SetOptions out;
    out.options.relativeTolerance = out.options.absoluteTolerance = tolerance;
    out.options.step = step;
    return out;
}

run::SetPivot pinned(std::vector<std::string> dummies) { return {{.automatic = false, .dummies = std::move(dummies)}}; }

std::vector<Case> cases()
{
    return {
        {"pendulum",
         "dummy-derivatives",
         "ida",
         {run::SetParameter{"L", 1.1}, options(1e-7, 0.01), pinned({"bob.y"}), run::SetPivot{}, run::SetState{{{"bob.x", 0.7}}},
          run::Reset{}, run::SetStart{.values = {{"phi", 0.4}}}}},
        {"pendulum", "baumgarte", "rk4", {run::SetGain{"omega", 7}, run::SetParameter{"g", 3}, options(1e-7, 0.02)}},
        {"pendulum", "projection", "dormand-prince", {run::SetGain{"threshold", 1e-9}, run::SetParameter{"L", 0.8}}},
        {"pendulum", "tangent-plane", "radau-iia-5", {run::SetParameter{"L", 1.2}, options(1e-7, 0.02)}},
        {"pendulum", "index-3", "rattle", {run::SetParameter{"L", 0.9}, options(1e-7, 0.02)}},
        {"pendulum", "strangeness-free", "bdf", {run::SetParameter{"L", 0.9}, options(1e-6, 0)}},
        {"slider-crank", "ggl", "bdf2", {options(1e-7, 0.002)}},
        {"andrews", "dummy-derivatives", "radau", {options(1e-7, 0)}, 0.001},
    };
}

run::RunSettings settingsOf(const Case& c) { return settings(c.formulation, c.integrator, 0.01, 1e-8); }

std::vector<double> recorded(const run::Run& run)
{
    const run::RecordingView view = run.recording();
    std::vector<double> out;
    for (std::uint64_t r = 0; r < view.rowCount(); ++r) {
        out.push_back(view.time(r));
        for (int c = 0; c < view.columnCount(); ++c)
            out.push_back(view.value(r, c));
    }
    return out;
}

/// The same numbers; not a number is one, too.
bool sameBits(const std::vector<double>& a, const std::vector<double>& b)
{
    return std::ranges::equal(
        a, b, {}, [](double x) { return std::bit_cast<std::uint64_t>(x); },
        [](double x) { return std::bit_cast<std::uint64_t>(x); });
}

} // namespace

class TestLiveCost : public QObject {
    Q_OBJECT
private slots:
    void formulation_isRewrittenOnce()
    {
        auto run = started("pendulum", smallSwing(), settings("dummy-derivatives", "radau-iia-5", 0.01));
        QVERIFY(run->advanceTo(0.5));
        const Cost cost;
        QVERIFY(run->apply(0.5, run::SetFormulation{"ggl"}));
        QCOMPARE(counters().rewrites - cost.rewrites, 1u);
        QCOMPARE(counters().instances - cost.instances, 1u);
        QCOMPARE(counters().integrators - cost.integrators, 1u);
    }

    void formulationInTheLaboratory_isRewrittenOnceForEachRun()
    {
        run::Laboratory laboratory(compiled("pendulum"), smallSwing(), 1);
        std::vector<run::RunId> ids;
        for (int k = 0; k < 2; ++k)
            ids.push_back(*laboratory.addRun(settings("dummy-derivatives", "radau-iia-5", 0.01)));
        laboratory.waitUntil(0.2);
        const Cost cost;
        QVERIFY(laboratory.command(ids, run::SetFormulation{"index-1"}));
        QCOMPARE(counters().rewrites - cost.rewrites, 2u);
        QCOMPARE(counters().integrators - cost.integrators, 2u);
    }

    void integrator_isMadeOnceAndNothingRewritten()
    {
        auto run = started("pendulum", smallSwing(), settings("ggl", "radau-iia-5", 0.01));
        QVERIFY(run->advanceTo(0.5));
        const Cost cost;
        QVERIFY(run->apply(0.5, run::SetIntegrator{"ida"}));
        QCOMPARE(counters().rewrites - cost.rewrites, 0u);
        QCOMPARE(counters().tapes - cost.tapes, 0u);
        QCOMPARE(counters().integrators - cost.integrators, 1u);
    }

    void numbers_buildNothing_data()
    {
        QTest::addColumn<int>("index");
        const auto all = cases();
        for (std::size_t k = 0; k < all.size(); ++k)
            QTest::addRow("%s %s %s", all[k].model.c_str(), all[k].formulation.c_str(), all[k].integrator.c_str())
                << static_cast<int>(k);
    }
    void numbers_buildNothing()
    {
        QFETCH(int, index);
        const Case c = cases()[static_cast<std::size_t>(index)];
        auto run = started(c.model, {}, settingsOf(c));
        run->advanceTo(c.stretch);
        for (const run::CommandPayload& command : c.commands) {
            const Cost cost;
            const auto applied = run->apply(run->reached(), command);
            QVERIFY2(applied, applied ? "" : applied.error().text().c_str());
            QCOMPARE(cost.since(), kNothing);
            run->advanceTo(run->reached() + c.stretch);
        }
    }

    /// Of more constraints than exchanges are tried for, a slider's samples leave the dummies alone while these are good;
    /// another length of all links, along the line that they hang in, leaves G as it was.
    void largeSelection_staysWhileItIsGood()
    {
        const auto chain = model::withStructure(*model::openModel("pendulum-chain"), {{"N", 40}});
        QVERIFY(chain);
        const auto system = model::CompiledSystem::compile(*chain);
        QVERIFY(system);
        auto made = run::Run::create(*system, {}, settings("dummy-derivatives", "radau-iia-5", 0.002));
        QVERIFY(made);
        run::Run& run = **made;
        QVERIFY(run.advanceTo(0.01));
        const auto before = run.status().dummies;
        QCOMPARE(before.size(), std::size_t(40));
        for (int k = 1; k <= 5; ++k) {
            const Cost cost;
            const double length = 1 + 0.01 * k;
            const auto applied = run.apply(run.reached(), run::SetParameter{"L", length});
            QVERIFY2(applied, applied ? "" : applied.error().text().c_str());
            QCOMPARE(cost.since(), kNothing);
            QCOMPARE(run.status().dummies, before);
            QVERIFY(std::abs(std::hypot(valueOf(run, "bob1.x"), valueOf(run, "bob1.y")) - length)
                    <= 1e-9); // [m] projection's tolerance
        }
    }
    /// The chain that hangs straight down by another state is another matter: what was good no longer is, and is chosen anew.
    void largeSelection_isChosenAnewWhereItIsBad()
    {
        const auto chain = model::withStructure(*model::openModel("pendulum-chain"), {{"N", 40}});
        const auto system = model::CompiledSystem::compile(*chain);
        auto made = run::Run::create(*system, {}, settings("dummy-derivatives", "radau-iia-5", 0.002));
        QVERIFY(made);
        run::Run& run = **made;
        QVERIFY(run.advanceTo(0.01));
        const auto before = run.status().dummies;
        run::SetState hangs; // all links straight down: y is determined by the others, not x
        for (int k = 1; k <= 40; ++k) {
            const std::string bob = "bob" + std::to_string(k);
            hangs.values[bob + ".x"] = 0.01 * k;
            hangs.values[bob + ".y"] = -k * std::sqrt(1 - 1e-4);
        }
        const auto applied = run.apply(run.reached(), hangs);
        QVERIFY2(applied, applied ? "" : applied.error().text().c_str());
        QVERIFY(run.status().dummies != before);
        QVERIFY(run.advanceTo(0.02));
    }

    void status_buildsNothing()
    {
        auto run = started("pendulum", smallSwing(), settings("dummy-derivatives", "radau", 0, 1e-6));
        run->advanceTo(0.5);
        const Cost cost;
        for (int k = 0; k < 10; ++k)
            QVERIFY(run->status().candidates.size() > 1);
        QCOMPARE(cost.since(), kNothing);
    }

    /// The exchanges that status() tells are those of the state that it tells.
    void exchanges_areJudgedWhereTheRunRests()
    {
        auto run = started("pendulum", largeSwing(), settings("dummy-derivatives", "radau-iia-5", 0.01));
        for (int k = 1; k < 20; ++k) {
            QVERIFY(run->advanceTo(0.1 * k));
            const run::RunStatus status = run->status();
            const run::RecordingView view = run->recording();
            const double x = view.value(view.rowCount() - 1, 0), y = view.value(view.rowCount() - 1, 1);
            QCOMPARE(status.candidates.size(), std::size_t(2));
            for (const auto& candidate : status.candidates) {
                const int dummy = candidate.leaves < 0 ? status.dummies.front() : candidate.enters;
                // kappa = |G| / |G_i| for one row; a few round-offs
                const double expected = std::hypot(x, y) / std::abs(dummy == 0 ? x : y);
                QVERIFY2(std::abs(candidate.kappa - expected) <= 1e-13 * expected,
                         qPrintable(QString::number(candidate.kappa)));
            }
        }
    }

    /// A new integrator on the same form stands where the tuned one stands: from there both make the same steps.
    void tuned_goesOnAsOneThatIsBuilt_data() { numbers_buildNothing_data(); }
    void tuned_goesOnAsOneThatIsBuilt()
    {
        QFETCH(int, index);
        const Case c = cases()[static_cast<std::size_t>(index)];
        auto tuned = started(c.model, {}, settingsOf(c)), built = started(c.model, {}, settingsOf(c));
        double t = c.stretch;
        for (const run::CommandPayload& command : c.commands) {
            for (const auto& run : {tuned.get(), built.get()}) {
                run->advanceTo(t);
                QVERIFY(run->apply(run->reached(), command));
            }
            // Each makes its row and goes on: one restarts what it has, the other makes it anew.
            QVERIFY(tuned->apply(tuned->reached(), run::Restart{}));
            const Cost cost;
            QVERIFY(built->apply(built->reached(), run::SetIntegrator{c.integrator}));
            QCOMPARE(counters().integrators - cost.integrators, 1u);
            t = tuned->reached() + c.stretch;
            for (const auto& run : {tuned.get(), built.get()})
                run->advanceTo(t);
            QVERIFY(sameBits(recorded(*tuned), recorded(*built)));
            QCOMPARE(tuned->status().statistics.newtonIterations, built->status().statistics.newtonIterations);
        }
    }

    /// A command that the state refuses leaves nothing but the restart that its step made.
    void refusedAtTheState_goesOnAsAfterARestart_data()
    {
        QTest::addColumn<QString>("formulation");
        QTest::addColumn<QString>("integrator");
        for (const char* form : {"baumgarte", "penalty", "projection"})
            for (const char* method : {"rk4", "radau-iia-5"})
                QTest::addRow("%s %s", form, method) << form << method;
    }
    void refusedAtTheState_goesOnAsAfterARestart()
    {
        QFETCH(QString, formulation);
        QFETCH(QString, integrator);
        const run::RunSettings s = settings(formulation.toStdString(), integrator.toStdString(), 0.01);
        auto refused = started("pendulum", {}, s), restarted = started("pendulum", {}, s);
        const auto* form = formulation::findFormulation(s.formulation);
        const run::SetGain tooLarge{form->info().gains.front().name, 1e300};
        QVERIFY(!refused->apply(0.314, tooLarge));
        QCOMPARE(refused->takeRestarts().size(), std::size_t(1));
        QVERIFY(restarted->advanceTo(0.314));
        QVERIFY(restarted->apply(0.314, run::Restart{}));
        QVERIFY(refused->advanceTo(1));
        QVERIFY(restarted->advanceTo(1));
        QVERIFY(sameBits(recorded(*refused), recorded(*restarted)));
    }

    /// What the list of formulations says is what they do, without a rewrite.
    void info_saysWhatTheRowsHold()
    {
        for (const char* name : {"pendulum", "slider-crank", "andrews", "car-axis"}) {
            const auto system = compiled(name);
            for (const auto& form : formulation::formulations()) {
                const auto dae = form->build(system->model());
                if (!dae)
                    continue;
                const auto& known = form->info().gains;
                for (const auto& gain : dae->gains) {
                    const auto info = std::ranges::find(known, gain.quantity.name, &formulation::GainInfo::name);
                    QVERIFY2(info != known.end(), (form->info().id + " " + gain.quantity.name).c_str());
                    QCOMPARE(gain.quantity.description, info->meaning);
                    QCOMPARE(gain.quantity.value, info->value);
                    QVERIFY(info->byModel || gain.quantity.unit == info->unit);
                }
                for (const auto& info : known)
                    QVERIFY(info.byModel
                            || std::ranges::any_of(dae->gains, [&](const auto& g) { return g.quantity.name == info.name; }));
                // a form that projects holds what it projects onto
                QVERIFY(!dae->projection.position || form->info().enforces.position);
            }
        }
    }
};

QTEST_GUILESS_MAIN(TestLiveCost)
#include "test_live_cost.moc"
