// Events of equation models in a run: what Modelica says of when, reinit, pre, edge, change, initial, sample, assert and
// terminate.
#include <QtTest>

#include <array>
#include <cmath>
#include <functional>

#include "core/reduction/Reduced.h"
#include "core/run/Laboratory.h"
#include "core/run/Run.h"
#include "core/run/RunReport.h"
#include "core/text/Numbers.h"
#include "tests/support/Draw.h"

using namespace driftless;

namespace {

/// Local errors of a few hundred steps at 1e-9 add up.
constexpr double kTolerance = 1e-9, kAddedUp = 100 * kTolerance;

Result<std::shared_ptr<const model::CompiledSystem>> compiledText(const std::string& declarations, const std::string& equations)
{
    auto model = reduction::readModel("model m\n" + declarations + "\nequation\n" + equations + "\nend m;\n", "m.mo");
    if (!model)
        return model.error();
    return model::CompiledSystem::compile(*model);
}

Result<std::unique_ptr<run::Run>> begun(const std::string& declarations, const std::string& equations,
                                        const std::string& integrator = "dormand-prince")
{
    const auto system = compiledText(declarations, equations);
    if (!system)
        return system.error();
    run::RunSettings s;
    s.formulation = "dummy-derivatives";
    s.integrator = integrator;
    s.options.relativeTolerance = s.options.absoluteTolerance = kTolerance;
    s.options.step = integrate::findIntegrator(integrator)->adaptive ? 1e-4 : 1e-2;
    return run::Run::create(*system, {}, s);
}

std::unique_ptr<run::Run> advanced(const std::string& declarations, const std::string& equations, double end,
                                   const std::string& integrator = "dormand-prince")
{
    auto run = begun(declarations, equations, integrator);
    if (!run)
        qFatal("%s", run.error().text().c_str());
    (*run)->advanceTo(end);
    return std::move(*run);
}

double valueOf(const run::Run& run, const std::string& name)
{
    for (const auto& [known, value] : run.namedState())
        if (known == name)
            return value;
    qFatal("no value %s", name.c_str());
}

std::vector<double> eventTimes(const run::Run& run)
{
    std::vector<double> out;
    for (const run::Event& e : run.events())
        if (e.as<run::Switched>())
            out.push_back(e.t);
    return out;
}

std::string whyFailed(const run::Run& run) { return run.failed() ? run.status().diagnostic->text() : std::string(); }

} // namespace

class TestEquationEvents : public QObject {
    Q_OBJECT

private slots:
    void anIfIsLocatedWhereItsConditionChanges_data()
    {
        QTest::addColumn<QString>("integrator");
        for (const auto& info : integrate::integratorCatalogue())
            if (integrate::canCarry(info, 1, false))
                QTest::newRow(info.id.c_str()) << QString::fromStdString(info.id);
    }

    /// x' = 1 below 1, then 3: exact for every method of order 1 and above whose step ends at the change.
    void anIfIsLocatedWhereItsConditionChanges()
    {
        QFETCH(QString, integrator);
        auto run = begun("Real x(start = 0, fixed = true);", "der(x) = if x < 1 then 1 else 3;", integrator.toStdString());
        if (!run)
            QSKIP("does not carry models of equations");
        (*run)->advanceTo(2);
        QVERIFY2(!(*run)->failed(), whyFailed(**run).c_str());
        QVERIFY2(std::abs(valueOf(**run, "x") - 4) < kAddedUp, qPrintable(QString::number(valueOf(**run, "x") - 4)));
        const auto times = eventTimes(**run);
        QCOMPARE(times.size(), std::size_t{1});
        QVERIFY(std::abs(times[0] - 1) < kAddedUp);
        QCOMPARE(valueOf(**run, "x < 1"), 0.0);
    }

    void aTimeEventIsExact()
    {
        const auto run = advanced("parameter Real T = 0.3; Real x(start = 0, fixed = true);",
                                  "der(x) = if time < T then 1 elseif 2*time > 1.4 then 5 else 0;", 1);
        QCOMPARE(eventTimes(*run), (std::vector<double>{0.3, 0.7}));
        QVERIFY(std::abs(valueOf(*run, "x") - (0.3 + 0.3 * 5)) < 1e-14); // three linear stretches: round-off
    }

    /// A value that is not integrated may equal its bound to the last bit once it is solved for: the crossing counts once.
    void aCrossingOfAnAlgebraicValueCountsOnce()
    {
        for (const char* method : {"dormand-prince", "ida", "bdf", "radau"}) {
            const auto run =
                advanced("Real x(start = 0, fixed = true), y; Integer n;",
                         "der(x) = 1 - x;\n  y = x*x;\n  when y > 0.25 then\n    n = pre(n) + 1;\n  end when;", 5, method);
            QVERIFY2(!run->failed(), whyFailed(*run).c_str());
            QCOMPARE(valueOf(*run, "n"), 1.0);
            QCOMPARE(eventTimes(*run).size(), std::size_t{1});
            QVERIFY(std::abs(eventTimes(*run)[0] - std::log(2.0)) < 1e-7);
        }
    }

