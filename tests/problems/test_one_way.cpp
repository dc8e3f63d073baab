// A clutch that is closed and opened, and a ratchet, against closed forms.
#include <QtTest>

#include <cmath>
#include <numbers>

#include "core/text/Numbers.h"
#include "tests/problems/EventTimes.h"
#include "tests/support/Events.h"

using namespace driftless;
using namespace driftless::test;
using run::EventKind;

namespace {

constexpr double kTolerance = 1e-8;
constexpr double kAllowed = 100 * kTolerance; ///< a hundred tolerances, as all events of the library

/// Two discs on one axle, of 2 and 3 kg m^2; a load of 1 N m on the second one.
const char* const kClutch = R"toml(format = 1
[[body]]
name = "a"
kind = "rigid"
mass = 1
inertia = 2
angle = { start = 0, velocity = 10 }
[[body]]
name = "b"
kind = "rigid"
mass = 1
inertia = 3
[[joint]]
name = "left"
kind = "revolute"
from = "ground"
to = "a"
[[joint]]
name = "right"
kind = "revolute"
from = "ground"
to = "b"
[[joint]]
name = "grip"
kind = "clutch"
from = "a"
to = "b"
capacity = "6*sin(t/2)"
[[force]]
kind = "force"
body = "b"
torque = -1
)toml";

std::string wheel(double speed, const char* torque, const char* direction)
{
    return "format = 1\n[[body]]\nname = \"wheel\"\nkind = \"rigid\"\nmass = 1\ninertia = 1\nangle = { start = 0, velocity = "
           + std::to_string(speed)
           + " }\n[[joint]]\nname = \"hub\"\nkind = \"revolute\"\nfrom = \"ground\"\nto = \"wheel\"\n"
             "[[joint]]\nname = \"pawl\"\nkind = \"ratchet\"\njoint = \"hub\"\ndirection = \""
           + direction + "\"\n[[force]]\nkind = \"force\"\nbody = \"wheel\"\ntorque = \"" + torque + "\"\n";
}

std::unique_ptr<run::Run> madeOf(const std::string& text, const char* form, const char* method, double tolerance = kTolerance)
{
    const auto model = model::readModel(text, "text.toml");
    if (!model)
        qFatal("%s", model.error().text().c_str());
    const auto system = model::CompiledSystem::compile(*model);
    auto made = run::Run::create(*system, {}, settings(form, method, 0, tolerance));
    if (!made)
        qFatal("%s", made.error().text().c_str());
    return std::move(*made);
}

/// A wheel on an axle of the ground.
std::string turning(const char* name, double inertia, double speed)
{
    return std::string("[[body]]\nname = \"") + name + "\"\nkind = \"rigid\"\nmass = 1\ninertia = " + std::to_string(inertia)
           + "\nangle = { start = 0, velocity = " + std::to_string(speed) + " }\n[[joint]]\nname = \"axle_" + name
           + "\"\nkind = \"revolute\"\nfrom = \"ground\"\nto = \"" + name + "\"\n";
}

std::string gripping(const char* name, const char* from, const char* to, const char* capacity)
{
    return std::string("[[joint]]\nname = \"") + name + "\"\nkind = \"clutch\"\nfrom = \"" + from + "\"\nto = \"" + to
           + "\"\ncapacity = \"" + capacity + "\"\n";
}

std::string turnedBy(const char* body, const char* torque)
{
    return std::string("[[force]]\nkind = \"force\"\nbody = \"") + body + "\"\ntorque = \"" + torque + "\"\n";
}

/// A box of 1 kg in the corner of a floor with friction and a wall, pushed into it by 1 N and pulled away by 2 t.
const char* const kCorner = R"toml(format = 1
[[body]]
name = "p"
kind = "point"
mass = 1
[[force]]
kind = "gravity"
acceleration = 9.81
[[joint]]
name = "floor"
kind = "wall"
from = "ground"
to = "p"
friction = 0.3
[[joint]]
name = "side"
kind = "wall"
from = "ground"
to = "p"
angle = "-pi/2"
[[force]]
kind = "force"
body = "p"
x = "2*t-1"
)toml";

