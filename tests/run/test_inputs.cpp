// Inputs u(t): every kind against closed forms, corners that no step passes, replay, and what a constraint makes of a jump.
// Outputs of a run: rows, samples, JSON.
#include <QtTest>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <nlohmann/json.hpp>

#include "core/integrate/Integrator.h"
#include "core/reduction/Reduced.h"
#include "core/run/RunJson.h"
#include "tests/run/RunFixture.h"

using namespace driftless;
using namespace driftless::run;
using namespace driftless::test;

namespace {

constexpr double kRoundoff = 1e-13; // some 1e3 operations on numbers of size 1

/// A mass of 1 kg, at rest at x = 0, pushed by u.
std::string pushed(const std::string& input)
{
    return "format = 1\n" + input
           + "[[body]]\nname = \"cart\"\nkind = \"point\"\nmass = 1\n"
             "[[force]]\nkind = \"force\"\nbody = \"cart\"\nx = \"u\"\n"
             "[[output]]\nname = \"push\"\nvalue = \"u\"\nunit = \"N\"\n"
             "[[output]]\nname = \"jolt\"\nvalue = \"cart.x''\"\n";
}

std::unique_ptr<Run> runOf(const std::string& text, const RunSettings& s, const std::string& file = "mine.toml")
{
    auto model = reduction::readModel(text, file);
    if (!model)
        qFatal("%s", model.error().text().c_str());
    auto system = model::CompiledSystem::compile(*model);
    if (!system)
        qFatal("%s", system.error().text().c_str());
    auto made = Run::create(*system, {}, s);
    if (!made)
        qFatal("%s", made.error().text().c_str());
    return std::move(*made);
}

/// Motion from rest under a force that is p0 + p1 s in pieces.
struct Piece {
    double length, p0, p1;
};
void follow(const std::vector<Piece>& pieces, double& x, double& v)
{
    x = v = 0;
    for (const auto& [h, p0, p1] : pieces) {
        x += v * h + p0 * h * h / 2 + p1 * h * h * h / 6;
        v += p0 * h + p1 * h * h / 2;
    }
}

const char* const kHeld = "[[input]]\nname = \"u\"\nbetween = \"held\"\ntable = [[0, 1], [0.37, -2], [0.71, 3]]\n";
const char* const kLinear = "[[input]]\nname = \"u\"\ntable = [[0, 0], [0.37, 2], [0.71, -1]]\n";

} // namespace

class TestInputs : public QObject {
    Q_OBJECT
private slots:
    void fixedStepsAreExactBetweenCorners_data()
    {
        QTest::addColumn<QString>("input");
        QTest::addColumn<double>("x");
        QTest::addColumn<double>("v");
        double x = 0, v = 0;
        follow({{0.37, 1, 0}, {0.34, -2, 0}, {0.29, 3, 0}}, x, v);
        QTest::newRow("held") << kHeld << x << v;
        follow({{0.37, 0, 2 / 0.37}, {0.34, 2, -3 / 0.34}, {0.29, -1, 0}}, x, v);
        QTest::newRow("linear") << kLinear << x << v;
        follow({{0.37, 1, 4 / 0.37}, {0.34, 5, -6 / 0.34}, {0.29, -1, 0}}, x, v);
        QTest::newRow("scaled") << QString(kLinear) + "scale = 2\noffset = 1\n" << x << v;
    }

    /// A method of order 4 integrates a cubic exactly: a step that passed a corner would err by 1e-4.
    void fixedStepsAreExactBetweenCorners()
    {
        QFETCH(QString, input);
        QFETCH(double, x);
        QFETCH(double, v);
        const auto r = runOf(pushed(input.toStdString()), settings("index-1", "rk4", 0.1));
        QVERIFY(r->advanceTo(1));
        QCOMPARE(r->t(), 1.0);
        QVERIFY2(std::abs(valueOf(*r, "cart.x") - x) < kRoundoff, qPrintable(QString::number(valueOf(*r, "cart.x") - x)));
        QVERIFY(std::abs(valueOf(*r, "cart.x'") - v) < kRoundoff);
    }