    /// What comes to zero at an instant that is due happens with it, on whichever side of zero round-off has left it: c counts
    /// 1 + 2 + 3 with the new values, d 0 + 1 + 2 with those before.
    void aStateAndATimeEventAtOneTime_areOneEvent()
    {
        for (const auto& info : integrate::integratorCatalogue()) {
            auto made = begun("Real x(start = 0, fixed = true); Integer a, c, d;",
                              "der(x) = 1;\n  when x >= 1 then a = pre(a) + 1; reinit(x, 0); end when;\n"
                              "  when sample(1, 1) then c = pre(c) + a; d = pre(d) + pre(a); end when;",
                              info.id);
            if (!made)
                continue;
            (*made)->advanceTo(3.5);
            QVERIFY2(!(*made)->failed(), (info.id + ": " + whyFailed(**made)).c_str());
            QVERIFY2(
                valueOf(**made, "a") == 3 && valueOf(**made, "c") == 6 && valueOf(**made, "d") == 3,
                (info.id + ": c = " + std::to_string(valueOf(**made, "c")) + ", d = " + std::to_string(valueOf(**made, "d")))
                    .c_str());
            QVERIFY2(std::abs(valueOf(**made, "x") - 0.5) < kAddedUp, info.id.c_str());
        }
    }

    /// Two quantities of different rates are there at once, and branches of one `when` are not both done.
    void statesOfDifferentRatesAreThereAtOnce()
    {
        for (const char* method : {"ida", "bdf", "radau", "dormand-prince", "dop853", "rk4"}) {
            const auto run = advanced(
                "Real x(start = 0, fixed = true), y(start = 0, fixed = true), z(start = 0, fixed = true); Integer a, b, c;",
                "der(x) = 1;\n  der(y) = 1e5;\n  der(z) = -1e-3;\n"
                "  when {x >= 1, y >= 1e5, z <= -1e-3} then a = pre(a) + 1; end when;\n"
                "  when sample(1, 10) then b = a; end when;\n"
                "  when x >= 1 then c = 1; elsewhen sample(1, 10) then c = pre(c) + 100; end when;",
                2, method);
            QVERIFY2(!run->failed(), whyFailed(*run).c_str());
            QVERIFY2(valueOf(*run, "a") == 1 && valueOf(*run, "b") == 1 && valueOf(*run, "c") == 1, method);
        }
    }

    /// Instants that differ by the round-off of how they are stated are one: 3*0.1 s and 0.3 s.
    void instantsThatAreOneAreOneEvent()
    {
        const auto run = advanced("Real x(start = 0, fixed = true); Integer n, m, k;",
                                  "der(x) = 1;\n  when sample(0.1, 0.1) then n = pre(n) + 1; end when;\n"
                                  "  when time >= 0.3 then m = n; end when;\n"
                                  "  when {sample(0.1, 0.1), sample(0.3, 0.3)} then k = pre(k) + 1; end when;",
                                  0.95);
        QVERIFY(!run->failed());
        QCOMPARE(valueOf(*run, "m"), 3.0);
        QCOMPARE(valueOf(*run, "k"), 9.0);
    }

    /// An instant that is a corner of an input as well happens once; so does one at which the run was stopped, within round-off
    /// of it too, or a parameter set.
    void anInstantHappensOnce()
    {
        const std::string declarations = "input Real u annotation(__Driftless(table = {{0, 0}, {0.5, 1}, {0.7, 2}}));\n  "
                                         "parameter Real p = 1; Real x(start = 0, fixed = "
                                         "true); Integer n, m, k;";
        const std::string equations = "der(x) = u + p;\n  when sample(0.1, 0.1) then n = pre(n) + 1; end when;\n"
                                      "  when time >= 0.3 then m = pre(m) + 1; end when;\n"
                                      "  when u > 1 then k = pre(k) + 1; end when;";
        for (const char* method : {"ida", "dormand-prince", "radau"}) {
            auto run = begun(declarations, equations, method);
            QVERIFY2(run, run ? "" : run.error().text().c_str());
            for (const double stop : {0.2, 0.3, 0.5, 0.6})
                (*run)->advanceTo(stop);
            QVERIFY((*run)->apply(0.8, run::SetParameter{"p", 2}));
            (*run)->advanceTo(0.95);
            QVERIFY2(!(*run)->failed(), whyFailed(**run).c_str());
            QCOMPARE(valueOf(**run, "n"), 9.0);
            QCOMPARE(valueOf(**run, "m"), 1.0);
            QCOMPARE(valueOf(**run, "k"), 1.0);
        }
    }

