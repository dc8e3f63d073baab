// What changes with time while the motion hardly does: guards that are quicker than the steps, the longest step that a model
// states, numbers that a model requires to stay above zero, and the work of forces that are integrated themselves.
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "core/integrate/Integrator.h"
#include "core/mechanism/ReadModel.h"
#include "core/run/Run.h"
#include "core/run/RunRequest.h"

using namespace driftless;

namespace {

std::shared_ptr<const model::CompiledSystem> compiledOf(const std::string& text)
{
    auto model = model::readModel("format = 1\n" + text, "m.toml");
    if (!model)
        qFatal("%s", model.error().text().c_str());
    auto system = model::CompiledSystem::compile(*model);
    if (!system)
        qFatal("%s", system.error().text().c_str());
    return *system;
}

std::unique_ptr<run::Run> begunOf(const std::string& text, const run::RunRequest& request)
{
    auto prepared = run::prepareRun(compiledOf(text), request);
    if (!prepared)
        qFatal("%s", prepared.error().text().c_str());
    auto made = run::Run::create(prepared->system, prepared->start, prepared->settings);
    if (!made)
        qFatal("%s", made.error().text().c_str());
    return std::move(*made);
}

/// A wheel of 1 kg m^2 on a fixed axle, with what turns it.
std::string wheelUnder(const std::string& torque)
{
    return "[[body]]\nname = \"a\"\nkind = \"rigid\"\nmass = 1\ninertia = 1\nx = 0\nangle = { start = 0, velocity = 0 }\n"
           "[[joint]]\nname = \"axle\"\nkind = \"pin\"\nfrom = \"ground\"\nto = \"a\"\n"
           "[[force]]\nkind = \"force\"\nbody = \"a\"\ntorque = \""
           + torque + "\"\n";
}

/// A point that hangs on something whose length is stated.
std::string pointOn(const std::string& kind, const std::string& length, double y)
{
    return "[[body]]\nname = \"p\"\nkind = \"point\"\nmass = 1\nx = { start = 0 }\ny = { start = " + std::to_string(y)
           + " }\n[[joint]]\nname = \"held\"\nkind = \"" + kind + "\"\nfrom = \"ground\"\nto = \"p\"\nlength = \"" + length
           + "\"\n[[force]]\nkind = \"gravity\"\nacceleration = 9.81\n";
}

constexpr const char* kAdaptive[] = {"ida", "bdf", "radau", "dop853", "dormand-prince", "adams", "odex"};

} // namespace

class TestWhatTimeChanges : public QObject {
    Q_OBJECT

private slots:
    void frictionThatHolds_letsGoInTime_howeverLongTheSteps_data()
    {
        QTest::addColumn<QString>("method");
        for (const char* id : {"ida", "bdf", "radau", "dop853", "dormand-prince"})
            QTest::newRow(id) << id;
    }

    /// Nothing moves, so that steps grow without a bound; the moment 2.2 sin(3 t) (1 - exp(-t^2/200)) turns to and fro, and
    /// comes to the limit of 2 N m after a dozen turns, at the top of one.
    void frictionThatHolds_letsGoInTime_howeverLongTheSteps()
    {
        QFETCH(QString, method);
        const auto moment = [](double t) { return 2.2 * std::sin(3 * t) * (1 - std::exp(-t * t / 200)); };
        double early = 0;
        while (std::abs(moment(early + 1e-4)) < 2)
            early += 1e-4;
        double late = early + 1e-4;
        for (int k = 0; k < 50; ++k) {
            const double middle = 0.5 * (early + late);
            (std::abs(moment(middle)) < 2 ? early : late) = middle;
        }
        const auto run = begunOf(wheelUnder("2.2*sin(3*t)*(1 - exp(-t^2/200))")
                                     + "[[joint]]\nname = \"f\"\nkind = \"dry-friction\"\njoint = \"axle\"\nsticking = 2\n",
                                 {.integrator = method.toStdString(), .relativeTolerance = 1e-8, .absoluteTolerance = 1e-8});
        QVERIFY(run->advanceTo(60));
        for (const run::Event& e : run->events())
            if (const auto* change = e.as<run::ModeChange>(); change && e.t > 0) {
                QVERIFY(change->to.find("slides") != std::string::npos);
                QVERIFY2(std::abs(e.t - early) <= 1e-6, // a hundred tolerances
                         qPrintable(QString("%1, not %2").arg(e.t, 0, 'g', 12).arg(early, 0, 'g', 12)));
                return;
            }
        QFAIL("it never let go");
    }

    void theLongestStep_thatAModelStates_isKept_data()
    {
        QTest::addColumn<QString>("method");
        for (const char* id : kAdaptive)
            QTest::newRow(id) << id;
    }

    void theLongestStep_thatAModelStates_isKept()
    {
        QFETCH(QString, method);
        constexpr double kLongest = 0.05; // [s]
        const std::string text = wheelUnder("0.1*cos(t)") + "[run]\nformulation = \"index-1\"\nmax_step = 0.05\n";
        const auto longestOf = [&](const run::RunRequest& request) {
            const auto run = begunOf(text, request);
            if (!run->advanceTo(3))
                qFatal("it ends early");
            const run::RecordingView view = run->recording();
            double longest = 0;
            for (std::uint64_t r = 1; r < view.rowCount(); ++r)
                longest = std::max(longest, view.time(r) - view.time(r - 1));
            return longest;
        };
        const double roundoff = 1e-12; // of times up to 3 s
        run::RunRequest request{.integrator = method.toStdString(), .relativeTolerance = 1e-4, .absoluteTolerance = 1e-4};
        QVERIFY(longestOf(request) <= kLongest + roundoff);
        request.maxStep = 0.2; // what is asked for goes before what the file states
        const double asked = longestOf(request);
        QVERIFY2(asked > kLongest + roundoff && asked <= 0.2 + roundoff, qPrintable(QString::number(asked)));
    }

