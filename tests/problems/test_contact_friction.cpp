// Shipped mechanisms with friction that follows from a contact's own force, against closed forms: a block that slides and
// stops, a disc whose spin becomes speed in its impact, Housner's rocking block, Painleve's rod.
#include <QtTest>

#include <cmath>

#include "core/run/EventWords.h"
#include "tests/problems/EventTimes.h"
#include "tests/support/Events.h"

using namespace driftless;
using namespace driftless::test;
using run::EventKind;

namespace {

constexpr double kGravity = 9.81;
constexpr double kTolerance = 1e-8;
constexpr double kAllowed = 100 * kTolerance; ///< a hundred tolerances, as all events of the library

std::vector<run::ImpactEvent> impactsOf(const run::Run& run)
{
    std::vector<run::ImpactEvent> out;
    for (const run::Event& e : run.events())
        if (const auto* impact = e.as<run::ImpactEvent>())
            out.push_back(*impact);
    return out;
}

std::unique_ptr<run::Run> madeOf(const std::string& text, std::string& why)
{
    const auto model = model::readModel(text, "text.toml");
    const auto system = model ? model::CompiledSystem::compile(*model) : model.error();
    if (!system) {
        why = system.error().text();
        return nullptr;
    }
    auto made = run::Run::create(*system, {}, settings("index-1", "dop853", 0, kTolerance));
    if (!made) {
        why = made.error().text();
        return nullptr;
    }
    return std::move(*made);
}

/// A rod of mass 1 and half length 1 whose end touches the floor with (slip, -fall); head: lines at the top of the file.
std::string rodText(const std::string& head, double phi, double mu, double e, double slip, double fall, double spin = 0)
{
    const auto number = [](double x) { return QString::number(x, 'g', 17).toStdString(); };
    const double c = std::cos(phi), s = std::sin(phi); // the end is at (c, -s) from the centre
    return "format = 1\n" + head
           + "[[body]]\nname = \"rod\"\nkind = \"rigid\"\nmass = 1\ninertia = \"1/3\"\nx = { start = \"-cos(" + number(phi)
           + ")\", velocity = " + number(slip - spin * s) + " }\ny = { start = \"sin(" + number(phi) + ")\", velocity = "
           + number(-fall - spin * c) + " }\nangle = { start = -" + number(phi) + ", velocity = " + number(spin)
           + " }\n[[joint]]\nname = \"floor\"\nkind = \"wall\"\nfrom = { body = \"ground\", at = [0, 0] }\nto = { body = "
             "\"rod\", "
             "at = [1, 0] }\nfriction = "
           + number(mu) + "\nrestitution = " + number(e) + "\n[[force]]\nkind = \"gravity\"\nacceleration = 9.81\n";
}

/// The time that the block takes from the tilt to the upright: 1/2 I w^2 = m g R (cos(a - tilt) - cos(a - x)), x the tilt, by
/// Simpson's rule over x = tilt - s^2, so that the root at the start goes.
double quarterOfRocking(double tilt, double alpha, double radius)
{
    const double p2 = 3 * kGravity / (4 * radius); // m g R / I, I = 4/3 m R^2
    const auto f = [&](double s) {
        const double x = tilt - s * s;
        const double gone = s == 0 ? std::sin(alpha - tilt) : (std::cos(alpha - tilt) - std::cos(alpha - x)) / (s * s);
        return 2 / std::sqrt(2 * p2 * gone);
    };
    constexpr int kPieces = 2000; // the error goes with the fourth power of the piece: below 1e-12
    const double top = std::sqrt(tilt), h = top / kPieces;
    double sum = f(0) + f(top);
    for (int k = 1; k < kPieces; ++k)
        sum += (k % 2 ? 4 : 2) * f(k * h);
    return sum * h / 3;
}

} // namespace

