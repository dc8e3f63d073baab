// What refuses a state, what is said at a start, what monitors find together, and what failures mean: each without a run.
#include <QtTest>

#include <algorithm>
#include <limits>

#include "core/run/FailureReasons.h"
#include "core/run/Monitors.h"
#include "core/run/RankFollower.h"
#include "core/run/RowProbe.h"
#include "core/run/StartRemarks.h"
#include "tests/run/PartsFixture.h"

using namespace driftless;
using namespace driftless::run;
using driftless::test::Parts;
using driftless::test::settings;

namespace {

struct Reasoning : Parts {
    using Parts::Parts;
    Recorder recorder{system, metrics.evaluator(), Recording::kDefaultBudgetBytes};
    FailureReasons reasons{{.matrices = matrices, .stepper = stepper, .recorder = recorder}};

    /// What a step is told to have failed for, at the present state.
    Diagnostic failing(integrate::StepFailure failure)
    {
        if (!metrics.measure(state, false))
            qFatal("%s", metrics.message().c_str());
        integrate::StepOutcome outcome;
        outcome.status = integrate::StepStatus::Failed;
        outcome.failure = failure;
        outcome.h = 0.125;
        outcome.reason = "so it says";
        return reasons.ofStep(outcome, *selector, state);
    }
};

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

} // namespace

class TestReasons : public QObject {
    Q_OBJECT

private slots:
    void redundantRows_areRefusedByForms_thatDivideByThem()
    {
        Parts p("parallelogram", settings("augmented-lagrangian", "radau-iia-5", 0.01));
        QVERIFY(p.refusals.refuse(settings("augmented-lagrangian", "radau-iia-5", 0.01), p.state));
        const auto refused = p.refusals.refuse(settings("index-2", "radau-iia-5", 0.01), p.state);
        QVERIFY(!refused);
        QVERIFY(has(refused.error().what, "index-2") && has(refused.error().why, "middle"));
        QVERIFY(!p.refusals.refuse(settings("no-such-form", "radau-iia-5", 0.01), p.state));
        RunSettings option = settings("index-2", "radau-iia-5", 0.01);
        option.choices["no-such-option"] = "1";
        QVERIFY(!p.refusals.refuse(option, p.state));
    }

    void startOfRedundantRows_isRemarked_thatOfAPendulumIsNot()
    {
        Parts p("parallelogram", settings("augmented-lagrangian", "radau-iia-5", 0.01));
        const auto said = startRemarks(p.stepper.core(), p.matrices, p.refusals.walk(), p.state);
        QCOMPARE(said.size(), std::size_t{1});
        const auto* const redundant = std::get_if<RedundantConstraints>(&said[0]);
        QVERIFY(redundant);
        QCOMPARE(redundant->among, 3);
        QCOMPARE(redundant->undetermined.size(), std::size_t{3});
        Parts plain("pendulum", settings("augmented-lagrangian", "radau-iia-5", 0.01));
        QVERIFY(startRemarks(plain.stepper.core(), plain.matrices, plain.refusals.walk(), plain.state).empty());
    }

    void failedStep_isToldAsItIs_whereNothingElseExplainsIt()
    {
        Reasoning p("pendulum", settings("index-1", "rk4", 0.01));
        const Diagnostic notSolved = p.failing(integrate::StepFailure::NewtonDiverged);
        QVERIFY2(has(notSolved.what, "could not be solved"), notSolved.what.c_str());
        QCOMPARE(notSolved.why, std::string("so it says"));
        QVERIFY(has(notSolved.where, "t = 0") && has(notSolved.where, "0.125"));
        QVERIFY(!notSolved.remedy.empty());
        QVERIFY(has(p.failing(integrate::StepFailure::ErrorTest).what, "tolerances"));
        QVERIFY(has(p.failing(integrate::StepFailure::ProjectionFailed).what, "projection"));
    }

