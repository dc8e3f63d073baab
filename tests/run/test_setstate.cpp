// Values set by hand while a run stands: the state is consistent to round-off at the same t, asked values hold where the
// constraints allow them, the nearest ones are taken where they do not, and everything repeats bit for bit.
#include <QtTest>

#include <cmath>
#include <cstring>
#include <limits>

#include "core/consistency/HoldingJoint.h"
#include "core/consistency/Nearest.h"
#include "core/mechanism/ReadModel.h"
#include "core/run/EventWords.h"
#include "core/run/Laboratory.h"
#include "core/run/SessionCodec.h"
#include "core/system/ShippedModels.h"
#include "tests/problems/Rewritten.h"
#include "tests/run/RunFixture.h"
#include "tests/support/Events.h"

using namespace driftless;
using namespace driftless::run;
using namespace driftless::test;

namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

/// A residual of rows with terms of this size after a solve of a few operations per term.
double roundoff(double operations, double scale) { return operations * kEpsilon * scale; }

void compareBits(const Run& a, const Run& b)
{
    const RecordingView x = a.recording(), y = b.recording();
    QCOMPARE(x.rowCount(), y.rowCount());
    for (std::uint64_t r = 0; r < x.rowCount(); ++r)
        for (int c = -1; c < x.columnCount(); ++c) {
            const double p = c < 0 ? x.time(r) : x.value(r, c), q = c < 0 ? y.time(r) : y.value(r, c);
            QVERIFY2(std::memcmp(&p, &q, sizeof p) == 0, qPrintable(QString("row %1, column %2").arg(r).arg(c)));
        }
}

} // namespace

class TestSetState : public QObject {
    Q_OBJECT
private slots:
    void offTheCircle_theNearestPointOfItIsTaken_data()
    {
        QTest::addColumn<QString>("formulation");
        QTest::addColumn<QString>("integrator");
        QTest::addColumn<double>("x");
        QTest::addColumn<double>("y");
        // Outside, far outside, inside, and across the centre from the bob.
        QTest::newRow("dummy-derivatives, outside") << "dummy-derivatives"
                                                    << "ida" << 1.2 << -0.4;
        QTest::newRow("index-1, far outside") << "index-1"
                                              << "rk4" << -7.0 << 4.0;
        QTest::newRow("ggl, inside") << "ggl"
                                     << "radau-iia-5" << 0.1 << 0.2;
        QTest::newRow("projection, across") << "projection"
                                            << "rk4" << -0.3 << 0.9;
        QTest::newRow("state-space, outside") << "state-space"
                                              << "dormand-prince" << 0.5 << -2.0;
        QTest::newRow("extended-3.16, outside") << "extended-3.16"
                                                << "bdf2" << 1.2 << -0.4;
    }
    void offTheCircle_theNearestPointOfItIsTaken()
    {
        QFETCH(QString, formulation);
        QFETCH(QString, integrator);
        QFETCH(double, x);
        QFETCH(double, y);
        auto run = started("pendulum", largeSwing(), settings(formulation.toStdString(), integrator.toStdString(), 0.01, 1e-8));
        QVERIFY(run->advanceTo(0.5));
        const double L = run->status().parameters.back();
        const auto done = run->apply(0.5, SetState{{{"bob.x", x}, {"bob.y", y}}});
        QVERIFY2(done.ok(), done ? "" : done.error().text().c_str());
        QCOMPARE(run->t(), 0.5);
        // The radial projection; the search stops at 1e-10 of the gradient, and the weight of nothing else disturbs it.
        const double r = std::hypot(x, y), settled = 1e-9 * L;
        QVERIFY2(std::abs(valueOf(*run, "bob.x") - L * x / r) < settled,
                 qPrintable(QString::number(valueOf(*run, "bob.x"), 'g', 17)));
        QVERIFY(std::abs(valueOf(*run, "bob.y") - L * y / r) < settled);
        const ResidualNorms norms = run->status().residual;
        QVERIFY2(norms.position <= roundoff(8, L * L), qPrintable(QString::number(norms.position)));
        QVERIFY2(norms.velocity
                     <= roundoff(16, L * (1 + std::abs(valueOf(*run, "bob.x'")) + std::abs(valueOf(*run, "bob.y'")))),
                 qPrintable(QString::number(norms.velocity)));
        QVERIFY(valueWasSet(run->events(), "bob.x"));
        QVERIFY(happened<CommandDone>(run->events(), [](const CommandDone& told) { return told.energyJump.has_value(); }));
        QVERIFY(valueWasMissed(run->events(), "bob.x"));
        QVERIFY(std::abs(run->status().energyError) <= roundoff(100, std::abs(run->status().energy) + 1)); // afresh
        QVERIFY(run->advanceTo(0.8));
        QVERIFY(std::isfinite(run->status().energy));
    }