class TestContactFriction : public QObject {
    Q_OBJECT

private slots:
    /// v' = -g (mu cos - sin) until it stops at t = u / that, after u^2 / (2 that); then it sticks with m g sin.
    void blockOnIncline_slidesAndStops()
    {
        for (const char* method : {"dop853", "ida", "radau"}) {
            const auto run = ran("block-on-incline", method, kTolerance, 2);
            QVERIFY(run && !run->failed());
            const double slows = kGravity * (0.5 * std::cos(0.3) - std::sin(0.3)), way = 4 / (2 * slows);
            const auto stops = timesOf(*run, EventKind::Mode, 0);
            QCOMPARE(stops.size(), 1u);
            QVERIFY(std::abs(stops[0] - 2 / slows) <= kAllowed);
            QVERIFY(std::abs(valueOf(*run, "block.x") - way * std::cos(0.3)) <= kAllowed);
            QVERIFY(std::abs(valueOf(*run, "incline.mu_slip") - kGravity * std::sin(0.3)) <= kAllowed);
            QVERIFY(std::abs(valueOf(*run, "incline.lambda") + kGravity * std::cos(0.3)) <= kAllowed);
            const double lost = 0.5 * 4 + kGravity * way * std::sin(0.3); // all of it by friction
            QVERIFY(
                std::abs(run->recording().value(run->recording().rowCount() - 1, run->recording().findColumn("work")) + lost)
                <= kAllowed);
            QCOMPARE(driftless::test::modesOf(*run), (std::vector<std::string>{"incline slides forwards", "incline sticks"}));
        }
    }

    /// Upwards it stops sooner; then it stays where mu > tan, and else slides back down.
    void blockOnIncline_upwards_staysOrSlidesBack()
    {
        const run::StartSettings up{{{"u", -2}}, {}, false}, smooth{{{"u", -2}, {"mu", 0.2}}, {}, false};
        const auto stays = ran("block-on-incline", "dop853", kTolerance, 2, up);
        QCOMPARE(driftless::test::modesOf(*stays), (std::vector<std::string>{"incline slides backwards", "incline sticks"}));
        const auto back = ran("block-on-incline", "dop853", kTolerance, 2, smooth);
        QCOMPARE(driftless::test::modesOf(*back),
                 (std::vector<std::string>{"incline slides backwards", "incline slides forwards"}));
        const double t = 2 / (kGravity * (0.2 * std::cos(0.3) + std::sin(0.3))),
                     down = kGravity * (std::sin(0.3) - 0.2 * std::cos(0.3));
        QVERIFY(std::abs(timesOf(*back, EventKind::Mode, 0).at(0) - t) <= kAllowed);
        QVERIFY(std::abs(valueOf(*back, "block.x'") - down * (2 - t) * std::cos(0.3)) <= kAllowed);
        // The recorded force of friction is that of sliding, though no row has it.
        QVERIFY(std::abs(valueOf(*back, "incline.mu_slip") - 0.2 * kGravity * std::cos(0.3)) <= kAllowed);
    }

    /// A disc: the rim has s = u + r spin, and an impulse P along the floor changes it by 3 P / m. It grips with P = -m s / 3
    /// where mu (1 + e) v is more than that, else P = -mu (1 + e) m v.
    void spinningBall_gripsOrSlips()
    {
        const double fall = std::sqrt(2 * kGravity), s = 1 + 0.2 * 30;
        for (const double mu : {0.4, 0.1}) {
            const auto run = ran("spinning-ball", "dop853", kTolerance, 1, {{{"mu", mu}}, {}, false});
            const double push = std::min(s / 3, mu * 1.8 * fall);
            QVERIFY(std::abs(valueOf(*run, "disc.x'") - (1 - push)) <= kAllowed);
            QVERIFY(std::abs(valueOf(*run, "disc.angle'") - (30 - push / 0.1)) <= kAllowed); // r m / (m r^2 / 2)
            const auto impacts = impactsOf(*run);
            QCOMPARE(impacts.size(), 1u);
            QCOMPARE(impacts[0].rubbed.size(), 1u);
            QCOMPARE(impacts[0].rubbed[0].after == 0, mu == 0.4);
            const double lost = -0.5 * (1 - 0.64) * fall * fall - push * (s - 1.5 * push);
            QVERIFY(std::abs(impacts[0].energy - lost) <= kAllowed);
            QVERIFY(impacts[0].gained == 0);
        }
    }

