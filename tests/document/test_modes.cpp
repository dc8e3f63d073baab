// Mechanisms with events in the open document: looking back over a mode shows its rows, and undo reaches over an impact.
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>

#include "core/integrate/Integrator.h"
#include "core/reduction/Reduced.h"
#include "core/run/Linearise.h"
#include "tests/support/EventfulModels.h"
#include "ui/document/RunControl.h"

using namespace driftless;
using namespace driftless::ui;

namespace {

struct ModeDesk {
    MessageLog messages{[] { return 0.0; }};
    History history;
    OpenBench open{history, messages};
    LookBack lookBack{open};
    RunControl control{open, lookBack, history, messages};

    bool openModel(const std::string& name, const std::string& formulation, const std::string& integrator)
    {
        auto bench = Bench::compile(reduction::openModel(name), {});
        if (!bench)
            return false;
        run::RunSettings settings = settingsAsFile((*bench)->compiled().model());
        settings.formulation = formulation;
        settings.integrator = integrator;
        RunEntry entry;
        entry.key = open.freshKey();
        return (*bench)->add(entry, settings, 0).ok() && open.adopt(std::move(bench).value(), {}, Opens::NewDocument).ok();
    }
    run::RunId id() const { return open.find(open.selected())->id; }
    run::RunStatus status() const { return open.status(open.selected()); }
    void showUntil(double t)
    {
        open.laboratory().waitUntil(t);
        open.laboratory().scrub(t);
        open.bench().noteShown(t);
    }
};

std::vector<std::string> equationsOf(const std::vector<formulation::DescribedRow>& rows)
{
    std::vector<std::string> out;
    for (const auto& row : rows)
        out.push_back(row.equation);
    return out;
}

/// What was done to a run of which the document has a picture.
struct Switched {
    double t = 0;
    std::string form;
};

/// A run that did the same and has come no further than t.
std::unique_ptr<run::Run> runUntil(const ModeDesk& d, const run::RunSettings& settings, const std::vector<Switched>& done,
                                   double t)
{
    auto out = run::Run::create(d.open.compiledHandle(), {}, settings);
    if (!out)
        return nullptr;
    for (const Switched& one : done)
        if (one.t <= t && (!(*out)->advanceTo(one.t) || !(*out)->apply(one.t, run::SetFormulation{one.form})))
            return nullptr;
    return (*out)->advanceTo(t) ? std::move(*out) : nullptr;
}

/// What the document shows at t otherwise than it was; empty where nothing.
std::string misshown(ModeDesk& d, const run::Run& then, double t)
{
    d.open.laboratory().scrub(t);
    const int key = d.open.selected();
    const run::RunStatus live = then.status(), shown = d.lookBack.status(key);
    const std::string where = " at " + std::to_string(t) + " s in " + live.mode + "\n";
    if (shown.mode != live.mode)
        return "the mode " + shown.mode + where;
    if (shown.settings.formulation != live.settings.formulation)
        return shown.settings.formulation + " in place of " + live.settings.formulation + where;
    if (shown.form.unknowns != live.form.unknowns)
        return "another number of unknowns" + where;
    if (equationsOf(d.lookBack.equations(key, expr::Format::Text)) != equationsOf(then.equations(expr::Format::Text)))
        return "other rows of " + live.settings.formulation + where;
    return {};
}

/// The first stretch in each mode of a shipped mechanism, in their order.
std::vector<test::ModeStretch> modesAlong(const ModeDesk& d, const run::RunSettings& settings)
{
    auto run = run::Run::create(d.open.compiledHandle(), {}, settings);
    if (!run || !(*run)->advanceTo(std::min(d.open.compiled().model().run.end, 12.0)))
        return {};
    auto out = test::stretchesOf(**run);
    std::ranges::sort(out, {}, &test::ModeStretch::from);
    return out;
}

/// Up to a time [s].
std::vector<double> impactEnergies(const std::vector<run::Event>& events, double t)
{
    std::vector<double> out;
    for (const run::Event& e : events)
        if (const auto* impact = e.as<run::ImpactEvent>(); impact && e.t <= t)
            out.push_back(impact->energy);
    return out;
}

} // namespace