/// A block on a belt that runs against a stop.
const char* const kBelt = R"toml(format = 1
[[body]]
name = "p"
kind = "point"
mass = 1.3
[[joint]]
name = "r"
kind = "slider"
from = "ground"
to = "p"
[[joint]]
name = "f"
kind = "dry-friction"
joint = "r"
sticking = 2
speed = 1.5
[[joint]]
name = "s"
kind = "stop"
joint = "r"
upper = 1
)toml";

void waysToRun()
{
    QTest::addColumn<QString>("form");
    QTest::addColumn<QString>("method");
    for (const char* form : {"index-1", "dummy-derivatives", "projection", "ggl"})
        for (const char* method : {"dop853", "ida", "radau"})
            if (!(std::string(form) == "ggl" && std::string(method) == "dop853") // ggl has no explicit form
                && !(std::string(form) == "projection" && std::string(method) == "ida"))
                QTest::addRow("%s with %s", form, method) << form << method;
}

std::unique_ptr<run::Run> shippedOf(const char* model, const QString& form, const QString& method)
{
    auto made = run::Run::create(compiled(model), {}, settings(form.toStdString(), method.toStdString(), 0, kTolerance));
    if (!made)
        qFatal("%s", made.error().text().c_str());
    return std::move(*made);
}

} // namespace

class TestOneWay : public QObject {
    Q_OBJECT

private slots:
    void clutch_slipsHoldsAndSlips_data() { waysToRun(); }
    /// While it slips 2 a'' = -c, 3 b'' = c - 1 with c = 6 sin(t/2) both ways round: b' - a' = -10 - t/3 + 10 (1 - cos(t/2)),
    /// which is zero at 10 cos(t/2) = -t/3. Stuck, both lose 1/5 in a second and the clutch bears 1 - 3/5 N m, which it can
    /// until c is that. From 2 pi on the capacity would be negative: the clutch is open.
    void clutch_slipsHoldsAndSlips()
    {
        QFETCH(QString, form);
        QFETCH(QString, method);
        const auto run = madeOf(kClutch, qPrintable(form), qPrintable(method));
        constexpr double end = 7;
        QVERIFY2(run->advanceTo(end), whyOf(*run).c_str());
        const double holds = zeroOf([](double t) { return 10 * std::cos(t / 2) + t / 3; }, 3, 4);
        const double opens = 2 * (std::numbers::pi - std::asin(0.4 / 6));
        QCOMPARE(driftless::test::modesOf(*run),
                 (std::vector<std::string>{"grip slides backwards", "grip sticks", "grip slides backwards", "free"}));
        const auto times = timesOf(*run, EventKind::Mode);
        QVERIFY2(std::abs(times.at(1) - holds) <= kAllowed, qPrintable(QString::number(times.at(1) - holds)));
        QVERIFY2(std::abs(times.at(2) - opens) <= kAllowed, qPrintable(QString::number(times.at(2) - opens)));
        QVERIFY(std::abs(times.at(3) - 2 * std::numbers::pi) <= kAllowed); // an open clutch is not named, as an open contact
        const double common = (20 - opens) / 5, moment = 12 * (1 + std::cos(opens / 2)); // integral of c up to 2 pi
        QVERIFY(std::abs(valueOf(*run, "a.angle'") - (common - moment / 2)) <= kAllowed);
        QVERIFY(std::abs(valueOf(*run, "b.angle'") - (common + (moment - (end - opens)) / 3)) <= kAllowed);
        QVERIFY(std::abs(run->status().energyError) <= 100 * kAllowed); // of 100 J
    }

