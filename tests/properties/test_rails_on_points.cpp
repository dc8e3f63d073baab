// A rail on a point mass, drawn at random in the plane and in space: it keeps its direction on the ground, and what slides on
// it turns no more than the joint lets it. The same mechanism has a rigid body in place of the point mass, of whatever inertia,
// that something else keeps from turning: both move alike. And a rail of a body that slides on a point of the ground, which is
// one of the ground on which the body slides, as long as it does not turn.
#include <QtTest>

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "tests/properties/OneSidedWalk.h"

using namespace driftless;
using namespace driftless::test;

namespace {

constexpr double kAsked = 1e-6; ///< a few hundred steps, each errs by 1e-8
constexpr double kEnd = 1.5;

struct RailCase {
    std::string onPoint, onBody, held; ///< two files, and a row that both have; empty: the body may turn
    double angle = 0;                  ///< of the block in the plane, as long as it is held
    bool space = false;
};

std::string numberOf(double value)
{
    char text[40];
    std::snprintf(text, sizeof text, "%.17g", value);
    return text;
}

std::string listOf(std::initializer_list<double> values)
{
    std::string out;
    for (const double value : values)
        out += (out.empty() ? "[" : ", ") + numberOf(value);
    return out + "]";
}

std::string startOf(const char* name, double value) { return std::string(name) + " = { start = " + numberOf(value) + " }\n"; }

std::string body(const char* name, bool rigid, double mass, const std::string& inertia, std::initializer_list<double> at)
{
    std::string out = std::string("[[body]]\nname = \"") + name + "\"\nkind = \"" + (rigid ? "rigid" : "point")
                      + "\"\nmass = " + numberOf(mass) + '\n' + (rigid ? "inertia = " + inertia + '\n' : std::string());
    static constexpr const char* kNames[] = {"x", "y", "z"};
    std::size_t i = 0;
    for (const double value : at)
        out += startOf(kNames[i++], value);
    return out;
}

std::string spring(const char* to, const std::string& at, double stiffness, const std::string& ground)
{
    return "[[force]]\nkind = \"spring-damper\"\nfrom = { body = \"ground\", at = " + ground + " }\nto = "
           + (at.empty() ? '"' + std::string(to) + '"' : "{ body = \"" + std::string(to) + "\", at = " + at + " }")
           + "\nstiffness = " + numberOf(stiffness) + '\n';
}

/// A cart that flies, hangs on a rod or slides; a block on its rail, pulled at a corner.
RailCase drawnInPlane(Draw& draw)
{
    RailCase out;
    const double x = draw.decimal(-1, 1), y = draw.decimal(-1, 1), along = draw.decimal(-3, 3), s = draw.decimal(0.2, 1);
    const double u = draw.decimal(-0.3, 0.3), v = draw.decimal(-0.3, 0.3), mass = draw.decimal(0.5, 2);
    const int hangs = draw.upTo(0, 2);
    const bool slider = draw.chance(0.6), turns = slider && draw.chance(0.4), turned = draw.chance(0.7);
    out.angle = turned ? draw.decimal(-2, 2) : 0;
    out.held = turns ? "" : "rail.angle";
    const double c = std::cos(out.angle), d = std::sin(out.angle);
    const std::string block = body("block", true, draw.decimal(0.5, 2), numberOf(draw.decimal(0.05, 0.5)),
                                   {x + s * std::cos(along) - c * u + d * v, y + s * std::sin(along) - d * u - c * v})
                              + startOf("angle", out.angle);
    std::string more = std::string("[[joint]]\nname = \"rail\"\nkind = \"") + (slider ? "slider" : "prismatic")
                       + "\"\nfrom = \"cart\"\nto = { body = \"block\", at = " + listOf({u, v})
                       + " }\nangle = " + numberOf(along) + '\n';
    more += turned && !turns ? "turn = " + numberOf(out.angle) + '\n' : std::string();
    more += turns ? "turns = true\n" : "";
    if (hangs == 1)
        more += "[[joint]]\nname = \"rod\"\nkind = \"rod\"\nfrom = { body = \"ground\", at = " + listOf({x, y + 1})
                + " }\nto = \"cart\"\nlength = 1\n";
    if (hangs == 2)
        more += "[[joint]]\nname = \"way\"\nkind = \"slider\"\nfrom = { body = \"ground\", at = " + listOf({x, y})
                + " }\nto = \"cart\"\nturns = true\nangle = " + numberOf(draw.decimal(-3, 3)) + '\n';
    more += "[[force]]\nkind = \"gravity\"\nacceleration = 9.81\n"
            + spring("block", listOf({draw.decimal(-0.5, 0.5), draw.decimal(-0.5, 0.5)}), draw.decimal(2, 20),
                     listOf({draw.decimal(-1, 1), draw.decimal(-1, 1)}))
            + spring("cart", "", draw.decimal(2, 20), listOf({0, 0}));
    const std::string head = "format = 1\n";
    out.onPoint = head + body("cart", false, mass, "", {x, y}) + block + more;
    out.onBody = head + body("cart", true, mass, numberOf(draw.decimal(0.1, 5)), {x, y}) + block + more
                 + "[[joint]]\nname = \"upright\"\nkind = \"gear\"\nfrom = \"ground\"\nto = \"cart\"\nratio = 0\n";
    return out;
}

/// A block with its rail on a point of the ground, and the block on a rail of the ground.
RailCase drawnOnGround(Draw& draw)
{
    RailCase out;
    out.held = "rail.angle";
    out.angle = draw.decimal(-2, 2);
    const double along = draw.decimal(-3, 3), s = draw.decimal(-1, 1), u = draw.decimal(-0.3, 0.3), v = draw.decimal(-0.3, 0.3);
    const double x = draw.decimal(-1, 1), y = draw.decimal(-1, 1), c = std::cos(out.angle), d = std::sin(out.angle);
    const double way = along + out.angle; // of the rail on the ground
    const std::string block = "format = 1\n"
                              + body("block", true, draw.decimal(0.5, 2), numberOf(draw.decimal(0.05, 0.5)),
                                     {x + s * std::cos(way) - c * u + d * v, y + s * std::sin(way) - d * u - c * v})
                              + startOf("angle", out.angle);
    const std::string forces = "[[force]]\nkind = \"gravity\"\nacceleration = 9.81\n"
                               + spring("block", listOf({draw.decimal(-0.5, 0.5), draw.decimal(-0.5, 0.5)}),
                                        draw.decimal(2, 20), listOf({draw.decimal(-1, 1), draw.decimal(-1, 1)}));
    const std::string ground = "{ body = \"ground\", at = " + listOf({x, y}) + " }\n",
                      onBlock = "{ body = \"block\", at = " + listOf({u, v}) + " }\n",
                      rail = std::string("[[joint]]\nname = \"rail\"\nkind = \"") + (draw.chance(0.5) ? "slider" : "prismatic")
                             + "\"\n";
    out.onPoint = block + forces + rail + "from = " + onBlock + "to = " + ground + "angle = " + numberOf(along)
                  + "\nturn = " + numberOf(-out.angle) + '\n';
    out.onBody = block + forces + rail + "from = " + ground + "to = " + onBlock + "angle = " + numberOf(way)
                 + "\nturn = " + numberOf(out.angle) + '\n';
    return out;
}

/// A cart on a rail of its own.
RailCase drawnInSpace(Draw& draw)
{
    RailCase out;
    out.space = true;
    out.held = "rail.twist";
    const auto direction = [&draw] {
        const double a = draw.decimal(-3, 3), b = draw.decimal(-1.4, 1.4);
        return std::array{std::cos(a) * std::cos(b), std::sin(a) * std::cos(b), std::sin(b)};
    };
    const auto list = [](const std::array<double, 3>& a) { return listOf({a[0], a[1], a[2]}); };
    const std::array<double, 3> rail = direction(), way = direction();
    const double s = draw.decimal(0.2, 1), mass = draw.decimal(0.5, 2);
    const std::string turn = "turn = { axis = " + list(direction()) + ", angle = " + numberOf(draw.decimal(-2, 2)) + " }\n";
    const auto inertia = [&draw] { return listOf({draw.decimal(0.2, 0.3), draw.decimal(0.2, 0.3), draw.decimal(0.2, 0.3)}); };
    const std::string block =
        body("block", true, draw.decimal(0.5, 2), inertia(), {s * rail[0], s * rail[1], s * rail[2]}) + turn;
    const std::string more =
        "[[joint]]\nname = \"rail\"\nkind = \"prismatic\"\nfrom = \"cart\"\nto = \"block\"\naxis = " + list(rail) + '\n' + turn
        + "[[joint]]\nname = \"way\"\nkind = \"prismatic\"\nfrom = \"ground\"\nto = \"cart\"\naxis = " + list(way)
        + "\n[[force]]\nkind = \"gravity\"\nacceleration = 9.81\n"
        + spring("block", list(direction()), draw.decimal(2, 20), list(direction()))
        + spring("cart", "", draw.decimal(2, 20), list(direction()));
    const std::string head = "format = 1\ndimensions = 3\n";
    out.onPoint = head + body("cart", false, mass, "", {0, 0, 0}) + block + more;
    out.onBody = head + body("cart", true, mass, inertia(), {0, 0, 0}) + block + more;
    return out;
}

/// Where the cart and the block are at the end, and the block's largest angle off its start.
struct Ended {
    std::vector<double> places;
    double turned = 0;
};

Ended endedRun(const std::string& text, const RailCase& drawn, std::string& failure)
{
    Ended out;
    const auto run = begunOneSided({.text = text}, drawn.space ? "ggl" : "index-1", drawn.space ? "radau" : "dop853", failure);
    if (!run)
        return out;
    if (!run->advanceTo(kEnd)) {
        failure = run->status().diagnostic ? run->status().diagnostic->text() : "it did not get on";
        return out;
    }
    const run::RecordingView view = run->recording();
    std::vector<std::string> names{"cart.x", "cart.y", "block.x", "block.y"};
    for (const char* name : {"block.e0", "block.e1", "block.e2", "block.e3", "cart.z", "block.z"})
        if (drawn.space)
            names.emplace_back(name);
    if (!drawn.space)
        names.emplace_back("block.angle");
    for (const std::string& name : names)
        if (const int column = view.findColumn(name); column >= 0)
            out.places.push_back(view.value(view.rowCount() - 1, column));
    for (std::uint64_t r = 0; !drawn.space && r < view.rowCount(); ++r)
        out.turned = std::max(out.turned, std::abs(view.value(r, view.findColumn("block.angle")) - drawn.angle));
    return out;
}

std::string judgeRails(const RailCase& drawn)
{
    std::string failure;
    const Ended point = endedRun(drawn.onPoint, drawn, failure);
    if (!failure.empty())
        return "on a point: " + failure;
    const Ended rigid = endedRun(drawn.onBody, drawn, failure);
    if (!failure.empty())
        return "on a body: " + failure;
    if (!drawn.held.empty() && !(point.turned <= kAsked))
        return "the block turns by " + std::to_string(point.turned);
    if (drawn.held.empty() && point.turned < 1e-3)
        return "the block does not turn";
    for (std::size_t i = 0; i < point.places.size(); ++i)
        if (!(std::abs(point.places[i] - rigid.places[i]) <= kAsked * (1 + std::abs(rigid.places[i]))))
            return "place " + std::to_string(i) + " is " + std::to_string(point.places[i]) + " in place of "
                   + std::to_string(rigid.places[i]);
    return {};
}

} // namespace

class TestRailsOnPoints : public QObject {
    Q_OBJECT
private slots:
    void railOnAPointOrOnTheGround_movesAsOneOnABodyThatDoesNotTurn()
    {
        const std::uint64_t seed = seedOr(62'001);
        std::string missed;
        for (int k = 0; k < countOr(60); ++k) {
            Draw draw(seed + static_cast<std::uint64_t>(k));
            const int kind = draw.upTo(0, 9);
            const RailCase drawn = kind < 2 ? drawnOnGround(draw) : (kind < 7 ? drawnInPlane(draw) : drawnInSpace(draw));
            const std::string failure = judgeRails(drawn);
            if (failure.empty())
                continue;
            missed += "seed " + std::to_string(seed + static_cast<std::uint64_t>(k)) + ": " + failure + "\n";
            std::fprintf(stderr, "%s\n%s\n", missed.c_str(), drawn.onPoint.c_str()); // Qt Test cuts long messages
        }
        QVERIFY2(missed.empty(), missed.c_str());
    }
};

QTEST_GUILESS_MAIN(TestRailsOnPoints)
#include "test_rails_on_points.moc"
