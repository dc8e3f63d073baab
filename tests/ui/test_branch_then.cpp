// A change made while looking back goes on with what was shown. A driver draws switches and changes of parameters, scrubs to an
// earlier time, changes one thing, and compares with a run that only ever knew what had been done until that time.
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <bit>

#include "core/formulation/Formulation.h"
#include "tests/support/Draw.h"
#include "ui/document/Document.h"
#include "ui/document/TakenBack.h"

using namespace driftless;
using driftless::test::countOr;
using driftless::test::Draw;
using driftless::test::seedOr;
using driftless::ui::Document;

namespace {

// Forms and methods that go together on the pendulum, with and without dummies, bases, gains and projections.
const std::vector<QString> kForms{"index-1", "baumgarte", "projection", "dummy-derivatives", "ggl", "index-2", "tangent-plane"};
const std::vector<QString> kMethods{"rk4", "dormand-prince", "radau-iia-5", "ida"};

bool sameBits(double a, double b)
{
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) || (std::isnan(a) && std::isnan(b));
}

/// Empty where both recordings are the same from a time on.
std::string firstDifference(const run::RecordingView& a, const run::RecordingView& b, double from)
{
    std::uint64_t i = a.rowAt(from), k = b.rowAt(from);
    if (a.rowCount() - i != b.rowCount() - k)
        return "rows: " + std::to_string(a.rowCount() - i) + " and " + std::to_string(b.rowCount() - k);
    for (; i < a.rowCount(); ++i, ++k) {
        if (!sameBits(a.time(i), b.time(k)))
            return "times " + std::to_string(a.time(i)) + " and " + std::to_string(b.time(k));
        for (int c = 0; c < a.columnCount(); ++c)
            if (!sameBits(a.value(i, c), b.value(k, c)))
                return a.columns()[static_cast<std::size_t>(c)].name + " at t = " + std::to_string(a.time(i)) + ": "
                       + std::to_string(a.value(i, c)) + " and " + std::to_string(b.value(k, c));
    }
    return {};
}

struct Change {
    std::string told;
    bool done = false;
};

/// One change of the first run, as a person makes it. Some are refused: what is drawn need not go together.
Change drawChange(Document& d, Draw& draw)
{
    const int key = d.runs().front().key;
    switch (draw.upTo(0, 4)) {
    case 0: {
        const QString form = draw.among(kForms);
        return {"formulation " + form.toStdString(), d.control().setFormulation(key, form)};
    }
    case 1: {
        const QString method = draw.among(kMethods);
        return {"integrator " + method.toStdString(), d.control().setIntegrator(key, method)};
    }
    case 2: {
        auto options = d.shown(key).settings.options;
        options.step = draw.decimal(0.005, 0.03);
        options.relativeTolerance = options.absoluteTolerance = std::pow(10, draw.between(-8, -5));
        return {"options", d.control().setOptions(key, options)};
    }
    case 3: {
        const auto gains = d.shown(key).gains;
        if (gains.empty())
            return {"no gain", false};
        const double value = gains.begin()->second * draw.decimal(0.6, 1.5);
        return {"gain " + gains.begin()->first, d.control().setGain(key, QString::fromStdString(gains.begin()->first), value)};
    }
    default: {
        const bool length = draw.chance(0.6);
        const double value = length ? draw.decimal(0.7, 1.6) : draw.decimal(5, 12);
        return {(length ? "L = " : "g = ") + std::to_string(value), d.control().setParameter(length ? "L" : "g", value)};
    }
    }
}

/// The run that was given what the log says until t, and the same again where all went on from there.
std::unique_ptr<run::Run> runUntil(const Document& d, const std::vector<run::LogEntry>& log, double t)
{
    auto made = run::Run::create(d.bench().compiledHandle(), d.laboratory().start(), *log.front().settings);
    if (!made)
        return nullptr;
    for (const run::LogEntry& entry : log)
        for (const run::Command& command : entry.commands)
            if (command.t <= t && !(*made)->replay(command).ok())
                return nullptr;
    return std::move(*made);
}

bool failed(const Document& d) { return d.status(d.runs().front().key).state == run::RunState::Failed; }