    /// Every method stands exactly at the corners, and takes up the next piece behind them.
    void everyMethodStandsAtTheCorners()
    {
        double x = 0, v = 0;
        follow({{0.37, 1, 0}, {0.34, -2, 0}, {0.29, 3, 0}}, x, v);
        int tried = 0;
        for (const integrate::IntegratorInfo& method : integrate::integratorCatalogue()) {
            auto model = reduction::readModel(pushed(kHeld), "mine.toml");
            const auto system = model::CompiledSystem::compile(*model);
            const auto made = Run::create(*system, {}, settings("index-1", method.id, 0.01, 1e-8));
            if (!made)
                continue;
            Run& r = **made;
            QVERIFY2(r.advanceTo(1), method.id.c_str());
            ++tried;
            int stands = 0;
            const RecordingView rows = r.recording();
            for (std::uint64_t k = 0; k < rows.rowCount(); ++k)
                stands += rows.time(k) == 0.37 || rows.time(k) == 0.71;
            QVERIFY2(stands == 2, method.id.c_str());
            // Constant forces: what is left is the tolerance, ten times for its sum, and of first order h times the change of
            // v.
            const double allowed = method.order == 1 ? 0.01 * 3 : 1e-6;
            QVERIFY2(std::abs(valueOf(r, "cart.x") - x) < allowed, method.id.c_str());
            QVERIFY2(std::abs(valueOf(r, "cart.x'") - v) < allowed, method.id.c_str());
        }
        QVERIFY(tried > 20);
    }

    void anInputBehindItsCornerIsSeenAtOnce()
    {
        const auto r = runOf(pushed(kHeld), settings("index-1", "rk4", 0.1));
        QVERIFY(r->advanceTo(1));
        const RecordingView rows = r->recording();
        const int push = rows.findColumn("push"), jolt = rows.findColumn("jolt");
        QVERIFY(push > 0 && jolt > 0);
        const std::uint64_t at = rows.rowAt(0.37);
        QCOMPARE(rows.time(at), 0.37);
        QCOMPARE(rows.value(at, push), 1.0);
        QCOMPARE(rows.value(at, jolt), 1.0);
        QCOMPARE(rows.time(at + 1), std::nextafter(0.37, 1.0));
        QCOMPARE(rows.value(at + 1, push), -2.0);
        QCOMPARE(rows.value(at + 1, jolt), -2.0);
    }

    /// v1 jumps by the impulse: a support that is moved with a velocity that jumps, in a form that holds the positions.
    void aKinkOfAConstraintIsAnImpulse()
    {
        const std::string text = "format = 1\n[[input]]\nname = \"place\"\ntable = [[0, 0], [0.5, 1], [1, 1]]\n"
                                 "[[body]]\nname = \"cart\"\nkind = \"point\"\nmass = 2\nx = { start = 0, velocity = 2 }\n"
                                 "[[constraint]]\nname = \"drive\"\nholonomic = \"cart.x - place\"\n";
        for (const char* form : {"index-1", "index-2", "dummy-derivatives"}) {
            const auto r = runOf(text, settings(form, "ida", 0.01, 1e-8));
            QVERIFY2(r->advanceTo(0.8), form);
            const bool holdsVelocities = std::string(form) != "index-1"; // that one keeps the velocity that it had
            if (!holdsVelocities)
                continue;
            // IDA's tolerance over the way of 1 m
            QVERIFY2(std::abs(valueOf(*r, "cart.x") - 1) < 1e-6, form);
            QVERIFY2(std::abs(valueOf(*r, "cart.x'")) < 1e-6, form);
            // The energy that it loses, m v^2 / 2 = 4 J, is work of the input.
            const RecordingView rows = r->recording();
            const std::uint64_t last = rows.rowCount() - 1;
            QVERIFY(std::abs(rows.value(last, rows.findColumn("energy_error"))) < 1e-5);
            QVERIFY(std::abs(rows.value(last, rows.findColumn("work")) + 4) < 1e-5);
        }
    }