    void onTheManifold_theAskedValuesHoldAndTheOthersFollow()
    {
        auto run = started("double-pendulum", {}, settings("dummy-derivatives", "radau-iia-5", 0.01));
        QVERIFY(run->advanceTo(0.3));
        const double reach = std::hypot(valueOf(*run, "upper.x"), valueOf(*run, "upper.y"));
        const SetState asked{{{"lower.x", 0.9 * reach}, {"lower.y", -0.8 * reach}}};
        QVERIFY(run->apply(0.3, asked).ok());
        // Held to what the solver calls met, 1e4 round-offs of the rows' terms.
        const double met = roundoff(1e4, 4 * reach * reach);
        QVERIFY(std::abs(valueOf(*run, "lower.x") - 0.9 * reach) < met);
        QVERIFY(std::abs(valueOf(*run, "lower.y") + 0.8 * reach) < met);
        QVERIFY(run->status().residual.position <= roundoff(32, 4 * reach * reach));
        QVERIFY(run->status().residual.velocity <= roundoff(64, 100 * reach));
        QVERIFY(!valueWasMissed(run->events()));
        QVERIFY(
            happened<ValuesCorrected>(run->events(), [](const ValuesCorrected& moved) { return moved.positions.has_value(); }));
        QVERIFY(run->advanceTo(0.6));
    }

    void outOfReach_theChainStretchesTowardsThePoint()
    {
        auto run = started("double-pendulum", {}, settings("ggl", "radau-iia-5", 0.01));
        const double l1 = std::hypot(valueOf(*run, "upper.x"), valueOf(*run, "upper.y"));
        const double l2 = std::hypot(valueOf(*run, "lower.x") - valueOf(*run, "upper.x"),
                                     valueOf(*run, "lower.y") - valueOf(*run, "upper.y"));
        QVERIFY(run->apply(0, SetState{{{"lower.x", 3 * (l1 + l2)}, {"lower.y", -4 * (l1 + l2)}}}).ok());
        // The bob that nobody asked for pulls with its weight, 1e-4 of the other's: the chain is straight up to that share.
        const double share = 1e-4 * (l1 + l2);
        QVERIFY2(std::abs(valueOf(*run, "lower.x") - 0.6 * (l1 + l2)) < share,
                 qPrintable(QString::number(valueOf(*run, "lower.x"), 'g', 10)));
        QVERIFY(std::abs(valueOf(*run, "lower.y") + 0.8 * (l1 + l2)) < share);
        QVERIFY(run->status().residual.position <= roundoff(32, 4 * (l1 + l2) * (l1 + l2)));
        QVERIFY(run->advanceTo(0.2));
    }