    /// A condition of an input that is held between the corners of its table changes there.
    void aConditionOfAHeldInputChangesAtItsCorner()
    {
        for (const char* condition : {"u > 0.5", "u >= 1", "0.5 < u", "2*u > 1", "max(u, 0.2) > 0.5"}) {
            const auto run = advanced("input Real u annotation(__Driftless(table = {{0, 0}, {0.5, 1}}, between = \"held\"));\n"
                                      "  Real y(start = 0, fixed = true); Integer m;",
                                      std::string("der(y) = if ") + condition + " then 1 else 0;\n  when " + condition
                                          + " then m = pre(m) + 1; end when;",
                                      1);
            QVERIFY2(!run->failed(), whyFailed(*run).c_str());
            QVERIFY2(std::abs(valueOf(*run, "y") - 0.5) < kAddedUp, condition);
            QVERIFY2(valueOf(*run, "m") == 1, condition);
        }
    }

    /// What comes near and never gets there does not, on whichever scale of time: x = 1 - exp(-r t) is within what counts as
    /// touching from r t = 21 on.
    void whatNeverGetsThereDoesNotHappenAtAnInstant_data()
    {
        QTest::addColumn<double>("rate");
        QTest::addColumn<QString>("method");
        for (const double rate : {1e-3, 1.0, 1e3}) // [1/s]
            for (const char* method : {"ida", "bdf", "radau", "dormand-prince"})
                QTest::addRow("%g %s", rate, method) << rate << method;
    }

    void whatNeverGetsThereDoesNotHappenAtAnInstant()
    {
        QFETCH(double, rate);
        QFETCH(QString, method);
        const std::string r = QString::number(rate, 'g', 17).toStdString();
        const auto run = advanced("parameter Real r = " + r + "; Real x(start = 0, fixed = true); Integer n, k;",
                                  "der(x) = r*(1 - x);\n  when x >= 1 then n = pre(n) + 1; end when;\n"
                                  "  when sample(1/r, 1/r) then k = pre(k) + 1; end when;",
                                  24.5 / rate, method.toStdString());
        QVERIFY2(!run->failed(), whyFailed(*run).c_str());
        QCOMPARE(valueOf(*run, "n"), 0.0);
        QCOMPARE(valueOf(*run, "k"), 24.0);
    }

    void aDiscreteVariableKeepsItsLimits()
    {
        const auto run = advanced("Real x(start = 0, fixed = true); Integer n(max = 2);",
                                  "der(x) = 1;\n  when sample(1, 1) then n = pre(n) + 1; end when;", 5);
        QVERIFY(run->failed());
        QVERIFY2(whyFailed(*run).find("its max is 2") != std::string::npos, whyFailed(*run).c_str());
        QCOMPARE(run->t(), 3.0);
        QCOMPARE(valueOf(*run, "n"), 2.0);
    }

    void aBranchThatCannotBeComputedIsNamed()
    {
        const auto run = advanced("Real x(start = 0, fixed = true), y(start = 0, fixed = true);",
                                  "der(x) = 1;\n  der(y) = 1/(if x > 1 then 0 else 1);", 2);
        QVERIFY(run->failed());
        QVERIFY2(whyFailed(*run).find("division by zero") != std::string::npos, whyFailed(*run).c_str());
    }

    void noEventIsComputedAtEachPoint()
    {
        const auto run = advanced("Real x(start = 0, fixed = true), y;",
                                  "der(x) = noEvent(if x < 1 then 1 else 3);\n  y = smooth(0, if x < 0.5 then 0 else x);", 2);
        QVERIFY(eventTimes(*run).empty());
        QCOMPARE(run->system().system().held.size(), std::size_t{0});
        // The step over the kink errs by no more than the adaptive method lets pass.
        QVERIFY(std::abs(valueOf(*run, "x") - 4) < 1e-4);
    }

    void aWhenDoesNotFireAtTheStart()
    {
        const auto run = advanced("Real x(start = 1, fixed = true); Integer a, b, c(start = 7);",
                                  "der(x) = 1;\n  when x > 0 then a = pre(a) + 1; end when;\n"
                                  "  when {initial(), x > 2} then b = pre(b) + 1; end when;\n"
                                  "  when initial() then c = 2*pre(c); reinit(x, 1.5); end when;",
                                  2);
        QCOMPARE(valueOf(*run, "a"), 0.0);
        QCOMPARE(valueOf(*run, "b"), 2.0);
        QCOMPARE(valueOf(*run, "c"), 14.0);
        QVERIFY(std::abs(valueOf(*run, "x") - 3.5) < kAddedUp);
    }

    void samplesAreExactAndBeginAtTheStart()
    {
        const auto run = advanced("Real x(start = 0, fixed = true); discrete Real held; Integer n;",
                                  "der(x) = 1;\n  when sample(0, 0.1) then n = pre(n) + 1; held = x; end when;", 1);
        const auto times = eventTimes(*run);
        QCOMPARE(times.size(), std::size_t{11});
        for (std::size_t k = 0; k < times.size(); ++k)
            QCOMPARE(times[k], static_cast<double>(k) * 0.1);
        QCOMPARE(valueOf(*run, "n"), 11.0);
        QVERIFY(std::abs(valueOf(*run, "held") - 1) < 1e-13); // round-off of eleven stretches
        // Between two samples the recorded value is the one before: a held value is a column.
        const run::RecordingView rows = run->recording();
        const int column = rows.findColumn("held");
        QVERIFY(column >= 0);
        QVERIFY(std::abs(rows.value(rows.rowAt(0.55), column) - 0.5) < 1e-13);
    }