    void aCsvBesideTheModelIsRead()
    {
        namespace fs = std::filesystem;
        const fs::path folder = fs::path(DRIFTLESS_SCRATCH_DIR) / "inputs";
        fs::create_directories(folder);
        std::ofstream(folder / "drive.csv") << "t [s], other, u [N]\n0, 9, 1\n0.37, 9, -2\n0.71, 9, 3\n";
        const std::string input = "[[input]]\nname = \"u\"\nbetween = \"held\"\nfile = \"drive.csv\"\n";
        double x = 0, v = 0;
        follow({{0.37, 1, 0}, {0.34, -2, 0}, {0.29, 3, 0}}, x, v);
        const std::string file = (folder / "mine.toml").string();
        const auto r = runOf(pushed(input), settings("index-1", "rk4", 0.1), file);
        QVERIFY(r->advanceTo(1));
        QVERIFY(std::abs(valueOf(*r, "cart.x") - x) < kRoundoff);
        const auto other = reduction::readModel(pushed(input + "unit = \"V\"\n"), file);
        QVERIFY(!other);
        QVERIFY2(other.error().what.find("is in V, its file in N") != std::string::npos, other.error().text().c_str());
        const auto missing = reduction::readModel(pushed(input + "column = \"w\"\n"), file);
        QVERIFY(!missing);
        QVERIFY2(missing.error().position.file.ends_with("drive.csv"), missing.error().text().c_str());
    }

    void aRunWithCornersIsReplayedBitForBit()
    {
        const auto r = runOf(pushed("[parameters]\nk = 1\n" + std::string(kLinear) + "scale = \"k\"\n"),
                             settings("dummy-derivatives", "ida", 0.01, 1e-8));
        std::vector<Command> log;
        for (const double t : {0.2, 0.37, 0.6}) {
            const auto done = r->apply(t, SetParameter{"k", 1 + t});
            QVERIFY2(done, done ? "" : done.error().text().c_str());
            log.push_back(*done);
        }
        QVERIFY(r->advanceTo(1));
        const auto again = runOf(pushed("[parameters]\nk = 1\n" + std::string(kLinear) + "scale = \"k\"\n"),
                                 settings("dummy-derivatives", "ida", 0.01, 1e-8));
        for (const Command& command : log)
            QVERIFY(again->replay(command));
        QVERIFY(again->advanceTo(1));
        const RecordingView a = r->recording(), b = again->recording();
        QCOMPARE(a.rowCount(), b.rowCount());
        for (std::uint64_t k = 0; k < a.rowCount(); ++k)
            for (int c = 0; c < a.columnCount(); ++c)
                QVERIFY(a.time(k) == b.time(k) && (a.value(k, c) == b.value(k, c) || std::isnan(a.value(k, c))));
    }

    void aNumberIsASlider()
    {
        const auto r =
            runOf(pushed("[[input]]\nname = \"u\"\nvalue = 1\nmin = -2\nmax = 2\n"), settings("index-1", "rk4", 0.1));
        QVERIFY(r->apply(0.5, SetParameter{"u", -1.0}));
        QVERIFY(!r->apply(0.5, SetParameter{"u", 3.0})); // out of its range
        QVERIFY(r->advanceTo(1));
        double x = 0, v = 0;
        follow({{0.5, 1, 0}, {0.5, -1, 0}}, x, v);
        QVERIFY(std::abs(valueOf(*r, "cart.x") - x) < kRoundoff);
    }