    void failedStep_isAttributedToDrift_orToThePinnedPivot()
    {
        Reasoning drifted("pendulum", settings("index-1", "rk4", 0.01));
        drifted.state.q[0] *= 1.1;
        QVERIFY(has(drifted.failing(integrate::StepFailure::NewtonDiverged).what, "constraint error"));
        RunSettings pinned = settings("dummy-derivatives", "radau-iia-5", 0.01);
        pinned.pivot = {.automatic = false, .dummies = {"bob.y"}};
        Reasoning near("pendulum", pinned, {{"phi", 1.55}, {"phi'", 0.0}}); // kappa = 48
        QVERIFY(has(near.failing(integrate::StepFailure::NewtonDiverged).what, "pinned pivot bob.y"));
        Reasoning far("pendulum", pinned, {{"phi", 1.4}, {"phi'", 0.0}}); // kappa = 6
        QVERIFY(!has(far.failing(integrate::StepFailure::NewtonDiverged).what, "pinned pivot"));
    }

    void dependentConstraints_areASingularConfiguration()
    {
        Reasoning p("parallelogram", settings("augmented-lagrangian", "radau-iia-5", 0.01));
        const auto found = p.reasons.singularConfiguration(p.state);
        QVERIFY(found);
        QVERIFY(has(found->why, "left") && has(found->why, "middle") && has(found->why, "right"));
        Reasoning pendulum("pendulum", settings("index-1", "rk4", 0.01));
        QVERIFY(!pendulum.reasons.singularConfiguration(pendulum.state));
    }

    void monitors_tellWarnings_andStopAtTheFirstCause()
    {
        Parts p("pendulum", settings("dummy-derivatives", "radau-iia-5", 0.01), {{"phi", 0.3}, {"phi'", 0.0}});
        const model::ModelState before = p.state;
        RowProbe probe(p.matrices, before, p.state);
        probe.follow(*p.selector, p.stepper.core());
        Monitors monitors(*p.system, p.refusals.walk());
        Published published(2);
        Observation row;
        row.q = row.qBefore = p.state.q;
        row.v = row.vBefore = p.state.v;
        row.a = row.aBefore = p.state.a;
        row.scales = &p.metrics.scales();
        row.usualEnd = 10;
        row.adaptive = row.pinned = true;
        monitors.begin(row, probe);
        row.tBefore = 0;
        row.t = 0.1;
        row.accepted = 1;
        QVERIFY(!monitors.ask(Monitor::Turn::AfterRow, row, probe, published));
        QCOMPARE(published.timeLine().eventCount(), std::size_t{0});
        row.kappa = 101;
        QVERIFY(!monitors.ask(Monitor::Turn::AfterRow, row, probe, published));
        const auto events = published.timeLine().events();
        QCOMPARE(events.size(), std::size_t{1});
        QCOMPARE(events[0].t, 0.1);
        QVERIFY(events[0].as<PinnedNearSingular>());
        QCOMPARE(events[0].as<PinnedNearSingular>()->dummies, std::vector<std::string>{"bob.y"});
        row.kappa = std::numeric_limits<double>::infinity();
        row.energyError = 1e30;                                                  // the pivot is asked before
        QVERIFY(!monitors.ask(Monitor::Turn::BeforeRow, row, probe, published)); // neither is, before the row
        const auto cause = monitors.ask(Monitor::Turn::AfterRow, row, probe, published);
        QVERIFY(cause && std::holds_alternative<PinnedSingular>(*cause) && isStuck(*cause));
        row.kappa = 1;
        const auto other = monitors.ask(Monitor::Turn::AfterRow, row, probe, published);
        QVERIFY(other && std::holds_alternative<EnergyExploded>(*other) && !isStuck(*other));
    }

    /// A rod whose bob goes once through its pin: G = 2 (x, y) vanishes there, and the minor turns its sign.
    void rankThatIsLostOnTheWay_isToldOnce()
    {
        Parts p("pendulum", settings("index-1", "rk4", 0.01));
        Recorder recorder(p.system, p.metrics.evaluator(), Recording::kDefaultBudgetBytes);
        RankFollower rank(p.matrices);
        rank.restart(0);
        int told = 0;
        model::ModelState s = p.state;
        for (int k = 0; k <= 20; ++k) {
            const double x = 1 - 0.1 * k;
            s.t = 0.1 * k;
            s.q = {x, 0};
            s.v = {-1, 0};
            QVERIFY(p.metrics.measure(s, false) || k == 10); // at the pin nothing is determined
            if (k != 10) {
                QVERIFY(p.matrices.load(s));
                told += rank.follow(s, {0}, 1, 1, {.recorder = recorder}).has_value();
            }
            recorder.append(s, {});
        }
        QCOMPARE(told, 1);
    }
};

QTEST_GUILESS_MAIN(TestReasons)
#include "test_reasons.moc"
