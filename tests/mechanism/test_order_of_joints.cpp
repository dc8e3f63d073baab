// Joints that act in other joints, in any order of their tables: the equations are those of the file in which each stands below
// the joint that it names.
#include <QtTest>

#include <cstdio>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/expr/Print.h"
#include "core/mechanism/ReadModel.h"
#include "tests/support/Draw.h"

using namespace driftless;
using namespace driftless::model;
using driftless::test::Draw;

namespace {

const char* const kBodies = R"toml(
[[body]]
name = "arm"
kind = "rigid"
mass = 2
inertia = 0.3

[[body]]
name = "block"
kind = "rigid"
mass = 1
inertia = 0.1

[[body]]
name = "wheel"
kind = "rigid"
mass = 1
inertia = 0.2
)toml";

const char* const kForces = R"toml(
[[force]]
name = "damper"
kind = "joint-friction"
joint = "hub"
coefficient = 0.1

[[force]]
name = "motor"
kind = "actuator"
joint = "guide"
effort = "sin(t)"
)toml";

const char* const kOutputs = R"toml(
[[output]]
name = "way"
kind = "displacement"
joint = "guide"
)toml";

/// Each names none or one above it.
const std::vector<std::string> kJoints = {
    "name = \"hub\"\nkind = \"pin\"\nfrom = \"ground\"\nto = { body = \"arm\", at = [-0.5, 0] }\n",
    "name = \"guide\"\nkind = \"slider\"\nfrom = { body = \"arm\", at = [0.1, 0] }\nto = \"block\"\nangle = 0.2\n",
    "name = \"axle\"\nkind = \"pin\"\nfrom = { body = \"ground\", at = [2, 0] }\nto = \"wheel\"\n",
    "name = \"ends\"\nkind = \"stop\"\njoint = \"guide\"\nlower = -1\nupper = 1\n",
    "name = \"rub\"\nkind = \"dry-friction\"\njoint = \"hub\"\nsticking = 2\n",
    "name = \"pawl\"\nkind = \"ratchet\"\njoint = \"hub\"\n",
    "name = \"drive\"\nkind = \"motion\"\njoint = \"axle\"\nvalue = \"2*t\"\n",
};

std::string fileOf(const std::vector<std::string>& joints, bool forcesFirst)
{
    std::string out = "format = 1\n";
    out += forcesFirst ? std::string(kForces) + kOutputs : std::string();
    for (const std::string& joint : joints)
        out += "\n[[joint]]\n" + joint;
    out += kBodies;
    return out + (forcesFirst ? std::string() : std::string(kForces) + kOutputs);
}

/// Rows, forces and outputs by their names, printed.
std::map<std::string, std::string> equationsOf(const Model& model)
{
    std::map<std::string, std::string> out;
    const ConstrainedSystem& s = model.system;
    for (const Constraint& c : s.constraints)
        out[c.name] = expr::print(c.g);
    for (const OneSided& row : s.oneSided)
        out[row.row.name] = expr::print(row.row.g) + " up to " + expr::print(row.limit);
    for (std::size_t i = 0; i < s.force.size(); ++i)
        out["f " + s.coordinates[i].name] = expr::print(s.force[i]);
    for (const Output& o : s.outputs)
        out["output " + o.name] = expr::print(o.value);
    return out;
}

} // namespace

class TestOrderOfJoints : public QObject {
    Q_OBJECT
private slots:
    void joints_inAnyOrder_haveTheSameEquations()
    {
        const auto ordered = readModel(fileOf(kJoints, false), "ordered.toml");
        QVERIFY2(ordered, ordered ? "" : ordered.error().text().c_str());
        const auto known = equationsOf(**ordered);
        QVERIFY(known.contains("ends.upper") && known.contains("drive") && known.contains("output way"));
        const std::uint64_t seed = test::seedOr(63'001);
        std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
        for (int k = 0; k < test::countOr(60); ++k) {
            Draw draw(seed + static_cast<std::uint64_t>(k));
            std::vector<std::string> joints = kJoints;
            for (std::size_t i = joints.size(); i > 1; --i)
                std::swap(joints[i - 1], joints[static_cast<std::size_t>(draw.upTo(0, static_cast<int>(i) - 1))]);
            const std::string text = fileOf(joints, draw.chance(0.5));
            const auto model = readModel(text, "drawn.toml");
            QVERIFY2(model, (model ? std::string() : model.error().text() + "\n" + text).c_str());
            QVERIFY2(equationsOf(**model) == known, text.c_str());
        }
    }
};

QTEST_GUILESS_MAIN(TestOrderOfJoints)
#include "test_order_of_joints.moc"
