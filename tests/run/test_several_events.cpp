// Guards that fall into one step, at one time, that graze, and that fire on a start: each is told in order, and by every method
// alike.
#include <QtTest>

#include <cmath>
#include <string>
#include <vector>

#include "core/integrate/Integrator.h"
#include "core/mechanism/ReadModel.h"
#include "core/run/Run.h"

using namespace driftless;
using run::Event;

namespace {

constexpr double kAskedOfEvents = 1e-8; ///< relative and absolute tolerance
constexpr double kFixedStep = 0.5;      ///< [s] all impacts of a model fall into one such step
constexpr double kGravityOfEvents = 9.81;

struct Ball {
    double height, velocity; ///< [m], [m/s]
    double restitution = 0.5;
};

/// Balls one beside the other, each with a floor (or, with a roof, a straight line above) of its own.
std::string ballsOver(const std::vector<Ball>& balls, bool gravity, double roof = 0)
{
    std::string out = "format = 1\n";
    for (std::size_t i = 0; i < balls.size(); ++i) {
        const std::string number = std::to_string(i);
        out += "[[body]]\nname = \"b" + number + "\"\nkind = \"point\"\nmass = " + std::to_string(1 + i) + "\nx = { start = "
               + number + ", velocity = 0 }\ny = { start = " + QString::number(balls[i].height, 'g', 17).toStdString()
               + ", velocity = " + QString::number(balls[i].velocity, 'g', 17).toStdString() + " }\n";
        out += "[[joint]]\nname = \"w" + number + "\"\nkind = \"wall\"\nto = \"b" + number
               + "\"\nrestitution = " + std::to_string(balls[i].restitution)
               + (roof > 0 ? "\nangle = \"pi\"\nfrom = { body = \"ground\", at = [0, "
                                 + QString::number(roof, 'g', 17).toStdString() + "] }\n"
                           : "\nfrom = \"ground\"\n");
    }
    if (gravity)
        out += "[[force]]\nkind = \"gravity\"\nacceleration = " + std::to_string(kGravityOfEvents) + "\n";
    return out;
}

struct Told {
    double t = 0;
    run::EventKind kind = run::EventKind::Start;
    std::vector<std::string> names; ///< contacts that are hit or touched; the mode that follows
    double speed = 0;
};

struct EventfulRun {
    std::unique_ptr<run::Run> run;
    std::vector<Told> told;
    std::string failure;
    std::vector<double> stepsAt; ///< [s] rows

    bool toldIs(std::size_t place, run::EventKind kind, double t, double within, const std::vector<std::string>& names) const
    {
        return place < told.size() && told[place].kind == kind && std::abs(told[place].t - t) <= within
               && told[place].names == names;
    }
    std::string text() const
    {
        std::string out = failure;
        for (const Told& one : told) {
            out += "\n" + QString::number(one.t, 'g', 17).toStdString() + " " + run::eventKindName(one.kind);
            for (const std::string& name : one.names)
                out += " " + name;
        }
        return out;
    }
};

/// In index 1, which every method carries; none where it does not.
EventfulRun eventfulRun(const std::string& text, const std::string& method, double end)
{
    EventfulRun out;
    const auto model = model::readModel(text, "balls.toml");
    if (!model) {
        out.failure = model.error().text();
        return out;
    }
    run::RunSettings settings;
    settings.integrator = method;
    settings.options.relativeTolerance = settings.options.absoluteTolerance = kAskedOfEvents;
    settings.options.step = integrate::findIntegrator(method)->adaptive ? 0 : kFixedStep;
    for (const char* form : {"index-1", "index-2", "index-3"}) {
        settings.formulation = form;
        auto made = run::Run::create(*model::CompiledSystem::compile(*model), {}, settings);
        if (!made) {
            out.failure = made.error().text();
            continue;
        }
        out.failure.clear();
        out.run = std::move(*made);
        break;
    }
    if (!out.run)
        return out;
    if (!out.run->advanceTo(end))
        out.failure = out.run->status().diagnostic ? out.run->status().diagnostic->text() : "it did not get on";
    for (const Event& e : out.run->events()) {
        if (const auto* impact = e.as<run::ImpactEvent>())
            out.told.push_back({e.t, e.kind(), impact->contacts, impact->speed});
        else if (const auto* mode = e.as<run::ModeChange>())
            out.told.push_back({e.t, e.kind(), {mode->to}});
        else if (const auto* crossing = e.as<run::Crossing>())
            out.told.push_back({e.t, e.kind(), crossing->names});
    }
    return out;
}

void addMethods()
{
    QTest::addColumn<QString>("method");
    for (const auto& info : integrate::integratorCatalogue())
        QTest::newRow(info.id.c_str()) << QString::fromStdString(info.id);
}

} // namespace