    void elsewhenComesSecond()
    {
        const auto run = advanced("Real x(start = 0, fixed = true); Integer which;",
                                  "der(x) = 1;\n  when x > 2 then which = 1; elsewhen x > 1 then which = 2; end when;", 1.5);
        QCOMPARE(valueOf(*run, "which"), 2.0);
        const auto both = advanced("Real x(start = 0, fixed = true); Integer which;",
                                   "der(x) = 1;\n  when x > 1 then which = 1; elsewhen 2*x > 2 then which = 2; end when;", 1.5);
        QCOMPARE(valueOf(*both, "which"), 1.0);
    }

    void edgeAndChangeSeeOneInstant()
    {
        const auto run = advanced("Real x(start = 0, fixed = true); Boolean b; Integer up, both, n;",
                                  "der(x) = cos(time);\n  b = x > 0.5;\n"
                                  "  when edge(b) then up = pre(up) + 1; end when;\n"
                                  "  when change(b) then both = pre(both) + 1; end when;\n"
                                  "  when change(up) then n = 10*up; end when;",
                                  12.5); // x = sin t crosses 0.5 four times in two periods
        QCOMPARE(valueOf(*run, "up"), 2.0);
        QCOMPARE(valueOf(*run, "both"), 4.0);
        QCOMPARE(valueOf(*run, "n"), 20.0);
        QCOMPARE(eventTimes(*run).size(), std::size_t{4});
    }

    void hysteresisKeepsWhatWasBefore()
    {
        const auto run = advanced("Real T(start = 20, fixed = true); Boolean heats(start = true); Integer n;",
                                  "der(T) = if heats then 2 else -1;\n  heats = T < 19 or pre(heats) and T < 21;\n"
                                  "  when change(heats) then n = pre(n) + 1; end when;",
                                  6);
        // Up from 20 to 21 in 0.5, down to 19 in 2, up to 21 in 1, down: changes at 0.5, 2.5, 3.5 and 5.5.
        const auto times = eventTimes(*run);
        std::vector<double> changed;
        for (const run::Event& e : run->events())
            if (const auto* done = e.as<run::Switched>())
                for (const auto& change : done->set)
                    if (change.name == "heats")
                        changed.push_back(e.t);
        QCOMPARE(changed.size(), std::size_t{4});
        for (const auto& [k, t] : {std::pair(0, 0.5), std::pair(1, 2.5), std::pair(2, 3.5), std::pair(3, 5.5)})
            QVERIFY(std::abs(changed[static_cast<std::size_t>(k)] - t) < kAddedUp);
        QCOMPARE(valueOf(*run, "n"), 4.0);
    }

    /// One `when` sets off the next at the same instant, and reinit acts before the next one looks.
    void oneEventLeadsToTheNext()
    {
        const auto run = advanced("Real x(start = 0, fixed = true), y(start = 0, fixed = true); Integer a, b;",
                                  "der(x) = 1;\n  der(y) = 0;\n"
                                  "  when x > 1 then a = 1; reinit(y, 5); end when;\n"
                                  "  when y > 4 then b = pre(a) + 1; end when;",
                                  2);
        QCOMPARE(valueOf(*run, "b"), 2.0);
        QCOMPARE(valueOf(*run, "y"), 5.0);
        QCOMPARE(eventTimes(*run).size(), std::size_t{1});
    }

    void aCircleIsNamed()
    {
        const auto run = advanced("Real x(start = 0, fixed = true); Boolean b;", "der(x) = 1;\n  b = x > 1 and not pre(b);", 2);
        QVERIFY(run->failed());
        QVERIFY2(run->status().diagnostic->why.find("b ") == 0, whyFailed(*run).c_str());
        QVERIFY(std::abs(run->t() - 1) < kAddedUp); // the recording up to there is intact
    }

    void anIntegerStaysWhole()
    {
        const auto run =
            advanced("Real x(start = 0, fixed = true); Integer n;", "der(x) = 1;\n  when x > 1 then n = x/2; end when;", 2);
        QVERIFY(run->failed());
        QVERIFY2(run->status().diagnostic->why.find("Integer") != std::string::npos, whyFailed(*run).c_str());
    }

    void anAssertionEndsOrWarns()
    {
        const auto run =
            advanced("Real x(start = 0, fixed = true);",
                     "der(x) = 1;\n  assert(x < 0.5, \"half\", AssertionLevel.warning);\n  assert(x < 1, \"too far\");", 2);
        QVERIFY(run->failed());
        QCOMPARE(run->status().diagnostic->what, std::string("too far"));
        QVERIFY(std::abs(run->t() - 1) < kAddedUp);
        int warned = 0;
        for (const run::Event& e : run->events())
            if (const auto* broken = e.as<run::AssertionBroken>()) {
                ++warned;
                QCOMPARE(broken->message, std::string("half"));
                QVERIFY(std::abs(e.t - 0.5) < kAddedUp);
            }
        QCOMPARE(warned, 1);
        const auto refused = begun("Real x(start = 2, fixed = true);", "der(x) = 1;\n  assert(x < 1, \"too far\");");
        QVERIFY(!refused.ok());
        QCOMPARE(refused.error().what, std::string("too far"));
    }