    void everyModelTakesAMoveOfEveryBody()
    {
        int moves = 0;
        for (const auto& shipped : model::shippedModels()) {
            const auto system = compiled(shipped.id);
            model::SystemEvaluator evaluator(system);
            evaluator.setParameters(system->defaultParameters());
            consistency::ConsistencySolver solver(system);
            solver.setParameters(system->defaultParameters());
            const auto request = startRequest({}, evaluator);
            QVERIFY2(request.ok(), shipped.id.c_str());
            const auto start = solver.solve(*request);
            QVERIFY2(start.ok(), start ? "" : start.error().text().c_str());
            const auto& coordinates = system->system().coordinates;
            for (std::size_t i = 0; i + 1 < coordinates.size(); ++i) {
                if (!coordinates[i].name.ends_with(".x"))
                    continue;
                for (const double far : {0.05, 0.7, -3.0}) {
                    consistency::NearestRequest wanted{start->state, start->state.q, start->state.v,
                                                       std::vector<bool>(coordinates.size(), false),
                                                       std::vector<bool>(coordinates.size(), false)};
                    wanted.q[i] += far;
                    wanted.q[i + 1] -= 0.6 * far;
                    wanted.qAsked[i] = wanted.qAsked[i + 1] = true;
                    const auto found = consistency::nearestConsistent(solver, evaluator, wanted);
                    const std::string what = shipped.id + ": " + coordinates[i].name + " by " + std::to_string(far);
                    QVERIFY2(found.ok(), (what + (found ? "" : ": " + found.error().text())).c_str());
                    std::vector<double> g(static_cast<std::size_t>(system->holonomic())),
                        rate(static_cast<std::size_t>(system->m()));
                    QVERIFY(evaluator.constraints(found->state.t, found->state.q.data(), g.data()));
                    QVERIFY(
                        evaluator.constraintRates(found->state.t, found->state.q.data(), found->state.v.data(), rate.data()));
                    double size = 1, speed = 1;
                    for (std::size_t k = 0; k < coordinates.size(); ++k) {
                        size = std::max(size, std::abs(found->state.q[k]));
                        speed = std::max(speed, std::abs(found->state.v[k]));
                    }
                    // Where constraints repeat each other positions are met to the solver's 1e4 round-offs only.
                    for (const double residual : g)
                        QVERIFY2(std::abs(residual) <= roundoff(1e4, 1 + 8 * size * size), what.c_str());
                    for (const double residual : rate)
                        QVERIFY2(std::abs(residual) <= roundoff(1e4, 1 + 8 * size * speed), what.c_str());
                    // Never farther from what was asked than where the body already stood.
                    const auto miss = [&](const std::vector<double>& q) {
                        return std::hypot(q[i] - wanted.q[i], q[i + 1] - wanted.q[i + 1]);
                    };
                    QVERIFY2(miss(found->state.q) <= miss(start->state.q) * (1 + 1e-3), what.c_str());
                    ++moves;
                }
            }
        }
        QVERIFY(moves > 100);
    }

    /// Lengths beside angles: what is nearest, and which joint holds it back, is the same in all units. To what the solver
    /// leaves open: a gradient of 1e-10 of the size, on a cost whose curvature is 1e-4 in the directions nobody asked for.
    void whereAMoveEnds_isTheSameInAllUnits()
    {
        const problems::Subject subject = problems::subjects()[1];
        QCOMPARE(std::string(subject.name), std::string("four-bar"));
        const double offsets[][3] = {{0.5, -0.3, 0}, {-0.05, 0.02, 0.4}, {0.01, 0.9, -2}};
        for (const auto& offset : offsets) {
            std::vector<double> first;
            std::string joint;
            for (const problems::Units& units :
                 {problems::Units{"m, kg, s", 1, 1, 1}, problems::Units{"micrometres", 1e6, 1, 1},
                  problems::Units{"kilometres", 1e-3, 1, 1}, problems::Units{"inches, tonnes, ms", 1 / 0.0254, 1e-3, 1e3}}) {
                const auto model = model::readModel(problems::rewritten(subject.text, units), "linkage.toml");
                QVERIFY2(model.ok(), model ? "" : model.error().text().c_str());
                const auto system = model::CompiledSystem::compile(*model);
                QVERIFY(system.ok());
                model::SystemEvaluator evaluator(*system);
                evaluator.setParameters((*system)->defaultParameters());
                consistency::ConsistencySolver solver(*system);
                solver.setParameters((*system)->defaultParameters());
                const auto start = solver.solve(*startRequest({}, evaluator));
                QVERIFY(start.ok());
                const auto& coordinates = (*system)->system().coordinates; // x, y, angle of crank, coupler, rocker
                consistency::NearestRequest wanted{start->state, start->state.q, start->state.v,
                                                   std::vector<bool>(coordinates.size(), false),
                                                   std::vector<bool>(coordinates.size(), false)};
                for (std::size_t k = 0; k < 3; ++k) {
                    wanted.q[3 + k] += offset[k] * (k < 2 ? units.L : 1);
                    wanted.qAsked[3 + k] = true;
                }
                const auto found = consistency::nearestConsistent(solver, evaluator, wanted);
                QVERIFY2(found.ok(), units.name);
                std::vector<double> q = found->state.q;
                for (std::size_t i = 0; i < q.size(); ++i)
                    q[i] /= i % 3 < 2 ? units.L : 1;
                const std::string held = consistency::holdingJoint(evaluator, wanted, found->state, {});
                if (first.empty()) {
                    first = q;
                    joint = held;
                    QVERIFY(!joint.empty());
                }
                QCOMPARE(held, joint);
                for (std::size_t i = 0; i < q.size(); ++i)
                    QVERIFY2(std::abs(q[i] - first[i]) < 1e-5, qPrintable(QString("%1: %2 is %3 in place of %4")
                                                                              .arg(units.name, coordinates[i].name.c_str())
                                                                              .arg(q[i])
                                                                              .arg(first[i])));
            }
        }
    }