class TestSeveralEvents : public QObject {
    Q_OBJECT

private slots:
    /// Uniform motion, which every method follows to round-off: a step of the fixed ones holds all five, and the adaptive ones
    /// grow far beyond.
    void fiveInOneStep_areToldInTheirOrder_data() { addMethods(); }
    void fiveInOneStep_areToldInTheirOrder()
    {
        QFETCH(QString, method);
        const std::vector<double> times{8.31, 8.11, 8.29, 8.45, 8.175};
        std::vector<Ball> balls;
        for (const double t : times)
            balls.push_back({2 * t, -2});
        for (const std::size_t count : {2u, 3u, 5u}) {
            const EventfulRun one = eventfulRun(ballsOver({balls.begin(), balls.begin() + static_cast<long>(count)}, false),
                                                method.toStdString(), 9);
            QVERIFY2(one.run && one.failure.empty(), one.failure.c_str());
            std::vector<std::size_t> order(count);
            for (std::size_t i = 0; i < count; ++i)
                order[i] = i;
            std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return times[a] < times[b]; });
            QVERIFY2(one.told.size() == count, one.text().c_str());
            for (std::size_t k = 0; k < count; ++k)
                QVERIFY2(one.toldIs(k, run::EventKind::Impact, times[order[k]], 100 * kAskedOfEvents,
                                    {"w" + std::to_string(order[k])}),
                         one.text().c_str());
            for (std::size_t i = 0; i < count; ++i) { // they rebound with half their speed
                const double y = one.run->recording().value(one.run->recording().rowCount() - 1, static_cast<int>(2 * i + 1));
                QVERIFY2(std::abs(y - (9 - times[i])) <= 100 * kAskedOfEvents, one.text().c_str());
            }
        }
    }

    /// Different speeds from different heights, one time: one impact, with the contacts in the order of the file.
    void severalAtOneTime_areOneEvent_data() { addMethods(); }
    void severalAtOneTime_areOneEvent()
    {
        QFETCH(QString, method);
        const std::vector<double> speeds{1, 3, 0.5, 2, 4};
        std::vector<Ball> balls;
        for (const double v : speeds)
            balls.push_back({8.25 * v, -v});
        for (const std::size_t count : {2u, 3u, 5u}) {
            const EventfulRun one = eventfulRun(ballsOver({balls.begin(), balls.begin() + static_cast<long>(count)}, false),
                                                method.toStdString(), 9);
            QVERIFY2(one.run && one.failure.empty(), one.failure.c_str());
            std::vector<std::string> all;
            for (std::size_t i = 0; i < count; ++i)
                all.push_back("w" + std::to_string(i));
            QVERIFY2(one.told.size() == 1 && one.toldIs(0, run::EventKind::Impact, 8.25, 100 * kAskedOfEvents, all),
                     one.text().c_str());
        }
    }

    /// A ball rises to a line at height 1. Above it by a hundred tolerances: nothing. Below by 1e-3: an impact where the closed
    /// form has it. What just touches is told as such or, within the error of the method, is not seen or hits slowly.
    void grazing_data() { addMethods(); }
    void grazing()
    {
        QFETCH(QString, method);
        if (integrate::findIntegrator(method.toStdString())->order == 1)
            QSKIP("of order one: errs by more than the margins, whatever is located");
        const bool adaptive = integrate::findIntegrator(method.toStdString())->adaptive;
        const double g = kGravityOfEvents, v = std::sqrt(2 * g), apex = v / g;
        // Fixed steps of multistep methods begin with lower orders: their margin is that of one first step.
        const double margin = adaptive ? 100 * kAskedOfEvents : 1e-2;
        const EventfulRun above = eventfulRun(ballsOver({{0, v}}, true, 1 + margin), method.toStdString(), 0.8);
        QVERIFY2(above.run && above.failure.empty(), above.failure.c_str());
        QVERIFY2(above.told.empty(), above.text().c_str());
        const double depth = adaptive ? 1e-3 : 5e-2;
        const EventfulRun hits = eventfulRun(ballsOver({{0, v}}, true, 1 - depth), method.toStdString(), 0.8);
        const double speed = std::sqrt(2 * g * depth), at = (v - speed) / g;
        const double within = (adaptive ? 100 * kAskedOfEvents : 1e-2) / speed; // an error in height, at that speed
        QVERIFY2(hits.failure.empty(), hits.failure.c_str());
        QVERIFY2(hits.told.size() == 1 && hits.toldIs(0, run::EventKind::Impact, at, within, {"w0"}), hits.text().c_str());
        const EventfulRun touches = eventfulRun(ballsOver({{0, v}}, true, 1), method.toStdString(), 0.8);
        QVERIFY2(touches.failure.empty(), touches.failure.c_str());
        QVERIFY2(touches.told.size() <= 1, touches.text().c_str());
        const double slow = std::sqrt(2 * g * margin);
        if (!touches.told.empty()) {
            QVERIFY2(touches.told[0].kind != run::EventKind::Mode && touches.told[0].speed <= slow, touches.text().c_str());
            QVERIFY2(std::abs(touches.told[0].t - apex) <= slow / g, touches.text().c_str());
        }
        const double last = touches.run->recording().value(touches.run->recording().rowCount() - 1, 1);
        QVERIFY(std::abs(last - (v * 0.8 - g * 0.64 / 2)) <= margin + 1.5 * slow * (0.8 - apex));
    }

    /// On the floor: one at rest, one that is thrown up, one that is thrown down, one that hangs above.
    void onAStart_data() { addMethods(); }
    void onAStart()
    {
        QFETCH(QString, method);
        const EventfulRun one = eventfulRun(ballsOver({{0, 0}, {0, 2}, {0, -2}, {1, 0}}, true), method.toStdString(), 0.1);
        QVERIFY2(one.run && one.failure.empty(), one.failure.c_str());
        QVERIFY2(one.told.size() == 2, one.text().c_str());
        QVERIFY2(one.toldIs(0, run::EventKind::Impact, 0, 0, {"w2"}), one.text().c_str());
        QVERIFY2(one.toldIs(1, run::EventKind::Mode, 0, 0, {"w0"}), one.text().c_str());
        QVERIFY(std::abs(one.told[0].speed - 2) <= 1e-12); // round-off of one impact
        const auto view = one.run->recording();
        QCOMPARE(view.value(view.rowCount() - 1, 1), 0.0);
    }

    /// A corner: floor and wall at one time, by one body.
    void intoACorner_bothWallsAreHitAtOnce_data() { addMethods(); }
    void intoACorner_bothWallsAreHitAtOnce()
    {
        QFETCH(QString, method);
        const std::string text =
            "format = 1\n[[body]]\nname = \"b\"\nkind = \"point\"\nmass = 1\nx = { start = -8.25, velocity = "
            "1 }\ny = { start = 16.5, velocity = -2 }\n"
            "[[joint]]\nname = \"floor\"\nkind = \"wall\"\nfrom = \"ground\"\nto = \"b\"\nrestitution = 1\n"
            "[[joint]]\nname = \"right\"\nkind = \"wall\"\nfrom = \"ground\"\nto = \"b\"\nangle = \"pi/2\"\n"
            "restitution = 0.5\n";
        const EventfulRun one = eventfulRun(text, method.toStdString(), 9.25);
        QVERIFY2(one.run && one.failure.empty(), one.failure.c_str());
        QVERIFY2(one.told.size() == 1 && one.toldIs(0, run::EventKind::Impact, 8.25, 100 * kAskedOfEvents, {"floor", "right"}),
                 one.text().c_str());
        const auto view = one.run->recording();
        const std::uint64_t last = view.rowCount() - 1;
        QVERIFY(std::abs(view.value(last, 0) + 0.5) <= 100 * kAskedOfEvents);
        QVERIFY(std::abs(view.value(last, 1) - 2) <= 100 * kAskedOfEvents);
    }
};

QTEST_GUILESS_MAIN(TestSeveralEvents)
#include "test_several_events.moc"
