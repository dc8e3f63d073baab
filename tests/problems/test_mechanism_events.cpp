// Shipped mechanisms with events against closed forms: when contacts are hit, strings go slack, friction sticks and rods break,
// what energy is lost, and that a run with events repeats itself to the last bit. test_event_times has times by every method.
#include <QtTest>

#include <cmath>

#include "core/formulation/Formulation.h"
#include "core/integrate/Integrator.h"
#include "tests/problems/EventTimes.h"

using namespace driftless;
using namespace driftless::test;
using run::Event;
using run::EventKind;

class TestMechanismEvents : public QObject {
    Q_OBJECT

private slots:
    /// Infinitely many impacts end at t = sqrt(2h/g) (1 + e) / (1 - e); the run takes it for rest a little before, and says so.
    void bouncingBall_comesToRest_whereTheSeriesEnds()
    {
        const auto run = ran("bouncing-ball", "dop853", 1e-8, 5);
        QVERIFY(!run->failed());
        const auto rests = timesOf(*run, EventKind::Mode);
        QCOMPARE(rests.size(), 1u);
        const double end = std::sqrt(2 / 9.81) * 1.8 / 0.2;
        // The rest of the series after a rebound u: 2 u / g / (1 - e), u below a ten-thousandth of the usual speed (below 10
        // m/s).
        QVERIFY(rests[0] <= end + 1e-7 && rests[0] >= end - 2 * 1e-3 / 9.81 / 0.2);
        QVERIFY(std::abs(valueOf(*run, "floor.lambda") + 9.81) <= 1e-9);
        QVERIFY(std::abs(valueOf(*run, "ball.y")) <= 1e-9);
    }

    void sliderStops_timesAndSpeeds_areAGeometricSeries()
    {
        const auto run = ran("slider-stops", "dop853", 1e-8, 10);
        const auto found = timesOf(*run, EventKind::Impact);
        double t = 0.5, speed = 1;
        for (std::size_t k = 0; k < 4; ++k) {
            QVERIFY(std::abs(found.at(k) - t) <= 100 * 1e-8);
            speed *= 0.7;
            t += 1 / speed;
        }
        QVERIFY(std::abs(std::abs(valueOf(*run, "block.x'")) - speed) <= 1e-8);
        QVERIFY(std::abs(run->status().energyError) <= 1e-8);
    }

    void blockOnBelt_slidesAndThenSticks()
    {
        const auto run = ran("block-on-belt", "dop853", 1e-8, 2);
        const auto sticks = timesOf(*run, EventKind::Mode, 0);
        QCOMPARE(sticks.size(), 1u);
        QVERIFY(std::abs(sticks[0] - 0.75) <= 100 * 1e-8); // m u / F
        QVERIFY(std::abs(valueOf(*run, "block.x") - (1.5 * 0.75 / 2 + 1.5 * 1.25)) <= 100 * 1e-8);
        QVERIFY(std::abs(valueOf(*run, "belt.mu")) <= 1e-8); // nothing is needed to stick
    }

    void newtonsCradle_oneAfterTheOther_givesTheLastBallAll_andTogetherTwoThirds()
    {
        const auto run = ran("newtons-cradle-impacts", "dop853", 1e-8, 1);
        for (const auto& [name, speed] : {std::pair{"left.x'", 0.0}, {"middle.x'", 0.0}, {"right.x'", 1.0}})
            QVERIFY(std::abs(valueOf(*run, name) - speed) <= 1e-12);
        auto read = model::openModel("newtons-cradle-impacts");
        auto together = std::make_shared<model::Model>(**read);
        together->simultaneousImpacts = true;
        auto made = run::Run::create(*model::CompiledSystem::compile(together), {}, settings("index-1", "dop853", 0, 1e-8));
        QVERIFY(made);
        QVERIFY((*made)->advanceTo(1));
        for (const auto& [name, speed] : {std::pair{"left.x'", -1.0 / 3}, {"middle.x'", 2.0 / 3}, {"right.x'", 2.0 / 3}})
            QVERIFY(std::abs(valueOf(**made, name) - speed) <= 1e-12);
    }

