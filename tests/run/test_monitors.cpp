// label: release
// Monitors that neither cry wolf nor stay silent: each speaks on motions that have what it looks for, and keeps silent on
// random ones that have not. The default runs of all models and two hundred systems are in test_monitors_long.
#include <QtTest>

#include <cmath>
#include <map>

#include "core/reduction/Reduced.h"
#include "core/run/EventWords.h"
#include "tests/problems/Rewritten.h"
#include "tests/run/RandomMechanisms.h"
#include "tests/run/RunFixture.h"
#include "tests/support/Draw.h"

using namespace driftless;
using namespace driftless::run;
using namespace driftless::test;

namespace {

/// A warning that is looked for.
struct Sought {
    const char* name;
    bool (*is)(const Event&);
};
template <class Detail>
bool has(const Event& e)
{
    return e.as<Detail>() != nullptr;
}
constexpr Sought kPassed{"singular configuration passed", has<RankLost>}, kEnergy{"energy drifted", has<EnergyDrifted>},
    kDrift{"positions drifted", [](const Event&e) { return e.as<PositionsDrifted>() && !e.as<PositionsDrifted>()->held; }},
    kRates{"(3.24) near singular", has<RatesNearSingular>};

int count(const Run& run, const Sought& sought)
{
    int out = 0;
    for (const Event& e : run.events())
        out += sought.is(e);
    return out;
}
std::string said(const Run& run)
{
    std::string out;
    for (const Event& e : run.events())
        out += std::to_string(e.t) + " " + eventKindName(e.kind()) + ": " + run::words(e) + "\n";
    return out;
}

/// A bob of 1.3 kg on a rod of 0.8 m in an angle to the vertical, with a rate in rad/s; see Rewritten.h.
std::string bob(double angle, double rate)
{
    constexpr double l = 0.8;
    const auto number = [](double x, const char* dimension) { return "<" + std::to_string(x) + "|" + dimension + ">"; };
    return "format = 1\n[[body]]\nname = \"bob\"\nkind = \"point\"\nmass = <1.3|M>\nx = { start = "
           + number(l * std::sin(angle), "L") + ", velocity = " + number(l * rate * std::cos(angle), "L/T")
           + " }\ny = { start = " + number(-l * std::cos(angle), "L")
           + ", velocity = " + number(l * rate * std::sin(angle), "L/T")
           + " }\n[[joint]]\nname = \"rod\"\nkind = \"rod\"\nfrom = \"ground\"\nto = \"bob\"\nlength = <0.8|L>\n"
             "[[force]]\nkind = \"gravity\"\nacceleration = <9.81|L/T^2>\n[run]\nend = <4|T>\n";
}

/// A coupler on two cranks that turn over, through a position in which all bars lie in one line.
const char* const kParallelogram = R"(format = 1
[[body]]
name = "coupler"
kind = "rigid"
mass = <2|M>
inertia = <0.7|M L^2>
x = { velocity = <5.6|L/T> }
y = { start = <-0.8|L> }
[[joint]]
name = "left"
kind = "rod"
from = { body = "ground", at = [<-1|L>, 0] }
to = { body = "coupler", at = [<-1|L>, 0] }
length = <0.8|L>
[[joint]]
name = "right"
kind = "rod"
from = { body = "ground", at = [<1|L>, 0] }
to = { body = "coupler", at = [<1|L>, 0] }
length = <0.8|L>
[[force]]
kind = "gravity"
acceleration = <9.81|L/T^2>
[run]
end = <4|T>
)";

