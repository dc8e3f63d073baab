// Commands worked out without a run: consistent states, what a plan restores, that nothing in force is touched, and samples of
// one gesture.
#include <QtTest>

#include <cmath>

#include "core/run/Planner.h"
#include "tests/run/PartsFixture.h"

using namespace driftless;
using namespace driftless::run;
using driftless::test::Parts;
using driftless::test::settings;

namespace {

struct Bench : Parts {
    Recorder recorder{system, metrics.evaluator(), Recording::kDefaultBudgetBytes};
    Published published{static_cast<std::size_t>(system->n())};
    Gesture gesture;
    Planner planner{{.system = *system,
                     .metrics = metrics,
                     .states = *states,
                     .maker = maker,
                     .selector = *selector,
                     .stepper = stepper,
                     .recorder = recorder,
                     .published = published,
                     .gesture = gesture}};

    explicit Bench(const std::string& form, const std::string& method = "rk4")
        : Parts("pendulum", settings(form, method, 0.1), {{"phi", 0.5}, {"phi'", 0.0}})
    {
    }
    Result<Plan> planned(const CommandPayload& command)
    {
        auto intent = planner.intend(command);
        return intent ? planner.plan(std::move(*intent), state) : Result<Plan>(intent.error());
    }
};

double lengthOf(const model::ModelState& s) { return std::hypot(s.q[0], s.q[1]); }

} // namespace

class TestPlanner : public QObject {
    Q_OBJECT

private slots:
    void intents_refuseWhatNoStateAllows()
    {
        const Bench b("index-1");
        QVERIFY(!b.planner.intend(SetFormulation{"no-such-form"}));
        QVERIFY(!b.planner.intend(SetFormulation{"index-3"})); // not by an explicit method
        QVERIFY(!b.planner.intend(SetGain{"omega", 3}));
        QVERIFY(!b.planner.intend(SetParameter{"bob.x", 3}));
        QVERIFY(!b.planner.intend(Branch{1})); // nothing is recorded
        QVERIFY(b.planner.intend(SetParameter{"L", 2}));
    }

    void length_movesPositions_massMovesNothing()
    {
        Bench b("index-1");
        const auto longer = b.planned(SetParameter{"L", 2});
        QVERIFY(longer);
        QVERIFY(longer->levels.position && longer->retuned && !longer->core && longer->restartsBalance);
        QVERIFY(std::abs(longer->moved.positions) > 0.5); // x or y takes its part of one length unit
        QVERIFY(std::abs(lengthOf(longer->state) - 2) <= 1e-12);
        QCOMPARE(b.stepper.core().parameters, b.system->defaultParameters()); // nothing is in force
        QVERIFY(std::abs(lengthOf(b.state) - 1) <= 1e-12);
        b.metrics.setParameters(b.stepper.core().parameters);
        const auto heavier = b.planned(SetParameter{"m", 2});
        QVERIFY(heavier);
        QVERIFY(!heavier->levels.position && !heavier->levels.velocity);
        QCOMPARE(heavier->state.q, b.state.q);
    }

    void formulation_isReplaced_andRestoresWhatItEnforces()
    {
        Bench b("index-1", "radau-iia-5");
        b.state.q[0] *= 1.001; // drifted
        const auto kept = b.planned(SetFormulation{"index-1"});
        QVERIFY(kept && kept->core);
        QCOMPARE(kept->state.q, b.state.q);
        const auto pulled = b.planned(SetFormulation{"dummy-derivatives"});
        QVERIFY(pulled && pulled->core);
        QVERIFY(std::abs(lengthOf(pulled->state) - 1) <= 1e-12);
        QVERIFY(pulled->moved.positions > 0);
        QCOMPARE(b.stepper.core().settings.formulation, std::string("index-1"));
    }

    void valuesThatCannotBeMet_areCorrected_againstTheStateBeforeTheGesture()
    {
        Bench b("index-1");
        const double x = b.state.q[0];
        const SetState first{{{"bob.x", 5.0}}}, second{{{"bob.x", 6.0}}};
        b.gesture.begin(first, b.state, {.energy = 1}, b.published);
        b.published.timeLine().add(0, CommandDone{first});
        b.gesture.told(b.published);
        b.state = b.at({{"bob.x", 0.6}}); // where the first sample left it
        const auto plan = b.planned(second);
        QVERIFY(plan);
        QCOMPARE(plan->corrected.missed.size(), std::size_t{1});
        QCOMPARE(plan->corrected.missed[0].asked, 6.0);
        QVERIFY(std::abs(plan->corrected.missed[0].became - plan->state.q[0]) <= 0);
        QVERIFY(plan->corrected.positions);
        QCOMPARE(b.gesture.before(second, b.state, b.published).q[0], x);
        b.gesture.begin(second, b.state, {.energy = 2}, b.published); // the entry of the first sample goes
        QCOMPARE(b.published.timeLine().eventCount(), std::size_t{0});
        QCOMPARE(b.gesture.beforeAll().energy, 1.0);
        const SetState other{{{"bob.y", 6.0}}};
        b.published.timeLine().add(0, CommandDone{second});
        b.gesture.begin(other, b.state, {.energy = 3}, b.published); // another gesture
        QCOMPARE(b.published.timeLine().eventCount(), std::size_t{1});
        QCOMPARE(b.gesture.beforeAll().energy, 3.0);
    }

    void startsOfBothKinds_areConsistent()
    {
        Bench mechanism("index-1");
        QVERIFY(mechanism.states->hasEnergy());
        QVERIFY(std::abs(lengthOf(mechanism.at({{"bob.x", 0.6}})) - 1) <= 1e-12);
        Parts equations("pendulum-equations", settings("dummy-derivatives", "ida", 0));
        QVERIFY(!equations.states->hasEnergy());
        const model::ModelState s = equations.at({});
        std::vector<double> rows(static_cast<std::size_t>(equations.metrics.general()->reduced().rowCount()));
        QVERIFY(equations.metrics.general()->rows(0, s.lambda.data(), rows.data()));
        for (const double residual : rows)
            QVERIFY(std::abs(residual) <= 1e-9); // the tolerance of the iteration, for rows of size 1
    }
};

QTEST_GUILESS_MAIN(TestPlanner)
#include "test_planner.moc"