    void askedVelocities_holdWhereTheyMayAndAreProjectedWhereNot()
    {
        auto run = started("pendulum", largeSwing(), settings("index-2", "radau-iia-5", 0.01));
        const double L = run->status().parameters.back();
        // At (L, 0): only the upward velocity is free.
        QVERIFY(run->apply(0, SetState{{{"bob.x'", 2.0}, {"bob.y'", 3.0}}}).ok());
        QVERIFY(std::abs(valueOf(*run, "bob.x'")) <= roundoff(16, 3));
        QVERIFY(std::abs(valueOf(*run, "bob.y'") - 3.0) <= roundoff(16, 3));
        QVERIFY(std::abs(valueOf(*run, "bob.x") - L) <= roundoff(8, L));
        QVERIFY(valueWasMissed(run->events(), "bob.x'"));
    }

    void samplesOfOneDrag_leaveOneEntryOnTheTimeLine()
    {
        auto run = started("pendulum", largeSwing(), settings("dummy-derivatives", "radau-iia-5", 0.01));
        QVERIFY(run->advanceTo(0.2));
        const auto before = run->events().size();
        for (int k = 1; k <= 20; ++k)
            QVERIFY(run->apply(0.2, SetState{{{"bob.x", 0.9 - 0.02 * k}, {"bob.y", -0.5}}}).ok());
        QCOMPARE(run->events().size(), before + 3); // the command, what was corrected, and the dummies that suit the new place
        const auto pivots = run->events(EventKind::Pivot, 0.1, 0.2);
        QCOMPARE(pivots.size(), std::size_t(1));
        QCOMPARE(pivots[0].as<PivotChange>()->from, std::vector<std::string>{"bob.x"});
        QCOMPARE(pivots[0].as<PivotChange>()->to, std::vector<std::string>{"bob.y"});
        QCOMPARE(run->status().pivots, std::uint64_t(1));
        QVERIFY(run->advanceTo(0.3));
        QVERIFY(run->apply(0.3, SetState{{{"bob.x", 0.2}, {"bob.y", -0.9}}}).ok());
        QVERIFY(run->events().size() >= before + 5);
    }

    void aRunWithSetStates_replaysBitForBit_data()
    {
        QTest::addColumn<QString>("formulation");
        QTest::addColumn<QString>("integrator");
        QTest::newRow("ida") << "dummy-derivatives"
                             << "ida";
        QTest::newRow("radau") << "ggl"
                               << "radau-iia-5";
        QTest::newRow("dormand-prince") << "baumgarte"
                                        << "dormand-prince";
    }
    void aRunWithSetStates_replaysBitForBit()
    {
        QFETCH(QString, formulation);
        QFETCH(QString, integrator);
        const RunSettings s = settings(formulation.toStdString(), integrator.toStdString(), 0.01, 1e-7);
        auto live = started("double-pendulum", {}, s);
        std::vector<Command> log;
        for (int k = 0; k < 12; ++k) {
            const double t = 0.1 * (k / 3 + 1) + 0.0137; // several at one t, between steps
            auto done = live->apply(t, SetState{{{"lower.x", 0.4 + 0.11 * k}, {"lower.y", -0.7 - 0.05 * k}}});
            QVERIFY2(done.ok(), done ? "" : done.error().text().c_str());
            log.push_back(codec::command(codec::Json::parse(codec::toJson(*done).dump()))); // as a session keeps it
        }
        QVERIFY(live->advanceTo(1));
        auto again = started("double-pendulum", {}, s);
        for (const Command& c : log)
            QVERIFY(again->replay(c).ok());
        QVERIFY(again->advanceTo(1));
        compareBits(*live, *again);
    }

