// One run: what a live switch changes and what it leaves, refusals, failure with its recording, replay, allocation.
#include <QtTest>

#include <cmath>
#include <limits>
#include <random>

#include <nlohmann/json.hpp>

#include "core/formulation/Formulation.h"
#include "core/run/RunJson.h"
#include "core/run/RunRequest.h"
#include "tests/run/RunFixture.h"

using namespace driftless;
using namespace driftless::run;
using namespace driftless::test;

namespace {

std::vector<double> lastRow(const Run& r)
{
    const RecordingView view = r.recording();
    std::vector<double> out{view.lastTime()};
    for (int c = 0; c < view.columnCount(); ++c)
        out.push_back(view.value(view.rowCount() - 1, c));
    return out;
}

bool sameBits(const RecordingView& a, const RecordingView& b)
{
    if (a.rowCount() != b.rowCount() || a.columnCount() != b.columnCount())
        return false;
    for (std::uint64_t r = 0; r < a.rowCount(); ++r) {
        if (a.time(r) != b.time(r))
            return false;
        for (int c = 0; c < a.columnCount(); ++c) {
            const double x = a.value(r, c), y = b.value(r, c);
            if (std::memcmp(&x, &y, sizeof x) != 0)
                return false;
        }
    }
    return true;
}

int countEvents(const Run& r, EventKind kind)
{
    int count = 0;
    for (const Event& e : r.events())
        count += e.kind() == kind;
    return count;
}

/// A method that carries every form: one-step and implicit.
const char* const kAll = "radau-iia-5";

} // namespace

class TestRun : public QObject {
    Q_OBJECT
private slots:
    /// A method that chooses its step needs none; one of fixed steps that follows it takes the model's, or 0.01 s.
    void aMethodOfFixedSteps_afterAnAdaptiveOne_getsAStep()
    {
        auto run = started("pendulum", largeSwing(), settings("index-1", "dormand-prince", 0));
        QVERIFY(run->advanceTo(0.5));
        QVERIFY(run->apply(0.5, SetIntegrator{"rk4"}).ok());
        QCOMPARE(run->status().settings.options.step, 0.01);
        QVERIFY(run->apply(0.7, SetOptions{settings("", "", 0.02).options}).ok());
        QVERIFY(run->apply(0.8, SetIntegrator{"heun2"}).ok()); // a step that was chosen stays
        QCOMPARE(run->status().settings.options.step, 0.02);
        QVERIFY(run->advanceTo(1));
    }

    void aSwitchRestoresTheLevelsOfTheTargetAndNothingElse_data()
    {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        for (const auto& a : formulation::formulations())
            for (const auto& b : formulation::formulations())
                QTest::addRow("%s to %s", a->info().id.c_str(), b->info().id.c_str())
                    << QString::fromStdString(a->info().id) << QString::fromStdString(b->info().id);
    }
    void aSwitchRestoresTheLevelsOfTheTargetAndNothingElse()
    {
        QFETCH(QString, from);
        QFETCH(QString, to);
        // Large steps, so that a form that lets go of a level shows it.
        // In motion from the start: two of the forms need it. Penalty springs need a step that resolves them.
        StartSettings moving;
        moving.values = {{"phi1'", 0.4}, {"phi2'", 0.4}};
        auto r = started("double-pendulum", moving, settings(from.toStdString(), kAll, from == "penalty" ? 0.001 : 0.05));
        QVERIFY(r->advanceTo(1.0));
        const std::vector<double> before = lastRow(*r);
        const RunStatus old = r->status();
        QVERIFY(r->apply(1.0, SetFormulation{to.toStdString()}).ok());
        const std::vector<double> after = lastRow(*r);
        const auto n = static_cast<std::size_t>(r->system().n());
        QCOMPARE(after[0], 1.0);
        const bool keepsVelocity =
            to == "index-1" || to == "baumgarte" || to == "underlying-ode" || to == "penalty" || to == "augmented-lagrangian";
        const bool keepsPosition = keepsVelocity || to == "index-2";
        const RunStatus now = r->status();
        // Where a level is restored the projection ends at round-off of numbers of size ten.
        const double roundOff = 1e-11;
        double moved = 0;
        for (std::size_t i = 1; i <= n; ++i)
            moved = std::max(moved, std::abs(after[i] - before[i]));
        if (keepsPosition)
            QCOMPARE(moved, 0.0);
        else
            QVERIFY2(now.residual.position <= roundOff && moved <= 2 * old.residual.position + roundOff,
                     qPrintable(QString::number(moved)));
        for (std::size_t i = n + 1; keepsVelocity && i <= 2 * n; ++i)
            QCOMPARE(after[i], before[i]);
        if (!keepsVelocity)
            QVERIFY(now.residual.velocity <= roundOff);
        QVERIFY(now.residual.acceleration <= 1e-9); // lambda is always new; accelerations are of size a hundred
        QCOMPARE(now.settings.formulation, to.toStdString());
        QVERIFY(r->advanceTo(1.5));
        QVERIFY(now.statistics.steps >= old.statistics.steps);
        QVERIFY(r->status().statistics.steps > now.statistics.steps);
    }