    void aModelMayEndItself()
    {
        const auto run =
            advanced("Real x(start = 0, fixed = true);", "der(x) = 1;\n  when x > 1 then terminate(\"there\"); end when;", 2);
        QVERIFY(std::abs(run->t() - 1) < kAddedUp);
        const run::RunReport report = run::reportOf(*run);
        QCOMPARE(report.status, std::string("completed"));
        QCOMPARE(report.events.back().kind, std::string("finished"));
        QVERIFY(report.events.back().text.find("there") != std::string::npos);
    }

    void anEndAtTheStartIsRefused()
    {
        const auto run = begun("Real x(start = 2, fixed = true); Integer n;",
                               "der(x) = 1;\n  when initial() then n = 1; terminate(\"too late\"); end when;");
        QVERIFY(!run.ok());
        QVERIFY2(run.error().what == "too late" && run.error().where == "t = 0", run.error().text().c_str());
    }

    /// The algebraic loop through a condition: what follows from a discrete variable is consistent behind the event.
    void whatFollowsIsConsistentBehindAnEvent()
    {
        const auto run = advanced("Real x(start = 0, fixed = true), y, z; Boolean b;",
                                  "der(x) = 1;\n  b = x > 1;\n  y + z = if b then 3 else 1;\n  y - z = x;", 1.5, "ida");
        QVERIFY2(!run->failed(), whyFailed(*run).c_str());
        QVERIFY(std::abs(valueOf(*run, "y") - 2.25) < kAddedUp);
        const run::RecordingView rows = run->recording();
        const int y = rows.findColumn("y"), z = rows.findColumn("z"), b = rows.findColumn("b");
        bool saw = false;
        for (std::uint64_t r = 0; r < rows.rowCount(); ++r) {
            // Rows meet their equations to the residual that the method leaves, on either side of the event.
            QVERIFY(std::abs(rows.value(r, y) + rows.value(r, z) - (rows.value(r, b) > 0.5 ? 3 : 1)) < kAddedUp);
            saw = saw || (rows.value(r, b) > 0.5 && std::abs(rows.time(r) - 1) < kAddedUp);
        }
        QVERIFY(saw);
    }

    void statesThatMissTheirConstraintByTheToleranceGoOn_data()
    {
        QTest::addColumn<QString>("integrator");
        for (const char* method : {"ida", "bdf", "radau", "dormand-prince"})
            QTest::newRow(method) << method;
    }

    /// A pendulum in x and y, whose velocity is halved at the lowest place: all four values are integrated in some selection,
    /// and meet the rod to the tolerance alone. The speed there is sqrt(2 g), then half of it.
    void statesThatMissTheirConstraintByTheToleranceGoOn()
    {
        QFETCH(QString, integrator);
        const auto system =
            compiledText("Real x(start = 1, fixed = true), y(start = 0), u(start = 0, fixed = true), v(start = 0), F; "
                         "Integer n; discrete Real before, after;",
                         "der(x) = u;\n  der(y) = v;\n  der(u) = -F*x;\n  der(v) = -F*y - 9.81;\n  x^2 + y^2 = 1;\n"
                         "  when x < 0 then n = pre(n) + 1; before = pre(u); after = 0.5*pre(u); "
                         "reinit(u, 0.5*pre(u)); end when;");
        QVERIFY2(system.ok(), system.ok() ? "" : system.error().text().c_str());
        for (const double tolerance : {1e-4, 1e-6, 1e-9}) {
            run::RunSettings s;
            s.formulation = "dummy-derivatives";
            s.integrator = integrator.toStdString();
            s.options.relativeTolerance = s.options.absoluteTolerance = tolerance;
            auto run = run::Run::create(*system, {}, s);
            QVERIFY2(run.ok(), run.ok() ? "" : run.error().text().c_str());
            (*run)->advanceTo(0.7);
            QVERIFY2(!(*run)->failed(), whyFailed(**run).c_str());
            QCOMPARE(valueOf(**run, "n"), 1.0);
            // A hundred tolerances, as elsewhere for the values at an event; half a second of falling adds up no more.
            const double speed = std::sqrt(2 * 9.81), near = 100 * tolerance * speed;
            QVERIFY2(std::abs(valueOf(**run, "before") + speed) < near, qPrintable(QString::number(tolerance)));
            const double x = valueOf(**run, "x"), y = valueOf(**run, "y"), u = valueOf(**run, "u"), v = valueOf(**run, "v");
            QVERIFY(std::abs((u * u + v * v) / 2 + 9.81 * (y + 1) - speed * speed / 8) < near * speed);
            QVERIFY(std::abs(x * x + y * y - 1) < near);
        }
    }