    void anEarlierState_comesBackInEveryRunOfALaboratory_andTheSessionReplays()
    {
        Laboratory lab(compiled("pendulum"), largeSwing(), 1);
        const auto a = lab.addRun(settings("dummy-derivatives", "radau-iia-5", 0.01));
        const auto b = lab.addRun(settings("index-1", "rk4", 0.1)); // drifts: its own state comes back, drift included
        QVERIFY(a.ok() && b.ok());
        lab.waitUntil(2);
        const double t = 2;
        QVERIFY(lab.branchAt(t).ok());
        std::vector<CommandPayload> back;
        std::vector<std::vector<double>> before;
        for (const RunId id : lab.runs()) {
            std::vector<double> q(2), v(2), lambda(1);
            QVERIFY(lab.recording(id).stateAt(t, q.data(), v.data(), lambda.data()));
            before.push_back({q[0], q[1], v[0], v[1]});
            back.push_back(SetState{{{"bob.x", q[0]}, {"bob.y", q[1]}, {"bob.x'", v[0]}, {"bob.y'", v[1]}}, true});
        }
        QVERIFY(lab.command(lab.runs(), SetState{{{"bob.x", -0.5}, {"bob.y", 0.5}}}).ok());
        const auto restored = lab.command(lab.runs(), back);
        QVERIFY2(restored.ok(), restored ? "" : restored.error().text().c_str());
        QCOMPARE(*restored, t);
        for (std::size_t k = 0; k < 2; ++k) {
            std::vector<double> q(2), v(2), lambda(1);
            QVERIFY(lab.recording(lab.runs()[k]).stateAt(t, q.data(), v.data(), lambda.data()));
            // The enforcing form projects once more, which moves a state of its tolerance by no more than that tolerance.
            const double allowed = k == 0 ? 1e-9 : 0;
            for (std::size_t i = 0; i < 2; ++i) {
                QVERIFY(std::abs(q[i] - before[k][i]) <= allowed);
                QVERIFY(std::abs(v[i] - before[k][2 + i]) <= allowed);
            }
        }
        lab.waitUntil(2.5);
        const auto again = replaySession(lab.sessionJson(), "session.json");
        QVERIFY2(again.ok(), again ? "" : again.error().text().c_str());
        for (std::size_t k = 0; k < again->ids.size(); ++k) {
            const RecordingView live = lab.recording(again->ids[k]), repeated = again->runs[k]->recording();
            QVERIFY(repeated.rowCount() > 0 && live.rowCount() >= repeated.rowCount());
            for (std::uint64_t r = 0; r < repeated.rowCount(); ++r)
                for (int c = 0; c < live.columnCount(); ++c) {
                    const double x = live.value(r, c), y = repeated.value(r, c);
                    QVERIFY(std::memcmp(&x, &y, sizeof x) == 0);
                }
        }
    }

    void wrongNames_andNumbersThatAreNone_areRefused()
    {
        auto run = started("pendulum", largeSwing(), settings("index-1", "rk4", 0.01));
        QVERIFY(!run->apply(0, SetState{}).ok());
        QVERIFY(!run->apply(0, SetState{{{"bob.z", 1.0}}}).ok());
        QVERIFY(!run->apply(0, SetState{{{"L", 1.0}}}).ok());
        QVERIFY(!run->apply(0, SetState{{{"bob.x", std::nan("")}}}).ok());
        QVERIFY(run->events().size() == 1 || !happened<CommandDone>(run->events()));
        QVERIFY(run->advanceTo(0.1));
    }
};

QTEST_APPLESS_MAIN(TestSetState)
#include "test_setstate.moc"
