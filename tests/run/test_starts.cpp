// What is fixed at the start beside coordinates: of mechanisms and of equations; and the doctor of equations.
#include <QtTest>

#include <cmath>
#include <functional>

#include "core/reduction/Reduced.h"
#include "core/run/ValueDoctor.h"
#include "tests/run/RunFixture.h"
#include "tests/support/Draw.h"

using namespace driftless;
using namespace driftless::run;
using namespace driftless::test;

namespace {

/// Consistent values are solved for until the corrections are round-off: 1e-10 is far above that.
constexpr double kSolved = 1e-10;

const char* const kCrank = R"(format = 1
[[body]]
name = "crank"
kind = "rigid"
mass = 1
inertia = 0.1
x = { start = 0.5 }
[[body]]
name = "arm"
kind = "rigid"
mass = 1
inertia = 0.1
x = { start = 1.5 }
[[joint]]
name = "hinge"
kind = "pin"
from = "ground"
to = { body = "crank", at = [-0.5, 0] }
[[joint]]
name = "elbow"
kind = "pin"
from = { body = "crank", at = [0.5, 0] }
to = { body = "arm", at = [-0.5, 0] }
)";

std::shared_ptr<const model::CompiledSystem> systemOf(const std::string& text, const std::string& file)
{
    const auto model = reduction::readModel(text, file);
    if (!model)
        qFatal("%s", model.error().text().c_str());
    return *model::CompiledSystem::compile(*model);
}

std::unique_ptr<Run> runOf(const std::string& text, const StartSettings& start = {}, const std::string& file = "mine.toml")
{
    const char* const form = file.ends_with(".mo") ? "dummy-derivatives" : "index-1";
    auto made = Run::create(systemOf(text, file), start, settings(form, "rk4", 0.1));
    if (!made)
        qFatal("%s", made.error().text().c_str());
    return std::move(*made);
}

bool near(double a, double b) { return std::abs(a - b) < kSolved; }

} // namespace

class TestStarts : public QObject {
    Q_OBJECT
private slots:
    void jointsPointsAndRelationsAreMet()
    {
        const auto r = runOf(std::string(kCrank)
                             + "[[start]]\njoint = \"hinge\"\nvalue = 0.3\nrate = 2\n"
                               "[[start]]\npoint = { body = \"arm\", at = [0.5, 0] }\ny = 0.9\n"
                               "[[start]]\nvelocity = \"crank.angle' + arm.angle'\"\n");
        const double crank = valueOf(*r, "crank.angle"), arm = valueOf(*r, "arm.angle");
        QVERIFY(near(crank, 0.3));
        QVERIFY(near(std::sin(crank) + std::sin(arm), 0.9));
        QVERIFY(near(valueOf(*r, "crank.x"), 0.5 * std::cos(0.3)));
        QVERIFY(near(valueOf(*r, "crank.angle'"), 2));
        QVERIFY(near(valueOf(*r, "arm.angle'"), -2));
        QVERIFY(near(valueOf(*r, "crank.y'"), 0.5 * std::cos(0.3) * 2));
    }

    void positionsThatAreRelatedAreMet()
    {
        const auto r = runOf(std::string(kCrank) + "[[start]]\nposition = \"arm.angle - 2*crank.angle - 0.4\"\n");
        QVERIFY(near(valueOf(*r, "arm.angle"), 2 * valueOf(*r, "crank.angle") + 0.4));
    }

    /// Only the start: the rate is free to change at once.
    void nothingIsFixedLater()
    {
        const auto r = runOf(std::string(kCrank)
                             + "[[force]]\nkind = \"gravity\"\nacceleration = 9.81\n"
                               "[[start]]\njoint = \"hinge\"\nvalue = 0.3\nrate = 0\n");
        QVERIFY(r->advanceTo(0.3));
        QVERIFY(std::abs(valueOf(*r, "crank.angle'")) > 0.1);
    }

    void whatIsSetByHandTakesTheirPlace()
    {
        StartSettings start;
        start.values = {{"crank.angle", 0.7}};
        const auto r = runOf(std::string(kCrank) + "[[start]]\njoint = \"hinge\"\nvalue = 0.3\n", start);
        QVERIFY(near(valueOf(*r, "crank.angle"), 0.7));
    }

