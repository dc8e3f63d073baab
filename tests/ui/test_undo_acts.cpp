// Undo of what is done to runs: as if it had never been where no time was computed since, honest where it was; and what is
// shown and changed in a pause.
#include <QFile>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <array>
#include <bit>
#include <cmath>

#include "tests/support/Draw.h"
#include "ui/document/Document.h"

using namespace driftless;
using driftless::ui::Document;

namespace {

constexpr double kOneStep = 1e-7;   // ten tolerances of the pendulum's run: a step that ends at a cut
constexpr double kPatient = 10;     // [s]
constexpr double kSamePlace = 1e-9; // of a position of size 1: Newton's own tolerance is far below

std::string firstDifference(const run::RecordingView& a, const run::RecordingView& b)
{
    const auto rows = std::min(a.rowCount(), b.rowCount()); // either may have gone a little further
    for (std::uint64_t i = 0; i < rows; ++i)
        for (int c = -1; c < a.columnCount(); ++c) {
            const double x = c < 0 ? a.time(i) : a.value(i, c), y = c < 0 ? b.time(i) : b.value(i, c);
            if (std::bit_cast<std::uint64_t>(x) != std::bit_cast<std::uint64_t>(y) && !(std::isnan(x) && std::isnan(y)))
                return (c < 0 ? "t" : a.columns()[static_cast<std::size_t>(c)].name) + " in row " + std::to_string(i);
        }
    return {};
}

/// Plays to t [s] and stands there in a pause.
void goTo(Document& d, double t)
{
    d.laboratory().waitUntil(t);
    d.playback().tick(0);
}

int parameterAt(const Document& d, const std::string& name)
{
    const auto& all = d.system().parameters;
    return static_cast<int>(std::ranges::find_if(all, [&](const auto& p) { return p.quantity.name == name; }) - all.begin());
}

double valueOf(const Document& d, const std::vector<double>& parameters, const std::string& name)
{
    return parameters[static_cast<std::size_t>(parameterAt(d, name))];
}

std::vector<double> stateAt(const Document& d, double t)
{
    const auto recording = d.laboratory().recording(d.runs().front().id);
    std::vector<double> q(static_cast<std::size_t>(recording.n())), v = q, lambda(static_cast<std::size_t>(recording.m()));
    recording.stateAt(t, q.data(), v.data(), lambda.data());
    return q;
}

double apart(const std::vector<double>& a, const std::vector<double>& b)
{
    double out = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        out = std::max(out, std::abs(a[i] - b[i]));
    return out;
}

} // namespace

class TestUndoActs : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