    void equationsTakeTheSameInputs_data()
    {
        QTest::addColumn<QString>("declared");
        QTest::addColumn<double>("v");
        QTest::newRow("held")
            << R"(input Real u annotation(__Driftless(table = {{0, 1}, {0.37, -2}, {0.71, 3}}, between = "held")))"
            << 0.37 - 2 * 0.34 + 3 * 0.29;
        QTest::newRow("slider") << "input Real u(start = 3)" << 3.0;
        QTest::newRow("number") << "input Real u = 2" << 2.0;
        QTest::newRow("function") << "input Real u = time^2" << 1.0 / 3;
    }

    void equationsTakeTheSameInputs()
    {
        QFETCH(QString, declared);
        QFETCH(double, v);
        const std::string text =
            "model m\n  " + declared.toStdString()
            + ";\n  Real v(start = 0, fixed = true);\n  output Real a(unit = \"m/s2\");\nequation\n  der(v) "
              "= a;\n  a = u;\nend m;\n";
        const auto r = runOf(text, settings("dummy-derivatives", "rk4", 0.1), "m.mo");
        QVERIFY(r->advanceTo(1));
        QVERIFY2(std::abs(valueOf(*r, "v") - v) < kRoundoff, qPrintable(QString::number(valueOf(*r, "v"), 'g', 17)));
        const auto json = nlohmann::json::parse(runJson(*r));
        QVERIFY(json.at("outputs").contains("a"));
    }

    /// The output of a state is that of the interpolated state; what needs accelerations is linear between rows.
    /// An output of accelerations is linear between rows; the others of its model follow the motion all the same.
    void outputsBetweenRowsFollowTheMotion()
    {
        const std::string text =
            "format = 1\nbody = [{ name = \"p\", kind = \"point\", mass = 2, x = { start = 1 }, y = { start = 0, "
            "velocity = 1 } }]\njoint = [{ name = \"rod\", kind = \"rod\", from = \"ground\", to = \"p\", "
            "length = 1 }]\nforce = [{ kind = \"gravity\", acceleration = 10 }]\n"
            "output = [{ name = \"P\", kind = \"position\", point = \"p\" }, { name = \"A\", kind = "
            "\"acceleration\", point = \"p\" }]\n";
        RunSettings s;
        s.formulation = "index-1";
        s.integrator = "odex";
        const auto run = runOf(text, s);
        run->advanceTo(2);
        QVERIFY(!run->failed());
        const auto json = nlohmann::json::parse(runJson(*run, 41));
        for (const auto& row : json.at("samples")) {
            QCOMPARE(row["P.x"].get<double>(), row["p.x"].get<double>());
            QCOMPARE(row["P.y"].get<double>(), row["p.y"].get<double>());
        }
    }

    void anArmThatIsDrivenKnowsItsReactions_data()
    {
        QTest::addColumn<QString>("formulation");
        QTest::addColumn<QString>("integrator");
        QTest::addColumn<double>("tolerated"); // [N] of 9 N and 20 N of weight
        for (const char* method : {"radau", "radau-9", "radau-13"}) {
            QTest::addRow("index-1 %s", method) << "index-1" << method << 1e-9;
            QTest::addRow("ggl %s", method) << "ggl" << method << 3e-3;
            QTest::addRow("index-2 %s", method) << "index-2" << method << 3e-3;
            QTest::addRow("index-3 %s", method) << "index-3" << method << 3e-2;
        }
    }