    void aSwitchToAFormThatDriftsKeepsTheDrift()
    {
        auto r = started("pendulum", largeSwing(), settings("index-1", "rk4", 0.2));
        QVERIFY(r->advanceTo(18));
        const double drift = r->status().residual.position;
        QVERIFY(drift > 1e-3);
        QVERIFY(r->apply(18, SetFormulation{"baumgarte"}).ok());
        QCOMPARE(r->status().residual.position, drift);
        QCOMPARE(countEvents(*r, EventKind::Correction), 0);
        QVERIFY(r->apply(18, SetFormulation{"projection"}).ok());
        QVERIFY(r->status().residual.position < 1e-14);
        QCOMPARE(countEvents(*r, EventKind::Correction), 1);
    }

    void aParameterMovesOnlyWhatItMust()
    {
        auto r = started("pendulum", largeSwing(), settings("index-1", "rk4", 0.1));
        QVERIFY(r->advanceTo(2));
        const auto before = lastRow(*r);
        QVERIFY(r->apply(2, SetParameter{"g", 2}).ok());
        const auto heavier = lastRow(*r);
        for (std::size_t i = 1; i <= 4; ++i)
            QCOMPARE(heavier[i], before[i]);
        QVERIFY(heavier[5] != before[5]);
        QCOMPARE(r->status().energyError, 0.0);
        QVERIFY(r->apply(2, SetParameter{"L", 1.5}).ok());
        const auto longer = lastRow(*r);
        QVERIFY(std::abs(std::hypot(longer[1], longer[2]) - 1.5) < 1e-14);
        QCOMPARE(r->status().parameters.size(), std::size_t(3));
        QVERIFY(r->advanceTo(3));
        QCOMPARE(countEvents(*r, EventKind::Command), 2);
    }

    void refusalsLeaveTheRunUntouched()
    {
        auto r = started("pendulum", largeSwing(), settings("index-1", "rk4", 0.1));
        auto twin = started("pendulum", largeSwing(), settings("index-1", "rk4", 0.1));
        QVERIFY(r->advanceBeyond(1) && twin->advanceBeyond(1));
        integrate::IntegratorOptions bad;
        bad.step = -1;
        const std::vector<CommandPayload> refused{SetFormulation{"index-3"},
                                                  SetFormulation{"nonsense"},
                                                  SetIntegrator{"nonsense"},
                                                  SetParameter{"nonsense", 1},
                                                  SetParameter{"L", -1},
                                                  SetGain{"xi", 1},
                                                  SetPivot{{false, {"x", "y"}}},
                                                  SetOptions{bad},
                                                  Branch{77}};
        for (const CommandPayload& p : refused) {
            const auto result = r->apply(1.05, p);
            QVERIFY2(!result.ok(), describe(p).c_str());
            QVERIFY(!result.error().what.empty());
        }
        QVERIFY(r->advanceBeyond(5) && twin->advanceBeyond(5));
        QVERIFY(sameBits(r->recording(), twin->recording()));
        QCOMPARE(r->events().size(), twin->events().size());
    }

    void aFailedRunKeepsItsRecordingAndGoesOnAfterTheRemedy()
    {
        auto s = settings("dummy-derivatives", kAll, 0.01);
        s.pivot = {false, {"bob.x"}};
        auto r = started("pendulum", smallSwing(), s);
        QVERIFY(!r->advanceTo(5));
        QVERIFY(r->failed());
        const RunStatus status = r->status();
        QVERIFY(status.diagnostic.has_value());
        QVERIFY(status.diagnostic->what.find("bob.x") != std::string::npos);
        QVERIFY(status.diagnostic->remedy.find("automatic") != std::string::npos);
        QVERIFY(r->recording().rowCount() > 100);
        const auto json = nlohmann::json::parse(runJson(*r));
        QCOMPARE(json["status"].get<std::string>(), std::string("failed"));
        QVERIFY(r->apply(5, SetPivot{}).ok());
        QVERIFY(!r->failed());
        QVERIFY(r->advanceTo(5));
        QVERIFY(r->recording().firstTime() == 0);
    }