    void theLongestStep_isRefused_whereItIsNone()
    {
        for (const char* bad : {"0", "-1", "\"long\"", "nan"})
            QVERIFY2(!model::readModel("format = 1\n" + wheelUnder("1") + "[run]\nmax_step = " + bad + "\n", "m.toml"), bad);
        const auto good = model::readModel("format = 1\n" + wheelUnder("1") + "[run]\nmax_step = 0.5\n", "m.toml");
        QVERIFY(good && (*good)->run.maxStep == 0.5);
    }

    void aLengthThatComesToZero_endsTheRun_andIsNamed_data()
    {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QString>("method");
        for (const char* kind : {"string", "strut", "rod"})
            for (const char* method : {"ida", "dop853", "rk4"})
                QTest::addRow("%s, %s", kind, method) << kind << method;
    }

    void aLengthThatComesToZero_endsTheRun_andIsNamed()
    {
        QFETCH(QString, kind);
        QFETCH(QString, method);
        const auto run = begunOf(pointOn(kind.toStdString(), "1 - t", kind == "string" ? -0.9 : -1),
                                 {.formulation = "index-1", .integrator = method.toStdString(), .step = 0.01});
        QVERIFY(!run->advanceTo(2));
        const auto why = run->status().diagnostic;
        QVERIFY2(why && why->what == "The length is zero" && why->where.find("joint held, t = 1") != std::string::npos,
                 why ? why->text().c_str() : "no reason");
        QVERIFY(run->t() <= 1);
    }

    void aLengthThatStaysAboveZero_isNotSpokenOf()
    {
        const auto run = begunOf(pointOn("rod", "1 + 0.999*sin(3*t)", -1), {.formulation = "index-1", .integrator = "dop853"});
        QVERIFY2(run->advanceTo(2), run->status().diagnostic ? run->status().diagnostic->text().c_str() : "");
    }

    void theWorkOfAMomentThatIsIntegrated_isThatOfTheMethod_data()
    {
        QTest::addColumn<QString>("method");
        QTest::addColumn<double>("step");
        QTest::addColumn<double>("asked"); // [J] of 0.08
        for (const char* id : kAdaptive)
            QTest::newRow(id) << id << 0.0 << 1e-6; // a hundred steps of 1e-8
        QTest::newRow("rk4") << "rk4" << 0.01 << 1e-6;
        QTest::newRow("gauss-4") << "gauss-4" << 0.01 << 1e-6;
    }

    /// M' = 5 cos(5 t): v = (1 - cos 5t)/5, and the work is v^2/2. Linear between the rows it was 2 % of that.
    void theWorkOfAMomentThatIsIntegrated_isThatOfTheMethod()
    {
        QFETCH(QString, method);
        QFETCH(double, step);
        QFETCH(double, asked);
        run::RunRequest request{
            .formulation = "index-1", .integrator = method.toStdString(), .relativeTolerance = 1e-8, .absoluteTolerance = 1e-8};
        if (step > 0)
            request.step = step;
        const auto run = begunOf(
            wheelUnder("pull") + "[[dynamic]]\nname = \"pull\"\nunit = \"N m\"\nrate = \"5*cos(5*t)\"\nstart = 0\n", request);
        QVERIFY(run->advanceTo(2.1));
        const double v = (1 - std::cos(5 * 2.1)) / 5;
        QVERIFY(std::abs(run->status().energy - 0.5 * v * v) <= asked);
        QVERIFY2(std::abs(run->status().energyError) <= asked, qPrintable(QString::number(run->status().energyError)));
    }

    void forcesAtAnEventFollowFromTheState_data()
    {
        QTest::addColumn<QString>("method");
        for (const char* id : kAdaptive)
            QTest::newRow(id) << id;
    }

    /// A wheel is held by friction against a moment that changes, and a point meets a wall in the middle of a long step, for
    /// nothing moves otherwise. The friction is 1 sin 3t; the step's polynomial through its ends, a straight line with ida,
    /// would turn the wheel and do work. Odex takes no dummies that are selected.
    void forcesAtAnEventFollowFromTheState()
    {
        QFETCH(QString, method);
        if (method == "odex")
            QSKIP("refused by name");
        const auto run = begunOf(
            wheelUnder("sin(3*t)")
                + "[[joint]]\nname = \"grip\"\nkind = \"dry-friction\"\njoint = \"axle\"\nsticking = 2\nsliding = 2\n"
                  "[[body]]\nname = \"p\"\nkind = \"point\"\nmass = 1\nx = { start = 3 }\ny = { start = 0.9, velocity = "
                  "-1 }\n[[joint]]\nname = \"floor\"\nkind = \"wall\"\nfrom = { body = \"ground\", at = [0, 0] }\n"
                  "to = \"p\"\nangle = 0\nrestitution = 0\n",
            {.formulation = "dummy-derivatives",
             .integrator = method.toStdString(),
             .relativeTolerance = 1e-9,
             .absoluteTolerance = 1e-9});
        QVERIFY2(run->advanceTo(2), run->status().diagnostic ? run->status().diagnostic->text().c_str() : "");
        const auto events = run->events();
        QVERIFY(std::any_of(events.begin(), events.end(), [](const run::Event& e) {
            return e.kind() == run::EventKind::Impact && std::abs(e.t - 0.9) < 1e-7;
        }));
        QVERIFY2(std::abs(run->status().energyError) <= 1e-8, qPrintable(QString::number(run->status().energyError)));
    }
};

QTEST_GUILESS_MAIN(TestWhatTimeChanges)
#include "test_what_time_changes.moc"