    /// An arm that is driven evenly has no freedom, and no method sees an error in its motion. Its reactions are those of a
    /// circle, -2 kg w^2 0.5 m along the arm, to what is tolerated of multipliers (30 times as much, Radau.cpp) for steps that
    /// are divided by themselves once more on index 3; and the drive does the work that the energy asks for.
    void anArmThatIsDrivenKnowsItsReactions()
    {
        QFETCH(QString, formulation);
        QFETCH(QString, integrator);
        QFETCH(double, tolerated);
        const std::string text =
            "format = 1\n[[body]]\nname = \"arm\"\nkind = \"rigid\"\nmass = 2\ninertia = 0.5\nx = 0.5\ny = "
            "0\nangle = { start = 0, velocity = 3 }\n[[joint]]\nname = \"hub\"\nkind = \"pin\"\nfrom = "
            "\"ground\"\nto = { body = \"arm\", at = [-0.5, 0] }\n[[joint]]\nname = \"drive\"\nkind = "
            "\"motion\"\njoint = \"hub\"\nvalue = \"3*t\"\n[[force]]\nkind = \"gravity\"\nacceleration = 10\n";
        RunSettings s;
        s.formulation = formulation.toStdString();
        s.integrator = integrator.toStdString();
        for (const double end : {1.9, 2.0, 2.1}) { // a short step at the end would divide by itself
            const auto run = runOf(text, s);
            run->advanceTo(end);
            QVERIFY2(!run->failed(), run->failed() ? run->status().diagnostic->text().c_str() : "");
            bool seen = false;
            for (const auto& [name, value] : run->namedState())
                if (name == "hub.lambda_x" && (seen = true)) // on the ground
                    QVERIFY2(std::abs(value - 9 * std::cos(3 * end)) < tolerated,
                             qPrintable(QString::number(value - 9 * std::cos(3 * end))));
            QVERIFY(seen);
            // Of 10 J that the weight takes and gives.
            QVERIFY2(std::abs(run->status().energyError) < 1e-4, qPrintable(QString::number(run->status().energyError)));
        }
    }

    /// What a motion prescribes is right at the end of each step, and no one-step method sees an error there: between the ends
    /// it follows the motion as well. An arm alone, and beside a pendulum that nothing joins to it.
    void whatIsPrescribedIsFollowedBetweenTheSteps_data()
    {
        QTest::addColumn<QString>("formulation");
        QTest::addColumn<QString>("integrator");
        QTest::addColumn<bool>("beside");
        for (const char* form : {"dummy-derivatives", "coordinate-partitioning", "tangent-plane", "ggl"})
            for (const char* method : {"radau", "radau-9", "radau-13", "esdirk-43", "dormand-prince"})
                for (const bool beside : {false, true})
                    if (QString(method).startsWith("radau") || QString(form).startsWith("dummy"))
                        QTest::addRow("%s %s%s", form, method, beside ? ", a pendulum beside" : "") << form << method << beside;
    }

    void whatIsPrescribedIsFollowedBetweenTheSteps()
    {
        QFETCH(QString, formulation);
        QFETCH(QString, integrator);
        QFETCH(bool, beside);
        const std::string text =
            "format = 1\n[[body]]\nname = \"arm\"\nkind = \"rigid\"\nmass = 2\ninertia = 0.5\nx = 0.5\ny = 0\nangle = 0\n"
            "[[joint]]\nname = \"hinge\"\nkind = \"pin\"\nfrom = \"ground\"\nto = { body = \"arm\", at = [-0.5, 0] }\n"
            "[[joint]]\nname = \"drive\"\nkind = \"motion\"\njoint = \"hinge\"\nvalue = \"0.7*t + 0.3*sin(6*t)\"\n"
            + std::string(beside
                              ? "[[body]]\nname = \"bob\"\nkind = \"point\"\nmass = 1\nx = 4\ny = -9\n[[joint]]\nname = "
                                "\"rod\"\nkind = \"rod\"\nfrom = { body = \"ground\", at = [4, 0] }\nto = \"bob\"\nlength = 9\n"
                              : "")
            + "[[force]]\nkind = \"gravity\"\nacceleration = 9.81\n";
        for (const double tolerance : {1e-4, 1e-7}) {
            RunSettings s;
            s.formulation = formulation.toStdString();
            s.integrator = integrator.toStdString();
            s.options.relativeTolerance = tolerance;
            const auto run = runOf(text, s);
            run->advanceTo(3);
            QVERIFY2(!run->failed(), run->failed() ? run->status().diagnostic->text().c_str() : "");
            double worst = 0;
            const auto json = nlohmann::json::parse(runJson(*run, 301));
            for (const auto& row : json.at("samples")) {
                const double t = row["t"].get<double>();
                worst = std::max(worst, std::abs(row["arm.angle"].get<double>() - (0.7 * t + 0.3 * std::sin(6 * t))));
            }
            // Ten tolerances of an angle of 2 and, where the curvature grows within two steps, some sixteen times that.
            QVERIFY2(worst < 320 * tolerance, qPrintable(QString("%1 at %2").arg(worst).arg(tolerance)));
        }
    }