    void clutch_isOpenBelowZero_data() { waysToRun(); }
    /// Of 2 (t - 1) N m: open up to t = 1, then b' - a' = -10 + 5/6 (t - 1)^2.
    void clutch_isOpenBelowZero()
    {
        QFETCH(QString, form);
        QFETCH(QString, method);
        const auto run =
            madeOf("format = 1\n" + turning("a", 2, 10) + turning("b", 3, 0) + gripping("grip", "a", "b", "2*(t-1)"),
                   qPrintable(form), qPrintable(method));
        QVERIFY2(run->advanceTo(6), whyOf(*run).c_str());
        QCOMPARE(driftless::test::modesOf(*run), (std::vector<std::string>{"grip slides backwards", "grip sticks"}));
        const auto times = timesOf(*run, EventKind::Mode);
        QVERIFY(std::abs(times.at(0) - 1) <= kAllowed && std::abs(times.at(1) - 1 - std::sqrt(12)) <= kAllowed);
        QVERIFY(std::abs(valueOf(*run, "a.angle'") - 4) <= kAllowed && std::abs(valueOf(*run, "b.angle'") - 4) <= kAllowed);
    }

    /// Without a load it opens at 3 pi, where 4 sin t comes to zero: what is not needed is not missed before.
    void clutchWithoutLoad_opensWhereItsCapacityIsZero()
    {
        const auto run =
            madeOf("format = 1\n" + turning("a", 2, 10) + turning("b", 3, 0) + gripping("grip", "a", "b", "4*sin(t)"),
                   "dummy-derivatives", "ida");
        QVERIFY2(run->advanceTo(10), whyOf(*run).c_str());
        const double pi = std::numbers::pi;
        const std::vector<double> times = timesOf(*run, EventKind::Mode);
        QCOMPARE(driftless::test::modesOf(*run),
                 (std::vector<std::string>{"grip slides backwards", "free", "grip slides backwards", "grip sticks", "free"}));
        QVERIFY(std::abs(times.at(1) - pi) <= kAllowed && std::abs(times.at(2) - 2 * pi) <= kAllowed);
        QVERIFY(std::abs(times.at(3) - 2.5 * pi) <= kAllowed); // 10/3 (1 - cos t) of it twice is 10
        QVERIFY(std::abs(times.at(4) - 3 * pi) <= kAllowed);
    }

    /// No rebound is slow enough for rest: it bounces until its speed is round-off, with methods of one step and of several.
    void bounceWithoutRest_ends_data()
    {
        QTest::addColumn<QString>("method");
        for (const char* method : {"ida", "radau", "dop853"})
            QTest::newRow(method) << method;
    }
    void bounceWithoutRest_ends()
    {
        QFETCH(QString, method);
        const bool explicitly = method == "dop853";
        const auto run = madeOf("format = 1\n[[body]]\nname = \"p\"\nkind = \"point\"\nmass = 1\ny = 1\n[[force]]\nkind = "
                                "\"gravity\"\nacceleration = 9.81\n[[joint]]\nname = \"floor\"\nkind = \"wall\"\nfrom = "
                                "\"ground\"\nto = \"p\"\nrestitution = 0.9\nrest = 1e-30\n",
                                explicitly ? "index-1" : "dummy-derivatives", qPrintable(method), 1e-6);
        QVERIFY2(run->advanceTo(20), whyOf(*run).c_str());
        QCOMPARE(driftless::test::modesOf(*run), std::vector<std::string>{"floor"});
        QVERIFY(run->events().size() < 1000);
        const double rests = timesOf(*run, EventKind::Mode).at(0);
        QVERIFY(std::abs(rests - std::sqrt(2 / 9.81) * 19) <= 1e-3); // sqrt(2h/g) (1 + e) / (1 - e)
    }