    /// Unfolded the path is straight: x = fold(vx t), y = fold(0.1 + vy t).
    void billiard_unfolds()
    {
        const auto run = ran("billiard", "dop853", 1e-8, 19.3);
        const auto fold = [](double s) {
            const double turned = std::fmod(s + 1, 4);
            return turned <= 2 ? turned - 1 : 3 - turned;
        };
        QVERIFY(std::abs(valueOf(*run, "ball.x") - fold(19.3)) <= 100 * 1e-8);
        QVERIFY(std::abs(valueOf(*run, "ball.y") - fold(0.1 + 0.7 * 19.3)) <= 100 * 1e-8);
        QVERIFY(std::abs(run->status().energyError) <= 1e-10);
    }

    void ballInBox_booksEveryLoss()
    {
        const auto run = ran("ball-in-box", "dop853", 1e-8, 4);
        double lost = 0;
        for (const Event& e : run->events())
            if (const auto* impact = e.as<run::ImpactEvent>()) {
                QVERIFY(impact->energy <= 0);
                lost += impact->energy;
            }
        const double begin = 0.5 * 9 + 9.81;
        QVERIFY(std::abs(run->status().energy - begin - lost) <= 1e-6 * begin);
        QVERIFY(std::abs(run->status().energyError) <= 1e-6 * begin);
    }

    /// 3 m g cos phi from the vertical = F, reached in the time of an elliptic integral; then a parabola.
    void breakingPendulum_breaksAtItsStrength()
    {
        const auto run = ran("breaking-pendulum", "dop853", 1e-10, 1);
        const auto broken = timesOf(*run, EventKind::Mode);
        QCOMPARE(broken.size(), 1u);
        const double g = 9.81, c = 20 / (3 * g), angle = std::asin(c); // below the horizontal
        // t = integral of da / sqrt(2 g sin a), with a = s^2 so that the root at the start goes.
        constexpr int kPieces = 20000;
        const double top = std::sqrt(angle), h = top / kPieces;
        const auto f = [&](double s) { return s == 0 ? 2 / std::sqrt(2 * g) : 2 * s / std::sqrt(2 * g * std::sin(s * s)); };
        double sum = f(0) + f(top);
        for (int k = 1; k < kPieces; ++k)
            sum += (k % 2 ? 4 : 2) * f(k * h);
        const double t = sum * h / 3, v = std::sqrt(2 * g * c), rest = 1 - t;
        QVERIFY2(std::abs(broken[0] - t) <= 100 * 1e-10, qPrintable(QString::number(broken[0] - t)));
        const double y = -c - v * std::cos(angle) * rest - g * rest * rest / 2;
        QVERIFY(std::abs(valueOf(*run, "bob.y") - y) <= 1000 * 1e-10);
        QCOMPARE(valueOf(*run, "rod.lambda"), 0.0);
    }

    void aRodThatIsOverloadedAtTheStart_breaksThere_data()
    {
        QTest::addColumn<QString>("integrator");
        for (const char* id : {"ida", "radau", "dormand-prince", "dop853", "rk4"})
            QTest::newRow(id) << id;
    }

