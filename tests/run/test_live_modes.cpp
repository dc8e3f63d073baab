// Every formulation switched to in every mode of every shipped mechanism with events; and commands before and behind an impact.
// The rows are those that the form makes of the mode, and the motion goes on as without the switch. What a form cannot carry is
// refused as it is at the start.
#include <QtTest>

#include <cmath>
#include <string>
#include <vector>

#include "core/formulation/Formulation.h"
#include "core/run/Past.h"
#include "core/system/Modes.h"
#include "tests/run/RunFixture.h"
#include "tests/support/Draw.h"
#include "tests/support/EventfulModels.h"

using namespace driftless;
using namespace driftless::test;

namespace {

std::vector<std::string> textOf(const std::vector<formulation::DescribedRow>& rows)
{
    std::vector<std::string> out;
    for (const auto& row : rows)
        out.push_back(row.equation);
    return out;
}

std::vector<std::string> rowsInMode(const run::Run& run, const std::string& formulation, const model::Mode& mode)
{
    const auto there = model::modelInMode(run.system().modelHandle(), mode);
    const run::RunStatus status = run.status();
    const auto dae = formulation::findFormulation(formulation)->build(*there, status.settings.choices);
    if (!dae)
        return {};
    return textOf(formulation::describeRows(*dae, {status.positionDummies, status.dummies, {}}, expr::Format::Text));
}

/// Largest difference of coordinates.
double apart(const run::Run& a, const run::Run& b)
{
    double out = 0;
    const auto x = a.namedState(), y = b.namedState();
    for (std::size_t i = 0; i < static_cast<std::size_t>(a.system().n()); ++i)
        out = std::max(out, std::abs(x[i].second - y[i].second));
    return out;
}

struct LiveSwitches {
    int switched = 0, refused = 0;
    std::string missed; ///< a line for each demand that is not met
};

/// Every form, or each of a list, switched to in the middle of every mode.
LiveSwitches switchInEveryMode(const std::string& model, const std::vector<std::string>& forms)
{
    constexpr double kAsked = 1e-9, kFurther = 0.1; // [s] that the motion goes on
    LiveSwitches out;
    const auto system = compiled(model);
    const auto usual = settings("index-1", "radau", 0, kAsked);
    const auto made = run::Run::create(system, {}, usual);
    if (!made || !(*made)->advanceTo(std::min(system->model().run.end, 12.0)))
        return {.missed = model + ": the reference does not run\n"};
    for (const ModeStretch& stretch : stretchesOf(**made))
        for (const std::string& form : forms) {
            const double t = stretch.middle(), end = std::min(t + kFurther, 0.5 * (t + stretch.to));
            const std::string where = model + ", " + form + " in " + model::modeName(system->system(), stretch.mode) + ": ";
            auto live = run::Run::create(system, {}, usual), still = run::Run::create(system, {}, usual);
            (*live)->advanceTo(t);
            (*still)->advanceTo(end);
            if (const auto done = (*live)->apply(t, run::SetFormulation{form}); !done) {
                ++out.refused;
                if (run::Run::create(system, {}, settings(form, "radau", 0, kAsked)))
                    out.missed += where + "refused, but not at the start: " + done.error().text() + "\n";
                continue;
            }
            ++out.switched;
            if ((*live)->status().mode != model::modeName(system->system(), stretch.mode))
                out.missed += where + "the mode became " + (*live)->status().mode + "\n";
            if (textOf((*live)->equations(expr::Format::Text)) != rowsInMode(**live, form, stretch.mode))
                out.missed += where + "other rows than those of the mode\n";
            if (!(*live)->advanceTo(end)) {
                const auto why = (*live)->status().diagnostic;
                out.missed += where + (why ? why->text() : std::string("does not go on")) + "\n";
            } else if (const double d = apart(**live, **still); d > (form == "penalty" ? 1e-2 : 1e-6) * (1 + t)) {
                // A thousand tolerances; penalty holds its rows by springs alone.
                out.missed += where + "differs by " + std::to_string(d) + "\n";
            }
        }
    return out;
}

} // namespace

class TestLiveModes : public QObject {
    Q_OBJECT

private slots:
    void everyForm_inEachModeOfEveryModel_data()
    {
        QTest::addColumn<QString>("model");
        for (const char* model : kEventfulMechanisms)
            QTest::newRow(model) << QString(model);
    }
    void everyForm_inEachModeOfEveryModel()
    {
        QFETCH(QString, model);
        std::vector<std::string> forms;
        for (const auto& form : formulation::formulations())
            forms.push_back(form->info().id);
        const LiveSwitches done = switchInEveryMode(model.toStdString(), forms);
        QVERIFY2(done.missed.empty(), done.missed.c_str());
        QVERIFY(done.switched >= 10);
    }