    void angularVelocitiesAreAlongTheBodysAxes()
    {
        const auto r = runOf("format = 1\ndimensions = 3\n[[body]]\nname = \"top\"\nkind = \"rigid\"\nmass = 1\n"
                             "inertia = [0.1, 0.2, 0.3]\nturn = { axis = [1, 0, 0], angle = 0.5 }\n"
                             "[[start]]\nbody = \"top\"\nangular_velocity = [1, 0, 4]\n");
        double e[4], rate[4];
        for (int k = 0; k < 4; ++k) {
            e[k] = valueOf(*r, "top.e" + std::to_string(k));
            rate[k] = valueOf(*r, "top.e" + std::to_string(k) + "'");
        }
        // w' = 2 G(e) e'
        QVERIFY(near(2 * (-e[1] * rate[0] + e[0] * rate[1] + e[3] * rate[2] - e[2] * rate[3]), 1));
        QVERIFY(near(2 * (-e[2] * rate[0] - e[3] * rate[1] + e[0] * rate[2] + e[1] * rate[3]), 0));
        QVERIFY(near(2 * (-e[3] * rate[0] + e[2] * rate[1] - e[1] * rate[2] + e[0] * rate[3]), 4));
    }

    void conflictsAndSlipsAreRefused_data()
    {
        QTest::addColumn<QString>("start");
        QTest::addColumn<QString>("said");
        QTest::newRow("conflict") << "[[start]]\npoint = { body = \"crank\", at = [0.5, 0] }\nx = 3\n"
                                  << "";
        QTest::newRow("nothing") << "[[start]]\nname = \"a\"\n"
                                 << "fixes nothing";
        QTest::newRow("two kinds") << "[[start]]\njoint = \"hinge\"\nvalue = 1\nposition = \"arm.angle\"\n"
                                   << "two kinds";
        QTest::newRow("no value") << "[[start]]\njoint = \"hinge\"\n"
                                  << "Nothing of the joint";
        QTest::newRow("slides") << "[[start]]\njoint = \"hinge\"\nvalue = 1\nof = \"displacement\"\n"
                                << "has no displacement";
        QTest::newRow("quadratic") << "[[start]]\nvelocity = \"arm.angle'^2 - 1\"\n"
                                   << "not linear";
        QTest::newRow("constant") << "[[start]]\nposition = \"1\"\n"
                                  << "fixes nothing";
        QTest::newRow("velocity among positions") << "[[start]]\nposition = \"arm.angle'\"\n"
                                                  << "arm.angle";
        QTest::newRow("unknown joint") << "[[start]]\njoint = \"hings\"\nvalue = 1\n"
                                       << "did you mean \"hinge\"?";
        QTest::newRow("ground") << "[[start]]\npoint = \"ground\"\nx = 1\n"
                                << "does not move";
        QTest::newRow("depth") << "[[start]]\npoint = \"arm\"\nx = 1\nz = 1\n"
                               << "no meaning";
    }

    void conflictsAndSlipsAreRefused()
    {
        QFETCH(QString, start);
        QFETCH(QString, said);
        const auto model = reduction::readModel(kCrank + start.toStdString(), "mine.toml");
        if (!model) {
            QVERIFY2(!said.isEmpty() && QString::fromStdString(model.error().text()).contains(said),
                     model.error().text().c_str());
            return;
        }
        QVERIFY2(said.isEmpty(), "it is read"); // only the conflict shows in numbers
        const auto made = Run::create(*model::CompiledSystem::compile(*model), {}, settings("index-1", "rk4", 0.1));
        QVERIFY(!made);
        QVERIFY(!made.error().what.empty());
    }