    /// The usual speed is one of lengths: rigid bodies from a metre to a hundredth of a millimetre bounce as often, and as
    /// points do.
    void smallBodiesBounceAsLargeOnes()
    {
        for (const char* kind : {"kind = \"rigid\"\ninertia = 1e-14\n", "kind = \"point\"\n"})
            for (const double height : {1.0, 1e-2, 1e-5}) {
                const auto run =
                    madeOf("format = 1\n[[body]]\nname = \"p\"\nmass = 1\n" + std::string(kind) + "y = " + text::exact(height)
                               + "\n[[force]]\nkind = \"gravity\"\nacceleration = 9.81\n[[joint]]\nname = \"floor\"\nkind = "
                                 "\"wall\"\nfrom = \"ground\"\nto = \"p\"\nrestitution = 0.5\n",
                           "dummy-derivatives", "radau-9", 1e-9);
                QVERIFY2(run->advanceTo(4 * std::sqrt(height)), whyOf(*run).c_str());
                // The rebound of the k-th impact is 0.5^k sqrt(2 g h), and the usual speed sqrt(g h)/pi.
                QCOMPARE(timesOf(*run, EventKind::Impact).size(), std::size_t(16));
            }
    }

    void ratchet_turnsOneWay_data() { waysToRun(); }
    /// The torque cos t: sin t up to pi, held up to 3/2 pi, then sin t + 1.
    void ratchet_turnsOneWay()
    {
        QFETCH(QString, form);
        QFETCH(QString, method);
        const double pi = std::numbers::pi;
        for (const bool forwards : {true, false}) {
            const double side = forwards ? 1 : -1;
            const auto run = madeOf(wheel(0, forwards ? "cos(t)" : "-cos(t)", forwards ? "forwards" : "backwards"),
                                    qPrintable(form), qPrintable(method));
            QVERIFY2(run->advanceTo(4), whyOf(*run).c_str());
            QVERIFY(std::abs(valueOf(*run, "wheel.angle") - 2 * side) <= kAllowed);
            QVERIFY(std::abs(valueOf(*run, "pawl.mu") - std::cos(4)) <= kAllowed); // it pushes: cos t < 0
            QVERIFY2(run->advanceTo(2 * pi), whyOf(*run).c_str());
            QVERIFY(std::abs(valueOf(*run, "wheel.angle'") - side) <= kAllowed);
            QVERIFY(std::abs(valueOf(*run, "wheel.angle") - side * (1 + pi / 2)) <= kAllowed);
            QCOMPARE(driftless::test::modesOf(*run), (std::vector<std::string>{"pawl", "free"}));
            const auto times = timesOf(*run, EventKind::Mode);
            QVERIFY(std::abs(times.at(0) - pi) <= kAllowed && std::abs(times.at(1) - 1.5 * pi) <= kAllowed);
        }
    }

    /// The same wheel in space, on a hinge about z, by the moment of an actuator.
    void ratchet_inSpace_turnsOneWay()
    {
        const auto run =
            madeOf("format = 1\ndimensions = 3\n[[body]]\nname = \"wheel\"\nkind = \"rigid\"\nmass = 1\n"
                   "inertia = [1, 1, 1]\n[[joint]]\nname = \"hub\"\nkind = \"revolute\"\nfrom = \"ground\"\n"
                   "to = \"wheel\"\naxis = [0, 0, 1]\n[[joint]]\nname = \"pawl\"\nkind = \"ratchet\"\njoint = \"hub\"\n"
                   "[[force]]\nkind = \"actuator\"\njoint = \"hub\"\neffort = \"cos(t)\"\n[[output]]\nname = \"turn\"\n"
                   "kind = \"rate\"\njoint = \"hub\"\n",
                   "index-1", "dop853");
        QVERIFY2(run->advanceTo(2 * std::numbers::pi), whyOf(*run).c_str());
        const auto times = timesOf(*run, EventKind::Mode);
        QCOMPARE(times.size(), std::size_t{2});
        QVERIFY(std::abs(times[0] - std::numbers::pi) <= kAllowed && std::abs(times[1] - 1.5 * std::numbers::pi) <= kAllowed);
        const auto view = run->recording();
        QVERIFY(std::abs(view.value(view.rowCount() - 1, view.findColumn("turn")) - 1) <= kAllowed);
    }