    /// A command for a time that the run has yet to come to: on the way the string goes slack. The rows are those of the mode
    /// there, and not of the one in which the command was given.
    void aCommandForATimeBehindAnEvent_isWrittenInTheModeThere()
    {
        const auto system = compiled("slack-pendulum");
        for (const auto& form : formulation::formulations()) {
            const std::string id = form->info().id;
            auto made = run::Run::create(system, {}, settings("index-1", "radau", 0, 1e-8));
            QVERIFY((*made)->advanceTo(0.3));
            const std::string taut = (*made)->status().mode;
            if (!(*made)->apply(0.9, run::SetFormulation{id}))
                continue;
            const model::Mode slack = model::baseMode(system->system()); // nothing holds the bob
            QVERIFY(taut != (*made)->status().mode);
            QCOMPARE((*made)->status().mode, model::modeName(system->system(), slack));
            QVERIFY2(textOf((*made)->equations(expr::Format::Text)) == rowsInMode(**made, id, slack), id.c_str());
            QVERIFY2((*made)->advanceTo(0.95), id.c_str());
        }
    }

    /// A ball that rests is lifted in many samples of one gesture: it rested until then and is free behind it, and falls.
    void whatIsLiftedOffItsContact_hasLeftIt()
    {
        for (const char* form : {"dummy-derivatives", "index-1", "projection"}) {
            const auto made = run::Run::create(compiled("bouncing-ball"), {}, settings(form, "radau", 0, 1e-8));
            QVERIFY2(made.ok(), form);
            run::Run& run = **made;
            QVERIFY2(run.advanceTo(8), form);
            const model::ConstrainedSystem& base = run.system().system();
            const model::Mode rests = run::modeAt(base, run.events(), 8);
            QVERIFY2(rests != model::baseMode(base), form); // it lies on the floor
            const double t = run.t();
            for (const double height : {0.1, 0.4, 0.7})
                QVERIFY2(run.apply(t, run::SetState{{{"ball.y", height}}}), form);
            QVERIFY2(run.advanceTo(t + 0.2), form);
            const std::vector<run::Event> events = run.events();
            QCOMPARE(model::modeName(base, run::modeAt(base, events, t - 0.1)), model::modeName(base, rests));
            QCOMPARE(model::modeName(base, run::modeAt(base, events, t + 0.1)), model::modeName(base, model::baseMode(base)));
            const auto lifts = std::ranges::count_if(
                events, [t](const run::Event& e) { return e.t == t && e.as<run::ModeChange>() != nullptr; });
            QCOMPARE(lifts, 1);
            QVERIFY2(run.advanceTo(t + 1), form); // sqrt(2 0.7 / 9.81) s is 0.38 s: it has rebounded
            const auto later = run.events();
            QVERIFY2(std::ranges::any_of(
                         later, [t](const run::Event& e) { return e.t > t + 0.3 && e.kind() == run::EventKind::Impact; }),
                     form);
        }
    }

    /// With a joint beside the contact two dummies become one: the change of the mode tells that, and it is no exchange.
    void aLiftBesideAJoint_isNoExchange()
    {
        const auto made = run::Run::create(
            compiledMechanism("format = 1\n[[body]]\nname = \"bob\"\nkind = \"point\"\nmass = 1\nx = { start = 0.6 }\ny = { "
                              "start = -0.8 }\n[[joint]]\nname = \"rod\"\nkind = \"rod\"\nfrom = \"ground\"\nto = \"bob\"\n"
                              "length = 1\n[[joint]]\nname = \"w\"\nkind = \"wall\"\nfrom = { body = \"ground\", at = [0.2, 0] "
                              "}\nto = \"bob\"\nangle = \"-pi/2\"\n[[force]]\nkind = \"gravity\"\nacceleration = 9.81\n"),
            {}, settings("dummy-derivatives", "rk4", 0.01));
        QVERIFY2(made.ok(), made ? "" : made.error().text().c_str());
        run::Run& run = **made;
        QVERIFY(run.advanceTo(3));
        const std::string rests = run.status().mode;
        const auto pivots = run.status().pivots;
        const double t = run.t();
        QVERIFY(run.apply(t, run::SetState{{{"bob.x", 0.6}, {"bob.y", -0.8}}}));
        QVERIFY(run.status().mode != rests);
        QCOMPARE(run.status().pivots, pivots);
        const auto events = run.events();
        QVERIFY(std::ranges::none_of(events, [t](const auto& e) { return e.t == t && e.kind() == run::EventKind::Pivot; }));
        QVERIFY(std::ranges::any_of(events, [t](const auto& e) { return e.t == t && e.kind() == run::EventKind::Mode; }));
    }