/// What a run that lasts so long [s] is said to be, in words without numbers.
std::string verdict(const std::string& text, const problems::Units& units, const std::string& form, const std::string& method,
                    double step, double end)
{
    const auto model = reduction::readModel(problems::rewritten(text, units), "units.toml");
    if (!model)
        qFatal("%s", model.error().text().c_str());
    const auto system = model::CompiledSystem::compile(*model);
    RunSettings s = settings(form, method, step * units.T, 0);
    s.options.relativeTolerance = 1e-7; // of the nominal sizes; a plain absolute one would be another in each unit
    if (!system)
        qFatal("%s", system.error().text().c_str());
    const auto run = Run::create(*system, {}, s);
    if (!run)
        return run.error().what;
    (*run)->advanceTo(end * units.T);
    const auto status = (*run)->status();
    std::string out = status.diagnostic ? status.diagnostic->what : "runs";
    for (const Sought& sought : {kPassed, kEnergy, kDrift, kRates})
        if (count(**run, sought) > 0)
            out += std::string("; ") + sought.name;
    const auto drift = (*run)->drift();
    return out + "; " + drift.position + ", " + drift.energy;
}

} // namespace

class TestMonitors : public QObject {
    Q_OBJECT
private slots:
    void parallelograms_thatGoFlat_areToldOfIt_data();
    void parallelograms_thatGoFlat_areToldOfIt();
    void regularSystems_areNotSpokenOf();
    void firstStepsFromRest_areNotSpokenOf();
    void whatRestsWithinTolerances_isNotSpokenOf();
    void energyLost_isToldOnce_data();
    void energyLost_isToldOnce();
    void energyLostBefore_isNotToldOfABodyThatIsReleased();
    void dampingOfAFixedStep_isNoLoss();
    void driftedPositions_areToldOnce_asDrift();
    void warnings_comeAgainAfterANewStart();
    void verdicts_areTheSameInAllUnits_data();
    void verdicts_areTheSameInAllUnits();
    void slidingModes_endWithinBoundedSteps();
};

/// x' = -a sign(x - b), and the same with unlike speeds on both sides: behind x = b no solution in the usual sense goes on. A
/// method that steps over the jump again and again ends with the reason; one whose steps are long against it goes on along the
/// surface.
void TestMonitors::slidingModes_endWithinBoundedSteps()
{
    constexpr unsigned kSeed = 20260812;
    constexpr std::uint64_t kMost = 40'000; // attempts
    qInfo("seed %u", kSeed);
    std::mt19937 random(kSeed);
    std::uniform_real_distribution<double> unit(0, 1);
    int stopped = 0;
    for (const integrate::IntegratorInfo& method : integrate::integratorCatalogue()) {
        if (!method.adaptive)
            continue;
        for (int k = 0; k < 4; ++k) {
            const double a = 0.2 + 2 * unit(random), b = k == 0 ? 0.0 : 0.2 + unit(random),
                         tolerance = std::pow(10, -4 - 5 * unit(random));
            const std::string start = k == 0 ? "1e-9" : "0",
                              mode = k % 2 ? "der(x) = -" : "der(x) = (if x > " + std::to_string(b) + " then -0.3 else 0.1) - ";
            const std::string text = "model slide\n Real x(start = " + start + ", fixed = true);\nequation\n " + mode
                                     + std::to_string(a) + "*sign(x - " + std::to_string(b) + ");\nend slide;\n";
            const auto model = reduction::readModel(text, "slide.mo");
            QVERIFY2(model.ok(), model ? "" : model.error().text().c_str());
            const auto system = model::CompiledSystem::compile(*model);
            QVERIFY(system.ok());
            auto made = Run::create(*system, {}, settings("dummy-derivatives", method.id, 0, tolerance));
            if (!made)
                continue; // not for this form
            Run& run = **made;
            const auto attempts = [&run] {
                const auto s = run.status().statistics;
                return s.steps + s.rejected;
            };
            while (run.t() < 10 && attempts() < kMost && run.step(10)) {}
            const std::string what = method.id + ": " + text;
            // What does not end here gets there in thirty million attempts: a mean step of 1e-6 s or more, and some failures.
            // Where next to none fail (an estimate that does not see the jump), the steps are as short as the tolerances ask.
            const bool failsOften = 6 * run.status().statistics.rejected >= run.status().statistics.steps;
            QVERIFY2(run.t() >= 10 || run.failed() || !failsOften || 3e7 * run.t() >= 10 * static_cast<double>(attempts()),
                     (what + "t = " + std::to_string(run.t())).c_str());
            if (!run.failed())
                continue;
            ++stopped;
            QVERIFY2(std::abs(valueOf(run, "x") - b) < 0.01, what.c_str());
            QVERIFY2(!run.status().diagnostic->why.empty(), what.c_str());
        }
    }
    qInfo("%d stopped", stopped);
    QVERIFY(stopped > 0);
}