    /// A point that is led away pulls another one by a string: at rest nothing else keeps a step short.
    void aPrescribedMotionMeetsItsEvents()
    {
        const std::string text = "format = 1\nbody = [{ name = \"a\", kind = \"point\", mass = 1, x = 0 }, { name = \"b\", "
                                 "kind = \"point\", mass = 1, x = "
                                 "0 }]\njoint = [{ name = \"r\", kind = \"slider\", from = \"ground\", to = \"a\" }, { name = "
                                 "\"r2\", kind = \"slider\", from "
                                 "= \"ground\", to = \"b\" }, { name = \"m\", kind = \"motion\", joint = \"r\", value = "
                                 "\"1-cos(t)\" }, { name = \"s\", kind = "
                                 "\"string\", from = \"b\", to = \"a\", length = 1.5 }]\n";
        const double caught = std::acos(-0.5), speed = std::sin(caught); // plastic: b takes the speed of a
        for (const char* method : {"radau", "dop853", "dormand-prince", "bogacki-shampine", "esdirk-43", "ida"}) {
            RunSettings s;
            s.formulation = "dummy-derivatives";
            s.integrator = method;
            const auto run = runOf(text, s);
            run->advanceTo(4);
            QVERIFY2(!run->failed(), method);
            const auto events = run->events();
            const auto impact = std::ranges::find_if(events, [](const Event& e) { return e.as<ImpactEvent>() != nullptr; });
            QVERIFY2(impact != events.end(), method);
            QVERIFY2(std::abs(impact->t - caught) < 1e-4, method);
            for (const auto& [name, value] : run->namedState())
                if (name == "b.x")
                    QVERIFY2(std::abs(value - speed * (4 - caught)) < 1e-4, method);
        }
    }

    void outputsStandInJsonAndTables()
    {
        const auto r = runOf(pushed("[[input]]\nname = \"u\"\nvalue = \"6*t\"\n")
                                 + "[[output]]\nname = \"square\"\nvalue = \"cart.x^2\"\n[[output]]\nname = \"root\"\n"
                                   "value = \"sqrt(0.5 - t)\"\n",
                             settings("index-1", "rk4", 0.25));
        QVERIFY(r->advanceTo(1));
        const auto json = nlohmann::json::parse(runJson(*r, 3));
        QVERIFY(std::abs(json.at("outputs").at("push").get<double>() - 6) < kRoundoff);
        QVERIFY(std::abs(json.at("outputs").at("square").get<double>() - 1) < kRoundoff);
        QVERIFY(json.at("outputs").at("root").is_null()); // left its domain: nobody's failure
        QVERIFY(std::abs(json.at("samples").at(1).at("push").get<double>() - 3) < kRoundoff);
        std::ostringstream table;
        writeCsvHead(table, r->recording());
        QVERIFY(QString::fromStdString(table.str()).trimmed().endsWith("push,jolt,square,root"));
        const auto again = readReport(nlohmann::ordered_json::parse(runJson(*r)));
        QCOMPARE(again.outputs.size(), std::size_t{4});
    }
};

QTEST_APPLESS_MAIN(TestInputs)
#include "test_inputs.moc"