    /// A resting start: der(x) = 0 decides x.
    void initialEquationsAreMetAtTheStartAlone()
    {
        const std::string text =
            "model m\n  Real x(start = 9), y;\ninitial equation\n  der(x) = 0;\nequation\n  der(x) = 2 - x + "
            "time;\n  y = x^2;\nend m;\n";
        const auto r = runOf(text, {}, "m.mo");
        QVERIFY(near(valueOf(*r, "x"), 2));
        QVERIFY(near(valueOf(*r, "y"), 4));
        QVERIFY(r->advanceTo(1)); // x = 1 + t + e^-t; rk4 with h = 0.1 errs by h^4 / 120 at most
        QVERIFY(std::abs(valueOf(*r, "x") - (2 + std::exp(-1))) < 1e-6);
        StartSettings start;
        start.values = {{"x", 5}};
        QVERIFY(near(valueOf(*runOf(text, start, "m.mo"), "x"), 5));
    }

    /// y is stated, x is not, and zero is a bad guess of it: the equation has no slope there, or no value.
    void whatIsNotStatedIsGuessedElsewhereThanAtZero()
    {
        const std::uint64_t seed = seedOr(80);
        for (int k = 0, count = countOr(200); k < count; ++k) {
            const std::uint64_t own = seed + static_cast<std::uint64_t>(k);
            Draw draw(own);
            const double y = draw.decimal(0.2, 5), c = draw.decimal(0.5, 8);
            const std::string number = std::to_string(c);
            struct Equation {
                std::string text;
                std::function<double(double)> misses; ///< of x
            };
            const Equation equations[] = {
                {"x^2 = y + " + number, [=](double x) { return x * x - y - c; }},
                {"x^3 = y + " + number, [=](double x) { return x * x * x - y - c; }},
                {"x^4 + x^2 = y*" + number, [=](double x) { return x * x * x * x + x * x - y * c; }},
                {"y/x = " + number, [=](double x) { return y / x - c; }},
                {"log(x) = y - " + number, [=](double x) { return std::log(x) - y + c; }},
                {"cos(x) = y/" + std::to_string(10 * c), [=](double x) { return std::cos(x) - y / (10 * c); }},
                {"x*abs(x) = -y - " + number, [=](double x) { return x * std::abs(x) + y + c; }}};
            const Equation& equation = draw.among(equations);
            const char* const states[] = {"start", "fixed = true, start"};
            const std::string text = std::string("model m\n  Real y(") + draw.among(states) + " = " + std::to_string(y)
                                     + "), x;\nequation\n  der(y) = -y;\n  " + equation.text + ";\nend m;\n";
            const auto made = Run::create(systemOf(text, "m.mo"), {}, settings("dummy-derivatives", "radau", 0));
            QVERIFY2(made, (std::to_string(own) + "\n" + text + (made ? "" : made.error().text())).c_str());
            const double x = valueOf(**made, "x");
            QVERIFY2(near(valueOf(**made, "y"), y) && std::abs(equation.misses(x)) < kSolved * (1 + y + c),
                     (std::to_string(own) + "\n" + text + "x = " + std::to_string(x)).c_str());
        }
    }

    /// Pendulums of which x alone is stated hang or stand there, and are at rest, as oscillators beside them are.
    void whatIsNotStatedRests()
    {
        const std::uint64_t seed = seedOr(81);
        for (int k = 0, count = countOr(60); k < count; ++k) {
            const std::uint64_t own = seed + static_cast<std::uint64_t>(k);
            Draw draw(own);
            const int pendulums = draw.upTo(1, 4), oscillators = draw.upTo(0, 5);
            std::string declared, equations;
            std::vector<double> x;
            for (int i = 0; i < pendulums; ++i) {
                const std::string n = std::to_string(i);
                const char* const state = draw.chance(0.5) ? "start" : "fixed = true, start";
                x.push_back(draw.chance(0.2) ? 0 : draw.decimal(-0.95, 0.95));
                declared += "  Real u" + n + ", x" + n + "(" + state + " = " + std::to_string(x.back()) + "), v" + n + ", y" + n
                            + ", lambda" + n + ";\n";
                equations += "  der(x" + n + ") = u" + n + ";\n  der(y" + n + ") = v" + n + ";\n  der(u" + n + ") = -lambda" + n
                             + "*x" + n + ";\n  der(v" + n + ") = -lambda" + n + "*y" + n + " - 9.81;\n  x" + n + "^2 + y" + n
                             + "^2 = 1;\n";
            }
            for (int i = 0; i < oscillators; ++i) {
                const std::string n = std::to_string(i);
                declared += "  Real w" + n + ", z" + n + ";\n";
                equations += "  der(w" + n + ") = -z" + n + ";\n  der(z" + n + ") = w" + n + ";\n";
            }
            const std::string text = "model m\n" + declared + "equation\n" + equations + "end m;\n";
            const auto r = runOf(text, {}, "m.mo");
            const QByteArray what = (std::to_string(own) + "\n" + text).c_str();
            for (int i = 0; i < pendulums; ++i) {
                const std::string n = std::to_string(i);
                const double at = x[static_cast<std::size_t>(i)];
                QVERIFY2(near(valueOf(*r, "x" + n), at), what);
                QVERIFY2(near(std::abs(valueOf(*r, "y" + n)), std::sqrt(1 - at * at)), what);
                QVERIFY2(near(valueOf(*r, "u" + n), 0) && near(valueOf(*r, "v" + n), 0), what);
            }
            for (int i = 0; i < oscillators; ++i)
                QVERIFY2(valueOf(*r, "w" + std::to_string(i)) == 0 && valueOf(*r, "z" + std::to_string(i)) == 0, what);
        }
    }

