// Mechanisms with events in the open document: looking back over a mode shows its rows, and undo reaches over an impact.
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>

#include "core/mechanism/ReadModel.h"
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
        auto bench = Bench::compile(model::openModel(name), {});
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

std::vector<double> impactEnergies(const std::vector<run::Event>& events)
{
    std::vector<double> out;
    for (const run::Event& e : events)
        if (const auto* impact = e.as<run::ImpactEvent>())
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
            QVERIFY2(shown.dummies == live.dummies, where);
            QVERIFY2(shown.form.unknowns == live.form.unknowns, where);
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
        const auto lost = impactEnergies(d.open.laboratory().events(d.id()));
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
