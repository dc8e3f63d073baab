// Rows on velocities that follow from others, as of two wheels on one axle: set aside, and the motion is that of the model
// without them. Drawn carts: wheels on up to two axles of one body or of a cart and its trailer, in any order.
#include <QtTest>

#include <numbers>
#include <set>

#include "core/system/DependentRows.h"
#include "tests/run/RunFixture.h"
#include "tests/support/Draw.h"

using namespace driftless;
using namespace driftless::test;

namespace {

struct Wheel {
    int body = 0;        ///< 0 the cart, 1 the trailer
    double along = 0;    ///< [m] of the axle, in the body
    double across = 0;   ///< [m]
    bool drawn = true;   ///< not left out in the model to compare with
    bool turned = false; ///< its edge points backwards, which forbids the same
};

struct Cart {
    bool trailer = false, shuffled = false;
    double heading = 0, speed = 0, turn = 0, hitch = 0.8;
    double push = 0, moment = 0;
    std::vector<Wheel> wheels;

    std::string text(bool all) const
    {
        const auto number = [](double x) { return QByteArray::number(x, 'g', 17).toStdString(); };
        const auto body = [&](const char* name, double x, double y, double vx, double vy) {
            return std::string("[[body]]\nname = \"") + name + "\"\nkind = \"rigid\"\nmass = 2.0\ninertia = 0.3\nx = { start = "
                   + number(x) + ", velocity = " + number(vx) + " }\ny = { start = " + number(y) + ", velocity = " + number(vy)
                   + " }\nangle = { start = " + number(heading) + ", velocity = " + number(turn) + " }\n";
        };
        const double c = std::cos(heading), s = std::sin(heading);
        // The point of the first axle that stands on its middle moves straight ahead.
        const double axle = wheels.front().along;
        const double vx = speed * c + turn * axle * s, vy = speed * s - turn * axle * c;
        std::string out = "format = 1\n" + body("cart", 0, 0, vx, vy);
        if (trailer)
            out += body("trailer", -2 * hitch * c, -2 * hitch * s, vx + 2 * hitch * turn * s, vy - 2 * hitch * turn * c);
        for (std::size_t k = 0; k < wheels.size(); ++k)
            if (all || wheels[k].drawn)
                out += "[[joint]]\nname = \"wheel" + std::to_string(k) + "\"\nkind = \"knife-edge\"\nto = { body = \""
                       + (wheels[k].body == 0 ? "cart" : "trailer") + "\", at = [" + number(wheels[k].along) + ", "
                       + number(wheels[k].across) + "] }\n" + (wheels[k].turned ? "angle = \"pi\"\n" : "");
        if (trailer)
            out += "[[joint]]\nname = \"hitch\"\nkind = \"pin\"\nfrom = { body = \"cart\", at = [" + number(-hitch)
                   + ", 0] }\nto = { body = \"trailer\", at = [" + number(hitch) + ", 0] }\n";
        return out + "[[force]]\nkind = \"force\"\nbody = \"cart\"\nx = " + number(push) + "\ntorque = " + number(moment)
               + "\n";
    }
};

/// One axle a body: more would leave nothing but the way straight ahead, or none.
Cart drawn(std::uint64_t seed)
{
    Draw draw(seed);
    Cart out;
    out.trailer = draw.chance(0.4);
    out.heading = draw.chance(0.3) ? draw.upTo(-2, 2) * std::numbers::pi / 2 : draw.decimal(-3, 3);
    out.speed = draw.decimal(-2, 2);
    out.turn = out.trailer ? 0 : draw.decimal(-1, 1);
    out.push = draw.decimal(-3, 3);
    out.moment = draw.decimal(-1, 1);
    for (int body = 0; body <= (out.trailer ? 1 : 0); ++body) {
        const double along = draw.chance(0.3) ? 0 : draw.decimal(-0.5, 0.5);
        const int count = draw.upTo(1, 4);
        for (int k = 0; k < count; ++k)
            out.wheels.push_back(
                {.body = body, .along = along, .across = draw.decimal(-0.7, 0.7), .drawn = k == 0, .turned = draw.chance(0.3)});
    }
    return out;
}

} // namespace