/// A ball that has bounced to rest, a plate on a rail whose angle is held, a wheel that a ratchet holds: what is left of their
/// motion is what the tolerances let pass.
void TestMonitors::whatRestsWithinTolerances_isNotSpokenOf()
{
    const std::uint64_t seed = seedOr(51);
    for (int k = 0, all = countOr(40); k < all; ++k) {
        const std::uint64_t own = seed + static_cast<std::uint64_t>(k);
        Draw draw(own);
        const auto number = [&](double low, double high) { return std::to_string(draw.decimal(low, high)); };
        const std::string gravity = "force = [{kind = \"gravity\", acceleration = 9.81}";
        const std::string ball =
            "format = 1\nbody = [{name = \"b\", kind = \"point\", mass = " + number(0.5, 4) + ", y = {start = " + number(0.5, 2)
            + ", velocity = " + number(-3, 0)
            + "}}]\njoint = [{name = \"floor\", kind = \"wall\", from = \"ground\", to = \"b\", restitution = "
            + number(0.3, 0.7) + ", rest = 0.3}]\n" + gravity + "]\n";
        const std::string plate = "format = 1\nbody = [{name = \"p\", kind = \"rigid\", mass = " + number(1, 5)
                                  + ", inertia = 1, x = {velocity = " + number(0.2, 2)
                                  + "}}]\njoint = [{name = \"r\", kind = \"slider\", from = \"ground\", to = \"p\"}]\n"
                                  + gravity + ", {kind = \"force\", body = \"p\", torque = \"-" + number(5, 100) + "*p.x\"}]\n";
        const std::string wheel =
            "format = 1\nbody = [{name = \"b\", kind = \"rigid\", mass = 1, inertia = 1}]\njoint = [{name = "
            "\"hub\", kind = \"pin\", from = \"ground\", to = \"b\"}, {name = \"pawl\", kind = \"ratchet\", joint = "
            "\"hub\"}]\nforce = [{kind = \"force\", body = \"b\", torque = \"cos(t) - "
            + number(0.2, 0.5) + "\"}]\n";
        const std::string texts[] = {ball, plate, wheel}, &text = draw.among(texts);
        constexpr const char *kForms[] = {"baumgarte", "augmented-lagrangian", "underlying-ode", "ggl", "index-1"},
                             *kMethods[] = {"dop853", "odex", "radau", "ida", "bdf", "dormand-prince"};
        const std::string form = draw.among(kForms), method = draw.among(kMethods);
        auto made = Run::create(compiledMechanism(text), {}, relativeSettings(form, method, std::pow(10, -draw.upTo(5, 8))));
        if (!made)
            continue; // not for this form
        Run& run = **made;
        run.advanceTo(20);
        // What the penalty of that form takes from the plate is worth a word.
        QVERIFY2((form == "augmented-lagrangian" || count(run, kEnergy) == 0) && count(run, kDrift) == 0,
                 (std::to_string(own) + " " + form + " " + method + "\n" + text + said(run)).c_str());
    }
}

void TestMonitors::parallelograms_thatGoFlat_areToldOfIt_data()
{
    QTest::addColumn<QString>("form");
    QTest::addColumn<QString>("method");
    QTest::addColumn<double>("step");
    QTest::newRow("index-1, rk4") << "index-1"
                                  << "rk4" << 0.01;
    QTest::newRow("ggl, radau") << "ggl"
                                << "radau-iia-5" << 0.01;
    QTest::newRow("projection, dormand-prince") << "projection"
                                                << "dormand-prince" << 0.0;
    QTest::newRow("index-2, ida") << "index-2"
                                  << "ida" << 0.0;
}