/// What is wrong with a case; empty where nothing is. compared: it came to a comparison.
std::string judge(std::uint64_t seed, bool& compared)
{
    constexpr double kStretch = 0.25; // [s] from one change to the next
    Draw draw(seed);
    Document d;
    if (!d.opener().openModel("pendulum").ok() || !d.laboratory().recordRows(run::Rows::EveryStep).ok())
        return "the pendulum does not open";
    const run::RunId id = d.runs().front().id;
    std::string told;
    double t = 0;
    for (int k = draw.upTo(3, 6); k > 0; --k) {
        d.laboratory().waitUntil(t += kStretch);
        told += drawChange(d, draw).told + ", ";
    }
    d.laboratory().waitUntil(t += kStretch);
    d.playback().tick(0);
    if (failed(d))
        return {};
    const double back = draw.between(0.1, 0.95) * t;
    const std::vector<run::LogEntry> before = d.laboratory().log();
    d.playback().scrub(back);
    const run::RunSettings shown = d.shown(d.runs().front().key).settings;
    const std::vector<double> parameters = d.lookBack().parameters();
    const Change change = drawChange(d, draw);
    told += "at t = " + std::to_string(back) + " " + change.told;
    const auto& log = d.laboratory().log();
    if (!change.done || log.size() != before.size() + 2) // refused, or nothing was to be changed
        return {};
    d.laboratory().waitUntil(t);
    const auto fresh = runUntil(d, before, back);
    if (!fresh || !fresh->advanceBeyond(back))
        return told + ": the history does not repeat";
    if (fresh->status().settings.formulation != shown.formulation || fresh->status().settings.integrator != shown.integrator
        || fresh->status().parameters != parameters)
        return told + ": the settings shown are not those of the history";
    if (!fresh->apply(back, run::Branch{.to = back}).ok() || !fresh->apply(back, log.back().commands.front().payload).ok())
        return told + ": the change is not taken by the other run";
    fresh->advanceBeyond(t);
    compared = true;
    const std::string fault = firstDifference(d.laboratory().recording(id), fresh->recording(), back);
    return fault.empty() ? fault : told + ": " + fault;
}

/// The session repeats to the numbers of the laboratory that it was taken of.
std::string judgeReplay(const Document& d)
{
    const auto again = run::replaySession(d.laboratory().sessionJson(), "session");
    if (!again)
        return again.error().text();
    for (std::size_t k = 0; k < again->runs.size(); ++k)
        if (auto fault = firstDifference(d.laboratory().recording(again->ids[k]), again->runs[k]->recording(), 0);
            !fault.empty())
            return fault;
    return {};
}

double lengthOf(const Document& d, const std::vector<double>& parameters)
{
    const auto& all = d.system().parameters;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i].quantity.name == "L")
            return parameters[i];
    return std::nan("");
}

void goOn(Document& d, double t)
{
    d.laboratory().waitUntil(t);
    d.playback().tick(0);
}

} // namespace

