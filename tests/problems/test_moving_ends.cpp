// Force elements whose ends move with time alone: what the moving end does is work, and the energy balance holds. Drawn in the
// plane: springs, dampers, stated tensions, actuators, friction and torsional springs on bodies that are free, on rails that
// move, and on hinges that move.
#include <QtTest>

#include <array>
#include <cmath>
#include <string>

#include "core/mechanism/ReadModel.h"
#include "core/run/Run.h"
#include "core/run/RunReport.h"
#include "core/text/Numbers.h"
#include "tests/support/Draw.h"

using namespace driftless;

namespace {

class Drawn {
public:
    explicit Drawn(std::uint64_t seed) : draw_(seed)
    {
        text_ = "format = 1\n";
        const int bodies = draw_.upTo(1, 2);
        for (int k = 0; k < bodies; ++k)
            body("b" + std::to_string(k));
        for (int k = draw_.upTo(1, 3); k > 0; --k)
            element(bodies);
        if (draw_.chance(0.4))
            text_ += "[[force]]\nkind = \"gravity\"\nacceleration = 2.5\n";
    }
    const std::string& text() const { return text_; }

private:
    std::string number(double low, double high) { return text::exact(draw_.decimal(low, high)); }
    /// A coordinate in metres that moves with t.
    std::string moving(double about)
    {
        return "\"" + text::exact(about) + " + " + number(0.1, 0.4) + "*sin(" + number(0.5, 3) + "*t + " + number(0, 3) + ")\"";
    }
    std::string ground(double x, double y) { return "{ body = \"ground\", at = [" + moving(x) + ", " + moving(y) + "] }"; }

    void body(const std::string& name)
    {
        const double x = draw_.decimal(-1, 1), y = draw_.decimal(-1, 1);
        text_ += "[[body]]\nname = \"" + name + "\"\nkind = \"rigid\"\nmass = " + number(0.5, 2) + "\ninertia = "
                 + number(0.1, 0.5) + "\nx = { start = " + text::exact(x) + " }\ny = { start = " + text::exact(y)
                 + " }\nangle = { start = " + number(-1, 1) + ", velocity = " + number(-1, 1) + " }\n";
        switch (draw_.upTo(0, 2)) {
        case 0: // free
            break;
        case 1:
            text_ += "[[joint]]\nname = \"" + name + "_rail\"\nkind = \"slider\"\nfrom = " + ground(x, y) + "\nto = \"" + name
                     + "\"\nangle = " + number(-3, 3) + "\n";
            sliders_.push_back(name + "_rail");
            break;
        default:
            text_ += "[[joint]]\nname = \"" + name + "_hinge\"\nkind = \"pin\"\nfrom = " + ground(x, y) + "\nto = { body = \""
                     + name + "\", at = [" + number(0.2, 0.5) + ", " + number(-0.3, 0.3) + "] }\n";
            hinges_.push_back(name + "_hinge");
        }
    }
    std::string end(int bodies)
    {
        return "{ body = \"b" + std::to_string(draw_.upTo(0, bodies - 1)) + "\", at = [" + number(-0.3, 0.3) + ", "
               + number(-0.3, 0.3) + "] }";
    }
    void element(int bodies)
    {
        const std::string force = "[[force]]\nkind = ";
        switch (draw_.upTo(0, 5)) {
        case 0:
            text_ += force + "\"spring-damper\"\nfrom = " + ground(2, 1) + "\nto = " + end(bodies)
                     + "\nstiffness = " + number(1, 9) + "\nlength = " + (draw_.chance(0.3) ? "0" : number(0.3, 1)) + "\n"
                     + (draw_.chance(0.5) ? "damping = " + number(0.1, 1) + "\n" : "");
            return;
        case 1:
            text_ += force + "\"spring-damper\"\nfrom = " + ground(-2, 1) + "\nto = " + end(bodies)
                     + "\nforce = \"3*(l - 1)^3 + 0.2*rate\"\n";
            return;
        case 2:
            text_ += force + "\"force\"\nbody = \"b0\"\nat = [" + number(-0.3, 0.3)
                     + ", 0.1]\nx = \"0.7*cos(t)\"\ny = " + number(-1, 1) + "\ntorque = 0.2\n";
            return;
        default:
            break;
        }
        const auto& joints = draw_.chance(0.6) && !sliders_.empty() ? sliders_ : hinges_;
        if (joints.empty())
            return;
        const std::string joint = "joint = \"" + draw_.among(joints) + "\"\n";
        switch (draw_.upTo(0, 2)) {
        case 0:
            text_ += force + "\"actuator\"\n" + joint + "effort = \"1 + sin(2*t)\"\n";
            return;
        case 1:
            text_ +=
                force + "\"joint-friction\"\n" + joint + "coefficient = " + number(0.1, 1) + "\ncoulomb = 0.3\nspeed = 0.5\n";
            return;
        default:
            if (&joints == &hinges_)
                text_ += force + "\"torsional-spring\"\n" + joint + "stiffness = " + number(0.5, 3) + "\ndamping = 0.1\n";
        }
    }

    test::Draw draw_;
    std::string text_;
    std::vector<std::string> sliders_, hinges_;
};

} // namespace

class TestMovingEnds : public QObject {
    Q_OBJECT

private slots:
    /// E - E0 = work along the motion: two quantities that know nothing of each other. At 1e-10 some thousand steps leave 1e-7.
    void whatAMovingEndDoesIsWork()
    {
        const std::uint64_t seed = test::seedOr(1);
        int judged = 0;
        for (int i = 0, count = test::countOr(40); i < count; ++i) {
            const Drawn drawn(seed + static_cast<std::uint64_t>(i));
            const std::string told = "seed " + std::to_string(seed + static_cast<std::uint64_t>(i)) + "\n" + drawn.text();
            const auto model = model::readModel(drawn.text(), "drawn.toml");
            QVERIFY2(model.ok(), (told + (model ? "" : model.error().text())).c_str());
            const auto system = model::CompiledSystem::compile(*model);
            QVERIFY2(system.ok(), told.c_str());
            run::RunSettings s;
            s.formulation = "projection";
            s.integrator = "dop853";
            s.options.relativeTolerance = s.options.absoluteTolerance = 1e-10;
            auto made = run::Run::create(*system, {}, s);
            QVERIFY2(made.ok(), told.c_str());
            (*made)->advanceTo(2);
            QVERIFY2(!(*made)->failed(), told.c_str());
            const run::RunReport report = run::reportOf(**made);
            const double size = 1 + std::abs(report.energy) + std::abs(report.energy - report.energyError);
            QVERIFY2(std::abs(report.energyError) < 1e-6 * size,
                     (told + "energy error " + text::exact(report.energyError) + " of " + text::exact(report.energy)).c_str());
            ++judged;
        }
        QVERIFY(judged > 0);
    }
};

QTEST_APPLESS_MAIN(TestMovingEnds)
#include "test_moving_ends.moc"