/// Where sin(phi) = 1 all bars lie in one line; phi(t) from minimal coordinates, which pass.
void TestMonitors::parallelograms_thatGoFlat_areToldOfIt()
{
    QFETCH(QString, form);
    QFETCH(QString, method);
    QFETCH(double, step);
    const unsigned seed = 16;
    qInfo("seed %u", seed);
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> unit(0, 1);
    int passed = 0;
    for (int k = 0; k < 6; ++k) {
        const double L = 0.2 + 1.8 * unit(random), a = 0.2 + 1.8 * unit(random), phi = -1.2 + 2 * unit(random);
        const double rate =
            std::sqrt(2 * 9.81 / L) * (1.3 + unit(random)); // more than it takes to turn over from the lowest point up
        const StartSettings start{{{"L", L}, {"a", a}}, {{"phi", phi}, {"phi'", rate}}, false};
        const auto minimal = started("flat-fourbar", start, settings("state-space", "dormand-prince", 0, 1e-10));
        double flat = 0;
        while (flat == 0 && minimal->step(2)) {
            const RecordingView past = minimal->recording();
            const auto angle = [&](std::uint64_t r) { return std::atan2(past.value(r, 0), -past.value(r, 1)) - M_PI / 2; };
            const std::uint64_t r = past.rowCount() - 1;
            if (r > 0 && angle(r - 1) < 0 && angle(r) >= 0 && angle(r) < 1)
                flat = past.time(r - 1) + (past.time(r) - past.time(r - 1)) * angle(r - 1) / (angle(r - 1) - angle(r));
        }
        QVERIFY(flat > 0);
        const auto run = started("flat-fourbar", start, settings(form.toStdString(), method.toStdString(), step, 1e-7));
        const bool reached = run->advanceTo(flat + 0.1);
        if (!reached && run->status().diagnostic->text().find("singular") != std::string::npos)
            continue; // it stopped there, with the reason
        ++passed;
        QVERIFY2(count(*run, kPassed) == 1, said(*run).c_str());
        for (const Event& e : run->events())
            if (const auto* lost = e.as<RankLost>()) { // at its time, as far as a step and its errors leave it known
                QVERIFY2(std::abs(lost->t - flat) < 0.01, said(*run).c_str());
                QCOMPARE(lost->constraints, (std::vector<std::string>{"left", "right"}));
            }
    }
    qInfo("%d of 6 passed", passed);
    QVERIFY(passed >= 3);
}

/// Before a motion has come to its own sizes the tolerances are more than all that it has exchanged.
void TestMonitors::firstStepsFromRest_areNotSpokenOf()
{
    const auto model = model::readModel(
        "format = 1\n[[body]]\nname = \"b\"\nkind = \"point\"\nmass = 1\nx = { start = 0 }\ny = { start = 0 }\n"
        "[[force]]\nkind = \"gravity\"\nacceleration = 9.81\n",
        "fall.toml");
    QVERIFY(model.ok());
    const auto system = model::CompiledSystem::compile(*model);
    QVERIFY(system.ok());
    for (const char* method : {"ida", "bdf", "adams", "dormand-prince", "radau"}) {
        const auto run = Run::create(*system, {}, settings("index-1", method, 0, 1e-6));
        QVERIFY2(run.ok(), method);
        (*run)->advanceTo(0.5);
        QVERIFY2(!(*run)->failed() && count(**run, kEnergy) == 0, qPrintable(QString::fromStdString(said(**run))));
    }
}

void TestMonitors::regularSystems_areNotSpokenOf()
{
    const unsigned seed = 1616;
    qInfo("seed %u", seed);
    MechanismSource source(seed);
    std::map<std::string, int> kinds;
    for (int found = 0, tried = 0; found < 30; ++tried) {
        QVERIFY2(tried < 120, "most of what the generator draws is regular");
        const RandomMechanism mechanism = source.next();
        const auto model = reduction::readModel(mechanism.text, "random");
        QVERIFY2(model.ok(), qPrintable(QString::fromStdString(model ? "" : model.error().text() + "\n" + mechanism.text)));
        const auto system = model::CompiledSystem::compile(*model);
        QVERIFY(system.ok());
        const auto run = Run::create(*system, {}, settings("projection", "rk4", mechanism.time / 600));
        if (!run || !(*run)->advanceTo(mechanism.time) || RankOracle(**run).least(8) < 0.1)
            continue;
        ++found;
        ++kinds[mechanism.kind];
        QVERIFY2(said(**run).find("warning") == std::string::npos,
                 qPrintable(QString::fromStdString(said(**run) + mechanism.text)));
    }
    QVERIFY(kinds.size() >= 4);
}