    /// m v^2 / L = 9 N at t = 0, and less from there on as the point rises: a parabola with 8.9 N, a circle with 9.1 N.
    void aRodThatIsOverloadedAtTheStart_breaksThere()
    {
        QFETCH(QString, integrator);
        for (const bool breaks : {true, false}) {
            const auto model = model::readModel(
                std::string(
                    "format = 1\n[[body]]\nname = \"b\"\nkind = \"point\"\nmass = 1\n"
                    "x = { start = 1, fixed = true }\ny = { start = 0, velocity = 3, fixed = true, velocity_fixed = true }\n"
                    "[[joint]]\nname = \"r\"\nkind = \"breaking-rod\"\nfrom = \"ground\"\nto = \"b\"\nlength = 1\n"
                    "strength = ")
                    + (breaks ? "8.9" : "9.1") + "\n[[force]]\nkind = \"gravity\"\nacceleration = 9.81\n",
                "m.toml");
            QVERIFY2(model, model ? "" : model.error().text().c_str());
            run::RunSettings s;
            s.formulation = "dummy-derivatives";
            s.integrator = integrator.toStdString();
            s.options.relativeTolerance = s.options.absoluteTolerance = 1e-8;
            s.options.step = 1e-3;
            const auto run = run::Run::create(*model::CompiledSystem::compile(*model), {}, s);
            QVERIFY2(run, run ? "" : run.error().text().c_str());
            (*run)->advanceTo(0.2);
            QVERIFY(!(*run)->failed());
            const auto times = timesOf(**run, EventKind::Mode);
            QCOMPARE(times, breaks ? std::vector<double>{0} : std::vector<double>{});
            if (breaks)
                QVERIFY(std::abs(valueOf(**run, "b.y") - (3 * 0.2 - 9.81 * 0.02)) < 1e-7);
        }
    }

    void formsAndMethods()
    {
        QTest::addColumn<QString>("form");
        QTest::addColumn<QString>("integrator");
        for (const auto& [form, method] : {std::pair{"dummy-derivatives", "dop853"},
                                           {"dummy-derivatives", "ida"},
                                           {"ggl", "radau"},
                                           {"index-1", "adams"},
                                           {"index-1", "rk4"},
                                           {"projection", "dormand-prince"}})
            QTest::addRow("%s %s", form, method) << QString(form) << QString(method);
    }

    /// What a slider-crank of crank r = 0.3 m and rod 1 m, uniform, does against a friction of 4 N on its block: energy along
    /// the angle by the midpoint rule. Its error at 300,000 steps is below 1e-7 of what it is at the start.
    static double crankSpeed(double end)
    {
        const auto inertia = [](double angle, double& slide) {
            const double s = std::sin(angle), c = std::cos(angle), rod = std::asin(-0.3 * s), turn = -0.3 * c / std::cos(rod);
            slide = -0.3 * s - std::sin(rod) * turn;
            const double rx = -0.3 * s - 0.5 * std::sin(rod) * turn, ry = 0.3 * c + 0.5 * std::cos(rod) * turn;
            return 0.5 + 0.05 * turn * turn + 0.5 * (rx * rx + ry * ry) + slide * slide;
        };
        double slide = 0, angle = 0.5, energy = 0.5 * inertia(angle, slide) * 64;
        constexpr int kSteps = 300000;
        const double h = end / kSteps;
        for (int k = 0; k < kSteps; ++k) {
            const double speed = std::sqrt(2 * energy / inertia(angle, slide)), half = angle + 0.5 * h * speed;
            const double lost = energy - 4 * std::abs(slide) * speed * h / 2;
            const double there = std::sqrt(2 * lost / inertia(half, slide));
            energy -= 4 * std::abs(slide) * there * h;
            angle += h * there;
        }
        return std::sqrt(2 * energy / inertia(angle, slide));
    }

    void frictionChangesItsSideAtADeadCentre_data() { formsAndMethods(); }