class TestSetAsideVelocities : public QObject {
    Q_OBJECT

private slots:
    void cartsMoveAsWithOneWheelAnAxle()
    {
        const std::uint64_t seed = seedOr(45);
        const int count = countOr(60);
        qInfo("DRIFTLESS_SEED=%llu", static_cast<unsigned long long>(seed));
        static const char* const ways[][2] = {{"index-1", "dormand-prince"}, {"ggl", "radau"},
                                              {"dummy-derivatives", "ida"},  {"projection", "dop853"},
                                              {"baumgarte", "rk4"},          {"index-3", "generalized-alpha"}};
        for (int k = 0; k < count; ++k) {
            const auto at = seed + static_cast<std::uint64_t>(k);
            const Cart cart = drawn(at);
            const auto all = compiledMechanism(cart.text(true)), one = compiledMechanism(cart.text(false));
            const std::string told = "seed " + std::to_string(at) + '\n' + cart.text(true);
            std::set<std::string> wanted, found;
            for (std::size_t w = 0; w < cart.wheels.size(); ++w)
                if (!cart.wheels[w].drawn)
                    wanted.insert("wheel" + std::to_string(w));
            for (const auto& d : all->system().dependent)
                found.insert(d.constraint.name);
            QVERIFY2(found == wanted, told.c_str());
            const auto& way = ways[static_cast<std::size_t>(k) % std::size(ways)];
            auto a = run::Run::create(all, {}, settings(way[0], way[1], 0.01)),
                 b = run::Run::create(one, {}, settings(way[0], way[1], 0.01));
            QVERIFY2(a.ok() && b.ok(), (told + (a ? "" : a.error().text())).c_str());
            const bool went = (*a)->advanceTo(1);
            QVERIFY2(went && (*b)->advanceTo(1),
                     (told + ((*a)->status().diagnostic ? (*a)->status().diagnostic->text() : "")).c_str());
            for (const auto& [name, value] : (*b)->namedState())
                if (!name.ends_with(".lambda")) // the multiplier of the wheel that is left is the whole force
                    QVERIFY2(valueOf(**a, name) == value, (told + name).c_str());
            // Even the sum of what is drawn from a multiplier of zero: what follows is off by what the others are off.
            QVERIFY2((*a)->status().residual.setAside <= 1e-9 + 1e2 * (*a)->status().residual.velocity, told.c_str());
        }
    }

    /// Wheels one behind the other forbid the turn.
    void independentRowsStay()
    {
        Draw draw(seedOr(7));
        for (int k = 0, count = countOr(40); k < count; ++k) {
            Cart cart;
            cart.heading = draw.decimal(-3, 3);
            cart.speed = draw.decimal(-2, 2);
            const double along = draw.decimal(-0.5, 0.5), apart = (draw.chance(0.5) ? 1 : -1) * draw.decimal(0.001, 0.5);
            cart.wheels = {{.along = along, .across = draw.decimal(-1, 1)},
                           {.along = along + apart, .across = draw.decimal(-1, 1)}};
            QVERIFY(compiledMechanism(cart.text(true))->system().dependent.empty());
        }
    }