class TestBranchThen : public QObject {
    Q_OBJECT
    QTemporaryDir settings_;

private slots:
    void initTestCase() { QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, settings_.path()); }

    /// Bit for bit with a run that has the same steps around the time of the branch: the state there lies between two of them.
    void aChangeWhileLookingBackGoesOnFromWhatWasShown()
    {
        const std::uint64_t seed = seedOr(40'300);
        const int count = countOr(40);
        qInfo("DRIFTLESS_SEED=%llu, %d cases", static_cast<unsigned long long>(seed), count);
        int compared = 0;
        for (int k = 0; k < count; ++k) {
            bool one = false;
            const std::string fault = judge(seed + static_cast<std::uint64_t>(k), one);
            compared += one;
            QVERIFY2(fault.empty(),
                     ("DRIFTLESS_SEED=" + std::to_string(seed + static_cast<std::uint64_t>(k)) + ": " + fault).c_str());
        }
        QVERIFY2(compared * 3 >= count, qPrintable(QStringLiteral("only %1 cases were compared").arg(compared)));
    }

    void everySettingOfThenIsTakenUpAndSaid()
    {
        Document d;
        QVERIFY(d.opener().openFirstStart().ok());
        const int key = d.runs()[1].key;
        goOn(d, 1);
        QVERIFY(d.control().setFormulation(key, "projection"));
        QVERIFY(d.control().setParameter("L", 1.5));
        goOn(d, 2);
        QVERIFY(d.control().setFormulation(key, "baumgarte"));
        QVERIFY(d.control().setIntegrator(key, "radau-iia-5"));
        QVERIFY(d.control().setParameter("L", 2));
        goOn(d, 4);
        d.playback().scrub(1.7);
        QSignalSpy branched(&d, &Document::branched);
        const int entries = d.undoStack().count();
        QVERIFY(d.control().setParameter("g", 5));
        QCOMPARE(branched.count(), 1);
        QCOMPARE(branched[0].at(0).toDouble(), 1.7);
        QCOMPARE(ui::listed(branched[0].at(1).toStringList()), QStringLiteral("projection, rk4 (Run 2) and L = 1.5 m"));
        const auto status = d.status(key);
        QCOMPARE(status.settings.formulation, std::string("projection"));
        QCOMPARE(status.settings.integrator, std::string("rk4"));
        QCOMPARE(lengthOf(d, status.parameters), 1.5);
        QCOMPARE(lengthOf(d, d.status(d.runs()[0].key).parameters), 1.5);
        QCOMPARE(lengthOf(d, d.bench().parameters()), 1.5);
        // What is shown before and after the cut goes together, and the session repeats.
        QCOMPARE(d.undoStack().count(), entries + 1);
        goOn(d, 2.5);
        d.playback().scrub(0.5);
        QCOMPARE(d.shown(key).settings.formulation, std::string("index-1"));
        QCOMPARE(lengthOf(d, d.lookBack().parameters()), 1.0);
        d.playback().backToNow();
        QCOMPARE(d.shown(key).settings.formulation, std::string("projection"));
        const std::string fault = judgeReplay(d);
        QVERIFY2(fault.empty(), fault.c_str());
    }

    /// What is undone is the change: the settings of then stay, and so does the cut.
    void undoTakesTheChangeBackToWhatWasShown()
    {
        Document d;
        QVERIFY(d.opener().openModel("pendulum").ok());
        const int key = d.runs().front().key;
        QVERIFY(d.control().setIntegrator(key, "rk4"));
        QVERIFY(d.control().setFormulation(key, "baumgarte"));
        QVERIFY(d.control().setGain(key, "xi", 0.5));
        goOn(d, 1);
        QVERIFY(d.control().setParameter("L", 2));
        QVERIFY(d.control().setFormulation(key, "index-1"));
        goOn(d, 2);
        d.playback().scrub(0.5);
        QVERIFY(d.control().setFormulation(key, "projection"));
        QVERIFY(d.laboratory().recording(d.runs().front().id).lastTime() < 2);
        d.undoStack().undo();
        QCOMPARE(d.status(key).settings.formulation, std::string("baumgarte"));
        QCOMPARE(d.status(key).settings.gains.at("xi"), 0.5);
        QCOMPARE(lengthOf(d, d.status(key).parameters), 1.0);
        QVERIFY(d.laboratory().recording(d.runs().front().id).lastTime() < 2);
        d.undoStack().redo();
        QCOMPARE(d.status(key).settings.formulation, std::string("projection"));
        QCOMPARE(lengthOf(d, d.bench().parameters()), 1.0);
    }

    /// A projection is refused for a method that carries its past: also for that of then, and nothing is cut for it.
    void aRefusedChangeCutsNothing()
    {
        Document d;
        QVERIFY(d.opener().openModel("pendulum").ok());
        const int key = d.runs().front().key;
        QCOMPARE(d.status(key).settings.integrator, std::string("ida"));
        goOn(d, 1);
        QVERIFY(d.control().setIntegrator(key, "rk4"));
        goOn(d, 2);
        d.playback().scrub(0.5);
        const std::size_t log = d.laboratory().log().size();
        QVERIFY(!d.control().setFormulation(key, "projection")); // rk4 of now would take it
        QVERIFY(!d.messages().all().empty());
        QCOMPARE(d.laboratory().log().size(), log);
        QVERIFY(d.bench().scrubbedBack());
        QVERIFY(d.laboratory().recording(d.runs().front().id).lastTime() >= 2);
        d.playback().backToNow();
        QVERIFY(d.control().setFormulation(key, "projection"));
    }

    /// Whether a linkage closes is known from the state alone: it is tried before the recording is cut.
    void aLinkageThatCannotCloseCutsNothing()
    {
        Document d;
        QVERIFY(d.opener().openModel("crank-rocker").ok());
        goOn(d, 1);
        d.playback().scrub(0.3);
        const std::size_t log = d.laboratory().log().size();
        QSignalSpy branched(&d, &Document::branched);
        QVERIFY(!d.control().setParameter("d", 3)); // the three bars together are 2 m long
        QCOMPARE(branched.count(), 0);
        QCOMPARE(d.laboratory().log().size(), log);
        QVERIFY(d.bench().scrubbedBack());
        QVERIFY(d.laboratory().recording(d.runs().front().id).lastTime() >= 1);
        QVERIFY(d.control().setParameter("d", 1.05)); // closes
        QCOMPARE(branched.count(), 1);
    }

    /// A choice of what holds now is a change of what is shown, and a choice of what is shown is none.
    void whatIsShownIsWhatAChangeIsComparedWith()
    {
        Document d;
        QVERIFY(d.opener().openFirstStart().ok());
        const int key = d.runs()[1].key;
        goOn(d, 1);
        QVERIFY(d.control().setFormulation(key, "projection"));
        goOn(d, 2);
        d.playback().scrub(0.5);
        const std::size_t log = d.laboratory().log().size();
        QVERIFY(d.control().setFormulation(key, "index-1"));
        QCOMPARE(d.laboratory().log().size(), log);
        QVERIFY(d.bench().scrubbedBack());
        QVERIFY(d.control().setFormulation(key, "projection"));
        QVERIFY(!d.bench().scrubbedBack());
        QCOMPARE(d.status(key).settings.formulation, std::string("projection"));
        QVERIFY(d.laboratory().recording(d.runs()[1].id).lastTime() < 1);
    }

    /// A body that is taken hold of at the latest time is moved with the settings of now, also where the runs are ahead of it.
    void aDragAtTheLatestTimeTakesNothingBack()
    {
        Document d;
        QVERIFY(d.opener().openModel("pendulum").ok());
        const int key = d.runs().front().key;
        goOn(d, 1);
        QVERIFY(d.control().setFormulation(key, "ggl")); // acts a little later, where the run has come to
        QSignalSpy branched(&d, &Document::branched);
        QVERIFY(d.control().setState({{"bob.x", 0.3}}, "move"));
        QCOMPARE(branched.count(), 0);
        QCOMPARE(d.status(key).settings.formulation, std::string("ggl"));
    }
};

QTEST_GUILESS_MAIN(TestBranchThen)
#include "test_branch_then.moc"