    /// There the joints hold the block for an instant, and no force is needed: it is neither stuck nor at its limit.
    void frictionChangesItsSideAtADeadCentre()
    {
        QFETCH(QString, form);
        QFETCH(QString, integrator);
        const auto model = model::readModel(R"(format = 1
[[body]]
name = "crank"
kind = "rigid"
mass = 1
inertia = 0.5
angle = { start = 0.5, velocity = 8, fixed = true, velocity_fixed = true }
[[body]]
name = "rod"
kind = "rigid"
mass = 0.5
inertia = 0.05
x = 1
angle = -0.15
[[body]]
name = "block"
kind = "point"
mass = 1
x = 1.7
[[joint]]
name = "hub"
kind = "pin"
from = "ground"
to = "crank"
[[joint]]
name = "wrist"
kind = "pin"
from = { body = "crank", at = [0.3, 0] }
to = { body = "rod", at = [-0.5, 0] }
[[joint]]
name = "gudgeon"
kind = "pin"
from = { body = "rod", at = [0.5, 0] }
to = "block"
[[joint]]
name = "rail"
kind = "slider"
from = "ground"
to = "block"
[[joint]]
name = "rub"
kind = "dry-friction"
joint = "rail"
sticking = 4
)",
                                            "crank.toml");
        QVERIFY2(model, model ? "" : model.error().text().c_str());
        const auto made = run::Run::create(*model::CompiledSystem::compile(*model), {},
                                           settings(form.toStdString(), integrator.toStdString(), 1e-3, 1e-8));
        QVERIFY2(made, made ? "" : made.error().text().c_str());
        (*made)->advanceTo(3);
        QVERIFY2(!(*made)->failed(), whyOf(**made).c_str());
        const double expected = crankSpeed(3), found = valueOf(**made, "crank.angle'");
        QVERIFY2(std::abs(found - expected) < 1e-4, qPrintable(QString::number(found - expected)));
    }

    void aBodyOnARailInSpaceMeetsItsStop_data() { formsAndMethods(); }

    /// Its turn is held by the rail: of the quaternion's inertia round-off alone is left. Falls of 0.5 m; rebounds with half
    /// the speed.
    void aBodyOnARailInSpaceMeetsItsStop()
    {
        QFETCH(QString, form);
        QFETCH(QString, integrator);
        const auto model = model::readModel(R"(format = 1
dimensions = 3
[[body]]
name = "b"
kind = "rigid"
mass = 2
inertia = [0.3, 0.4, 0.25]
[[joint]]
name = "j"
kind = "prismatic"
from = "ground"
to = "b"
axis = [0, 0, 1]
[[joint]]
name = "e"
kind = "stop"
joint = "j"
lower = -0.5
upper = 0.5
restitution = 0.5
[[force]]
kind = "gravity"
acceleration = 9.81
)",
                                            "rail.toml");
        QVERIFY2(model, model ? "" : model.error().text().c_str());
        const auto made = run::Run::create(*model::CompiledSystem::compile(*model), {},
                                           settings(form.toStdString(), integrator.toStdString(), 1e-3, 1e-8));
        QVERIFY2(made, made ? "" : made.error().text().c_str());
        (*made)->advanceTo(0.6);
        QVERIFY2(!(*made)->failed(), whyOf(**made).c_str());
        const auto found = timesOf(**made, EventKind::Impact);
        const double fall = std::sqrt(2 * 0.5 / 9.81);
        QCOMPARE(found.size(), std::size_t{1});
        QVERIFY(std::abs(found[0] - fall) < 1e-6);
        const double rest = 0.6 - fall;
        QVERIFY(std::abs(valueOf(**made, "b.z") - (-0.5 + 0.5 * 9.81 * fall * rest - 9.81 * rest * rest / 2)) < 1e-6);
    }

    void aStringAsLongAsItsLinks_isPassedWhereTheyStretch_data()
    {
        QTest::addColumn<QString>("form");
        QTest::addColumn<QString>("integrator");
        for (const auto& [form, method] : {std::pair{"index-3", "radau"},
                                           {"index-3", "ida"},
                                           {"ggl", "radau"},
                                           {"dummy-derivatives", "dop853"},
                                           {"projection", "dormand-prince"}})
            QTest::addRow("%s %s", form, method) << QString(form) << QString(method);
    }

    /// The gap has its zero where both links are in line, and it is a minimum there: nothing is hit in a form that holds
    /// positions, though they miss it by round-off. A string one part in 1e4 shorter is hit.
    void aStringAsLongAsItsLinks_isPassedWhereTheyStretch()
    {
        QFETCH(QString, form);
        QFETCH(QString, integrator);
        for (const char* length : {"2.0", "1.9998"}) {
            const auto model = model::readModel(R"(format = 1
body = [
{ name = "a", kind = "rigid", mass = 1, inertia = 0.1, x = 0.4620734168582407, y = -0.19101873581654372, angle = { start = -0.392, velocity = -0.229 } },
{ name = "b", kind = "rigid", mass = 1.481, inertia = 0.08, x = 1.420957979091032, y = -0.3256576363049568, angle = { start = 0.113, velocity = 2.148 } }]
joint = [
{ name = "q", kind = "pin", from = "ground", to = { body = "a", at = [-0.5, 0] } },
{ name = "w", kind = "pin", from = { body = "a", at = [0.5, 0] }, to = { body = "b", at = [-0.5, 0] } },
{ name = "s", kind = "string", from = "ground", to = { body = "b", at = [0.5, 0] }, restitution = 0.5, length = )"
                                                    + std::string(length) + R"( }]
force = [{ kind = "gravity", acceleration = 9.81 }]
)",
                                                "stretched.toml");
            QVERIFY2(model, model ? "" : model.error().text().c_str());
            const auto made = run::Run::create(*model::CompiledSystem::compile(*model), {},
                                               settings(form.toStdString(), integrator.toStdString(), 1e-3, 1e-9));
            QVERIFY2(made, made ? "" : made.error().text().c_str());
            (*made)->advanceTo(1.5);
            QVERIFY2(!(*made)->failed(), whyOf(**made).c_str());
            QCOMPARE(timesOf(**made, EventKind::Impact).empty(), std::string(length) == "2.0");
        }
    }

    void aBeltAgainstAnElasticStopIsPeriodic_data() { formsAndMethods(); }

    /// Hit with 1 m/s each half second, where the slip ends at that very instant: 1 - 2 + 4 t back to the belt's speed.
    void aBeltAgainstAnElasticStopIsPeriodic()
    {
        QFETCH(QString, form);
        QFETCH(QString, integrator);
        const auto model = model::readModel(R"(format = 1
[[body]]
name = "b"
kind = "point"
mass = 1
x = { start = 0, velocity = 1 }
[[joint]]
name = "s"
kind = "slider"
from = "ground"
to = "b"
[[joint]]
name = "f"
kind = "dry-friction"
joint = "s"
sticking = 4
speed = 1
[[joint]]
name = "end"
kind = "stop"
joint = "s"
upper = 0.5
restitution = 1
)",
                                            "belt.toml");
        QVERIFY2(model, model ? "" : model.error().text().c_str());
        const auto made = run::Run::create(*model::CompiledSystem::compile(*model), {},
                                           settings(form.toStdString(), integrator.toStdString(), 1e-3, 1e-8));
        QVERIFY2(made, made ? "" : made.error().text().c_str());
        (*made)->advanceTo(2.8);
        QVERIFY2(!(*made)->failed(), whyOf(**made).c_str());
        QVERIFY(std::abs(valueOf(**made, "b.x") - 0.38) < 1e-6); // 0.5 - 0.3 + 2 0.3^2
        QVERIFY(std::abs(valueOf(**made, "b.x'") - 0.2) < 1e-6);
    }

    /// The same modes in the same order in every form that carries them, and the formulation can be switched in each.
    void everyForm_tellsTheSame_andMayBeSwitchedTo()
    {
        const auto reference = ran("slack-pendulum", "dop853", 1e-8, 1.4);
        const auto expected = timesOf(*reference, EventKind::Mode);
        int carried = 0, switched = 0;
        for (const auto& form : formulation::formulations()) {
            const std::string id = form->info().id;
            if (id == "penalty") // its string yields: other times
                continue;
            for (const char* method : {"dop853", "radau-iia-5-adaptive", "ida"}) {
                if (!integrate::findIntegrator(method))
                    continue;
                auto made = run::Run::create(compiled("slack-pendulum"), {}, settings(id, method, 0, 1e-8));
                if (!made)
                    continue;
                QVERIFY2((*made)->advanceTo(1.4), (id + " " + method + ": " + whyOf(**made)).c_str());
                const auto found = timesOf(**made, EventKind::Mode);
                QCOMPARE(found.size(), expected.size());
                for (std::size_t k = 0; k < found.size(); ++k) // index 3 in ida loses two powers of h in the multiplier
                    QVERIFY2(std::abs(found[k] - expected[k]) <= 1e3 * 1e-8, (id + " " + method).c_str());
                ++carried;
            }
            for (const double t : {0.2, 0.9, 1.3}) { // taut, slack, taut again
                auto run = started("slack-pendulum", {}, settings("index-1", "radau-iia-5", 0.002));
                QVERIFY(run->advanceTo(t));
                if (!run->apply(t, run::SetFormulation{id}))
                    continue;
                QVERIFY2(run->advanceTo(1.4), (id + ": " + whyOf(*run)).c_str());
                ++switched;
            }
        }
        QVERIFY(carried >= 20 && switched >= 20);
    }

    void aRunWithEvents_repeatsItself_toTheLastBit_alsoWhereItIsTakenUpAgain()
    {
        for (const char* name : {"slack-pendulum", "ball-in-box", "stick-slip"}) {
            const auto one = ran(name, "dop853", 1e-8, 3), other = ran(name, "dop853", 1e-8, 3);
            QCOMPARE(one->namedState(), other->namedState());
            QCOMPARE(one->acceptedSteps(), other->acceptedSteps());
            QCOMPARE(timesOf(*one, EventKind::Impact), timesOf(*other, EventKind::Impact));
            // Back over events and forth again: the same modes come.
            const auto before = timesOf(*one, EventKind::Mode);
            const run::RecordingView view = one->recording();
            QVERIFY(one->apply(3, run::Branch{view.time(view.rowAt(0.4))})); // between rows a state is interpolated
            QVERIFY(one->advanceTo(3));
            const auto after = timesOf(*one, EventKind::Mode);
            QCOMPARE(after.size(), before.size());
            for (std::size_t k = 0; k < after.size(); ++k)
                QVERIFY(std::abs(after[k] - before[k]) <= 100 * 1e-8);
            QVERIFY(one->apply(3, run::Reset{}));
            QVERIFY(one->advanceTo(3));
            QCOMPARE(timesOf(*one, EventKind::Mode), timesOf(*other, EventKind::Mode));
        }
    }

    void aStartBehindAWall_isRefused_andAValueSetThere_restsOnIt()
    {
        const auto behind = run::Run::create(compiled("bouncing-ball"), {{}, {{"ball.y", -0.1}}, false},
                                             settings("index-1", "dop853", 0, 1e-8));
        QVERIFY(!behind);
        QVERIFY(behind.error().what.find("floor") != std::string::npos);
        const auto run = ran("bouncing-ball", "dop853", 1e-8, 0.2);
        QVERIFY(run->apply(0.2, run::SetState{{{"ball.y", -0.1}}}));
        QVERIFY(std::abs(valueOf(*run, "ball.y")) <= 1e-9 && run->status().mode == "floor"); // of a length of 1 m
        QVERIFY(run->apply(0.2, run::SetState{{{"ball.y", 0.5}}}));
        QVERIFY(run->advanceTo(1));
        QVERIFY(!timesOf(*run, EventKind::Impact).empty());
    }
};

QTEST_GUILESS_MAIN(TestMechanismEvents)
#include "test_mechanism_events.moc"