    void flywheels_slipStickAndSlip_data() { waysToRun(); }
    /// clutch-flywheels: with c = k t (1 - t/T) the slip is s = w0 + M t/J1 - (1/J1 + 1/J2) k (t^2/2 - t^3/(3 T)), up to its
    /// first zero. Stuck the clutch bears M J2/(J1 + J2), which c is again at the later root of a quadratic equation. Then c
    /// acts up to T.
    void flywheels_slipStickAndSlip()
    {
        QFETCH(QString, form);
        QFETCH(QString, method);
        constexpr double J1 = 2, J2 = 3, w0 = 10, M = 6, k = 24, T = 4, end = T;           // behind it the clutch is open
        const auto given = [](double t) { return k * (t * t / 2 - t * t * t / (3 * T)); }; // by the clutch up to t
        const double holds = zeroOf([&](double t) { return w0 + M * t / J1 - (1 / J1 + 1 / J2) * given(t); }, 0.5, 2);
        const double share = M * J2 / (J1 + J2), opens = T / 2 * (1 + std::sqrt(1 - 4 * share / (k * T)));
        const auto run = shippedOf("clutch-flywheels", form, method);
        QVERIFY2(run->advanceTo(end), whyOf(*run).c_str());
        auto modes = driftless::test::modesOf(*run);
        modes.resize(3); // a run that locates its own end within the tolerance tells that the clutch opens there
        QCOMPARE(modes, (std::vector<std::string>{"grip slides backwards", "grip sticks", "grip slides backwards"}));
        const auto times = timesOf(*run, EventKind::Mode);
        QVERIFY2(std::abs(times.at(1) - holds) <= kAllowed, qPrintable(QString::number(times.at(1) - holds)));
        QVERIFY2(std::abs(times.at(2) - opens) <= kAllowed, qPrintable(QString::number(times.at(2) - opens)));
        const double common = (J1 * w0 + M * opens) / (J1 + J2), last = given(T) - given(opens);
        const double driven = common + (M * (end - opens) - last) / J1, load = common + last / J2;
        QVERIFY(std::abs(valueOf(*run, "driven.angle'") - driven) <= kAllowed);
        QVERIFY(std::abs(valueOf(*run, "load.angle'") - load) <= kAllowed);
    }

    void winch_liftsAtEachStroke_data() { waysToRun(); }
    /// ratchet-winch: let go at A sin(w t) = m g r it turns with (A (cos(w a) - cos(w t))/w - m g r (t - a))/(J + m r^2) up to
    /// the zero of that. While it is held the pawl bears what is between the two moments.
    void winch_liftsAtEachStroke()
    {
        QFETCH(QString, form);
        QFETCH(QString, method);
        constexpr double m = 20, g = 9.81, r = 0.15, J = 0.55, A = 40, w = 4, inertia = J + m * r * r;
        const double released = std::asin(m * g * r / A) / w, period = 2 * std::numbers::pi / w;
        const auto speed = [&](double t) {
            return (A * (std::cos(w * released) - std::cos(w * t)) / w - m * g * r * (t - released)) / inertia;
        };
        const double held = zeroOf(speed, released + 0.2, released + 1), b = held - released;
        const double stroke =
            (A * (std::cos(w * released) * b - (std::sin(w * held) - std::sin(w * released)) / w) / w - m * g * r * b * b / 2)
            / inertia;
        const auto run = shippedOf("ratchet-winch", form, method);
        constexpr double end = 4; // three strokes, and the pawl holds
        QVERIFY2(run->advanceTo(end), whyOf(*run).c_str());
        QCOMPARE(driftless::test::modesOf(*run),
                 (std::vector<std::string>{"pawl", "free", "pawl", "free", "pawl", "free", "pawl"}));
        const auto times = timesOf(*run, EventKind::Mode);
        for (std::size_t i = 1; i < times.size(); ++i) {
            const double wanted = (i % 2 ? released : held) + period * static_cast<double>((i - 1) / 2);
            QVERIFY2(std::abs(times[i] - wanted) <= kAllowed, qPrintable(QString::number(times[i] - wanted)));
        }
        QVERIFY(std::abs(valueOf(*run, "crate.y") + 1 - 3 * r * stroke) <= kAllowed);
        QVERIFY(std::abs(valueOf(*run, "pawl.mu") - (A * std::sin(w * end) - m * g * r)) <= kAllowed * A); // it pushes
    }