private slots:
    void initTestCase() { QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, folder_.path()); }

    void aChangeUndoneAtOnceHasNeverBeen()
    {
        Document d, undisturbed;
        QVERIFY(d.opener().openModel("crank-rocker").ok());
        QVERIFY(undisturbed.opener().openModel("crank-rocker").ok());
        goTo(d, 2.93);
        QSignalSpy told(&d.bench(), &ui::OpenBench::told);
        QVERIFY(d.control().setParameter("c", 1.1));
        QVERIFY(d.control().setFormulation(d.runs().front().key, "index-1"));
        QVERIFY(d.files().isDirty());
        d.undoStack().undo();
        QCOMPARE(d.status(d.runs().front().key).settings.formulation, std::string("dummy-derivatives"));
        QCOMPARE(d.laboratory().log().size(), std::size_t(2));
        d.undoStack().undo();
        QCOMPARE(d.laboratory().log().size(), std::size_t(1));
        QCOMPARE(valueOf(d, d.bench().parameters(), "c"), 0.75);
        QVERIFY(!d.files().isDirty());
        QVERIFY(!d.files().title().contains('*'));
        QCOMPARE(told.count(), 0);
        goTo(d, 4);
        goTo(undisturbed, 4);
        const std::string difference = firstDifference(d.laboratory().recording(d.runs().front().id),
                                                       undisturbed.laboratory().recording(undisturbed.runs().front().id));
        QVERIFY2(difference.empty(), difference.c_str());
        // Done again, it acts where the run stands now.
        d.undoStack().redo();
        QCOMPARE(valueOf(d, d.bench().parameters(), "c"), 1.1);
        QVERIFY(d.laboratory().log().back().t >= 4);
    }

    /// The clock goes on to where one run was changed; that the others come there is no matter of that run.
    void aChangeOfOneRunIsUndoneWhileOthersGoOn()
    {
        Document d;
        QVERIFY(d.opener().openFirstStart().ok());
        goTo(d, 1);
        const int key = d.runs()[1].key; // far ahead: its steps are 0.2 s
        QVERIFY(d.control().setFormulation(key, "projection"));
        const double t = d.laboratory().clock().t;
        QTRY_VERIFY(d.laboratory().recording(d.runs()[0].id).lastTime() >= t);
        d.undoStack().undo();
        QCOMPARE(d.status(key).settings.formulation, std::string("index-1"));
        QCOMPARE(d.laboratory().log().size(), std::size_t(2));
        QVERIFY(!d.files().isDirty());
    }

    void aGestureUndoneAtOnceHasNeverBeen()
    {
        Document d;
        QVERIFY(d.opener().openModel("pendulum").ok());
        goTo(d, 1);
        for (const double length : {1.1, 1.2, 1.3})
            QVERIFY(d.control().setParameter("L", length, "L#1"));
        QCOMPARE(d.undoStack().count(), 1);
        d.undoStack().undo();
        QCOMPARE(d.laboratory().log().size(), std::size_t(1));
        QVERIFY(!d.files().isDirty());
        QVERIFY(d.control().setParameter("L", 1.1, "L#2"));
        goTo(d, 2); // time passes within the gesture: what was played then stays
        QVERIFY(d.control().setParameter("L", 1.2, "L#2"));
        d.undoStack().undo();
        QVERIFY(d.laboratory().recording(d.runs().front().id).lastTime() >= 2);
        QCOMPARE(valueOf(d, d.bench().parameters(), "L"), 1.0);
        QCOMPARE(d.laboratory().log().size(), std::size_t(4));
    }

    void laterTheValueComesBackFromNowOn()
    {
        Document d;
        QVERIFY(d.opener().openModel("crank-rocker").ok());
        goTo(d, 1);
        QVERIFY(d.control().setParameter("c", 0.8));
        goTo(d, 3.4);
        QSignalSpy told(&d.bench(), &ui::OpenBench::told);
        d.undoStack().undo();
        QCOMPARE(d.laboratory().log().size(), std::size_t(3));
        QCOMPARE(told.count(), 1);
        const QString words = told[0][0].toString();
        QVERIFY2(words.contains("c = 0.75") && words.contains("from t = 3.4"), qPrintable(words));
        // What was done and undone stands in the log: closing asks.
        QVERIFY(d.files().isDirty());
        QVERIFY(d.files().title().contains('*'));
        const QString path = folder_.filePath("kept.driftless");
        QVERIFY(d.files().saveSession(path).ok());
        QVERIFY(!d.files().isDirty());
        QVERIFY(d.files().openSession(path).ok());
        QVERIFY(!d.files().isDirty());
    }

    /// What was moved belongs to its time: later undo leads back there, and nothing is thrown to a start of another time.
    void aMoveIsUndoneWhereItWasMade()
    {
        for (const double at : {0.0, 1.0})
            for (const bool patient : {true, false}) { // else what was computed before the move takes too long to repeat
                if (at == 0 && !patient)
                    continue;
                Document d;
                QVERIFY(d.opener().openModel("pendulum").ok());
                goTo(d, at);
                const auto start = stateAt(d, at);
                QVERIFY(d.control().setState({{"bob.x", 0.4}}, "move", "drag 1"));
                QVERIFY(d.control().setState({{"bob.x", 0.3}}, "move", "drag 1"));
                const auto moved = stateAt(d, at);
                QVERIFY(apart(moved, start) > 0.1);
                goTo(d, at + 2.42);
                d.laboratory().setPatience(patient ? kPatient : 0);
                QSignalSpy told(&d.bench(), &ui::OpenBench::told), branched(&d, &Document::branched);
                d.undoStack().undo();
                QCOMPARE(d.laboratory().clock().t, at);
                QVERIFY(!d.bench().scrubbedBack());
                QVERIFY(apart(stateAt(d, at), start) < (patient ? kSamePlace : kOneStep));
                QVERIFY(d.laboratory().recording(d.runs().front().id).lastTime() < at + 1);
                QCOMPARE(told.count() + branched.count(), 1);
                QCOMPARE(d.files().isDirty(), !patient);
                QCOMPARE(d.laboratory().log().size() == 1, patient);
                d.laboratory().setPatience(kPatient);
                goTo(d, at + 1);
                d.undoStack().redo();
                QCOMPARE(d.laboratory().clock().t, at);
                QVERIFY(apart(stateAt(d, at), moved) < kOneStep); // the last sample alone: another way to the same place
                QVERIFY(d.undoStack().canUndo());
                d.undoStack().undo();
                QVERIFY(apart(stateAt(d, at), start) < kOneStep); // the cut stays: the run came here with a step of its own
            }
    }

    /// A move in a pause cuts what was computed ahead of it; undone at once, that is there again.
    void aMoveUndoneAtOnceHasNeverBeen()
    {
        Document d, undisturbed;
        QVERIFY(d.opener().openModel("pendulum").ok());
        QVERIFY(undisturbed.opener().openModel("pendulum").ok());
        goTo(d, 1.5);
        QVERIFY(d.control().setState({{"bob.x", 0.3}}, "move"));
        QVERIFY(d.laboratory().log().size() > 1);
        d.undoStack().undo();
        QCOMPARE(d.laboratory().clock().t, 1.5);
        QCOMPARE(d.laboratory().log().size(), std::size_t(1));
        QVERIFY(!d.files().isDirty());
        goTo(d, 3);
        goTo(undisturbed, 3);
        const std::string difference = firstDifference(d.laboratory().recording(d.runs().front().id),
                                                       undisturbed.laboratory().recording(undisturbed.runs().front().id));
        QVERIFY2(difference.empty(), difference.c_str());
    }

    /// Undo after a look back takes the change back, not the cut.
    void theCutOfALookBackStays()
    {
        Document d;
        QVERIFY(d.opener().openModel("pendulum").ok());
        goTo(d, 3);
        d.playback().scrub(1);
        QVERIFY(d.control().setParameter("L", 1.2));
        d.undoStack().undo();
        QCOMPARE(valueOf(d, d.bench().parameters(), "L"), 1.0);
        QCOMPARE(d.laboratory().clock().t, 1.0);
        QVERIFY(d.laboratory().recording(d.runs().front().id).lastTime() < 2);
        QCOMPARE(d.laboratory().log().size(), std::size_t(2));
        QVERIFY(d.files().isDirty());
    }

    void aChangeInAPauseActsOnWhatIsSeen()
    {
        Document d;
        QVERIFY(d.opener().openModel("crank-rocker").ok());
        goTo(d, 2.93);
        QVERIFY(d.laboratory().recording(d.runs().front().id).lastTime() > 2.93);
        QVERIFY(d.control().setParameter("c", 0.8));
        QCOMPARE(d.laboratory().clock().t, d.laboratory().log().back().t);
        QVERIFY(!d.bench().scrubbedBack());
        QCOMPARE(valueOf(d, d.lookBack().drawnWith(d.runs().front().key), "c"), 0.8);
    }

    /// Runs that stand behind an event in a pause, or far ahead, are cut where the change is seen, and go on from there.
    void aChangeInAPauseActsBeforeWhatIsNotSeen()
    {
        constexpr std::array kModels{
            "bouncing-ball", "bouncing-ball-equations", "slider-stops", "ball-in-box", "stick-slip", "backlash",
            "billiard",      "newtons-cradle-impacts"};
        constexpr double kAhead = 0.25; // [s]
        constexpr double kLong = 0.2;   // s at the most from a pause to what is computed behind it here
        const std::uint64_t seed = test::seedOr(1);
        int cut = 0;
        for (int k = 0, count = test::countOr(12); k < count; ++k) {
            test::Draw draw(seed + static_cast<std::uint64_t>(k));
            const char* const model = kModels[static_cast<std::size_t>(k) % kModels.size()];
            Document d;
            QVERIFY2(d.opener().openModel(model).ok(), model);
            const double t = draw.decimal(0.1, 2.5);
            goTo(d, t);
            const run::RunId id = d.runs().front().id;
            const auto& parameter = draw.among(d.system().parameters).quantity;
            const auto behindPause = [&](double until) {
                const auto events = d.laboratory().events(id);
                return std::ranges::any_of(events, [&](const run::Event& e) {
                    return e.t > t && e.t < until && (e.kind() == run::EventKind::Mode || e.kind() == run::EventKind::Impact);
                });
            };
            const bool ahead = behindPause(t + kLong);
            const QString told = QStringLiteral("seed %1, %2, %3 at t = %4")
                                     .arg(seed + static_cast<std::uint64_t>(k))
                                     .arg(model, QString::fromStdString(parameter.name))
                                     .arg(t);
            if (!d.control().setParameter(QString::fromStdString(parameter.name), 1.001 * parameter.value))
                continue;
            const double acted = d.laboratory().log().back().t;
            QVERIFY2(acted <= t + kAhead && !behindPause(acted), qPrintable(told));
            cut += ahead;
            goTo(d, t + 1);
            const auto status = d.status(d.runs().front().key);
            QVERIFY2(status.t >= t + 1, qPrintable(told + QStringLiteral(": it ends at %1").arg(status.t)));
        }
        QVERIFY(cut > 0);
    }

    /// What follows from a parameter is shown with its value, goes back with it, and may be set instead.
    void whatFollowsAParameterGoesWithIt()
    {
        Document d;
        QVERIFY(d.opener()
                    .openText(
                        QStringLiteral("model m\n  parameter Real k = 2;\n  parameter Real m = 3*k;\n  Real x(start = 0, fixed "
                                       "= true);\nequation\n  der(x) = m - x;\nend m;\n"),
                        QStringLiteral("m.mo"))
                    .ok());
        goTo(d, 1);
        const auto values = [&] { return d.bench().parameters(); };
        QVERIFY(d.control().setParameter("k", 5));
        QCOMPARE(values(), (std::vector<double>{5, 15}));
        QCOMPARE(d.status(d.runs().front().key).parameters, values());
        goTo(d, 2);
        d.undoStack().undo();
        QCOMPARE(values(), (std::vector<double>{2, 6}));
        QVERIFY(d.control().setParameter("m", 4));
        QVERIFY(d.control().setParameter("k", 1));
        QCOMPARE(values(), (std::vector<double>{1, 4}));
        QVERIFY(d.control().resetParameters());
        QCOMPARE(values(), (std::vector<double>{2, 6}));
        QCOMPARE(d.status(d.runs().front().key).parameters, values());
        // Set to the value of the file beside another k it is set all the same, also in a run that comes later.
        QVERIFY(d.control().setParameter("k", 5));
        QVERIFY(d.control().setParameter("m", 6));
        QCOMPARE(values(), (std::vector<double>{5, 6}));
        QVERIFY(d.control().duplicateRun(d.runs().front().key));
        for (const ui::RunEntry& run : d.runs())
            QCOMPARE(d.status(run.key).parameters, values());
    }

    /// While runs play they are ahead of the clock: what is drawn is of the time of the clock, and a pause comes to the change.
    void whatIsDrawnIsOfItsTime()
    {
        Document d;
        QVERIFY(d.opener().openModel("crank-rocker").ok());
        goTo(d, 1);
        const int key = d.runs().front().key;
        d.playback().setSpeed(5);
        d.playback().play();
        d.playback().tick(0);
        QTRY_VERIFY(d.laboratory().clock().reached > d.laboratory().clock().t + 0.2);
        QVERIFY(d.control().setParameter("c", 0.8));
        const double t = d.laboratory().log().back().t;
        QVERIFY(d.laboratory().clock().t < t);
        QCOMPARE(valueOf(d, d.lookBack().drawnWith(key), "c"), 0.75);
        QCOMPARE(valueOf(d, d.lookBack().parameters(key), "c"), 0.8);
        d.playback().pause();
        QCOMPARE(d.laboratory().clock().t, t);
        QCOMPARE(valueOf(d, d.lookBack().drawnWith(key), "c"), 0.8);
        const auto before = d.lookBack().drawnBefore(key);
        QCOMPARE(before.size(), std::size_t(1));
        QCOMPARE(before[0].until, t);
        QCOMPARE(valueOf(d, before[0].values, "c"), 0.75);
    }

    void kappaIsThatOfTheTimeShown()
    {
        Document d;
        QVERIFY(d.opener().openModel("crank-rocker").ok());
        goTo(d, 3);
        const int key = d.runs().front().key;
        const auto recording = d.laboratory().recording(d.runs().front().id);
        const int column = recording.findColumn("kappa");
        for (const double t : {3.0, 2.93, 1.7, 0.4}) {
            d.playback().scrub(t);
            const auto row = recording.rowAt(t);
            const auto shown = d.shown(key);
            QCOMPARE(shown.kappa, recording.value(row, column));
            const double a = recording.value(row, column), b = recording.value(row + 1, column);
            const auto own = std::ranges::find_if(shown.candidates, [](const auto& one) { return one.leaves < 0; });
            QVERIFY(own != shown.candidates.end());
            const double slack = 0.05 * std::max(a, b); // kappa bends between two rows
            QVERIFY2(own->kappa > std::min(a, b) - slack && own->kappa < std::max(a, b) + slack,
                     qPrintable(QStringLiteral("t = %1: %2, rows %3 and %4").arg(t).arg(own->kappa).arg(a).arg(b)));
        }
    }
};

QTEST_GUILESS_MAIN(TestUndoActs)
#include "test_undo_acts.moc"
