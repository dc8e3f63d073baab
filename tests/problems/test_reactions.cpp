// The forces of all joints of a body, as outputs give them, are what its acceleration asks for beside its weight: m (a - g), by
// Newton, whatever the joints are. Drawn: one body held by any joints of the plane and of space, driven or not.
#include <QtTest>

#include <array>
#include <cmath>
#include <map>
#include <string>

#include "core/mechanism/ReadModel.h"
#include "core/run/Run.h"
#include "core/run/RunReport.h"
#include "core/text/Numbers.h"
#include "tests/support/Draw.h"

using namespace driftless;

namespace {

struct Drawn {
    std::string text;
    std::vector<std::string> joints;
    double mass, gravity;
    bool space;

    explicit Drawn(test::Draw& draw) : mass(draw.decimal(0.5, 3)), gravity(draw.decimal(1, 10)), space(draw.chance(0.6))
    {
        const auto number = [&draw](double low, double high) { return text::exact(draw.decimal(low, high)); };
        text = "format = 1\n" + std::string(space ? "dimensions = 3\n" : "")
               + "[[body]]\nname = \"b\"\nkind = \"rigid\"\nmass = " + text::exact(mass)
               + "\ninertia = " + (space ? "[0.3, 0.4, 0.5]" : "0.4")
               + "\n[[force]]\nkind = \"gravity\"\nacceleration = " + text::exact(gravity) + "\n";
        const std::array<const char*, 7> ofSpace{"screw", "cylindrical", "prismatic", "revolute", "spherical", "planar", "rod"};
        const std::array<const char*, 3> ofPlane{"slider", "pin", "rod"};
        const std::string kind = space ? draw.among(ofSpace) : draw.among(ofPlane);
        const bool turned = draw.chance(0.5); // which end is the ground
        const std::string arm = space ? "[0.2, 0.1, -0.1]" : "[0.2, 0.1]", body = "{ body = \"b\", at = " + arm + " }",
                          ground = kind == "rod" ? std::string("{ body = \"ground\", at = ")
                                                       + (space ? "[1, 0.5, 0.2]" : "[1, 0.5]") + " }"
                                                 : "\"ground\"";
        text += "[[joint]]\nname = \"j\"\nkind = \"" + kind + "\"\nfrom = " + (turned ? body : ground)
                + "\nto = " + (turned ? ground : body) + "\n";
        if (space && kind != "spherical" && kind != "rod")
            text += "axis = [" + number(-1, 1) + ", " + number(-1, 1) + ", 1]\n";
        if (kind == "screw")
            text += "lead = " + number(0.1, 0.8) + "\n";
        if (kind == "rod")
            text += "length = " + number(0.6, 1.2) + "\n";
        if (kind == "slider")
            text += "angle = " + number(-2, 2) + "\n";
        joints.push_back("j");
        if ((kind == "slider" || kind == "prismatic" || kind == "cylindrical" || kind == "pin" || kind == "revolute")
            && draw.chance(0.6)) {
            text += "[[joint]]\nname = \"drive\"\nkind = \"motion\"\njoint = \"j\"\nvalue = \"0.3*sin(2*t)\"\n";
            if (kind == "cylindrical")
                text += std::string("of = ") + (draw.chance(0.7) ? "\"displacement\"\n" : "\"angle\"\n");
            joints.push_back("drive");
        }
        if (draw.chance(0.3)) { // one more rod, whose length moves
            text += "[[joint]]\nname = \"again\"\nkind = \"rod\"\nfrom = " + std::string("{ body = \"ground\", at = ")
                    + (space ? "[-1, 0.5, 0.4]" : "[-1, 0.5]") + " }\nto = " + body + "\nlength = \"1.1 + 0.1*sin(t)\"\n";
            joints.push_back("again");
        }
        text += "[[output]]\nname = \"a\"\nkind = \"acceleration\"\npoint = \"b\"\n";
        for (const std::string& joint : joints)
            text += "[[output]]\nname = \"r_" + joint + "\"\nkind = \"reaction\"\njoint = \"" + joint + "\"\n";
    }
};

} // namespace

class TestReactions : public QObject {
    Q_OBJECT

private slots:
    void theyAreWhatNewtonAsksFor()
    {
        const std::uint64_t seed = test::seedOr(1);
        int judged = 0;
        for (int i = 0, count = test::countOr(60); i < count; ++i) {
            test::Draw draw(seed + static_cast<std::uint64_t>(i));
            const Drawn drawn(draw);
            const std::string told = "seed " + std::to_string(seed + static_cast<std::uint64_t>(i)) + "\n" + drawn.text;
            const auto model = model::readModel(drawn.text, "drawn.toml");
            QVERIFY2(model.ok(), (told + (model ? "" : model.error().text())).c_str());
            const auto system = model::CompiledSystem::compile(*model);
            QVERIFY2(system.ok(), told.c_str());
            run::RunSettings s;
            s.formulation = "index-1";
            s.integrator = "dop853";
            s.options.relativeTolerance = s.options.absoluteTolerance = 1e-9;
            auto made = run::Run::create(*system, {}, s);
            if (!made)
                continue; // what is drawn cannot be assembled, or is held fast
            (*made)->advanceTo(0.3);
            if ((*made)->failed())
                continue;
            std::map<std::string, double> outputs;
            const run::RunReport report = run::reportOf(**made);
            for (const auto& [name, value] : report.outputs)
                outputs[name] = value;
            for (const std::string part : {".x", ".y", ".z"}) {
                if (part == ".z" && !drawn.space)
                    continue;
                const bool up = part == (drawn.space ? ".z" : ".y");
                double sum = -drawn.mass * (outputs.at("a" + part) + (up ? drawn.gravity : 0)), size = std::abs(sum);
                for (const std::string& joint : drawn.joints) {
                    const double force = outputs.at("r_" + joint + part);
                    sum += force;
                    size += std::abs(force);
                }
                // Accelerations and multipliers solve one linear system: they agree to its round-off.
                QVERIFY2(std::abs(sum) < 1e-8 * (1 + size), (told + part + " is off by " + text::exact(sum)).c_str());
            }
            ++judged;
        }
        qInfo("%d judged", judged);
        QVERIFY(judged > test::countOr(60) / 3);
    }
};

QTEST_APPLESS_MAIN(TestReactions)
#include "test_reactions.moc"