    /// After its bounces the disc rolls: friction holds the rim and nothing is lost any more.
    void spinningBall_rollsInTheEnd()
    {
        const auto run = ran("spinning-ball", "dop853", kTolerance, 6);
        QVERIFY(!run->failed());
        QCOMPARE(driftless::test::modesOf(*run).back(), std::string("floor sticks"));
        QVERIFY(std::abs(valueOf(*run, "disc.x'") + 0.2 * valueOf(*run, "disc.angle'")) <= kAllowed);
    }

    /// Housner 1963: w+ = (1 - 3/2 sin^2 a) w-, and the time of each swing by its integral.
    void rockingBlock_losesWhatHousnerSays()
    {
        const double alpha = std::atan(0.2), radius = std::hypot(0.2, 1.0), share = 1 - 1.5 * std::pow(std::sin(alpha), 2);
        const auto run = ran("rocking-block", "dop853", 1e-10, 3);
        QVERIFY(run && !run->failed());
        const auto hits = timesOf(*run, EventKind::Impact);
        const auto impacts = impactsOf(*run);
        QVERIFY(hits.size() >= 3);
        double tilt = 0.12, t = quarterOfRocking(tilt, alpha, radius);
        for (std::size_t k = 0; k < 3; ++k) {
            QVERIFY2(std::abs(hits[k] - t) <= 1e-7, qPrintable(QString::number(hits[k] - t))); // a thousand tolerances
            const double energy = kGravity * radius * (std::cos(alpha - tilt) - std::cos(alpha));
            QVERIFY(std::abs(impacts[k].energy + (1 - share * share) * energy) <= 1e-7);
            const double left = share * share * energy / (kGravity * radius);
            tilt = alpha - std::acos(std::cos(alpha) + left);
            t += 2 * quarterOfRocking(tilt, alpha, radius);
        }
        QVERIFY(std::abs(run->status().energyError) <= 1e-8);
    }

    void rockingBlock_comesToRest_onBothEdges()
    {
        const auto run = ran("rocking-block", "dop853", kTolerance, 15);
        QVERIFY2(!run->failed(), whyOf(*run).c_str());
        QCOMPARE(driftless::test::modesOf(*run).back(), std::string("left sticks, right sticks"));
        QVERIFY(std::abs(valueOf(*run, "left.lambda") + kGravity / 2) <= 1e-5); // it has stopped a little beside the upright
        QVERIFY(std::abs(valueOf(*run, "block.angle'")) <= kAllowed);
    }

    /// 1 + 3 cos^2 - 3 mu sin cos below zero: the run says so, or ends the sliding by an impact where the file asks for it.
    void painleveRod_isNamed_orGoesOn()
    {
        const double phi = 1.1, critical = (1 + 3 * std::pow(std::cos(phi), 2)) / (3 * std::sin(phi) * std::cos(phi));
        std::string why;
        const auto sound = madeOf(rodText("", phi, 0.95 * critical, 0, 2, 0), why);
        QVERIFY2(sound, why.c_str());
        QVERIFY(!madeOf(rodText("", phi, 1.05 * critical, 0, 2, 0), why));
        QVERIFY2(why.find("floor has no value while it slides (Painleve's paradox)") != std::string::npos, why.c_str());
        QVERIFY(!madeOf(rodText("", phi, 1.05 * critical, 0, 2, 0, 4), why));
        QVERIFY2(why.find("floor has several values while it slides") != std::string::npos, why.c_str());
        const auto goesOn = madeOf(rodText("painleve = \"impact\"\n", phi, 1.05 * critical, 0, 2, 0), why);
        QVERIFY2(goesOn, why.c_str());
        QVERIFY(goesOn->advanceTo(0.1));
        const auto impacts = impactsOf(*goesOn);
        QCOMPARE(impacts.size(), 1u);
        QVERIFY(impacts[0].withoutCollision && impacts[0].energy < 0);
        QCOMPARE(driftless::test::modesOf(*goesOn).front(), std::string("floor sticks"));
    }