void TestMonitors::energyLost_isToldOnce_data()
{
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("form");
    QTest::addColumn<QString>("method");
    QTest::addColumn<double>("step");
    QTest::addColumn<double>("end");
    QTest::newRow("far too long a step") << "moving-support"
                                         << "index-1"
                                         << "ralston4" << 1.0 << 2.0; // 4e7 J in two steps
    // Linkages that fold: some joules at a passage, which many steps in between would hide.
    QTest::newRow("a fold, ida") << "flat-fourbar"
                                 << "underlying-ode"
                                 << "ida" << 0.0 << 10.0;
    QTest::newRow("folds of a chain") << "four-bar-chain"
                                      << "augmented-lagrangian"
                                      << "radau" << 0.0 << 3.0;
}

void TestMonitors::energyLost_isToldOnce()
{
    QFETCH(QString, model);
    QFETCH(QString, form);
    QFETCH(QString, method);
    QFETCH(double, step);
    QFETCH(double, end);
    const auto run = started(model.toStdString(), {}, settings(form.toStdString(), method.toStdString(), step, 1e-6));
    run->advanceTo(end);
    QVERIFY2(count(*run, kEnergy) == 1, said(*run).c_str());
}

/// Pushed against its end it comes to rest, with the error of all impacts before; then it is let go at t = 10. No mode loses
/// what the tolerances do not explain. Behind a step that is too long for the spring that then holds it, one does.
void TestMonitors::energyLostBefore_isNotToldOfABodyThatIsReleased()
{
    const auto released = [](const char* effort, const RunSettings& how) {
        const auto model = model::readModel(
            std::string("format = 1\n[[body]]\nname = \"b\"\nkind = \"point\"\nmass = 1\nx = { start = 1, fixed = true }\n"
                        "y = { start = 0 }\n[[joint]]\nname = \"guide\"\nkind = \"slider\"\nfrom = \"ground\"\nto = \"b\"\n"
                        "[[joint]]\nname = \"end\"\nkind = \"stop\"\njoint = \"guide\"\nlower = 0\nrestitution = 0.5\n"
                        "rest = 0.05\n[[force]]\nkind = \"actuator\"\njoint = \"guide\"\neffort = \"")
                + effort + "\"\n",
            "released.toml");
        const auto system = model::CompiledSystem::compile(*model);
        auto run = Run::create(*system, {}, how);
        (*run)->advanceTo(12);
        return std::move(*run);
    };
    for (const char* method : {"ida", "dormand-prince", "radau", "bdf"})
        for (const double tolerance : {1e-2, 1e-3, 1e-4}) {
            RunSettings how = settings("index-1", method, 0, tolerance);
            how.options.absoluteTolerance = 1e-5 * tolerance; // small against all that moves
            const auto run = released("-20 - 10*x^3 + 2*t", how);
            QVERIFY2(!run->failed() && count(*run, kEnergy) == 0, said(*run).c_str());
            QVERIFY(run->namedState().front().second > 0.1); // it has gone: 4 N against 10 x^3 balance at 0.7 m
        }
    const auto lost = released("-20 + 2*t - 1000*x*(if t > 10 then 1 else 0)", settings("index-1", "rk4", 0.1));
    QVERIFY2(count(*lost, kEnergy) == 1, said(*lost).c_str());
}