    /// What turns the wrong way is stopped by an impact, which takes its energy.
    void ratchet_stopsWhatTurnsBack()
    {
        const auto run = madeOf(wheel(-1, "0", "forwards"), "index-1", "dop853");
        QVERIFY(run->advanceTo(1));
        QVERIFY(std::abs(valueOf(*run, "wheel.angle'")) <= kAllowed);
        int impacts = 0;
        for (const run::Event& e : run->events())
            if (const auto* impact = e.as<run::ImpactEvent>()) {
                ++impacts;
                QVERIFY(std::abs(impact->energy + 0.5) <= kAllowed && std::abs(impact->impulse - 1) <= kAllowed);
            }
        QCOMPARE(impacts, 1);
        const auto free = madeOf(wheel(1, "0", "forwards"), "index-1", "dop853");
        QVERIFY(free->advanceTo(1));
        QVERIFY(std::abs(valueOf(*free, "wheel.angle") - 1) <= kAllowed);
    }

    /// A ratchet at a wheel that clutch and brake hold already: its row repeats theirs, and what the weight leaves of it is
    /// round-off. It stays open, and takes over where the clutch opens.
    void ratchet_whereOthersHold_waits()
    {
        const auto run =
            madeOf("format = 1\n[[body]]\nname = \"a\"\nkind = \"rigid\"\nmass = 1\ninertia = 0.045\nx = -0.5\n"
                   "[[body]]\nname = \"b\"\nkind = \"rigid\"\nmass = 1\ninertia = 0.045\nx = 0.5\n"
                   "[[joint]]\nname = \"hub\"\nkind = \"pin\"\nfrom = { body = \"ground\", at = [-0.5, 0] }\n"
                   "to = \"a\"\n[[joint]]\nname = \"axle\"\nkind = \"pin\"\n"
                   "from = { body = \"ground\", at = [0.5, 0] }\nto = \"b\"\n"
                   "[[joint]]\nname = \"grip\"\nkind = \"clutch\"\nfrom = \"a\"\nto = \"b\"\ncapacity = \"1 - t\"\n"
                   "[[joint]]\nname = \"brake\"\nkind = \"clutch\"\nfrom = \"ground\"\nto = \"b\"\ncapacity = 1\n"
                   "[[joint]]\nname = \"pawl\"\nkind = \"ratchet\"\njoint = \"hub\"\n"
                   "[[force]]\nkind = \"gravity\"\nacceleration = 9.81\n"
                   "[[force]]\nkind = \"force\"\nbody = \"a\"\ntorque = -0.25\n",
                   "index-1", "dop853");
        QVERIFY2(run->advanceTo(2), whyOf(*run).c_str());
        QVERIFY(std::abs(valueOf(*run, "a.angle'")) <= kAllowed);
        QVERIFY(std::abs(valueOf(*run, "pawl.mu") + 0.25) <= kAllowed);
        const auto times = timesOf(*run, EventKind::Mode, 0);
        QVERIFY(!times.empty() && std::abs(times.front() - 0.75) <= kAllowed); // 1 - t = 0.25
    }

    /// A damper in place of the row lets go with a velocity that is not zero, and then it chatters.
    void ratchet_isRefusedByPenalty()
    {
        const auto made = run::Run::create(compiled("ratchet-winch"), {}, settings("penalty", "radau", 0, kTolerance));
        QVERIFY(!made);
        QVERIFY2(made.error().what == "penalty cannot carry the ratchet pawl", made.error().text().c_str());
    }