    /// A body between two walls that both hold it below its centre: the friction of each turns it against the other. Either
    /// wall alone has a force: 1 + (1 - mu) > 0 for each unit of it, but both together -0.4 of their sum.
    void twoWallsThatJam_areBothNamed()
    {
        const auto text = [](const std::string& head) {
            std::string out = "format = 1\n" + head
                              + "[[body]]\nname = \"block\"\nkind = \"rigid\"\nmass = 1\ninertia = 1\n"
                                "x = { start = 0, velocity = 1 }\ny = { start = 1 }\nangle = { start = 0 }\n"
                                "[[force]]\nkind = \"force\"\nbody = \"block\"\ntorque = -1\n";
            for (const char* upper : {"upper", "lower"})
                out +=
                    "[[joint]]\nname = \"" + std::string(upper) + "\"\nkind = \"wall\"\nfrom = \"ground\"\nto = { body = "
                    + (upper[0] == 'u' ? "\"block\", at = [-1, -1] }\nangle = \"pi\"" : "\"block\", at = [1, -1] }\nangle = 0")
                    + "\nfriction = 1.2\n";
            return out;
        };
        std::string why;
        QVERIFY(!madeOf(text(""), why));
        QVERIFY2(why.find("contacts upper and lower have no values together") != std::string::npos, why.c_str());
        QVERIFY2(why.find("painleve = \"impact\"") != std::string::npos, why.c_str());
        QVERIFY(!madeOf(text("painleve = \"impact\"\n"), why));
        QVERIFY2(why.find("painleve = ") == std::string::npos && why.find("less friction") != std::string::npos, why.c_str());
    }

    /// A disc that spins, bounces, is pushed to and fro and comes to rest on the floor: with zeros for its friction it does bit
    /// for bit what it does without the keys.
    void frictionOfZero_isNoFriction()
    {
        const auto ends = [](const std::string& keys) {
            std::string why;
            const auto run = madeOf("format = 1\n[parameters]\nmu = 0\n[[body]]\nname = \"disc\"\nkind = \"rigid\"\nmass = 1\n"
                                    "inertia = 0.4\nx = { start = 0, velocity = 1 }\ny = { start = 1 }\n"
                                    "angle = { start = 0, velocity = 3 }\n[[force]]\nkind = \"force\"\nbody = \"disc\"\n"
                                    "x = \"-2*sin(t)\"\ny = -9.81\n[[joint]]\nname = \"floor\"\nkind = \"wall\"\n"
                                    "from = \"ground\"\nto = \"disc\"\nradius = 0.2\nrestitution = 0.3\nrest = 0.05\n"
                                        + keys,
                                    why);
            std::vector<double> out;
            for (const char* name : {"disc.x", "disc.y", "disc.angle", "disc.x'", "disc.y'", "disc.angle'"})
                if (run && run->advanceTo(6))
                    out.push_back(valueOf(*run, name));
            return out;
        };
        const std::vector<double> without = ends("");
        QCOMPARE(without.size(), 6u);
        for (const char* keys :
             {"friction = 0\n", "friction = 0\nsticking = 0\n", "friction = \"mu\"\n", "sticking = \"mu\"\n"})
            QCOMPARE(ends(keys), without);
        QVERIFY(ends("friction = 1e-3\n") != without);
    }

    /// The slip ends in compression: Newton's law then asks for more than the work that is there. Numbers: test_planar_impact.
    void newtonsLaw_gains_andSaysSo()
    {
        std::string why;
        for (const char* law : {"newton", "energetic", "poisson"}) {
            const auto run = madeOf(rodText("impact_law = \"" + std::string(law) + "\"\n", 0.9, 0.6, 0.9, -0.6, 1), why);
            QVERIFY2(run, why.c_str());
            const auto impacts = impactsOf(*run);
            QCOMPARE(impacts.size(), 1u);
            QCOMPARE(impacts[0].law, std::string(law));
            const bool newton = impacts[0].law == "newton";
            QCOMPARE(impacts[0].gained > 0, newton);
            QCOMPARE(impacts[0].energy > 0, newton);
            const std::string told = run::words(run->events().at(1));
            QVERIFY2((told.find("the law of Newton has given") != std::string::npos) == newton, told.c_str());
        }
    }