    void aJumpThatAChangeOfIndexNeedsIsRefusedByName_orSaid()
    {
        // Closed, the switch ties two capacitors: their voltages would have to jump.
        const std::string circuit = "der(u) = -i;\n  der(w) = i;\n  0 = if time < 1 then i else u - w;";
        const std::string variables = "Real u(start = 1, fixed = true), w(start = 0, fixed = true), i;";
        const auto run = advanced(variables, circuit, 2);
        QVERIFY(run->failed());
        const std::string why = whyFailed(*run);
        QVERIFY2(why.find("would have to jump from") != std::string::npos, why.c_str());
        QVERIFY(std::abs(run->t() - 1) < 1e-12);
        const auto said = advanced(variables, circuit + "\n  when time >= 1 then reinit(u, 0.5); reinit(w, 0.5); end when;", 2);
        QVERIFY2(!said->failed(), whyFailed(*said).c_str());
        QVERIFY(std::abs(valueOf(*said, "u") - 0.5) < 1e-12 && std::abs(valueOf(*said, "w") - 0.5) < 1e-12);
        QVERIFY(std::abs(valueOf(*said, "i")) < 1e-12);
    }

    void reinitMovesWhatTheEquationsTie()
    {
        // A pendulum of length 1 in equations of index 3: a blow on vx at the lowest point, and vy follows.
        const auto run =
            advanced("Real x(start = 0.6, fixed = true), y(start = -0.8), vx(start = 0, fixed = true), vy, F; Integer n;",
                     "der(x) = vx;\n  der(y) = vy;\n  der(vx) = F*x;\n  der(vy) = F*y - 9.81;\n  x^2 + y^2 = 1;\n"
                     "  when x < 0 then n = pre(n) + 1; reinit(vx, 0.5*pre(vx)); end when;",
                     1, "ida");
        QVERIFY2(!run->failed(), whyFailed(*run).c_str());
        QVERIFY(valueOf(*run, "n") >= 1);
        const double x = valueOf(*run, "x"), y = valueOf(*run, "y");
        QVERIFY(std::abs(x * x + y * y - 1) < kAddedUp);
        QVERIFY(std::abs(x * valueOf(*run, "vx") + y * valueOf(*run, "vy")) < 10 * kAddedUp);
    }

    void aRunThatComesToNoEndSaysSo()
    {
        const auto run = advanced("Real h(start = 1, fixed = true), v(fixed = true);",
                                  "der(h) = v;\n  der(v) = -9.81;\n  when h < 0 then reinit(v, -0.5*pre(v)); end when;", 3);
        QVERIFY(run->failed());
        QVERIFY2(run->status().diagnostic->what.find("Zeno") != std::string::npos, whyFailed(*run).c_str());
        QVERIFY(run->status().diagnostic->remedy.find("bouncing-ball-equations") != std::string::npos);
    }

    /// A ball without a limit of rest: infinitely many impacts before sqrt(2/g) (1 + 2 (e + e^2 + ...)). It is said near that
    /// time, the ball has not fallen through, and no more impacts are counted than there are before the flights are lost.
    void bouncesThatAreLost_endTheRun_data()
    {
        QTest::addColumn<QString>("integrator");
        for (const char* id : {"ida", "dormand-prince", "dop853", "radau", "bdf", "adams", "rk4"})
            QTest::newRow(id) << id;
    }
    void bouncesThatAreLost_endTheRun()
    {
        QFETCH(QString, integrator);
        for (const double e : {0.3, 0.5, 0.7, 0.8})
            for (const char* condition : {"h <= 0", "h < 0"}) {
                const std::string bounce = "reinit(v, -" + std::to_string(e) + "*pre(v));";
                const auto run = advanced("Real h(start = 1, fixed = true), v(fixed = true); Integer n;",
                                          "der(h) = v;\n  der(v) = -9.81;\n  when " + std::string(condition)
                                              + " then n = pre(n) + 1; " + bounce + " end when;",
                                          8, integrator.toStdString());
                const QByteArray why = (whyFailed(*run) + " e = " + std::to_string(e)
                                        + ", h = " + std::to_string(valueOf(*run, "h")) + ", t = " + std::to_string(run->t()))
                                           .c_str();
                QVERIFY2(run->failed() && run->status().diagnostic->what.find("Zeno") != std::string::npos, why);
                QVERIFY2(std::abs(valueOf(*run, "h")) < 1e-6, why); // flights that are lost are 1e-9 high, a step may add to it
                const double limit = std::sqrt(2 / 9.81) * (1 + 2 * e / (1 - e));
                QVERIFY2(std::abs(run->t() - limit) < 1e-3, why); // flights of 1e-9 m last 3e-5 s; with e = 0.8 four more
                // The fall of number n is sqrt(2/g) e^n; round-off of t, 1e-16, ends them all.
                QVERIFY2(valueOf(*run, "n") < std::log(1e-16) / std::log(e) + 3, why);
            }
    }