    /// Samples that touch the floor, go below it and leave it again: one entry, and no impact that the last of them undid.
    void aDragOverAContact_isOneGesture()
    {
        const std::string model =
            "format = 1\n[[body]]\nname = \"ball\"\nkind = \"point\"\nmass = 1\nx = { start = 0, velocity = "
            "0.1 }\ny = { start = 1 }\n[[joint]]\nname = \"floor\"\nkind = \"wall\"\nfrom = \"ground\"\nto = "
            "\"ball\"\nrestitution = 0\n[[force]]\nkind = \"gravity\"\nacceleration = 9.81\n";
        const std::uint64_t seed = seedOr(3);
        for (int k = 0, count = countOr(8); k < count; ++k) {
            Draw draw(seed + static_cast<std::uint64_t>(k));
            const auto made = run::Run::create(compiledMechanism(model), {}, settings("dummy-derivatives", "rk4", 0.01));
            QVERIFY(made.ok());
            run::Run& run = **made;
            QVERIFY(run.advanceTo(0.1));
            const double t = run.t();
            std::string way = "seed " + std::to_string(seed + static_cast<std::uint64_t>(k));
            double height = 0;
            for (int sample = 0, last = draw.upTo(2, 7); sample <= last; ++sample) {
                const bool touches = sample < last && draw.chance(0.5);
                height = touches ? -draw.upTo(0, 1) * draw.decimal(0, 0.2) : draw.decimal(0.1, 0.8);
                way += ", " + std::to_string(height);
                QVERIFY2(run.apply(t, run::SetState{{{"ball.x", 0.1 * sample}, {"ball.y", height}}}), way.c_str());
            }
            const auto events = run.events();
            const auto here = [&](run::EventKind kind) {
                return std::ranges::count_if(events, [&](const auto& e) { return e.t == t && e.kind() == kind; });
            };
            QVERIFY2(here(run::EventKind::Command) == 1 && here(run::EventKind::Impact) == 0 && here(run::EventKind::Mode) == 0,
                     way.c_str());
            QVERIFY2(run.advanceTo(t + 0.5 * std::sqrt(2 * height / 9.81)), way.c_str());
            QCOMPARE(run.status().mode, model::modeName(run.system().system(), model::baseMode(run.system().system())));
        }
    }

    /// Over a catch of the string: what was switched and changed on both sides of it repeats to the last bit.
    void commandsOnBothSidesOfAnImpact_repeat()
    {
        run::Laboratory laboratory(compiled("slack-pendulum"), {}, 1);
        const auto id = laboratory.addRun(settings("index-1", "dop853", 0, 1e-8));
        QVERIFY(id);
        laboratory.waitUntil(0.3);
        laboratory.scrub(0.3);
        QVERIFY(laboratory.command({*id}, run::SetFormulation{"dummy-derivatives"}));
        laboratory.waitUntil(1.5);
        QVERIFY(laboratory.command({*id}, run::SetParameter{"g", 8}));
        laboratory.waitUntil(2);
        QVERIFY(laboratory.command({*id}, run::SetParameter{"g", 9.81}));
        laboratory.waitUntil(3);
        const auto replayed = run::replaySession(laboratory.sessionJson(), "session");
        QVERIFY2(replayed, replayed ? "" : replayed.error().text().c_str());
        const auto live = laboratory.recording(*id), again = replayed->runs[0]->recording();
        const std::uint64_t rows = std::min(live.rowCount(), again.rowCount()); // the live one may have gone further
        QVERIFY(again.lastTime() >= 2);
        for (std::uint64_t r = 0; r < rows; ++r)
            for (int c = 0; c < live.columnCount(); ++c) {
                const double a = live.value(r, c), b = again.value(r, c);
                QVERIFY2(a == b || (std::isnan(a) && std::isnan(b)), qPrintable(QString("row %1").arg(r)));
            }
    }
};

QTEST_GUILESS_MAIN(TestLiveModes)
#include "test_live_modes.moc"