class TestModes : public QObject {
    Q_OBJECT
    QTemporaryDir settings_;

private slots:
    void initTestCase() { QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, settings_.path()); }

    void lookingBackOverAMode_showsItsRows_data()
    {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("form");
        QTest::addColumn<double>("end");
        for (const char* form : {"index-1", "dummy-derivatives", "index-3"}) {
            QTest::addRow("string, %s", form) << "slack-pendulum" << form << 2.0;
            QTest::addRow("belt, %s", form) << "stick-slip" << form << 9.0;
            QTest::addRow("rod, %s", form) << "breaking-pendulum" << form << 1.0;
        }
    }
    void lookingBackOverAMode_showsItsRows()
    {
        QFETCH(QString, model);
        QFETCH(QString, form);
        QFETCH(double, end);
        ModeDesk d;
        QVERIFY(d.openModel(model.toStdString(), form.toStdString(), "radau"));
        d.showUntil(end);
        const run::RunSettings settings = d.status().settings;
        std::vector<std::string> modes;
        for (double t = 0.05; t < end; t += end / 16) {
            d.open.laboratory().scrub(t);
            auto then = run::Run::create(d.open.compiledHandle(), {}, settings); // a run that has come no further
            QVERIFY((*then)->advanceTo(t));
            const run::RunStatus live = (*then)->status(), shown = d.lookBack.status(d.open.selected());
            const QByteArray where = QByteArray::number(t);
            QVERIFY2(shown.mode == live.mode, where);
            QVERIFY2(shown.rowsInForce == live.rowsInForce, where);
            QVERIFY2(shown.dummies == live.dummies, where);
            QVERIFY2(shown.form.unknowns == live.form.unknowns, where);
            const run::RunId id = d.open.laboratory().runs().front();
            const auto linear = run::linearise(d.open.compiledHandle(), shown, d.open.laboratory().recording(id), t);
            QVERIFY2(linear.ok(), linear ? "" : linear.error().text().c_str());
            QVERIFY2(linear->rows.size() == (*then)->equations(expr::Format::Text).size(), where);
            for (const expr::Format format : {expr::Format::Text, expr::Format::Latex})
                QVERIFY2(equationsOf(d.lookBack.equations(d.open.selected(), format))
                             == equationsOf((*then)->equations(format)),
                         where);
            QVERIFY2(d.lookBack.differs(d.open.selected()) == (live.mode != d.status().mode)
                         || live.dummies != d.status().dummies,
                     where);
            if (std::ranges::find(modes, live.mode) == modes.end())
                modes.push_back(live.mode);
        }
        QVERIFY(modes.size() >= 2);
    }

    void aFormSwitchedInEachMode_isSeenLookingBack_data()
    {
        QTest::addColumn<QString>("model");
        for (const char* model : test::kEventfulMechanisms)
            QTest::newRow(model) << QString(model);
    }
    /// Of each mode of a mechanism another form from its middle on. Then every one of these times is looked back at, before
    /// and behind the switch, and everything is taken back.
    void aFormSwitchedInEachMode_isSeenLookingBack()
    {
        QFETCH(QString, model);
        ModeDesk d;
        QVERIFY(d.openModel(model.toStdString(), "index-1", "radau"));
        const run::RunSettings settings = d.status().settings;
        const auto stretches = modesAlong(d, settings);
        QVERIFY(!stretches.empty());
        const char* const forms[] = {"dummy-derivatives", "index-2", "baumgarte", "ggl", "index-3", "extended-3.17"};
        std::vector<Switched> done;
        for (const test::ModeStretch& stretch : stretches) {
            d.showUntil(stretch.middle() + 0.2 * (stretch.to - stretch.from));
            d.open.laboratory().scrub(stretch.middle()); // the runs are ahead: they go on from here
            const char* form = forms[done.size() % std::size(forms)];
            QVERIFY2(d.control.setFormulation(d.open.selected(), form), form);
            done.push_back({run::regimesOf(d.open.laboratory(), d.id()).back().from, form});
            QVERIFY2(std::abs(done.back().t - stretch.middle()) <= 0.01 * (stretch.to - stretch.from), form);
        }
        const test::ModeStretch& last = stretches.back();
        const double end = last.middle() + 0.4 * (last.to - last.middle());
        d.showUntil(end);
        std::string wrong;
        for (const test::ModeStretch& stretch : stretches)
            for (const double share : {0.45, 0.5, 0.55}) {
                const double t = stretch.from + share * (stretch.to - stretch.from);
                const auto then = runUntil(d, settings, done, t);
                QVERIFY(then);
                wrong += misshown(d, *then, t);
            }
        QVERIFY2(wrong.empty(), wrong.c_str());
        // Each undo gives the form of before, from now on; what has happened stays, but for what is computed ahead of the
        // pause.
        d.showUntil(end);
        const double now = d.open.laboratory().clock().t;
        const auto before = impactEnergies(d.open.laboratory().events(d.id()), now);
        for (std::size_t k = done.size(); k-- > 0;) {
            d.history.stack().undo();
            QCOMPARE(d.status().settings.formulation, k ? done[k - 1].form : settings.formulation);
        }
        const auto behind = impactEnergies(d.open.laboratory().events(d.id()), now);
        QVERIFY(behind.size() >= before.size() && std::equal(before.begin(), before.end(), behind.begin()));
        const double early = stretches.back().middle() * (1 + 1e-3);
        const auto then = runUntil(d, settings, done, early);
        QVERIFY(then);
        QCOMPARE(misshown(d, *then, early), std::string());
    }

    void equationsInEachMode_keepTheirForm_data()
    {
        QTest::addColumn<QString>("model");
        for (const char* model : {"backlash", "bouncing-ball-equations", "clutch", "diode-rectifier", "ideal-bridge",
                                  "ideal-diode-bridge", "ideal-rectifier"})
            QTest::newRow(model) << QString(model);
    }
    /// Texts of equations have one form: another one is refused between any two events, and nothing changes. The method is
    /// changed between all of them, and the events stay where they are.
    void equationsInEachMode_keepTheirForm()
    {
        QFETCH(QString, model);
        ModeDesk d;
        QVERIFY(d.openModel(model.toStdString(), "dummy-derivatives", "radau"));
        auto still = run::Run::create(d.open.compiledHandle(), {}, d.status().settings);
        QVERIFY((*still)->advanceTo(d.open.compiled().model().run.end));
        std::vector<double> times{0};
        for (const run::Event& e : (*still)->events())
            if (e.kind() == run::EventKind::Mode && e.t > times.back() && times.size() < 12)
                times.push_back(e.t);
        QVERIFY(times.size() >= 3);
        const auto rows = equationsOf(d.lookBack.equations(d.open.selected(), expr::Format::Text));
        for (std::size_t k = 1; k < times.size(); ++k) {
            d.showUntil(0.5 * (times[k - 1] + times[k]));
            QVERIFY(!d.control.setFormulation(d.open.selected(), "index-1"));
            QVERIFY(d.control.setIntegrator(d.open.selected(), k % 2 ? "dop853" : "radau"));
            QCOMPARE(equationsOf(d.lookBack.equations(d.open.selected(), expr::Format::Text)), rows);
        }
        d.showUntil(times.back());
        const auto events = d.open.laboratory().events(d.id());
        for (const double t : times) {
            // By a hundred tolerances of 1e-6, as the times of all events, relative to the end.
            const double allowed = 1e-4 * std::max(1.0, d.open.compiled().model().run.end);
            const bool told = t == 0 || std::ranges::any_of(events, [&](const run::Event& e) {
                                  return e.kind() == run::EventKind::Mode && std::abs(e.t - t) <= allowed;
                              });
            QVERIFY2(told, QByteArray::number(t));
        }
        for (std::size_t k = times.size(); k-- > 1;)
            d.history.stack().undo();
        QCOMPARE(d.status().settings.integrator, std::string("radau"));
    }

    /// The ball under the floor: it lies there. Each undo brings back where it was, in the air and on the floor.
    void aBodyDraggedIntoAContact_restsThere_andIsBroughtBack()
    {
        ModeDesk d;
        QVERIFY(d.openModel("bouncing-ball", "dummy-derivatives", "radau"));
        d.showUntil(0.2);
        const auto height = [&] { // as it is shown: the run may stand a little ahead
            const auto recording = d.open.laboratory().recording(d.id());
            std::vector<double> q(static_cast<std::size_t>(recording.n())), v = q,
                                                                            lambda(static_cast<std::size_t>(recording.m()));
            recording.stateAt(d.open.laboratory().clock().t, q.data(), v.data(), lambda.data());
            return q[static_cast<std::size_t>(recording.findColumn("ball.y"))];
        };
        const double falling = 1 - 9.81 * 0.04 / 2;
        QVERIFY(d.control.setState({{"ball.y", -0.5}, {"ball.y'", 0}}, "move ball", "drag 1"));
        QVERIFY(std::abs(height()) <= 1e-9); // of a length of 1 m
        QCOMPARE(d.status().mode, std::string("floor"));
        QVERIFY(d.control.setState({{"ball.y", 0.4}}, "move ball", "drag 2"));
        QVERIFY(std::abs(height() - 0.4) <= 1e-9);
        QCOMPARE(d.status().mode, std::string("free"));
        d.history.stack().undo();
        QVERIFY(std::abs(height()) <= 1e-9);
        QCOMPARE(d.status().mode, std::string("floor"));
        d.history.stack().undo();
        QVERIFY(std::abs(height() - falling) <= 1e-6); // a hundred tolerances
        QCOMPARE(d.status().mode, std::string("free"));
    }

    /// e = 0.5 for some impacts, undone behind them, and done again: what has happened stays, and each impact is by the e of
    /// its time.
    void undoReachesOverAnImpact()
    {
        ModeDesk d;
        QVERIFY(d.openModel("bouncing-ball", "dummy-derivatives", "dop853"));
        d.showUntil(0.1);
        QVERIFY(d.control.setParameter("e", 0.5));
        d.showUntil(0.8);
        d.history.stack().undo();
        d.showUntil(1.2);
        d.history.stack().redo();
        d.showUntil(1.5);
        const run::Laboratory& laboratory = d.open.laboratory();
        const auto regimes = run::regimesOf(laboratory, d.id());
        const auto& parameters = d.open.bench().system().parameters;
        const auto place =
            std::ranges::find(parameters, "e", [](const auto& p) { return p.quantity.name; }) - parameters.begin();
        const double start = 9.81; // m g h
        double energy = start;
        std::vector<double> used;
        for (const run::Event& event : laboratory.events(d.id()))
            if (const auto* impact = event.as<run::ImpactEvent>(); impact && used.size() < 6) {
                const double before = std::nextafter(event.t, 0.0); // a command at that time acts behind the impact
                const double e = run::regimeAt(regimes, before).parameters[static_cast<std::size_t>(place)];
                const double taken = (1 - e * e) * energy;
                QVERIFY2(std::abs(impact->energy + taken) <= 1e-6 * start, QByteArray::number(event.t)); // 100 tolerances
                energy -= taken;
                if (used.empty() || used.back() != e)
                    used.push_back(e);
            }
        QVERIFY2(used.size() >= 3, "impacts before the undo, behind it and behind the redo");
        // Back before the first impact: it comes as the parameters of then have it.
        d.open.laboratory().scrub(0.2);
        QVERIFY(d.control.setParameter("g", 5));
        d.open.laboratory().waitUntil(1.0);
        const auto lost = impactEnergies(d.open.laboratory().events(d.id()), d.open.laboratory().clock().t);
        QVERIFY(!lost.empty());
        const double fallen = 9.81 * 0.04 / 2, speed = 9.81 * 0.2; // until 0.2 s
        QVERIFY(std::abs(lost[0] + 0.36 * (5 * (1 - fallen) + speed * speed / 2)) <= 1e-6 * start);
        const auto replayed = run::replaySession(d.open.laboratory().sessionJson(), "session");
        QVERIFY2(replayed, replayed ? "" : replayed.error().text().c_str());
        const auto live = d.open.laboratory().recording(d.id()), again = replayed->runs[0]->recording();
        QVERIFY(again.lastTime() >= 0.2);
        for (std::uint64_t r = 0; r < std::min(live.rowCount(), again.rowCount()); ++r)
            for (int c = 0; c < live.n(); ++c)
                QCOMPARE(live.value(r, c), again.value(r, c));
    }
};

QTEST_GUILESS_MAIN(TestModes)
#include "test_modes.moc"
