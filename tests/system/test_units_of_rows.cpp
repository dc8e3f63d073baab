// Rank has no unit: which rows follow from others does not change with the size of the mechanism. Plane mechanisms of several
// parts, drawn, at scales from nanometres to thousands of kilometres.
#include <QtTest>

#include <cmath>
#include <set>
#include <string>

#include "core/mechanism/ReadModel.h"
#include "core/system/Model.h"
#include "core/text/Numbers.h"
#include "tests/support/Draw.h"

using namespace driftless;

namespace {

/// Rows in metres, in square metres and in radians, in any mixture; some parts carry one joint twice.
class Parts {
public:
    Parts(std::uint64_t seed, double scale) : draw_(seed), scale_(scale)
    {
        text_ = "format = 1\n";
        const int count = draw_.upTo(1, 4);
        for (int k = 0; k < count; ++k)
            part("p" + std::to_string(k));
    }
    const std::string& text() const { return text_; }
    int twice() const { return twice_; }

private:
    std::string length(double x) const { return text::exact(x * scale_); }
    std::string place(double x, double y) const { return "[" + length(x) + ", " + length(y) + "]"; }
    double coordinate() { return draw_.decimal(-2, 2); }

    void point(const std::string& name, double x, double y)
    {
        text_ +=
            "[[body]]\nname = \"" + name + "\"\nkind = \"point\"\nmass = 0.7\nx = " + length(x) + "\ny = " + length(y) + "\n";
    }
    void rigid(const std::string& name, double x, double y, double angle)
    {
        text_ += "[[body]]\nname = \"" + name
                 + "\"\nkind = \"rigid\"\nmass = 0.7\ninertia = " + text::exact(0.1 * scale_ * scale_) + "\nx = " + length(x)
                 + "\ny = " + length(y) + "\nangle = " + text::exact(angle) + "\n";
    }
    void joint(const std::string& name, const std::string& rest)
    {
        text_ += "[[joint]]\nname = \"" + name + "\"\n" + rest + "\n";
        if (draw_.chance(0.25)) {
            text_ += "[[joint]]\nname = \"" + name + "_again\"\n" + rest + "\n";
            ++twice_;
        }
    }
    static std::string ends(const std::string& from, const std::string& to) { return "from = " + from + "\nto = " + to + "\n"; }
    std::string ground(double x, double y) const { return "{ body = \"ground\", at = " + place(x, y) + " }"; }

    void part(const std::string& name)
    {
        const double x = coordinate(), y = coordinate(), l = draw_.decimal(0.3, 2), a = draw_.decimal(-3, 3);
        const double px = x + l * std::cos(a), py = y + l * std::sin(a);
        switch (draw_.upTo(0, 3)) {
        case 0: // a bob on a rod
            point(name, px, py);
            joint(name + "_rod", "kind = \"rod\"\n" + ends(ground(x, y), "\"" + name + "\"") + "length = " + length(l));
            break;
        case 1: { // a block on a rail, turned
            const double turn = draw_.decimal(-2, 2);
            rigid(name, px, py, turn);
            joint(name + "_rail", "kind = \"slider\"\n" + ends(ground(x, y), "\"" + name + "\"") + "angle = " + text::exact(a)
                                      + "\nturn = " + text::exact(turn));
            break;
        }
        case 2: // a bar on a hinge away from its centre
            rigid(name, px, py, a);
            joint(name + "_hinge",
                  "kind = \"pin\"\n" + ends(ground(x, y), "{ body = \"" + name + "\", at = " + place(-l, 0) + " }"));
            break;
        default: // two bobs, one after the other
            point(name + "a", px, py);
            point(name + "b", px + l, py);
            joint(name + "_first", "kind = \"rod\"\n" + ends(ground(x, y), "\"" + name + "a\"") + "length = " + length(l));
            joint(name + "_second",
                  "kind = \"rod\"\n" + ends("\"" + name + "a\"", "\"" + name + "b\"") + "length = " + length(l));
        }
    }

    test::Draw draw_;
    double scale_;
    std::string text_;
    int twice_ = 0;
};

} // namespace

class TestUnitsOfRows : public QObject {
    Q_OBJECT

private slots:
    void noRowIsSetAsideForItsUnit()
    {
        const std::uint64_t seed = test::seedOr(1);
        for (int i = 0, count = test::countOr(25); i < count; ++i)
            for (int power = -9; power <= 6; power += 3) {
                const Parts drawn(seed + static_cast<std::uint64_t>(i), std::pow(10, power));
                const std::string told = "seed " + std::to_string(seed + static_cast<std::uint64_t>(i)) + ", 1e"
                                         + std::to_string(power) + " m\n" + drawn.text();
                const auto model = model::readModel(drawn.text(), "drawn.toml");
                QVERIFY2(model.ok(), told.c_str());
                std::set<std::string> joints;
                for (const auto& row : (*model)->system.dependent)
                    joints.insert(row.constraint.joint);
                QVERIFY2(static_cast<int>(joints.size()) == drawn.twice(), told.c_str());
                for (const std::string& joint : joints)
                    QVERIFY2(joint.ends_with("_again"), (joint + ", " + told).c_str());
            }
    }
};

QTEST_APPLESS_MAIN(TestUnitsOfRows)
#include "test_units_of_rows.moc"