    void aChangeThatContradictsThemIsRefused()
    {
        const char* const text = R"toml(format = 1
[parameters]
back = 0.0
[[body]]
name = "cart"
kind = "rigid"
mass = 1
inertia = 1
[[joint]]
name = "left"
kind = "knife-edge"
to = { body = "cart", at = [0, 0.5] }
[[joint]]
name = "right"
kind = "knife-edge"
to = { body = "cart", at = ["back", -0.5] }
[[force]]
kind = "force"
body = "cart"
torque = 1
)toml";
        const auto system = compiledMechanism(text);
        QCOMPARE(system->system().dependent.size(), std::size_t{1});
        QCOMPARE(model::sentence(system->system().dependent.front()), std::string("right follows from left"));
        auto run = run::Run::create(system, {}, settings("index-1", "rk4", 0.01)); // at rest, where any row is met
        QVERIFY(run);
        const auto refused = (*run)->apply(0, run::SetParameter{"back", 0.1});
        QVERIFY(!refused);
        QVERIFY2(refused.error().what.find("right") != std::string::npos, refused.error().text().c_str());
        QVERIFY((*run)->advanceTo(0.5));                                  // goes on as it was
        QVERIFY(std::abs(valueOf(**run, "cart.angle") - 0.125) <= 1e-12); // t^2/2
        QVERIFY(!run::Run::create(system, {{{"back", 0.1}}, {}, false}, settings("index-1", "rk4", 0.01)));
    }

    void whatDependsOnTheTimeStays()
    {
        const auto model = model::readModel(R"toml(format = 1
[[body]]
name = "bob"
kind = "point"
mass = 1
[[constraint]]
name = "first"
nonholonomic = "x' - sin(t)"
bodies = ["ground", "bob"]
[[constraint]]
name = "second"
nonholonomic = "2*x' - 2*sin(t)"
bodies = ["ground", "bob"]
)toml",
                                            "driven.toml");
        QVERIFY2(model.ok(), model ? "" : model.error().text().c_str());
        QVERIFY((*model)->system.dependent.empty());
    }

    /// Which contradicts the first but at t = 0.
    void whatFollowsAtTheStartAloneStays()
    {
        const auto model = model::readModel(R"toml(format = 1
[[body]]
name = "a"
kind = "point"
mass = 1
[[constraint]]
name = "first"
nonholonomic = "x' + y' - 0.3*sin(t)"
bodies = ["ground", "a"]
[[constraint]]
name = "second"
nonholonomic = "2*x' + 2*y'"
bodies = ["ground", "a"]
)toml",
                                            "parting.toml");
        QVERIFY2(model.ok(), model ? "" : model.error().text().c_str());
        QVERIFY((*model)->system.dependent.empty());
    }

    /// A row that holds wherever an arm points that turns with the time.
    void rowsFollowFromOnesThatMove()
    {
        const auto system = compiledMechanism(R"toml(format = 1
[[body]]
name = "p"
kind = "point"
mass = 1
x = { start = 1, velocity = 0.2 }
y = { start = 0, velocity = 1 }
[[constraint]]
name = "arm"
holonomic = "p.y*cos(t) - p.x*sin(t)"
bodies = ["ground", "p"]
[[constraint]]
name = "turn"
nonholonomic = "p.x*p.y' - p.y*p.x' - (p.x^2 + p.y^2)"
bodies = ["ground", "p"]
)toml");
        QCOMPARE(system->system().dependent.size(), std::size_t{1});
        auto run = run::Run::create(system, {}, settings("index-1", "dop853", 0.01, 1e-10));
        QVERIFY(run && (*run)->advanceTo(1));
        // r'' = r with r(0) = 1, r'(0) = 0.2.
        const double r = std::hypot(valueOf(**run, "p.x"), valueOf(**run, "p.y"));
        QVERIFY(std::abs(r - (std::cosh(1.0) + 0.2 * std::sinh(1.0))) <= 1e-8);
        QVERIFY((*run)->apply(1, run::SetIntegrator{"radau"}));
    }

    /// Places that have drifted off the constraints say nothing of what follows on them.
    void aChangeBehindDriftIsApplied()
    {
        const auto system = compiledMechanism(R"toml(format = 1
[parameters]
m = 1.0
[[body]]
name = "bob"
kind = "point"
mass = "m"
x = { start = 0.6, velocity = 0.8 }
y = { start = -0.8, velocity = 0.6 }
[[joint]]
name = "rod"
kind = "rod"
length = 1
from = "ground"
to = "bob"
[[constraint]]
name = "rate"
nonholonomic = "x*x' + y*y'*sqrt(x^2 + y^2)"
bodies = ["ground", "bob"]
[[force]]
kind = "gravity"
acceleration = 9.81
)toml");
        QCOMPARE(system->system().dependent.size(), std::size_t{1});
        auto run = run::Run::create(system, {}, settings("index-1", "ida", 0.01, 1e-4));
        QVERIFY(run && (*run)->advanceTo(1));
        QVERIFY((*run)->status().residual.position > 1e-7);
        const auto applied = (*run)->apply(1, run::SetParameter{"m", 1.1});
        QVERIFY2(applied.ok(), applied ? "" : applied.error().text().c_str());
    }

    /// The rate of a constraint on positions, stated once more as one on velocities.
    void aRowFollowsFromTheRateOfAnother()
    {
        const auto system = compiledMechanism(R"toml(format = 1
[[body]]
name = "bob"
kind = "point"
mass = 1
x = { start = 0.6, velocity = 0.8 }
y = { start = -0.8, velocity = 0.6 }
[[joint]]
name = "rod"
kind = "rod"
length = 1
from = "ground"
to = "bob"
[[constraint]]
name = "rate"
nonholonomic = "x*x' + y*y'"
bodies = ["ground", "bob"]
[[force]]
kind = "gravity"
acceleration = 9.81
)toml");
        QCOMPARE(system->system().dependent.size(), std::size_t{1});
        QCOMPARE(model::sentence(system->system().dependent.front()), std::string("rate follows from rod"));
        auto run = run::Run::create(system, {}, settings("index-1", "dop853", 0.01, 1e-12));
        QVERIFY(run && (*run)->advanceTo(2));
        // A unit pendulum with g = 9.81: energy at the end as at the start.
        const double v = std::hypot(valueOf(**run, "bob.x'"), valueOf(**run, "bob.y'"));
        QVERIFY(std::abs(v * v / 2 + 9.81 * valueOf(**run, "bob.y") - (0.5 - 9.81 * 0.8)) <= 1e-9);
    }
};

QTEST_GUILESS_MAIN(TestSetAsideVelocities)
#include "test_set_aside_velocities.moc"