    void randomCommandsReplayToTheSameBits_data()
    {
        QTest::addColumn<int>("seed");
        QTest::addColumn<QString>("model");
        for (int seed = 1; seed <= 6; ++seed)
            for (const char* m : {"pendulum", "double-pendulum"})
                QTest::addRow("%s %d", m, seed) << seed << m;
    }
    void randomCommandsReplayToTheSameBits()
    {
        QFETCH(int, seed);
        QFETCH(QString, model);
        const auto first = settings("dummy-derivatives", "ida", 0, 1e-6);
        auto live = started(model.toStdString(), {}, first);
        std::mt19937 random(static_cast<unsigned>(seed));
        std::uniform_real_distribution<double> unit(0, 1);
        std::vector<Command> log;
        const std::vector<std::string> forms{"index-1",   "projection",  "ggl",    "dummy-derivatives",
                                             "baumgarte", "state-space", "index-2"};
        const std::vector<std::string> methods{"ida", "radau-iia-5", "dormand-prince", "rk4", "implicit-trapezoidal"};
        for (int k = 0; k < 12; ++k) {
            live->advanceBeyond(live->t() + 0.5 * unit(random));
            integrate::IntegratorOptions o = live->status().settings.options;
            o.step = 0.01 + 0.01 * unit(random);
            const std::vector<CommandPayload> choices{SetFormulation{forms[random() % forms.size()]},
                                                      SetIntegrator{methods[random() % methods.size()]},
                                                      SetOptions{o},
                                                      SetParameter{"g", 1 + unit(random)},
                                                      Reset{},
                                                      Branch{live->t() * unit(random)},
                                                      SetPivot{}};
            const auto applied = live->apply(live->t() + 0.1 * unit(random), choices[random() % choices.size()]);
            for (const Command& c : live->takeRestarts())
                log.push_back(c);
            if (applied)
                log.push_back(*applied);
        }
        live->advanceBeyond(live->t() + 1);
        QVERIFY(log.size() > 3);
        auto again = started(model.toStdString(), {}, first);
        for (const Command& c : log) {
            const auto done = again->replay(c);
            QVERIFY2(done.ok(), done ? "" : done.error().text().c_str());
        }
        while (again->acceptedSteps() < live->acceptedSteps() && again->step(INFINITY)) {}
        QVERIFY(sameBits(live->recording(), again->recording()));
    }

    void branchingCutsTheRecordingAndGoesOnFromThere()
    {
        auto r = started("pendulum", largeSwing(), settings("projection", "dormand-prince", 0, 1e-10));
        QVERIFY(r->advanceTo(6));
        const double e6 = r->status().energyError;
        double q[2], v[2], lambda[1];
        QVERIFY(r->recording().stateAt(2.5, q, v, lambda));
        QVERIFY(r->apply(6, Branch{2.5}).ok());
        QCOMPARE(r->t(), 2.5);
        QCOMPARE(r->recording().lastTime(), 2.5);
        double q2[2];
        QVERIFY(r->recording().stateAt(2.5, q2, v, lambda));
        // The interpolated state is off by h^4/384 times the fourth derivative; projected on from there.
        QVERIFY(std::abs(q2[0] - q[0]) < 1e-6);
        QVERIFY(r->advanceTo(6));
        QVERIFY(std::abs(r->status().energyError) < 1e-5 + std::abs(e6));
    }

    void theJsonSaysWhatTheContractAsks()
    {
        auto r = started("pendulum", largeSwing(), settings("ggl", kAll, 0.02));
        QVERIFY(r->advanceTo(1));
        const auto j = nlohmann::json::parse(runJson(*r, 5));
        for (const char* key : {"model", "formulation", "integrator", "status", "t", "state", "residual", "max_residual",
                                "energy", "energy_error", "drift", "samples", "stats", "events", "diagnostic"})
            QVERIFY2(j.contains(key), key);
        QCOMPARE(j["samples"].size(), std::size_t(5));
        QCOMPARE(j["samples"][4]["bob.x"], j["state"]["bob.x"]);
        for (const char* name : {"bob.x", "bob.y", "bob.x'", "bob.y'", "rod.lambda", "rod.nu"})
            QVERIFY2(j["state"].contains(name), name);
        const auto refused = nlohmann::json::parse(
            refusalJson("pendulum", settings("index-3", "rk4", 0.1), {"what", "where", "why", "try", {}}));
        QCOMPARE(refused["status"].get<std::string>(), std::string("refused"));
        QCOMPARE(refused["diagnostic"]["try"].get<std::string>(), std::string("try"));
    }