    /// A limit of rest that ends the bounces before they are lost, and one jump through a surface: no reason to end a run.
    void bouncesWithARest_goOn()
    {
        for (const char* method : {"ida", "dormand-prince", "radau", "rk4"}) {
            const auto rests = advanced("Real h(start = 1, fixed = true), v(fixed = true); Boolean flying(start = true);",
                                        "der(h) = v;\n  der(v) = if flying then -9.81 else 0;\n"
                                        "  when h <= 0 then flying = -0.5*pre(v) > 1e-3; reinit(h, 0);\n"
                                        "  reinit(v, if flying then -0.5*pre(v) else 0); end when;",
                                        3, method);
            QVERIFY2(!rests->failed() && valueOf(*rests, "flying") == 0, whyFailed(*rests).c_str());
            const auto dives = advanced("Real h(start = 1, fixed = true), v(fixed = true); Integer n;",
                                        "der(h) = v;\n  der(v) = if h > 0 then -9.81 else 9.81;\n"
                                        "  when {h <= 0, h > 0} then n = pre(n) + 1; reinit(v, 0.5*pre(v)); end when;",
                                        1, method);
            QVERIFY2(!dives->failed() && valueOf(*dives, "n") >= 2, whyFailed(*dives).c_str());
        }
    }

    void twoJumpsOfOneStateAtOneInstantAreRefused()
    {
        const std::string declarations = "Real x(start = 0, fixed = true), y(start = 0, fixed = true);";
        const std::string both = "der(x) = 1;\n  der(y) = 0;\n  when x > 1 then reinit(y, 1); end when;\n"
                                 "  when x > %1 then reinit(y, 2); end when;";
        const auto with = [&](const char* limit) { return QString::fromStdString(both).arg(limit).toStdString(); };
        const auto run = advanced(declarations, with("1"), 2);
        QVERIFY(run->failed());
        QVERIFY2(run->status().diagnostic->what == "'y' is reinitialised by two 'when' at one instant",
                 whyFailed(*run).c_str());
        QCOMPARE(run->status().diagnostic->position.line, 7); // of the second one
        const auto apart = advanced(declarations, with("1.5"), 2);
        QVERIFY2(!apart->failed(), whyFailed(*apart).c_str());
        QCOMPARE(valueOf(*apart, "y"), 2.0);
    }

    void wholeNumbersEndBelow2To53()
    {
        const auto run = advanced("Real x(start = 0, fixed = true); Integer n(start = 9007199254740990);",
                                  "der(x) = 1;\n  when sample(0.5, 0.5) then n = pre(n) + 1; end when;", 3);
        QVERIFY(run->failed());
        QVERIFY2(run->status().diagnostic->what == "n would become 9007199254740992", whyFailed(*run).c_str());
        QVERIFY(std::abs(run->t() - 1) < 1e-12);
    }

    void whatFlipsForEverIsNamed()
    {
        const auto run = advanced("Real x(start = 0, fixed = true); Boolean b, c;",
                                  "der(x) = 1;\n  c = x > 0.5;\n  b = if c then not pre(b) else false;", 1);
        QVERIFY(run->failed());
        QVERIFY2(run->status().diagnostic->why == "b goes on changing at one instant", whyFailed(*run).c_str());
    }

    void aBranchGoesOnWithWhatWasHeldThen()
    {
        auto run = advanced("Real x(start = 0, fixed = true); Integer n; discrete Real kept(start = 1);",
                            "der(x) = if n < 2 then 1 else -1;\n"
                            "  when {x > 1, x < 0.5} then n = pre(n) + 1; kept = 3*time; end when;",
                            3);
        const auto first = run->namedState();
        const auto branched = run->apply(run->t(), run::Branch{.to = 0.75});
        QVERIFY2(branched.ok(), branched ? "" : branched.error().text().c_str());
        QVERIFY(std::abs(run->t() - 0.75) < 1e-12);
        run->advanceTo(3);
        for (const auto& [name, value] : first)
            QVERIFY2(std::abs(valueOf(*run, name) - value) < kAddedUp, name.c_str());
    }

    void aParameterSetByHandIsAnEvent()
    {
        auto run = advanced("parameter Real limit = 10; Real x(start = 0, fixed = true); Integer n;",
                            "der(x) = 1;\n  when x > limit then n = pre(n) + 1; end when;", 2);
        QCOMPARE(valueOf(*run, "n"), 0.0);
        QVERIFY(run->apply(2, run::SetParameter{"limit", 1}).ok());
        QVERIFY2(valueOf(*run, "n") == 1, run::reportOf(*run).events.back().text.c_str());
        run->advanceTo(3);
        QCOMPARE(valueOf(*run, "n"), 1.0);
    }