    void ratchetWithFriction_isPulledForwards_data() { waysToRun(); }
    /// 2 kg m^2, friction of 2 N m and the moment t: at rest up to t = 2, then (t - 2)^2 / 4.
    void ratchetWithFriction_isPulledForwards()
    {
        QFETCH(QString, form);
        QFETCH(QString, method);
        const auto run = madeOf("format = 1\n" + turning("a", 2, 0)
                                    + "[[joint]]\nname = \"f\"\nkind = \"dry-friction\"\njoint = \"axle_a\"\nsticking = 2\n"
                                      "[[joint]]\nname = \"pawl\"\nkind = \"ratchet\"\njoint = \"axle_a\"\n"
                                    + turnedBy("a", "t"),
                                qPrintable(form), qPrintable(method));
        QVERIFY2(run->advanceTo(4), whyOf(*run).c_str());
        QCOMPARE(driftless::test::modesOf(*run), (std::vector<std::string>{"f sticks", "f slides forwards"}));
        QVERIFY(std::abs(timesOf(*run, EventKind::Mode).at(1) - 2) <= kAllowed);
        QVERIFY(std::abs(valueOf(*run, "a.angle'") - 1) <= kAllowed);
    }

    void boxInACorner_isPulledAway_data() { waysToRun(); }
    /// It slips at t0 = (1 + 0.3 g) / 2 and has t^2 - t0^2 - (1 + 0.3 g) (t - t0) m/s then.
    void boxInACorner_isPulledAway()
    {
        QFETCH(QString, form);
        QFETCH(QString, method);
        const auto run = madeOf(kCorner, qPrintable(form), qPrintable(method));
        QVERIFY2(run->advanceTo(4), whyOf(*run).c_str());
        const double bears = 1 + 0.3 * 9.81, slips = bears / 2;
        QVERIFY(std::abs(timesOf(*run, EventKind::Mode).back() - slips) <= kAllowed);
        QVERIFY(std::abs(valueOf(*run, "p.x'") - (16 - slips * slips - bears * (4 - slips))) <= kAllowed);
        QVERIFY(run->events().size() <= 6); // and does not chatter
    }

    void beltAgainstAStop_goesOnRubbing_data() { waysToRun(); }
    /// It reaches the belt's speed at 1.5 1.3 / 2 s, rides to the stop, and rubs there with 2 N, which the stop bears.
    void beltAgainstAStop_goesOnRubbing()
    {
        QFETCH(QString, form);
        QFETCH(QString, method);
        const auto run = madeOf(kBelt, qPrintable(form), qPrintable(method));
        QVERIFY2(run->advanceTo(3), whyOf(*run).c_str());
        QCOMPARE(driftless::test::modesOf(*run),
                 (std::vector<std::string>{"f slides backwards", "f sticks", "f slides backwards, s.upper"}));
        const double rides = 1.5 * 1.3 / 2, hits = rides + (1 - 1.5 * rides / 2) / 1.5;
        QVERIFY(std::abs(timesOf(*run, EventKind::Impact).at(0) - hits) <= kAllowed);
        QCOMPARE(timesOf(*run, EventKind::Impact).size(), std::size_t{1});
        QVERIFY(std::abs(valueOf(*run, "p.x") - 1) <= kAllowed && std::abs(valueOf(*run, "p.x'")) <= kAllowed);
        QVERIFY(std::abs(valueOf(*run, "f.mu") + 2) <= kAllowed && std::abs(valueOf(*run, "s.lambda_upper") + 2) <= kAllowed);
        QVERIFY(std::abs(run->status().energyError) <= kAllowed);
    }