    /// Outputs see the force of friction while it slides and while it sticks: of a contact, and of a known force.
    void reactions_showFriction()
    {
        const std::string text = R"toml(format = 1
[[body]]
name = "block"
kind = "point"
mass = 1
x = { start = 0, velocity = 1 }
[[body]]
name = "car"
kind = "point"
mass = 2
x = { start = 0, velocity = 3 }
y = { start = 5 }
[[joint]]
name = "floor"
kind = "wall"
from = "ground"
to = "block"
friction = 0.4
[[joint]]
name = "rail"
kind = "slider"
from = { body = "ground", at = [0, 5] }
to = "car"
[[joint]]
name = "brake"
kind = "dry-friction"
joint = "rail"
sticking = 1.5
[[force]]
kind = "force"
body = "block"
x = "1.5 + 1.5*tanh(100*(t - 0.4))"
y = -10
[[output]]
name = "held"
kind = "reaction"
joint = "floor"
[[output]]
name = "braked"
kind = "reaction"
joint = "brake"
[[output]]
name = "rubbed"
value = "floor.mu_slip"
)toml";
        std::string why;
        const auto run = madeOf(text, why);
        QVERIFY2(run, why.c_str());
        const auto shown = [&run](const std::string& name) {
            const auto view = run->recording();
            return view.value(view.rowCount() - 1, view.findColumn(name));
        };
        QVERIFY(run->advanceTo(0.1));
        QVERIFY(std::abs(shown("held.x") + 4) <= kAllowed && std::abs(shown("held.y") - 10) <= kAllowed);
        QVERIFY(std::abs(shown("rubbed") - 4) <= kAllowed);
        QVERIFY(std::abs(shown("braked.x") + 1.5) <= kAllowed);
        QVERIFY(run->advanceTo(1)); // it has stopped after 0.25 s, and 3 N do not move it
        QVERIFY(std::abs(shown("held.x") + 3) <= kAllowed);
    }

    /// A block on two feet bears the sum of their limits before it slides: tan(slope) between mu of one foot's load and mu.
    void twoFeet_holdWhatOneCouldNot()
    {
        const auto text = [](const std::string& mu) {
            std::string out =
                "format = 1\n[[body]]\nname = \"block\"\nkind = \"rigid\"\nmass = 1\ninertia = 0.1\nx = { start = 0 }\ny = { "
                "start = 0.1 }\nangle = { start = 0 }\n";
            for (const char* x : {"-0.5", "0.5"})
                out += "[[joint]]\nname = \"" + std::string(x[0] == '-' ? "left" : "right")
                       + "\"\nkind = \"wall\"\nfrom = { body = \"ground\", at = [0, 0] }\nto = { body = \"block\", at = [" + x
                       + ", -0.1] }\nfriction = " + mu + "\n";
            return out + "[[force]]\nkind = \"force\"\nbody = \"block\"\nx = 3\ny = -10\n";
        };
        std::string why;
        const auto holds = madeOf(text("0.31"), why);
        QVERIFY2(holds, why.c_str());
        QVERIFY(holds->advanceTo(1));
        QVERIFY(std::abs(valueOf(*holds, "block.x")) <= kAllowed);
        QCOMPARE(driftless::test::modesOf(*holds).back(), std::string("left sticks, right sticks"));
        const auto slides = madeOf(text("0.29"), why);
        QVERIFY2(slides, why.c_str());
        QVERIFY(slides->advanceTo(1));
        QVERIFY(std::abs(valueOf(*slides, "block.x") - 0.5 * (3 - 2.9)) <= kAllowed);
    }
};

QTEST_GUILESS_MAIN(TestContactFriction)
#include "test_contact_friction.moc"