    void aReplayIsTheSameBitForBit()
    {
        const std::string declarations = "parameter Real e = 0.8; Real h(start = 1, fixed = true), v(fixed = true); Integer n;",
                          equations = "der(h) = v;\n  der(v) = -9.81;\n"
                                      "  when h <= 0 then n = pre(n) + 1; reinit(v, -e*pre(v)); end when;";
        const auto once = [&](bool by) {
            auto run = begun(declarations, equations, "ida");
            run::Command command;
            if (by) {
                auto given = (*run)->apply(1.1, run::SetParameter{"e", 0.5});
                command = *given;
            }
            (*run)->advanceTo(2);
            return std::pair(std::move(*run), command);
        };
        auto [first, command] = once(true);
        auto second = begun(declarations, equations, "ida");
        QVERIFY((*second)->replay(command).ok());
        (*second)->advanceTo(2);
        QVERIFY(first->namedState() == (*second)->namedState());
        QCOMPARE(first->recording().rowCount(), (*second)->recording().rowCount());
    }

    void aSamplerThatCannotBeFollowedIsRefused()
    {
        const auto run = begun("parameter Real T = 0; Real x(start = 0, fixed = true); Integer n;",
                               "der(x) = 1;\n  when sample(0, T) then n = pre(n) + 1; end when;");
        QVERIFY(!run.ok());
        QVERIFY2(run.error().what.find("interval") != std::string::npos, run.error().text().c_str());
        const auto dense = begun("Real x(start = 0, fixed = true); Integer n;",
                                 "der(x) = 1;\n  when sample(0, 1e-12) then n = pre(n) + 1; end when;");
        QVERIFY(!dense.ok());
        QVERIFY2(dense.error().why.find("1e+13 instants") != std::string::npos, dense.error().text().c_str());
    }

    /// Sliding along a condition by what counts as touching: it gets on by 1e-9 s with each event, and would do so for hours.
    void chatteringByTheTolerance_ends()
    {
        for (const char* integrator : {"ida", "bdf", "radau", "dormand-prince"}) {
            const auto run = advanced("Real x(start = 0.5, fixed = true);", "der(x) = if x > 0 then -1 else 1;", 2, integrator);
            const auto why = run->status().diagnostic;
            QVERIFY2(why && why->what == "The run chatters", integrator);
            QVERIFY(std::abs(run->t() - 0.5) < 1e-4);
        }
    }

    /// Drawn motions that slide along a condition, first and second order, and with every method that chooses its steps: each
    /// ends soon and names the condition, whether its events or its steps make no progress.
    void whatSlides_isSaidToChatter()
    {
        const std::uint64_t seed = test::seedOr(5);
        for (int i = 0, count = test::countOr(16); i < count; ++i) {
            test::Draw draw(seed + static_cast<std::uint64_t>(i));
            const double a = draw.decimal(0.3, 3), b = draw.decimal(0.3, 3), c = draw.decimal(-1, 1),
                         x = c + draw.decimal(0.1, 2);
            const std::string method(
                draw.among(std::array{"radau", "radau-9", "dop853", "dormand-prince", "esdirk-43", "adams", "ida", "bdf"})),
                with = "a = " + text::exact(a) + ", b = " + text::exact(b) + ", c = " + text::exact(c),
                start = "(start = " + text::exact(x) + ", fixed = true)";
            const bool first = draw.chance(0.5);
            const auto run = first ? advanced("parameter Real " + with + "; Real x" + start + ";",
                                              "der(x) = if x > c then -a else b;", 20, method)
                                   : advanced("parameter Real " + with + "; Real x" + start + ", v(start = 0, fixed = true);",
                                              "der(x) = v;\n  der(v) = if 4*(x - c) + v > 0 then -a else b;", 20, method);
            const auto why = run->status().diagnostic;
            const std::string told = "seed " + std::to_string(seed + static_cast<std::uint64_t>(i)) + ", " + method + ", "
                                     + with + (why ? ": " + why->text() : ": no end");
            QVERIFY2(why && why->what == "The run chatters", told.c_str());
            QVERIFY2(why->why.find(first ? "the condition x > c" : "the condition v + 4*x - 4*c > 0") != std::string::npos,
                     told.c_str());
            QVERIFY2(!first || std::abs(run->t() - (x - c) / a) < 1e-3, told.c_str());
            QVERIFY2(!first || run->events().size() < 2500, told.c_str());
        }
    }

    /// Many events that get on are none: instants 1e-9 s apart, and a ramp between two limits 1e-6 apart.
    void fastEventsGoOn()
    {
        const auto sampled = advanced(
            "Real x(start = 0, fixed = true); Integer n(start = 0);",
            "der(x) = 1;\n  when sample(0, 1e-9) then n = pre(n) + 1; end when;\n  annotation(experiment(StopTime = 1e-3));",
            3e-6, "ida");
        QVERIFY(!sampled->failed());
        QVERIFY(valueOf(*sampled, "n") >= 3000);
        const auto ramp =
            advanced("Real x(start = 0, fixed = true); Boolean up(start = true, fixed = true);",
                     "der(x) = if up then 1 else -1;\n  up = if pre(up) then not x > 1e-6 else x < 0;", 3e-3, "ida");
        QVERIFY2(!ramp->failed(), ramp->failed() ? ramp->status().diagnostic->text().c_str() : "");
        QVERIFY(ramp->events().size() > 2500);
    }
};

QTEST_APPLESS_MAIN(TestEquationEvents)
#include "test_equation_events.moc"