    /// An Integer has no value before the start has given it one.
    void whatIsWholeIsSetBeforeEquationsAreSolved_data()
    {
        QTest::addColumn<QString>("sets");
        QTest::addColumn<double>("n");
        QTest::newRow("equation") << "n = if b then 3 else 2;" << 2.0;
        QTest::newRow("initial()") << "when initial() then n = 5; end when;" << 5.0;
        QTest::newRow("condition") << "when x < 0.5 then n = 4; end when;" << 0.0;
    }
    void whatIsWholeIsSetBeforeEquationsAreSolved()
    {
        QFETCH(QString, sets);
        QFETCH(double, n);
        const std::string text =
            "model m\n  Real x(start = 0, fixed = true);\n  Boolean b;\n  Integer n;\nequation\n  der(x) = 1/n;\n  b = x > "
            "0.5;\n  "
            + sets.toStdString() + "\nend m;\n";
        const auto made = Run::create(systemOf(text, "m.mo"), {}, settings("dummy-derivatives", "radau", 0));
        if (n == 0) { // a condition that holds from the start on has not come to hold
            QVERIFY(!made && made.error().text().find("division by zero") != std::string::npos);
            return;
        }
        QVERIFY2(made, made ? "" : made.error().text().c_str());
        QVERIFY(near(valueOf(**made, "n"), n));
        QVERIFY((*made)->advanceTo(0.5));
        QVERIFY(near(valueOf(**made, "x"), 0.5 / n));
    }

    void theDoctorSaysWhatIsFreeAndWhatStandsAgainstAStart()
    {
        const std::string text =
            "model m\n  Real x(start = 1, fixed = true), y(start = 3, fixed = FIXED), z;\nequation\n  der(x) = -y;\n"
            "  y = x^2;\n  z = x + y;\nend m;\n";
        const auto with = [&](const char* fixed) { return QString::fromStdString(text).replace("FIXED", fixed).toStdString(); };
        const auto sound = systemOf(with("false"), "m.mo");
        const auto found = diagnoseValues(sound, sound->defaultParameters(), {});
        QVERIFY(!found.conflict);
        QCOMPARE(found.positionFreedom, 1);
        QCOMPARE(found.independent.size(), std::size_t{1});
        QVERIFY(found.position.before > 1 && found.position.after < kSolved);
        for (const auto& value : found.positions)
            if (value.name == "y") {
                QCOMPARE(value.before, 3.0);
                QVERIFY(near(value.after, 1));
            }
        const auto bad = systemOf(with("true"), "m.mo");
        const auto conflict = diagnoseValues(bad, bad->defaultParameters(), {});
        QVERIFY(conflict.conflict);
        QVERIFY2(conflict.conflict->where.find("eq2") != std::string::npos, conflict.conflict->text().c_str());
        QVERIFY(conflict.conflict->why.find("y") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestStarts)
#include "test_starts.moc"