    /// Each number that a run takes, with values that nobody means: refused with its name and the value, or a run that ends and
    /// says how.
    void settingsThatNobodyMeans_areRefusedOrWork()
    {
        using Numbers = std::optional<double> RunRequest::*;
        const std::pair<const char*, Numbers> numbers[] = {{"step", &RunRequest::step},
                                                           {"relative tolerance", &RunRequest::relativeTolerance},
                                                           {"absolute tolerance", &RunRequest::absoluteTolerance},
                                                           {"tolerance of the multipliers", &RunRequest::multiplierTolerance},
                                                           {"longest step", &RunRequest::maxStep},
                                                           {"shortest step", &RunRequest::minStep},
                                                           {"parameter", &RunRequest::methodParameter},
                                                           {"time", &RunRequest::end}};
        constexpr double kNaN = std::numeric_limits<double>::quiet_NaN(), kInfinite = std::numeric_limits<double>::infinity();
        int ended = 0, refused = 0;
        const auto judge = [&](const RunRequest& request, const std::string& what, bool meant) {
            const auto prepared = prepareRun(request);
            auto made = prepared ? Run::create(prepared->system, prepared->start, prepared->settings)
                                 : Result<std::unique_ptr<Run>>{prepared.error()};
            if (!made) {
                ++refused;
                QVERIFY2(!made.error().what.empty() && !made.error().remedy.empty(),
                         (what + ": " + made.error().text()).c_str());
                return;
            }
            QVERIFY2(meant, (what + " was taken").c_str());
            Run& run = **made;
            for (int k = 0; k < 20'000 && run.t() < prepared->end && run.step(prepared->end); ++k) {}
            const RunStatus status = run.status();
            const std::string why = status.diagnostic ? status.diagnostic->text() : "";
            QVERIFY2(run.failed() || run.t() >= prepared->end, (what + " does not end").c_str());
            QVERIFY2(why.find("should have vanished") == std::string::npos && why.find(" 0 of the size") == std::string::npos,
                     (what + ": " + why).c_str());
            ++ended;
        };
        for (const char* integrator : {"rk4", "ida", "radau", "dormand-prince", "bdf"})
            for (const auto& [name, member] : numbers)
                for (const double value : {0.0, -1.0, kNaN, kInfinite, 1e-320, 1e-300, 1e-90, 1e-30, 1e-18, 1e30, 1e300}) {
                    RunRequest request;
                    request.model = "pendulum";
                    request.formulation = "index-1";
                    request.integrator = integrator;
                    request.end = 0.5;
                    if (std::string(integrator) == "rk4")
                        request.step = 0.01;
                    request.*member = value;
                    const bool number =
                        std::isfinite(value) && value >= 0 && (value == 0 || (value >= 1e-100 && value <= 1e100));
                    const bool unused =
                        member == &RunRequest::methodParameter && std::isfinite(value); // these methods have none
                    judge(request, std::string(integrator) + " with " + name + " = " + QString::number(value).toStdString(),
                          number || unused);
                }
        for (const char* name : {"bob.x", "bob.y'", "rod.lambda"})
            for (const char* value : {"0", "-1", "nan", "1e400", "1e-320", "1e-300", "1e300", ""}) {
                RunRequest request;
                request.model = "pendulum";
                request.tolerances = {std::string(name) + '=' + value};
                judge(request, "--atol-for " + request.tolerances.front(), false);
            }
        qInfo("%d ended, %d refused", ended, refused);
        QVERIFY(ended > 100 && refused > 100); // neither all nor nothing
    }

    /// What has no tolerance is not proposed.
    void anUnknownTolerance_namesUnknownsAlone()
    {
        RunRequest request;
        request.model = "pendulum";
        request.tolerances = {"zz=1"};
        const auto prepared = prepareRun(request);
        QVERIFY(!prepared);
        const std::string why = prepared.error().text();
        QVERIFY2(why.find("bob.x") != std::string::npos && why.find("rod.lambda") != std::string::npos, why.c_str());
        QVERIFY2(why.find(" m,") == std::string::npos && why.find("L,") == std::string::npos
                     && why.find(" g,") == std::string::npos,
                 why.c_str());
    }

    void workOfFrictionBalancesTheEnergy()
    {
        // Whatever the model's forces outside the potential do, energy minus work stays: to the method's accuracy.
        for (const char* model : {"slider-crank", "cart-pendulum"}) {
            double errors[2];
            for (int k = 0; k < 2; ++k) {
                auto r = started(model, {}, settings("state-space", "radau-iia-5", k ? 0.005 : 0.01));
                QVERIFY(r->advanceTo(2));
                errors[k] = std::abs(r->status().energyError);
                const auto view = r->recording();
                QVERIFY(std::isfinite(view.value(view.rowCount() - 1, view.findColumn("work"))));
            }
            // Order 5: halving the step divides the error by 32; 8 leaves room for its constant and round-off.
            QVERIFY2(errors[1] < errors[0] / 8 + 1e-11, qPrintable(QString("%1 %2").arg(errors[0]).arg(errors[1])));
        }
    }
};

QTEST_APPLESS_MAIN(TestRun)
#include "test_run.moc"