    void parallelClutches_bearTheSumOfTheirLimits_data() { waysToRun(); }
    /// 6 and 5 N m on one wheel: the first bears what it can, then the second. The moment grows to 8, falls, and turns: nothing
    /// slips before it is -11, at t = 27.
    void parallelClutches_bearTheSumOfTheirLimits()
    {
        QFETCH(QString, form);
        QFETCH(QString, method);
        const std::string two =
            "format = 1\n" + turning("a", 2, 0) + gripping("one", "ground", "a", "6") + gripping("two", "ground", "a", "5");
        const auto run = madeOf(two + turnedBy("a", "t"), qPrintable(form), qPrintable(method));
        QVERIFY2(run->advanceTo(13), whyOf(*run).c_str());
        QCOMPARE(driftless::test::modesOf(*run),
                 (std::vector<std::string>{"one sticks, two sticks", "one at its limit, two sticks",
                                           "one slides forwards, two slides forwards"}));
        const auto times = timesOf(*run, EventKind::Mode);
        QVERIFY(std::abs(times.at(1) - 6) <= kAllowed && std::abs(times.at(2) - 11) <= kAllowed);
        QVERIFY(std::abs(valueOf(*run, "a.angle'") - 1) <= kAllowed); // (13 - 11)^2 / (2 2)
        const auto back = madeOf(two + turnedBy("a", "8-abs(t-8)"), qPrintable(form), qPrintable(method));
        QVERIFY2(back->advanceTo(28), whyOf(*back).c_str());
        QVERIFY(std::abs(valueOf(*back, "a.angle'") + 0.25) <= kAllowed);
    }

    void clutchAndBrakes_standAndTurnTogether_data() { waysToRun(); }
    /// Two wheels with a clutch of 6 N m between them and brakes of 4 and 3. Driven by t they stand up to 7, and turn as one
    /// while the clutch bears 3 + 3/5 (t - 7). From 10 rad/s they come to rest.
    void clutchAndBrakes_standAndTurnTogether()
    {
        QFETCH(QString, form);
        QFETCH(QString, method);
        const std::string holds =
            gripping("grip", "a", "b", "6") + gripping("left", "ground", "a", "4") + gripping("right", "ground", "b", "3");
        const auto run = madeOf("format = 1\n" + turning("a", 2, 0) + turning("b", 3, 0) + holds + turnedBy("a", "t"),
                                qPrintable(form), qPrintable(method));
        QVERIFY2(run->advanceTo(9), whyOf(*run).c_str());
        QVERIFY(std::abs(valueOf(*run, "a.angle'") - 0.4) <= kAllowed && std::abs(valueOf(*run, "b.angle'") - 0.4) <= kAllowed);
        const auto stops =
            madeOf("format = 1\n" + turning("a", 2, 10) + turning("b", 3, 0) + holds, qPrintable(form), qPrintable(method));
        QVERIFY2(stops->advanceTo(10), whyOf(*stops).c_str());
        QVERIFY(std::abs(valueOf(*stops, "a.angle'")) <= kAllowed && std::abs(valueOf(*stops, "b.angle'")) <= kAllowed);
        QVERIFY(std::abs(stops->status().energyError) <= 100 * kAllowed); // of 100 J
    }

    /// Gears of ratio 1 hold the slip of a clutch themselves.
    void clutchBetweenGears_bearsNothing()
    {
        const auto run = madeOf("format = 1\n" + turning("a", 2, 10) + turning("b", 3, 10)
                                    + "[[joint]]\nname = \"teeth\"\nkind = \"gear\"\nfrom = \"a\"\nto = \"b\"\nratio = 1\n"
                                    + gripping("grip", "a", "b", "6"),
                                "dummy-derivatives", "ida");
        QVERIFY2(run->advanceTo(3), whyOf(*run).c_str());
        QVERIFY(std::abs(valueOf(*run, "b.angle") - 30) <= kAllowed && std::abs(valueOf(*run, "grip.mu")) <= kAllowed);
    }
};

QTEST_GUILESS_MAIN(TestOneWay)
#include "test_one_way.moc"