/// Implicit Euler takes what there is and no more: that is what it does, not a loss that nobody expects.
void TestMonitors::dampingOfAFixedStep_isNoLoss()
{
    const auto run = started("pendulum", largeSwing(), settings("index-2", "implicit-euler", 0.05));
    QVERIFY(run->advanceTo(60));
    QVERIFY(run->status().energyError < -0.5); // most of it
    QVERIFY2(count(*run, kEnergy) == 0, said(*run).c_str());
}

void TestMonitors::driftedPositions_areToldOnce_asDrift()
{
    const auto run = started("double-pendulum", {}, settings("index-1", "rk4", 0.02));
    QVERIFY(run->advanceTo(190));
    QVERIFY2(count(*run, kDrift) == 1, said(*run).c_str());
    QVERIFY2(count(*run, kPassed) == 0, said(*run).c_str()); // the rods have grown, but they have not become dependent
    const auto held = started("double-pendulum", {}, settings("projection", "rk4", 0.02));
    QVERIFY(held->advanceTo(190));
    QVERIFY2(count(*held, kDrift) == 0, said(*held).c_str());
}

void TestMonitors::warnings_comeAgainAfterANewStart()
{
    const auto run = started("moving-support", {}, settings("index-1", "ralston4", 1));
    for (int k = 0; k < 2; ++k) {
        QVERIFY(run->advanceTo(2));
        QVERIFY2(count(*run, kEnergy) == 1, said(*run).c_str());
        QVERIFY(run->apply(run->t(), Reset{}).ok());
        QCOMPARE(count(*run, kEnergy), 0);
    }
}

void TestMonitors::verdicts_areTheSameInAllUnits_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("form");
    QTest::addColumn<QString>("method");
    QTest::addColumn<double>("step");
    QTest::addColumn<double>("end");
    QTest::addColumn<QString>("expected"); // the beginning of the verdict
    const auto row = [](const char* name, const std::string& text, const char* form, const char* method, double step,
                        double end, const std::string& expected) {
        QTest::newRow(name) << QString::fromStdString(text) << form << method << step << end
                            << QString::fromStdString(expected);
    };
    row("(3.24) at a turning point", bob(0.8, 0.3), "extended-3.16", "radau-iia-5", 0.01, 2.5,
        std::string("runs; ") + kRates.name);
    row("(3.24) while it whirls", bob(0.8, 12), "extended-3.16", "radau-iia-5", 0.01, 2.5, "runs; none");
    row("bars in one line", kParallelogram, "index-1", "rk4", 0.01, 1.5, std::string("runs; ") + kPassed.name);
    row("bars that are never in one line", bob(0.8, 1), "index-1", "rk4", 0.01, 2.5, "runs; quadratic");
    row("constraints lost", bob(0.8, 12), "index-1", "radau-iia-3", 0.3, 12, "The constraint error exceeded its limit");
    row("energy lost", bob(0.8, 12), "index-1", "rk4", 0.05, 20, "The run has lost the energy balance");
    row("positions that drift", bob(0.8, 3), "index-1", "rk4", 0.05, 25, std::string("runs; ") + kDrift.name);
    row("tolerances of nominal sizes", bob(0.8, 3), "ggl", "radau", 0, 5, "runs; none");
}

void TestMonitors::verdicts_areTheSameInAllUnits()
{
    QFETCH(QString, text);
    QFETCH(QString, form);
    QFETCH(QString, method);
    QFETCH(double, step);
    QFETCH(double, end);
    QFETCH(QString, expected);
    QString first;
    for (const problems::Units& units :
         {problems::Units{"m, kg, s", 1, 1, 1}, problems::Units{"micrometres", 1e6, 1, 1},
          problems::Units{"kilometres", 1e-3, 1, 1}, problems::Units{"mm, t, ms", 1e3, 1e-3, 1e3}}) {
        const QString is =
            QString::fromStdString(verdict(text.toStdString(), units, form.toStdString(), method.toStdString(), step, end));
        QVERIFY2(is.startsWith(expected), qPrintable(QString(units.name) + ": " + is));
        first = first.isEmpty() ? is : first;
        QCOMPARE(is, first);
    }
}

QTEST_APPLESS_MAIN(TestMonitors)
#include "test_monitors.moc"
